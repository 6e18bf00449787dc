"""The figure of the board: the answers of a class."""

from __future__ import annotations

import html
from collections.abc import Sequence

import plotly.graph_objects as go

from measures.randomised_response import Estimated
from pages.shared.charts import BOUND_COLOUR, bar, framed

_RIGHT = "#2E9484"
_OTHER = "#4477AA"
_INTERVAL = "#D9641E"  # seen on both bars, on a light and on a dark page


def answers(
    labels: Sequence[str],
    received: Sequence[int],
    estimated: Estimated | None,
    right: int | None,
) -> go.Figure:
    """Reports by option (k,), and with private answers the estimate with its interval beside them.

    `right` is the option that colour, bold type and a mark set off; None before that is shown.
    """
    names = [
        f"<b>✓ {html.escape(label)}</b>" if place == right else html.escape(label)
        for place, label in enumerate(labels)
    ]
    colours = [_RIGHT if place == right else _OTHER for place in range(len(labels))]
    marker = {"color": colours}
    bars = []
    if estimated is None:
        bars.append(
            bar(
                y=names,
                x=list(received),
                orientation="h",
                name="answers",
                marker=marker,
                text=[str(count) for count in received],
                textposition="outside",
                cliponaxis=False,
                hovertemplate="%{y}: %{x}<extra></extra>",
            )
        )
    else:
        value = estimated.within
        spread = {
            "type": "data",
            "symmetric": False,
            "array": (estimated.high - value).tolist(),
            "arrayminus": (value - estimated.low).tolist(),
            "color": _INTERVAL,
            "thickness": 3,
            "width": 8,
        }
        bars.append(
            bar(
                y=names,
                x=list(received),
                orientation="h",
                name="received, with noise",
                marker={"color": BOUND_COLOUR},
                hovertemplate="%{y}: %{x} received<extra></extra>",
            )
        )
        bars.append(
            bar(
                y=names,
                x=value.tolist(),
                orientation="h",
                name="estimated without the noise, and 95 % interval",
                marker=marker,
                error_x=spread,
                hovertemplate="%{y}: about %{x:.1f}<extra></extra>",
            )
        )
    most = max([*received, *([] if estimated is None else estimated.high.tolist()), 1])
    return framed(
        bars,
        height=90 + 75 * len(labels),
        xaxis={"title": "students", "range": [0, 1.12 * most], "rangemode": "tozero"},
        yaxis={"autorange": "reversed", "automargin": True, "title": ""},
        showlegend=estimated is not None,
        barmode="group",
    )
