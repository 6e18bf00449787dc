"""The lessons and the links of a class, in Chromium."""

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
from tests.student import choose, numbers

pytestmark = [needs_chromium, pytest.mark.browser]

PROGRESS = "text=Checks passed"
CHECKS = {0: 3, 1: 2, 2: 3, 3: 3, 5: 3}


def press(page, name):
    """Press a button that leads elsewhere, and wait until the screen with it is gone."""
    button = page.get_by_role("button", name=name)
    button.click()
    expect(button).to_have_count(0)
    settled(page)


def questions(page):
    return page.locator("[data-testid=stRadio]")


def answer(page, number):
    """Answer a question as the student does, and see that it is right."""
    group = questions(page).nth(number).get_by_role("radiogroup")
    expect(group.locator("label").nth(2)).to_be_visible()
    labels = [label.strip() for label in group.locator("label").all_inner_texts()]
    group.get_by_text(choose(group.get_attribute("aria-label"), labels), exact=True).click()
    settled(page)
    expect(page.get_by_text("Right.", exact=True)).to_have_count(number + 1)


def finding(page):
    """What stands above the histogram; it is also the figure's description."""
    return page.get_by_text(re.compile("^At ε = .* a word is unchanged")).first


def move(page, slider, key):
    before = finding(page).inner_text()
    slider.press(key)
    expect(finding(page)).not_to_have_text(before)
    settled(page)


def find_epsilon(page):
    """Go left until no word stays more than half of the time, then try one step to the right."""
    slider = page.get_by_role("slider", name="ε of CMP")
    sentence = finding(page)

    def worst():
        return numbers(sentence.inner_text().split("the worst")[1])[0]

    slider.focus()
    while worst() > 50:
        move(page, slider, "ArrowLeft")
    page.get_by_role("button", name="This one").click()
    expect(page.get_by_text("Right.", exact=True)).to_have_count(1)


def test_a_student_passes_all_lessons(visit):
    page = visit("learn?worst-eps=5.6", ready=PROGRESS)
    for lesson in range(6):
        expect(page.get_by_role("button", name="Keep my guess")).to_be_visible()
        if questions(page).count():
            questions(page).get_by_role("radiogroup").locator("label").first.click()
            settled(page)
        press(page, "Keep my guess")
        press(page, "Check what I know")
        if lesson == 4:
            find_epsilon(page)
            told = re.search(
                r"at ε = ([\d.]+)",
                questions(page).get_by_role("radiogroup").get_attribute("aria-label"),
            )
            slider = page.get_by_role("slider", name="ε of CMP")
            slider.focus()
            while f"At ε = {told[1]} " not in finding(page).inner_text():
                move(page, slider, "ArrowRight")
            breaking = re.search(r"(\d+) of the 100", finding(page).inner_text())[1]
            questions(page).get_by_text(breaking, exact=True).click()
            settled(page)
        else:
            for number in range(CHECKS[lesson]):
                answer(page, number)
        expect(page.locator(PROGRESS)).to_contain_text(re.compile(rf"(✓.*){{{lesson + 1}}}"))
        if lesson < 5:
            press(page, f"Lesson {lesson + 1}")
    with page.expect_download() as download:
        page.get_by_role("button", name="My hand-out").click()
    paper = download.value.path().read_text(encoding="utf-8")
    assert paper.count("(right)") == 16
    assert page.requests_elsewhere == []


@pytest.mark.parametrize(("width", "height", "scheme"), TWO_SCREENS)
@pytest.mark.parametrize(
    "query", ["lesson=0&step=try", "lesson=1&step=try", "lesson=3&step=try", "lesson=5&step=check"]
)
def test_a_lesson_fits_the_screen(visit, query, width, height, scheme):
    page = visit(f"learn?{query}", width, height, scheme, ready=PROGRESS)
    fits(page, width)
    if width > 1000 and "lesson=0" not in query:  # a map is tall
        button = page.get_by_role("button", name="My hand-out").bounding_box()
        assert button["y"] + button["height"] < 720


