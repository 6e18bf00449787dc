"""One visitor's file: its layout, its contents, its private version.

It ends with the session, or when no reload of the tab has asked for it (`pages.shared.vault`). The
file is in memory, and nothing of it is cached, logged or written. Work on it is a job of this
visitor, in pieces, that stops when the visitor leaves.
"""

from __future__ import annotations

import hashlib
import io
import secrets
import time
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, repeat, takewhile
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st
from streamlit.runtime import Runtime

from data import corpora
from mechanisms import Vocabulary
from pages.shared import jobs, ledger, material, session
from release import account, driver, pieces, report, tables
from release.driver import Reading
from release.layout import TABS, WRITTEN, Layout, layout
from release.names import Names
from release.pieces import Counts, Texts
from release.settings import Settings
from release.survey import Survey, survey
from release.survived import Survived

SAMPLE_ROWS = 200
SHOWN_ROWS = 5
FORMATS = (".csv", ".parquet")
"""The formats of a private file, besides the format of the source."""


@dataclass(frozen=True, eq=False)
class File:
    """A name and all bytes; two uploads are never the same."""

    name: str
    data: bytes
    token: str = field(default_factory=lambda: secrets.token_hex(8))

    @cached_property
    def ledger(self) -> str:
        """The name of its ledger: the same for a file with the same bytes."""
        return ledger.FILE + hashlib.sha256(self.data).hexdigest()


class Done(NamedTuple):
    """A piece that is finished."""

    texts: Texts
    counts: Counts
    formulas: list[tuple[int, str]]
    """Row and column of cells that a spreadsheet would run."""


@dataclass(eq=False)
class Release:
    """A release of a file: the job, and its settings."""

    file: File
    reading: Reading
    settings: Settings
    vocabulary: Vocabulary
    emptied: int
    job: jobs.Job
    came_out: Counter[int]
    """How often each word came out, in the finished pieces."""
    begun: float = field(default_factory=time.monotonic)

    @property
    def seconds_left(self) -> float | None:
        """By the pace so far; None before the first piece."""
        share = self.job.share
        return (time.monotonic() - self.begun) * (1 / share - 1) if share else None

    @cached_property
    def report(self) -> dict[str, Any]:
        """The facts of the finished release that may be published."""
        cells = [cell for done in self.job.results for cell in done.formulas]
        return report.report(
            self.settings,
            self.vocabulary,
            self.reading.layout,
            self.reading.columns,
            self.counts,
            [self._offered(ending) for ending in self.endings],
            len(cells),
            cells,
            self.reading.left_out,
        )

    @cached_property
    def account(self) -> dict[str, Any]:
        """The true counts, for the visitor alone."""
        return account.account(
            self.reading.layout,
            self.reading.columns,
            self.counts,
            len(self.file.data),
            hashlib.sha256(self.file.data).hexdigest(),
            self.emptied,
            self._output(f"out{self.endings[0]}").notes,
        )

    @property
    def endings(self) -> list[str]:
        """The endings of the private file, that of the source first."""
        own = Path(self.file.name).suffix.lower()
        return list(dict.fromkeys((own, *FORMATS) if own in WRITTEN else FORMATS))

    def _output(self, name: str) -> tables.Output:
        if name.endswith(TABS) and self.reading.layout.format == "csv":
            name = "private.csv"  # with the separator of the file that came in
        return self.reading.output(name, self.file.data)

    @cached_property
    def counts(self) -> Counts:
        """The counts of the tokens of the whole file, for the visitor alone."""
        return replace(
            pieces.summed(done.counts for done in self.job.results), released=self.came_out
        )

    @property
    def survived(self) -> Survived:
        """The words that came out unchanged, in the whole file."""
        return self.counts.survived

    def texts_of(self, rows: Sequence[int]) -> list[tuple[int, str, str]]:
        """The texts of some rows: the number of the row, as typed, and as released."""
        wanted = set(rows)
        upto = takewhile(lambda found: found[0] <= max(wanted, default=0), self._texts())
        return [found for found in upto if found[0] in wanted]

    def _offered(self, ending: str) -> report.PrivateFile:
        data = self.as_file(f"private{ending}")
        return report.PrivateFile(ending, len(data), hashlib.sha256(data).hexdigest())

    def pairs(self, count: int) -> list[tuple[str, str]]:
        """The first texts that are not empty, as typed and as released."""
        typed = (pair for _, *pair in self._texts() if pair[0].strip())
        return [(one, other) for one, other in islice(typed, count)]

    def as_file(self, name: str) -> bytes:
        """The private file in the format that a name says."""
        out, written = self._output(name), io.BytesIO()
        parts = (
            tables.encoded(out, self.reading.private_rows(piece, done.texts))
            for piece, done in self._pieces()
        )
        tables.assemble(out, parts, written)
        return written.getvalue()

    def _pieces(self) -> Iterator[tuple[pieces.Piece, Done]]:
        return zip(self.reading.pieces(self.file.data), self.job.results, strict=False)

    def _texts(self) -> Iterator[tuple[int, str, str]]:
        """Each text: the number of its row, as typed, and as released."""
        for piece, done in self._pieces():
            both = zip(piece.texts, done.texts, strict=True)
            for number, (typed, private) in enumerate(both, piece.first):
                yield from zip(repeat(number), typed, private, strict=False)


# ---------------------------------------------------------------------------------------- the file


def chosen() -> File | None:
    """The visitor's file or the sample; None without one."""
    return st.session_state.get("file")


