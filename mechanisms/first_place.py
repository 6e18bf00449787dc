"""How often the nearest of two words is released along a segment of a ray: Vickrey's quadrature."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mechanisms.base import NearestTwo
from mechanisms.number_cache import number_cache
from mechanisms.vocabulary import Floats, Vocabulary

# Vickrey's quadrature: Gauss-Legendre in q = F(r), between these values of q and the breakpoints.
# The cells are narrow near 0 and 1, where r moves fast. In the plane, with words close together,
# the error of a probability stays below 1e-4.
_CELLS = np.array([0, 1e-3, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 0.999, 1])
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(3)

# Values of q at which the radius is tabulated, evenly; in between it is interpolated.
_TABLE = 8192


def first_place(
    mechanism: NearestTwo,
    vocabulary: Vocabulary,
    low: Floats,
    high: Floats,
    lines: Floats,
    cut: NDArray[np.int64],
    there: Floats,
) -> Floats:
    """∫ p(t, r) dF(r) over each segment: the chance that the nearest word is released there.

    With q = F(r) the integral is over q from `low` to `high`, cut at the cells' edges, and the
    segments `cut` also at q = `there`; p is smooth in between.
    """
    count = len(low)
    whole = np.concatenate([np.arange(count), cut])
    low, high = np.append(low, there), np.append(high, high[cut])
    high[cut] = there
    begin = np.searchsorted(_CELLS, low, side="right") - 1
    end = np.searchsorted(_CELLS, high, side="left")
    cells = np.where(high > low, end - begin, 0)
    segment = np.repeat(np.arange(len(low)), cells)
    cell = np.arange(len(segment)) - np.repeat(np.cumsum(cells) - cells, cells) + begin[segment]
    left = np.maximum(_CELLS[cell], low[segment])
    width = np.minimum(_CELLS[cell + 1], high[segment]) - left
    quantiles, steps = _fixed_quantiles(type(mechanism), vocabulary.dimensions)
    scale, total = mechanism.scale(vocabulary), np.zeros(len(segment))
    segment = whole[segment]
    near, far = lines[segment, 0], lines[segment, 1]
    for node, weight in zip(_NODES, _WEIGHTS, strict=True):
        at = (left + width * ((1 + node) / 2)) * _TABLE
        below = at.astype(np.int64)
        r = (quantiles[below] + (at - below) * steps[below]) * scale
        total += weight / 2 * first_probability(mechanism.t, near, far, r)
    integral: Floats = np.bincount(segment, total * width, minlength=count).astype(np.float64)
    return integral


@number_cache(maxsize=8)
def _fixed_quantiles(kind: type[NearestTwo], dimensions: int) -> tuple[Floats, Floats]:
    """The radii of scale one at which F is 0, 1/8192, 2/8192, …, and the steps between them.

    The last one, infinite, is replaced by that of 1 - 1e-6: what lies beyond has no weight.
    """
    levels = np.arange(_TABLE + 1) / _TABLE
    levels[-1] = 1 - 1e-6
    quantiles = kind.fixed_quantile(dimensions, levels)
    return quantiles, np.append(np.diff(quantiles), 0.0)


def first_probability(t: float, near: Floats, far: Floats, r: Floats) -> Floats:
    """p(t, x + r u), from D² and c of the two nearest words (s, 2): (s,)."""
    with np.errstate(over="ignore", invalid="ignore"):
        nearer = np.sqrt(np.maximum(near[:, 0] + r * (r - 2 * near[:, 1]), 0))
        farther = np.sqrt(np.maximum(far[:, 0] + r * (r - 2 * far[:, 1]), 0))
        share = (1 - t) * farther / (t * nearer + (1 - t) * farther)
    return np.where(np.isfinite(share), share, 1 - t)
