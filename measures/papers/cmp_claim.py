"""A claim of the CMP paper, tested: at ε = 5 no word is too recognisable.

Feyisetan et al. 2020, Section 4.1, of GloVe in 50 dimensions, 1,000 runs a word: at ε = 5 no word
yields fewer than 300 different words, and none is returned more than 500 times.

    python -m measures.papers.cmp_claim

computes, over all 400,000 entries, the expected number of different words in 1,000 runs and N_w for
the 500 most frequent entries and 500 random ones, from 1,000 directions of the noise with its
length integrated out, and writes `data/cmp_claim.csv`. It takes a quarter of an hour on two cores.

A word breaks the claim if it does so by more than an error that none of the sample's words exceeds
with 95 % confidence: two statistics of each of its words are looked at, so each may err with
probability 0.05 / (2 · words) only. For N_w that is Student's quantile over directions; for the
number of different words, one value of a self-bounding function (`mechanisms.estimate`). Words that
break it by less are counted apart.
"""

from __future__ import annotations

import csv
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from data import embeddings
from measures.words.deniability import curves, sample_words
from mechanisms import CMP
from mechanisms.estimate import CONFIDENCE, self_bounding
from mechanisms.vocabulary import Floats

EPSILON, RUNS, DIRECTIONS = 5.0, 1000, 1000
FEWEST, MOST = 300, 500
WORDS = 500
FILE = Path(__file__).parents[2] / "data" / "cmp_claim.csv"
COLUMNS = ("word", "rank", "sample", "n_w", "n_w_error", "distinct")


def main() -> None:
    """Compute and write the table."""
    vocabulary = embeddings.load("glove-6b-50d", None, words_only=False)
    samples = {
        "frequent": sample_words(vocabulary, "frequent", WORDS),
        "random": sample_words(vocabulary, "random", WORDS, seed=1),
    }
    from scipy.special import stdtrit

    rows = list[tuple[object, ...]]()
    for name, ids in samples.items():
        for first in range(0, len(ids), 20):
            part = ids[first : first + 20]
            found = curves(
                CMP.family(), vocabulary, part, [EPSILON], directions=DIRECTIONS, draws=RUNS
            )
            # At the limit of 500 in 1,000 the interval is Student's: its half is that many errors.
            error = found.unchanged.half_width / stdtrit(DIRECTIONS - 1, (1 + CONFIDENCE) / 2)
            columns = (found.unchanged.value, error, found.distinct.value)
            for word, *values in zip(part, *(c[:, 0] for c in columns), strict=True):
                numbers = [f"{value:.6g}" for value in values]
                rows.append((vocabulary.words[word], int(word) + 1, name, *numbers))
            sys.stderr.write(f"\r{name}: {first + len(part)} of {len(ids)} words ")
            sys.stderr.flush()
    unfinished = FILE.with_suffix(".unfinished")
    with unfinished.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(rows)
    unfinished.replace(FILE)


@dataclass(frozen=True)
class Finding:
    """One sample of words against the claim."""

    sample: str
    words: int
    fewest: float
    """The smallest expected number of different words among 1,000 runs."""
    most: float
    """The largest expected number of runs in which a word is returned."""
    breaking: list[tuple[str, float, float]]
    """Words that break the claim, with both numbers, the plainest first."""
    undecided: list[tuple[str, float, float]]
    """Words beyond a limit by less than the error of the sample."""


@cache
def findings(file: Path = FILE) -> tuple[Finding, ...]:
    """The shipped table, a finding for each sample; read once."""
    from scipy.special import stdtrit

    with file.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    found = []
    for sample in dict.fromkeys(row["sample"] for row in rows):
        mine = [row for row in rows if row["sample"] == sample]
        distinct = np.array([float(row["distinct"]) for row in mine])
        n_w = np.array([float(row["n_w"]) for row in mine])
        error = np.array([float(row["n_w_error"]) for row in mine])
        tail = (1 - CONFIDENCE) / (2 * len(mine))
        quantile = stdtrit(DIRECTIONS - 1, 1 - tail)
        broken = breaks(n_w - quantile * error, self_bounding(distinct, tail)[1])
        order = np.argsort(distinct)
        numbers = [(mine[i]["word"], float(distinct[i]), float(n_w[i] * RUNS)) for i in order]
        beyond = breaks(n_w, distinct)[order]
        found.append(
            Finding(
                sample,
                len(mine),
                float(distinct.min()),
                float(n_w.max() * RUNS),
                [row for row, sure in zip(numbers, broken[order], strict=True) if sure],
                [
                    row
                    for row, sure, any_ in zip(numbers, broken[order], beyond, strict=True)
                    if any_ and not sure
                ],
            )
        )
    return tuple(found)


def breaks(n_w: Floats, distinct: Floats) -> NDArray[np.bool_]:
    """Which words break the claim, by either half."""
    broken: NDArray[np.bool_] = (distinct < FEWEST) | (n_w * RUNS > MOST)
    return broken


if __name__ == "__main__":
    main()
