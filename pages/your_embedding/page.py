"""A visitor's own embedding: read, examined, then used on every page."""

import streamlit as st

from data import embedding_health
from data.embeddings import VocabularyChoice
from pages.shared import cached, classroom, downloads, link, own_embedding, page_end, prose, terms
from pages.shared.settings import KEPT
from pages.your_embedding import controls, tables, upload, wording

SAMPLE = "My doctor in London said the movie was a wonderful surprise."
MOST_CHARACTERS = 200_000


st.header("Bring your own embedding")
st.markdown(wording.INTRODUCTION)
terms.words_here("embedding", "vocabulary", "distance", "token")
terms.cite("pennington2014")

# ---------------------------------------------------------------------------------------- the file
chosen, about = st.columns([3, 2], gap="large")
with chosen:
    files = st.file_uploader(
        "Your embedding", accept_multiple_files=True, key="embedding-files", help=wording.FORMATS
    )
    try:
        upload.read(files, st.empty())
    except (OSError, ValueError) as error:
        st.error(prose.plain(str(error)))
    embedding = upload.examined()
with about:
    st.markdown(wording.WHAT_HAPPENS)
    st.caption(wording.LARGER)
link.write(None)
if embedding is None:
    st.info(wording.FORMATS)
    page_end.stop()

# ------------------------------------------------------------------------------------- its health
report, name = controls.health(embedding), embedding.name
st.subheader(f"Health of {prose.plain(upload.title(name))}")
st.markdown(wording.finding(report))
use, forget, _ = st.columns([2, 2, 5], vertical_alignment="center")
in_use = st.session_state.embedding == name
use.button(
    "✅ In use" if in_use else "Use it on all pages",
    on_click=own_embedding.use_embedding,
    args=(name,),
    disabled=in_use or classroom.locked("vocabulary"),
    type="primary",
    width="stretch",
)
if not embedding.public:
    forget.button(
        "🗑 Forget it", on_click=own_embedding.keep_own_embedding, args=(None,), width="stretch"
    )
if in_use:
    st.success(wording.IN_USE)
    st.page_link("pages/perturb/page.py", label="Make a sentence private with it", icon="✍️")
st.markdown(wording.geometry(report))
for sentence in wording.advice(report):
    st.warning(sentence)
rows = tables.health(report)
st.dataframe(
    rows,
    column_config=tables.health_columns(),
    hide_index=True,
    width="stretch",
    height="content",
)
downloads.download("⬇️ Health report (CSV)", rows, "embedding-health.csv")

# -------------------------------------------------------------------------- what it knows of a text
st.subheader("How much of your text does this embedding know?")
text = st.text_area(
    "A text like yours",
    SAMPLE,
    key="coverage-text",
    help=wording.TEXT_HELP,
    max_chars=MOST_CHARACTERS,
    **KEPT,
)
everything = VocabularyChoice(embedding, report.words, words_only=False)
st.markdown(wording.coverage(embedding_health.coverage(text, cached.vocabulary(everything))))
