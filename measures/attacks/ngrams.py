r"""What a corpus tells of a word that is not shown: its frequency, and its neighbours.

Counted are the words of a packaged corpus and the pairs of words that stand side by side in it. All
words and numbers that the vocabulary lacks are counted as one, the unknown word, V in the order of
the inputs of a mechanism.

prior      π(w), the share of w among all words, each counted once more than it occurs so that none
           is impossible
masked     the adversary sees nothing of a word but the word before, l, and the one after, r:
           Pr[w | l, r] ∝ Pr[w | l] · Pr[r | w], with
           Pr[w | l] = (c(l, w) + μ π(w)) / (c(l) + μ)   (Dirichlet smoothing, μ = 100)
           A neighbour that is missing says nothing; without the left one Pr[w] = π(w).

No mechanism on words can help against the second: it never looks at what was released for the word.
Differential privacy of single words bounds what a release tells of its own word; what the words
around it tell, it does not promise.

Reference  Zhai and Lafferty, "A Study of Smoothing Methods for Language Models Applied to
           Information Retrieval", TOIS 2004, Section 3 (the smoothing)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from data import cut_corpora
from data.cut_corpora import input_of
from measures import store
from mechanisms import Vocabulary
from mechanisms.text import PrivateText
from mechanisms.tokens import Kind, tokenise_all
from mechanisms.vocabulary import Floats, WordIds

# The corpus that words are counted in: 25,000 film reviews. Attacks are tried on another one.
COUNTED = "imdb"

_MU = 100.0

NONE = -1
"""In place of a word's id: no word there."""


@dataclass(frozen=True, eq=False)
class WordPairs:
    """Counts of n words, and of pairs side by side: all inputs, n = V + 1, or the known, n = V."""

    counts: NDArray[np.int64]
    """(n,)."""
    pairs: Any
    """A sparse matrix (n, n): how often the row's word stands before the column's."""
    reversed_pairs: Any
    """The same by its columns: (n, n), the row's word after the column's."""

    @property
    def known_only(self) -> WordPairs:
        """The same without the unknown word, which is the last one: n = V from n = V + 1."""
        return WordPairs(
            self.counts[:-1], self.pairs[:-1, :-1].tocsr(), self.reversed_pairs[:-1, :-1].tocsr()
        )

    @property
    def log_prior(self) -> Floats:
        """log π(w) (n,)."""
        smoothed = self.counts + 1.0
        return np.asarray(np.log(smoothed / smoothed.sum()))

    def log_posterior(self, left: int, right: int) -> Floats:
        """log Pr[w | l, r] of every word (n,); `NONE` if there is no neighbour."""
        prior = np.exp(self.log_prior)
        score = self.log_prior
        if left != NONE:
            followers = _MU * prior + _row(self.pairs, left)
            score = np.log(followers / (self.counts[left] + _MU))
        if right != NONE:
            leaders = _MU * prior[right] + _row(self.reversed_pairs, right)
            score = score + np.log(leaders / (self.counts + _MU))
        score = score - score.max()
        return np.asarray(score - np.log(np.exp(score).sum()))


def word_pairs(vocabulary: Vocabulary, corpus: str = COUNTED) -> WordPairs:
    """The counts of all inputs over a packaged corpus, from disk or counted in ten seconds."""
    from scipy.sparse import csr_matrix

    size = len(vocabulary) + 1

    def compute() -> dict[str, NDArray[Any]]:
        ids = cut_corpora.of_corpus(corpus).inputs(vocabulary)
        known = ids >= 0  # no sign, and not the end of a text
        both = known[:-1] & known[1:]
        keys, found = np.unique(ids[:-1][both] * size + ids[1:][both], return_counts=True)
        return {
            "counts": np.bincount(ids[known], minlength=size).astype(np.int64),
            "first": (keys // size).astype(np.int32),
            "second": (keys % size).astype(np.int32),
            "found": found.astype(np.int32),
        }

    arrays = store.cached("word-pairs-2", None, vocabulary, {"corpus": corpus}, compute)
    first, second, found = (np.asarray(arrays[name]) for name in ("first", "second", "found"))
    shape = (size, size)
    return WordPairs(
        np.asarray(arrays["counts"]),
        csr_matrix((found, (first, second)), shape),
        csr_matrix((found, (second, first)), shape),
    )


def sentences(texts: Sequence[str], vocabulary: Vocabulary) -> list[list[int]]:
    """The inputs of each text in order, words or the unknown word; `NONE` for signs."""
    return [
        [input_of(token, vocabulary, NONE) for token in tokens if token.kind is not Kind.SPACE]
        for tokens in tokenise_all(texts, vocabulary)
    ]


def as_seen(private: PrivateText) -> tuple[list[int], list[int]]:
    """The inputs of a text in order, as typed, and what was first released for each.

    `NONE` as in `sentences`, and if nothing was drawn.
    """
    kept = [i for i, token in enumerate(private.tokens) if token.kind is not Kind.SPACE]
    typed = [input_of(private.tokens[i], private.vocabulary, NONE) for i in kept]
    return typed, private.drawn[kept, 0].tolist()


def masked_guesses(pairs: WordPairs, around: Sequence[int], at: Sequence[int]) -> WordIds:
    """The likeliest word at each of some positions, from its neighbours alone: (n,).

    Parameters
    ----------
    around
        The words of a text as the adversary sees them, typed or private.
    at
        Positions to guess; what stands there is not looked at.

    """
    padded = [NONE, *around, NONE]
    return np.array(
        [int(pairs.log_posterior(padded[i], padded[i + 2]).argmax()) for i in at], dtype=np.int64
    )


def _row(matrix: Any, row: int) -> Floats:
    """One row of a sparse matrix as an array (V,)."""
    dense = np.zeros(matrix.shape[1])
    part = slice(matrix.indptr[row], matrix.indptr[row + 1])
    dense[matrix.indices[part]] = matrix.data[part]
    return dense
