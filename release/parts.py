"""The folder of an unfinished run: its pieces, what they belong to, and what happened to them.

    out.csv.parts/manifest.json    the file that came in, by its hash, and all settings but the seed
    out.csv.parts/000017.part      the rows of a piece, encoded as they will be in the file
    out.csv.parts/000017.json      length and hash of that piece, and what happened to its tokens

A file is written under another name and renamed, so it is complete or missing. It is still checked:
a piece without its length and hash is drawn again, and a manifest that cannot be read is refused.
The hash of the input makes the folder as private as the input.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

# A place that cannot be used as it is; all other errors may be gone when the command is repeated.
_UNUSABLE = {
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EEXIST,
    errno.EISDIR,
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ENAMETOOLONG,
    errno.EINVAL,
}


class Refused(ValueError):
    """The output belongs to another file or to other settings, or cannot be used."""


class Damaged(RuntimeError):
    """A finished piece differs from the piece that was written."""


class Parts:
    """The folder of one output."""

    def __init__(self, folder: Path) -> None:
        """Name the folder, without making it."""
        self.folder = folder

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder; a process that dies releases it."""
        with usable(self.folder):
            self.folder.mkdir(exist_ok=True)
        lock = FileLock(self.folder / "lock", timeout=0)
        try:
            with usable(self.folder):
                lock.acquire()
        except Timeout:
            raise OSError(
                f"Output: another process is using {self.folder}. Wait until it ends, or choose "
                "another output."
            ) from None
        try:
            yield
        finally:
            lock.release()

    def begin(self, belongs: dict[str, dict[str, Any]]) -> None:
        """Write what the pieces belong to, or check that it is the same.

        Raises
        ------
        Refused
            If it is not the same, or cannot be known.

        """
        manifest = self.folder / "manifest.json"
        if not manifest.exists():
            if any(self.folder.glob("*.part")):
                raise Refused(self._damaged("holds pieces of a run that no manifest names"))
            keep(manifest, json.dumps(belongs, indent=1).encode())
            return
        there = _read(manifest)
        whole = isinstance(there, dict) and all(isinstance(each, dict) for each in there.values())
        if not whole:
            raise Refused(self._damaged("holds a manifest.json that is damaged"))
        changed = [
            f"{part}: {name}"
            for part, now in belongs.items()
            for name in now
            if there.get(part, {}).get(name) != now[name]
        ]
        if changed:
            raise Refused(
                f"Output: {self.folder} holds an unfinished run that differs from this one "
                f"({'; '.join(changed)}). Repeat the command of that run to continue it, or remove "
                "the folder to start again."
            )

    def _damaged(self, what: str) -> str:
        return (
            f"Output: {self.folder} {what}. Nothing was released. Remove the folder; the same "
            "command then starts again."
        )

    def finished(self) -> dict[int, dict[str, Any]]:
        """Rows and hash of each complete piece, by its number; other pieces are removed."""
        whole = {}
        for part in sorted(self.folder.glob("*.part")):
            record = _read(part.with_suffix(".json"))
            if part.stem.isdecimal() and _belongs(record, part):
                whole[int(part.stem)] = {"rows": record["rows"], "sha256": record["sha256"]}
            else:
                part.unlink(missing_ok=True)
        return whole

    def keep(self, number: int, data: bytes, record: dict[str, Any]) -> None:
        """Write a piece and what happened to it."""
        record = record | {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        keep(self.folder / f"{number:06}.json", json.dumps(record).encode())
        keep(self.folder / f"{number:06}.part", data)

    def record(self, number: int) -> Any:
        """The record of a piece."""
        return _read(self.folder / f"{number:06}.json")

    def data(self, number: int) -> bytes:
        """The rows of a piece, encoded.

        Raises
        ------
        Damaged
            If the piece was changed after it was checked.

        """
        part = self.folder / f"{number:06}.part"
        data, record = part.read_bytes(), self.record(number)
        if not record or hashlib.sha256(data).hexdigest() != record["sha256"]:
            raise Damaged(f"Output: {part} is damaged. The same command draws that piece again.")
        return data

    def remove(self) -> Path | None:
        """Remove the folder; returns it if that failed."""
        shutil.rmtree(self.folder, ignore_errors=True)
        return self.folder if self.folder.exists() else None


def sha256(place: Path) -> str:
    """The hash of a file, in hexadecimal digits."""
    with place.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def keep(place: Path, data: bytes) -> None:
    """Write a file so that it is complete or missing."""
    unfinished = place.with_name(place.name + ".unfinished")
    with whole_or_nothing(unfinished), unfinished.open("wb") as file:
        file.write(data)
        to_disk(file)
    unfinished.replace(place)


@contextmanager
def whole_or_nothing(unfinished: Path) -> Iterator[None]:
    """Remove a file that could not be written to its end, and raise an error with a way out."""
    try:
        yield
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise OSError(
            f"Output: cannot write to {unfinished.parent} ({error.strerror or error}). Finished "
            "pieces are kept: once it can be written to, the same command continues the run."
        ) from error


@contextmanager
def usable(place: Path) -> Iterator[None]:
    """Refuse a place that cannot be written as it is."""
    try:
        yield
    except OSError as error:
        if error.errno not in _UNUSABLE:
            raise
        raise Refused(
            f"Output: {place} cannot be written ({error.strerror}). Choose another place."
        ) from None


def to_disk(file: Any) -> None:
    """Wait until what was written is on the disk."""
    file.flush()
    os.fsync(file.fileno())


def _read(place: Path) -> Any:
    """A JSON file; None if it cannot be read."""
    try:
        return json.loads(place.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def _belongs(record: Any, part: Path) -> bool:
    """Whether a piece has the length and the hash of its record."""
    if not isinstance(record, dict) or not isinstance(record.get("rows"), int):
        return False
    return record.get("bytes") == part.stat().st_size and record.get("sha256") == sha256(part)
