"""The regression of the benchmark's Table 4: how alike sentences stay, from what a mechanism does.

    CS = b₀ + b₁ ε + b₂ N_w + b₃ S_w + b₄ PP + error,

fitted by least squares over settings, every measure in percent. Coefficients are b = X⁺ y, the
standard errors the square roots of the diagonal of s² (XᵀX)⁻¹ with s² = RSS / (n - k), the p-values
those of Student's t with n - k degrees of freedom, and R² = 1 - RSS / TSS.

Intervals are Student's with n - k degrees of freedom, at 95 %. Standard errors take settings as
independent. Those of one mechanism are not, so they come out too small, and the intervals with
them; they are given because the paper gives them.

Reference  Meisenbacher et al., "A Comparative Analysis of Word-Level Metric Differential Privacy:
           Benchmarking the Privacy-Utility Trade-off", LREC-COLING 2024, Table 4
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mechanisms.estimate import CONFIDENCE, Estimate, Source
from mechanisms.vocabulary import Floats

PREDICTORS = ("epsilon", "n_w", "s_w", "pp")
RESPONSE = "cs"
CONSTANT = "const"


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted linear model, an entry a term (k,), the constant first."""

    terms: tuple[str, ...]
    coefficients: Floats
    errors: Floats
    """Standard errors (k,)."""
    p_values: Floats
    r_squared: float
    count: int
    """Settings that were fitted."""

    @property
    def t(self) -> Floats:
        """Coefficients in units of their standard errors (k,)."""
        return np.asarray(self.coefficients / self.errors)

    @property
    def estimates(self) -> Estimate:
        """The coefficients with their 95 % intervals (k,)."""
        return with_intervals(self.coefficients, self.errors, self.count)


def with_intervals(coefficients: ArrayLike, errors: ArrayLike, count: int) -> Estimate:
    """All k coefficients of one fit to `count` settings, from their standard errors (k,)."""
    from scipy.special import stdtrit

    value, spread = (np.asarray(part, dtype=np.float64) for part in (coefficients, errors))
    half = stdtrit(count - len(spread), (1 + CONFIDENCE) / 2) * spread
    return Estimate(value, value - half, value + half, Source("settings", count))


def least_squares(predictors: Mapping[str, ArrayLike], response: ArrayLike) -> Fit:
    """A linear model with a constant, by least squares.

    Parameters
    ----------
    predictors
        Values (n,) by name.
    response
        Values (n,).

    Raises
    ------
    ValueError
        If there are not more settings than terms, if a value is not finite, or if one
        predictor follows from the others.

    """
    from scipy.special import stdtr

    terms = (CONSTANT, *predictors)
    y = np.asarray(response, dtype=np.float64)
    x = np.column_stack([np.ones(len(y)), *(np.asarray(v, float) for v in predictors.values())])
    freedom = len(y) - len(terms)
    if freedom < 1:
        raise ValueError(
            f"Regression: more settings than terms ({len(terms)}) are needed; got {len(y)}."
        )
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("Regression: values must be finite.")
    coefficients, _, rank, _ = np.linalg.lstsq(x, y)
    if rank < len(terms):
        raise ValueError(
            "Regression: no predictor may be a linear combination of the others; one is."
        )
    residual = y - x @ coefficients
    inverse = np.linalg.pinv(x)
    errors = np.sqrt(residual @ residual / freedom * (inverse * inverse).sum(axis=1))
    with np.errstate(divide="ignore"):  # a perfect fit
        p_values = 2 * stdtr(freedom, -np.abs(coefficients / errors))
    centred = y - y.mean()
    r_squared = float(1 - residual @ residual / (centred @ centred))
    return Fit(terms, coefficients, errors, p_values, r_squared, len(y))


def table_4(rows: Sequence[Mapping[str, Any]], *, without: tuple[str, ...] = ()) -> Fit:
    """Table 4's model on rows that have all its columns; the others are left out.

    `without` names predictors to leave out, to see what they add.
    """
    columns = (*PREDICTORS, RESPONSE)
    whole = [row for row in rows if all(_there(row.get(column)) for column in columns)]
    predictors = [name for name in PREDICTORS if name not in without]
    return least_squares(
        {name: [float(row[name]) for row in whole] for name in predictors},
        [float(row[RESPONSE]) for row in whole],
    )


def _there(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
