"""All terms and all papers, each once."""

import streamlit as st

from data import glossary
from pages.glossary import wording
from pages.shared import link, terms

st.header("What do these words mean?")
st.markdown(wording.INTRODUCTION)
link.write(None)

wanted = st.text_input("Find a term", key="glossary-search", help=wording.SEARCH_HELP)
found = wording.matching(glossary.terms().values(), wanted)
if not found:
    st.info(wording.nothing(wanted))
for part, entries in wording.by_part(found).items():
    st.subheader(part)
    for term in entries:
        st.markdown(terms.entry(term))

st.subheader("All papers")
st.markdown("\n".join(f"- {terms.reference(p)}" for p in glossary.papers().values()))
