"""The figures of the lessons, from arrays; never streamlit."""

from __future__ import annotations

import html

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from pages.shared.charts import BOUND_COLOUR, COLOURS, framed


def two_groups(
    labels: tuple[str, str], counts: tuple[float, float], of: int, what: str
) -> go.Figure:
    """How many of `of` in each of two groups, as bars with their counts."""
    figure = go.Figure()
    figure.add_bar(
        y=[html.escape(each) for each in labels][::-1],
        x=list(counts)[::-1],
        orientation="h",
        marker={"color": ["#a98467", "#6b8cae"]},
        text=[f"{count:,.0f}" if count >= 1 or count == 0 else "< 1" for count in counts][::-1],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{y}: %{x:,.4g}<extra></extra>",
    )
    figure.update_xaxes(title=what, range=[0, 1.12 * of])
    figure.update_layout(showlegend=False)
    return framed(figure, height=170)


def odds_by_distance(
    distances: ArrayLike, log_ratios: ArrayLike, words: list[str], epsilon: float, name: str
) -> go.Figure:
    """Promised and real odds factors of other words (n,) by distance, on a logarithmic axis."""
    distances = np.asarray(distances, float)
    line = np.array([0.0, float(distances.max()) * 1.08])
    figure = go.Figure()
    figure.add_scatter(
        x=line,
        y=np.exp(epsilon * line),
        mode="lines",
        name="promised: e^(ε d)",
        line={"color": BOUND_COLOUR, "width": 3, "dash": "dash"},
        hovertemplate="at distance %{x:.2f}: at most %{y:.3g} times<extra></extra>",
    )
    figure.add_scatter(
        x=distances,
        y=np.exp(np.asarray(log_ratios, float)),
        mode="markers+text",
        name=f"what {name} really tells",
        text=[html.escape(word) for word in words],
        textposition=["top center" if i % 2 else "bottom center" for i in range(len(words))],
        marker={"color": COLOURS[name], "size": 11},
        hovertemplate="%{text}: %{y:.3g} times, at distance %{x:.2f}<extra></extra>",
    )
    top = max(epsilon * line[1] / np.log(10), 1.0)
    steps = (1, 2, 5) if top < 2.5 else (1,)
    figure.update_xaxes(title="distance d to the word typed", range=[0, line[1]])
    figure.update_yaxes(
        title="odds moved, times",
        type="log",
        range=[-0.15 * top, top],
        tickvals=[step * 10**power for power in range(int(top) + 1) for step in steps],
        tickformat=",",
    )
    return framed(figure, height=320)


def stays(words: tuple[str, str], unchanged: dict[str, ArrayLike], margin: ArrayLike) -> go.Figure:
    """N_w of two words under each mechanism; the margin (2,) belongs to CMP's, which is sampled."""
    figure = go.Figure()
    for name, values in unchanged.items():
        percent = 100 * np.asarray(values, float)
        figure.add_bar(
            x=[html.escape(word) for word in words],
            y=percent,
            name=name,
            marker={"color": COLOURS[name], "pattern": {"shape": "/" if name == "TEM" else ""}},
            text=[f"{value:.0f} %" for value in percent],
            textposition="outside",
            error_y=(
                {"type": "data", "array": 100 * np.asarray(margin, float)}
                if name == "CMP"
                else None
            ),
            hovertemplate=name + ", %{x}: %{y:.1f} %<extra></extra>",
        )
    figure.update_yaxes(title="stays, % (N_w)", range=[0, 115])
    figure.update_layout(barmode="group")
    return framed(figure, height=260)


def worst_word(values: ArrayLike, limit: float, worst: str) -> go.Figure:
    """A histogram of N_w (n,), those above the limit set off, with the mean and the worst word."""
    values = 100 * np.asarray(values, float)
    edges = np.linspace(0, 100, 21)
    figure = go.Figure()
    for above, colour, shape in ((False, COLOURS["CMP"], ""), (True, COLOURS["Mahalanobis"], "x")):
        counts, _ = np.histogram(values[(values > 100 * limit) == above], edges)
        figure.add_bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts,
            width=4.7,
            name="above your limit" if above else "within your limit",
            marker={"color": colour, "pattern": {"shape": shape}},
            hovertemplate="about %{x:.0f} %: %{y} words<extra></extra>",
        )
    figure.add_vline(x=100 * limit, line={"color": COLOURS["Mahalanobis"], "width": 3})
    figure.add_vline(x=values.mean(), line={"color": BOUND_COLOUR, "dash": "dash", "width": 2})
    figure.add_annotation(
        x=values.mean(), y=1, yref="paper", yanchor="bottom", text="mean", showarrow=False
    )
    figure.add_annotation(
        x=values.max(), y=0, text=f"worst: {html.escape(worst)}", arrowhead=2, ax=0, ay=-60
    )
    figure.update_xaxes(title="stays, % (N_w)", range=[0, 100])
    figure.update_yaxes(title="words")
    figure.update_layout(barmode="stack", bargap=0)
    return framed(figure, height=230)
