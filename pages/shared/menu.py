"""The pages of the app in its menu, by the people who come.

They are everyone, a class, someone with a text, the curious, the doubting.
"""

from __future__ import annotations

from copy import copy
from functools import cache

import streamlit as st
from streamlit.navigation.page import StreamlitPage


def pages() -> dict[str, list[StreamlitPage]]:
    """The pages by section, for one run of the app.

    Each run has copies, since Streamlit notes on a page that it is the one to run. To make them
    anew costs some 8 % of a run.
    """
    return {section: [copy(page) for page in group] for section, group in _pages().items()}


@cache
def _pages() -> dict[str, list[StreamlitPage]]:
    return {
        "": [
            a_page("start", "Start", "🎭", default=True),
            a_page("learn", "Learn", "🎓"),
            a_page("teach", "Teach", "🧑‍🏫"),
            a_page("glossary", "Glossary", "📖"),
            a_page("your_data", "Your data", "📄"),
        ],
        "Laboratory": [
            a_page("perturb", "Private sentences", "✍️"),
            a_page("deniability", "Deniability, choosing ε", "🎚️"),
            a_page("neighbours", "Neighbours", "🧭"),
            a_page("gamma", "The γ of TEM", "🎯"),
            a_page("compare", "Mechanisms side by side", "⚖️"),
            a_page("your_embedding", "Your embedding", "🧩"),
        ],
        "Evidence": [
            a_page("guarantees", "Guarantees", "🤝"),
            a_page("attacks", "Attacks", "🕵️"),
            a_page("tradeoff", "Trade-off", "📈"),
        ],
    }


def a_page(folder: str, title: str, icon: str, default: bool = False) -> StreamlitPage:
    """The page of a folder; its address is the folder's name, and links of all times lead there."""
    script = f"pages/{folder}/page.py"
    return st.Page(script, title=title, icon=icon, url_path=folder, default=default)
