"""What one word becomes: the words that can come out, and how likely each is.

From the mechanism's law, exact; from its ε path, which answers every ε once its directions have
been followed; or, where it has neither, from draws.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mechanisms import Family, Mechanism, Vocabulary
from mechanisms.answers import Answers, exact_answers
from mechanisms.base import has_law, is_radial
from mechanisms.epsilon_path import epsilon_path
from mechanisms.estimate import Estimate, of_probabilities
from mechanisms.law import Law
from mechanisms.vocabulary import Floats, WordIds
from mechanisms.word_law import drawn_law

DIRECTIONS = 1_000
DRAWS = 2_000


@dataclass(frozen=True)
class Replacements:
    """What a word becomes, likeliest first: word ids, distances and probabilities (k,)."""

    word_ids: WordIds
    distances: Floats
    probability: Estimate
    stays: Estimate
    """Chance that the word stays, shape ()."""


def answers(
    family: Family[Mechanism], vocabulary: Vocabulary, word_id: int, rng: np.random.Generator
) -> Answers | None:
    """What answers for one word at every ε: its law, its ε path, or None if it has neither."""
    if has_law(family):
        return exact_answers(family, vocabulary, [word_id])
    if is_radial(family):
        return epsilon_path(family, vocabulary, [word_id], DIRECTIONS, rng)
    return None


def outputs(
    answer: Answers | None,
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    word_id: int,
    rng: np.random.Generator,
) -> Law:
    """What one word becomes, from its answers at the mechanism's ε, or without any from draws."""
    if answer is None:
        return drawn_law(mechanism, vocabulary, word_id, DRAWS, rng)
    return answer.law(0, mechanism.epsilon)


def replacements(law: Law, most: int = 10) -> Replacements:
    """The likeliest outputs of one word, itself included, with distances and probabilities."""
    words = law.word_ids[law.likeliest(most)]
    return Replacements(
        words,
        law.vocabulary.distance_between(words, np.full(len(words), law.word_id)),
        law.estimate_of(words),
        law.estimate_of(np.array([law.word_id]))[0],
    )


@dataclass(frozen=True)
class Spread:
    """Where the probability of one word goes: four parts that have no word in common.

    The word itself; its nearest other words; the farther ones within γ; all others. `shares` and
    `words` are each (4,). Without a γ the third part is empty.
    """

    shares: Estimate
    words: tuple[int, int, int, int]
    """How many words each part has."""
    gamma: float | None


# Nearest words that are a part of their own.
NEAREST = 10


def threshold(mechanism: Mechanism, vocabulary: Vocabulary) -> float | None:
    """The γ in force; None for a mechanism without one."""
    derived = mechanism.derived(vocabulary).items()
    return next((value for name, value in derived if name.startswith("γ")), None)


def nearest(vocabulary: Vocabulary, word_id: int) -> WordIds:
    """The ten nearest other words of a word."""
    near = vocabulary.neighbours([word_id], min(NEAREST + 1, len(vocabulary)))[1][0]
    others: WordIds = near[near != word_id][:NEAREST]
    return others


def spread(law: Law, gamma: float | None = None, near: WordIds | None = None) -> Spread:
    """The probability of a word itself, its ten nearest words, farther ones within γ, and others.

    A word at a distance of γ is within γ. The shares add up to 1, each with its own interval.
    `near` are the ten nearest words, if they are known already.
    """
    vocabulary, word_id = law.vocabulary, law.word_id
    part = np.full(len(vocabulary), 3)
    if gamma is not None:
        part[vocabulary.distances(np.array([word_id]))[0] <= gamma] = 2
    part[nearest(vocabulary, word_id) if near is None else near] = 1
    part[word_id] = 0
    shares = np.bincount(part[law.word_ids], law.probability, 4)
    counts = np.bincount(part, minlength=4).tolist()
    return Spread(
        of_probabilities(shares, law.source),
        (counts[0], counts[1], counts[2], counts[3]),
        gamma,
    )
