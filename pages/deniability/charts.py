"""The figures of the Deniability page."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from measures.words.deniability import Bands
from pages.shared.charts import (
    BOUND_COLOUR,
    COLOURS,
    Part,
    above,
    counted,
    epsilon_axis,
    framed,
    in_lines,
    scatter,
    transparent,
    vertical,
)

# Characters in a line of a title: on a tablet, two figures share the width beside the controls.
_LINE = 24


def histogram(
    values: ArrayLike,
    name: str,
    title: str,
    worst: tuple[float, str],
    low: float,
    high: float,
    limits: tuple[float, float] | None = None,
) -> tuple[go.Figure, np.ndarray]:
    """A histogram of values (n,), binned here, and the edges of its bars (25,).

    The worst value is marked by name, the 5th and 95th percentile by dashed lines.
    """
    values = np.asarray(values, float)
    start, end = limits or (float(values.min()), float(values.max()))
    edges = np.linspace(start, end if end > start else start + 1, 25)
    in_left_half = worst[0] < (edges[0] + edges[-1]) / 2
    named = {
        "x": worst[0],
        "y": 0,
        "text": f"worst: {worst[1]}",
        "arrowhead": 2,
        "arrowcolor": BOUND_COLOUR,
        "ax": 0,
        "ay": -60,
        "xanchor": "left" if in_left_half else "right",
        "bgcolor": "rgba(255,255,255,.85)",
        "font": {"color": "#111111"},
    }
    percentiles = ((low, "5 %"), (high, "95 %"))
    figure = framed(
        [counted(values, edges, name)],
        height=340,
        margin={"r": 24},  # half of a percentile's name, where it is at the right end
        xaxis={"title": in_lines(title, _LINE), "range": [edges[0], edges[-1]]},
        yaxis={"title": "words"},
        shapes=[vertical(x, color=BOUND_COLOUR, dash="dash", width=2) for x, _ in percentiles],
        annotations=[*(above(x, label) for x, label in percentiles), named],
        showlegend=False,
        bargap=0,
    )
    return figure, edges


def over_epsilon(
    epsilons: ArrayLike, bands: Bands, name: str, title: str, epsilon: float
) -> go.Figure:
    """A statistic over all ε: its median, the spread over words, the worst word, the ε at hand."""
    x = np.asarray(epsilons, float)
    line = {"color": COLOURS[name], "width": 3}
    spread = scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([bands.high, bands.low[::-1]]),
        fill="toself",
        mode="lines",
        line={"width": 0},
        fillcolor=transparent(COLOURS[name], 0.25),
        name="5th to 95th percentile",
        hoverinfo="skip",
    )
    middle = scatter(x=x, y=bands.middle, mode="lines", line=line, name="median")
    dotted = {**line, "width": 2, "dash": "dot"}
    worst = scatter(x=x, y=bands.worst, mode="lines", line=dotted, name="worst word")
    return _over_epsilon([spread, middle, worst], x, title, epsilon)


def one_over_epsilon(
    epsilons: ArrayLike, values: ArrayLike, name: str, title: str, epsilon: float
) -> go.Figure:
    """One curve over ε."""
    x = np.asarray(epsilons, float)
    line = {"color": COLOURS[name], "width": 3}
    curve = scatter(x=x, y=values, mode="lines", line=line, name=title)
    return _over_epsilon([curve], x, title, epsilon, showlegend=False)


def _over_epsilon(
    traces: list[Part], epsilons: np.ndarray, title: str, epsilon: float, **layout: bool
) -> go.Figure:
    """Curves over ε, and a line at the ε at hand."""
    return framed(
        traces,
        height=340,
        xaxis=epsilon_axis(float(epsilons.min()), float(epsilons.max())),
        yaxis={"title": in_lines(title, _LINE), "rangemode": "tozero"},
        shapes=[vertical(epsilon, color=BOUND_COLOUR, width=2)],
        **layout,
    )
