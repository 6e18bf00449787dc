"""No sentence sounds safer than it is: verdicts on screen state the fact."""

import math
import re

import pytest

from measures.words.odds import swap
from mechanisms import CMP, TEM
from mechanisms.randomness import seeded_rng
from mechanisms.text import private_versions
from pages.perturb import wording
from pages.shared import prose
from tests.app import page, shown, unfolded


def headline(text, mechanism, vocabulary, **choices):
    private = private_versions(text, mechanism, vocabulary, seeded_rng(1), **choices)
    return re.sub("<[^>]*>", "", prose.headline(private))


def test_words_that_came_out_as_typed_are_counted_and_called_so(glove):
    sentence = headline("quiet breakfast hockey", TEM(epsilon=1000.0, gamma=50.0), glove)
    assert sentence == "3 known words were drawn; 3 came out unchanged."
    one = headline("hockey", TEM(epsilon=1000.0, gamma=50.0), glove)
    assert one == "1 known word was drawn; 1 came out unchanged."


def test_versions_that_differ_show_from_which_count_to_which(glove):
    private = private_versions(
        "a quiet breakfast", CMP(epsilon=8.0), glove, seeded_rng(2), versions=20
    )
    same = [sum(p.status == "unchanged" for p in version) for version in private.versions]
    assert min(same) < max(same)
    assert f"{min(same)} to {max(same)} came out unchanged" in prose.headline(private)


@pytest.mark.parametrize(
    ("unknown", "fate"), [("random", "replaced"), ("mask", "masked"), ("drop", "left out")]
)
def test_a_text_that_the_mechanism_cannot_draw_is_not_called_protected(glove, unknown, fate):
    sentence = headline("你好 世界", TEM(epsilon=3.0), glove, unknown=unknown)
    assert "No known word was drawn." in sentence
    assert fate in sentence
    assert "protected" not in sentence


def test_no_headline_calls_all_protected(glove):
    for text in ("hockey", "你好", "the 7 movies, again!", ""):
        for unknown in ("random", "mask", "drop", "keep"):
            said = headline(text, CMP(epsilon=5.0), glove, unknown=unknown)
            assert "are protected" not in said
            assert "is protected" not in said


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_a_bound_on_odds_is_told_as_how_sure_one_can_become(glove, epsilon):
    mechanism, ids = TEM(epsilon=epsilon), glove.ids(["doctor", "nurse"]).tolist()
    found = swap(mechanism.guarantee(glove), glove, *ids)
    text = wording.odds(found, glove).replace("\\", "")
    odds = math.exp(found.log_ratio)
    said = re.search(r"(at most|more than) ([\d.]+) % sure", text)
    limit = round(float(said[2]) / 100, 4)
    if said[1] == "at most":  # rounded up
        assert odds / (1 + odds) <= limit < odds / (1 + odds) + 0.001
    else:
        assert limit == 0.9999 < odds / (1 + odds)
    assert "at most more" not in text
    for judgement in ("strong", "weak", "doubt"):
        assert judgement not in text


def test_what_was_shown_is_not_called_spent_or_out():
    text = shown(page(eps="4"))
    assert "ε of all versions so far: 12 per" in text
    assert "3 versions of your words were shown" in text
    assert "are out" not in text


def test_the_promise_is_in_words_before_its_numbers_and_nothing_is_nothing():
    text = shown(unfolded(page(mechanism="tem"), "closer"))
    assert "**Promised: doubt about which of two close words was typed" in text
    assert text.index("**Promised: doubt") < text.index("no output is more than e^")
    assert "**Promised: nothing.**" in shown(page(mechanism="vickrey", variant="published"))
    assert "except with a small probability δ" in shown(page(mechanism="gaussian"))
