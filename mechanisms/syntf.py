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
           word without synonyms would only ever give itself, so it is treated as the unknown word.

Law        closed form; exact draws
Guarantee  published: pure ε-DP, since ρ changes by at most 1 between two inputs
           benchmark: none; words with different synonyms are told apart for certain
Unknown    the unknown word has a uniform law, that of the same rating for every word. published:
           ε/2, since ratings lie within 1/2 of the rating 1/2. benchmark: none; a word that is not
           a synonym shows that the word was unknown, or had no synonyms
Document   `document`: a synthetic vector of n term counts, costing n · ε
Cost       one look-up a word (`synonyms`); equal vectors play no part
Reference  Weggenmann and Kerschbaum, "SynTF: Synthetic and Differentially Private Term Frequency
           Vectors for Privacy-Preserving Text Mining", SIGIR 2018
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from mechanisms.base import DISCRETE, HALF_A_UNIT, Guarantee, blocks, parameter
from mechanisms.exact_draws import UNIT, Integers, Layout
from mechanisms.exact_law import SparseLaw
from mechanisms.synonyms import Ratings, ratings_of
from mechanisms.vocabulary import Floats, UnknownWordError, Vocabulary, WordIds
from mechanisms.weight import Weight, check_arithmetic

# Distinct words whose ratings are drawn from at once.
_ROWS = 4_096


