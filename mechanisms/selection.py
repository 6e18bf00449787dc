r"""Draws from a law ∝ exp(-ε/2 · min(d(w, v), γ)) without computing it: exact, by rejection.

The vocabulary is cut into blocks of 256 words. For every block a quick upper bound S̃ of the sum S
of its weights is computed in float32. A draw takes a block with probability ∝ S̃, computes the 256
weights of this one block in float64, as the law does, and accepts it with probability
S / (e^η S̃) <= 1; then it takes a word of the block by its weight. What is accepted has

    Pr[v] ∝ S̃ · S / (e^η S̃) · w_v / S = e^-η w_v:

the law itself, whatever was lost to float32. Rejected draws are drawn again; those that a few
rounds leave over are drawn from the whole row of the law, which is independent of the rounds before
and so leaves the law as it is. On GloVe less than one in 10,000 is rejected.

That S <= e^η S̃. With u = 2^-24, A = ‖x‖², B = ‖v‖²:

1. A scalar product in float32, summed in any order, errs by at most γ_d ‖x‖‖v‖, where
   γ_n = n u / (1 - n u), and 2 ‖x‖‖v‖ <= A + B. Two roundings of the norms and two additions add at
   most 6 u (A + B). So with both norms multiplied by 1 - γ_{d+8}, the expansion
   A + B - 2⟨x, v⟩ is never above the true d², and its root (one rounding, relative) is above d by a
   factor of 1 + u at most. What underflows is less than (d + 8) 2^-124, also where the machine
   flushes small numbers to 0, and is subtracted too.
2. ε and γ are rounded down to float32, and γ to 160 / ε at most: no score passes 80 and no weight
   is below e^-80, so nothing overflows or vanishes, and smaller weights are covered as well. Two
   relative roundings of a score of 80 are 161 u at most; exp errs by 4 units in the last place at
   most: 8 u.
3. The sum of 256 weights loses at most γ_256, 257 u.

Together 426 u and second-order terms: η = 512 u. Where vectors are long and close together, the
lower bound on d is poor, more is rejected, and the law stays exact.

Only the first step, one matrix product and six passes over a block that stays in the cache, looks
at all words; random numbers are drawn after it, so that they do not depend on how it is done.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mechanisms.one_thread import one_thread
from mechanisms.vocabulary import Floats, Vocabulary, WordIds

# Words of a block, and the margin η of its sum, as derived above.
BLOCK = 256
MARGIN = 512 * 2.0**-24

# Distinct words that share one pass over the vectors, and float32 numbers in one tile of it, which
# stays in the cache: 512 KB.
_ROWS = 512
_TILE = 2**17

# Pairs of word and block whose weights are kept at once: 1 MB.
_PAIRS = 512

# A draw costs as much as this many words of a whole law: with more draws the law pays.
_LAW_PAYS = 512

# After so many rejections a draw is taken from the law.
_ROUNDS = 4

# Weights from here on are covered by e^-80; ε beyond this only says it is huge.
_SCORE = 80.0
_HUGE = 1e30

ByLaw = Callable[[Vocabulary, WordIds, int, np.random.Generator], WordIds]


def select(
    vocabulary: Vocabulary,
    word_ids: WordIds,
    size: int,
    rng: np.random.Generator,
    *,
    epsilon: float,
    gamma: float,
    by_law: ByLaw,
) -> WordIds:
    """Independent draws with Pr[v] ∝ exp(-ε/2 · min(d(w, v), γ)): ids (n,) -> ids (n, size).

    Parameters
    ----------
    epsilon, gamma
        ε above 0, γ from 0 to infinity.
    by_law
        Draws from the same law, row by row: for words of many draws, and for what the rounds of
        rejection leave over.

    """
    word_ids = vocabulary.checked(word_ids)
    released = np.empty((len(word_ids), size), dtype=np.int64)
    distinct, inverse, counts = np.unique(word_ids, return_inverse=True, return_counts=True)
    many = counts * size * _LAW_PAYS > len(vocabulary)
    few = np.flatnonzero(~many)
    # The positions of each distinct word in `word_ids`, one word after the other.
    order = np.argsort(inverse, kind="stable")
    last = np.cumsum(counts)
    with one_thread():
        if many.any():
            rows = many[inverse]
            released[rows] = by_law(vocabulary, word_ids[rows], size, rng)
        for first in range(0, len(few), _ROWS):
            words = few[first : first + _ROWS]
            where = np.concatenate([order[last[w] - counts[w] : last[w]] for w in words])
            row = np.repeat(np.arange(len(words)), counts[words] * size)
            drawn = _draw(vocabulary, distinct[words], row, rng, epsilon, gamma, by_law)
            released[where] = drawn.reshape(len(where), size)
    return released


def block_bounds(vocabulary: Vocabulary, word_ids: WordIds, epsilon: float, gamma: float) -> Floats:
    """S̃: for each word and block, e^η S̃ is at least the block's sum: (n,) -> (n, blocks)."""
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
        tile[:, len(vectors) :] = 0
        sums = (tile.reshape(-1, BLOCK) @ ones).reshape(len(word_ids), at_once)
        bounds[:, first : first + at_once] = sums[:, : count - first]
    return bounds


