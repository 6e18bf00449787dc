"""What an audit finds: checks that were made, and pairs of words with their log-ratios.

A check that draws is a test at level `ALPHA`, shared by all of its comparisons and by the tests of
one audit: an audit accuses a mechanism that keeps its promise at most once in 10⁶ audits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from mechanisms import Mechanism, Vocabulary
from mechanisms.estimate import clopper_pearson
from mechanisms.vocabulary import Floats, WordIds

# Chance that any of the tests, or any of the intervals, of one audit misses.
ALPHA = 1e-6

# An audit makes fewer tests than this; each has its share of ALPHA.
TESTS = 16

# How far rounding may carry an exact log-ratio over its bound, relative to the logarithms.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    name: str
    extent: str
    """How much was looked at: draws, words, pairs."""
    fault: str = ""
    """The violation with its figures, as a sentence; empty if none was found."""


@dataclass(frozen=True)
class Pairs:
    """Pairs of inputs with the largest log-ratio found over all outputs, and its bound.

    Inputs are words and the unknown word.
    All arrays have shape (n,). `exact` says whether log_ratio is the largest there is; otherwise it
    is a lower bound that holds for all pairs at once with confidence 1 - `ALPHA`.
    """

    a: WordIds
    b: WordIds
    distance: Floats
    """The guarantee's own for metric DP, otherwise Euclidean; inf or nan if it is not stated."""
    log_ratio: Floats
    bound: Floats | None
    exact: bool
    with_unknown: NDArray[np.bool_]
    """Which of them have the unknown word."""

    @property
    def largest_with_unknown(self) -> float | None:
        """The largest log-ratio of a word and the unknown word; None if none was compared."""
        ratios = self.log_ratio[self.with_unknown]
        return float(ratios.max()) if len(ratios) else None

    @property
    def used(self) -> float | None:
        """The largest share of its bound that a pair uses; None without a bound above 0."""
        if self.bound is None:
            return None
        above = (self.bound > 0) & np.isfinite(self.bound)
        return float((self.log_ratio[above] / self.bound[above]).max()) if above.any() else None


def critical(comparisons: int) -> float:
    """How many standard errors, either way, one of so many comparisons of a check may miss by."""
    return float(-ndtri(ALPHA / TESTS / comparisons / 2))


def log_ratio_at_least(one: WordIds, other: WordIds, pairs: int) -> float:
    """A lower bound on the largest log-ratio of two words' output laws, from draws of each.

    For each output the lower end of one Clopper-Pearson interval over the upper end of the other;
    the level is shared by both ends, all outputs and all pairs.
    """
    outputs, counts = np.unique(one, return_counts=True)
    others = np.searchsorted(np.sort(other), outputs, side="right") - np.searchsorted(
        np.sort(other), outputs
    )
    draws = len(one)
    level = ALPHA / (2 * pairs * draws)
    low, _ = clopper_pearson(counts, draws, level)
    _, high = clopper_pearson(others, draws, level)
    return max(0.0, float(np.log(low / high).max()))  # some output is at least as likely


def titled(mechanism: Mechanism) -> str:
    """The mechanism's name, with its variant."""
    variant = getattr(mechanism, "variant", None)
    return f"{mechanism.name} ({variant})" if variant else mechanism.name


def quoted(vocabulary: Vocabulary, word_id: int) -> str:
    """A word in quotation marks, or a noun for the unknown word."""
    if word_id == vocabulary.unknown_id:
        return "the unknown word"
    return f"“{vocabulary.words[word_id]}”"
