"""Settings and controls of the page Neighbours."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.embeddings import VocabularyChoice
from mechanisms import Vocabulary
from pages.shared import (
    conversion,
    own_embedding,
    vocabulary_picker,
)
from pages.shared.settings import KEPT, Setting, choice, installed_embedding

COMPARED = {1_000: "1,000 words", 10_000: "10,000 words", 0: "all words"}

MOST_FOR_ALL = 50_000

MAP_SIZES = (30, 60, 120)

SETTINGS: dict[str, Setting] = {
    "compared": choice(1_000, {"1000": 1_000, "10000": 10_000, "all": 0}),
    "overlay": Setting(
        "", lambda name: name and installed_embedding(name), own_embedding.embedding_label
    ),
    "map-words": choice(60, {str(size): size for size in MAP_SIZES}),
    "map-word": Setting("movie", str),
}


def word_control(vocabulary: Vocabulary) -> int | None:
    """A word of the vocabulary by its id, or None if what is typed is not in it."""
    typed = st.text_input(
        "Word",
        key="map-word",
        help="Any word of the vocabulary. It stays in this session unless you put it in the link.",
        **KEPT,
    ).strip()
    found = vocabulary.get(typed)
    return vocabulary.get(typed.lower()) if found is None else found


def word_in_link_control() -> bool:
    """Whether the word is in the link: only if the visitor asks for it."""
    by_link = st.session_state["map-word"] != SETTINGS["map-word"].default
    st.session_state.setdefault("map-word-in-link", by_link)
    return st.toggle("Put the word in the link", key="map-word-in-link", **KEPT)


def overlay_control(choice: VocabularyChoice, place: DeltaGenerator) -> VocabularyChoice | None:
    """A second embedding of about the same size, converted where it has to be; or None."""
    here = own_embedding.embeddings_here()
    offered = ["", *(name for name in here if name != choice.name)]
    if st.session_state.overlay not in offered:
        st.session_state.overlay = ""
    name = st.selectbox(
        "Compare with",
        offered,
        format_func=lambda name: own_embedding.embedding_label(name) or "no other embedding",
        key="overlay",
        **KEPT,
    )
    if not name:
        return None
    with vocabulary_picker.or_end_with_the_reason(place):
        size = vocabulary_picker.size_near(choice.size, conversion.offered_sizes(here[name], place))
    other = VocabularyChoice(here[name], size, choice.words_only)
    vocabulary_picker.convert(other, place)
    return other


def compared_control(vocabulary: Vocabulary) -> int | None:
    """How many words the percentiles are taken over; None for all."""
    all_offered = len(vocabulary) <= MOST_FOR_ALL
    offered = [size for size in COMPARED if size or all_offered]
    if st.session_state.compared not in offered:
        st.session_state.compared = max(offered)
    size = st.segmented_control(
        "Words used",
        offered,
        format_func=COMPARED.__getitem__,
        key="compared",
        required=True,
        help="A random sample, always the same. Each of its words is compared with the whole "
        f"vocabulary. A vocabulary of more than {MOST_FOR_ALL:,} words is only sampled.",
        **KEPT,
    )
    return size or None
