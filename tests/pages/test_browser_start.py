"""The front door: the start page, its doors, links of the time before it, and one press of Back."""

import re

import pytest
from playwright.sync_api import expect

from pages.shared.seal import seal
from tests.browser import (
    TWO_SCREENS,
    fits,
    known_to_the_browser,
    needs_chromium,
    sentences,
    settled,
)

pytestmark = [needs_chromium, pytest.mark.browser]

PRIVATE = re.compile(r"/perturb\?")


def at_start(visit, *screen):
    return visit("", *screen, ready="h1")


@pytest.mark.parametrize(("width", "height", "scheme"), TWO_SCREENS)
def test_the_first_screen_says_what_this_is_and_has_three_doors(visit, width, height, scheme):
    page = at_start(visit, width, height, scheme)
    expect(page.get_by_role("heading", name="WordVeil")).to_be_visible()
    expect(page.get_by_text("replaces the words of a text at random")).to_be_visible()
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    for door in ("Learn it", "Try a sentence", "Make a file private"):
        expect(page.get_by_role("link", name=door)).to_be_visible()
    fits(page, width)
    assert page.requests_elsewhere == []


def test_words_give_way_while_epsilon_moves(visit):
    page = at_start(visit)
    slider = page.get_by_role("slider", name="ε")
    slider.focus()
    slider.press("End")
    expect(page.get_by_text("9 of 9 words")).to_be_visible()
    faithful = sentences(page, 1)[0]
    slider.press("Home")
    expect(page.get_by_text("9 of 9 words")).to_have_count(0)
    settled(page)
    assert sentences(page, 1)[0] != faithful
    assert "?" not in page.url


@pytest.mark.parametrize(
    ("door", "path"),
    [("Learn it", "/learn"), ("Try a sentence", "/perturb"), ("Make a file", "/your_data")],
)
def test_every_door_opens_and_back_takes_one_press(visit, door, path):
    page = at_start(visit)
    page.get_by_role("link", name=door).click()
    expect(page).to_have_url(re.compile(rf"{path}\?"))
    settled(page)
    page.go_back()
    expect(page.get_by_role("heading", name="WordVeil")).to_be_visible()


def test_a_menu_has_more_than_one_entry(visit):
    page = at_start(visit)
    menus = page.locator("[data-testid=stTopNavSection]")
    for position in range(menus.count()):
        menus.nth(position).click()
        expect(page.locator("[data-testid=stTopNavPopover] a").nth(1)).to_be_visible()
        page.keyboard.press("Escape")


LINKS = {
    "mechanism=tem&eps=4.375&gamma=6.5": {"γ": "6.5", "ε, exact": "4.375"},
    "mechanism=mahalanobis&lam=0.5&eps=9&size=10000": {"λ": "0.5", "ε, exact": "9"},
    "mechanism=vickrey&variant=published&t=0.25&eps=7&tokens=all": {"t": "0.25"},
    "eps=9.5&embedding=glove-6b-50d&size=30000&case=as-typed&unknown=mask&seed=3": {
        "ε, exact": "9.5"
    },
}


@pytest.mark.parametrize("query", LINKS)
def test_a_link_of_today_without_a_path_opens_private_sentences_with_its_settings(visit, query):
    page = visit(f"?versions=2&{query}")
    expect(page).to_have_url(PRIVATE)
    sentences(page, 2)
    for name, value in LINKS[query].items():
        expect(page.get_by_role("textbox", name=name, exact=True)).to_have_value(value)
    for setting in query.split("&"):
        name, value = setting.split("=")
        expect(page).to_have_url(re.compile(rf"\b{name}={re.escape(value)}\b"))
    expect(page.get_by_text("This link")).to_have_count(0)


def test_a_sealed_link_and_one_with_a_text_open_what_they_opened(visit):
    secret = seal({"eps": "4.375", "hide": "eps", "lock": "1"})
    page = visit(f"?mechanism=tem&seed=3&sealed={secret}")
    expect(page.get_by_text("ε of all versions so far: hidden")).to_be_visible()
    assert "4.375" not in page.content()
    page = visit("?text=a+quiet+breakfast&eps=9")
    expect(page.get_by_role("textbox", name="Your text")).to_have_value("a quiet breakfast")


def test_a_wrong_value_in_an_old_link_is_named(visit):
    page = visit("?eps=-5")
    expect(page).to_have_url(PRIVATE)
    expect(page.get_by_text("ignored eps=-5")).to_be_visible()


def test_an_emptied_gamma_is_the_theorems_again_and_back_takes_the_own_one(visit):
    page = visit("perturb?mechanism=tem&eps=3.5&gamma=4")
    box = page.get_by_role("textbox", name="γ", exact=True)
    expect(box).to_have_value("4")
    known_to_the_browser(page)
    box.fill("")
    box.press("Enter")
    expect(page).not_to_have_url(re.compile("gamma="))
    expect(box).to_have_value("")
    assert float(box.get_attribute("placeholder")) > 4
    settled(page)
    known_to_the_browser(page)
    page.go_back()
    expect(box).to_have_value("4")
