"""The trade-off page in Chromium: the slider turns the order round, wide and narrow."""

import re

import pandas as pd
import pytest
from playwright.sync_api import expect

from measures.sweeps import scores
from tests.browser import SCREENS, fits, needs_chromium, settled
from tests.pages.test_tradeoff_page import ROWS

pytestmark = [needs_chromium, pytest.mark.browser]


@pytest.fixture
def tradeoff(visit):
    """Open the page at a size and in a colour scheme."""

    def open_page(query="", width=1280, height=900, scheme="light"):
        ready = "text=What does privacy cost"
        page = visit(f"tradeoff?{query}", width, height, scheme, ready=ready)
        settled(page)
        return page

    return open_page


def at_alpha(page, key, alpha):
    """Move the slider to an end, and wait for the first sentence to say so."""
    slider = page.get_by_role("slider").first
    slider.focus()
    slider.press(key)
    sentence = page.get_by_role("heading", name=re.compile(f"^With α = {alpha}, "))
    expect(sentence).to_be_visible()
    settled(page)
    return sentence


@pytest.mark.parametrize(("width", "height", "scheme"), SCREENS)
def test_alpha_turns_the_benchmarks_order_round_and_nothing_is_fetched(
    tradeoff, width, height, scheme
):
    page = tradeoff("view=published&table-corpus=imdb", width, height, scheme)
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    expect(at_alpha(page, "Home", 0)).to_contain_text("SanText")
    expect(at_alpha(page, "End", 1)).to_contain_text("Truncated Gumbel")
    expect(page).to_have_url(re.compile("alpha=1.0"))
    fits(page, width)
    assert page.requests_elsewhere == []


def test_rows_of_a_visitors_file_join_the_figure_and_alpha_turns_their_order_round(
    tradeoff, tmp_path
):
    file = tmp_path / "rows.csv"
    pd.DataFrame(ROWS).assign(corpus="mine").to_csv(file, index=False)
    page = tradeoff()
    page.get_by_text("Show the rows of your own sweep").click()
    page.locator("input[type=file]").last.set_input_files(file)
    expect(page.get_by_role("heading", name=re.compile("TEM at ε = 5 leads"))).to_be_visible()
    settled(page)
    expect(at_alpha(page, "Home", 0)).to_contain_text("CMP at ε = 2 leads")
    assert "mine" not in page.url


@pytest.mark.skipif(not scores.SHIPPED.exists(), reason="the standard sweep was not made yet")
def test_alpha_turns_the_order_of_our_own_results_round(tradeoff):
    page = tradeoff("corpus=imdb")
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    first = at_alpha(page, "Home", 0).inner_text().split(",")[1]
    expect(at_alpha(page, "End", 1)).not_to_contain_text(first)


@pytest.mark.parametrize("alpha", [0, 0.5, 1])
def test_on_a_phone_the_name_of_the_leader_is_whole(tradeoff, alpha):
    page = tradeoff(f"alpha={alpha}", 390, 844)
    label = page.locator(".js-plotly-plot .annotation").first.bounding_box()
    plot = page.locator(".js-plotly-plot").first.bounding_box()
    assert label["x"] >= plot["x"]
    assert label["y"] >= plot["y"]
    assert label["x"] + label["width"] <= plot["x"] + plot["width"]
    assert label["y"] + label["height"] <= plot["y"] + plot["height"]
