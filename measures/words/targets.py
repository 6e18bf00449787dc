"""From a wish to an ε.

ε is not comparable across mechanisms, distances or dimensions, so it is never asked for but found:

epsilon_range   where ε makes a difference: from words that stay about once in a hundred times to
                words that are replaced about once in a hundred times
epsilon_for     the ε at which demands on N_w and S_w are met, worst case or on average. S_w is not
                monotone in ε, so demands are tried on a grid and an answer is a set of intervals
match           for several mechanisms the ε at which their mean N_w is the same
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from measures.store import cached
from measures.words import deniability
from measures.words.deniability import unchanged_probability
from mechanisms import Family, FamilyLike, Mechanism, Vocabulary, families_of
from mechanisms.answers import Curves, Statistics
from mechanisms.estimate import Estimate, Source
from mechanisms.number_cache import number_cache
from mechanisms.randomness import seeded_rng
from mechanisms.vocabulary import Floats, WordIds

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


def epsilon_range(family: Family[Mechanism], vocabulary: Vocabulary) -> EpsilonRange:
    """The ε between which the mechanism goes from replacing nearly every word to nearly none.

    Mean N_w is taken at powers of two, over words spread evenly over the frequency ranks, and
    interpolated, so the ends are approximate. Where mean N_w cannot come near 0 or 1 (clipped
    mechanisms, Vickrey as published), the range covers 1 % to 99 % of what can be reached. Where ε
    hardly matters to it, the range is that of the usual ε, or of the smallest that is answered.
    Of a public vocabulary it is kept on disk.
    """
    settings = {"lexicon": vocabulary.synonyms is not None}
    found = cached(
        "epsilon-range-1",
        family,
        vocabulary,
        settings,
        lambda: {"range": np.array(_epsilon_range(family, vocabulary))},
    )
    return EpsilonRange(*map(float, found["range"]))


def _epsilon_range(family: Family[Mechanism], vocabulary: Vocabulary) -> EpsilonRange:
    ranks = np.linspace(0, len(vocabulary) - 1, min(_SAMPLE_WORDS, len(vocabulary)))
    word_ids = np.unique(ranks.astype(np.int64))
    word_ids = word_ids[family.covers(vocabulary, word_ids)]
    smallest = family.smallest_epsilon(vocabulary)
    if smallest > 0:
        return EpsilonRange(1.01 * smallest, 1.5 * smallest, 100 * smallest)
    usual = EpsilonRange(1.0, 10.0, 100.0)
    if not len(word_ids):
        return usual

    @number_cache(maxsize=256)
    def mean_unchanged(power: int) -> float:
        candidate = family.at(2.0**power)
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
            return _answered(usual, mean_unchanged)
        return EpsilonRange(*(crossing(floor + share * span) for share in (0.01, 0.5, 0.99)))
    except ValueError:  # refused at some ε of the grid
        return _answered(usual, mean_unchanged)


def _answered(epsilons: EpsilonRange, answer: Callable[[int], float]) -> EpsilonRange:
    """The range, its upper end halved until it is answered."""
    low, middle, high = epsilons
    while high > 2 * low:
        try:
            answer(math.ceil(math.log2(high)))
            break
        except ValueError:
            high /= 2
    return EpsilonRange(low, min(middle, math.sqrt(low * high)), high)


# ------------------------------------------------------------------------------------- choosing ε

Kind = Literal["stays at most", "stays at least", "outputs at least", "stays about"]
Over = Literal["worst", "mean"]

# Steps between two points of the grid at which demands are tried.
_STEPS = 16

# What a demand is judged by: the values, or the end of every interval that is worst or best for it.
Judged = Literal["value", "worst", "best"]
_ENDS: tuple[Judged, ...] = ("worst", "best")

# How near a mean N_w must be to the one wished for: two percentage points.
ABOUT = 0.02


@dataclass(frozen=True)
class Demand:
    """A wish: about N_w (a probability) or S_w (distinct outputs in m draws, or η-support).

    stays at most     N_w ≤ value, for the worst word or on average
    stays at least    N_w ≥ value, for the worst word or on average
    stays about       mean N_w within 0.02 of value
    outputs at least  S_w ≥ value, for the worst word or on average
    """

    kind: Kind
    value: float
    over: Over = "worst"
    support: Literal["distinct", "support"] = "distinct"
    """Which S_w: distinct outputs in m draws, or the η-effective support."""

    def __post_init__(self) -> None:
        """Check the wish."""
        if self.kind not in get_args(Kind):
            raise ValueError(f"Demand: kind must be one of {get_args(Kind)}; got {self.kind!r}.")
        if self.over not in get_args(Over):
            raise ValueError(f"Demand: over must be one of {get_args(Over)}; got {self.over!r}.")
        if not 0 <= self.value < math.inf or (self.kind.startswith("stays") and self.value > 1):
            raise ValueError(f"Demand: {self.kind} needs a value it can have; got {self.value:g}.")


@dataclass(frozen=True)
class Choice:
    """The ε that meet all demands.

    The recommendation is the largest such ε on the grid (the least noise), with the interval that
    errors of the curves leave for where the demands stop being met. None if no ε meets them all.
    """

    epsilon: float | None
    low: float | None
    """The largest ε that meets them if the truth lies at the worst end of every interval; None if
    none does."""
    high: float | None
    """The same at the best end."""
    intervals: tuple[tuple[float, float], ...]
    """All ε that meet the demands, as closed intervals of the grid."""
    deciding: tuple[int, ...]
    """Positions of the words that decide each demand at the recommended ε, in order."""
    failing: int | None
    """If no ε does: the demand that is missed by most at the ε that meets the others best."""
    missed_by: float
    """By how much, in the demand's own unit."""
    source: Source
    """What the curves came from."""
    looked_at: tuple[float, float]
    """The smallest and the largest ε that were tried: beyond them nothing is known."""

    def cut(self, epsilon: float) -> bool:
        """Whether an end of an interval is only the end of the ε that were tried."""
        return epsilon in self.looked_at


