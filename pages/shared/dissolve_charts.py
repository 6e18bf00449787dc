"""The figure of the Private sentences page: a sentence over all ε."""

from __future__ import annotations

import html

import numpy as np
import plotly.graph_objects as go

from measures.words.dissolution import Dissolution
from pages.shared.charts import bar, framed, note, scatter, ticks

# The word as typed, on every scale: a plain grey with dots.
_TYPED_COLOUR = "#c9ced6"

# Near words light, far ones dark: lightness alone tells the order, whatever eyes one has
# (ColorBrewer's YlOrBr). Where it passes _DARK, letters on it are white.
_NEAR_TO_FAR = (
    "#fff7bc",
    "#fee391",
    "#fec44f",
    "#fe9929",
    "#ec7014",
    "#cc4c02",
    "#993404",
    "#662506",
)
_DARK = 0.7

_ROW_PIXELS = 30
_LONGEST_LABEL = 16


def dissolve(result: Dissolution, typed: list[str], labels: list[str], epsilon: float) -> go.Figure:
    """A sentence over all ε: one row a word, a bar for every step, coloured by distance.

    `typed` (n,) are the words of the rows and `labels` (s,) the released words, as text that a
    figure shows as it is. The words on bars too narrow for them are hidden by the browser.
    """
    left, right = np.maximum(result.begin, result.low), np.minimum(result.end, result.high)
    hover = _steps_in_words(result, typed, labels)
    other = result.distance[~result.unchanged]
    near, far = (float(other.min()), float(other.max())) if len(other) else (0.0, 1.0)
    far = max(far, near + 1e-6)
    dark = ~result.unchanged & ((result.distance - near) / (far - near) > _DARK)
    dots = {"shape": ".", "bgcolor": _TYPED_COLOUR, "fgcolor": "#8b94a1", "size": 7}
    as_typed = {"color": _TYPED_COLOUR, "pattern": {**dots, "solidity": 0.12}}
    by_distance = {
        "color": other,
        "colorscale": list(zip(np.linspace(0, 1, len(_NEAR_TO_FAR)), _NEAR_TO_FAR, strict=True)),
        "cmin": near,
        "cmax": far,
        "showscale": len(other) > 0,
        "colorbar": {
            # The title's own line lies on the bar: the second, empty one is the bar's.
            "title": {"text": "distance from the typed word<br> ", "side": "top"},
            "orientation": "h",
            "thickness": 12,
            "yref": "container",
            "y": 0,
            "yanchor": "bottom",
            "nticks": 6,
        },
    }
    traces, notes = [], []
    for name, kept, marker in (
        ("the word as typed", result.unchanged, as_typed),
        ("another word", ~result.unchanged, by_distance),
    ):
        bars = np.flatnonzero(kept)
        traces.append(
            bar(
                orientation="h",
                base=left[bars],
                x=(right - left)[bars],
                y=result.row[bars],
                width=0.9,
                marker={**marker, "line": {"width": 1, "color": "#ffffff"}},
                text=[labels[i] for i in bars],
                textposition="inside",
                insidetextanchor="middle",
                textangle=0,
                insidetextfont={"color": np.where(dark, "#ffffff", "#111111")[bars], "size": 14},
                customdata=[hover[i] for i in bars],
                hovertemplate="%{customdata}<extra></extra>",
                name=name,
                showlegend=name == "the word as typed",
            )
        )
    if result.low <= epsilon <= result.high:
        share = np.log(epsilon / result.low) / np.log(result.high / result.low)
        # Dark within light: seen on every bar and background, and the letters below it too.
        for colour, width in (("rgba(255,255,255,.6)", 5), ("rgba(0,0,0,.8)", 2)):
            traces.append(
                scatter(
                    x=[epsilon, epsilon],
                    y=[-0.5, len(typed) - 0.5],
                    mode="lines",
                    line={"color": colour, "width": width},
                    name="edge of the line",
                    showlegend=False,
                    hoverinfo="skip",
                )
            )
        side = "left" if share < 0.1 else "right" if share > 0.9 else "center"
        above = {"xanchor": side, "yref": "paper", "yanchor": "bottom", "font": {"size": 15}}
        notes.append(note(np.log10(epsilon), 1, f"<b>ε = {epsilon:.4g}</b>", **above))
    at = ticks(result.low, result.high)
    return framed(
        traces,
        height=_ROW_PIXELS * len(typed) + 200,
        annotations=notes,
        xaxis={
            "title": "ε, on a logarithmic axis<br>← more random · more faithful →",
            "type": "log",
            "range": [np.log10(result.low), np.log10(result.high)],
            "tickvals": at,
            "ticktext": [f"<b>{tick:,g}</b>" for tick in at],
            "fixedrange": True,
        },
        yaxis={
            "range": [len(typed) - 0.5, -0.5],
            "tickvals": list(range(len(typed))),
            "ticktext": [f"<b>{_short(word)}</b>" for word in typed],
            "fixedrange": True,
            "automargin": True,
            "showgrid": False,
        },
        barmode="overlay",
        dragmode=False,  # on a touch screen a finger on the figure scrolls the page
        uniformtext={"mode": "hide", "minsize": 14},
        hoverlabel={
            "align": "left",
            "bgcolor": "#16202c",
            "bordercolor": "#ffffff",
            "font": {"size": 15, "color": "#ffffff"},
        },
        # The name of the line stands above it, the legend above both.
        margin={"b": 130, "t": 70},
        legend={"yref": "container", "y": 0.99, "yanchor": "top"},
    )


def _steps_in_words(result: Dissolution, typed: list[str], labels: list[str]) -> list[str]:
    """What each bar says: the word, how far it lies, and the ε where it flips to which other."""
    last = len(labels) - 1
    said = []
    for i, (row, begin, end) in enumerate(
        zip(result.row.tolist(), result.begin.tolist(), result.end.tolist(), strict=True)
    ):
        lines = [f"<b>{labels[i]}</b> for “{typed[row]}”"]
        lines.append(
            "the word as typed" if result.unchanged[i] else f"distance {result.distance[i]:.2f}"
        )
        if result.drawn_at is not None:
            lines.append(f"independent draw at ε = {result.drawn_at[i % len(result.drawn_at)]:.3g}")
        else:
            if begin == 0:
                lines.append("at every smaller ε too")
            else:
                below = i > 0 and result.row[i - 1] == row and f" to <b>{labels[i - 1]}</b>"
                lines.append(f"changes below ε = {begin:.3g}{below or ''}")
            if end == np.inf:
                lines.append("at every larger ε too")
            else:
                above = i < last and result.row[i + 1] == row and f" to <b>{labels[i + 1]}</b>"
                lines.append(f"changes above ε = {end:.3g}{above or ''}")
        said.append("<br>".join(lines))
    return said


def _short(label: str) -> str:
    """A label of the axis; entities of markup stay whole."""
    plain = html.unescape(label)
    if len(plain) <= _LONGEST_LABEL:
        return label
    return html.escape(plain[: _LONGEST_LABEL - 1]) + "…"
