"""The ratings ρ of SynTF, of all words of a vocabulary at once.

They are computed for every word when the first one is needed, so that a later draw takes as long
for a word of many synonyms as for a word of none. ρ is a rational: 1 for the word itself,
½ + ½ · |B(w) ∩ B(y)| / |B(w) ∪ B(y)| for a synonym y, with B the pairs of neighbouring characters.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from mechanisms.vocabulary import Floats, Vocabulary, WordIds

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Ratings:
    """For each word the words that are rated: itself and its synonyms, by their ids."""

    first: Integers
    """Where the list of each word begins (V + 1,); it ends where the next one begins."""
    ids: WordIds
    """The rated words, ascending in each list."""
    numerators: Integers
    denominators: Integers
    """ρ of each, as a fraction."""

    @property
    def lengths(self) -> Integers:
        """How many words are rated for each word (V,)."""
        return np.diff(self.first)

    def of(self, word: int) -> tuple[WordIds, list[Fraction]]:
        """The words rated for a word, ids (m,) ascending, and their ratings."""
        of_word = slice(self.first[word], self.first[word + 1])
        pairs = zip(
            self.numerators[of_word].tolist(), self.denominators[of_word].tolist(), strict=True
        )
        return self.ids[of_word], [Fraction(*pair) for pair in pairs]

    def padded(self, words: WordIds, filler: int) -> tuple[WordIds, Floats, Integers]:
        """Lists of some words, all as long as the longest list L of the vocabulary.

        Ids, 1 - ρ, and 1 for a rated word or 0 for a filler: (w,) -> (w, L), (w, L), (w, L).
        """
        column = np.arange(int(self.lengths.max()))
        there = column < self.lengths[words, None]
        place = np.where(there, self.first[words, None] + column, 0)
        ids = np.where(there, self.ids[place], filler)
        scores = 1 - self.numerators[place] / self.denominators[place]
        return ids, scores, there.astype(np.int64)


def ratings_of(vocabulary: Vocabulary) -> Ratings:
    """The ratings of a vocabulary, computed once.

    Raises ValueError if it has no synonyms.
    """
    if vocabulary.synonyms is None:
        raise ValueError(
            "SynTF: the vocabulary has no synonyms; add some, such as `data.wordnet.synonyms()`: "
            "Vocabulary(words, vectors, synonyms)."
        )
    found = _kept.get(vocabulary)
    if found is None:
        found = _kept[vocabulary] = _computed(vocabulary)
    return found


_kept: WeakKeyDictionary[Vocabulary, Ratings] = WeakKeyDictionary()


def rating(word: str, synonym: str) -> Fraction:
    """ρ of a word and a synonym: ½ + ½ · the Jaccard index of their pairs of characters."""
    return Fraction(*_fraction(_pairs(word), _pairs(synonym)))


def _fraction(first: set[str], second: set[str]) -> tuple[int, int]:
    union = len(first | second)
    return (union + len(first & second), 2 * union) if union else (1, 2)


def _pairs(word: str) -> set[str]:
    return {word[i : i + 2] for i in range(len(word) - 1)}


def _computed(vocabulary: Vocabulary) -> Ratings:
    synonyms = vocabulary.synonyms or {}
    first, ids, numerators, denominators = [0], [], [], []
    for word, spelled in enumerate(vocabulary.words):
        rated = {word: (1, 1)}
        if spelled in synonyms:
            pairs = _pairs(spelled)
            for other in synonyms[spelled]:
                found = vocabulary.get(other)
                if found is not None and found not in rated:
                    rated[found] = _fraction(pairs, _pairs(other))
        for other_id in sorted(rated):
            ids.append(other_id)
            numerators.append(rated[other_id][0])
            denominators.append(rated[other_id][1])
        first.append(len(ids))
    arrays = (np.array(column, dtype=np.int64) for column in (first, ids, numerators, denominators))
    return Ratings(*arrays)
