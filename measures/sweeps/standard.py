"""The standard sweep, packed into the project: rows in one file, and where they come from.

    python -m measures.sweeps.sweep results --standard --workers 2
    python -m measures.sweeps.standard results

or, with `--repetitions 5 --texts 2000` in both, the one that is shipped.

The second command writes `data/standard_sweep.parquet` and `data/standard_sweep.json` from the
finished folder. The provenance names no host and no path.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Annotated, Any

import pyarrow as pa
import typer
from pyarrow import compute, parquet

from measures import machine
from measures.sweeps import plan, rows

TARGET = Path(__file__).parents[2] / "data" / "standard_sweep.parquet"

_ORDER = ("corpus", "mechanism", "variant", "epsilon", "repetition")


def pack(
    folder: Path, target: Path = TARGET, repetitions: int = 1, texts: int = plan.TEXTS
) -> dict[str, Any]:
    """Write the rows of the standard sweep and their provenance; the provenance is returned.

    Raises
    ------
    FileNotFoundError
        Where there is no such folder.
    ValueError
        If the folder lacks cells of the standard sweep.

    """
    cells = plan.standard(repetitions, texts)
    chosen = "--standard"
    if (repetitions, texts) != (1, plan.TEXTS):
        chosen += f" --repetitions {repetitions} --texts {texts}"
    names = {cell.fingerprint for cell in cells}
    table = rows.read(folder)  # in the order of `finished`
    table = table.filter(pa.array([name in names for name in rows.finished(folder)], pa.bool_()))
    if len(table) < len(cells):
        raise ValueError(
            f"Standard sweep: {len(cells) - len(table)} of {len(cells)} cells are not in {folder}; "
            f"`python -m measures.sweeps.sweep {folder} {chosen}` runs the others."
        )
    table = table.sort_by([(column, "ascending") for column in _ORDER])
    about = _provenance(table, chosen)
    parquet.write_table(table, target, compression="zstd")
    text = json.dumps(about, ensure_ascii=False, indent=1)
    target.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
    return about


def _provenance(table: pa.Table, chosen: str) -> dict[str, Any]:
    started = table["started_at"].to_pylist()
    ended = [
        start.timestamp() + seconds
        for start, seconds in zip(started, table["seconds"].to_pylist(), strict=True)
    ]
    return {
        "command": f"python -m measures.sweeps.sweep results {chosen} --workers 2",
        "date": min(started).date().isoformat(),
        "machine": machine.described(),
        "versions": [json.loads(each) for each in sorted(set(table["versions"].to_pylist()))],
        "commit": _commit(),
        "cells": len(table),
        "failed": len(table) - table["error"].null_count,
        "seconds_of_all_cells": round(compute.sum(table["seconds"]).as_py()),
        "seconds_from_first_to_last": round(max(ended) - min(started).timestamp()),
    }


def _commit() -> str:
    """The version of the source, marked where files differ from it; nothing outside of git."""
    git = shutil.which("git")
    if git is None:
        return ""
    described = subprocess.run(
        [git, "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty"],
        cwd=TARGET.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return described.stdout.strip()


_app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@_app.command()
def main(
    folder: Annotated[Path, typer.Argument(help="Of a finished standard sweep.")],
    repetitions: Annotated[int, typer.Option(min=1, metavar="N", help="As in the sweep.")] = 1,
    texts: Annotated[int, typer.Option(min=4, metavar="N", help="As in the sweep.")] = plan.TEXTS,
) -> None:
    """Pack the finished standard sweep into the project's data."""
    try:
        about = pack(folder, TARGET, repetitions, texts)
    except (FileNotFoundError, ValueError) as error:
        raise typer.BadParameter(str(error)) from None
    typer.echo(
        f"{TARGET.name}: {about['cells']} cells, {about['failed']} of them failed; "
        f"{about['seconds_of_all_cells']} s of work in {about['seconds_from_first_to_last']} s."
    )


if __name__ == "__main__":
    _app()
