"""How often the audit accuses a mechanism that keeps its promise, and how long it takes.

    python -m benchmarks.audit               eleven right mechanisms, 50 seeds each: half an hour
    python -m benchmarks.audit --seeds 2     a minute: does it run? not for quoting

An audit's tests share a level of 10⁻⁶, so that no accusation is expected here. What it finds of
planted faults is in `tests/measures/audits/test_planted_faults.py`, at the draws that every audit
makes.
"""

from __future__ import annotations

import argparse
import time

from benchmarks.live_sentence import machine
from data import embeddings
from measures.audits.audit import audit
from measures.audits.findings import titled
from mechanisms import (
    CMP,
    TEM,
    Gaussian,
    Laplace,
    Mahalanobis,
    Mechanism,
    SanText,
    SynTF,
    TruncatedLaplace,
    Vickrey,
)

# Mechanisms that keep their promise, as the tests of the audit try them too.
RIGHT: list[Mechanism] = [
    CMP(epsilon=8),
    Mahalanobis(epsilon=8),
    Vickrey(epsilon=8),
    Laplace(epsilon=100),
    Gaussian(epsilon=50),
    Gaussian(epsilon=0.9, variant="published"),
    TruncatedLaplace(epsilon=100),
    TEM(epsilon=4),
    TEM(epsilon=4, gamma=2.0),
    SanText(epsilon=4),
    SynTF(epsilon=2),
]
SIZE = 10_000


def main() -> None:
    """Print a line a mechanism."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=50)
    seeds = parser.parse_args().seeds
    vocabulary = embeddings.load(embeddings.GLOVE, SIZE)
    print(machine())
    print("| mechanism | ε | audits | accused | processor time of one |")
    print("|---|---|---|---|---|")
    for mechanism in RIGHT:
        begin, accused = time.process_time(), []
        for seed in range(seeds):
            found = audit(mechanism, vocabulary, seed=seed)
            if found.verdict != "holds":
                accused.append((seed, found.witness))
        each = (time.process_time() - begin) / seeds
        print(
            f"| {titled(mechanism)} | {mechanism.epsilon:g} | {seeds} | {len(accused)} "
            f"| {each:.1f} s |",
            flush=True,
        )
        for seed, witness in accused:
            print(f"seed {seed}: {witness}")


if __name__ == "__main__":
    main()
