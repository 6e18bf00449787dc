"""Parts of a page that run again without the rest of it.

Nothing is moved as often as ε: a class of thirty moves it fifteen times a second. So what depends
on ε is drawn in parts. A page keeps a place for each part as it comes to it; all parts are drawn
after the rest, in one fragment of Streamlit. A change of ε runs that fragment again, and neither
the rest of the page nor the frame of the app.

A part draws into its place alone, and reads ε from the session; whatever else it uses is constant
until the whole page runs. The whole page runs after any other control in a part, if the page has
not run to its end, if another setting has changed too, or if ε is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared import classroom, link, look, page_end, tab, turns

# The pages with parts, by their addresses. On other pages a part is drawn where it comes.
HAVING = ("perturb", "deniability")
# In the session: the settings that the parts on screen follow, None while they cannot run alone;
# and whether it was such a setting that has just changed.
_FOLLOWED, _ALONE = "parts-followed", "parts-alone"


@dataclass(frozen=True)
class _Waiting:
    """The fragment of a page, at a place of its own, and the parts that it draws in theirs."""

    fragment: DeltaGenerator
    parts: list[tuple[DeltaGenerator, Callable[[], None]]] = field(default_factory=list)

    def draw(self) -> None:
        """Draw all parts."""
        for place, draw in self.parts:
            with place:
                draw()


_waiting: ContextVar[_Waiting | None] = ContextVar("waiting", default=None)


def begin(page: str) -> None:
    """Note that a page, by its address, begins to run: before its end no part runs alone."""
    st.session_state[_FOLLOWED] = None
    st.session_state[_ALONE] = False
    _waiting.set(_Waiting(st.container()) if page in HAVING else None)


def part(draw: Callable[[], None]) -> None:
    """Keep a place for a part of the page, which is drawn there at the end of a page with parts."""
    waiting = _waiting.get()
    if waiting is None:
        draw()
    else:
        waiting.parts.append((st.container(), draw))


def at_once() -> None:
    """Draw the parts so far, and each further one where it comes: this page takes long to run."""
    if waiting := _taken():
        waiting.draw()


def complete(*settings: str) -> None:
    """Note that the page has run to its end, and the settings that its parts follow."""
    st.session_state[_FOLLOWED] = set(settings)


@contextmanager
def drawn_last() -> Iterator[None]:
    """Draw the parts of the page in this block after it, also if it ends early or fails."""
    with page_end.then(_draw_waiting):
        yield


def run_again() -> None:
    """Run the parts of this page alone, if they can; in a callback of a control in a part."""
    followed = st.session_state.get(_FOLLOWED)
    st.session_state[_ALONE] = (
        followed is not None and link.changed() <= followed and not classroom.panel_is_open()
    )


def _draw_waiting() -> None:
    followed = st.session_state[_FOLLOWED]
    if waiting := _taken():
        st.session_state[_FOLLOWED] = None
        with waiting.fragment:
            _together(waiting)
        st.session_state[_FOLLOWED] = followed


def _taken() -> _Waiting | None:
    waiting = _waiting.get()
    _waiting.set(None)
    return waiting


@st.fragment
def _together(waiting: _Waiting) -> None:
    if not get_script_run_ctx().fragment_ids_this_run:
        waiting.draw()
        return
    if st.session_state[_ALONE]:
        st.session_state[_ALONE] = False
        with turns.RUNS.turn(), suppress(ValueError):  # the whole page has a sentence for it
            look.enlarge_figures()
            link.write_again()
            tab.changed()
            waiting.draw()
            return
    st.rerun()
