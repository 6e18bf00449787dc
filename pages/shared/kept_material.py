"""A visitor's material after a reload of the tab or a lost network.

It stays in the server's memory under the tab's token, which only the tab has, and is wiped after a
quarter of an hour without a visit (`vault`). Nothing of it is on disk, in a log or in a link. With
it come its ledger, its draws, its jobs and its settings; a setting in the link of the new session
counts more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.shared import classroom, link, material, session, tab
from pages.shared.settings import parameter_key
from pages.shared.vault import Vault

_JOBS = ("file_plan", "file_release", "file_choice")
_MATERIAL = (
    *("file", "file_layout", "file_texts", "file_test", *_JOBS, "own_embedding", "visitor"),
    *("ledgers", "spent", "sentence_draws", "dissolved", "column_draws", "releases_known"),
    *("roll", "dissolve_roll", "column_roll", "compare-followed"),
    *material.NOTED,
)
# Keys with a file's token that only a widget may set.
_OF_WIDGETS = ("earlier-record.", "upload.")


@dataclass(frozen=True)
class Kept:
    """What a session had."""

    values: dict[str, Any]
    settings: dict[str, Any]
    at_work: tuple[str, ...]
    """The jobs that the visitor had not stopped."""


def _weight(kept: Kept) -> int:
    file = kept.values.get("file")
    return 0 if file is None else len(file.data)


MATERIALS: Vault[Kept] = Vault(most=500, weight=_weight)
_here = tab.OfTab(MATERIALS, "material-found")


def find() -> None:
    """Take up what the tab had before this session, as soon as the tab has told its token.

    A session with a material of its own keeps that.
    """
    state = st.session_state
    state.setdefault("query-at-start", st.query_params.to_dict())
    kept = _here.take_up()
    if kept is None or state.get("file") is not None or material.typed():
        return
    for key, value in (kept.values | _wanted(kept.settings, state["query-at-start"])).items():
        state[key] = value
    session.be_here()
    for key in kept.at_work:
        state[key].job.join(session.visitor())


def keep() -> None:
    """Keep the material of this session for its tab, or nothing if there is none."""
    if st.session_state.get("file") is None and not material.typed():
        _here.keep(None)
        return
    state = st.session_state.to_dict()
    own = [key for key in _MATERIAL if key in state]
    if (file := state.get("file")) is not None:
        own += [k for k in state if file.token in str(k) and not str(k).startswith(_OF_WIDGETS)]
    _here.keep(
        Kept(
            {key: state[key] for key in own},
            {key: state[key] for key in link.all_keys() if key in state},
            tuple(key for key in _JOBS if key in state and _at_work(state[key])),
        ),
    )


def _at_work(work: Any) -> bool:
    return not work.job.finished and work.job.watched_by(session.visitor())


def _wanted(settings: dict[str, Any], query: dict[str, str]) -> dict[str, Any]:
    """The settings that the link of this session says nothing about; a teacher's says all."""
    if classroom.is_teachers(query):
        return {key: value for key, value in settings.items() if key in classroom.TEXTS}
    if "mechanism" not in query:
        return {key: value for key, value in settings.items() if key not in query}
    now = st.session_state.get("mechanism")
    of_link = {parameter_key(now, field) for field in now.parameters()} if now else set()
    return {k: v for k, v in settings.items() if k not in query and k not in of_link}


tab.tell(keep)
