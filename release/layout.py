"""What a file is: its format, encoding, separator and header, found by libraries and shown.

    layout("reviews.csv", source)

format      by the name: CSV and its like, JSON Lines, Parquet, plain text (a line is a document)
encoding    a byte order mark; else UTF-8 if the whole file is; else by `charset-normalizer`
separator   by `clevercsv`, among comma, semicolon, tab and bar
header      by `clevercsv`; in doubt none, since a header is released as it stands

Every answer can be overridden, and none is taken in silence: `Layout.found` says them all.
"""

from __future__ import annotations

import codecs
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, BinaryIO, Literal, get_args

if TYPE_CHECKING:
    from clevercsv import Sniffer

Format = Literal["csv", "jsonl", "parquet", "text"]
Source = Path | bytes
"""A file on disk, or all of its bytes."""

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}

_SUFFIXES: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".txt": "text",
}
SUFFIXES = tuple(_SUFFIXES)

_MARKS = (  # the longer ones first: UTF-32's begins like UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
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
)
_SAMPLE = 1 << 16
_BLOCK = 1 << 22

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
    escape: str = ""
    header: tuple[str, ...] | None = None
    """The first row of a CSV file as it stands, where it names the columns."""

    def position(self, column: str) -> int:
        """Where a column stands, by its name."""
        if column not in self.columns:
            shown = ", ".join(self.columns[:10]) + (" …" if len(self.columns) > 10 else "")
            raise ValueError(f"Column: there is no {column!r}; there are {shown}.")
        return self.columns.index(column)

    @property
    def found(self) -> dict[str, str]:
        """What a person wants to see of it before anything runs."""
        shown = {"format": self.format, "columns": f"{len(self.columns):,}"}
        if self.encoding:
            shown["encoding"] = self.encoding
        if self.format == "csv":
            shown["separator"] = DELIMITERS.get(self.delimiter, self.delimiter)
            shown["header"] = "none" if self.header is None else "the first row"
        return shown


def layout(
    name: str,
    source: Source,
    *,
    format: Format | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    named: Sequence[str] = (),
) -> Layout:
    """What a file is. What is given is taken, what is None is found.

    Parameters
    ----------
    name
        The name of the file; only its ending matters.
    source
        The file.
    named
        Columns that the caller knows by name: where they stand in the first row, that is a header.

    Raises
    ------
    ValueError
        For a file that is not one of these formats, with the reason and a way out.

    """
    format = format or format_of(name)
    start = _start(source)
    if not start:
        raise ValueError("File: it is empty.")
    _refuse_other_kinds(start, format)
    if format == "parquet":
        return Layout("parquet", _parquet_columns(source))
    encoding = _encoding(source, encoding)
    sample = _decoded(start, encoding)
    _refuse_binary(sample)
    if format == "text":
        return Layout("text", ("text",), encoding)
    if format == "jsonl":
        return Layout("jsonl", _json_columns(source, encoding), encoding)
    return _csv(source, sample, encoding, delimiter, header, named)


def opened(source: Source) -> BinaryIO:
    """The file, from its first byte."""
    return io.BytesIO(source) if isinstance(source, bytes) else source.open("rb")


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


def _start(source: Source) -> bytes:
    with opened(source) as file:
        return file.read(_SAMPLE)


def _refuse_other_kinds(start: bytes, format: Format) -> None:
    for magic, kind in _NOT_TEXT:
        if start.startswith(magic):
            raise ValueError(f"File: this is {kind}.")
    if start.startswith(b"PAR1") != (format == "parquet"):
        is_, named = ("", "another format") if format != "parquet" else ("not ", "Parquet")
        raise ValueError(f"File: this is {is_}Parquet, and its name says {named}.")


def _parquet_columns(source: Source) -> tuple[str, ...]:
    import pyarrow
    from pyarrow import parquet

    try:
        with opened(source) as file:
            return unique(parquet.ParquetFile(file).schema_arrow.names)
    except (pyarrow.ArrowException, OSError) as error:
        raise ValueError(f"File: this Parquet file cannot be read ({error}).") from error


# ---------------------------------------------------------------------------------------- encoding


def _encoding(source: Source, given: str | None) -> str:
    if given is not None:
        try:
            return codecs.lookup(given).name
        except LookupError:
            raise ValueError(f"Encoding: there is no {given!r}; try utf-8 or cp1252.") from None
    start = _start(source)
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            return encoding
    foreign = _first_block_that_is_not_utf8(source)
    if foreign is None:
        return "utf-8"
    from charset_normalizer import from_bytes

    best = from_bytes(foreign).best()
    if best is None:
        raise ValueError(
            "File: this is not text in any encoding that could be recognised. If it is text, name "
            "its encoding."
        )
    return codecs.lookup(best.encoding).name


