"""numpy's arrays: `name.npy`, numbers (words, d), and `name.txt` beside it, a word a line."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from data import embedding_packing as packing
from data.embedding_packing import Stream, unpacked
from data.embedding_source import Findings, Limits, Rows, Source, checked_dimensions

_MOST_WORD_BYTES = 1 << 29  # of a file of words alone


def array_rows(
    head: bytes, stream: Stream, source: Source, limits: Limits, findings: Findings
) -> Iterator[Rows]:
    """The rows of an array whose file begins with `head`, with the words of `source.words`."""
    if source.words is None:
        raise ValueError("an array needs its words beside it, one a line, in a file of text.")
    lines = _listed(source.words, limits)
    start = io.BytesIO(head)
    shape, by_column, kind = _array_header(start)
    if kind.hasobject:
        raise ValueError("it holds a pickle, which may run any program, and is not opened.")
    if len(shape) != 2 or kind.kind not in "fiu" or kind.itemsize > 8:
        raise ValueError(f"it must hold numbers (words, d); it holds {kind} {shape}.")
    findings.dimensions = checked_dimensions(int(shape[1]), "it holds")
    if shape[0] != len(lines):
        raise ValueError(
            f"it holds {shape[0]:,} vectors and {source.words.name} {len(lines):,} words; nobody "
            "can say which belongs to which."
        )
    findings.format = f"numpy ({kind})"
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
    together = max(2, packing.BLOCK // (kind.itemsize * shape[1]))
    for first in range(0, len(lines), together):
        last = min(first + together, len(lines))
        if whole is None:
            block = numbers((last - first) * shape[1]).reshape(-1, shape[1])
        else:
            block = whole[first:last]
        exact = np.float32 if kind.kind == "f" and kind.itemsize <= 4 else np.float64
        yield Rows(np.arange(first + 1, last + 1), lines[first:last], block.astype(exact))


def _listed(source: Source, limits: Limits) -> list[bytes]:
    """The words of a file, one a line."""
    few = limits._replace(bytes=min(limits.bytes, _MOST_WORD_BYTES))
    with unpacked(source, few, None) as listed:
        words = b"".join(iter(lambda: listed.read(packing.BLOCK), b""))
    if words.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in words:
        raise ValueError(f"{source.name}, its words, is UTF-16 or no text; save it as UTF-8.")
    words = words.removeprefix(b"\xef\xbb\xbf")
    if b"\n" not in words:
        words = words.replace(b"\r", b"\n")
    return [word.removesuffix(b"\r") for word in words.removesuffix(b"\n").split(b"\n")]


def _array_header(file: BinaryIO) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    readers = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    try:
        version = np.lib.format.read_magic(file)
        if version in readers:
            return readers[version](file)
    except Exception as error:  # tokenize.TokenError, SyntaxError, TypeError, … of a damaged one
        raise ValueError(
            "its header is damaged; write the array again with `numpy.save('mine.npy', vectors)`."
        ) from error
    raise ValueError(f"it is of version {version} of numpy's format; it must be 1.0 or 2.0.")
