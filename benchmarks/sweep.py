"""A sweep in one process, in two, and on a dask cluster of two; and text end to end.

    python -m benchmarks.sweep            both tables
    python -m benchmarks.sweep --cells    the first alone
    python -m benchmarks.sweep --text     the second alone

The same cells run three times into empty folders, with all measures but BERTScore. Starting the
processes, their loading of words, texts and sentence encoder, and the baselines are part of it.

End to end is from texts to private texts: tokens, draws and spelling (`privatise_all`), after
loading, in one process with all its threads. The 300 dimensions are those of glove-840b-300d where
it is installed; else random vectors of that shape, and the table says so.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.live_sentence import machine
from data import corpora, embeddings
from measures.sweeps import plan
from measures.sweeps.experiment import Cell
from measures.sweeps.sweep import sweep
from mechanisms import CMP, TEM, Vocabulary
from mechanisms.randomness import release_rng, seeded_rng
from mechanisms.text import privatise_all
from mechanisms.tokens import Kind, tokenise_all

TEXTS, SPREAD = 200, 2
EPSILON = 5.0
REVIEWS, WORDS, TOKENS = 1000, 80, 537_000


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Sweeps and texts, end to end.")
    parser.add_argument("--cells", action="store_true", help="measure only the sweeps")
    parser.add_argument("--text", action="store_true", help="measure only the texts")
    arguments = parser.parse_args()
    print(machine())
    if not arguments.text:
        sweeps()
    if not arguments.cells:
        texts()


# ------------------------------------------------------------------------------------------- cells


def sweeps() -> None:
    """The same cells by one process, by two, and by two workers of dask."""
    from distributed import LocalCluster

    cells = plan.planned(("imdb",), (CMP.family(), TEM.family()), spread=SPREAD, texts=TEXTS)
    print(f"\n{len(cells)} cells of {TEXTS} IMDb reviews, CMP and TEM, 30,000 × 50\n")
    print("| where | seconds | cells/min |\n|:---|---:|---:|")
    row("one process", cells)
    row("two processes", cells, workers=2)
    start = time.perf_counter()
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        started = time.perf_counter() - start
        row("dask, two workers", cells, scheduler=cluster.scheduler_address)
    print(f"\nStarting the cluster, not counted: {started:.1f} s.")


def row(where: str, cells: list[Cell], **how: Any) -> None:
    """One line of the table."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        outcome = sweep(cells, Path(folder), **how)
        took = time.perf_counter() - start
    assert outcome.failed == 0, outcome
    print(f"| {where} | {took:.1f} | {60 * len(cells) / took:.1f} |", flush=True)


# -------------------------------------------------------------------------------------------- text


def texts() -> None:
    """Whole corpora from text to private text."""
    print(f"\nText to private text at ε = {EPSILON:g}\n")
    print("| texts | words drawn | vocabulary | mechanism | seconds | promised |")
    print("|:---|---:|:---|:---|---:|---:|")
    reviews = corpora.sampled(corpora.load("imdb"), REVIEWS, seed=0).texts
    cut = [" ".join(review.split()[:WORDS]) for review in reviews]
    small = embeddings.load(embeddings.GLOVE, 30_000, words_only=False)
    end_to_end(f"{REVIEWS:,} reviews of {WORDS} words", cut, "30,000 × 50", small, (6, 4))
    name, large = in_300_dimensions()
    everything = corpora.load("imdb").texts
    end_to_end(f"{TOKENS:,} words of IMDb", first_words(everything, large), name, large, (120, 12))


def end_to_end(
    what: str,
    texts: Sequence[str],
    name: str,
    vocabulary: Vocabulary,
    promised: tuple[float, float],
) -> None:
    """Two lines of the table: CMP's and TEM's."""
    for mechanism, limit in zip(
        (CMP(epsilon=EPSILON), TEM(epsilon=EPSILON)), promised, strict=True
    ):
        privatise_all(texts[:1], mechanism, vocabulary, release_rng())  # prepares the vocabulary
        start = time.perf_counter()
        private = privatise_all(texts, mechanism, vocabulary, release_rng())
        for each in private:
            each.texts  # noqa: B018  (spelled when it is asked for)
        took = time.perf_counter() - start
        drawn = sum(int((each.drawn >= 0).sum()) for each in private)
        cells = (what, f"{drawn:,}", name, mechanism.name, f"{took:.1f}", f"{limit:g}")
        print(f"| {' | '.join(cells)} |", flush=True)


def in_300_dimensions() -> tuple[str, Vocabulary]:
    """GloVe 840B where it is installed; else GloVe's words with random vectors, and so named."""
    if embeddings.by_name(embeddings.GLOVE_840B).available:
        vocabulary = embeddings.load(embeddings.GLOVE_840B, words_only=False)
        return f"GloVe 840B, {len(vocabulary):,} × {vocabulary.dimensions}", vocabulary
    words = embeddings.load(embeddings.GLOVE, 33_860, words_only=False).words
    vectors = seeded_rng(0).standard_normal((len(words), 300), dtype=np.float32)
    return f"random, {len(words):,} × 300", Vocabulary(words, vectors)


def first_words(texts: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """The first texts with about `TOKENS` words, known or not."""
    chosen, count = [], 0
    for text, tokens in zip(texts, tokenise_all(texts, vocabulary), strict=False):
        if count >= TOKENS:
            break
        chosen.append(text)
        count += sum(token.kind in (Kind.WORD, Kind.NUMBER) for token in tokens)
    return chosen


if __name__ == "__main__":
    main()
