"""Embeddings that are not part of the project: a folder's, for everyone, and a visitor's own.

    WORDVEIL_EMBEDDINGS=/data/vectors        # holds glove.6B.300d.txt, GoogleNews.bin.gz, …
    embeddings.load("glove.6B.300d.txt", 30_000)

A file is converted once: its words and vectors, as plain arrays, are then opened memory-mapped.
While it is read the vectors are written to a temporary file without a name, so that nothing is left
of a conversion that fails or is killed. What comes from the folder is then put into the cache by
`data.store`, under a fingerprint of the file's place and identity (device, inode, size and time): a
file that has changed is converted anew, and one that changes while it is read is refused. What a
visitor uploads stays in that nameless file and is gone with the session: it is kept alive by the
session alone (`Upload`), and found here by its content's fingerprint.
"""

from __future__ import annotations

import io
import os
import tempfile
import warnings
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import BinaryIO
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from data import store
from data.embedding_base import Embedding
from data.embedding_formats import rows
from data.embedding_health import Examination, Health
from data.embedding_packing import members
from data.embedding_source import Findings, Limits, Progress, Source, Vectors

# For uploads, and for files that whoever runs the app has put into the folder.
UPLOAD = Limits(bytes=4_000_000_000, rows=3_000_000)
FOLDER = Limits(bytes=64_000_000_000, rows=20_000_000)

_KIND = "embedding-2"  # raise the number when reading changes
_FORMATS = (".txt", ".vec", ".bin", ".npy", ".csv", ".tsv")
_PACKED = (".gz", ".zip")
_UPLOAD = "yours-"

CHANGED = "the file was changed or replaced while it was read. Load it again when it is complete."


@dataclass(frozen=True, eq=False)
class Converted:
    """An embedding in our own form, its vectors memory-mapped, and its health."""

    letters: NDArray[np.uint8]
    """All words after one another, in UTF-8."""
    ends: NDArray[np.int64]
    """Where each word ends in `letters`."""
    vectors: Vectors
    health: Health

    def first(self, size: int) -> tuple[list[str], Vectors]:
        """The first words of the file and their vectors."""
        ends = self.ends[:size].tolist()
        letters = self.letters[: ends[-1]].tobytes()
        starts = [0, *ends[:-1]]
        words = [letters[a:b].decode() for a, b in zip(starts, ends, strict=True)]
        return words, self.vectors[:size]


# Sizes to offer, below all there is.
_USUAL_SIZES = (10_000, 30_000, 100_000, 400_000)


class OwnEmbedding(Embedding):
    """An embedding that is read from a file, once."""

    @abstractmethod
    def converted(self, progress: Progress | None = None) -> Converted:
        """The file in our form: as it is kept, or converted now.

        If nothing is left to do, `progress` is not called. One file at a time is converted.

        Raises
        ------
        ValueError
            If the file cannot be read: the line and the reason.
        OSError
            If there is no room.

        """

    def health(self) -> Health:
        """The report on the file."""
        return self.converted().health

    def convert(self, size: int | None = None, progress: Progress | None = None) -> None:
        """The whole file, whatever the size."""
        self.converted(progress)

    def sizes(self, progress: Progress | None = None) -> tuple[int, ...]:
        """The usual ones below all there is, and that."""
        most = self.converted(progress).health.words
        return (*(size for size in _USUAL_SIZES if size < most), most)

    def entries(self, size: int, progress: Progress | None = None) -> tuple[list[str], Vectors]:
        """The first words of the file."""
        return self.converted(progress).first(size)


@dataclass(frozen=True)
class File(OwnEmbedding):
    """A file of the folder, or a file inside of a zip there, as it was when it was listed."""

    source: Source

    @property
    def identity(self) -> str:
        """Of the files' places and identities: cheaper than of a gigabyte of content."""
        parts: list[str] = []
        for each in _files(self.source):
            assert isinstance(each.open, _SameFile)
            parts += [str(each.open.path.resolve()), *map(str, each.open.identity)]
            parts.append(each.member or "")
        return store.fingerprint(_KIND, *parts)

    @property
    def version(self) -> str:
        """The file's name."""
        return f"file {self.name}"

    def converted(self, progress: Progress | None = None) -> Converted:
        """From the store, or converted into it."""
        fingerprint = self.identity
        kept = _kept(fingerprint)
        if kept is not None:
            return kept
        while not _converting.acquire(timeout=0.5):
            if progress:
                progress(0, 1)
        try:
            return _kept(fingerprint) or _keep(
                self.name, fingerprint, _converted(self.source, progress)
            )
        finally:
            _converting.release()


