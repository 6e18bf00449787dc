"""A file that is opened once, and released as it was then or not at all.

    with Source(Path("reviews.csv")) as source:
        how = layout(source.name, source)
        …
        source.check()          before anything has its final name

All readers share one open file, so a file that is moved over the name is never read. Device, inode,
size and time of the name are compared before the end, and so is the hash of every reading that went
from the first byte to the last: bytes that were read twice were the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import os
import stat
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, BinaryIO, Self

_BLOCK = 1 << 22
CHANGED = (
    "File: {} changed while it was read. Nothing was released. Run the command again when nobody "
    "writes to the file."
)


class Changed(ValueError):
    """The file is not the file that was opened."""


class Source:
    """One open file. Close it, or use it as a context.

    Raises
    ------
    ValueError
        For a folder, a pipe or another thing that cannot be read twice.
    OSError
        For a file that is missing or that may not be read.

    """

    def __init__(self, path: Path) -> None:
        """Open the file."""
        if not stat.S_ISREG(path.stat().st_mode):  # before it is opened: a pipe would wait
            raise ValueError(f"File: {path} must be a file on disk, not a folder or a pipe.")
        self.path, self.name = path, path.name
        self._file = path.open("rb")
        self._turn = Lock()
        self._as_opened = _state(os.fstat(self._file.fileno()))
        self._digest: str | None = None
        self._read_twice = False

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file; its views end with it."""
        self._file.close()

    @property
    def size(self) -> int:
        """Bytes of the file when it was opened."""
        return self._as_opened[2]

    @property
    def digest(self) -> str:
        """SHA-256 of all bytes, read at the first call and compared after every later reading."""
        if self._digest is None:
            self._digest = self._hash()
        return self._digest

    def view(self) -> BinaryIO:
        """The file from its first byte, with a separate position."""
        return io.BufferedReader(_View(self), 1 << 16)

    def check(self) -> None:
        """Compare the file with the file that was opened.

        Raises
        ------
        Changed
            If another file has its name, or if its size, time or bytes changed.

        """
        try:
            now = [_state(os.fstat(self._file.fileno())), _state(self.path.stat())]
        except OSError:
            raise Changed(CHANGED.format(self.path)) from None
        whole = self._read_twice or self._digest is None or self._hash() == self._digest
        if not whole or any(state != self._as_opened for state in now):
            raise Changed(CHANGED.format(self.path))

    def _at(self, place: int, count: int) -> bytes:
        with self._turn:
            self._file.seek(place)
            return self._file.read(count)

    def _was_read(self, digest: str) -> None:
        if self._digest is None:
            return
        if digest != self._digest:
            raise Changed(CHANGED.format(self.path))
        self._read_twice = True

    def _hash(self) -> str:
        digest, place = _new_hash(), 0
        while block := self._at(place, _BLOCK):
            digest.update(block)
            place += len(block)
        return digest.hexdigest()


class _View(io.RawIOBase):
    """A reader of a source; one that never leaps is hashed and compared at its end."""

    def __init__(self, source: Source) -> None:
        self._source, self._place = source, 0
        self._digest: Any = _new_hash()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = 0) -> int:
        start = (0, self._place, self._source.size)[whence]
        if start + offset != self._place:
            self._digest = None
        self._place = start + offset
        return self._place

    def readinto(self, buffer: Any) -> int:
        block = self._source._at(self._place, len(buffer))
        buffer[: len(block)] = block
        self._place += len(block)
        if self._digest is not None:
            self._digest.update(block)
            if not block and len(buffer):
                self._source._was_read(self._digest.hexdigest())
                self._digest = None
        return len(block)


Readable = Path | bytes | Source
"""A file on disk, all of its bytes, or a file that is open."""


def opened(source: Readable) -> BinaryIO:
    """The file, from its first byte."""
    if isinstance(source, Source):
        return source.view()
    return io.BytesIO(source) if isinstance(source, bytes) else source.open("rb")


def _new_hash() -> Any:
    return hashlib.sha256()


def _state(found: os.stat_result) -> tuple[int, int, int, int]:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
