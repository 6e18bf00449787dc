"""Parts of a page that run again without the rest of it.

Nothing is moved as often as ε: a class of thirty moves it fifteen times a second. So what depends
on ε is drawn in parts, each where it is on screen. A change of ε runs the parts again, and neither
the rest of the page nor the frame of the app.

A part draws into containers of its own alone, and reads ε from the session; whatever else it uses
is constant until the whole page runs. All parts run, or the whole page does: after any other
control in a part, if the page has not run to its end, if another setting has changed too, or if
ε is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

from pages.shared import classroom, downloads, link, look, tab

_KEY = "parts"
_FOLLOWED = "parts-followed"


def begin() -> None:
    """Note that a page begins to run: before its end its parts do not run alone."""
    st.session_state[_FOLLOWED] = None
    downloads.forget_figures()


def complete(*settings: str) -> None:
    """Note that the page has run to its end, and the settings that its parts follow."""
    st.session_state[_FOLLOWED] = set(settings)


def part(draw: Callable[[], None]) -> None:
    """Draw a part of the page now, and again with all other parts after `run_again`."""
    _part(draw)
    downloads.offer_figures()


def run_again() -> None:
    """Run the parts of this page alone; the last act of a callback of a control in a part."""
    followed = st.session_state.get(_FOLLOWED)
    if followed is None or not link.changed() <= followed or classroom.panel_is_open():
        st.session_state[_FOLLOWED] = None
    st.rerun(_KEY)


@st.fragment(key=_KEY)
def _part(draw: Callable[[], None]) -> None:
    context = get_script_run_ctx()
    alone = context.fragment_ids_this_run
    if not alone:
        draw()
        return
    every = context.fragment_storage.resolve_target(_KEY)
    if st.session_state.get(_FOLLOWED) is None or not set(every) <= set(alone):
        st.rerun()
    with suppress(ValueError):  # the whole page has a sentence for it
        if ThreadState.get().fragment_id == alone[0]:
            look.enlarge_figures()
            link.write_again()
            tab.changed()
        draw()
        return
    st.rerun()
