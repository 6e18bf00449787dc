"""Tokens a second of whole files by every mechanism, beside the work that none can do without.

Each file of IMDb reviews goes through `release.run` in a process of its own, from file to file.
Counted is processor time, so that other work on the machine does not count; one process works on
one core. The floors are measured in the same process, on the same texts:

cutting   the tokens of all texts in arrays, as a release cuts them, and no draw
product   one float32 product of as many points as words were drawn with all vectors (only for
          mechanisms that search a nearest word; what a law needs of a word is kept for the file)

    python -m benchmarks.text_speed
    python -m benchmarks.text_speed --mechanism tem=4 --rows 1000
    python -m benchmarks.text_speed --live
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from threadpoolctl import threadpool_limits

from benchmarks.files import _WARM_UP, _released, _written
from benchmarks.live_sentence import machine

LAWS = ("tem=4", "santext=4", "truncated-gumbel=100", "syntf=4")
NOISE = ("cmp=10", "mahalanobis=10", "vickrey=10", "laplace=300", "gaussian=10")
NOISE += ("truncated-laplace=300",)
PROMISED_TOKENS = 300_000
PROMISED_PRODUCTS = 1.4
LIVE_CHARACTERS = 20_000

# Points of the product that is measured as the floor.
_POINTS = 512
_TIMES = 20


def main(
    mechanism: Annotated[
        list[str] | None, typer.Option(help="A mechanism and its ε, such as tem=4.")
    ] = None,
    rows: Annotated[
        int | None,
        typer.Option(help="Number of reviews; default: 25,000 for laws, otherwise 1,000."),
    ] = None,
    live: Annotated[
        bool, typer.Option(help="Measure one text of 20,000 characters instead.")
    ] = False,
    one: Annotated[str | None, typer.Option(hidden=True)] = None,
) -> None:
    """Print the table."""
    if one is not None:
        print(json.dumps(_measured(**json.loads(one))))
        return
    print(f"{machine()}\n\n30,000 entries of GloVe 50d\n")
    if live:
        _live(mechanism or [*LAWS, *NOISE])
        return
    columns = "reviews | tokens | processor s | tokens/s | cutting, tokens/s | products | MB"
    print(f"| mechanism | {columns} |")
    print("|:---|---:|---:|---:|---:|---:|---:|---:|")
    for name in mechanism or [*LAWS, *NOISE]:
        _print(name, rows or (1_000 if name in NOISE else 25_000))


def _print(name: str, rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        given = json.dumps({"folder": folder, "name": name, "rows": rows})
        run = subprocess.run(
            [sys.executable, "-m", "benchmarks.text_speed", "--one", given],
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        )
    found = json.loads(run.stdout.splitlines()[-1])
    seconds, tokens, cutting = found["seconds"], found["tokens"], found["cutting"]
    products = f"{seconds / found['product']:.2f}" if name in NOISE else ""
    print(
        f"| {name.replace('=', ', ε = ')} | {rows:,} | {tokens:,} | {seconds:.1f} "
        f"| {tokens / seconds:,.0f} | {tokens / cutting:,.0f} | {products} "
        f"| {found['bytes'] / 2**20:,.0f} |",
        flush=True,
    )


def _measured(folder: str, name: str, rows: int) -> dict[str, Any]:
    """Processor seconds of a file and of its floors, tokens, and peak memory."""
    from mechanisms.token_numbers import TokenNumbers
    from release import settings

    slug, epsilon = name.split("=")
    how = settings.Settings(mechanism=settings.mechanism(slug, float(epsilon)))
    source = _written(Path(folder) / "reviews.csv", rows)
    warm_up = _written(Path(folder) / "warm-up.csv", _WARM_UP)
    with threadpool_limits(1, user_api="blas"):
        _released(warm_up, how, {"workers": 1})
        begin = time.process_time()
        done = _released(source, how, {"workers": 1})
        seconds = time.process_time() - begin
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        drawn = done.report["drawn words, known and unknown"]
        product = drawn * _product(how.vocabulary())
        texts = _texts(source)
        begin = time.process_time()
        numbers = TokenNumbers(how.vocabulary())
        for first in range(0, len(texts), 400):  # about as many as a piece has
            numbers.of(texts[first : first + 400])
        cutting = time.process_time() - begin
    return {
        "seconds": seconds,
        "tokens": done.account["tokens"]["all"],
        "bytes": peak,
        "product": product,
        "cutting": cutting,
    }


def _product(vocabulary: Any) -> float:
    """Processor seconds of the product for one point, the median."""
    queries = np.random.default_rng(0).standard_normal((_POINTS, vocabulary.dimensions))
    queries = queries.astype(np.float32)
    out = np.empty((_POINTS, len(vocabulary)), dtype=np.float32)
    taken = []
    for _ in range(_TIMES):
        begin = time.process_time()
        np.matmul(queries, vocabulary.vectors.T, out=out)
        taken.append(time.process_time() - begin)
    return sorted(taken)[_TIMES // 2] / _POINTS


def _texts(source: Path) -> list[str]:
    import csv

    with source.open(encoding="utf-8", newline="") as file:
        return [row["text"] for row in csv.DictReader(file)]


def _live(names: list[str]) -> None:
    """One text, five versions, from text to private text, in a process that has drawn before."""
    from data import corpora
    from mechanisms.randomness import release_rng
    from mechanisms.text import privatise
    from release import settings

    text = " ".join(corpora.load("imdb").texts[:40])[:LIVE_CHARACTERS]
    print(f"One text of {len(text):,} characters, five versions\n")
    print("| mechanism | processor time, s | time, s | promised, s |\n|:---|---:|---:|---:|")
    for name in names:
        slug, epsilon = name.split("=")
        how = settings.Settings(mechanism=settings.mechanism(slug, float(epsilon)))
        vocabulary = how.vocabulary()
        privatise("the film", how.mechanism, vocabulary).texts  # noqa: B018
        begin, used = time.perf_counter(), time.process_time()
        _ = privatise(text, how.mechanism, vocabulary, release_rng(), 5).texts
        used, taken = time.process_time() - used, time.perf_counter() - begin
        print(f"| {name.replace('=', ', ε = ')} | {used:.2f} | {taken:.2f} | 1 |", flush=True)


if __name__ == "__main__":
    typer.run(main)
