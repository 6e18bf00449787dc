"""How close words lie to each other, and how far a mechanism's noise reaches among them.

The same ε turns one sentence to noise and leaves another as it is, because it is spent per unit of
distance, and distances between words differ from embedding to embedding and from word to word:

neighbour distances   the distance from a word to its k-th neighbour, in percentiles over words
reach                 how many words lie within ρ of one word, beside how long the noise is
neighbourhood         a word's nearest words, found in the full space, laid out in the plane along
                      the two directions in which they differ most (principal components)
adaptation            N_w against density: CMP and TEM at the same mean N_w

Reference  Feyisetan et al., "Privacy- and Utility-Preserving Textual Analysis via Calibrated
           Multivariate Perturbations", WSDM 2020, Section 4 and Figure 1
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from measures import store
from measures.words import targets
from measures.words.deniability import unchanged_probability
from mechanisms import CMP, TEM, LawMechanism, Mechanism, NoiseMechanism, RadialNoise, Vocabulary
from mechanisms.answers import THREADS, Progress
from mechanisms.base import EUCLIDEAN, NearestTwo, blocks
from mechanisms.contenders import in_threads
from mechanisms.epsilon_path import epsilon_path
from mechanisms.estimate import EXACT, Estimate, Source, exact
from mechanisms.randomness import seeded_rng
from mechanisms.rays import places
from mechanisms.selection import DistanceLaw
from mechanisms.vocabulary import Floats, WordIds

PERCENTILES = (5, 20, 50, 80, 95)

# The neighbours up to which distances are followed, as in the paper's figure, and those whose
# distance is kept for every word.
MOST_NEIGHBOURS = 1_000
KEPT_NEIGHBOURS = (1, 10, 100)

# Words searched for at a time: with a thousand neighbours each, 16 MB.
_QUERIES = 250

_SEED = 0

_FLOATS = 4_000_000  # numbers of noise held at once

# Words and directions of the figure of N_w against density.
ADAPTATION_WORDS = 120
_ADAPTATION_DIRECTIONS = 200


# ----------------------------------------------------------------------------- neighbour distances


@dataclass(frozen=True)
class NeighbourDistances:
    """Distances to the k-th neighbour, k = 1 … K, over words (n,)."""

    word_ids: WordIds
    percentiles: Floats
    """(5, K), one row a percentile of `PERCENTILES`."""
    kept: Floats
    """(n, 3), the distances to the neighbours of `KEPT_NEIGHBOURS`, the last one where too few."""
    vocabulary_size: int

    def order(self) -> WordIds:
        """The words from the densest place to the sparsest, by their 10th neighbour."""
        return self.word_ids[np.lexsort((self.word_ids, self.kept[:, 1]))]


def sampled_words(vocabulary: Vocabulary, count: int | None) -> WordIds:
    """Words drawn without regard to frequency, ascending, always the same; None for all."""
    if count is None or count >= len(vocabulary):
        return np.arange(len(vocabulary), dtype=np.int64)
    return np.sort(seeded_rng(_SEED).choice(len(vocabulary), count, replace=False))


def neighbour_distances(
    vocabulary: Vocabulary,
    word_ids: ArrayLike,
    most: int = MOST_NEIGHBOURS,
    threads: int = THREADS,
    progress: Progress | None = None,
) -> NeighbourDistances:
    """Exact distances of words (n,) to their 1st … `most`-th neighbour, and their percentiles.

    The word itself is no neighbour; another word with the same vector is one, at distance 0.
    A vocabulary of one word has no neighbours and raises ValueError.
    """
    ids = vocabulary.checked(word_ids)
    if len(vocabulary) < 2 or not len(ids):
        raise ValueError("Neighbours: at least two words of a vocabulary are needed.")
    most = min(most, len(vocabulary) - 1)
    distances = np.empty((len(ids), most), dtype=np.float32)
    parts = list(blocks(len(ids), _QUERIES))
    tasks = (partial(vocabulary.neighbours, ids[part], most + 1) for part in parts)
    for part, found in zip(parts, in_threads(tasks, len(parts), threads, progress), strict=True):
        distances[part] = found[0][:, 1:]
    percentiles = np.empty((len(PERCENTILES), most))
    for part in blocks(most, max(1, 4_000_000 // len(ids))):
        columns = distances[:, part].astype(np.float64)
        percentiles[:, part] = np.percentile(columns, PERCENTILES, axis=0)
    kept = [min(k, most) - 1 for k in KEPT_NEIGHBOURS]
    return NeighbourDistances(
        ids, percentiles, distances[:, kept].astype(np.float64), len(vocabulary)
    )


def kept_neighbour_distances(
    vocabulary: Vocabulary, count: int | None, progress: Progress | None = None
) -> NeighbourDistances:
    """`neighbour_distances` of `sampled_words`, from disk where they have been computed before."""

    def compute() -> store.Arrays:
        words = sampled_words(vocabulary, count)
        found = neighbour_distances(vocabulary, words, progress=progress)
        return {"word_ids": words, "percentiles": found.percentiles, "kept": found.kept}

    settings = {"words": count, "seed": _SEED, "most": MOST_NEIGHBOURS}
    arrays = store.cached("neighbour-distances-1", None, vocabulary, settings, compute)
    return NeighbourDistances(
        arrays["word_ids"], arrays["percentiles"], arrays["kept"], len(vocabulary)
    )


class Landmarks(NamedTuple):
    """Distances by which a γ can be judged: medians over a sample of words."""

    nearest: float
    tenth: float
    any_two: float


def landmarks(vocabulary: Vocabulary, words: int = 200) -> Landmarks | None:
    """Median distance to the nearest word, to the 10th, and between two words at random."""
    if len(vocabulary) < 2:
        return None
    ids = sampled_words(vocabulary, words)
    found = neighbour_distances(vocabulary, ids, most=10)
    others = seeded_rng(_SEED).permutation(ids)
    pairs = vocabulary.distance_between(ids[ids != others], others[ids != others])
    pairs = pairs if len(pairs) else found.kept[:, 0]
    return Landmarks(
        float(np.median(found.kept[:, 0])),
        float(np.median(found.kept[:, 1])),
        float(np.median(pairs)),
    )


# ------------------------------------------------------------------------------------------- reach


@dataclass(frozen=True)
class Reach:
    """Words within ρ of one word, and how far a mechanism moves it, on the same ρ.

    `moved` is the length of the noise, or for a mechanism without noise the distance of the word
    that is released. `source` is that of its distribution.
    """

    radius: Floats
    """ρ (p,), ascending, evenly on a logarithmic axis."""
    words: WordIds
    """(p,), words within ρ, the word itself included."""
    moved: Literal["noise", "output"]
    density: Floats
    """(p - 1,), probability per unit of log₁₀ ρ between neighbouring ρ."""
    low: float
    """5th percentile of `moved`; `median` and `high` the 50th and 95th."""
    median: float
    high: float
    stays: float
    """Probability of moving by 0: it has no place on a logarithmic axis."""
    farthest: float
    """No output is farther if the noise is no longer than the median; or the median distance."""
    within_reach: int
    """Words within `farthest`."""
    source: Source


def reach(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    word_id: int,
    rng: np.random.Generator,
    points: int = 300,
    draws: int = 20_000,
) -> Reach:
    """Words around one word, and how far the mechanism moves it: exact for CMP's kind and for laws.

    Noise whose length has no law in closed form (stretched, or independent by coordinate) is drawn.
    """
    distances = np.sort(vocabulary.distances([word_id])[0])
    cumulative, moved, source = _moved(mechanism, vocabulary, word_id, rng, draws)
    low, median, high, lowest, highest = (
        _quantile(cumulative, q) for q in (0.05, 0.5, 0.95, 5e-4, 1 - 5e-4)
    )
    apart = distances[distances > 0]
    nearest, farthest = (apart[0], apart[-1]) if len(apart) else (1.0, 1.0)
    first = np.clip(lowest, nearest / 30, nearest / 2) if lowest > 0 else nearest / 2
    last = np.clip(highest, 1.2 * farthest, 30 * farthest)
    radius = np.geomspace(first, last, points)
    density = np.diff(cumulative(radius)) / np.diff(np.log10(radius))
    farthest = median
    if isinstance(mechanism, NoiseMechanism):
        farthest = _farthest_after(mechanism, vocabulary, word_id, median)
    return Reach(
        radius=radius,
        words=np.searchsorted(distances, radius, side="right"),
        moved=moved,
        density=density,
        low=low,
        median=median,
        high=high,
        stays=float(cumulative(np.zeros(1))[0]),
        farthest=farthest,
        within_reach=int(np.searchsorted(distances, farthest, side="right")),
        source=source,
    )


def _farthest_after(
    mechanism: NoiseMechanism, vocabulary: Vocabulary, word_id: int, length: float
) -> float:
    """The distance beyond which no word comes out after noise no longer than this.

    One of the k words nearest to the noisy point is released. None of these is farther from it than
    the length plus the distance from the start to its k-th nearest word.
    """
    start = mechanism.start(vocabulary, np.array([word_id]))
    moved = float(np.linalg.norm(start[0] - vocabulary.vectors[word_id]))
    left_out = isinstance(mechanism, NearestTwo) and mechanism.excludes_input
    distances, _ = vocabulary.nearest_k(start, places(mechanism) + left_out)
    return moved + 2 * length + float(distances[0, -1])


def gamma_at(mechanism: Mechanism, vocabulary: Vocabulary) -> float | None:
    """TEM's γ: its own, or by Theorem 4.2 at another mechanism's ε and the usual β.

    None if that ε is not one per unit of Euclidean distance: TEM's would be another number.
    """
    if isinstance(mechanism, DistanceLaw) and mechanism.threshold(vocabulary) < np.inf:
        return mechanism.threshold(vocabulary)
    promise = mechanism.guarantee(vocabulary)
    if promise.notion != "metric DP" or promise.distance != EUCLIDEAN:
        return None
    return TEM(epsilon=mechanism.epsilon).threshold(vocabulary)


_Cumulative = Callable[[Floats], Floats]


def _moved(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    word_id: int,
    rng: np.random.Generator,
    draws: int,
) -> tuple[_Cumulative, Literal["noise", "output"], Source]:
    """The distribution function of the noise's length, or of the output's distance."""
    if isinstance(mechanism, RadialNoise) and _unit_directions(mechanism, vocabulary):
        return partial(mechanism.radius_cdf, vocabulary), "noise", EXACT
    if isinstance(mechanism, NoiseMechanism):
        size = vocabulary.dimensions
        with np.errstate(over="ignore"):  # near ε = 0 a square passes the largest float
            lengths = np.concatenate(
                [
                    np.linalg.norm(mechanism.noise(vocabulary, part.stop - part.start, rng), axis=1)
                    for part in blocks(draws, _FLOATS // size)
                ]
            )
        return _step_function(lengths, np.full(draws, 1 / draws)), "noise", Source("draws", draws)
    if isinstance(mechanism, LawMechanism):
        law = np.exp(mechanism.log_prob(vocabulary, np.array([word_id]))[0])
        return _step_function(vocabulary.distances([word_id])[0], law), "output", EXACT
    released = mechanism.sample(vocabulary, np.array([word_id]), draws, rng)[0]
    moved = vocabulary.distance_between(released, np.full(draws, word_id))
    return _step_function(moved, np.full(draws, 1 / draws)), "output", Source("draws", draws)


def _unit_directions(mechanism: RadialNoise, vocabulary: Vocabulary) -> bool:
    """Whether the radius is the length of the noise: Mahalanobis stretches its directions."""
    some = mechanism.directions(vocabulary, 8, seeded_rng(_SEED))
    return bool(np.allclose(np.linalg.norm(some, axis=1), 1, rtol=1e-9))


def _step_function(values: Floats, weights: Floats) -> _Cumulative:
    order = np.argsort(values)
    at = values[order]
    total = np.append(0.0, np.cumsum(weights[order]))
    total /= total[-1]
    return lambda radius: total[np.searchsorted(at, radius, side="right")]


def _quantile(cumulative: _Cumulative, level: float) -> float:
    """The smallest radius at which the distribution function reaches a level, by bisection."""
    if cumulative(np.zeros(1))[0] >= level:
        return 0.0
    low, high = -305.0, 305.0
    for _ in range(60):
        middle = (low + high) / 2
        reached = cumulative(np.array([10.0**middle]))[0] >= level
        low, high = (low, middle) if reached else (middle, high)
    return float(10.0**high)


# ----------------------------------------------------------------------------------- neighbourhood


@dataclass(frozen=True)
class Neighbourhood:
    """A word and its nearest words, itself first: ids and distances (k,), places (k, 2)."""

    word_ids: WordIds
    distances: Floats
    places: Floats
    """In units of the embedding, the word itself at the origin."""
    spread: float
    """Share of the words' variance that the plane shows, from 0 to 1."""


