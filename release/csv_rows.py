r"""Rows of a CSV file, each cell as a value and as it is written; and cells written anew.

    "a ""good"" film",C:\new     cells  a "good" film | C:\new
                                 raw    "a ""good"" film" | C:\new

A row ends at a line break outside quotation marks. A mark opens a quoted cell only if it is the
first character of the cell, and nothing but a separator or the line's end may follow the mark that
closes it. An escape sign counts before a quotation mark, the separator or itself; elsewhere it is
a character (`C:\new`).

A plain quotation mark at the beginning of a cell looks like a quoted cell that continues over the
next lines, and would join the rows: `"Untitled` … `",fine film`. So a quoted cell with a line break
after which a line has the usual number of separators ends the reading, unless the caller says
whether quotation marks enclose cells.

A quotation mark behind a backslash (`"C:\"`) ends its cell, unless the backslash is an escape sign:
then the cell continues, and a text may be in another column. If neither the caller nor the file
says which, such a cell ends the reading as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Protocol

from release.cells import OutOfStep, Ragged, Row
from release.grammar import counted
from release.spreadsheet import as_text_cell

_ENDS = "\r\n"
_SEP_LINE = re.compile(r'"?sep=(.)"?[\r\n]*', re.IGNORECASE)
LONGEST_CELL = 10_000_000
LONGEST_ROW = 50_000_000


class LeftOpen(ValueError):
    """A quoted cell without an end."""


class Lines(Protocol):
    """Lines of a text with their ends."""

    def readline(self, limit: int = -1, /) -> str:
        """The next line, or an empty text at the end."""


@dataclass(frozen=True)
class Dialect:
    """How cells are separated and quoted.

    `quotes` is None if quotation marks were not told, `escape` if it was not told and the first
    rows can be read with and without: then a cell that can be read in two ways ends the reading.
    """

    delimiter: str = ","
    escape: str | None = ""
    quotes: bool | None = None

    def split(self, line: str) -> tuple[list[str], str]:
        """Cells as they are written, and the line's end, of a line without an open cell."""
        body = line.rstrip(_ENDS)
        return body.split(self.delimiter), line[len(body) :]

    def value(self, raw: str) -> str:
        """The value of a cell."""
        if self.quotes is not False and raw[:1] == '"':
            inner = raw[1:-1]
            if self.escape:
                return self._escaped.sub(lambda found: found[1] or found[2], inner)
            return inner.replace('""', '"') if '""' in inner else inner
        if self.escape and self.escape in raw:
            return self._escaped_plain.sub(r"\1", raw)
        return raw

    def written(self, text: str, quoted: bool = False, alone: bool = False) -> str:
        """A text as a cell, in quotation marks if it needs them or if `quoted`.

        Without quotation marks a separator or a line break in the text becomes a space. `alone`
        says that the row has no other cell: an empty one would be a blank line.
        """
        if self.quotes is False:
            text = self._breaking.sub(" ", text)
            return text.replace(self.escape, 2 * self.escape) if self.escape else text
        # The separator of a single column is not seen: a reader may take any of these for it.
        quoted = quoted or (alone and (not text or any(sign in text for sign in ",;\t|")))
        if not quoted and not self._needs_quotes.search(text):
            return text
        if self.escape:
            text = text.replace(self.escape, 2 * self.escape).replace('"', self.escape + '"')
        else:
            text = text.replace('"', '""')
        return f'"{text}"'

    @cached_property
    def _delimiter(self) -> str:
        return re.escape(self.delimiter)

    @cached_property
    def _breaking(self) -> re.Pattern[str]:
        return re.compile(f"[{self._delimiter}\r\n]")

    @cached_property
    def _needs_quotes(self) -> re.Pattern[str]:
        # White space at an end is lost by some readers; an escape sign must be written twice.
        return re.compile(f'["{self._delimiter}{self._sign}\r\n]|^\\s|\\s$')

    @cached_property
    def _escaped(self) -> re.Pattern[str]:
        return re.compile(f'{self._sign}(["{self._sign}{self._delimiter}])|"(")')

    @cached_property
    def _escaped_plain(self) -> re.Pattern[str]:
        return re.compile(f'{self._sign}(["{self._sign}{self._delimiter}])')

    @cached_property
    def _sign(self) -> str:
        return re.escape(self.escape or "")

    @cached_property
    def with_backslash(self) -> Dialect:
        """The other reading of a file of which no escape sign is known."""
        return replace(self, escape="\\")

    @cached_property
    def _plain(self) -> re.Pattern[str]:
        """An unquoted cell."""
        if not self.escape:
            return re.compile(f"[^{self._delimiter}\r\n]*")
        sign = self._sign
        pairs = f'{sign}["{sign}{self._delimiter}]'
        return re.compile(f"(?:{pairs}|[^{self._delimiter}\r\n])*")

    @cached_property
    def _rest(self) -> re.Pattern[str]:
        """The rest of a quoted cell, its closing mark included."""
        if not self.escape:
            return re.compile(r'[^"]*(?:""[^"]*)*"(?!")')
        sign = self._sign
        pairs = f'{sign}["{sign}{self._delimiter}]|""'
        return re.compile(f'(?:{pairs}|[^"{sign}]|{sign}(?!["{sign}{self._delimiter}]))*"(?!")')


