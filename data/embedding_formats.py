"""Readers of embedding files: what the tools of the field write, as blocks of words and vectors.

GloVe's text        a line a word: the word, then its d numbers, one space between
word2vec's text     the same after a line with the number of words and d; fastText's `.vec` too
CSV                 the same with commas, with or without a line of names
word2vec's binary   that line, then each word, a space, and d little-endian 32-bit numbers
numpy               `name.npy`, an array (words, d), and `name.txt` beside it, a word a line

Each of them may be packed with gzip or zip. What a file is, is read from its bytes and not from its
name. Nothing is unpickled: a pickle can run any program that its author likes. A format that is
known and not read is refused with the way to one that is.

Faults of single lines are counted (`Findings`); a file that is no embedding is refused with a
ValueError that says the line and the reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

from data import embedding_packing as packing
from data.embedding_arrays import array_rows
from data.embedding_binary import binary_rows, is_binary
from data.embedding_packing import GZIP, PICKLE, ZIP, unpacked
from data.embedding_source import Findings, Limits, Progress, Rows, Source
from data.embedding_text import HEADER, text_rows

_HEAD = packing.BLOCK  # bytes that say what a file is; they hold one line at least

_NUMPY = b"\x93NUMPY"
_UNPACK = "unpack it, or pack the file inside with gzip or zip"
_REFUSED = {
    b"\x89PNG": "it is a picture (PNG)",
    b"\xff\xd8\xff": "it is a picture (JPEG)",
    b"%PDF-": "it is a PDF document",
    b"\x89HDF": "it is an HDF5 file; save the vectors as word2vec text",
    b"PAR1": "it is a Parquet table; save the vectors as word2vec text",
    b"ARROW1": "it is an Arrow table; save the vectors as word2vec text",
    b"SQLite format 3\0": "it is a database (SQLite); save the vectors as word2vec text",
    b"\xba\x16\x4f\x2f": "it is fastText's own binary model; take the `.vec` file beside it",
    b"\xff\xfe": "it is UTF-16; save it as UTF-8",
    b"\xfe\xff": "it is UTF-16; save it as UTF-8",
    b"7z\xbc\xaf\x27\x1c": f"it is packed (7z); {_UNPACK}",
    b"\xfd7zXZ\0": f"it is packed (xz); {_UNPACK}",
    b"\x28\xb5\x2f\xfd": f"it is packed (zstd); {_UNPACK}",
    b"Rar!\x1a\x07": f"it is packed (rar); {_UNPACK}",
}
_BZIP = re.compile(rb"BZh[1-9]1AY&SY")
_TAR = slice(257, 262)
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
_JSON = re.compile(rb'\s*(?:\{\s*"(?:[^"\\\n]|\\.)*"\s*:|\[\s*[\[{]\s*["\d-])')

JSON = (
    "it is JSON. If it maps words to numbers, in Python: `import json, pathlib; d = "
    "json.loads(pathlib.Path('mine.json').read_bytes()); pathlib.Path('mine.txt').write_bytes("
    "''.join(f'{w} {\" \".join(map(str, v))}\\n' for w, v in d.items()).encode())`. "
    "Then bring `mine.txt`."
)
SAFETENSORS = (
    "it is safetensors, which holds no words. In Python, with the name of the tensor ({names}): "
    "`import numpy; from safetensors.numpy import load_file; numpy.save('mine.npy', "
    "load_file('mine.safetensors')['{name}'])`. Then bring `mine.npy` and `mine.txt`, its words, "
    "one a line."
)


def rows(
    source: Source, limits: Limits, findings: Findings, progress: Progress | None = None
) -> Iterator[Rows]:
    """All rows of a source, block by block; `findings` is filled meanwhile.

    Raises
    ------
    ValueError
        If it is no embedding, is a pickle, is damaged, or passes a limit: the line and why.

    """
    with _named(source.name), unpacked(source, limits, progress) as stream:
        head = stream.read(_HEAD)
        _refuse(head)
        if head.startswith(_NUMPY):
            blocks = array_rows(head, stream, source, limits, findings)
        else:
            head = head.removeprefix(b"\xef\xbb\xbf")
            header = HEADER.fullmatch(head[: head.find(b"\n") + 1])
            said = (int(header[1]), int(header[2])) if header else (0, 0)
            if header and is_binary(head[header.end() :], said[1]):
                blocks = binary_rows(head[header.end() :], stream, said, findings)
            else:
                blocks = text_rows(head, stream, findings)
        for block in blocks:
            findings.rows += len(block.words)
            if findings.rows > limits.rows:
                raise ValueError(f"it has more than {limits.rows:,} rows, the most taken here.")
            yield block
        findings.rows += sum(fault.count for fault in findings.dropped.values())


def _refuse(head: bytes) -> None:
    """A ValueError with the reason if a file that begins like this is not read."""
    if not head:
        raise ValueError("it is empty.")
    for mark, what in _REFUSED.items():
        if head.startswith(mark):
            raise ValueError(f"{what}.")
    if head.startswith((ZIP, GZIP)):
        raise ValueError("it is packed twice; unpack it once.")
    if head[_TAR] == b"ustar":
        raise ValueError(f"it is an archive (tar); {_UNPACK}.")
    if _BZIP.match(head):
        raise ValueError(f"it is packed (bzip2); {_UNPACK}.")
    if _PICKLE.match(head):
        raise ValueError(PICKLE)
    if head[8:9] == b"{" and 2 <= (size := int.from_bytes(head[:8], "little")) <= len(head) - 8:
        names = _tensors(head[8 : 8 + size])
        raise ValueError(SAFETENSORS.format(names=", ".join(names[:5]), name=names[0]))
    if _JSON.match(head[:10_000]):
        raise ValueError(JSON)


def _tensors(header: bytes) -> list[str]:
    """The names in a header of safetensors."""
    try:
        names = [name for name in json.loads(header) if name != "__metadata__"]
    except (ValueError, RecursionError):
        names = []
    return names or ["embeddings"]


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Every reason with the name of the file in front."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error
