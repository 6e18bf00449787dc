"""How the cells of a CSV file are separated, and whether its first row names the columns.

separator   a line such as `sep=;`; else the ending (`.tsv`); else the separator under which the
            named columns are in the first row; else the only one under which all first rows have
            equally many cells; else by `clevercsv`, which is for a page that shows the rows: if
            columns were named, two possible separators are refused
escape      none if the first rows can be read only without; a backslash if only with it; None if
            they can be read in both ways: a later cell that decides it ends the reading
header      if the named columns are in the first row; else by `clevercsv`, in doubt none, since a
            header is released as it is. The only column of a file is never guessed to have one.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING

from release import csv_rows
from release.csv_rows import Dialect, LeftOpen

if TYPE_CHECKING:
    from clevercsv import Sniffer

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}

SAMPLE = 1 << 16
_ROWS = 200
_MOST_WORDS_OF_A_NAME = 4


def dialect(
    sample: str,
    whole: bool,
    *,
    tabs: bool,
    delimiter: str | None,
    escape: str | None,
    quotes: bool | None,
    named: Sequence[str],
) -> Dialect:
    """The dialect of a file of which `sample` is the start, or the whole.

    Parameters
    ----------
    tabs
        Whether the ending of the file's name says that tabs separate.
    delimiter, escape, quotes
        What was told; None is found.
    named
        Columns that are known by name.

    """
    for sign, name in ((delimiter, "Separator"), (escape or None, "Escape sign")):
        if sign is not None and (len(sign) != 1 or sign in '"\r\n'):
            raise ValueError(
                f"{name}: must be one character, neither a quotation mark nor a line break; got "
                f"{sign!r}."
            )
    first, _, rest = sample.partition("\n")
    line = csv_rows.separator_line(first)
    if line:
        sample, delimiter = rest, delimiter if delimiter is not None else line
    signs = (escape,) if escape is not None else ("",) if quotes is False else ("", "\\")
    if delimiter is not None:
        candidates: Sequence[str] = (delimiter,)
    elif tabs and ("\t" in sample or not any(sign in sample for sign in DELIMITERS)):
        candidates = ("\t",)
    else:
        candidates = tuple(DELIMITERS)
    possible = [Dialect(d, e, quotes) for d in candidates for e in signs]
    widths = {one: _widths(sample, whole, one) for one in possible}
    if len(candidates) > 1:
        separator = _separator(sample, possible, widths, named)
        if named and not _names_found(sample, possible, named):
            _refuse_several(sample, whole, possible)
        possible = [one for one in possible if one.delimiter == separator]
    even = [one for one in possible if len(set(widths[one])) == 1]
    if len(even) > 1 and '\\"' in sample:
        _refuse_two_escapes(sample, even)
    if len(even) == 1:
        return even[0]
    return replace(possible[0], escape=None) if len(signs) > 1 else possible[0]


def _refuse_two_escapes(sample: str, even: Sequence[Dialect]) -> None:
    r"""Raise ValueError if the first rows have other cells with an escape sign than without.

    `"\"` at the end of a line is a cell that ends there, or one that goes on in the next line.
    """
    cells = [_cells(sample, one) for one in even]
    if any(other != cells[0] for other in cells[1:]):
        raise ValueError(
            "File: a backslash before a quotation mark can be read in two ways, which cut the rows "
            "differently: the mark ends its cell (--escape none), or belongs to it (--escape '\\')."
        )


def _cells(sample: str, one: Dialect) -> list[list[str]]:
    """The cells of the first rows as they are in the file, as far as they can be read."""
    told = Dialect(one.delimiter, one.escape, True)
    found: list[list[str]] = []
    try:
        for _, raw, _ in islice(csv_rows.rows(io.StringIO(sample, newline=""), told), _ROWS):
            found.append(raw)
    except (LeftOpen, ValueError):
        pass
    return found


def _separator(
    sample: str, possible: Sequence[Dialect], widths: dict[Dialect, list[int]], named: Sequence[str]
) -> str:
    """The separator by the named columns, by the numbers of cells, or by a library."""
    with_names = _names_found(sample, possible, named)
    several = [one for one in with_names if widths[one][:1] != [1]]
    if several:
        return several[0].delimiter
    if with_names:
        return ","
    even = {one.delimiter for one in possible if len(set(widths[one])) == 1 and widths[one][0] > 1}
    return even.pop() if len(even) == 1 else _sniffed(sample)


def _names_found(sample: str, possible: Sequence[Dialect], named: Sequence[str]) -> list[Dialect]:
    """The dialects under which the first row has all named columns."""
    return [one for one in possible if named and set(named) <= set(_first(sample, one))]


def _refuse_several(sample: str, whole: bool, possible: Sequence[Dialect]) -> None:
    """Raise ValueError if the first rows have equally many cells under two separators.

    `column 1` is in the first row under no separator and under every one: a wrong guess puts the
    text into another column, where it would leave as typed. Quotation marks may be plain ones.
    """
    even = dict.fromkeys(
        one.delimiter
        for told in possible
        for one in (told, replace(told, quotes=bool(told.quotes)))
        if len(set(found := _widths(sample, whole, one))) == 1 and found[0] > 1
    )
    if len(even) > 1:
        names = " and by ".join(DELIMITERS[one] for one in even)
        raise ValueError(
            f"Separator: the first rows have equally many cells if separated by {names}, and the "
            "named columns are not in the first row. Choose the separator (--separator)."
        )


def _widths(sample: str, whole: bool, one: Dialect) -> list[int]:
    """Numbers of cells of the first rows; none if they cannot be read."""
    told = Dialect(one.delimiter, one.escape, one.quotes is not False)
    found: list[int] = []
    lines = io.StringIO(sample, newline="")
    try:
        for _, raw, _ in islice(csv_rows.rows(lines, told), _ROWS):
            if raw:
                found.append(len(raw))
    except LeftOpen:
        return [] if whole else found
    except ValueError:
        return []
    return found if whole or len(found) == 1 else found[:-1]  # the last row is cut


def _first(sample: str, one: Dialect) -> list[str]:
    try:
        rows = csv_rows.rows(io.StringIO(sample, newline=""), one)
        raw = next((raw for _, raw, _ in rows if raw), [])
    except ValueError:
        return []
    return [one.value(cell).strip() for cell in raw]


_turn = Lock()


@contextmanager
def _sniffer() -> Iterator[Sniffer]:
    """clevercsv's, one at a time.

    It sets its limit of a field for all of the process to the length of the sample at hand, and
    leaves it there where it fails: the next file would then be taken for a broken one.
    """
    import clevercsv

    with _turn:
        clevercsv.field_size_limit(SAMPLE)
        yield clevercsv.Sniffer()


def _sniffed(sample: str) -> str:
    """The separator that `clevercsv` finds; a comma if nothing separates."""
    sample = sample.replace("\r\n", "\n").replace("\r", "\n")[: SAMPLE // 2]
    try:
        with _sniffer() as sniffer:
            found = sniffer.sniff(sample, delimiters="".join(DELIMITERS))
    except Exception:  # of any kind, for a sample that is like nothing it knows
        return ","
    return found.delimiter if found is not None and found.delimiter in DELIMITERS else ","


def may_be_a_name(first: Sequence[str], sample: str) -> bool:
    """Whether the first line of a single column may be its name: one word above longer lines."""
    lines = sample.replace("\r", "\n").split("\n")[1:8]
    return len(first[0].split()) == 1 and any(len(line.split()) > 1 for line in lines)


def has_header(sample: str, first: Sequence[str]) -> bool:
    """Whether the first row of several cells names the columns; in doubt not."""
    if any(len(name.split()) > _MOST_WORDS_OF_A_NAME for name in first):
        return False
    sample = sample.replace("\r\n", "\n").replace("\r", "\n")[: SAMPLE // 2]
    try:
        with _sniffer() as sniffer:
            return bool(sniffer.has_header(sample))
    except Exception:  # of any kind, for a sample that is like nothing it knows
        return False