def rows(
    lines: Lines,
    dialect: Dialect,
    width: int = 0,
    first_line: str | None = None,
    number: int = 0,
) -> Iterator[tuple[int, list[str], str]]:
    """Number of the last line, cells as they are written and line end, of every row.

    A blank line has no cells. `width` is the usual number of cells, 0 for that of the first row;
    `number` lines precede these.

    Raises
    ------
    ValueError
        For a cell that is left open, has text after its closing mark or can be read in two ways,
        with its line and the options that read it.

    """
    plain = dialect.quotes is False and not dialect.escape
    found = iter(lambda: lines.readline(LONGEST_CELL + 1), "")
    for line in chain([first_line] if first_line else [], found):
        number += 1
        if len(line) > LONGEST_CELL:
            raise ValueError(f"File: line {number} is longer than {LONGEST_CELL:,} characters.")
        if plain or not ('"' in line or (dialect.escape and dialect.escape in line)):
            raw, end = dialect.split(line)
            if raw == [""]:
                raw = []
            width = width or len(raw)
            yield number, raw, end
            continue
        raw, end, number = _careful(line, number, found, dialect, width)
        width = width or len(raw)
        yield number, raw, end


def _careful(
    line: str, number: int, following: Iterator[str], dialect: Dialect, width: int
) -> tuple[list[str], str, int]:
    """The cells of a row with quotation marks or escape signs, and the number of its last line."""
    raw, place, length = [], 0, 0
    while True:
        if dialect.quotes is False or not line.startswith('"', place):
            found = dialect._plain.match(line, place)
            assert found is not None
            raw.append(found[0])
            place = found.end()
        else:
            opened, start, parts = number, place, [line[place]]
            place += 1
            while (rest := dialect._rest.match(line, place)) is None:
                parts.append(line[place:])
                length += len(line)
                line, place = next(following, ""), 0
                if not line or length > LONGEST_ROW:
                    raise LeftOpen(
                        f"File: the quotation mark that opens a cell in line {opened} is never "
                        "closed. If quotation marks are plain characters in this file, say so "
                        "(--no-quotes)."
                    )
                number += 1
                _refuse_two_readings(line, opened, number, dialect, width)
            raw.append("".join(parts) + rest[0])
            place = rest.end()
            if dialect.escape is None and '\\"' in raw[-1]:
                whole = line[start:] if opened == number else raw[-1] + line[place:]
                _refuse_two_ends(whole, len(raw[-1]), opened, dialect)
            if line[place : place + 1] not in ("", dialect.delimiter, "\r", "\n"):
                raise ValueError(
                    f"File: in line {number} text follows the quotation mark that closes a cell "
                    f"(opened in line {opened}). If quotation marks are plain characters in this "
                    "file, say so (--no-quotes); if they are written with a sign before them, name "
                    "it (--escape); or the separator is another one (--separator)."
                )
        if line[place : place + 1] != dialect.delimiter:
            return raw, line[place:], number
        place += 1


