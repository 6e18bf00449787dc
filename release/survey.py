"""The first reading of a file: how many rows, and the first, the last and the longest.

A wrong reading shows here: joined rows make one long row and a small number of rows, and a text in
the wrong column is seen in the last row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from release import tables
from release.cells import OutOfStep, as_value
from release.tables import Output

_EXCERPT = 60


@dataclass
class Survey:
    """The rows of a file; each shown row is its number and its cells, cut short."""

    rows: int = 0
    emptied: int = 0
    """Rows out of step, which become empty ones."""
    first: tuple[int, tuple[str, ...]] | None = None
    last: tuple[int, tuple[str, ...]] | None = None
    longest: tuple[int, tuple[str, ...]] | None = None
    notes: tuple[str, ...] = ()
    """Sentences on other changes in the private file."""

    @property
    def shown(self) -> dict[str, tuple[int, tuple[str, ...]]]:
        """First, last and longest row, each with its number."""
        named = {"first": self.first, "last": self.last, "longest": self.longest}
        return {name: row for name, row in named.items() if row is not None}


def survey(
    rows: Iterable[Any], out: Output, positions: Sequence[int], left_out: Sequence[int] = ()
) -> Survey:
    """Read a file to its end before anything is drawn.

    Raises
    ------
    ValueError
        For a row that cannot be read, made private or written, with its number.

    """
    found, most, last, longest = Survey(notes=out.notes), -1, None, (0, None)
    for number, row in enumerate(rows, 1):
        length = sum(map(len, tables.texts(row, positions, number)))
        tables.check(out, row, number)
        tables.refuse_repeated(row, left_out, number)
        found.rows = number
        found.emptied += isinstance(row, OutOfStep)
        if number == 1:
            found.first = 1, _shown(row)
        if length > most:
            most, longest = length, (number, row)
        last = row
    if last is not None:
        found.last = found.rows, _shown(last)
        found.longest = longest[0], _shown(longest[1])
    return found


def _shown(row: Any) -> tuple[str, ...]:
    """The cells of a row, cut short; one that cannot be shown as a question mark."""
    cells = []
    for position in range(len(row)):
        try:
            text = as_value(row[position])
        except ValueError:
            text = "?"
        cells.append(text if len(text) <= _EXCERPT else text[:_EXCERPT] + "…")
    return tuple(cells)
