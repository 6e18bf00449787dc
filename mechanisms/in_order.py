"""Mechanisms that look at the words they released before: what they may look at, and what not.

A draw of a `WordByWord` mechanism for a word of a text is a function of

1. the word itself, known or unknown,
2. the words that were *drawn* before it in the same private version of the same text, in order,
3. public numbers: the mechanism, the vocabulary, q,
4. random bits.

Nothing else of the text reaches it: not the words typed before or after it, not spaces, signs or
letter case, and no word that was released without a draw. A word that is kept as typed, masked or
left out leaves no trace in the prefix: the words around it follow each other.

So the log ratio of two texts of n words each is a sum over places. For every released prefix the
i-th factor moves by ε d(w_i, w'_i) at most, and a text by ε Σ d(w_i, w'_i): adaptive composition
(Dwork, Rothblum and Vadhan, FOCS 2010, Section III), for any dependence on what was released.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mechanisms.answers import Progress
from mechanisms.base import Mechanism
from mechanisms.vocabulary import Floats, Vocabulary, WordIds


class Continuation(NamedTuple):
    """q(· | prefix) = α q + shares of some words, all times the scale of q."""

    alpha: float
    ids: WordIds
    """Words (k,), perhaps twice."""
    shares: Floats
    """What is added for each (k,)."""


class WordByWord(Mechanism):
    """A mechanism whose draws depend on their own word and on the words drawn before it.

    `sample` draws words with nothing before them, each as the first one of a text; texts are drawn
    by `draw_texts`.
    """

    @property
    @abstractmethod
    def histories(self) -> tuple[int, ...]:
        """The numbers of words released last that a law looks at, ascending."""

    @abstractmethod
    def sample_texts(
        self,
        vocabulary: Vocabulary,
        texts: Sequence[WordIds],
        versions: int,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> list[WordIds]:
        """Independent versions of each text, word after word: inputs (n,) -> ids (n, versions).

        The prefix of each version of each text is empty at first, and grows by each word drawn.
        """

    @abstractmethod
    def continuation(self, vocabulary: Vocabulary, prefix: Sequence[int]) -> Continuation:
        """What its base measure becomes after the ids of a released prefix, the newest last."""

    @abstractmethod
    def log_prob_after(
        self, vocabulary: Vocabulary, input_ids: WordIds, prefix: Sequence[int]
    ) -> Floats:
        """log Pr[v | w, released prefix] of every word v: inputs (n,) -> (n, V)."""


def draw_texts(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    texts: Sequence[WordIds],
    versions: int,
    rng: np.random.Generator,
) -> list[WordIds]:
    """Versions of texts by any mechanism, in order if it asks: (n,) each -> ids (n, versions)."""
    if isinstance(mechanism, WordByWord):
        return mechanism.sample_texts(vocabulary, texts, versions, rng)
    inputs = np.concatenate([*texts, np.empty(0, dtype=np.int64)]).astype(np.int64)
    drawn = mechanism.sample(vocabulary, inputs, versions, rng)
    return np.split(drawn, np.cumsum([len(ids) for ids in texts])[:-1])


def in_order(
    mechanism: WordByWord,
    vocabulary: Vocabulary,
    inputs: WordIds,
    is_drawn: NDArray[np.bool_],
    ends: NDArray[np.int64],
    versions: int,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> WordIds:
    """Draws of texts for the tokens that are drawn: (n,), (n,) -> ids (drawn, versions).

    Of each text, whose tokens end before `ends` (texts,), the mechanism sees the inputs that are
    drawn, in order, and nothing of what is between them.
    """
    before = np.concatenate([[0], np.cumsum(is_drawn)])[np.concatenate([[0], ends])]
    asked = inputs[is_drawn]
    texts = [asked[first:last] for first, last in pairwise(before.tolist())]
    found = mechanism.sample_texts(vocabulary, texts, versions, rng, progress)
    released = np.concatenate([*found, np.empty((0, versions), dtype=np.int64)])
    vocabulary.checked(released.ravel())  # an id out of range must not read another word
    return released
