"""Private texts that the corpus of q holds word for word.

q is counted on a public file. If that file was made from the private texts, q depends on them and
no promise holds. A sign of this: every stretch of `WINDOW` words of a private text is in the
corpus. Shorter texts are not compared, since other people write them too. Letter case, signs,
spaces and line breaks do not count; a text with one word changed is not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from release.grammar import counted, verb

WINDOW = 8
"""Words of a stretch."""

MOST = 20_000
"""Private texts that are looked at, the first ones."""

_WORDS = re.compile(r"\w+")
_FACTOR = np.uint64(0x9E3779B97F4A7C15)

Hashes = NDArray[np.uint64]


class Overlap(NamedTuple):
    """How many private texts a corpus holds, and of how many that were looked at."""

    texts: int
    of: int

    def checked(self) -> str:
        """A warning, empty if the corpus holds none of them.

        Raises
        ------
        ValueError
            If it holds every one.

        """
        if not self.texts:
            return ""
        found = (
            f"Corpus of q: {self.texts:,} of {counted(self.of, 'private text')} "
            f"{verb(self.texts, 'is', 'are')} in it, word for word. If it was made from private "
            "texts, q depends on them, and no promise holds."
        )
        if self.texts == self.of:
            raise ValueError(f"{found} Use another corpus, or another q.")
        return f"{found} Use it only if it was already public."


def stretches(texts: Iterable[str]) -> Hashes:
    """Hashes of all stretches of `WINDOW` words, ascending."""
    found = [_of_text(text) for text in texts]
    return np.unique(np.concatenate([*found, np.empty(0, dtype=np.uint64)]))


def overlap(corpus: Hashes, private: Iterable[str]) -> Overlap:
    """The private texts of which the `stretches` of a corpus have every stretch."""
    held = of = 0
    for text in private:
        mine = _of_text(text)
        if len(mine):
            of += 1
            place = np.minimum(np.searchsorted(corpus, mine), len(corpus) - 1)
            held += bool(len(corpus)) and bool((corpus[place] == mine).all())
        if of == MOST:
            break
    return Overlap(held, of)


def _of_text(text: str) -> Hashes:
    words = _WORDS.findall(text.lower())
    if len(words) < WINDOW:
        return np.empty(0, dtype=np.uint64)
    each = np.array([hash(word) for word in words], dtype=np.int64).astype(np.uint64)
    found = np.zeros(len(words) - WINDOW + 1, dtype=np.uint64)
    for first in range(WINDOW):
        found = found * _FACTOR + each[first : first + len(found)]
    return found
