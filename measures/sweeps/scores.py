"""Rows of sweeps, or of the benchmark's tables, as points: utility against privacy.

A point is a mechanism at one ε. Its utility is the share of the accuracy without any mechanism that
is left, its privacy the composite of the measures that count (Definition 5.1 in `measures.puc`,
with α = 1 and α = 0), both in percent. Points of one curve differ in ε alone.

Repetitions are averaged. A point's interval is that of its score: errors of independent measures
add up as variances (`measures.sweeps.sides`), the baseline's error among them. Which of two points
is better is another question, decided by the interval of their difference
(`measures.sweeps.contest`).
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from measures.sweeps.labels import labels, name_of
from measures.sweeps.ranking import Segment, best_of_groups, groups, pareto, scores, segments
from measures.sweeps.sides import (
    HIGHER,
    LOWER,
    PROTOCOLS,
    UTILITY,
    Row,
    Side,
    Sides,
    column_of,
    real_number,
    sides,
)
from measures.sweeps.spread import NORMAL, Spread, added, scaled
from mechanisms import MECHANISMS
from mechanisms.estimate import CONFIDENCE, UNKNOWN, Estimate, Source
from mechanisms.vocabulary import Floats

__all__ = ["COUNTED", "HIGHER", "LOWER", "PROTOCOLS", "UTILITY", "Points", "Row", "points"]

COUNTED = {**UTILITY, "n_w": "N_w", "s_w": "S_w", "pp": "PP", "cs": "CS", "low": "LOW"}
"""Measures that may count, in the paper's order."""
EQUATION_4 = ("accuracy", "n_w", "s_w", "pp", "cs", "low")

SHIPPED = Path(__file__).parents[2] / "data" / "standard_sweep.parquet"

MOST_ROWS = 20_000
_MOST_BYTES = 200_000_000
_NEEDED = ("corpus", "mechanism", "epsilon")


@dataclass(frozen=True, eq=False)
class Points:
    """Settings with what they score (n,): mechanisms in display order, curve by curve, ε up."""

    curve: tuple[str, ...]
    mechanism: tuple[str, ...]
    epsilon: Floats
    sides: Sides
    """Utility and privacy, sample by sample, and how far they may be off."""
    n_w: Floats
    """In percent; NaN if it was not measured."""
    repetitions: tuple[int, ...]
    texts: tuple[int | None, ...]
    promise: tuple[str | None, ...]
    """The notion that the mechanism keeps; empty if it keeps none, None if the rows do not say."""
    left_out: Mapping[str, int]
    """How many rows are no part of it, by reason."""

    def __len__(self) -> int:
        """Number of points."""
        return len(self.curve)

    @cached_property
    def utility(self) -> Estimate:
        """In percent (n,); an end that nothing tells is infinite."""
        return self.puc(1.0)

    @cached_property
    def privacy(self) -> Estimate:
        """As `utility`."""
        return self.puc(0.0)

    def puc(self, alpha: float) -> Estimate:
        """The composite score at an α (n,)."""
        each = self.each(alpha)
        there = ~np.isnan(each)
        weights = np.where(there, 1 / np.maximum(there.sum(axis=0), 1), 0.0)
        value = np.nansum(weights * each, axis=0)
        variance = np.sum(
            [
                np.where(w > 0, w**2 * spread.variance, 0.0)
                for w, spread in zip(weights, self.spreads(alpha), strict=True)
            ],
            axis=0,
        ) + np.zeros(len(self))
        return self.estimate(value, self.quantile(alpha) * np.sqrt(variance))

    def estimate(self, value: Floats, half: Floats) -> Estimate:
        """Scores of these rows with half of each interval; infinite where nothing tells it."""
        told = np.isfinite(half).any()
        source = Source("measures", self.sides.measures) if told else UNKNOWN
        return Estimate(value, value - half, value + half, source)

    def each(self, alpha: float) -> Floats:
        """The composite score at an α by sample of texts (r, n); NaN if there is none."""
        utility, privacy = self.sides[:2]
        return np.asarray(alpha * utility.each + (1 - alpha) * privacy.each)

    def spreads(self, alpha: float) -> list[Spread]:
        """How far those may be off, a sample each."""
        utility, privacy = self.sides[:2]
        return [
            added([scaled(u, alpha), scaled(p, 1 - alpha)])
            for u, p in zip(utility.spreads, privacy.spreads, strict=True)
        ]

    def quantile(self, alpha: float) -> float:
        """Half of an interval over the standard error: Student's for the fewest things listed."""
        from scipy.special import stdtrit

        things = min((spread.things for spread in self.spreads(alpha)), default=math.inf)
        return NORMAL if math.isinf(things) else float(stdtrit(things - 1, (1 + CONFIDENCE) / 2))

    def of_curves(self, curves: Iterable[str]) -> Points:
        """Those of some curves only."""
        wanted = set(curves)
        kept = [i for i, curve in enumerate(self.curve) if curve in wanted]
        return replace(
            self,
            curve=tuple(self.curve[i] for i in kept),
            mechanism=tuple(self.mechanism[i] for i in kept),
            epsilon=self.epsilon[kept],
            sides=self.sides._replace(
                utility=_some(self.sides.utility, kept), privacy=_some(self.sides.privacy, kept)
            ),
            n_w=self.n_w[kept],
            repetitions=tuple(self.repetitions[i] for i in kept),
            texts=tuple(self.texts[i] for i in kept),
            promise=tuple(self.promise[i] for i in kept),
        )


