"""The words of a visitor's texts as arrays, and which of them are looked at first.

Nothing of it is kept on disk or shared between visitors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mechanisms import Vocabulary
from mechanisms.cleaning import Html, cleaned
from mechanisms.tokens import tokenise_all
from mechanisms.vocabulary import Floats, WordIds

Positions = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class OwnTexts:
    """Inputs of all texts in order, words or the unknown word; signs are left out.

    Text i has the inputs offsets[i] to offsets[i + 1].
    """

    vocabulary: Vocabulary
    inputs: WordIds
    """(T,)."""
    offsets: Positions
    """(n + 1,)."""
    labels: tuple[str, ...] | None = None
    """One label a text; None without a label column."""

    def __len__(self) -> int:
        """The number of texts."""
        return len(self.offsets) - 1

    @cached_property
    def owner(self) -> Positions:
        """The text of each input (T,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    @cached_property
    def _counted(self) -> tuple[WordIds, Positions]:
        known = self.inputs[self.inputs != self.vocabulary.unknown_id]
        words, counts = np.unique(known, return_counts=True)
        return words, counts.astype(np.int64)

    @property
    def words(self) -> WordIds:
        """All distinct words that the vocabulary has, ascending (w,)."""
        return self._counted[0]

    @property
    def counts(self) -> Positions:
        """How often each of `words` occurs (w,)."""
        return self._counted[1]

    @cached_property
    def isolation(self) -> Floats:
        """The distance from each of `words` to its nearest other word (w,); 0 without any other."""
        if len(self.vocabulary) < 2:
            return np.zeros(len(self.words))
        return np.asarray(self.vocabulary.neighbours(self.words, 2)[0][:, 1])

    def some(self, texts: Positions, longest: int | None = None) -> OwnTexts:
        """Some texts, each up to its first `longest` inputs."""
        lengths = np.diff(self.offsets)[texts]
        if longest is not None:
            lengths = np.minimum(lengths, longest)
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        at = np.arange(offsets[-1]) - np.repeat(offsets[:-1] - self.offsets[texts], lengths)
        labels = None if self.labels is None else tuple(self.labels[i] for i in texts.tolist())
        return OwnTexts(self.vocabulary, self.inputs[at], offsets, labels)

    def first_words(self, count: int) -> WordIds:
        """A stratified sample of the distinct words, ascending: up to `count` of them.

        A third each: the rarest of the texts (of equally rare words the rarest of the vocabulary),
        the words farthest from their nearest neighbour, which stay unchanged most often, and words
        spread evenly over all frequencies.
        """
        words = self.words
        if len(words) <= count:
            return words
        rarest = words[np.lexsort((-words, self.counts))]
        alone = words[np.argsort(-self.isolation, kind="stable")]
        third = max(1, count // 3)
        chosen = np.union1d(rarest[:third], alone[:third])
        rest = rarest[~np.isin(rarest, chosen)]
        evenly = np.linspace(0, len(rest) - 1, max(0, count - len(chosen))).astype(np.int64)
        return np.union1d(chosen, rest[evenly])


def own_texts(
    texts: Sequence[str],
    vocabulary: Vocabulary,
    labels: Sequence[str] | None = None,
    html: Html = "decode",
) -> OwnTexts:
    """The inputs of texts.

    Raises
    ------
    ValueError
        Without any word of the vocabulary, or if there is not one label a text.

    """
    if labels is not None and len(labels) != len(texts):
        raise ValueError(
            f"Labels: one label per text is needed; got {len(labels)} labels for {len(texts)} "
            "texts."
        )
    ids: list[int] = []
    ends = [0]
    clean = (cleaned(text, html).text for text in texts)
    for tokens in tokenise_all(clean, vocabulary):
        for token in tokens:
            if token.word_id is not None:
                ids.append(token.word_id)
            elif token.is_unknown:
                ids.append(vocabulary.unknown_id)
        ends.append(len(ids))
    found = OwnTexts(
        vocabulary,
        np.array(ids, dtype=np.int64),
        np.array(ends, dtype=np.int64),
        None if labels is None else tuple(labels),
    )
    if not len(found.words):
        raise ValueError(
            f"Texts: none of the {len(texts):,} texts has a word of the vocabulary; choose another "
            "column, or an embedding of their language."
        )
    return found
