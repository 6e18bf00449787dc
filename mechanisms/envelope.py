"""Lower envelopes of many small sets of lines at once.

Each owner (a word and a direction) holds lines a - 2 b r in r > 0, one a word. The lowest line
wins. Walking from r = 0 upwards, the winner is followed by the line that crosses it first,

    r = (a_v - a_w) / (2 (b_v - b_w)),  over the v with b_v > b_w,

until none is steeper. All owners take their steps together, so there are as many steps as the
longest envelope has segments, and each costs a few passes over the lines that are still in play.

Ties go to the line that is lower afterwards, the steeper one; two equal lines to the lowest word.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mechanisms.vocabulary import Floats, WordIds


class Lines(NamedTuple):
    """Lines a - 2 b r, each of an owner and a word: four arrays (n,), owners ascending."""

    owner: NDArray[np.int64]
    a: Floats
    b: Floats
    word: WordIds

    def at(self, chosen: NDArray[np.int64] | NDArray[np.bool_]) -> Lines:
        """Some of the lines."""
        return Lines(self.owner[chosen], self.a[chosen], self.b[chosen], self.word[chosen])


class Segments(NamedTuple):
    """Where which lines are lowest: by owner, then by r.

    Every segment lasts until the next one of its owner starts, the last one for ever. The starts
    of an owner increase strictly from 0.
    """

    owner: NDArray[np.int64]
    start: Floats
    """(s,), values of r."""
    line: NDArray[np.int64]
    """(s, k), positions of the k lowest lines, the lowest first."""


def lower_envelope(lines: Lines) -> Segments:
    """The lowest line of each owner over r > 0."""
    owner, a, b, word = lines
    index = np.arange(len(owner))
    runs = _Runs(owner)
    current = runs.first_by(a, b, word)
    reached = np.zeros(len(current))
    found = [(owner[current], reached, current)]
    while len(current):
        # Only steeper lines than the winner's can ever win again.
        kept = np.repeat(b[current], runs.lengths) < b[index]
        row = np.repeat(np.arange(len(current)), runs.lengths)[kept]
        index = index[kept]
        if not len(index):
            break
        runs = _Runs(row)
        now = np.repeat(current[runs.rows], runs.lengths)
        crossing = (a[index] - a[now]) / (2 * (b[index] - b[now]))
        chosen = runs.first_by(crossing, b[index], word[index])
        reached = np.maximum(crossing[chosen], reached[runs.rows])
        current = index[chosen]
        found.append((owner[current], reached, current))
    return _in_order(found)


def two_lowest(lines: Lines) -> Segments:
    """The lowest and the second lowest line of each owner over r > 0; two lines at least each.

    The second place changes hands where a steeper line crosses its holder; the first where the
    holder of the second place crosses it, and the two change places.
    """
    owner, a, b, word = lines
    index = np.arange(len(owner))
    runs = _Runs(owner)
    if len(runs.lengths) and runs.lengths.min() < 2:
        raise ValueError("Two lowest lines: every owner needs two lines.")
    first = runs.first_by(a, b, word)
    others = a.copy()
    others[first] = np.inf
    second = runs.first_by(others, b, word)
    reached = np.zeros(len(first))
    found = [(owner[first], reached, np.stack([first, second], axis=1))]
    while len(first):
        # A line flatter than both holders never comes back.
        row = np.repeat(np.arange(len(first)), runs.lengths)
        stays = b[index] > np.minimum(b[first], b[second])[row]
        index, row = index[stays], row[stays]
        entering = np.full(len(first), np.inf)
        entrant = second.copy()
        able = (index != first[row]) & (b[index] > b[second[row]])
        if able.any():
            candidates, entry_runs = index[able], _Runs(row[able])
            now = second[row[able]]
            crossing = (a[candidates] - a[now]) / (2 * (b[candidates] - b[now]))
            chosen = entry_runs.first_by(crossing, b[candidates], word[candidates])
            entering[entry_runs.rows] = crossing[chosen]
            entrant[entry_runs.rows] = candidates[chosen]
        with np.errstate(divide="ignore", invalid="ignore"):
            swapping = (a[second] - a[first]) / (2 * (b[second] - b[first]))
        swapping[b[second] <= b[first]] = np.inf
        next_event = np.minimum(entering, swapping)
        swap = swapping <= entering
        going = np.isfinite(next_event)
        first, second = np.where(swap, second, first), np.where(swap, first, entrant)
        reached = np.maximum(reached, next_event)
        runs = _Runs(row[going[row]])
        index = index[going[row]]
        # An owner without lines left in play may still have its two change places.
        lengths = np.zeros(len(going), dtype=np.int64)
        lengths[runs.rows] = runs.lengths
        runs.rows, runs.lengths = np.arange(np.count_nonzero(going)), lengths[going]
        first, second, reached = first[going], second[going], reached[going]
        found.append((owner[first], reached, np.stack([first, second], axis=1)))
    return _in_order(found)


class _Runs:
    """Runs of equal numbers in an ascending array."""

    def __init__(self, rows: NDArray[np.int64]) -> None:
        ends = np.flatnonzero(rows[1:] != rows[:-1]) + 1
        self.starts = np.concatenate([[0], ends])[: len(rows)]
        self.lengths = np.diff(np.append(self.starts, len(rows)))
        self.rows = rows[self.starts]

    def first_by(self, value: Floats, steepness: Floats, word: WordIds) -> NDArray[np.int64]:
        """The position, in each run, of the smallest value; ties to the steepest, then the word."""
        if not len(self.starts):
            return np.empty(0, dtype=np.int64)
        smallest = np.repeat(np.minimum.reduceat(value, self.starts), self.lengths)
        tied = np.flatnonzero(value == smallest)
        if len(tied) == len(self.starts):
            return tied
        run = np.searchsorted(self.starts, tied, side="right")
        tied = tied[np.lexsort((word[tied], -steepness[tied], run))]
        run = np.searchsorted(self.starts, tied, side="right")
        best: NDArray[np.int64] = tied[np.concatenate([[True], run[1:] != run[:-1]])]
        return best


def _in_order(found: list[tuple[NDArray[np.int64], Floats, NDArray[np.int64]]]) -> Segments:
    """The steps as segments, without those of no length."""
    owner, start, line = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.argsort(owner, kind="stable")
    owner, start, line = owner[order], start[order], line[order]
    lasting = np.ones(len(owner), dtype=bool)
    lasting[:-1] = (owner[1:] != owner[:-1]) | (start[1:] > start[:-1])
    return Segments(owner[lasting], start[lasting], line[lasting].reshape(lasting.sum(), -1))
