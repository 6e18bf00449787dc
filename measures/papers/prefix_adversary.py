"""Bayes' rule against TEM and the mechanisms with a base measure, in text.

Who sees a private text knows the mechanism, and of each place what was drawn before it. With the
released prefix p and the word v drawn at a place,

    Pr[w | v, p] ∝ π(w) Pr[v | w, p],    Pr[v | w, p] ∝ e^(-ε/2 · min(d(w, v), γ)) / Z(w, p),

since q(v | p) is the same for all w. π is the words' share in the public counts (context-free), or
what the neighbours l and r, as released, leave possible: π(w) ∝ Pr[w | l] Pr[r | w], Witten-Bell.

Only the words nearest to v and the most probable ones are looked at, the same number for every
mechanism: the success is a lower bound of the best adversary's.

Z(w, p) = α Z(w) + Σ_j s_j e^(-ε/2 · min(d(w, v_j), γ)) over the followers of p; Z(w) of all words
is summed in float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mechanisms import UnigramTEM, Vocabulary
from mechanisms.base import blocks
from mechanisms.base_measure import BaseMeasure, NGramCounts
from mechanisms.ngram_draws import continuation
from mechanisms.vocabulary import Floats, WordIds

NEAREST, PROBABLE = 100, 30

_ROWS = 256
_NOTHING = -1
_BIGRAMS = (1,)


@dataclass(frozen=True, eq=False)
class Neighbours:
    """What two neighbours leave possible, by public counts."""

    measure: BaseMeasure

    @cached_property
    def _before(self) -> Any:
        """Sparse (V, V): what a follower, the row, adds for the word before it, the column."""
        from scipy.sparse import csr_matrix

        counts: NGramCounts = self.measure.counts  # type: ignore[assignment]
        lists, size = counts.after_one, len(self.measure.weights)
        history = np.repeat(lists.keys, np.diff(lists.first))
        shares = self.measure.follower_shares(1)
        return csr_matrix((shares, (lists.ids, history)), (size, size))

    @cached_property
    def _rest(self) -> Floats:
        """1 - κ a(w) of every word (V,)."""
        counts: NGramCounts = self.measure.counts  # type: ignore[assignment]
        rest = np.ones(len(self.measure.weights))
        rest[counts.after_one.keys] = self.measure.rests(1)
        return rest

    def log_prior(self, left: int, right: int) -> Floats:
        """log π(w) up to a constant (V,); -1 if there is no neighbour."""
        q = self.measure.weights
        alpha, ids, shares = continuation(self.measure, _BIGRAMS, [left] if left >= 0 else [])
        prior = alpha * q
        np.add.at(prior, ids, shares)
        if right >= 0:
            led = self._rest * q[right]
            row = slice(self._before.indptr[right], self._before.indptr[right + 1])
            led[self._before.indices[row]] += self._before.data[row]
            prior = prior * led
        return np.asarray(np.log(prior))


@dataclass(frozen=True, eq=False)
class PrefixAdversary:
    """It names a word at each place of private texts."""

    mechanism: UnigramTEM
    vocabulary: Vocabulary
    neighbours: Neighbours

    @cached_property
    def _normalisers(self) -> Floats:
        """Z(w) of every word (V,), prefix apart."""
        law, words = self.mechanism, self.vocabulary
        q = law.base_measure(words)
        q = (np.ones(len(words)) if q is None else q).astype(np.float32)
        vectors = words.vectors - words.vectors.mean(axis=0)
        norms = np.einsum("vd,vd->v", vectors, vectors)
        gamma, half = np.float32(law.threshold(words)), np.float32(-law.epsilon / 2)
        found = np.empty(len(words))
        for part in blocks(len(words), _ROWS):
            squared = -2 * vectors[part] @ vectors.T
            squared += norms[part, None]
            squared += norms
            np.sqrt(np.maximum(squared, 0, out=squared), out=squared)
            np.minimum(squared, gamma, out=squared)
            squared *= half
            found[part] = np.exp(squared, out=squared) @ q
        return found

    def success(
        self, typed: Sequence[WordIds], released: Sequence[WordIds], with_neighbours: bool
    ) -> tuple[int, int]:
        """How many known words it names, and of how many, over texts: ids (n,) each."""
        named = total = 0
        for inputs, outputs in zip(typed, released, strict=True):
            padded = [_NOTHING, *outputs.tolist(), _NOTHING]
            for place in np.flatnonzero(inputs != self.vocabulary.unknown_id).tolist():
                around = (padded[place], padded[place + 2]) if with_neighbours else (-1, -1)
                guess = self._names(int(outputs[place]), padded[1 : place + 1], around)
                named += guess == inputs[place]
                total += 1
        return named, total

    def _names(self, output: int, prefix: list[int], around: tuple[int, int]) -> int:
        prior = self.neighbours.log_prior(*around)
        likely = np.argpartition(-prior, PROBABLE)[:PROBABLE]
        near = self.vocabulary.neighbours(np.array([output]), NEAREST)[1][0]
        words = np.union1d(likely, near)
        scores = prior[words] + self._log_likelihood(words, output, prefix)
        return int(words[scores.argmax()])

    def _log_likelihood(self, words: WordIds, output: int, prefix: list[int]) -> Floats:
        law = self.mechanism
        sums = self._normalisers[words]
        if law.histories:
            measure = law.measure(self.vocabulary)
            alpha, ids, shares = continuation(measure, law.histories, prefix)
            sums = alpha * sums
            if len(ids):
                sums = sums + np.exp(self._scores(words, ids)) @ shares
        return self._scores(words, np.array([output]))[:, 0] - np.log(sums)

    def _scores(self, words: WordIds, outputs: WordIds) -> Floats:
        """-ε/2 · min(d, γ): (n,), (k,) -> (n, k)."""
        law, vectors = self.mechanism, self.vocabulary.vectors
        norms = self.vocabulary.squared_norms
        squared = -2.0 * (vectors[words] @ vectors[outputs].T)
        squared = squared + norms[words, None] + norms[outputs]
        near = np.sqrt(np.maximum(squared, 0))
        near[words[:, None] == outputs] = 0
        return np.asarray(-law.epsilon / 2 * np.minimum(near, law.threshold(self.vocabulary)))
