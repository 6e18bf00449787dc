"""From a wish to an ε.

ε is not comparable across mechanisms, distances or dimensions, so it is never asked for but found:

epsilon_range   where ε makes a difference: from words that stay about once in a hundred times to
                words that are replaced about once in a hundred times
epsilon_for     the ε at which demands on N_w and S_w are met, worst case or on average. S_w is not
                monotone in ε, so demands are tried on a grid and an answer is a set of intervals
match           for several mechanisms the ε at which their mean N_w is the same
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from measures import deniability
from measures.deniability import unchanged_probability
from mechanisms import Mechanism, Vocabulary
from mechanisms.answers import Curves
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

    @number_cache(maxsize=256)
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

# Standard errors on either side of a value that is not exact.
_ERRORS = 2.0

# How near a mean N_w must be to the one wished for: two percentage points.
_ABOUT = 0.02


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
    errors of the curves leave for where the demands stop being met. None where no ε meets them all.
    """

    epsilon: float | None
    low: float | None
    high: float | None
    intervals: tuple[tuple[float, float], ...]
    """All ε that meet the demands, as closed intervals of the grid."""
    deciding: tuple[int, ...]
    """Positions of the words that decide each demand at the recommended ε, in order."""
    failing: int | None
    """Where no ε does: the demand that is missed by most where the others are met."""
    missed_by: float
    """By how much, in the demand's own unit."""


def epsilon_for(curves: Curves, demands: Sequence[Demand]) -> Choice:
    """The ε that meet all demands, from curves of a sample of words on a grid of ε.

    Between the points of the grid curves are read linearly in log ε, on 16 points each. An ε is
    accepted by the values of the curves; the interval of the answer says where it would end if all
    values lay two standard errors lower, or higher.
    """
    if not demands:
        raise ValueError("epsilon_for: at least one demand is needed; got none.")
    grid, fine = _refined(curves)
    margins = np.array([_margin(fine, demand, 0.0) for demand in demands])  # ≥ 0 where met
    met = np.asarray((margins >= 0).all(axis=0))
    if not met.any():
        return _nothing(margins, demands)
    best = int(np.flatnonzero(met)[-1])
    ends = []
    for shift in (-_ERRORS, _ERRORS):
        shifted = np.array([_margin(fine, demand, shift) for demand in demands])
        still = np.flatnonzero((shifted >= 0).all(axis=0))
        ends.append(float(grid[still[-1]]) if len(still) else float(grid[best]))
    deciding = tuple(_decider(fine, demand, best) for demand in demands)
    epsilon = float(grid[best])
    low, high = min(*ends, epsilon), max(*ends, epsilon)
    return Choice(epsilon, low, high, _stretches(grid, met), deciding, None, 0.0)


def _refined(curves: Curves, steps: int = 16) -> tuple[Floats, dict[str, Floats]]:
    """The curves on a finer grid of ε: (E',), and each (n, E')."""
    coarse = np.log(curves.epsilons)
    fine = np.unique(
        np.concatenate(
            [np.linspace(a, b, steps + 1) for a, b in zip(coarse, coarse[1:], strict=False)]
        )
        if len(coarse) > 1
        else coarse
    )
    names = ("unchanged", "unchanged_error", "distinct", "distinct_error", "support")
    table = {
        name: np.array([np.interp(fine, coarse, row) for row in getattr(curves, name)])
        for name in names
    }
    grid = np.exp(fine)
    grid[0], grid[-1] = curves.epsilons[0], curves.epsilons[-1]
    return grid, table


def _values(fine: dict[str, Floats], demand: Demand, shift: float) -> Floats:
    """What a demand is about (n, E'), moved by `shift` standard errors."""
    if demand.kind.startswith("stays"):
        return np.clip(fine["unchanged"] + shift * np.nan_to_num(fine["unchanged_error"]), 0, 1)
    if demand.support == "support":
        return fine["support"]
    return fine["distinct"] - shift * np.nan_to_num(fine["distinct_error"])


