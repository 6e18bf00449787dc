"""A file in, a private file out: in pieces, each kept as soon as it is finished.

    out.csv.parts/manifest.json    what they belong to: the file that came in, all settings
    out.csv.parts/000017.part      the rows of a piece, encoded as they will stand in the file
    out.csv.parts/000017.json      what happened to its tokens
    out.csv                        there only when it is complete

A piece is written under another name and renamed, so it is there or it is not. The same command
goes on where it was stopped, in whatever way; a piece that is there keeps its draws, and is neither
drawn nor written again. Another file or other settings are refused. At the end the pieces are put
together under another name, and that is renamed too; then the folder is removed. Where anything
fails nothing is released: no cell goes out as typed because its piece could not be drawn.

Only texts go to workers, so memory holds a few pieces, whatever the size of the file.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from functools import reduce
from pathlib import Path
from typing import Any

import joblib
from filelock import FileLock, Timeout

from measures.workers import backend
from mechanisms.text import Status
from release import pieces, report
from release.layout import Layout
from release.pieces import Counts, Texts
from release.settings import Settings
from release.tables import (
    OutOfStep,
    Output,
    Ragged,
    Row,
    assemble,
    encoded,
    formulas,
    output,
    rows,
    texts,
    with_texts,
)

Progress = Callable[[int, int], None]
"""Called with how many rows are finished, and of how many."""

_BLOCK = 1 << 22


class Refused(ValueError):
    """What is there belongs to another file or to other settings."""


def run(
    source: Path,
    target: Path,
    layout: Layout,
    columns: Sequence[str],
    settings: Settings,
    *,
    ragged: Ragged = "refuse",
    overwrite: bool = False,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Make the columns of a file private, and say what was done: its report, also beside the file.

    Parameters
    ----------
    source, target
        The file, and where the private one goes; `.report.json` and `.report.txt` beside it.
    layout
        How the file is read (`release.layout.layout`).
    columns
        Names of the columns that hold text; all others go out as they came.
    ragged
        What happens to CSV rows out of step (`release.tables`).
    overwrite
        Whether a target that is there may be replaced, when the new one is complete.
    workers
        Processes of this machine; with 1 the pieces are drawn in this process.
    scheduler
        The address of a dask scheduler, whose workers are used instead. They need the project on
        their path, and the same embeddings.
    progress
        Called at the start and after every piece. What it raises stops the run, to go on later.

    Raises
    ------
    ValueError
        For a file that cannot be read to its end, or settings that the mechanism refuses; and
        `Refused` where the unfinished run that is there is another one.
    OSError
        Where nothing can be written, or no scheduler answers. What was finished stays.

    """
    if not columns:
        raise ValueError("Column: choose at least one that holds text.")
    if source.resolve() == target.resolve():
        raise ValueError("Output: it would replace the file that is read; choose another name.")
    if target.exists() and not overwrite:
        raise FileExistsError(f"Output: {target} is there already; choose another name.")
    positions = [layout.position(column) for column in columns]
    out = output(target.name, source, layout)
    vocabulary = settings.vocabulary()
    settings.mechanism.guarantee(vocabulary)  # a mechanism that refuses does so before it begins
    folder = target.with_name(target.name + ".parts")
    total, emptied = _checked(source, layout, positions, ragged)
    belongs = _manifest(source, layout, positions, settings, vocabulary.fingerprint, ragged)
    with _locked(folder):
        _begin(folder, belongs)
        done = _finished(folder)
        rows_done = sum(counts["rows"] for counts in done.values())
        if progress:
            progress(rows_done, total)
        found = pieces.cut(rows(source, layout, ragged), positions)
        work = _Work(out, positions, found, done)
        with backend(workers, scheduler) as jobs:
            tasks = (joblib.delayed(_private)(piece, settings, n) for n, piece in work)
            parallel = joblib.Parallel(jobs, return_as="generator_unordered", batch_size=1)
            with closing(parallel(tasks)) as results:
                for number, private, counts in results:
                    data, escaped = work.put_back(number, private)
                    record = _record(counts, escaped, layout)
                    _keep(folder / f"{number:06}.json", json.dumps(record).encode())
                    _keep(folder / f"{number:06}.part", data)
                    done[number] = record
                    rows_done += counts.rows
                    if progress:
                        progress(rows_done, total)
        if rows_done != total:
            raise ValueError(
                f"File: {source} changed while it was read; remove {folder}, run again."
            )
        facts = _facts(done, settings, vocabulary, layout, columns, emptied)
        _finish(folder, target, out, done, facts)
    shutil.rmtree(folder, ignore_errors=True)
    return facts


class _Work:
    """Pieces that are not there yet, each with its number; their rows wait here for the texts."""

    def __init__(
        self,
        out: Output,
        positions: Sequence[int],
        found: Iterable[list[Row]],
        done: dict[int, Any],
    ) -> None:
        self._out, self._positions, self._found, self._done = out, positions, found, dict(done)
        self._waiting: dict[int, tuple[int, list[Row]]] = {}

    def __iter__(self) -> Iterator[tuple[int, Texts]]:
        first = 1
        for number, piece in enumerate(self._found):
            if number not in self._done:
                self._waiting[number] = (first, piece)
                yield number, [texts(row, self._positions, first) for row in piece]
            first += len(piece)

    def put_back(self, number: int, private: Texts) -> tuple[bytes, list[tuple[int, int]]]:
        """The rows of a piece with their private texts, encoded; row and column of formulas."""
        first, piece = self._waiting.pop(number)
        released = [
            with_texts(row, self._positions, new) for row, new in zip(piece, private, strict=True)
        ]
        escaped = [
            (row_number, position)
            for row_number, row in enumerate(released, first)
            for position in formulas(self._out, row)
        ]
        return encoded(self._out, released), escaped


