"""Open to everyone: axe-core on every page, narrow to very wide, by keyboard alone, without motion.

One page of the browser is used throughout: it is the app that is looked at, not its start.
"""

import ast
import re
from contextlib import suppress

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import TimeoutError, expect

from pages.perturb.wording import CLOSER
from tests.browser import (
    CUT_OFF,
    ROOT,
    complete,
    fits,
    known_to_the_browser,
    needs_chromium,
    sentences,
    settled,
    window,
    words_of_figures_are_whole,
)

pytestmark = [needs_chromium, pytest.mark.browser]

MENU = ast.parse((ROOT / "pages" / "shared" / "menu.py").read_text(encoding="utf-8"))
PAGES = [
    ("" if any(k.arg == "default" for k in call.keywords) else call.args[0].value)
    for call in ast.walk(MENU)
    if isinstance(call, ast.Call) and ast.unparse(call.func) == "a_page"
]
# Screens that a link opens within a page.
WITHIN = [
    "learn?lesson=3&step=try",
    "learn?step=check",
    *(f"tradeoff?view={view}" for view in ("published", "regression", "claims")),
]
# The same screen with less to compute.
QUICKER = {"guarantees": "guarantees?audit-words=3000"}
WIDTHS = (360, 390, 768, 1280, 2560, 3840)
WCAG = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], "resultTypes": ["violations"]}

# The look that all pages share is on: captions are as dark as it makes them.
DRESSED = """[...document.querySelectorAll('[data-testid=stCaptionContainer]')].every(
    caption => getComputedStyle(caption).opacity === '0.85')"""


@pytest.fixture(scope="module")
def screen(browser, address):
    """A page of the browser, and where the app is."""
    context = window(browser, viewport={"width": 1280, "height": 900})
    yield context.new_page(), address
    context.close()


def opened(screen, path, width=1280, scheme="light", motion="reduce"):
    page, address = screen
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme, reduced_motion=motion)
    page.goto(f"{address}/{path}")
    expect(page.locator("h1, h2").first).to_be_visible()
    complete(page)  # a control that has the focus loses it when its figure is drawn anew
    page.wait_for_function(DRESSED)
    return page


# A change of the colour scheme runs the app once more, and what a run has not come to yet is pale.
WATCH = """() => {
    const app = document.querySelector('[data-testid=stApp]');
    window.hasRun = false;
    window.watching?.disconnect();
    window.watching = new MutationObserver(() => { window.hasRun = true; });
    window.watching.observe(app, {attributeFilter: ['data-test-script-state']});
}"""


