"""word2vec's binary: a line of sizes, then each word, a space, and d little-endian 32-bit numbers.

Some writers end each vector with a line break, some do not; the first vector shows it. A word with
a space in it, which such a file cannot hold, ends early: the rest of it is read as numbers, and the
end of the vector as the next word. That is noticed by a line break that is missing, by a word that
is no text, by a number that no model has, by more rows than the first line says, or by bytes that
are left over, and the file is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from data import embedding_packing as packing
from data.embedding_packing import Stream
from data.embedding_source import (
    CUT_OFF,
    Findings,
    Rows,
    checked_dimensions,
    header_against_content,
)
from data.embedding_text import is_number

_LONGEST_WORD = 4096  # bytes: where no word ends there is none
_LARGEST = np.float32(1e17)  # small letters, read as a number, are larger

_CONTROL = re.compile(rb"[\0-\x1f\x7f]")
_STRANGE = re.compile(r"[\0-\x08\x0e-\x1f]")


def is_binary(body: bytes, dimensions: int) -> bool:
    """Whether the bytes after a header that says this d are no text.

    Text with a control character, or in an old encoding, has lines of a word and numbers.
    """
    try:
        strange = bool(_STRANGE.search(_decoded(body[:4096])))
    except UnicodeDecodeError:
        strange = True
    if not strange:
        return False
    lines = [fields for line in body.split(b"\n", 10)[:10] if (fields := line.split())]
    fewest = 1 + min(2, max(1, dimensions))
    like_text = sum(len(line) >= fewest and all(map(is_number, line[1:])) for line in lines)
    return 2 * like_text < len(lines)


def _decoded(start: bytes) -> str:
    """UTF-8, whose last character may be cut."""
    try:
        return start.decode()
    except UnicodeDecodeError as error:
        if error.reason != "unexpected end of data":
            raise
        return start[: error.start].decode()


def binary_rows(
    rest: bytes, stream: Stream, said: tuple[int, int], findings: Findings
) -> Iterator[Rows]:
    """The rows after a header that says `said`, words and dimensions."""
    findings.format = "binary (word2vec)"
    findings.dimensions = checked_dimensions(said[1], "line 1 says")
    width = 4 * findings.dimensions
    together_at_most = max(2, packing.BLOCK // width)
    words: list[bytes] = []
    numbers: list[bytes] = []
    at, row = 0, 0
    line_breaks = False

    def together() -> Rows:
        vectors = np.frombuffer(b"".join(numbers), "<f4").reshape(-1, findings.dimensions)
        first = row - len(words) + 1
        with np.errstate(invalid="ignore"):
            large = np.isfinite(vectors) & (np.abs(vectors) > _LARGEST)
        if large.any():
            raise _out_of_step(first + int(large.any(axis=1).argmax()))
        return Rows(np.arange(first, row + 1), tuple(words), vectors)

    while True:
        space = rest.find(b" ", at)
        if space < 0 or len(rest) < space + 1 + width:
            if space < 0 and len(rest) - at > _LONGEST_WORD:
                raise _out_of_step(row) if row else _no_word()
            if more := stream.read(packing.BLOCK):
                rest, at = rest[at:] + more, 0
                continue
            break
        if row == 1:
            line_breaks = rest.startswith(b"\n", at)
        if row and line_breaks:
            if not rest.startswith(b"\n", at):
                raise _out_of_step(row)
            at += 1
        if row and row == said[0]:  # more than line 1 says: part of a word was read as numbers
            raise _out_of_step(row)
        word = rest[at:space]
        if _CONTROL.search(word) or (row and not line_breaks and not _is_word(word)):
            raise _out_of_step(row) if row else _no_word()
        row += 1
        words.append(word)
        numbers.append(rest[space + 1 : space + 1 + width])
        at = space + 1 + width
        if len(words) == together_at_most:
            yield together()
            words.clear()
            numbers.clear()
    if not row:
        raise ValueError("row 1 is cut off by the end of the file.")
    if words:
        yield together()
    left = rest[at:]
    if left.strip(b"\n"):
        if row == said[0] or (line_breaks and not left.startswith(b"\n")):
            raise _out_of_step(row)
        findings.drop(CUT_OFF, row + 1)
    findings.header = header_against_content(said, row, findings.dimensions)


def _is_word(word: bytes) -> bool:
    """Whether it is some text in UTF-8, as the end of a vector is not."""
    try:
        return bool(word.decode())
    except UnicodeDecodeError:
        return False


def _no_word() -> ValueError:
    return ValueError("row 1 holds no word: it is no binary of word2vec.")


def _out_of_step(row: int) -> ValueError:
    return ValueError(
        f"it is out of step in row {row:,}, or before: a word has a space in it, which this format "
        "cannot hold, or is not in UTF-8, or bytes are missing. Save the vectors as word2vec text."
    )