@dataclass(frozen=True, eq=False)
class Upload(OwnEmbedding):
    """A visitor's embedding. It is there as long as somebody holds this object."""

    file: str
    content: Converted

    public = False

    @property
    def version(self) -> str:
        """The fingerprint of its content."""
        fingerprint = self.name.removeprefix(_UPLOAD)
        return f"an upload whose content has the fingerprint {fingerprint}"

    def converted(self, progress: Progress | None = None) -> Converted:
        """The content, converted when it was uploaded."""
        return self.content


_uploads: WeakValueDictionary[str, Upload] = WeakValueDictionary()
_only_in_memory: dict[str, Converted] = {}
_converting = Lock()


def convert(source: Source, limits: Limits, progress: Progress | None = None) -> Converted:
    """Read a whole file into our form, in a temporary file that has no name.

    Raises
    ------
    ValueError
        If it is no embedding, is damaged or too large, or no row of it can be used.
    OSError
        If there is no room for the temporary file.

    """
    findings = Findings()
    examination = Examination(findings)
    # On most systems it has no name from the start; on Windows it goes when it is closed.
    with tempfile.TemporaryFile(prefix="wordveil-") as file:
        for block in rows(source, limits, findings, progress):
            vectors = examination.sound(block)
            try:
                file.write(vectors.data)
            except OSError as error:
                raise OSError(
                    f"{source.name}: no room in {tempfile.gettempdir()} ({error.strerror}); set "
                    "TMPDIR to a folder with room."
                ) from error
        if not examination.words:
            raise ValueError(f"{source.name}: {_nothing_left(examination)}")
        file.flush()
        shape = (len(examination.words), findings.dimensions)
        vectors = np.memmap(file, np.float32, "r", shape=shape)
    encoded = [word.encode() for word in examination.words]
    return Converted(
        np.frombuffer(b"".join(encoded), np.uint8),
        np.cumsum([len(word) for word in encoded], dtype=np.int64),
        vectors,
        examination.health(vectors),
    )


def _nothing_left(examination: Examination) -> str:
    findings = examination.findings
    faults = [
        f"{fault.count:,} for {reason} (line {fault.lines[0]})"
        for reason, fault in (findings.dropped | examination.dropped).items()
    ]
    return f"none of its {findings.rows:,} rows can be used: {', '.join(faults) or 'it has none'}."


# ---------------------------------------------------------------------------------------- the names


def is_upload(name: str) -> bool:
    """Whether this is the name of a visitor's own embedding, also of one that has ended."""
    return name.startswith(_UPLOAD)


def upload_named(name: str) -> Upload:
    """The upload with this name; ValueError if its session has ended."""
    upload = _uploads.get(name)
    if upload is None:
        raise ValueError(
            "Embedding: this one was uploaded, and has ended with its session; upload it again, or "
            "put its file into the folder WORDVEIL_EMBEDDINGS and use the file's name."
        )
    return upload


def _converted(source: Source, progress: Progress | None) -> Converted:
    """A file of the folder in our form, if it is the same file from the first look to the last."""
    converted = convert(source, FOLDER, progress)
    for each in _files(source):
        try:
            each.open().close()
        except (OSError, ValueError):
            raise ValueError(f"{source.name}: {CHANGED}") from None
    return converted


def _kept(fingerprint: str) -> Converted | None:
    if fingerprint in _only_in_memory:
        return _only_in_memory[fingerprint]
    try:
        result = store.read(_KIND, fingerprint)
    except OSError:  # said where it is written
        return None
    if result is None:
        return None
    return Converted(**result.arrays, health=Health.from_json(result.provenance["health"]))


def _keep(name: str, fingerprint: str, converted: Converted) -> Converted:
    """On disk; where that cannot be, in this process, with a warning."""
    arrays = {
        "letters": converted.letters,
        "ends": converted.ends,
        "vectors": converted.vectors,
    }
    provenance = {"file": name, "health": converted.health.as_json()}
    try:
        store.write(_KIND, fingerprint, arrays, provenance)
    except OSError as error:
        warnings.warn(str(error), RuntimeWarning, stacklevel=2)
        _only_in_memory[fingerprint] = converted
    return _kept(fingerprint) or converted


