"""A flat map of a few words, and mechanisms on it: what lesson 0 shows.

The map places words so that their distances in the plane resemble those in all dimensions: metric
multidimensional scaling, which lowers

    stress = Σ_{i<j} (‖p_i - p_j‖ - δ_ij)² / Σ_{i<j} δ_ij²

by SMACOF from the principal axes on: p ← B(p) p / n with B_ij = -δ_ij / ‖p_i - p_j‖ for i ≠ j and
rows that add up to 0. No step raises it. The plane is then a vocabulary of its own, and every
mechanism runs on it as it does in fifty dimensions.

Reference  De Leeuw, "Applications of Convex Analysis to Multidimensional Scaling", in Recent
           Developments in Statistics, 1977
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from measures.question import Question, named
from mechanisms import LawMechanism, NoiseMechanism, Vocabulary
from mechanisms.vocabulary import Floats, WordIds

_STEPS = 300

# Words that everybody knows, a few of each kind.
MAPPED = (
    *("monday", "tuesday", "happy", "sad", "love", "cat", "dog", "doctor", "nurse", "teacher"),
    *("student", "movie", "actor", "london", "paris", "coffee", "pizza", "water", "king", "queen"),
    *("guitar", "music", "car", "train", "hockey", "football"),
)


@dataclass(frozen=True, eq=False)
class WordMap:
    """Words in the plane, as a vocabulary of two dimensions."""

    words: Vocabulary
    stress: float
    """How badly the plane keeps the distances: 0 is perfectly, 1 as badly as a single point."""
    dimensions: int
    """Of the space that the map was made from."""


def word_map(vocabulary: Vocabulary, words: Sequence[str] = MAPPED) -> WordMap:
    """A map of those of the words that the vocabulary has."""
    names = [word for word in words if vocabulary.get(word) is not None]
    vectors = vocabulary.vectors[vocabulary.ids(names)].astype(np.float64)
    true = np.linalg.norm(vectors[:, None] - vectors[None], axis=2)
    places = scaled(true, principal_plane(vectors))
    return WordMap(
        Vocabulary(names, places.astype(np.float32)), stress(true, places), vectors.shape[1]
    )


def principal_plane(vectors: Floats) -> Floats:
    """Vectors (n, d) in the plane in which they differ most (n, 2)."""
    centred = vectors - vectors.mean(axis=0)
    left, lengths, _ = np.linalg.svd(centred, full_matrices=False)
    plane: Floats = left[:, :2] * lengths[:2]
    return plane


def scaled(true: Floats, start: Floats, steps: int = _STEPS) -> Floats:
    """Places (n, 2) of less stress than those at the start, for true distances (n, n)."""
    places = start
    for _ in range(steps):
        flat = np.linalg.norm(places[:, None] - places[None], axis=2)
        ratio = -np.divide(true, flat, out=np.zeros_like(true), where=flat > 0)
        np.fill_diagonal(ratio, 0.0)
        np.fill_diagonal(ratio, -ratio.sum(axis=1))
        places = ratio @ places / len(places)
    return places


def stress(true: Floats, places: Floats) -> float:
    """Squared errors of the distances in the plane, over the squared distances."""
    flat = np.linalg.norm(places[:, None] - places[None], axis=2)
    return float(((flat - true) ** 2).sum() / (true**2).sum())


@dataclass(frozen=True, eq=False)
class Darts:
    """Noisy points (n, 2) and the words released for them (n,)."""

    points: Floats
    released: WordIds

    def most_often_instead(self, word_id: int) -> tuple[int, int] | None:
        """The word that came out most often in place of a word, and how often; None for none."""
        others = self.released[self.released != word_id]
        if not len(others):
            return None
        counts = np.bincount(others)
        return int(counts.argmax()), int(counts.max())


def darts(
    mechanism: NoiseMechanism,
    words: Vocabulary,
    word_id: int,
    count: int,
    rng: np.random.Generator,
) -> Darts:
    """Draws of a mechanism that adds noise, with the points where they land."""
    ids = np.full(count, word_id)
    points = mechanism.start(words, ids) + mechanism.noise(words, count, rng)
    return Darts(points, mechanism.choose(words, ids, points, rng))


def nearest(words: Vocabulary, word_id: int, count: int) -> tuple[WordIds, Floats]:
    """The nearest other words (count,), and their distances."""
    distances, ids = words.neighbours([word_id], min(count + 1, len(words)))
    others = ids[0] != word_id
    return ids[0][others][:count], distances[0][others][:count]


def nearest_question(words: Vocabulary, word_id: int) -> Question:
    """The question which of four words is nearest: the first, third and seventh, and the last."""
    ids, _ = nearest(words, word_id, len(words) - 1)
    offered = sorted(words.words[ids[at]] for at in {0, 2, 6, len(ids) - 1} if at < len(ids))
    return named(*offered, right=words.words[ids[0]])


def dart_question(words: Vocabulary, word_id: int, found: Darts) -> Question:
    """The question which word a dart gives: the nearest to it; not the word it was thrown at."""
    point, right = found.points[0], int(found.released[0])
    order = np.argsort(np.linalg.norm(words.vectors.astype(np.float64) - point, axis=1))
    second = next(int(i) for i in order if i not in (right, word_id))
    offered = [words.words[i] for i in dict.fromkeys((right, word_id, second))]
    return named(*sorted(offered), right=words.words[right])


def choice_question(law: Floats, words: Vocabulary, word_id: int) -> Question:
    """The question which word comes out most often of a law (V,): itself, nearest, or all alike."""
    near = int(nearest(words, word_id, 1)[0][0])
    alike = bool(law.max() - law.min() <= 0.01 * law.max())
    right = "alike" if alike else "itself" if law[word_id] >= law[near] else "nearest"
    return named("itself", "nearest", "alike", right=right)


def law_of(mechanism: LawMechanism, words: Vocabulary, word_id: int) -> Floats:
    """Pr[M(w) = v] of one word over the map (V,), exact."""
    law: Floats = np.exp(mechanism.log_prob(words, np.array([word_id]))[0])
    return law


def missed(
    words: Vocabulary, word_id: int, rng: np.random.Generator, mechanism: NoiseMechanism
) -> Darts:
    """One dart that gives another word than it was thrown at, or the last of a thousand."""
    found = darts(mechanism, words, word_id, 1000, rng)
    other = np.flatnonzero(found.released != word_id)
    at = int(other[0]) if len(other) else 999
    return Darts(found.points[at : at + 1], found.released[at : at + 1])
