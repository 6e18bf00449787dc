"""Rows of a file, one at a time, and the private file from its pieces.

A file that goes out in its own format keeps every byte but the chosen cells: CSV, JSON Lines and
plain text by the text of each row (`release.cells.Row`), Parquet by columns (`release.arrow`). In
another format, or with another separator, cells keep their values. What is written is UTF-8.

A row of a CSV file with more or fewer cells than the others is out of step: its text may be in a
column that is not made private. It ends the reading, or becomes an empty row on request.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from release import arrow, csv_rows, json_rows, workbook
from release.cells import (
    ABSENT,
    OutOfStep,
    Ragged,
    Repeated,
    Row,
    as_value,
    texts,
    whole_characters,
    with_texts,
)
from release.csv_rows import Dialect, Head
from release.encoding import decoded
from release.layout import TABS, Format, Layout, format_of
from release.source import Readable
from release.spreadsheet import as_text_cell, is_formula

__all__ = ["ABSENT", "OutOfStep", "Output", "Ragged", "Row", "assemble", "encoded", "formulas"]
__all__ += ["output", "private_row", "rehearse", "rows", "texts", "with_texts"]

_MARK = "\ufeff"


# ----------------------------------------------------------------------------------------- reading


def rows(source: Readable, layout: Layout, ragged: Ragged = "refuse") -> Iterator[Any]:
    """All rows below the header.

    Raises
    ------
    ValueError
        For a row that cannot be read, with its number and a way out; for a header or names that are
        not those of the layout.

    """
    if layout.format == "parquet":
        yield from arrow.rows(source, layout.columns)
        return
    if layout.format == "xlsx":
        yield from workbook.rows(
            source, layout.sheet, layout.header is not None, len(layout.columns)
        )
        return
    with decoded(source, layout.encoding, layout.bad_bytes) as (_, lines):
        for found in _with_head(lines, layout, ragged):
            if isinstance(found, Row):
                yield found


def _with_head(lines: TextIO, layout: Layout, ragged: Ragged) -> Iterator[Head | str | Row]:
    """The lines before the first row, then the rows."""
    if layout.format == "jsonl":
        yield from json_rows.table(lines, layout.columns)
    elif layout.format == "text":
        yield ""
        yield from _text_rows(lines)
    else:
        header = layout.header is not None
        width = len(layout.columns)
        for found in csv_rows.table(lines, layout.dialect, width, header, ragged):
            if header and isinstance(found, Head):
                names = tuple(map(layout.dialect.value, found.raw))
                if names != layout.header:
                    raise ValueError(
                        "File: its first row is not the header that the columns were chosen from "
                        f"({', '.join(layout.header or ())}). Choose the columns again."
                    )
            yield found


def _text_rows(lines: TextIO) -> Iterator[Row]:
    for number, line in enumerate(iter(lambda: lines.readline(csv_rows.LONGEST_CELL + 1), ""), 1):
        if len(line) > csv_rows.LONGEST_CELL:
            raise ValueError(
                f"File: line {number} is longer than {csv_rows.LONGEST_CELL:,} characters."
            )
        text = line.rstrip("\r\n")
        yield Row([text], [text], line[len(text) :])


# ----------------------------------------------------------------------------------------- writing


@dataclass(frozen=True)
class Output:
    """How a file is written: in its own format, or in another one."""

    layout: Layout
    format: Format
    delimiter: str = ","
    source: Readable = b""
    positions: tuple[int, ...] = ()
    """The columns that are made private."""
    guard: bool = False
    """Whether also cells that were not made private get an apostrophe where they would run."""
    quoted: tuple[bool, ...] = ()
    """Which names in the header of a CSV file are in quotation marks: private cells follow."""
    notes: tuple[str, ...] = field(default=(), compare=False)
    """Sentences on other changes."""

    @property
    def kept(self) -> bool:
        """Whether cells that are not made private keep their bytes."""
        same = self.layout.format == self.format
        return same and (self.format != "csv" or self.delimiter == self.layout.delimiter)

    @property
    def header(self) -> Sequence[str] | None:
        """The first row of a CSV file."""
        return self.layout.header if self.layout.format == "csv" else self.layout.columns

    @property
    def dialect(self) -> Dialect:
        """How the cells of a CSV file are written."""
        return self.layout.dialect if self.kept else Dialect(self.delimiter)


def output(
    name: str,
    source: Readable,
    layout: Layout,
    positions: Sequence[int] = (),
    guard: bool = False,
) -> Output:
    """How a file of this name is written.

    The file's own format keeps its mark, separator and line ends. Another format becomes CSV in
    UTF-8 with a mark, so that spreadsheets show its letters; `.tsv` has tabs.

    Raises
    ------
    ValueError
        For a format that cannot hold the columns.

    """
    format = format_of(name)
    if format == "xlsx":
        raise ValueError("Output: WordVeil does not write workbooks; write a .csv or a .parquet.")
    if format == "text" and len(layout.columns) > 1:
        raise ValueError("Output: plain text has one column; write a .csv.")
    if format != "jsonl":
        for column in layout.columns:
            if column != whole_characters(column):
                raise ValueError(
                    f"Output: the name of the column {column!r} holds half a character, which only "
                    "JSON Lines can write; write a .jsonl, or rename the column."
                )
    tabs = _tabs(name) and not (layout.format == "csv" and _tabs(getattr(source, "name", "")))
    delimiter = "\t" if tabs else layout.delimiter or ","
    out = Output(layout, format, delimiter, source, tuple(positions), guard)
    quoted: tuple[bool, ...] = ()
    if format == "csv" and out.kept and layout.header is not None and source != b"":
        with decoded(source, layout.encoding, layout.bad_bytes) as (_, lines):
            top, _ = csv_rows.head(lines, layout.dialect, header=True)
        quoted = tuple(cell[:1] == '"' for cell in top.raw)
    return replace(out, quoted=quoted, notes=tuple(_notes(out)))


def private_row(
    row: Any, positions: Sequence[int], private: Sequence[str], left_out: Sequence[int], number: int
) -> Any:
    """A row with its private texts, and empty cells in the columns that are left out.

    The names of these columns stay, and a missing cell stays missing.

    Raises
    ------
    ValueError
        As `refuse_repeated` does.

    """
    refuse_repeated(row, left_out, number)
    return with_texts(row, [*positions, *left_out], [*private, *([""] * len(left_out))])


def refuse_repeated(row: Any, left_out: Sequence[int], number: int) -> None:
    """Raise ValueError for a JSON line that has the name of a column that is left out twice.

    One of its values would be released.
    """
    if any(isinstance(row[position], Repeated) for position in left_out):
        raise ValueError(
            f"Row {number}: the name of a column that is left out appears more than once. Give "
            "each value its own name."
        )


def _tabs(name: str) -> bool:
    return Path(name).suffix.lower() in TABS


def _notes(out: Output) -> Iterator[str]:
    if out.layout.format == "parquet" and out.kept:
        yield from arrow.changes(arrow.schema(out.source), out.positions)
    elif not out.kept:
        yield (
            f"Another format ({out.format}): columns that are not made private keep their values, "
            "not their bytes."
        )
    if out.layout.encoding not in ("", "utf-8", "utf-8-sig", "ascii"):
        yield f"Written as UTF-8 with the same letters; the source is {out.layout.encoding}."
    if out.layout.bad_bytes != "refuse":
        yield "Bytes that are not in the encoding are written as the letters they were read as."


def check(out: Output, row: Any, number: int) -> None:
    """Refuse a row that cannot be written, before anything is drawn."""
    if not out.kept:
        values = [as_value(cell) for cell in row]
        if out.format == "text" and any(sign in values[0] for sign in "\r\n"):
            raise ValueError(
                f"Output: row {number} has a line break, but plain text has one document on each "
                "line; write a .csv or a .jsonl."
            )


def formulas(output: Output, row: Any) -> list[int]:
    """Positions of the cells of a row that are written with an apostrophe in front."""
    if output.format != "csv":
        return []
    if not output.guard:
        return [i for i in sorted(getattr(row, "new", ())) if is_formula(row[i])]
    return [i for i, cell in enumerate(row) if isinstance(cell, str) and is_formula(cell)]


def encoded(output: Output, rows: Iterable[Any]) -> bytes:
    """Some rows as they are in the file; for Parquet, Arrow's stream of their texts."""
    if output.format == "parquet":
        if output.kept:
            schema = arrow.schema(output.source)
            return arrow.encoded(schema, output.positions, list(rows))
        cells = [[None if _none(cell) else as_value(cell) for cell in row] for row in rows]
        return arrow.converted(output.layout.columns, cells)
    return "".join(_lines(output, rows)).encode("utf-8", "replace")


