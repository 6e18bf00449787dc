"""Rows of JSON Lines, each value at its place in the line; and values written anew.

A line is an object; its names and values are found by the scanner of `json`, which says where each
of them ends. A value that is no text is kept as it is written (`1.10`, `1E400`, `[1, 2]`), so that
nothing is lost by reading it as a number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from release.cells import ABSENT, Raw, Repeated, Row, whole_characters
from release.csv_rows import LONGEST_CELL, Lines

_SPACE = re.compile(r"[ \t\n\r]*")
_scan = json.JSONDecoder(parse_int=Raw, parse_float=Raw, parse_constant=Raw).scan_once
_BREAKS = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}

Pair = tuple[str, Any, int, int]
"""A name, its value, and where the value begins and ends in the line."""


def pairs(line: str) -> list[Pair]:
    """The names and values of an object, in their order.

    Raises
    ------
    ValueError
        For a line that is no object.

    """
    place = _space(line, 0)
    if line[place : place + 1] != "{":
        _scan(line, place)  # no JSON at all is said otherwise
        raise TypeError
    found: list[Pair] = []
    place = _space(line, place + 1)
    if line[place : place + 1] == "}":
        _end(line, place + 1)
        return found
    while True:
        if line[place : place + 1] != '"':
            raise ValueError(f"a name is expected at character {place + 1}")
        name, place = scanstring(line, place + 1, True)
        place = _space(line, place)
        if line[place : place + 1] != ":":
            raise ValueError(f"a colon is expected at character {place + 1}")
        begins = _space(line, place + 1)
        value, place = _scan(line, begins)
        found.append((name, value, begins, place))
        place = _space(line, place)
        sign = line[place : place + 1]
        if sign == "}":
            _end(line, place + 1)
            return found
        if sign != ",":
            raise ValueError(f"a comma is expected at character {place + 1}")
        place = _space(line, place + 1)


def _space(line: str, place: int) -> int:
    found = _SPACE.match(line, place)
    assert found is not None
    return found.end()


def _end(line: str, place: int) -> None:
    if _space(line, place) != len(line):
        raise ValueError(f"more follows the object at character {place + 1}")


def objects(lines: Lines) -> Iterator[tuple[int, str, list[Pair]]]:
    """Number, text and pairs of every line; a blank one has no pairs.

    Raises
    ------
    ValueError
        For a line that is no object, with its number.

    """
    for number, line in enumerate(iter(lambda: lines.readline(LONGEST_CELL + 1), ""), 1):
        if len(line) > LONGEST_CELL:
            raise ValueError(f"File: line {number} is longer than {LONGEST_CELL:,} characters.")
        if not line.strip(" \t\r\n"):
            yield number, line, []
            continue
        try:
            yield number, line, pairs(line)
        except StopIteration as error:
            raise ValueError(
                f"File: line {number} is not JSON (no value at character {error.value + 1})."
            ) from None
        except TypeError:
            raise ValueError(
                f'File: line {number} must be an object such as {{"text": "…"}}; JSON Lines has '
                "one object on each line."
            ) from None
        except (ValueError, RecursionError) as error:
            raise ValueError(f"File: line {number} is not JSON ({error}).") from None


def columns(lines: Lines) -> tuple[str, ...]:
    """All names of all lines, in the order of their first appearance."""
    names: dict[str, None] = {}
    for _, _, found in objects(lines):
        names.update(dict.fromkeys(pair[0] for pair in found))
    if not names:
        raise ValueError("File: it has no objects; JSON Lines has one object on each line.")
    return tuple(names)


def table(lines: Lines, names: Sequence[str]) -> Iterator[str | Row]:
    """The first blank lines, then the rows; other blank lines belong to the row above them."""
    positions = {name: position for position, name in enumerate(names)}
    waiting: Row | str = ""
    for number, line, found in objects(lines):
        if not line.strip(" \t\r\n"):
            if isinstance(waiting, str):
                waiting += line
            else:
                waiting.end += line
            continue
        yield waiting
        waiting = _row(line, found, positions, number)
    yield waiting


def _row(line: str, found: Sequence[Pair], positions: dict[str, int], number: int) -> Row:
    cells: list[Any] = [ABSENT] * len(positions)
    at = [-1] * len(positions)
    raw, place = [], 0
    for name, value, begins, ends in found:
        position = positions.get(name)
        if position is None:
            raise ValueError(
                f"File: line {number} has the name {name!r}, which this file did not have when its "
                "columns were chosen. Its value would be released as typed; choose the columns "
                "again."
            )
        written = line[begins:ends]
        raw += [line[place:begins], written]
        place = ends
        cell = value if value is None or type(value) is str else Raw(written)
        cells[position] = cell if at[position] < 0 else Repeated(cell)
        at[position] = len(raw) - 1
    raw.append(line[place:])
    return Row(cells, raw, "", at)


def spliced(row: Row) -> str:
    """The text of a line, its private values written anew."""
    if not row.new:
        return "".join(row.raw) + row.end
    raw = list(row.raw)
    assert row.at is not None
    for position, text in row.new.items():
        raw[row.at[position]] = written(text)
    return "".join(raw) + row.end


def written(text: str) -> str:
    """A text as JSON; signs that some readers take for line breaks are escaped."""
    whole = text == whole_characters(text)
    found = json.dumps(text, ensure_ascii=not whole)
    for sign, escaped in _BREAKS.items():
        found = found.replace(sign, escaped)
    return found


def converted(names: Sequence[str], row: Sequence[Any]) -> str:
    """A line for a row of another format; what is absent stays absent."""
    values = (
        f"{written(name)}: {cell if isinstance(cell, Raw) else _value(cell)}"
        for name, cell in zip(names, row, strict=True)
        if cell is not ABSENT
    )
    return "{" + ", ".join(values) + "}\n"


def _value(cell: Any) -> str:
    if isinstance(cell, str):
        return written(cell)
    text = json.dumps(cell, ensure_ascii=False, default=str)
    return text if text.isprintable() else json.dumps(cell, default=str)
