"""A row of a file: its cells as values, and as they are written there.

A cell of a CSV file or of plain text is a text; one of JSON Lines a text, or a `Raw` for any other
value, as it is written; one of Parquet a Python object, made when it is asked for. None and NaN are
missing values, and `ABSENT` is a name that a JSON line does not have. What is missing stays so.

Only texts that were made private are written anew; every other cell leaves as it is in `Row.raw`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal

Ragged = Literal["refuse", "empty"]
_SURROGATE = re.compile("[\ud800-\udfff]")
_NAN = ("NaN", "-NaN")


class Absent(Enum):
    """A name that a JSON line does not have."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT


class Raw(str):
    """A JSON value that is no text, as it is written: a number, true, a list."""

    __slots__ = ()


class Repeated(str):
    """A text under a name that its JSON line has more than once."""

    __slots__ = ()


class Row(list[Any]):
    """The cells of a row, and its text in the file.

    `raw` joined by the separator (by nothing in JSON) and `end` make up the text; `at` says which
    of `raw` each column is, −1 for none; `new` holds the private texts by their column.
    """

    __slots__ = ("at", "end", "new", "raw")

    def __init__(
        self,
        cells: Sequence[Any],
        raw: Sequence[str],
        end: str,
        at: Sequence[int] | None = None,
        new: Mapping[int, str] | None = None,
    ) -> None:
        """A row as it was read."""
        super().__init__(cells)
        self.raw, self.end, self.at, self.new = raw, end, at, new or {}

    def with_new(self, new: Mapping[int, str]) -> Row:
        """The row with private texts."""
        row = Row(self, self.raw, self.end, self.at, new)
        for position, text in new.items():
            row[position] = text
        return row


class OutOfStep(Row):
    """The empty row that replaces one with too many or too few cells."""

    __slots__ = ()


def missing(cell: Any) -> bool:
    """Whether there is no text: none, not a number, or an empty one."""
    if isinstance(cell, Raw):
        return cell in _NAN
    if isinstance(cell, float):
        return math.isnan(cell)
    return cell is None or cell is ABSENT or cell == ""


def texts(row: Sequence[Any], positions: Sequence[int], number: int) -> list[str]:
    """The cells that are to be made private: numbers as they are written, '' for missing ones.

    Raises
    ------
    ValueError
        For a cell that holds neither a text nor a number, with its row.

    """
    return [_as_text(row[position], number) for position in positions]


def with_texts(row: Any, positions: Sequence[int], private: Sequence[str]) -> Any:
    """The row with other texts; a missing or empty cell stays what it was."""
    new = {
        position: text
        for position, text in zip(positions, private, strict=True)
        if not missing(row[position])
    }
    if hasattr(row, "with_new"):
        return row.with_new(new)
    return [new.get(position, cell) for position, cell in enumerate(row)]


def _as_text(cell: Any, number: int) -> str:
    if isinstance(cell, Repeated):
        raise ValueError(
            f"Row {number}: the name of the text column appears more than once. Give each value "
            "its own name."
        )
    if missing(cell):
        return ""
    if isinstance(cell, Raw) and cell[:1] in ("[", "{"):
        kind = "list" if cell.startswith("[") else "object"
        raise ValueError(
            f"Row {number}: the text column holds a {kind}, not a text; choose another column."
        )
    if isinstance(cell, str):
        return whole_characters(cell)
    if isinstance(cell, bool | int | float):
        return json.dumps(cell)
    raise ValueError(
        f"Row {number}: the text column holds {type(cell).__name__}, not a text; choose another "
        "column."
    )


def whole_characters(text: str) -> str:
    """The text with U+FFFD for every half of a character, which only JSON can write."""
    return _SURROGATE.sub("\ufffd", text)


def as_value(cell: Any) -> str:
    """A cell as text, for a format that has no other values."""
    if cell is None or cell is ABSENT:
        return ""
    if isinstance(cell, str):
        return whole_characters(cell)
    if isinstance(cell, bool | int | float | list | dict):
        return whole_characters(json.dumps(cell, ensure_ascii=False, default=str))
    return str(cell)