def choose(name: str, data: bytes) -> None:
    """Take a file, and forget the one before."""
    forget()
    st.session_state.file = File(name, data)


def choose_sample() -> None:
    """Take 200 reviews that come with the project, every 125th of 25,000."""
    corpus = corpora.load("imdb")
    step = len(corpus) // SAMPLE_ROWS
    rows = [[str(i), corpus.texts[i], corpus.labels[i]] for i in range(0, len(corpus), step)]
    header = ("id", "text", "label")
    out = tables.Output(Layout("csv", header, header=header), "csv")
    written = io.BytesIO()
    tables.assemble(out, [tables.encoded(out, rows)], written)
    choose("reviews.csv", written.getvalue())
    # Reviews have line breaks and commas; their quotation marks are known to enclose cells.
    st.session_state[f"quotes.{st.session_state.file.token}"] = True


def forget() -> None:
    """Drop the file, everything made from it, and the choices about it."""
    if (file := chosen()) is not None:
        for key in [key for key in st.session_state if file.token in str(key)]:
            del st.session_state[key]
    for key in ("file_plan", "file_release", "file_choice", "file_test"):
        if (work := st.session_state.pop(key, None)) is not None and hasattr(work, "job"):
            work.job.leave(session.visitor())
    for key in ("file", "file_layout", "file_texts"):
        st.session_state.pop(key, None)
    material.forget()


def found(file: File, **given: Any) -> Layout:
    """The layout of the file, with the visitor's choices."""
    key = (file.token, tuple(sorted(given.items())))
    if st.session_state.get("file_layout", (None,))[0] != key:
        st.session_state.file_layout = (key, layout(file.name, file.data, **given))
    return st.session_state.file_layout[1]


def first_rows(file: File, reading: Reading) -> list[tables.Row]:
    """The first rows of a file."""
    return [row for row, _ in zip(reading.rows(file.data), range(SHOWN_ROWS), strict=False)]


def first_texts(file: File, reading: Reading, characters: int) -> list[str]:
    """The first texts of a file, up to so many characters together."""
    key, positions = (file.token, reading.columns, reading.layout), reading.positions
    kept = st.session_state.get("file_texts", (None, []))
    if kept[0] == key:
        return kept[1]
    found: list[str] = []
    length = 0
    for number, row in enumerate(reading.rows(file.data), 1):
        for text in filter(None, tables.texts(row, positions, number)):
            found.append(text)
            length += len(text)
        if length >= characters:
            break
    st.session_state.file_texts = key, found
    return found


def likely_text(file: File, how: Layout) -> list[str]:
    """The column with the longest cells in the first rows, if there is one."""
    rows = first_rows(file, Reading(how, (), "empty"))
    lengths = [
        sum(len(row[i]) for row in rows if isinstance(row[i], str)) for i in range(len(how.columns))
    ]
    return [how.columns[lengths.index(max(lengths))]] if any(lengths) else []


# -------------------------------------------------------------------------------- the jobs


def release(
    file: File,
    reading: Reading,
    settings: Settings,
    vocabulary: Vocabulary,
    count: int,
    emptied: int,
    names: Names,
) -> None:
    """Begin to make a file private. The one before is dropped.

    The file was read before: `count` is the number of its pieces, `emptied` that of rows out of
    step, `names` are its name-like words.
    """
    last: Release | None = st.session_state.get("file_release")
    if last is not None:
        last.job.leave(session.visitor())
    out = reading.output("out.csv", file.data)
    came_out = Counter[int]()

    def drawn() -> Generator[Done, None, None]:
        draw = driver.here(settings, vocabulary, names)
        for piece in driver.finished(reading.pieces(file.data), reading, out, draw):
            came_out.update(piece.counts.released)
            # Of each piece they would be as long as it.
            yield Done(piece.texts, replace(piece.counts, released=Counter()), piece.formulas)

    job = start(drawn(), count)
    st.session_state.file_release = Release(
        file, reading, settings, vocabulary, emptied, job, came_out
    )
    ledger.charge(file.ledger, settings.mechanism, vocabulary, 1)


def released() -> Release | None:
    """The last release that was begun in this session."""
    return st.session_state.get("file_release")


def surveyed(file: File, reading: Reading) -> tuple[Survey, int]:
    """Read a file to its end: its rows, and the number of pieces; every download is rehearsed."""
    positions = reading.positions
    outputs = [reading.output(f"out{ending}", file.data) for ending in FORMATS]
    for out in outputs:
        tables.rehearse(out)
    count = 0

    def rows() -> Iterator[Any]:
        nonlocal count
        for piece in reading.pieces(file.data):
            count += 1
            yield from piece.rows

    return survey(rows(), outputs[0], positions), count


def start(results: Generator[Any, None, None], count: int) -> jobs.Job:
    """A job of so many results; it rests after the result at hand if the visitor left.

    A job asks for one result after the other, so the file is read in passing.
    """
    viewer, numbered = session.visitor(), enumerate(results, 1)
    session.be_here()
    begun: list[jobs.Job] = []

    def next_piece() -> Any:
        number, result = next(numbered)
        if number == count:  # the session keeps the job, not what its results were made of
            results.close()
        if Runtime.exists() and not Runtime.instance().is_active_session(session.address(viewer)):
            for job in begun:
                job.leave(viewer)
        return result

    begun.append(jobs.start([next_piece] * count, viewer))
    return begun[0]