# --------------------------------------------------------------------------------------- the folder


def _place() -> Path | None:
    chosen = os.environ.get("WORDVEIL_EMBEDDINGS")
    return Path(chosen) if chosen else None


def folder() -> list[File]:
    """The embeddings of the folder `WORDVEIL_EMBEDDINGS`, by the names of files, also in zips."""
    place = _place()
    if place is None or not place.is_dir():
        return []
    found: dict[str, Source] = {}
    for path in sorted(place.iterdir()):
        if path.is_file() and path.suffix in (*_FORMATS, *_PACKED):
            found.update({source.name: source for source in _inside(path.name, path)})
    return [File(source.name, source) for source in _with_words(list(found.values()))]


def _inside(name: str, path: Path) -> list[Source]:
    """The file, or the files inside a zip with several."""
    try:
        opens: Callable[[], BinaryIO] = _SameFile(path, _identity(path.stat()))
    except OSError:  # gone since the folder was listed
        return []
    try:
        return _with_words(_members(Source(name, opens)), two_belong_together=True)
    except (OSError, ValueError):  # said when it is asked for
        return [Source(name, opens)]


_Identity = tuple[int, int, int, int]


def _identity(about: os.stat_result) -> _Identity:
    """Device, inode, size and time of the last change."""
    return about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns


@dataclass(frozen=True)
class _SameFile:
    """Opens a file of the folder as long as it is the one that was seen first."""

    path: Path
    identity: _Identity

    def __call__(self) -> BinaryIO:
        """The file, open; ValueError if it was changed or replaced."""
        with ExitStack() as stack:
            file = stack.enter_context(open(self.path, "rb"))
            if _identity(os.fstat(file.fileno())) == self.identity:
                stack.pop_all()
                return file
        raise ValueError(CHANGED)


def _files(source: Source) -> list[Source]:
    """The source, and that of its words."""
    return [source] if source.words is None else [source, source.words]


# ----------------------------------------------------------------------------------------- uploads


def sources(files: Mapping[str, bytes]) -> list[Source]:
    """The embeddings in uploaded files; ValueError for a damaged zip."""
    found = [
        source
        for name, content in files.items()
        for source in _members(Source(name, partial(io.BytesIO, content)))
    ]
    return _with_words(found, two_belong_together=True)


def upload(source: Source, progress: Progress | None = None) -> Upload:
    """Convert a visitor's file; raises as `convert` does.

    Its name is a fingerprint of its content: equal files of two visitors are one.
    """
    digest = blake2b(repr((source.member, source.words and source.words.member)).encode())
    for each in _files(source):
        with each.open() as file:
            while part := file.read(1 << 20):
                digest.update(part)
    name = _UPLOAD + digest.hexdigest()[:32]
    known = _uploads.get(name)
    if known is None:
        known = Upload(name, file=source.name, content=convert(source, UPLOAD, progress))
        _uploads[name] = known
    return known


def _members(source: Source) -> list[Source]:
    """A source for each file in a zip; otherwise the source itself."""
    try:
        with source.open() as file:
            inside = members(file)
    except ValueError as error:
        raise ValueError(f"{source.name}: {error}") from error
    if len(inside) < 2:
        return [source]
    return [Source(f"{source.name}/{each}", source.open, each) for each in inside]


def _with_words(found: Sequence[Source], two_belong_together: bool = False) -> list[Source]:
    """Every array with the file of its words, which has the same name but for the ending.

    That file is then no embedding of its own.
    """
    arrays = [source for source in found if ".npy" in PurePosixPath(source.name).suffixes]
    others = [source for source in found if source not in arrays]
    by_stem = {_stem(source): source for source in others}
    if two_belong_together and len(arrays) == len(others) == 1:
        by_stem = {_stem(arrays[0]): others[0]}
    paired = [array._replace(words=array.words or by_stem.get(_stem(array))) for array in arrays]
    taken = [array.words for array in paired]
    return [*paired, *(source for source in others if source not in taken)]


def _stem(source: Source) -> str:
    return source.name.removesuffix(".gz").removesuffix(".zip").rpartition(".")[0]
