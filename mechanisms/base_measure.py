r"""Base measures: how common words are, and what follows them, as public counts and exact floats.

An exponential mechanism may weigh its outputs by any measure q that does not look at the input.
Here q comes from the ranks of the words in the embedding, or from the counts of a *public* corpus:
a count of private texts is an input, and no promise would cover it.

With N tokens, T different words, κ the weight of q in [0, 1] and |W| words,

    P(v)        = (c(v) + T / |W|) / (N + T)                      Witten-Bell, down to uniform
    q(v)        = (1 - κ) / |W| + κ P(v)                          no word has probability 0
    q(v | h)    = (1 - κ a(h)) q(v | h') + κ a(h) c(h, v) / c(h),   a(h) = c(h) / (c(h) + T(h))

h is one released word or two, h' without the older one, c(h) how often h was followed by a word,
T(h) by how many different ones. κ = 1 is Witten and Bell's estimate; κ = 0 is a uniform q, and
a mechanism with it is TEM. Without a corpus, P(v) ∝ 1 / (rank + 2.7), Zipf's law as Mandelbrot
writes it, over the order of the vocabulary.

q is stated in floats, which are rational numbers: draws are exact for these numbers. They are
scaled by a power of two so that the largest q(v) lies in [½, 1); a common factor of all weights
cancels.

References  Witten and Bell, "The zero-frequency problem", IEEE Transactions on Information Theory
            1991 (method C); Mandelbrot, "An informational theory of the statistical structure of
            language", 1953
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, runtime_checkable
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from mechanisms.base import Mechanism
    from mechanisms.vocabulary import Floats, Vocabulary, WordIds

Integers = NDArray[np.int64]

RANKS, OWN = "ranks", "own"
COUNTED = ("imdb", "rotten-tomatoes")
SOURCES = (RANKS, *COUNTED, OWN)
"""Where q may come from: the ranks of the words, a packaged corpus, a corpus of the visitor's."""

RANK_SHIFT = 2.7

# Below this share a word would not be covered by the bounds of `selection` in float32.
SMALLEST_SHARE = 2.0**-60

Counter = Callable[["Vocabulary", str], "NGramCounts"]


@dataclass(frozen=True, eq=False)
class Followers:
    """What followed each history of one length: histories (h,), and for each a list of words."""

    keys: Integers
    """Histories (h,), ascending: l for one word, l₂ |W| + l₁ for two."""
    first: Integers
    """Where the list of each begins (h + 1,); it ends where the next one begins."""
    ids: WordIds
    counts: Integers
    """The words that followed, ascending in each list, and how often."""

    def of(self, key: int) -> slice | None:
        """The list of one history; None if it was not seen."""
        at = self.places.get(key)
        return None if at is None else slice(int(self.first[at]), int(self.first[at + 1]))

    @cached_property
    def places(self) -> dict[int, int]:
        """The place of each history among the lists."""
        return {key: at for at, key in enumerate(self.keys.tolist())}

    @cached_property
    def seen(self) -> Floats:
        """c(h) of each history (h,)."""
        return np.add.reduceat(self.counts, self.first[:-1]).astype(np.float64)

    @cached_property
    def trust(self) -> Floats:
        """a(h) = c(h) / (c(h) + T(h)) of each history (h,)."""
        return np.asarray(self.seen / (self.seen + np.diff(self.first)))


