"""Which words can be nearest to x + r u, for some r > 0: one matrix product and a running maximum.

With D_v = ‖φ(v) - x‖ and c_v = ⟨u, φ(v) - x⟩, the nearest word minimises D_v² - 2 r c_v. A word
can only win if its c beats that of every nearer word; to come second, all but one. So with the
words sorted by D once, a running maximum over c (the running second largest) leaves some 20 of
30,000 words a direction.

The product runs in float32, over blocks of words from the nearest outwards, gathered as they are
needed. Most blocks beyond the first few hold no c above the running maximum and cost no more than
the product and one look at it. Whatever float32 might hide is kept: c is computed again in float64
for the words that are left, and the result does not depend on how the words were cut into blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from threading import Lock
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mechanisms.base import blocks
from mechanisms.envelope import Lines
from mechanisms.one_thread import one_thread
from mechanisms.vocabulary import Floats, Vocabulary, WordIds

Result = TypeVar("Result")

# Directions of one task: with a full block of words their products are 1 MB, and stay in the cache.
DIRECTIONS = 512

# Words of a block: few at first, where almost every direction has a new maximum, then this many.
BLOCK = 512
_FIRST_BLOCK = 64

# Neighbouring words that are first looked at by their peak only.
_STRETCH = 64

# Words converted to float64 at once, and numbers in a block of differences (8 MB).
_ROWS = 4096
_DIFFERENCES = 1_000_000

# Below this share of ‖v‖² + ‖x‖² a squared distance is computed again, by difference.
_CANCELLATION = 1e-3


class Start:
    """A start point and the words around it, nearest first.

    Parameters
    ----------
    vocabulary
        Of words that share a vector only the lowest id takes part: it wins every tie.
    point
        x (d,).
    excluded
        A word whose vector takes no part, or None.

    """

    def __init__(self, vocabulary: Vocabulary, point: Floats, excluded: int | None = None) -> None:
        self.vocabulary, self.point, self.excluded = vocabulary, point, excluded
        self._lock = Lock()
        self._sorted: tuple[WordIds, Floats] | None = None

    @property
    def nearest_first(self) -> tuple[WordIds, Floats]:
        """Word ids, nearest first, and D² of every word (V,)."""
        with self._lock:
            if self._sorted is None:
                self._sorted = self._sort()
            return self._sorted

    def _sort(self) -> tuple[WordIds, Floats]:
        vocabulary, x = self.vocabulary, self.point
        scale = vocabulary.squared_norms + x @ x
        squared = scale.copy()
        for rows in blocks(len(vocabulary), _ROWS):
            squared[rows] -= vocabulary.vectors[rows].astype(np.float64) @ (2 * x)
        small = np.flatnonzero(squared < _CANCELLATION * scale)
        for part in blocks(len(small), _DIFFERENCES // vocabulary.dimensions):
            difference = vocabulary.vectors[small[part]] - x
            squared[small[part]] = np.einsum("nd,nd->n", difference, difference)
        own = vocabulary.representatives
        taking_part = own == np.arange(len(own))
        if self.excluded is not None:
            taking_part[own[self.excluded]] = False
        if taking_part.all():
            return np.argsort(squared), squared
        ids = np.flatnonzero(taking_part)
        return ids[np.argsort(squared[ids])], squared

    def lines(self, directions: Floats, *, seconds: bool = False, block: int = BLOCK) -> Lines:
        """The lines D² - 2 r c of all words that can win: (m, d) -> lines owned by 0 to m - 1.

        With `seconds` those that can come second, too.
        """
        order, squared = self.nearest_first
        owners, words = self._contenders(directions, order, seconds, block)
        slopes = np.empty(len(owners))
        for part in blocks(len(owners), _DIFFERENCES // self.vocabulary.dimensions):
            difference = self.vocabulary.vectors[words[part]] - self.point
            slopes[part] = np.einsum("nd,nd->n", difference, directions[owners[part]])
        return Lines(owners, squared[words], slopes, words)

    def _contenders(
        self, directions: Floats, order: WordIds, seconds: bool, block: int
    ) -> tuple[NDArray[np.int64], WordIds]:
        """Pairs of a direction and a word, by direction: two arrays (n,)."""
        vectors = self.vocabulary.vectors
        single = directions.astype(np.float32)
        # Twice the worst rounding of a product of d terms, for both sides of a comparison.
        rounding = 2 * float(np.finfo(np.float32).eps) * (single.shape[1] + 8)
        length = np.linalg.norm(directions, axis=1)
        slack = (rounding * self.vocabulary.longest * length).astype(np.float32)
        # The running maximum, and the running second largest where it is asked for.
        best = np.full((2 if seconds else 1, len(single)), -np.inf, dtype=np.float32)
        owners, words = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        room = np.empty(len(single) * -(-block // _STRETCH) * _STRETCH, dtype=np.float32)
        gathered = np.empty((block, single.shape[1]), dtype=np.float32)
        for part in _growing(len(order), block):
            ids = order[part]
            near = np.take(vectors, ids, axis=0, out=gathered[: len(ids)], mode="clip")
            width = -(-len(ids) // _STRETCH) * _STRETCH
            products = room[: len(single) * width].reshape(len(single), width)
            np.matmul(single, near.T, out=products[:, : len(ids)])
            products[:, len(ids) :] = -np.inf
            rows = np.flatnonzero(products.max(axis=1) > best[-1] - slack)
            if not len(rows):
                continue
            # First stretches whose peak beats those before, then the words in them.
            some = products if len(rows) == len(single) else products[rows]
            stretches = some.reshape(len(rows), -1, _STRETCH)
            peaks = stretches.max(axis=2)
            after = _after(best[:, rows, None], peaks)
            before = np.concatenate([best[:, rows, None], after[:, :, :-1]], axis=2)
            best[:, rows] = after[:, :, -1]
            row, stretch = np.nonzero(peaks > before[-1] - slack[rows, None])
            values = stretches[row, stretch]
            start = before[:, row, stretch, None]
            within = _after(start, values)
            known = np.concatenate([start, within[:, :, :-1]], axis=2)[-1]
            hit, offset = np.nonzero(values > known - slack[rows[row], None])
            owners.append(rows[row[hit]])
            words.append(ids[stretch[hit] * _STRETCH + offset])
        owner, word = np.concatenate(owners), np.concatenate(words)
        by_owner = np.argsort(owner, kind="stable")
        return owner[by_owner], word[by_owner]


def _after(before: NDArray[np.float32], values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The largest so far after each value of (n, k), and a floor of the second largest.

    From what was known before, (1 or 2, n, 1), to (1 or 2, n, k). Where each value is the peak of
    several words, the second largest peak may lie below the second largest word: that keeps too
    many words, never too few.
    """
    after = np.empty((len(before), *values.shape), dtype=np.float32)
    np.maximum.accumulate(values, axis=1, out=after[0])
    np.maximum(after[0], before[0], out=after[0])
    if len(before) == 2:
        largest = np.concatenate([before[0], after[0, :, :-1]], axis=1)
        np.maximum.accumulate(np.minimum(values, largest), axis=1, out=after[1])
        np.maximum(after[1], before[1], out=after[1])
    return after


def _growing(length: int, block: int) -> Iterator[slice]:
    """Cut range(length) into slices that double in size up to `block`."""
    first, size = 0, min(_FIRST_BLOCK, block)
    while first < length:
        yield slice(first, min(first + size, length))
        first, size = first + size, min(2 * size, block)


# ---------------------------------------------------------------------------------------- threads


def in_threads(
    tasks: Iterable[Callable[[], Result]],
    count: int,
    threads: int,
    progress: Callable[[float], None] | None,
) -> Iterator[Result]:
    """The results of `count` tasks, in order, a few computed ahead.

    `progress` is told the share that is done, from 0 to 1, in the calling thread. What it raises
    stops the work: tasks that have not begun never do, and the error passes on.
    """
    waiting = iter(tasks)
    with one_thread(), ThreadPoolExecutor(threads) as pool:
        ahead: list[Future[Result]] = []
        try:
            if progress:
                progress(0.0)
            ahead += [pool.submit(task) for task in islice(waiting, 2 * threads)]
            for done in range(1, count + 1):
                result = ahead.pop(0).result()
                ahead += [pool.submit(task) for task in islice(waiting, 1)]
                if progress:
                    progress(done / count)
                yield result
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
