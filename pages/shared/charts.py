"""Arrays to plotly figures, in one palette: a mechanism has the same colour on every page.

The colours are Paul Tol's muted scheme, brought to a lightness that stands out by 3 to 1 from the
light and from the dark background (WCAG 1.4.11). That leaves them close to each other for some
eyes: symbols and dashes tell which is which. Backgrounds are left to the theme.
"""

from __future__ import annotations

import html
from itertools import cycle

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike
from plotly.subplots import make_subplots

from measures.deniability import Bands
from measures.dissolution import Dissolution
from mechanisms import MECHANISMS

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
)
# With more mechanisms than colours these begin again; symbols and dashes go on.
COLOURS = {c.name: colour for c, colour in zip(MECHANISMS, cycle(_PALETTE), strict=False)}

BOUND_COLOUR = "#888888"


def log_ratios(
    name: str,
    distance: ArrayLike,
    log_ratio: ArrayLike,
    bound: ArrayLike | None,
    labels: list[str],
    distance_name: str,
    exact: bool,
) -> go.Figure:
    """Log-ratio against distance, a point a pair of words, with the line that it must stay under.

    Infinite ratios are drawn as triangles along the upper edge.
    """
    distance, log_ratio = np.asarray(distance, float), np.asarray(log_ratio, float)
    infinite = np.isposinf(log_ratio)
    finite = np.isfinite(log_ratio)
    top = max(log_ratio[finite].max(initial=1.0), 0.0 if bound is None else np.asarray(bound).max())
    figure = go.Figure()
    figure.add_scatter(
        x=distance[finite],
        y=log_ratio[finite],
        mode="markers",
        marker={"color": COLOURS[name], "size": 6, "opacity": 0.6},
        text=[label for label, kept in zip(labels, finite, strict=True) if kept],
        hovertemplate="%{text}<br>%{x:.2f} apart<br>log-ratio %{y:.2f}<extra></extra>",
        name="largest log-ratio" if exact else "log-ratio, at least",
    )
    if infinite.any():
        figure.add_scatter(
            x=distance[infinite],
            y=np.full(infinite.sum(), 1.08 * top),
            mode="markers",
            marker={"color": COLOURS[name], "size": 9, "symbol": "triangle-up"},
            text=[label for label, kept in zip(labels, infinite, strict=True) if kept],
            hovertemplate="%{text}<br>%{x:.2f} apart<br>log-ratio ∞<extra></extra>",
            name="infinite: told apart for certain",
        )
    if bound is not None:
        order = np.argsort(distance)
        figure.add_scatter(
            x=distance[order],
            y=np.asarray(bound, float)[order],
            mode="lines",
            line={"color": BOUND_COLOUR, "width": 3, "dash": "dash"},
            name="promised bound",
            hoverinfo="skip",
        )
    figure.update_xaxes(title=distance_name, rangemode="tozero")
    figure.update_yaxes(title="log-ratio of two words' chances")
    return framed(figure)


