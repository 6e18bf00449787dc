"""The figures of attacks on trained models: whose texts did a model learn from."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from measures.intervals import Interval
from measures.membership import Printed
from measures.trials import Row
from pages.shared.charts import BOUND_COLOUR, COLOURS, framed

_SYMBOLS = {"CMP": "circle", "TEM": "diamond"}
_GUESSING = 0.5


def membership(
    rows: Sequence[Row], measure: str, title: str, printed: Sequence[Printed]
) -> go.Figure:
    """A measure against ε, a curve a mechanism, with that of no noise and the printed values."""
    figure = go.Figure()
    without = rows[0].measures[f"baseline_{measure}"].value
    _level(figure, without, "no noise")
    _level(figure, _GUESSING, "guessing", dash="dot")
    for name in dict.fromkeys(row.mechanism for row in rows):
        _curve(figure, name, name, [row for row in rows if row.mechanism == name], measure)
    for one in printed:
        figure.add_scatter(
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
    _epsilon_axis(figure, rows)
    values = [end for row in rows for end in row.measures[measure]]
    values += [without, _GUESSING, *(getattr(one, measure) for one in printed)]
    room = (max(values) - min(values)) / 10
    figure.update_yaxes(title=title, range=[min(values) - room, max(values) + room])
    return framed(figure, height=420)


def price(rows: Sequence[Row]) -> go.Figure:
    """The attack's AUC against the accuracy, a curve a mechanism, ε beside each point."""
    figure = go.Figure()
    for name in dict.fromkeys(row.mechanism for row in rows):
        mine = sorted((row for row in rows if row.mechanism == name), key=lambda row: row.epsilon)
        useful, found = ([row.measures[measure] for row in mine] for measure in ("accuracy", "auc"))
        figure.add_scatter(
            x=[interval.value for interval in useful],
            y=[interval.value for interval in found],
            error_x=_bars(useful),
            error_y=_bars(found),
            mode="lines+markers+text",
            text=[f"{row.epsilon:g}" for row in mine],
            textposition="top left" if name == "CMP" else "bottom right",
            textfont={"color": COLOURS[name], "size": 14},
            cliponaxis=False,
            line={"color": COLOURS[name], "width": 1},
            marker={"symbol": _SYMBOLS[name], "size": 10},
            hovertemplate="right about %{x:.3f}, AUC %{y:.3f} at ε = %{text}",
            name=f"{name}, at ε",
        )
    _level(figure, _GUESSING, "guessing", dash="dot")
    figure.update_xaxes(title="right about new reviews")
    figure.update_yaxes(title="AUC of the attack")
    return framed(figure, height=420)


def audit(rows: Sequence[Row], measure: str, title: str) -> go.Figure:
    """A measure of the auditor against ε, a curve a mechanism and auditor, dotted for `plain`."""
    figure = go.Figure()
    for name, way in dict.fromkeys((row.mechanism, row.way) for row in rows):
        mine = [row for row in rows if (row.mechanism, row.way) == (name, way)]
        _curve(figure, name, f"{name}, {way}", mine, measure, "dot" if way == "plain" else "solid")
    _epsilon_axis(figure, rows)
    figure.update_yaxes(title=title, range=[-0.03, 1.04])
    return framed(figure, height=420)


def _epsilon_axis(figure: go.Figure, rows: Sequence[Row]) -> None:
    ticks = sorted({row.epsilon for row in rows})
    figure.update_xaxes(
        title="ε", type="log", tickvals=ticks, ticktext=[f"{tick:g}" for tick in ticks]
    )


def _level(figure: go.Figure, value: float, says: str, dash: str = "dash") -> None:
    figure.add_hline(
        y=value,
        line={"color": BOUND_COLOUR, "dash": dash, "width": 2},
        annotation_text=says,
        annotation_position="top left",
    )


def _curve(
    figure: go.Figure,
    mechanism: str,
    name: str,
    rows: Sequence[Row],
    measure: str,
    dash: str = "solid",
) -> None:
    """Means over trials with their intervals."""
    values = [row.measures[measure] for row in rows]
    figure.add_scatter(
        x=[row.epsilon for row in rows],
        y=[interval.value for interval in values],
        error_y=_bars(values),
        mode="lines+markers",
        line={"color": COLOURS[mechanism], "width": 3, "dash": dash},
        marker={"symbol": _SYMBOLS[mechanism], "size": 9},
        hovertemplate="%{y:.3f} at ε = %{x:g}",
        name=name,
    )


def _bars(intervals: Sequence[Interval]) -> dict[str, object]:
    return {
        "array": [interval.high - interval.value for interval in intervals],
        "arrayminus": [interval.value - interval.low for interval in intervals],
        "thickness": 1,
        "width": 4,
    }
