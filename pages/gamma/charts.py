"""The figures of the γ page: TEM's ball."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from pages.shared.charts import (
    BOUND_COLOUR,
    COLOURS,
    NEUTRAL,
    Part,
    framed,
    horizontal,
    note,
    scatter,
    vertical,
)

_POWERS: Part = {"type": "log", "exponentformat": "power", "dtick": 1}
_SMALL = {"size": 13}


def gamma_curves(
    epsilons: ArrayLike,
    gammas: ArrayLike,
    betas: list[float],
    chosen: tuple[float, float, float],
    marks: dict[str, float],
) -> go.Figure:
    """γ against ε, a curve a β (b, e), the chosen (ε, β, γ), and lines at typical distances."""
    epsilons, gammas = np.asarray(epsilons, float), np.asarray(gammas, float)
    epsilon, beta, gamma = chosen
    dashes = ("dot", "dash", "dashdot", "longdash")
    traces = []
    for row, each, dash in zip(gammas, betas, ("solid", *dashes), strict=False):
        own = each == beta
        positive = row > 0
        traces.append(
            scatter(
                x=epsilons[positive],
                y=row[positive],
                mode="lines",
                line={
                    "color": COLOURS["TEM"] if own else BOUND_COLOUR,
                    "width": 4 if own else 2,
                    "dash": "solid" if own else dash,
                },
                name=f"β = {each:.3g}",
                hovertemplate=f"β = {each:.3g}<br>ε = %{{x:.3g}}<br>γ = %{{y:.4g}}<extra></extra>",
            )
        )
    if gamma > 0 and epsilon > 0:
        traces.append(
            scatter(
                x=[epsilon],
                y=[gamma],
                mode="markers",
                marker={"color": COLOURS["TEM"], "size": 14, "symbol": "diamond"},
                name="chosen",
                hovertemplate="chosen<br>ε = %{x:.4g}<br>γ = %{y:.4g}<extra></extra>",
            )
        )
    typical = {label: distance for label, distance in marks.items() if distance > 0}
    named = {"xref": "paper", "xanchor": "left", "yanchor": "bottom", "font": _SMALL}
    return framed(
        traces,
        height=440,
        xaxis={"title": "ε", **_POWERS},
        yaxis={"title": "γ", **_POWERS},
        shapes=[horizontal(y, color=NEUTRAL[0], width=1.5, dash="dot") for y in typical.values()],
        annotations=[note(0, np.log10(y), label, **named) for label, y in typical.items()],
    )


def leaving(
    inside: ArrayLike,
    chance: dict[str, ArrayLike],
    bound: float,
    labels: list[str],
    worst: int,
) -> go.Figure:
    """Chance to leave the ball against the number of words in it, a point a word, and the bound.

    The first series has the theorem's γ, a second one a γ of one's own. `inside` (s, n), a row a
    series. Words that never leave have no place on the logarithmic axis.
    """
    inside = np.asarray(inside)
    series = {name: np.asarray(values, float) for name, values in chance.items()}
    styles = (
        {"color": COLOURS["TEM"], "size": 9, "opacity": 0.75},
        {"color": NEUTRAL[0], "size": 10, "symbol": "diamond-open", "line": {"width": 2}},
    )
    traces = [
        scatter(
            x=row[values > 0],
            y=values[values > 0],
            mode="markers",
            marker=style,
            text=[label for label, kept in zip(labels, values > 0, strict=True) if kept],
            hovertemplate="%{text}<br>%{x:,} words in the ball<br>"
            "left with probability %{y:.3g}<extra></extra>",
            name=name,
        )
        for row, (name, values), style in zip(inside, series.items(), styles, strict=False)
    ]
    lines, notes = [], []
    y_axis = {"title": "probability of leaving the ball", **_POWERS}
    if bound > 0:
        lines.append(horizontal(bound, color=BOUND_COLOUR, width=3, dash="dash"))
        at_the_end = {"xref": "paper", "xanchor": "right", "yanchor": "bottom", "font": _SMALL}
        notes.append(note(1, np.log10(bound), "bound β", **at_the_end))
        every = np.concatenate(list(series.values()))
        seen = every[every > 0]
        if len(seen):
            # At least a decade: points that touch the bound shall look as if they did.
            low, high = min(seen.min() / 1.5, bound / 10), max(seen.max(), bound) * 1.8
            y_axis["range"] = [np.log10(low), np.log10(min(high, 2.0))]
    first = next(iter(series.values()))
    if first[worst] > 0:
        place = {"x": np.log10(inside[0][worst]), "y": np.log10(first[worst])}
        arrow = {"ax": 40, "ay": 45, "arrowwidth": 1.5}
        notes.append({**place, "text": f"worst: {labels[worst]}", **arrow})
    x_axis = {"title": "words in the ball", **_POWERS}
    return framed(traces, xaxis=x_axis, yaxis=y_axis, shapes=lines, annotations=notes)


def one_word_by_gamma(
    gamma: ArrayLike,
    leaves: ArrayLike,
    stays: ArrayLike,
    bound: ArrayLike,
    marks: dict[str, float],
) -> go.Figure:
    """For one word, over γ: the chance to leave the ball, the bound on it, the chance to stay."""
    rows = (
        ("ball left", leaves, COLOURS["TEM"], "solid", 4),
        ("bound on leaving", bound, BOUND_COLOUR, "dash", 3),
        ("word unchanged", stays, NEUTRAL[0], "dot", 3),
    )
    traces = [
        scatter(
            x=gamma,
            y=values,
            mode="lines",
            line={"color": colour, "dash": dash, "width": width},
            name=name,
            hovertemplate=f"γ = %{{x:.3g}}<br>{name}: %{{y:.3g}}<extra></extra>",
        )
        for name, values, colour, dash, width in rows
    ]
    top = float(np.asarray(gamma)[-1])
    # Each lower than the one before, whether that is on the axis or not.
    marked = [
        (value, 0.97 - 0.12 * place, f" {label}")
        for place, (label, value) in enumerate(marks.items())
        if 0 <= value <= top
    ]
    along = {"yref": "paper", "xanchor": "left", "yanchor": "top", "font": _SMALL}
    return framed(
        traces,
        height=400,
        xaxis={"title": "γ", "range": [0, top]},
        yaxis={"title": "probability", "range": [0, 1.02]},
        shapes=[vertical(value, color=BOUND_COLOUR, width=2) for value, _, _ in marked],
        annotations=[note(value, y, label, **along) for value, y, label in marked],
    )
