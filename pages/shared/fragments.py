"""Fragments: what Streamlit runs again without the rest of the page.

A browser sends what changes at one moment in one message, and the message names a single fragment.
To press a button is also to leave the text that was being typed, and a page that is loaded again
sends all that the browser has kept. Streamlit runs the named fragment alone, so what else has
changed would not be seen. A fragment of WordVeil therefore runs the whole page if a control outside
of it has changed too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

_Given = ParamSpec("_Given")


def fragment(
    run_every: float | None = None,
) -> Callable[[Callable[_Given, None]], Callable[_Given, None]]:
    """Have a function be a fragment, run every so many seconds if these are named."""

    def of(draw: Callable[_Given, None]) -> Callable[_Given, None]:
        @wraps(draw)
        def drawn(*given: _Given.args, **named: _Given.kwargs) -> None:
            if _changed_elsewhere():
                st.rerun()
            draw(*given, **named)

        return st.fragment(drawn, run_every=run_every)

    return of


def _changed_elsewhere() -> bool:
    """Whether the message that runs a fragment has changed a control outside of it."""
    context = get_script_run_ctx()
    here = context.fragment_ids_this_run
    if not here:  # the whole page runs
        return False
    state = context.session_state._state  # no public name of Streamlit says what has changed
    controls = state._new_widget_state
    return any(
        (known := controls.widget_metadata.get(control)) is not None
        and known.fragment_id not in here
        and state._widget_changed(control)
        for control in list(controls)
    )