def _some(side: Side, kept: list[int]) -> Side:
    spreads = tuple(Spread(s.factor[kept], s.own[kept], s.things) for s in side.spreads)
    return Side(side.each[:, kept], spreads)


@dataclass(frozen=True, eq=False)
class Ranked:
    """The order of curves at one α, each by its best point there."""

    best: tuple[int, ...]
    """The points (c,), best first."""
    score: Estimate
    """PUC of all points (n,)."""
    curves: tuple[str, ...]
    segments: tuple[Segment, ...]
    """Between which α the curves, by their numbers, stand in which order."""
    front: NDArray[np.bool_]
    """Which points (n,) no other one beats."""

    @property
    def leads(self) -> list[Segment]:
        """Between which α the same curve leads."""
        found: list[Segment] = []
        for low, high, order in self.segments:
            if found and found[-1].order == order[:1]:
                found[-1] = found[-1]._replace(high=high)
            else:
                found.append(Segment(low, high, order[:1]))
        return found


def ranked(found: Points, alpha: float) -> Ranked:
    """Points in order at one α, and where over all α the order changes."""
    utility, privacy = _sides(found)
    curves, number = groups(found.curve)
    return Ranked(
        best=tuple(best_of_groups(utility, privacy, number, alpha)),
        score=found.puc(alpha),
        curves=tuple(map(str, curves)),
        segments=tuple(segments(utility, privacy, number)),
        front=pareto(utility, privacy),
    )


def changes_of_lead(found: Points, order: Ranked) -> list[tuple[float, float]]:
    """Where the lead changes: α, and the score of both there."""
    alphas = [segment.low for segment in order.leads[1:]]
    return [(alpha, float(scores(*_sides(found), alpha).max())) for alpha in alphas]


def promises(found: Points) -> dict[str, str | None]:
    """What each curve keeps at all of its ε; empty if it keeps nothing at one of them."""
    kept: dict[str, str | None] = {}
    for curve, promise in zip(found.curve, found.promise, strict=True):
        kept[curve] = promise if kept.get(curve, promise) == promise else ""
    return kept


# Curves in a figure that is read at a glance.
FEW = 4


def first_choice(found: Points) -> list[str]:
    """The curves to look at first: four at most that keep a promise of one notion.

    The notion is the one that most curves keep. If none keeps any, the first four.
    """
    kept = promises(found)
    counts = Counter(notion for notion in kept.values() if notion)
    usual = counts.most_common(1)[0][0] if counts else None
    chosen = [curve for curve, notion in kept.items() if notion == usual]
    return (chosen if usual else list(kept))[:FEW]


def over_alpha(found: Points, alphas: Floats) -> dict[str, Floats]:
    """PUC of each curve by its best point at every α (a,)."""
    every = scores(*_sides(found), alphas)
    curves, number = groups(found.curve)
    return {str(curve): every[number == i].max(axis=0) for i, curve in enumerate(curves)}


def _sides(found: Points) -> tuple[Floats, Floats]:
    return found.utility.value, found.privacy.value


