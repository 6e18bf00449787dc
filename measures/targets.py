"""From a wish to an ε: the range in which a mechanism does something on a vocabulary.

ε is not comparable across mechanisms, distances or dimensions, so the range of its slider is
computed: from the ε at which a word stays about once in a hundred times to the ε at which it is
replaced about once in a hundred times, on average over a sample of words.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import NamedTuple

import numpy as np

from measures.deniability import unchanged_probability
from mechanisms import Mechanism, Vocabulary
from mechanisms.randomness import seeded_rng

# Enough words and draws to place the ends of a slider, few enough to be instant.
_SAMPLE_WORDS = 16
_SAMPLE_DRAWS = 40

# The grid of ε: powers of two, and how far apart mean N_w must be at its ends to be worth a search.
_FIRST, _LAST = -6, 11
_FLAT = 0.05


class EpsilonRange(NamedTuple):
    """ε at which mean N_w is near 1 %, near 50 % and near 99 %, where these can be reached."""

    low: float
    middle: float
    high: float


def epsilon_range(mechanism: Mechanism, vocabulary: Vocabulary) -> EpsilonRange:
    """The ε between which the mechanism goes from replacing nearly every word to nearly none.

    Mean N_w is taken at powers of two, over words spread evenly over the frequency ranks, and
    interpolated, so the ends are approximate. Where mean N_w cannot come near 0 or 1 (clipped
    mechanisms, Vickrey as published), the range covers 1 % to 99 % of what can be reached. Where ε
    hardly matters to it, the range is that of the usual ε, or of the smallest that is answered.
    """
    ranks = np.linspace(0, len(vocabulary) - 1, min(_SAMPLE_WORDS, len(vocabulary)))
    word_ids = np.unique(ranks.astype(np.int64))
    word_ids = word_ids[mechanism.covers(vocabulary, word_ids)]
    smallest = mechanism.smallest_epsilon(vocabulary)
    if smallest > 0:
        return EpsilonRange(1.01 * smallest, 1.5 * smallest, 100 * smallest)
    usual = EpsilonRange(1.0, 10.0, 100.0)
    if not len(word_ids):
        return usual

    @cache
    def mean_unchanged(power: int) -> float:
        candidate = dataclasses.replace(mechanism, epsilon=2.0**power)
        rng = seeded_rng(0)  # the same draws at every ε: the ends do not jitter
        estimate = unchanged_probability(candidate, vocabulary, word_ids, rng, _SAMPLE_DRAWS)
        return float(estimate.value.mean())

    def crossing(level: float) -> float:
        """The ε at which mean N_w passes a level, by bisection and then interpolation."""
        low, high = _FIRST, _LAST
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if mean_unchanged(middle) < level else (low, middle)
        ends = [mean_unchanged(low), mean_unchanged(high)]
        return float(2 ** np.interp(level, ends, [low, high]))

    try:
        floor, span = mean_unchanged(_FIRST), mean_unchanged(_LAST) - mean_unchanged(_FIRST)
        if span <= _FLAT:
            return usual
        return EpsilonRange(*(crossing(floor + share * span) for share in (0.01, 0.5, 0.99)))
    except ValueError:  # refused at some ε of the grid
        return usual
