"""The figures of the trade-off page: the plane, scores over α, two orders, coefficients."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from mechanisms.estimate import Estimate
from pages.shared.charts import (
    BOUND_COLOUR,
    COLOURS,
    DASHES,
    NEUTRAL,
    SYMBOLS,
    Part,
    error_bars,
    framed,
    horizontal,
    note,
    scatter,
    transparent,
    vertical,
)

Curve = tuple[str, ArrayLike, Estimate, Estimate, str | None]
"""The mechanism; of its points ε (n,), privacy and utility (n,); and the notion that it keeps:
empty if none, None if that is not known."""

# A promise that is kept, one that is not, and one that rows do not tell.
KEPT, BROKEN = "✓", "✗"


# The legend under the figure, where many entries take none of its height away.
_BELOW: Part = {"y": -0.2, "yanchor": "top", "font": {"size": 13}}


def _colour(name: str) -> str:
    return COLOURS.get(name, NEUTRAL[1])


_ALL_DASHES = (*DASHES, "longdash", "longdashdot")


def _named(label: str, promise: str | None) -> str:
    """A curve's name in a legend, with the promise that it keeps."""
    if promise is None:
        return html.escape(label)
    said = f"{KEPT} {promise}" if promise else f"{BROKEN} no promise kept"
    return f"{html.escape(label)} · {html.escape(said)}"


def _styles(names: Mapping[str, str]) -> dict[str, tuple[str, str, str]]:
    """Colour, dash and symbol of each label: curves of one mechanism share their colour."""
    seen: dict[str, int] = {}
    found = {}
    for label, name in names.items():
        turn = seen[name] = seen.get(name, -1) + 1
        number = list(COLOURS).index(name) if name in COLOURS else len(COLOURS)
        found[label] = (
            _colour(name),
            _ALL_DASHES[(number + turn) % len(_ALL_DASHES)],
            SYMBOLS[(number + turn) % len(SYMBOLS)],
        )
    return found


def plane(
    curves: Mapping[str, Curve],
    front: ArrayLike,
    leader: tuple[str, float, float],
    alpha: float,
    private: str,
    useful: str,
) -> go.Figure:
    """Utility against privacy: a curve a mechanism, the Pareto front, and who leads at an α.

    `front` are privacy and utility of the settings that nothing beats (2, f), `leader` the label,
    privacy and utility of the best one. Through it goes the line of equal score.
    """
    traces = []
    styles = _styles({label: curve[0] for label, curve in curves.items()})
    for label, (_, epsilon, x, y, promise) in curves.items():
        colour, _, symbol = styles[label]
        broken = promise == ""
        traces.append(
            scatter(
                x=x.value,
                y=y.value,
                mode="lines+markers",
                line={
                    "color": colour,
                    "width": 1.5 if broken else 2.5,
                    "dash": "dot" if broken else "solid",
                },
                marker={"size": 9, "symbol": f"{symbol}-open" if broken else symbol},
                error_x=_bars(x, colour),
                error_y=_bars(y, colour),
                customdata=np.column_stack([epsilon, x.low, x.high, y.low, y.high]),
                hovertemplate=f"<b>{html.escape(label)}</b>, ε = %{{customdata[0]:.4g}}<br>"
                "utility %{y:.1f} (%{customdata[3]:.1f} to %{customdata[4]:.1f})<br>"
                "privacy %{x:.1f} (%{customdata[1]:.1f} to %{customdata[2]:.1f})<extra></extra>",
                name=_named(label, promise),
            )
        )
    x_range = _range(np.concatenate([privacy.value for _, _, privacy, _, _ in curves.values()]))
    y_range = _range(np.concatenate([utility.value for _, _, _, utility, _ in curves.values()]))
    front = np.asarray(front, float)
    order = np.argsort(front[0])
    beaten_by_none = scatter(
        x=front[0, order],
        y=front[1, order],
        mode="lines+markers",
        line={"color": BOUND_COLOUR, "width": 1.5, "dash": "dot", "shape": "vh"},
        marker={
            "symbol": "circle-open",
            "size": 17,
            "color": BOUND_COLOUR,
            "line": {"width": 1.5},
        },
        name="Pareto front: beaten by none",
        hoverinfo="skip",
    )
    label, x_best, y_best = leader
    ends = _equal_score(alpha, x_best, y_best, x_range, y_range)
    same_score = scatter(
        x=ends[0],
        y=ends[1],
        mode="lines",
        line={"color": BOUND_COLOUR, "width": 3},
        name=f"same PUC as the leader at α = {alpha:g}",
        hoverinfo="skip",
    )
    # Towards the middle and on two lines, so that a phone shows all of it.
    on_the_right, above = x_best > sum(x_range) / 2, y_best > sum(y_range) / 2
    named = {
        "x": x_best,
        "y": y_best,
        "text": f"<b>{html.escape(label).replace(' at ε', '<br>at ε')}</b>",
        "xanchor": "right" if on_the_right else "left",
        "ax": -20 if on_the_right else 20,
        "ay": 45 if above else -45,
        "arrowhead": 2,
        "bgcolor": "rgba(128,128,128,.18)",
        "borderpad": 3,
    }
    return framed(
        [*traces, beaten_by_none, same_score],
        height=500,
        xaxis={"title": private, "range": x_range},
        yaxis={"title": useful, "range": y_range},
        annotations=[named],
        legend=_BELOW,
    )


