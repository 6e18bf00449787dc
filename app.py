"""WordVeil: what word-level differential privacy does to text, and what it costs."""

import streamlit as st

from pages.shared import memory

memory.share_heaps()  # before what is imported next begins threads
memory.collect_rarely()

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
    menu,
    parts,
    tab,
    terms,
    turns,
)

failures.keep_texts_out_of_the_log()
st.set_page_config(
    page_title="WordVeil", page_icon="🎭", layout="wide", initial_sidebar_state="auto"
)


page = st.navigation(menu.pages(), position="top")
warming.begin()
with turns.RUNS.turn(), failures.told():
    history.one_press_back()
    tab.attend(page.url_path)
    kept_material.find()
    kept_material.keep()
    parts.begin(page.url_path)
    ignored = link.read(page.url_path)
    look.dress()
    material.bar(page.url_path, parts.part)
    for problem in ignored:
        st.warning(f"This link: {problem}")
    with terms.at_the_foot(), downloads.figures_at_the_foot(page.url_path), parts.drawn_last():
        classroom.end_where_it_would_tell(page.url_path)
        page.run()
