"""A visitor's file after a reload of the tab, in Chromium; another browser sees nothing of it."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser import needs_chromium, settled, window
from tests.pages.test_browser_data import TABLE, upload

pytestmark = [needs_chromium, pytest.mark.browser]

BAR = re.compile(r"guests\.csv · text · 20 rows · TEM, ε = 4")


def test_a_reload_of_the_tab_finds_the_file_and_its_count_again(visit, browser, tmp_path):
    (tmp_path / "guests.csv").write_text(TABLE, encoding="utf-8")
    page = visit("your_data?size=10000&mechanism=tem&eps=4", ready="[data-testid=stFileUploader]")
    upload(page, tmp_path / "guests.csv")
    page.get_by_role("button", name=re.compile("Test: which words would stay")).click()
    expect(page.get_by_text("One draw of every text")).to_be_visible()
    settled(page)
    page.reload()
    expect(page.get_by_text(BAR)).to_be_visible()
    expect(page.get_by_text("One draw of every text")).to_be_visible()
    expect(page.get_by_text("(1 version of your words")).to_be_visible()
    page.goto(page.url.split("your_data")[0] + "deniability")
    expect(page.get_by_text(BAR)).to_be_visible()
    assert "guests" not in page.url
    token = page.evaluate("sessionStorage.getItem('wordveil')")
    assert re.fullmatch("[0-9a-f]{32}", token)
    other = window(browser).new_page()
    other.goto(page.url)
    expect(other.get_by_text("example: film reviews")).to_be_visible()
    settled(other)
    expect(other.get_by_text(re.compile("guests"))).to_have_count(0)
    other.context.close()


def test_a_figure_is_saved_as_svg_from_its_menu(visit):
    page = visit("gamma?size=10000", ready="[data-testid=stPlotlyChart] .main-svg")
    settled(page)
    figure = page.locator("[data-testid=stPlotlyChart]").first
    figure.hover()
    with page.expect_download() as download:
        figure.locator("[data-attr=toImage], [data-title^='Download plot']").first.click()
    assert download.value.suggested_filename.endswith(".svg")
    assert download.value.path().read_text(encoding="utf-8").lstrip().startswith("<svg")
    with page.expect_download() as download:
        page.get_by_role("button", name="Data of the figures on this page").click()
    data = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert data["provenance"]["vocabulary size"] == "10000"
    assert len(data["figures"]) == page.locator("[data-testid=stPlotlyChart]").count()
