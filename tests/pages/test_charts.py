"""Figures as data: titles, axes, values."""

import numpy as np
import pytest

from measures.words.dissolution import dissolution
from mechanisms import CMP, TruncatedLaplace
from mechanisms.randomness import seeded_rng
from mechanisms.sampled_path import sampled_path
from pages.shared import charts, dissolve_charts
from tests.toy import TOY

# ------------------------------------------------------------------------- a sentence over all ε

LOW, HIGH = 0.5, 20.0
TYPED = np.array([0, 1, 6, 1])


def dissolve(family, epsilon=3.0, ids=TYPED):
    result = dissolution(family, TOY, ids, LOW, HIGH, seeded_rng(2))
    typed = [TOY.words[i] for i in ids]
    labels = [TOY.words[i] for i in result.released]
    return result, dissolve_charts.dissolve(result, typed, labels, epsilon)


def bars(figure):
    """(row, base, length, label, hover, trace name) of every bar, by row and base."""
    found = []
    for trace in figure.data:
        if trace.type == "bar":
            columns = (trace.y, trace.base, trace.x, trace.text, trace.customdata)
            found += [(*values, trace.name) for values in zip(*columns, strict=True)]
    return sorted(found, key=lambda bar: bar[:2])


@pytest.mark.parametrize("family", [CMP.family(), TruncatedLaplace.family()])
def test_the_bars_of_every_word_cover_the_axis_without_a_gap(family):
    _, figure = dissolve(family)
    for row in range(len(TYPED)):
        mine = [bar for bar in bars(figure) if bar[0] == row]
        assert mine[0][1] == LOW
        for (_, base, length, *_), following in zip(mine, mine[1:], strict=False):
            assert base + length == pytest.approx(following[1], rel=1e-12)
        assert mine[-1][1] + mine[-1][2] == pytest.approx(HIGH, rel=1e-12)


def test_the_widths_and_words_of_the_bars_are_those_of_the_sampled_path():
    _, figure = dissolve(CMP.family())
    path = sampled_path(CMP.family(), TOY, TYPED, 1, seeded_rng(2))
    for row in range(len(TYPED)):
        begin, words = path.steps(row, 0)
        end = np.append(begin[1:], np.inf)
        seen = (begin < HIGH) & (end > LOW)
        mine = [bar for bar in bars(figure) if bar[0] == row]
        lengths = np.minimum(end, HIGH)[seen] - np.maximum(begin, LOW)[seen]
        np.testing.assert_allclose([bar[2] for bar in mine], lengths)
        assert [bar[3] for bar in mine] == [TOY.words[i] for i in words[seen]]


def test_the_typed_word_has_a_pattern_and_the_others_a_colour_by_distance():
    result, figure = dissolve(CMP.family())
    as_typed, other = figure.data[:2]
    assert as_typed.name == "the word as typed"
    assert as_typed.marker.pattern.shape == "."
    assert other.marker.pattern.shape is None
    assert len(as_typed.x) == result.unchanged.sum()
    np.testing.assert_array_equal(other.marker.color, result.distance[~result.unchanged])
    # The empty line keeps the title clear of the numbers below it.
    assert other.marker.colorbar.title.text == "distance from the typed word<br> "


def test_lightness_falls_with_distance_and_labels_keep_their_contrast():
    colours = [
        tuple(int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)) for c in dissolve_charts._NEAR_TO_FAR
    ]
    light = [np.dot([0.2126, 0.7152, 0.0722], np.power(colour, 2.2)) for colour in colours]
    assert (np.diff(light) < 0).all()
    for share, luminance in zip(np.linspace(0, 1, len(light)), light, strict=True):
        ink = 1.0 if share > dissolve_charts._DARK else 0.006
        contrast = (max(ink, luminance) + 0.05) / (min(ink, luminance) + 0.05)
        assert contrast > 4.4


