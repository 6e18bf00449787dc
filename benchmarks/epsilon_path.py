"""The ε path beside the matrix product that it cannot do without, measured in one run.

    python -m benchmarks.epsilon_path

A path needs the product of the directions with the vectors, (M, d) by (d, |W|), once a word. The
floor is that product alone, in float32, over blocks of words that lie in memory as they are, with
as many threads as the path and one BLAS thread each. Everything is run once before it is timed;
the best of several runs counts. Times are processor time, of all threads together, so that other
work on the machine counts less; where it is shared, look at the ratio first.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from data import embeddings
from mechanisms import CMP, Family, Vickrey, Vocabulary
from mechanisms.answers import THREADS
from mechanisms.base import blocks
from mechanisms.contenders import DIRECTIONS
from mechanisms.epsilon_path import epsilon_path
from mechanisms.one_thread import one_thread
from mechanisms.randomness import seeded_rng

GRID = np.geomspace(0.5, 50, 60)

# Words of a block of the product that is the floor.
BLOCK = 2048


def best(run: Callable[[], object], times: int) -> float:
    """Processor milliseconds of the fastest of several runs."""
    taken = []
    for _ in range(times):
        begin = time.process_time()
        run()
        taken.append(time.process_time() - begin)
    return 1e3 * min(taken)


def floor(vocabulary: Vocabulary, directions: int, words: int = 1) -> None:
    """The matrix product alone, for so many words."""
    directions_of = CMP.family().without_epsilon.directions
    single = directions_of(vocabulary, directions, seeded_rng(0)).astype(np.float32)

    def multiply(part: slice) -> None:
        out = np.empty((part.stop - part.start) * BLOCK, dtype=np.float32)
        for some in blocks(len(vocabulary), BLOCK):
            shape = part.stop - part.start, some.stop - some.start
            room = out[: shape[0] * shape[1]].reshape(shape)
            np.matmul(single[part], vocabulary.vectors[some].T, out=room)

    with one_thread(), ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(multiply, [*blocks(directions, DIRECTIONS)] * words))


def report(what: str, taken: float, beside: float | None = None) -> None:
    """One line of the table."""
    ratio = f"{beside:>12,.1f} {taken / beside:>7.2f}" if beside else ""
    print(f"{what:<62} {taken:>12,.1f} {ratio}")


def measure(vocabulary: Vocabulary, family: Family, directions: int, many: int, times: int) -> None:
    """One vocabulary and one mechanism."""
    _ = vocabulary.representatives, vocabulary.longest
    name = f"{family.name}, {len(vocabulary):,} words"
    ids = seeded_rng(1).choice(len(vocabulary), many, replace=False)
    one = [int(ids[0])]

    def path(words: object) -> object:
        return epsilon_path(family, vocabulary, words, directions, seeded_rng(0))

    path(one)
    beside = best(lambda: floor(vocabulary, directions), times)
    report(f"{name}: one word, {directions:,} directions", best(lambda: path(one), times), beside)
    finished = epsilon_path(family, vocabulary, one, directions, seeded_rng(0))
    report(f"{name}: N_w of a word at one ε", best(lambda: finished.unchanged_probability(9.0), 5))
    report(f"{name}: the law of a word at one ε", best(lambda: finished.law(0, 9.0), 5))
    if many < 2:
        return
    beside = best(lambda: floor(vocabulary, directions, many), 1)
    begin = time.process_time()
    finished = epsilon_path(family, vocabulary, ids, directions, seeded_rng(0))
    taken = 1e3 * (time.process_time() - begin)
    report(f"{name}: {many} words, {directions:,} directions", taken, beside)
    begin = time.process_time()
    curves = finished.curves(GRID)
    report(f"{name}: curves of {many} words, {len(GRID)} ε", 1e3 * (time.process_time() - begin))
    report(f"{name}: a {many}-word histogram off the curves", best(lambda: curves.at(9.0), 5))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--directions", type=int, default=1000)
    parser.add_argument("--words", type=int, default=300)
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    print(f"{THREADS} threads, one BLAS thread each")
    print(f"{'':<62} {'ms':>12} {'product, ms':>12} {'ratio':>7}")
    small = embeddings.load(embeddings.GLOVE, 30_000, words_only=False)
    for family in (CMP.family(), Vickrey.family()):
        measure(small, family, options.directions, options.words, options.times)
    large = embeddings.load(embeddings.GLOVE, None, words_only=False)
    for family in (CMP.family(), Vickrey.family()):
        _ = large.representatives, large.longest
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        measure(large, family, options.directions, 1, options.times)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        unit = 2**20 if sys.platform == "darwin" else 2**10
        print(f"{'':<62} peak memory grew by {grown / unit:.0f} MB")


if __name__ == "__main__":
    main()
