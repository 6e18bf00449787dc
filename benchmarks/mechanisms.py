"""Words a second of every mechanism, in every variant, beside the product that a search needs.

Different words, one draw each, in one call, from word ids to word ids; and further draws of one
word, which a law answers without looking at the vocabulary again. *In products* is the time over
that of one float32 product of as many points with all vectors, measured in the same run.

    python -m benchmarks.mechanisms
    python -m benchmarks.mechanisms --mechanisms TEM CMP --sizes 30000

Vocabularies: 30,000 and 400,000 entries of GloVe in 50 dimensions, and GloVe 840B's 33,860 words in
300 dimensions where its package is installed (data/README.md).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.live_sentence import floor, label, machine, milliseconds, with_synonyms
from data import embeddings
from measures.audits.audit import variants
from mechanisms import MECHANISMS, Mechanism, Vocabulary
from mechanisms.randomness import release_rng

EPSILONS = (1.0, 5.0, 10.0)
SECONDS = 2.0
FEWEST, MOST, MOST_DRAWS = 32, 4096, 2_000_000


def main() -> None:
    """Print the table."""
    arguments = _arguments()
    print(machine())
    print("\n| vocabulary | mechanism | ε | words/s | in products | draws/s of one word |")
    print("|:---|:---|---:|---:|---:|---:|")
    for name, vocabulary in vocabularies(arguments.sizes):
        for mechanism in chosen(arguments.mechanisms, vocabulary):
            row = f"| {name} | {label(mechanism)} | {mechanism.epsilon:.4g} "
            try:
                words, share, draws = measured(mechanism, vocabulary)
            except ValueError as error:
                print(f"{row}| {error} ||||")
                continue
            print(f"{row}| {words:,.0f} | {share:.1f} | {draws:,.0f} |", flush=True)


def vocabularies(sizes: list[int]) -> Iterator[tuple[str, Vocabulary]]:
    """The vocabularies, with names for the table."""
    for size in sizes:
        vocabulary = embeddings.load(embeddings.GLOVE, size, words_only=False)
        yield f"{size:,} × 50", with_synonyms(vocabulary)
    name = "glove-840b-300d"
    if embeddings.by_name(name).available:
        vocabulary = embeddings.load(name, None, words_only=False)
        yield f"{len(vocabulary):,} × {vocabulary.dimensions}", vocabulary


def chosen(names: list[str] | None, vocabulary: Vocabulary) -> Iterator[Mechanism]:
    """Every mechanism and variant at ε 1, 5, 10, or just above the ε that it needs."""
    for cls, variant in variants():
        if names and cls.name not in names:
            continue
        family = cls.family() if variant is None else cls.family(variant=variant)
        smallest = family.smallest_epsilon(vocabulary)
        for epsilon in [1.1 * smallest] if smallest else EPSILONS:
            yield family.at(epsilon)


def measured(mechanism: Mechanism, vocabulary: Vocabulary) -> tuple[float, float, float]:
    """Different words a second, the time in products, and draws a second of one word."""
    rng = release_rng()
    covered = np.flatnonzero(mechanism.covers(vocabulary, np.arange(len(vocabulary))))
    mechanism.sample(vocabulary, covered[:1], 1, rng)  # prepares the vocabulary
    count = FEWEST
    while True:
        words = rng.choice(covered, min(count, len(covered)), replace=False)
        took = milliseconds(partial(mechanism.sample, vocabulary, words, 1, rng)) / 1000
        if took > SECONDS / 4 or count >= MOST or count >= len(covered):
            break
        count *= 2
    product = (
        floor(vocabulary, min(len(words), 1000), 3) / 1000 * len(words) / min(len(words), 1000)
    )
    draws = FEWEST
    while True:
        again = milliseconds(partial(mechanism.sample, vocabulary, words[:1], draws, rng)) / 1000
        if again > SECONDS / 4 or draws >= MOST_DRAWS:
            break
        draws *= 4
    return len(words) / took, took / product, draws / again


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Words a second of every mechanism.")
    names = [cls.name for cls in MECHANISMS]
    parser.add_argument("--mechanisms", nargs="+", choices=names, metavar="NAME")
    parser.add_argument("--sizes", nargs="*", type=int, default=[30_000, 400_000])
    return parser.parse_args()


if __name__ == "__main__":
    main()
