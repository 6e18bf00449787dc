"""Words of another embedding, each encoded as a text of its own by the sentence encoder."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np

from data import store
from data.embedding_base import Embedding
from data.embedding_source import Progress, Vectors
from data.encoder import Encoder, model_version
from data.packaged_embeddings import Packaged
from mechanisms import Vocabulary

# Words that are encoded and kept together: what a stopped conversion loses at most.
_BLOCK = 10_000

_converting = Lock()
_only_in_memory: dict[str, Vectors] = {}


@dataclass(frozen=True)
class Encoded(Embedding):
    """Encoded once, then kept on disk. Words that the encoder cannot tell apart are merged."""

    offered: tuple[int, ...]
    words_of: Packaged

    @property
    def version(self) -> str:
        """The encoder's model, and the source of the words."""
        return f"{model_version()}, words of {self.words_of.version}"

    def sizes(self, progress: Progress | None = None) -> tuple[int, ...]:
        """As many as are encoded within minutes."""
        return self.offered

    def convert(self, size: int | None = None, progress: Progress | None = None) -> None:
        """Encode the blocks that are missing."""
        self._blocks(self.checked(size), progress)

    def entries(self, size: int, progress: Progress | None = None) -> tuple[list[str], Vectors]:
        """The first words and their vectors, block by block from disk or by the encoder."""
        blocks = self._blocks(size, progress)
        entries = [entry for block in blocks for entry in block]
        return entries, np.concatenate([_kept(block) for block in blocks])

    def load(
        self,
        size: int | None = None,
        *,
        words_only: bool = True,
        progress: Progress | None = None,
    ) -> Vocabulary:
        """As of every embedding; of merged words the most frequent one."""
        whole = super().load(size, words_only=words_only, progress=progress)
        kept = np.flatnonzero(whole.representatives == np.arange(len(whole)))
        words, vectors = [whole.words[i] for i in kept], whole.vectors[kept]
        return Vocabulary(words, vectors, whole.synonyms, counter=whole.counter)

    def notes(self, size: int | None = None, *, words_only: bool = True) -> str:
        """How many entries were merged, with examples."""
        words, vectors = self.words(size, words_only)
        first = Vocabulary(words, vectors).representatives
        merged = np.flatnonzero(first != np.arange(len(first)))
        if not len(merged):
            return ""
        examples = ", ".join(f"{words[i]} into {words[first[i]]}" for i in merged[:3])
        return (
            f"{len(merged):,} of {len(words):,} entries were merged into a more frequent one, "
            "since the encoder cannot tell them apart: "
            f"{examples}{' …' if len(merged) > 3 else ''}."
        )

    def _blocks(self, size: int, progress: Progress | None) -> list[list[str]]:
        """The words block by block, all of them encoded."""
        entries = self.words_of.entries(size)[0]
        blocks = [entries[i : i + _BLOCK] for i in range(0, size, _BLOCK)]
        if any(_kept(block) is None for block in blocks):
            _convert(blocks, size, progress)
        return blocks


def _convert(blocks: Sequence[Sequence[str]], size: int, progress: Progress | None) -> None:
    """Encode the blocks that are missing, unless another thread is about to."""
    while not _converting.acquire(timeout=0.5):
        if progress:
            progress(0, size)
    try:
        done = 0
        with Encoder() as encoder:
            for block in blocks:
                if _kept(block) is None:
                    _keep(block, encoder.encode(block, _after(done, size, progress)))
                done += len(block)
    finally:
        _converting.release()


def _after(before: int, size: int, progress: Progress | None) -> Progress | None:
    """Progress of a block, counted from the first block."""
    return progress and (lambda done, of: progress(before + done, size))


def _fingerprint(block: Sequence[str]) -> str:
    return store.fingerprint(model_version(), *block)


# The folder of the store: the name of the first embedding that was encoded.
_KIND = "minilm-384d"


def _kept(block: Sequence[str]) -> Vectors | None:
    name = _fingerprint(block)
    if name in _only_in_memory:
        return _only_in_memory[name]
    try:
        result = store.read(_KIND, name)
    except OSError:  # said where it is written
        return None
    return None if result is None else result.arrays["vectors"]


def _keep(block: Sequence[str], vectors: Vectors) -> None:
    """On disk; where that cannot be, in this process, with a warning."""
    provenance = {"model": model_version(), "first": block[0], "last": block[-1]}
    try:
        store.write(_KIND, _fingerprint(block), {"vectors": vectors}, provenance)
    except OSError as error:
        warnings.warn(str(error), RuntimeWarning, stacklevel=2)
        _only_in_memory[_fingerprint(block)] = vectors
