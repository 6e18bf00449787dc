"""The link: settings to and from the URL.

A link is read before anything that depends on it is drawn: what it sets rightly is taken, what it
sets wrongly is named. Each page says which settings its link has.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from data import embeddings
from mechanisms import MECHANISMS, Mechanism
from pages.shared import (
    classroom,
    conversion,
    own_embedding,
    prose,
    text_controls,
    vocabulary_picker,
)
from pages.shared.settings import (
    SLUGS,
    URL_NAMES,
    Setting,
    at_epsilon,
    choice,
    installed_embedding,
    parameter_key,
    read_parameter,
    switch,
    whole_number,
)

# What every page's link says, beside what belongs to the page itself.
COMMON = ("mechanism", "embedding", "size", "tokens", "projector")

# A mechanism's parameters stand in the URL under their field names, ε as `eps`.

SHARED_SETTINGS: dict[str, Setting] = {
    "mechanism": choice(MECHANISMS[0], {slug: cls for cls, slug in SLUGS.items()}),
    "embedding": Setting(embeddings.GLOVE, installed_embedding, own_embedding.embedding_label),
    "size": whole_number(embeddings.DEFAULT_SIZE, 1, 10**9),  # by embedding: see `read`
    "tokens": choice(True, {"words": True, "all": False}),
    "projector": switch(),
}


@cache
def settings() -> dict[str, Setting]:
    """The settings of all pages: what pages share, and what each declares in its `controls`."""
    declared = SHARED_SETTINGS | text_controls.SETTINGS
    for page, own in _settings_of_pages().items():
        if twice := declared.keys() & own.keys():
            raise ValueError(f"{page} declares what is declared already: {twice}")
        declared |= own
    return declared


@cache
def _settings_of_pages() -> dict[str, dict[str, Setting]]:
    """What each page declares, by its address, which is the name of its folder."""
    files = sorted(Path(__file__).parents[1].glob("*/controls.py"))
    controls = {file.parent.name: f"pages.{file.parent.name}.controls" for file in files}
    return {page: getattr(import_module(c), "SETTINGS", {}) for page, c in controls.items()}


@cache
def _of_other_pages(page: str) -> frozenset[str]:
    """The settings that are neither this page's nor shared."""
    return frozenset(
        key for other, own in _settings_of_pages().items() if other != page for key in own
    )


def read(page: str) -> list[str]:
    """Take the settings of the URL; what could not be taken, in sentences.

    They are taken when the session starts, and when the visitor goes back to an earlier link of
    the page on screen. `page` is the page's address; the start page has no settings and no link.
    """
    known = "link_read" in st.session_state
    if known:
        _carry_over(page)
    if not page:
        return []
    if known and not _went_back():
        return st.session_state.ignored
    query = st.query_params.to_dict()
    ignored = classroom.take(query)
    given = dict(query)
    for key, setting in settings().items():
        if not known and key in _of_other_pages(page):
            st.session_state.pop(key, None)
        elif not known or key in st.session_state.link_written:
            st.session_state[key] = setting.default
        if key in query:
            try:
                st.session_state[key] = setting.read(query.pop(key))
            except ValueError as error:
                ignored.append(f"ignored {key}={_quoted(given[key])}: {key} {error}.")
    try:
        offered = conversion.offered_sizes(embeddings.by_name(st.session_state.embedding), st)
    except (OSError, ValueError) as error:
        ignored.append(f"ignored embedding={prose.plain(str(error))}")
        st.session_state.embedding = embeddings.GLOVE
        offered = embeddings.by_name(embeddings.GLOVE).sizes()
    if st.session_state.size not in offered:
        if "size" in given:
            ignored.append(
                f"ignored size={_quoted(given['size'])}: size must be one of "
                f"{', '.join(map(str, offered))}."
            )
        st.session_state.size = vocabulary_picker.size_near(embeddings.DEFAULT_SIZE, offered)
    cls = st.session_state.mechanism
    for field, declared in cls.parameters().items():
        name = URL_NAMES.get(field, field)
        if declared.optional:
            st.session_state[parameter_key(cls, field)] = None
        if name in query:
            text = query.pop(name)
            problem, value = read_parameter(declared, text)
            if problem:
                ignored.append(f"ignored {name}={_quoted(text)}: {declared.symbol} {problem}")
            else:
                st.session_state[parameter_key(cls, field)] = value
    ignored += [f"ignored {_quoted(key)}: there is no such setting here." for key in query]
    st.session_state.link_read = True
    st.session_state.ignored = ignored
    return ignored


