"""A public corpus of the visitor's, of which q of a base measure is counted.

    columns, rows = read("news.csv", data)
    texts = texts_of(columns, rows, "body")

A line of a plain text is a document; of a table, the cells of one column are. Nothing of it is
released, so quotation marks are taken to enclose cells.
"""

from __future__ import annotations

from collections.abc import Sequence

from release import labelled, tables
from release.cells import as_value
from release.layout import layout
from release.source import Readable

SUFFIXES = (".txt", ".csv", ".tsv", ".jsonl", ".parquet")

_TITLE = "Public corpus"


def read(name: str, source: Readable) -> tuple[Sequence[str], list[list[str]]]:
    """The names of the columns of a corpus, and its rows as texts.

    Raises
    ------
    ValueError
        For a file that cannot be read, or that can be read in several ways.

    """
    if not name.lower().endswith(SUFFIXES):
        raise ValueError(f"{_TITLE}: its name must end in {', '.join(SUFFIXES)}; got {name}.")
    if not name.lower().endswith(".txt"):
        return labelled.read(name, source, _TITLE)
    try:
        how = layout(name, source)
        return how.columns, [[as_value(cell) for cell in row] for row in tables.rows(source, how)]
    except ValueError as error:
        raise ValueError(f"{_TITLE}: {error}") from None


def texts_of(columns: Sequence[str], rows: list[list[str]], column: str | None) -> tuple[str, ...]:
    """The documents of a column that are not empty; None is the only column.

    Raises
    ------
    ValueError
        If there is no such column, or no document.

    """
    if column is None and len(columns) == 1:
        column = columns[0]
    if column not in columns:
        shown = ", ".join(columns[:10]) + (" …" if len(columns) > 10 else "")
        said = "say which column holds text" if column is None else f"there is no column {column!r}"
        raise ValueError(f"{_TITLE}: {said}; there are {shown}.")
    at = list(columns).index(column)
    texts = tuple(row[at] for row in rows if row[at].strip())
    if not texts:
        raise ValueError(f"{_TITLE}: {column} holds no text. Take another column or file.")
    return texts
