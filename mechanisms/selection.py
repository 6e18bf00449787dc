r"""Draws from a law ∝ q(v) exp(-ε/2 · min(d(w, v), γ)) without computing it: exact, by rejection.

The vocabulary is cut into blocks of 256 words. For every block a quick upper bound S̃ of the sum of
its weights is computed in float32. With the scale S of the row (`exact_draws`), the block gets
B = ⌊S S̃ e^η (1 + 4 slack)⌋ + 257 cells of [0, 2^62). A draw is one uniform point T. Its whole part
names a block; the 256 weights of this one block are computed in float64 and get their own W_v cells
each, at the beginning of the block's; T names a word, and is accepted in the word's own part. By
claims 1 and 7 of `exact_draws` the law is exact, whatever was lost to float32, if Σ W_v <= B in the
block. With a sum of weights Σ w <= e^η S̃, Σ W_v <= S (1 + 2 slack) Σ w + 256 < B. Beside the proof,
every block that is visited is compared with its bound; if it exceeds it, nothing is released.

On GloVe about one point in 10,000 is rejected. A rejected draw takes the first of a few spare
points that is accepted. How many there are depends on the number of draws alone, and they are
worked out whether they are needed or not, so that time says nothing of it. If all are rejected, the
draw is made from the whole row of weights. Points are independent, so the law is the same.

That Σ w <= e^η S̃. With u = 2^-24, A = ‖x‖², B = ‖v‖²:

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

Together 427 u and second-order terms: η = 512 u. Where vectors are long and close together, the
lower bound on d is poor, more is rejected, and the law stays exact.

Only the first step, one matrix product and six passes over a block that stays in the cache, looks
at all words; random numbers are drawn after it, so that they do not depend on how it is done.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise

import numpy as np

from mechanisms.exact_draws import (
    SPACE,
    UNIT,
    Integers,
    accepted,
    cells,
    points,
    scale_for,
    search,
    slack,
)
from mechanisms.exact_law import ExactLaw, by_rows
from mechanisms.number_cache import number_cache
from mechanisms.one_thread import one_thread
from mechanisms.vocabulary import Floats, Vocabulary, WordIds
from mechanisms.weight import Weight, check_arithmetic, denormals_survive, squared_distance

# Words of a block, and the margin η of its sum, as derived above.
BLOCK = 256
MARGIN = 512 * 2.0**-24

# Distinct words that share one pass over the vectors, and float32 numbers in one tile of it, which
# stays in the cache: 512 KB.
_ROWS = 512
_TILE = 2**17

# Pairs of word and block whose weights are kept at once: 1 MB.
_PAIRS = 512

# A draw costs as much as this many words of a whole row: with more draws of each word the row pays.
_LAW_PAYS = 512

# The probability of a rejection for which spare points are provided, 2^-12: twice that of GloVe.
_REJECTED_BITS = 12

# Weights from here on are covered by e^-80; ε beyond this only says it is huge.
_SCORE = 80.0
_HUGE = 1e30

# From this ε on, coordinates below the smallest normal float32 would matter.
_DENORMALS_MATTER = 2.0**80


@dataclass(frozen=True, kw_only=True)
class DistanceLaw(ExactLaw):
    """A mechanism with Pr[M(w) = v] ∝ q(v) exp(-ε/2 · min(d(w, v), γ))."""

    @abstractmethod
    def threshold(self, vocabulary: Vocabulary) -> float:
        """γ, from 0 to infinity."""

    def base_measure(self, vocabulary: Vocabulary) -> Floats | None:
        """q(v) of every word (V,), in [2^-100, 1], the largest above ½; None: 1 for all."""
        return None

    def unit(self, vocabulary: Vocabulary) -> float:
        """2^-30, and more for vectors of more than 1,596 dimensions.

        `Vocabulary.distances` keeps a d² whose expansion is at least a thousandth part of
        A + B = ‖x‖² + ‖v‖². The expansion errs by at most (2 d + 4) 2^-53 (A + B), so d² by a
        relative 2020 (d + 4) 2^-53, which is 0.4 units; smaller ones are sums of squares, and more
        exact. The root halves the error and adds half a unit at most: three quarters in all.
        """
        return UNIT * max(1.0, (vocabulary.dimensions + 4) / 1600)

    def log_weights(self, vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
        """ln q - ε/2 · min(d, γ): (n,) -> (n, V)."""
        scores = vocabulary.distances(word_ids)
        np.minimum(scores, self.threshold(vocabulary), out=scores)
        with np.errstate(over="ignore"):  # a score of -inf is a weight of 0
            scores *= -self.epsilon / 2
        base = self.base_measure(vocabulary)
        if base is not None:
            scores += np.log(base)
        return scores

    def exact_weight(self, vocabulary: Vocabulary, word: int, output: int) -> Weight:
        """The weight as a function of rationals: float32 vectors, ε, γ and q as the floats."""
        gamma, base = self.threshold(vocabulary), self.base_measure(vocabulary)
        return Weight(
            rate=Fraction(self.epsilon) / 2,
            square=squared_distance(vocabulary.vectors[word], vocabulary.vectors[output]),
            ceiling=None if math.isinf(gamma) else Fraction(gamma),
            factor=Fraction(1) if base is None else Fraction(float(base[output])),
        )

    def word_sample(
        self, vocabulary: Vocabulary, word_ids: WordIds, size: int, rng: np.random.Generator
    ) -> WordIds:
        """Independent draws of M(w), exact: by blocks for few draws of a word, else by its row."""
        check_arithmetic()
        if self.epsilon > _DENORMALS_MATTER and not denormals_survive():
            raise RuntimeError(
                f"{self.name}: this process flushes small numbers to 0, so that ε = "
                f"{self.epsilon:g} cannot be drawn exactly; take an ε below {_DENORMALS_MATTER:g}."
            )
        return select(self, vocabulary, word_ids, size, rng)


def select(
    law: DistanceLaw, vocabulary: Vocabulary, word_ids: WordIds, size: int, rng: np.random.Generator
) -> WordIds:
    """Independent exact draws of the law: ids (n,) -> ids (n, size)."""
    word_ids = vocabulary.checked(word_ids)
    with one_thread():
        # By size alone, which is public: how often words repeat must not choose the way.
        if size * _LAW_PAYS > len(vocabulary):
            return by_rows(law, vocabulary, word_ids, size, rng)
        released = np.empty((len(word_ids), size), dtype=np.int64)
        distinct, inverse, counts = np.unique(word_ids, return_inverse=True, return_counts=True)
        # The positions of each distinct word in `word_ids`, one word after the other.
        order = np.argsort(inverse, kind="stable")
        last = np.cumsum(counts)
        for first in range(0, len(distinct), _ROWS):
            few = slice(first, first + _ROWS)
            where = order[last[few][0] - counts[few][0] : last[few][-1]]
            row = np.repeat(np.arange(len(counts[few])), counts[few] * size)
            drawn = _draw(law, vocabulary, distinct[few], row, rng)
            released[where] = drawn.reshape(len(where), size)
    return released


def block_bounds(
    vocabulary: Vocabulary,
    word_ids: WordIds,
    epsilon: float,
    gamma: float,
    base: Floats | None = None,
) -> Floats:
    """S̃: for each word and block, e^η S̃ is at least the block's sum: (n,) -> (n, blocks)."""
    shares = None if base is None else np.nextafter(base.astype(np.float32), np.float32(2))
    unit = (vocabulary.dimensions + 8) * 2.0**-24
    shrunk = vocabulary.squared_norms * (1 - unit / (1 - unit))
    norms = shrunk.astype(np.float32)
    own = (shrunk[word_ids, None] - (vocabulary.dimensions + 8) * 2.0**-124).astype(np.float32)
    queries = -2 * vocabulary.vectors[word_ids]
    half = _rounded_down(min(epsilon, _HUGE) / 2)
    ceiling = _rounded_down(min(gamma, 2 * _SCORE / min(epsilon, _HUGE), _HUGE))

    count = -(-len(vocabulary) // BLOCK)
    bounds = np.empty((len(word_ids), count))
    at_once = min(count, max(1, _TILE // (BLOCK * len(word_ids))))
    tile = np.empty((len(word_ids), at_once * BLOCK), dtype=np.float32)
    ones = np.ones(BLOCK, dtype=np.float32)
    for first in range(0, count, at_once):
        columns = slice(first * BLOCK, (first + at_once) * BLOCK)
        vectors = vocabulary.vectors[columns]
        weights = tile[:, : len(vectors)]
        np.matmul(queries, vectors.T, out=weights)
        weights += norms[columns]
        weights += own
        np.maximum(weights, 0, out=weights)
        np.sqrt(weights, out=weights)
        np.minimum(weights, ceiling, out=weights)
        weights *= -half
        np.exp(weights, out=weights)
        if shares is not None:
            weights *= shares[columns]
        tile[:, len(vectors) :] = 0
        sums = (tile.reshape(-1, BLOCK) @ ones).reshape(len(word_ids), at_once)
        bounds[:, first : first + at_once] = sums[:, : count - first]
    return bounds


def block_weights(
    vocabulary: Vocabulary,
    word_ids: WordIds,
    block: WordIds,
    epsilon: float,
    gamma: float,
    base: Floats | None = None,
) -> Floats:
    """The weights of one block for each word: (n,), (n,) -> (n, 256); 0 past the last word.

    One matrix product for each stretch of equal blocks.
    """
    weights = np.zeros((len(word_ids), BLOCK))
    starts = np.flatnonzero(np.diff(block, prepend=-1)).tolist()
    for first, last in pairwise([*starts, len(block)]):
        words = slice(int(block[first]) * BLOCK, (int(block[first]) + 1) * BLOCK)
        scores = vocabulary.distances(word_ids[first:last], words)
        np.minimum(scores, gamma, out=scores)
        with np.errstate(over="ignore"):  # a score of -inf is a weight of 0
            scores *= -epsilon / 2
        part = weights[first:last, : scores.shape[1]]
        np.exp(scores, out=part)
        if base is not None:
            part *= base[words]
    return weights


def block_cells(bounds: Floats, unit: float) -> tuple[Floats, Integers]:
    """The scales S of some rows and the cells B of their blocks: (n, blocks) -> (n,), the same."""
    margin = np.exp(MARGIN) * (1 + 4 * slack(unit))
    entries = (BLOCK + 1) * bounds.shape[1]
    scale = scale_for(bounds.sum(axis=1) * margin, entries)
    handed_out = (bounds * (scale * margin)[:, None]).astype(np.int64) + BLOCK + 1
    return scale, handed_out


@dataclass(frozen=True)
class _Row:
    """What the draws of some words share: the cells of all blocks."""

    law: DistanceLaw
    vocabulary: Vocabulary
    words: WordIds
    settings: tuple[float, float, Floats | None]
    unit: float
    scale: Floats
    cells: Integers
    cumulative: Integers


def _draw(
    law: DistanceLaw,
    vocabulary: Vocabulary,
    words: WordIds,
    row: Integers,
    rng: np.random.Generator,
) -> WordIds:
    """One draw of `words[row]` for each row: distinct words (w,), rows (m,) -> ids (m,)."""
    unit = law.unit(vocabulary)
    settings = law.epsilon, law.threshold(vocabulary), law.base_measure(vocabulary)
    scale, of_blocks = block_cells(block_bounds(vocabulary, words, *settings), unit)
    cumulative = np.cumsum(of_blocks, axis=1)
    if (cumulative[:, -1] > SPACE).any():
        raise RuntimeError(f"{law.name}: the cells of a word do not fit into 2^62.")
    rows = _Row(law, vocabulary, words, settings, unit, scale, of_blocks, cumulative)
    released = _one_round(rows, row, rng)
    # Spare points for a fixed number of draws: the rejected ones, and others that need none.
    places, tries = spare_points(len(row))
    drawn_again = np.argsort(released >= 0, kind="stable")[:places]
    spare = _one_round(rows, np.repeat(row[drawn_again], tries), rng).reshape(-1, tries)
    first = (spare >= 0).argmax(axis=1)
    rejected = released[drawn_again] < 0
    released[drawn_again[rejected]] = spare[rejected, first[rejected]]
    pending = np.flatnonzero(released < 0)
    if len(pending):
        released[pending] = by_rows(law, vocabulary, words[row[pending]], 1, rng)[:, 0]
    return released


@number_cache(maxsize=256)
def spare_points(draws: int) -> tuple[int, int]:
    """How many of some draws get spare points, and how many each, so that hardly any needs more.

    With a probability of rejection of 2^-12 at most, more draws than `places` are rejected, or all
    `tries` of one, with a probability below 2^-40.
    """
    tries = math.ceil((41 + math.log2(max(draws, 1))) / _REJECTED_BITS) - 1
    places, mean = 0, draws * 2.0**-_REJECTED_BITS
    # Pr[more than k of n are rejected] <= mean^(k + 1) / (k + 1)!, for k + 1 above the mean.
    while places < draws and (
        places < mean
        or (places + 1) * math.log2(mean) - math.lgamma(places + 2) / math.log(2) > -41
    ):
        places += 1
    return places, tries


def _one_round(rows: _Row, row: Integers, rng: np.random.Generator) -> WordIds:
    """One point for each row: the id of the word whose own part it hits, or -1: (m,) -> (m,)."""
    count, vocabulary = len(rows.words), rows.vocabulary
    released = np.full(len(row), -1, dtype=np.int64)
    block, offset, inside = search(rows.cumulative, row, points(rng, len(row)))
    pairs, pair = np.unique(block * count + row, return_inverse=True)
    order = np.argsort(pair, kind="stable")
    for first in range(0, len(pairs), _PAIRS):
        of_block, of_word = np.divmod(pairs[first : first + _PAIRS], count)
        weights = block_weights(vocabulary, rows.words[of_word], of_block, *rows.settings)
        own = cells(weights, rows.scale[of_word], rows.unit)
        own[of_block[:, None] * BLOCK + np.arange(BLOCK) >= len(vocabulary)] = 0
        sums = np.cumsum(own, axis=1)
        if (sums[:, -1] > rows.cells[of_word, of_block]).any():
            raise RuntimeError(
                f"{rows.law.name}: a block of words exceeds its bound. Nothing is released."
            )
        draws = order[slice(*np.searchsorted(pair, [first, first + _PAIRS], sorter=order))]
        of_pair = pair[draws] - first
        word, rest, in_word = search(sums, of_pair, offset[draws])
        output = block[draws] * BLOCK + word
        taken = accepted(
            rest,
            rows.scale[row[draws]],
            weights[of_pair, word],
            rows.unit,
            partial(_weight_of, rows.law, vocabulary, rows.words[row[draws]], output),
            rng,
            among=inside[draws] & in_word,
        )
        released[draws[taken]] = output[taken]
    return released


def _weight_of(
    law: DistanceLaw, vocabulary: Vocabulary, words: WordIds, outputs: WordIds, i: int
) -> Weight:
    return law.exact_weight(vocabulary, int(words[i]), int(outputs[i]))


def _rounded_down(value: float) -> np.float32:
    """A float32 that is at most the number, which is 0 or above."""
    below: np.float32 = np.nextafter(np.float32(value), np.float32(0))
    return below
