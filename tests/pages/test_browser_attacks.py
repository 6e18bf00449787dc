"""The attacks page in Chromium: the sentence first, and a class that plays by one link."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import TWO_SCREENS, fits, needs_chromium, settled

pytestmark = [needs_chromium, pytest.mark.browser]

GAME = "attacks?mechanism=tem&eps=3.5&size=10000&seed=7&game=1&round=2"


@pytest.mark.parametrize(("width", "height", "scheme"), TWO_SCREENS)
def test_how_many_words_are_named_is_seen_first(visit, width, height, scheme):
    page = visit(
        "attacks?mechanism=tem&eps=3.5&size=10000&seed=3", width, height, scheme,
        ready=".wv-stacks",
    )  # fmt: skip
    finding = page.get_by_role("heading", name=re.compile(r"the adversary guesses \d+ of 21"))
    expect(finding).to_be_visible()
    assert finding.bounding_box()["y"] < height
    named = int(re.search(r"guesses (\d+)", finding.inner_text()).group(1))
    expect(page.locator(".wv-stacks .wv-named")).to_have_count(named)
    expect(page.get_by_text("What word-level privacy does not protect")).to_be_visible()
    fits(page, width)
    assert page.requests_elsewhere == []


def test_a_class_plays_the_same_round_from_two_browsers_opened_by_one_link(visit):
    first, second = (visit(GAME, width=width) for width in (1280, 390))
    sentence = first.locator(".wv-version").inner_text()
    assert second.locator(".wv-version").inner_text() == sentence
    for page, pick in ((first, 0), (second, 1)):
        groups = page.get_by_role("radiogroup")
        expect(groups).to_have_count(4)
        for question in range(4):
            groups.nth(question).locator("label").nth(pick).click()
        page.get_by_role("button", name="These are my guesses").click()
        expect(
            page.get_by_role("heading", name=re.compile("you [0-4], the adversary"))
        ).to_be_visible()
        settled(page)
    solved = [page.locator(".wv-stacks .wv-in").all_inner_texts() for page in (first, second)]
    assert solved[0] == solved[1]
    assert len(solved[0]) == 4
    for page in (first, second):
        page.get_by_role("button", name="Next sentence").click()
        expect(page).to_have_url(re.compile("round=3"))
        expect(page.locator(".wv-version")).not_to_have_text(sentence)
        settled(page)
    third = first.locator(".wv-version").inner_text()
    assert second.locator(".wv-version").inner_text() == third


def test_a_long_attack_is_stopped_and_what_one_release_tells_stays(visit):
    page = visit("attacks?mechanism=cmp&eps=9&size=30000&seed=1", ready=".wv-stacks")
    finding = page.get_by_role("heading", name="the adversary guesses at least")
    expect(finding).to_be_visible()
    found = finding.inner_text()
    page.get_by_role("button", name="Attack all 8 releases").click()
    page.get_by_role("button", name="⏹ Stop").click()
    expect(page.get_by_role("button", name="Attack all 8 releases")).to_be_visible()
    settled(page)
    expect(page.get_by_role("button", name="⏹ Stop")).to_have_count(0)
    assert finding.inner_text() == found
