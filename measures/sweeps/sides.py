r"""Utility and privacy of settings, each sample of texts by itself, and how far they may be off.

A side of the composite score (`measures.puc`) is a weighted mean of measures on one scale. Three
scales bring a measure x there; the paper's is the first:

baseline  accuracy in percent of that without a mechanism, 100 A / B; measures of privacy as they
          are (100 - x where low is good). Equation 4 of the benchmark. A coin toss has 100 c / B,
          c the share of the most common label
chance    accuracy above a coin toss, 100 (A - c) / (B - c); privacy as above
minmax    every measure between its least and its most over the settings compared, which are taken
          as given: 100 (x - least) / (most - least). Leaving a setting out changes all others

Errors of settings on one sample go together (`measures.sweeps.spread`); other samples are
independent. The baseline is measured on the same texts and errs with them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from measures.puc import composite
from measures.sweeps.spread import NORMAL, Spread, influence, lacking
from measures.sweeps.vectors import unpacked
from mechanisms.vocabulary import Floats

Row = Mapping[str, Any]

UTILITY = {"accuracy": "accuracy", "macro_f1": "macro-F1"}
HIGHER = {"s_w": "S_w", "pp": "PP", "cs": "CS"}
LOWER = {"n_w": "N_w", "low": "LOW"}

# What the classifier is tested on; it is trained on private text.
PROTOCOLS = {"private": "", "original": "_on_original"}

NORMALISERS = ("baseline", "chance", "minmax")

# What a measure is the mean of: measures of one kind look at the same things.
_THINGS = {
    "accuracy": "tested",
    "n_w": "words",
    "s_w": "words",
    "pp": "groups",
    "cs": "compared",
    "low": "rare",
}

# The settings that choose texts and words; with the same ones two cells are on the same sample.
_SAMPLE = ("corpus", "preprocessing", "texts", "embedding", "vocabulary_size", "seed", "repetition")

# Corpora whose labels all have the same number of texts, for rows that do not say their chance.
BALANCED = {"imdb": 2, "rotten-tomatoes": 2, "ag-news": 4}

MOST_SAMPLES = 100


class Side(NamedTuple):
    """Scores of settings on one side."""

    each: Floats
    """By sample of texts (r, n), in percent; NaN if a setting was not measured on it."""
    spreads: tuple[Spread, ...]
    """Of each sample, over all settings (r)."""


class Sides(NamedTuple):
    """Both sides, and what utility a coin toss has on this scale."""

    utility: Side
    privacy: Side
    coin_toss: float
    """In percent, the mean over all rows; NaN if chance is not known."""
    paired: bool
    """Whether every measure's error is known thing by thing."""
    measures: int
    """How many measures count."""


def sides(
    groups: Sequence[Sequence[Row]],
    counted: Sequence[str],
    weights: Mapping[str, float],
    protocol: str,
    normaliser: str = "baseline",
) -> Sides:
    """Utility and privacy of settings, each given by its rows (n).

    Raises
    ------
    ValueError
        If nothing of a side counts, a weight or a normaliser cannot be, chance is not known, or
        rows are of more than 100 samples of texts.

    """
    if normaliser not in NORMALISERS:
        known = ", ".join(NORMALISERS)
        raise ValueError(f"Normaliser: must be one of {known}; got {normaliser!r}.")
    _check(counted, weights)
    samples = _samples(groups)
    limits = _limits(samples, len(groups), counted, protocol) if normaliser == "minmax" else {}
    found, tosses, paired = [], [], True
    for names in ([n for n in counted if n in UTILITY], [n for n in counted if n not in UTILITY]):
        whole = sum(weights.get(name, 1.0) for name in names)
        share = {name: weights.get(name, 1.0) / whole for name in names}
        each, spreads = np.full((len(samples), len(groups)), np.nan), []
        for r, rows in enumerate(samples):
            errors = _Errors(len(groups))
            for i, row in rows.items():
                each[r, i], toss = 0.0, 0.0
                for name in names:
                    scale = _scale(name, row, protocol, normaliser, limits)
                    at = column_of(name, protocol)
                    each[r, i] += share[name] * (scale.offset + scale.slope * real_number(row[at]))
                    toss += share[name] * (scale.offset + scale.slope * chance_of(row))
                    errors.add(i, _THINGS.get(name), row, at, share[name] * scale.slope)
                    if scale.of_baseline:
                        base = f"baseline_{name}"
                        errors.add_shared(i, row, base, share[name] * scale.of_baseline)
                if names[0] in UTILITY:
                    tosses.append(toss)
            spreads.append(errors.spread())
            paired &= errors.listed
        found.append(Side(each, tuple(spreads)))
    toss = float(np.mean(tosses)) if tosses else math.nan
    return Sides(found[0], found[1], toss, paired, len(counted))


class _Scale(NamedTuple):
    """score = offset + slope · x, and its derivative by the baseline."""

    offset: float
    slope: float
    of_baseline: float = 0.0


