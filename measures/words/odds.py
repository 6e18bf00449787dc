"""What a guarantee means for words that someone really typed.

A metric-DP guarantee bounds how far any output can move the odds of one input against another:
Pr[M(w) = y] / Pr[M(w') = y] <= e^(ε d(w, w')). For two sentences of the same length the distances
add up word by word, since every word is drawn on its own (Feyisetan et al. 2020, Theorem 1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import Guarantee, Vocabulary

# The vocabulary is in order of frequency, and its first words carry grammar more than meaning.
_FUNCTION_WORDS = 200


@dataclass(frozen=True)
class Swap:
    """One word of a sentence put in another's place, and what the guarantee says of the two."""

    word_id: int
    other_id: int
    distance: float
    """Of the two words; every place adds it once."""
    log_ratio: float | None
    """Bound for all places together; None if the guarantee has none, or does not hold."""
    places: int = 1
    """How often the word occurs, each time put in the other's place."""


def swap(
    guarantee: Guarantee, vocabulary: Vocabulary, word_id: int, other_id: int, places: int = 1
) -> Swap:
    """The distance of two words in the guarantee's own metric, and its bound for the pair.

    Either may be the unknown word: then it is about the odds of "known or unknown".

    In a text that has the word in several `places` every one of them is drawn, and told, anew: the
    bound is so many times that of one place.
    """
    a, b = np.array([word_id]), np.array([other_id])
    bound = guarantee.log_ratio_bound(vocabulary, a, b)
    if bound is not None and not guarantee.holds and np.isfinite(bound[0]):
        bound = None
    distance = guarantee.distance_between(vocabulary, a, b)
    together = None if bound is None else places * float(bound[0])
    return Swap(word_id, other_id, float(distance[0]), together, places)


def closest_pair(vocabulary: Vocabulary, word_ids: ArrayLike) -> tuple[int, int] | None:
    """The two closest different words among those given, at most 200 of them; None for too few.

    Words that carry meaning are preferred: the most frequent ones of the vocabulary (*the*, *in*)
    are looked at only where fewer than two others are left.
    """
    ids = np.unique(vocabulary.checked(word_ids))
    ids = (ids[ids >= _FUNCTION_WORDS] if (ids >= _FUNCTION_WORDS).sum() > 1 else ids)[:200]
    if len(ids) < 2:
        return None
    first, second = np.triu_indices(len(ids), 1)
    nearest = int(np.argmin(vocabulary.distance_between(ids[first], ids[second])))
    return int(ids[first[nearest]]), int(ids[second[nearest]])


def neighbouring_sentence(
    guarantee: Guarantee, vocabulary: Vocabulary, word_ids: ArrayLike, most: int = 2
) -> list[Swap]:
    """The `most` rarest words of a sentence, each replaced by its nearest neighbour in every place.

    The sentence is its words one after the other, repeated ones as often as they occur. The bounds
    of the swaps add up to the bound between the sentence and its neighbour.
    """
    ids, places = np.unique(vocabulary.checked(word_ids), return_counts=True)
    ids, places = ids[-most:], places[-most:]
    if not len(ids) or len(vocabulary) < 2:
        return []
    _, neighbours = vocabulary.neighbours(ids, 2)
    others = [next(n for n in row if n != word) for word, row in zip(ids, neighbours, strict=True)]
    return [
        swap(guarantee, vocabulary, int(word), int(other), int(count))
        for word, other, count in zip(ids, others, places, strict=True)
    ]