def block_weights(
    vocabulary: Vocabulary, word_ids: WordIds, block: WordIds, epsilon: float, gamma: float
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
        np.exp(scores, out=weights[first:last, : scores.shape[1]])
    return weights


def _draw(
    vocabulary: Vocabulary,
    words: WordIds,
    row: NDArray[np.int64],
    rng: np.random.Generator,
    epsilon: float,
    gamma: float,
    by_law: ByLaw,
) -> WordIds:
    """One draw of `words[row]` for each row: distinct words (w,), rows (m,) -> ids (m,)."""
    bounds = block_bounds(vocabulary, words, epsilon, gamma)
    cumulative = np.cumsum(bounds, axis=1)
    released = np.full(len(row), -1, dtype=np.int64)
    for _ in range(_ROUNDS):
        pending = np.flatnonzero(released < 0)
        if not len(pending):
            return released
        # 1 - u lies in (0, 1]: what first reaches its share of a sum has a weight of its own.
        for_block, for_word, for_acceptance = 1.0 - rng.random((3, len(pending)))
        at = row[pending]
        block = first_reaching(cumulative, at, for_block * cumulative[at, -1])
        level = for_acceptance * bounds[at, block] * np.exp(MARGIN)
        pairs, pair = np.unique(block * len(words) + at, return_inverse=True)
        order = np.argsort(pair, kind="stable")
        for first in range(0, len(pairs), _PAIRS):
            of_block, of_word = np.divmod(pairs[first : first + _PAIRS], len(words))
            weights = block_weights(vocabulary, words[of_word], of_block, epsilon, gamma)
            np.cumsum(weights, axis=1, out=weights)
            draws = order[slice(*np.searchsorted(pair, [first, first + _PAIRS], sorter=order))]
            draws = draws[level[draws] <= weights[pair[draws] - first, -1]]
            of_pair = pair[draws] - first
            word = first_reaching(weights, of_pair, for_word[draws] * weights[of_pair, -1])
            released[pending[draws]] = block[draws] * BLOCK + word
    pending = np.flatnonzero(released < 0)
    released[pending] = by_law(vocabulary, words[row[pending]], 1, rng)[:, 0]
    return released


def first_reaching(cumulative: Floats, row: NDArray[np.int64], level: Floats) -> NDArray[np.int64]:
    """The first column of each row that reaches a level: (r, k), rows (m,), levels (m,) -> (m,).

    Rows ascend, and their last column reaches every level asked for.
    """
    low = np.zeros(len(row), dtype=np.int64)
    high = np.full(len(row), cumulative.shape[1] - 1, dtype=np.int64)
    for _ in range((cumulative.shape[1] - 1).bit_length()):
        middle = (low + high) // 2
        reached = cumulative[row, middle] >= level
        high = np.where(reached, middle, high)
        low = np.where(reached, low, middle + 1)
    return low


def _rounded_down(value: float) -> np.float32:
    """A float32 that is at most the number, which is 0 or above."""
    below: np.float32 = np.nextafter(np.float32(value), np.float32(0))
    return below