def _bars(found: Estimate, colour: str) -> dict[str, object]:
    """The intervals: thin, so that points are seen first."""
    bars = error_bars([found[i] for i in range(len(found))], width=0)
    return {**bars, "type": "data", "color": transparent(colour, 0.35), "thickness": 1.5}


def _range(values: np.ndarray) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    margin = max(0.08 * (high - low), 1.0)
    return low - margin, high + margin


def _equal_score(
    alpha: float, x: float, y: float, x_range: tuple[float, float], y_range: tuple[float, float]
) -> tuple[list[float], list[float]]:
    """Where α y + (1 - α) x is that of one point, within the axes."""
    score = alpha * y + (1 - alpha) * x
    ends = [(x, y)]
    if alpha > 0:
        ends += [(at, (score - (1 - alpha) * at) / alpha) for at in x_range]
    if alpha < 1:
        ends += [((score - alpha * at) / (1 - alpha), at) for at in y_range]
    inside = sorted(
        (a, -b)
        for a, b in ends
        if x_range[0] - 1e-9 <= a <= x_range[1] + 1e-9
        and y_range[0] - 1e-9 <= b <= y_range[1] + 1e-9
    )
    return [inside[0][0], inside[-1][0]], [-inside[0][1], -inside[-1][1]]


def over_alpha(
    alphas: ArrayLike,
    lines: Mapping[str, tuple[str, ArrayLike]],
    alpha: float,
    changes: Sequence[tuple[float, float]],
    printed: Mapping[str, tuple[str, ArrayLike, ArrayLike]] | None = None,
    legend: bool = False,
) -> go.Figure:
    """PUC over α, a line a mechanism, the α at hand, and where the lead changes (α and score).

    `printed` holds for a label the mechanism, α and scores that a paper prints: crosses.
    """
    styles = _styles({label: name for label, (name, _) in lines.items()})
    traces = [
        scatter(
            x=alphas,
            y=values,
            mode="lines",
            line={"color": styles[label][0], "width": 2.5, "dash": styles[label][1]},
            hovertemplate=f"<b>{html.escape(label)}</b><br>α = %{{x:.2f}}: %{{y:.1f}}"
            "<extra></extra>",
            name=html.escape(label),
        )
        for label, (_, values) in lines.items()
    ]
    traces += [
        scatter(
            x=x,
            y=y,
            mode="markers",
            marker={"color": _colour(name), "symbol": "x", "size": 9},
            hovertemplate=f"<b>{html.escape(label)}</b>, as printed<br>α = %{{x:g}}: %{{y:.2f}}"
            "<extra></extra>",
            name="as printed",
            legendgroup="printed",
            showlegend=number == 0,
        )
        for number, (label, (name, x, y)) in enumerate((printed or {}).items())
    ]
    if changes:
        traces.append(
            scatter(
                x=[at for at, _ in changes],
                y=[score for _, score in changes],
                mode="markers",
                marker={"symbol": "diamond-open", "size": 12, "color": BOUND_COLOUR},
                hovertemplate="the lead changes at α = %{x:.3f}<extra></extra>",
                name="the lead changes",
            )
        )
    return framed(
        traces,
        height=480 if legend else 500,
        xaxis={"title": "α (weight of utility →)", "range": [0, 1]},
        yaxis={"title": "PUC"},
        shapes=[vertical(alpha, color=BOUND_COLOUR, width=3)],
        showlegend=legend,
        legend=_BELOW,
    )