def violations(page, looks=10):
    """What axe-core finds serious or critical, the rule and where, on a page that stood still."""
    for _ in range(looks):
        complete(page)
        page.evaluate(WATCH)
        found = Axe().run(page, options=WCAG).response["violations"]
        if not page.evaluate("window.hasRun"):
            break
    else:
        raise AssertionError(f"the app ran during each of {looks} looks at the page")
    return [
        (each["id"], node["html"][:200], node["failureSummary"])
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


def in_scheme(page, scheme):
    """Change between light and dark, and wait until the page has."""
    page.emulate_media(color_scheme=scheme)
    expect(page.locator("[data-testid=stApp]")).to_have_css("color-scheme", scheme)


def test_every_page_of_the_app_is_looked_at():
    assert len(PAGES) > 10
    assert PAGES.count("") == 1


def test_axe_sees_what_shuts_people_out(screen):
    page = opened(screen, "your_embedding")
    page.evaluate(
        """document.querySelector('h2').insertAdjacentHTML('afterend',
        '<p style="color:#999;background:#aaa">pale</p><button></button><img src="data:,">')"""
    )
    assert {rule for rule, *_ in violations(page)} == {
        "color-contrast",
        "button-name",
        "image-alt",
    }


def test_words_that_the_edge_of_a_figure_cuts_off_are_seen(screen):
    page, _ = screen
    page.set_content(
        """<div data-testid=stPlotlyChart><svg class=main-svg width=200 height=90
        style="overflow: hidden"><text x=-20 y=20>left</text><text x=190 y=40>right</text>
        <text x=20 y=60>whole</text><text x=20 y=99>below</text></svg></div>"""
    )
    assert page.evaluate(CUT_OFF) == ["left", "right", "below"]


def test_the_widest_screen_is_filled_with_lines_that_can_be_read(screen):
    page = opened(screen, "glossary", width=3840)
    content = page.locator("[data-testid=stMainBlockContainer]").bounding_box()["width"]
    assert 0.6 * 3840 < content <= 0.8 * 3840
    paragraph = page.locator("[data-testid=stMarkdownContainer] > p").first
    size = float(paragraph.evaluate("e => getComputedStyle(e).fontSize").removesuffix("px"))
    assert size >= 20
    assert paragraph.bounding_box()["width"] < 60 * size


# Whether it can be seen that the focus is here: on the element, or on what is drawn in its place.
# A ring counts if two of its sides are not cut off by what is around them; what is written inside
# a canvas is not drawn at all.
FOCUS_SEEN = """() => {
    const sides = (x, s) => {
        const box = x.getBoundingClientRect(), out = parseFloat(s.outlineOffset) + 1;
        const ring = [box.left - out, box.top - out, -box.right - out, -box.bottom - out];
        const seen = [true, true, true, true];
        for (let p = x.parentElement; p && p !== document.body; p = p.parentElement) {
            const css = getComputedStyle(p), clip = p.getBoundingClientRect();
            if (css.display !== 'contents' && css.overflow !== 'visible')
                [clip.left, clip.top, -clip.right, -clip.bottom].forEach(
                    (edge, i) => { seen[i] &&= edge <= ring[i] + 0.5; });
            if (css.position === 'fixed') break;
        }
        return seen.filter(Boolean).length;
    };
    const e = document.activeElement;
    const places = [e, e.parentElement, ...['label', '[data-baseweb]',
        '[data-focus-visible]',
        '[data-testid=stDataFrameResizable]'].map(place => e.closest(place))];
    return places.some(x => {
        const s = x && !x.closest('canvas') && getComputedStyle(x);
        return s && (s.boxShadow !== 'none' || (s.outlineStyle !== 'none'
            && parseFloat(s.outlineWidth) >= 2 && sides(x, s) >= 2));
    });
}"""
FOCUSED = """() => {
    const e = document.activeElement;
    return e.getAttribute('aria-label')
        || (/^(BUTTON|SUMMARY|A)$/.test(e.tagName) && e.innerText) || e.tagName;
}"""
REMEMBER = """() => {
    window.reached = new Set();
    document.addEventListener('focusin', event => reached.add(event.target));
}"""
# Controls that Tab should have come to. Others are worked by the arrow keys from their neighbour
# (one of a group of choices, a number's steps), or come up beside what has the focus.
NOT_REACHED = """() => [...document.querySelectorAll(
        '[data-testid=stMain] :is(button, input, textarea, summary, [role=slider])')]
    .filter(e => !e.disabled && e.tabIndex >= 0 && e.checkVisibility({visibilityProperty: true}))
    .filter(e => !e.closest('details:not([open]) > :not(summary)'))
    .filter(e => !e.closest('[data-testid=stElementToolbar], .modebar'))
    .filter(e => e.getAttribute('role') !== 'radio' && e.type !== 'radio')
    .filter(e => !reached.has(e))
    .map(e => e.outerHTML.slice(0, 200))"""


def tabbed(page, most=500):
    """What Tab comes to, one after the other, until it leaves the page."""
    for _ in range(most):
        page.keyboard.press("Tab")
        name = page.evaluate(FOCUSED)
        if name == "BODY":
            return
        yield name
    raise AssertionError(f"Tab does not leave the page: {name}")


@pytest.mark.parametrize("path", [*PAGES, *WITHIN], ids=lambda path: path or "home")
def test_a_page_shuts_nobody_out_and_fits_every_width(screen, path):
    """Opened once: axe-core in both schemes, then Tab through all controls, then every width."""
    page = opened(screen, QUICKER.get(path, path))
    if path == "perturb":
        # Not by a click, after which Tab goes on from there.
        page.get_by_text(CLOSER).evaluate("e => e.closest('summary').click()")
        expect(page.get_by_text("What is promised", exact=True)).to_be_visible()
    for scheme in ("dark", "light"):
        in_scheme(page, scheme)
        assert violations(page) == []
    tab_comes_to_every_control_and_leaves_again_and_is_always_seen(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(f"innerWidth === {width}")
        fits(page, width)
        words_of_figures_are_whole(page)


def tab_comes_to_every_control_and_leaves_again_and_is_always_seen(page):
    page.evaluate(REMEMBER)
    for name in tabbed(page):
        with suppress(TimeoutError):  # some rings are drawn a moment later
            page.wait_for_function(FOCUS_SEEN, timeout=10_000)
        assert page.evaluate(FOCUS_SEEN), name
    assert page.evaluate(NOT_REACHED) == []
    assert page.evaluate("reached.size") > 10


def test_a_table_is_ringed_whichever_of_its_cells_has_the_focus(screen):
    """A moment after Tab has come to its canvas, a cell within that has the focus, or none has."""
    page = opened(screen, "tradeoff?view=claims")
    assert any(name == "CANVAS" for name in tabbed(page))
    page.wait_for_function("document.activeElement.closest('canvas td')")
    assert page.evaluate(FOCUS_SEEN)
    page.keyboard.press("Escape")
    page.wait_for_function("!document.querySelector('canvas [aria-selected=true]')")
    assert page.evaluate("document.activeElement.closest('canvas') !== null")
    assert page.evaluate(FOCUS_SEEN)


def test_the_first_page_is_worked_by_keyboard_alone(screen):
    page = opened(screen, "perturb?eps=9.9")
    before = sentences(page, 3)
    moved = drawn_again = False
    for name in tabbed(page):
        if name == "ε" and not moved:
            page.keyboard.press("ArrowRight")
            expect(page).not_to_have_url(re.compile(r"eps=9\.9\b"))
            settled(page)
            moved = True
        if "Draw again" in name and not drawn_again:
            page.keyboard.press("Enter")
            expect(page.get_by_text("6 versions of your words")).to_be_visible()
            settled(page)
            drawn_again = True
    assert moved
    assert drawn_again
    assert sentences(page, 3) != before


def test_nothing_moves_for_those_who_ask_for_that(screen):
    moving = "document.getAnimations().filter(a => a.effect.getTiming().duration > 1).length"
    css = "@keyframes t {to {opacity: .9}} h2 {animation: t 9s infinite}"
    page = opened(screen, "gamma", motion="no-preference")
    page.add_style_tag(content=css)
    assert page.evaluate(moving) > 0
    page = opened(screen, "gamma")
    page.add_style_tag(content=css)
    assert page.evaluate(moving) == 0
    transitions = "[...document.querySelectorAll('.js-plotly-plot')].map(g => g.layout.transition)"
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    assert not any(page.evaluate(transitions))


def test_a_link_for_the_projector_makes_type_larger_and_leaves_things_out(screen):
    page = opened(screen, "perturb?eps=9")
    size = "parseFloat(getComputedStyle(document.querySelector('.wv-version')).fontSize)"
    download = page.get_by_role("button", name="Table (CSV)")
    expect(download).to_be_visible()
    before = page.evaluate(size)
    page.get_by_role("button", name="Share this screen").click()
    page.get_by_text("This screen is on a projector").click()
    expect(page).to_have_url(re.compile("projector=1"))
    expect(download).to_be_hidden()
    assert page.evaluate(size) > 1.2 * before
    page = opened(screen, page.url.partition("/perturb?")[2].join(("perturb?", "")))
    assert page.evaluate(size) > 1.2 * before
    expect(page.get_by_role("button", name="Table (CSV)")).to_be_hidden()
    fits(page, 1280)
    page.get_by_role("button", name="Share this screen").click()
    page.get_by_text("This screen is on a projector").click()
    expect(download).to_be_visible()
    known_to_the_browser(page)
    page.go_back()
    expect(download).to_be_hidden()
    expect(page).to_have_url(re.compile("projector=1"))
