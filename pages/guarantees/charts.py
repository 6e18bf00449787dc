"""The figures of the Guarantees page."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from pages.shared.charts import BOUND_COLOUR, COLOURS, bar, framed, scatter


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

    Infinite ratios are drawn as triangles along the upper edge. Pairs without a finite distance,
    as the unknown word has them in some promises, have no point.
    """
    distance, log_ratio = np.asarray(distance, float), np.asarray(log_ratio, float)
    placed = np.isfinite(distance)
    distance, log_ratio = distance[placed], log_ratio[placed]
    labels = [label for label, kept in zip(labels, placed, strict=True) if kept]
    bound = None if bound is None else np.asarray(bound, float)[placed]
    infinite = np.isposinf(log_ratio)
    finite = np.isfinite(log_ratio)
    top = max(log_ratio[finite].max(initial=1.0), 0.0 if bound is None else bound.max(initial=0.0))
    traces = [
        scatter(
            x=distance[finite],
            y=log_ratio[finite],
            mode="markers",
            marker={"color": COLOURS[name], "size": 6, "opacity": 0.6},
            text=[label for label, kept in zip(labels, finite, strict=True) if kept],
            hovertemplate="%{text}<br>%{x:.2f} apart<br>log-ratio %{y:.2f}<extra></extra>",
            name="largest log-ratio" if exact else "log-ratio, at least",
        )
    ]
    if infinite.any():
        traces.append(
            scatter(
                x=distance[infinite],
                y=np.full(infinite.sum(), 1.08 * top),
                mode="markers",
                marker={"color": COLOURS[name], "size": 9, "symbol": "triangle-up"},
                text=[label for label, kept in zip(labels, infinite, strict=True) if kept],
                hovertemplate="%{text}<br>%{x:.2f} apart<br>log-ratio ∞<extra></extra>",
                name="infinite: only one word has this output"
                if exact
                else "infinite, as estimated",
            )
        )
    if bound is not None:
        order = np.argsort(distance)
        traces.append(
            scatter(
                x=distance[order],
                y=bound[order],
                mode="lines",
                line={"color": BOUND_COLOUR, "width": 3, "dash": "dash"},
                name="promised bound",
                hoverinfo="skip",
            )
        )
    return framed(
        traces,
        xaxis={"title": distance_name, "rangemode": "tozero"},
        yaxis={"title": "log-ratio of the outputs' probabilities"},
    )


def deltas(name: str, claimed: float, needed: float) -> go.Figure:
    """A claimed δ beside the one that is needed, on a logarithmic axis."""
    floor = np.floor(np.log10(max(min(claimed, needed), 1e-30))) - 1
    bars = bar(
        x=[claimed, needed],
        y=["claimed", "needed, at least"],
        orientation="h",
        marker={"color": [BOUND_COLOUR, COLOURS[name]]},
        text=[f"{claimed:.3g}", f"{needed:.3g}"],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="δ = %{x:.3g}<extra></extra>",
    )
    axis = {
        "title": "δ, probability left out of the promise",
        "type": "log",
        "range": [floor, 0.6],
        "exponentformat": "power",
    }
    return framed([bars], height=240, xaxis=axis, showlegend=False)
