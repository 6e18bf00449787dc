"""Embeddings as text: a word and its d numbers a line, between them spaces, tabs or commas.

A line is cut at its last d separators, since words may hold spaces (GloVe's 840B has `. . .`).
Lines of the usual shape, one separator before every number, are read by the hundreds in numpy's own
parser; the others one by one, in the same parser. d is the most frequent number of numbers in the
first lines, whatever the header says.

Commas (CSV) are read if they cut more numbers from the lines than spaces do, and two at least: in
`the 0,5 0,3` they are decimal commas. The first line may hold names of columns. A word with a comma
in it is in double quotes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from data import embedding_packing as packing
from data.embedding_packing import Stream
from data.embedding_source import (
    EMPTY_LINE,
    NOT_A_NUMBER,
    WRONG_LENGTH,
    Findings,
    Rows,
    checked_dimensions,
    header_against_content,
)

_LONGEST_LINE = 4 << 20  # bytes
_SAMPLE = 1000  # lines that say what d is

_SPACES = re.compile(rb" {2,}")
HEADER = re.compile(rb"(\d{1,12}) +(\d{1,12}) *\r?\n?")

Floats = NDArray[np.float64]


def text_rows(head: bytes, stream: Stream, findings: Findings) -> Iterator[Rows]:
    """The rows of a file whose first bytes are `head`."""
    header: re.Match[bytes] | None = None
    line, separator = 1, b" "
    for block in _whole_lines(head, stream):
        if b"\t" in block:
            block = block.replace(b"\t", b" ")
        if b"\r" in block:
            block = block.replace(b"\r\n", b"\n")
        if b" \n" in block:  # word2vec and fastText end their lines with a space
            block = block.replace(b" \n", b"\n")
        lines = block.removesuffix(b"\n").split(b"\n")
        if line == 1:
            header = _header_of(lines)
            if header:
                lines, line = lines[1:], 2
            separator, dimensions = _layout(lines[:_SAMPLE], line)
            findings.dimensions = checked_dimensions(dimensions, "its lines hold")
            findings.format = (
                "text, with a header (word2vec, fastText)" if header else "text (GloVe)"
            )
            if separator == b",":
                findings.format = "CSV"
                if not header and _names_of_columns(lines[0], dimensions):
                    findings.format, lines, line = "CSV, with names of columns", lines[1:], 2
        yield parsed(lines, line, findings, separator)
        line += len(lines)
    if header:
        said = int(header[1]), int(header[2])
        findings.header = header_against_content(said, line - 2, findings.dimensions)


def _whole_lines(rest: bytes, stream: Stream) -> Iterator[bytes]:
    """Blocks that end where a line ends, or the file. Lines end as the first one does."""
    old_mac = b"\n" not in rest and b"\r" in rest
    if old_mac:
        rest = rest.replace(b"\r", b"\n")
    while more := stream.read(packing.BLOCK):
        if old_mac:
            more = more.replace(b"\r", b"\n")
        end = rest.rfind(b"\n") + 1
        if end:
            yield rest[:end]
        elif len(rest) > _LONGEST_LINE:
            raise ValueError(f"a line is longer than {_LONGEST_LINE:,} bytes: it is no text.")
        rest = rest[end:] + more
    if rest:
        yield rest


def _header_of(lines: list[bytes]) -> re.Match[bytes] | None:
    """The first line where it is two whole numbers, and the next is not of two fields as well."""
    header = HEADER.fullmatch(lines[0])
    if not header or (len(lines) > 1 and len(lines[1].split()) == 2 and int(header[2]) != 1):
        return None
    return header


def _layout(lines: list[bytes], first: int) -> tuple[bytes, int]:
    """The separator, and the most frequent number of numbers at the end of a line."""
    by_spaces, by_commas = (
        Counter(_numbers_at_the_end(fields) for fields in cut)
        for cut in ((line.split() for line in lines), (line.split(b",") for line in lines))
    )
    del by_spaces[0], by_commas[0]
    spaces, commas = (c.most_common(1)[0][0] if c else 0 for c in (by_spaces, by_commas))
    if commas >= 2 and commas > spaces:
        return b",", commas
    if not spaces:
        shown = lines[0][:40].decode("utf-8", "replace") if lines else ""
        raise ValueError(f"line {first} must be a word and its numbers; got {shown!r}.")
    return b" ", spaces


def _numbers_at_the_end(fields: list[bytes]) -> int:
    """How many of the last fields are numbers, the first field not counted."""
    numbers = 0
    while numbers < len(fields) - 1 and is_number(fields[-1 - numbers]):
        numbers += 1
    return numbers


def is_number(field: bytes) -> bool:
    """Whether Python reads it as a number; underscores, its own spelling, do not count."""
    try:
        float(field)
    except ValueError:
        return False
    return b"_" not in field


def _names_of_columns(line: bytes, dimensions: int) -> bool:
    """Whether a first line of CSV holds no vector: names, or 0, 1, 2, … as pandas writes them."""
    fields = line.split(b",")[-dimensions:]
    numbers = [float(field) for field in fields if is_number(field)]
    counted = [list(range(first, first + dimensions)) for first in (0, 1)]
    return len(fields) == dimensions and (not numbers or numbers in counted)


def parsed(lines: list[bytes], first: int, findings: Findings, separator: bytes = b" ") -> Rows:
    """The rows of these lines: the usual ones together, then the others, all in their order."""
    between = findings.dimensions - 1
    numbers, words, rests = [], [], []
    odd = []
    for number, line in enumerate(lines, first):
        word, _, rest = line.partition(separator)
        if rest and rest.count(separator) == between:
            numbers.append(number)
            words.append(word)
            rests.append(rest)
        else:
            odd.append(number)
    vectors = _usual(rests, findings.dimensions, separator)
    if vectors is None:  # one of them is faulty
        numbers, words, rests, odd = [], [], [], list(range(first, first + len(lines)))
        vectors = np.empty((0, findings.dimensions))
    singles = []
    for number in odd:
        word, vector = careful(lines[number - first], number, findings, separator)
        if vector is not None:
            numbers.append(number)
            words.append(word)
            singles.append(vector)
    if separator == b",":
        words = [_unquoted(word) for word in words]
    if not singles:
        return Rows(np.array(numbers, np.int64), words, vectors)
    order = np.argsort(np.array(numbers, np.int64))
    together = np.concatenate([vectors, *singles])
    return Rows(np.array(numbers, np.int64)[order], [words[i] for i in order], together[order])


def _usual(rests: list[bytes], dimensions: int, separator: bytes) -> Floats | None:
    """Lines of numbers with one separator between, (n, d); None if any of them is not that."""
    if not rests:
        return np.empty((0, dimensions))
    try:
        vectors: Floats = np.loadtxt(
            rests, np.float64, comments=None, delimiter=separator.decode(), ndmin=2
        )
    except ValueError:
        return None
    return vectors if vectors.shape == (len(rests), dimensions) else None


def careful(
    line: bytes, number: int, findings: Findings, separator: bytes = b" "
) -> tuple[bytes, Floats | None]:
    """A word and its vector (1, d), or a fault noted and no vector."""
    if separator == b" ":
        line = _SPACES.sub(b" ", line).rstrip(b" ")
    if not line:
        findings.drop(EMPTY_LINE, number)
        return b"", None
    fields = line.rsplit(separator, findings.dimensions)
    word = fields[0]
    *before, last = word.split(separator)
    quoted = separator == b"," and len(word) > 1 and word[:1] == word[-1:] == b'"'
    if len(fields) <= findings.dimensions or (
        before and not quoted and (separator == b"," or is_number(last))
    ):
        findings.drop(WRONG_LENGTH, number)
        return b"", None
    vector = _usual([separator.join(fields[1:])], findings.dimensions, separator)
    if vector is None:
        findings.drop(NOT_A_NUMBER, number)
    return word, vector


def _unquoted(word: bytes) -> bytes:
    if len(word) > 1 and word[:1] == word[-1:] == b'"':
        return word[1:-1].replace(b'""', b'"')
    return word
