"""The ε path: a word's output law at every ε, from one pass over the vocabulary.

Noise that is a direction u times an independent radius r moves the word's start point x along a
ray. The word nearest to x + r u minimises D_v² - 2 r c_v, with D_v = ‖φ(v) - x‖ and
c_v = ⟨u, φ(v) - x⟩: straight lines in r, whose lower envelope says which word wins between which
breakpoints 0 = r_0 < r_1 < …. That is geometry. ε enters by the law F of the radius only:

    Pr[v | u, ε] = F_ε(r_{k+1}) - F_ε(r_k),   v the winner between r_k and r_{k+1},

for every ε at once, and the average over directions is the law with the radius integrated out.

CMP          F_ε(r) = P(d, ε r)                      N_w rises with ε
Mahalanobis  the same, u stretched                   N_w rises with ε
Gaussian     r is σ(ε) χ(d); x is clipped, so that   N_w need not rise
             the word may not win even at r = 0
Vickrey      the two lowest lines, and ∫ p(t, r) dF between breakpoints. `published` leaves the
             input word out; `repaired` has a rising N_w where t ≤ 1/2

Laplace, TEM and SanText have a path for fixed draws only: `sampled_path`.

Directions are the only source of error, and they are shared between words: errors of different
words are correlated, and an interval for a mean over words must not treat them as independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from mechanisms.answers import (
    THREADS,
    Answers,
    LawAnswers,
    Progress,
    Statistics,
    checked_epsilons,
    exact_answers,
    sampled_largest,
    sampled_support,
)
from mechanisms.base import Mechanism, NearestTwo, RadialNoise, blocks, is_radial
from mechanisms.contenders import BLOCK, DIRECTIONS, Start, in_threads
from mechanisms.estimate import Estimate, Source, joined, of_shares, of_totals
from mechanisms.family import Family
from mechanisms.first_place import first_place
from mechanisms.rays import places, start_of, winners
from mechanisms.sampled_path import SampledPath, has_path, sampled_path
from mechanisms.vocabulary import Floats, Vocabulary, WordIds

__all__ = [
    "EpsilonPath",
    "LawAnswers",
    "SampledPath",
    "epsilon_path",
    "exact_answers",
    "has_path",
    "sampled_path",
]

# Directions drawn at once, for all words in turn: 1.6 MB at 50 dimensions.
_DRAWN = 4096

# Probabilities of one block of ε: 4 MB, and a few copies.
_PROBABILITIES = 500_000

# Segments of a smaller chance need no quadrature: all of them together do not count.
_NEGLIGIBLE = 1e-13


class _Piece(NamedTuple):
    """Segments of one word and some directions."""

    counts: NDArray[np.int64]
    starts: Floats
    words: NDArray[np.int32]
    lines: Floats


@dataclass(frozen=True, eq=False)
class EpsilonPath(Answers):
    """Which word wins between which radii, for n words and M directions.

    A finished object: plain arrays that nothing changes. Word i and direction j have the segments
    offsets[i M + j] to offsets[i M + j + 1]; a segment lasts from its start to the next one's, the
    last for ever. The starts of a direction increase strictly from 0.
    """

    family: Family[RadialNoise]
    directions: int
    offsets: NDArray[np.int64]
    """(n M + 1,)."""
    starts: Floats
    """(s,), radii in units of the embedding."""
    words: NDArray[np.int32]
    """(s, k), the k nearest words of a segment: one, for Vickrey two."""
    lines: Floats
    """(s, k, 2), D² and c of these words for Vickrey; otherwise (0, 1, 2)."""

    def word_law(self, position: int, epsilon: float) -> tuple[WordIds, Floats]:
        """One word's law, averaged over the directions."""
        segments = self._segments(position)
        probability = self._probabilities(segments, np.array([epsilon]))[:, 0]
        words, inverse = np.unique(self.words[segments], return_inverse=True)
        return words.astype(np.int64), np.bincount(inverse.ravel(), probability) / self.directions

    def unchanged_probability(self, epsilons: ArrayLike) -> Estimate:
        """N_w of every word (n, E), from directions."""
        grid = checked_epsilons(epsilons)
        value = np.empty((2, len(self.word_ids), len(grid)))
        for position in range(len(self.word_ids)):
            value[:, position] = self._unchanged(position, grid)
        return of_shares(value[0], value[1], self.source)

    @property
    def source(self) -> Source:
        """The directions."""
        return Source("directions", self.directions)

    def measure(self, position: int, epsilons: Floats, draws: int, eta: float) -> Statistics:
        """Everything about one word at all ε.

        The expected number of distinct outputs in m draws is, over a group of m directions, one
        draw each, Σ_v 1 - Π_i (1 - Pr[v | u_i]): unbiased, unlike Σ_v 1 - (1 - p_v)^m with the
        averaged p, which takes words that no direction met for impossible. Directions beyond the
        last whole group are left out.
        """
        groups = self.directions // draws
        if not groups:
            raise ValueError(
                f"Distinct outputs: m (draws) must be at most the number of directions, "
                f"{self.directions}; got {draws}."
            )
        segments = self._segments(position)
        words = self.words[segments].ravel().astype(np.int64)
        by_word = _Sums(words)
        owner = np.repeat(self._owners(position), self.words.shape[1])
        group = owner // draws
        # A direction is one draw: where it gives a word in several segments, they add up first.
        drawn = np.flatnonzero(group < groups)
        by_draw = _Sums(owner[drawn] * len(self.vocabulary) + words[drawn])
        meetings = by_draw.keys
        size = len(self.vocabulary)
        by_group = _Sums(meetings // size // draws * size + meetings % size)
        expected = _Sums(by_group.keys // size)
        stays = np.flatnonzero(words == self.word_ids[position])
        kept = _Sums(owner[stays])
        unchanged = np.empty((2, len(epsilons)))
        found = np.empty((len(epsilons), groups))
        supports, largest = [], []
        for part in blocks(len(epsilons), _PROBABILITIES // max(1, len(words))):
            probability = self._probabilities(segments, epsilons[part])
            law = np.ascontiguousarray(by_word(probability).T) / self.directions
            of_draws = by_draw(probability if len(drawn) == len(words) else probability[drawn])
            with np.errstate(divide="ignore"):  # log 0: certain to be drawn
                missed = np.log(1 - np.minimum(of_draws, 1))
            unchanged[:, part] = self._over_directions(kept(probability[stays]).T)
            found[part] = expected(1 - np.exp(by_group(missed))).T
            supports.append(sampled_support(law, eta, self.source))
            largest.append(sampled_largest(law))
        return Statistics(
            of_shares(unchanged[0], unchanged[1], self.source),
            of_totals(found, draws, self.source),
            joined(supports),
            joined(largest),
        )

    def _unchanged(self, position: int, epsilons: Floats) -> tuple[Floats, Floats]:
        """N_w of one word and its deviation over directions, each (E,)."""
        segments, word = self._segments(position), self.word_ids[position]
        owner = self._owners(position)
        stays = self.words[segments] == word
        chosen = np.flatnonzero(stays.any(axis=1))
        by_direction = _Sums(owner[chosen])
        total = np.zeros((len(epsilons), len(by_direction.keys)))
        for row, epsilon in enumerate(epsilons):
            probability = self._probability(segments.start + chosen, float(epsilon))
            total[row] = by_direction((probability * stays[chosen]).sum(axis=1))
        return self._over_directions(total)

    def _over_directions(self, total: Floats) -> tuple[Floats, Floats]:
        """Mean and deviation (E,) of values (E, k) of k directions, 0 in all others."""
        mean = total.sum(axis=1) / self.directions
        variance = np.maximum((total**2).sum(axis=1) / self.directions - mean**2, 0)
        return mean, np.sqrt(variance * self.directions / max(1, self.directions - 1))

    def _segments(self, position: int) -> slice:
        first = position * self.directions
        return slice(int(self.offsets[first]), int(self.offsets[first + self.directions]))

    def _owners(self, position: int) -> NDArray[np.int64]:
        """The direction of each segment of a word."""
        first = position * self.directions
        counts = np.diff(self.offsets[first : first + self.directions + 1])
        return np.repeat(np.arange(self.directions), counts)

    def _probabilities(self, segments: slice, epsilons: Floats) -> Floats:
        """Pr[word | direction, ε] of all segments of one word: (s k, E), segment by segment."""
        begin = self.starts[segments]
        end = np.append(begin[1:], 0.0)
        last = end == 0  # the next segment is another direction's first, or there is none
        low = np.empty((len(epsilons), len(begin)))
        high = np.ones_like(low)
        mechanisms = [self.family.at(float(epsilon)) for epsilon in epsilons]
        for row, mechanism in enumerate(mechanisms):
            low[row] = mechanism.radius_cdf(self.vocabulary, begin)
        np.copyto(high[:, :-1], low[:, 1:], where=~last[:-1])
        places = self._places(mechanisms, segments, (begin, end, last), low, high)
        by_segment = np.empty((len(begin), len(places), len(epsilons)))
        by_segment[:] = places.transpose(2, 0, 1)
        return by_segment.reshape(-1, len(epsilons))

    def _probability(self, segments: NDArray[np.int64], epsilon: float) -> Floats:
        """Pr[word | direction, ε] of some segments: (s, k)."""
        mechanism = self.family.at(epsilon)
        begin = self.starts[segments]
        end = self.starts[np.minimum(segments + 1, len(self.starts) - 1)]
        last = (end == 0) | (segments + 1 == len(self.starts))
        low = mechanism.radius_cdf(self.vocabulary, begin)
        high = np.where(last, 1.0, mechanism.radius_cdf(self.vocabulary, end))
        places = self._places([mechanism], segments, (begin, end, last), low[None], high[None])
        return places[:, 0].T

    def _places(
        self,
        mechanisms: Sequence[RadialNoise],
        segments: slice | NDArray[np.int64],
        reach: tuple[Floats, Floats, NDArray[np.bool_]],
        low: Floats,
        high: Floats,
    ) -> Floats:
        """The chance of the first place of each segment, or of both: (E, s), (E, s) -> (k, E, s).

        `reach` is where each segment begins, where it ends, and whether it never does.
        """
        both: Floats = high - low
        choosing = [each for each in mechanisms if isinstance(each, NearestTwo)]
        if not choosing:
            return both[None]
        begin, end, last = reach
        lines = self.lines[segments]
        # Where the ray passes its nearest word p has a kink, or nearly: cut there.
        passing = lines[:, 0, 1]
        is_cut = (begin < passing) & ((passing < end) | last)
        first = np.empty_like(both)
        for row, mechanism in enumerate(choosing):
            first[row] = both[row] / 2
            some = np.flatnonzero(both[row] > _NEGLIGIBLE)
            cut = np.flatnonzero(is_cut[some])
            there = mechanism.radius_cdf(self.vocabulary, passing[some[cut]])
            first[row, some] = first_place(
                mechanism, self.vocabulary, low[row, some], high[row, some], lines[some], cut, there
            )
        return np.stack([first, both - first])


def epsilon_path(
    family: Family[Mechanism],
    vocabulary: Vocabulary,
    word_ids: ArrayLike,
    directions: int | ArrayLike,
    rng: np.random.Generator | None = None,
    *,
    threads: int = THREADS,
    block: int = BLOCK,
    progress: Progress | None = None,
) -> EpsilonPath:
    """Every word's winners along the same directions.

    Parameters
    ----------
    family
        Of CMP, Mahalanobis, Gaussian or Vickrey.
    vocabulary, word_ids
        Words (n,), the unknown word among them; it never comes out, so its N_w is 0.
    directions
        How many to draw from `rng`, or directions of one's own (M, d), each of equal weight and
        as the mechanism draws them: unit vectors, for Mahalanobis stretched.
    threads, block
        Tasks at a time and words a block; the result does not depend on them.
    progress
        Told the share that is done; what it raises stops the work, and nothing is left behind.

    Raises
    ------
    TypeError
        For a mechanism without such a path; the message says what to use.
    ValueError
        Without directions, or for Vickrey on a vocabulary with too few different words.

    """
    if not is_radial(family):
        raise TypeError(
            f"ε path: {family.name} is not a direction times a radius; "
            "use exact_answers, sampled_path or draws."
        )
    mechanism = family.without_epsilon
    ids = vocabulary.checked_inputs(word_ids).copy()
    drawn, count = _directions(mechanism, vocabulary, directions, rng)
    if block < 1 or threads < 1:
        raise ValueError(f"ε path: block and threads must be positive; got {block} and {threads}.")
    if isinstance(mechanism, NearestTwo):
        mechanism.check(vocabulary)
    nearest = places(mechanism)

    def tasks() -> Iterator[Callable[[], tuple[int, _Piece]]]:
        for some in drawn():
            for position, word in enumerate(ids):
                start = start_of(mechanism, vocabulary, int(word))
                for part in blocks(len(some), DIRECTIONS):
                    yield partial(_piece, position, start, some[part], nearest, block)

    starts = range(0, count, _DRAWN)
    parts = sum(-(-min(_DRAWN, count - first) // DIRECTIONS) for first in starts)
    pieces: list[list[_Piece]] = [[] for _ in ids]
    for position, piece in in_threads(tasks(), parts * len(ids), threads, progress):
        pieces[position].append(piece)
    nothing = np.empty(0, dtype=np.int64), np.empty(0), np.empty((0, nearest), dtype=np.int32)
    empty = _Piece(*nothing, np.empty((0, nearest, 2)))
    flat = [piece for word in pieces for piece in word] or [empty]
    columns = [np.concatenate(column) for column in zip(*flat, strict=True)]
    columns[0] = np.concatenate([[0], np.cumsum(columns[0])]).astype(np.int64)
    for column in (ids, *columns):
        column.flags.writeable = False
    return EpsilonPath(family, vocabulary, ids, count, *columns)


def _directions(
    mechanism: RadialNoise,
    vocabulary: Vocabulary,
    directions: int | ArrayLike,
    rng: np.random.Generator | None,
) -> tuple[Callable[[], Iterator[Floats]], int]:
    """Blocks of directions, made when they are needed, and how many there are in all."""
    given = np.asarray(directions)
    if given.ndim == 0:
        if not np.issubdtype(given.dtype, np.integer) or given < 1:
            raise ValueError(f"ε path: directions must be at least 1; got {directions!r}.")
        if rng is None:
            raise ValueError("ε path: a generator (rng) is needed to draw directions.")
        generator, count = rng, int(given)
        return (
            lambda: (
                mechanism.directions(vocabulary, part.stop - part.start, generator)
                for part in blocks(count, _DRAWN)
            ),
            count,
        )
    if given.ndim != 2 or given.shape[1] != vocabulary.dimensions or not len(given):
        raise ValueError(
            f"ε path: directions must be (M, {vocabulary.dimensions}); got {given.shape}."
        )
    own = given.astype(np.float64)
    if not np.isfinite(own).all():
        raise ValueError("ε path: every direction must be finite.")
    return lambda: (own[part] for part in blocks(len(own), _DRAWN)), len(own)


def _piece(
    position: int, start: Start, directions: Floats, nearest: int, block: int
) -> tuple[int, _Piece]:
    """The segments of one word along some directions."""
    lines, (owner, starts, chosen) = winners(start, directions, nearest, block)
    kept = np.stack([lines.a[chosen], lines.b[chosen]], axis=2)
    return position, _Piece(
        np.bincount(owner, minlength=len(directions)),
        starts,
        lines.word[chosen].astype(np.int32),
        kept if nearest == 2 else kept[:0],
    )


# --------------------------------------------------------------------------------------------- sums


class _Sums:
    """Sums over equal keys, prepared once and used for every ε: (k, E) -> (different keys, E)."""

    def __init__(self, keys: NDArray[np.int64]) -> None:
        order = np.argsort(keys, kind="stable")
        self.keys, first = np.unique(keys[order], return_index=True)
        # A matrix of ones: a row for each key, with a one for each value that has it.
        ends = np.append(first, len(keys))
        shape = len(self.keys), len(keys)
        self._ones = csr_array((np.ones(len(keys)), order, ends), shape=shape)

    def __call__(self, values: Floats) -> Floats:
        """One sum a key, keys ascending."""
        sums: Floats = self._ones @ values
        return sums