def _first_block_that_is_not_utf8(source: Source) -> bytes | None:
    """A stretch of the file around the first bytes that UTF-8 does not know; None for UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with opened(source) as file:
        while block := file.read(_BLOCK):
            try:
                decoder.decode(block)
            except UnicodeDecodeError as error:
                first = max(0, error.start - _SAMPLE // 2)
                return block[first : first + _SAMPLE]
        try:
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            file.seek(max(0, file.tell() - _SAMPLE))
            return file.read()
    return None


def _decoded(start: bytes, encoding: str) -> str:
    """The start of a file as text; a character that is cut off at its end is left out."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(start)
    except (UnicodeDecodeError, UnicodeError) as error:
        raise ValueError(f"File: it is not {encoding} ({error}); name another encoding.") from None


def _refuse_binary(sample: str) -> None:
    controls = sum(ord(c) < 32 and c not in "\t\n\r\f\v" for c in sample)
    nuls = sample.count("\0")
    if nuls > len(sample) / 4:
        raise ValueError(
            "File: every other byte is NUL. If this is UTF-16 without a mark, give the encoding "
            "utf-16-le or utf-16-be."
        )
    if controls > _MOST_CONTROLS * len(sample) + 4:
        raise ValueError("File: this is not text, whatever its name says.")


# ------------------------------------------------------------------------------------ CSV and JSON


def _csv(
    source: Source,
    sample: str,
    encoding: str,
    delimiter: str | None,
    header: bool | None,
    named: Sequence[str],
) -> Layout:
    from release.tables import csv_rows

    sample = sample.replace("\r\n", "\n").replace("\r", "\n")
    sniffed, escape = _dialect(sample)
    delimiter = sniffed if delimiter is None else delimiter
    if len(delimiter) != 1:
        raise ValueError(f"Separator: must be one character; got {delimiter!r}.")
    with opened(source) as file:
        found = csv_rows(file, encoding, delimiter, escape)
        first = next((row for _, row in found if row), None)
    if first is None:
        raise ValueError("File: there is no row in it.")
    if header is None:
        names = unique(first)
        header = bool(named) and set(named) <= set(names) or _has_header(sample, delimiter, first)
    if header:
        return Layout("csv", unique(first), encoding, delimiter, escape, tuple(first))
    return Layout("csv", unique([""] * len(first)), encoding, delimiter, escape)


_turn = Lock()


@contextmanager
def _sniffer() -> Iterator[Sniffer]:
    """clevercsv's, one at a time.

    It sets its limit of a field for all of the process to the length of the sample at hand, and
    leaves it there where it fails: the next file would then be taken for a broken one.
    """
    import clevercsv

    with _turn:
        clevercsv.field_size_limit(_SAMPLE)
        yield clevercsv.Sniffer()


def _dialect(sample: str) -> tuple[str, str]:
    """Separator and escape sign: comma and none where nothing separates."""
    import clevercsv

    try:
        with _sniffer() as sniffer:
            found = sniffer.sniff(sample[: _SAMPLE // 2], delimiters="".join(DELIMITERS))
    except clevercsv.Error:
        return ",", ""
    if found is None or found.delimiter not in DELIMITERS:
        return ",", ""
    return found.delimiter, "\\" if found.escapechar == "\\" and '\\"' in sample else ""


def _has_header(sample: str, delimiter: str, first: Sequence[str]) -> bool:
    """Whether the first row names the columns; in doubt not."""
    import clevercsv

    if len(first) == 1:  # nothing to compare columns by: one bare name above longer texts
        rest = sample.splitlines()[1:6]
        return len(first[0].split()) == 1 and any(len(line.split()) > 1 for line in rest)
    try:
        with _sniffer() as sniffer:
            return bool(sniffer.has_header(sample[: _SAMPLE // 2]))
    except clevercsv.Error:
        return False


def _json_columns(source: Source, encoding: str) -> tuple[str, ...]:
    """All names of all lines, in the order of their first appearance."""
    from release.tables import json_lines

    names: dict[str, None] = {}
    with opened(source) as file:
        for _, line in json_lines(file, encoding):
            names.update(dict.fromkeys(line))
    if not names:
        raise ValueError("File: there is no object in it; JSON Lines has one a line.")
    return tuple(names)
