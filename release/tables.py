"""Rows of a file, one at a time, and rows to a file, piece by piece.

A row is a list of cells in the order of the columns. A cell of a CSV file or of plain text is a
text; one of JSON Lines or Parquet is what stands there, so that what is not made private goes out
as it came in. None is a missing value, and `ABSENT` a name that a JSON line does not have.

A row of a CSV file with more or fewer cells than the others is out of step: its text may stand in a
column that is not made private. It ends the reading, or becomes an empty row where that is asked.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, BinaryIO, Literal

from release.layout import Format, Layout, Source, format_of, opened
from release.spreadsheet import as_text_cell, is_formula

Row = list[Any]
Ragged = Literal["refuse", "empty"]

_LONGEST_CELL = 10_000_000
_ROWS_OF_PARQUET = 1_000
_SURROGATE = re.compile("[\ud800-\udfff]")


class Absent(Enum):
    """A name that a JSON line does not have."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT


class OutOfStep(list[str]):
    """The empty row that stands for one out of step."""


# ----------------------------------------------------------------------------------------- reading


def rows(source: Source, layout: Layout, ragged: Ragged = "refuse") -> Iterator[Row]:
    """All rows below the header.

    Raises
    ------
    ValueError
        For a row that cannot be read, with its number and a way out.

    """
    with opened(source) as file:
        if layout.format == "parquet":
            yield from _parquet_rows(file)
        elif layout.format == "jsonl":
            for _, line in json_lines(file, layout.encoding):
                yield [line.get(name, ABSENT) for name in layout.columns]
        elif layout.format == "text":
            for _, line in _lines(file, layout.encoding):
                yield [line]
        else:
            yield from _table_rows(file, layout, ragged)


def texts(row: Row, positions: Sequence[int], number: int) -> list[str]:
    """The cells that are to be made private, as texts: numbers as they are written, '' for none."""
    return [_as_text(row[position], number) for position in positions]


def with_texts(row: Row, positions: Sequence[int], private: Sequence[str]) -> Row:
    """The row with other texts; a missing or empty cell stays what it was."""
    released = list(row)
    for position, text in zip(positions, private, strict=True):
        if row[position] not in (None, ABSENT, ""):
            released[position] = text
    return released


def _as_text(cell: Any, number: int) -> str:
    if cell is None or cell is ABSENT:
        return ""
    if isinstance(cell, str):
        return _SURROGATE.sub("\ufffd", cell)
    if isinstance(cell, bool | int | float):
        return json.dumps(cell)
    raise ValueError(
        f"Row {number}: the text column holds {type(cell).__name__}, not a text; choose another."
    )


def csv_rows(
    file: BinaryIO, encoding: str, delimiter: str, escape: str
) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of every line of a CSV file; a blank line has none."""
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_CELL))
    with io.TextIOWrapper(file, encoding, newline="") as lines:
        reader = csv.reader(lines, delimiter=delimiter, escapechar=escape or None, strict=True)
        try:
            for row in reader:
                yield reader.line_num, row
        except csv.Error as error:
            raise ValueError(
                f"File: line {reader.line_num} cannot be read ({error}); is a quotation mark left "
                "open, or the separator another one?"
            ) from None
        except UnicodeError as error:
            raise ValueError(_undecodable(reader.line_num, encoding, error)) from None


def json_lines(file: BinaryIO, encoding: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number and object of every line that is not blank."""
    for number, line in _lines(file, encoding):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"File: line {number} is not JSON ({error}).") from None
        if not isinstance(found, dict):
            raise ValueError(
                f'File: line {number} must be an object such as {{"text": "…"}}; JSON Lines '
                "has one a line."
            )
        yield number, found


def _lines(file: BinaryIO, encoding: str) -> Iterator[tuple[int, str]]:
    number = 0
    with io.TextIOWrapper(file, encoding) as lines:
        try:
            while line := lines.readline(_LONGEST_CELL + 1):
                number += 1
                if len(line) > _LONGEST_CELL:
                    raise ValueError(
                        f"File: line {number} is longer than {_LONGEST_CELL:,} characters."
                    )
                yield number, line.rstrip("\n")
        except UnicodeError as error:
            raise ValueError(_undecodable(number, encoding, error)) from None


def _undecodable(line: int, encoding: str, error: UnicodeError) -> str:
    return f"File: after line {line} it is not {encoding} ({error}); name another encoding."


def _table_rows(file: BinaryIO, layout: Layout, ragged: Ragged) -> Iterator[Row]:
    width = len(layout.columns)
    found = csv_rows(file, layout.encoding, layout.delimiter, layout.escape)
    if layout.header is not None:
        next(row for _, row in found if row)
    number = 0
    for line, row in found:
        if not row and width > 1:
            continue
        number += 1
        if len(row) == width:
            yield row
        elif not row:
            yield [""]
        elif ragged == "empty":
            yield OutOfStep([""] * width)
        else:
            raise ValueError(
                f"File: row {number} (it ends in line {line}) has {len(row)} cells where the first "
                f"row has {width}. Its text may stand in the wrong column and would be released as "
                "typed. Mend the file, choose another separator, or let such rows become empty."
            )


