"""Read off sources and palettes: every figure has words, every colour stands out on both themes."""

import ast
import re
import tomllib

import pytest

from pages.attacks import guesses
from pages.shared import charts, prose
from pages.tradeoff import charts as charts_tradeoff
from tests.test_architecture import HOUSE, calls, in_rooms, offenders

THEME = tomllib.loads((HOUSE / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]


def luminance(colour):
    """The relative luminance of WCAG 2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=1e-3)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_drawn_stands_out_three_to_one_and_text_four_and_a_half(scheme):
    background = THEME[scheme]["backgroundColor"]
    marks = re.findall(r"(?:border-bottom|outline|border-left):[^;]*(#\w{6})", prose.STYLE)
    marks += re.findall(r"border-bottom:[^;]*(#\w{6})", guesses.STYLE)
    assert len(marks) >= 5
    for colour in (*charts.COLOURS.values(), charts.BOUND_COLOUR, *charts.NEUTRAL, *marks):
        assert contrast(colour, background) >= 3, colour
    for name in ("textColor", "linkColor", "primaryColor", "codeTextColor"):
        for ground in (background, THEME[scheme]["secondaryBackgroundColor"]):
            assert contrast(THEME[scheme][name], ground) >= 4.5, name


def test_no_two_mechanisms_share_a_colour():
    assert len(set(charts.COLOURS.values())) == len(charts.COLOURS)


def test_every_figure_and_picture_says_in_words_what_it_shows():
    def silent(file):
        for call in calls(file):
            shows = ("plotly_chart", "figure", "image")
            if isinstance(call.func, ast.Attribute) and call.func.attr in shows:
                words = [keyword.value for keyword in call.keywords if keyword.arg == "alt"]
                if len(words) != 1 or isinstance(words[0], ast.Constant) and not words[0].value:
                    yield ast.unparse(call)[:80]

    assert not offenders(in_rooms("pages"), silent)


def test_no_label_is_hidden_from_the_ear():
    def hidden(file):
        for call in calls(file):
            asked = any(keyword.arg == "label_visibility" for keyword in call.keywords)
            if asked and (not call.args or ast.unparse(call.args[0]) in ("''", '""')):
                yield ast.unparse(call)[:80]

    assert not offenders(in_rooms("pages"), hidden), "a hidden label is still a label"


def test_curves_of_different_mechanisms_differ_in_more_than_colour():
    names = list(charts.COLOURS)
    styles = charts_tradeoff._styles({name: name for name in names})
    for one, other in zip(names, names[1:], strict=False):
        assert styles[one][1] != styles[other][1]
        assert styles[one][2] != styles[other][2]
    twice = charts_tradeoff._styles({"a": "CMP", "b": "CMP"})
    assert twice["a"][0] == twice["b"][0]
    assert twice["a"][1] != twice["b"][1]
