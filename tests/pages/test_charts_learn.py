"""The figures of the lessons, read as data."""

import numpy as np
import pytest

from pages.learn import charts


def test_two_groups_show_their_counts_the_first_on_top():
    (bars,) = charts.two_groups(("<b>", "other"), (750, 0.2), 1000, "say yes").data
    assert list(bars.x) == [0.2, 750]
    assert list(bars.y) == ["other", "&lt;b&gt;"]
    assert list(bars.text) == ["< 1", "750"]


@pytest.mark.parametrize("epsilon", [0.1, 2.0])
def test_the_promise_is_a_line_above_what_is_told(epsilon):
    distances = np.array([1.0, 4.0])
    told = epsilon * distances / 2
    figure = charts.odds_by_distance(distances, told, ["a", "b"], epsilon, "TEM")
    line, dots = figure.data
    np.testing.assert_allclose(line.y, np.exp(epsilon * np.asarray(line.x)))
    np.testing.assert_allclose(dots.y, np.exp(told))
    assert figure.layout.xaxis.title.text == "distance d to the word typed"
    assert figure.layout.yaxis.type == "log"


def test_only_what_is_sampled_carries_an_interval():
    unchanged = {"CMP": [0.2, 0.9], "TEM": [0.3, 0.8]}
    noise, choice = charts.stays(("a", "b"), unchanged, [0.01, 0.02]).data
    np.testing.assert_allclose(noise.error_y.array, [1, 2])
    assert choice.error_y.array is None
    assert list(choice.text) == ["30 %", "80 %"]


def test_every_word_is_counted_once_on_its_side_of_the_limit():
    values = np.array([0.0, 0.1, 0.5, 0.51, 1.0])
    figure = charts.worst_word(values, 0.5, "mi")
    within, above = figure.data
    assert (sum(within.y), sum(above.y)) == (3, 2)
    assert any("worst: mi" in note.text for note in figure.layout.annotations)
