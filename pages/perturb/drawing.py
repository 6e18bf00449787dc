"""Private versions of a text; of a long one with a bar, and a way to stop."""

from __future__ import annotations

from functools import partial

import streamlit as st

from mechanisms.text import Case, PrivateText
from pages.perturb import wording
from pages.shared import draws, page_end, progress, tables

MOST_CHARACTERS = 20_000

# Characters, of all versions together, from which a bar is shown.
_LONG = 10_000

_STOPPED = "drawing_stopped"


def draw(asked: draws.Asked, case: Case) -> PrivateText:
    """The versions that are asked for; without any, a sentence says why and the page ends.

    If their drawing was stopped there is a way on. Versions that were stopped are not shown and not
    counted: they are drawn anew.
    """
    if len(asked.text) > MOST_CHARACTERS:
        st.warning(
            f"This text has {len(asked.text):,} characters; this page takes at most "
            f"{MOST_CHARACTERS:,}. Shorten it to see private versions of it."
        )
        page_end.stop()
    if not asked.text.strip():
        st.info("Type a sentence above, and its private versions appear here.")
        page_end.stop()
    told = None
    if not asked.is_drawn:
        key = asked.key
        if st.session_state.get(_STOPPED) == key:
            st.info(wording.STOPPED)
            st.button("▶ Start again", on_click=st.session_state.pop, args=(_STOPPED, None))
            page_end.stop()
        if takes_long(asked.text, asked.versions):
            stop = partial(st.session_state.__setitem__, _STOPPED, key)
            told = progress.bar(st.empty(), wording.drawing(asked.mechanism.name), stop)
    return draws.draw(asked, case, progress=told)


def is_shown_in_parts(asked: draws.Asked, case: Case) -> bool:
    """Whether a text is drawn without a bar, and has a known word, so that the parts can show it.

    Of any other text the page itself says why it shows less.
    """
    if not asked.text.strip() or takes_long(asked.text, asked.versions):
        return False
    return bool(tables.known_words(draws.draw(asked, case)))


def takes_long(text: str, versions: int) -> bool:
    """Whether drawing takes so long that one may want to stop it.

    Streamlit lets a press in a part of a page wait until the part has run, so such a text is drawn
    by the page itself.
    """
    return len(text) * versions >= _LONG
