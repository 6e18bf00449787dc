"""The material of this visitor: a file, known to every page for as long as the session lasts.

material.bar()            on top of every page: which material, and one way to change it
"""

from __future__ import annotations

import streamlit as st

from pages.shared import prose

YOUR_DATA = "pages/your_data/page.py"
_ABOUT, _TEXTS = "material_words", "material_texts"
# Of the texts of a file, so many characters are looked at by pages on its words.
MOST_CHARACTERS = 100_000


def bar() -> None:
    """Which material every page is about, and the way to change it."""
    file = st.session_state.get("file")
    if file is None:
        return
    about = st.session_state.get(_ABOUT, ())
    said = " · ".join([prose.plain(file.name), *map(prose.plain, about)])
    text, change = st.columns([6, 1], vertical_alignment="center")
    text.markdown(
        f"📄 **{said}**",
        help="It stays in this session's memory. A reload of the tab loses it.",
    )
    change.page_link(YOUR_DATA, label="Change")


def describe(columns: list[str], rows: int, settings: str, texts: list[str]) -> None:
    """Note what other pages say of the file, and the texts whose words they answer for."""
    st.session_state[_ABOUT] = ", ".join(columns), f"{rows:,} rows", settings
    st.session_state[_TEXTS] = "\n".join(texts)[:MOST_CHARACTERS]


def text() -> str:
    """The texts of the file, its first ones if it is large; without a file the text typed."""
    if st.session_state.get("file") is not None and (texts := st.session_state.get(_TEXTS)):
        return texts
    return st.session_state.get("text", "")
