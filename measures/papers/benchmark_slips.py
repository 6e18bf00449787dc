"""What the benchmark's code computed where it differs from the papers, as mechanisms.

Each class or vocabulary here is one slip, in our own code, so that a printed number can be held
against it (`measures.papers.published_against_exact`). None of them is offered to anyone: most have
no guarantee left.

Reference  Meisenbacher et al., "A Comparative Analysis of Word-Level Metric Differential Privacy",
           LREC-COLING 2024, and the code it points to
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import expit

from mechanisms import TEM, LawMechanism, SanText, SynTF, Vickrey, Vocabulary
from mechanisms.base import Draws
from mechanisms.exact_law import normalised
from mechanisms.extreme_pairs import Pair
from mechanisms.score import distance_scores
from mechanisms.synonyms import Ratings
from mechanisms.vocabulary import Floats, WordIds


@dataclass(frozen=True, kw_only=True)
class FartherCandidate(Vickrey):
    """The input is left out only where it is nearest; then nearly always the farther candidate.

    The candidates' weights were e^(-d₁²) and 1, whatever t: squared distances, and a weight of 0
    for the second one's.
    """

    def choose(
        self,
        vocabulary: Vocabulary,
        word_ids: WordIds,
        points: Floats,
        rng: np.random.Generator,
    ) -> WordIds:
        """Of three nearest words the two that follow the input, or the first two."""
        distances, ids = vocabulary.nearest_k(points, 3)
        first = (ids[:, 0] == vocabulary.representatives[word_ids]).astype(np.int64)
        rows = np.arange(len(points))
        nearer = rng.random(len(points)) < expit(-(distances[rows, first] ** 2))
        released: WordIds = ids[rows, np.where(nearer, first, first + 1)]
        return released


@dataclass(frozen=True, kw_only=True)
class SynonymsAlike(SynTF):
    """Every synonym, the word itself among them, is equally likely, whatever ε.

    The rating was the tf-idf weight of the input in the whole corpus: one number for all its
    synonyms, and near 0.
    """

    def table(self, vocabulary: Vocabulary) -> Ratings:
        """A rating of 1 for every synonym and the word."""
        table = super().table(vocabulary)
        return replace(table, numerators=table.denominators)


@dataclass(frozen=True, kw_only=True)
class QuotientTEM(TEM):
    r"""The weight of ⊥ has the quotient |W| / |L_w| in place of |W \ L_w|, and γ one decimal."""

    draws = Draws.FLOATING
    word_sample = LawMechanism.word_sample  # TEM's own way to draw knows TEM's own law only

    def word_log_prob(self, vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
        """The words of the ball by their distance, and an equal share of ⊥ for each other word."""
        distances = vocabulary.distances(word_ids)
        threshold = round(self.threshold(vocabulary), 1)
        outside = distances > threshold
        count = outside.sum(axis=1, keepdims=True)
        # A weight of e^(-ε/2 · d) as a distance d.
        share = np.log(len(vocabulary) / ((len(vocabulary) - count) * np.maximum(count, 1)))
        equivalent = np.broadcast_to(threshold - 2 / self.epsilon * share, distances.shape)
        np.copyto(distances, equivalent, where=outside)
        return normalised(distance_scores(distances, self.epsilon, math.inf))


@dataclass(frozen=True, kw_only=True)
class SquaredSanText(SanText):
    """Squared distances, as a search returns them."""

    draws = Draws.FLOATING
    word_sample = LawMechanism.word_sample  # SanText's own way to draw knows SanText's own law only

    def word_log_prob(self, vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
        """The log of the softmax of -ε/2 · d²."""
        return normalised(
            distance_scores(vocabulary.distances(word_ids) ** 2, self.epsilon, math.inf)
        )


class SeenFromOneWord(Vocabulary):
    """A vocabulary whose smallest and largest distance are those from one random word only.

    With `squared` its neighbours come with squared distances, as a search returns them.
    """

    def __init__(self, vocabulary: Vocabulary, word_id: int, *, squared: bool = False) -> None:
        """The same words and vectors, seen from one word."""
        super().__init__(vocabulary.words, vocabulary.vectors, vocabulary.synonyms)
        self.word_id = word_id
        self.squared = squared

    @cached_property
    def closest_pair(self) -> Pair:
        """The smallest positive distance from the one word."""
        distances = self.distances([self.word_id])[0]
        distances[distances == 0] = np.inf
        return float(distances.min()), self.word_id, int(distances.argmin())

    @cached_property
    def farthest_pair(self) -> Pair:
        """The largest distance from the one word."""
        distances = self.distances([self.word_id])[0]
        return float(distances.max()), self.word_id, int(distances.argmax())

    def neighbours(self, word_ids: Any, k: int) -> Any:
        """Each word's k nearest words."""
        if isinstance(word_ids, str):
            return super().neighbours(word_ids, k)
        distances, ids = super().neighbours(word_ids, k)
        return (distances**2 if self.squared else distances), ids


def first_coordinates(vocabulary: Vocabulary, count: int = 3) -> Vocabulary:
    """The vocabulary in its first coordinates only: a distance that forgets the others."""
    return Vocabulary(vocabulary.words, vocabulary.vectors[:, :count], vocabulary.synonyms)


def with_words_at_the_origin(vocabulary: Vocabulary, count: int) -> Vocabulary:
    """The vocabulary and `count` words more that no embedding knows, their vectors all zero."""
    words = [*vocabulary.words, *(f"(unknown {i})" for i in range(count))]
    vectors = np.vstack([vocabulary.vectors, np.zeros((count, vocabulary.dimensions))])
    return Vocabulary(words, vectors, vocabulary.synonyms)
