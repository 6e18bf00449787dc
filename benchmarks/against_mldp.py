"""Speed beside the peer, `mldp-text`, on the same vectors in one run.

    python -m benchmarks.against_mldp              about ten minutes
    python -m benchmarks.against_mldp --quick      three minutes: does it run? not for quoting

The peer needs numpy below 2, so it gets an environment of its own, in the cache folder, built with
pip the first time and kept. Both sides run as processes of their own, one after the other, with the
BLAS threads they have by default and again with one thread for everything (`mldp_theirs`,
`mldp_ours`). Vectors: the peer's own file, 33,860 words in 300 dimensions, and all 400,000 of GloVe
in 50. Three questions, each with the ratio of times:

words     words a second
protocol  the benchmark's measure of privacy: 25 words, 100 runs each, ε = 5
every ε   N_w and S_w of these words at 50 values of ε

The peer is asked a few words for some seconds, and the mean is multiplied: by 2,500 for the
protocol, and by 50 for every ε, since it has to start again at each. Ours are run in full (TEM at
every ε may be multiplied from fewer words; the table says so). The peer's default is an approximate
search; ours is exact throughout. Not compared: SynTF, where the peer searches no vectors and needs
a corpus and WordNet's files.

What the peer computes differs from the papers in places (`measures.papers.benchmark_slips`), so
shares of unchanged words agree for CMP and Mahalanobis by its exact search, and not everywhere
else.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.live_sentence import machine
from data import embeddings, store
from mechanisms import Vocabulary
from mechanisms.answers import THREADS
from mechanisms.randomness import seeded_rng

HOUSE = Path(__file__).parent.parent
PEER = "mldp-text==0.1.2"
OURS_BY = [sys.executable, "-m", "benchmarks.mldp_ours"]

MECHANISMS = ("CMP", "Mahalanobis", "Vickrey", "Truncated Gumbel", "TEM")
EPSILON = 5.0
GRID = np.geomspace(0.5, 50, 50)
WORDS, RUNS, TEXT = 25, 100, 1_000

# Seconds for one number: of the peer, of ours, and of ours for TEM at every ε.
BUDGETS = {"theirs": 5.0, "ours": 2.0, "exact": 25.0}
QUICK_BUDGETS = {"theirs": 0.5, "ours": 0.3, "exact": 3.0}

PATIENCE = 1_200.0  # seconds for one process
PATIENCE_INSTALLING = 1_800.0

ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMBA")}


def main() -> None:
    """Print the tables."""
    arguments = _arguments()
    begin = time.perf_counter()
    python = environment(arguments.environment, arguments.python)
    theirs_by = [python, "-I", str(HOUSE / "benchmarks" / "mldp_theirs.py")]
    budgets = QUICK_BUDGETS if arguments.quick else BUDGETS
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.vectors:
            vocabulary = vectors(name, python)
            request = question(vocabulary, Path(folder), budgets, arguments)
            title = f"{name}, {len(vocabulary):,} words × {vocabulary.dimensions}"
            for threads in arguments.threads:
                told(f"{title}, threads: {threads}")
                # With one thread the finer path would take minutes, and say nothing new.
                finer = [] if arguments.quick or threads == "one" else [1_000]
                request["directions"] = [RUNS, *finer]
                try:
                    theirs = ask(theirs_by, request, threads, budgets["theirs"])
                    ours = ask(OURS_BY, request, threads, budgets["ours"])
                except subprocess.SubprocessError as error:
                    print(f"\n## {title}; threads: {threads}\n\nNo result: {error}")
                    continue
                report(title, threads, theirs, ours)
            for file in Path(folder).glob("vectors*"):
                file.unlink()
    told(f"{time.perf_counter() - begin:.0f} s in all")


# ------------------------------------------------------------------------------ the peer's own room


def environment(folder: Path, interpreter: str, package: str = PEER) -> str:
    """A package's Python, in a virtual environment that is built where it is missing."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    finished = folder / "installed"
    if finished.exists() and finished.read_text(encoding="utf-8") == package:
        return str(python)
    told(f"Installing {package} into {folder} (a minute)")
    shutil.rmtree(folder, ignore_errors=True)
    install = [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check", package]
    for command in ([interpreter, "-m", "venv", str(folder)], install):
        run = subprocess.run(command, timeout=PATIENCE_INSTALLING, check=False)
        if run.returncode:
            raise SystemExit(
                f"`{' '.join(command)}` failed. {package} needs a Python for which numpy 1.26 and "
                "scipy 1.12 have wheels (3.11 or 3.12); name one with --python."
            )
    finished.write_text(package, encoding="utf-8")
    return str(python)


@contextmanager
def also_from(python: str) -> Iterator[None]:
    """Files of the peer's packages can be found, after all of ours."""
    program = "import sysconfig; print(sysconfig.get_path('purelib'))"
    run = subprocess.run(
        [python, "-I", "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    sys.path.append(run.stdout.strip())
    try:
        yield
    finally:
        sys.path.remove(run.stdout.strip())


def vectors(name: str, python: str) -> Vocabulary:
    """All entries of an embedding."""
    with also_from(python):
        return embeddings.load(name, None, words_only=False)


# ---------------------------------------------------------------------------------------- questions


def question(
    vocabulary: Vocabulary, folder: Path, budgets: dict[str, float], arguments: argparse.Namespace
) -> dict[str, Any]:
    """What both sides are asked: the same words and vectors, in files."""
    rng = seeded_rng(0)
    drawn = [vocabulary.words[i] for i in rng.choice(len(vocabulary), WORDS + TEXT, replace=False)]
    files = {"vectors": folder / "vectors.npy", "names": folder / "vectors_names.json"}
    np.save(files["vectors"], vocabulary.vectors)
    files["names"].write_text(json.dumps(vocabulary.words), encoding="utf-8")
    (folder / "nltk" / "corpora" / "wordnet").mkdir(parents=True, exist_ok=True)
    return {
        **{what: str(file) for what, file in files.items()},
        # A folder in which WordNet seems to be: the peer would fetch it when it is imported.
        "nltk": str(folder / "nltk"),
        "mechanisms": arguments.mechanisms,
        "epsilon": EPSILON,
        "words": drawn[:WORDS],
        "text": drawn[WORDS:],
        "runs": RUNS,
        "seen_from": 0,  # the most frequent word; from many others the peer has no scale
        "grid": GRID.tolist(),
        "exact_budget": budgets["exact"],
    }


def ask(command: list[str], request: dict[str, Any], threads: str, budget: float) -> dict[str, Any]:
    """One side's answer, from a process of its own."""
    one = threads == "one"
    run = subprocess.run(
        command,
        input=json.dumps({**request, "budget": budget, "threads": 1 if one else THREADS}),
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=HOUSE,
        env={**os.environ, "NLTK_DATA": request["nltk"], **(ONE_THREAD if one else {})},
        timeout=PATIENCE,
        check=True,
    )
    answer: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return answer


# ------------------------------------------------------------------------------------------- tables


def report(title: str, threads: str, theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    """The three tables of one vocabulary and one setting of threads."""
    versions = ", ".join(f"{name} {version}" for name, version in theirs["versions"].items())
    peer = {(run["mechanism"], run["search"]): run for run in theirs["runs"]}
    setting = "BLAS threads as they come" if threads == "default" else "one thread for everything"
    print(f"\n## {title}; {setting}\n\nPeer: {versions}. Before the first word: ours", end=" ")
    print(f"{ours['prepared']:.1f} s once; the peer for each mechanism as in the first table.\n")
    _words(peer, ours)
    _protocol(peer, ours)
    _every_epsilon(peer, ours)
    sys.stdout.flush()


def _words(peer: dict[tuple[str, str], dict[str, Any]], ours: dict[str, Any]) -> None:
    print("Words a second, ε = 5. Ratios: ours to theirs.\n")
    print(
        "| mechanism | their search | calls | prepared, s | recall | theirs | ours, a word a call "
        f"| ratio | ours, {TEXT:,} words a call | ratio | unchanged, theirs | ours |"
    )
    print("|:---|:---|" + "---:|" * 10)
    for run in ours["runs"]:
        for (mechanism, search), other in peer.items():
            if mechanism != run["mechanism"]:
                continue
            if refused := other.get("refused") or run.get("refused"):
                print(f"| {mechanism} | {search} | refused: {refused} |||||||||")
                continue
            found = (
                "exact" if "recall" not in other else f"{other['recall']:.3f} of {other['points']}"
            )
            stopped = f" (+{other['stopped']} stopped)" if other["stopped"] else ""
            print(
                f"| {mechanism} | {search} | {other['calls']:,}{stopped} | {other['prepared']:.1f} "
                f"| {found} | {_figures(1 / other['seconds'])} | {_figures(1 / run['one'])} "
                f"| {_times(other['seconds'] / run['one'])} | {_figures(1 / run['text'])} "
                f"| {_times(other['seconds'] / run['text'])} | {other['stays']:.3f} "
                f"| {run['stays']:.3f} |"
            )


def _protocol(peer: dict[tuple[str, str], dict[str, Any]], ours: dict[str, Any]) -> None:
    count, product = WORDS * RUNS, ours["protocol_product"]
    print(f"\n{WORDS} words × {RUNS} runs at ε = 5, in seconds; theirs multiplied.")
    print(f"The product of {count:,} points with all vectors, alone: {product:.2f} s.\n")
    print(
        "| mechanism | theirs, default | theirs, exact | ours, exact | ratio to default "
        "| to exact | ours in products |"
    )
    print("|:---|" + "---:|" * 6)
    for run in ours["runs"]:
        default, exact = (t and t * count for t in _theirs(peer, run["mechanism"]))
        if default is None or exact is None or "refused" in run:
            continue
        print(
            f"| {run['mechanism']} | {_figures(default)} | {_figures(exact)} "
            f"| {_figures(run['protocol'])} | {_times(default / run['protocol'])} "
            f"| {_times(exact / run['protocol'])} | {run['protocol'] / product:.1f} |"
        )


def _every_epsilon(peer: dict[tuple[str, str], dict[str, Any]], ours: dict[str, Any]) -> None:
    count = WORDS * RUNS * len(GRID)
    print(
        f"\nN_w and S_w of {WORDS} words at {len(GRID)} values of ε from {GRID[0]:g} to "
        f"{GRID[-1]:g}, in seconds; theirs for one ε, multiplied.\n"
    )
    print(
        "| mechanism | theirs, default | theirs, exact | ours, from | ours | ratio to default "
        "| to exact | product alone | ours in products |"
    )
    print("|:---|---:|---:|:---|" + "---:|" * 5)
    for run in ours["runs"]:
        default, exact = (t and t * count for t in _theirs(peer, run["mechanism"]))
        if default is None or exact is None:
            continue
        for path in run.get("paths", []):
            basis = "the law, exact"
            if path["directions"]:
                basis = f"{path['directions']:,} directions"
            elif path["words"] < WORDS:
                basis += f" ({path['words']} words, multiplied)"
            beside = "| |"
            if path["directions"]:
                product = ours["path_products"][str(path["directions"])]
                beside = f"{product:.2f} | {path['seconds'] / product:.1f} |"
            print(
                f"| {run['mechanism']} | {_figures(default)} | {_figures(exact)} | {basis} "
                f"| {_figures(path['seconds'])} | {_times(default / path['seconds'])} "
                f"| {_times(exact / path['seconds'])} | {beside}"
            )


def _theirs(
    peer: dict[tuple[str, str], dict[str, Any]], mechanism: str
) -> tuple[float | None, float | None]:
    """Seconds a word by the peer's default and by its exact search: the same where it has one."""
    exact = peer[mechanism, "exact"].get("seconds")
    default = peer.get((mechanism, "approximate"), peer[mechanism, "exact"]).get("seconds")
    return default, exact


def _figures(value: float) -> str:
    """Three figures, never as a power of ten."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _times(ratio: float) -> str:
    """A ratio with two figures."""
    rounded = float(f"{ratio:.2g}")
    return f"{rounded:,.0f} ×" if rounded >= 10 else f"{rounded:.2g} ×"


def told(what: str) -> None:
    """A line of progress."""
    print(what, file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a short trial, not for quoting")
    names = (embeddings.GLOVE_840B, embeddings.GLOVE)
    parser.add_argument("--vectors", nargs="+", choices=names, default=names)
    parser.add_argument("--mechanisms", nargs="+", choices=MECHANISMS, default=MECHANISMS)
    settings = ("default", "one")
    parser.add_argument("--threads", nargs="+", choices=settings, default=settings)
    place = store.folder() / "benchmarks" / PEER.replace("==", "-")
    parser.add_argument(
        "--environment", type=Path, default=place, help="the folder of the peer's environment"
    )
    parser.add_argument(
        "--python", default=sys.executable, help="the Python that builds this environment"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
