"""The material of this visitor: a file, known to every page for as long as the session lasts.

material.bar()            on top of every page: which material, and one way to change it
"""

from __future__ import annotations

import streamlit as st

from pages.shared import prose

YOUR_DATA = "pages/your_data/page.py"
_ABOUT = "material_words"


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


def describe(columns: list[str], rows: int, settings: str) -> None:
    """Note what the bar says of the file on the next run."""
    about = (", ".join(columns), f"{rows:,} rows", settings)
    st.session_state[_ABOUT] = about
