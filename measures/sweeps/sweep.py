"""The sweep: many cells in parallel, kept as soon as they are finished.

    python -m measures.sweeps.sweep results --mechanism tem --mechanism cmp --epsilon-count 6
    python -m measures.sweeps.sweep results --standard --workers 2
    python -m measures.sweeps.sweep results --standard --repetitions 5 --texts 2000 --workers 2

Cells run through joblib: in processes of this machine, or on the workers of a dask scheduler
(`--scheduler tcp://host:8786`; measures/README.md says what they need). Their rows come back here
and are written here (`measures.sweeps.rows`), so only this process needs the folder. A sweep that
was stopped, in whatever way, goes on with the same command: cells that are there are not run again.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import joblib
import pyarrow as pa
import typer
from tqdm import tqdm

from data import corpora, embeddings
from measures.sweeps import plan, rows
from measures.sweeps.classifiers import CLASSIFIERS
from measures.sweeps.experiment import MEASURES, Curve, failed, run_curve
from measures.sweeps.task import forget
from mechanisms import SLUGS
from mechanisms.workers import backend

Progress = Callable[[int, int], None]
"""Called with how many cells are finished, and of how many."""


class Kind(NamedTuple):
    """What a sweep is made of: how a cell becomes a row. Cells have a `fingerprint`."""

    run: Callable[[Sequence[Any]], list[dict[str, Any]]]
    """The rows of cells that run together. What goes wrong in a cell is its row's `error`; known by
    its name, for other processes."""
    failed: Callable[[Any, str], dict[str, Any]]
    """The row of a cell whose process died, with the reason."""
    schema: pa.Schema
    together: Callable[[Any], str] = attrgetter("fingerprint")
    """What cells that run together have in common: by default each runs alone."""


CELLS = Kind(run_curve, failed, rows.SCHEMA, Curve.of)
"""A mechanism at one ε on one corpus, together with its other ε (`measures.sweeps.experiment`)."""


class Outcome(NamedTuple):
    """What became of the cells of a sweep."""

    finished: int
    failed: int
    """Of the finished ones, those whose row holds an error."""
    found: int
    """Of the finished ones, those that were there before."""


def sweep(
    cells: Sequence[Any],
    folder: Path,
    workers: int = 1,
    scheduler: str | None = None,
    retry_failed: bool = False,
    progress: Progress | None = None,
    kind: Kind = CELLS,
) -> Outcome:
    """Run the cells that the folder lacks, and keep a row of each.

    Parameters
    ----------
    cells
        What to run, all of one kind. They start in this order.
    folder
        Where rows are kept and looked for; other cells of the kind may be there too.
    workers
        Processes of this machine; with 1 the cells run in this process.
    scheduler
        The address of a dask scheduler, whose workers are used instead.
    retry_failed
        Run those cells again whose row holds an error.
    progress
        Called at the start and after every cell. What it raises stops the sweep.
    kind
        What the cells are.

    Raises
    ------
    OSError
        If the folder cannot be written, or no scheduler answers.

    """
    there = rows.finished(folder, kind.schema)
    rows.remove_left_behind(folder)
    named = {cell.fingerprint: cell for cell in cells}
    errors = {name: there[name] for name in named if name in there}
    left = {
        name: cell
        for name, cell in named.items()
        if name not in errors or (retry_failed and errors[name] is not None)
    }
    for name in left:
        errors.pop(name, None)
    found = len(errors)
    if progress:
        progress(found, len(named))
    for name, row in _rows(left, kind, workers, scheduler):
        rows.write(folder, name, row, kind.schema)
        errors[name] = row["error"]
        if progress:
            progress(len(errors), len(named))
    return Outcome(len(errors), sum(e is not None for e in errors.values()), found)


def _rows(
    cells: dict[str, Any], kind: Kind, workers: int, scheduler: str | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of cells as they are finished, and their fingerprints.

    A process that dies, mostly for want of memory, takes its pool along. Then each cell that may
    have been at work gets a pool of its own, which shows the one that is to blame: it has failed.
    """
    left: dict[str, dict[str, Any]] = {}
    for name, cell in cells.items():
        left.setdefault(kind.together(cell), {})[name] = cell
    while left:
        try:
            for common, found in _from_workers(left, kind, workers, scheduler):
                del left[common]
                yield from found.items()
        except BrokenProcessPool:
            ahead = list(left)[: 2 * workers]  # as many as joblib hands out
            for name, cell in [pair for common in ahead for pair in left.pop(common).items()]:
                alone = {name: {name: cell}}
                try:
                    for _, found in _from_workers(alone, kind, workers, scheduler):
                        yield from found.items()
                except BrokenProcessPool:
                    yield (
                        name,
                        kind.failed(
                            cell, "its process ended; there may have been too little memory"
                        ),
                    )


def _from_workers(
    groups: dict[str, dict[str, Any]], kind: Kind, workers: int, scheduler: str | None
) -> Iterator[tuple[str, dict[str, dict[str, Any]]]]:
    with backend(workers, scheduler, forget) as jobs:
        tasks = [joblib.delayed(_named)(name, cells, kind.run) for name, cells in groups.items()]
        # One by one, so that each is kept as soon as it is finished.
        parallel = joblib.Parallel(jobs, return_as="generator_unordered", batch_size=1)
        with closing(parallel(tasks)) as results:
            yield from results


