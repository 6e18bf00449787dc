"""Converting an embedding: seconds and peak memory, beside reading the file and a plain loop.

A text file of the shape of GloVe 6B (400,000 words of 300 numbers, 1 GB) is written into a
temporary folder, with numbers of the same length and no meaning, and then, each in a process of its
own:

disk       all bytes are read: what any reader needs (from memory, where the file is cached)
ours       read, examined and kept in our own form, as on the first use of a file of the folder
again      the same embedding opened once more, and a vocabulary of all its words made from it
a loop     line by line, `[np.float32(x) for x in line.split()]`, as gensim's reader does; on the
           first twentieth of the file, and multiplied

Memory is the most that the process ever held resident. Part of it are pages of mapped files, which
the system takes back when it needs them.

    python -m benchmarks.embeddings
    python -m benchmarks.embeddings --words 40000
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.live_sentence import machine
from data import embeddings

DIMENSIONS = 300
PROMISED_SECONDS, PROMISED_MEMORY = 60, 1500
SHARE = 20  # the loop reads one line of so many


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="How long an embedding takes to convert.")
    parser.add_argument("--words", type=int, default=400_000)
    parser.add_argument("--measure", choices=list(MEASURED), help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        seconds = _timed(MEASURED[arguments.measure], arguments.file)
        print(*seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6)
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "vectors" / "glove.txt"
        file.parent.mkdir()
        _write(file, arguments.words)
        environment = os.environ | {
            "WORDVEIL_EMBEDDINGS": str(file.parent),
            "WORDVEIL_CACHE": str(Path(folder) / "cache"),
        }
        print(machine())
        print(f"{arguments.words:,} words × {DIMENSIONS}, {file.stat().st_size / 1e6:,.0f} MB\n")
        print("| what | seconds | of which computing | MB a second | peak memory, MB |")
        print("|:---|---:|---:|---:|---:|")
        for what in MEASURED:
            command = [sys.executable, "-m", "benchmarks.embeddings", "--measure", what]
            answer = subprocess.run(
                [*command, "--file", str(file)],
                env=environment,
                check=True,
                capture_output=True,
                text=True,
            )
            seconds, computing, memory = map(float, answer.stdout.split())
            speed = file.stat().st_size / 1e6 / seconds
            print(
                f"| {what} | {seconds:.1f} | {computing:.1f} | {speed:,.0f} | {memory:,.0f} |",
                flush=True,
            )
        if arguments.words == 400_000:
            print(f"| *promised* | {PROMISED_SECONDS} | | | {PROMISED_MEMORY:,} |")


def _write(file: Path, words: int) -> None:
    """Numbers with five digits after the point, as GloVe prints them."""
    rng = np.random.default_rng(0)
    spellings = np.array([f"{number:.5f}" for number in rng.normal(0, 0.4, 100_000)])
    with open(file, "w", encoding="utf-8") as lines:
        for word in range(words):
            numbers = spellings[rng.integers(len(spellings), size=DIMENSIONS)]
            lines.write(f"w{word} {' '.join(numbers)}\n")


def _timed(work: Callable[[Path], float], file: Path) -> tuple[float, float]:
    """Seconds by the clock and of the processor, each times what `work` returns."""
    clock, processor = time.perf_counter(), time.process_time()
    times = work(file)
    return times * (time.perf_counter() - clock), times * (time.process_time() - processor)


def _disk(file: Path) -> float:
    with open(file, "rb", buffering=0) as content:
        while content.read(8 << 20):
            pass
    return 1


def _ours(file: Path) -> float:
    embeddings.by_name(file.name).convert()
    return 1


def _again(file: Path) -> float:
    vocabulary = embeddings.load(file.name, None, words_only=False)
    assert len(vocabulary) == embeddings.by_name(file.name).sizes()[-1]
    return 1


def _loop(file: Path) -> float:
    words, vectors = [], []
    with open(file, encoding="utf-8") as lines:
        size = os.fstat(lines.fileno()).st_size // SHARE
        read = 0
        for line in lines:
            word, *numbers = line.split()
            words.append(word)
            vectors.append(np.array([np.float32(number) for number in numbers]))
            read += len(line)
            if read > size:
                break
    return SHARE


MEASURED: dict[str, Callable[[Path], float]] = {
    "disk": _disk,
    "ours": _ours,
    "again": _again,
    "a loop": _loop,
}


if __name__ == "__main__":
    main()
