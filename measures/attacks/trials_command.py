"""The command line of an attack on trained models: its trials as a sweep, and the table of them."""

from __future__ import annotations

import json
import math
import platform
import shlex
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from data import embeddings
from measures import machine
from measures.attacks.trials import Trial, failed, rows_of, run, table_of, write_table
from measures.sweeps import plan
from measures.sweeps.sweep import Kind, one_by_one, sweep_with_bar
from mechanisms import SLUGS


def command(
    planned: Callable[..., list[Trial]], module: str, epsilons: Sequence[float], texts: int
) -> typer.Typer:
    """The command line of an attack: run its trials, and write the table of them if asked to.

    Parameters
    ----------
    planned
        The trials for mechanisms, ε, `texts`, `vocabulary_size`, `repetitions` and `seed`.
    module
        What is run, such as `measures.attacks.membership`.
    epsilons, texts
        What is taken where nothing else is said.

    """
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

    @app.command()
    def main(
        folder: Annotated[Path, typer.Argument(help="Folder for the rows, one file per trial.")],
        mechanism: Annotated[
            list[str] | None,
            typer.Option(help=f"{', '.join(SLUGS)}. By default cmp and tem.", metavar="NAME"),
        ] = None,
        epsilon: Annotated[
            list[float] | None, typer.Option(help="By default every ε of the shipped table.")
        ] = None,
        texts: Annotated[int, typer.Option(min=4, help="How many texts of the corpus.")] = texts,
        size: Annotated[
            int, typer.Option(help="How many of the most frequent words of GloVe to use.")
        ] = embeddings.DEFAULT_SIZE,
        repetitions: Annotated[int, typer.Option(min=1, help="Trials of each setting.")] = 5,
        seed: Annotated[int, typer.Option(min=0, help="Seed of all random choices.")] = 0,
        workers: Annotated[int, typer.Option(min=1, help="Processes on this machine.")] = 1,
        scheduler: Annotated[
            str | None,
            typer.Option(help="A dask scheduler, tcp://host:8786; its workers run the trials."),
        ] = None,
        retry_failed: Annotated[
            bool, typer.Option("--retry-failed", help="Run again the trials that failed before.")
        ] = False,
        table: Annotated[
            Path | None,
            typer.Option(
                help="A CSV file for the means over trials; a JSON file is written beside it."
            ),
        ] = None,
    ) -> None:
        """Attack models trained on private text. Run the same command again to continue."""
        try:
            trials = planned(
                plan.with_parameters(mechanism or ("cmp", "tem")),
                epsilon or epsilons,
                texts=texts,
                vocabulary_size=size,
                repetitions=repetitions,
                seed=seed,
            )
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None
        kind = Kind(partial(one_by_one, run), failed, trials[0].schema())
        sweep_with_bar(trials, folder, workers, scheduler, retry_failed, kind)
        if table is None:
            return
        try:
            means = table_of(trials, folder)
        except ValueError as error:
            typer.echo(f"{error}", err=True)
            raise typer.Exit(1) from None
        write_table(table, means, _made_by(trials, folder, f"python -m {module}"))
        typer.echo(f"The means over the trials of each setting are in {table}.")

    return app


def _made_by(trials: Sequence[Trial], folder: Path, program: str) -> dict[str, Any]:
    """What a table was made by."""
    mine = list(rows_of(trials, folder).values())
    first = trials[0].settings
    return {
        "command": f"{program} {shlex.join(sys.argv[1:])}",
        "date": datetime.now(UTC).date().isoformat(),
        "trials": len(mine),
        "seconds of all trials": round(math.fsum(row["seconds"] for row in mine)),
        "machine": f"{machine.described()}, Python {platform.python_version()}",
        "versions": json.loads(mine[0]["versions"]),
        **{name: first[name] for name in ("corpus", "texts", "embedding", "vocabulary_size")},
    }
