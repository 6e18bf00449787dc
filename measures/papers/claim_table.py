"""The table of a claim: named tuples as CSV, below lines on how they were computed."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

_Row = TypeVar("_Row")


def write(
    row: type[tuple[Any, ...]],
    rows: Sequence[tuple[Any, ...]],
    provenance: Mapping[str, object],
    file: Path,
) -> None:
    """Write named tuples of a type below their provenance, in lines that begin with `#`.

    Numbers have four decimals. The file is there whole, or as it was.
    """
    unfinished = file.with_suffix(".unfinished")
    with unfinished.open("w", newline="", encoding="utf-8") as out:
        out.writelines(f"# {key}: {value}\n" for key, value in provenance.items())
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([*get_type_hints(row)])
        writer.writerows(
            [f"{value:.4f}" if isinstance(value, float) else value for value in each]
            for each in rows
        )
    unfinished.replace(file)


def read(row: type[_Row], file: Path) -> list[_Row]:
    """The rows of a table, as named tuples of their type."""
    lines = file.read_text(encoding="utf-8").splitlines()
    table = csv.DictReader(line for line in lines if not line.startswith("# "))
    kinds: dict[str, Any] = get_type_hints(row)  # str, int or float, which read their own text
    return [row(**{name: kind(cells[name]) for name, kind in kinds.items()}) for cells in table]


def provenance(file: Path) -> dict[str, str]:
    """How a table was computed: the lines above it."""
    lines = file.read_text(encoding="utf-8").splitlines()
    head = [line.removeprefix("# ").split(": ", 1) for line in lines if line.startswith("# ")]
    return {key: value for key, value in head}
