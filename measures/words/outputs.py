"""What one word becomes: the words that can come out, and how likely each is.

From the mechanism's law, exact; from its ε path, which answers every ε once its directions have
been followed; or, where it has neither, from draws.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mechanisms import Family, LawMechanism, Mechanism, Vocabulary
from mechanisms.answers import Answers, exact_answers
from mechanisms.base import has_law, is_radial
from mechanisms.epsilon_path import epsilon_path
from mechanisms.estimate import EXACT, Estimate, Source, clopper_pearson, exact
from mechanisms.vocabulary import Floats, WordIds

DIRECTIONS = 1_000
DRAWS = 2_000


@dataclass(frozen=True)
class Outputs:
    """The words that can come out for one word, and their probabilities, each (k,)."""

    word_ids: WordIds
    probability: Floats
    source: Source

    def of(self, word_ids: WordIds) -> Floats:
        """The probabilities of words (n,), 0 for those that are not among the outputs."""
        order = np.argsort(self.word_ids)
        at = np.minimum(np.searchsorted(self.word_ids[order], word_ids), len(order) - 1)
        found = order[at]
        return np.where(self.word_ids[found] == word_ids, self.probability[found], 0.0)


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
    """What answers for one word at every ε: its law, its ε path, or None where it has neither."""
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
) -> Outputs:
    """What one word becomes, from its answers at the mechanism's ε, or without any from draws."""
    if answer is not None:
        words, probability = answer.word_law(0, mechanism.epsilon)
        if isinstance(mechanism, LawMechanism):
            return Outputs(words, probability, EXACT)
        return Outputs(words, probability, Source("directions", DIRECTIONS))
    released = mechanism.sample(vocabulary, np.array([word_id]), DRAWS, rng)[0]
    words, counts = np.unique(released, return_counts=True)
    return Outputs(words, counts / DRAWS, Source("draws", DRAWS))


def replacements(
    found: Outputs, vocabulary: Vocabulary, word_id: int, most: int = 10
) -> Replacements:
    """The likeliest outputs for one word, itself included, with distances and probabilities.

    Where they come from n directions or draws, each probability has the Clopper-Pearson interval
    of n draws. A direction tells the share of its draws that give a word, a draw only whether it
    does: the mean over directions varies less, and the interval is wide enough for both.
    """
    top = np.argpartition(-found.probability, min(most, len(found.word_ids)) - 1)[:most]
    top = top[np.lexsort((found.word_ids[top], -found.probability[top]))]
    top = top[found.probability[top] > 0]  # at a large ε most are, in floating point, impossible
    words = found.word_ids[top]
    return Replacements(
        words,
        vocabulary.distance_between(words, np.full(len(words), word_id)),
        _estimate(found.probability[top], found.source),
        _estimate(found.of(np.array([word_id])), found.source)[0],
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


def spread(
    found: Outputs, vocabulary: Vocabulary, word_id: int, gamma: float | None = None
) -> Spread:
    """The probability of a word itself, its ten nearest words, farther ones within γ, and others.

    A word at a distance of γ is within γ. The shares add up to 1, each with its own interval.
    """
    distance = vocabulary.distances(np.array([word_id]))[0]
    part = np.full(len(vocabulary), 3)
    if gamma is not None:
        part[distance <= gamma] = 2
    near = vocabulary.neighbours([word_id], min(NEAREST + 1, len(vocabulary)))[1][0]
    part[near[near != word_id][:NEAREST]] = 1
    part[word_id] = 0
    shares: Floats = np.bincount(part[found.word_ids], found.probability, 4).astype(np.float64)
    counts = np.bincount(part, minlength=4).tolist()
    return Spread(
        _estimate(shares, found.source),
        (counts[0], counts[1], counts[2], counts[3]),
        gamma,
    )


def _estimate(value: Floats, source: Source) -> Estimate:
    if source.is_exact:
        return exact(value)
    share = np.clip(value, 0, 1)  # sums over directions are rounded
    low, high = clopper_pearson(share * source.count, source.count)
    return Estimate(share, np.minimum(low, share), np.maximum(high, share), source)
