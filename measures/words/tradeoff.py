"""Privacy against usefulness at every ε, on scales that all mechanisms share.

ε means something else for every mechanism, distance and dimension, so it is no axis to compare on.
Here a mechanism is a curve, its points the ε of a grid:

privacy     1 - mean N_w, the chance that a word is replaced, averaged over sampled words
usefulness  1 - E d(w, M(w)) / E d(w, V), V uniform over the vocabulary and both averaged over the
            sampled words: 1 if every word stays, 0 if the released word is on average as far
            away as one picked blindly, below 0 if it is even farther

The distance moved is defined for every mechanism, needs no model and no task, and dividing by the
distance to a blind pick makes it comparable between embeddings. Of two curves the upper one keeps
more at the same N_w. Neither axis is the whole of privacy or of usefulness.

E d(w, M(w)) is exact where the law is known. Otherwise it is the mean of `BATCHES` independent
batches of directions or of draws, and its interval is Student's over the batches: words share the
directions of a batch, so their errors are not independent, and batches are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from measures import store
from measures.words import deniability
from mechanisms import Family, Mechanism, Vocabulary
from mechanisms.answers import Curves
from mechanisms.base import has_law, is_radial
from mechanisms.epsilon_path import epsilon_path
from mechanisms.estimate import CONFIDENCE, EXACT, Estimate, Source, exact, unknown
from mechanisms.interpolation import between
from mechanisms.randomness import seeded_rng
from mechanisms.vocabulary import Floats, WordIds

# Words that stand for the vocabulary, points of the grid of ε, and m of S_w.
WORDS = 60
POINTS = 25
DRAWS = 100

# Steps in each cell of the grid when an ε is looked for between its points.
_STEPS = 32

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

    def at_privacy(self, privacy: float) -> Estimate | None:
        """Usefulness at 1 - mean N_w, shape (); None if no ε of the grid has that privacy.

        The value is read at the largest such ε. The interval is over every ε that may have this
        privacy, given the error of mean N_w and that of reading between the points of the grid.
        """
        at = self._log_epsilons_at(privacy)
        if at is None:
            return None
        read = self._useful_at(at)
        return Estimate(read.value[0], read.low.min(), read.high.max(), read.source)

    def at_epsilon(self, epsilon: float) -> tuple[Estimate, Estimate] | None:
        """Privacy and usefulness at one ε, each of shape (); None outside of the grid."""
        unchanged = self.unchanged_at(epsilon)
        if unchanged is None:
            return None
        useful = self._useful_at(np.array([np.log(epsilon)]))[0]
        return unchanged.falling(lambda share: 1 - share), useful

    def lead(self, other: Tradeoff, privacy: float) -> Estimate | None:
        """By how much it is more useful than another at one privacy, shape ().

        The interval is about words in general, not the sampled ones only: Student's, over the
        differences of words if both have the same words. What `at_privacy` does not know of
        either curve widens it at each end.
        """
        from scipy.special import stdtrit

        ends = self._log_epsilons_at(privacy), other._log_epsilons_at(privacy)
        mine, others = self.at_privacy(privacy), other.at_privacy(privacy)
        if ends[0] is None or ends[1] is None or mine is None or others is None:
            return None
        one, two = self._by_word(ends[0][0]), other._by_word(ends[1][0])
        same = np.array_equal(self.word_ids, other.word_ids) and np.array_equal(
            self.blind, other.blind
        )
        spreads = [two - one] if same else [one, two]
        squared = sum(float(each.var(ddof=1)) / len(each) for each in spreads)
        fewest = min(len(one), len(two))
        half = stdtrit(fewest - 1, (1 + CONFIDENCE) / 2) * np.sqrt(squared)
        return Estimate(
            mine.value - others.value,
            mine.low - others.high - half,
            mine.high - others.low + half,
            Source("words", fewest, interpolated=True),
        )

    def _useful_at(self, log_epsilons: Floats) -> Estimate:
        """Usefulness at ε inside the grid, from their logarithms: (E',)."""
        grid = np.log(self.curves.epsilons)
        if self.source.kind != "exact" and len(self.moved) == 1:
            return unknown(np.interp(log_epsilons, grid, self.usefulness.value), most=1.0)
        return between(self.usefulness[None], grid, log_epsilons, (-np.inf, 1.0))[0]

    def _log_epsilons_at(self, privacy: float) -> Floats | None:
        """The logarithm of the largest ε with this privacy, then of all ε that may have it."""
        grid, stays = np.log(self.curves.epsilons), 1 - privacy
        if len(grid) == 1:
            return None
        # The points of the grid themselves are among the steps between them.
        steps = np.arange(_STEPS * (len(grid) - 1) + 1) / _STEPS
        fine = np.interp(steps, np.arange(len(grid)), grid)
        mean = self.curves.unchanged.mean(axis=0)[None]
        unchanged = between(mean, grid, fine, (0.0, 1.0))[0]
        below = unchanged.value - stays
        crossing = np.flatnonzero(below[:-1] * below[1:] <= 0)
        if not len(crossing):
            return None
        left = crossing[-1]
        gap = below[left + 1] - below[left]
        share = -below[left] / gap if gap else 1.0
        largest = fine[left] + share * (fine[left + 1] - fine[left])
        may = (unchanged.low <= stays) & (stays <= unchanged.high)
        # The curve between two steps: both ends of a step that holds a possible ε.
        may[1:] |= may[:-1].copy()
        may[:-1] |= may[1:].copy()
        may[left : left + 2] = True
        return np.append(largest, fine[may])

    def _by_word(self, log_epsilon: float) -> Floats:
        """The distance moved of each word at one ε, by the mean distance to a blind pick (n,)."""
        moved = self.moved.mean(axis=0) / self.blind.mean()
        grid = np.log(self.curves.epsilons)
        return np.array([np.interp(log_epsilon, grid, row) for row in moved])

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


def sampled_words(family: Family[Mechanism], vocabulary: Vocabulary) -> WordIds:
    """The words that stand for the vocabulary, always the same: those that are covered."""
    word_ids = deniability.sample_words(vocabulary, "random", WORDS)
    return word_ids[family.covers(vocabulary, word_ids)]


def tradeoff(
    family: Family[Mechanism], vocabulary: Vocabulary, word_ids: ArrayLike, epsilons: Floats
) -> Tradeoff:
    """Privacy and usefulness of public words on a grid of ε, from disk where they are there.

    Parts of a sample can be computed one by one and put together: all share the batches.
    """
    ids = vocabulary.checked(word_ids)
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

    arrays = store.cached("moved-1", family, vocabulary, settings, compute)
    return Tradeoff(ids, curves, np.asarray(arrays["moved"]), np.asarray(arrays["blind"]))


def joined_tradeoffs(parts: Sequence[Tradeoff]) -> Tradeoff:
    """What is known of parts of the sample as that of all."""
    return Tradeoff(
        np.concatenate([part.word_ids for part in parts]),
        deniability.joined_curves([part.curves for part in parts]),
        np.concatenate([part.moved for part in parts], axis=1),
        np.concatenate([part.blind for part in parts]),
    )


def distance_moved(
    family: Family[Mechanism], vocabulary: Vocabulary, word_ids: WordIds, epsilons: Floats
) -> Floats:
    """E d(w, M(w)) of words at every ε in each batch: (b, n, E), b = 1 if it is exact."""
    if has_law(family):
        moved = np.empty((1, len(word_ids), len(epsilons)))
        for row, word in enumerate(word_ids):
            distances = vocabulary.distances(word[None])[0]
            for column, epsilon in enumerate(epsilons):
                law = np.exp(family.at(float(epsilon)).log_prob(vocabulary, word[None])[0])
                moved[0, row, column] = law @ distances
        return moved
    moved = np.empty((BATCHES, len(word_ids), len(epsilons)))
    for batch in range(BATCHES):
        rng = seeded_rng(1 + batch)
        if is_radial(family):
            path = epsilon_path(family, vocabulary, word_ids, DIRECTIONS, rng)
            for column, epsilon in enumerate(epsilons):
                for row, word in enumerate(word_ids):
                    released, probability = path.word_law(row, float(epsilon))
                    start = np.full(len(released), word)
                    distance = vocabulary.distance_between(start, released)
                    moved[batch, row, column] = probability @ distance
        else:
            for column, epsilon in enumerate(epsilons):
                released = family.at(float(epsilon)).sample(vocabulary, word_ids, BATCH_DRAWS, rng)
                start = np.repeat(word_ids, BATCH_DRAWS)
                distance = vocabulary.distance_between(start, released.ravel())
                moved[batch, :, column] = distance.reshape(released.shape).mean(axis=1)
    return moved
