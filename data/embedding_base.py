"""What every embedding can be asked: its sizes, its words and vectors, what a reader should know.

The kinds are `Packaged`, `Encoded` and `Random`, which come with the project, and `File` and
`Upload`, which do not. A name is looked up once (`data.embeddings.by_name`); from there on the
object goes down.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import regex

from data import word_counts
from data.embedding_source import Progress, Vectors
from data.wordnet import synonyms
from mechanisms import Vocabulary

# A word is letters, with apostrophes and hyphens inside: not `'s`, not `1990s`, not `--`.
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*")


@dataclass(frozen=True)
class Embedding(ABC):
    """Entries with their vectors, most frequent first, or in the order of a file."""

    name: str

    public: ClassVar[bool] = True
    """Whether every visitor has it. An upload is its visitor's alone."""

    @property
    def identity(self) -> str:
        """A text that differs if the entries or their vectors may."""
        return self.name

    @property
    def how_to_get(self) -> str | None:
        """The sentence that says how it is installed; None if it is here."""
        return None

    @property
    def available(self) -> bool:
        """Whether it can be loaded."""
        return self.how_to_get is None

    @property
    @abstractmethod
    def version(self) -> str:
        """The source of the vectors: a package and its version, or a file.

        ValueError for an embedding that is not installed.
        """

    @abstractmethod
    def sizes(self, progress: Progress | None = None) -> tuple[int, ...]:
        """Sizes to offer, ascending; the last one is all of it. A file is converted first."""

    @abstractmethod
    def entries(self, size: int, progress: Progress | None = None) -> tuple[list[str], Vectors]:
        """The first entries, words or not, and their vectors (size, d)."""

    def convert(self, size: int | None = None, progress: Progress | None = None) -> None:
        """Do the work that `load` needs once and for all, if there is any.

        `progress` is called with the finished part and the whole, several times a second: entries
        of an encoded embedding (with 0 before the encoder starts, which takes some seconds), bytes
        of a file. If nothing is left to do it is not called. An exception that it raises ends the
        conversion; the blocks that an encoder finished remain.
        """
        self.checked(size)

    def notes(self, size: int | None = None, *, words_only: bool = True) -> str:
        """A sentence that readers of `load`'s result should know, or an empty text."""
        self.checked(size)
        return ""

    def load(
        self,
        size: int | None = None,
        *,
        words_only: bool = True,
        progress: Progress | None = None,
    ) -> Vocabulary:
        """A vocabulary of the first entries, with WordNet's synonyms: `data.embeddings.load`."""
        words, vectors = self.words(size, words_only, progress)
        if not words:
            label = f"Embedding {self.name}" if self.public else "Your embedding"
            raise ValueError(
                f"{label}: none of these entries is a word of letters only; take all of them (on a "
                "page: switch off “Words only” under “Vocabulary”)."
            )
        return Vocabulary(words, vectors, synonyms(), self.public, word_counts.of_corpus)

    def words(
        self, size: int | None, words_only: bool, progress: Progress | None = None
    ) -> tuple[list[str], Vectors]:
        """The entries, or those that are words, and their vectors, before any are merged."""
        entries, vectors = self.entries(self.checked(size, progress), progress)
        if not words_only:
            return entries, vectors
        kept = [i for i, entry in enumerate(entries) if _WORD.fullmatch(entry)]
        return [entries[i] for i in kept], vectors[np.array(kept, dtype=np.int64)]

    def checked(self, size: int | None, progress: Progress | None = None) -> int:
        """A size within the entries; None is all of them."""
        most = self.sizes(progress)[-1]
        size = most if size is None else size
        if not 1 <= size <= most:
            raise ValueError(f"Embedding {self.name}: size must lie in [1, {most}]; got {size}.")
        return size
