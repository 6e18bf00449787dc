"""The closest and the farthest two words of a vocabulary, exactly, without comparing all pairs.

Two inequalities spare most comparisons. For a unit vector u, |⟨u, a⟩ - ⟨u, b⟩| <= ‖a - b‖: with the
words sorted along u, the closest pair is at most as far apart there as the best pair so far. For a
centre c, ‖a - b‖ <= ‖a - c‖ + ‖b - c‖: with the words sorted by their distance from c, only those
far enough out can beat the best pair so far. On GloVe's 400,000 words the two take seconds. Where
the vectors spare nothing, the cost is |W|² / 2 comparisons.

Blocks are compared in float32; whatever its rounding might hide is compared again by difference.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Words of a block, and of the stretch that it is compared with.
_ROWS = 512
_COLUMNS = 16_384

# Candidate pairs compared by difference at once.
_CANDIDATES = 100_000

# Products with the vectors that find a wide direction.
_POWER_STEPS = 12

Pair = tuple[float, int, int]
"""A distance and the two row numbers, the lower one first."""


def closest_pair(vectors: NDArray[np.float32]) -> Pair:
    """The closest two rows of (V, d), V >= 2; equal rows are at distance 0."""
    centred = vectors - vectors.mean(axis=0)
    position = centred @ _widest_direction(centred)
    order = np.argsort(position)
    sweep = _Sweep(vectors, centred[order], order, sign=1)
    position = position[order]
    # A first bound, from neighbours along u, keeps the stretches short from the start.
    for first in range(0, len(order) - 1, _CANDIDATES):
        left = np.arange(first, min(first + _CANDIDATES, len(order) - 1))
        sweep.compare_pairs(left, left + 1)
    for first in range(0, len(order), _ROWS):
        if sweep.best[0] == 0:
            break
        last = min(first + _ROWS, len(order))
        reach = position[last - 1] + sweep.best[0] + sweep.slack
        sweep.compare(first, last, int(np.searchsorted(position, reach, side="right")))
    return sweep.best


def farthest_pair(vectors: NDArray[np.float32]) -> Pair:
    """The farthest two rows of (V, d), V >= 2."""
    centred = vectors - vectors.mean(axis=0)
    radius = np.linalg.norm(centred, axis=1)
    order = np.argsort(-radius)
    radius = radius[order]
    sweep = _Sweep(vectors, centred[order], order, sign=-1)
    for first in range(0, len(order), _ROWS):
        last = min(first + _ROWS, len(order))
        # Words b with radius[first] + radius[b] >= the best so far; none before b = first is new.
        needed = sweep.best[0] - radius[first] - sweep.slack if first else 0.0
        end = int(np.searchsorted(-radius, -needed, side="right"))
        if end <= first:
            break
        sweep.compare(first, last, end)
    return sweep.best


def farthest_distances(
    vectors: NDArray[np.float32], rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The distance from each of some rows of (V, d) to its farthest row: (n,) -> (n,).

    Blocks are compared in float64, and the farthest row's distance is computed by difference: no
    V × V matrix, and an error of a few units in the last place.
    """
    mean = vectors.mean(axis=0, dtype=np.float64)
    distances = np.empty(len(rows))
    for first in range(0, len(rows), _ROWS):
        mine = vectors[rows[first : first + _ROWS]] - mean
        best = np.full(len(mine), -np.inf)
        farthest = np.zeros(len(mine), dtype=np.int64)
        for start in range(0, len(vectors), _COLUMNS):
            others = vectors[start : start + _COLUMNS] - mean
            # ‖v‖² - 2⟨w, v⟩: the squared distance less ‖w‖².
            scores = mine @ (-2 * others.T)
            scores += np.einsum("vd,vd->v", others, others)
            column = scores.argmax(axis=1)
            score = scores[np.arange(len(mine)), column]
            farthest = np.where(score > best, start + column, farthest)
            best = np.maximum(best, score)
        difference = vectors[rows[first : first + _ROWS]].astype(np.float64) - vectors[farthest]
        distances[first : first + _ROWS] = np.linalg.norm(difference, axis=1)
    return distances


class _Sweep:
    """The best pair so far, over blocks of rows in a given order."""

    def __init__(
        self,
        vectors: NDArray[np.float32],
        centred: NDArray[np.float32],
        order: NDArray[np.int64],
        sign: int,
    ) -> None:
        self.vectors, self.centred, self.order, self.sign = vectors, centred, order, sign
        self.squares = np.einsum("vd,vd->v", centred, centred)
        # The worst rounding of a squared distance: that of a sum over d, and a few operations more.
        epsilon = float(np.finfo(np.float32).eps)
        self.rounding = epsilon * (centred.shape[1] + 8) * float(self.squares.max())
        self.slack = float(np.sqrt(self.rounding))
        self.best: Pair = (sign * np.inf, 0, 0)

    def compare(self, first: int, last: int, end: int) -> None:
        """Rows [first, last) with all rows after them, up to `end`."""
        for start in range(first, end, _COLUMNS):
            stop = min(start + _COLUMNS, end)
            squared = self.centred[first:last] @ self.centred[start:stop].T
            squared *= -2
            squared += self.squares[first:last, None]
            squared += self.squares[start:stop]
            if start < last:  # each pair once, and no row with itself
                rows = np.arange(first, last)[:, None]
                squared[rows >= np.arange(start, stop)] = self.sign * np.inf
            extreme = float(squared.min() if self.sign > 0 else squared.max())
            known = self.sign * self.best[0] ** 2 if np.isfinite(self.best[0]) else np.inf
            bound = min(self.sign * extreme, known) + 2 * self.rounding
            a, b = np.nonzero(self.sign * squared <= bound)
            for some in range(0, len(a), _CANDIDATES):
                part = slice(some, some + _CANDIDATES)
                self.compare_pairs(a[part] + first, b[part] + start)

    def compare_pairs(self, a: NDArray[np.int64], b: NDArray[np.int64]) -> None:
        """Pairs of rows (n,), (n,), by difference in float64; ties go to the lowest row numbers."""
        pairs = np.sort(np.stack([self.order[a], self.order[b]]), axis=0)
        difference = self.vectors[pairs[0]].astype(np.float64) - self.vectors[pairs[1]]
        distances = np.linalg.norm(difference, axis=1)
        winner = np.lexsort((pairs[1], pairs[0], self.sign * distances))[0]
        found = (float(distances[winner]), int(pairs[0, winner]), int(pairs[1, winner]))
        self.best = min(self.best, found, key=lambda p: (self.sign * p[0], p[1], p[2]))


def _widest_direction(centred: NDArray[np.float32]) -> NDArray[np.float32]:
    """A unit vector (d,) along which the rows (V, d) spread widely: power iteration, O(V d).

    Any direction is right; along a wide one fewer words have to be compared.
    """
    start = np.random.default_rng(0).standard_normal(centred.shape[1])
    direction = np.asarray(start / np.linalg.norm(start), np.float32)
    for _ in range(_POWER_STEPS):
        position: NDArray[np.float32] = centred @ direction
        position /= float(np.abs(position).max()) or 1.0  # squares of long vectors overflow
        step = (position @ centred).astype(np.float64)
        length = float(np.linalg.norm(step))
        if length == 0:  # all rows in one place
            break
        direction = (step / length).astype(np.float32)
    return direction
