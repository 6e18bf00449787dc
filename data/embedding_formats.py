"""Readers of embedding files: what the tools of the field write, as blocks of words and vectors.

GloVe's text        a line a word: the word, then its d numbers, one space between
word2vec's text     the same after a line with the number of words and d; fastText's `.vec` too
word2vec's binary   that line, then each word, a space, and d little-endian 32-bit numbers
numpy               `name.npy`, an array (words, d), and `name.txt` beside it, a word a line

Each of them may be packed with gzip or zip. What a file is, is read from its bytes and not from its
name. Nothing is unpickled: a pickle can run any program that its author likes.

A line is cut at its last d spaces, since words may hold spaces (GloVe's 840B has `. . .`). Lines of
the usual shape, one space before every number, are read by the hundreds in numpy's own parser; the
others one by one, in the same parser. d is what most of the first lines say, whatever the header
says. Faults of single lines are counted (`Findings`); a file that is no embedding is refused with a
ValueError that says the line and the reason.

Sizes are counted while bytes come in: the headers of a packed file are its author's word.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

_BLOCK = 8 << 20  # bytes read at once
_HEAD = _BLOCK  # bytes that say what a file is; they hold one line at least
_LONGEST_LINE = 4 << 20  # bytes; 100,000 numbers of forty characters
_LONGEST_WORD = 4096  # bytes, in a binary file: where no word ends there is none
_MOST_WORD_BYTES = 1 << 29  # of a file of words alone
_ROWS = 8192  # rows of one block of a binary file
_MOST_DIMENSIONS = 100_000
_SAMPLE = 1000  # lines that say what d is
_FIRST_LINES = 5  # kept of each fault

# Numbers as text pack to a half or a third; vectors of zeros and ones to a fiftieth.
_MOST_RATIO = 100

_ZIP, _GZIP, _NUMPY = b"PK\x03\x04", b"\x1f\x8b", b"\x93NUMPY"
_REFUSED = {
    b"\x89PNG": "it is a picture (PNG)",
    b"\xff\xd8\xff": "it is a picture (JPEG)",
    b"%PDF": "it is a PDF document",
    b"\x89HDF": "it is an HDF5 file; save the vectors as word2vec text",
    b"PAR1": "it is a Parquet table; save the vectors as word2vec text",
    b"\xba\x16\x4f\x2f": "it is fastText's own binary model; take the `.vec` file beside it",
    b"\xff\xfe": "it is UTF-16; save it as UTF-8",
    b"\xfe\xff": "it is UTF-16; save it as UTF-8",
}
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
_SPACES = re.compile(rb" {2,}")
_CONTROL = re.compile(r"[\0-\x08\x0e-\x1f]")
_HEADER = re.compile(rb"(\d{1,12}) +(\d{1,12}) *\r?\n?")

WRONG_LENGTH = "wrong length"
NOT_A_NUMBER = "not a number"
EMPTY_LINE = "empty line"
CUT_OFF = "cut off by the end of the file"

Vectors = NDArray[np.float32]


class Limits(NamedTuple):
    """What a file may hold at most: bytes, unpacked, and rows."""

    bytes: int
    rows: int


class Source(NamedTuple):
    """An embedding in a file: its name, how to open the file, and where in it to look."""

    name: str
    open: Callable[[], BinaryIO]
    """Opens the file as it lies there, packed or not; it can be rewound."""
    member: str | None = None
    """The file inside, where it is a zip with several."""
    words: Source | None = None
    """The words of an array."""


class Rows(NamedTuple):
    """Some rows: their line numbers (n,) from 1, words as bytes, and vectors (n, d)."""

    lines: NDArray[np.int64]
    words: Sequence[bytes]
    vectors: Vectors


@dataclass
class Fault:
    """How often something was wrong, and the first lines where it was."""

    count: int = 0
    lines: list[int] = field(default_factory=list)

    def add(self, line: int) -> None:
        """One more."""
        self.count += 1
        if len(self.lines) < _FIRST_LINES:
            self.lines.append(line)


@dataclass
class Findings:
    """What a reader learns of a file beside its rows, complete once the rows are read."""

    format: str = ""
    dimensions: int = 0
    header: str = "none"
    rows: int = 0
    dropped: dict[str, Fault] = field(default_factory=dict)
    """Rows that no vector could be read from."""

    def drop(self, reason: str, line: int) -> None:
        """A row that is left out."""
        self.dropped.setdefault(reason, Fault()).add(line)


Progress = Callable[[int, int], None]
"""Called with the bytes of the file that were read, and of how many; an exception ends the work."""


def members(file: BinaryIO) -> list[str]:
    """The files inside a zip, without folders; none where it is no zip."""
    file.seek(0)
    if file.read(4) != _ZIP:
        return []
    file.seek(0)
    with _reasons("The file"), zipfile.ZipFile(file) as packed:
        inside = [entry.filename for entry in packed.infolist() if not entry.is_dir()]
    # What Macs add to every archive.
    return [name for name in inside if not name.startswith("__MACOSX/")]


def rows(
    source: Source, limits: Limits, findings: Findings, progress: Progress | None = None
) -> Iterator[Rows]:
    """All rows of a source, block by block; `findings` is filled meanwhile.

    Raises
    ------
    ValueError
        Where it is no embedding, is a pickle, is damaged, or passes a limit: the line and why.

    """
    with _reasons(source.name), _unpacked(source, limits, progress) as stream:
        head = stream.read(_HEAD)
        if not head:
            raise ValueError("it is empty.")
        for mark, what in _REFUSED.items():
            if head.startswith(mark):
                raise ValueError(f"{what}.")
        if head.startswith((_ZIP, _GZIP)):
            raise ValueError("it is packed twice; unpack it once.")
        if _PICKLE.match(head):
            raise ValueError(
                "it is a pickle, which may run any program when it is opened, and is not. Save "
                "the vectors as word2vec text: in gensim, `vectors.save_word2vec_format(…)`."
            )
        if head.startswith(_NUMPY):
            blocks = _numpy(head, stream, source, limits, findings)
        else:
            head = head.removeprefix(b"\xef\xbb\xbf")
            header = _HEADER.fullmatch(head[: head.find(b"\n") + 1])
            if header and _is_binary(head[header.end() :]):
                blocks = _binary(head[header.end() :], stream, header, findings)
            else:
                blocks = _text(head, stream, findings)
        for block in blocks:
            findings.rows += len(block.words)
            if findings.rows > limits.rows:
                raise ValueError(f"it has more than {limits.rows:,} rows, the most taken here.")
            yield block
        findings.rows += sum(fault.count for fault in findings.dropped.values())


# ----------------------------------------------------------------------------------------- packing


class _Stream:
    """Bytes as they are unpacked, counted; `read` gives fewer than asked only at the end."""

    def __init__(self, raw: Any, most: int, why: str, tell: Callable[[], None]) -> None:
        self._raw, self._left, self._why, self._tell = raw, most, why, tell

    def read(self, size: int) -> bytes:
        parts: list[bytes] = []
        while size > 0 and (part := self._raw.read(min(size, _BLOCK))):
            self._left -= len(part)
            if self._left < 0:
                raise ValueError(self._why)
            parts.append(part)
            size -= len(part)
            self._tell()
        return b"".join(parts)


@contextmanager
def _unpacked(source: Source, limits: Limits, progress: Progress | None) -> Iterator[_Stream]:
    with source.open() as file:
        size = file.seek(0, io.SEEK_END)
        file.seek(0)
        mark = file.read(4)
        file.seek(0)
        most, why = (
            limits.bytes,
            f"it has more than {limits.bytes / 1e9:g} GB, the most taken here.",
        )
        packs = mark == _ZIP or mark.startswith(_GZIP)
        if packs and _MOST_RATIO * size + _BLOCK < most:
            most = _MOST_RATIO * size + _BLOCK
            why = f"it unpacks to more than {_MOST_RATIO} times its size, as no embedding does."

        def tell() -> None:
            if progress:
                progress(min(file.tell(), size), size)

        if mark == _ZIP:
            packed = zipfile.ZipFile(file)
            with packed, packed.open(source.member or _only_member(packed)) as inside:
                yield _Stream(inside, most, why, tell)
        elif mark.startswith(_GZIP):
            with gzip.GzipFile(fileobj=file) as inside:
                yield _Stream(inside, most, why, tell)
        else:
            yield _Stream(file, most, why, tell)


def _only_member(packed: zipfile.ZipFile) -> str:
    inside = [entry.filename for entry in packed.infolist() if not entry.is_dir()]
    if len(inside) != 1:
        raise ValueError(f"the zip must hold one file; it holds {len(inside)}.")
    return inside[0]


@contextmanager
def _reasons(name: str) -> Iterator[None]:
    """Every way in which a file can be damaged, as a ValueError that names it."""
    try:
        yield
    except (zipfile.BadZipFile, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise ValueError(f"{name}: it is damaged ({error}).") from error
    except (RuntimeError, NotImplementedError) as error:  # a password, an unusual packing
        raise ValueError(f"{name}: it cannot be unpacked ({error}).") from error
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


# -------------------------------------------------------------------------------------------- text


def _text(head: bytes, stream: _Stream, findings: Findings) -> Iterator[Rows]:
    """A word and its numbers a line."""
    header: re.Match[bytes] | None = None
    line = 1
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
            findings.dimensions = _dimensions(lines[:_SAMPLE], line)
            findings.format = (
                "text, with a header (word2vec, fastText)" if header else "text (GloVe)"
            )
        yield _parsed(lines, line, findings)
        line += len(lines)
    if header:
        findings.header = _compared(header, line - 2, findings.dimensions)


def _whole_lines(rest: bytes, stream: _Stream) -> Iterator[bytes]:
    """Blocks that end where a line ends, or the file."""
    while more := stream.read(_BLOCK):
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
    header = _HEADER.fullmatch(lines[0])
    if not header or (len(lines) > 1 and len(lines[1].split()) == 2 and int(header[2]) != 1):
        return None
    return header


def _dimensions(lines: list[bytes], first: int) -> int:
    """The most frequent number of numbers at the end of a line, its first field not counted."""
    counts: Counter[int] = Counter()
    for line in lines:
        fields = line.split()
        numbers = 0
        while numbers < len(fields) - 1 and _is_number(fields[-1 - numbers]):
            numbers += 1
        counts[numbers] += 1
    counts.pop(0, None)
    if not counts:
        shown = lines[0][:40].decode("utf-8", "replace") if lines else ""
        raise ValueError(f"line {first} must be a word and its numbers; got {shown!r}.")
    return counts.most_common(1)[0][0]


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return b"_" not in field  # Python's own spelling of large numbers


def _parsed(lines: list[bytes], first: int, findings: Findings) -> Rows:
    """The rows of these lines: the usual ones together, then the others, all in their order."""
    spaces = findings.dimensions - 1
    numbers, words, rests = [], [], []
    odd = []
    for number, line in enumerate(lines, first):
        word, _, rest = line.partition(b" ")
        if rest and rest.count(b" ") == spaces:
            numbers.append(number)
            words.append(word)
            rests.append(rest)
        else:
            odd.append(number)
    vectors = _usual(rests, findings.dimensions)
    if vectors is None:  # one of them is faulty
        numbers, words, rests, odd = [], [], [], list(range(first, first + len(lines)))
        vectors = np.empty((0, findings.dimensions), np.float32)
    if not odd:
        return Rows(np.array(numbers, np.int64), words, vectors)
    singles = []
    for number in odd:
        word, vector = _careful(lines[number - first], number, findings)
        if vector is not None:
            numbers.append(number)
            words.append(word)
            singles.append(vector)
    order = np.argsort(np.array(numbers, np.int64))
    together = np.concatenate([vectors, *singles])
    return Rows(np.array(numbers, np.int64)[order], [words[i] for i in order], together[order])


def _usual(rests: list[bytes], dimensions: int) -> Vectors | None:
    """Lines of numbers with one space between, (n, d); None where any of them is not that."""
    if not rests:
        return np.empty((0, dimensions), np.float32)
    try:
        vectors = np.loadtxt(rests, np.float32, comments=None, delimiter=" ", ndmin=2)
    except ValueError:
        return None
    return vectors if vectors.shape == (len(rests), dimensions) else None


def _careful(line: bytes, number: int, findings: Findings) -> tuple[bytes, Vectors | None]:
    """A word and its vector (1, d), or a fault noted and no vector."""
    line = _SPACES.sub(b" ", line).rstrip(b" ")
    if not line:
        findings.drop(EMPTY_LINE, number)
        return b"", None
    fields = line.rsplit(b" ", findings.dimensions)
    word = fields[0]
    *before, last = word.split(b" ")
    if len(fields) <= findings.dimensions or (before and _is_number(last)):
        findings.drop(WRONG_LENGTH, number)
        return b"", None
    vector = _usual([b" ".join(fields[1:])], findings.dimensions)
    if vector is None:
        findings.drop(NOT_A_NUMBER, number)
    return word, vector


def _compared(header: re.Match[bytes], words: int, dimensions: int) -> str:
    """Whether a header tells the truth."""
    said = int(header[1]), int(header[2])
    if said == (words, dimensions):
        return "right"
    return (
        f"wrong: it says {said[0]:,} words of {said[1]:,} numbers, the file holds {words:,} of "
        f"{dimensions:,}"
    )


# ------------------------------------------------------------------------------------------ binary


def _is_binary(body: bytes) -> bool:
    """Whether what follows a header is no text: no line ends in a number, bytes are strange."""
    ends = (line.split()[-1:] for line in body.split(b"\n", 10)[:10])
    if not body or any(_is_number(field) for end in ends for field in end):
        return False
    try:
        letters = codecs.getincrementaldecoder("utf-8")().decode(body[:4096])
    except UnicodeDecodeError:
        return True
    return bool(_CONTROL.search(letters))


def _binary(
    rest: bytes, stream: _Stream, header: re.Match[bytes], findings: Findings
) -> Iterator[Rows]:
    """word2vec's binary: a word, a space, the numbers; some writers end each with a line break."""
    findings.format, findings.dimensions = "binary (word2vec)", int(header[2])
    if not 1 <= findings.dimensions <= _MOST_DIMENSIONS:
        raise ValueError(
            f"line 1 says {findings.dimensions:,} numbers a word; it must be 1 or more."
        )
    width = 4 * findings.dimensions
    words: list[bytes] = []
    numbers: list[bytes] = []
    at, row = 0, 0

    def together() -> Rows:
        vectors = np.frombuffer(b"".join(numbers), "<f4").reshape(-1, findings.dimensions)
        return Rows(np.arange(row - len(words) + 1, row + 1), tuple(words), vectors)

    while True:
        space = rest.find(b" ", at)
        if space < 0 or len(rest) < space + 1 + width:
            if space < 0 and len(rest) - at > _LONGEST_WORD:
                raise ValueError(f"row {row + 1} holds no word: it is no binary of word2vec.")
            if more := stream.read(_BLOCK):
                rest, at = rest[at:] + more, 0
                continue
            break
        row += 1
        words.append(rest[at:space].lstrip(b"\n"))
        numbers.append(rest[space + 1 : space + 1 + width])
        at = space + 1 + width
        if len(words) == _ROWS:
            yield together()
            words.clear()
            numbers.clear()
    if not row:
        raise ValueError("row 1 is cut off by the end of the file.")
    if words:
        yield together()
    if rest[at:].strip():
        findings.drop(CUT_OFF, row + 1)
    findings.header = _compared(header, row, findings.dimensions)


