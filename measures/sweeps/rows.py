"""Rows of a sweep on disk: a folder of Parquet files, one finished cell each.

    <folder>/<fingerprint of the cell's settings>.parquet

A row is written under another name, brought to the disk and renamed, which is one step: a file with
that name is complete, whoever was killed meanwhile, and any number of sweeps may share a folder.
What a killed sweep leaves has a name that is never read.

Measures have three columns each, the value and the ends of its 95 % interval (`pp`, `pp_from`,
`pp_to`), in percent; null where a measure was not asked for or the cell failed. Then `error` holds
the sentence that says why. What a measure found of every single text or word is in `pp_each`
(`measures.sweeps.vectors`), so that cells can be compared text by text. `chance` is the share of
the most common label among the texts tested on, `notion` and `keeps` say what the mechanism
promises and whether it keeps that.
"""

from __future__ import annotations

import os
import re
import secrets
import time
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from measures.sweeps.vectors import EACH

MEASURES = (
    "n_w",
    "s_w",
    "pp",
    "cs",
    "low",
    "english",
    "rouge_1",
    "bleu",
    "bert_score",
    "accuracy",
    "macro_f1",
    "accuracy_on_original",
    "macro_f1_on_original",
    "baseline_accuracy",
    "baseline_macro_f1",
)
"""Each in three columns: `x`, `x_from`, `x_to`."""

SETTINGS = pa.schema(
    [
        pa.field("corpus", pa.string(), nullable=False),
        pa.field("preprocessing", pa.string(), nullable=False),
        pa.field("texts", pa.int64(), nullable=False),
        pa.field("embedding", pa.string(), nullable=False),
        pa.field("vocabulary_size", pa.int64(), nullable=False),
        pa.field("dimensions", pa.int64()),
        pa.field("mechanism", pa.string(), nullable=False),
        pa.field("variant", pa.string(), nullable=False),
        pa.field("epsilon", pa.float64(), nullable=False),
        pa.field("parameters", pa.string(), nullable=False),
        pa.field("classifier", pa.string(), nullable=False),
        pa.field("measures", pa.list_(pa.string()), nullable=False),
        pa.field("repetition", pa.int64(), nullable=False),
        pa.field("seed", pa.int64(), nullable=False),
    ]
)

SCHEMA = pa.schema(
    [
        *SETTINGS,
        *(
            pa.field(f"{measure}{end}", pa.float64())
            for measure in MEASURES
            for end in ("", "_from", "_to")
        ),
        *(pa.field(f"{measure}_each", pa.binary()) for measure in EACH),
        pa.field("chance", pa.float64()),
        pa.field("notion", pa.string()),
        pa.field("keeps", pa.bool_()),
        pa.field("versions", pa.string(), nullable=False),
        pa.field("seconds", pa.float64(), nullable=False),
        pa.field("started_at", pa.timestamp("ms", tz="UTC"), nullable=False),
        pa.field("error", pa.string()),
    ]
)

_FILE = re.compile(r"[0-9a-f]{32}\.parquet")
_UNFINISHED = ".unfinished-"

# Writing a row takes milliseconds; what is older than this was left by a process that died.
_LEFT_BEHIND_AFTER = 3600.0


def write(
    folder: Path, fingerprint: str, row: Mapping[str, Any], schema: pa.Schema = SCHEMA
) -> None:
    """Keep a row, in the place of an earlier one of the same cell.

    Raises
    ------
    ValueError
        If the row does not have exactly the columns of the schema.
    OSError
        If the folder cannot be written or is full. Then nothing is left there.

    """
    if set(row) != set(schema.names):
        raise ValueError(
            "Row: must have the columns of the schema; it differs in "
            f"{', '.join(sorted(set(row) ^ set(schema.names)))}."
        )
    table = pa.Table.from_pylist([dict(row)], schema=schema)
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"{_UNFINISHED}{secrets.token_hex(8)}"
    try:
        with open(unfinished, "xb") as file:
            parquet.write_table(table, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, folder / f"{fingerprint}.parquet")
    finally:
        unfinished.unlink(missing_ok=True)


def read(folder: Path, schema: pa.Schema = SCHEMA) -> pa.Table:
    """All rows of a folder as one table, in the order of their files' names.

    A file that is no row of a sweep, or cut short, is named in a `RuntimeWarning` and left out.

    Raises
    ------
    FileNotFoundError
        Where there is no such folder.

    """
    rows = [table for _, table in _files(folder, schema)]
    return pa.concat_tables(rows) if rows else schema.empty_table()


def finished(folder: Path, schema: pa.Schema = SCHEMA) -> dict[str, str | None]:
    """The fingerprints of the cells in a folder, each with its error; None if all went well."""
    if not folder.is_dir():
        return {}
    return {file.stem: table["error"][0].as_py() for file, table in _files(folder, schema)}


def remove_left_behind(folder: Path) -> None:
    """Remove what sweeps that were killed long ago left half-written."""
    for unfinished in folder.glob(f"{_UNFINISHED}*"):
        try:
            if time.time() - unfinished.stat().st_mtime > _LEFT_BEHIND_AFTER:
                unfinished.unlink()
        except OSError:  # just renamed, or removed by another
            continue


def _files(folder: Path, schema: pa.Schema) -> Iterator[tuple[Path, pa.Table]]:
    """The files of a folder that hold a row each, and those rows."""
    if not folder.is_dir():
        raise FileNotFoundError(f"Sweep: there is no folder {folder}.")
    for file in sorted(folder.iterdir()):
        if file.name.startswith(_UNFINISHED):
            continue
        problem = "is not a row of a sweep"
        if _FILE.fullmatch(file.name):
            try:
                table = parquet.read_table(file, partitioning=None)
            except (OSError, pa.ArrowInvalid):
                problem = "is cut short or damaged"
            else:
                if table.schema.equals(schema) and len(table) == 1:
                    yield file, table
                    continue
                problem = "does not have the columns of a row"
        warnings.warn(
            f"Sweep: {file.name} {problem}. It is left out.", RuntimeWarning, stacklevel=3
        )
