"""The palette of all figures, and their frame. A mechanism has the same colour on every page.

The figures of a page are in a file of their own: arrays in, a plotly figure out, never streamlit.
They are declared as traces and a layout, plain dicts, and made by one call of `framed`. Plotly
checks a figure part by part, which takes many times as long as to send it, at every run of a page:
so what `framed` makes is checked only if somebody looks into it.

The colours are Paul Tol's muted scheme, brought to a lightness that stands out by 3 to 1 from the
light and from the dark background (WCAG 1.4.11). That leaves them close to each other for some
eyes: symbols and dashes tell which is which. Backgrounds are left to the theme.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from functools import cache
from itertools import cycle
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from mechanisms import MECHANISMS
from mechanisms.estimate import Estimate

_PALETTE = (
    "#4477AA",
    "#CC6677",
    "#B07D10",
    "#117733",
    "#3D9BC4",
    "#B0417F",
    "#D9641E",
    "#2E9484",
    "#8A8A2B",
    "#A05BC0",
    "#9C6B4F",
    "#7A6FF0",
)
# With more mechanisms than colours these begin again; symbols and dashes go on.
COLOURS = {c.name: colour for c, colour in zip(MECHANISMS, cycle(_PALETTE), strict=False)}

BOUND_COLOUR = "#888888"

# Curves that belong to no mechanism: readable on white and on dark.
NEUTRAL = ("#6b8cae", "#a98467")

DASHES = ("solid", "dash", "dot", "dashdot")
SYMBOLS = ("circle", "diamond", "square", "triangle-up")

Part = dict[str, Any]
"""A trace, an axis, a shape or a note, in the words of plotly."""

_LAYOUT: Part = {
    "margin": {"l": 10, "r": 10, "t": 30, "b": 10},
    "font": {"size": 15},
    "paper_bgcolor": "rgba(0,0,0,0)",
    "plot_bgcolor": "rgba(0,0,0,0)",
    "legend": {
        "orientation": "h",
        "yanchor": "bottom",
        "y": 1.0,
        "x": 0,
        "font": {"size": 14},
    },
}
_AXIS: Part = {
    "showgrid": True,
    "gridcolor": "rgba(128,128,128,.25)",
    "tickfont": {"size": 14},
    "title": {"font": {"size": 15}},
}


_ENLARGED = 1.5
_enlarged: ContextVar[bool] = ContextVar("enlarged", default=False)


def enlarge(on: bool) -> None:
    """Have the figures of this run made for a projector: their words as large as its text."""
    _enlarged.set(on)


def _larger(part: Part) -> Part:
    """A part of a layout with every size of type enlarged."""
    grown = {}
    for name, value in part.items():
        if isinstance(value, dict):
            value = _larger(value)
            if name.endswith("font") and "size" in value:
                value = {**value, "size": round(_ENLARGED * value["size"])}
        grown[name] = value
    return grown


def framed(traces: Sequence[Part], height: int = 420, **layout: Any) -> go.Figure:
    """Traces in the layout that all figures share; what `layout` says otherwise counts.

    An axis may give the text of its title alone.
    """
    axes = {
        name: _merged(_AXIS, own)
        for name, own in ({"xaxis": {}, "yaxis": {}} | layout).items()
        if re.fullmatch(r"[xy]axis\d*", name)
    }
    whole = _merged(_LAYOUT, {"height": height} | layout | axes)
    return Declared(list(traces), _larger(whole) if _enlarged.get() else whole)


def in_lines(title: str, width: int) -> str:
    """The title of an axis in lines of at most so many characters, for a narrow figure."""
    return "<br>".join(textwrap.wrap(title, width))


class Declared(go.Figure):
    """A figure that is sent as it was declared, and built and checked once somebody looks into it.

    To build it and to copy it again for the browser takes ten times as long as to send it. Tests
    look into every figure, and so check its declaration.
    """

    def __init__(self, traces: list[Part], layout: Part) -> None:
        """Keep the declaration."""
        self.__dict__["_declared"] = (traces, layout)

    def __getattr__(self, name: str) -> Any:
        """Build the figure: it is asked for a part of itself that it does not have yet."""
        if (declared := self.__dict__.pop("_declared", None)) is None:
            raise AttributeError(name)
        super().__init__(*declared)
        return getattr(self, name)

    def to_dict(self) -> Part:
        """The figure for a browser."""
        if (declared := self.__dict__.get("_declared")) is None:
            return super().to_dict()
        traces, layout = declared
        return {"data": traces, "layout": {"template": _template(), **layout}}


@cache
def _template() -> Part:
    """The look that Streamlit has figures begin with."""
    return go.Figure().to_dict()["layout"]["template"]


def _merged(shared: Mapping[str, Any], own: Mapping[str, Any]) -> Part:
    merged = dict(shared)
    for name, value in own.items():
        below = shared.get(name)
        if isinstance(below, dict):
            value = _merged(below, value if isinstance(value, dict) else {"text": value})
        merged[name] = value
    return merged


def scatter(**trace: Any) -> Part:
    """Points or a line; a point's label may reach over the axes."""
    return {"type": "scatter", "cliponaxis": "text" not in trace.get("mode", ""), **trace}


