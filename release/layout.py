"""The layout of a file: format, encoding, separator and header, as detected or as given.

    layout("reviews.csv", source)

format      by the name: CSV and its like, JSON Lines, Parquet, plain text (a line is a document)
encoding    `release.encoding`
separator   `release.dialect`, with the header

Each can be overridden, and `Layout.found` shows all of them. A file that can be read in several
ways is refused, not guessed: `Unclear`, or a ValueError that names the option.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from release import arrow, csv_rows, json_rows, workbook
from release.csv_rows import Dialect
from release.dialect import DELIMITERS, SAMPLE, dialect, has_header, may_be_a_name
from release.encoding import BadBytes, Unclear, decoded, encoding_of
from release.source import Readable, Source, opened

__all__ = ["DELIMITERS", "Format", "Layout", "Readable", "Source", "Unclear", "layout"]

Format = Literal["csv", "jsonl", "parquet", "text", "xlsx"]

_SUFFIXES: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".txt": "text",
    workbook.SUFFIX: "xlsx",
}
SUFFIXES = tuple(_SUFFIXES)
WRITTEN = tuple(suffix for suffix in SUFFIXES if suffix != workbook.SUFFIX)
"""The endings of private files."""
TABS = (".tsv", ".tab")

_NOT_TEXT = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip archive or a spreadsheet; unpack it, or save it as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet; save it as CSV"),
    (b"\x1f\x8b", "compressed (gzip); unpack it"),
    (b"BZh", "compressed (bzip2); unpack it"),
    (b"\x28\xb5\x2f\xfd", "compressed (zstd); unpack it"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"SQLite format 3", "a database"),
    (b"\x80\x04\x95", "a pickle of Python; save its texts as CSV"),
)
_PAGES = ("<html", "<!doctype html", "<?xml")

# Text holds hardly any control characters; a picture or a program is full of them.
_MOST_CONTROLS = 0.005


@dataclass(frozen=True)
class Layout:
    """How a file is read."""

    format: Format
    columns: tuple[str, ...]
    """The names of the columns, each once: a missing or repeated one is completed."""
    encoding: str = ""
    delimiter: str = ""
    escape: str | None = ""
    header: tuple[str, ...] | None = None
    """The first row of a CSV file, if it names the columns."""
    quotes: bool | None = None
    """Whether quotation marks enclose cells; None: they do, and a doubtful one ends the reading."""
    bad_bytes: BadBytes = "refuse"
    sheet: str = ""
    """The sheet of a workbook."""

    def position(self, column: str) -> int:
        """The position of a column, by its name."""
        if column not in self.columns:
            shown = ", ".join(self.columns[:10]) + (" …" if len(self.columns) > 10 else "")
            raise ValueError(f"Column: there is no column {column!r}. The file has: {shown}.")
        return self.columns.index(column)

    @property
    def dialect(self) -> Dialect:
        """How the cells of a CSV file are separated and quoted."""
        return Dialect(self.delimiter, self.escape, self.quotes)

    @property
    def found(self) -> dict[str, str]:
        """The facts that a person checks before anything runs."""
        shown = {"format": self.format, "columns": f"{len(self.columns):,}"}
        if self.encoding:
            shown["encoding"] = self.encoding
        if self.bad_bytes != "refuse":
            shown["bytes that are not in it"] = {
                "cp1252": "read as cp1252",
                "replace": "replaced by U+FFFD",
            }[self.bad_bytes]
        if self.format == "xlsx":
            shown["sheet"] = self.sheet
            shown["header"] = "none" if self.header is None else "the first row"
        if self.format == "csv":
            shown["separator"] = DELIMITERS.get(self.delimiter, self.delimiter)
            shown["header"] = "none" if self.header is None else "the first row"
            if self.quotes is not None:
                shown["quotation marks"] = "enclose cells" if self.quotes else "plain characters"
            if self.escape:
                shown["escape sign"] = self.escape
        return shown


def layout(
    name: str,
    source: Readable,
    *,
    format: Format | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    quotes: bool | None = None,
    escape: str | None = None,
    bad_bytes: BadBytes | None = None,
    named: Sequence[str] = (),
    sheet: str | None = None,
) -> Layout:
    """The layout of a file; parameters that are None are detected.

    Parameters
    ----------
    name
        The name of the file; only its ending matters.
    source
        The file.
    quotes
        Whether quotation marks enclose cells. None: they do, and a file that can be read in two
        ways is refused.
    escape
        The sign before a quotation mark inside a cell; '' for none.
    bad_bytes
        How bytes are read that are not in the encoding.
    named
        Columns that the caller knows by name: a first row that has them is a header.
    sheet
        The sheet of a workbook; None for the first.

    Raises
    ------
    Unclear
        If the encoding can be read in several ways, with three readings of a line.
    ValueError
        For a file that is not one of these formats, or that can be read in two ways, with the
        reason and a way out.

    """
    if bad_bytes not in (None, *get_args(BadBytes)):
        raise ValueError(
            f"Bad bytes: must be one of {', '.join(get_args(BadBytes))}; got {bad_bytes!r}."
        )
    format = format or format_of(name)
    with opened(source) as file:
        start = file.read(SAMPLE)
    if not start:
        raise ValueError("File: it is empty.")
    _refuse_other_kinds(start, format)
    if format == "xlsx":
        return _of_workbook(source, sheet, header)
    if sheet is not None:
        raise ValueError("Sheet: only a workbook (.xlsx) has sheets.")
    if format == "parquet":
        return Layout("parquet", unique(arrow.columns(source)))
    _refuse_binary(start)
    encoding = encoding_of(source, encoding, bad_bytes)
    bad = bad_bytes or "refuse"
    with decoded(source, encoding, bad) as (_, lines):
        if format == "jsonl":
            return Layout("jsonl", json_rows.columns(lines), encoding, bad_bytes=bad)
        sample = lines.read(SAMPLE)
        whole = not lines.read(1)
    _refuse_controls(sample)
    if format == "text":
        return Layout("text", ("text",), encoding, bad_bytes=bad)
    how = dialect(
        sample,
        whole,
        tabs=Path(name).suffix.lower() in TABS,
        delimiter=delimiter,
        escape=escape,
        quotes=quotes,
        named=named,
    )
    first = _first_row(source, encoding, bad, how)
    if header is None:
        header = _header(first, sample, named)
    names = first if header else [""] * len(first)
    return Layout(
        "csv",
        unique(names),
        encoding,
        how.delimiter,
        how.escape,
        tuple(first) if header else None,
        quotes,
        bad,
    )


def _of_workbook(source: Readable, sheet: str | None, header: bool | None) -> Layout:
    names = workbook.sheets(source)
    if not names:
        raise ValueError("File: this workbook has no sheet with cells.")
    sheet = names[0] if sheet is None else sheet
    first = workbook.first_row(source, sheet)
    if header is None:
        header = workbook.has_header(first)
    titles = ["" if cell is None else str(cell) for cell in first]
    columns = unique(titles if header else [""] * len(first))
    return Layout("xlsx", columns, header=columns if header else None, sheet=sheet)


def unique(names: Sequence[str]) -> tuple[str, ...]:
    """Names without gaps and repetitions: `column 2`, `text (2)`."""
    found: dict[str, None] = {}
    copies = Counter[str]()
    for number, name in enumerate(names, 1):
        plain = one = name.strip() or f"column {number}"
        while one in found or (one != plain and one in names):
            copies[plain] += 1
            one = f"{plain} ({copies[plain] + 1})"
        found[one] = None
    return tuple(found)


def format_of(name: str) -> Format:
    """The format that the ending of a name says."""
    suffix = Path(name).suffix.lower()
    if suffix not in _SUFFIXES:
        raise ValueError(
            f"File: its name must end in one of {', '.join(_SUFFIXES)}, or its format must be "
            f"given ({', '.join(get_args(Format))}); it ends in {suffix or 'none'!r}."
        )
    return _SUFFIXES[suffix]


def _refuse_other_kinds(start: bytes, format: Format) -> None:
    if format == "xlsx" and start.startswith(b"PK\x03\x04"):
        return
    for magic, kind in _NOT_TEXT:
        if start.startswith(magic):
            raise ValueError(f"File: this is {kind}.")
    if format == "csv" and start.lstrip()[:20].decode("ascii", "replace").lower().startswith(
        _PAGES
    ):
        raise ValueError("File: this is a page of HTML or XML; save its table as CSV.")
    if start.startswith(b"PAR1") != (format == "parquet"):
        if format == "parquet":
            raise ValueError("File: this is not Parquet, but its name says Parquet.")
        raise ValueError("File: this is Parquet, but its name says another format.")


def _refuse_binary(start: bytes) -> None:
    if start.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")):
        return
    controls = sum(start.count(sign) for sign in (*range(1, 9), *range(14, 27), *range(28, 32)))
    if controls > _MOST_CONTROLS * len(start) + 4 and start.count(0) < len(start) / 4:
        raise ValueError("File: this is not text, whatever its name says.")


def _refuse_controls(sample: str) -> None:
    controls = sum(ord(c) < 32 and c not in "\t\n\r\f\v" for c in sample)
    if sample.count("\0") > len(sample) / 4:
        raise ValueError(
            "File: every other byte is NUL. If this is UTF-16 without a mark, give the encoding "
            "utf-16-le or utf-16-be."
        )
    if controls > _MOST_CONTROLS * len(sample) + 4:
        raise ValueError("File: this is not text, whatever its name says.")


def _first_row(source: Readable, encoding: str, bad: BadBytes, how: Dialect) -> list[str]:
    with decoded(source, encoding, bad) as (_, lines):
        top, line = csv_rows.head(lines, how, header=False)
        found = csv_rows.rows(lines, how, first_line=line, number=top.line)
        first = next((raw for _, raw, _ in found if raw), None)
    if first is None:
        raise ValueError("File: it has no rows.")
    return [how.value(cell) for cell in first]


def _header(first: Sequence[str], sample: str, named: Sequence[str]) -> bool:
    if named and set(named) <= set(unique(first)):
        return True
    if len(first) > 1:
        return has_header(sample, first)
    if may_be_a_name(first, sample):
        raise ValueError(
            f"File: its first line, {first[0][:60]!r}, may be the name of the column or a text. A "
            "name is released unchanged. Say which it is: --header or --no-header."
        )
    return False