def write(mechanism: Mechanism | None, *page_settings: str) -> None:
    """Put the settings of the moment into the URL, and draw the button that shares it.

    These are the common settings, the page's, and the mechanism's. The name of a text box among
    them puts the text there, where the visitor ticked that.
    """
    st.session_state.link_of = (mechanism and mechanism.family(), page_settings)
    _put(mechanism, page_settings, _values())
    classroom.share()


def write_again(changed: Iterable[str]) -> None:
    """Put the settings into the URL once more, as the page has them, but for these, by their keys.

    They are ε or texts, and are what they are now.
    """
    family, page_settings = st.session_state.link_of
    values = st.session_state.link_of_page.values | {key: st.session_state[key] for key in changed}
    _put(at_epsilon(family), page_settings, values)


def _put(
    mechanism: Mechanism | None, page_settings: tuple[str, ...], values: Mapping[str, Any]
) -> None:
    keys = [key for key in (*COMMON, *page_settings) if key not in classroom.TEXTS]
    text_box = next((key for key in page_settings if key in classroom.TEXTS), None)
    link = {key: settings()[key].write(st.session_state[key]) for key in keys}
    for field in mechanism.parameters() if mechanism else ():
        value = getattr(mechanism, field)
        if value is not None:
            link[URL_NAMES.get(field, field)] = value if isinstance(value, str) else repr(value)
    st.session_state.link_written = {key: value for key, value in link.items() if value != ""}
    link = classroom.put(st.session_state.link_written, text_box, restricts=mechanism is not None)
    if st.query_params.to_dict() != link:
        st.query_params.from_dict(link)
    st.session_state.link_of_page = _LinkOfPage(_page(), link, values, time.monotonic())


def changed() -> set[str]:
    """The settings and texts that have changed since the link of this page was written."""
    before, now = st.session_state.link_of_page.values, _values()
    return {key for key in before.keys() | now.keys() if before.get(key) != now.get(key)}


@dataclass(frozen=True)
class _LinkOfPage:
    """The link that was last written: where, what, from which values, and when."""

    page: str
    link: dict[str, str]
    values: Mapping[str, Any]
    at: float


def _went_back() -> bool:
    """Whether the link is another one than was written, and nothing else has changed.

    A browser sends the link that it has. Right after a change it may not have got the new one yet,
    and after any change of a control the control counts.
    """
    last = st.session_state.get("link_of_page")
    query = st.query_params.to_dict()
    return bool(
        last
        and query
        and query != last.link
        and last.page == _page()
        and last.values == _values()
        and time.monotonic() - last.at > 1.0
    )


def _values() -> dict[str, Any]:
    state = st.session_state.to_dict()  # once: each single look-up goes through all of Streamlit
    return {key: state[key] for key in all_keys() if key in state}


@cache
def all_keys() -> tuple[str, ...]:
    """All that a link can say, by its key in the session: settings, parameters and texts."""
    return (*settings(), *_parameter_keys(), *classroom.TEXTS)


@cache
def _parameter_keys() -> tuple[str, ...]:
    return tuple(parameter_key(cls, field) for cls in MECHANISMS for field in cls.parameters())


def _page() -> str:
    return get_script_run_ctx().page_script_hash


def _carry_over(page: str) -> None:
    """On a new page, hand every value to its control there.

    A control is another one on every page, even under the same key: it would begin with its own
    default, and the page that is left would take its value along. Settings of other pages that are
    at their defaults are let go of: Streamlit looks at all that a session has for every box that a
    page draws.
    """
    state, run = st.session_state, _page()
    if state.get("page") != run:
        others, values = _of_other_pages(page), state.to_dict()
        for key, setting in settings().items():
            value = values.get(key, setting.default)
            if key not in others or value != setting.default:
                state[key] = value
            elif key in values:
                del state[key]
        for key in (*_parameter_keys(), *classroom.TEXTS, *classroom.OPTIONS):
            if key in values:
                state[key] = values[key]
    state.page = run


def _quoted(text: str) -> str:
    return prose.plain(text[:40] + ("…" if len(text) > 40 else ""))