def points(
    rows: Sequence[Row],
    counted: Sequence[str] = EQUATION_4,
    weights: Mapping[str, float] | None = None,
    protocol: str = "private",
    normaliser: str = "baseline",
) -> Points:
    """Rows as points.

    Parameters
    ----------
    rows
        In the columns of a sweep (`measures.sweeps.rows`). Those with an error, or without one of
        the measures that count, are left out and counted.
    counted
        Names of `COUNTED`, at least one of utility and one of privacy.
    weights
        Weights within utility and within privacy; 1 if none is given.
    protocol
        Whether the classifier was tested on `private` text (the benchmark's way) or on `original`
        text (TEM's).
    normaliser
        How measures come on one scale: one of `measures.sweeps.sides.NORMALISERS`.

    Raises
    ------
    ValueError
        If nothing of utility or of privacy counts, or a measure or weight cannot be.

    """
    if unknown := [name for name in counted if name not in COUNTED]:
        raise ValueError(f"Measure: must be one of {', '.join(COUNTED)}; got {unknown[0]!r}.")
    weights = {name: weight for name, weight in (weights or {}).items() if name in counted}
    left_out: dict[str, int] = {}
    whole = []
    for row in rows:
        if reason := _missing(row, counted, protocol):
            left_out[reason] = left_out.get(reason, 0) + 1
        else:
            whole.append(row)
    together: dict[tuple[str, float], list[Row]] = {}
    for label, row in zip(labels(whole), whole, strict=True):
        together.setdefault((label, float(row["epsilon"])), []).append(row)
    known = [cls.__name__ for cls in MECHANISMS]
    place = {
        key: known.index(name) if (name := group[0]["mechanism"]) in known else len(known)
        for key, group in together.items()
    }
    order = sorted(together, key=lambda key: (place[key], *key))
    groups = [together[key] for key in order]
    return Points(
        curve=tuple(label for label, _ in order),
        mechanism=tuple(name_of(group[0]) for group in groups),
        epsilon=np.array([epsilon for _, epsilon in order]),
        sides=sides(groups, counted, weights, protocol, normaliser),
        n_w=np.array([np.mean([real_number(r.get("n_w")) for r in group]) for group in groups]),
        repetitions=tuple(len(group) for group in groups),
        texts=tuple(group[0].get("texts") for group in groups),
        promise=tuple(_promise(group[0]) for group in groups),
        left_out=left_out,
    )


def shipped() -> list[dict[str, Any]]:
    """The rows of the sweep that comes with the project; none where it was not made yet."""
    return of_folder(SHIPPED) if SHIPPED.exists() else []


def provenance() -> dict[str, Any]:
    """Where the sweep that comes with the project comes from; empty if it was not made yet."""
    file = SHIPPED.with_suffix(".json")
    about: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return about


def of_folder(path: Path) -> list[dict[str, Any]]:
    """The rows of a sweep: in its folder, or in one Parquet file."""
    from pyarrow import parquet

    rows: list[dict[str, Any]] = parquet.read_table(path, partitioning=None).to_pylist()
    return rows


def from_file(data: bytes) -> list[dict[str, Any]]:
    """The rows of a Parquet or CSV file, such as a visitor's own sweep.

    Raises
    ------
    ValueError
        If it is no such file, is too large, or lacks a column that every row needs.

    """
    import pyarrow as pa
    from pyarrow import csv, parquet

    try:
        if data.startswith(b"PAR1"):
            file = parquet.ParquetFile(pa.BufferReader(data))
            about = file.metadata
            size = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
            if about.num_rows > MOST_ROWS:
                raise ValueError(f"Sweep file: at most {MOST_ROWS:,} rows; got {about.num_rows:,}.")
            if size > _MOST_BYTES:
                raise ValueError(
                    f"Sweep file: at most {_MOST_BYTES:,} bytes when unpacked; got {size:,}."
                )
            table = file.read()
        else:
            table = csv.read_csv(pa.BufferReader(data))
    except (OSError, pa.ArrowException) as error:
        raise ValueError("Sweep file: must be Parquet, or CSV in UTF-8 with a header.") from error
    if len(table) > MOST_ROWS:
        raise ValueError(f"Sweep file: at most {MOST_ROWS:,} rows; got {len(table):,}.")
    if missing := [name for name in _NEEDED if name not in table.column_names]:
        raise ValueError(
            f"Sweep file: must have the columns {', '.join(_NEEDED)}; it lacks {missing[0]}."
        )
    rows: list[dict[str, Any]] = table.to_pylist()
    for number, row in enumerate(rows, 1):
        if not real_number(row["epsilon"]) > 0:
            raise ValueError(f"Sweep file: row {number} must have an ε above 0.")
    return [row | {name: str(row[name]) for name in ("corpus", "mechanism")} for row in rows]


def _promise(row: Row) -> str | None:
    notion, keeps = row.get("notion"), row.get("keeps")
    if not isinstance(notion, str) or not isinstance(keeps, bool):
        return None
    return notion if keeps else ""


def _missing(row: Row, counted: Sequence[str], protocol: str) -> str:
    """Why a row cannot be a point; empty if it can."""
    if row.get("error"):
        return "failed"
    columns = {column_of(name, protocol): COUNTED[name] for name in counted}
    columns |= {f"baseline_{name}": "the baseline" for name in counted if name in UTILITY}
    absent = [
        named for column, named in columns.items() if math.isnan(real_number(row.get(column)))
    ]
    return f"without {', '.join(absent)}" if absent else ""
