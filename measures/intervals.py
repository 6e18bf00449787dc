"""Estimates of what was counted or measured: intervals hold the truth with 95 % confidence.

of_share   a share of things that were counted: Clopper-Pearson (1934). Where they come in groups,
           such as the words of a text, things of a group may go together; then by Korn and
           Graubard, "Confidence intervals for proportions with small expected number of positive
           counts", Survey Methodology 24 (1998): Clopper-Pearson with as many independent things
           as would spread like the groups do
of_mean    a mean of values: Student's
bootstrap  any other statistic: the percentiles over resampled data (Efron 1979)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.estimate import (
    CONFIDENCE,
    ENOUGH_GROUPS,
    Estimate,
    Kind,
    Source,
    clopper_pearson,
    single,
    unknown,
)
from mechanisms.randomness import seeded_rng
from mechanisms.vocabulary import Floats


def of_mean(
    values: ArrayLike, least: float = -math.inf, most: float = math.inf, *, of: Kind = "values"
) -> Estimate:
    """The mean of independent values (n,), with Student's interval.

    Parameters
    ----------
    values
        At least one. Of one value alone the spread is not known: the interval is all there is.
    least, most
        Between which values can lie: the interval ends there.
    of
        The things that the values are of.

    """
    from scipy.special import stdtrit

    array = _checked("of_mean", values)
    count, mean = len(array), min(max(float(array.mean()), least), most)  # a sum may be rounded
    if count == 1:
        return unknown(mean, least, most)
    half = float(stdtrit(count - 1, (1 + CONFIDENCE) / 2) * array.std(ddof=1) / math.sqrt(count))
    return single(mean, max(least, mean - half), min(most, mean + half), Source(of, count))


def of_share(successes: ArrayLike, total: ArrayLike, *, of: Kind = "values") -> Estimate:
    """A share in [0, 1] of things counted, with its exact interval.

    Parameters
    ----------
    successes, total
        One count each for independent things; or a count a group (n,), where things of a group may
        go together and groups are independent. Groups can only make the interval wider; if fewer
        than ten (or not all of fewer) have a success, or a failure, a group counts as one thing.
    of
        The groups, or the things if there is one count.

    Raises
    ------
    ValueError
        If nothing was counted, or successes lie outside of [0, total].

    """
    from scipy.special import stdtrit

    counted, whole = np.broadcast_arrays(np.atleast_1d(successes), np.atleast_1d(total))
    if not ((counted >= 0) & (counted <= whole)).all() or not whole.sum() > 0:
        raise ValueError(
            "of_share: successes must lie in [0, total], and total above 0; got "
            f"{counted.tolist()!r:.100} of {whole.tolist()!r:.100}."
        )
    groups = int((whole > 0).sum())
    everything = float(whole.sum())
    share = float(counted.sum() / everything)
    effective: float = everything
    if groups > 1 and 0 < share < 1:
        # The variance of a ratio of sums over groups, and Student's quantile for so few of them.
        residuals = float(((counted - share * whole) ** 2).sum())
        variance = residuals * groups / (groups - 1) / everything**2
        tail = (1 + CONFIDENCE) / 2
        fewer = float(stdtrit(everything - 1, tail) / stdtrit(groups - 1, tail)) ** 2
        if variance * everything > share * (1 - share) * fewer:
            effective = share * (1 - share) / variance * fewer
    low, high = clopper_pearson(share * effective, effective)
    mixed = min(int((counted > 0).sum()), int((counted < whole).sum()))
    if groups > 1 and mixed < min(groups, ENOUGH_GROUPS):
        # So few groups say nothing of how far the others go together: each may be one thing.
        things = everything**2 / float((whole.astype(np.float64) ** 2).sum())
        fewest, most = clopper_pearson(share * things, things)
        low, high = np.minimum(low, fewest), np.maximum(high, most)
    source = Source(of, groups if groups > 1 else int(everything))
    return single(share, float(low), float(high), source)


def bootstrap(
    statistic: Callable[..., float],
    *arrays: ArrayLike,
    seed: int,
    resamples: int = 1000,
    of: Kind = "values",
) -> Estimate:
    """A statistic of n observations, with the percentiles over resampled ones.

    The interval reaches to the statistic if all percentiles lie on one side of it.

    Parameters
    ----------
    statistic
        Of the arrays, all resampled alike, such as a macro-F1 of labels and predictions.
    arrays
        One or more, observations along the first axis.
    seed
        Of the resampling; the same seed gives the same interval.
    resamples
        How often it is computed.
    of
        The observations.

    """
    data: list[NDArray[Any]] = [np.asarray(array) for array in arrays]
    count = len(data[0])
    if not count or any(len(array) != count for array in data):
        raise ValueError(
            "bootstrap: arrays must have as many observations, at least one; got "
            f"{[len(array) for array in data]}."
        )
    rng = seeded_rng(seed)
    drawn = [
        statistic(*(array[pick] for array in data))
        for pick in (rng.integers(count, size=count) for _ in range(resamples))
    ]
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(drawn, [tail, 100 - tail])
    value = float(statistic(*data))
    return single(value, min(float(low), value), max(float(high), value), Source(of, count))


ENDS = ("", "_from", "_to")
"""Endings of the three columns of an estimate in a table."""


def from_columns(line: Mapping[str, str], name: str, source: Source) -> Estimate:
    """The estimate of one line of a table, from its three columns."""
    value, low, high = (float(line[f"{name}{end}"]) for end in ENDS)
    return single(value, low, high, source)


def _checked(what: str, values: ArrayLike) -> Floats:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or not len(array) or not np.isfinite(array).all():
        raise ValueError(f"{what}: finite values are needed, at least one; got {values!r:.200}.")
    return array