def deltas(name: str, claimed: float, needed: float) -> go.Figure:
    """A claimed δ beside the one that is needed, on a logarithmic axis."""
    figure = go.Figure()
    figure.add_bar(
        x=[claimed, needed],
        y=["claimed", "needed, at least"],
        orientation="h",
        marker={"color": [BOUND_COLOUR, COLOURS[name]]},
        text=[f"{claimed:.3g}", f"{needed:.3g}"],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="δ = %{x:.3g}<extra></extra>",
    )
    floor = np.floor(np.log10(max(min(claimed, needed), 1e-30))) - 1
    figure.update_xaxes(
        title="δ, chance that the promise fails",
        type="log",
        range=[floor, 0.6],
        exponentformat="power",
    )
    figure.update_layout(showlegend=False)
    return framed(figure, height=240)


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
    figure shows as it stands. The words on bars too narrow for them are hidden by the browser.
    """
    figure = go.Figure()
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
            "title": {"text": "distance from the typed word", "side": "top"},
            "orientation": "h",
            "thickness": 12,
            "yref": "container",
            "y": 0,
            "yanchor": "bottom",
            "nticks": 6,
        },
    }
    for name, kept, marker in (
        ("the word as typed", result.unchanged, as_typed),
        ("another word", ~result.unchanged, by_distance),
    ):
        bars = np.flatnonzero(kept)
        figure.add_bar(
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
    if result.low <= epsilon <= result.high:
        share = np.log(epsilon / result.low) / np.log(result.high / result.low)
        # Dark within light: seen on every bar and background, and the letters below it too.
        for colour, width in (("rgba(255,255,255,.6)", 5), ("rgba(0,0,0,.8)", 2)):
            figure.add_scatter(
                x=[epsilon, epsilon],
                y=[-0.5, len(typed) - 0.5],
                mode="lines",
                line={"color": colour, "width": width},
                name="edge of the line",
                showlegend=False,
                hoverinfo="skip",
            )
        figure.add_annotation(
            x=np.log10(epsilon),
            xanchor="left" if share < 0.1 else "right" if share > 0.9 else "center",
            y=1,
            yref="paper",
            yanchor="bottom",
            text=f"<b>ε = {epsilon:.4g}</b>",
            showarrow=False,
            font={"size": 15},
        )
    ticks = _ticks(result.low, result.high)
    figure.update_xaxes(
        title={
            "text": "ε, on a logarithmic axis<br>← more private · more faithful →",
            "font": {"size": 14},
        },
        type="log",
        range=[np.log10(result.low), np.log10(result.high)],
        tickvals=ticks,
        ticktext=[f"<b>{tick:,g}</b>" for tick in ticks],
        tickfont={"size": 14},
        fixedrange=True,
    )
    figure.update_yaxes(
        range=[len(typed) - 0.5, -0.5],
        tickvals=list(range(len(typed))),
        ticktext=[f"<b>{_short(word)}</b>" for word in typed],
        tickfont={"size": 14},
        fixedrange=True,
        automargin=True,
    )
    # On a touch screen a finger on the figure scrolls the page.
    figure.update_layout(
        barmode="overlay",
        dragmode=False,
        uniformtext={"mode": "hide", "minsize": 14},
        hoverlabel={
            "align": "left",
            "bgcolor": "#16202c",
            "bordercolor": "#ffffff",
            "font": {"size": 15, "color": "#ffffff"},
        },
    )
    figure = framed(figure, height=_ROW_PIXELS * len(typed) + 200)
    # The name of the line stands above it, the legend above both.
    figure.update_layout(margin={"b": 130, "t": 70}, legend={"yref": "container", "y": 0.99})
    figure.update_layout(legend={"yanchor": "top", "font": {"size": 14}})
    figure.update_yaxes(showgrid=False)
    return figure


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
            lines.append(f"drawn on its own at ε = {result.drawn_at[i % len(result.drawn_at)]:.3g}")
        else:
            if begin == 0:
                lines.append("at every smaller ε too")
            else:
                below = i > 0 and result.row[i - 1] == row and f" to <b>{labels[i - 1]}</b>"
                lines.append(f"flips below ε = {begin:.3g}{below or ''}")
            if end == np.inf:
                lines.append("at every larger ε too")
            else:
                above = i < last and result.row[i + 1] == row and f" to <b>{labels[i + 1]}</b>"
                lines.append(f"flips above ε = {end:.3g}{above or ''}")
        said.append("<br>".join(lines))
    return said


def _ticks(low: float, high: float) -> list[float]:
    """At most six round numbers along a logarithmic axis, or one in each power of ten."""
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    for steps in ((1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,)):
        ticks = [float(f"{s}e{p}") for p in powers for s in steps if low <= s * 10.0**p <= high]
        if len(ticks) <= 6:
            break
    return ticks


def _short(label: str) -> str:
    """A label of the axis; entities of markup stay whole."""
    plain = html.unescape(label)
    if len(plain) <= _LONGEST_LABEL:
        return label
    return html.escape(plain[: _LONGEST_LABEL - 1]) + "…"


def framed(figure: go.Figure, height: int = 420) -> go.Figure:
    """The layout that all figures share.

    Set one by one: plotly's `update_*` take five times as long, every time a page is run.
    """
    layout = figure.layout
    layout.height = height
    layout.margin = {"l": 10, "r": 10, "t": 30, "b": 10}
    layout.font.size = 15
    layout.paper_bgcolor = layout.plot_bgcolor = "rgba(0,0,0,0)"
    legend = layout.legend
    legend.orientation, legend.yanchor, legend.y, legend.x = "h", "bottom", 1.0, 0
    legend.font.size = 14
    for axis in (*figure.select_xaxes(), *figure.select_yaxes()):
        axis.showgrid, axis.gridcolor = True, "rgba(128,128,128,.25)"
        axis.tickfont.size, axis.title.font.size = 14, 15
    return figure


def histogram(
    values: ArrayLike,
    name: str,
    title: str,
    worst: tuple[float, str],
    low: float,
    high: float,
    limits: tuple[float, float] | None = None,
) -> tuple[go.Figure, np.ndarray]:
    """A histogram of values (n,), binned here, and the edges of its bars (25,).

    The worst value is marked by name, the 5th and 95th percentile by dashed lines.
    """
    values = np.asarray(values, float)
    start, end = limits or (float(values.min()), float(values.max()))
    edges = np.linspace(start, end if end > start else start + 1, 25)
    figure = _bars(values, edges, name)
    for value, label in ((low, "5 %"), (high, "95 %")):
        figure.add_vline(x=value, line={"color": BOUND_COLOUR, "dash": "dash", "width": 2})
        figure.add_annotation(
            x=value, y=1, yref="paper", yanchor="bottom", text=label, showarrow=False
        )
    in_left_half = worst[0] < (edges[0] + edges[-1]) / 2
    figure.add_annotation(
        x=worst[0],
        y=0,
        text=f"worst: {worst[1]}",
        arrowhead=2,
        arrowcolor=BOUND_COLOUR,
        ax=0,
        ay=-60,
        xanchor="left" if in_left_half else "right",
        bgcolor="rgba(255,255,255,.85)",
        font={"color": "#111111"},
    )
    figure.update_xaxes(title=title, range=[edges[0], edges[-1]])
    figure.update_yaxes(title="words")
    figure.update_layout(showlegend=False, bargap=0)
    return framed(figure, height=340), edges


def over_epsilon(
    epsilons: ArrayLike, bands: Bands, name: str, title: str, epsilon: float
) -> go.Figure:
    """A statistic over all ε: its median, the spread over words, the worst word, the ε at hand."""
    x = np.asarray(epsilons, float)
    line = {"color": COLOURS[name], "width": 3}
    figure = go.Figure()
    figure.add_scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([bands.high, bands.low[::-1]]),
        fill="toself",
        mode="lines",
        line={"width": 0},
        fillcolor=transparent(COLOURS[name], 0.25),
        name="9 of 10 words",
        hoverinfo="skip",
    )
    figure.add_scatter(x=x, y=bands.middle, mode="lines", line=line, name="median word")
    dotted = {**line, "width": 2, "dash": "dot"}
    figure.add_scatter(x=x, y=bands.worst, mode="lines", line=dotted, name="worst word")
    return _on_epsilon(figure, title, epsilon)


def one_over_epsilon(
    epsilons: ArrayLike, values: ArrayLike, name: str, title: str, epsilon: float
) -> go.Figure:
    """One curve over ε."""
    line = {"color": COLOURS[name], "width": 3}
    figure = go.Figure(go.Scatter(x=epsilons, y=values, mode="lines", line=line, name=title))
    figure.update_layout(showlegend=False)
    return _on_epsilon(figure, title, epsilon)


def _on_epsilon(figure: go.Figure, title: str, epsilon: float) -> go.Figure:
    """A figure over a logarithmic ε, with the ε at hand."""
    figure.add_vline(x=epsilon, line={"color": BOUND_COLOUR, "width": 2})
    shown = [x for trace in figure.data for x in (min(trace.x), max(trace.x))]
    ticks = _ticks(min(shown), max(shown))
    figure.update_xaxes(
        title="ε", type="log", tickvals=ticks, ticktext=[f"{tick:,g}" for tick in ticks]
    )
    figure.update_yaxes(title=title, rangemode="tozero")
    return framed(figure, height=340)


def transparent(colour: str, opacity: float) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"


# ------------------------------------------------------------------- neighbourhoods and TEM's ball

# Curves that belong to no mechanism: readable on white and on dark.
NEUTRAL = ("#6b8cae", "#a98467")


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
    figure = go.Figure()
    for row, each, dash in zip(gammas, betas, ("solid", *dashes), strict=False):
        own = each == beta
        positive = row > 0
        figure.add_scatter(
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
    if gamma > 0 and epsilon > 0:
        figure.add_scatter(
            x=[epsilon],
            y=[gamma],
            mode="markers",
            marker={"color": COLOURS["TEM"], "size": 14, "symbol": "diamond"},
            name="chosen",
            hovertemplate="chosen<br>ε = %{x:.4g}<br>γ = %{y:.4g}<extra></extra>",
        )
    for label, distance in marks.items():
        if distance > 0:
            figure.add_hline(y=distance, line={"color": NEUTRAL[0], "width": 1.5, "dash": "dot"})
            figure.add_annotation(
                x=0,
                xref="paper",
                xanchor="left",
                y=np.log10(distance),
                yanchor="bottom",
                text=label,
                showarrow=False,
                font={"size": 13},
            )
    figure.update_xaxes(title="ε", type="log", exponentformat="power", dtick=1)
    figure.update_yaxes(title="γ", type="log", exponentformat="power", dtick=1)
    return framed(figure, height=440)


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
    figure = go.Figure()
    styles = (
        {"color": COLOURS["TEM"], "size": 9, "opacity": 0.75},
        {"color": NEUTRAL[0], "size": 10, "symbol": "diamond-open", "line": {"width": 2}},
    )
    for row, (name, values), style in zip(np.asarray(inside), chance.items(), styles, strict=False):
        values = np.asarray(values, float)
        there = values > 0
        figure.add_scatter(
            x=row[there],
            y=values[there],
            mode="markers",
            marker=style,
            text=[label for label, kept in zip(labels, there, strict=True) if kept],
            hovertemplate="%{text}<br>%{x:,} words in the ball<br>"
            "left with probability %{y:.3g}<extra></extra>",
            name=name,
        )
    first = np.asarray(next(iter(chance.values())), float)
    every = np.concatenate([np.asarray(values, float) for values in chance.values()])
    seen = every[every > 0]
    if bound > 0 and len(seen):
        # At least a decade: points that touch the bound shall look as if they did.
        low, high = min(seen.min() / 1.5, bound / 10), max(seen.max(), bound) * 1.8
        figure.update_yaxes(range=[np.log10(low), np.log10(min(high, 2.0))])
    if bound > 0:
        figure.add_hline(y=bound, line={"color": BOUND_COLOUR, "width": 3, "dash": "dash"})
        _note(figure, 1, np.log10(bound), "bound β", "right", "bottom")
    if first[worst] > 0:
        figure.add_annotation(
            x=np.log10(np.asarray(inside)[0][worst]),
            y=np.log10(first[worst]),
            text=f"worst: {labels[worst]}",
            ax=40,
            ay=45,
            arrowwidth=1.5,
        )
    figure.update_xaxes(title="words in the ball", type="log", exponentformat="power", dtick=1)
    figure.update_yaxes(title="chance to leave it", type="log", exponentformat="power", dtick=1)
    return framed(figure, height=420)


def one_word_by_gamma(
    gamma: ArrayLike,
    leaves: ArrayLike,
    stays: ArrayLike,
    bound: ArrayLike,
    marks: dict[str, float],
) -> go.Figure:
    """For one word, over γ: the chance to leave the ball, the bound on it, the chance to stay."""
    figure = go.Figure()
    rows = (
        ("leaves the ball", leaves, COLOURS["TEM"], "solid", 4),
        ("bound of the theorem", bound, BOUND_COLOUR, "dash", 3),
        ("stays the same word", stays, NEUTRAL[0], "dot", 3),
    )
    for name, values, colour, dash, width in rows:
        figure.add_scatter(
            x=gamma,
            y=values,
            mode="lines",
            line={"color": colour, "dash": dash, "width": width},
            name=name,
            hovertemplate=f"γ = %{{x:.3g}}<br>{name}: %{{y:.3g}}<extra></extra>",
        )
    top = float(np.asarray(gamma)[-1])
    for height, (label, value) in enumerate(marks.items()):
        if 0 <= value <= top:
            figure.add_vline(x=value, line={"color": BOUND_COLOUR, "width": 2})
            _note(figure, value, 0.97 - 0.12 * height, f" {label}", "left", "top", x_paper=False)
    figure.update_xaxes(title="γ", range=[0, top])
    figure.update_yaxes(title="probability", range=[0, 1.02])
    return framed(figure, height=400)


def reach(
    name: str,
    radius: ArrayLike,
    words: ArrayLike,
    density: ArrayLike,
    middle: tuple[float, float, float],
    moved: str,
    gamma: float | None,
) -> go.Figure:
    """Words within ρ of one word, above the distribution of how far it is moved, on one axis.

    `middle` is the 5th, 50th and 95th percentile of that distance: a band through both halves.
    """
    radius, density = np.asarray(radius, float), np.asarray(density, float)
    figure = make_subplots(
        rows=2, cols=1, shared_xaxes=True, row_heights=[0.62, 0.38], vertical_spacing=0.06
    )
    figure.add_scatter(
        x=radius,
        y=words,
        mode="lines",
        line={"color": NEUTRAL[0], "width": 4, "shape": "hv"},
        name="words within ρ",
        hovertemplate="%{y:,} words within %{x:.3g}<extra></extra>",
        row=1,
        col=1,
    )
    figure.add_scatter(
        x=np.sqrt(radius[1:] * radius[:-1]),
        y=density,
        mode="lines",
        line={"color": COLOURS[name], "width": 3},
        fill="tozeroy",
        name=moved,
        hovertemplate=f"{moved} near %{{x:.3g}}<extra></extra>",
        row=2,
        col=1,
    )
    low, median, high = middle
    ends = np.log10(radius[[0, -1]])
    if low > 0 and high > radius[0] and low < radius[-1]:
        figure.add_vrect(
            x0=low, x1=high, fillcolor=COLOURS[name], opacity=0.15, line_width=0, row="all", col=1
        )
    if gamma is not None and gamma > 0:
        figure.add_vline(
            x=gamma, line={"color": COLOURS["TEM"], "dash": "dash", "width": 3}, row="all", col=1
        )
        figure.add_scatter(
            x=[None],
            y=[None],
            mode="lines",
            line={"color": COLOURS["TEM"], "dash": "dash", "width": 3},
            name="TEM's γ",
            row=1,
            col=1,
        )
        inside = np.clip(np.log10(gamma), ends[0] - 1, ends[1] + 1)
        ends = np.array([min(ends[0], inside - 0.05), max(ends[1], inside + 0.05)])
    figure.update_xaxes(type="log", range=list(ends))
    figure.update_xaxes(title="distance ρ", row=2, col=1)
    figure.update_yaxes(
        title="words within ρ", type="log", dtick=1, exponentformat="power", row=1, col=1
    )
    figure.update_yaxes(title="how often", showticklabels=False, row=2, col=1)
    return framed(figure, height=460)


def neighbourhood(
    name: str,
    places: ArrayLike,
    distances: ArrayLike,
    probability: ArrayLike,
    words: list[str],
    labels: list[str],
    texts: int = 40,
) -> go.Figure:
    """A map of words: area by the probability to come out; hollow where that is 0 or unseen.

    `words` go with a click, `labels` are shown: the likeliest and nearest `texts` of them.
    """
    places, probability = np.asarray(places, float), np.asarray(probability, float)
    order = np.lexsort((np.asarray(distances), -probability, np.arange(len(places)) > 0))
    shown = _readable(places, [len(label) for label in labels], order[:texts])
    size = 9 + 34 * np.sqrt(probability / max(probability.max(), 1e-300))
    seen = probability > 0
    figure = go.Figure()
    for there, symbol, legend in ((seen, "circle", "can come out"), (~seen, "circle-open", "not")):
        if not there.any():
            continue
        rows = np.flatnonzero(there)
        figure.add_scatter(
            x=places[rows, 0],
            y=places[rows, 1],
            mode="markers+text",
            marker={
                "size": size[rows],
                "color": COLOURS[name],
                "opacity": 0.65,
                "symbol": symbol,
                "line": {"width": np.where(rows == 0, 3, 1), "color": BOUND_COLOUR},
            },
            text=[labels[i] if shown[i] else "" for i in rows],
            textposition="top center",
            customdata=[[words[i], labels[i], distances[i], probability[i]] for i in rows],
            hovertemplate="<b>%{customdata[1]}</b><br>distance %{customdata[2]:.3f}<br>"
            "comes out with probability %{customdata[3]:.3g}<extra></extra>",
            name=legend,
        )
    figure.update_xaxes(title="first direction", zeroline=False)
    figure.update_yaxes(title="second direction", zeroline=False)
    figure.update_layout(showlegend=False)
    return framed(figure, height=560)


def _readable(places: np.ndarray, lengths: list[int], order: np.ndarray) -> np.ndarray:
    """Which labels to show (k,), in this order, none over another: on a screen as wide as a desk's.

    Labels of 8 pixels a character and 18 high, on a map of 620 by 430.
    """
    span = np.maximum(np.ptp(places, axis=0), 1e-12)
    pixels = (places - places.min(axis=0)) / span * [620, 430]
    shown: list[int] = []
    for i in order:
        width = [4 * (lengths[i] + lengths[j]) for j in shown]
        apart = np.abs(pixels[shown] - pixels[i]) if shown else np.empty((0, 2))
        if ((apart[:, 0] > width) | (apart[:, 1] > 18)).all():
            shown.append(int(i))
    mask = np.zeros(len(places), dtype=bool)
    mask[shown] = True
    return mask


def percentiles(series: dict[str, ArrayLike], levels: tuple[int, ...]) -> go.Figure:
    """Percentiles (5, K) of the distance to the k-th neighbour, one or two embeddings."""
    figure = go.Figure()
    dashes = ("dot", "dash", "solid", "dash", "dot")
    for (name, rows), colour in zip(series.items(), NEUTRAL, strict=False):
        rows = np.asarray(rows, float)
        k = np.arange(1, rows.shape[1] + 1)
        # A thousand points are more than a logarithmic axis can show.
        kept = np.unique(np.rint(np.geomspace(1, len(k), 120)).astype(int)) - 1
        for row, level, dash in zip(rows, levels, dashes, strict=True):
            figure.add_scatter(
                x=k[kept],
                y=row[kept],
                mode="lines",
                line={"color": colour, "dash": dash, "width": 4 if level == 50 else 2.5},
                name=name,
                legendgroup=name,
                showlegend=level == 50,
                hovertemplate=f"{name}, {level} % of words are nearer than %{{y:.3f}}"
                "<br>to their neighbour number %{x}<extra></extra>",
            )
            # The second one's labels stand at the other end, and inside.
            first = colour == NEUTRAL[0]
            if len(series) == 1 or level in (5, 50, 95):
                figure.add_annotation(
                    x=np.log10(k[-1]) if first else 0,
                    y=row[-1] if first else row[0],
                    text=f" {level} %",
                    xanchor="left",
                    yanchor="middle" if first else "bottom",
                    showarrow=False,
                    font={"color": colour, "size": 13},
                )
    figure.update_xaxes(title="k, number of the neighbour", type="log", dtick=1)
    figure.update_yaxes(title="distance to the k-th neighbour", rangemode="tozero")
    figure = framed(figure, height=440)
    figure.update_layout(margin={"r": 50})
    return figure


def unchanged_by_density(
    distance: ArrayLike, unchanged: dict[str, ArrayLike], labels: list[str]
) -> go.Figure:
    """N_w against the distance to the 10th neighbour, a point a word, a colour a mechanism."""
    figure = go.Figure()
    for (name, values), symbol in zip(unchanged.items(), ("circle", "diamond"), strict=False):
        figure.add_scatter(
            x=distance,
            y=values,
            mode="markers",
            marker={"color": COLOURS[name], "size": 9, "symbol": symbol, "opacity": 0.75},
            text=labels,
            hovertemplate=f"%{{text}}<br>10th neighbour at %{{x:.2f}}<br>{name}: stays "
            "with probability %{y:.1%}<extra></extra>",
            name=name,
        )
    figure.update_xaxes(title="distance to the 10th neighbour")
    figure.update_yaxes(title="chance to stay, N_w", range=[-0.02, 1.02], tickformat=".0%")
    return framed(figure, height=440)


def _note(
    figure: go.Figure,
    x: float,
    y: float,
    text: str,
    xanchor: str,
    yanchor: str,
    x_paper: bool = True,
) -> None:
    """Words at the edge of a figure: across it by its width, or along it by its height."""
    figure.add_annotation(
        x=x,
        xref="paper" if x_paper else "x",
        xanchor=xanchor,
        y=y,
        yref="y" if x_paper else "paper",
        yanchor=yanchor,
        text=text,
        showarrow=False,
        font={"size": 13},
    )


# ------------------------------------------------------------------------------- the compare page

DASHES = ("solid", "dash", "dot", "dashdot")
SYMBOLS = ("circle", "diamond", "square", "triangle-up")


def tradeoff(
    curves: dict[str, tuple[str, ArrayLike, ArrayLike, ArrayLike, ArrayLike]],
    points: dict[str, tuple[str, float, float]],
) -> go.Figure:
    """Usefulness against privacy, a curve a column over all ε, and where each column stands.

    `curves` holds for each label the mechanism, and ε, privacy, usefulness and half of the interval
    of usefulness (E,); `points` its mechanism, privacy and usefulness. Curves of one mechanism have
    its colour, and dashes of their own; a point begins its label with its column's number.
    """
    figure = go.Figure()
    for (label, (name, *columns)), dash in zip(curves.items(), DASHES, strict=False):
        epsilons, x, y, error = (np.asarray(column, float) for column in columns)
        if error.any():
            figure.add_scatter(
                x=np.concatenate([x, x[::-1]]),
                y=np.concatenate([y + error, (y - error)[::-1]]),
                fill="toself",
                mode="lines",
                line={"width": 0},
                fillcolor=transparent(COLOURS[name], 0.25),
                showlegend=False,
                hoverinfo="skip",
            )
        figure.add_scatter(
            x=x,
            y=y,
            mode="lines",
            line={"color": COLOURS[name], "width": 4, "dash": dash},
            customdata=epsilons,
            hovertemplate=f"{html.escape(label)}<br>ε = %{{customdata:.3g}}<br>"
            "%{x:.1%} replaced<br>closeness %{y:.3f}<extra></extra>",
            name=html.escape(label),
        )
    for (label, (name, x, y)), symbol in zip(points.items(), SYMBOLS, strict=False):
        figure.add_scatter(
            x=[x],
            y=[y],
            mode="markers+text",
            marker={
                "color": COLOURS[name],
                "size": 15,
                "symbol": symbol,
                "line": {"color": BOUND_COLOUR, "width": 2},
            },
            text=[label.split(" ")[0]],
            textposition="top right",
            showlegend=False,
            hovertemplate=f"{html.escape(label)}, this column<br>%{{x:.1%}} replaced<br>"
            "closeness %{y:.3f}<extra></extra>",
        )
    figure.update_xaxes(
        title="words replaced, 1 − mean N_w (more private →)", range=[-0.02, 1.02], tickformat=".0%"
    )
    figure.update_yaxes(title="closeness kept (more useful →)")
    return framed(figure, height=460)


def small_histogram(
    values: ArrayLike, name: str, title: str, limits: tuple[float, float]
) -> go.Figure:
    """A histogram of values (n,) between limits that several columns share, binned here."""
    values = np.asarray(values, float)
    edges = np.linspace(limits[0], max(limits[1], limits[0] + 1e-9), 16)
    figure = _bars(values, edges, name)
    figure.add_vline(x=values.mean(), line={"color": BOUND_COLOUR, "dash": "dash", "width": 2})
    figure.update_xaxes(title=title, range=list(limits))
    figure.update_yaxes(title="words")
    figure.update_layout(showlegend=False, bargap=0)
    return framed(figure, height=220)


def _bars(values: ArrayLike, edges: np.ndarray, name: str) -> go.Figure:
    """Values counted between edges, in the mechanism's colour."""
    counts, _ = np.histogram(values, edges)
    figure = go.Figure()
    figure.add_bar(
        x=(edges[:-1] + edges[1:]) / 2,
        y=counts,
        width=np.diff(edges) * 0.96,
        marker={"color": COLOURS[name]},
        customdata=np.column_stack([edges[:-1], edges[1:]]),
        hovertemplate="%{customdata[0]:.3g} to %{customdata[1]:.3g}: %{y} words<extra></extra>",
        name="words",
    )
    return figure