def epsilon_for(curves: Curves, demands: Sequence[Demand]) -> Choice:
    """The ε that meet all demands, from curves of a sample of words on a grid of ε.

    Between the points of the grid curves are read at 16 points each, with the interpolation's
    error. An ε is accepted by the values of the curves; the interval of the answer says where it
    would end if the truth lay at the worst end of every interval for the demands, or at the best.
    """
    if not demands:
        raise ValueError("epsilon_for: at least one demand is needed; got none.")
    fine = curves.on(_refined(curves.epsilons))
    grid, looked_at = fine.epsilons, (float(fine.epsilons[0]), float(fine.epsilons[-1]))
    source = fine.unchanged.source
    margins = np.array([_margin(fine, demand, "value") for demand in demands])  # ≥ 0 where met
    met = np.asarray((margins >= 0).all(axis=0))
    if not met.any():
        failing, missed_by = _nearest_miss(margins, demands)
        return Choice(None, None, None, (), (), failing, missed_by, source, looked_at)
    best = int(np.flatnonzero(met)[-1])
    low, high = (
        _last(grid, [_margin(fine, demand, judged) for demand in demands]) for judged in _ENDS
    )
    if high is not None:  # between two points tried nobody looked
        high = float(grid[min(int(np.searchsorted(grid, high)) + 1, len(grid) - 1)])
    deciding = tuple(_decider(fine, demand, best) for demand in demands)
    stretches = _stretches(grid, met)
    return Choice(float(grid[best]), low, high, stretches, deciding, None, 0.0, source, looked_at)


def _last(grid: Floats, margins: Sequence[Floats]) -> float | None:
    """The largest ε at which no margin is negative."""
    met = np.flatnonzero((np.array(margins) >= 0).all(axis=0))
    return float(grid[met[-1]]) if len(met) else None


def _refined(epsilons: Floats) -> Floats:
    """The grid with points in equal ratios between its own, which stay as they are."""
    coarse = np.log(epsilons)
    if len(coarse) == 1:
        return epsilons
    inside = np.linspace(coarse[:-1], coarse[1:], _STEPS + 1, axis=1)[:, 1:-1]
    return np.sort(np.append(epsilons, np.exp(inside)))


def _statistic(fine: Curves, demand: Demand) -> Estimate:
    """The statistic that a demand is about (n, E')."""
    if demand.kind.startswith("stays"):
        return fine.unchanged
    return fine.support if demand.support == "support" else fine.distinct


def _margin(fine: Curves, demand: Demand, judged: Judged) -> Floats:
    """By how much a demand is met at every ε (E',); negative where it is not."""
    found = _statistic(fine, demand)
    if demand.kind == "stays about":
        mean = found.mean(axis=0)
        above, below = (
            (mean.value, mean.value)
            if judged == "value"
            else ((mean.high, mean.low) if judged == "worst" else (mean.low, mean.high))
        )
        return np.asarray(ABOUT - np.maximum(above - demand.value, demand.value - below))
    if demand.kind == "stays at most":
        values = {"value": found.value, "worst": found.high, "best": found.low}[judged]
        return np.asarray(demand.value - _over(values, demand.over, np.max))
    values = {"value": found.value, "worst": found.low, "best": found.high}[judged]
    return np.asarray(_over(values, demand.over, np.min) - demand.value)


def _over(values: Floats, over: Over, worst: Callable[..., Floats]) -> Floats:
    return np.asarray(values.mean(axis=0) if over == "mean" else worst(values, axis=0))


