"""WordVeil: what word-level differential privacy does to text, and what it costs."""

import streamlit as st

from pages.shared import few_heaps

few_heaps.share()  # before what is imported next begins threads

from pages.shared import failures, history, look, terms, warming  # noqa: E402

failures.keep_texts_out_of_the_log()
st.set_page_config(
    page_title="WordVeil", page_icon="🎭", layout="wide", initial_sidebar_state="auto"
)
# By the people who come: everyone, a class, someone with a text, the curious, the doubting.
page = st.navigation(
    {
        "": [
            st.Page("pages/start.py", title="Start", icon="🎭", default=True),
            st.Page("pages/learn.py", title="Learn", icon="🎓"),
            st.Page("pages/glossary.py", title="Glossary", icon="📖"),
            st.Page("pages/your_data.py", title="Your data", icon="📄"),
        ],
        "Laboratory": [
            st.Page("pages/perturb.py", title="Private sentences", icon="✍️"),
            st.Page("pages/deniability.py", title="Deniability, choosing ε", icon="🎚️"),
            st.Page("pages/neighbours.py", title="Neighbours", icon="🧭"),
            st.Page("pages/gamma.py", title="The γ of TEM", icon="🎯"),
            st.Page("pages/compare.py", title="Mechanisms side by side", icon="⚖️"),
            st.Page("pages/your_embedding.py", title="Your embedding", icon="🧩"),
        ],
        "Evidence": [
            st.Page("pages/guarantees.py", title="Guarantees", icon="🤝"),
            st.Page("pages/attacks.py", title="Attacks", icon="🕵️"),
            st.Page("pages/tradeoff.py", title="Trade-off", icon="📈"),
        ],
    },
    position="top",
)
warming.begin()
with failures.told():
    look.dress()
    history.one_press_back()
    with terms.at_the_foot():
        page.run()
