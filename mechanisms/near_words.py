"""The nearest words of the words of a file, each searched for once."""

from __future__ import annotations

import numpy as np

from mechanisms.vocabulary import Floats, Vocabulary, WordIds
from mechanisms.word_blocks import MEMORY

# Neighbours of a word that are kept: more are searched for anew.
_MOST = 64


class NearWords:
    """`Vocabulary.neighbours` of words, kept while they fit into `memory`."""

    def __init__(self, vocabulary: Vocabulary, memory: int = MEMORY) -> None:
        """Know no word yet."""
        self._vocabulary = vocabulary
        self._most = min(_MOST, len(vocabulary))
        room = min(len(vocabulary), memory // (16 * self._most))
        self._slot = np.full(len(vocabulary), -1, dtype=np.int64)
        self._next = 0
        # Memory is taken by the rows that are written.
        self._distances = np.empty((room, self._most))
        self._ids = np.empty((room, self._most), dtype=np.int64)

    def of(self, word_ids: WordIds, k: int) -> tuple[Floats, WordIds]:
        """Distances (n, k), ascending, and ids (n, k) of the words nearest to different words."""
        missing = word_ids[self._slot[word_ids] < 0]
        if k > self._most or len(missing) > len(self._ids) - self._next:
            return self._vocabulary.neighbours(word_ids, k)
        if len(missing):
            new = slice(self._next, self._next + len(missing))
            found = self._vocabulary.neighbours(missing, self._most)
            self._distances[new], self._ids[new] = found
            self._slot[missing] = np.arange(new.start, new.stop)
            self._next = new.stop
        slots = self._slot[word_ids]
        return self._distances[slots, :k], self._ids[slots, :k]
