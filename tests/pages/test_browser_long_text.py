"""A long text on Private sentences in Chromium: its drawing is stopped, and goes on."""

import pytest
from playwright.sync_api import expect

from tests.browser import needs_chromium, settled

pytestmark = [needs_chromium, pytest.mark.browser]

LONG = ("the movie was a good one. " * 770)[:20_000]


def test_a_long_draw_is_stopped_and_nothing_is_lost(visit):
    page = visit(
        "perturb?mechanism=n-gram-tem&q=rotten-tomatoes&eps=4&size=10000&versions=20",
        ready=".wv-version",
    )
    box = page.get_by_role("textbox", name="Your text")
    box.fill(LONG)
    box.press("Control+Enter")
    page.get_by_role("button", name="⏹ Stop").click()
    expect(page.get_by_text("no ε was counted for them")).to_be_visible()
    settled(page)
    assert box.input_value() == LONG
    expect(page.locator(".wv-version")).to_have_count(0)
    box.fill("the movie was a good one")
    box.press("Control+Enter")
    expect(page.locator(".wv-version").first).to_be_visible()
    expect(page.get_by_text("no ε was counted for them")).to_have_count(0)
