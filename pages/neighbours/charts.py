"""The figures of the Neighbours page."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from pages.shared.charts import BOUND_COLOUR, COLOURS, NEUTRAL, framed, note, scatter, vertical


def reach(
    name: str,
    radius: ArrayLike,
    words: ArrayLike,
    density: ArrayLike,
    middle: tuple[float, float, float],
    moved: str,
    gamma: float | None,
) -> go.Figure:
    """Words within ρ of one word, above the distribution of how far it is moved, on one axis.

    `middle` is the 5th, 50th and 95th percentile of that distance: a band through both halves.
    """
    radius, density = np.asarray(radius, float), np.asarray(density, float)
    traces = [
        scatter(
            x=radius,
            y=words,
            mode="lines",
            line={"color": NEUTRAL[0], "width": 4, "shape": "hv"},
            name="words within ρ",
            hovertemplate="%{y:,} words within %{x:.3g}<extra></extra>",
        ),
        scatter(
            x=np.sqrt(radius[1:] * radius[:-1]),
            y=density,
            mode="lines",
            line={"color": COLOURS[name], "width": 3},
            fill="tozeroy",
            name=moved,
            hovertemplate=f"{moved} near %{{x:.3g}}<extra></extra>",
            xaxis="x2",
            yaxis="y2",
        ),
    ]
    shapes = []
    halves = ("", "2")
    low, _, high = middle
    ends = np.log10(radius[[0, -1]])
    if low > 0 and high > radius[0] and low < radius[-1]:
        filled = {"fillcolor": COLOURS[name], "opacity": 0.15, "line": {"width": 0}}
        shapes += [{**vertical(low, half), "type": "rect", "x1": high, **filled} for half in halves]
    if gamma is not None and gamma > 0:
        line = {"color": COLOURS["TEM"], "dash": "dash", "width": 3}
        shapes += [vertical(gamma, half, **line) for half in halves]
        traces.append(scatter(x=[None], y=[None], mode="lines", line=line, name="TEM's γ"))
        inside = np.clip(np.log10(gamma), ends[0] - 1, ends[1] + 1)
        ends = np.array([min(ends[0], inside - 0.05), max(ends[1], inside + 0.05)])
    along = {"type": "log", "range": list(ends)}
    powers = {"type": "log", "dtick": 1, "exponentformat": "power"}
    return framed(
        traces,
        height=460,
        shapes=shapes,
        xaxis={**along, "anchor": "y", "matches": "x2", "showticklabels": False},
        xaxis2={**along, "anchor": "y2", "title": "distance ρ"},
        yaxis={**powers, "anchor": "x", "domain": [0.4172, 1], "title": "words within ρ"},
        yaxis2={
            "anchor": "x2",
            "domain": [0, 0.3572],
            "title": "how often",
            "showticklabels": False,
        },
    )


def neighbourhood(
    name: str,
    places: ArrayLike,
    distances: ArrayLike,
    probability: ArrayLike,
    words: list[str],
    labels: list[str],
    texts: int = 40,
) -> go.Figure:
    """A map of words: area by the probability to come out; hollow where that is 0 or unseen.

    `words` go with a click, `labels` are shown: the likeliest and nearest `texts` of them.
    """
    places, probability = np.asarray(places, float), np.asarray(probability, float)
    order = np.lexsort((np.asarray(distances), -probability, np.arange(len(places)) > 0))
    shown = _readable(places, [len(label) for label in labels], order[:texts])
    size = 9 + 34 * np.sqrt(probability / max(probability.max(), 1e-300))
    seen = probability > 0
    traces = []
    for there, symbol, legend in ((seen, "circle", "can come out"), (~seen, "circle-open", "not")):
        if not there.any():
            continue
        rows = np.flatnonzero(there)
        traces.append(
            scatter(
                x=places[rows, 0],
                y=places[rows, 1],
                mode="markers+text",
                marker={
                    "size": size[rows],
                    "color": COLOURS[name],
                    "opacity": 0.65,
                    "symbol": symbol,
                    "line": {"width": np.where(rows == 0, 3, 1), "color": BOUND_COLOUR},
                },
                text=[labels[i] if shown[i] else "" for i in rows],
                textposition="top center",
                customdata=[[words[i], labels[i], distances[i], probability[i]] for i in rows],
                hovertemplate="<b>%{customdata[1]}</b><br>distance %{customdata[2]:.3f}<br>"
                "comes out with probability %{customdata[3]:.3g}<extra></extra>",
                name=legend,
            )
        )
    return framed(
        traces,
        height=560,
        xaxis={"title": "first direction", "zeroline": False},
        yaxis={"title": "second direction", "zeroline": False},
        showlegend=False,
    )


def _readable(places: np.ndarray, lengths: list[int], order: np.ndarray) -> np.ndarray:
    """Which labels to show (k,), in this order, none over another: on a screen as wide as a desk's.

    Labels of 8 pixels a character and 18 high, on a map of 620 by 430.
    """
    span = np.maximum(np.ptp(places, axis=0), 1e-12)
    pixels = (places - places.min(axis=0)) / span * [620, 430]
    shown: list[int] = []
    for i in order:
        width = [4 * (lengths[i] + lengths[j]) for j in shown]
        apart = np.abs(pixels[shown] - pixels[i]) if shown else np.empty((0, 2))
        if ((apart[:, 0] > width) | (apart[:, 1] > 18)).all():
            shown.append(int(i))
    mask = np.zeros(len(places), dtype=bool)
    mask[shown] = True
    return mask


def percentiles(series: dict[str, ArrayLike], levels: tuple[int, ...]) -> go.Figure:
    """Percentiles (5, K) of the distance to the k-th neighbour, one or two embeddings."""
    traces, notes = [], []
    dashes = ("dot", "dash", "solid", "dash", "dot")
    for (name, rows), colour in zip(series.items(), NEUTRAL, strict=False):
        rows = np.asarray(rows, float)
        k = np.arange(1, rows.shape[1] + 1)
        # A thousand points are more than a logarithmic axis can show.
        kept = np.unique(np.rint(np.geomspace(1, len(k), 120)).astype(int)) - 1
        for row, level, dash in zip(rows, levels, dashes, strict=True):
            traces.append(
                scatter(
                    x=k[kept],
                    y=row[kept],
                    mode="lines",
                    line={"color": colour, "dash": dash, "width": 4 if level == 50 else 2.5},
                    name=name,
                    legendgroup=name,
                    showlegend=level == 50,
                    hovertemplate=f"{name}: for {level} % of words, neighbour number %{{x}}"
                    "<br>is at most %{y:.3f} away<extra></extra>",
                )
            )
            # The second one's labels stand at the other end, and inside.
            first = colour == NEUTRAL[0]
            if len(series) == 1 or level in (5, 50, 95):
                place = (np.log10(k[-1]), row[-1]) if first else (0, row[0])
                look = {"xanchor": "left", "yanchor": "middle" if first else "bottom"}
                notes.append(
                    note(*place, f" {level} %", **look, font={"color": colour, "size": 13})
                )
    return framed(
        traces,
        height=440,
        xaxis={"title": "k, number of the neighbour", "type": "log", "dtick": 1},
        yaxis={"title": "distance to the k-th neighbour", "rangemode": "tozero"},
        annotations=notes,
        margin={"r": 50},
    )


def unchanged_by_density(
    distance: ArrayLike, unchanged: dict[str, ArrayLike], labels: list[str]
) -> go.Figure:
    """N_w against the distance to the 10th neighbour, a point a word, a colour a mechanism."""
    traces = [
        scatter(
            x=distance,
            y=values,
            mode="markers",
            marker={"color": COLOURS[name], "size": 9, "symbol": symbol, "opacity": 0.75},
            text=labels,
            hovertemplate=f"%{{text}}<br>10th neighbour at %{{x:.2f}}<br>{name}: stays "
            "with probability %{y:.1%}<extra></extra>",
            name=name,
        )
        for (name, values), symbol in zip(unchanged.items(), ("circle", "diamond"), strict=False)
    ]
    return framed(
        traces,
        height=440,
        xaxis={"title": "distance to the 10th neighbour"},
        yaxis={"title": "probability of staying, N_w", "range": [-0.02, 1.02], "tickformat": ".0%"},
    )
