"""Exact draws beside draws in floating point, and how often float64 does not decide.

20 words, five versions in one call, TEM (γ by Theorem 4.2), SanText and SynTF at ε = 1, 5 and 10:
the exact draws of the mechanisms, and draws in floating point (`float_draws`), alternately in one
run. Times are processor time (all of it on one thread), which other work on the machine disturbs
less; the ratio is the median over pairs of neighbouring runs.

    python -m benchmarks.exact_draws                 30,000 × 50, and 33,860 × 300
    python -m benchmarks.exact_draws --runs 200 --draws 1000000

The second vocabulary is GloVe 840B as the benchmark of Meisenbacher et al. filtered it, if it is
installed, else random normal vectors of length 5 or so, which this prints.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from unittest import mock

import numpy as np

from benchmarks import float_draws
from benchmarks.live_sentence import (
    EPSILONS,
    SENTENCE,
    VERSIONS,
    label,
    machine,
    with_synonyms,
)
from data import embeddings
from mechanisms import TEM, SanText, SynTF, Vocabulary, exact_draws
from mechanisms.randomness import release_rng
from mechanisms.text import private_versions

MECHANISMS = (TEM, SanText, SynTF)


def main() -> None:
    """Print the tables."""
    arguments = _arguments()
    print(machine())
    for name, vocabulary in vocabularies():
        print(f"\n{name}\n")
        print(
            "| mechanism | ε | floating point, ms | exact, ms | ratio | text, exact, ms | "
            "draws | decided by balls |"
        )
        print("|:---|---:|---:|---:|---:|---:|---:|---:|")
        for cls in MECHANISMS:
            for epsilon in EPSILONS:
                print(_row(cls(epsilon=epsilon), vocabulary, arguments.runs, arguments.draws))


def _row(mechanism: TEM | SanText | SynTF, vocabulary: Vocabulary, runs: int, draws: int) -> str:
    rng = release_rng()
    words = SENTENCE.split()
    known = [vocabulary.get(word) for word in words]
    ids = np.array([i if i is not None else 17 * p for p, i in enumerate(known)])

    def in_floats() -> None:
        float_draws.draw(mechanism, vocabulary, ids, VERSIONS, rng)

    def exactly() -> None:
        mechanism.sample(vocabulary, ids, VERSIONS, rng)

    def whole_text() -> None:
        private_versions(SENTENCE, mechanism, vocabulary, rng, versions=VERSIONS)

    for call in (in_floats, exactly, whole_text):
        call()
    pairs = [(milliseconds(in_floats), milliseconds(exactly)) for _ in range(runs)]
    text = statistics.median(milliseconds(whole_text) for _ in range(runs))
    floats, exact = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(e / f for f, e in pairs)
    refined = _refined(mechanism, vocabulary, draws)
    return (
        f"| {label(mechanism)} | {mechanism.epsilon:g} | {floats:.1f} | {exact:.1f} | {ratio:.2f} "
        f"| {text:.1f} | {draws:,} | {refined} |"
    )


def milliseconds(call: Callable[[], object]) -> float:
    """How much processor time a call takes."""
    start = time.process_time()
    call()
    return (time.process_time() - start) * 1_000


def _refined(mechanism: TEM | SanText | SynTF, vocabulary: Vocabulary, draws: int) -> int:
    """How many of so many draws, of words spread over the vocabulary, float64 does not decide."""
    ids = np.arange(0, len(vocabulary), max(1, len(vocabulary) // 2_000))
    size = max(1, min(draws // len(ids), 50))
    seen = 0
    with mock.patch.object(exact_draws, "refined", wraps=exact_draws.refined) as refined:
        while seen < draws:
            mechanism.sample(vocabulary, ids, size, release_rng())
            seen += len(ids) * size
        return int(refined.call_count)


def vocabularies() -> Iterator[tuple[str, Vocabulary]]:
    """The two vocabularies, with what they are."""
    glove = embeddings.load(embeddings.GLOVE, 30_000, words_only=False)
    yield "GloVe 6B, 30,000 × 50", with_synonyms(glove)
    try:
        larger = embeddings.load(embeddings.GLOVE_840B, words_only=False)
        yield f"GloVe 840B, filtered, {len(larger):,} × 300", with_synonyms(larger)
    except (OSError, ValueError, ImportError):
        rng = np.random.default_rng(0)
        vectors = rng.standard_normal((33_860, 300), dtype=np.float32) * np.float32(0.3)
        words = embeddings.load(embeddings.GLOVE, 33_860, words_only=False).words
        yield (
            f"Random normal vectors, {len(words):,} × 300, standard deviation 0.3 a coordinate",
            with_synonyms(Vocabulary(words, vectors[: len(words)])),
        )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What exact draws cost.")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--draws", type=int, default=100_000)
    return parser.parse_args()


if __name__ == "__main__":
    main()
