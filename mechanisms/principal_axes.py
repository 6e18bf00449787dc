"""The axes along which vectors spread: their sample covariance, in its eigenvectors.

Of V vectors in d dimensions at most min(V, d) axes have any variance, and only those are computed:
with fewer vectors than dimensions by a singular value decomposition of the vectors, without a
d × d matrix.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Vectors that share one conversion to float64.
_ROWS = 16_384

Floats = NDArray[np.float64]


class PrincipalAxes(NamedTuple):
    """A covariance Σ = axes · diag(variances) · axesᵀ + rest · (I - axes · axesᵀ)."""

    variances: Floats
    """(r,), r <= d."""
    axes: Floats
    """(d, r), orthonormal, one a column."""
    rest: float
    """The variance in every direction orthogonal to the axes; of no meaning if r = d."""


def principal_axes(vectors: NDArray[np.float32], spread: bool) -> PrincipalAxes:
    """The sample covariance of the rows (V, d), scaled to mean variance one.

    Without spread (all rows are equal) it is the identity.
    """
    count, dimensions = vectors.shape
    if not spread:
        return PrincipalAxes(np.empty(0), np.empty((dimensions, 0)), 1.0)
    mean = vectors.mean(axis=0, dtype=np.float64)
    if count < dimensions:
        _, lengths, rows = np.linalg.svd(vectors - mean, full_matrices=False)
        variances: Floats = lengths**2
        return PrincipalAxes(variances * (dimensions / variances.sum()), rows.T, 0.0)
    covariance = np.zeros((dimensions, dimensions))
    for first in range(0, count, _ROWS):
        centred = vectors[first : first + _ROWS] - mean
        covariance += centred.T @ centred
    variances, axes = np.linalg.eigh(covariance * (dimensions / np.trace(covariance)))
    return PrincipalAxes(np.maximum(variances, 0), axes, 0.0)
