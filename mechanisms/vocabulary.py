"""The vocabulary: words, their vectors, and the exact geometry between them.

This is the only large object of the project. It is read-only, so any number of threads may share
it. Searches are exact: faiss compares every vector. Distances are Euclidean, in the units of the
embedding; faiss works with their squares, and the root is taken in this file only.

Precision: ‖p - v‖² = ‖p‖² + ‖v‖² - 2⟨p, v⟩ loses the small difference of large numbers. Rows of
distances are therefore computed in float64, and small ones again by difference. In `nearest`, which
runs in float32, points very close to a word are compared again by difference, and points far
outside the vocabulary by the scalar product alone.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.equal_rows import lowest_equal_row
from mechanisms.extreme_pairs import Pair, closest_pair, farthest_distances, farthest_pair
from mechanisms.faiss_search import LOOPED, faiss
from mechanisms.principal_axes import PrincipalAxes, principal_axes
from mechanisms.words import UnknownWordError, WordIds, Words

if TYPE_CHECKING:
    from mechanisms.base_measure import Counter

__all__ = ["Floats", "LONGEST_SQUARED", "Neighbour", "UnknownWordError", "Vocabulary", "WordIds"]

Floats = NDArray[np.float64]
Ids = NDArray[np.integer] | Sequence[int]

# Below this share of ‖p‖² + ‖v‖² a squared distance is computed again, by difference.
_CANCELLATION_FLOAT64 = 1e-3
CANCELLATION_FLOAT32 = 1e-4

# A point this many times farther out than the longest vector has a ‖p‖² that drowns the rest.
FAR = 32.0

# Squares must stay finite in float32, where the search runs, also for points that are FAR times as
# long as the longest word: (33 ‖v‖)² < 4096 ‖v‖².
LONGEST_SQUARED = float(np.finfo(np.float32).max / 4096)

# Points of one search. Cut the same way whatever the number of threads, so that the rounding, and
# with it a draw under a seed, does not depend on the machine.
_QUERIES = 512
# So few points are searched for one by one: a loop over the words is faster than a product then.
_FEW = 5
_THREADS = min(4, os.cpu_count() or 1)

# Words that share one conversion to float64, and numbers in one block of scores.
_COLUMNS = 16_384
_SCORES = 8_000_000

# Numbers in one block of differences between points and candidates: 8 MB.
_DIFFERENCES = 1_000_000


class Neighbour(NamedTuple):
    """A word and its distance."""

    word: str
    distance: float


class Vocabulary(Words):
    """Words with their vectors, in order of frequency, most frequent first.

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> v["movie"].tolist()
    [0.0, 1.0]
    >>> v.neighbours("film", 2)
    [Neighbour(word='film', distance=0.0), Neighbour(word='movie', distance=1.0)]
    >>> v["filn"]
    Traceback (most recent call last):
    mechanisms.words.UnknownWordError: Vocabulary: 'filn' is not among its words; \
