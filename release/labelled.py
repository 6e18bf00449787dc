"""A visitor's table of texts and labels, read by the reader of releases.

columns, rows = read("mine.csv", data)
corpus = corpora.from_table(columns, rows, "review", "stars")
"""

from __future__ import annotations

from collections.abc import Sequence

from release import tables
from release.cells import as_value
from release.layout import layout
from release.source import Readable


def read(
    name: str, source: Readable, title: str = "your table"
) -> tuple[Sequence[str], list[list[str]]]:
    """The names of the columns of a file, and its rows as texts. The first row names the columns.

    Nothing of it is released, so quotation marks are taken to enclose cells.

    Raises
    ------
    ValueError
        For a file that cannot be read, or that can be read in several ways.

    """
    try:
        csv = not name.lower().endswith((".jsonl", ".ndjson", ".parquet"))
        if csv:
            how = layout(name, source, format="csv", header=True, quotes=True)
        else:
            how = layout(name, source)
        rows = [[as_value(cell) for cell in row] for row in tables.rows(source, how)]
    except ValueError as error:
        raise ValueError(f"{title}: {error}") from None
    return how.columns, rows
