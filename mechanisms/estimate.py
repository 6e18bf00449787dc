"""A number and how well it is known: the only number with an error in the project.

exact           computed from a closed form; the interval is the number
n directions    a mean over n directions of the noise, the radius integrated out
n draws         counted among n draws
n words         a mean over n sampled words, for words in general; in the same way over n texts,
                trials, repetitions, settings or things that were counted
n measures      a score made of n measures, whose errors are added as variances
unknown         one sample whose spread nobody measured: the interval is all values it could have

An unknown error is never 0, and a sampled number is never called exact. A number read between the
points of a grid has the interpolation's error in its interval, and says so.

Intervals hold the truth with 95 % confidence, at least:

of_counts   shares of n draws: Clopper and Pearson (1934), counts may be fractions
of_shares   means of n values in [0, 1]: Student's, and the wider of it and Clopper-Pearson's where
            fewer than 30 of the n lie at either end, since Student's is far too short there
of_totals   the mean number of different outputs in g groups of m draws. Ten groups or more:
            Student's, or the wider of it and Garwood's (1936) for a rare event near either end.
            Fewer groups: a bound that holds for every self-bounding function of independent
            draws, P(K ≥ μ + t) ≤ exp(-t² / (2 μ + 2 t / 3)) and P(K ≤ μ - t) ≤ exp(-t² / (2 μ))
            (Boucheron, Lugosi and Massart, "A sharp concentration inequality with applications",
            Random Structures and Algorithms 16, 2000). One draw more changes K by at most 1, and
            the draws that matter are at most K.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

CONFIDENCE = 0.95

# Below so many of n at an end a share's law is too skewed for Student's interval.
FEW = 30

# So many groups let their own spread be measured.
ENOUGH_GROUPS = 10

Kind = Literal[
    "exact",
    "directions",
    "draws",
    "words",
    "unknown",
    "texts",
    "trials",
    "repetitions",
    "settings",
    "values",
    "measures",
]


@dataclass(frozen=True)
class Source:
    """What a number was computed from."""

    kind: Kind
    count: int = 0
    """Directions, draws, words, and so on."""
    interpolated: bool = False
    """Read between the points of a grid, with that error in the interval."""

    def __str__(self) -> str:
        """The source in words, such as *from 1,000 directions*."""
        if self.kind == "unknown":
            return "error unknown"
        if self.kind == "exact":
            return "interpolated between exact values" if self.interpolated else "exact"
        kind = self.kind.rstrip("s") if self.count == 1 else self.kind
        if self.interpolated:
            return f"interpolated, from {self.count:,} {kind}"
        return f"from {self.count:,} {kind}"

    @property
    def is_exact(self) -> bool:
        """Whether the number has no error but rounding."""
        return self.kind == "exact" and not self.interpolated


EXACT, UNKNOWN = Source("exact"), Source("unknown")


@dataclass(frozen=True, eq=False)
class Estimate:
    """Numbers of any one shape, the ends of their 95 % intervals, and one source.

    One number, of shape (), is a float.

    Raises
    ------
    ValueError
        If shapes differ, an end lies on the wrong side of its number, a number called exact has an
        interval, or one with an unknown error has none.

    """

    value: Floats
    low: Floats
    high: Floats
    source: Source

    def __post_init__(self) -> None:
        """Check that ends, numbers and source agree."""
        value, low, high = (
            np.asarray(part, dtype=np.float64) for part in (self.value, self.low, self.high)
        )
        if not value.shape == low.shape == high.shape:
            raise ValueError(
                "Estimate: value, low and high must have one shape; got "
                f"{value.shape}, {low.shape} and {high.shape}."
            )
        if not ((low <= value) & (value <= high)).all():
            raise ValueError("Estimate: low ≤ value ≤ high must hold everywhere.")
        if self.source.is_exact and not (low == high).all():
            raise ValueError("Estimate: an exact number has no interval; name another source.")
        if self.source.kind == "unknown" and (low == high).any():
            raise ValueError("Estimate: an unknown error is not 0; its interval is all values.")
        for name, part in (("value", value), ("low", low), ("high", high)):
            object.__setattr__(self, name, part[()])

    def __getitem__(self, index: Any) -> Estimate:  # noqa: ANN401 - numpy's own index
        """Some of the numbers."""
        return Estimate(self.value[index], self.low[index], self.high[index], self.source)

    def __eq__(self, other: object) -> bool:
        """Whether numbers, ends and source are equal."""
        if not isinstance(other, Estimate):
            return NotImplemented
        return self.source == other.source and all(
            np.array_equal(getattr(self, part), getattr(other, part))
            for part in ("value", "low", "high")
        )

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        """The length of the first axis."""
        return len(self.value)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the numbers."""
        return self.value.shape

    @property
    def half_width(self) -> Floats:
        """Half of each interval's length: 0 only if exact."""
        return np.asarray((self.high - self.low) / 2)

    @property
    def numbers(self) -> tuple[float, float, float]:
        """One number and the ends of its interval."""
        return float(self.value), float(self.low), float(self.high)

    @property
    def percent(self) -> Estimate:
        """A share as a percentage."""
        return self.rising(lambda share: 100 * share)

    def mean(self, axis: int | None = None) -> Estimate:
        """The mean, with the mean ends: valid however the errors go together."""
        value, low, high = (
            np.asarray(part.mean(axis=axis)) for part in (self.value, self.low, self.high)
        )
        return Estimate(value, low, high, self.source)

    def rising(self, function: Callable[[Floats], Floats]) -> Estimate:
        """A rising function of the numbers, such as a percentage or a logarithm."""
        value, low, high = (function(part) for part in (self.value, self.low, self.high))
        return Estimate(value, low, high, self.source)

    def falling(self, function: Callable[[Floats], Floats]) -> Estimate:
        """A falling function of the numbers, such as 1 - x: the ends change places."""
        value, low, high = (function(part) for part in (self.value, self.high, self.low))
        return Estimate(value, low, high, self.source)

    def text(self, number: Callable[[float], str] = "{:.4g}".format) -> str:
        """One number, its interval and its source: *12.7 (10.3 to 15.1, from 10 draws)*."""
        if self.value.ndim:
            raise ValueError(f"Estimate: text is of one number; got an array {self.shape}.")
        said = number(float(self.value))
        if self.source.is_exact or self.source.kind == "unknown":
            return f"{said} ({self.source})"
        low, high = float(self.low), float(self.high)
        if math.isinf(high):
            return f"{said} (at least {number(low)}, {self.source})"
        return f"{said} ({number(low)} to {number(high)}, {self.source})"