def two_orders(
    printed: Sequence[tuple[str, float]], computed: Sequence[tuple[str, float]]
) -> go.Figure:
    """The same mechanisms in two orders, best on top; a line joins each with itself.

    On a telephone there is room for the benchmark's short name of Gumbel only.
    """
    traces, notes = [], []
    second = {name: (rank, score) for rank, (name, score) in enumerate(computed, 1)}
    for rank, (name, score) in enumerate(printed, 1):
        other, exact = second[name]
        traces.append(
            scatter(
                x=[0, 1],
                y=[rank, other],
                mode="lines+markers",
                line={"color": _colour(name), "width": 4 if rank != other else 2},
                marker={"size": 11},
                name=html.escape(name),
                hovertemplate=f"<b>{html.escape(name)}</b><br>{rank}. with {score:.2f} as printed, "
                f"{other}. with {exact:.2f} recomputed<extra></extra>",
            )
        )
        short = html.escape(name.removeprefix("Truncated "))
        for x, y, value, side in ((0, rank, score, "right"), (1, other, exact, "left")):
            look = {"xanchor": side, "xshift": -12 if side == "right" else 12, "font": {"size": 12}}
            notes.append(note(x, y, f"{short} {value:.1f}", **look))
    return framed(
        traces,
        height=480,
        xaxis={
            "range": [-1.45, 2.45],
            "tickvals": [-0.3, 1.3],  # apart on a telephone, too
            "ticktext": ["<b>as printed</b>", "<b>recomputed</b>"],
            "side": "top",
            "tickangle": 0,
            "fixedrange": True,
            "showgrid": False,
        },
        yaxis={
            "range": [len(printed) + 0.5, 0.5],
            "showticklabels": False,
            "showgrid": False,
            "fixedrange": True,
        },
        annotations=notes,
        showlegend=False,
    )


# Four panels by the numbers of their axes: where each begins, from the left and from below.
_WIDTH, _HEIGHT = 0.45, 0.375
_PANELS = {
    "": (0.0, 1 - _HEIGHT),
    "2": (1 - _WIDTH, 1 - _HEIGHT),
    "3": (0.0, 0.0),
    "4": (1 - _WIDTH, 0.0),
}


def coefficients(terms: Sequence[str], fits: Mapping[str, Estimate]) -> go.Figure:
    """Coefficients of four terms, a panel a term, a mark a fit, with their intervals."""
    traces = []
    colours = (BOUND_COLOUR, *NEUTRAL)
    for (label, found), colour, symbol in zip(fits.items(), colours, SYMBOLS, strict=False):
        for panel, one in zip(_PANELS, found, strict=True):
            traces.append(
                scatter(
                    x=[html.escape(label)],
                    y=[one.value],
                    error_y={"type": "data", "array": [one.half_width], "thickness": 2},
                    mode="markers",
                    marker={"color": colour, "size": 11, "symbol": symbol},
                    name=html.escape(label),
                    legendgroup=label,
                    showlegend=panel == "",
                    hovertemplate=f"{html.escape(label)}<br>{one.value:.4f} "
                    f"({one.low:.4f} to {one.high:.4f})"
                    "<extra></extra>",
                    xaxis=f"x{panel}",
                    yaxis=f"y{panel}",
                )
            )
    axes: Part = {}
    titles = []
    for (panel, (left, bottom)), term in zip(_PANELS.items(), terms, strict=True):
        across, up = [left, left + _WIDTH], [bottom, bottom + _HEIGHT]
        axes[f"xaxis{panel}"] = {"domain": across, "anchor": f"y{panel}", "showticklabels": False}
        axes[f"yaxis{panel}"] = {"domain": up, "anchor": f"x{panel}"}
        look = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "font": {"size": 16}}
        # Without an anchor plotly would shift a title away from the nearer edge of the figure.
        middle = left + _WIDTH / 2
        titles.append(note(middle, bottom + _HEIGHT, term, xanchor="center", **look))
    zero = {"color": BOUND_COLOUR, "width": 1, "dash": "dot"}
    return framed(
        traces,
        height=520,
        shapes=[horizontal(0, panel, **zero) for panel in _PANELS],
        annotations=titles,
        legend=_BELOW,
        **axes,
    )
