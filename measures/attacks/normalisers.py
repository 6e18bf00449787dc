r"""What an adversary needs to know of every word at once: the normalising constants of a law.

A law of the distance releases v for w with probability q(v) e^(-ε/2 · min(d(w, v), γ)) / Z(w). Who
sees v and asks which w it came from needs Z(w) of every word w of the vocabulary:

log_normalisers   log Z(w) for all w, at several ε at once
best_success      Σ_v max_w π(w) Pr[M(w) = v]: how often the best possible adversary names the
                  word, exactly, where words w are drawn from a prior π

Both look at all |W|² pairs, a tile of distances at a time: it is filled by one matrix product,
serves its rows and, since distances are symmetric, its columns, and stays in the cache. No V × V
matrix is ever there. Distances are in float32, of centred vectors; those that cancellation would
spoil are computed again by difference. log Z is right to about 1e-4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from measures import store
from mechanisms import Family, Vocabulary
from mechanisms.answers import THREADS, Progress
from mechanisms.contenders import in_threads
from mechanisms.score import distance_scores
from mechanisms.selection import DistanceLaw
from mechanisms.vocabulary import Floats

# Rows and columns of a tile: 1 MB in float32.
_ROWS, _COLUMNS = 256, 1024

# Below this share of ‖v‖² + ‖w‖² a squared distance is computed again, by difference.
_CANCELLATION = 1e-4

# ε beyond this only says it is huge; in float32 it must stay finite.
_HUGE = 1e30

Singles = NDArray[np.float32]
Part = TypeVar("Part")


def log_normalisers(
    family: Family[DistanceLaw],
    vocabulary: Vocabulary,
    epsilons: Sequence[float],
    *,
    threads: int = THREADS,
    progress: Progress | None = None,
) -> Floats:
    """log Z(w) of every word at each ε: (E, V)."""
    points = _centred(vocabulary)
    laws = [_law(family.at(float(e)), vocabulary) for e in epsilons]
    base = family.without_epsilon.base_measure(vocabulary)
    shares = None if base is None else base.astype(np.float32)

    def sums(first: int) -> tuple[int, Floats, Floats]:
        """Sums of weights over the rows from `first` on, and over the columns beyond them."""
        rows = slice(first, min(first + _ROWS, len(vocabulary)))
        of_rows = np.zeros((len(laws), rows.stop - first))
        of_columns = np.zeros((len(laws), len(vocabulary)))
        weights = np.empty((_ROWS, _COLUMNS), dtype=np.float32)
        for columns, distances in _tiles(vocabulary, *points, first):
            here = weights[: distances.shape[0], : distances.shape[1]]
            for number, law in enumerate(laws):
                law(distances, here)
                np.exp(here, out=here)
                of_rows[number] += here.sum(axis=1) if shares is None else here @ shares[columns]
                if columns.start > first:
                    of_columns[number, columns] += (
                        here.sum(axis=0) if shares is None else shares[rows] @ here
                    )
        return first, of_rows, of_columns

    total = np.zeros((len(laws), len(vocabulary)))
    for first, of_rows, of_columns in _over_rows(sums, vocabulary, threads, progress):
        total += of_columns
        total[:, first : first + _ROWS] += of_rows
    return np.asarray(np.log(total))


def kept_log_normalisers(
    mechanism: DistanceLaw, vocabulary: Vocabulary, progress: Progress | None = None
) -> Floats:
    """log Z(w) of every word (V,), from disk where it is there."""

    def compute() -> dict[str, Floats]:
        found = log_normalisers(
            mechanism.family(), vocabulary, [mechanism.epsilon], progress=progress
        )
        return {"log_normalisers": found[0]}

    arrays = store.cached("normalisers-1", mechanism, vocabulary, {}, compute)
    return np.asarray(arrays["log_normalisers"])


def best_success(
    mechanism: DistanceLaw,
    vocabulary: Vocabulary,
    log_prior: Floats,
    log_normalisers: Floats,
    *,
    threads: int = THREADS,
    progress: Progress | None = None,
) -> float:
    """Σ_v max_w π(w) Pr[M(w) = v]: the Bayes-optimal success over the prior, without sampling.

    Parameters
    ----------
    log_prior
        log π(w) of every word and, last, of the unknown word (V + 1,).
    log_normalisers
        log Z(w) of every word (V,).

    """
    points, law = _centred(vocabulary), _law(mechanism, vocabulary)
    offset = (log_prior[:-1] - log_normalisers).astype(np.float32)

    def largest(first: int) -> tuple[int, Singles, Singles]:
        rows = slice(first, min(first + _ROWS, len(vocabulary)))
        of_rows = np.full(rows.stop - first, -np.inf, dtype=np.float32)
        of_columns = np.full(len(vocabulary), -np.inf, dtype=np.float32)
        scores = np.empty((_ROWS, _COLUMNS), dtype=np.float32)
        for columns, distances in _tiles(vocabulary, *points, first):
            here = scores[: distances.shape[0], : distances.shape[1]]
            law(distances, here)
            np.maximum(of_rows, (here + offset[columns]).max(axis=1), out=of_rows)
            if columns.start > first:
                of_columns[columns] = (here + offset[rows, None]).max(axis=0)
        return first, of_rows, of_columns

    # Over log q(v), which all inputs share; it is added at the end.
    unknown = np.array([vocabulary.unknown_id])
    base = mechanism.base_measure(vocabulary)
    log_base = 0.0 if base is None else np.log(base)
    best = log_prior[-1] + mechanism.log_prob(vocabulary, unknown)[0] - log_base
    best = best.astype(np.float32)
    for first, of_rows, of_columns in _over_rows(largest, vocabulary, threads, progress):
        np.maximum(best, of_columns, out=best)
        own = best[first : first + _ROWS]
        np.maximum(own, of_rows, out=own)
    return min(1.0, float(np.exp(best + log_base, dtype=np.float64).sum()))


def _law(mechanism: DistanceLaw, vocabulary: Vocabulary) -> Callable[[Singles, Singles], Singles]:
    """Distances -> log weights, from one tile into another."""
    epsilon = min(mechanism.epsilon, _HUGE)
    gamma = min(mechanism.threshold(vocabulary), _HUGE)
    return lambda distances, out: distance_scores(distances, epsilon, gamma, out)


def _over_rows(
    task: Callable[[int], Part],
    vocabulary: Vocabulary,
    threads: int,
    progress: Progress | None,
) -> Iterator[Part]:
    """A task for every stretch of rows, several at a time, in order."""
    starts = range(0, len(vocabulary), _ROWS)
    tasks = (partial(task, first) for first in starts)
    yield from in_threads(tasks, len(starts), threads, progress)


def _tiles(
    vocabulary: Vocabulary, centred: Singles, norms: Singles, first: int
) -> Iterator[tuple[slice, Singles]]:
    """Distances from a stretch of rows to itself, then to the words beyond it: columns, (r, c).

    The tile is used again for the next one.
    """
    rows = slice(first, min(first + _ROWS, len(vocabulary)))
    edges = [first, *range(rows.stop, len(vocabulary), _COLUMNS), len(vocabulary)]
    tile = np.empty((_ROWS, _COLUMNS), dtype=np.float32)
    queries = -2 * centred[rows]
    for start, stop in zip(edges, edges[1:], strict=False):
        if start == stop:
            continue
        columns = slice(start, stop)
        squared = tile[: len(queries), : stop - start]
        np.matmul(queries, centred[columns].T, out=squared)
        squared += norms[rows, None]
        squared += norms[columns]
        smallest = np.float32(_CANCELLATION) * (norms[rows].max() + norms[columns].max())
        if start == first or squared.min() < smallest:
            a, b = np.nonzero(squared < smallest)
            squared[a, b] = vocabulary.distance_between(a + first, b + start) ** 2
        if start == first:
            np.fill_diagonal(squared, 0)
        yield columns, np.sqrt(squared, out=squared)


def _centred(vocabulary: Vocabulary) -> tuple[Singles, Singles]:
    """Vectors less their mean (V, d), and their squared lengths (V,)."""
    centred = vocabulary.vectors - vocabulary.vectors.mean(axis=0)
    return centred, np.einsum("vd,vd->v", centred, centred)
