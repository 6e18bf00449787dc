"""How laws were drawn before exact draws, for `benchmarks.exact_draws` to compare with.

Blocks are chosen by inversion of a float64 sum of their bounds, words by inversion of the weights
of one block, both with uniform numbers of 53 bits: no output below 2^-53 ever comes out.
"""

from __future__ import annotations

import numpy as np

from mechanisms.base import LawMechanism
from mechanisms.exact_draws import Integers, first_reaching
from mechanisms.one_thread import one_thread
from mechanisms.selection import DistanceLaw
from mechanisms.syntf import SynTF
from mechanisms.vocabulary import Vocabulary, WordIds
from mechanisms.word_blocks import BLOCK, MARGIN, block_bounds, block_weights

_ROUNDS = 4
_PAIRS = 512


def draw(
    law: DistanceLaw | SynTF,
    vocabulary: Vocabulary,
    word_ids: WordIds,
    size: int,
    rng: np.random.Generator,
) -> WordIds:
    """Draws in floating point, a few of each word: ids (n,) -> (n, size)."""
    if not isinstance(law, DistanceLaw):
        return _by_synonyms(law, vocabulary, word_ids, size, rng)
    words, row = np.unique(np.repeat(word_ids, size), return_inverse=True)
    settings = law.epsilon, law.threshold(vocabulary)
    with one_thread():
        bounds = block_bounds(vocabulary, words, *settings)
        cumulative = np.cumsum(bounds, axis=1)
        released = np.full(len(row), -1, dtype=np.int64)
        for _ in range(_ROUNDS):
            pending = np.flatnonzero(released < 0)
            if not len(pending):
                break
            for_block, for_word, for_acceptance = 1.0 - rng.random((3, len(pending)))
            at = row[pending]
            block = first_reaching(cumulative, at, for_block * cumulative[at, -1])
            level = for_acceptance * bounds[at, block] * np.exp(MARGIN)
            pairs, pair = np.unique(block * len(words) + at, return_inverse=True)
            order = np.argsort(pair, kind="stable")
            for first in range(0, len(pairs), _PAIRS):
                of_block, of_word = np.divmod(pairs[first : first + _PAIRS], len(words))
                weights = block_weights(vocabulary, words[of_word], of_block, *settings)
                np.cumsum(weights, axis=1, out=weights)
                draws = order[slice(*np.searchsorted(pair, [first, first + _PAIRS], sorter=order))]
                draws = draws[level[draws] <= weights[pair[draws] - first, -1]]
                of_pair = pair[draws] - first
                word = first_reaching(weights, of_pair, for_word[draws] * weights[of_pair, -1])
                released[pending[draws]] = block[draws] * BLOCK + word
        pending = np.flatnonzero(released < 0)
        left = LawMechanism.word_sample(law, vocabulary, words[row[pending]], 1, rng)
    released[pending] = left[:, 0]
    return released.reshape(len(word_ids), size)


def _by_synonyms(
    law: SynTF, vocabulary: Vocabulary, word_ids: WordIds, size: int, rng: np.random.Generator
) -> WordIds:
    """SynTF word by word: a rated word, or one of the others by its rank."""
    released: Integers = np.empty((len(word_ids), size), dtype=np.int64)
    for row, word in enumerate(word_ids.tolist()):
        rated, ratings = law.ratings(vocabulary, word)
        others = len(vocabulary) - len(rated)
        scores = np.array([1 - float(rho) for rho in ratings] + [1.0])
        weights = np.exp(-law.epsilon / 2 * scores)
        weights[-1] *= others
        cumulative = np.cumsum(weights)
        choice = np.searchsorted(cumulative, (1.0 - rng.random(size)) * cumulative[-1])
        rank = rng.integers(others, size=size)
        rank += np.searchsorted(rated - np.arange(len(rated)), rank, side="right")
        released[row] = np.where(choice < len(rated), np.append(rated, -1)[choice], rank)
    return released
