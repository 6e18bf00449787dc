"""What is computed once for all sessions: the only `st.cache_*` of the project.

Keys are small and public: a mechanism or its family, the name of a vocabulary. Text that a visitor
types, and word ids that come from it, never enter here. What is about a visitor's own embedding is
kept in that visitor's session, by the same functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np
import streamlit as st
from threadpoolctl import threadpool_limits

from data.embeddings import GLOVE, VocabularyChoice, by_name
from data.encoder import Encoder, chosen_model
from measures import flat_map as maps
from measures import lessons
from measures.attacks import ngrams
from measures.audits import audit as audits
from measures.sweeps import scores as points
from measures.words import ball, deniability, density, dissolution, targets
from mechanisms import CMP, Family, Mechanism, RadialNoise, Vocabulary
from mechanisms.epsilon_path import EpsilonPath, epsilon_path
from mechanisms.randomness import seeded_rng
from mechanisms.text import PrivateText, private_versions
from mechanisms.vocabulary import Floats
from release import candidates as release_candidates
from release.candidates import Candidate, Refusal

# Every session has a thread of its own. Matrix products that each want all cores make each other
# wait many times longer than they compute; one core each does not.
threadpool_limits(1, user_api="blas")


# Sampled words of the γ page.
BALL_WORDS = 100


# The words of the example on the start page, and the seed of its draw.
EXAMPLE_WORDS = VocabularyChoice(by_name(GLOVE), 10_000)
_EXAMPLE_SEED = 5

# A vocabulary is a small key: the identity of its embedding, its size, whether words only.
_KEY = {VocabularyChoice: lambda choice: choice.identity}


Ask = TypeVar("Ask", bound=Callable[..., Any])


def _kept(cache: Any, max_entries: int, show_spinner: str | bool = False) -> Callable[[Ask], Ask]:
    """Keep results for all sessions; those about a visitor's own embedding, in that session."""

    def keep(compute: Ask) -> Ask:
        for_all = cache(max_entries=max_entries, show_spinner=show_spinner, hash_funcs=_KEY)(
            compute
        )

        @wraps(compute)
        def ask(*arguments: Any) -> Any:
            choices = [each for each in arguments if isinstance(each, VocabularyChoice)]
            if all(choice.public for choice in choices):
                return for_all(*arguments)
            kept = st.session_state.setdefault(f"own.{compute.__name__}", {})
            if arguments not in kept:
                result = compute(*arguments)
                while len(kept) >= max_entries:
                    kept.pop(next(iter(kept)))
                kept[arguments] = result
            return kept[arguments]

        return ask

    return keep


@_kept(st.cache_resource, max_entries=3, show_spinner="Reading the vocabulary …")
def vocabulary(choice: VocabularyChoice) -> Vocabulary:
    """The vocabulary, shared and read-only."""
    return choice.load()


@_kept(st.cache_data, max_entries=20, show_spinner=False)
def vocabulary_notes(choice: VocabularyChoice) -> str:
    """What a reader should know of this vocabulary: a sentence, or none."""
    return choice.notes()


@_kept(st.cache_data, max_entries=200, show_spinner="Looking for the ε that matter here …")
def epsilon_range(family: Family[Mechanism], choice: VocabularyChoice) -> targets.EpsilonRange:
    """From where to where ε makes a difference for this family on this vocabulary."""
    return targets.epsilon_range(family, vocabulary(choice))


@_kept(st.cache_data, max_entries=200)
def epsilon_grid(family: Family[Mechanism], choice: VocabularyChoice, points: int = 49) -> Floats:
    """The ε of that range at which a family's curves are computed."""
    ends = epsilon_range(family, choice)
    return deniability.epsilon_grid(family, vocabulary(choice), ends.low, ends.high, points)


@_kept(st.cache_resource, max_entries=10, show_spinner="Looking for the mechanisms to try …")
def candidates(choice: VocabularyChoice) -> tuple[list[Candidate], list[Refusal]]:
    """The settings that can be chosen on this vocabulary, and what is not tried."""
    return release_candidates.candidates(vocabulary(choice))


@_kept(st.cache_data, max_entries=100, show_spinner=False)
def audit(cls: type[Mechanism], variant: str | None, choice: VocabularyChoice) -> audits.Audit:
    """A mechanism held against its guarantee, at an ε in the middle of its range."""
    words = vocabulary(choice)
    family = cls.family() if variant is None else cls.family(variant=variant)
    middle = targets.epsilon_range(family, words).middle
    return audit_at(family.at(float(f"{middle:.2g}")), choice)


