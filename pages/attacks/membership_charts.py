"""The figures of attacks on trained models: whose texts did a model learn from."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from measures.attacks.membership import Printed
from measures.attacks.trials import Row
from pages.shared.charts import (
    BOUND_COLOUR,
    COLOURS,
    Part,
    beside,
    error_bars,
    framed,
    horizontal,
    scatter,
)

_SYMBOLS = {"CMP": "circle", "TEM": "diamond"}
_GUESSING = 0.5


def membership(
    rows: Sequence[Row], measure: str, title: str, printed: Sequence[Printed]
) -> go.Figure:
    """A measure against ε, a curve a mechanism, with that of no noise and the printed values."""
    without = rows[0].measures[f"baseline_{measure}"].value
    curves = [
        _curve(name, name, [row for row in rows if row.mechanism == name], measure)
        for name in dict.fromkeys(row.mechanism for row in rows)
    ]
    in_print = [
        scatter(
            x=[one.epsilon],
            y=[getattr(one, measure)],
            mode="markers",
            marker={
                "symbol": f"{_SYMBOLS[one.mechanism]}-open",
                "size": 15,
                "color": COLOURS[one.mechanism],
                "line": {"width": 3},
            },
            name=f"{one.mechanism}, printed",
            hovertemplate="%{y:.2f} printed, at ε = %{x:g} in 300 dimensions<extra></extra>",
        )
        for one in printed
    ]
    values = [end for row in rows for end in row.measures[measure].numbers]
    values += [without, _GUESSING, *(getattr(one, measure) for one in printed)]
    room = (max(values) - min(values)) / 10
    return framed(
        [*curves, *in_print],
        xaxis=_epsilon_axis(rows),
        yaxis={"title": title, "range": [min(values) - room, max(values) + room]},
        shapes=[_level(without, "dash"), _level(_GUESSING, "dot")],
        annotations=[beside(without, "no noise"), beside(_GUESSING, "guessing")],
    )


def price(rows: Sequence[Row]) -> go.Figure:
    """The attack's AUC against the accuracy, a curve a mechanism, ε beside each point."""
    curves = []
    for name in dict.fromkeys(row.mechanism for row in rows):
        mine = sorted((row for row in rows if row.mechanism == name), key=lambda row: row.epsilon)
        useful, found = ([row.measures[measure] for row in mine] for measure in ("accuracy", "auc"))
        curves.append(
            scatter(
                x=[interval.value for interval in useful],
                y=[interval.value for interval in found],
                error_x=error_bars(useful, width=4),
                error_y=error_bars(found, width=4),
                mode="lines+markers+text",
                text=[f"{row.epsilon:g}" for row in mine],
                textposition="top left" if name == "CMP" else "bottom right",
                textfont={"color": COLOURS[name], "size": 14},
                cliponaxis=False,
                line={"color": COLOURS[name], "width": 1},
                marker={"symbol": _SYMBOLS[name], "size": 10},
                hovertemplate="accuracy %{x:.3f}, AUC %{y:.3f} at ε = %{text}",
                name=f"{name}, at ε",
            )
        )
    return framed(
        curves,
        xaxis={"title": "new reviews classified correctly"},
        yaxis={"title": "AUC of the attack"},
        shapes=[_level(_GUESSING, "dot")],
        annotations=[beside(_GUESSING, "guessing")],
    )


def audit(rows: Sequence[Row], measure: str, title: str) -> go.Figure:
    """A measure of the auditor against ε, a curve a mechanism and auditor, dotted for `plain`."""
    curves = [
        _curve(
            name,
            f"{name}, {way}",
            [row for row in rows if (row.mechanism, row.way) == (name, way)],
            measure,
            "dot" if way == "plain" else "solid",
        )
        for name, way in dict.fromkeys((row.mechanism, row.way) for row in rows)
    ]
    axis = {"title": title, "range": [-0.03, 1.04]}
    return framed(curves, xaxis=_epsilon_axis(rows), yaxis=axis)


def _epsilon_axis(rows: Sequence[Row]) -> Part:
    """The ε that were tried, and no others."""
    tried = sorted({row.epsilon for row in rows})
    return {
        "title": "ε",
        "type": "log",
        "tickvals": tried,
        "ticktext": [f"{epsilon:g}" for epsilon in tried],
    }


def _level(value: float, dash: str) -> Part:
    return horizontal(value, color=BOUND_COLOUR, dash=dash, width=2)


def _curve(
    mechanism: str,
    name: str,
    rows: Sequence[Row],
    measure: str,
    dash: str = "solid",
) -> Part:
    """Means over trials with their intervals."""
    values = [row.measures[measure] for row in rows]
    return scatter(
        x=[row.epsilon for row in rows],
        y=[interval.value for interval in values],
        error_y=error_bars(values, width=4),
        mode="lines+markers",
        line={"color": COLOURS[mechanism], "width": 3, "dash": dash},
        marker={"symbol": _SYMBOLS[mechanism], "size": 9},
        hovertemplate="%{y:.3f} at ε = %{x:g}",
        name=name,
    )
