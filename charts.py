"""The charts of the front door: what `.plot()` of a law and of curves draws.

The core knows no plotting library. This module registers a chart for each class with
`mechanisms.shown.plot`; plotly is loaded when a chart is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from measures.words.curves import MEANINGS, WordCurves
from mechanisms.law import Law
from mechanisms.shown import plot

if TYPE_CHECKING:
    import plotly.graph_objects as go

# Told apart by readers who are colour-blind (Okabe and Ito 2008).
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")


@plot.register(Law)
def law_chart(law: Law, k: int = 20) -> go.Figure:
    """A bar for each of the k likeliest outputs, with its interval; the word itself is marked."""
    import plotly.graph_objects as go

    top = law.top(k)
    words = [word for word, _ in top]
    found = law.estimate(*words)
    errors = None
    if not law.source.is_exact:
        above, below = found.high - found.value, found.value - found.low
        errors = {"type": "data", "symmetric": False, "array": above, "arrayminus": below}
    bars = go.Bar(
        x=found.value,
        y=words,
        orientation="h",
        error_x=errors,
        marker_color=[_COLOURS[1] if word == law.word else _COLOURS[0] for word in words],
    )
    figure = go.Figure(bars)
    figure.update_layout(template="plotly_white", title=_plain(law.title))
    figure.update_xaxes(title="probability of the output", rangemode="tozero")
    figure.update_yaxes(type="category", autorange="reversed")
    return figure


@plot.register(WordCurves)
def curves_chart(curves: WordCurves, statistic: str = "unchanged") -> go.Figure:
    """A line a word over ε, in a band of its 95 % intervals."""
    import plotly.graph_objects as go

    figure = go.Figure()
    found = getattr(curves, statistic)
    for i, word in enumerate(curves.words):
        colour = _COLOURS[i % len(_COLOURS)]
        line = {"color": colour}
        for end in (found.low[i], found.high[i]) if not found.source.is_exact else ():
            figure.add_scatter(
                x=curves.epsilons,
                y=end,
                mode="lines",
                line=line | {"dash": "dot", "width": 1},
                legendgroup=word,
                showlegend=False,
                hoverinfo="skip",
            )
        figure.add_scatter(
            x=curves.epsilons,
            y=found.value[i],
            mode="lines+markers",
            line=line,
            name=_plain(word),
            legendgroup=word,
        )
    figure.update_layout(
        template="plotly_white", title=_plain(f"{curves.mechanism}, {found.source}")
    )
    figure.update_xaxes(title="ε", type="log")
    figure.update_yaxes(title=MEANINGS[statistic])
    return figure


def _plain(text: str) -> str:
    """Text that plotly shows as typed: it reads some tags and entities as markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