def exact(value: ArrayLike) -> Estimate:
    """Numbers without an error."""
    array = np.asarray(value, dtype=np.float64)
    return Estimate(array, array, array, EXACT)


def unknown(value: ArrayLike, least: float = -math.inf, most: float = math.inf) -> Estimate:
    """Numbers of which nothing but their range [least, most] is known."""
    array = np.asarray(value, dtype=np.float64)
    return Estimate(array, np.full_like(array, least), np.full_like(array, most), UNKNOWN)


def single(value: float, low: float, high: float, source: Source) -> Estimate:
    """One number and the ends of its interval."""
    return Estimate(np.asarray(value), np.asarray(low), np.asarray(high), source)


def joined(parts: Sequence[Estimate]) -> Estimate:
    """Estimates of one source, one after another along the first axis."""
    return _collected(parts, np.concatenate)


def stacked(parts: Sequence[Estimate]) -> Estimate:
    """Estimates of one shape and source as the rows of one."""
    return _collected(parts, np.stack)


def _collected(parts: Sequence[Estimate], how: Callable[..., Floats]) -> Estimate:
    sources = {part.source for part in parts}
    if len(sources) != 1:
        raise ValueError(f"Estimate: one source is needed; got {sorted(map(str, sources))}.")
    value, low, high = (
        how([getattr(part, name) for part in parts]) for name in ("value", "low", "high")
    )
    return Estimate(value, low, high, sources.pop())


# ---------------------------------------------------------------------------------------- intervals


def clopper_pearson(
    successes: ArrayLike, total: ArrayLike, tail: float = (1 - CONFIDENCE) / 2
) -> tuple[Floats, Floats]:
    """Both ends of the exact interval of a binomial share; counts need not be whole.

    Each end is wrong with probability `tail` at most.
    """
    from scipy.special import betaincinv

    hit = np.asarray(successes, dtype=np.float64)
    missed = np.asarray(total, dtype=np.float64) - hit
    # At either end of [0, 1] the distribution has no parameter; any other will do there.
    low = np.where(hit > 0, betaincinv(np.where(hit > 0, hit, 1), missed + 1, tail), 0.0)
    high = np.where(missed > 0, betaincinv(hit + 1, np.where(missed > 0, missed, 1), 1 - tail), 1.0)
    return low, high


def of_counts(counts: ArrayLike, draws: int) -> Estimate:
    """Shares of draws; counts need not be whole."""
    hit = np.clip(np.asarray(counts, dtype=np.float64), 0, draws)  # sums may be rounded
    share = hit / draws
    low, high = clopper_pearson(hit, draws)
    return Estimate(share, np.minimum(low, share), np.maximum(high, share), Source("draws", draws))


def of_probabilities(probability: ArrayLike, source: Source) -> Estimate:
    """Probabilities of outputs, each with an interval of its own, from one law.

    From n draws they are shares of counts. A mean over n directions is one of values in [0, 1],
    whose tails are at most e times those of a share of n draws (Bentkus, "On Hoeffding's
    inequalities", Annals of Probability 32, 2004): Clopper-Pearson's at a level e times smaller.
    """
    value, count = np.asarray(probability, dtype=np.float64), source.count
    if source.is_exact:
        return exact(value)
    share = np.clip(value, 0, 1)  # a sum may pass 1 by its rounding
    level = (1 - CONFIDENCE) / 2 / (math.e if source.kind == "directions" else 1)
    low, high = clopper_pearson(share * count, count, level)
    return Estimate(share, np.minimum(low, share), np.maximum(high, share), source)


