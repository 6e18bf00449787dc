"""WordVeil: what word-level differential privacy does to text, and what it costs."""

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.shared import few_heaps

few_heaps.share()  # before what is imported next begins threads

from pages.learn import warming  # noqa: E402
from pages.shared import (  # noqa: E402
    classroom,
    downloads,
    failures,
    history,
    kept_material,
    link,
    look,
    material,
    parts,
    tab,
    terms,
)

failures.keep_texts_out_of_the_log()
st.set_page_config(
    page_title="WordVeil", page_icon="🎭", layout="wide", initial_sidebar_state="auto"
)


def a_page(folder: str, title: str, icon: str, default: bool = False) -> StreamlitPage:
    """The page of a folder; its address is the folder's name, and links of all times lead there."""
    script = f"pages/{folder}/page.py"
    return st.Page(script, title=title, icon=icon, url_path=folder, default=default)


# By the people who come: everyone, a class, someone with a text, the curious, the doubting.
page = st.navigation(
    {
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
    },
    position="top",
)
warming.begin()
with failures.told():
    history.one_press_back()
    tab.attend()
    kept_material.find()
    kept_material.keep()
    parts.begin()
    ignored = link.read(page.url_path)
    look.dress()
    material.bar(page.url_path, parts.part)
    classroom.end_where_it_would_tell(page.url_path)
    for problem in ignored:
        st.warning(f"This link: {problem}")
    with terms.at_the_foot(), downloads.figures_at_the_foot(page.url_path):
        page.run()