def bar(**trace: Any) -> Part:
    """Bars."""
    return {"type": "bar", **trace}


def error_bars(estimates: Sequence[Estimate], width: int) -> Part:
    """The intervals of single numbers, none to an infinite end; `width` is that of the caps."""
    return {
        "array": [_finite(one.high - one.value) for one in estimates],
        "arrayminus": [_finite(one.value - one.low) for one in estimates],
        "thickness": 1,
        "width": width,
    }


def _finite(length: float) -> float:
    return length if math.isfinite(length) else math.nan


def vertical(x: float, axes: str = "", **line: Any) -> Part:
    """A shape: a line at x over the whole height of a plot; `axes` is its number, if any."""
    across = {"x0": x, "x1": x, "xref": f"x{axes}"}
    return {"type": "line", **across, "y0": 0, "y1": 1, "yref": f"y{axes} domain", "line": line}


def horizontal(y: float, axes: str = "", **line: Any) -> Part:
    """A shape: a line at y over the whole width of a plot; `axes` is its number, if any."""
    along = {"y0": y, "y1": y, "yref": f"y{axes}"}
    return {"type": "line", **along, "x0": 0, "x1": 1, "xref": f"x{axes} domain", "line": line}


def note(x: float, y: float, text: str, **look: Any) -> Part:
    """An annotation without an arrow. On a logarithmic axis its place is a power of ten."""
    return {"x": x, "y": y, "text": text, "showarrow": False, **look}


def above(x: float, text: str) -> Part:
    """An annotation above the plot, at x."""
    return note(x, 1, text, yref="paper", yanchor="bottom")


def beside(y: float, text: str, side: str = "top") -> Part:
    """An annotation at the left end of a horizontal line at y, on its `side`."""
    anchor = {"top": "bottom", "bottom": "top"}[side]
    return note(0, y, text, xref="x domain", xanchor="left", yanchor=anchor)


def counted(values: ArrayLike, edges: np.ndarray, name: str) -> Part:
    """Bars: values counted between edges, in the mechanism's colour."""
    counts, _ = np.histogram(values, edges)
    return bar(
        x=(edges[:-1] + edges[1:]) / 2,
        y=counts,
        width=np.diff(edges) * 0.96,
        marker={"color": COLOURS[name]},
        customdata=np.column_stack([edges[:-1], edges[1:]]),
        hovertemplate="%{customdata[0]:.3g} to %{customdata[1]:.3g}<br>words: %{y}<extra></extra>",
        name="words",
    )


def epsilon_axis(low: float, high: float, **axis: Any) -> Part:
    """A logarithmic axis of ε with round numbers from `low` to `high`."""
    at = ticks(low, high)
    named = {"tickvals": at, "ticktext": [f"{tick:,g}" for tick in at]}
    return {"title": "ε", "type": "log", **named, **axis}


def ticks(low: float, high: float) -> list[float]:
    """At most six round numbers along a logarithmic axis, or one in each power of ten."""
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    for steps in ((1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,)):
        found = [float(f"{s}e{p}") for p in powers for s in steps if low <= s * 10.0**p <= high]
        if len(found) <= 6:
            break
    return found


def transparent(colour: str, opacity: float) -> str:
    """The same colour, seen through."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"
