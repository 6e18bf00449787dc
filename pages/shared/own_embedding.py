"""The embeddings that a visitor has: everyone's, and one of their own."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from data import embeddings, own_embeddings
from data.embedding_base import Embedding
from data.own_embeddings import Upload
from pages.shared import cached

OWN = "yours"


def own_embedding() -> Upload | None:
    """The embedding that this visitor uploaded; it lives as long as the session holds it."""
    return st.session_state.get("own_embedding")


def keep_own_embedding(upload: Upload | None) -> None:
    """Hold this upload in place of the one before, or none; what was about that one goes."""
    before = own_embedding()
    if before is upload:
        return
    st.session_state.own_embedding = upload
    cached.forget()
    if before and st.session_state.get("embedding") == before.name:
        st.session_state.embedding = embeddings.GLOVE


def use_embedding(name: str) -> None:
    """Make this the embedding of every page."""
    st.session_state.embedding = name


def embeddings_here() -> dict[str, Embedding]:
    """The embeddings that this visitor can choose, by name."""
    here = [each for each in embeddings.for_everyone() if each.available]
    own = own_embedding()
    return {each.name: each for each in ([*here, own] if own else here)}


def embedding(here: Mapping[str, Embedding]) -> Embedding:
    """The embedding of every page: the default if the chosen one is gone."""
    if st.session_state.embedding not in here:  # an upload of before, a file that is gone
        st.session_state.embedding = embeddings.GLOVE
    return here[st.session_state.embedding]


def embedding_label(name: str) -> str:
    """An embedding as it is called on screen and in links: of an upload nothing is told."""
    return OWN if own_embeddings.is_upload(name) else name