@_kept(st.cache_data, max_entries=100, show_spinner=False)
def audit_at(mechanism: Mechanism, choice: VocabularyChoice) -> audits.Audit:
    """A mechanism held against its guarantee, at its own ε."""
    return audits.audit(mechanism, vocabulary(choice))


@_kept(st.cache_data, max_entries=20, show_spinner=False)
def landmarks(choice: VocabularyChoice) -> density.Landmarks | None:
    """Typical distances between words of this vocabulary."""
    return density.landmarks(vocabulary(choice))


@_kept(st.cache_data, max_entries=100, show_spinner="Looking at a hundred words …")
def balls(choice: VocabularyChoice, epsilon: float, gamma: float) -> ball.Balls:
    """TEM's balls around sampled words, always the same ones."""
    words = vocabulary(choice)
    return ball.balls(words, density.sampled_words(words, BALL_WORDS), epsilon, gamma)


@st.cache_resource(
    max_entries=20, hash_funcs=_KEY, show_spinner="Following noise from these words …"
)
def followed(
    family: Family[RadialNoise], choice: VocabularyChoice, word_ids: tuple[int, ...]
) -> EpsilonPath:
    """Every ε of public words at once, along the same 500 directions of noise each time."""
    directions = 500
    return epsilon_path(family, vocabulary(choice), word_ids, directions, seeded_rng(0))


@st.cache_data(max_entries=5, hash_funcs=_KEY, show_spinner=False)
def hundred(
    family: Family[RadialNoise], choice: VocabularyChoice, epsilons: tuple[float, ...]
) -> lessons.Hundred:
    """N_w of a hundred random words, always the same ones, at these ε."""
    word_ids = deniability.sample_words(vocabulary(choice), "random", 100)
    return lessons.hundred(followed(family, choice, tuple(word_ids.tolist())), epsilons)


@_kept(st.cache_resource, max_entries=200)
def public_sentences(
    mechanism: Mechanism, choice: VocabularyChoice, text: str, versions: int, seed: tuple[int, int]
) -> PrivateText:
    """Private versions of a public text by a seed, the same for every visitor."""
    rng = np.random.default_rng(seed)
    return private_versions(text, mechanism, vocabulary(choice), rng, versions)


@st.cache_resource(max_entries=2, hash_funcs=_KEY, show_spinner=False)
def word_map(choice: VocabularyChoice) -> maps.WordMap:
    """The map of everyday words of the lessons."""
    return maps.word_map(vocabulary(choice))


@_kept(
    st.cache_resource,
    max_entries=3,
    show_spinner="Counting pairs of words in film reviews, once for all: about 20 seconds …",
)
def word_pairs(choice: VocabularyChoice) -> ngrams.WordPairs:
    """How often words occur, alone and side by side."""
    return ngrams.word_pairs(vocabulary(choice))


@st.cache_resource(show_spinner=False)
def encoder() -> Encoder:
    """The sentence encoder's process, shared; it starts at the first texts and keeps none."""
    return Encoder(chosen_model())


@st.cache_resource(max_entries=1, show_spinner=False)
def _sweep(changed: float) -> list[points.Row]:
    """The rows of the standard sweep, read once for each time the file changes."""
    return list(points.shipped())


def shipped_sweep() -> list[points.Row]:
    """The rows of the sweep that comes with the project; none where it was not made yet."""
    return _sweep(points.SHIPPED.stat().st_mtime) if points.SHIPPED.exists() else []


@st.cache_data(max_entries=1, show_spinner="Drawing a sentence over all ε …")
def example(words: tuple[str, ...]) -> dissolution.Dissolution:
    """A public sentence under CMP over all ε: one draw, the same for every visitor."""
    vocabulary_here, family = vocabulary(EXAMPLE_WORDS), CMP.family()
    slider = epsilon_range(family, EXAMPLE_WORDS)
    ends = dissolution.axis(family, vocabulary_here, slider.low, slider.high)
    ids = vocabulary_here.ids(words)
    return dissolution.dissolution(family, vocabulary_here, ids, *ends, seeded_rng(_EXAMPLE_SEED))