# ------------------------------------------------------------------------------------------- numpy


def _numpy(
    head: bytes, stream: _Stream, source: Source, limits: Limits, findings: Findings
) -> Iterator[Rows]:
    """An array (words, d) of numbers, and the file of words beside it."""
    if source.words is None:
        raise ValueError("an array needs its words beside it, one a line, in a file of text.")
    few = limits._replace(bytes=min(limits.bytes, _MOST_WORD_BYTES))
    with _unpacked(source.words, few, None) as listed:
        words = b"".join(iter(lambda: listed.read(_BLOCK), b"")).removeprefix(b"\xef\xbb\xbf")
    lines = [word.removesuffix(b"\r") for word in words.removesuffix(b"\n").split(b"\n")]
    start = io.BytesIO(head)
    shape, by_column, kind = _array_header(start)
    if kind.hasobject:
        raise ValueError("it holds a pickle, which may run any program, and is not opened.")
    if len(shape) != 2 or kind.kind not in "fiu" or not 1 <= shape[1] <= _MOST_DIMENSIONS:
        raise ValueError(f"it must hold numbers (words, d); it holds {kind} {shape}.")
    if shape[0] != len(lines):
        raise ValueError(
            f"it holds {shape[0]:,} vectors and {source.words.name} {len(lines):,} words; nobody "
            "can say which belongs to which."
        )
    findings.format = f"numpy ({kind})"
    findings.dimensions = shape[1]
    findings.header = "right"
    read = io.BytesIO(head[start.tell() :]).read

    def numbers(count: int) -> NDArray[Any]:
        size = count * kind.itemsize
        got = read(size)
        got += stream.read(size - len(got))
        if len(got) < size:
            raise ValueError(f"it is cut off: it says {shape[0]:,} vectors and holds fewer.")
        return np.frombuffer(got, kind)

    whole = numbers(shape[0] * shape[1]).reshape(shape, order="F") if by_column else None
    for first in range(0, len(lines), _ROWS):
        last = min(first + _ROWS, len(lines))
        if whole is None:
            block = numbers((last - first) * shape[1]).reshape(-1, shape[1])
        else:
            block = whole[first:last]
        with np.errstate(over="ignore"):  # what passes the largest float32 becomes infinite
            vectors = block.astype(np.float32)
        yield Rows(np.arange(first + 1, last + 1), lines[first:last], vectors)


def _array_header(file: BinaryIO) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = np.lib.format.read_magic(file)
    if version == (1, 0):
        return np.lib.format.read_array_header_1_0(file)
    if version == (2, 0):
        return np.lib.format.read_array_header_2_0(file)
    raise ValueError(f"it is of version {version} of numpy's format; it must be 1.0 or 2.0.")
