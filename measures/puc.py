"""PUC: privacy and utility in one number, by a weight α that is chosen beforehand.

Equation 4 of the benchmark, every measure in percent:

    PUC = α · 100 · Acc / B-Acc + (1 - α) · ((100 - N_w) + S_w + PP + CS + (100 - LOW)) / 5

"B-Acc" is one name, that of the accuracy without any mechanism: the first term is the share of it
that is left. Every cell of the benchmark's Table 9 that is not a misprint follows from that.

Definition 5.1 is the same for any measures: with U the utilities, each in percent of its value
without a mechanism, P↑ and P↓ the measures of privacy that should be high and low, and M the
largest score,

    PUC = α · mean(U) + (1 - α) · mean(P↑ and M - P↓).

The paper weighs the measures of a side alike and leaves other weights to further work; here the
means may be weighted. On its measures and with equal weights that is Equation 4.

α is meant to be chosen before a result is seen: it is a preference, not something to tune. With
another α the order of mechanisms may turn round.

Reference  Meisenbacher et al., "A Comparative Analysis of Word-Level Metric Differential Privacy:
           Benchmarking the Privacy-Utility Trade-off", LREC-COLING 2024, Equations 4 and 5
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mechanisms.vocabulary import Floats

# By how much of M rounding may carry a score beyond it.
_ROUNDING = 1e-6


@dataclass(frozen=True)
class Composite:
    """A composite score, and the measures that it had to do without."""

    score: Floats
    missing: tuple[str, ...]


def puc(
    accuracy: ArrayLike,
    baseline: ArrayLike,
    n_w: ArrayLike,
    s_w: ArrayLike,
    pp: ArrayLike,
    cs: ArrayLike,
    low: ArrayLike,
    alpha: ArrayLike,
) -> Floats:
    """The PUC score by Equation 4; arrays broadcast against each other.

    Parameters
    ----------
    accuracy, baseline
        Accuracy on private text and on the original, in percent (any unit they share will do).
    n_w, s_w
        Words that stay unchanged, in percent; different outputs in 100 draws.
    pp
        Words of the text that changed, in percent.
    cs
        100 times the cosine similarity of the sentences before and after.
    low
        Least frequent words of the original that are still there, in percent.
    alpha
        Weight of utility, in [0, 1].

    Raises
    ------
    ValueError
        If a value is not finite or outside its range; the message names it.

    """
    base = np.asarray(baseline, dtype=np.float64)
    if not (np.isfinite(base) & (base > 0)).all():
        raise ValueError(f"PUC: B-Acc (baseline) must lie in (0, inf); got {base}.")
    left = 100 * np.asarray(accuracy, dtype=np.float64) / base
    higher = {"S_w": s_w, "PP": pp, "CS": cs}
    lower = {"N_w": n_w, "LOW": low}
    return composite({"accuracy": left}, higher, lower, alpha).score


def composite(
    utility: Mapping[str, ArrayLike | None],
    higher: Mapping[str, ArrayLike | None],
    lower: Mapping[str, ArrayLike | None],
    alpha: ArrayLike,
    maximum: float = 100.0,
    weights: Mapping[str, float] | None = None,
) -> Composite:
    """The composite score by Definition 5.1; arrays broadcast against each other.

    Parameters
    ----------
    utility
        Measures of utility by name, as a share of `maximum` of their value without a mechanism.
    higher, lower
        Measures of privacy by name, those that should be high and those that should be low. They
        lie in [-maximum, maximum], since a similarity may be negative.
    alpha
        Weight of utility, in [0, 1].
    maximum
        M, the largest score.
    weights
        Weights of measures by name within their side, 1 if none is given; only their ratios
        count. A measure of weight 0 is left out.

    A measure that is None is missing: the means are over the others, and `missing` names it.

    Raises
    ------
    ValueError
        If a value or a weight is not finite or outside its range, if a name stands on two
        sides or a weight on none, or if a side that has weight has no measure at all.

    """
    weight = np.asarray(alpha, dtype=np.float64)
    if not ((weight >= 0) & (weight <= 1)).all():
        raise ValueError(f"PUC: α (alpha) must lie in [0, 1]; got {weight}.")
    if not 0 < maximum < np.inf:
        raise ValueError(f"PUC: M (maximum) must lie in (0, inf); got {maximum:g}.")
    names = [*utility, *higher, *lower]
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"PUC: a measure must be on one side only; got {repeated[0]} twice.")
    shares = _checked_weights(weights or {}, names)
    gained = {n: _checked(n, value, np.inf) for n, value in utility.items() if value is not None}
    kept = {n: _checked(n, value, maximum) for n, value in higher.items() if value is not None}
    kept |= {
        n: maximum - _checked(n, value, maximum) for n, value in lower.items() if value is not None
    }
    useful = _mean(gained, shares, "utility", needed=bool((weight > 0).any()))
    private = _mean(kept, shares, "privacy", needed=bool((weight < 1).any()))
    score = np.asarray(weight * useful + (1 - weight) * private, dtype=np.float64)
    sides = {**utility, **higher, **lower}
    return Composite(score, tuple(name for name, value in sides.items() if value is None))


def _checked(name: str, value: ArrayLike, maximum: float) -> Floats:
    array = np.asarray(value, dtype=np.float64)
    wide = maximum * (1 + _ROUNDING)
    if not (np.isfinite(array) & (abs(array) <= wide)).all():
        interval = f"[-{maximum:g}, {maximum:g}]" if np.isfinite(maximum) else "(-inf, inf)"
        raise ValueError(f"PUC: {name} must lie in {interval}; got {array}.")
    return array


def _checked_weights(weights: Mapping[str, float], names: list[str]) -> dict[str, float]:
    """The weight of every measure."""
    for name, weight in weights.items():
        if name not in names:
            raise ValueError(f"PUC: a weight must belong to a measure; got one of {name}.")
        if not 0 <= weight < np.inf:
            raise ValueError(f"PUC: the weight of {name} must lie in [0, inf); got {weight:g}.")
    return {name: float(weights.get(name, 1.0)) for name in names}


def _mean(
    values: Mapping[str, Floats], weights: Mapping[str, float], side: str, needed: bool
) -> Floats:
    """The weighted mean over the measures that weigh anything."""
    counted = {name: value for name, value in values.items() if weights[name] > 0}
    if not counted and needed:
        raise ValueError(f"PUC: at least one measure of {side} is needed, since it has weight.")
    if not counted:
        return np.zeros(())
    mean = np.zeros(())
    for name, value in counted.items():
        mean = mean + weights[name] * value
    return np.asarray(mean / sum(weights[name] for name in counted))
