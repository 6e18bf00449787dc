"""What is computed once for all sessions: the only `st.cache_*` of the project.

Keys are small and public: a mechanism, the name of a vocabulary. Text that a visitor types, and
word ids that come from it, never enter here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import streamlit as st
from threadpoolctl import threadpool_limits

from data import embeddings
from data.encoder import Encoder
from measures import audit as audits
from measures import ball, density, lessons, targets
from measures.deniability import sample_words
from mechanisms import Mechanism, RadialNoise, Vocabulary
from mechanisms.epsilon_path import EpsilonPath, epsilon_path
from mechanisms.randomness import seeded_rng

# Every session has a thread of its own. Matrix products that each want all cores make each other
# wait many times longer than they compute; one core each does not.
threadpool_limits(1, user_api="blas")


# Sampled words of the γ page.
BALL_WORDS = 100


class VocabularyChoice(NamedTuple):
    """Which vocabulary: the arguments of `data.embeddings.load`."""

    name: str
    size: int
    words_only: bool


@st.cache_resource(max_entries=3, show_spinner="Reading the vocabulary …")
def vocabulary(choice: VocabularyChoice) -> Vocabulary:
    """The vocabulary, shared and read-only."""
    return embeddings.load(choice.name, choice.size, words_only=choice.words_only)


@st.cache_data(max_entries=20, show_spinner=False)
def vocabulary_notes(choice: VocabularyChoice) -> str:
    """What a reader should know of this vocabulary: a sentence, or none."""
    return embeddings.notes(choice.name, choice.size, words_only=choice.words_only)


@st.cache_data(max_entries=200, show_spinner="Looking for the ε that matter here …")
def epsilon_range(mechanism: Mechanism, choice: VocabularyChoice) -> targets.EpsilonRange:
    """From where to where ε makes a difference for this mechanism on this vocabulary."""
    return targets.epsilon_range(mechanism, vocabulary(choice))


@st.cache_data(max_entries=100, show_spinner=False)
def audit(cls: type[Mechanism], variant: str | None, choice: VocabularyChoice) -> audits.Audit:
    """A mechanism held against its guarantee, at an ε in the middle of its range."""
    words = vocabulary(choice)
    mechanism = cls(epsilon=1.0) if variant is None else cls(epsilon=1.0, variant=variant)
    middle = targets.epsilon_range(mechanism, words).middle
    return audits.audit(replace(mechanism, epsilon=float(f"{middle:.2g}")), words)


@st.cache_data(max_entries=20, show_spinner=False)
def landmarks(choice: VocabularyChoice) -> density.Landmarks | None:
    """Typical distances between words of this vocabulary."""
    return density.landmarks(vocabulary(choice))


@st.cache_data(max_entries=100, show_spinner="Looking at a hundred words …")
def balls(choice: VocabularyChoice, epsilon: float, gamma: float) -> ball.Balls:
    """TEM's balls around sampled words, always the same ones."""
    words = vocabulary(choice)
    return ball.balls(words, density.sampled_words(words, BALL_WORDS), epsilon, gamma)


@st.cache_resource(max_entries=20, show_spinner="Following noise from these words …")
def followed(
    mechanism: RadialNoise, choice: VocabularyChoice, word_ids: tuple[int, ...]
) -> EpsilonPath:
    """Every ε of public words at once, along the same 500 directions of noise each time."""
    directions = 500
    return epsilon_path(mechanism, vocabulary(choice), word_ids, directions, seeded_rng(0))


@st.cache_data(max_entries=5, show_spinner=False)
def hundred(
    mechanism: RadialNoise, choice: VocabularyChoice, epsilons: tuple[float, ...]
) -> lessons.Hundred:
    """N_w of a hundred random words, always the same ones, at these ε."""
    word_ids = sample_words(vocabulary(choice), "random", 100)
    return lessons.hundred(followed(mechanism, choice, tuple(word_ids.tolist())), epsilons)


@st.cache_resource(show_spinner=False)
def encoder() -> Encoder:
    """The sentence encoder's process, shared; it starts at the first texts and keeps none."""
    return Encoder()
