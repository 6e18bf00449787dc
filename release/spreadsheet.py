"""Cells that a spreadsheet would run, and how they are kept as text.

A spreadsheet treats a cell that begins with `=`, `+`, `-`, `@`, a tab or a line break as a formula,
also in a plain text file, and a formula can send the cells around it to another machine. Such a
cell gets an apostrophe in front, as in a spreadsheet itself. Numbers begin like that too and are
harmless: `-3`, `+1,5` and `-1e-5` stay.

The guard can be undone: a cell that has the apostrophe already gets one more, so that no two cells
become one. `as_typed` takes one apostrophe off every cell that `is_formula`.
"""

from __future__ import annotations

import re

# With their full-width and small forms, which some spreadsheets fold into these.
_STARTS = tuple("=+-@\t\r\n＝＋－＠﹦﹢﹣﹫")
_NUMBER = re.compile(r"[+-]?(?:\d[\d.,\u00a0\u202f ]*|[.,]\d+)(?:[eE][+-]?\d+)?\s?%?")

UNDO = (
    "To undo it, take one apostrophe off each of these cells. In Python: "
    "`release.spreadsheet.as_typed(cell)`."
)


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet would run this cell, or would without its apostrophes in front."""
    bare = cell.lstrip("'")
    return bare.startswith(_STARTS) and not _NUMBER.fullmatch(bare)


def as_text_cell(cell: str) -> str:
    """The cell, with an apostrophe in front if it would run."""
    return f"'{cell}" if is_formula(cell) else cell


def as_typed(cell: str) -> str:
    """The cell that `as_text_cell` was called with."""
    return cell[1:] if cell.startswith("'") and is_formula(cell) else cell
