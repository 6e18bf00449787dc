"""Controls that show a value which is kept elsewhere in the session, and which others change too.

A value that is set in a control takes the place of what the visitor moves or types just then, so it
is set only if the control shows another one. And the browser sends what all its controls show with
every change of one of them: for a moment that is still what they showed before.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

# A browser has got what was set after this time, and nobody has typed it anew before.
_SECONDS = 1.0

clock = time.monotonic


@dataclass(frozen=True)
class _Shown:
    """The page that a control was last set on, and what it showed lately, each with the time."""

    page: str
    lately: tuple[tuple[Any, float], ...] = ()


def show_in(control: str, value: Any) -> None:
    """Have a control, by its key, show a value; on another page it is another control."""
    state, page, now = st.session_state, get_script_run_ctx().page_script_hash, clock()
    shown: _Shown | None = state.get(_key(control))
    if shown is None or shown.page != page or control not in state:
        state[_key(control)] = _Shown(page)
    elif state[control] == value:
        return
    else:
        lately = (each for each in shown.lately if now - each[1] < _SECONDS)
        state[_key(control)] = _Shown(page, (*lately, (state[control], now), (value, now)))
    state[control] = value


def is_changed(control: str) -> bool:
    """Whether the visitor has changed a control; for its callback.

    Not if the browser sent what the control showed before a value was set just now: that value is
    shown once more.
    """
    shown: _Shown | None = st.session_state.get(_key(control))
    if shown is not None:
        now, sent = clock(), st.session_state[control]
        if any(sent == value and now - at < _SECONDS for value, at in shown.lately):
            return False
        st.session_state[_key(control)] = _Shown(shown.page)
    return True


def _key(control: str) -> str:
    return f"{control}.shown"
