"""The figures of the page that sets mechanisms side by side."""

from __future__ import annotations

import html

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from pages.shared.charts import (
    BOUND_COLOUR,
    COLOURS,
    DASHES,
    SYMBOLS,
    counted,
    framed,
    in_lines,
    scatter,
    transparent,
    vertical,
)


def tradeoff(
    curves: dict[str, tuple[str, ArrayLike, ArrayLike, ArrayLike, ArrayLike]],
    points: dict[str, tuple[str, float, float]],
) -> go.Figure:
    """Usefulness against privacy, a curve a column over all ε, and where each column stands.

    `curves` holds for each label the mechanism, and ε, privacy, usefulness and half of the interval
    of usefulness (E,); `points` its mechanism, privacy and usefulness. Curves of one mechanism have
    its colour, and dashes of their own; a point begins its label with its column's number.
    """
    traces = []
    for (label, (name, *columns)), dash in zip(curves.items(), DASHES, strict=False):
        epsilons, x, y, error = (np.asarray(column, float) for column in columns)
        if error.any():
            traces.append(
                scatter(
                    x=np.concatenate([x, x[::-1]]),
                    y=np.concatenate([y + error, (y - error)[::-1]]),
                    fill="toself",
                    mode="lines",
                    line={"width": 0},
                    fillcolor=transparent(COLOURS[name], 0.25),
                    showlegend=False,
                    hoverinfo="skip",
                )
            )
        traces.append(
            scatter(
                x=x,
                y=y,
                mode="lines",
                line={"color": COLOURS[name], "width": 4, "dash": dash},
                customdata=epsilons,
                hovertemplate=f"{html.escape(label)}<br>ε = %{{customdata:.3g}}<br>"
                "%{x:.1%} replaced<br>closeness %{y:.3f}<extra></extra>",
                name=html.escape(label),
            )
        )
    for (label, (name, at, useful)), symbol in zip(points.items(), SYMBOLS, strict=False):
        traces.append(
            scatter(
                x=[at],
                y=[useful],
                mode="markers+text",
                marker={
                    "color": COLOURS[name],
                    "size": 15,
                    "symbol": symbol,
                    "line": {"color": BOUND_COLOUR, "width": 2},
                },
                text=[label.split(" ")[0]],
                textposition="top right",
                showlegend=False,
                hovertemplate=f"{html.escape(label)}, this column<br>%{{x:.1%}} replaced<br>"
                "closeness %{y:.3f}<extra></extra>",
            )
        )
    privacy = in_lines("words replaced, 1 − mean N_w (more often →)", 30)
    return framed(
        traces,
        height=460,
        xaxis={"title": privacy, "range": [-0.02, 1.02], "tickformat": ".0%"},
        yaxis={"title": "closeness to the typed words (more useful →)"},
    )


def small_histogram(
    values: ArrayLike, name: str, title: str, limits: tuple[float, float]
) -> go.Figure:
    """A histogram of values (n,) between limits that several columns share, binned here."""
    values = np.asarray(values, float)
    edges = np.linspace(limits[0], max(limits[1], limits[0] + 1e-9), 16)
    return framed(
        [counted(values, edges, name)],
        height=220,
        xaxis={"title": title, "range": list(limits)},
        yaxis={"title": "words"},
        shapes=[vertical(float(values.mean()), color=BOUND_COLOUR, dash="dash", width=2)],
        showlegend=False,
        bargap=0,
    )