def of_shares(mean: ArrayLike, deviation: ArrayLike, source: Source) -> Estimate:
    """Means of n independent values in [0, 1], from their mean and standard deviation.

    Parameters
    ----------
    mean, deviation
        Of any one shape; the deviation over n - 1. It is not looked at where n is 1: one value
        alone has Clopper-Pearson's interval.
    source
        Its count is n.

    """
    from scipy.special import stdtrit

    count = source.count
    share = np.clip(np.asarray(mean, dtype=np.float64), 0, 1)
    low, high = clopper_pearson(share * count, count)
    if count > 1:
        half = stdtrit(count - 1, (1 + CONFIDENCE) / 2) * np.asarray(deviation) / math.sqrt(count)
        few = count * np.minimum(share, 1 - share) < FEW
        low = np.where(few, np.minimum(low, share - half), share - half)
        high = np.where(few, np.maximum(high, share + half), share + half)
    ends = np.clip(np.minimum(low, share), 0, 1), np.clip(np.maximum(high, share), 0, 1)
    return Estimate(share, *ends, source)


def of_totals(totals: ArrayLike, draws: int, source: Source) -> Estimate:
    """The expected number of different outputs of `draws` draws, from groups (…, g) of as many.

    Each group's number lies in [1, draws] and is a self-bounding function of its draws. The result
    has the shape (…,).
    """
    groups = np.asarray(totals, dtype=np.float64)
    count = groups.shape[-1]
    mean = np.clip(groups.mean(axis=-1), 1, draws)
    if draws == 1:
        return exact(mean)
    if count < ENOUGH_GROUPS:
        low, high = (end / count for end in self_bounding(mean * count))
    else:
        low, high = _student(groups)
        for rare, back in ((mean - 1, 1), (draws - mean, -1)):
            few = rare * count < FEW
            ends = tuple(end / count for end in _garwood(rare * count))
            first, last = (1 + ends[0], 1 + ends[1]) if back > 0 else (
                draws - ends[1], draws - ends[0]
            )  # fmt: skip
            low = np.where(few, np.minimum(low, first), low)
            high = np.where(few, np.maximum(high, last), high)
    low, high = np.clip(low, 1, mean), np.clip(high, mean, draws)
    return Estimate(mean, low, high, source)


def _student(groups: Floats) -> tuple[Floats, Floats]:
    """Student's interval of the mean over the last axis."""
    from scipy.special import stdtrit

    count = groups.shape[-1]
    mean = groups.mean(axis=-1)
    half = stdtrit(count - 1, (1 + CONFIDENCE) / 2) * groups.std(axis=-1, ddof=1) / np.sqrt(count)
    return mean - half, mean + half


def _garwood(events: Floats) -> tuple[Floats, Floats]:
    """The exact interval of a Poisson mean; events need not be whole."""
    from scipy.special import gammaincinv

    tail = (1 - CONFIDENCE) / 2
    some = np.maximum(events, 0)
    low = np.where(some > 0, gammaincinv(np.where(some > 0, some, 1), tail), 0.0)
    return low, np.asarray(gammaincinv(some + 1, 1 - tail))


def self_bounding(observed: ArrayLike, tail: float = (1 - CONFIDENCE) / 2) -> tuple[Floats, Floats]:
    """Both ends of the mean of a self-bounding function, from one value of it.

    Each end is wrong with probability `tail` at most: there the bounds of the module's docstring
    give a value at least as extreme that probability.
    """
    total, log_tail = np.asarray(observed, dtype=np.float64), -math.log(tail)
    # t = K - μ solves t² = L (2 μ + 2 t / 3); √μ solves (μ - K)² = 2 μ L.
    linear = 2 * log_tail * (1 - 1 / 3)
    above = (-linear + np.sqrt(linear**2 + 8 * log_tail * total)) / 2
    root = (math.sqrt(2 * log_tail) + np.sqrt(2 * log_tail + 4 * total)) / 2
    return np.asarray(total - above), np.asarray(root**2)


def support_margin(eta: float, count: int) -> float:
    """The η' ≥ η whose empirical η'-support is a lower bound of the η-support, with confidence.

    Words that hold 1 - η of the law hold in n draws at least the lower 2.5 % quantile of a binomial
    share of 1 - η; so the fewest words that hold that much cannot be more.
    """
    from scipy.special import bdtrik

    if eta == 0:
        return 0.0
    least = math.ceil(float(bdtrik((1 - CONFIDENCE) / 2, count, 1 - eta)))
    return 1 - min(max(least, 0), count * (1 - eta)) / count
