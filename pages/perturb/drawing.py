"""Private versions of a text; of a long one with a bar, and a way to stop."""

from __future__ import annotations

from functools import partial

import streamlit as st

from mechanisms import Mechanism, Vocabulary
from mechanisms.text import Case, PrivateText, Unknown
from pages.perturb import wording
from pages.shared import draws, progress

# Characters, of all versions together, from which a bar is shown.
_LONG = 10_000

_STOPPED = "drawing_stopped"


def versions(
    text: str,
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    count: int,
    unknown: Unknown,
    case: Case,
    seed: int | None,
) -> PrivateText:
    """The versions of these settings. If their drawing was stopped, the page ends with a way on.

    Versions that were stopped are not shown and not counted: they are drawn anew.
    """
    asked = draws.Asked(text, mechanism, vocabulary, count, unknown, seed)
    told = None
    if not asked.is_drawn:
        key = asked.key
        if st.session_state.get(_STOPPED) == key:
            st.info(wording.STOPPED)
            st.button("▶ Start again", on_click=st.session_state.pop, args=(_STOPPED, None))
            st.stop()
        if len(text) * count >= _LONG:
            stop = partial(st.session_state.__setitem__, _STOPPED, key)
            told = progress.bar(st.empty(), wording.drawing(mechanism.name), stop)
    return draws.draw(asked, case, progress=told)
