"""The deniability and guarantees pages in Chromium."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import TWO_SCREENS, fits, known_to_the_browser, needs_chromium, settled

pytestmark = [needs_chromium, pytest.mark.browser]


@pytest.mark.parametrize(("width", "height", "scheme"), TWO_SCREENS)
def test_the_histogram_fills_and_an_epsilon_is_chosen_and_used(visit, width, height, scheme):
    page = visit(
        "deniability?mechanism=tem&size=10000&count=50&eps=4", width, height, scheme,
        ready="[data-testid=stPlotlyChart]",
    )  # fmt: skip
    choose = page.get_by_role("button", name=re.compile("^Use ε = "))
    expect(choose).to_be_visible()
    epsilon = re.search(r"[\d.]+", choose.inner_text()).group()
    choose.click()
    expect(page).to_have_url(re.compile(rf"eps={re.escape(epsilon)}\b"))
    fits(page, width)
    assert page.requests_elsewhere == []


def test_a_click_on_a_bar_names_its_words(visit):
    page = visit(
        "deniability?mechanism=tem&size=10000&count=50&eps=4", ready="[data-testid=stPlotlyChart]"
    )
    expect(page.get_by_text("Find ε by your demands")).to_be_visible()
    tallest = page.locator(".barlayer .point path").evaluate_all(
        "bars => bars.map(bar => bar.getBoundingClientRect().height)"
    )
    page.locator(".barlayer .point path").nth(tallest.index(max(tallest))).click(force=True)
    expect(page.get_by_text(re.compile("^In this bar: ")).first).to_be_visible()


def test_a_change_of_epsilon_reaches_all_that_names_it_and_back_and_a_reload_find_it(visit):
    page = visit(
        "deniability?mechanism=tem&size=10000&count=50&eps=4", ready="[data-testid=stPlotlyChart]"
    )
    expect(page.get_by_text("Find ε by your demands")).to_be_visible()
    settled(page)
    page.evaluate("window.loaded = true")
    box = page.get_by_role("textbox", name="ε, exact")

    def follows(epsilon):
        expect(page).to_have_url(re.compile(rf"eps={epsilon}\b"))
        expect(box).to_have_value(epsilon)
        expect(page.get_by_text(f"All 50 words at ε = {epsilon}")).to_be_visible()
        settled(page)
        bar = page.get_by_text(re.compile("film reviews · TEM, ε = "))
        expect(bar).to_contain_text(re.compile(rf"ε = {re.escape(epsilon)}$"))

    follows("4")
    known_to_the_browser(page)
    box.fill("5.5")
    box.press("Enter")
    follows("5.5")
    known_to_the_browser(page)
    page.go_back()
    follows("4")
    known_to_the_browser(page)
    page.go_forward()
    follows("5.5")
    assert page.evaluate("window.loaded")
    with page.expect_download() as words:
        page.get_by_role("button", name="Words (CSV)").click()
    assert ",5.5," in words.value.path().read_text("utf-8-sig").splitlines()[1]
    page.get_by_role("button", name="Share this screen").click()
    expect(page.get_by_text(re.compile(r"deniability\?.*eps=5\.5"))).to_be_visible()
    page.keyboard.press("Escape")
    page.reload()
    follows("5.5")


@pytest.mark.parametrize(("width", "height", "scheme"), TWO_SCREENS)
def test_a_link_to_the_guarantees_page_shows_the_broken_promise_first(visit, width, height, scheme):
    page = visit(
        "guarantees?audited=vickrey-published&audit-words=3000", width, height, scheme,
        ready="[data-testid=stPlotlyChart]",
    )  # fmt: skip
    verdict = page.get_by_role("heading", name=re.compile("Vickrey .* breaks its promise"))
    expect(verdict).to_be_visible()
    assert verdict.bounding_box()["y"] < height
    expect(page.get_by_text("How to read this: holds")).to_be_visible()
    expect(page.get_by_text("Laboratory")).to_be_visible()
    fits(page, width)