def _lines(output: Output, rows: Iterable[Any]) -> Iterator[str]:
    """The text of each row."""
    dialect = output.dialect
    for row in rows:
        spliced = output.kept and isinstance(row, Row)
        if output.format == "jsonl":
            yield (
                json_rows.spliced(row)
                if spliced
                else json_rows.converted(output.layout.columns, row)
            )
        elif output.format == "text":
            text = row.raw[0] if spliced and not row.new else as_value(row[0])
            yield text.replace("\r", " ").replace("\n", " ") + (row.end if spliced else "\n")
        elif spliced:
            yield csv_rows.spliced(row, dialect, output.guard, output.quoted)
        else:
            new = getattr(row, "new", ())
            cells = [
                as_text_cell(text) if output.guard or position in new else text
                for position, text in enumerate(map(as_value, row))
            ]
            yield _csv_line(dialect, cells)


def _none(cell: Any) -> bool:
    return cell is None or cell is ABSENT


def _csv_line(dialect: Dialect, cells: Sequence[str]) -> str:
    alone = len(cells) == 1
    return dialect.delimiter.join(dialect.written(cell, alone=alone) for cell in cells) + "\n"


def assemble(output: Output, parts: Iterable[bytes], file: BinaryIO) -> None:
    """The whole file from its encoded pieces, one at a time."""
    if output.format == "parquet":
        if output.kept:
            arrow.assemble(output.source, output.positions, parts, file)
        else:
            arrow.assemble_converted(arrow.text_schema(output.layout.columns), parts, file)
        return
    file.write(_head(output).encode("utf-8", "replace"))
    for part in parts:
        file.write(part)


def _head(output: Output) -> str:
    """The text before the first row."""
    if not output.kept or output.source == b"":
        if output.format != "csv":
            return ""
        header = output.header
        if header is None:
            return _MARK
        names = [as_text_cell(name) if output.guard else name for name in header]
        return _MARK + _csv_line(output.dialect, names)
    layout = output.layout
    with decoded(output.source, layout.encoding, layout.bad_bytes) as (mark, lines):
        found = next(_with_head(lines, layout, "empty"), "")
    assert not isinstance(found, Row)
    text = found if isinstance(found, str) else found.text(layout.dialect, output.guard)
    return mark + text


def rehearse(output: Output) -> None:
    """Write the file without rows to nowhere; an error says what the format cannot hold.

    Raises
    ------
    ValueError
        For columns that cannot be written.

    """
    try:
        encoded(output, [])
        if output.format == "parquet" and output.kept:
            arrow.rehearse(output.source, output.positions)
        else:
            assemble(output, [encoded(output, [])], io.BytesIO())
    except ValueError:
        raise
    except Exception as error:
        raise ValueError(
            f"Output: {output.format} cannot hold these columns ({error}); write another format."
        ) from error
