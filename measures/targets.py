"""From a wish to an ε: the range in which a mechanism does something on a vocabulary.

ε is not comparable across mechanisms, distances or dimensions, so the range of its slider is
computed: from the ε at which a word stays about once in a hundred times to the ε at which it is
replaced about once in a hundred times, on average over a sample of words.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

from measures.deniability import unchanged_probability
from mechanisms import Mechanism, Vocabulary
from mechanisms.randomness import seeded_rng

# Enough words and draws to place the ends of a slider, few enough to be instant.
_SAMPLE_WORDS = 16
_SAMPLE_DRAWS = 40

# The grid of ε: powers of two. The search starts in the middle and stops where N_w is flat.
_FIRST, _START, _LAST = -12, 3, 24
_NEARLY_NONE, _NEARLY_ALL = 0.005, 0.995


class EpsilonRange(NamedTuple):
    """ε at which mean N_w is near 1 %, near 50 % and near 99 %, where these can be reached."""

    low: float
    middle: float
    high: float


def epsilon_range(mechanism: Mechanism, vocabulary: Vocabulary) -> EpsilonRange:
    """The ε between which the mechanism goes from replacing nearly every word to nearly none.

    Mean N_w is taken at powers of two, over words spread evenly over the frequency ranks, and
    interpolated, so the ends are approximate. Where mean N_w cannot come near 0 or 1 (clipped
    mechanisms, Vickrey as published), the range covers 1 % to 99 % of what can be reached. Values
    of ε that the mechanism refuses on this vocabulary are left out.
    """
    ranks = np.linspace(0, len(vocabulary) - 1, min(_SAMPLE_WORDS, len(vocabulary)))
    word_ids = np.unique(ranks.astype(np.int64))

    def mean_unchanged(power: int) -> float:
        candidate = dataclasses.replace(mechanism, epsilon=2.0**power)
        rng = seeded_rng(0)  # the same draws at every ε: the ends do not jitter
        try:
            estimate = unchanged_probability(candidate, vocabulary, word_ids, rng, _SAMPLE_DRAWS)
        except ValueError:
            return np.nan
        return float(estimate.value.mean())

    curve: dict[int, float] = {}
    for power in range(_START, _LAST + 1):
        curve[power] = mean_unchanged(power)
        if curve[power] > _NEARLY_ALL:
            break
    for power in range(_START - 1, _FIRST - 1, -1):
        curve[power] = mean_unchanged(power)
        if not curve[power] > _NEARLY_NONE:  # also where it is refused
            break
    powers = np.array(sorted(power for power, value in curve.items() if not np.isnan(value)))
    values = np.maximum.accumulate([curve[power] for power in powers.tolist()])
    span = values[-1] - values[0] if len(values) else 0.0
    if span <= 0.05:  # ε hardly matters to N_w: the decades around the smallest that is answered
        low = 2.0 ** float(powers[0]) if len(powers) and powers[0] > _START else 1.0
        return EpsilonRange(low, 10 * low, 100 * low)
    levels = values[0] + span * np.array([0.01, 0.5, 0.99])
    low, middle, high = 2.0 ** np.interp(levels, values, powers)
    return EpsilonRange(float(low), float(middle), float(high))
