"""What the words of a document are promised together: their promises add up.

Two documents of n words whose i-th words lie d_i apart are told apart by no more than the words are
one by one (Dwork and Roth 2014, Theorem 3.16):

metric DP    log ratio at most Σ ε_i d_i; with one ε, n ε times the mean distance (the sum metric)
pure DP      Σ ε_i
(ε, δ)-DP    (Σ ε_i, Σ δ_i): δ adds up too. From Σ δ_i >= 1 on this says nothing at all

Gaussian noise is told apart less than that. One word's noisy vector is μ-GDP with μ = Δ₂/σ, and n
of them together are √(Σ μ_i²)-GDP, no less (Dong, Roth and Su 2022, Corollary 3.3 in the numbering
of arXiv:1905.02383), which is (ε, δ)-DP for every ε with

    δ(ε) = Φ(-ε/μ + μ/2) - e^ε Φ(-ε/μ - μ/2)      (Corollary 2.13).

It is stated at the δ of one word, beside the sums. Released words follow from the noisy vectors
alone, so the promise carries over to them.

Reference  Dwork and Roth, "The Algorithmic Foundations of Differential Privacy", 2014
           Dong, Roth and Su, "Gaussian Differential Privacy", JRSS B 2022
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from scipy.optimize import brentq

from mechanisms.base import Guarantee
from mechanisms.gaussian_delta import log_gaussian_delta

WORRYING_DELTA = 0.01
"""A total δ from which on it is warned of."""

_LARGEST_MU = 1e6


class Bound(NamedTuple):
    """ε and δ of one (ε, δ) promise."""

    epsilon: float
    delta: float


@dataclass(frozen=True)
class DocumentPromise:
    """The promise of some words together."""

    words: float
    epsilon: Mapping[str, float]
    """Total ε by the name of the distance it is stated in; for metric DP per unit of the mean
    distance by which the words are exchanged."""
    delta: float
    """Total δ as it adds up, also beyond 1."""
    gaussian: Bound | None = None
    """The tight bound for all of these words, where every noise is Gaussian; stated at the δ of one
    word."""

    @property
    def total_epsilon(self) -> float:
        """The total ε, where all of it is stated in one distance."""
        if len(self.epsilon) != 1:
            raise ValueError(f"Promise: ε is stated in {len(self.epsilon)} distances, not in one.")
        return next(iter(self.epsilon.values()))

    @property
    def warning(self) -> str:
        """What a large total δ means, in a sentence; empty below `WORRYING_DELTA`."""
        if self.delta < WORRYING_DELTA:
            return ""
        if self.delta < 1:
            return (
                f"The total δ is {self.delta:.3g}: whatever ε is, an event may be more probable "
                "by that much under one text than under another."
            )
        nothing = f"The total δ is {self.delta:.3g}. A total δ of 1 or more promises nothing"
        if self.gaussian is None:
            return f"{nothing}, so this promise does not cover a text of so many words."
        return f"{nothing}; only the bound for Gaussian noise remains."


def document_promise(
    guarantee: Guarantee, words: float, *others: tuple[Guarantee, float]
) -> DocumentPromise | None:
    """The promise of a document with so many drawn words; None if any of them has none.

    Parameters
    ----------
    guarantee, words
        The promise of each word, and the number of words, every occurrence counted. A mean may be a
        fraction.
    others
        Further words with a promise of another kind, such as unknown ones, and their numbers.

    Raises
    ------
    ValueError
        For a negative number of words.

    """
    parts = [(guarantee, words), *others]
    if negative := [count for _, count in parts if not count >= 0]:
        raise ValueError(f"Promise: the number of words must be at least 0; got {negative[0]:g}.")
    parts = parts[:1] + [part for part in parts[1:] if part[1]]
    if any(each.notion == "none proven" or not each.holds for each, _ in parts):
        return None
    epsilon: dict[str, float] = {}
    for each, count in parts:
        name = each.distance.name
        epsilon[name] = epsilon.get(name, 0.0) + count * each.epsilon
    return DocumentPromise(
        sum(count for _, count in parts),
        epsilon,
        math.fsum(count * each.delta for each, count in parts),
        _gaussian(parts),
    )


def gaussian_epsilon(mu: float, delta: float) -> float:
    """The smallest ε >= 0 at which μ-GDP is (ε, δ)-DP, for μ >= 0 and δ in (0, 1).

    Above μ = 10⁶ a bound on it, less than 10⁻⁴ too large; inf if μ² is beyond the largest float.
    """
    if mu == 0 or math.erf(mu / math.sqrt(8)) <= delta:  # δ(0) = 2 Φ(μ/2) - 1
        return 0.0
    # δ(ε) <= Φ(μ/2 - ε/μ) <= e^(-t²/2) with t = ε/μ - μ/2: at this ε it is at most δ.
    most = mu * (mu / 2 + math.sqrt(-2 * math.log(delta)))
    if mu > _LARGEST_MU:  # μ/2 and ε/μ have too few digits in common left
        return most
    least = most * 1e-12
    log_delta = math.log(delta)
    if log_gaussian_delta(least, 1 / mu) <= log_delta:
        return least
    return float(brentq(lambda e: log_gaussian_delta(e, 1 / mu) - log_delta, least, most))


def _gaussian(parts: list[tuple[Guarantee, float]]) -> Bound | None:
    known = [(each.gaussian_mu, each.delta, count) for each, count in parts if count]
    if not known or any(mu is None for mu, _, _ in known):
        return None
    delta = min(delta for _, delta, _ in known)
    mu = math.hypot(*(mu * math.sqrt(count) for mu, _, count in known if mu is not None))
    return Bound(gaussian_epsilon(mu, delta), delta)