def neighbourhood(vocabulary: Vocabulary, word_id: int, count: int) -> Neighbourhood:
    """The `count` nearest words of one word, and the plane in which they differ most."""
    _, found = vocabulary.neighbours([word_id], count + 1)
    ids = np.append(word_id, found[0][found[0] != word_id][:count])
    vectors = vocabulary.vectors[ids].astype(np.float64)
    _, lengths, axes = np.linalg.svd(vectors - vectors.mean(axis=0), full_matrices=False)
    places = np.zeros((len(ids), 2))
    plane = axes[: min(2, len(axes))]
    # A component has no sign: its largest entry is made positive.
    plane = plane * np.sign(plane[np.arange(len(plane)), np.abs(plane).argmax(axis=1)])[:, None]
    places[:, : len(plane)] = (vectors - vectors[0]) @ plane.T
    variance = lengths**2
    spread = float(variance[:2].sum() / variance.sum()) if variance.sum() > 0 else 1.0
    distances = vocabulary.distance_between(ids, np.full(len(ids), word_id))
    return Neighbourhood(ids, distances, places, spread)


def suggestions(vocabulary: Vocabulary, text: str, count: int = 6) -> list[str]:
    """The most frequent words that begin as a text does, as much of it as any word shares."""
    for length in range(len(text), 0, -1):
        begun = (word for word in vocabulary.words if word.startswith(text[:length]))
        if found := list(islice(begun, count)):
            return found
    return list(vocabulary.words[:count])


