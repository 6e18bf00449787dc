"""The material of this visitor: a file or a typed text, known to every page of the session.

material.bar()            on top of every page: which material, its settings, one way to change it
material.texts()          the texts that pages answer for

Without a material pages answer for an example, and the bar says so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared import classroom, prose, tab, vault
from pages.shared.settings import parameter_key
from release import tables
from release.grammar import counted
from release.layout import Layout

YOUR_DATA = "pages/your_data/page.py"
TYPED = "pages/perturb/page.py"
EXAMPLE = (
    "My doctor in London said the movie was a wonderful surprise, "
    "but my mother thinks the actor looked tired and sad."
)
_ABOUT, _TEXTS, _TABLE = "material_words", "material_texts", "material_table"
NOTED = (_ABOUT, _TEXTS, _TABLE, "material_preferred")
"""The keys of the session under which this module notes what it knows of a file."""
# Of the texts of a file, so many characters are looked at by pages on its words.
MOST_CHARACTERS = 100_000
# Rows of a file that a page with labels reads.
_MOST_ROWS = 20_000
# Pages that answer for a material: without one their bar names the example.
_ANSWERING = ("deniability", "compare", "attacks", "tradeoff")


Part = Callable[[Callable[[], None]], None]

KEPT_FOR = (
    "Kept in the server's memory only, while this tab is open. After a reload of the tab it is "
    f"still there if you were here within the last {vault.SECONDS // 60} minutes; in another tab, "
    "or after the server restarts, it is not."
)


def bar(page: str = "", part: Part = lambda draw: draw()) -> None:
    """Which material a page is about, and the way to change it; `page` is the page's address.

    `part` draws the line, which names ε, as a part of the page that follows it.
    """
    _new_page()
    if st.session_state.get("file") is not None:
        file = st.session_state.file
        about = (file.name, *st.session_state.get(_ABOUT, ("no texts chosen yet",)))
        _line(part, "📄", tuple(map(prose.plain, about)), YOUR_DATA)
    elif typed():
        _prefer_the_text("text")
        if page not in ("", "perturb", "start", "learn", "teach", "glossary"):
            count = counted(len(typed().split()), "word")
            _line(part, "✍️", ("your text", count), TYPED)
    elif page in _ANSWERING:
        _line(part, "🎬", ("example: film reviews",), YOUR_DATA, "Use your own")


def _line(
    part: Part, sign: str, about: tuple[str, ...], leads_to: str, label: str = "Change"
) -> None:
    def say() -> None:
        said = " · ".join(filter(None, [*about, prose.plain(settings())]))
        st.markdown(f"{sign} **{said}**", help=KEPT_FOR)

    text, change = st.columns([6, 1], vertical_alignment="center")
    with text:
        part(say)
    change.page_link(leads_to, label=label)


def settings() -> str:
    """The mechanism and ε in force, in short; empty if a lesson hides them or none are chosen."""
    kind = st.session_state.get("mechanism")
    epsilon = kind and st.session_state.get(parameter_key(kind, "epsilon"))
    if not epsilon or classroom.hidden():
        return ""
    return f"{kind.name}, ε = {prose.number(epsilon)}"


class Table(NamedTuple):
    """How the rows of the file are read, and which of its columns hold texts."""

    layout: Layout
    ragged: tables.Ragged
    columns: tuple[str, ...]

    def rows(self) -> list[list[str]]:
        """Its first rows as text, those out of step and cells without a value empty."""
        found = tables.rows(st.session_state.file.data, self.layout, self.ragged)
        return [
            ["" if cell is None or cell is tables.ABSENT else str(cell) for cell in row]
            for row in islice(found, _MOST_ROWS)
        ]


def table() -> Table | None:
    """The file as a table; None without a file."""
    return st.session_state.get(_TABLE) if has_file() else None


def describe(name: str, how: Table, rows: int, texts: list[str]) -> None:
    """Note what other pages say of the file, and the texts that they answer for."""
    st.session_state[_ABOUT] = ", ".join(how.columns), counted(rows, "row")
    st.session_state[_TABLE] = how
    kept, length = [], 0
    for text in texts:
        kept.append(text[: MOST_CHARACTERS - length])
        length += len(text)
        if length >= MOST_CHARACTERS:
            break
    st.session_state[_TEXTS] = kept
    _prefer_the_text(name)
    tab.changed()


def forget() -> None:
    """Drop what was noted and drawn of a file; pages answer for the example again."""
    _drop_results()
    for key in NOTED:
        st.session_state.pop(key, None)
    if st.session_state.get("prior") == "file":
        st.session_state["prior"] = "frequency"


# Results of the session (`session.once`) that hold words of a file, by the first part of their key.
_OF_FILE = ("words of file", "rows", "expected", "adversary")


def _drop_results() -> None:
    """Drop draws of the file's texts, and results about them."""
    texts = st.session_state.get(_TEXTS, ())
    for kept in ("sentence_draws", "column_draws"):
        draws = st.session_state.get(kept, {})
        for drawn in [k for k in draws if any(text.startswith(k[0]) for text in texts)]:
            del draws[drawn]
    results = st.session_state.get("once", {})
    for result in [k for k in results if isinstance(k, tuple) and k[0] in _OF_FILE]:
        del results[result]


def _prefer_the_text(name: str) -> None:
    """Have pages look at this material first, once: later the visitor's own choice counts."""
    if st.session_state.get("material_preferred") == name or "link_read" not in st.session_state:
        return
    st.session_state["material_preferred"] = name
    st.session_state["sample"] = "text"
    if has_file():
        st.session_state["prior"] = "file"


def has_file() -> bool:
    """Whether there is a file whose texts are known."""
    return st.session_state.get("file") is not None and bool(st.session_state.get(_TEXTS))


def typed() -> str:
    """The text that the visitor typed; empty if it is the example."""
    text = st.session_state.get("text", "").strip()
    return "" if text == EXAMPLE else text


def texts() -> list[str]:
    """The texts of the file, its first ones if it is large; without a file the text typed."""
    if has_file():
        return list(st.session_state[_TEXTS])
    return [st.session_state.get("text", "")]


def offer_these_settings() -> None:
    """The way to the file with the settings of this page, or to where one is uploaded."""
    where = prose.plain(name()) if has_file() else "my own file"
    st.page_link(YOUR_DATA, label=f"Use these settings for {where}", icon="📄")


def text() -> str:
    """All `texts` in one."""
    return "\n".join(texts())


def key() -> str:
    """A name of the texts for results of this session."""
    return hashlib.sha256(text().encode("utf-8", "surrogatepass")).hexdigest()


def name() -> str:
    """What a sentence calls the material: the name of the file, your text, or the example."""
    if has_file():
        return str(st.session_state.file.name)
    return "your text" if typed() else "the example"


# ------------------------------------------------------------------------ draws that were asked for

_MAY_DRAW, _ON_PAGE = "material_may_draw", "material_on_page"


def _new_page() -> None:
    """On another page nothing is drawn until it is asked for there."""
    context = get_script_run_ctx()
    here = context.page_script_hash if context else ""
    if st.session_state.get(_ON_PAGE) != here:
        st.session_state.pop(_MAY_DRAW, None)
    st.session_state[_ON_PAGE] = here


def ask_for_draws(of: str) -> None:
    """Note that the visitor asked this page to draw a text; further settings draw it too."""
    st.session_state[_MAY_DRAW] = of


def may_draw(of: str) -> bool:
    """Whether the visitor asked this page to draw this text; an example needs no asking."""
    return st.session_state.get(_MAY_DRAW) == of