def _private(piece: Texts, settings: Settings, number: int) -> tuple[int, Texts, Counts]:
    return number, *pieces.private(piece, settings, number)


# -------------------------------------------------------------------------------- what lies on disk


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Alone with the folder; a process that dies gives it free."""
    folder.mkdir(exist_ok=True)
    try:
        with FileLock(folder / "lock", timeout=0):
            yield
    except Timeout:
        raise OSError(f"Output: another process is at work in {folder}.") from None


def _checked(
    source: Path, layout: Layout, positions: Sequence[int], ragged: Ragged
) -> tuple[int, int]:
    """Read the file to its end before anything is drawn: its rows, and those out of step."""
    total = emptied = 0
    for total, row in enumerate(rows(source, layout, ragged), 1):
        texts(row, positions, total)
        emptied += isinstance(row, OutOfStep)
    return total, emptied


def _manifest(
    source: Path,
    layout: Layout,
    positions: Sequence[int],
    settings: Settings,
    vocabulary: str,
    ragged: Ragged,
) -> dict[str, Any]:
    """All that the pieces depend on."""
    state = source.stat()
    digest = hashlib.blake2b(digest_size=16)
    with source.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    how = asdict(settings) | {"mechanism": repr(settings.mechanism), "vocabulary": vocabulary}
    belongs = {
        "file": {"bytes": state.st_size, "hash": digest.hexdigest()},
        "layout": asdict(layout) | {"positions": list(positions), "ragged": ragged},
        "settings": how,
        "piece": [pieces.MOST_ROWS, pieces.MOST_CHARACTERS],
    }
    return json.loads(json.dumps(belongs))


def _begin(folder: Path, belongs: dict[str, Any]) -> None:
    """Say what the pieces belong to, or see that it is the same."""
    manifest = folder / "manifest.json"
    if not manifest.exists():
        _keep(manifest, json.dumps(belongs, indent=1).encode())
        return
    there = json.loads(manifest.read_bytes())
    changed = [
        f"{part}: {name}"
        for part, now in belongs.items()
        for name in (now if isinstance(now, dict) else [part])
        if there.get(part) != now
        and (not isinstance(now, dict) or there.get(part, {}).get(name) != now[name])
    ]
    if changed:
        raise Refused(
            f"Output: {folder} holds an unfinished run that differs ({'; '.join(changed)}). "
            "Repeat its settings to go on with it, or remove the folder to begin anew."
        )


def _finished(folder: Path) -> dict[int, dict[str, Any]]:
    """What is known of the pieces that are there, by their number."""
    return {
        int(part.stem): json.loads(part.with_suffix(".json").read_bytes())
        for part in sorted(folder.glob("*.part"))
    }


def _record(counts: Counts, escaped: Sequence[tuple[int, int]], layout: Layout) -> dict[str, Any]:
    listed = [(row, layout.columns[position]) for row, position in escaped[: report.MOST_LISTED]]
    return {
        "rows": counts.rows,
        "texts": counts.texts,
        "empty": counts.empty,
        "longest": counts.longest,
        "statuses": {str(status): count for status, count in counts.statuses.items()},
        "formulas": len(escaped),
        "cells": listed,
    }


def _facts(
    done: dict[int, dict[str, Any]],
    settings: Settings,
    vocabulary: Any,
    layout: Layout,
    columns: Sequence[str],
    emptied: int,
) -> dict[str, Any]:
    records = [done[number] for number in sorted(done)]
    counts = reduce(Counts.__add__, map(_counts, records), Counts())
    cells = [cell for record in records for cell in record["cells"]][: report.MOST_LISTED]
    formulas = sum(record["formulas"] for record in records)
    return report.report(settings, vocabulary, layout, columns, counts, formulas, cells, emptied)


def _counts(record: dict[str, Any]) -> Counts:
    fields = {key: record[key] for key in ("rows", "texts", "empty", "longest")}
    statuses = Counter({Status(name): count for name, count in record["statuses"].items()})
    return Counts(**fields, statuses=statuses)


def _finish(
    folder: Path, target: Path, out: Output, done: dict[int, Any], facts: dict[str, Any]
) -> None:
    """The whole file and its reports, each complete before it has its name; the file last."""
    whole = folder / "whole"
    with _whole_or_nothing(whole), whole.open("wb") as file:
        assemble(out, ((folder / f"{n:06}.part").read_bytes() for n in sorted(done)), file)
        _to_disk(file)
    text = json.dumps(facts, ensure_ascii=False, indent=1).encode()
    _keep(target.with_name(target.name + ".report.json"), text)
    _keep(target.with_name(target.name + ".report.txt"), report.readable(facts).encode())
    whole.replace(target)


def _keep(place: Path, data: bytes) -> None:
    """Write a file so that it is there completely or not at all."""
    unfinished = place.with_name(place.name + ".unfinished")
    with _whole_or_nothing(unfinished), unfinished.open("wb") as file:
        file.write(data)
        _to_disk(file)
    unfinished.replace(place)


@contextmanager
def _whole_or_nothing(unfinished: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise OSError(
            f"Output: cannot write to {unfinished.parent} ({error.strerror or error}). Nothing is "
            "lost: make room, and the same command goes on."
        ) from error


def _to_disk(file: Any) -> None:
    file.flush()
    os.fsync(file.fileno())
