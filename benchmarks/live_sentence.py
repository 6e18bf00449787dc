"""A sentence of 20 words made private, five versions in one call: how long a visitor waits.

Every mechanism at several ε, on 30,000 and on 400,000 words of GloVe in 50 dimensions, from the
text to the private text, after loading. Beside each stands the machine's floor,
measured in the same run: one product in float32 of 100 points (five versions of 20 words, for
mechanisms that add noise) or of 20 points (for mechanisms that need a row of distances a word) with
all vectors. Nothing that looks at every vector once can be faster.

    python -m benchmarks.live_sentence                       all mechanisms, both vocabularies
    python -m benchmarks.live_sentence --mechanisms CMP TEM --sizes 30000 --runs 20

The first call on a vocabulary also prepares it (norms, words with equal vectors, axes); it is timed
on its own. Truncated Gumbel first compares all pairs of words, which takes minutes on 400,000
words, and is left out there unless it is asked for by name.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import platform
import statistics
import time
from collections.abc import Callable, Iterator

import numpy as np
from threadpoolctl import threadpool_info

from data import embeddings, wordnet
from measures.machine import cores, processor
from mechanisms import CMP, MECHANISMS, TEM, LawMechanism, Mechanism, Vocabulary
from mechanisms.randomness import release_rng
from mechanisms.text import private_versions

SENTENCE = (
    "the doctor told my sister that the old hospital near the river would close before the end of "
    "next winter"
)
VERSIONS = 5
SIZES = (30_000, 400_000)
EPSILONS = (1.0, 5.0, 10.0)

# At 1, 5 and 10 it has no law on these words: its two closest ones are 0.35 apart.
OTHER_EPSILONS = {"Truncated Gumbel": (100.0, 300.0, 1000.0)}
PAIRWISE = ("Truncated Gumbel",)

# What the project promises for these two, in milliseconds by size, on two cores.
PROMISED = {30_000: 50.0, 400_000: 250.0}
PROMISED_FOR = (CMP, TEM)


def main() -> None:
    """Print the table."""
    arguments = _arguments()
    print(machine())
    print(f"{VERSIONS} versions of {len(SENTENCE.split())} words, 50 dimensions\n")
    print("| words | mechanism | ε | first call, ms | median, ms | floor, ms | times the floor |")
    print("|---:|:---|---:|---:|---:|---:|---:|")
    late = []
    for size in arguments.sizes:
        vocabulary = with_synonyms(embeddings.load(embeddings.GLOVE, size, words_only=False))
        floors = {points: floor(vocabulary, points, arguments.runs) for points in (20, 100)}
        for mechanism in chosen(arguments.mechanisms, size):
            row = f"| {size:,} | {label(mechanism)} | {mechanism.epsilon:g} "
            try:
                first, median = waiting(mechanism, vocabulary, arguments.runs)
            except ValueError as error:
                print(f"{row}| refused: {error} ||||")
                continue
            least = floors[20 if isinstance(mechanism, LawMechanism) else 100]
            print(
                f"{row}| {first:.1f} | {median:.1f} | {least:.1f} | {median / least:.1f} |",
                flush=True,
            )
            if isinstance(mechanism, PROMISED_FOR) and median > PROMISED.get(size, np.inf):
                late.append(f"{label(mechanism)} at ε = {mechanism.epsilon:g} on {size:,} words")
    promised = ", ".join(f"{limit:g} ms on {size:,}" for size, limit in PROMISED.items())
    print(f"\nPromised for CMP and TEM: {promised} words. Later than that: {late or 'none'}.")


def chosen(names: list[str] | None, size: int) -> Iterator[Mechanism]:
    """Mechanisms at their ε: CMP and TEM first, then the others."""
    order = sorted(MECHANISMS, key=lambda cls: (cls not in PROMISED_FOR, cls.name))
    for cls in order:
        if cls.name not in names if names else cls.name in PAIRWISE and size > 100_000:
            continue
        for epsilon in OTHER_EPSILONS.get(cls.name, EPSILONS):
            yield cls(epsilon=epsilon)


def waiting(mechanism: Mechanism, vocabulary: Vocabulary, runs: int) -> tuple[float, float]:
    """Milliseconds of the first call, and the median of the later ones."""
    rng = release_rng()

    def once() -> None:
        private_versions(SENTENCE, mechanism, vocabulary, rng, versions=VERSIONS)

    return milliseconds(once), statistics.median(milliseconds(once) for _ in range(runs))


def floor(vocabulary: Vocabulary, points: int, runs: int) -> float:
    """Milliseconds of one product in float32 of that many points with all vectors, the median."""
    queries = np.random.default_rng(0).standard_normal((points, vocabulary.dimensions))
    queries = queries.astype(np.float32)
    vectors = vocabulary.vectors.T
    out = np.empty((points, len(vocabulary)), dtype=np.float32)
    np.matmul(queries, vectors, out=out)
    return statistics.median(
        milliseconds(lambda: np.matmul(queries, vectors, out=out)) for _ in range(runs)
    )


def milliseconds(call: Callable[[], object]) -> float:
    """How long a call takes."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1_000


def with_synonyms(vocabulary: Vocabulary) -> Vocabulary:
    """The same vocabulary with WordNet's synonyms; the vectors are shared."""
    return Vocabulary(vocabulary.words, vocabulary.vectors, wordnet.synonyms())


def label(mechanism: Mechanism) -> str:
    """Its name, with the variant where there are several."""
    variant = getattr(mechanism, "variant", None)
    return mechanism.name if variant is None else f"{mechanism.name} ({variant})"


def machine() -> str:
    """The date, the machine, its cores and threads, and the versions that matter."""
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}"
        for name in ("numpy", "scipy", "faiss-cpu", "streamlit")
    )
    threads = sorted(
        {f"{pool['internal_api']} {pool['num_threads']}" for pool in threadpool_info()}
    )
    return (
        f"{datetime.date.today()}, {processor()}, {cores()} cores, "
        f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, "
        f"{versions}; threads: {', '.join(threads)}"
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How long a private sentence takes.")
    names = [cls.name for cls in MECHANISMS]
    parser.add_argument("--mechanisms", nargs="+", choices=names, metavar="NAME")
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    parser.add_argument("--runs", type=int, default=11)
    return parser.parse_args()


if __name__ == "__main__":
    main()
