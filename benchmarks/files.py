"""Files of real reviews made private: rows and tokens a second, peak memory, growth with the size.

Files of 1,000, 10,000 and 25,000 IMDb reviews go through `release.run`, from file to file, each in
a process of its own: drawn in that process, by two worker processes, and by the two workers of a
dask cluster on this machine. A warm-up of a few rows comes first, so that reading the embedding,
which happens once, is no part of a file's time. Peak memory is the largest resident set of the
process and, for workers, the sum of theirs.

    python -m benchmarks.files
    python -m benchmarks.files --mechanism cmp --epsilon 10 --rows 1000
"""

from __future__ import annotations

import csv
import json
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer
from threadpoolctl import threadpool_limits

from benchmarks.live_sentence import machine
from data import corpora

ROWS = (1_000, 10_000, 25_000)
WAYS = ("one process", "two processes", "dask, two workers")
PROMISED_GROWTH = 0.15
_WARM_UP = 20


def main(
    mechanism: Annotated[str, typer.Option(help="As for `python -m release`.")] = "tem",
    epsilon: Annotated[float, typer.Option(help="As for `python -m release`.")] = 4.0,
    rows: Annotated[
        list[int] | None, typer.Option(help="Number of reviews in a file; may be repeated.")
    ] = None,
    one: Annotated[str | None, typer.Option(hidden=True)] = None,
) -> None:
    """Print the table."""
    if one is not None:
        print(json.dumps(_measured(**json.loads(one))))
        return
    print(f"{machine()}\n\n{mechanism}, ε = {epsilon:g}, 30,000 entries of GloVe 50d\n")
    print("| way | rows | tokens | seconds | rows a second | tokens a second | peak memory |")
    print("|:---|---:|---:|---:|---:|---:|---:|")
    sizes = rows or list(ROWS)
    last = {}
    with tempfile.TemporaryDirectory() as folder:
        for way in WAYS:
            found = [_row(Path(folder), way, n, mechanism, epsilon) for n in sizes]
            paces = [one["seconds"] / one["tokens"] for one in found]
            last[way] = found[-1]["seconds"] / found[-1]["rows"]
            if len(paces) > 1:
                growth = paces[-1] / paces[0] - 1
                print(
                    f"| {way} | | time a token grows by | {growth:+.0%} | promised: at most "
                    f"{PROMISED_GROWTH:+.0%} | | |",
                    flush=True,
                )
    print(_billion(last[WAYS[0]], last[WAYS[2]]))


def _billion(alone: float, cluster: float) -> str:
    """What these figures mean for a billion documents."""
    days = 1e9 * alone / 86_400
    return (
        f"\nA billion reviews of this length take {days:,.0f} days of one core, at "
        f"{1 / alone:,.0f} a second. On two workers of a cluster here, two cores do the work of "
        f"{alone / cluster:.1f}. Pieces are independent and only texts travel, 1.3 kB a review "
        "each way; the process that reads and writes the file is the first to be the limit, so "
        "such a file is cut into many beforehand, and `python -m release` runs on each."
    )


def _row(folder: Path, way: str, rows: int, mechanism: str, epsilon: float) -> dict[str, Any]:
    """One line of the table, and what was measured."""
    given = {"way": way, "rows": rows, "mechanism": mechanism, "epsilon": epsilon}
    command = [sys.executable, "-m", "benchmarks.files", "--one"]
    run = subprocess.run(
        [*command, json.dumps(given | {"folder": str(folder)})],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    found = json.loads(run.stdout.splitlines()[-1])
    seconds, tokens = found["seconds"], found["tokens"]
    print(
        f"| {way} | {rows:,} | {tokens:,} | {seconds:.1f} | {rows / seconds:,.0f} "
        f"| {tokens / seconds:,.0f} | {found['bytes'] / 2**20:,.0f} MB |",
        flush=True,
    )
    return found | {"rows": rows}


def _measured(folder: str, way: str, rows: int, mechanism: str, epsilon: float) -> dict[str, Any]:
    """Seconds, tokens and peak memory of one file, in this process and its workers."""
    from release import settings

    how = settings.Settings(mechanism=settings.mechanism(mechanism, epsilon))
    source = _written(Path(folder) / f"{rows}.csv", rows)
    warm_up = _written(Path(folder) / "warm-up.csv", _WARM_UP)
    with _cluster(way) as cluster:
        where: dict[str, Any] = {"workers": 2 if way == WAYS[1] else 1}
        if cluster is not None:
            where = {"scheduler": cluster.scheduler_address}
        with threadpool_limits(1, user_api="blas"):  # one process is one core
            _released(warm_up, how, where)
            start = time.perf_counter()
            account = _released(source, how, where).account
            seconds = time.perf_counter() - start
    return {
        "seconds": seconds,
        "tokens": account["tokens"]["all"],
        "bytes": _peak(where == {"workers": 1}),
    }


def _released(source: Path, how: Any, where: dict[str, Any]) -> Any:
    from release.layout import layout
    from release.run import run

    target = source.with_name(f"private-{source.name}")
    how_written = layout(source.name, source, named=["text"], quotes=True)
    return run(source, target, how_written, ["text"], how, overwrite=True, **where)


def _cluster(way: str) -> Any:
    if way != WAYS[2]:
        return nullcontext()
    from distributed import LocalCluster

    return LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)


def _peak(alone: bool) -> int:
    """Largest resident set of this process, and for workers twice that of the largest one."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    if alone:
        return own
    _end_workers()
    return own + 2 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def _end_workers() -> None:
    """A child's memory is known when it has ended."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True)


def _written(place: Path, rows: int) -> Path:
    """So many reviews as a CSV file, spread evenly over all."""
    corpus = corpora.load("imdb")
    step = len(corpus) // rows
    with place.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "text", "label"])
        for i in range(0, rows * step, step):
            table.writerow([i, corpus.texts[i], corpus.labels[i]])
    return place


if __name__ == "__main__":
    typer.run(main)