@dataclass(frozen=True, kw_only=True)
class SynTF(SparseLaw):
    """Words by a rating: itself, then synonyms, then all others alike.

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]], {"film": ["movie"]})
    >>> [(word, round(p, 3)) for word, p in wv.SynTF(epsilon=4).law(v, "film").top(2)]
    [('film', 0.665), ('movie', 0.245)]
    """

    name = "SynTF"

    epsilon: float = parameter("ε", "the privacy budget for any two words", above=0)
    variant: str = parameter(
        "variant",
        "published: any word can come out; benchmark: only the word and its synonyms",
        choices=("published", "benchmark"),
        default="published",
    )

    def guarantee(self, vocabulary: Vocabulary) -> Guarantee:
        """Pure DP where every word can come out; broken where only synonyms can."""
        theorem = "Weggenmann and Kerschbaum 2018, the exponential mechanism with 0 <= ρ <= 1"
        if self.variant == "published":
            return Guarantee("pure DP", self.epsilon, theorem, DISCRETE, to_unknown=HALF_A_UNIT)
        return Guarantee(
            "pure DP",
            self.epsilon,
            theorem,
            DISCRETE,
            caveat="Only the word and its synonyms can come out. So an output can rule out a word "
            "for certain, and no finite ε allows that. A word without synonyms is drawn as the "
            "unknown word, from the whole vocabulary, and an output can show that, too.",
            holds=False,
        )

    def covers(self, vocabulary: Vocabulary, word_ids: WordIds) -> NDArray[np.bool_]:
        """All words (published); those with a synonym in the vocabulary (benchmark)."""
        if self.variant == "published":
            return super().covers(vocabulary, word_ids)
        return np.asarray(self.table(vocabulary).lengths[vocabulary.checked(word_ids)] > 1)

    def log_weights(self, vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
        """ε/2 · (ρ - 1) of every word (n, V); -∞ for words that cannot come out."""
        ids = vocabulary.checked(word_ids)
        other = -self.epsilon / 2 if self.variant == "published" else -np.inf
        scores = np.full((len(ids), len(vocabulary)), other)
        for row, word in zip(scores, ids, strict=True):
            rated, log_weights = self._rated(vocabulary, word)
            row[rated] = log_weights
        return scores

    def exact_weight(self, vocabulary: Vocabulary, word: int, output: int) -> Weight:
        """exp(-ε/2 · (1 - ρ)), ρ and ε as rationals."""
        rated, ratings = self.ratings(vocabulary, word)
        found = dict(zip(rated.tolist(), ratings, strict=True))
        if self.variant == "benchmark" and output not in found:
            raise ValueError(
                f"SynTF (benchmark): {vocabulary.words[output]!r} cannot come out for "
                f"{vocabulary.words[word]!r}; it has no weight."
            )
        return self._weight(found.get(output, Fraction()))

    def sparse_log_prob(self, vocabulary: Vocabulary, word: int) -> tuple[WordIds, Floats, float]:
        """One word's law: ids of the rated words (m,), their log probabilities, and any other's."""
        rated, log_weights = self._rated(vocabulary, word)
        log_total = logsumexp(np.append(log_weights, self._log_others(vocabulary, rated)))
        log_other = -self.epsilon / 2 - float(log_total)
        log_other = log_other if self.variant == "published" else -np.inf
        return rated, log_weights - log_total, log_other

    def word_sample(
        self, vocabulary: Vocabulary, word_ids: WordIds, size: int, rng: np.random.Generator
    ) -> WordIds:
        """Exact draws without the row: the words without a rating share one entry of the layout.

        All lists are padded to the longest one of the vocabulary: time does not say how many
        synonyms a word has.
        """
        check_arithmetic()
        ids = vocabulary.checked(word_ids)
        released = np.empty((len(ids), size), dtype=np.int64)
        distinct, inverse = np.unique(ids, return_inverse=True)
        order = np.argsort(inverse, kind="stable")
        for block in blocks(len(distinct), _ROWS):
            where = order[slice(*np.searchsorted(inverse, [block.start, block.stop], sorter=order))]
            row = np.repeat(inverse[where] - block.start, size)
            drawn = self._drawn(vocabulary, distinct[block], row, rng)
            released[where] = drawn.reshape(len(where), size)
        return released

    def _drawn(
        self, vocabulary: Vocabulary, words: WordIds, row: WordIds, rng: np.random.Generator
    ) -> WordIds:
        """One draw of `words[row]` for each row: distinct words (w,), rows (m,) -> ids (m,)."""
        lists = self.table(vocabulary)
        if self.variant == "benchmark":
            for word in words[lists.lengths[words] == 1][:1].tolist():
                self.ratings(vocabulary, word)  # raises: it has no synonyms
        # A column for each rated word, padded by ids beyond every rank; the last: all others.
        rated, scores, counts = lists.padded(words, filler=2 * len(vocabulary))
        longest = rated.shape[1]
        others = self._others(vocabulary, counts.sum(axis=1))
        with np.errstate(over="ignore"):  # a score of -inf is a weight of 0
            weights = np.exp(
                -self.epsilon / 2 * np.pad(scores, ((0, 0), (0, 1)), constant_values=1)
            )

        def weight_of(row: int, column: int) -> Weight:
            ratings = lists.of(int(words[row]))[1]
            return self._weight(ratings[column] if column < longest else Fraction())

        layout = Layout(weights, UNIT, np.column_stack([counts, others]))
        column, rank = layout.draw(row, rng, weight_of)
        # The r-th word that is not rated: as many later as there are rated ones before it.
        rank += (rated[row] - np.arange(longest) <= rank[:, None]).sum(axis=1)
        named = rated[row, np.minimum(column, longest - 1)]
        return np.where(column == longest, rank, named)

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
                "SynTF: an empty document has no frequencies; at least one word is needed."
            )
        drawn = ids[rng.integers(len(ids), size=length)] if length else ids[:0]
        released = self.sample(vocabulary, drawn, 1, rng)
        return np.bincount(released[:, 0], minlength=len(vocabulary)).astype(np.int64, copy=False)

    def table(self, vocabulary: Vocabulary) -> Ratings:
        """The ratings of all words."""
        return ratings_of(vocabulary)

    def ratings(self, vocabulary: Vocabulary, word: int) -> tuple[WordIds, list[Fraction]]:
        """The word and its synonyms, ids (m,) ascending, and their ratings ρ as rationals."""
        rated, ratings = self.table(vocabulary).of(word)
        if self.variant == "benchmark" and len(rated) == 1:
            raise UnknownWordError(
                f"SynTF (benchmark): {vocabulary.words[word]!r} has no synonym in the vocabulary; "
                "treat it as an unknown word."
            )
        return rated, ratings

    def _rated(self, vocabulary: Vocabulary, word: int) -> tuple[WordIds, Floats]:
        """The word and its synonyms, ids (m,) ascending, and ε/2 · (ρ - 1) of each (m,)."""
        rated, ratings = self.ratings(vocabulary, word)
        return rated, -self.epsilon / 2 * np.array([float(1 - rho) for rho in ratings])

    def _weight(self, rho: Fraction) -> Weight:
        return Weight(rate=Fraction(self.epsilon) / 2, square=(1 - rho) ** 2)

    def _others(self, vocabulary: Vocabulary, rated: Integers) -> Integers:
        """How many words without a rating can come out, besides so many rated ones."""
        return len(vocabulary) - rated if self.variant == "published" else 0 * rated

    def _log_others(self, vocabulary: Vocabulary, rated: WordIds) -> float:
        """The log of the weight of all words that are not rated, together."""
        count = int(self._others(vocabulary, np.array(len(rated))))
        return float(np.log(count)) - self.epsilon / 2 if count else -np.inf
