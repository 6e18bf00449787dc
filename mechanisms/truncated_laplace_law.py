"""The truncated Laplace law in numbers: scale, support and mass, as published and as repaired."""

from __future__ import annotations

import math

import numpy as np

from mechanisms.number_cache import number_cache


@number_cache(maxsize=256)
def extended_dimensions(epsilon: float, delta: float, dimensions: int) -> int:
    """The smallest d' ≥ d with ε ≤ 2 δ^(1/d') √d': Theorem 3 with dummy dimensions."""

    def suffices(candidate: int) -> bool:
        return math.log(epsilon) <= _log_threshold(delta, candidate)

    if suffices(dimensions):
        return dimensions
    low, high = dimensions, 2 * dimensions
    while not suffices(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return high


def _log_threshold(delta: float, dimensions: int) -> float:
    """ln(2 δ^(1/d) √d); d may lie beyond the largest float."""
    log_dimensions = math.log(dimensions)
    return math.log(2) + math.log(delta) * math.exp(-log_dimensions) + log_dimensions / 2


@number_cache(maxsize=256)
def published_law(epsilon: float, delta: float, dimensions: int) -> tuple[float, float, float]:
    """2Cα, αA and α(A - 2C) by Theorem 3."""
    extended = extended_dimensions(epsilon, delta, dimensions)
    rate = math.exp(math.log(epsilon) - math.log(extended) / 2)
    share = math.exp(math.log(epsilon) - _log_threshold(delta, extended))
    reach = math.inf if share >= 1 else -math.log1p(-share)
    return rate, reach, reach - rate


@number_cache(maxsize=256)
def repaired_law(epsilon: float, delta: float, dimensions: int) -> tuple[float, float, float]:
    """2Cα, αA and α(A - 2C) from p(2C) = δ/√d."""
    root = math.sqrt(dimensions)
    rate = epsilon / root
    # ln(e^-rate + √d (1 - e^-rate) / (2δ)): the logarithm in A's formula, less the rate.
    outside = math.log(root / 2) - math.log(delta) + math.log(-math.expm1(-rate))
    excess = max(0.0, float(np.logaddexp(-rate, outside)))
    return rate, rate + excess, excess