# -------------------------------------------------------------------------------------- adaptation


@dataclass(frozen=True)
class Adaptation:
    """N_w of sampled words (n,) against how close their neighbours are; two mechanisms.

    Both at the same mean N_w, so that only the way it is spread over the words differs.
    """

    word_ids: WordIds
    tenth: Floats
    """(n,), distance to the 10th neighbour."""
    epsilon: tuple[float, float]
    """Of CMP and TEM."""
    unchanged: tuple[Estimate, Estimate]
    """N_w (n,) under CMP, from directions, and under TEM, exact."""

    @property
    def correlation(self) -> tuple[float | None, float | None]:
        """Spearman's rank correlation of the distance with N_w, for each mechanism.

        None if all words have one distance or one N_w: then there is none.
        """
        first, second = (_rank_correlation(self.tenth, n.value) for n in self.unchanged)
        return first, second

    @property
    def range(self) -> Floats:
        """(2, 2), the 10th and 90th percentile of N_w for each mechanism."""
        return np.array([np.percentile(n.value, [10, 90]) for n in self.unchanged])


def adaptation(vocabulary: Vocabulary, progress: Progress | None = None) -> Adaptation:
    """N_w against density, CMP and TEM at the same mean N_w, computed once and kept on disk.

    TEM's ε is the middle of its range; CMP's is where its mean N_w over the same words equals
    TEM's, read off its ε path.
    """
    tem, cmp = TEM.family(), CMP.family()

    def compute() -> store.Arrays:
        if progress:
            progress(0.0)
        ids = sampled_words(vocabulary, ADAPTATION_WORDS)
        tenth = neighbour_distances(vocabulary, ids, most=10).kept[:, 1]
        rng = seeded_rng(_SEED)
        at = tem.at(targets.epsilon_range(tem, vocabulary).middle)
        of_tem = unchanged_probability(at, vocabulary, ids, rng).value
        path = epsilon_path(cmp, vocabulary, ids, _ADAPTATION_DIRECTIONS, rng, progress=progress)

        def excess(log_epsilon: float) -> float:
            mean = path.unchanged_probability(np.exp(log_epsilon)).value.mean()
            return float(mean - of_tem.mean())

        low, high = np.log(1e-3), np.log(1e5)
        if excess(low) >= 0 or excess(high) <= 0:  # out of CMP's reach: as near as it comes
            matched = float(np.exp(low if excess(low) >= 0 else high))
        else:
            matched = float(np.exp(brentq(excess, low, high, xtol=1e-6)))
        of_cmp = path.unchanged_probability(matched)[:, 0]
        return {
            "word_ids": ids,
            "tenth": tenth,
            "epsilon": np.array([matched, at.epsilon]),
            "of_cmp": np.stack([of_cmp.value, of_cmp.low, of_cmp.high]),
            "of_tem": of_tem,
        }

    settings = {"words": ADAPTATION_WORDS, "directions": _ADAPTATION_DIRECTIONS, "seed": _SEED}
    arrays = store.cached("adaptation-2", tem, vocabulary, settings | {"against": "CMP"}, compute)
    epsilon, (value, low, high) = arrays["epsilon"], arrays["of_cmp"]
    return Adaptation(
        arrays["word_ids"],
        arrays["tenth"],
        (float(epsilon[0]), float(epsilon[1])),
        (
            Estimate(value, low, high, Source("directions", _ADAPTATION_DIRECTIONS)),
            exact(arrays["of_tem"]),
        ),
    )


def _rank_correlation(a: Floats, b: Floats) -> float | None:
    """Spearman's, None if one of the two is constant."""
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    return float(np.corrcoef(_ranks(a), _ranks(b))[0, 1])


def _ranks(values: Floats) -> Floats:
    """Average ranks, ties sharing theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[inverse])
