"""Curves read between their points, with the error that this adds.

A cubic that rises and falls with the points (Fritsch and Carlson, "Monotone piecewise cubic
interpolation", SIAM J. Numer. Anal. 17, 1980) is closer to a smooth curve than the chord is. By how
much nobody knows who has only the points; the distance from chord to cubic, the largest in the cell
and the two beside it, is taken as the error. Tests hold that against the exact laws.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mechanisms.estimate import Estimate, Floats

# Where chord and cubic are compared in each cell.
_INSIDE = (0.25, 0.5, 0.75)


def between(
    estimate: Estimate, x: Floats, fine: Floats, limits: tuple[float, float] | None = None
) -> Estimate:
    """A smooth estimate (n, E) at points x (E,), read at others (E',) inside: (n, E').

    Intervals end at the limits of the quantity; without any, at the least and the greatest end of
    the points, as for a curve that only rises or only falls.
    """
    if len(x) == 1:
        return estimate[:, np.zeros(len(fine), dtype=np.int64)]
    from scipy.interpolate import PchipInterpolator

    cell, on_point = _cells(x, fine)
    # The slope at a point is that of its two neighbours' chords: no point farther away counts.
    first, last = max(int(cell.min()) - 2, 0), int(cell.max()) + 4
    x, cell = x[first:last], cell - first
    near = estimate[:, first:last]
    inside = (x[:-1, None] + np.diff(x)[:, None] * np.array(_INSIDE)).ravel()
    cubic = PchipInterpolator(x, np.concatenate([near.value, near.low, near.high]), axis=1)
    n = len(near)
    ends = np.split(np.asarray(cubic(fine)), 3)
    bend = np.abs(np.asarray(cubic(inside))[:n] - _chord(x, near.value, inside))
    bend = bend.reshape(n, len(x) - 1, len(_INSIDE)).max(axis=2, initial=0.0)
    beside = np.pad(bend, ((0, 0), (1, 1)))
    error = np.maximum(np.maximum(beside[:, :-2], beside[:, 2:]), bend)[:, cell]
    value, low, high = ends
    error = np.where(on_point, 0.0, error)
    least, most = estimate.low.min(axis=1)[:, None], estimate.high.max(axis=1)[:, None]
    if limits is not None:
        least, most = np.full_like(least, limits[0]), np.full_like(most, limits[1])
    low = np.minimum(np.maximum(low - error, least), value)
    high = np.maximum(np.minimum(high + error, most), value)
    return Estimate(value, low, high, replace(estimate.source, interpolated=True))


def between_jumps(estimate: Estimate, x: Floats, fine: Floats) -> Estimate:
    """The same for an estimate that jumps: the interval is that of both neighbouring points."""
    if len(x) == 1:
        return estimate[:, np.zeros(len(fine), dtype=np.int64)]
    cell, _ = _cells(x, fine)
    at = np.argmin(np.abs(fine[:, None] - x), axis=1)
    exactly = x[at] == fine
    left, right = np.where(exactly, at, cell), np.where(exactly, at, cell + 1)
    low = np.minimum(estimate.low[:, left], estimate.low[:, right])
    high = np.maximum(estimate.high[:, left], estimate.high[:, right])
    return Estimate(estimate.value[:, at], low, high, replace(estimate.source, interpolated=True))


def _cells(x: Floats, fine: Floats) -> tuple[np.ndarray, np.ndarray]:
    """The cell of each point (E',), and whether it is a point of the grid itself."""
    cell = np.clip(np.searchsorted(x, fine, side="right") - 1, 0, len(x) - 2)
    return cell, (x[cell] == fine) | (x[cell + 1] == fine)


def _chord(x: Floats, values: Floats, fine: Floats) -> Floats:
    """Values (n, E) at points x, linear in between: (n, E')."""
    cell, _ = _cells(x, fine)
    share = (fine - x[cell]) / (x[cell + 1] - x[cell])
    return np.asarray((1 - share) * values[:, cell] + share * values[:, cell + 1])
