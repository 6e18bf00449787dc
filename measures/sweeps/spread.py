r"""How far values of one sweep may be off, and off *together*: what comparing them rests on.

Values v (n,) of settings on the same things are wrong in the same direction, so their difference is
known better than either. `Spread` holds the covariance of their errors as a factor,

    Cov(v) = F Fᵀ + diag(s),

F (n, k) from what every thing says of every setting: setting i has the influence

    φ_i(t) = Σ_m w_m (x_im(t) - x̄_im)       x_im(t): measure m of thing t, w_m its weight

and the mean over n things has the covariance Σ_t φ_i(t) φ_j(t) / (n (n - 1)). That is the paired
interval of a difference: Student's over x_i(t) - x_j(t). N_w and S_w look at the same words, so
their influences are added word by word. Things of different kinds (texts tested, texts compared,
groups of texts, words) are taken as independent: a text is seldom of two kinds, and then its errors
have a correlation of 0.16 at most in these samples.

s holds the errors that settings do not share: of a measure whose row has no such list, half of its
interval over 1.96, squared; and what a measure lacks whose things are all but equal, where the
spread between things says nothing: there Clopper and Pearson's interval is the wider one. A value
of which nothing is known has an infinite s: no comparison decides it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mechanisms.estimate import CONFIDENCE, ENOUGH_GROUPS, clopper_pearson
from mechanisms.vocabulary import Floats


def _normal_quantile() -> float:
    from scipy.special import ndtri

    return float(ndtri((1 + CONFIDENCE) / 2))


NORMAL = _normal_quantile()
"""The normal law's quantile: half of an interval over the standard error."""


@dataclass(frozen=True, eq=False)
class Spread:
    """The covariance of the errors of values (n,): F Fᵀ + diag(s)."""

    factor: Floats
    """F (n, k)."""
    own: Floats
    """s (n,): variances of errors that no other value shares; infinite where unknown."""
    things: float
    """The fewest things that a value is the mean of; infinite where none was listed."""

    @property
    def variance(self) -> Floats:
        """The variance of each value (n,)."""
        return np.asarray(np.einsum("nk,nk->n", self.factor, self.factor) + self.own)

    def at(self, weights: Floats) -> Spread:
        """The spread of weighted sums of the values: weights (m, n)."""
        own = np.einsum("mn,n->m", weights**2, np.where(np.isinf(self.own), 0.0, self.own))
        own[((weights != 0) & np.isinf(self.own)).any(axis=1)] = np.inf
        # The sums share the values' own errors, too: as columns of the factor.
        sure = np.sqrt(np.where(np.isinf(self.own), 0.0, self.own))
        used = (weights != 0).any(axis=0) & (sure > 0)
        factor = np.hstack([weights @ self.factor, (weights * sure)[:, used]])
        return Spread(factor, np.where(np.isinf(own), np.inf, 0.0), self.things)

    def difference(self, one: ArrayLike, two: ArrayLike) -> Floats:
        """The standard errors of differences between values, by their numbers (p,), (p,)."""
        i, j = np.asarray(one), np.asarray(two)
        shared = self.factor[i] - self.factor[j]
        squared = np.einsum("pk,pk->p", shared, shared) + self.own[i] + self.own[j]
        return np.asarray(np.sqrt(squared))

    def drawn(self, rng: np.random.Generator, count: int) -> Floats:
        """Normal errors of the values (count, n); NaN if the spread is unknown."""
        shared = rng.standard_normal((count, self.factor.shape[1])) @ self.factor.T
        own = np.where(np.isinf(self.own), np.nan, self.own)
        return np.asarray(shared + rng.standard_normal(shared.shape) * np.sqrt(own))

    def reduced(self) -> Spread:
        """The same covariance by a factor that is at most square."""
        count, columns = self.factor.shape
        if columns <= count:
            return self
        triangle: Floats = np.asarray(np.linalg.qr(self.factor.T, mode="r"))
        return Spread(triangle.T, self.own, self.things)


def nothing(count: int) -> Spread:
    """The spread of values without any error."""
    return Spread(np.zeros((count, 0)), np.zeros(count), math.inf)


def influence(values: Floats) -> Floats:
    """What each thing adds to the error of the mean: (x - x̄) / √(n (n - 1)), (n,).

    Things without a value (NaN) add nothing, and the mean is over the others.
    """
    there = ~np.isnan(values)
    count = int(there.sum())
    if count < 2:
        raise ValueError(f"Spread: at least two observations are needed; got {count}.")
    centred = np.where(there, values - values[there].mean(), 0.0)
    return centred / math.sqrt(count * (count - 1))


def lacking(values: Floats) -> float:
    """The variance that the spread of values in [0, 100] lacks where few of them make it up.

    So many make it up as (Σ φ²)² / Σ φ⁴ says: of shares, those at the rarer end.
    """
    there = values[~np.isnan(values)]
    squared = influence(there) ** 2
    if squared.sum() ** 2 >= ENOUGH_GROUPS * (squared**2).sum() > 0:
        return 0.0
    count, share = len(there), float(np.clip(there.mean() / 100, 0, 1))
    low, high = clopper_pearson(share * count, count)
    # The farther end: the interval is not in the middle of its value here.
    half = 100 * float(max(share - low, high - share))
    return max(0.0, (half / NORMAL) ** 2 - float(squared.sum()))


def added(parts: Sequence[Spread]) -> Spread:
    """The spread of a sum of independent values."""
    return Spread(
        np.hstack([part.factor for part in parts]),
        np.sum([part.own for part in parts], axis=0),
        min(part.things for part in parts),
    )


def scaled(part: Spread, weight: float) -> Spread:
    """The spread of values times a number; what is unknown stays so unless the number is 0."""
    own = np.zeros_like(part.own) if weight == 0 else part.own * weight**2
    return Spread(part.factor * weight, own, part.things if weight else math.inf)
