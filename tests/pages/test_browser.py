"""What a visitor does, done in Chromium: wide and narrow, light and dark."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import (
    SCREENS,
    fits,
    known_to_the_browser,
    needs_chromium,
    sentences,
    settled,
    window,
)

pytestmark = [needs_chromium, pytest.mark.browser]


def type_text(page, text):
    """Type, and wait for the answer: its length moves what is below, also from under a click."""
    box = page.get_by_role("textbox", name="Your text")
    box.fill(text)
    box.press("Control+Enter")
    settled(page)


@pytest.mark.parametrize(("width", "height", "scheme"), SCREENS)
def test_a_visitor_types_a_sentence_and_sees_it_made_private(visit, width, height, scheme):
    page = visit("?mechanism=tem&eps=1000&gamma=50", width, height, scheme)
    type_text(page, "Seven hockey players ate a quiet breakfast")
    expect(page.locator(".wv-version").first).to_have_text(
        "seven hockey players ate a quiet breakfast"
    )
    fits(page, width)


def test_a_text_that_is_typed_at_once_is_there_after_all_runs_of_the_page(browser, address):
    """Not after `visit`, which waits until nothing runs any more."""
    for text in ("winter river", "zebra hockey", "the quiet movie"):
        context = window(browser)
        page = context.new_page()
        page.goto(f"{address}/perturb?mechanism=tem&eps=1000&gamma=50")
        expect(page.locator(".wv-version").first).to_be_visible()
        type_text(page, text)
        expect(page.locator(".wv-version").first).to_have_text(text)
        expect(page.get_by_role("textbox", name="Your text")).to_have_value(text)
        context.close()


@pytest.mark.parametrize(("width", "height", "scheme"), SCREENS)
def test_the_first_private_version_is_within_the_first_screen(visit, width, height, scheme):
    page = visit("perturb", width, height, scheme)
    place = page.locator(".wv-version").first.bounding_box()
    assert place["y"] + place["height"] / 2 < height


def test_moving_epsilon_redraws_and_stands_in_the_link(visit):
    page = visit("?eps=9.9")
    before = sentences(page, 3)
    slider = page.get_by_role("slider").first
    slider.focus()
    slider.press("ArrowRight")
    expect(page.locator(".wv-version").first).not_to_have_text(before[0])
    settled(page)
    epsilon = page.get_by_role("textbox", name="ε, exact").input_value()
    assert float(epsilon) != 9.9
    expect(page).to_have_url(re.compile(rf"eps={re.escape(epsilon)}\b"))


def test_steps_in_quick_succession_all_count(visit):
    page = visit("?mechanism=tem&eps=3.1")
    epsilon = page.get_by_role("textbox", name="ε, exact")
    slider = page.get_by_role("slider").first
    slider.focus()
    slider.press("ArrowRight")
    settled(page)
    begin = epsilon.input_value()
    for _ in range(6):
        slider.press("ArrowRight")
    settled(page)
    assert float(epsilon.input_value()) > float(begin)
    for _ in range(6):
        slider.press("ArrowLeft")
        settled(page)
    assert epsilon.input_value() == begin


def test_draw_again_gives_other_words_and_charges_for_them(visit):
    page = visit("?eps=5&versions=2")
    before = sentences(page, 2)
    expect(page.get_by_text("ε of all versions so far: 10 per")).to_be_visible()
    page.get_by_role("button", name="Draw again").click()
    expect(page.get_by_text("ε of all versions so far: 20 per")).to_be_visible()
    assert sentences(page, 2) != before


def test_the_versions_can_be_downloaded_as_they_stand_on_screen(visit):
    page = visit("?eps=8&versions=4")
    with page.expect_download() as download:
        page.get_by_role("button", name="Table (CSV)").click()
    content = download.value.path().read_text(encoding="utf-8-sig")
    assert len(content.splitlines()) == 5
    for text in sentences(page, 4):
        assert text in content


def test_a_link_is_reproduced_by_another_browser(visit):
    first = visit("?mechanism=tem&eps=3&seed=4&versions=2")
    second = visit(first.url[first.url.index("?") :])
    assert sentences(first, 2) == sentences(second, 2)


def test_two_visitors_never_see_each_others_text(visit):
    first, second = visit("?seed=1"), visit("?seed=1")
    type_text(first, "zebra confidential")
    expect(first.locator(".wv-version").first).not_to_contain_text(sentences(second, 3)[0])
    second.get_by_role("button", name="Draw again").click()
    settled(second)
    assert "zebra" not in second.content()
    assert "zebra" not in first.url


def test_markup_in_a_text_is_left_out_or_shown_and_never_run(visit):
    """Tags of HTML are left out; what only looks like one is text, and shown as text."""
    page = visit("?unknown=keep&mechanism=tem&eps=1000&gamma=50")
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    text = "<zzz onclick=alert(1)> movie $x_y$ :smile: **bold**"
    type_text(page, f"<img src=x onerror=alert(1)>{text}")
    expect(page.locator(".wv-version").first).to_have_text(text)
    assert page.locator(".wv-version img").count() == 0
    assert dialogs == []


def test_no_request_leaves_the_machine(visit):
    page = visit()
    page.get_by_role("button", name="Draw again").click()
    settled(page)
    assert page.requests_elsewhere == []


def test_a_bad_link_says_what_it_ignored(visit):
    page = visit("?eps=-5")
    expect(page.get_by_text("ignored eps=-5: ε must be above 0; got -5.")).to_be_visible()


def test_an_empty_text_says_what_to_do(visit):
    page = visit()
    type_text(page, "")
    expect(page.get_by_text("Type a sentence above")).to_be_visible()


def test_all_400_000_words_are_offered_and_work(visit):
    page = visit("?size=400000&tokens=all&mechanism=tem")
    sentences(page, 3)


@pytest.mark.parametrize(("width", "height", "scheme"), SCREENS)
def test_a_sentence_dissolves_over_all_epsilon_and_exploring_it_asks_the_server_nothing(
    visit, width, height, scheme
):
    page = visit("?eps=7&seed=3", width, height, scheme)
    type_text(page, "my doctor in London said the movie was wonderful")
    page.get_by_text("Show the sentence over all ε").click()
    figure = page.locator(".js-plotly-plot")
    bars = figure.locator(".barlayer .point")
    expect(bars.first).to_be_visible()
    expect(figure.locator(".yaxislayer-above text").first).to_have_text("my")
    assert bars.count() > 9  # a bar a word, and more where it gives way
    settled(page)
    sent = []
    network = page.context.new_cdp_session(page)
    network.on("Network.webSocketFrameSent", lambda frame: sent.append(frame))
    network.send("Network.enable")
    widest = max(bars.all(), key=lambda bar: bar.bounding_box()["width"])
    widest.scroll_into_view_if_needed()
    widest.hover(force=True)
    expect(figure.locator(".hoverlayer")).to_contain_text(re.compile("changes|at every"))
    assert sent == []
    fits(page, width)
    assert page.requests_elsewhere == []
    page.get_by_role("button", name="Another draw over all ε").click()
    expect(page.get_by_text("2 sentences shown over all ε")).to_be_visible()
    assert sent  # what asks the server is seen


@pytest.mark.parametrize(("typed", "epsilon"), [("1,5", "1.5"), ("0.25", "0.25")])
def test_a_comma_typed_key_by_key_into_the_box_of_epsilon_is_a_point(visit, typed, epsilon):
    page = visit("?eps=9.9&versions=1")
    box = page.get_by_role("textbox", name="ε, exact")
    box.click()
    box.press("Control+a")
    box.press_sequentially(typed)
    box.press("Enter")
    expect(page).to_have_url(re.compile(rf"eps={re.escape(epsilon)}\b"))
    expect(box).to_have_value(epsilon)


def test_what_is_no_number_is_refused_beside_the_box(visit):
    page = visit("?eps=9.9&versions=1")
    box = page.get_by_role("textbox", name="ε, exact")
    box.fill("1,000")
    box.press("Enter")
    expect(
        page.get_by_text("can be read in two ways: write 1.000 or 1000. It is still 9.9.")
    ).to_be_visible()
    expect(page).to_have_url(re.compile(r"eps=9\.9\b"))


def test_the_way_back_and_forth_shows_the_same_draws_and_charges_nothing(visit):
    page = visit("?eps=4&versions=1")
    first = sentences(page, 1)
    box = page.get_by_role("textbox", name="ε, exact")
    box.fill("5")
    box.press("Enter")
    expect(page.get_by_text("ε of all versions so far: 9 per")).to_be_visible()
    settled(page)
    second = sentences(page, 1)
    known_to_the_browser(page)
    page.go_back()
    expect(box).to_have_value("4")
    settled(page)
    assert sentences(page, 1) == first
    known_to_the_browser(page)
    page.go_forward()
    expect(box).to_have_value("5")
    settled(page)
    assert sentences(page, 1) == second
    expect(page.get_by_text("ε of all versions so far: 9 per")).to_be_visible()


def test_invisible_characters_are_removed_and_said_in_red(visit):
    page = visit("?mechanism=tem&eps=1000&gamma=50&versions=1")
    type_text(page, "a quiet\u200b break\u00adfast\u2060")
    said = page.get_by_text("3 invisible characters removed: they can identify the author.")
    expect(said).to_be_visible()
    assert said.evaluate("e => getComputedStyle(e).color") == "rgb(196, 38, 46)"
    assert sentences(page, 1) == ["a quiet breakfast"]