def _parquet_rows(file: BinaryIO) -> Iterator[Row]:
    from pyarrow import parquet

    for batch in parquet.ParquetFile(file).iter_batches(_ROWS_OF_PARQUET):
        yield from map(list, zip(*(column.to_pylist() for column in batch.columns), strict=True))


# ----------------------------------------------------------------------------------------- writing


@dataclass(frozen=True)
class Output:
    """How a file is written: in the layout of the one that was read, or in another format."""

    layout: Layout
    format: Format
    delimiter: str = ","
    schema: Any = None
    """Arrow's types of the columns, where a Parquet file was read."""

    @property
    def header(self) -> Sequence[str] | None:
        """The first row of a CSV file."""
        return self.layout.header if self.layout.format == "csv" else self.layout.columns


def output(name: str, source: Source, layout: Layout) -> Output:
    """How a file of this name is written.

    CSV comes in UTF-8 with a mark, so that spreadsheets show its letters, and with the separator of
    the file that was read; `.tsv` with tabs.
    """
    format = format_of(name)
    if format == "text" and len(layout.columns) > 1:
        raise ValueError("Output: plain text has one column; write a .csv.")
    tabs = Path(name).suffix.lower() in (".tsv", ".tab")
    delimiter = "\t" if tabs else layout.delimiter or ","
    schema = None
    if layout.format == format == "parquet":
        from pyarrow import parquet

        with opened(source) as file:
            schema = parquet.ParquetFile(file).schema_arrow
    return Output(layout, format, delimiter, schema)


def formulas(output: Output, row: Row) -> list[int]:
    """Positions of the cells of a row that are written with an apostrophe in front."""
    if output.format != "csv":
        return []
    return [i for i, cell in enumerate(row) if isinstance(cell, str) and is_formula(cell)]


def encoded(output: Output, rows: Iterable[Row]) -> bytes:
    """Some rows as they stand in the file; for Parquet a small file of their own."""
    if output.format == "csv":
        return _csv(output, ([_cell(cell) for cell in row] for row in rows))
    if output.format == "jsonl":
        return b"".join(_json(output.layout.columns, row) for row in rows)
    if output.format == "text":
        return "".join(_cell(row[0]) + "\n" for row in rows).encode("utf-8", "replace")
    return _parquet(output, list(rows))


def assemble(output: Output, parts: Iterable[bytes], file: BinaryIO) -> None:
    """The whole file from its encoded pieces, one at a time."""
    if output.format == "parquet":
        _assemble_parquet(output, parts, file)
        return
    if output.format == "csv":
        file.write(b"\xef\xbb\xbf")
        if output.header is not None:
            file.write(_csv(output, [list(output.header)]))
    for part in parts:
        file.write(part)


def _csv(output: Output, rows: Iterable[Sequence[str]]) -> bytes:
    written = io.StringIO(newline="")
    writer = csv.writer(written, delimiter=output.delimiter, lineterminator="\n")
    writer.writerows(map(as_text_cell, row) for row in rows)
    return written.getvalue().encode("utf-8", "replace")


def _cell(cell: Any) -> str:
    """A cell as text."""
    if cell is None or cell is ABSENT:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool | int | float | list | dict):
        return json.dumps(cell, ensure_ascii=False, default=str)
    return str(cell)


def _json(columns: Sequence[str], row: Row) -> bytes:
    line = {name: c for name, c in zip(columns, row, strict=True) if c is not ABSENT}
    text = json.dumps(line, ensure_ascii=False, default=str)
    if _SURROGATE.search(text):  # half a character; only JSON can write it
        text = json.dumps(line, default=str)
    return text.encode() + b"\n"


def _parquet(output: Output, rows: Sequence[Row]) -> bytes:
    import pyarrow
    from pyarrow import parquet

    schema = _schema(output)
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    if output.schema is None:
        columns = [[_text_or_none(cell) for cell in column] for column in columns]
    arrays = [
        pyarrow.array(column, field.type) for column, field in zip(columns, schema, strict=True)
    ]
    written = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_arrays(arrays, schema=schema), written)
    return written.getvalue()


def _text_or_none(cell: Any) -> str | None:
    return None if cell is None or cell is ABSENT else _SURROGATE.sub("\ufffd", _cell(cell))


def _schema(output: Output) -> Any:
    import pyarrow

    if output.schema is not None:
        return output.schema
    return pyarrow.schema([(name, pyarrow.string()) for name in output.layout.columns])


def _assemble_parquet(output: Output, parts: Iterable[bytes], file: BinaryIO) -> None:
    from pyarrow import parquet

    with parquet.ParquetWriter(file, _schema(output)) as writer:
        for part in parts:
            writer.write_table(parquet.read_table(io.BytesIO(part)))
