"""SynTF: a word is replaced by one that a rating calls similar, most often a synonym.

Word y is released with probability proportional to exp(ε/2 · ρ(w, y)), ρ a rating in [0, 1]. The
papers leave ρ open. Here it looks at spelling and WordNet, not at vectors:

    ρ(w, w) = 1
    ρ(w, y) = ½ + ½ · |B(w) ∩ B(y)| / |B(w) ∪ B(y)|   for a synonym y in the vocabulary
    ρ(w, y) = 0                                      for every other word

with B the set of a word's pairs of neighbouring characters; two empty sets have nothing in common.

The variants differ in the words that can come out:

published  the whole vocabulary
benchmark  the word itself and its synonyms in the vocabulary. That the word is among them is what
           the benchmark's code did, and what its table shows: a third of the words unchanged. A
           word without synonyms would only ever give itself, so it is treated as unknown.

Law        closed form
Guarantee  published: pure ε-DP, since ρ changes by at most 1 between two inputs
           benchmark: none; words with different synonyms are told apart for certain
Document   `document`: a synthetic vector of n term counts, costing n · ε
Cost       one look-up a word; equal vectors play no part
Reference  Weggenmann and Kerschbaum, "SynTF: Synthetic and Differentially Private Term Frequency
           Vectors for Privacy-Preserving Text Mining", SIGIR 2018
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from mechanisms.base import DISCRETE, Guarantee, LawMechanism, parameter
from mechanisms.vocabulary import Floats, UnknownWordError, Vocabulary, WordIds


@dataclass(frozen=True, kw_only=True)
class SynTF(LawMechanism):
    """Words by a rating: itself, then synonyms, then all others alike."""

    name = "SynTF"

    epsilon: float = parameter("ε", "privacy budget per word, whatever the two words", above=0)
    variant: str = parameter(
        "variant",
        "published: any word can come out; benchmark: the word and its synonyms only",
        choices=("published", "benchmark"),
        default="published",
    )

    def guarantee(self, vocabulary: Vocabulary) -> Guarantee:
        """Pure DP where every word can come out; broken where only synonyms can."""
        theorem = "Weggenmann and Kerschbaum 2018, the exponential mechanism with 0 <= ρ <= 1"
        if self.variant == "published":
            return Guarantee("pure DP", self.epsilon, theorem, DISCRETE)
        return Guarantee(
            "pure DP",
            self.epsilon,
            theorem,
            DISCRETE,
            caveat="Only the word and its synonyms can come out, so two words with different "
            "synonyms are told apart for certain: no finite ε allows that.",
            holds=False,
        )

    def covers(self, vocabulary: Vocabulary, word_ids: WordIds) -> NDArray[np.bool_]:
        """All words (published); those with a synonym in the vocabulary (benchmark)."""
        if self.variant == "published":
            return super().covers(vocabulary, word_ids)
        ids = vocabulary.checked(word_ids)
        return np.array([len(_synonyms(vocabulary, word)) > 0 for word in ids], dtype=np.bool_)

    def log_prob(self, vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
        """ε/2 · ρ less the log of the sum of all weights, where the other words weigh 1 each."""
        ids = vocabulary.checked(word_ids)
        law = np.empty((len(ids), len(vocabulary)))
        for row, word in zip(law, ids, strict=True):
            rated, log_rated, log_other = self.sparse_log_prob(vocabulary, word)
            row[:] = log_other
            row[rated] = log_rated
        return law

    def sparse_log_prob(self, vocabulary: Vocabulary, word: int) -> tuple[WordIds, Floats, float]:
        """One word's law: ids of the rated words (m,), their log probabilities, and any other's."""
        rated, log_weights = self._rated(vocabulary, word)
        log_total = logsumexp(np.append(log_weights, self._log_others(vocabulary, rated)))
        log_other = float(-log_total) if self.variant == "published" else -np.inf
        return rated, log_weights - log_total, log_other

    def sample(
        self, vocabulary: Vocabulary, word_ids: WordIds, size: int, rng: np.random.Generator
    ) -> WordIds:
        """Draws without the row: a rated word or "another one", which is uniform over the rest."""
        ids = vocabulary.checked(word_ids)
        released = np.empty((len(ids), size), dtype=np.int64)
        distinct, inverse = np.unique(ids, return_inverse=True)
        order = np.argsort(inverse, kind="stable")
        rows_of = np.split(order, np.cumsum(np.bincount(inverse))[:-1]) if len(ids) else []
        for word, rows in zip(distinct, rows_of, strict=True):
            rated, log_weights = self._rated(vocabulary, word)
            log_weights = np.append(log_weights, self._log_others(vocabulary, rated))
            cumulative = np.cumsum(np.exp(log_weights - log_weights.max()))
            # 1 - u lies in (0, 1]: what is chosen has a positive weight.
            targets = (1.0 - rng.random((len(rows), size))) * cumulative[-1]
            choice = np.searchsorted(cumulative, targets)
            drawn = np.append(rated, -1)[choice]
            others = drawn < 0
            if others.any():
                # The r-th word that is not rated: skip the rated ones before it.
                rank = rng.integers(len(vocabulary) - len(rated), size=int(others.sum()))
                skipped = np.searchsorted(rated - np.arange(len(rated)), rank, side="right")
                drawn[others] = rank + skipped
            released[rows] = drawn
        return released

    def document(
        self, vocabulary: Vocabulary, word_ids: WordIds, length: int, rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """A synthetic term-frequency vector (V,) of sum `length`, from a document's word ids (n,).

        Every count is a word drawn from the document's own frequencies and passed through the
        mechanism. Each looks at the whole document, so the budgets add up: the vector is
        (length · ε)-DP (published), for any two documents.

        Raises ValueError for a negative length, or an empty document of which words are asked.
        Source: Weggenmann and Kerschbaum 2018, the synthesis algorithm.
        """
        ids = vocabulary.checked(word_ids)
        if length < 0:
            raise ValueError(f"SynTF: the length of a document must not be negative; got {length}.")
        if length and not len(ids):
            raise ValueError(
                "SynTF: an empty document has no frequencies; at least one word needed."
            )
        drawn = ids[rng.integers(len(ids), size=length)] if length else ids[:0]
        released = self.sample(vocabulary, drawn, 1, rng)
        return np.bincount(released[:, 0], minlength=len(vocabulary)).astype(np.int64, copy=False)

    def _rated(self, vocabulary: Vocabulary, word: int) -> tuple[WordIds, Floats]:
        """The word and its synonyms, ids (m,) ascending, and their log weights ε/2 · ρ (m,)."""
        synonyms = _synonyms(vocabulary, word)
        if self.variant == "benchmark" and not len(synonyms):
            raise UnknownWordError(
                f"SynTF (benchmark): {vocabulary.words[word]!r} has no synonym in the vocabulary; "
                "treat it as an unknown word."
            )
        spelled = vocabulary.words[word]
        ratings = [1.0, *(rating(spelled, vocabulary.words[other]) for other in synonyms)]
        rated = np.append(word, synonyms).astype(np.int64)
        order = np.argsort(rated)
        return rated[order], self.epsilon / 2 * np.array(ratings)[order]

    def _log_others(self, vocabulary: Vocabulary, rated: WordIds) -> float:
        """The log of the weight of all words that are not rated, together."""
        count = len(vocabulary) - len(rated) if self.variant == "published" else 0
        return float(np.log(count)) if count else -np.inf


def rating(word: str, synonym: str) -> float:
    """ρ of a word and a synonym: ½ + ½ · the Jaccard index of their pairs of characters."""
    first, second = _pairs(word), _pairs(synonym)
    union = len(first | second)
    return 0.5 + 0.5 * len(first & second) / union if union else 0.5


def _pairs(word: str) -> set[str]:
    return {word[i : i + 2] for i in range(len(word) - 1)}


def _synonyms(vocabulary: Vocabulary, word: int) -> WordIds:
    """Ids of the word's synonyms in the vocabulary, ascending, without the word itself."""
    if vocabulary.synonyms is None:
        raise ValueError(
            "SynTF: the vocabulary has no synonyms; hand it some, such as those of "
            "`data.wordnet.synonyms()`: Vocabulary(words, vectors, synonyms)."
        )
    found = (vocabulary.get(other) for other in vocabulary.synonyms.get(vocabulary.words[word], ()))
    return np.array(sorted({i for i in found if i is not None and i != word}), dtype=np.int64)
