"""Synonyms from WordNet 3.0: two words are synonyms where some synset has both.

`synonyms()["movie"]` is `("film", "flick", "pic", "picture")`. The relation is symmetric. It is
between lemmas, as they are: `movies` is no lemma and has none. Case is folded; senses and parts
of speech are not told apart. The table is `wordnet.txt.gz`, made by `build_wordnet.py`. It is read
on the first question, once for all threads, so that importing this file or loading an embedding
costs nothing. WordNet's licence is in `wordnet_license.txt`.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from threading import Lock

TABLE = Path(__file__).with_name("wordnet.txt.gz")

_reading = Lock()


def synonyms() -> Mapping[str, tuple[str, ...]]:
    """Word -> its synonyms in alphabetical order, itself not among them; a read-only mapping."""
    return _Synonyms()


class _Synonyms(Mapping[str, tuple[str, ...]]):
    """The table as a mapping that is read when it is first asked; a copy costs nothing."""

    def __getitem__(self, word: str) -> tuple[str, ...]:
        return _table()[word]

    def __iter__(self) -> Iterator[str]:
        return iter(_table())

    def __len__(self) -> int:
        return len(_table())


def _table() -> dict[str, tuple[str, ...]]:
    with _reading:
        return _read()


@cache
def _read() -> dict[str, tuple[str, ...]]:
    others: dict[str, set[str]] = {}
    for line in gzip.decompress(TABLE.read_bytes()).decode().splitlines():
        synset = line.split()
        for word in synset:
            others.setdefault(word, set()).update(synset)
    return {word: tuple(sorted(words - {word})) for word, words in others.items()}
