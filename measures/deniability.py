"""Plausible deniability of words: N_w, the chance that a word stays as it is.

Exact where the mechanism's law is known; otherwise from independent draws, with a Clopper-Pearson
interval (Feyisetan et al. 2020, Section 3.2, defines the statistic).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import LawMechanism, Mechanism, Vocabulary
from mechanisms.base import blocks
from mechanisms.vocabulary import Floats, WordIds

CONFIDENCE = 0.95

# Probabilities held at once.
_LAW_FLOATS = 4_000_000


@dataclass(frozen=True)
class Estimate:
    """Values (n,) with their interval; `draws` is None where they are exact."""

    value: Floats
    low: Floats
    high: Floats
    draws: int | None


@dataclass(frozen=True)
class Replacements:
    """What a word becomes, likeliest first: word ids, distances and probabilities (k,)."""

    word_ids: WordIds
    distances: Floats
    probability: Estimate
    stays: Estimate
    """Chance that the word stays, shape (1,)."""


def unchanged_probability(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    word_ids: ArrayLike,
    rng: np.random.Generator,
    draws: int = 1000,
) -> Estimate:
    """N_w = Pr[M(w) = w] of each word (n,): exact for a law, else from `draws` draws a word."""
    ids = vocabulary.checked(word_ids)
    if isinstance(mechanism, LawMechanism):
        exact = np.empty(len(ids))
        for block in blocks(len(ids), _LAW_FLOATS // len(vocabulary)):
            law = mechanism.log_prob(vocabulary, ids[block])
            exact[block] = law[np.arange(len(law)), ids[block]]
        return _exact(np.exp(exact))
    released = mechanism.sample(vocabulary, ids, draws, rng)
    return _from_counts((released == ids[:, None]).sum(axis=1), draws)


def distinct_outputs(
    log_law: Floats, draws: int = 100, unchanged: ArrayLike | None = None
) -> Floats:
    """S_w as the expected number of different outputs in `draws` draws, exact: (n, V) -> (n,).

    Parameters
    ----------
    log_law
        log Pr[M(w) = v], one row (V,) a word.
    draws
        m, the number of draws.
    unchanged
        The rows' own words (n,), where the unchanged word shall not count, as in the benchmark;
        None to count it. For m = 100 the result is then a percentage of the draws as well.

    The sum over v of 1 - (1 - Pr[M(w) = v])^m. It needs the law itself: with estimated
    probabilities in its place it is badly low.

    """
    with np.errstate(divide="ignore"):  # a certain output: log(1 - 1) = -inf, found for sure
        absent = np.log1p(-np.minimum(np.exp(log_law), 1.0))
    absent *= draws
    found = -np.expm1(absent, out=absent)
    if unchanged is not None:
        found[np.arange(len(found)), np.asarray(unchanged)] = 0.0
    expected: Floats = found.sum(axis=1)
    return expected


def replacements(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    word_id: int,
    rng: np.random.Generator,
    most: int = 10,
    draws: int = 2000,
) -> Replacements:
    """The likeliest outputs for one word, itself included, with distances and probabilities."""
    ids = vocabulary.checked([word_id])
    if isinstance(mechanism, LawMechanism):
        law = np.exp(mechanism.log_prob(vocabulary, ids)[0])
        top = np.argpartition(-law, min(most, len(law) - 1))[:most]
        top = top[np.lexsort((top, -law[top]))]
        probability, stays = _exact(law[top]), _exact(law[ids])
    else:
        released = mechanism.sample(vocabulary, ids, draws, rng)[0]
        words, counts = np.unique(released, return_counts=True)
        order = np.lexsort((words, -counts))[:most]
        top = words[order]
        probability = _from_counts(counts[order], draws)
        stays = _from_counts(np.array([np.count_nonzero(released == word_id)]), draws)
    distances = vocabulary.distance_between(top, np.full(len(top), word_id))
    return Replacements(top, distances, probability, stays)


def _exact(value: Floats) -> Estimate:
    return Estimate(value, value, value, None)


def _from_counts(counts: WordIds, draws: int) -> Estimate:
    """Proportions with two-sided Clopper-Pearson intervals."""
    from scipy.special import betaincinv

    tail = (1 - CONFIDENCE) / 2
    low = np.where(counts > 0, betaincinv(np.maximum(counts, 1), draws - counts + 1, tail), 0.0)
    high = np.where(
        counts < draws, betaincinv(counts + 1, np.maximum(draws - counts, 1), 1 - tail), 1.0
    )
    return Estimate(counts / draws, low, high, draws)
