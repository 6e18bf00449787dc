"""What a row of a sweep is called: its mechanism, and its curve among the curves of all rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from measures.sweeps.sides import Row
from mechanisms import MECHANISMS, Mechanism, by_name

# What tells curves apart, beside the mechanism: said in a label where it is not as in most rows.
_SETUP = (
    *("source", "corpus", "preprocessing", "texts"),
    *("embedding", "vocabulary_size", "classifier"),
)

_NAMES = {cls.__name__: cls.name for cls in MECHANISMS}


def name_of(row: Row) -> str:
    """The name of a row's mechanism, as people read it."""
    return _NAMES.get(row["mechanism"], str(row["mechanism"]))


def labels(rows: Sequence[Row]) -> list[str]:
    """The curve that each row belongs to: the mechanism, its variant, and what else varies."""
    usual = {column: _usual([row.get(column) for row in rows]) for column in _SETUP}
    differing = _differing_parameters(rows)
    found = []
    for row in rows:
        label = name_of(row)
        if row.get("variant"):
            label += f" ({row['variant']})"
        parts = [
            f"{name} = {_short(value)}"
            for name, value in _parameters(row).items()
            if name in differing.get(row["mechanism"], ())
        ]
        for column in _SETUP:
            if (value := row.get(column)) not in (None, "", usual[column]):
                unit = {"texts": "texts", "vocabulary_size": "words"}.get(column)
                parts.append(f"{value:,} {unit}" if unit and isinstance(value, int) else str(value))
        found.append(", ".join([label, *parts]))
    return found


def mechanism_of(rows: Sequence[Row], curve: str, epsilon: float) -> Mechanism | None:
    """The mechanism of a curve at one ε; None if no row of it names one that can be made here."""
    for label, row in zip(labels(rows), rows, strict=True):
        if label != curve or float(row["epsilon"]) != epsilon:
            continue
        values = _parameters(row) | ({"variant": row["variant"]} if row.get("variant") else {})
        try:
            return by_name(str(row["mechanism"]))(epsilon=epsilon, **values)
        except (TypeError, ValueError):  # a mechanism or a parameter of another project
            return None
    return None


def _usual(values: Sequence[Any]) -> Any:
    """What needs no saying: that there is none, where some rows have none; else the commonest."""
    counts = Counter(None if value == "" else value for value in values)
    return None if None in counts or not counts else counts.most_common(1)[0][0]


def _parameters(row: Row) -> dict[str, Any]:
    text = row.get("parameters") or "{}"
    try:
        read = json.loads(text)
    except (TypeError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def _differing_parameters(rows: Sequence[Row]) -> dict[str, set[str]]:
    """By mechanism, the parameters that its rows have different values of."""
    values: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        for name, value in _parameters(row).items():
            if name != "variant":
                values.setdefault((row["mechanism"], name), set()).add(str(value))
    found: dict[str, set[str]] = {}
    for (mechanism, name), several in values.items():
        if len(several) > 1:
            found.setdefault(mechanism, set()).add(name)
    return found


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