def test_the_axis_is_logarithmic_and_the_rows_are_the_sentence_from_top_to_bottom():
    _, figure = dissolve(CMP.family())
    x, y = figure.layout.xaxis, figure.layout.yaxis
    assert x.type == "log"
    np.testing.assert_allclose(x.range, np.log10([LOW, HIGH]))
    assert "logarithmic" in x.title.text
    assert all(LOW <= tick <= HIGH for tick in x.tickvals)
    assert list(y.ticktext) == [f"<b>{TOY.words[i]}</b>" for i in TYPED]
    assert y.range[0] > y.range[1]


def test_the_line_stands_at_epsilon_and_is_left_out_beyond_the_axis():
    _, figure = dissolve(CMP.family(), 3.0)
    lines = [trace for trace in figure.data if trace.type == "scatter"]
    assert {x for line in lines for x in line.x} == {3.0}
    (label,) = figure.layout.annotations
    assert label.x == pytest.approx(np.log10(3.0))
    assert label.text == "<b>ε = 3</b>"
    for beyond in (0.1, 1e9):
        _, figure = dissolve(CMP.family(), beyond)
        assert not [trace for trace in figure.data if trace.type == "scatter"]
        assert not figure.layout.annotations


def test_pointing_at_a_bar_tells_word_distance_and_where_it_flips():
    _, figure = dissolve(CMP.family())
    for row in range(len(TYPED)):
        mine = [bar for bar in bars(figure) if bar[0] == row]
        for place, (_, base, length, label, hover, name) in enumerate(mine):
            assert f"<b>{label}</b> for “{TOY.words[TYPED[row]]}”" in hover
            assert ("distance" in hover) == (name == "another word")
            if place > 0:
                assert f"changes below ε = {base:.3g} to <b>{mine[place - 1][3]}</b>" in hover
            if place < len(mine) - 1:
                assert f"changes above ε = {base + length:.3g} to <b>{mine[place + 1][3]}" in hover


def test_an_independent_draw_says_at_which_epsilon_it_was_made():
    result, figure = dissolve(TruncatedLaplace.family())
    for _, base, length, _, hover, _ in bars(figure):
        (drawn,) = [e for e in result.drawn_at if base < e < base + length]
        assert f"independent draw at ε = {drawn:.3g}" in hover
        assert "changes" not in hover


def test_a_sentence_that_stays_and_an_empty_scale_are_drawn_too():
    result = dissolution(CMP.family(), TOY, [10], 1e6, 1e8, seeded_rng(2))
    figure = dissolve_charts.dissolve(result, ["lonely"], ["lonely"], 1e7)
    assert result.unchanged.all()
    assert not figure.data[1].marker.showscale


def test_a_long_word_is_cut_on_the_axis_only_and_markup_stays_text():
    result = dissolution(CMP.family(), TOY, [0], 1e6, 1e8, seeded_rng(2))
    figure = dissolve_charts.dissolve(result, ["&lt;b&gt;" * 6], ["origin"], 1e7)
    (label,) = figure.layout.yaxis.ticktext
    assert label == f"<b>{'&lt;b&gt;' * 5}…</b>"


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (5.7, 48, [7, 10, 20, 30]),
        (1.5, 31, [2, 5, 10, 20]),
        (1.5, 1500, [3, 10, 30, 100, 300, 1000]),
        (0.02, 3000, [0.1, 1, 10, 100, 1000]),
    ],
)
def test_an_axis_has_a_few_round_numbers(low, high, ticks):
    assert charts.ticks(low, high) == ticks


def test_on_a_projector_words_of_a_figure_are_as_large_as_its_text():
    def sizes():
        layout = charts.framed([charts.bar(x=[1], y=[1])], xaxis={"title": "students"}).layout
        return (
            layout.legend.font.size,
            layout.xaxis.title.font.size,
            layout.xaxis.tickfont.size,
            layout.font.size,
        )

    before = sizes()
    charts.enlarge(True)
    try:
        assert min(sizes()) >= 21  # pixels, as `look.PROJECTOR` sets the text
    finally:
        charts.enlarge(False)
    assert sizes() == before