def _scale(
    name: str, row: Row, protocol: str, normaliser: str, limits: Mapping[str, tuple[float, float]]
) -> _Scale:
    """How a row's value of a measure becomes a score."""
    sign = -1.0 if name in LOWER else 1.0
    if normaliser == "minmax":
        least, most = limits[name]
        slope = 100 / (most - least) if most > least else 0.0
        return _Scale(-slope * least if sign > 0 else slope * most, sign * slope)
    if name not in UTILITY:
        return _Scale(0.0 if sign > 0 else 100.0, sign)
    least = 0.0 if normaliser == "baseline" else chance_of(row)
    if math.isnan(least):
        raise ValueError("Normaliser: the rows must have the accuracy of guessing (chance).")
    base = real_number(row[f"baseline_{name}"]) - least
    if base <= 0:
        raise ValueError(
            f"Normaliser: the baseline must be above {least:g} %; got {base + least:g} %."
        )
    above = real_number(row[column_of(name, protocol)]) - least
    return _Scale(-100 * least / base, 100 / base, -100 * above / base**2)


class _Errors:
    """The errors of settings (n,) on one sample, collected measure by measure."""

    def __init__(self, count: int) -> None:
        self._count, self._own, self._things = count, np.zeros(count), math.inf
        self.listed = True
        self._factors: dict[tuple[str, int], Floats] = {}

    def add(self, i: int, kind: str | None, row: Row, name: str, weight: float) -> None:
        """The error of a measure: by its things where the row lists them."""
        if not weight:
            return
        data = row.get(f"{name}_each")
        if kind is None or not isinstance(data, bytes):
            self.listed = False
            self._own[i] += (weight * _half(row, name) / NORMAL) ** 2
            return
        values = unpacked(data)
        self._factor(kind, len(values))[i] += weight * influence(values)
        self._own[i] += weight**2 * lacking(values)
        self._things = min(self._things, float(np.count_nonzero(~np.isnan(values))))

    def add_shared(self, i: int, row: Row, name: str, weight: float) -> None:
        """The error of the baseline, which all settings of a sample share."""
        data = row.get(f"{name}_each")
        if isinstance(data, bytes):
            values = unpacked(data)
            self._factor("tested", len(values))[i] += weight * influence(values)
        else:
            self.listed, half = False, _half(row, name)
            if math.isinf(half):
                self._own[i] = math.inf
            else:
                self._factor("baseline", 1)[i] += weight * half / NORMAL

    def _factor(self, kind: str, things: int) -> Floats:
        return self._factors.setdefault((kind, things), np.zeros((self._count, things)))

    def spread(self) -> Spread:
        """All of it."""
        factor = np.hstack([np.zeros((self._count, 0)), *self._factors.values()])
        return Spread(factor, self._own, self._things).reduced()


def _half(row: Row, name: str) -> float:
    """Half of a measure's interval; infinite where the row has none."""
    half = (real_number(row.get(f"{name}_to")) - real_number(row.get(f"{name}_from"))) / 2
    return math.inf if math.isnan(half) else half


def _check(counted: Sequence[str], weights: Mapping[str, float]) -> None:
    """What `composite` refuses is refused."""
    any_value = dict.fromkeys(counted, 1.0)
    for alpha in (1.0, 0.0):
        composite(
            {name: value for name, value in any_value.items() if name in UTILITY},
            {name: value for name, value in any_value.items() if name in HIGHER},
            {name: value for name, value in any_value.items() if name in LOWER},
            alpha,
            weights=weights,
        )


def _samples(groups: Sequence[Sequence[Row]]) -> list[dict[int, Row]]:
    """The rows of each sample of texts, by the number of their setting."""
    found: dict[tuple[Any, ...], dict[int, Row]] = {}
    for setting, group in enumerate(groups):
        seen: dict[tuple[Any, ...], int] = {}
        for row in group:
            key = tuple(row.get(name) for name in _SAMPLE)
            turn = seen[key] = seen.get(key, -1) + 1  # rows that do not say what differs
            found.setdefault((*key, turn), {})[setting] = row
    if len(found) > MOST_SAMPLES:
        raise ValueError(f"Sweep: at most {MOST_SAMPLES} samples of texts; got {len(found)}.")
    return list(found.values())


def chance_of(row: Row) -> float:
    """The accuracy of a coin toss in percent; NaN if neither row nor corpus says it."""
    known = real_number(row.get("chance"))
    labels = BALANCED.get(str(row.get("corpus")))
    return 100 / labels if math.isnan(known) and labels else known


def real_number(value: object) -> float:
    """A cell of a row as a number; NaN if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    return float(value) if math.isfinite(value) else math.nan


def column_of(measure: str, protocol: str) -> str:
    """The column of a measure."""
    return measure + (PROTOCOLS[protocol] if measure in UTILITY else "")


def _limits(
    samples: Sequence[dict[int, Row]], count: int, counted: Sequence[str], protocol: str
) -> dict[str, tuple[float, float]]:
    """The least and the most of each measure over the settings, samples averaged."""
    found = {}
    for name in counted:
        values = np.full((len(samples), count), np.nan)
        for r, rows in enumerate(samples):
            for i, row in rows.items():
                values[r, i] = real_number(row[column_of(name, protocol)])
        means = np.nanmean(values, axis=0) if count else np.zeros(1)
        found[name] = float(means.min()), float(means.max())
    return found
