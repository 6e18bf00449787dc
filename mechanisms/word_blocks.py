r"""Blocks of 256 words: quick upper bounds of their weights, and the cells that follow from them.

The weights are q(v) exp(-ε/2 · min(d(w, v), γ)). `Near` works them out in float32, so that they are
nowhere below the true ones by more than a margin; `Rows` hands out cells (`exact_draws`) to the
blocks of words, and to the words of a block. `selection` draws from them.

With f the float32 weights of a block, S̃ their sum, and w the true ones: w <= e^η' f, and so
Σ w <= e^η S̃. With u = 2^-24, A = ‖x‖², B = ‖v‖²:

1. A scalar product in float32, summed in any order, errs by at most γ_d ‖x‖‖v‖, where
   γ_n = n u / (1 - n u), and 2 ‖x‖‖v‖ <= A + B. Two roundings of the norms and two additions add at
   most 6 u (A + B). So with both norms multiplied by 1 - γ_{d+8}, the expansion
   A + B - 2⟨x, v⟩ is never above the true d², and its root (one rounding, relative) is above d by a
   factor of 1 + u at most. What underflows is less than (d + 8) 2^-124, also where the machine
   flushes small numbers to 0, and is subtracted too.
2. ε and γ are rounded down to float32, and γ to 160 / ε at most: no score passes 80 and no weight
   is below e^-80, so nothing overflows or vanishes, and smaller weights are covered as well. Two
   relative roundings of a score of 80 are 161 u at most; exp errs by 4 units in the last place at
   most: 8 u. A base measure, 0 < q <= 1, is rounded up, and costs one rounding more.
3. The sum of 256 weights loses at most γ_256, 257 u.

A single weight needs the first two steps, 171 u and second-order terms: η' = 192 u. With the sum it
is 428 u: η = 512 u. Where vectors are long and close together, the lower bound on d is poor, more
is rejected, and the law stays exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mechanisms.base import blocks
from mechanisms.exact_draws import SPACE, Integers, cells, scale_for, slack
from mechanisms.score import distance_scores
from mechanisms.vocabulary import Floats, Vocabulary, WordIds

if TYPE_CHECKING:
    from mechanisms.selection import DistanceLaw

# Words of a block, and the margins η of its sum and η' of one weight, as derived above.
BLOCK = 256
MARGIN = 512 * 2.0**-24
OWN_MARGIN = 192 * 2.0**-24

# Distinct words that share one pass over the vectors, and float32 numbers in one tile of it, which
# stays in the cache: 512 KB.
_ROWS = 512
_TILE = 2**17

# Words for which a copy of a block's vectors pays.
_COPY_PAYS = 128

# Pairs of words whose vectors are compared at once.
_PAIRS = 1_024

# Bytes of the cells that are kept for the words of a file.
MEMORY = 64 * 2**20

# Weights from here on are covered by e^-80; ε beyond this only says it is huge.
_SCORE = 80.0
_HUGE = 1e30


class Rows:
    """The cells of the blocks of some words: what the draws of these words share.

    For each word the scale S and the running sum of the cells of its blocks. Words are added as
    they are asked for, while they fit into `memory`; later ones are worked out for each call anew,
    and forgotten. An own part does not depend on the call that laid it out (claim 2).
    """

    def __init__(self, law: DistanceLaw, vocabulary: Vocabulary, memory: int = MEMORY) -> None:
        self.law, self.vocabulary = law, vocabulary
        self.unit = law.unit(vocabulary)
        self.settings = law.epsilon, law.threshold(vocabulary), law.base_measure(vocabulary)
        self.near = Near(vocabulary, *self.settings)
        self._kept = max(_ROWS, min(len(vocabulary), memory // (8 * self.near.blocks)))
        self._slot = np.full(len(vocabulary), -1, dtype=np.int64)
        self._next = 0
        # Memory is taken by the rows that are written. The last ones are for words that do not fit.
        room = self._kept + _ROWS if self._kept < len(vocabulary) else self._kept
        self.words = np.zeros(room, dtype=np.int64)
        self.scale = np.empty(room)
        self.cumulative = np.empty((room, self.near.blocks), dtype=np.int64)

    def batches(self, distinct: WordIds) -> Iterator[tuple[slice, Integers]]:
        """Slices of distinct words (w,) whose rows are there at once, and the place of each row."""
        first = 0
        while first < len(distinct):
            rest = distinct[first:]
            missing = np.flatnonzero(self._slot[rest] < 0)
            free = self._kept - self._next
            if len(missing) <= free:
                self._add(rest[missing])
                few, slots = len(rest), self._slot[rest]
            elif free:
                few = int(missing[free])
                self._add(rest[missing[:free]])
                slots = self._slot[rest[:few]]
            else:
                few = int(missing[_ROWS]) if len(missing) > _ROWS else len(rest)
                new = missing[:_ROWS]
                slots = self._slot[rest[:few]]
                slots[new] = self._kept + np.arange(len(new))
                self._lay_out(rest[new], self._kept)
            yield slice(first, first + few), slots
            first += few

    def _add(self, words: WordIds) -> None:
        for part in blocks(len(words), _ROWS):
            self._lay_out(words[part], self._next)
            self._slot[words[part]] = self._next + np.arange(part.stop - part.start)
            self._next += part.stop - part.start

    def _lay_out(self, words: WordIds, first: int) -> None:
        """Write the rows of at most `_ROWS` words, one after the other."""
        place = slice(first, first + len(words))
        scale, handed_out = block_cells(self.near.bounds(words), self.unit)
        np.cumsum(handed_out, axis=1, out=self.cumulative[place])
        if (self.cumulative[place, -1] > SPACE).any():
            raise RuntimeError(f"{self.law.name}: the cells of a word do not fit into 2^62.")
        self.words[place], self.scale[place] = words, scale

    def cells(self, row: Integers, block: Integers) -> Integers:
        """B of some rows and blocks: (n,), (n,) -> (n,)."""
        before = np.where(block > 0, self.cumulative[row, block - 1], 0)
        found: Integers = self.cumulative[row, block] - before
        return found

    def running_cells(self, row: Integers, block: Integers) -> Integers:
        """The running sums of the cells W of the words of a block, for some rows and blocks.

        (n,), (n,), equal blocks together -> (n, 256). From float32; if rounding took more cells
        than a block has, from float64.
        """
        words, room = self.words[row], self.cells(row, block)
        weights = np.empty((len(row), BLOCK), dtype=np.float32)
        queries, squares = self.near.queries(words)
        starts = np.flatnonzero(np.diff(block, prepend=-1)).tolist()
        for first, last in pairwise([*starts, len(block)]):
            at = slice(first, last)
            self.near.weights(queries[at], squares[at], int(block[first]), weights[at])
        sums = self._summed(weights, row, block, math.exp(OWN_MARGIN))
        over = np.flatnonzero(sums[:, -1] > room)
        if len(over):
            exact = block_weights(self.vocabulary, words[over], block[over], *self.settings)
            sums[over] = self._summed(exact, row[over], block[over], 1.0)
            if (sums[:, -1] > room).any():
                raise RuntimeError(
                    f"{self.law.name}: a block of words exceeds its bound. Nothing is released."
                )
        return sums

    def _summed(
        self, weights: Floats | NDArray[np.float32], row: Integers, block: Integers, margin: float
    ) -> Integers:
        own = cells(weights, self.scale[row] * margin, self.unit)
        last = self.near.blocks - 1
        own[block == last, len(self.vocabulary) - last * BLOCK :] = 0
        return np.cumsum(own, axis=1, out=own)


class Near:
    """Weights in float32 that are nowhere below the true ones by more than the margin.

    With f the weights of `weights`, w <= e^η f for every word; with S̃ those of `bounds`, e^η S̃ is
    at least the sum of the weights of a block.
    """

    def __init__(
        self, vocabulary: Vocabulary, epsilon: float, gamma: float, base: Floats | None = None
    ) -> None:
        self.vocabulary = vocabulary
        self.width = BLOCK
        self.blocks = -(-len(vocabulary) // BLOCK)
        unit = (vocabulary.dimensions + 8) * 2.0**-24
        self._shrunk = vocabulary.squared_norms * (1 - unit / (1 - unit))
        self._norms = self._shrunk.astype(np.float32)
        self._shares = None
        if base is not None:
            self._shares = np.nextafter(base.astype(np.float32), np.float32(2))
        self._half = _rounded_down(min(epsilon, _HUGE) / 2)
        ceiling = _rounded_down(min(gamma, 2 * _SCORE / min(epsilon, _HUGE), _HUGE))
        # As rows: numpy compares with an array twice as fast as with a number.
        columns = min(self.blocks * BLOCK, max(_TILE, BLOCK))
        self._ceiling = np.full(columns, ceiling)
        self._zero = np.zeros(columns, dtype=np.float32)

    def queries(self, word_ids: WordIds) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """-2x and the shrunk ‖x‖² of some words: (n,) -> (n, d), (n, 1)."""
        own = self._shrunk[word_ids, None] - (self.vocabulary.dimensions + 8) * 2.0**-124
        return -2 * self.vocabulary.vectors[word_ids], own.astype(np.float32)

    def weights(
        self,
        queries: NDArray[np.float32],
        own: NDArray[np.float32],
        block: int,
        out: NDArray[np.float32],
    ) -> None:
        """Write f for the words of some blocks from `block` on: (n, d), (n, 1), out (n, k 256).

        0 past the last word.
        """
        columns = slice(block * BLOCK, block * BLOCK + out.shape[1])
        vectors = self.vocabulary.vectors[columns]
        count = len(vectors)
        weights = out[:, :count]
        by_column = vectors.T
        if len(queries) >= _COPY_PAYS:  # with the words in columns the product is twice as fast
            by_column = np.ascontiguousarray(by_column)
        np.matmul(queries, by_column, out=weights)
        weights += self._norms[columns]
        weights += own
        np.maximum(weights, self._zero[:count], out=weights)
        np.sqrt(weights, out=weights)
        np.minimum(weights, self._ceiling[:count], out=weights)
        weights *= -self._half
        np.exp(weights, out=weights)
        if self._shares is not None:
            weights *= self._shares[columns]
        out[:, count:] = 0

    def among(
        self, products: NDArray[np.float32], own: np.float32, ids: WordIds
    ) -> NDArray[np.float32]:
        """f of some words without q, from one word's products -2⟨x, v⟩ (V,): ids (k,) -> (k,)."""
        weights = products[ids]
        weights += self._norms[ids]
        weights += own
        np.maximum(weights, np.float32(0), out=weights)
        np.sqrt(weights, out=weights)
        np.minimum(weights, self._ceiling[0], out=weights)
        weights *= -self._half
        return np.exp(weights, out=weights)

    def bounds(self, word_ids: WordIds) -> Floats:
        """S̃ of each word and block: (n,) -> (n, blocks)."""
        sums = np.empty((len(word_ids), self.blocks))
        ones = np.ones(BLOCK, dtype=np.float32)
        for part in blocks(len(word_ids), _ROWS):
            queries, own = self.queries(word_ids[part])
            count = len(queries)
            at_once = min(self.blocks, max(1, _TILE // (BLOCK * count)))
            tile = np.empty((count, at_once * BLOCK), dtype=np.float32)
            for block in range(0, self.blocks, at_once):
                self.weights(queries, own, block, tile)
                of_blocks = (tile.reshape(-1, BLOCK) @ ones).reshape(count, at_once)
                sums[part, block : block + at_once] = of_blocks[:, : self.blocks - block]
        return sums


def block_bounds(
    vocabulary: Vocabulary,
    word_ids: WordIds,
    epsilon: float,
    gamma: float,
    base: Floats | None = None,
) -> Floats:
    """S̃: for each word and block, e^η S̃ is at least the block's sum: (n,) -> (n, blocks)."""
    return Near(vocabulary, epsilon, gamma, base).bounds(np.asarray(word_ids))


def block_weights(
    vocabulary: Vocabulary,
    word_ids: WordIds,
    block: WordIds,
    epsilon: float,
    gamma: float,
    base: Floats | None = None,
) -> Floats:
    """The weights of one block for each word in float64: (n,), (n,) -> (n, 256).

    0 past the last word. One matrix product for each stretch of equal blocks.
    """
    weights = np.zeros((len(word_ids), BLOCK))
    starts = np.flatnonzero(np.diff(block, prepend=-1)).tolist()
    for first, last in pairwise([*starts, len(block)]):
        words = slice(int(block[first]) * BLOCK, (int(block[first]) + 1) * BLOCK)
        scores = distance_scores(vocabulary.distances(word_ids[first:last], words), epsilon, gamma)
        part = weights[first:last, : scores.shape[1]]
        np.exp(scores, out=part)
        if base is not None:
            part *= base[words]
    return weights


def pair_weights(
    vocabulary: Vocabulary,
    word_ids: WordIds,
    outputs: WordIds,
    epsilon: float,
    gamma: float,
    base: Floats | None = None,
) -> Floats:
    """The weights of one output for each word in float64: (n,), (n,) -> (n,).

    Distances by difference, of which d² errs by a relative (d + 3) 2^-53 at most.
    """
    scores = np.empty(len(word_ids))
    for part in blocks(len(word_ids), _PAIRS):  # differences that stay in the cache
        scores[part] = vocabulary.distance_between(word_ids[part], outputs[part])
    weights: Floats = np.exp(distance_scores(scores, epsilon, gamma), out=scores)
    if base is not None:
        weights *= base[outputs]
    return weights


def block_cells(bounds: Floats, unit: float) -> tuple[Floats, Integers]:
    """The scales S of some rows and the cells B of their blocks: (n, blocks) -> (n,), the same."""
    margin = np.exp(MARGIN) * (1 + 4 * slack(unit))
    entries = (BLOCK + 1) * bounds.shape[1]
    scale = scale_for(bounds.sum(axis=1) * margin, entries)
    handed_out = (bounds * (scale * margin)[:, None]).astype(np.int64) + BLOCK + 1
    return scale, handed_out


def _rounded_down(value: float) -> np.float32:
    """A float32 that is at most the number, which is 0 or above."""
    below: np.float32 = np.nextafter(np.float32(value), np.float32(0))
    return below
