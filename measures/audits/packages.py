"""Published packages held against what they promise, from their outputs alone: the shipped table.

`benchmarks.audit_packages` makes it; `black_box` says how ε is bounded from below.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parents[2] / "data" / "audited_packages.csv"
JSON = TABLE.with_suffix(".json")


@dataclass(frozen=True)
class Row:
    """One mechanism of a package at one ε: as published, as audited."""

    package: str
    mechanism: str
    promised: float
    """ε as promised, a unit of the distance."""
    at_least: float
    """ε that is used at least."""
    broken: bool
    word: str
    other: str
    """The pair of the witness; empty if nothing was shown."""
    output: str
    outputs: int
    """An output of the witness, and how many it has."""
    low: float
    high: float
    draws: int
    other_draws: int


def write(rows: Sequence[Row], provenance: Mapping[str, Any]) -> None:
    """Replace the shipped table."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Row)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(row) for row in rows)
    JSON.write_text(json.dumps(provenance, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def shipped() -> tuple[list[Row], dict[str, Any]]:
    """The table and its provenance."""
    kinds: dict[str, Callable[[str], Any]] = {
        "float": float,
        "int": int,
        "str": str,
        "bool": "True".__eq__,
    }
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = [
            Row(**{f.name: kinds[str(f.type)](row[f.name]) for f in fields(Row)})
            for row in csv.DictReader(file)
        ]
    return rows, json.loads(JSON.read_text(encoding="utf-8"))
