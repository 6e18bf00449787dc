"""Privacy against usefulness at every ε, on scales that all mechanisms share.

ε means something else for every mechanism, distance and dimension, so it is no axis to compare on.
Here a mechanism is a curve, its points the ε of a grid:

privacy     1 - mean N_w, the chance that a word is replaced, averaged over sampled words
usefulness  1 - E d(w, M(w)) / E d(w, V), V uniform over the vocabulary and both averaged over the
            sampled words: 1 where every word stays, 0 where the released word is on average as far
            away as one picked blindly, below 0 where it is even farther

The distance moved is defined for every mechanism, needs no model and no task, and dividing by the
distance to a blind pick makes it comparable between embeddings. Of two curves the upper one keeps
more at the same N_w. Neither axis is the whole of privacy or of usefulness.

E d(w, M(w)) is exact where the law is known. Otherwise it is the mean of `BATCHES` independent
batches of directions or of draws, and its interval is Student's over the batches: words share the
directions of a batch, so their errors are not independent, and batches are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from measures import deniability, store
from mechanisms import LawMechanism, Mechanism, RadialNoise, Vocabulary
from mechanisms.answers import Curves
from mechanisms.epsilon_path import epsilon_path
from mechanisms.estimate import CONFIDENCE, EXACT, Estimate, Source, exact, unknown
from mechanisms.randomness import seeded_rng
from mechanisms.vocabulary import Floats, WordIds

# Words that stand for the vocabulary, points of the grid of ε, and m of S_w.
WORDS = 60
POINTS = 25
DRAWS = 100

# Independent batches, and how many directions or draws each has.
BATCHES = 4
DIRECTIONS = 150
BATCH_DRAWS = 25


@dataclass(frozen=True, eq=False)
class Tradeoff:
    """What is known of a mechanism on a grid of ε, for n sampled words."""

    word_ids: WordIds
    curves: Curves
    """N_w and S_w of every word."""
    moved: Floats
    """E d(w, M(w)) in each batch (b, n, E); one batch where it is exact."""
    blind: Floats
    """Mean distance of each word to all words (n,)."""

    @property
    def privacy(self) -> Floats:
        """1 - mean N_w (E,)."""
        return np.asarray(1 - self.curves.unchanged.value.mean(axis=0))

    @property
    def usefulness(self) -> Estimate:
        """1 - mean distance moved, by the distance to a blind pick (E,)."""
        from scipy.special import stdtrit

        batches = 1 - self._batches()
        count, value = len(batches), batches.mean(axis=0)
        if self.source.is_exact:
            return exact(value)
        if count == 1:
            return unknown(value, most=1.0)
        quantile = stdtrit(count - 1, (1 + CONFIDENCE) / 2)
        half = quantile * batches.std(axis=0, ddof=1) / np.sqrt(count)
        return Estimate(value, value - half, np.minimum(value + half, 1), self.source)

    @property
    def source(self) -> Source:
        """What the distances come from: a law, or directions or draws of all batches."""
        kind = self.curves.unchanged.source.kind
        size = DIRECTIONS if kind == "directions" else BATCH_DRAWS
        return EXACT if kind == "exact" else Source(kind, len(self.moved) * size)

    @property
    def error(self) -> Floats:
        """Half of the interval of `usefulness` (E,)."""
        return self.usefulness.half_width

    def at_privacy(self, privacy: float) -> tuple[float, float] | None:
        """Usefulness and half of its interval at 1 - mean N_w; None where no ε gives that."""
        epsilon = self._epsilon_at(privacy)
        if epsilon is None:
            return None
        return self._read(self.usefulness.value, epsilon), self._read(self.error, epsilon)

    def lead(self, other: Tradeoff, privacy: float) -> tuple[float, float] | None:
        """By how much it is more useful than another at one privacy, and half of the interval.

        The interval is about words in general, not the sampled ones only: Student's, over the
        differences of words where both have the same words, together with the batches' own.
        """
        from scipy.special import stdtrit

        ends = self._epsilon_at(privacy), other._epsilon_at(privacy)
        if ends[0] is None or ends[1] is None:
            return None
        one, two = self._by_word(ends[0]), other._by_word(ends[1])
        same = np.array_equal(self.word_ids, other.word_ids) and np.array_equal(
            self.blind, other.blind
        )
        spreads = [two - one] if same else [one, two]
        squared = sum(float(each.var(ddof=1)) / len(each) for each in spreads)
        fewest = min(len(one), len(two))
        half = stdtrit(fewest - 1, (1 + CONFIDENCE) / 2) * np.sqrt(squared)
        errors = self._read(self.error, ends[0]), other._read(other.error, ends[1])
        return float(two.mean() - one.mean()), float(
            np.sqrt(half**2 + errors[0] ** 2 + errors[1] ** 2)
        )

    def _epsilon_at(self, privacy: float) -> float | None:
        """The largest ε with this 1 - mean N_w."""
        x, grid = self.privacy, np.log(self.curves.epsilons)
        crossing = np.flatnonzero((x[:-1] - privacy) * (x[1:] - privacy) <= 0)
        if not len(crossing):
            return None
        pair = slice(crossing[-1], crossing[-1] + 2)
        order = np.argsort(x[pair])
        return float(np.exp(np.interp(privacy, x[pair][order], grid[pair][order])))

    def _read(self, values: Floats, epsilon: float) -> float:
        """Values (E,) at one ε, linear in log ε."""
        return float(np.interp(np.log(epsilon), np.log(self.curves.epsilons), values))

    def _by_word(self, epsilon: float) -> Floats:
        """The distance moved of each word at one ε, by the mean distance to a blind pick (n,)."""
        moved = self.moved.mean(axis=0) / self.blind.mean()
        return np.array([self._read(row, epsilon) for row in moved])

    def at_epsilon(self, epsilon: float) -> tuple[float, float] | None:
        """Privacy and usefulness at one ε; None outside of the grid."""
        grid = self.curves.epsilons
        if not grid[0] <= epsilon <= grid[-1]:
            return None
        return self._read(self.privacy, epsilon), self._read(self.usefulness.value, epsilon)

    def unchanged_at(self, epsilon: float) -> Estimate | None:
        """Mean N_w of the sampled words at one ε, shape (); None off the grid.

        Words share directions, so their errors are taken as fully correlated, the worst case: the
        ends are the mean ends. Reading between the points of the grid widens them.
        """
        grid = self.curves.epsilons
        if not grid[0] <= epsilon <= grid[-1]:
            return None
        return self.curves.at(epsilon).unchanged.mean()

    def _batches(self) -> Floats:
        """The distance moved, by that to a blind pick, in each batch (b, E)."""
        return np.asarray(self.moved.mean(axis=1) / self.blind.mean())


def sampled_words(mechanism: Mechanism, vocabulary: Vocabulary) -> WordIds:
    """The words that stand for the vocabulary, always the same: those that are covered."""
    word_ids = deniability.sample_words(vocabulary, "random", WORDS)
    return word_ids[mechanism.covers(vocabulary, word_ids)]


def tradeoff(
    mechanism: Mechanism, vocabulary: Vocabulary, word_ids: ArrayLike, epsilons: Floats
) -> Tradeoff:
    """Privacy and usefulness of public words on a grid of ε, from disk where they are there.

    The mechanism's own ε plays no part. Parts of a sample can be computed one by one and put
    together: all share the batches.
    """
    ids = vocabulary.checked(word_ids)
    family = replace(mechanism, epsilon=1.0)
    curves = deniability.kept_curves(family, vocabulary, ids, epsilons, draws=DRAWS)
    settings = {
        "words": ids.tolist(),
        "epsilons": [float(e) for e in epsilons],
        "lexicon": vocabulary.synonyms is not None,
    }

    def compute() -> dict[str, Floats]:
        return {
            "moved": distance_moved(family, vocabulary, ids, epsilons),
            "blind": np.array(
                [vocabulary.distances(ids[i : i + 1]).mean() for i in range(len(ids))]
            ),
        }

    arrays = store.kept("moved-1", family, vocabulary, settings, compute)
    return Tradeoff(ids, curves, np.asarray(arrays["moved"]), np.asarray(arrays["blind"]))


def together(parts: Sequence[Tradeoff]) -> Tradeoff:
    """What is known of parts of the sample as that of all."""
    return Tradeoff(
        np.concatenate([part.word_ids for part in parts]),
        deniability.together([part.curves for part in parts]),
        np.concatenate([part.moved for part in parts], axis=1),
        np.concatenate([part.blind for part in parts]),
    )


def distance_moved(
    mechanism: Mechanism, vocabulary: Vocabulary, word_ids: WordIds, epsilons: Floats
) -> Floats:
    """E d(w, M(w)) of words at every ε in each batch: (b, n, E), b = 1 where it is exact."""
    if isinstance(mechanism, LawMechanism):
        moved = np.empty((1, len(word_ids), len(epsilons)))
        for row, word in enumerate(word_ids):
            distances = vocabulary.distances(word[None])[0]
            for column, epsilon in enumerate(epsilons):
                exact = replace(mechanism, epsilon=float(epsilon))
                law = np.exp(exact.log_prob(vocabulary, word[None])[0])
                moved[0, row, column] = law @ distances
        return moved
    moved = np.empty((BATCHES, len(word_ids), len(epsilons)))
    for batch in range(BATCHES):
        rng = seeded_rng(1 + batch)
        if isinstance(mechanism, RadialNoise):
            path = epsilon_path(mechanism, vocabulary, word_ids, DIRECTIONS, rng)
            for column, epsilon in enumerate(epsilons):
                laws = path.law(float(epsilon))
                for row, word in enumerate(word_ids):
                    released, probability = laws.of(row)
                    start = np.full(len(released), word)
                    distance = vocabulary.distance_between(start, released)
                    moved[batch, row, column] = probability @ distance
        else:
            for column, epsilon in enumerate(epsilons):
                at = replace(mechanism, epsilon=float(epsilon))
                released = at.sample(vocabulary, word_ids, BATCH_DRAWS, rng)
                start = np.repeat(word_ids, BATCH_DRAWS)
                distance = vocabulary.distance_between(start, released.ravel())
                moved[batch, :, column] = distance.reshape(released.shape).mean(axis=1)
    return moved
