"""The nearest words along rays from start points: at many scales for one matrix product.

A fixed draw of noise z is a ray x + s z, s > 0, which the scale s of each ε cuts at one point. The
nearest word of that point has the smallest ‖φ(v)‖² - 2⟨φ(v), x⟩ - 2 s ⟨φ(v), z⟩, so the largest

    ⟨φ(v), z⟩ - (‖φ(v)‖² / 2 - ⟨φ(v), x⟩) / s.

The first term is one product for all scales, the second one row for all draws of a word. Each scale
then costs a difference and a look for the largest number, in tiles that stay in the cache.

The search runs in float32, like `Vocabulary.nearest`. Points so close to a word that rounding would
decide, or so far out that numbers would lose their start, are searched for by `Vocabulary` itself.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from mechanisms.base import blocks
from mechanisms.one_thread import one_thread
from mechanisms.vocabulary import CANCELLATION_FLOAT32, FAR, Floats, Vocabulary, WordIds

# Draws and words of a tile: 1 MB of products.
_DRAWS, _WORDS = 128, 2048

# Reciprocal scales beyond these belong to points that are too close or too far for float32; the
# tiles need finite numbers.
_SMALLEST, _LARGEST = 1e-25, 1e25


def nearest_on_rays(
    vocabulary: Vocabulary, starts: Floats, rows: WordIds, noise: Floats, scales: Floats, k: int
) -> Iterator[tuple[Floats, WordIds]]:
    """The k nearest vectors of each point at each scale: distances (n, k), ascending, and ids.

    One pair for each scale, as from `Vocabulary.nearest_k`: words that share a vector are one.

    Parameters
    ----------
    vocabulary
        The words.
    starts, rows
        Start points (w, d), and the one of each draw (n,), ascending.
    noise
        Noise of scale one (n, d).
    scales
        What the noise is multiplied by (s,), all above 0.
    k
        How many; at most the number of different vectors.

    """
    with one_thread():
        found = _searched(vocabulary, starts, rows, noise, scales, k)
    for scale, ids in zip(scales.tolist(), found, strict=True):
        points = noise * scale
        points += starts[rows]
        yield _settled(vocabulary, points, ids)


def _searched(
    vocabulary: Vocabulary, starts: Floats, rows: WordIds, noise: Floats, scales: Floats, k: int
) -> WordIds:
    """The ids by float32: (s, n, k)."""
    with np.errstate(over="ignore", divide="ignore"):
        shares = np.clip(1 / scales, _SMALLEST, _LARGEST).astype(np.float32)
    half = (vocabulary.squared_norms / 2).astype(np.float32)
    half[vocabulary.representatives != np.arange(len(vocabulary))] = np.inf
    found = np.empty((len(scales), len(rows), k), dtype=np.int64)
    room = np.empty((2, _DRAWS * min(_WORDS, len(vocabulary))), dtype=np.float32)
    for draws in blocks(len(rows), _DRAWS):
        row = rows[draws] - rows[draws.start]
        start = starts[rows[draws.start] : rows[draws.stop - 1] + 1].astype(np.float32)
        best = _Best(len(scales), k, len(row))
        ray = noise[draws].astype(np.float32)
        for words in blocks(len(vocabulary), _WORDS):
            vectors = np.ascontiguousarray(vocabulary.vectors[words].T)
            products, scores = room[:, : len(row) * vectors.shape[1]].reshape(2, len(row), -1)
            np.matmul(ray, vectors, out=products)
            offsets = half[words] - start @ vectors
            for scale, share in enumerate(shares):
                np.take(offsets * share, row, axis=0, out=scores, mode="clip")
                np.subtract(products, scores, out=scores)
                best.add(scale, scores, words.start)
        found[:, draws] = best.ids.transpose(0, 2, 1)
    return found


class _Best:
    """The k largest scores so far at each scale, and their words."""

    def __init__(self, scales: int, k: int, draws: int) -> None:
        self.scores = np.full((scales, k, draws), -np.inf, dtype=np.float32)
        self.ids = np.zeros((scales, k, draws), dtype=np.int64)
        self._every = np.arange(draws)

    def add(self, scale: int, scores: NDArray[np.float32], first: int) -> None:
        """Look at the scores (draws, words) of words from `first` on, and spoil them."""
        kept, ids = self.scores[scale], self.ids[scale]
        for _ in range(len(kept)):
            word = scores.argmax(axis=1)
            score = scores[self._every, word]
            if not (score > kept[-1]).any():
                return
            scores[self._every, word] = -np.inf
            word += first
            for rank in range(len(kept)):  # what is beaten here may beat the next
                larger = score > kept[rank]
                kept[rank], score = (
                    np.where(larger, score, kept[rank]),
                    np.where(larger, kept[rank], score),
                )
                ids[rank], word = (
                    np.where(larger, word, ids[rank]),
                    np.where(larger, ids[rank], word),
                )


def _settled(vocabulary: Vocabulary, points: Floats, ids: WordIds) -> tuple[Floats, WordIds]:
    """Distances in float64, ascending, and the ids; searched anew if float32 does not do."""
    squared = np.empty(ids.shape)
    for rank in range(ids.shape[1]):
        difference = points - vocabulary.vectors[ids[:, rank]]
        squared[:, rank] = np.einsum("nd,nd->n", difference, difference)
    order = np.lexsort((ids, squared), axis=1)
    squared, ids = np.take_along_axis(squared, order, 1), np.take_along_axis(ids, order, 1)
    length = np.einsum("nd,nd->n", points, points)
    close = squared <= CANCELLATION_FLOAT32 * (length[:, None] + vocabulary.squared_norms[ids])
    far = length > (FAR * vocabulary.longest) ** 2
    again = np.flatnonzero(close.any(axis=1) | far)
    distances = np.sqrt(squared)
    if len(again):
        distances[again], ids[again] = vocabulary.nearest_k(points[again], ids.shape[1])
    return distances, ids
