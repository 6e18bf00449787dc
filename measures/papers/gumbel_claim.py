"""A claim of the benchmark: Gumbel leads where utility counts, and falls where privacy does.

Meisenbacher et al. 2024, Section 6: with α = 0.75 the (truncated) Gumbel mechanism is an attractive
choice; tuned towards privacy it falls significantly from the top.

    python -m measures.papers.gumbel_claim [sweep folder or Parquet file]

prints Gumbel's rank by PUC at both α: on the benchmark's Table 9 as printed and as recomputed by
Equation 4, averaged over dimensions as in its Figure 3, and on a sweep (without a name the one that
comes with the project); at equal ε, and at equal N_w, that of Gumbel. There each mechanism is read
off its own curve, utility and privacy linear in N_w between two measured ε; one that does not reach
this N_w is not ranked. In the paper's tables a curve has three ε only, so that is a rough reading.

The claim is about the mechanism as the benchmark ran it, without a guarantee: of the variants in a
sweep that one is looked at.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from measures.papers import benchmark_tables
from measures.sweeps.labels import name_of
from measures.sweeps.scores import Points, Row, of_folder, points, shipped
from mechanisms import TruncatedGumbel

ALPHAS = (0.75, 0.25)
EPSILONS = (1.0, 5.0, 10.0)
PRINTED, RECOMPUTED, OWN = "Table 9 as printed", "Table 9 recomputed", "our sweep"


@dataclass(frozen=True)
class Standing:
    """Where Gumbel stands in one comparison."""

    source: str
    corpus: str
    made_equal: str
    """Such as `ε = 5` or `N_w = 25 %`."""
    ranks: tuple[int, int]
    """Of Gumbel at α = 0.75 and at α = 0.25, from 1."""
    leaders: tuple[str, str]
    ranked: int
    """How many mechanisms could be compared."""

    @property
    def leads(self) -> bool:
        """Whether Gumbel is first at α = 0.75."""
        return self.ranks[0] == 1

    @property
    def falls(self) -> bool:
        """Whether at α = 0.25 it is in the worse half."""
        return 2 * self.ranks[1] > self.ranked


def standings(rows: Sequence[Row]) -> list[Standing]:
    """The claim on the benchmark's own numbers, and on the rows of a sweep."""
    found = []
    for corpus in benchmark_tables.TASKS.values():
        for epsilon in EPSILONS:
            columns = [benchmark_tables.printed_at(corpus, (epsilon,), alpha) for alpha in ALPHAS]
            scores = {
                name_of({"mechanism": name}): (columns[0][name], columns[1][name])
                for name in columns[0]
            }
            found.append(_standing(PRINTED, corpus, f"ε = {epsilon:g}", scores))
        found += _compared(RECOMPUTED, corpus, benchmark_tables.rows())
    as_benchmark = [
        row
        for row in rows
        if row["mechanism"] != TruncatedGumbel.__name__ or row.get("variant") == "benchmark"
    ]
    for corpus in dict.fromkeys(str(row["corpus"]) for row in as_benchmark):
        found += _compared(OWN, corpus, as_benchmark)
    return [standing for standing in found if standing is not None]


def read_at_n_w(one: Points, n_w: float) -> dict[str, tuple[float, float]]:
    """Utility and privacy of each curve where its N_w is this one, of several the largest ε.

    A curve that does not reach it is left out.
    """
    found = {}
    for curve in dict.fromkeys(one.curve):
        mine = one.of_curves([curve])
        beyond = mine.n_w - n_w
        there = np.flatnonzero(beyond[:-1] * beyond[1:] <= 0)
        if len(there):
            pair = slice(there[-1], there[-1] + 2)
            order = np.argsort(mine.n_w[pair])
            found[curve] = (
                float(np.interp(n_w, mine.n_w[pair][order], mine.utility.value[pair][order])),
                float(np.interp(n_w, mine.n_w[pair][order], mine.privacy.value[pair][order])),
            )
    return found


def _compared(source: str, corpus: str, rows: Sequence[Row]) -> list[Standing | None]:
    """At equal ε, and at the mean N_w of Gumbel's points."""
    found = points([row for row in rows if row["corpus"] == corpus])
    compared = []
    for epsilon in EPSILONS:
        at = {
            found.curve[i]: (found.utility.value[i], found.privacy.value[i])
            for i in np.flatnonzero(found.epsilon == epsilon)
        }
        compared.append(_standing(source, corpus, f"ε = {epsilon:g}", _at_alphas(at)))
    own = [found.n_w[i] for i, name in enumerate(found.mechanism) if name == TruncatedGumbel.name]
    if own:
        n_w = float(np.mean(own))
        at = read_at_n_w(found, n_w)
        compared.append(_standing(source, corpus, f"N_w = {n_w:.1f} %", _at_alphas(at)))
    return compared


def _at_alphas(sides: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    high, low = ALPHAS
    return {
        name: (high * u + (1 - high) * p, low * u + (1 - low) * p) for name, (u, p) in sides.items()
    }


def _standing(
    source: str, corpus: str, made_equal: str, scores: Mapping[str, tuple[float, float]]
) -> Standing | None:
    """Ranks from scores at both α; None if Gumbel or anything to compare it with is missing."""
    gumbel = [name for name in scores if name.startswith(TruncatedGumbel.name)]
    if not gumbel or len(scores) < 2:
        return None
    ordered = [sorted(scores, key=lambda name: -scores[name][i]) for i in range(2)]
    return Standing(
        source,
        corpus,
        made_equal,
        (ordered[0].index(gumbel[0]) + 1, ordered[1].index(gumbel[0]) + 1),
        (ordered[0][0], ordered[1][0]),
        len(scores),
    )


def markdown(found: Sequence[Standing]) -> str:
    """A table, a comparison a line."""
    lines = [
        "| numbers | corpus | made equal | Gumbel at α = 0.75 | first | at α = 0.25 | first | of |",
        "|---|---|---|--:|---|--:|---|--:|",
    ]
    lines += [
        f"| {s.source} | {s.corpus} | {s.made_equal} | {s.ranks[0]} | {s.leaders[0]} "
        f"| {s.ranks[1]} | {s.leaders[1]} | {s.ranked} |"
        for s in found
    ]
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    ask = argparse.ArgumentParser(description="Print Gumbel's rank by PUC, as a table.")
    about = "Folder or Parquet file of a sweep; without it, the sweep that comes with the project."
    ask.add_argument("sweep", nargs="?", type=Path, help=about)
    sweep = ask.parse_args().sweep
    if sweep is not None and not sweep.exists():
        ask.error(f"sweep: there is no file or folder {sweep}")
    rows = shipped() if sweep is None else of_folder(sweep)
    sys.stdout.write(markdown(standings(rows)) + "\n")


if __name__ == "__main__":
    main()
