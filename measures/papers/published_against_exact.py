"""The benchmark's printed N_w and S_w, beside the same numbers computed.

    python -m measures.papers.published_against_exact

prints the table as Markdown and writes it to `data/published_against_exact.csv`, with where it
comes from. The setting is that of the benchmark's Table 6 at dimension 50: the words of 12,000
random IMDb reviews, prepared as the benchmark does (`measures.papers.benchmark_vocabulary`), that
GloVe has, ε = 1, 5, 10, N_w in percent, and S_w, the number of different outputs in 100 draws, the
unchanged word not counted.

The benchmark took 25 random words, a hundred draws each. Here it is done with many more words:
exactly where the law is known, and by draws where it is not, each with a 95 % interval for the mean
over all words. What 25 words can give is the range that holds 99 % of groups of 25, redrawn from
the words looked at, each with a hundred draws of its own.

A printed cell agrees where both of its numbers lie in that range. Where they do not, each known
slip of the benchmark's code (`measures.papers.benchmark_slips`) is computed in the same way: a slip
that agrees explains the cell; what no row agrees with is unexplained. A row that agrees shows what
is enough to give the printed number; it does not show that nothing else would.

One row is a possibility only. Of the 62 words that TEM put into the printed example sentences, 28
are not in GloVe (of CMP's 154, 2 are not): it seems to have chosen among all words of the reviews.
Which vectors the unknown ones had is not known; zero vectors would give the printed numbers.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np

from data import embeddings, published
from measures.intervals import of_mean
from measures.papers.benchmark_cases import CASES, Case
from measures.papers.benchmark_vocabulary import REVIEWS, imdb_vocabulary
from measures.words.deniability import distinct_outputs
from mechanisms import (
    LawMechanism,
    Mechanism,
    Vocabulary,
)
from mechanisms.base import blocks
from mechanisms.randomness import seeded_rng
from mechanisms.vocabulary import Floats, WordIds

RESULTS = Path(__file__).parents[2] / "data" / "published_against_exact.csv"

EPSILONS = (1, 5, 10)
WORDS = 500
SEED = 2024

# The benchmark's experiment: so many random words, so many runs of each.
BENCHMARK_WORDS = 25
RUNS = 100

# Draws a word where there is no law, and groups of 25 words drawn anew.
_DRAWS = 200
_GROUPS = 20_000
_RANGE = (0.5, 99.5)

# Printed with one decimal.
_ROUNDING = 0.05


# Probabilities held at once.
_LAW_FLOATS = 4_000_000


@dataclass(frozen=True)
class Row:
    """One mechanism, variant and ε. Numbers are percentages, or outputs in 100 draws."""

    mechanism: str
    variant: str
    epsilon: float
    printed_n_w: float
    printed_s_w: float
    n_w: float | None
    n_w_low: float | None
    n_w_high: float | None
    s_w: float | None
    s_w_low: float | None
    s_w_high: float | None
    n_w_25_low: float | None
    n_w_25_high: float | None
    s_w_25_low: float | None
    s_w_25_high: float | None
    words: int
    method: str
    agrees: bool
    explanation: str


# ------------------------------------------------------------------------------------ the variants


# ----------------------------------------------------------------------------------- the numbers


def rows(
    vocabulary: Vocabulary,
    words: int = WORDS,
    epsilons: Sequence[float] = EPSILONS,
    cases: Iterable[Case] = CASES,
    seed: int = SEED,
) -> list[Row]:
    """The table: every case at every ε, over `words` random words of a vocabulary.

    Every cell has a generator of its own, so a part of the table has the numbers of the whole.
    """
    printed = published.load("meisenbacher2024_privacy")
    printed = printed[(printed["task"] == "imdb") & (printed["dimension"] == 50)]
    found = []
    for case in cases:
        for epsilon in epsilons:
            here = (printed["mechanism"] == case.mechanism) & (printed["epsilon"] == epsilon)
            n_w, s_w = printed.loc[here, ["n_w", "s_w"]].to_numpy(dtype=np.float64)[0].tolist()
            found.append(_row(case, epsilon, vocabulary, words, seed, n_w, s_w))
    return _explained(found)


def _row(
    case: Case,
    epsilon: float,
    vocabulary: Vocabulary,
    words: int,
    seed: int,
    printed_n_w: float,
    printed_s_w: float,
) -> Row:
    name = f"{case.mechanism} {case.variant} {epsilon:g}".encode()
    rng = seeded_rng(int.from_bytes(name, "little") ^ seed)
    try:
        pairs = case.build(epsilon, vocabulary, rng)
        n_w, s_w, runs = _measured(pairs, vocabulary, words, rng)
    except ValueError as refusal:
        nothing = (None,) * 10
        return Row(
            case.mechanism,
            case.variant,
            epsilon,
            printed_n_w,
            printed_s_w,
            *nothing,
            words=0,
            method="refused",
            agrees=False,
            explanation=f"refused: {refusal}",
        )
    groups = rng.integers(len(runs), size=(_GROUPS, BENCHMARK_WORDS))
    low, high = np.percentile(runs[groups].mean(axis=1), _RANGE, axis=0)
    at = np.array([printed_n_w, printed_s_w])
    agrees = bool(((low - _ROUNDING <= at) & (at <= high + _ROUNDING)).all())
    law = isinstance(pairs[0][0], LawMechanism)
    return Row(
        case.mechanism,
        case.variant,
        epsilon,
        printed_n_w,
        printed_s_w,
        *of_mean(n_w, 0, 100, of="words").numbers,
        *of_mean(s_w, 0, RUNS, of="words").numbers,
        float(low[0]),
        float(high[0]),
        float(low[1]),
        float(high[1]),
        words=len(n_w),
        method="exact law" if law else f"{_DRAWS} draws a word",
        agrees=agrees,
        explanation=case.slip,
    )


def _measured(
    pairs: list[tuple[Mechanism, Vocabulary]],
    vocabulary: Vocabulary,
    words: int,
    rng: np.random.Generator,
) -> tuple[Floats, Floats, Floats]:
    """N_w (n,) and S_w (n,) of random words, and both again from a hundred draws a word (n, 2)."""
    covered = np.flatnonzero(pairs[0][0].covers(vocabulary, np.arange(len(vocabulary))))
    ids = rng.permutation(covered)[:words]
    parts = [
        (_by_law if isinstance(mechanism, LawMechanism) else _by_draws)(mechanism, seen, part, rng)
        for (mechanism, seen), part in zip(pairs, np.array_split(ids, len(pairs)), strict=True)
    ]
    n_w, s_w, runs = (np.concatenate(column) for column in zip(*parts, strict=True))
    return n_w, s_w, runs


def _by_law(
    mechanism: Mechanism, vocabulary: Vocabulary, ids: WordIds, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    assert isinstance(mechanism, LawMechanism)
    n_w, s_w = np.empty(len(ids)), np.empty(len(ids))
    for block in blocks(len(ids), _LAW_FLOATS // len(vocabulary)):
        law = mechanism.log_prob(vocabulary, ids[block])
        n_w[block] = np.exp(law[np.arange(len(law)), ids[block]])
        s_w[block] = distinct_outputs(law, RUNS, unchanged=ids[block])
    released = mechanism.sample(vocabulary, ids, RUNS, rng)
    return 100 * n_w, s_w, _counted(released, ids)


def _by_draws(
    mechanism: Mechanism, vocabulary: Vocabulary, ids: WordIds, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    released = mechanism.sample(vocabulary, ids, _DRAWS, rng)
    runs = [_counted(part, ids) for part in np.split(released, _DRAWS // RUNS, axis=1)]
    n_w, s_w = np.mean(runs, axis=0).T
    return n_w, s_w, runs[0]


def _counted(released: WordIds, ids: WordIds) -> Floats:
    """N_w in percent, and the different outputs but for the word itself: (n, m) -> (n, 2)."""
    unchanged = released == ids[:, None]
    ordered = np.sort(released, axis=1)
    different = 1 + (np.diff(ordered, axis=1) != 0).sum(axis=1) - unchanged.any(axis=1)
    return np.column_stack([100 * unchanged.mean(axis=1), different]).astype(np.float64)


# ---------------------------------------------------------------------------- what explains what


def _explained(found: list[Row]) -> list[Row]:
    """The rows with their explanation: agrees, explained by another row, or unexplained."""
    case_of = {(case.mechanism, case.variant): case for case in CASES}
    agreeing: dict[tuple[str, str], list[float]] = {}
    for row in found:
        agreeing.setdefault((row.mechanism, row.variant), []).extend([row.epsilon] * row.agrees)

    def trust(case: Case) -> tuple[bool, int, bool]:
        """Proven first, then what agrees at the most ε, then what needs no slip."""
        return not case.proven, -len(agreeing[case.mechanism, case.variant]), bool(case.slip)

    def of(row: Row) -> str:
        case = case_of[row.mechanism, row.variant]
        if row.method == "refused":
            return row.explanation
        if row.agrees and case.slip:
            would = "explains" if case.proven else "not proven, but would explain"
            return f"{would} the printed numbers: {case.slip}"
        if row.agrees:
            others = {
                r.epsilon for r in found if (r.mechanism, r.variant) == (row.mechanism, row.variant)
            }
            rest = sorted(others - set(agreeing[row.mechanism, row.variant]))
            return (
                f"agrees, but not at ε = {', '.join(f'{e:g}' for e in rest)}" if rest else "agrees"
            )
        if case.slip:
            return f"does not explain the printed numbers: {case.slip}"
        known = [
            case_of[r.mechanism, r.variant]
            for r in found
            if (r.mechanism, r.epsilon) == (row.mechanism, row.epsilon) and r.agrees
        ]
        best = min(known, key=trust, default=None)
        if best is None:
            return "; ".join(["unexplained", *_NARROWED.get(row.mechanism, ())])
        if not best.proven:
            return f"unexplained; possibly {best.slip}"
        if best.slip:
            return f"explained by a slip: {best.slip}"
        return f"the printed numbers agree with: {best.variant}"

    return [Row(**{**asdict(row), "explanation": of(row)}) for row in found]


# What can be said of cells that no row agrees with.
_NARROWED = {
    "SanText": (
        "the changed draws differ as much as with distances over three coordinates, at every ε, "
        "but 14 % of the draws are unchanged",
    ),
}


# ------------------------------------------------------------------------------------ in and out


def write(found: Sequence[Row], provenance: dict[str, object], file: Path = RESULTS) -> None:
    """The table as CSV, below its provenance in lines that begin with `#`."""
    with file.open("w", encoding="utf-8", newline="") as out:
        out.writelines(f"# {key}: {value}\n" for key, value in provenance.items())
        writer = csv.DictWriter(out, [f.name for f in fields(Row)], lineterminator="\n")
        writer.writeheader()
        for row in found:
            writer.writerow({key: _text(value) for key, value in asdict(row).items()})


def shipped(file: Path = RESULTS) -> tuple[dict[str, str], list[dict[str, str]]]:
    """Provenance and rows of the table that comes with the project, as text."""
    lines = file.read_text(encoding="utf-8").splitlines()
    head = [line[2:].split(": ", 1) for line in lines if line.startswith("# ")]
    body = [line for line in lines if not line.startswith("# ")]
    return {key: value for key, value in head}, list(csv.DictReader(body))


def markdown(found: Sequence[Row]) -> str:
    """The table as Markdown, one row a line; what 25 words can give in brackets."""
    lines = [
        "| mechanism | variant | ε | N_w printed | computed | S_w printed | computed | |",
        "|---|---|--:|--:|--:|--:|--:|---|",
    ]
    for r in found:
        n_w = _cell(r.n_w, r.n_w_25_low, r.n_w_25_high)
        s_w = _cell(r.s_w, r.s_w_25_low, r.s_w_25_high)
        lines.append(
            f"| {r.mechanism} | {r.variant} | {r.epsilon:g} | {r.printed_n_w:g} | {n_w} "
            f"| {r.printed_s_w:g} | {s_w} | {r.explanation.replace('|', chr(92) + '|')} |"
        )
    return "\n".join(lines)


def _cell(value: float | None, low: float | None, high: float | None) -> str:
    return "" if value is None else f"{value:.1f} [{low:.1f}, {high:.1f}]"


def _text(value: object) -> object:
    return f"{value:.4f}" if isinstance(value, float) else value


def main() -> None:
    """Compute, print and write the table."""
    vocabulary = imdb_vocabulary(SEED)
    found: list[Row] = []
    for case in CASES:
        found += rows(vocabulary, cases=[case])
        sys.stderr.write(f"{case.mechanism}, {case.variant}\n")
    found = _explained(found)
    provenance = {
        "command": "python -m measures.papers.published_against_exact",
        "vocabulary": f"{len(vocabulary)} words of {REVIEWS} prepared IMDb reviews, "
        f"{embeddings.GLOVE}",
        "fingerprint": vocabulary.fingerprint,
        "words": f"{WORDS} at random, of the words that a mechanism covers",
        "seed": SEED,
        "interval": "95 % for the mean over all words (_low, _high)",
        "range": f"99 % of groups of {BENCHMARK_WORDS} words with {RUNS} draws each (_25_…)",
        "printed": "meisenbacher2024_privacy, imdb, dimension 50",
    }
    write(found, provenance)
    sys.stdout.write(markdown(found) + "\n")


if __name__ == "__main__":
    main()
