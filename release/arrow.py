"""Parquet by Arrow columns: the chosen ones are replaced, all others are never looked at.

A row is a place in a batch; a cell becomes a Python object when somebody asks for it. What is kept
of a piece is its private texts as an Arrow table. The private file is put together row group by row
group from the columns of the source: schema, metadata and the size of the groups stay.

A column of texts keeps its type. A dictionary gets 32-bit indices, since more words can come out
than went in; a column of other values (numbers) becomes one of texts. Both are said (`changes`).
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO

from release.source import Readable, opened

_ROWS = 1_000


class ArrowRow:
    """A row of a batch: its cells are made when they are asked for."""

    __slots__ = ("_batch", "_place", "new")

    def __init__(self, batch: _Batch, place: int, new: dict[int, str] | None = None) -> None:
        """The row at a place of a batch."""
        self._batch, self._place, self.new = batch, place, new or {}

    def __len__(self) -> int:
        """Number of columns."""
        return self._batch.width

    def __getitem__(self, position: Any) -> Any:
        """A cell, or several."""
        if isinstance(position, slice):
            return [self[one] for one in range(*position.indices(len(self)))]
        if position in self.new:
            return self.new[position]
        if not 0 <= position < len(self):
            raise IndexError(position)
        return self._batch.values(position)[self._place]

    def __iter__(self) -> Iterator[Any]:
        """All cells."""
        return (self[position] for position in range(len(self)))

    def with_new(self, new: dict[int, str]) -> ArrowRow:
        """The row with private texts."""
        return ArrowRow(self._batch, self._place, new)


class _Batch:
    def __init__(self, batch: Any, first: int) -> None:
        self._batch, self._first, self._values = batch, first, dict[int, list[Any]]()
        self.width = batch.num_columns

    def values(self, position: int) -> list[Any]:
        """The cells of a column."""
        if position not in self._values:
            name = self._batch.schema.names[position]
            self._values[position] = _values(self._batch.column(position), name, self._first)
        return self._values[position]


def _values(column: Any, name: str, first: int) -> list[Any]:
    """Python objects; times as texts, since Python's have no nanoseconds and no year 10000."""
    import pyarrow
    from pyarrow import compute, types

    try:
        if types.is_temporal(column.type):
            column = compute.cast(column, pyarrow.string())
        return column.to_pylist()
    except (pyarrow.ArrowException, ValueError, OverflowError, TypeError):
        pass
    found = []
    for number, cell in enumerate(column, first + 1):
        try:
            found.append(cell.as_py())
        except (pyarrow.ArrowException, ValueError, OverflowError, TypeError) as error:
            raise ValueError(
                f"File: row {number} of the column {name!r} cannot be read "
                f"({column.type}: {error})."
            ) from None
    return found


def columns(source: Readable) -> list[str]:
    """The names of the columns as they are in the file."""
    return list(schema(source).names)


def schema(source: Readable) -> Any:
    """Arrow's schema of a file."""
    with _file(source) as file:
        return file.schema_arrow


def rows(source: Readable, names: Sequence[str]) -> Iterator[ArrowRow]:
    """All rows, batch by batch.

    Raises
    ------
    ValueError
        For a damaged file, one whose columns are not those that were chosen from, or a cell that
        cannot be read.

    """
    first = 0
    with _file(source) as file:
        if len(file.schema_arrow.names) != len(names):
            raise ValueError(
                "File: its columns have changed since you chose from them; choose again."
            )
        for found in file.iter_batches(_ROWS):
            batch = _Batch(found, first)
            yield from (ArrowRow(batch, place) for place in range(found.num_rows))
            first += found.num_rows


def private_schema(schema: Any, positions: Sequence[int]) -> Any:
    """The schema with the types that private texts need."""
    for position in positions:
        field = schema.field(position)
        if (type_ := _private_type(field.type)) != field.type:
            schema = schema.set(position, field.with_type(type_).with_nullable(True))
    return schema


def changes(schema: Any, positions: Sequence[int]) -> list[str]:
    """Sentences on the columns whose type changes."""
    after = private_schema(schema, positions)
    return [
        f"The column {schema.names[p]!r} is {schema.field(p).type} and becomes "
        f"{after.field(p).type}."
        for p in positions
        if after.field(p).type != schema.field(p).type
    ]


def _private_type(type_: Any) -> Any:
    import pyarrow
    from pyarrow import types

    if types.is_dictionary(type_):
        return pyarrow.dictionary(pyarrow.int32(), _private_type(type_.value_type))
    if types.is_large_string(type_) or types.is_string_view(type_):
        return type_
    return pyarrow.string()


