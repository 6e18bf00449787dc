"""Checks of a mechanism whose law is known: the law itself, and whether draws follow it.

sum       The probabilities of every audited word add up to 1.
draws     With F the distribution function of a word's outputs in any order, and U uniform,
          F(v) - U Pr[v] is uniform on (0, 1) for a draw v of that word (the probability integral
          transform). In two orders, likeliest first and by word id; for few draws a word and for
          many, since a sampler may treat them differently (Kolmogorov and Smirnov). And the mean of
          log Pr[v] over draws: its expectation and variance follow from the law, and an ε wrong by
          a share s moves it by about s times its variance.
centre    Every word of the vocabulary, not a sample, against one centre word, all outputs, exact.
          Since log-ratios add up, log Pr[M(a) = y] - log Pr[M(b) = y] is at most the sum of two
          such numbers: every pair is bounded, and no word can behave otherwise unseen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from scipy.special import logsumexp

from measures.audits.findings import ALPHA, ROUNDING, TESTS, Check, Pairs, critical, quoted
from mechanisms import Guarantee, LawMechanism, Vocabulary
from mechanisms.base import blocks
from mechanisms.vocabulary import Floats, WordIds

# Draws of each word: few at a time, and many.
_FEW, _FEW_TIMES = 16, 50
_MANY = 800

# Words whose draws are looked at.
_DRAWN_WORDS = 40

# Rounding of V probabilities.
_SUM = 1e-8

# The relative rounding of a log probability: a logarithm of -1e16 is known to within 1e5.
_LAW_ROUNDING = 1e-11

_LAW_FLOATS = 8_000_000


def log_ratios(
    mechanism: LawMechanism,
    vocabulary: Vocabulary,
    word_ids: WordIds,
    progress: Callable[[float], None] | None = None,
) -> tuple[Floats, WordIds]:
    """Largest log Pr[M(a)=y] - log Pr[M(b)=y] over y, and that y, for all ordered pairs: (n, n).

    Both by blocks of columns of the laws, so memory stays at n rows of laws in blocks.
    Outputs that a never gives do not count; one that a gives and b never does counts as inf. The
    rounding of the logarithms is taken off: the differences between them may be far below it.
    """
    n = len(word_ids)
    largest = np.full((n, n), -np.inf)
    output = np.zeros((n, n), dtype=np.int64)
    rows = max(1, _LAW_FLOATS // len(vocabulary) // 2)
    starts = range(0, n, rows)
    for step, first in enumerate(starts):
        mine = mechanism.log_prob(vocabulary, word_ids[first : first + rows])
        for second in starts[: step + 1]:
            others = (
                mine
                if second == first
                else mechanism.log_prob(vocabulary, word_ids[second : second + rows])
            )
            for i, law in enumerate(mine):
                for j, other in enumerate(others):
                    a, b = first + i, second + j
                    if second < first or j <= i:
                        largest[a, b], output[a, b] = _largest_difference(law, other)
                        largest[b, a], output[b, a] = _largest_difference(other, law)
        if progress:
            progress((step + 1) ** 2 / len(starts) ** 2)
    return largest, output


def centre_ratios(
    mechanism: LawMechanism, vocabulary: Vocabulary, word_ids: WordIds, centre: int
) -> Floats:
    """The largest |log Pr[M(w) = y] - log Pr[M(centre) = y]| over all y: words (n,) -> (n,)."""
    law = mechanism.log_prob(vocabulary, np.array([centre]))[0]
    rounding = np.where(np.isneginf(law), 0.0, _LAW_ROUNDING * np.abs(law))
    largest = np.empty(len(word_ids))
    for part in blocks(len(word_ids), _LAW_FLOATS // len(vocabulary)):
        laws = mechanism.log_prob(vocabulary, word_ids[part])
        with np.errstate(invalid="ignore"):  # -inf - -inf: an output that neither gives
            laws -= law
        np.abs(laws, out=laws)
        laws -= rounding
        largest[part] = np.fmax.reduce(laws, axis=1, initial=0.0)  # without nan
    return largest


def against_one_centre(
    guarantee: Guarantee, vocabulary: Vocabulary, ids: WordIds, centre: int, largest: Floats
) -> tuple[Check, Pairs]:
    """Words (n,) with their `centre_ratios` (n,) against one centre word, held to the promise."""
    others = ids != centre
    ids, largest = ids[others], largest[others]
    kept = bounded(guarantee, vocabulary, ids, np.full(len(ids), centre), largest, exact=True)
    worst = farthest_above(kept)
    fault = ""
    if worst is not None:
        word = quoted(vocabulary, int(kept.a[worst]))
        fault = (
            f"The probabilities of an output for {word} and for {quoted(vocabulary, centre)} "
            f"differ by a factor of e^{kept.log_ratio[worst]:,.2f}."
        )
        if kept.bound is not None:
            fault = f"{fault} The promise allows e^{kept.bound[worst]:,.2f} at most."
    extent = f"{len(ids):,} words against {quoted(vocabulary, centre)}, every output, exact law"
    return Check("every word against one", extent, fault), kept


def sums(mechanism: LawMechanism, vocabulary: Vocabulary, word_ids: WordIds) -> Check:
    """Whether the probabilities of each word add up to 1."""
    worst, word = 0.0, 0
    for part in blocks(len(word_ids), _LAW_FLOATS // len(vocabulary)):
        off = np.abs(np.expm1(logsumexp(mechanism.log_prob(vocabulary, word_ids[part]), axis=1)))
        if off.max() > worst:
            worst, word = float(off.max()), int(word_ids[part][off.argmax()])
    fault = ""
    if worst > _SUM:
        fault = (
            f"The probabilities of the outputs for {quoted(vocabulary, word)} do not add up to 1: "
            f"they are off by {worst:.3g}."
        )
    extent = f"{len(word_ids)} words, with the unknown word"
    return Check("sum of the law", extent, fault)


def goodness_of_fit(
    mechanism: LawMechanism, vocabulary: Vocabulary, word_ids: WordIds, rng: np.random.Generator
) -> Iterator[Check]:
    """Whether draws follow the law, few a word at a time and many."""
    from scipy.stats import kstest

    words = word_ids[np.unique(np.linspace(0, len(word_ids) - 1, _DRAWN_WORDS).astype(np.int64))]
    few = np.hstack([mechanism.sample(vocabulary, words, _FEW, rng) for _ in range(_FEW_TIMES)])
    many = mechanism.sample(vocabulary, words, _MANY, rng)
    for name, drawn in (("few at a time", few), ("many at a time", many)):
        extent = f"{drawn.size:,} draws"
        outside = int(((drawn < 0) | (drawn >= len(vocabulary))).sum())
        if outside:
            fault = f"{outside:,} of {drawn.size:,} draws are not in the vocabulary."
            yield Check(f"draws against the law, {name}", extent, fault)
            continue
        by_rank, by_id, deviation = _transformed(mechanism, vocabulary, words, drawn, rng)
        tests = [kstest(position.ravel(), "uniform") for position in (by_rank, by_id)]
        worst = min(tests, key=lambda test: float(test.pvalue))
        fault = ""
        if worst.pvalue < ALPHA / TESTS / 3 or abs(deviation) > critical(3):
            same = float((drawn == words[:, None]).mean())
            known = np.flatnonzero(words != vocabulary.unknown_id)
            law = np.zeros(len(words))
            of_known = np.exp(mechanism.log_prob(vocabulary, words[known]))
            law[known] = of_known[np.arange(len(known)), words[known]]
            fault = (
                f"The draws ({name}) do not follow the law: {100 * same:.2f} % of them are "
                f"unchanged, and by the law it should be {100 * law.mean():.2f} %. The "
                f"distribution function is off by up to {worst.statistic:.3g}, the mean "
                f"log-probability by {deviation:.1f} standard errors."
            )
        yield Check(f"draws against the law, {name}", extent, fault)


def _transformed(
    mechanism: LawMechanism,
    vocabulary: Vocabulary,
    words: WordIds,
    drawn: WordIds,
    rng: np.random.Generator,
) -> tuple[Floats, Floats, float]:
    """What is known of draws (n, m) that follow the law.

    F(v) - U Pr[v], likeliest output first and by word id, each uniform (n, m); and the mean of
    log Pr[v], less its expectation, in standard errors.
    """
    off, variance = 0.0, 0.0
    by_rank, by_id = np.empty(drawn.shape), np.empty(drawn.shape)
    for row, word in enumerate(words):
        log_law = mechanism.log_prob(vocabulary, np.array([word]))[0]
        law = np.exp(log_law)
        score = np.where(law > 0, log_law, 0.0)
        mean = float(law @ score)
        off += float((score[drawn[row]] - mean).sum())
        variance += float(law @ np.square(score - mean)) * drawn.shape[1]
        order = np.argsort(-law, kind="stable")
        place = np.empty(len(law), dtype=np.int64)
        place[order] = np.arange(len(law))
        uniform = rng.random(drawn.shape[1])
        by_rank[row] = np.cumsum(law[order])[place[drawn[row]]] - uniform * law[drawn[row]]
        by_id[row] = np.cumsum(law)[drawn[row]] - uniform * law[drawn[row]]
    return by_rank, by_id, off / math.sqrt(variance) if variance > 0 else 0.0


def bounded(
    guarantee: Guarantee,
    vocabulary: Vocabulary,
    a: WordIds,
    b: WordIds,
    log_ratio: Floats,
    exact: bool,
) -> Pairs:
    """Pairs with their bounds; the distance is the guarantee's own for metric DP."""
    bound = guarantee.log_ratio_bound(vocabulary, a, b)
    unknown = np.maximum(a, b) == vocabulary.unknown_id
    if guarantee.notion == "metric DP":
        distance = guarantee.distance_between(vocabulary, a, b)
    else:
        distance = np.full(len(a), np.nan)
        distance[~unknown] = vocabulary.distance_between(a[~unknown], b[~unknown])
    return Pairs(a, b, distance, log_ratio, bound, exact, unknown)


def farthest_above(pairs: Pairs) -> int | None:
    """The pair farthest above its bound, or None. Without a bound, the largest infinite ratio."""
    if not len(pairs.log_ratio):
        return None
    if pairs.bound is None:
        return int(pairs.log_ratio.argmax()) if np.isinf(pairs.log_ratio).any() else None
    excess = np.full(len(pairs.bound), -np.inf)
    stated = np.isfinite(pairs.bound)
    bound = pairs.bound[stated]
    excess[stated] = pairs.log_ratio[stated] - bound - ROUNDING * (1 + np.abs(bound))
    worst = int(excess.argmax())
    return worst if excess[worst] > 0 else None


def _largest_difference(law: Floats, other: Floats) -> tuple[float, int]:
    with np.errstate(invalid="ignore"):  # -inf - -inf: an output that neither gives
        difference = law - other * (1 - _LAW_ROUNDING)
    difference[np.isneginf(law)] = -np.inf
    y = int(difference.argmax())
    return float(difference[y]), y
