"""Laws that state their weights, so that their draws are exact.

A `LawMechanism` whose weights can be written as `Weight` is an `ExactLaw`: it states `log_weights`,
in float64, and `exact_weight`. Its law and its draws follow. Here a draw needs the whole row of
weights; `selection` needs less for weights that fall with the distance.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import partial

import numpy as np

from mechanisms.base import BLOCK_FLOATS, Draws, LawMechanism, blocks
from mechanisms.exact_draws import UNIT, Layout
from mechanisms.vocabulary import Floats, Vocabulary, WordIds
from mechanisms.weight import Weight, check_arithmetic


@dataclass(frozen=True, kw_only=True)
class ExactLaw(LawMechanism):
    """A mechanism with Pr[M(w) = v] ∝ w_v, all w_v > 0 known as exact numbers."""

    draws = Draws.EXACT

    @abstractmethod
    def log_weights(self, vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
        """ln w_v for every word v: (n,) -> (n, V), a fresh array; the largest of a row near 0.

        Each has a relative error of at most three quarters of `unit`.
        """

    @abstractmethod
    def exact_weight(self, vocabulary: Vocabulary, word: int, output: int) -> Weight:
        """w_v of one word and one output, exactly."""

    def unit(self, vocabulary: Vocabulary) -> float:
        """The unit of the errors of log weights, at least 2^-30."""
        return UNIT

    def word_log_prob(self, vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
        """ln w_v less the log of the sum of all weights."""
        return normalised(self.log_weights(vocabulary, word_ids))

    def word_sample(
        self, vocabulary: Vocabulary, word_ids: WordIds, size: int, rng: np.random.Generator
    ) -> WordIds:
        """Independent draws of M(w), exact, from whole rows of weights: ids (n,) -> (n, size)."""
        return by_rows(self, vocabulary, word_ids, size, rng)


class SparseLaw(ExactLaw):
    """A law in which all words but a few of each input share one probability."""

    @abstractmethod
    def sparse_log_prob(self, vocabulary: Vocabulary, word: int) -> tuple[WordIds, Floats, float]:
        """One word's law: ids of the few words (m,), their log probabilities, and any other's."""


def normalised(log_weights: Floats) -> Floats:
    """Log weights (n, V), the largest of each row near 0, as log probabilities, in place."""
    # No exp can overflow, and the sum is not 0.
    log_weights -= np.log(np.exp(log_weights).sum(axis=1, keepdims=True))
    return log_weights


def by_rows(
    law: ExactLaw,
    vocabulary: Vocabulary,
    word_ids: WordIds,
    size: int,
    rng: np.random.Generator,
) -> WordIds:
    """Exact draws from whole rows of weights, equal words together: ids (n,) -> ids (n, size)."""
    check_arithmetic()
    word_ids = vocabulary.checked(word_ids)
    released = np.empty((len(word_ids), size), dtype=np.int64)
    distinct, inverse = np.unique(word_ids, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    for block in blocks(len(distinct), BLOCK_FLOATS // (4 * len(vocabulary))):
        words = distinct[block]
        weights = law.log_weights(vocabulary, words)
        np.exp(weights, out=weights)
        layout = Layout(weights, law.unit(vocabulary))
        where = order[slice(*np.searchsorted(inverse, [block.start, block.stop], sorter=order))]
        drawn, _ = layout.draw(
            np.repeat(inverse[where] - block.start, size),
            rng,
            partial(_weight_of, law, vocabulary, words),
        )
        released[where] = drawn.reshape(len(where), size)
    return released


def _weight_of(
    law: ExactLaw, vocabulary: Vocabulary, words: WordIds, row: int, output: int
) -> Weight:
    return law.exact_weight(vocabulary, int(words[row]), output)
