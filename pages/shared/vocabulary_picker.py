"""Choose an embedding and how much of it; what has to be converted first is, with a bar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data import embeddings
from data.embedding_base import Embedding
from data.embeddings import VocabularyChoice
from pages.shared import cached, conversion, own_corpus, own_embedding, page_end, prose, terms
from pages.shared.panels import panel
from pages.shared.settings import kept


def vocabulary_panel(stage: DeltaGenerator) -> VocabularyChoice:
    """The choice of the session, with its controls in a panel of their own, closed at first."""
    panel("Vocabulary", "vocabulary-panel", lambda: vocabulary_controls(stage))
    return vocabulary_of_session(stage)


def vocabulary_controls(stage: DeltaGenerator | None = None) -> VocabularyChoice:
    """Choose an embedding and how much of it, as `vocabulary_of_session` has it."""
    here = own_embedding.embeddings_here()
    own_embedding.embedding(here)
    st.selectbox(
        "Embedding",
        list(here),
        format_func=own_embedding.embedding_label,
        help=terms.explained("embedding"),
        **kept("embedding"),
    )
    for how in filter(None, (each.how_to_get for each in embeddings.for_everyone())):
        st.caption(how)
    offered = _sizes(here[st.session_state.embedding], stage)
    st.selectbox(
        "Vocabulary",
        offered,
        format_func=lambda size: (
            f"{size:,} most frequent" if size < offered[-1] else f"all {size:,}"
        ),
        help="The words that can come out. The more words, the closer together they lie.",
        **kept("size"),
    )
    st.toggle(
        "Words only",
        help="Leaves out punctuation, numbers and parts of words such as 's, which the embedding "
        "also has.",
        **kept("tokens"),
    )
    choice = vocabulary_of_session(stage)
    if note := cached.vocabulary_notes(choice):
        st.caption(prose.plain(note))
    return choice


def vocabulary_of_session(stage: DeltaGenerator | None = None) -> VocabularyChoice:
    """The embedding of the session, and how much of it, also if its controls are not drawn.

    If an embedding has to be converted first, it is, once, with a bar on the stage, or here if
    there is no stage. If that fails, the page ends with the reason.
    """
    embedding = own_embedding.embedding(own_embedding.embeddings_here())
    _sizes(embedding, stage)
    choice = VocabularyChoice(embedding, st.session_state.size, st.session_state.tokens)
    convert(choice, stage)
    return own_corpus.counted(choice, own_corpus.source_of_session())


def _sizes(embedding: Embedding, stage: DeltaGenerator | None) -> Sequence[int]:
    """The sizes of an embedding; if the session's is not one of them, it becomes one near it."""
    with or_end_with_the_reason(stage):
        offered = conversion.offered_sizes(embedding, stage or st)
    if st.session_state.size not in offered:
        st.session_state.size = size_near(st.session_state.size, offered)
    return offered


def convert(choice: VocabularyChoice, stage: DeltaGenerator | None = None) -> None:
    """Bring the vocabulary to where the cached functions find it at once, with a bar.

    Where that fails the page ends with the reason.
    """
    with or_end_with_the_reason(stage):
        with conversion.bar(choice.embedding, stage or st) as show:
            choice.embedding.convert(choice.size, show)
        with stage or nullcontext():  # its spinner is seen there
            cached.vocabulary(choice)


def vocabulary_of(size: int) -> VocabularyChoice:
    """The embedding that the session is at, with so many words or all that it has."""
    embedding = own_embedding.embedding(own_embedding.embeddings_here())
    with or_end_with_the_reason(None):
        most = conversion.offered_sizes(embedding, st)[-1]
    choice = VocabularyChoice(embedding, min(size, most), st.session_state.tokens)
    convert(choice)
    return own_corpus.counted(choice, own_corpus.source_of_session())


@contextmanager
def or_end_with_the_reason(stage: DeltaGenerator | None) -> Iterator[None]:
    """Where the vocabulary cannot be read, say why on the stage, and end the page."""
    try:
        yield
    except (OSError, ValueError) as error:
        (stage or st).error(prose.plain(str(error)))
        page_end.stop()


def size_near(size: int, offered: Sequence[int]) -> int:
    """The size itself where it is offered, otherwise the largest below it."""
    return max((o for o in offered if o <= size), default=offered[0])
