"""Privacy against use of every setting, with the demands as a shaded region."""

from __future__ import annotations

import html
from collections.abc import Sequence

import plotly.graph_objects as go

from mechanisms.estimate import Estimate
from pages.shared.charts import (
    BOUND_COLOUR,
    COLOURS,
    DASHES,
    SYMBOLS,
    Part,
    error_bars,
    framed,
    scatter,
)
from release.choice import Choice
from release.demands import MEANINGS, Key
from release.evidence import Setting

_SHADE = "rgba(17,119,51,.12)"


def axes_of(choice: Choice) -> tuple[Key, Key]:
    """The demands on the axes: the first on privacy that is a share, and what is optimised."""
    privacy: Key = "unchanged_at_most"
    if privacy not in choice.made and "named_at_most" in choice.made:
        privacy = "named_at_most"
    return privacy, "keep_accuracy" if choice.has_labels else "similarity_at_least"


def settings(choice: Choice) -> go.Figure:
    """A line for each mechanism through its ε, in percent, the recommended setting as a star."""
    privacy, use = axes_of(choice)
    traces = []
    names = list(dict.fromkeys(setting.name for setting in choice.settings))
    for number, name in enumerate(names):
        mine = sorted(
            (s for s in choice.settings if s.name == name), key=lambda s: s.mechanism.epsilon
        )
        x, y = _numbers(mine, privacy), _numbers(mine, use)
        colour = COLOURS.get(mine[0].mechanism.name, BOUND_COLOUR)
        traces.append(
            scatter(
                x=[each.value for each in x],
                y=[each.value for each in y],
                error_x=error_bars(x, 3),
                error_y=error_bars(y, 3),
                mode="lines+markers",
                name=html.escape(name),
                text=[f"{html.escape(s.title)}" for s in mine],
                hovertemplate="%{text}<br>%{x:.3g} %, %{y:.3g}<extra></extra>",
                line={"color": colour, "dash": DASHES[number % len(DASHES)], "width": 1.5},
                marker={"color": colour, "symbol": SYMBOLS[number % len(SYMBOLS)], "size": 8},
            )
        )
    if choice.recommended is not None:
        x, y = _numbers([choice.recommended], privacy), _numbers([choice.recommended], use)
        traces.append(
            scatter(
                x=[x[0].value],
                y=[y[0].value],
                mode="markers",
                name="recommended",
                hovertemplate=f"{html.escape(choice.recommended.title)}<extra></extra>",
                marker={
                    "color": COLOURS.get(choice.recommended.mechanism.name, BOUND_COLOUR),
                    "symbol": "star",
                    "size": 20,
                },
            )
        )
    unit = " (%)" if MEANINGS[use].share else ""
    return framed(
        traces,
        520,
        xaxis={"title": f"{MEANINGS[privacy].title} (%)", "range": [0, 101]},
        yaxis={"title": f"{MEANINGS[use].title}{unit}"},
        shapes=[_region(choice, privacy, use)],
    )


def _numbers(settings: Sequence[Setting], key: Key) -> list[Estimate]:
    """The numbers of one demand, shares in percent."""
    found = [setting.value(key) for setting in settings]
    return [each.percent if MEANINGS[key].share else each for each in found if each is not None]


def _region(choice: Choice, privacy: Key, use: Key) -> Part:
    """The region in which the demands on both axes are met."""
    highest = 100 * choice.made.get(privacy, 1.0)
    shape: Part = {
        "type": "rect",
        "layer": "below",
        "line": {"width": 0},
        "fillcolor": _SHADE,
        "x0": 0,
        "x1": highest,
        "y0": 0,
        "y1": 1,
        "yref": "y domain",
    }
    if use in choice.made:
        least = choice.made[use] * (100 if MEANINGS[use].share else 1)
        most = max(float(one.high) for one in _numbers(choice.settings, use))
        shape |= {"y0": least, "y1": max(most, least), "yref": "y"}
    return shape
