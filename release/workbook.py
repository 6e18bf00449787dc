"""Rows of an Excel workbook (`.xlsx`): one sheet, values as a person sees them there.

A formula yields the value that Excel computed last; nothing is computed here, and no macro, link or
picture is looked at. A date is written as a date (2024-05-17), a moment with its time, a whole
number without a point. A private file of a workbook is CSV or Parquet: a workbook keeps much that
nobody sees (earlier values, comments, authors), which would leave with it.

The workbook is read by `python-calamine`, which decodes it in Rust and runs nothing of it.
"""

from __future__ import annotations

import datetime
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from release.source import Readable, opened

SUFFIX = ".xlsx"
# Bytes of all parts of a workbook together: a small zip file can unfold into any size.
_LARGEST = 2_000_000_000
_MIDNIGHT = datetime.time()


def sheets(source: Readable) -> list[str]:
    """The names of the sheets that hold cells, in their order."""
    from python_calamine import SheetTypeEnum

    with _workbook(source) as book:
        return [m.name for m in book.sheets_metadata if m.typ == SheetTypeEnum.WorkSheet]


def first_row(source: Readable, sheet: str) -> list[Any]:
    """The first row that is not empty.

    Raises
    ------
    ValueError
        For a sheet that does not exist, or is empty.

    """
    for row in _rows(source, sheet):
        return row
    raise ValueError(f"File: the sheet {sheet!r} is empty; choose another one.")


def rows(source: Readable, sheet: str, header: bool, width: int) -> Iterator[list[Any]]:
    """The rows below the header; a row that is empty stays one, but for those at the end."""
    waiting = 0
    for number, row in enumerate(_rows(source, sheet)):
        if number == 0 and header:
            continue
        if all(cell is None for cell in row):
            waiting += 1
            continue
        yield from ([None] * width for _ in range(waiting))
        waiting = 0
        yield (row + [None] * width)[:width]


def has_header(first: Sequence[Any]) -> bool:
    """Whether a first row can name the columns: only texts, no two the same."""
    named = [cell for cell in first if cell is not None]
    return all(isinstance(cell, str) for cell in named) and len(set(named)) == len(named)


def _rows(source: Readable, sheet: str) -> Iterator[list[Any]]:
    """All rows from the first that is not empty."""
    with _workbook(source) as book:
        if sheet not in book.sheet_names:
            raise ValueError(
                f"File: there is no sheet {sheet!r}. The file has: {', '.join(book.sheet_names)}."
            )
        begun = False
        for row in book.get_sheet_by_name(sheet).to_python(skip_empty_area=False):
            cells = [_value(cell) for cell in row]
            begun = begun or any(cell is not None for cell in cells)
            if begun:
                yield cells


def _value(cell: Any) -> Any:
    """A cell as a text, a number, a truth value, or None."""
    if cell is None or cell == "":
        return None
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return int(cell)
    if isinstance(cell, datetime.datetime):
        if cell.time() == _MIDNIGHT:
            return cell.date().isoformat()
        return cell.isoformat(" ")
    if isinstance(cell, datetime.date | datetime.time):
        return cell.isoformat()
    if isinstance(cell, datetime.timedelta):
        return str(cell)
    return cell


@contextmanager
def _workbook(source: Readable) -> Iterator[Any]:
    import python_calamine

    with opened(source) as file:
        try:
            with zipfile.ZipFile(file) as parts:
                unfolded = sum(part.file_size for part in parts.infolist())
            if unfolded > _LARGEST:
                raise ValueError(
                    f"File: this workbook unpacks to {unfolded:,} bytes, and at most {_LARGEST:,} "
                    "are read; save the sheet as CSV."
                )
            file.seek(0)
            book = python_calamine.CalamineWorkbook.from_filelike(file)
        except (zipfile.BadZipFile, python_calamine.CalamineError, OSError) as error:
            raise ValueError(
                f"File: this workbook cannot be read ({error}). Save it again as .xlsx without a "
                "password, or as CSV."
            ) from None
        yield book
