"""The figures of the Attacks page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from measures.attacks import Row
from pages.shared.charts import BOUND_COLOUR, COLOURS, framed

# Told apart by more than colour.
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "star", "cross", "pentagon")


def averaging(named_after: ArrayLike, name: str, epsilon: float, exact: bool) -> go.Figure:
    """Words named after each release: words (n, m) -> bars, with the ε spent under each."""
    named = np.asarray(named_after, bool)
    releases = np.arange(1, named.shape[1] + 1)
    figure = go.Figure()
    figure.add_bar(
        x=[str(count) for count in releases],
        y=named.sum(axis=0),
        marker={"color": COLOURS[name]},
        text=named.sum(axis=0),
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{x} releases: %{y} words named<extra></extra>",
    )
    figure.add_hline(
        y=len(named), line={"color": BOUND_COLOUR, "dash": "dash", "width": 2},
        annotation_text="all your words", annotation_position="bottom left",
    )  # fmt: skip
    figure.update_xaxes(
        title="releases of the same sentence, and the ε spent",
        type="category",
        tickvals=[str(count) for count in releases],
        ticktext=[f"<b>{count}</b><br>ε = {count * epsilon:.4g}" for count in releases],
    )
    figure.update_yaxes(
        title="words named" if exact else "words named, at least",
        range=[0, 1.15 * len(named)],
        rangemode="tozero",
    )
    figure.update_layout(showlegend=False)
    return framed(figure, height=340)


def success(rows: Sequence[Row], against: str) -> go.Figure:
    """Words named in %, a curve a mechanism, against `epsilon` or `n_w`."""
    figure = go.Figure()
    if against == "n_w":
        figure.add_scatter(
            x=[0, 100], y=[0, 100], mode="lines", hoverinfo="skip",
            line={"color": BOUND_COLOUR, "dash": "dash", "width": 2}, name="reads what came out",
        )  # fmt: skip
    for number, (name, mine) in enumerate(_by_mechanism(rows).items()):
        x = [row.epsilon if against == "epsilon" else 100 * row.n_w for row in mine]
        _curve(figure, name, number, x, mine)
    figure.update_yaxes(title="words that the adversary names, %", range=[0, 103])
    if against == "epsilon":
        figure.update_xaxes(title="ε", type="log", dtick="D2")
    else:
        figure.update_xaxes(title="words that come out as typed, %", range=[-2, 103])
    return framed(figure, height=480)


def averaged(rows: Sequence[Row]) -> go.Figure:
    """Words named in % after several releases, a curve a mechanism."""
    figure = go.Figure()
    for number, (name, mine) in enumerate(_by_mechanism(rows).items()):
        _curve(figure, f"{name}, ε = {mine[0].epsilon:g}", number, [r.releases for r in mine], mine)
    counts = sorted({row.releases for row in rows})
    figure.update_xaxes(
        title="releases; the ε spent is so many times that of one",
        type="log", tickvals=counts, ticktext=[f"{count}" for count in counts],
    )  # fmt: skip
    figure.update_yaxes(title="words that the adversary names, %", range=[0, 103])
    return framed(figure, height=380)


def masked(masked_rows: Sequence[Row], guessed: Sequence[Row]) -> go.Figure:
    """Words that their neighbours give away in %, against the words that come out as typed."""
    n_w = {(row.mechanism, row.epsilon): 100 * row.n_w for row in guessed}
    own = next(row for row in masked_rows if not row.mechanism)
    released = [row for row in masked_rows if (row.mechanism, row.epsilon) in n_w]
    figure = go.Figure()
    figure.add_hline(
        y=100 * own.success, line={"color": BOUND_COLOUR, "dash": "dash", "width": 2},
        annotation_text="neighbours as typed", annotation_position="top left",
    )  # fmt: skip
    for number, (name, mine) in enumerate(_by_mechanism(released).items()):
        x = [n_w[row.mechanism, row.epsilon] for row in mine]
        _curve(figure, name, number, x, mine, dash="solid")
    figure.update_xaxes(title="words that come out as typed, %", range=[-2, 103])
    figure.update_yaxes(title="words that neighbours give away, %", range=[0, 130 * own.success_to])
    return framed(figure, height=420)


def _by_mechanism(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Rows by mechanism, in display order."""
    return {
        name: mine for name in COLOURS if (mine := [row for row in rows if row.mechanism == name])
    }


def _curve(
    figure: go.Figure,
    name: str,
    number: int,
    x: Sequence[float],
    rows: Sequence[Row],
    dash: str | None = None,
) -> None:
    """Success with its intervals; dotted where it is a lower bound."""
    y = 100 * np.array([row.success for row in rows])
    high = 100 * np.array([row.success_to for row in rows]) - y
    low = y - 100 * np.array([row.success_from for row in rows])
    dash = dash or ("dot" if rows[0].lower_bound else "solid")
    figure.add_scatter(
        x=x,
        y=y,
        error_y={"array": high, "arrayminus": low, "thickness": 1, "width": 0},
        mode="lines+markers",
        line={"color": COLOURS[rows[0].mechanism], "width": 3, "dash": dash},
        marker={"symbol": _SYMBOLS[number % len(_SYMBOLS)], "size": 8},
        customdata=[row.epsilon for row in rows],
        hovertemplate="%{y:.1f} % named at ε = %{customdata:.4g}",
        name=name,
    )