def encoded(schema: Any, positions: Sequence[int], rows: Sequence[Any]) -> bytes:
    """The private texts of some rows, as Arrow's stream."""
    import pyarrow

    fields, arrays = [], []
    for position in positions:
        type_ = _private_type(schema.field(position).type)
        texts = [row.new.get(position, _missing(row[position])) for row in rows]
        plain = type_.value_type if pyarrow.types.is_dictionary(type_) else type_
        arrays.append(pyarrow.array(texts, plain))
        fields.append(pyarrow.field(str(position), plain))
    return _stream(pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields)))


def _missing(cell: Any) -> str | None:
    """A cell that was not made private: an empty text, or none."""
    return "" if cell == "" else None


def converted(names: Sequence[str], rows: Sequence[Sequence[str | None]]) -> bytes:
    """Rows of another format as Arrow's stream, all columns texts."""
    import pyarrow

    found = list(zip(*rows, strict=True)) or [()] * len(names)
    arrays = [pyarrow.array(list(column), pyarrow.string()) for column in found]
    return _stream(pyarrow.Table.from_arrays(arrays, schema=text_schema(names)))


def text_schema(names: Sequence[str]) -> Any:
    """A schema of which all columns are texts."""
    import pyarrow

    return pyarrow.schema([(name, pyarrow.string()) for name in names])


def _stream(table: Any) -> bytes:
    import pyarrow

    written = io.BytesIO()
    with pyarrow.ipc.new_stream(written, table.schema) as stream:
        stream.write_table(table)
    return written.getvalue()


def _read(parts: Iterable[bytes]) -> Iterator[Any]:
    import pyarrow

    for part in parts:
        yield pyarrow.ipc.open_stream(part).read_all()


def assemble_converted(schema: Any, parts: Iterable[bytes], file: BinaryIO) -> None:
    """A Parquet file of a file in another format."""
    from pyarrow import parquet

    with parquet.ParquetWriter(file, schema) as writer:
        for table in _read(parts):
            writer.write_table(table)


def assemble(
    source: Readable, positions: Sequence[int], parts: Iterable[bytes], file: BinaryIO
) -> None:
    """The source with private columns, row group by row group."""
    from pyarrow import parquet

    texts, waiting = _read(parts), None
    with _file(source) as before:
        schema = private_schema(before.schema_arrow, positions)
        with parquet.ParquetWriter(file, schema, **_as_before(before)) as writer:
            for group in range(before.num_row_groups):
                table = before.read_row_group(group)
                if not table.num_rows:
                    writer.write_table(schema.empty_table())
                    continue
                if positions and (waiting is None or waiting.num_rows < table.num_rows):
                    waiting = _joined(waiting, texts, table.num_rows)
                for which, position in enumerate(positions):
                    column = waiting.column(which).slice(0, table.num_rows)
                    field = schema.field(position)
                    column = column.cast(field.type) if column.type != field.type else column
                    table = table.set_column(position, field, column)
                waiting = waiting.slice(table.num_rows) if waiting is not None else None
                writer.write_table(table.cast(schema), table.num_rows)


def rehearse(source: Readable, positions: Sequence[int]) -> None:
    """Write the private file without rows; an error says what Parquet cannot hold."""
    from pyarrow import parquet

    after = private_schema(schema(source), positions)
    with parquet.ParquetWriter(io.BytesIO(), after) as writer:
        writer.write_table(after.empty_table())


def _joined(waiting: Any, texts: Iterator[Any], count: int) -> Any:
    import pyarrow

    found = [] if waiting is None else [waiting]
    have = sum(table.num_rows for table in found)
    while have < count:
        table = next(texts)
        found.append(table)
        have += table.num_rows
    return pyarrow.concat_tables(found)


def _as_before(file: Any) -> dict[str, Any]:
    """The compression of the source, and whether times are stored as they were."""
    meta = file.metadata
    if not meta.num_row_groups or not meta.num_columns:
        return {}
    codec = meta.row_group(0).column(0).compression.lower()
    return {"compression": "none" if codec == "uncompressed" else codec}


@contextmanager
def _file(source: Readable) -> Iterator[Any]:
    """An open Parquet file; what Arrow says of a damaged one becomes a sentence."""
    import pyarrow
    from pyarrow import parquet

    with opened(source) as file:
        try:
            yield parquet.ParquetFile(file)
        except (pyarrow.ArrowException, OSError) as error:
            raise ValueError(f"File: this Parquet file cannot be read ({error}).") from error
