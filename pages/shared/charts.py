"""Arrays to plotly figures, in one palette: a mechanism has the same colour on every page.

The colours keep their differences for colour-blind eyes (Paul Tol's muted scheme); symbols and
dashes tell the rest. Backgrounds are left to the theme.
"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from mechanisms import MECHANISMS

_PALETTE = (
    "#4477AA",
    "#CC6677",
    "#DDAA33",
    "#117733",
    "#88CCEE",
    "#882255",
    "#EE7733",
    "#44AA99",
    "#999933",
    "#AA4499",
)
COLOURS = {cls.name: colour for cls, colour in zip(MECHANISMS, _PALETTE, strict=True)}

_BOUND_COLOUR = "#888888"


def log_ratios(
    name: str,
    distance: ArrayLike,
    log_ratio: ArrayLike,
    bound: ArrayLike | None,
    labels: list[str],
    distance_name: str,
    exact: bool,
) -> go.Figure:
    """Log-ratio against distance, a point a pair of words, with the line that it must stay under.

    Infinite ratios are drawn as triangles along the upper edge.
    """
    distance, log_ratio = np.asarray(distance, float), np.asarray(log_ratio, float)
    infinite = np.isposinf(log_ratio)
    finite = np.isfinite(log_ratio)
    top = max(log_ratio[finite].max(initial=1.0), 0.0 if bound is None else np.asarray(bound).max())
    figure = go.Figure()
    figure.add_scatter(
        x=distance[finite],
        y=log_ratio[finite],
        mode="markers",
        marker={"color": COLOURS[name], "size": 6, "opacity": 0.6},
        text=[label for label, kept in zip(labels, finite, strict=True) if kept],
        hovertemplate="%{text}<br>%{x:.2f} apart<br>log-ratio %{y:.2f}<extra></extra>",
        name="largest log-ratio" if exact else "log-ratio, at least",
    )
    if infinite.any():
        figure.add_scatter(
            x=distance[infinite],
            y=np.full(infinite.sum(), 1.08 * top),
            mode="markers",
            marker={"color": COLOURS[name], "size": 9, "symbol": "triangle-up"},
            text=[label for label, kept in zip(labels, infinite, strict=True) if kept],
            hovertemplate="%{text}<br>%{x:.2f} apart<br>log-ratio ∞<extra></extra>",
            name="infinite: told apart for certain",
        )
    if bound is not None:
        order = np.argsort(distance)
        figure.add_scatter(
            x=distance[order],
            y=np.asarray(bound, float)[order],
            mode="lines",
            line={"color": _BOUND_COLOUR, "width": 3, "dash": "dash"},
            name="promised bound",
            hoverinfo="skip",
        )
    figure.update_xaxes(title=distance_name, rangemode="tozero")
    figure.update_yaxes(title="log-ratio of two words' chances")
    return _framed(figure)


def deltas(name: str, claimed: float, needed: float) -> go.Figure:
    """A claimed δ beside the one that is needed, on a logarithmic axis."""
    figure = go.Figure()
    figure.add_bar(
        x=[claimed, needed],
        y=["claimed", "needed, at least"],
        orientation="h",
        marker={"color": [_BOUND_COLOUR, COLOURS[name]]},
        text=[f"{claimed:.3g}", f"{needed:.3g}"],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="δ = %{x:.3g}<extra></extra>",
    )
    floor = np.floor(np.log10(max(min(claimed, needed), 1e-30))) - 1
    figure.update_xaxes(
        title="δ, chance that the promise fails",
        type="log",
        range=[floor, 0.6],
        exponentformat="power",
    )
    figure.update_layout(showlegend=False)
    return _framed(figure, height=240)


def _framed(figure: go.Figure, height: int = 420) -> go.Figure:
    figure.update_layout(
        height=height,
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        font={"size": 15},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
    )
    figure.update_xaxes(showgrid=True, gridcolor="rgba(128,128,128,.25)")
    figure.update_yaxes(showgrid=True, gridcolor="rgba(128,128,128,.25)")
    return figure
