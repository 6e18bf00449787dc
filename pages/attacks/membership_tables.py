"""The tables of attacks on trained models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from measures.attacks.trials import Row


def audit(rows: Sequence[Row], mechanism: str, way: str) -> pd.DataFrame:
    """As Table 3 of the CMP paper: a row a measure, a column an ε; means over trials."""
    mine = [row for row in rows if (row.mechanism, row.way) == (mechanism, way)]
    return pd.DataFrame(
        {f"ε = {row.epsilon:g}": _rounded(row) for row in mine} | {"no noise": _without(mine[0])}
    )


def printed_audit(printed: Mapping[str, Sequence[tuple[float, float]]]) -> pd.DataFrame:
    """Table 3 of the CMP paper."""
    return pd.DataFrame(
        {name: {f"ε = {e:g}": f"{v:.2f}" for e, v in row} for name, row in printed.items()}
    ).T


def trials(rows: Sequence[Row]) -> pd.DataFrame:
    """The shipped table of an attack, with all intervals."""
    return pd.DataFrame(
        [
            {**row._asdict(), "measures": None}
            | {
                f"{name}{end}": value
                for name, interval in row.measures.items()
                for end, value in zip(("", "_from", "_to"), interval.numbers, strict=True)
            }
            for row in rows
        ]
    ).drop(columns="measures")


def _rounded(row: Row) -> dict[str, str]:
    return {
        name: f"{interval.value:.2f}"
        for name, interval in row.measures.items()
        if not name.startswith("baseline_")
    }


def _without(row: Row) -> dict[str, str]:
    return {
        name.removeprefix("baseline_"): f"{interval.value:.2f}"
        for name, interval in row.measures.items()
        if name.startswith("baseline_")
    }
