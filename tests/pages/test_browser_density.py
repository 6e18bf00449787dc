"""The neighbours and the γ page in Chromium: wide and narrow, light and dark."""

import pytest
from playwright.sync_api import expect

from tests.browser import TWO_SCREENS, fits, needs_chromium, settled

pytestmark = [needs_chromium, pytest.mark.browser]


@pytest.fixture
def open_page(visit):
    """Open a page of the app by a link, once its first figure is there."""

    def open_page(link, width=1280, height=900, scheme="light"):
        return visit(link, width, height, scheme, ready=".js-plotly-plot")

    return open_page


def value_of(page, label):
    return page.get_by_label(label, exact=True).first.input_value()


@pytest.mark.parametrize(("width", "height", "scheme"), TWO_SCREENS)
@pytest.mark.parametrize(("link", "charts"), [("gamma", 3), ("neighbours?size=10000", 4)])
def test_a_page_stands_on_every_screen_and_asks_no_other_host(
    open_page, link, charts, width, height, scheme
):
    page = open_page(link, width, height, scheme)
    expect(page.locator(".js-plotly-plot")).to_have_count(charts)
    fits(page, width)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert page.requests_elsewhere == []


def test_a_click_on_a_word_of_the_map_walks_there_and_back(open_page):
    page = open_page("neighbours?size=10000&map-words=30")
    assert value_of(page, "Word") == "movie"
    # The last point drawn lies over all others.
    point = page.locator(".js-plotly-plot").nth(1).locator("path.point").last
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    word = page.get_by_label("Word", exact=True).first
    expect(word).not_to_have_value("movie")
    there = word.input_value()
    expect(
        page.get_by_role("heading", name=f"A map of the neighbourhood of {there}")
    ).to_be_visible()
    settled(page)
    page.get_by_role("button", name="↩ Back").click()
    expect(word).to_have_value("movie")
    assert there not in page.url


def test_a_typed_word_is_found_and_the_figures_follow(open_page):
    page = open_page("neighbours?size=10000")
    word = page.get_by_label("Word", exact=True).first
    word.fill("hockey")
    word.press("Enter")
    expect(page.get_by_role("heading", name="A map of the neighbourhood of hockey")).to_be_visible()


def test_the_tables_can_be_downloaded(open_page):
    page = open_page("neighbours?size=10000")
    expect(page.locator(".js-plotly-plot")).to_have_count(4)
    names = ("Map (CSV)", "Percentiles (CSV)", "All of these words (CSV)", "N_w by density (CSV)")
    for name, rows in zip(names, (61, 1000, 1000, 120), strict=True):
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        lines = download.value.path().read_text(encoding="utf-8-sig").splitlines()
        assert len(lines) == rows + 1, name


def test_the_theorem_is_answered_again_when_a_number_changes(open_page):
    page = open_page("gamma?theorem-words=1000&theorem-eps=10&theorem-beta=0.01")
    expect(page.get_by_role("heading", name="γ = 2.301")).to_be_visible()
    epsilon = page.get_by_role("textbox", name="ε")
    epsilon.fill("5")
    epsilon.press("Enter")
    expect(page.get_by_role("heading", name="γ = 4.601")).to_be_visible()
    assert "theorem-eps=5.0" in page.url
    page.get_by_text("Why: step by step, with these numbers").click()
    expect(page.locator(".katex").first).to_be_visible()


def test_settings_stay_on_the_way_to_another_page(open_page):
    page = open_page("neighbours?size=10000&mechanism=tem&eps=3.25")
    page.get_by_role("button", name="Laboratory").click()
    page.get_by_text("Private sentences").first.click()
    expect(page.locator(".wv-version").first).to_be_visible()
    settled(page)
    assert page.get_by_role("textbox", name="ε, exact").input_value() == "3.25"
    assert "mechanism=tem" in page.url
