"""The figures of the Attacks page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from measures.attacks.recovery import Row
from pages.shared.charts import (
    BOUND_COLOUR,
    COLOURS,
    Part,
    bar,
    beside,
    epsilon_axis,
    error_bars,
    framed,
    horizontal,
    in_lines,
    scatter,
)

# Told apart by more than colour.
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "star", "cross", "pentagon")

_DASHED = {"color": BOUND_COLOUR, "dash": "dash", "width": 2}
_NAMED: Part = {"title": "words guessed correctly, %", "range": [0, 103]}
_AS_TYPED: Part = {"title": "words that come out as typed, %", "range": [-2, 103]}


def averaging(named_after: ArrayLike, name: str, epsilon: float, exact: bool) -> go.Figure:
    """Words guessed after each release: words (n, m) -> bars, with the ε spent under each."""
    named = np.asarray(named_after, bool)
    counts = [str(count) for count in range(1, named.shape[1] + 1)]
    tall = named.mean(axis=0) > 0.15  # room for the number in the bar, away from the line
    bars = bar(
        x=counts,
        y=named.sum(axis=0),
        marker={"color": COLOURS[name]},
        text=[f"<b>{count}</b>" for count in named.sum(axis=0)],
        textposition=np.where(tall, "inside", "outside"),
        textangle=0,
        insidetextanchor="end",
        insidetextfont={"color": "#ffffff", "size": 18},
        cliponaxis=False,
        hovertemplate="releases: %{x}<br>guessed correctly: %{y}<extra></extra>",
    )
    return framed(
        [bars],
        height=340,
        xaxis={
            "title": "releases of the same sentence, and the ε spent",
            "type": "category",
            "tickvals": counts,
            "ticktext": [f"<b>{count}</b><br>ε = {int(count) * epsilon:.4g}" for count in counts],
        },
        yaxis={
            "title": "words guessed correctly" if exact else "words guessed correctly, at least",
            "range": [0, 1.15 * len(named)],
            "rangemode": "tozero",
        },
        shapes=[horizontal(len(named), **_DASHED)],
        annotations=[beside(len(named), "all attacked words", "bottom")],
        showlegend=False,
    )


def success(rows: Sequence[Row], against: str) -> go.Figure:
    """Words guessed correctly in %, a curve a mechanism, against `epsilon` or `n_w`."""
    curves = list(enumerate(_by_mechanism(rows).items()))
    if against == "epsilon":
        every = [row.epsilon for row in rows]
        over_epsilon = [
            _curve(name, number, [row.epsilon for row in mine], mine)
            for number, (name, mine) in curves
        ]
        x_axis = epsilon_axis(min(every), max(every))
        return framed(over_epsilon, height=480, xaxis=x_axis, yaxis=_NAMED)
    reads = scatter(
        x=[0, 100],
        y=[0, 100],
        mode="lines",
        hoverinfo="skip",
        line=_DASHED,
        name="takes each output as the word",
    )
    over_kept = [
        _curve(name, number, [100 * row.n_w.value for row in mine], mine)
        for number, (name, mine) in curves
    ]
    return framed([reads, *over_kept], height=480, xaxis=_AS_TYPED, yaxis=_NAMED)


def averaged(rows: Sequence[Row]) -> go.Figure:
    """Words guessed correctly in % after several releases, a curve a mechanism."""
    curves = [
        _curve(f"{name}, ε = {mine[0].epsilon:g}", number, [row.releases for row in mine], mine)
        for number, (name, mine) in enumerate(_by_mechanism(rows).items())
    ]
    counts = sorted({row.releases for row in rows})
    axis = {
        "title": "releases, each at the cost of its ε",
        "type": "log",
        "tickvals": counts,
        "ticktext": [f"{count}" for count in counts],
    }
    return framed(curves, height=380, xaxis=axis, yaxis=_NAMED)


def masked(masked_rows: Sequence[Row], guessed: Sequence[Row]) -> go.Figure:
    """Words that their neighbours give away in %, against the words that come out as typed."""
    n_w = {(row.mechanism, row.epsilon): 100 * row.n_w.value for row in guessed}
    own = next(row for row in masked_rows if not row.mechanism)
    released = [row for row in masked_rows if (row.mechanism, row.epsilon) in n_w]
    curves = [
        _curve(name, number, [n_w[row.mechanism, row.epsilon] for row in mine], mine, dash="solid")
        for number, (name, mine) in enumerate(_by_mechanism(released).items())
    ]
    given_away = {
        "title": in_lines("words that neighbours give away, %", 30),
        "range": [0, 130 * own.success.high],
    }
    return framed(
        curves,
        xaxis=_AS_TYPED,
        yaxis=given_away,
        shapes=[horizontal(100 * own.success.value, **_DASHED)],
        annotations=[beside(100 * own.success.value, "neighbours as typed")],
    )


def _by_mechanism(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Rows by mechanism, in display order."""
    return {
        name: mine for name in COLOURS if (mine := [row for row in rows if row.mechanism == name])
    }


def _curve(
    name: str,
    number: int,
    x: Sequence[float],
    rows: Sequence[Row],
    dash: str | None = None,
) -> Part:
    """Success with its intervals; dotted where it is a lower bound."""
    found = [row.success.percent for row in rows]
    dash = dash or ("dot" if rows[0].lower_bound else "solid")
    return scatter(
        x=x,
        y=[one.value for one in found],
        error_y=error_bars(found, width=0),
        mode="lines+markers",
        line={"color": COLOURS[rows[0].mechanism], "width": 3, "dash": dash},
        marker={"symbol": _SYMBOLS[number % len(_SYMBOLS)], "size": 8},
        customdata=[row.epsilon for row in rows],
        hovertemplate="%{y:.1f} % named at ε = %{customdata:.4g}",
        name=name,
    )
