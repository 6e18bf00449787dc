"""A file in, a private file out: in pieces, each kept as soon as it is finished.

    out.csv.parts/                 the folder of an unfinished run (`release.parts`)
    out.csv                        there only when it is complete
    out.csv.report.json, .txt      may be published beside it (`release.report`)
    out.csv.private-account.json, .txt    may not be published (`release.account`)

The same command continues a run, however it was stopped; a finished piece keeps its draws, and is
neither drawn nor written again. Another file or other settings are refused. At the end the pieces
are put together under another name, and that is renamed too; then the folder is removed. If
anything fails, nothing is released: no cell goes out as typed because its piece could not be drawn.

Only texts go to workers, so memory holds a few pieces, whatever the size of the file.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from mechanisms import Vocabulary
from mechanisms.text import Status
from release import account, driver, earlier, pieces, report, tables
from release.driver import Finished, Reading
from release.layout import Layout
from release.parts import Parts, Refused, keep, sha256, to_disk, usable, whole_or_nothing
from release.pieces import Counts, Piece
from release.settings import Settings
from release.source import Changed, Source
from release.survey import Survey, survey
from release.tables import Output, Ragged, assemble, encoded

__all__ = ["Outcome", "Progress", "Refused", "run"]

Progress = Callable[[int, int], None]
"""Called with how many rows are finished, and of how many."""

PUBLIC = (".report.json", ".report.txt")
PRIVATE = (".private-account.json", ".private-account.txt")


class Outcome(NamedTuple):
    """The report and the account of a finished run."""

    report: dict[str, Any]
    """May be published (`release.report`)."""
    account: dict[str, Any]
    """As private as the source (`release.account`)."""
    remains: Path | None = None
    """The folder of the run if it could not be removed: it is as private as the source."""


def run(
    source: Path | Source,
    target: Path,
    layout: Layout,
    columns: Sequence[str],
    settings: Settings,
    *,
    left_out: Sequence[str] = (),
    ragged: Ragged = "refuse",
    guard: bool = False,
    overwrite: bool = False,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
    surveyed: Callable[[Survey], None] | None = None,
) -> Outcome:
    """Make the columns of a file private, and write the report and the account beside the file.

    Parameters
    ----------
    source, target
        The file, open or by its path, and the path of the private one. The file is released as it
        was when it was opened, or not at all. Beside it go the public report
        (`.report.json` and `.report.txt`) and the private account (`.private-account.json` and
        `.private-account.txt`), which must not be published.
    layout
        How the file is read (`release.layout.layout`).
    columns
        Names of the columns that hold text; all others are released unchanged.
    left_out
        Names of columns whose cells are released empty.
    ragged
        What happens to CSV rows with too many or too few cells (`release.tables`).
    guard
        Whether cells that are not made private also get an apostrophe if a spreadsheet would run
        them.
    overwrite
        Whether an existing target or report may be replaced when the new one is complete.
    workers
        Processes of this machine; with 1 the pieces are drawn in this process.
    scheduler
        The address of a dask scheduler, whose workers are used instead. They need the project on
        their path, and the same embeddings. Texts reach them as typed, in clear unless the address
        begins with `tls://`.
    progress
        Called at the start and after every piece. An exception from it stops the run, which the
        same call continues.
    tell
        Called with sentences about a scheduler that lets the run wait, and about earlier releases
        of the same file beside the output.
    surveyed
        Called with the first, last and longest rows before anything is drawn.

    Raises
    ------
    ValueError
        For a file that cannot be read to its end, or settings that the mechanism refuses; and
        `Refused` if the output has another unfinished run, or cannot be written.
    OSError
        If writing fails on the way, or no scheduler answers. Finished pieces are kept.

    """
    if isinstance(source, Path):
        if not source.is_file():
            raise ValueError(f"File: {source} is not a file on disk; save it as one first.")
        with Source(source) as file:
            return run(
                file,
                target,
                layout,
                columns,
                settings,
                left_out=left_out,
                ragged=ragged,
                guard=guard,
                overwrite=overwrite,
                workers=workers,
                scheduler=scheduler,
                progress=progress,
                tell=tell,
                surveyed=surveyed,
            )
    columns, left_out = tuple(dict.fromkeys(columns)), tuple(dict.fromkeys(left_out))
    if not columns:
        raise ValueError("Column: choose at least one that holds text.")
    if both := sorted({*columns} & {*left_out}):
        raise ValueError(
            f"Column: {both[0]!r} cannot be both made private and left out; choose one."
        )
    reading = Reading(layout, columns, ragged, guard=guard, left_out=left_out)
    parts = Parts(target.with_name(target.name + ".parts"))
    marker = parts.folder / "finishing"
    _check_places(source.path, target, overwrite, marker)
    out = reading.output(target.name, source)
    if settings.q_corpus is not None:
        settings.q_corpus.check_is_not(source.digest)
        private = (text for piece in reading.pieces(source) for row in piece.texts for text in row)
        warning = settings.q_corpus.check_holds_none(private)
        if warning and tell:
            tell(warning)
    vocabulary = settings.vocabulary()
    settings.mechanism.guarantee(vocabulary)  # a mechanism that refuses does so before it begins
    tables.rehearse(out)
    found = survey(reading.rows(source), out, reading.positions, reading.emptied)
    total = found.rows
    if surveyed:
        surveyed(found)
    origin = {"bytes": source.size, "hash": source.digest}
    again = marker.exists()  # then what lies beside the target is this run's own
    known = earlier.beside(target.parent, source.digest, target if again else None)
    if known and tell:
        tell(earlier.warning(known))
    belongs = _manifest(origin, reading, settings, vocabulary.fingerprint)
    _rehearsed(settings, vocabulary, reading, target, out)
    with parts.locked(), _gone_if_changed(parts, source):
        parts.begin(belongs)
        done = parts.finished()
        rows_done = sum(piece["rows"] for piece in done.values())
        if progress:
            progress(rows_done, total)
        missing = _missing(source, reading, out, settings, done)
        with (
            driver.on_workers(settings, workers, scheduler, tell) as draw,
            closing(driver.finished(missing, reading, out, draw)) as finished,
        ):
            for piece in finished:
                parts.keep(piece.number, encoded(out, piece.rows), _record(piece))
                done[piece.number] = {"rows": piece.counts.rows}
                rows_done += piece.counts.rows
                if progress:
                    progress(rows_done, total)
        whole = parts.folder / "whole"
        with whole_or_nothing(whole), whole.open("wb") as file:
            assemble(out, map(parts.data, sorted(done)), file)
            to_disk(file)
        source.check()
        counts, escaped_count, cells = _summed(parts, sorted(done))
        released = report.PrivateFile(target.suffix, whole.stat().st_size, sha256(whole))
        outcome = Outcome(
            report.report(
                *(settings, vocabulary, layout, columns, counts, [released]),
                *(escaped_count, cells, left_out),
            ),
            account.account(
                *(layout, columns, counts, origin["bytes"], origin["hash"]),
                *(found.emptied, out.notes, known),
            ),
        )
        _place(target, whole, marker, outcome)
    return outcome._replace(remains=parts.remove())


def _missing(
    source: Source,
    reading: Reading,
    out: Output,
    settings: Settings,
    done: dict[int, dict[str, Any]],
) -> Iterator[Piece]:
    """Pieces that are not finished.

    With a seed, the first finished piece is drawn again and compared: no file has the seed, so only
    the draws can show that it is the same.
    """
    done, unseen = dict(done), settings.seed is not None
    for piece in reading.pieces(source):
        if piece.number not in done:
            yield piece
        elif unseen:
            private, _ = pieces.private(piece.texts, settings, piece.number)
            data = encoded(out, reading.private_rows(piece, private))
            if hashlib.sha256(data).hexdigest() != done[piece.number]["sha256"]:
                raise Refused(
                    "Output: the unfinished run was drawn with another seed, or by another version "
                    "of WordVeil. Repeat its seed to continue it, or remove its folder to start "
                    "again."
                )
            unseen = False


@contextmanager
def _gone_if_changed(parts: Parts, source: Source) -> Iterator[None]:
    """Remove the pieces of a file that changed: no later run can use them."""
    try:
        try:
            yield
        except ValueError:
            source.check()  # a changed file may be refused for another reason first
            raise
    except Changed:
        parts.remove()
        raise


def _rehearsed(
    settings: Settings, vocabulary: Vocabulary, reading: Reading, target: Path, out: Output
) -> None:
    """Write the reports of an empty file in memory, so that none fails after the draws."""
    nothing = Counts()
    released = report.PrivateFile(target.suffix, 0, "")
    layout, columns = reading.layout, reading.columns
    facts = report.report(
        settings, vocabulary, layout, columns, nothing, [released], left_out=reading.left_out
    )
    _texts(Outcome(facts, account.account(layout, columns, nothing, 0, "", 0, out.notes)))


def _texts(outcome: Outcome) -> list[bytes]:
    """The reports and the account as files."""
    readable = report.readable(outcome.report), account.readable(outcome.account)
    return [
        text.encode("utf-8", "backslashreplace")  # half a character in a name of a column
        for facts, said in zip(outcome[:2], readable, strict=True)
        for text in (json.dumps(facts, ensure_ascii=False, indent=1), said)
    ]


# ---------------------------------------------------------------------------- the files beside it


def _check_places(source: Path, target: Path, overwrite: bool, marker: Path) -> None:
    """Refuse names of the source, names that exist, and names that cannot be written.

    If the marker exists, the reports beside the target were placed by this run before it was
    stopped.
    """
    for place in (target, *_beside(target)):
        with usable(place):
            _check_place(source, place, overwrite or (place != target and marker.exists()))


def _check_place(source: Path, place: Path, replaceable: bool) -> None:
    if place.resolve() == source.resolve() or (place.exists() and place.samefile(source)):
        raise Refused("Output: it would replace the file that is read; choose another name.")
    if place.is_dir():
        raise Refused(f"Output: {place} is a folder; choose another name.")
    if place.exists() and not replaceable:
        raise FileExistsError(
            f"Output: {place} already exists; choose another name, or replace it (--overwrite)."
        )
    trial = place.with_name(place.name + ".unfinished")
    trial.touch()
    trial.unlink()


def _beside(target: Path) -> list[Path]:
    return [target.with_name(target.name + ending) for ending in (*PUBLIC, *PRIVATE)]


def _place(target: Path, whole: Path, marker: Path, outcome: Outcome) -> None:
    """Rename everything once all of it is written: the reports, and the file last."""
    waiting = [whole.with_name(place.name) for place in _beside(target)]
    for place, data in zip(waiting, _texts(outcome), strict=True):
        keep(place, data)
    keep(marker, b"")
    for place, name in zip(waiting, _beside(target), strict=True):
        place.replace(name)
    whole.replace(target)


# ------------------------------------------------------------------------- what is noted of pieces


def _manifest(
    origin: dict[str, Any],
    reading: Reading,
    settings: Settings,
    vocabulary: str,
) -> dict[str, dict[str, Any]]:
    """All that the pieces depend on, except the seed, which could undo the release."""
    how = asdict(settings) | {"mechanism": repr(settings.mechanism), "vocabulary": vocabulary}
    how["seeded"] = how.pop("seed") is not None
    belongs = {
        "file": origin,
        "layout": asdict(reading.layout)
        | {"positions": reading.positions, "empty": reading.emptied, "ragged": reading.ragged},
        "settings": how,
        "piece": {"rows": pieces.MOST_ROWS, "characters": pieces.MOST_CHARACTERS},
    }
    return json.loads(json.dumps(belongs))


def _record(piece: Finished) -> dict[str, Any]:
    counts = piece.counts
    return {
        "rows": counts.rows,
        "texts": counts.texts,
        "empty": counts.empty,
        "longest": counts.longest,
        "statuses": {str(status): count for status, count in counts.statuses.items()},
        "released": counts.released,
        "noticed": counts.noticed,
        "formulas": len(piece.formulas),
        "cells": piece.formulas[: report.MOST_LISTED],
    }


def _summed(parts: Parts, numbers: Sequence[int]) -> tuple[Counts, int, list[tuple[int, str]]]:
    """The counts of all pieces, their formula cells, and the first of these."""
    escaped, cells = 0, []

    def each() -> Iterator[Counts]:
        nonlocal escaped
        for number in numbers:
            record = parts.record(number)
            escaped += record["formulas"]
            if len(cells) < report.MOST_LISTED:
                cells.extend((row, column) for row, column in record["cells"])
            yield _counts(record)

    return pieces.summed(each()), escaped, cells[: report.MOST_LISTED]


def _counts(record: dict[str, Any]) -> Counts:
    fields = {key: record[key] for key in ("rows", "texts", "empty", "longest")}
    statuses = Counter({Status(name): count for name, count in record["statuses"].items()})
    released = Counter({int(word): count for word, count in record["released"].items()})
    return Counts(
        **fields, statuses=statuses, released=released, noticed=Counter(record["noticed"])
    )
