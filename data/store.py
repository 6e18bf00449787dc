"""Finished results on disk: named arrays and where they come from, a folder a result.

    <cache folder>/<kind>-<fingerprint>/provenance.json, <name>.npy, …

The fingerprint is a hash of all that the result depends on, so a result never changes: it is there,
complete, or it is not. It is written into a folder of another name, beside its place, brought to
the disk, and renamed. Renaming is one step, and refused where the result is already there, so any
number of processes may write the same result at once; one succeeds, the others find theirs
superfluous, and a reader sees all of it or nothing. What a killed process leaves has a name that is
never read, and is removed by a later writer.

Arrays are opened memory-mapped and read-only, and nothing is ever pickled. The cache folder is
`WORDVEIL_CACHE`, or `wordveil` in the user's cache folder. It may be removed at any time.
Nothing that depends on a visitor's text belongs here.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import platformdirs
from numpy.typing import NDArray

_UNFINISHED = ".unfinished-"

# Writing takes seconds; what is older than this was left by a process that died.
_LEFT_BEHIND_AFTER = 3600.0

_KIND = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_FINGERPRINT = re.compile(r"[0-9a-f]{32}")
_NAME = re.compile(r"[a-z][a-z0-9_]*")  # lower case: some file systems fold it


class Result(NamedTuple):
    """Arrays by name, memory-mapped and read-only, and where they come from."""

    arrays: Mapping[str, NDArray[Any]]
    provenance: Mapping[str, Any]


def folder() -> Path:
    """Where results are kept; it need not exist."""
    chosen = os.environ.get("WORDVEIL_CACHE")
    return Path(chosen) if chosen else platformdirs.user_cache_path("wordveil", appauthor=False)


def fingerprint(*parts: str) -> str:
    """A hash of texts in their order, 32 hexadecimal digits."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little"))  # says where a part ends
        digest.update(encoded)
    return digest.hexdigest()


def read(kind: str, fingerprint: str) -> Result | None:
    """The result of this kind and fingerprint, or None if it is not there.

    A result that something else has damaged (a file cut short or missing) is removed, so that it
    can be computed again.

    Raises
    ------
    OSError
        If the folder exists and cannot be read.

    """
    place = _place(kind, fingerprint)
    if not place.is_dir():
        return None
    try:
        record = json.loads((place / "provenance.json").read_bytes())
        arrays = {
            name: np.load(place / f"{name}.npy", mmap_mode="r", allow_pickle=False)
            for name in record["arrays"]
        }
        if {name: _shape(array) for name, array in arrays.items()} == record["arrays"]:
            return Result(arrays, record["provenance"])
    except (FileNotFoundError, ValueError, EOFError, KeyError, TypeError):
        pass
    except OSError as error:
        raise OSError(f"Store: cannot read {place} ({error.strerror}).") from error
    _remove_damaged(place)
    return None


def write(
    kind: str,
    fingerprint: str,
    arrays: Mapping[str, NDArray[Any]],
    provenance: Mapping[str, Any],
) -> None:
    """Keep a result. Where it is there already, nothing changes.

    Parameters
    ----------
    kind
        What it is: lower-case words and digits with hyphens between.
    fingerprint
        Of all that it depends on: see `fingerprint`.
    arrays
        Any number of arrays, of any type but Python objects, by lower-case names.
    provenance
        What a person wants to know of it; anything that JSON can hold.

    Raises
    ------
    ValueError
        For a kind, fingerprint, name, array or provenance that cannot be kept.
    OSError
        If the folder cannot be written or is full. Nothing is left there; the caller can go on
        with the arrays that it has.

    """
    place = _place(kind, fingerprint)
    for name, array in arrays.items():
        if not _NAME.fullmatch(name):
            raise ValueError(f"Store: an array's name must be like `mean_2`; got {name!r}.")
        if array.dtype.hasobject:
            raise ValueError(f"Store: arrays of Python objects cannot be kept; {name} is one.")
    shapes = {name: _shape(array) for name, array in arrays.items()}
    record = {"arrays": shapes, "provenance": dict(provenance)}
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1)

    unfinished = place.with_name(f"{_UNFINISHED}{secrets.token_hex(8)}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _remove_left_behind(place.parent)
        unfinished.mkdir()
        for name, array in arrays.items():
            with open(unfinished / f"{name}.npy", "xb") as file:
                np.save(file, array, allow_pickle=False)
                file.flush()
                os.fsync(file.fileno())
        with open(unfinished / "provenance.json", "xb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        _folder_to_disk(unfinished)
        try:
            unfinished.rename(place)
        except OSError:
            if not place.is_dir():
                raise
        _folder_to_disk(place.parent)
    except OSError as error:
        raise OSError(
            f"Store: cannot write to {place.parent} ({error.strerror or error}); set "
            "WORDVEIL_CACHE to a folder with room."
        ) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _place(kind: str, fingerprint: str) -> Path:
    if not _KIND.fullmatch(kind):
        raise ValueError(f"Store: a kind must be like `path-2`; got {kind!r}.")
    if not _FINGERPRINT.fullmatch(fingerprint):
        raise ValueError(f"Store: a fingerprint has 32 hexadecimal digits; got {fingerprint!r}.")
    return folder().absolute() / f"{kind}-{fingerprint}"


def _shape(array: NDArray[Any]) -> list[Any]:
    """Type and shape as JSON gives them back."""
    return [str(array.dtype), list(array.shape)]


def _remove_damaged(place: Path) -> None:
    """First out of sight, in one step."""
    aside = place.with_name(f"{_UNFINISHED}{secrets.token_hex(8)}")
    try:
        place.rename(aside)
    except OSError:  # another reader was first, or the folder is read-only
        return
    shutil.rmtree(aside, ignore_errors=True)


def _remove_left_behind(kept: Path) -> None:
    for unfinished in kept.glob(f"{_UNFINISHED}*"):
        try:
            age = time.time() - unfinished.stat().st_mtime
        except OSError:  # just renamed or removed
            continue
        if age > _LEFT_BEHIND_AFTER:
            shutil.rmtree(unfinished, ignore_errors=True)


def _folder_to_disk(place: Path) -> None:
    """Make the names in a folder last, where the system lets a folder be opened (not Windows)."""
    if os.name != "posix":
        return
    descriptor = os.open(place, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
