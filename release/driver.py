"""One driver for every release: the pieces of a file, drawn anew, finished one at a time.

    reading.pieces(source) → draw → finished(…)

A `Draw` says where the draws run: in this process (`here`), or on workers (`on_workers`). The
caller stores the finished pieces: on disk (`release.run`), or in a session (the page).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

import joblib

from mechanisms import Vocabulary
from mechanisms.workers import backend
from release import pieces, tables
from release.layout import Layout
from release.names import Names
from release.pieces import Counts, Piece, Texts
from release.settings import Settings
from release.source import Readable
from release.tables import Output, Ragged

Task = tuple[int, int, Texts]
"""Number, first row and texts of a piece: all that a draw receives of the file."""

Draw = Callable[[Iterable[Task]], Generator[tuple[int, Texts, Counts], None, None]]
"""Number, private texts and counts of each piece, in any order."""


class Reading(NamedTuple):
    """How a file is read, and what happens to its columns."""

    layout: Layout
    columns: tuple[str, ...]
    """Names of the columns that hold text."""
    ragged: Ragged = "refuse"
    said: tuple[tuple[str, Any], ...] = ()
    """Choices that a person made about the file, by the parameters of `release.layout.layout`."""
    guard: bool = False
    """Whether cells that are not made private also get an apostrophe before a formula."""
    left_out: tuple[str, ...] = ()
    """Columns whose cells are released empty."""

    @property
    def positions(self) -> list[int]:
        """Positions of the text columns."""
        return [self.layout.position(column) for column in self.columns]

    @property
    def emptied(self) -> list[int]:
        """Positions of the columns that are left out."""
        return [self.layout.position(column) for column in self.left_out]

    def rows(self, source: Readable) -> Iterator[Any]:
        """All rows of the file."""
        return tables.rows(source, self.layout, self.ragged)

    def pieces(self, source: Readable) -> Iterator[Piece]:
        """The file in pieces, in their order."""
        return pieces.cut(self.rows(source), self.positions)

    def output(self, name: str, source: Readable) -> Output:
        """How the private file of this name is written."""
        written = [*self.positions, *self.emptied]
        return tables.output(name, source, self.layout, written, self.guard)

    def private_rows(self, piece: Piece, private: Texts) -> list[Any]:
        """The rows of a piece with their private texts."""
        return [
            tables.private_row(row, self.positions, texts, self.emptied, number)
            for number, (row, texts) in enumerate(
                zip(piece.rows, private, strict=True), piece.first
            )
        ]


class Finished(NamedTuple):
    """A piece that is drawn."""

    number: int
    rows: list[Any]
    """The rows with their private texts."""
    texts: Texts
    """The private texts."""
    counts: Counts
    formulas: list[tuple[int, str]]
    """Row and column of cells that a spreadsheet would run."""


def finished(
    found: Iterable[Piece], reading: Reading, out: Output, draw: Draw
) -> Generator[Finished, None, None]:
    """Each piece when it is drawn. Its rows wait here, so that only texts leave."""
    waiting: dict[int, Piece] = {}

    def tasks() -> Iterator[Task]:
        for piece in found:
            waiting[piece.number] = piece
            yield piece.number, piece.first, piece.texts

    with closing(draw(tasks())) as results:
        for number, texts, counts in results:
            piece = waiting.pop(number)
            rows = reading.private_rows(piece, texts)
            formulas = [
                (row_number, reading.layout.columns[position])
                for row_number, row in enumerate(rows, piece.first)
                for position in tables.formulas(out, row)
            ]
            yield Finished(number, rows, texts, counts, formulas)


def here(settings: Settings, vocabulary: Vocabulary, names: Names | None = None) -> Draw:
    """Draws in this process, a piece when it is asked for; `names` as in `pieces.private`."""

    def draw(tasks: Iterable[Task]) -> Generator[tuple[int, Texts, Counts], None, None]:
        file = pieces.of_file(settings, vocabulary)
        for number, first, texts in tasks:
            yield number, *pieces.private(texts, settings, number, vocabulary, file, names, first)

    return draw


@contextmanager
def on_workers(
    settings: Settings,
    workers: int = 1,
    scheduler: str | None = None,
    tell: Callable[[str], None] | None = None,
) -> Iterator[Draw]:
    """Draws where `mechanisms.workers.backend` says; no worker keeps words of the texts."""
    run = secrets.token_hex(8)
    try:
        with backend(workers, scheduler, pieces.LastFile.forget, tell) as jobs:
            parallel = joblib.Parallel(jobs, return_as="generator_unordered", batch_size=1)
            yield lambda tasks: parallel(joblib.delayed(_private)(settings, run, *t) for t in tasks)
    finally:
        pieces.LastFile.forget()


def _private(
    settings: Settings, run: str, number: int, first: int, texts: Texts
) -> tuple[int, Texts, Counts]:
    file = pieces.LastFile.of(run, settings)
    return number, *pieces.private(texts, settings, number, None, file)
