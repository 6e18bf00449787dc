"""Parts of a page that run again without the rest of it.

Nothing is changed as often as ε and a text: a class of thirty does it fifteen times a second. So
what depends on them is drawn in parts. A page keeps a place for each part as it comes to it; all
parts are drawn after the rest, in one fragment of Streamlit. A change of what they follow runs that
fragment again, and neither the rest of the page nor the frame of the app.

A part draws into its place alone, and reads from the session what the parts follow; whatever else
it uses is constant until the whole page runs. The whole page runs after any other control in a
part, if the page has not run to its end, if another setting has changed too, if a value is refused,
or if the page has other parts for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared import classroom, link, look, page_end, tab, turns
from pages.shared.fragments import fragment

# The pages with parts, by their addresses. On other pages a part is drawn where it comes.
HAVING = ("perturb", "deniability")
# In the session: what the parts on screen follow, None while they cannot run alone; and whether it
# was such a setting that has just changed.
_FOLLOWED, _ALONE = "parts-followed", "parts-alone"


@dataclass(frozen=True)
class _Followed:
    """Settings that the parts of a page follow, by their keys."""

    settings: tuple[str, ...]
    still: Callable[[], bool]
    """Whether the page has the same parts for what the settings are now."""


_Parts = list[tuple[DeltaGenerator, Callable[[], None]]]
"""The places of parts, and what draws them there."""

_waiting: ContextVar[_Parts | None] = ContextVar("waiting", default=None)


def begin(page: str) -> None:
    """Note that a page, by its address, begins to run: before its end no part runs alone."""
    st.session_state[_FOLLOWED] = None
    st.session_state[_ALONE] = False
    _waiting.set([] if page in HAVING else None)


def part(draw: Callable[[], None]) -> None:
    """Keep a place for a part of the page, which is drawn there at the end of a page with parts."""
    waiting = _waiting.get()
    if waiting is None:
        draw()
    else:
        waiting.append((st.container(), draw))


def at_once() -> None:
    """Draw the parts so far, and each further one where it comes: this page takes long to run."""
    _draw(_taken())


def complete(*settings: str, still: Callable[[], bool] = lambda: True) -> None:
    """Note that the page has run to its end, and the settings that its parts follow.

    `still` says whether the page has the same parts for what these settings are now; a ValueError
    says that it has not.
    """
    st.session_state[_FOLLOWED] = _Followed(settings, still)


@contextmanager
def drawn_last() -> Iterator[None]:
    """Draw the parts of the page in this block after it, also if it ends early or fails."""
    with page_end.then(_draw_waiting):
        yield


def run_again() -> None:
    """Run the parts of this page alone, if they can; in a callback of a control in a part."""
    followed = st.session_state.get(_FOLLOWED)
    st.session_state[_ALONE] = (
        followed is not None
        and link.changed() <= set(followed.settings)
        and not classroom.panel_is_open()
    )


def _draw_waiting() -> None:
    followed, context = st.session_state[_FOLLOWED], get_script_run_ctx()
    if waiting := _taken():
        st.session_state[_FOLLOWED] = None
        # As in the page itself: to Streamlit a control of another script is another control.
        with context.run_with_active_hash(context.page_script_hash):
            _together(waiting)
        st.session_state[_FOLLOWED] = followed


def _taken() -> _Parts:
    waiting = _waiting.get()
    _waiting.set(None)
    return waiting or []


def _draw(parts: _Parts) -> None:
    for place, draw in parts:
        with place:
            draw()


@fragment()
def _together(parts: _Parts) -> None:
    if not get_script_run_ctx().fragment_ids_this_run:
        _draw(parts)
        return
    if st.session_state[_ALONE]:
        st.session_state[_ALONE] = False
        followed = st.session_state[_FOLLOWED]
        with turns.RUNS.turn(), suppress(ValueError):  # the whole page has a sentence for it
            if followed.still():
                look.enlarge_figures()
                link.write_again(followed.settings)
                tab.changed()
                _draw(parts)
                return
    st.rerun()
