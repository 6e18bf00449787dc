"""Text to safe markup, and numbers as people read them."""

import csv
import dataclasses
import html
import io
import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms import CMP, Vocabulary
from mechanisms.randomness import seeded_rng
from mechanisms.text import Status, private_versions
from pages.attacks import guesses
from pages.perturb import tables as perturb_tables
from pages.shared import downloads, prose


@given(st.text())
def test_escaped_text_holds_no_tag_and_no_control_character(text):
    markup = prose.escaped(text)
    assert not set("<>\"'") & set(markup)
    assert not any(ord(c) < 32 and c not in "\t\n" for c in markup)
    assert html.unescape(markup).translate({0x2400 + i: i for i in range(32)}) == text.translate(
        {0x7F: 0x2421} | {0x2400 + i: i for i in range(32)}
    )


@given(st.text(alphabet="$_*:[]()<>`#\\ab"))
def test_plain_text_holds_no_live_markdown(text):
    marks = set("$_*:[]()<>`#")
    shown = prose.plain(text)
    for i, c in enumerate(shown):
        if c in marks:
            assert shown[i - 1] == "\\"
    assert shown.replace("\\\\", "\0").replace("\\", "").replace("\0", "\\") == text


# What Markdown makes a link of without being asked (GitHub's autolinks, whose rule this is).
AUTOLINK = re.compile(r"https?://[-.\w]|www\.[-.\w]|[-.\w+]@[-\w]+\.", re.IGNORECASE)


@pytest.mark.parametrize("text", ["see http://a.b/c", "HTTPS://a.b", "WWW.a.b", "me@a.b", "x+@a.b"])
def test_an_address_does_not_become_a_link(text):
    shown = prose.plain(text).replace("\\", "")
    assert AUTOLINK.search(text)
    assert not AUTOLINK.search(shown)
    assert shown.replace("\u2060", "") == text


@pytest.mark.parametrize(
    ("log_factor", "words"),
    [
        (0.0, "1.00 times"),
        (math.log(3.101), "3.11 times"),
        (math.log(3.1), "3.10 times"),
        (math.log(45.61), "45.7 times"),
        (math.log(1234.2), "1,235 times"),
        (50.0, "5.2 × 10²¹ times"),
        (math.inf, "any number of times"),
    ],
)
def test_factors_are_rounded_up(log_factor, words):
    assert prose.times(log_factor) == words


@given(st.floats(0, 700))
def test_no_factor_is_shown_smaller_than_it_is(log_factor):
    shown = prose.times(log_factor).removesuffix(" times").replace(",", "")
    if "×" in shown:
        mantissa, power = shown.split(" × 10")
        exponent = int(power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")))
        assert math.log(float(mantissa)) + exponent * math.log(10) >= log_factor - 1e-6
    else:
        assert float(shown) >= math.exp(log_factor) * (1 - 1e-6)


@given(st.floats(1e-300, 1e300))
def test_a_number_rounded_up_is_never_below_itself(value):
    assert float(prose.number_up(value).replace(",", "")) >= value * (1 - 1e-9)


@pytest.mark.parametrize(
    ("probability", "words"),
    [
        (0, "0 %"),
        (1, "100 %"),
        (1e-9, "< 0.01 %"),
        (1 - 1e-9, "> 99.99 %"),
        (0.005, "0.50 %"),
        (0.5, "50.0 %"),
        (0.9953, "99.53 %"),
    ],
)
def test_no_probability_is_rounded_to_never_or_always(probability, words):
    assert prose.percent(probability) == words


NAMES = Vocabulary(["<b>", "safe"], [[0.0], [1.0]])


def test_words_of_a_hostile_vocabulary_are_shown_as_they_are():
    private = private_versions("safe", CMP(epsilon=1e-9), NAMES, seeded_rng(0), versions=30)
    markup = prose.versions_markup(private)
    assert "&lt;b&gt;" in markup
    assert "<b>" not in markup


def test_every_status_that_can_be_seen_has_a_mark_of_its_own():
    seen = set(Status) - {Status.SPACE, Status.DROPPED}
    assert set(prose.MARKS) == seen
    assert len({mark.css for mark in prose.MARKS.values()}) == len(seen)


@pytest.mark.parametrize(
    ("count", "sentence"),
    [
        ("safe", '"wv-headline">1 known word was drawn; 1 came out unchanged.'),
        ("safe,", "never changed: 1 of 2 tokens (dotted frame) is released as typed."),
        ("safe,.", "never changed: 2 of 3 tokens (dotted frame) are released as typed."),
    ],
)
def test_the_headline_counts_what_is_not_protected(count, sentence):
    assert sentence in prose.headline(private_versions(count, CMP(epsilon=1), NAMES, seeded_rng(0)))


@pytest.mark.parametrize("cell", ["=1+1", "+a", "-1+1", "@sum", "\t=1", "\r=1", "\n=1+1", "＝1+1"])
def test_no_cell_of_a_table_runs_as_a_formula(cell):
    table = pd.DataFrame({cell: [cell, "plain = text"]})
    lines = list(csv.reader(io.StringIO(downloads.csv(table).decode("utf-8-sig"), newline="")))
    assert lines == [[f"'{cell}"], [f"'{cell}"], ["plain = text"]]


def test_a_private_text_that_begins_like_a_formula_is_made_text_in_the_table():
    mechanism = CMP(epsilon=1e9)
    private = private_versions("=safe()", mechanism, NAMES, seeded_rng(0), unknown="keep")
    content = downloads.csv(perturb_tables.versions(private, mechanism)).decode("utf-8-sig")
    assert "'=safe()" in content


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("sa\u00adfe", "1 invisible character removed: it can identify the author."),
        ("safe" + "\u200b" * 17, "17 invisible characters removed: they can identify the author."),
        ("safe<br><br>&amp;", "2 HTML tags were left out. 1 HTML entity was decoded."),
        ("safe<br />", "1 HTML tag was left out."),
    ],
)
def test_the_headline_says_what_was_removed(text, sentence):
    markup = prose.headline(private_versions(text, CMP(epsilon=1), NAMES, seeded_rng(0)))
    assert sentence in re.sub(r"</?strong[^>]*>", "", markup)
    assert ('class="wv-invisible"' in markup) == ("invisible" in sentence)


def test_a_word_that_came_out_as_typed_is_not_said_to_be_mistaken():
    private = private_versions("safe qxzzy", CMP(epsilon=1e9), NAMES, seeded_rng(0), unknown="keep")
    markup = guesses.attacked(private, {0: ("other", 0.5, False)})
    assert "✘" not in markup
    assert "= other 50.0 %" in markup
    assert "= as typed" in markup
    changed = dataclasses.replace(private, drawn=np.array([[0], [-1], [-1]]))
    assert "✘ other" in guesses.attacked(changed, {0: ("other", 0.5, False)})
    assert "✔ safe" in guesses.attacked(changed, {0: ("safe", 0.5, True)})
