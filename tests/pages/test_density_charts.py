"""Figures of neighbourhoods and of TEM's ball, tested as data."""

import numpy as np
import pytest

from measures.words import ball, density
from mechanisms import CMP, TEM
from pages.gamma import charts as charts_gamma
from pages.neighbours import charts as charts_neighbours
from pages.shared import charts
from tests.toy import TOY


def named(figure):
    return {trace.name: trace for trace in figure.data}


def test_the_chosen_gamma_lies_on_its_curve():
    found = ball.solve("gamma", 4.0, 0.02, 0.0, 900)
    curves = ball.gamma_curves(found)
    figure = charts_gamma.gamma_curves(
        curves.epsilon, curves.gamma, curves.beta, (4.0, 0.02, found.gamma), {"near": 1.5}
    )
    traces = named(figure)
    assert set(traces) == {"β = 0.02", "β = 0.1", "β = 0.001", "β = 1e-06", "chosen"}
    own = traces["β = 0.02"]
    assert np.interp(4.0, own.x, own.y) == pytest.approx(found.gamma, rel=0.01)
    assert own.line.color == charts.COLOURS["TEM"]
    assert [a.text for a in figure.layout.annotations] == ["near"]
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"


def test_words_that_never_leave_have_no_point_and_the_bound_is_on_the_axis():
    words = np.arange(len(TOY))
    found = ball.balls(TOY, words, 3.0, 3.0)
    figure = charts_gamma.leaving(
        [found.inside], {"theorem": found.leaving}, 0.5, list(TOY.words), found.worst
    )
    (trace,) = figure.data
    assert len(trace.x) == np.count_nonzero(found.leaving)
    assert 10 ** figure.layout.yaxis.range[1] > 0.5
    texts = {a.text for a in figure.layout.annotations}
    assert f"worst: {TOY.words[found.worst]}" in texts


def test_nothing_is_drawn_where_no_word_leaves():
    figure = charts_gamma.leaving([[12, 12]], {"theorem": [0.0, 0.0]}, 0.0, ["a", "b"], 0)
    assert len(figure.data[0].x) == 0


def test_one_word_by_gamma_has_its_three_curves_and_marks_within_the_axis():
    curve = ball.by_gamma(TOY, 0, 2.0)
    figure = charts_gamma.one_word_by_gamma(
        curve.gamma, curve.leaving, curve.unchanged, curve.bound, {"own": 2.0, "far": 1e9}
    )
    assert set(named(figure)) == {"ball left", "bound on leaving", "word unchanged"}
    assert [a.text.strip() for a in figure.layout.annotations] == ["own"]


@pytest.mark.parametrize("mechanism", [CMP(epsilon=2.0), TEM(epsilon=2.0)])
def test_reach_counts_words_above_and_movement_below_on_one_axis(mechanism):
    found = density.reach(mechanism, TOY, 0, np.random.default_rng(0))
    figure = charts_neighbours.reach(
        mechanism.name,
        found.radius,
        found.words,
        found.density,
        (found.low, found.median, found.high),
        "moved",
        2.5,
    )
    traces = named(figure)
    assert traces["words within ρ"].y[-1] == len(TOY)
    assert traces["moved"].line.color == charts.COLOURS[mechanism.name]
    assert "TEM's γ" in traces
    assert figure.layout.xaxis.type == figure.layout.xaxis2.type == "log"
    assert figure.layout.xaxis.matches == "x2"


def test_a_gamma_that_does_not_exist_is_not_drawn():
    found = density.reach(CMP(epsilon=2.0), TOY, 0, np.random.default_rng(0))
    middle = (found.low, found.median, found.high)
    figure = charts_neighbours.reach(
        "CMP", found.radius, found.words, found.density, middle, "noise", 0.0
    )
    assert "TEM's γ" not in named(figure)


def test_the_area_on_the_map_is_the_probability_and_clicks_carry_the_word():
    near = density.neighbourhood(TOY, 0, 4)
    chance = np.array([0.64, 0.16, 0.0, 0.04, 0.0])
    figure = charts_neighbours.neighbourhood(
        "CMP", near.places, near.distances, chance, list("vwxyz"), ["&lt;v", "w", "x", "y", "z"]
    )
    traces = named(figure)
    sizes = np.array(traces["can come out"].marker.size) - 9
    np.testing.assert_allclose(sizes / sizes[0], [1, 0.5, 0.25])
    assert traces["not"].marker.symbol == "circle-open"
    assert [c[0] for c in traces["can come out"].customdata] == ["v", "w", "y"]
    assert traces["can come out"].text[0] == "&lt;v"


def test_labels_of_a_map_do_not_lie_over_one_another_and_the_first_is_always_there():
    places = np.array([[0, 0], [0.01, 0], [5, 5], [5.01, 5], [-5, 5]])
    shown = charts_neighbours._readable(places, [5, 5, 5, 5, 5], np.arange(5))
    assert list(shown) == [True, False, True, False, True]


def test_percentiles_are_read_off_at_every_k_that_is_drawn():
    found = density.neighbour_distances(TOY, np.arange(len(TOY)))
    figure = charts_neighbours.percentiles({"toy": found.percentiles}, density.PERCENTILES)
    assert len(figure.data) == 5
    for trace, row in zip(figure.data, found.percentiles, strict=True):
        np.testing.assert_array_equal(trace.y, row[np.array(trace.x) - 1])
    assert {a.text.strip() for a in figure.layout.annotations} == {
        "5 %",
        "20 %",
        "50 %",
        "80 %",
        "95 %",
    }


def test_a_second_embedding_has_a_colour_of_its_own():
    rows = np.arange(50.0).reshape(5, 10)
    figure = charts_neighbours.percentiles({"one": rows, "two": rows + 1}, density.PERCENTILES)
    colours = {trace.name: trace.line.color for trace in figure.data}
    assert len(set(colours.values())) == 2
    assert not set(colours.values()) & set(charts.COLOURS.values())
    assert sum(trace.showlegend for trace in figure.data) == 2


def test_n_w_by_density_has_the_colours_of_the_mechanisms_and_different_symbols():
    figure = charts_neighbours.unchanged_by_density(
        [1, 2], {"CMP": [0.1, 0.9], "TEM": [0.2, 0.8]}, ["a", "b"]
    )
    cmp, tem = figure.data
    assert (cmp.marker.color, tem.marker.color) == (charts.COLOURS["CMP"], charts.COLOURS["TEM"])
    assert cmp.marker.symbol != tem.marker.symbol