def _refuse_two_ends(cells: str, end: int, opened: int, dialect: Dialect) -> None:
    """Raise ValueError if the cell that opens `cells` may end elsewhere than at `end`.

    With an escape sign it ends at another mark before a separator, or in a later line. A mark
    before anything else cannot close a cell, so that the file has no escape sign.
    """
    other = dialect.with_backslash._rest.match(cells, 1)
    at = other.end() if other else -1
    if at != end and (other is None or cells[at : at + 1] in ("", dialect.delimiter, *_ENDS)):
        raise ValueError(
            f"File: the cell that opens in line {opened} has a backslash before a quotation mark. "
            "It can be read in two ways, which cut the row differently: the mark ends its cell "
            "(--escape none), or belongs to it (--escape '\\')."
        )


def _refuse_two_readings(line: str, opened: int, number: int, dialect: Dialect, width: int) -> None:
    if dialect.quotes is None and width > 1 and line.count(dialect.delimiter) == width - 1:
        raise ValueError(
            f"File: line {opened} opens a quotation mark that is still open in line {number}, and "
            f"line {number} has the {width} cells of a row. It can be read in two ways: as one "
            "cell with line breaks (--quotes), or as rows with plain quotation marks (--no-quotes)."
        )


# ---------------------------------------------------------------------------- the rows of a table


@dataclass(frozen=True)
class Head:
    """The lines before the first row: other lines, the header's cells, its end, blank lines."""

    before: str
    raw: tuple[str, ...] = ()
    end: str = ""
    line: int = 0

    def text(self, dialect: Dialect, guard: bool = False) -> str:
        """The head as it is in the file; with `guard` no name is a formula."""
        raw = [
            dialect.written(as_text_cell(name), cell[:1] == '"')
            if guard and as_text_cell(name := dialect.value(cell)) != name
            else cell
            for cell in self.raw
        ]
        return self.before + dialect.delimiter.join(raw) + self.end


def separator_line(line: str) -> str | None:
    """The separator that a first line such as `sep=;` names."""
    found = _SEP_LINE.fullmatch(line)
    return found[1] if found else None


def head(lines: Lines, dialect: Dialect, header: bool) -> tuple[Head, str | None]:
    """Read up to the first row below the header; without a header, that row's first line too."""
    before, skipped = "", 0
    line = lines.readline(LONGEST_CELL + 1)
    if separator_line(line):
        before, skipped = line, 1
        line = lines.readline(LONGEST_CELL + 1)
    if not header:
        return Head(before, line=skipped), line
    for number, raw, end in rows(lines, dialect, first_line=line, number=skipped):
        if raw:
            return Head(before, tuple(raw), end, number), None
        before += end
    return Head(before, line=skipped), None


def table(
    lines: Lines, dialect: Dialect, width: int, header: bool, ragged: Ragged
) -> Iterator[Head | Row]:
    """The head of a table, then its rows; blank lines belong to the row above them."""
    top, line = head(lines, dialect, header)
    blank, number, first = "", 0, True
    waiting: Row | None = None
    for at_line, raw, end in rows(lines, dialect, width, line, top.line):
        if not raw and width > 1:
            blank += end
            continue
        if first:
            yield replace(top, end=top.end + blank)
            first = False
        elif waiting is not None:
            waiting.end += blank
            yield waiting
        blank = ""
        number += 1
        raw = raw or [""]
        if len(raw) == width:
            waiting = Row([dialect.value(cell) for cell in raw], raw, end)
        elif ragged == "empty":
            waiting = OutOfStep([""] * width, [""] * width, end)
        else:
            raise ValueError(
                f"File: row {number} (it ends in line {at_line}) has {counted(len(raw), 'cell')}, "
                f"but a row has {width}. Its text may be in the wrong column and would be released "
                "as typed. Correct the file, choose another separator, or let such rows become "
                "empty (--ragged empty)."
            )
    if first:
        yield replace(top, end=top.end + blank)
    if waiting is not None:
        waiting.end += blank
        yield waiting


def spliced(row: Row, dialect: Dialect, guard: bool, quoted: Sequence[bool] = ()) -> str:
    """The text of a row, its private cells written anew.

    A private cell is in quotation marks if it needs them or if its column's name is, never because
    the original cell was: that would reveal a comma in it.
    """
    raw = row.raw
    if row.new or guard:
        raw = list(raw)
        alone = len(raw) == 1
        cells = range(len(raw)) if guard else row.new
        for position in cells:
            text = row[position]
            safe = as_text_cell(text)
            if position in row.new or safe != text:
                raw[position] = dialect.written(
                    safe, position < len(quoted) and quoted[position], alone
                )
    return dialect.delimiter.join(raw) + row.end
