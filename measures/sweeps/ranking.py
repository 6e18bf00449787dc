"""Which setting is best at which α: the order, where it turns round, and what nothing beats.

A setting has a utility U and a privacy P, both scores on one scale (`measures.puc`), and

    PUC(α) = α U + (1 - α) P

is a straight line over α. So two settings change places at one α at most,

    α* = D_P / (D_P - D_U),   D_U = U₁ - U₂, D_P = P₁ - P₂,

which lies in (0, 1) exactly where one is ahead in utility and the other in privacy. A mechanism
that may choose among its settings (its ε) has the upper envelope of their lines, and mechanisms
change places where envelopes meet; all of that is computed from the lines, not read off a grid.

The Pareto front holds the settings that no other beats on one side without losing on the other.
Whatever α, the best setting is on it; yet a setting on the front need not be best at any α.

Ties go to the setting that is listed first.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from measures.puc import composite
from mechanisms.vocabulary import Floats

Order = NDArray[np.int64]

# Places where the order changes that lie closer than this are one place.
_SAME_ALPHA = 1e-12


class Reign(NamedTuple):
    """A setting, and between which α it is best."""

    setting: int
    low: float
    high: float


class Segment(NamedTuple):
    """The order of groups between two α: group numbers, best first."""

    low: float
    high: float
    order: tuple[int, ...]


def scores(utility: ArrayLike, privacy: ArrayLike, alpha: ArrayLike) -> Floats:
    """PUC of settings (n,) at one α, or at several: (n, a)."""
    weights = np.asarray(alpha, dtype=np.float64)
    shape = (-1, *(1,) * weights.ndim)
    u, p = (np.reshape(np.asarray(side, dtype=np.float64), shape) for side in (utility, privacy))
    return composite({"utility": u}, {"privacy": p}, {}, weights).score


def order(utility: ArrayLike, privacy: ArrayLike, alpha: float) -> Order:
    """Settings from the best to the worst at one α (n,)."""
    return np.argsort(-scores(utility, privacy, alpha), kind="stable")


def reigns(utility: ArrayLike, privacy: ArrayLike) -> list[Reign]:
    """Who is best from α = 0 to α = 1: the upper envelope of the lines, in order."""
    u, p = np.asarray(utility, dtype=np.float64), np.asarray(privacy, dtype=np.float64)
    steep = u - p
    # At α = 0 privacy decides, just behind it also utility.
    best = int(np.lexsort((np.arange(len(u)), -u, -p))[0])
    found: list[Reign] = []
    start = 0.0
    while True:
        steeper = np.flatnonzero(steep > steep[best])
        meet = (p[best] - p[steeper]) / (steep[steeper] - steep[best])
        inside = meet < 1
        steeper, meet = steeper[inside], meet[inside]
        if not len(steeper):
            return [*found, Reign(best, start, 1.0)]
        end = max(float(meet.min()), start)
        found.append(Reign(best, start, end))
        # Of those that meet at one α, the steepest is best behind it.
        there = steeper[meet <= end + _SAME_ALPHA]
        best, start = int(there[np.argmax(steep[there])]), end


def groups(labels: Sequence[Hashable]) -> tuple[list[Hashable], Order]:
    """The different labels in order, and the number of each setting's label (n,)."""
    number = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    return list(number), np.array([number[label] for label in labels], dtype=np.int64)


def best_of_groups(
    utility: ArrayLike, privacy: ArrayLike, group: ArrayLike, alpha: float
) -> list[int]:
    """The best setting of each group at one α, the best first."""
    number = np.asarray(group)
    best: dict[int, int] = {}
    for setting in order(utility, privacy, alpha):
        best.setdefault(int(number[setting]), int(setting))
    return list(best.values())


def segments(utility: ArrayLike, privacy: ArrayLike, group: ArrayLike) -> list[Segment]:
    """The order of groups over all α, each by its best setting there; it changes between segments.

    Parameters
    ----------
    utility, privacy
        Of settings (n,).
    group
        Number of the group of each setting (n,), from 0.

    """
    u, p = np.asarray(utility, dtype=np.float64), np.asarray(privacy, dtype=np.float64)
    number = np.asarray(group)
    kept = [
        rows[reign.setting]
        for g in range(int(number.max(initial=-1)) + 1)
        if len(rows := np.flatnonzero(number == g))
        for reign in reigns(u[rows], p[rows])
        if reign.high > reign.low
    ]
    u, p, number = u[kept], p[kept], number[kept]
    one, two = np.triu_indices(len(kept), 1)
    by_u, by_p = u[one] - u[two], p[one] - p[two]
    meets = (by_u * by_p < 0) & (number[one] != number[two])
    alphas = np.unique(by_p[meets] / (by_p[meets] - by_u[meets]))
    ends = [0.0]
    ends += [float(a) for a in alphas if _SAME_ALPHA < a < 1 - _SAME_ALPHA]
    ends = [end for i, end in enumerate(ends) if i == 0 or end - ends[i - 1] > _SAME_ALPHA] + [1.0]
    found: list[Segment] = []
    for low, high in zip(ends[:-1], ends[1:], strict=True):
        here = best_of_groups(u, p, number, (low + high) / 2)
        ranked = tuple(int(number[setting]) for setting in here)
        if found and found[-1].order == ranked:
            found[-1] = found[-1]._replace(high=high)
        else:
            found.append(Segment(low, high, ranked))
    return found


def pareto(utility: ArrayLike, privacy: ArrayLike) -> NDArray[np.bool_]:
    """Which settings (n,) no other one beats: better on one side and no worse on the other."""
    u, p = np.asarray(utility, dtype=np.float64), np.asarray(privacy, dtype=np.float64)
    no_worse = (u >= u[:, None]) & (p >= p[:, None])
    better = (u > u[:, None]) | (p > p[:, None])
    return np.asarray(~(no_worse & better).any(axis=1))
