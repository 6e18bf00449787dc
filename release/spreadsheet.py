"""Cells that a spreadsheet would run.

A spreadsheet takes a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return for a
formula, also where the file is plain text, and a formula can send away what stands beside it. Such
a cell gets an apostrophe in front, as spreadsheets themselves do to keep text as text. Numbers
begin like that too and do nothing: `-3`, `+1,5` and `-1e-5` stay.
"""

from __future__ import annotations

import re

# With their full-width forms, which some spreadsheets fold into these.
_STARTS = tuple("=+-@\t\r\n＝＋－＠")
_NUMBER = re.compile(r"[+-]?(?:\d[\d.,\u00a0\u202f ]*|[.,]\d+)(?:[eE][+-]?\d+)?\s?%?")


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet would take this cell for a formula."""
    return cell.startswith(_STARTS) and not _NUMBER.fullmatch(cell)


def as_text_cell(cell: str) -> str:
    """The cell, with an apostrophe in front where it would run."""
    return f"'{cell}" if is_formula(cell) else cell
