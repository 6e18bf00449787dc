"""The Compare page in Chromium: what a teacher does with it, and the script that is downloaded."""

import csv
import io
import os
import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from tests.browser import ROOT, SCREENS, fits, needs_chromium, sentences, settled

pytestmark = [needs_chromium, pytest.mark.browser]


@pytest.fixture
def compare(visit):
    """Open the Compare page at a size and in a colour scheme, once every column is there."""

    def open_page(query="", width=1280, height=900, scheme="light"):
        page = visit(f"compare?size=10000{query}", width, height, scheme)
        expect(page.get_by_text("How to read this: every point of a curve")).to_be_visible()
        expect(page.get_by_text("is being computed")).to_have_count(0)
        settled(page)
        return page

    return open_page


def downloaded(page, name):
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    return download.value.path()


@pytest.mark.parametrize(("width", "height", "scheme"), SCREENS)
def test_two_mechanisms_stand_at_equal_privacy_and_nothing_is_fetched(
    compare, width, height, scheme
):
    page = compare("&versions=1", width, height, scheme)
    sentences(page, 2)
    expect(page.get_by_role("row", name=re.compile("mean N_w 50.0 %"))).to_be_visible()
    fits(page, width)
    assert page.requests_elsewhere == []


def test_the_downloaded_script_prints_what_is_on_screen_and_in_the_table(compare, tmp_path):
    page = compare("&seed=11&versions=2&columns=3")
    shown = sentences(page, 6)
    table = downloaded(page, "All of this (CSV)").read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table)))
    file = tmp_path / "compare.py"
    file.write_bytes(downloaded(page, "As a Python script").read_bytes())
    run = subprocess.run(
        [sys.executable, str(file)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    )
    again = list(csv.DictReader(io.StringIO(run.stdout)))
    assert [row["private text"] for row in again] == shown
    for column in ("column", "version", "mechanism", "private text"):
        assert [row[column] for row in again] == [row[column] for row in rows]
    for column in ("words kept", "distance moved"):
        assert [float(row[column]) for row in again] == pytest.approx(
            [float(row[column]) for row in rows]
        )


def test_a_link_is_reproduced_by_another_browser(compare):
    first = compare("&seed=3&column-2=santext;eps=2.5&compare-by=own&column-1=cmp;eps=7")
    second = compare("&" + first.url[first.url.index("?") + 1 :].replace("size=10000&", ""))
    assert sentences(first, 6) == sentences(second, 6)


def test_moving_the_target_redraws_and_leaves_a_pinned_column(compare):
    page = compare("&versions=1")
    page.get_by_role("button", name="Pin").first.click()
    expect(page.get_by_role("button", name="Unpin")).to_be_visible()
    before = sentences(page, 2)
    settled(page)
    slider = page.get_by_role("slider").first
    for _ in range(4):
        slider.focus()
        last = sentences(page, 2)[1]
        slider.press("ArrowRight")
        expect(page.locator(".wv-version").nth(1)).not_to_have_text(last)
        settled(page)
    assert sentences(page, 2)[0] == before[0]
    expect(page).to_have_url(re.compile("kept-words=5[0-9]"))


def test_semantic_closeness_is_computed_on_request(compare):
    page = compare("&versions=1")
    row = page.get_by_role("row", name=re.compile("semantic closeness"))
    expect(row).to_contain_text("not computed")
    page.get_by_role("button", name="Semantic closeness").click()
    expect(row).to_contain_text(re.compile(r"-?\d\.\d\d"))


def test_a_column_opens_on_the_page_of_private_sentences(compare):
    page = compare("&column-2=tem;beta=0.02")
    page.get_by_role("button", name="✍️ Open").nth(1).click()
    expect(page.get_by_role("heading", name="Private sentences")).to_be_visible()
    settled(page)
    expect(page).to_have_url(re.compile("mechanism=tem"))
    expect(page).to_have_url(re.compile("beta=0.02"))
