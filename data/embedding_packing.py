"""Packed files: gzip and zip, unpacked while they are read, with a count of the bytes.

The sizes in the headers of a packed file are its author's word, so bytes are counted as they come.
Whatever a decompressor raises means that the file is damaged.
"""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any, BinaryIO

from data.embedding_source import Limits, Progress, Source

BLOCK = 8 << 20
"""Bytes read at once."""

ZIP, GZIP = b"PK\x03\x04", b"\x1f\x8b"

# Numbers as text pack to a half or a third; vectors of zeros and ones to a fiftieth.
_MOST_RATIO = 100

_BESIDE_FILES = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")

NPZ = (
    "it is an archive of numpy (npz), and does not say which array holds the words. In Python, "
    "with the names of your arrays: `import numpy, pathlib; a = numpy.load('mine.npz'); "
    "numpy.save('mine.npy', a['vectors']); "
    "pathlib.Path('mine.txt').write_bytes('\\n'.join(a['words']).encode())`. Then bring "
    "`mine.npy` and `mine.txt`."
)
PICKLE = (
    "it is a pickle, which may run any program when it is opened, and is not. Save the vectors as "
    "word2vec text: in gensim, `vectors.save_word2vec_format('mine.txt')`."
)


class Stream:
    """Bytes as they are unpacked, counted; `read` gives fewer than asked only at the end."""

    def __init__(
        self, raw: Any, most: int, why: str, tell: Callable[[], None], packed: bool
    ) -> None:
        """`raw` is read up to `most` bytes; more are refused for the reason `why`."""
        self._raw, self._left, self._why, self._tell = raw, most, why, tell
        self._packed = packed

    def read(self, size: int) -> bytes:
        """The next bytes."""
        parts: list[bytes] = []
        while size > 0 and (part := self._part(min(size, BLOCK))):
            self._left -= len(part)
            if self._left < 0:
                raise ValueError(self._why)
            parts.append(part)
            size -= len(part)
            self._tell()
        return b"".join(parts)

    def _part(self, size: int) -> bytes:
        if not self._packed:
            part: bytes = self._raw.read(size)
            return part
        with damage():
            part = self._raw.read(size)
            return part


@contextmanager
def damage() -> Iterator[None]:
    """Whatever fails while something is unpacked, as a ValueError.

    Decompressors and `zipfile` raise a dozen classes for damaged bytes: `LZMAError`, `OSError`,
    `struct.error`, `NotImplementedError` …
    """
    try:
        yield
    except MemoryError:
        raise
    except (RuntimeError, NotImplementedError) as error:  # a password, an unusual packing
        raise ValueError(f"it cannot be unpacked ({error}).") from error
    except Exception as error:
        raise ValueError(f"it is damaged ({str(error).rstrip('.') or 'it ends early'}).") from error


@contextmanager
def unpacked(source: Source, limits: Limits, progress: Progress | None) -> Iterator[Stream]:
    """A source's bytes: of the file, or of the one inside."""
    with source.open() as file:
        size = file.seek(0, io.SEEK_END)
        file.seek(0)
        mark = file.read(4)
        file.seek(0)
        most, why = (
            limits.bytes,
            f"it has more than {limits.bytes / 1e9:g} GB, the most taken here.",
        )
        packed = mark == ZIP or mark.startswith(GZIP)
        if packed and _MOST_RATIO * size + BLOCK < most:
            most = _MOST_RATIO * size + BLOCK
            why = f"it unpacks to more than {_MOST_RATIO} times its size, as no embedding does."

        def tell() -> None:
            if progress:
                progress(min(file.tell(), size), size)

        if mark == ZIP:
            with damage():
                archive = zipfile.ZipFile(file)
            with archive:
                member = source.member or _only_member(archive)
                with damage():
                    inside = archive.open(member)
                with inside:
                    yield Stream(inside, most, why, tell, packed)
        elif packed:
            with gzip.GzipFile(fileobj=file) as inside_gzip:
                yield Stream(inside_gzip, most, why, tell, packed)
        else:
            yield Stream(file, most, why, tell, packed)


def members(file: BinaryIO) -> list[str]:
    """The files inside a zip that may be embeddings or words; none where it is no zip."""
    file.seek(0)
    if file.read(4) != ZIP:
        return []
    file.seek(0)
    with damage():
        archive = zipfile.ZipFile(file)
    with archive:
        return _content(archive)


def _content(archive: zipfile.ZipFile) -> list[str]:
    """Names without folders, and without what systems add: a Mac's `__MACOSX`, `._` and others."""
    names = []
    for entry in archive.infolist():
        parts = PurePosixPath(entry.filename).parts
        if entry.is_dir() or not parts or parts[-1].startswith("._"):
            continue
        if not any(part in _BESIDE_FILES for part in parts):
            names.append(entry.filename)
    if any(name.endswith(".pkl") for name in names):
        raise ValueError(PICKLE)
    if len(names) > 1 and all(name.endswith(".npy") for name in names):
        raise ValueError(NPZ)
    return names


def _only_member(archive: zipfile.ZipFile) -> str:
    names = _content(archive)
    if len(names) != 1:
        raise ValueError(f"the zip must hold one file; it holds {len(names)}.")
    return names[0]