def test_darts_are_thrown_beside_the_map_and_the_notebook_outlives_a_reload(visit):
    page = visit("learn", ready=PROGRESS)
    questions(page).get_by_role("radiogroup").locator("label").first.click()
    settled(page)
    press(page, "Keep my guess")
    expect(page.get_by_role("heading", name="Words are points")).to_be_focused()
    page.get_by_role("button", name="100 more").click()
    expect(page.get_by_text("Of 100 darts")).to_be_visible()
    page.get_by_role("button", name="Throw one").click()
    expect(page.get_by_text("Of 101 darts")).to_be_visible()
    expect(page.get_by_text("You guessed")).to_be_visible()
    settled(page)
    page.reload()
    expect(page.locator(PROGRESS)).to_be_visible()
    settled(page)
    page.get_by_role("button", name="100 more").click()
    expect(page.get_by_text("You guessed")).to_be_visible()
    other = visit("learn?step=try", ready=PROGRESS)  # another tab, another student
    other.get_by_role("button", name="100 more").click()
    expect(other.get_by_text("Of 100 darts")).to_be_visible()
    expect(other.get_by_text("You guessed")).to_have_count(0)


def test_on_a_phone_the_two_epsilons_follow_each_other_below_the_words(visit):
    page = visit("learn?lesson=3&step=try", 390, 844, ready=PROGRESS)
    order = ["In a crowd", "Alone", "ε of CMP", "ε of TEM"]
    places = [page.get_by_text(name, exact=True).bounding_box()["y"] for name in order]
    assert places == sorted(places)


# ------------------------------------------------------------------------------------------ links


CUT_OFF = """() => [...document.querySelectorAll('.textpoint text')].filter(label => {
    const box = label.getBoundingClientRect();
    const figure = label.closest('svg').getBoundingClientRect();
    return label.closest('[clip-path]') || box.left < figure.left || box.right > figure.right;
}).map(label => label.textContent)"""


def test_on_a_phone_every_word_of_the_map_is_whole(visit):
    page = visit("learn", 390, 844, ready=".textpoint text")
    assert page.locator(".textpoint text").count() > 20
    assert page.evaluate(CUT_OFF) == []


def test_a_teachers_link_locks_and_hides_on_the_screen_of_a_student(visit):
    secret = seal({"eps": "4.375", "hide": "eps", "lock": "1"})
    page = visit(f"?mechanism=tem&seed=3&sealed={secret}")
    shown = sentences(page, 3)
    assert "4.375" not in page.content()
    assert "4.375" not in page.url
    page.get_by_text("Embedding, versions").click()
    expect(page.get_by_role("slider", name="Private versions")).to_be_disabled()
    expect(page.get_by_text("ε of all versions so far: hidden")).to_be_visible()
    press(page, "Reveal what is hidden")
    expect(page.get_by_role("textbox", name="ε, exact")).to_have_value("4.375")
    expect(page.get_by_role("textbox", name="ε, exact")).to_be_disabled()
    assert sentences(page, 3) == shown


@pytest.mark.parametrize(("width", "height", "scheme"), TWO_SCREENS)
def test_the_panel_shares_the_link_and_a_qr_code_of_it(visit, width, height, scheme):
    page = visit("?mechanism=tem&eps=4.375", width, height, scheme)
    page.get_by_role("button", name="Share this screen").click()
    link = page.locator("[data-testid=stPopoverBody] [data-testid=stCode]")
    expect(link).to_contain_text("eps=4.375")
    expect(page.get_by_role("img", name="QR code of the link above")).to_be_visible()
    fits(page, width)
    assert link.inner_text().strip() == page.url
    assert page.requests_elsewhere == []


def epsilon(page):
    return page.get_by_role("textbox", name="ε, exact")


def open_page(page, section, title):
    page.get_by_role("button", name=section).click()
    page.get_by_text(title, exact=True).click()


def test_settings_stay_when_one_changes_page_goes_back_and_reloads(visit):
    page = visit("?mechanism=tem&eps=4.375&versions=2")
    open_page(page, "Laboratory", "The γ of TEM")
    expect(page).to_have_url(re.compile("gamma.*mechanism=tem"))
    settled(page)
    page.go_back()  # once
    expect(epsilon(page)).to_have_value("4.375")
    sentences(page, 2)
    settled(page)
    expect(page).to_have_url(re.compile("eps=4.375"))
    page.reload()
    expect(epsilon(page)).to_have_value("4.375")
    sentences(page, 2)


def test_back_undoes_a_change_of_a_setting_and_forward_does_it_again(visit):
    page = visit("?mechanism=tem&eps=4.375")
    epsilon(page).fill("6.5")
    epsilon(page).press("Enter")
    expect(page).to_have_url(re.compile("eps=6.5"))
    settled(page)
    known_to_the_browser(page)
    page.go_back()
    expect(epsilon(page)).to_have_value("4.375")
    settled(page)
    known_to_the_browser(page)
    page.go_forward()
    expect(epsilon(page)).to_have_value("6.5")
    expect(page).to_have_url(re.compile("eps=6.5"))
