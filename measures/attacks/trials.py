"""Trials of an attack on a trained model: a kind of sweep, and the table that is shipped of it.

A trial trains a model on private text, attacks it, and keeps a row of plain numbers; `sweep` runs
trials in parallel and goes on where it was stopped. The table has the mean over the trials of each
setting with Student's 95 % interval. Every seed derives from the settings. Trials of one repetition
share their original texts and the models without noise; another repetition has others.
"""

from __future__ import annotations

import csv
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pyarrow as pa

from data import embeddings, store
from measures.intervals import ENDS, from_columns, of_mean
from measures.sweeps import rows
from measures.sweeps.experiment import versions
from measures.sweeps.task import derived_seed
from mechanisms import MECHANISMS, Mechanism
from mechanisms.estimate import Estimate, Source
from mechanisms.faiss_search import faiss
from mechanisms.one_thread import one_thread

_COMMON = (
    ("corpus", pa.string()),
    ("texts", pa.int64()),
    ("embedding", pa.string()),
    ("vocabulary_size", pa.int64()),
    ("mechanism", pa.string()),
    ("parameters", pa.string()),
    ("epsilon", pa.float64()),
    ("repetition", pa.int64()),
    ("seed", pa.int64()),
)
_PROVENANCE = (
    pa.field("versions", pa.string(), nullable=False),
    pa.field("seconds", pa.float64(), nullable=False),
    pa.field("started_at", pa.timestamp("ms", tz="UTC"), nullable=False),
    pa.field("error", pa.string()),
)


@dataclass(frozen=True, kw_only=True)
class Trial(ABC):
    """The settings of a trial; an attack adds its own."""

    measures: ClassVar[tuple[str, ...]]
    """Names of what is measured, each a number from 0 to 1."""
    version: ClassVar[str]
    """Raised whenever the same settings come to mean something else."""

    mechanism: Mechanism
    texts: int
    corpus: str = "imdb"
    embedding: str = embeddings.GLOVE
    vocabulary_size: int = embeddings.DEFAULT_SIZE
    repetition: int = 0
    seed: int = 0

    @abstractmethod
    def measured(self) -> Mapping[str, float]:
        """Train, attack, and say how well it went, by the names in `measures`."""

    @property
    @abstractmethod
    def way(self) -> str:
        """What else tells trials apart: the classifier, or the auditor."""

    @property
    def settings(self) -> dict[str, Any]:
        """The settings as columns of a row."""
        own = {name: getattr(self.mechanism, name) for name in self.mechanism.parameters()}
        return {
            "corpus": self.corpus,
            "texts": self.texts,
            "embedding": self.embedding,
            "vocabulary_size": self.vocabulary_size,
            "mechanism": type(self.mechanism).__name__,
            "epsilon": float(own.pop("epsilon")),
            "parameters": json.dumps(own, sort_keys=True),
            "way": self.way,
            "repetition": self.repetition,
            "seed": self.seed,
        }

    @cached_property
    def fingerprint(self) -> str:
        """A name for the settings."""
        return self._name(self.settings)

    @classmethod
    def _name(cls, settings: Mapping[str, Any]) -> str:
        return store.fingerprint(cls.version, json.dumps(settings, sort_keys=True))

    @property
    def ground_seed(self) -> int:
        """What trials share that differ in the mechanism alone."""
        return derived_seed(self.seed, self.repetition)

    def noise_seed(self, what: str) -> int:
        """A seed that no other trial has, nor another purpose."""
        return derived_seed(what, json.dumps(self.settings, sort_keys=True))

    @classmethod
    def schema(cls) -> pa.Schema:
        """The columns of a row."""
        return pa.schema(
            [
                *(pa.field(name, kind, nullable=False) for name, kind in _COMMON),
                pa.field("way", pa.string(), nullable=False),
                *(pa.field(measure, pa.float64()) for measure in cls.measures),
                *_PROVENANCE,
            ]
        )


