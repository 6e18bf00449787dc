r"""Which curve leads at an α, and whether the texts can tell: curves compared by their differences.

Each curve enters with the ε that suits it best. If there are several samples of texts, the ε is
chosen on one and the score taken from the others, in turn, and averaged:

    S = 1 / (R (R - 1)) Σ_r Σ_{s ≠ r} score_s(ε_r),     ε_r the best on sample r

so that no score is high only because it was picked for being high. With one sample that cannot be;
the score is then too high, by `optimism` or more: the mean over resamples of the score on the
resample less that on the sample, each of the ε that is best on the resample (Efron 1983). It is
less than the whole, since a resample keeps to the ε that was lucky on the sample.

Two curves differ by D = S_i - S_j, with the error of paired samples (`measures.sweeps.spread`).
All pairs are compared at once: the interval of each is D ± q · se(D), q the 95 % quantile over
resamples of the largest |D* - D| / se(D) among all pairs. So with 95 % confidence all of them hold
together, whichever is looked at. A curve leads only if its intervals to all others lie above 0;
otherwise those whose interval to the first holds 0 are its equals.

Resamples are normal with the covariance of the errors. From the same ones come the share in which
a curve is first at an α, and the ranks that hold 95 % of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from measures.sweeps.ranking import groups
from measures.sweeps.scores import Points
from measures.sweeps.spread import NORMAL, Spread
from mechanisms.estimate import CONFIDENCE, Estimate
from mechanisms.randomness import seeded_rng
from mechanisms.vocabulary import Floats

RESAMPLES = 2_000

# Of the resamples, those that are ranked at every α of a grid.
_RANKED = 500

_SEED = 0


@dataclass(frozen=True, eq=False)
class Contest:
    """Curves at one α, best first (c)."""

    curves: tuple[str, ...]
    chosen: tuple[int, ...]
    """The point of each curve that is best over all samples."""
    score: Estimate
    """Of each curve (c,); ends infinite if unknown."""
    lead: Estimate
    """By how much the first is ahead of each (c,), simultaneous; ends infinite if unknown."""
    first: Floats
    """The share of resamples in which each curve is first (c,); NaN if unknown."""
    ranks: Floats
    """The ranks between which a curve is in 95 % of resamples (2, c); NaN if unknown."""
    crossed: bool
    """Whether ε were chosen on one sample and scored on others."""
    optimism: float
    """How much at least the first score is too high as its own texts chose its ε; NaN unknown."""
    comparisons: int
    """How many pairs the intervals of `lead` hold for together."""
    paired: bool
    """Whether all errors are known text by text and word by word."""

    @property
    def equals(self) -> tuple[str, ...]:
        """The first, and all that it cannot be told from."""
        behind = self.lead.low > 0
        return tuple(c for i, c in enumerate(self.curves) if i == 0 or not behind[i])

    @property
    def leads(self) -> bool:
        """Whether the first leads all others."""
        return len(self.equals) == 1


def contest(found: Points, alpha: float) -> Contest:
    """The curves of some points at one α; there must be a point."""
    labels, number = groups(found.curve)
    each, spreads = found.each(alpha), found.spreads(alpha)
    entries = [_entry(each, np.flatnonzero(number == c)) for c in range(len(labels))]
    weights = np.array([entry.weights for entry in entries])  # (c, r, n)
    value = np.einsum("crn,rn->c", weights, np.nan_to_num(each))
    order = np.argsort(-value, kind="stable")
    value, weights = value[order], weights[order]
    joint = _joint(spreads, weights)
    variance = joint.variance
    known = np.isfinite(variance)
    quantile = found.quantile(alpha)
    half = quantile * np.sqrt(variance)
    rng = seeded_rng(_SEED)
    drawn = joint.drawn(rng, RESAMPLES)
    apart = joint.difference(np.zeros(len(value), dtype=np.int64), np.arange(len(value)))
    margin = _simultaneous(drawn, joint) * quantile / NORMAL * np.where(known & known[0], apart, 0)
    margin = np.where(known & known[0], margin, np.inf)
    ahead = value[0] - value
    margin[0] = 0.0
    first, ranks = _ranks(value + drawn)
    best = tuple(int(entries[c].best) for c in order)
    return Contest(
        curves=tuple(str(labels[c]) for c in order),
        chosen=best,
        score=found.estimate(value, half),
        lead=found.estimate(ahead, margin),
        first=first,
        ranks=ranks,
        crossed=all(entry.crossed for entry in entries),
        optimism=_optimism(found, alpha, np.flatnonzero(number == order[0]), rng),
        comparisons=len(value) * (len(value) - 1) // 2,
        paired=found.sides.paired,
    )


def shares_of_lead(found: Points, alphas: Floats) -> Floats:
    """The share of resamples in which each curve, at its best ε there, is first (c, a)."""
    labels, number = groups(found.curve)
    rng = seeded_rng(_SEED)
    sides = []
    for side in found.sides[:2]:
        there = ~np.isnan(side.each)
        weights = there / np.maximum(there.sum(axis=0), 1)
        errors = sum(
            w * spread.drawn(rng, _RANKED) for w, spread in zip(weights, side.spreads, strict=True)
        )
        sides.append(np.nansum(weights * np.nan_to_num(side.each), axis=0) + errors)
    share = np.full((len(labels), len(alphas)), np.nan)
    if np.isnan(sides).any():
        return share
    starts = np.flatnonzero(np.diff(number, prepend=-1))
    for a, alpha in enumerate(alphas):
        best = np.maximum.reduceat(alpha * sides[0] + (1 - alpha) * sides[1], starts, axis=1)
        share[:, a] = np.bincount(best.argmax(axis=1), minlength=len(labels)) / _RANKED
    return share


@dataclass(frozen=True, eq=False)
class _Entry:
    """A curve's score as weights of its points on each sample (r, n), together 1."""

    weights: Floats
    best: int
    crossed: bool