def _named(
    common: str, cells: dict[str, Any], run: Callable[[Sequence[Any]], list[dict[str, Any]]]
) -> tuple[str, dict[str, dict[str, Any]]]:
    return common, dict(zip(cells, run(list(cells.values())), strict=True))


def one_by_one(run: Callable[[Any], dict[str, Any]], cells: Sequence[Any]) -> list[dict[str, Any]]:
    """The rows of cells that share nothing, as `Kind.run` in a `partial`."""
    return [run(cell) for cell in cells]


# --------------------------------------------------------------------------------- the command line

_app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)

_Names = list[str] | None


def _one_of(*names: str, default: str = "") -> Any:
    default = f" By default {default}." if default else ""
    return typer.Option(help=f"{', '.join(names)}. May be repeated.{default}", metavar="NAME")


@_app.command()
def main(
    folder: Annotated[Path, typer.Argument(help="Folder for the rows, one file per cell.")],
    mechanism: Annotated[_Names, _one_of(*SLUGS, "all")] = None,
    epsilon: Annotated[
        _Names,
        typer.Option(
            metavar="E",
            help="A number, or a multiple of the dimensions such as 50d. May be repeated.",
        ),
    ] = None,
    epsilon_count: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many ε to spread over each mechanism's own range."),
    ] = None,
    param: Annotated[
        _Names,
        typer.Option(
            metavar="NAME=VALUE", help="Such as beta=0.01. If repeated, all combinations run."
        ),
    ] = None,
    corpus: Annotated[_Names, _one_of(*corpora.names(), default="imdb")] = None,
    preprocessing: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="benchmark (lower case, no stop words, no numbers, lemmas) or none. "
            "By default benchmark.",
        ),
    ] = None,
    texts: Annotated[
        int | None,
        typer.Option(metavar="N", help=f"Texts of each corpus. By default {plan.TEXTS}."),
    ] = None,
    embedding: Annotated[_Names, _one_of(*embeddings.names(), default=embeddings.GLOVE)] = None,
    size: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="How many of the most frequent words of the embedding to use. "
            f"By default {embeddings.DEFAULT_SIZE}.",
        ),
    ] = None,
    classifier: Annotated[_Names, _one_of(*CLASSIFIERS, default="logistic")] = None,
    measure: Annotated[_Names, _one_of(*MEASURES, default="all but bert_score")] = None,
    repetitions: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Repetitions, each with other texts and noise. By default 1."
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Seed of all random choices. By default 0.")
    ] = None,
    standard: Annotated[
        bool, typer.Option("--standard", help="Run the standard sweep that comes with the project.")
    ] = False,
    workers: Annotated[
        int, typer.Option(min=1, metavar="N", help="Processes on this machine. By default 1.")
    ] = 1,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="A dask scheduler, tcp://host:8786; its workers run the cells."
        ),
    ] = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Run again the cells that failed before.")
    ] = False,
) -> None:
    """Measure privacy and utility of mechanisms. Run the same command again to continue."""
    chosen = {
        "corpora": corpus,
        "epsilons": epsilon,
        "spread": epsilon_count,
        "embedding_names": embedding,
        "vocabulary_size": size,
        "classifiers": classifier,
        "repetitions": repetitions,
        "preprocessing": preprocessing,
        "texts": texts,
        "measures": measure and tuple(measure),
        "seed": seed,
    }
    given: dict[str, Any] = {name: value for name, value in chosen.items() if value is not None}
    try:
        if standard and (set(given) - {"repetitions", "texts"} or mechanism or param):
            raise ValueError("--standard takes no other choices than --repetitions and --texts.")
        for name in corpus or ():
            if name not in corpora.names():
                known = ", ".join(corpora.names())
                raise ValueError(f"Corpus: must be one of {known}; got {name!r}.")
        if standard:
            cells = plan.standard(repetitions or 1, texts or plan.TEXTS)
        else:
            cells = plan.planned(
                families=plan.with_parameters(mechanism or (), param or ()), **given
            )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    sweep_with_bar(cells, folder, workers, scheduler, retry_failed)


def sweep_with_bar(
    cells: Sequence[Any],
    folder: Path,
    workers: int,
    scheduler: str | None,
    retry_failed: bool,
    kind: Kind = CELLS,
) -> None:
    """The sweep with its bar, and what became of it."""
    start = time.monotonic()
    with tqdm(total=len(cells), unit="cell") as bar:

        def progress(done: int, of: int) -> None:
            if bar.n == 0:
                bar.initial = done  # found: they took no time
            bar.update(done - bar.n)

        try:
            outcome = sweep(cells, folder, workers, scheduler, retry_failed, progress, kind)
        except KeyboardInterrupt:
            bar.close()
            typer.echo(
                f"Stopped after {bar.n} of {len(cells)} cells. Run the same command to continue."
            )
            raise typer.Exit(130) from None
        except OSError as error:
            bar.close()
            typer.echo(f"{error}", err=True)
            raise typer.Exit(1) from None
    typer.echo(
        f"Cells in {folder}: {outcome.finished}, of which {outcome.found} were there before and "
        f"{outcome.failed} failed. Time: {time.monotonic() - start:.0f} s."
    )
    names = {cell.fingerprint for cell in cells}
    problems = Counter(
        e for name, e in rows.finished(folder, kind.schema).items() if e and name in names
    )
    for problem, count in problems.most_common():
        typer.echo(f"  {count} × {problem}")


if __name__ == "__main__":
    _app()
