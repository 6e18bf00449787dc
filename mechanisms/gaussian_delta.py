"""The exact δ of Gaussian noise, and its inverses in σ and in ε, at every ε and free of overflow.

Reference  Balle and Wang, "Improving the Gaussian Mechanism for Differential Privacy", ICML 2018
"""

from __future__ import annotations

import math

from scipy.optimize import brentq
from scipy.special import erfcx

from mechanisms.number_cache import number_cache

# Beyond these ends the ε of a σ is not followed.
_SMALLEST, _LARGEST = 1e-12, 1e12


def log_gaussian_delta(epsilon: float, relative_sigma: float) -> float:
    """The logarithm of the smallest δ of the Gaussian mechanism with σ = relative_sigma · Δ₂.

    With s = σ/Δ₂, δ = Φ(1/(2s) - ε s) - e^ε Φ(-1/(2s) - ε s): Balle and Wang 2018, Theorem 8.
    """
    return _log_delta(epsilon, _ROOT_HALF * (epsilon * relative_sigma - 0.5 / relative_sigma))


@number_cache(maxsize=256)
def analytic_sigma(epsilon: float, delta: float) -> float:
    """The smallest σ / Δ₂ for which Gaussian noise is (ε, δ)-DP: Balle and Wang 2018, Algorithm 1.

    ε above 0 and δ in (0, 1), both without other limits.
    """
    # δ falls in x; beyond these ends it is nearer to 1, or to 0, than a float can tell.
    x = brentq(
        lambda x: _log_delta(epsilon, x) - math.log(delta), -30, 30, xtol=1e-300, maxiter=2000
    )
    return _ROOT_HALF / _gap(epsilon, x)


def analytic_epsilon(relative_sigma: float, delta: float) -> float:
    """The smallest ε for which noise of σ/Δ₂ is (ε, δ)-DP; 0 if that holds for every ε."""
    if relative_sigma == 0 or not math.isfinite(relative_sigma):
        return math.inf if relative_sigma == 0 else 0.0

    def excess(log_epsilon: float) -> float:
        epsilon = math.exp(log_epsilon)
        # Far out, where δ is 0 or 1 as far as a float can tell, its sign decides.
        lean = epsilon * relative_sigma - 0.5 / relative_sigma
        if abs(lean) > 40:
            return -math.copysign(800, lean)
        return log_gaussian_delta(epsilon, relative_sigma) - math.log(delta)

    low, high = math.log(_SMALLEST), math.log(_LARGEST)
    if excess(low) <= 0:
        return 0.0
    if excess(high) >= 0:
        return math.inf
    return math.exp(brentq(excess, low, high, xtol=1e-12))


_ROOT_HALF = math.sqrt(0.5)


def _gap(epsilon: float, x: float) -> float:
    """The gap h = sqrt(x² + ε) - x, without cancellation; it equals Δ₂ / (√2 σ)."""
    root = math.hypot(x, math.sqrt(epsilon))
    return max(epsilon / (root + x) if x > 0 else root - x, math.ulp(0.0))


def _log_delta(epsilon: float, x: float) -> float:
    """The logarithm of δ as a function of x = (ε s - 1/(2s)) / √2.

    In x the two arguments of Φ are -√2 x and -√2 (x + h), and e^ε is used up by completing a
    square: δ = ½ e^(-x²) (E(x) - E(x + h)) with E(x) = e^(x²) erfc(x), free of overflow.
    """
    h = _gap(epsilon, x)
    if x < -0.7:  # E would grow without bound, and δ is near 1
        return math.log((math.erfc(x) - math.exp(-x * x) * float(erfcx(x + h))) / 2)
    if h < 1e-5:  # the difference of two nearly equal numbers, by E' at the middle
        middle = x + h / 2
        difference = 2 / math.sqrt(math.pi) - 2 * middle * erfcx(middle)
        return -x * x - math.log(2) + math.log(h) + math.log(difference)
    return -x * x - math.log(2) + math.log(erfcx(x) - erfcx(x + h))