def _margin(fine: dict[str, Floats], demand: Demand, shift: float) -> Floats:
    """By how much a demand is met at every ε (E',); negative where it is not."""
    values = _values(fine, demand, shift)
    if demand.kind == "stays about":
        return np.asarray(_ABOUT - np.abs(values.mean(axis=0) - demand.value))
    if demand.kind == "stays at most":
        return np.asarray(demand.value - _over(values, demand.over, np.max))
    return np.asarray(_over(values, demand.over, np.min) - demand.value)


def _over(values: Floats, over: Over, worst: Callable[..., Floats]) -> Floats:
    return np.asarray(values.mean(axis=0) if over == "mean" else worst(values, axis=0))


def _decider(fine: dict[str, Floats], demand: Demand, column: int) -> int:
    """The word that is worst for a demand at one ε."""
    values = _values(fine, demand, 0.0)[:, column]
    largest = demand.kind in ("stays at most", "stays about")
    return int(values.argmax() if largest else values.argmin())


def _nothing(margins: Floats, demands: Sequence[Demand]) -> Choice:
    """No ε does: at the ε that comes nearest, the demand that is missed by most, relatively."""
    scale = np.array([max(demand.value, _ABOUT) for demand in demands])[:, None]
    relative = margins / scale
    column = int(relative.min(axis=0).argmax())
    failing = int(relative[:, column].argmin())
    return Choice(None, None, None, (), (), failing, float(-margins[failing, column]))


def _stretches(grid: Floats, met: NDArray[np.bool_]) -> tuple[tuple[float, float], ...]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], met, [False]]).astype(int)))
    return tuple(
        (float(grid[a]), float(grid[b - 1])) for a, b in zip(edges[::2], edges[1::2], strict=True)
    )


# ----------------------------------------------------------------------------------- equal privacy


@dataclass(frozen=True)
class Match:
    """A mechanism at the ε where mean N_w is the target; or the range of mean N_w it can reach."""

    mechanism: Mechanism | None
    low: float
    high: float
    """Least and largest mean N_w on the grid of ε."""


def match(
    mechanisms: Sequence[Mechanism],
    vocabulary: Vocabulary,
    target: float,
    word_ids: WordIds | None = None,
    directions: int = 400,
) -> list[Match]:
    """Each mechanism at the ε at which mean N_w over a sample of words is `target`.

    By default 60 random words. Where N_w is not monotone the largest such ε is taken.
    """
    if not 0 < target < 1:
        raise ValueError(f"match: the target must lie in (0, 1); got {target:g}.")
    if word_ids is None:
        word_ids = deniability.sample_words(vocabulary, "random", 60)
    return [_matched(m, vocabulary, target, word_ids, directions) for m in mechanisms]


def _matched(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    target: float,
    word_ids: WordIds,
    directions: int,
) -> Match:
    ids = word_ids[mechanism.covers(vocabulary, word_ids)]
    around = epsilon_range(mechanism, vocabulary)
    grid = deniability.epsilon_grid(mechanism, vocabulary, around.low, around.high)
    curves = deniability.curves(mechanism, vocabulary, ids, grid, directions=directions)
    return matched(mechanism, curves, target)


def matched(mechanism: Mechanism, curves: Curves, target: float) -> Match:
    """The same from curves that are there: the mechanism at the ε where mean N_w is `target`."""
    grid, mean = curves.epsilons, curves.unchanged.mean(axis=0)
    crossing = np.flatnonzero((mean[:-1] - target) * (mean[1:] - target) <= 0)
    if not len(crossing):
        return Match(None, float(mean.min()), float(mean.max()))
    at = int(crossing[-1])
    pair = slice(at, at + 2)
    order = np.argsort(mean[pair])
    epsilon = np.exp(np.interp(target, mean[pair][order], np.log(grid[pair])[order]))
    matched = dataclasses.replace(mechanism, epsilon=float(epsilon))
    return Match(matched, float(mean.min()), float(mean.max()))