nearest_spelling('filn') lists similar ones.

    Parameters
    ----------
    words
        V different, non-empty strings.
    vectors
        Array (V, d), finite; kept as float32, without a copy where it already is.
    synonyms
        Optional lexicon: word -> its synonyms.
    counter
        Optional: counts a public corpus by its name over this vocabulary, for base measures.
    public
        Whether results about it may be kept for others, on disk too. A visitor's own is not.

    Raises
    ------
    ValueError
        If words repeat or are empty, the shapes disagree, or a vector is not finite; the
        message names the first bad word.

    """

    def __init__(
        self,
        words: Sequence[str],
        vectors: ArrayLike,
        synonyms: Mapping[str, Sequence[str]] | None = None,
        public: bool = True,
        counter: Counter | None = None,
    ) -> None:
        """Check the words and vectors, and freeze them."""
        super().__init__(words)
        with np.errstate(over="ignore"):  # what passes the largest float32 is named in _check
            array = np.ascontiguousarray(vectors, dtype=np.float32).view()
        array.flags.writeable = False
        self.vectors: NDArray[np.float32] = array
        self.synonyms = synonyms
        self.public = public
        self.counter = counter
        self._check()

    def _check(self) -> None:
        if not self.words:
            raise ValueError("Vocabulary: at least one word is needed; got none.")
        strange = next((word for word in self.words if not isinstance(word, str)), None)
        if strange is not None:
            raise TypeError(f"Vocabulary: words must be strings; got {strange!r}.")
        if self.vectors.ndim != 2 or self.vectors.shape[1] == 0:
            raise ValueError(f"Vocabulary: vectors must be (V, d); got {self.vectors.shape}.")
        if len(self.vectors) != len(self.words):
            raise ValueError(
                f"Vocabulary: one vector a word; got {len(self.words)} words and "
                f"{len(self.vectors)} vectors."
            )
        if len(self._ids) != len(self.words) or "" in self._ids:
            position = next(i for i, w in enumerate(self.words) if not w or self._ids[w] != i)
            raise ValueError(
                "Vocabulary: words must differ and not be empty; "
                f"{self.words[position]!r} at position {position} does not."
            )
        short = self.squared_norms < LONGEST_SQUARED
        if not short.all():
            position = int(np.argmin(short))
            raise ValueError(
                f"Vocabulary: the vector of {self.words[position]!r} (position {position}) is not "
                "finite or too long; remove the word or repair its vector."
            )

    def __repr__(self) -> str:
        """Size, dimensions and fingerprint."""
        return f"Vocabulary({len(self):,} words × {self.dimensions}, {self.fingerprint[:8]})"

    @property
    def dimensions(self) -> int:
        """d, the length of a vector."""
        return int(self.vectors.shape[1])

    @cached_property
    def fingerprint(self) -> str:
        """A hash of words and vectors: the name under which results are kept."""
        digest = hashlib.blake2b(digest_size=16)
        # The lengths say where a word ends, whatever characters it holds.
        digest.update(np.fromiter(map(len, self.words), np.int64, len(self)).tobytes())
        digest.update("".join(self.words).encode("utf-8", "surrogatepass"))
        digest.update(str(self.vectors.shape).encode())
        digest.update(self.vectors.data.cast("B"))
        return digest.hexdigest()

    def __getitem__(self, word: str) -> NDArray[np.float32]:
        """The vector (d,) of a known word; `UnknownWordError` for any other."""
        if not isinstance(word, str):
            raise TypeError(f"Vocabulary: a word must be a string; got {word!r}.")
        vector: NDArray[np.float32] = self.vectors[self.ids([word])[0]]
        return vector

    # ------------------------------------------------------------------------------------ geometry

    @cached_property
    def squared_norms(self) -> Floats:
        """‖v‖² of every word (V,)."""
        squared: Floats = np.einsum("vd,vd->v", self.vectors, self.vectors, dtype=np.float64)
        return squared

    @cached_property
    def longest(self) -> float:
        """The largest ‖v‖."""
        return float(np.sqrt(self.squared_norms.max()))

    @cached_property
    def mean(self) -> Floats:
        """The mean of all vectors (d,)."""
        return np.asarray(self.vectors.mean(axis=0, dtype=np.float64))

    @cached_property
    def representatives(self) -> WordIds:
        """For every word the lowest id with the same vector (V,): mostly its own."""
        return lowest_equal_row(self.vectors)

    @cached_property
    def different_vectors(self) -> int:
        """How many different vectors there are: |W|, unless words share one."""
        return int(np.count_nonzero(self.representatives == np.arange(len(self))))

    @cached_property
    def principal_axes(self) -> PrincipalAxes:
        """The words' sample covariance, scaled to mean variance one.

        A vocabulary without any spread (a single word, or all words in one place) has no such
        covariance; the identity replaces it. Fewer words than dimensions spread along V axes at
        most, which cost O(V² d); otherwise O(V d² + d³).
        """
        return principal_axes(self.vectors, spread=self.different_vectors > 1)

    @cached_property
    def closest_pair(self) -> Pair:
        """The smallest distance between two words, and their ids. Two words at least."""
        self._check_pairs()
        return closest_pair(self.vectors)

    @cached_property
    def farthest_pair(self) -> Pair:
        """The largest distance between two words, and their ids. Two words at least."""
        self._check_pairs()
        return farthest_pair(self.vectors)

    def farthest_distances(self, word_ids: ArrayLike) -> Floats:
        """The distance from each word to its farthest word: ids (n,) -> (n,); kept once found."""
        ids = self.checked(word_ids)
        missing = np.unique(ids[np.isnan(self._farthest[ids])])
        self._farthest[missing] = farthest_distances(self.vectors, missing)
        return self._farthest[ids]

    @cached_property
    def _farthest(self) -> Floats:
        return np.full(len(self), np.nan)

    def _check_pairs(self) -> None:
        if len(self) < 2:
            raise ValueError("Vocabulary: a pair needs two words; it has one.")

    def distance_between(self, a: ArrayLike, b: ArrayLike) -> Floats:
        """‖φ(a) - φ(b)‖ pair by pair, by difference: ids (n,), ids (n,) -> (n,)."""
        difference = self.vectors[np.asarray(a)].astype(np.float64)
        difference -= self.vectors[np.asarray(b)]
        distances: Floats = np.sqrt(np.einsum("...d,...d->...", difference, difference))
        return distances

    def distances(self, word_ids: ArrayLike, among: slice = slice(None)) -> Floats:
        """Distances from each word to every word: (n,) -> (n, V); d(w, w) is exactly 0.

        Or only to those of a slice of the ids.
        """
        ids = self.checked(word_ids)
        queries = self.vectors[ids].astype(np.float64)
        start, stop, _ = among.indices(len(self))
        out = np.empty((len(ids), stop - start))
        norms = self.squared_norms[ids, None]
        for first in range(start, stop, _COLUMNS):
            columns = slice(first, min(first + _COLUMNS, stop))
            block = queries @ self.vectors[columns].astype(np.float64).T
            block *= -2
            scale = norms + self.squared_norms[columns]
            block += scale
            scale *= _CANCELLATION_FLOAT64
            row, column = np.nonzero(block < scale)
            column += first
            part = out[:, first - start : columns.stop - start]
            np.sqrt(np.maximum(block, 0, out=block), out=part)
            out[row, column - start] = self.distance_between(ids[row], column)
        return out

    def nearest(self, points: ArrayLike) -> WordIds:
        """The word nearest to each point: (n, d) -> ids (n,). Ties go to the lowest id.

        Exact up to float32 rounding of the squared distance. Raises ValueError if a point is
        not finite: a failed search never falls back to some word.
        """
        points, length, far = self._checked_points(points)
        ids = np.empty(len(points), dtype=np.int64)
        if far.any():
            ids[far] = self._extreme(points[far], length[far], 1)[:, 0]
        near = np.flatnonzero(~far)
        if len(near):
            squared, found = self._search(points[near], 1)
            ids[near] = found[:, 0]
            scale = length[near] ** 2 + self.squared_norms[found[:, 0]]
            close = near[squared[:, 0] <= CANCELLATION_FLOAT32 * scale]
            if len(close):
                ids[close] = self._nearest_by_difference(points[close], 1)[1][:, 0]
        return self.representatives[ids]

    def nearest_k(self, points: ArrayLike, k: int) -> tuple[Floats, WordIds]:
        """The k vectors nearest to each point: distances (n, k), ascending, and ids (n, k).

        Words that share a vector count as one, under their lowest id: whatever chooses among the
        k cannot tell such words apart. Ties go to the lowest id. As exact as `nearest`.

        Raises
        ------
        ValueError
            If a point is not finite, or the vocabulary has fewer than k different vectors.

        """
        points, length, far = self._checked_points(points)
        if not 1 <= k <= self.different_vectors:
            raise ValueError(
                f"Vocabulary: k must lie in [1, {self.different_vectors}], the number of different "
                f"vectors; got {k}."
            )
        distances, ids = np.empty((len(points), k)), np.empty((len(points), k), dtype=np.int64)
        if far.any():
            ids[far] = self._extreme(points[far], length[far], k)
            for column in range(k):
                difference = points[far] - self.vectors[ids[far, column]]
                distances[far, column] = np.linalg.norm(difference, axis=1)
        open_rows, asked = np.flatnonzero(~far), k
        while len(open_rows):
            squared, found = self._nearest_by_difference(points[open_rows], asked)
            found = self.representatives[found]
            repeated = np.zeros(found.shape, dtype=bool)
            for column in range(1, found.shape[1]):
                repeated[:, column] = (found[:, :column] == found[:, column, None]).any(axis=1)
            first = np.argsort(repeated, axis=1, kind="stable")[:, :k]
            done = (~repeated).sum(axis=1) >= k
            rows = open_rows[done]
            distances[rows] = np.sqrt(np.take_along_axis(squared, first, 1)[done])
            ids[rows] = np.take_along_axis(found, first, 1)[done]
            open_rows, asked = open_rows[~done], 2 * asked
        return distances, ids

    @overload
    def neighbours(self, word_ids: Ids, k: int) -> tuple[Floats, WordIds]: ...

    @overload
    def neighbours(self, word_ids: str, k: int) -> list[Neighbour]: ...

    def neighbours(self, word_ids: Ids | str, k: int) -> tuple[Floats, WordIds] | list[Neighbour]:
        """Each word's k nearest words, itself included: distances (n, k), ascending, and ids.

        Of one word, written as a string: a list of words and distances. Distances are computed by
        difference. Among equal distances the lowest id comes first.
        """
        if isinstance(word_ids, str):
            distances, near = self.neighbours(self.ids([word_ids]), k)
            pairs = zip(near[0].tolist(), distances[0].tolist(), strict=True)
            return [Neighbour(self.words[i], distance) for i, distance in pairs]
        ids = self.checked(word_ids)
        squared, found = self._nearest_by_difference(self.vectors[ids].astype(np.float64), k)
        return np.sqrt(squared), found

    def _checked_points(self, points: ArrayLike) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Points (n, d) in float64, their lengths (n,), and which lie far outside (n,)."""
        points = np.asarray(points, dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != self.dimensions:
            raise ValueError(
                f"Vocabulary: points must be (n, {self.dimensions}); got {points.shape}."
            )
        with np.errstate(over="ignore"):  # a length of inf is refused on the next line
            length = np.linalg.norm(points, axis=1)
        if not np.isfinite(length).all():
            raise ValueError(
                "Vocabulary: every point must be finite, and its square too; got nan, inf or a "
                "number beyond 1e153."
            )
        return points, length, length > FAR * self.longest

    def _search(self, points: ArrayLike, k: int) -> tuple[NDArray[np.float32], WordIds]:
        """Exact search: squared distances (n, k), ascending, in float32, and ids (n, k)."""
        queries = np.ascontiguousarray(points, dtype=np.float32)

        one_by_one = len(queries) <= _FEW and self.dimensions < LOOPED
        together = 1 if one_by_one else _QUERIES

        def search(first: int) -> tuple[NDArray[np.float32], WordIds]:
            squared, ids = faiss().knn(queries[first : first + together], self.vectors, k)
            return squared, ids

        starts = range(0, max(1, len(queries)), together)
        if len(queries) <= _QUERIES:
            parts = [search(start) for start in starts]
        else:
            with ThreadPoolExecutor(_THREADS) as pool:
                parts = list(pool.map(search, starts))
        squared = np.concatenate([part[0] for part in parts])
        ids = np.concatenate([part[1] for part in parts])
        if (ids < 0).any():
            raise RuntimeError("Vocabulary: the search overflowed and found no nearest word.")
        return squared, ids

    def _nearest_by_difference(self, points: Floats, k: int) -> tuple[Floats, WordIds]:
        """The k nearest words, compared in float64: squared distances and ids (n, min(k, V)).

        Ascending, the lowest id first among equals. The search in float32 only proposes: it is
        asked for more candidates until the words it leaves out cannot be among the k nearest.
        """
        k = min(k, len(self))
        squared, ids = np.empty((len(points), k)), np.empty((len(points), k), dtype=np.int64)
        open_rows, asked = np.arange(len(points)), k + 8 + k // 8
        while len(open_rows):
            asked = min(asked, len(self))
            at = points[open_rows]
            approximate, found = self._search(at, asked)
            exact = np.empty(found.shape)
            rows = max(1, _DIFFERENCES // (asked * self.dimensions))
            for first in range(0, len(at), rows):
                block = slice(first, first + rows)
                difference = self.vectors[found[block]].astype(np.float64)
                difference -= at[block, None]
                exact[block] = np.einsum("nkd,nkd->nk", difference, difference)
            order = np.lexsort((found, exact), axis=1)[:, :k]
            squared[open_rows] = np.take_along_axis(exact, order, 1)
            ids[open_rows] = np.take_along_axis(found, order, 1)
            # Settled where the farthest candidate cannot be a tie in disguise.
            slack = CANCELLATION_FLOAT32 * (np.einsum("nd,nd->n", at, at) + self.longest**2)
            settled = approximate[:, -1:] - squared[open_rows, -1:] > slack[:, None]
            open_rows = open_rows[~settled.all(axis=1)] if asked < len(self) else open_rows[:0]
            asked *= 2
        return squared, ids

    def _extreme(self, points: Floats, length: Floats, k: int) -> WordIds:
        """The k nearest vectors of far points: ids (n, k).

        The largest ⟨p/‖p‖, v⟩ - ‖v‖² / (2‖p‖), without squares of p.
        """
        if self.longest == 0:  # all words lie in one place
            return np.zeros((len(points), k), dtype=np.int64)
        directions = (points / length[:, None]).astype(np.float32)
        # In units of the longest vector, so that nothing over- or underflows in float32.
        half_squares = (self.squared_norms / self.longest / self.longest / 2).astype(np.float32)
        shares = (self.longest / length * self.longest).astype(np.float32)
        ids = np.empty((len(points), k), dtype=np.int64)
        rows = max(1, _SCORES // len(self))
        for first in range(0, len(points), rows):
            block = slice(first, first + rows)
            scores = directions[block] @ self.vectors.T
            scores -= half_squares * shares[block, None]
            for rank in range(k):
                ids[block, rank] = self.representatives[scores.argmax(axis=1)]
                if rank + 1 < k:
                    scores[self.representatives == ids[block, rank, None]] = -np.inf
        return ids
