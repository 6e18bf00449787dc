"""Words and their ids, without any geometry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

WordIds = NDArray[np.int64]


class UnknownWordError(LookupError):
    """A word that is not in the vocabulary.

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie"], [[0], [1]])
    >>> try:
    ...     v["moovie"]
    ... except wv.UnknownWordError:
    ...     print(v.nearest_spelling("moovie", 1))
    ['movie']
    """


class Words:
    """A list of words in order of frequency, most frequent first; an id is a place in it."""

    def __init__(self, words: Sequence[str]) -> None:
        """Number the words; the vocabulary checks them."""
        self.words: tuple[str, ...] = tuple(words)
        self._ids = {word: i for i, word in enumerate(self.words)}

    def __len__(self) -> int:
        """|W|, the number of words."""
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        """Whether the word is known."""
        return word in self._ids

    def __iter__(self) -> Iterator[str]:
        """The words in order."""
        return iter(self.words)

    def get(self, word: str) -> int | None:
        """The word's id, or None if it is unknown."""
        return self._ids.get(word)

    def ids(self, words: Sequence[str]) -> WordIds:
        """Ids (n,) of known words; `UnknownWordError` names the first unknown one."""
        try:
            return np.array([self._ids[word] for word in words], dtype=np.int64)
        except KeyError as error:
            word = error.args[0]
            raise UnknownWordError(
                f"Vocabulary: {word!r} is not among its words; nearest_spelling({word!r}) lists "
                "similar ones."
            ) from None

    def nearest_spelling(self, word: str, k: int = 5) -> list[str]:
        """The k known words whose spelling is nearest: Jaro-Winkler similarity, nearest first.

        Among equally similar words the most frequent comes first.

        >>> import wordveil as wv
        >>> wv.Vocabulary(["cat", "movie", "moved"], [[0], [1], [2]]).nearest_spelling("moovie", 1)
        ['movie']
        """
        from rapidfuzz import process
        from rapidfuzz.distance import JaroWinkler

        if not isinstance(word, str):
            raise TypeError(f"Vocabulary: a word must be a string; got {word!r}.")
        if k < 1:
            raise ValueError(f"Vocabulary: k must be at least 1; got {k}.")
        found = process.extract(word, self.words, scorer=JaroWinkler.similarity, limit=k)
        return [known for known, _, _ in found]

    @property
    def unknown_id(self) -> int:
        """The id of the unknown word: an input of every mechanism, never an output.

        All words outside the vocabulary share it. It lies past the arrays, so that code without a
        rule for it raises instead of reading another word's vector.
        """
        return len(self)

    def checked(self, word_ids: ArrayLike) -> WordIds:
        """Word ids as an int64 array (n,), each within the vocabulary."""
        return self._checked(word_ids, len(self))

    def checked_inputs(self, input_ids: ArrayLike) -> WordIds:
        """Ids of inputs as an int64 array (n,): words of the vocabulary or the unknown word."""
        return self._checked(input_ids, len(self) + 1)

    def _checked(self, word_ids: ArrayLike, end: int) -> WordIds:
        ids = np.asarray(word_ids)
        if ids.size == 0:
            return np.empty(0, dtype=np.int64)
        if ids.ndim != 1 or not np.issubdtype(ids.dtype, np.integer):
            raise TypeError(f"Vocabulary: word ids must be whole numbers (n,); got {ids!r}.")
        if ids.min() < 0 or ids.max() >= end:
            bad = ids[(ids < 0) | (ids >= end)][0]
            raise UnknownWordError(f"Vocabulary: word ids lie in [0, {end}); got {bad}.")
        return ids.astype(np.int64, copy=False)
