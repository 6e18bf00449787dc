"""A sentence over all ε: which word is released for each typed one, as ε falls.

Where a fixed draw has an output at every ε (`mechanisms.sampled_path`), one draw a word is followed
over all of them, and its steps are exact. Other mechanisms are drawn at the middle of each cell of
a grid, independently: neighbouring cells differ by chance too. So are mechanisms that look at the
words released before, since another ε releases other words.

For teaching. The path of a fixed draw gives the typed word away, so no finite ε bounds it; the
independent draws cost the sum of their ε.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms import Family, Mechanism, Vocabulary
from mechanisms.in_order import WordByWord, draw_texts
from mechanisms.sampled_path import has_path, sampled_path
from mechanisms.vocabulary import Floats, WordIds

# Cells of the grid for mechanisms without a path: wide enough on screen to be read.
CELLS = 10

# How far the axis goes beyond each end of the slider.
_WIDER = 1.5


@dataclass(frozen=True, eq=False)
class Dissolution:
    """For each of n typed words the released words along ε, in s segments from `low` to `high`.

    The segments of a word follow each other without a gap, ε rising; `row` (s,) says whose they
    are. Flips outside of the axis are kept: `begin` and `end` (s,) may lie beyond it.
    """

    word_ids: WordIds
    low: float
    high: float
    row: NDArray[np.int64]
    begin: Floats
    end: Floats
    released: WordIds
    distance: Floats
    """From the typed word (s,)."""
    drawn_at: tuple[float, ...] | None
    """The ε of the independent draws, or None if one draw is followed."""

    @property
    def unchanged(self) -> NDArray[np.bool_]:
        """Whether a segment is the typed word itself (s,)."""
        same: NDArray[np.bool_] = self.released == self.word_ids[self.row]
        return same

    def released_at(self, epsilon: float) -> WordIds:
        """The words along one ε of the axis (n,)."""
        if not self.low <= epsilon <= self.high:
            raise ValueError(
                f"Dissolution: ε (epsilon) must lie in [{self.low:g}, {self.high:g}]; "
                f"got {epsilon:g}."
            )
        # Each word's last segment that has begun; the first of a word begins at `low` or before.
        begun = np.bincount(self.row[self.begin <= epsilon], minlength=len(self.word_ids))
        first = np.searchsorted(self.row, np.arange(len(self.word_ids)))
        released: WordIds = self.released[first + begun - 1]
        return released

    def drawn_near(self, epsilon: float) -> float:
        """The ε that the words along an ε of the axis are drawn at: itself where followed."""
        if self.drawn_at is None:
            return epsilon
        edges = self.begin[: len(self.drawn_at)]
        return self.drawn_at[int(np.searchsorted(edges, epsilon, side="right")) - 1]

    def unchanged_at(self, epsilon: float) -> int:
        """How many words stand as typed at an ε of the axis."""
        return int((self.released_at(epsilon) == self.word_ids).sum())


def axis(family: Family[Mechanism], vocabulary: Vocabulary, low: float, high: float) -> Floats:
    """The ends of the axis (2,): the slider's, a little wider, where the mechanism answers."""
    refuses = family.smallest_epsilon(vocabulary) > 0
    return np.array([low if refuses else low / _WIDER, high * _WIDER])


def dissolution(
    family: Family[Mechanism],
    vocabulary: Vocabulary,
    word_ids: ArrayLike,
    low: float,
    high: float,
    rng: np.random.Generator,
) -> Dissolution:
    """One draw for every typed word, over all ε from `low` to `high`.

    Parameters
    ----------
    family
        All parameters of the mechanism but ε.
    vocabulary, word_ids
        Typed words (n,) of one text, in order; each occurrence is drawn.
    low, high
        The ends of the ε axis.
    rng
        The randomness of the draws.

    Raises
    ------
    ValueError
        If the ends are none, or the mechanism refuses an ε of its grid.

    """
    if not 0 < low < high < np.inf:
        raise ValueError(f"Dissolution: 0 < low < high must hold; got {low:g} and {high:g}.")
    ids = vocabulary.checked(word_ids)
    drawn_at = None
    if has_path(family) and not issubclass(family.kind, WordByWord):
        path = sampled_path(family, vocabulary, ids, 1, rng)
        row = np.repeat(np.arange(len(ids)), np.diff(path.offsets))
        begin, released = path.epsilons, path.words
        last = np.append(row[1:] != row[:-1], True)[: len(row)]
        end = np.where(last, np.inf, np.append(begin[1:], np.inf)[: len(row)])
        inside = (begin < high) & (end > low)
        row, begin, end, released = row[inside], begin[inside], end[inside], released[inside]
    else:
        edges = np.geomspace(low, high, CELLS + 1)
        edges[[0, -1]] = low, high
        drawn_at = tuple(np.sqrt(edges[:-1] * edges[1:]).tolist())
        draws = [
            draw_texts(family.at(epsilon), vocabulary, [ids], 1, rng)[0] for epsilon in drawn_at
        ]
        row = np.repeat(np.arange(len(ids)), CELLS)
        begin, end = np.tile(edges[:-1], len(ids)), np.tile(edges[1:], len(ids))
        released = np.concatenate(draws, axis=1).ravel()
    distance = vocabulary.distance_between(ids[row], released)
    return Dissolution(ids, low, high, row, begin, end, released, distance, drawn_at)