def _decider(fine: Curves, demand: Demand, column: int) -> int:
    """The word that is worst for a demand at one ε."""
    values = _statistic(fine, demand).value[:, column]
    largest = demand.kind in ("stays at most", "stays about")
    return int(values.argmax() if largest else values.argmin())


def _nearest_miss(margins: Floats, demands: Sequence[Demand]) -> tuple[int, float]:
    """At the ε that comes nearest, the demand that is missed by most, relatively; by how much."""
    scale = np.array([max(demand.value, ABOUT) for demand in demands])[:, None]
    relative = margins / scale
    column = int(relative.min(axis=0).argmax())
    failing = int(relative[:, column].argmin())
    return failing, float(-margins[failing, column])


def _stretches(grid: Floats, met: NDArray[np.bool_]) -> tuple[tuple[float, float], ...]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], met, [False]]).astype(int)))
    return tuple(
        (float(grid[a]), float(grid[b - 1])) for a, b in zip(edges[::2], edges[1::2], strict=True)
    )


# ----------------------------------------------------------------------------------- equal privacy


# What mechanisms are made equal by, over sampled words.
Equal = Literal["mean N_w", "worst N_w", "mean S_w"]


@dataclass(frozen=True)
class Match:
    """A mechanism at the ε where a statistic is the target; or the range that it can reach."""

    mechanism: Mechanism | None
    low: float
    high: float
    """Least and largest value of the statistic on the grid of ε."""


def match(
    mechanisms: FamilyLike | Sequence[FamilyLike],
    vocabulary: Vocabulary,
    target: float,
    word_ids: WordIds | None = None,
    directions: int = 400,
) -> list[Match]:
    """Each mechanism at the ε at which mean N_w over a sample of words is `target`.

    A family may be given by a mechanism, its class or its name. By default 60 random words. Where
    N_w is not monotone the largest such ε is taken.

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> tem, = wv.match([wv.SanText], v, 0.9)
    >>> round(tem.mechanism.epsilon, 2)
    3.47
    """
    if not 0 < target < 1:
        raise ValueError(f"match: the target must lie in (0, 1); got {target:g}.")
    if word_ids is None:
        word_ids = deniability.sample_words(vocabulary, "random", 60)
    families = families_of(mechanisms)
    return [_matched(f, vocabulary, target, word_ids, directions) for f in families]


def _matched(
    family: Family[Mechanism],
    vocabulary: Vocabulary,
    target: float,
    word_ids: WordIds,
    directions: int,
) -> Match:
    ids = word_ids[family.covers(vocabulary, word_ids)]
    around = epsilon_range(family, vocabulary)
    grid = deniability.epsilon_grid(family, vocabulary, around.low, around.high)
    curves = deniability.curves(family, vocabulary, ids, grid, directions=directions)
    return matched(family, curves, target)


def matched(
    family: Family[Mechanism], curves: Curves, target: float, equal: Equal = "mean N_w"
) -> Match:
    """The same from curves that are there, by any of the statistics; the largest such ε."""

    def statistic(measured: Statistics) -> Floats:
        if equal == "mean S_w":
            return np.asarray(measured.distinct.value.mean(axis=0))
        if equal == "worst N_w":
            return np.asarray(measured.unchanged.value.max(axis=0))
        return np.asarray(measured.unchanged.value.mean(axis=0))

    return where_equal(
        family, curves.epsilons, statistic(curves), target, lambda e: float(statistic(curves.at(e)))
    )


def where_equal(
    family: Family[Mechanism],
    grid: Floats,
    values: Floats,
    target: float,
    at_epsilon: Callable[[float], float],
) -> Match:
    """The mechanism at the largest ε where a statistic, (E,) on a grid of ε, is the target."""
    crossing = np.flatnonzero((values[:-1] - target) * (values[1:] - target) <= 0)
    low, high = float(values.min()), float(values.max())
    if not len(crossing):
        return Match(None, low, high)
    at = int(crossing[-1])

    def beyond(log_epsilon: float) -> float:
        return at_epsilon(float(np.exp(log_epsilon))) - target

    # Just inside of the cell, where rounding cannot leave the grid.
    ends = np.clip(np.log(grid[at : at + 2]), *(np.log(grid[[0, -1]]) + [1e-12, -1e-12]))
    beyond_ends = [beyond(end) for end in ends]
    if beyond_ends[0] * beyond_ends[1] > 0:  # the crossing lies at a point of the grid
        epsilon = float(grid[at + int(abs(beyond_ends[1]) < abs(beyond_ends[0]))])
    else:
        epsilon = float(np.exp(brentq(beyond, ends[0], ends[1], xtol=1e-13)))
    return Match(family.at(epsilon), low, high)
