"""TEM's threshold γ, its failure probability β and ε: any two give the third (Theorem 4.2).

TEM leaves the ball of radius γ around its input with probability at most β as soon as

    γ >= (2 / ε) ln((1 - β) (|W| - 1) / β).

The worst case behind it has the input alone in its ball and all other words outside. The three
functions solve the equality. They are exact, and nothing is rounded. A value at or below zero
means that any positive one will do; with a single word nothing can be left (γ = -inf, β = 0).

With a base measure q (`unigram_tem`) the other words weigh (1 - q) / q times as much as the input,
in place of |W| - 1 times: `gamma_for_share`.

Source: Carvalho et al., "TEM: High Utility Metric Differential Privacy on Text", SDM 2023,
Theorem 4.2 and its proof.
"""

from __future__ import annotations

import math
from fractions import Fraction

from scipy.special import expit

from mechanisms.parameters import Parameter

_EPSILON = Parameter("ε", "privacy budget per unit of distance", above=0)
_BETA = Parameter("β", "largest probability of leaving the ball", above=0, below=1)


def gamma_for(epsilon: float, beta: float, vocabulary_size: int) -> float:
    """γ = (2 / ε) ln((1 - β)(|W| - 1) / β), in units of distance.

    >>> round(gamma_for(epsilon=4, beta=0.001, vocabulary_size=30_000), 3)
    8.608
    """
    _check(vocabulary_size, epsilon=epsilon, beta=beta)
    return 2 * _log_odds(beta, Fraction(int(vocabulary_size - 1))) / epsilon


def gamma_for_share(epsilon: float, beta: float, smallest: float) -> float:
    """γ = (2 / ε) ln((1 - β)(1 - q) / (β q)), q the smallest share of a word in a base measure.

    With q = 1 / |W| it is `gamma_for`.

    >>> gamma_for_share(epsilon=4, beta=0.001, smallest=1 / 1024) == gamma_for(4, 0.001, 1024)
    True
    """
    if not 0 < smallest <= 1:
        raise ValueError(
            f"γ: the smallest share q must be above 0 and at most 1; got {smallest:g}."
        )
    _check(1, epsilon=epsilon, beta=beta)
    share = Fraction(smallest)
    return 2 * _log_odds(beta, (1 - share) / share) / epsilon


def beta_for(epsilon: float, gamma: float, vocabulary_size: int) -> float:
    """β = K / (K + e^(ε γ / 2)) with K = |W| - 1, a probability."""
    _check(vocabulary_size, epsilon=epsilon, gamma=gamma)
    if vocabulary_size == 1:
        return 0.0
    return float(expit(math.log(vocabulary_size - 1) - epsilon * gamma / 2))


def epsilon_for(gamma: float, beta: float, vocabulary_size: int) -> float:
    """ε = (2 / γ) ln((1 - β)(|W| - 1) / β), per unit of distance. γ must not be 0."""
    _check(vocabulary_size, gamma=gamma, beta=beta)
    if gamma == 0:
        raise ValueError("Theorem 4.2: γ (gamma) must not be 0 when ε is sought; got 0.")
    return 2 * _log_odds(beta, Fraction(int(vocabulary_size - 1))) / gamma


def _log_odds(beta: float, others: Fraction) -> float:
    """ln((1 - β) K / β), to the last digits also if the quotient is near 1.

    K is the weight of all other words over that of the input: |W| - 1 if all are equal.
    """
    if others == 0:
        return -math.inf
    logarithm = math.log1p(-beta) - math.log(beta) + math.log(others)
    if abs(logarithm) > 0.5:
        return logarithm
    # The three terms cancel. As a fraction the quotient is exact, and so is its distance from 1.
    exact = Fraction(beta)
    return math.log1p(float((1 - exact) * others / exact - 1))


def _check(
    vocabulary_size: int,
    *,
    epsilon: float | None = None,
    beta: float | None = None,
    gamma: float | None = None,
) -> None:
    if not math.isfinite(vocabulary_size) or vocabulary_size % 1 or vocabulary_size < 1:
        raise ValueError(
            f"Theorem 4.2: |W| must be a whole number and at least 1; got {vocabulary_size}."
        )
    if epsilon is not None and (problem := _EPSILON.problem(epsilon)):
        raise ValueError(f"Theorem 4.2: ε (epsilon) {problem}")
    if beta is not None and (problem := _BETA.problem(beta)):
        raise ValueError(f"Theorem 4.2: β (beta) {problem}")
    if gamma is not None and math.isnan(gamma):
        raise ValueError("Theorem 4.2: γ (gamma) must be a number; got nan.")