def run(trial: Trial) -> dict[str, Any]:
    """The row of a trial. Where it fails, the row holds the reason as its `error`."""
    started, start = datetime.now(UTC), time.perf_counter()
    try:
        _load_what_brings_a_blas()
        with one_thread():  # the last bits of a sum must not depend on the cores
            measured = trial.measured()
    except Exception as error:
        problem = (
            str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        )
        return _row(trial, started, start) | {"error": problem}
    return _row(trial, started, start) | dict(measured)


def failed(trial: Trial, problem: str) -> dict[str, Any]:
    """The row of a trial whose process died."""
    return _row(trial, datetime.now(UTC), time.perf_counter()) | {"error": problem}


def _row(trial: Trial, started: datetime, start: float) -> dict[str, Any]:
    return (
        dict.fromkeys(trial.schema().names)
        | trial.settings
        | {
            "versions": json.dumps(versions(trial.embedding) | {"torch": version("torch")}),
            "seconds": time.perf_counter() - start,
            "started_at": started,
        }
    )


def _load_what_brings_a_blas() -> None:
    """Loaded later, its threads would escape `one_thread`."""
    import scipy.linalg  # noqa: F401
    import sklearn  # noqa: F401

    faiss()


# ---------------------------------------------------------------------------------------- the table


class Row(NamedTuple):
    """The mean over the trials of one setting."""

    mechanism: str
    way: str
    epsilon: float
    trials: int
    measures: Mapping[str, Estimate]


_NAMES = {cls.__name__: cls.name for cls in MECHANISMS}


def table_of(trials: Sequence[Trial], folder: Path) -> list[Row]:
    """The means over the trials that a folder holds, by mechanism, way and ε.

    Raises
    ------
    ValueError
        If a trial is missing or failed: a mean over those that went well would be another one.

    """
    done = rows_of(trials, folder)
    lost = [t for t in trials if t.fingerprint not in done or done[t.fingerprint]["error"]]
    if lost:
        reason = done.get(lost[0].fingerprint, {}).get("error", "it was not run")
        raise ValueError(
            f"Table: all {len(trials)} trials are needed; {len(lost)} are missing or failed, the "
            f"first because: {reason}"
        )
    of_setting: dict[tuple[str, str, float], list[dict[str, Any]]] = {}
    for row in done.values():
        of_setting.setdefault((row["mechanism"], row["way"], row["epsilon"]), []).append(row)
    return [
        Row(
            _NAMES[key[0]],
            *key[1:],
            len(same),
            {
                name: of_mean([row[name] for row in same], 0, 1, of="trials")
                for name in trials[0].measures
            },
        )
        for key, same in sorted(of_setting.items())
    ]


def rows_of(trials: Sequence[Trial], folder: Path) -> dict[str, dict[str, Any]]:
    """The rows of those trials that a folder holds, by fingerprint."""
    names, settings = {trial.fingerprint for trial in trials}, list(trials[0].settings)
    found = rows.read(folder, trials[0].schema()).to_pylist()
    named = {trials[0]._name({name: row[name] for name in settings}): row for row in found}
    return {name: row for name, row in named.items() if name in names}


def write_table(file: Path, table: Iterable[Row], provenance: Mapping[str, Any]) -> None:
    """The table as CSV, and beside it what it was made by as JSON."""
    table = list(table)
    unfinished = file.with_suffix(".unfinished")
    with unfinished.open("w", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines)
        names = [f"{m}{end}" for m in table[0].measures for end in ENDS]
        writer.writerow([*Row._fields[:-1], *names])
        for row in table:
            ends = [f"{end:.4f}" for found in row.measures.values() for end in found.numbers]
            writer.writerow([row.mechanism, row.way, f"{row.epsilon:g}", row.trials, *ends])
    unfinished.replace(file)
    file.with_suffix(".json").write_text(
        json.dumps(provenance, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def read_table(file: Path) -> list[Row]:
    """A table that was written."""
    with file.open(newline="", encoding="utf-8") as lines:
        return [_read(line) for line in csv.DictReader(lines)]


def _read(line: dict[str, str]) -> Row:
    names = [name for name in line if f"{name}_from" in line]
    source = Source("trials", int(line["trials"]))
    measures = {name: from_columns(line, name, source) for name in names}
    return Row(line["mechanism"], line["way"], float(line["epsilon"]), source.count, measures)
