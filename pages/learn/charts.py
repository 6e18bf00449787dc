"""The figures of the lessons."""

from __future__ import annotations

import html

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from pages.shared.charts import (
    BOUND_COLOUR,
    COLOURS,
    NEUTRAL,
    above,
    bar,
    framed,
    scatter,
    vertical,
)


def two_groups(
    labels: tuple[str, str], counts: tuple[float, float], of: int, what: str
) -> go.Figure:
    """How many of `of` in each of two groups, as bars with their counts."""
    bars = bar(
        y=[html.escape(each) for each in labels][::-1],
        x=list(counts)[::-1],
        orientation="h",
        marker={"color": list(NEUTRAL)[::-1]},
        text=[f"{count:,.0f}" if count >= 1 or count == 0 else "< 1" for count in counts][::-1],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{y}: %{x:,.4g}<extra></extra>",
    )
    axis = {"title": what, "range": [0, 1.12 * of]}
    return framed([bars], height=170, xaxis=axis, showlegend=False)


def odds_by_distance(
    distances: ArrayLike, log_ratios: ArrayLike, words: list[str], epsilon: float, name: str
) -> go.Figure:
    """Promised and real odds factors of other words (n,) by distance, on a logarithmic axis."""
    distances = np.asarray(distances, float)
    line = np.array([0.0, float(distances.max()) * 1.08])
    promised = scatter(
        x=line,
        y=np.exp(epsilon * line),
        mode="lines",
        name="promised: e^(ε d)",
        line={"color": BOUND_COLOUR, "width": 3, "dash": "dash"},
        hovertemplate="at distance %{x:.2f}: at most %{y:.3g} times<extra></extra>",
    )
    told = scatter(
        x=distances,
        y=np.exp(np.asarray(log_ratios, float)),
        mode="markers+text",
        name=f"really: {name}",
        text=[html.escape(word) for word in words],
        textposition=["top center" if i % 2 else "bottom center" for i in range(len(words))],
        marker={"color": COLOURS[name], "size": 11},
        hovertemplate="%{text}: %{y:.3g} times, at distance %{x:.2f}<extra></extra>",
    )
    top = max(epsilon * line[1] / np.log(10), 1.0)
    steps = (1, 2, 5) if top < 2.5 else (1,)
    return framed(
        [promised, told],
        height=320,
        xaxis={"title": "distance d to the word typed", "range": [0, line[1]]},
        yaxis={
            "title": "odds moved, times",
            "type": "log",
            "range": [-0.15 * top, top],
            "tickvals": [step * 10**power for power in range(int(top) + 1) for step in steps],
            "tickformat": ",",
        },
    )


def stays(words: tuple[str, str], unchanged: dict[str, ArrayLike], margin: ArrayLike) -> go.Figure:
    """N_w of two words under each mechanism; the margin (2,) belongs to CMP's, which is sampled."""
    percent = {name: 100 * np.asarray(values, float) for name, values in unchanged.items()}
    sampled = {"error_y": {"type": "data", "array": 100 * np.asarray(margin, float)}}
    bars = [
        bar(
            x=[html.escape(word) for word in words],
            y=values,
            name=name,
            marker={"color": COLOURS[name], "pattern": {"shape": "/" if name == "TEM" else ""}},
            text=[f"{value:.0f} %" for value in values],
            textposition="outside",
            hovertemplate=name + ", %{x}: %{y:.1f} %<extra></extra>",
            **(sampled if name == "CMP" else {}),
        )
        for name, values in percent.items()
    ]
    axis = {"title": "stays, % (N_w)", "range": [0, 115]}
    return framed(bars, height=260, yaxis=axis, barmode="group")


