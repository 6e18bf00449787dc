"""Attacks: what is computed once an ε, and what a sentence of 20 words costs after that.

normalisers  log Z(w) of 30,000 words for TEM, one ε, and eight in one pass
floor        the matrix product that any such pass must do, both halves of it, on one thread
sentence     20 words attacked from one release, the best of several runs
best         the exact success over the prior, all pairs of words

    python -m benchmarks.attacks
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable

import numpy as np

from benchmarks.live_sentence import machine
from data import embeddings
from measures.attacks import normalisers
from measures.attacks.adversary import adversary, attack
from mechanisms import CMP, TEM, Mechanism, SanText, SynTF, Vickrey, Vocabulary
from mechanisms.one_thread import one_thread
from mechanisms.randomness import seeded_rng

NORMALISERS, SENTENCE = 6.0, 0.3
EIGHT = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0]


def main() -> None:
    """Print the table; results are kept in a folder that is thrown away."""
    print(machine() + "\n")
    print("| what | mechanism | measured | promised |\n|:---|:---|---:|---:|")
    vocabulary = embeddings.load(embeddings.GLOVE, 30_000, words_only=False)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WORDVEIL_CACHE"] = folder
        row("floor: the matrix product", "", seconds(lambda: product(vocabulary), 3), None)
        tem = TEM(epsilon=6.0)
        for what, grid in (("normalisers, one ε", [6.0]), ("normalisers, eight ε", EIGHT)):
            took = seconds(
                lambda g=grid: normalisers.log_normalisers(tem.family(), vocabulary, g),  # type: ignore[misc]
                3,
            )
            row(what, "TEM", took, NORMALISERS * len(grid))
        prior = -np.log(np.arange(1.0, len(vocabulary) + 2))
        prior -= np.log(np.exp(prior).sum())
        constants = normalisers.log_normalisers(tem.family(), vocabulary, [6.0])[0]
        took = seconds(lambda: normalisers.best_success(tem, vocabulary, prior, constants), 3)
        row("best success over the prior", "TEM", took, None)
        for mechanism in (tem, SanText(epsilon=6.0), SynTF(epsilon=10.0)):
            row("sentence", mechanism.name, sentence(mechanism, vocabulary, prior, 10), SENTENCE)
        for mechanism in (CMP(epsilon=8.0), Vickrey(epsilon=8.0)):
            took = sentence(mechanism, vocabulary, prior, 2)
            row("sentence, lower bound", mechanism.name, took, None)


def sentence(mechanism: Mechanism, vocabulary: Vocabulary, prior: np.ndarray, runs: int) -> float:
    """Seconds to attack 20 words, once what is needed of all words is there."""
    known = adversary(mechanism, vocabulary, prior)
    typed = seeded_rng(0).integers(100, 5000, 20)
    released = mechanism.sample(vocabulary, typed, 1, seeded_rng(1))
    return seconds(lambda: attack(known, typed, released), runs)


def product(vocabulary: Vocabulary) -> float:
    """The scalar products of all words with all, block by block; one thread."""
    largest = -np.inf
    with one_thread():
        for first in range(0, len(vocabulary), 256):
            block = vocabulary.vectors[first : first + 256] @ vocabulary.vectors.T
            largest = max(largest, float(block[0, 0]))
    return largest


def seconds(work: Callable[[], object], runs: int) -> float:
    """The least of several times."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def row(what: str, name: str, took: float, promised: float | None) -> None:
    """One line of the table."""
    limit = "" if promised is None else f"{promised:g} s"
    print(f"| {what} | {name} | {took:.3f} s | {limit} |", flush=True)


if __name__ == "__main__":
    main()
