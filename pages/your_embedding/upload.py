"""Uploading an embedding: the file, which one of several inside, a bar, and what went wrong."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from data import own_embeddings
from data.own_embeddings import OwnEmbedding
from pages.shared import own_embedding
from pages.your_embedding import wording


def read(files: Sequence[UploadedFile], place: DeltaGenerator) -> None:
    """Convert what was uploaded, with a bar, and hold it in the session in place of another.

    The same files are read once. Raises ValueError and OSError with a sentence for the screen.
    """
    if not files:
        return
    sources = own_embeddings.sources({file.name: file.getvalue() for file in files})
    source = sources[0]
    if len(sources) > 1:
        source = st.selectbox("Which file", sources, format_func=lambda source: source.name)
    key = (*(file.file_id for file in files), source.name)
    if st.session_state.get("own_embedding_read") == key:
        return

    def show(done: int, of: int) -> None:
        place.progress(done / of, wording.reading(done / of))

    try:
        upload = own_embeddings.upload(source, show)
    finally:
        place.empty()
    own_embedding.keep_own_embedding(upload)
    st.session_state.own_embedding_read = key


def examined() -> OwnEmbedding | None:
    """The embedding whose health is shown: the visitor's own, or a file of the folder."""
    own = own_embedding.own_embedding()
    files = own_embeddings.folder()
    here: dict[str, OwnEmbedding] = {each.name: each for each in ([own, *files] if own else files)}
    if own and not files:
        return own
    name = _asked_for(list(here)) if here else None
    return here[name] if name else None


def _asked_for(names: Sequence[str]) -> str | None:
    """Files of the folder are converted only where somebody asks for them."""
    return st.selectbox(
        "Health of",
        names,
        0 if own_embedding.own_embedding() else None,
        format_func=title,
        key=f"examined.{names[0]}",
        placeholder="Choose a file of the folder",
    )


def title(name: str) -> str:
    """What an embedding is called on this page, where its file's name may stand."""
    own = own_embedding.own_embedding()
    return own.file if own and own.name == name else name
