"""A page with as many elements as Private sentences, which computes nothing: what Streamlit takes.

`benchmarks.change` changes its controls, which have the keys of those of Private sentences. A
change of the text or of ε runs the same elements in a fragment, a change of the mechanism all.
"""

import streamlit as st

SENTENCES = '<div class="wv-version">' + "a word of a sentence " * 200 + "</div>"
PARAGRAPH = "a word of a paragraph " * 20
STEPS = [str(step) for step in range(40)]

st.set_page_config(page_title="Blank", layout="wide")
navigation = [st.Page(lambda: None, title=f"Page {i}", url_path=f"page-{i}") for i in range(12)]
st.navigation(navigation, position="top")
st.html(PARAGRAPH)
st.empty()
st.html(f"<style>/* {SENTENCES} */</style>")
st.header("Blank")
places = [st.container() for _ in range(6)]
with st.container(), st.container():
    st.expander("Other choices")
mechanism = st.selectbox("Mechanism", ["CMP", "TEM", "Mahalanobis", *STEPS], key="mechanism")
st.markdown(PARAGRAPH)
for _ in range(8):
    st.container()
st.text_input("γ", key="gamma")
with st.popover("Share"):
    pass
with st.container(horizontal=True):
    st.button("Draw again")
    st.button("New count")
st.toggle("Show", key="show")
st.expander("Words")
st.expander("Closer")


@st.fragment
def parts() -> None:
    """What a change of the text or of ε runs."""
    with places[0]:
        st.text_area("Your text", "a sentence", key="text")
    with places[1], st.container():
        with st.container():
            st.select_slider("ε", STEPS, key="slider")
            st.html("<div>from to</div>")
        with st.container():
            st.text_input("ε, exact", "5", key=f"{mechanism.lower()}.epsilon.typed")
    with places[2]:
        st.markdown(PARAGRAPH)
    with places[3]:
        st.html(SENTENCES)
        st.markdown(PARAGRAPH)
    with places[4], st.container(horizontal=True):
        st.markdown(PARAGRAPH)
        st.download_button("Table", "a table", "table.csv", on_click="ignore")


parts()
st.markdown(PARAGRAPH * 3)