@dataclass(frozen=True, eq=False)
class NGramCounts:
    """Counts of words, and of words after one and after two words, over a vocabulary."""

    corpus: str
    documents: int
    tokens: int
    """Words and numbers of the corpus, known or not."""
    words: Integers
    """c(v) (V,)."""
    after_one: Followers
    after_two: Followers

    @property
    def known(self) -> int:
        """N, the tokens that the vocabulary has."""
        return int(self.words.sum())

    @cached_property
    def shares(self) -> Floats:
        """P(v) (V,): Witten-Bell, never 0."""
        different = int(np.count_nonzero(self.words))
        return np.asarray(
            (self.words + different / len(self.words)) / (self.known + different), dtype=np.float64
        )

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all counts."""
        digest = hashlib.blake2b(digest_size=16)
        for lists in (self.after_one, self.after_two):
            for part in (lists.keys, lists.first, lists.ids, lists.counts):
                digest.update(np.array([len(part)]).tobytes() + part.astype(np.int64).tobytes())
        digest.update(self.words.tobytes())
        return digest.hexdigest()

    def after(self, order: int) -> Followers:
        """The lists behind histories of `order` words, 1 or 2."""
        return self.after_one if order == 1 else self.after_two


def counted(
    corpus: str, sequences: Iterable[Sequence[int]], size: int, fewest: int = 2
) -> NGramCounts:
    """Counts over texts as inputs: word ids below `size`, the unknown word `size`, no signs.

    Neighbours are counted across signs, never across an unknown word or the end of a text.
    Neighbours seen fewer than `fewest` times are not kept.

    Raises
    ------
    ValueError
        If there is no text, or the vocabulary has none of its words.

    """
    texts = [np.asarray(text, dtype=np.int64) for text in sequences]
    if not texts:
        raise ValueError(f"Corpus {corpus}: must hold a text; got none.")
    gap = np.array([size], dtype=np.int64)
    ids = np.concatenate([part for text in texts for part in (text, gap)])
    known = ids < size
    tokens = len(ids) - len(texts)
    if not known.any():
        raise ValueError(
            f"Corpus {corpus}: the vocabulary has none of its {tokens:,} words and numbers; take a "
            "corpus in the language of the embedding."
        )
    pair = known[:-1] & known[1:]
    triple = pair[:-1] & pair[1:]
    return NGramCounts(
        corpus,
        len(texts),
        tokens,
        np.bincount(ids[known], minlength=size).astype(np.int64),
        _followers(ids[:-1][pair], ids[1:][pair], size, fewest),
        _followers(ids[:-2][triple] * size + ids[1:-1][triple], ids[2:][triple], size, fewest),
    )


def _followers(history: Integers, word: WordIds, size: int, fewest: int) -> Followers:
    """How often each word followed each history: (n,), (n,) -> lists."""
    order = np.lexsort((word, history))
    history, word = history[order], word[order]
    new = np.append(True, (np.diff(history) != 0) | (np.diff(word) != 0))[: len(history)]
    begin = np.flatnonzero(new)
    counts = np.diff(np.append(begin, len(history)))
    enough = counts >= fewest
    history, word, counts = history[begin][enough], word[begin][enough], counts[enough]
    keys, first = np.unique(history, return_index=True)
    return Followers(keys, np.append(first, len(history)), word, counts)


@dataclass(frozen=True, eq=False)
class BaseMeasure:
    """q of one vocabulary, one source and one weight."""

    weights: Floats
    """q(v) times 2^scale (V,), the largest in [½, 1)."""
    scale: int
    weight: float
    """κ."""
    counts: NGramCounts | None
    """None for `ranks`."""

    def rests(self, order: int) -> list[float]:
        """1 - κ a(h) of each history of so many words (h,)."""
        if order not in self._rests:
            trust = self._counted.after(order).trust
            self._rests[order] = (1 - self.weight * trust).tolist()
        return self._rests[order]

    def follower_shares(self, order: int) -> Floats:
        """κ a(h) c(h, v) / c(h) of each follower, times 2^scale."""
        if order not in self._follower_shares:
            lists = self._counted.after(order)
            lengths = np.diff(lists.first)
            each = self.weight * lists.counts / np.repeat(lists.seen + lengths, lengths)
            self._follower_shares[order] = np.ldexp(each, self.scale)
        return self._follower_shares[order]

    @cached_property
    def _rests(self) -> dict[int, list[float]]:
        return {}

    @cached_property
    def _follower_shares(self) -> dict[int, Floats]:
        return {}

    @property
    def _counted(self) -> NGramCounts:
        if self.counts is None:
            raise ValueError("Base measure: ranks do not say which words follow a word.")
        return self.counts

    @cached_property
    def smallest_share(self) -> float:
        """q_min, the smallest q(v) over the sum of all."""
        return float(self.weights.min()) / math.fsum(self.weights.tolist())

    @cached_property
    def widest(self) -> float:
        """The largest q(v) over the smallest."""
        return float(self.weights.max() / self.weights.min())


def base_measure(vocabulary: Vocabulary, source: str, weight: float) -> BaseMeasure:
    """q, kept as long as the vocabulary is.

    Raises
    ------
    ValueError
        If the vocabulary has no counts of this source.

    """
    kept = _kept.setdefault(vocabulary, {})
    if (source, weight) not in kept:
        counts = None if source == RANKS else counts_of(vocabulary, source)
        shares = zipf(len(vocabulary)) if counts is None else counts.shares
        mixed = (1 - weight) / len(vocabulary) + weight * shares
        if mixed.min() < SMALLEST_SHARE * mixed.sum():
            raise ValueError(
                f"Base measure: the smallest q must be at least 2^-60 of the sum; {source} with "
                f"weight {weight:g} has less. Take a smaller weight."
            )
        scale = -math.frexp(float(mixed.max()))[1]
        kept[source, weight] = BaseMeasure(np.ldexp(mixed, scale), scale, weight, counts)
    return kept[source, weight]


def counts_of(vocabulary: Vocabulary, corpus: str) -> NGramCounts:
    """The counts of a public corpus over the words of a vocabulary; ValueError if it has none."""
    if vocabulary.counter is None:
        raise ValueError(
            f"Base measure: this vocabulary has no counts of {corpus!r}. Attach the counts of a "
            f"public corpus by `with_counts` and name them {OWN!r}, or take q from the ranks of "
            "its words."
        )
    return vocabulary.counter(vocabulary, corpus)


def with_counts(vocabulary: Vocabulary, counts: NGramCounts, source: str = OWN) -> Vocabulary:
    """The same words and vectors with counts of a public corpus of one's own, named `own`.

    They may take the place of the counts of another source. Results about it are not kept for
    others, and its fingerprint is that of words, vectors and counts.
    """
    if len(counts.words) != len(vocabulary):
        raise ValueError(
            f"Base measure: counts must be of the vocabulary's {len(vocabulary):,} words; got "
            f"{len(counts.words):,}."
        )
    packaged = vocabulary.counter

    def counter(attached: Vocabulary, corpus: str) -> NGramCounts:
        if corpus == source:
            return counts
        if packaged is None:
            raise ValueError(
                f"Base measure: this vocabulary has counts of {source!r}; got {corpus!r}."
            )
        return packaged(attached, corpus)

    found = copy(vocabulary)
    found.counter, found.public = counter, False
    both = f"{vocabulary.fingerprint} {counts.fingerprint} {source}"
    found.fingerprint = hashlib.blake2b(both.encode(), digest_size=16).hexdigest()
    return found


@runtime_checkable
class HasQ(Protocol):
    """A mechanism with a base measure q."""

    def smallest_share(self, vocabulary: Vocabulary) -> float:
        """q_min of any word, q normalised; the same at every ε."""


def source_of_q(mechanism: Mechanism) -> str | None:
    """The source that the parameter q of a mechanism names; None for one without q."""
    for field, declared in mechanism.parameters().items():
        if declared.symbol == "q":
            return str(getattr(mechanism, field))
    return None


_kept: WeakKeyDictionary[Vocabulary, dict[tuple[str, float], BaseMeasure]] = WeakKeyDictionary()


def zipf(size: int) -> Floats:
    """P(v) ∝ 1 / (rank + 2.7) (V,), the rank of the first word 1."""
    shares = 1 / (np.arange(1, size + 1) + RANK_SHIFT)
    return np.asarray(shares / shares.sum())