def _entry(each: Floats, mine: np.ndarray) -> _Entry:
    """How a curve is scored, from its points' scores by sample."""
    values = each[:, mine]
    there = ~np.isnan(values)
    count = there.sum(axis=0)
    mean = np.where(count > 0, np.nansum(np.nan_to_num(values), axis=0) / np.maximum(count, 1), 0)
    weights = np.zeros_like(each)
    best = int(mean.argmax())
    whole = np.flatnonzero(there.all(axis=1))  # samples on which every ε was measured
    if len(whole) < 2:
        weights[there[:, best], mine[best]] = 1 / count[best]
        return _Entry(weights, int(mine[best]), False)
    for r in whole:
        others = whole[whole != r]
        weights[others, mine[values[r].argmax()]] += 1 / (len(whole) * len(others))
    return _Entry(weights, int(mine[best]), True)


def _joint(spreads: list[Spread], weights: Floats) -> Spread:
    """The spread of the scores of curves (c): samples are independent."""
    parts = [spread.at(weights[:, r]) for r, spread in enumerate(spreads)]
    return Spread(
        np.hstack([part.factor for part in parts]),
        np.sum([part.own for part in parts], axis=0),
        min(part.things for part in parts),
    )


def _simultaneous(drawn: Floats, joint: Spread) -> float:
    """The quantile over resamples of the largest standardised difference among all pairs."""
    known = np.flatnonzero(np.isfinite(joint.variance))
    one, two = np.triu_indices(len(known), 1)
    one, two = known[one], known[two]
    error = joint.difference(one, two)
    one, two, error = one[error > 0], two[error > 0], error[error > 0]
    if not len(one):
        return NORMAL
    largest = np.zeros(len(drawn))
    for start in range(0, len(one), 500):  # so many pairs at a time
        pairs = slice(start, start + 500)
        apart = abs(drawn[:, one[pairs]] - drawn[:, two[pairs]]) / error[pairs]
        np.maximum(largest, apart.max(axis=1), out=largest)
    return float(np.quantile(largest, CONFIDENCE))


def _ranks(scores: Floats) -> tuple[Floats, Floats]:
    """Shares of first ranks (c,) and the middle 95 % of ranks (2, c), from resamples (b, c)."""
    count = scores.shape[1]
    if np.isnan(scores).any():
        return np.full(count, np.nan), np.full((2, count), np.nan)
    rank = 1 + np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1)
    tail = (1 - CONFIDENCE) / 2
    ends = np.quantile(rank, [tail, 1 - tail], axis=0, method="inverted_cdf")
    return (rank == 1).mean(axis=0), ends.astype(np.float64)


def _optimism(found: Points, alpha: float, mine: np.ndarray, rng: np.random.Generator) -> float:
    """By how much a curve's best score on its own texts is too high."""
    if len(found.sides.utility.each) > 1 or not len(mine):
        return math.nan
    value = found.each(alpha)[0, mine]
    errors = found.spreads(alpha)[0].drawn(rng, RESAMPLES)[:, mine]
    if np.isnan(errors).any() or np.isnan(value).any():
        return math.nan
    pick = (value + errors).argmax(axis=1)
    return float(errors[np.arange(len(errors)), pick].mean())