def worst_word(values: ArrayLike, limit: float, worst: str) -> go.Figure:
    """A histogram of N_w (n,), those above the limit set off, with the mean and the worst word."""
    values = 100 * np.asarray(values, float)
    edges = np.linspace(0, 100, 21)
    bars = []
    for beyond, colour, shape in ((False, COLOURS["CMP"], ""), (True, COLOURS["Mahalanobis"], "x")):
        counts, _ = np.histogram(values[(values > 100 * limit) == beyond], edges)
        bars.append(
            bar(
                x=(edges[:-1] + edges[1:]) / 2,
                y=counts,
                width=4.7,
                name="above your limit" if beyond else "within your limit",
                marker={"color": colour, "pattern": {"shape": shape}},
                hovertemplate="about %{x:.0f} %: %{y} words<extra></extra>",
            )
        )
    mean, most = float(values.mean()), float(values.max())
    named = {"x": most, "y": 0, "text": f"worst: {html.escape(worst)}", "arrowhead": 2}
    return framed(
        bars,
        height=230,
        xaxis={"title": "stays, % (N_w)", "range": [0, 100]},
        yaxis={"title": "words"},
        shapes=[
            vertical(100 * limit, color=COLOURS["Mahalanobis"], width=3),
            vertical(mean, color=BOUND_COLOUR, dash="dash", width=2),
        ],
        annotations=[above(mean, "mean"), {**named, "ax": 0, "ay": -60}],
        barmode="stack",
        bargap=0,
    )


def _away_from_neighbours(places: np.ndarray) -> list[str]:
    """The side of each point (n, 2) for its label: away from the nearest other point."""
    far = np.linalg.norm(places[:, None] - places[None], axis=2)
    np.fill_diagonal(far, np.inf)
    away = places - places[far.argmin(axis=1)]
    sideways = np.abs(away[:, 0]) > 2 * np.abs(away[:, 1])
    return [
        ("middle right" if x > 0 else "middle left")
        if beside
        else ("top center" if y > 0 else "bottom center")
        for beside, (x, y) in zip(sideways, away, strict=True)
    ]


def word_map(
    places: ArrayLike,
    words: list[str],
    typed: int,
    darts: ArrayLike = (),
    released: int | None = None,
    law: ArrayLike | None = None,
) -> go.Figure:
    """Words (n, 2) as points, the typed one dark; darts (m, 2), or a law (n,) as sizes of dots.

    The last dart has a line to the released word. The axes have one scale, so that near is near.
    """
    places = np.asarray(places, float)
    darts = np.asarray(darts, float).reshape(-1, 2)
    size = np.full(len(places), 9.0)
    if law is not None:
        size = 6 + 44 * np.sqrt(np.asarray(law, float))
    dark = np.arange(len(places)) == typed
    traces = [
        scatter(
            x=places[:, 0],
            y=places[:, 1],
            mode="markers+text",
            name="words",
            text=[
                f"<b>{html.escape(word)}</b>" if place == typed else html.escape(word)
                for place, word in enumerate(words)
            ],
            textposition=_away_from_neighbours(places),
            textfont={"size": 13},
            marker={
                "size": size,
                "color": np.where(dark, COLOURS["Mahalanobis"], BOUND_COLOUR),
                "opacity": 0.85,
            },
            hovertemplate="%{text}<extra></extra>",
        )
    ]
    if len(darts):
        traces.append(
            scatter(
                x=darts[:, 0],
                y=darts[:, 1],
                mode="markers",
                name="darts",
                marker={
                    "symbol": "x",
                    "size": np.where(np.arange(len(darts)) == len(darts) - 1, 13, 5),
                    "color": COLOURS["CMP"],
                },
                hovertemplate="a dart<extra></extra>",
            )
        )
    if released is not None and len(darts):
        line = np.vstack([darts[-1], places[released]])
        traces.append(
            scatter(
                x=line[:, 0],
                y=line[:, 1],
                mode="lines",
                name="the nearest word",
                line={"color": COLOURS["CMP"], "width": 2, "dash": "dot"},
                hoverinfo="skip",
            )
        )
    elif released is not None:
        traces.append(
            scatter(
                x=[places[released, 0]],
                y=[places[released, 1]],
                mode="markers",
                name="drawn last",
                marker={
                    "symbol": "circle-open",
                    "size": 28,
                    "color": COLOURS["TEM"],
                    "line": {"width": 3},
                },
                hoverinfo="skip",
            )
        )
    low, high = places.min(axis=0) - 0.8, places.max(axis=0) + 0.8
    blank = {"showticklabels": False, "zeroline": False, "title": "", "fixedrange": True}
    return framed(
        traces,
        height=430,
        xaxis={**blank, "range": [low[0], high[0]]},
        yaxis={**blank, "range": [low[1], high[1]], "scaleanchor": "x"},
        showlegend=False,
        dragmode=False,
        margin={"t": 10, "l": 30, "r": 40},  # room for labels on a telephone
    )
