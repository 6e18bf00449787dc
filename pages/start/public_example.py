"""The sentence on the start page that gives way: public, and the same for every visitor."""

from __future__ import annotations

from data.embeddings import GLOVE, VocabularyChoice, by_name
from measures.words import dissolution
from mechanisms import CMP
from mechanisms.randomness import seeded_rng
from pages.shared import cached

EXAMPLE_WORDS = VocabularyChoice(by_name(GLOVE), 10_000)
_SEED = 5


@cached.data(max_entries=1, show_spinner="Drawing a sentence over all ε …")
def example(words: tuple[str, ...]) -> dissolution.Dissolution:
    """A public sentence under CMP over all ε: one draw, the same for every visitor."""
    vocabulary_here, family = cached.vocabulary(EXAMPLE_WORDS), CMP.family()
    slider = cached.epsilon_range(family, EXAMPLE_WORDS)
    ends = dissolution.axis(family, vocabulary_here, slider.low, slider.high)
    ids = vocabulary_here.ids(words)
    return dissolution.dissolution(family, vocabulary_here, ids, *ends, seeded_rng(_SEED))
