"""The output of a fixed draw as a step function of ε.

Where noise only grows and shrinks with ε, one draw of it has an output at every ε: the word
dissolves step by step as ε falls. Each step is a crossing of straight lines in one variable r:

CMP, Mahalanobis, Vickrey  r u is the noise, u fixed and r = G/ε with G ~ Gamma(d, 1) fixed. Vickrey
                           also keeps the uniform number that chooses between the two nearest
Gaussian                   the same with r = σ(ε) χ, χ fixed
Laplace                    r = b(ε), the scale, along the fixed noise of scale one
SanText                    one Gumbel number G_v a word, r = 1/ε: the largest -ε/2 d_v + G_v is the
                           smallest d_v - 2 r G_v
TEM                        the same, and one line more for the words beyond γ. Since -min(d, γ) is
                           the larger of -d and -γ, it is γ - 2 r max G. γ by Theorem 4.2 is
                           2 r ln K with K = (1 - β)(|W| - 1)/β: the line is -2 r (max G - ln K)

Truncated Laplace, Truncated Gumbel and SynTF have none: their noise changes shape with ε.

For teaching. Anyone who sees the same noise at two ε has two equations for one unknown: publish the
output at one ε at most.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.answers import THREADS, Progress
from mechanisms.base import Mechanism, NearestTwo, RadialNoise, ScaledNoise, blocks
from mechanisms.contenders import in_threads
from mechanisms.envelope import Lines, Segments, lower_envelope
from mechanisms.family import Family
from mechanisms.rays import places, start_of, winners
from mechanisms.selection import DistanceLaw
from mechanisms.vocabulary import Floats, Vocabulary, WordIds

# Gumbel numbers of one task: 16 MB.
_GUMBELS = 2_000_000

# Draws of one task of the other mechanisms.
_DRAWS = 512


@dataclass(frozen=True, eq=False)
class SampledPath:
    """For each of n words and `draws` draws the released word, as ε rises from 0.

    Word i and draw j have the steps offsets[i draws + j] to offsets[i draws + j + 1]. A step holds
    from its ε to the next one's, the last for ever; the first begins at ε = 0.
    """

    word_ids: WordIds
    draws: int
    offsets: NDArray[np.int64]
    epsilons: Floats
    words: WordIds

    def steps(self, position: int, draw: int) -> tuple[Floats, WordIds]:
        """One draw of one word: where each step begins, ascending, and its word."""
        run = position * self.draws + draw
        part = slice(self.offsets[run], self.offsets[run + 1])
        return self.epsilons[part], self.words[part]

    def at(self, epsilon: float) -> WordIds:
        """The released words at one ε: (n, draws)."""
        if not 0 < epsilon < math.inf:
            raise ValueError(f"Sampled path: ε (epsilon) must lie in (0, inf); got {epsilon:g}.")
        if not len(self.word_ids):
            return np.empty((0, self.draws), dtype=np.int64)
        begun = np.add.reduceat((self.epsilons <= epsilon).astype(np.int64), self.offsets[:-1])
        released: WordIds = self.words[self.offsets[:-1] + begun - 1]
        return released.reshape(len(self.word_ids), self.draws)


def has_path(family: Family[Mechanism]) -> bool:
    """Whether a fixed draw of these mechanisms has an output at every ε."""
    return issubclass(family.kind, ScaledNoise | DistanceLaw)


def sampled_path(
    family: Family[Mechanism],
    vocabulary: Vocabulary,
    word_ids: ArrayLike,
    draws: int,
    rng: np.random.Generator,
    *,
    threads: int = THREADS,
    progress: Progress | None = None,
) -> SampledPath:
    """Independent draws for every word, each followed over all ε.

    Parameters
    ----------
    family
        Any but Truncated Laplace, Truncated Gumbel and SynTF.
    vocabulary, word_ids
        Words (n,), the unknown word among them.
    draws
        How many a word.
    rng
        The draws depend on it alone, not on `threads`.
    threads, progress
        As in `epsilon_path`.

    Raises
    ------
    TypeError
        For a mechanism without a path.

    """
    mechanism = family.without_epsilon
    if not isinstance(mechanism, ScaledNoise | DistanceLaw):
        raise TypeError(
            f"Sampled path: the noise of {family.name} changes shape with ε; "
            "use independent draws on a grid of ε."
        )
    ids = vocabulary.checked_inputs(word_ids).copy()
    if draws < 1:
        raise ValueError(f"Sampled path: draws must be at least 1; got {draws}.")
    if isinstance(mechanism, NearestTwo):
        mechanism.check(vocabulary)
    by_score = isinstance(mechanism, DistanceLaw)
    rows = max(1, _GUMBELS // len(vocabulary)) if by_score else _DRAWS

    def tasks() -> Iterator[Callable[[], _Steps]]:
        for word in ids:
            for part in blocks(draws, rows):
                size = part.stop - part.start
                if isinstance(mechanism, DistanceLaw):
                    noise = rng.gumbel(size=(size, len(vocabulary)))
                    yield partial(_scored, mechanism, vocabulary, word, noise)
                else:
                    noise, length = mechanism.fixed_noise(vocabulary, size, rng)
                    uniform = rng.random(size) if isinstance(mechanism, RadialNoise) else None
                    yield partial(_noisy, mechanism, vocabulary, word, noise, length, uniform)

    count = len(ids) * -(-draws // rows)
    found = list(in_threads(tasks(), count, threads, progress))
    nothing = np.empty(0, dtype=np.int64)
    found.append(_Steps(nothing, np.empty(0), nothing))
    counts, epsilons, words = (np.concatenate(column) for column in zip(*found, strict=True))
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    for array in (ids, offsets, epsilons, words):
        array.flags.writeable = False
    return SampledPath(ids, draws, offsets, epsilons, words)


class _Steps(NamedTuple):
    """Steps of some draws, and how many each draw has."""

    counts: NDArray[np.int64]
    epsilons: Floats
    words: WordIds


# --------------------------------------------------------------------------------- noise, then near


def _noisy(
    mechanism: ScaledNoise,
    vocabulary: Vocabulary,
    word: int,
    directions: Floats,
    length: Floats,
    uniform: Floats | None,
) -> _Steps:
    """Noise of scale one is `length` times `directions`; the ε of a breakpoint from its scale."""
    from_word = start_of(mechanism, vocabulary, word)
    lines, segments = winners(from_word, directions, places(mechanism))
    if isinstance(mechanism, NearestTwo) and uniform is not None:
        segments = _chosen(mechanism.t, lines, segments, uniform)
    owner, start, line = segments
    with np.errstate(over="ignore", divide="ignore"):
        scales = start / length[owner]
    epsilons = np.full(len(scales), np.inf)
    epsilons[scales > 0] = mechanism.epsilon_at(vocabulary, scales[scales > 0])
    return _rising(owner, epsilons, lines.word[line[:, 0]], len(directions))


def _chosen(t: float, lines: Lines, segments: Segments, uniform: Floats) -> Segments:
    """The released one of the two lowest lines, where the uniform number of the draw is fixed.

    The nearest word is released where the number is below p(t, r). With Q the squared distance
    D² - 2 r c + r², that is where (1 - t)² (1 - U)² Q_far > t² U² Q_near: cut at the roots in r.
    """
    owner, start, line = segments
    end = np.append(start[1:], np.inf)
    end[np.append(owner[1:] != owner[:-1], True)] = np.inf
    far = ((1 - t) * (1 - uniform[owner])) ** 2
    near = (t * uniform[owner]) ** 2
    a, b = lines.a[line], lines.b[line]
    square = far - near
    half_linear = far * b[:, 1] - near * b[:, 0]  # of square r² - 2 half_linear r + constant
    constant = far * a[:, 1] - near * a[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(half_linear**2 - square * constant)
        # Without cancellation: one root from the sum, the other from the product.
        sum_ = half_linear + np.copysign(root, half_linear)
        roots = np.stack([sum_ / square, constant / sum_], axis=1)
    outside = ~((roots > start[:, None]) & (roots < end[:, None]))
    roots[outside] = np.inf
    cuts = np.concatenate([start[:, None], np.sort(roots, axis=1)], axis=1)
    ends = np.concatenate([np.minimum(cuts[:, 1:], end[:, None]), end[:, None]], axis=1)
    kept = np.isfinite(cuts) & (cuts < ends)
    row = np.nonzero(kept)[0]
    begin, finish = cuts[kept], ends[kept]
    middle = np.where(np.isfinite(finish), (begin + finish) / 2, 2 * begin + 1)
    above = square[row] * middle**2 - 2 * half_linear[row] * middle + constant[row] > 0
    released = np.where(above, line[row, 0], line[row, 1])
    return Segments(owner[row], begin, released[:, None])


# ----------------------------------------------------------------------------------------- by score


def _scored(mechanism: DistanceLaw, vocabulary: Vocabulary, word: int, noise: Floats) -> _Steps:
    """The word of the largest noisy score, from Gumbel numbers (m, V).

    A base measure q adds ln q to the numbers. The unknown word has the same score for every word:
    the largest number decides at every ε.
    """
    base = mechanism.base_measure(vocabulary)
    if base is not None:
        noise = noise + np.log(base)
    if word == vocabulary.unknown_id:
        count = len(noise)
        return _Steps(np.ones(count, dtype=np.int64), np.zeros(count), noise.argmax(axis=1))
    distances = vocabulary.distances(np.array([word]))[0]
    order = np.argsort(distances)
    sorted_noise = noise[:, order]
    running = np.maximum.accumulate(sorted_noise, axis=1)
    draw, column = np.nonzero(sorted_noise >= running)
    lines = Lines(draw, distances[order[column]], sorted_noise[draw, column], order[column])
    constant, over_epsilon = mechanism.threshold_terms(vocabulary)
    if constant < math.inf:
        # One line more for the words beyond γ = a + b r: a - 2 r (max G - b/2).
        largest = noise.argmax(axis=1)
        joined = Lines(
            np.concatenate([draw, np.arange(len(noise))]),
            np.concatenate([lines.a, np.full(len(noise), constant)]),
            np.concatenate([lines.b, noise.max(axis=1) - over_epsilon / 2]),
            np.concatenate([lines.word, largest]),
        )
        lines = joined.at(np.argsort(joined.owner, kind="stable"))
    owner, start, line = lower_envelope(lines)
    with np.errstate(divide="ignore", over="ignore"):
        return _rising(owner, 1 / start, lines.word[line[:, 0]], len(noise))


def _rising(owner: NDArray[np.int64], highest: Floats, words: WordIds, draws: int) -> _Steps:
    """Segments from the largest ε of each (`highest`, (s,), falling) to steps from the smallest."""
    order = np.argsort(owner[::-1], kind="stable")
    owner, highest, words = owner[::-1][order], highest[::-1][order], words[::-1][order]
    first = np.append(True, owner[1:] != owner[:-1])
    begin = np.where(first, 0.0, np.append(0.0, highest[:-1]))
    lasting = begin < highest
    owner, begin, words = owner[lasting], begin[lasting], words[lasting]
    # Neighbouring steps to the same word are one.
    new = np.append(True, (owner[1:] != owner[:-1]) | (words[1:] != words[:-1]))
    owner, begin, words = owner[new], begin[new], words[new]
    return _Steps(np.bincount(owner, minlength=draws), begin, words)
