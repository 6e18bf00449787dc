r"""Adversaries that know the file's own frequencies, tried on drawn texts.

frequencies   names the w with the largest π(w) L(v | w) for every released v
neighbours    reads also the words that it named on both sides, l and r, and knows how often words
              of the other half of the texts stand side by side:
              π(w) becomes Pr[w | l] · Pr[r | w], smoothed as in `attacks.ngrams`

L is the law's likelihood if the law falls with the distance. For other mechanisms it is
e^{-s d(w, v)²}, and e^{-s d(w, v)}, with the s that names most words of the other half of the
texts. Every rule is one that an adversary can follow, so what it names is a lower bound of what the
best one names. Only words that the vocabulary has are named, and counted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from measures.intervals import of_share
from measures.own_texts.texts import OwnTexts
from mechanisms import Mechanism, Vocabulary
from mechanisms.base import blocks
from mechanisms.estimate import Estimate
from mechanisms.selection import DistanceLaw
from mechanisms.vocabulary import Floats, WordIds

# Of the Dirichlet smoothing of pairs, as in `attacks.ngrams`, for a file's fewer words.
_MU = 20.0

# How steeply the likelihood may fall, times (a typical distance)^-1 or ^-2.
_STEEPNESS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)

# A median of distances is taken of every 17th.
_EVERY = 17

_FLOATS = 4_000_000

_NONE = -1
"""In place of a position: no word of the vocabulary there."""


@dataclass(frozen=True)
class Named:
    """Shares of the known words that each adversary names."""

    frequencies: Estimate
    neighbours: Estimate

    @property
    def most(self) -> Estimate:
        """The more successful of the two."""
        return max(self.frequencies, self.neighbours, key=lambda share: float(share.value))


class Reader:
    """What the adversaries know of a file: its words, their shares and their neighbours.

    Parameters
    ----------
    own
        All texts whose words the adversary knows.
    attacked
        The texts whose words are to be named, from among them and in their order.
    numbers
        The numbers of the attacked texts among all.

    """

    def __init__(self, own: OwnTexts, attacked: OwnTexts, numbers: NDArray[np.int64]) -> None:
        """Count; nothing is guessed yet."""
        from scipy.sparse import csr_matrix

        self.vocabulary: Vocabulary = own.vocabulary
        self.words: WordIds = own.words
        self.log_prior: Floats = np.log(own.counts / own.counts.sum()).astype(np.float32)
        self._known = np.flatnonzero(attacked.inputs != own.vocabulary.unknown_id)
        self._truth = np.searchsorted(self.words, attacked.inputs[self._known])
        self._owner = attacked.owner[self._known]
        self._half = numbers[self._owner] % 2
        place = np.full(len(own.inputs), _NONE)
        known = own.inputs != own.vocabulary.unknown_id
        place[known] = np.searchsorted(self.words, own.inputs[known])
        beside = known[:-1] & known[1:] & (own.owner[:-1] == own.owner[1:])
        size = len(self.words)
        self._pairs, self._back, self._counts = [], [], []
        for half in range(2):
            here = own.owner % 2 == half
            both = beside & here[:-1]
            first, second = place[:-1][both], place[1:][both]
            found = csr_matrix(
                (np.ones(len(first), dtype=np.float32), (first, second)), (size, size)
            )
            self._pairs.append(found)
            self._back.append(found.T.tocsr())
            self._counts.append(np.bincount(place[known & here], minlength=size))
        # Positions of the neighbours of each attacked word among the attacked ones.
        at = np.full(len(attacked.inputs) + 2, _NONE)
        at[self._known + 1] = np.arange(len(self._known))
        whose = np.concatenate([[-1], attacked.owner, [-1]])
        middle = self._known + 1
        self._left = np.where(whose[middle - 1] == self._owner, at[middle - 1], _NONE)
        self._right = np.where(whose[middle + 1] == self._owner, at[middle + 1], _NONE)

    def named(
        self, mechanism: Mechanism, released: WordIds, log_normalisers: Floats | None = None
    ) -> Named:
        """Both adversaries on one draw of the attacked inputs (T,).

        `log_normalisers` (n,) of the law of each of `words`, for a mechanism that has one.
        """
        outputs, place = np.unique(released[self._known], return_inverse=True)
        distances = self._distances(outputs)
        if isinstance(mechanism, DistanceLaw) and log_normalisers is not None:
            gamma = mechanism.threshold(self.vocabulary)
            scores = np.minimum(distances, gamma) * (-mechanism.epsilon / 2) - log_normalisers
            scores_of = [scores, scores]
        else:
            scores_of = self._learned(distances, place)
        truth, half = self._truth, self._half
        guess = np.empty(len(truth), dtype=np.int64)
        for which in range(2):
            mine = half == which
            best = (scores_of[which] + self.log_prior).argmax(axis=1)
            guess[mine] = best[place[mine]]
        frequencies = self._share(guess)
        by_context = np.empty_like(guess)
        for which in range(2):
            mine = np.flatnonzero(half == which)
            for part in blocks(len(mine), _FLOATS // len(self.words)):
                some = mine[part]
                context = self._context(guess, some, 1 - which)
                by_context[some] = (context + scores_of[which][place[some]]).argmax(axis=1)
        return Named(frequencies, self._share(by_context))

    def _share(self, guess: WordIds) -> Estimate:
        texts = int(self._owner.max()) + 1
        hits = np.bincount(self._owner, guess == self._truth, minlength=texts)
        totals = np.bincount(self._owner, minlength=texts)
        counted = totals > 0
        return of_share(np.rint(hits).astype(np.int64)[counted], totals[counted], of="texts")

    def _distances(self, outputs: WordIds) -> Floats:
        """From each output to each of the words, in float32's precision: (m, n)."""
        vectors = self.vocabulary.vectors - self.vocabulary.mean.astype(np.float32)
        a, b = vectors[outputs], vectors[self.words]
        square = (a**2).sum(axis=1)[:, None] - 2 * (a @ b.T) + (b**2).sum(axis=1)
        distances = np.sqrt(np.maximum(square, 0))
        distances[outputs[:, None] == self.words] = 0
        return np.asarray(distances)

    def _learned(self, distances: Floats, place: WordIds) -> list[Floats]:
        """Scores (m, n) for each half, as steep as names most words of the other half."""
        typical = float(np.median(distances.ravel()[::_EVERY])) or 1.0
        half, truth = self._half, self._truth
        best: list[tuple[int, Floats]] = [(-1, distances), (-1, distances)]
        for power in (1, 2):
            scaled = (distances / typical) ** power
            for steepness in _STEEPNESS:
                scores = scaled * np.float32(-10 * steepness)
                guess = (scores + self.log_prior).argmax(axis=1)
                hit = guess[place] == truth
                for which in range(2):
                    hits = int(hit[half != which].sum())
                    if hits > best[which][0]:
                        best[which] = (hits, scores)
        return [scores for _, scores in best]

    def _context(self, guess: WordIds, some: WordIds, half: int) -> Floats:
        """log of what the neighbours say of each word, by the pairs of one half: (k, n)."""
        prior, counts = np.exp(self.log_prior), self._counts[half]
        score = np.tile(self.log_prior, (len(some), 1))
        left, right = self._left[some], self._right[some]
        has = np.flatnonzero(left != _NONE)
        before = guess[left[has]]
        rows = self._pairs[half][before].toarray()
        score[has] = np.log((rows + _MU * prior) / (counts[before] + _MU)[:, None])
        has = np.flatnonzero(right != _NONE)
        after = guess[right[has]]
        rows = self._back[half][after].toarray()
        score[has] += np.log((rows + _MU * prior[after][:, None]) / (counts + _MU))
        return score
