"""Embeddings whose vectors lie in an installed package, and random vectors for their words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import numpy as np
from numpy.random import PCG64

from data.embedding_base import Embedding
from data.embedding_source import Progress, Vectors

_SEED = 2024
_BOUND = 1.2


@cache
def _installed(package: str, file: str) -> Path | None:
    """Where a file of an installed package lies. Asked once: it takes milliseconds."""
    try:
        return Path(str(distribution(package).locate_file(file)))
    except PackageNotFoundError:
        return None


@dataclass(frozen=True)
class Packaged(Embedding):
    """Entries and vectors in a file of a package, of which only the file is used."""

    offered: tuple[int, ...]
    package: str
    file: str
    """From the folder in which packages are installed."""
    read: Callable[[Path], tuple[list[str], Vectors]]
    """All entries of the file, most frequent first, and their vectors."""
    requirement: str
    """What `pip install` is given."""

    @property
    def path(self) -> Path | None:
        """The file; None if the package is not installed."""
        path = _installed(self.package, self.file)
        return path if path is not None and path.is_file() else None

    @property
    def how_to_get(self) -> str | None:
        """The command that installs the package; None if it is here."""
        if self.path is not None:
            return None
        return (
            f"{self.name} is not installed: `pip install {self.requirement}` installs its "
            "file. Then restart WordVeil."
        )

    @property
    def version(self) -> str:
        """The package and its version."""
        self._found()
        return f"{self.package} {distribution(self.package).version}"

    def sizes(self, progress: Progress | None = None) -> tuple[int, ...]:
        """Those that are offered, also before it is installed."""
        return self.offered

    def entries(self, size: int, progress: Progress | None = None) -> tuple[list[str], Vectors]:
        """The first entries of the file."""
        entries, vectors = self.read(self._found())
        return entries[:size], vectors[:size]

    def _found(self) -> Path:
        path = self.path
        if path is None:
            raise ValueError(f"Embedding: {self.how_to_get}")
        return path


@dataclass(frozen=True)
class Random(Embedding):
    """Independent random vectors for the words of another embedding."""

    words_of: Packaged

    @property
    def version(self) -> str:
        """The generator, its seed, and the source of the words."""
        return f"PCG64 with seed {_SEED}, words of {self.words_of.version}"

    def sizes(self, progress: Progress | None = None) -> tuple[int, ...]:
        """Those of the words."""
        return self.words_of.sizes()

    def entries(self, size: int, progress: Progress | None = None) -> tuple[list[str], Vectors]:
        """The first words, each with the same vector for every size.

        From the generator's own 64 bits, whose sequence numpy promises not to change.
        """
        entries, vectors = self.words_of.entries(size)
        bits = PCG64(_SEED).random_raw(vectors.size)
        unit = (bits >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24)
        return entries, ((2 * unit - 1) * np.float32(_BOUND)).reshape(vectors.shape)

    def notes(self, size: int | None = None, *, words_only: bool = True) -> str:
        """That it is a baseline."""
        self.checked(size)
        return "Random vectors: close words have nothing in common. A baseline."


@cache
def index_and_array(file: Path) -> tuple[list[str], Vectors]:
    """Vectors, memory-mapped, and the entries of the index beside them."""
    import pyarrow.parquet as parquet

    index = parquet.read_table(file.with_name("glove_6B_index.parquet"))["index"]
    return index.to_pylist(), np.load(file, mmap_mode="r")


def lines(file: Path) -> tuple[list[str], Vectors]:
    """Entries and vectors of a text file: a line of sizes, then one entry a line."""
    import pyarrow
    from pyarrow import csv

    with open(file, encoding="utf-8") as text:
        dimensions = int(text.readline().split()[1])
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
