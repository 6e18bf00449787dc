"""The app in a real browser: one server for the tests, and Debian's Chromium."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import expect

from tests.waiting import wait_for

ROOT = Path(__file__).parents[1]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# A busy machine is slow, and that is not what these tests are about.
PATIENT = 300_000  # ms
expect.set_options(timeout=PATIENT)

REQUIRED = os.environ.get("WORDVEIL_BROWSER") == "required"

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None and not REQUIRED, reason="Chromium is not installed"
)

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",  # all pages of a window compile the app once, while one of them is open
]

# Wide as a projector, narrow as a telephone.
SCREENS = [
    pytest.param(1280, 900, "light", id="wide-light"),
    pytest.param(1280, 900, "dark", id="wide-dark"),
    pytest.param(390, 844, "light", id="narrow-light"),
    pytest.param(390, 844, "dark", id="narrow-dark"),
]
TWO_SCREENS = [SCREENS[0], SCREENS[3]]


def window(browser, **options):
    """Open a window of its own, as patient as all others, of a visitor who wants nothing to move.

    What moves while a page is computed is painted by the processor that should compute it.
    """
    opened = browser.new_context(reduced_motion="reduce", **options)
    opened.set_default_timeout(PATIENT)
    return opened


QUIET = """() => {
    const app = document.querySelector('[data-testid=stApp]');
    const busy = app?.getAttribute('data-test-script-state') !== 'notRunning'
        || document.querySelector('[data-testid=stStatusWidget], [data-testid=stSkeleton]');
    if (busy) window.lastBusy = performance.now();
    const now = performance.now();
    return now - window.lastBusy > 300 || now - window.waitsSince > 60_000;
}"""


def settled(page):
    """Wait until the page has been run to its end and nothing more is being computed for it.

    For a moment, not at one: what was just done on the page may not have reached the server yet.
    A page with a live part runs again and again, and on a busy machine is never still: a minute is
    enough for it, and what is expected next is waited for anyway.
    """
    page.evaluate("window.waitsSince = window.lastBusy = performance.now()")
    page.wait_for_function(QUIET, timeout=PATIENT)


def complete(page):
    """Wait until no part of the page is still to come: a figure that grows is drawn anew each time.

    Between two looks at a long computation the page is settled, but its bar is still there.
    """
    settled(page)
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    settled(page)


TWO_FRAMES = """() => new Promise(
    done => requestAnimationFrame(() => requestAnimationFrame(done)))"""


def pick(page, label, option):
    """Choose an option of a box.

    Streamlit closes a list of options when the page scrolls, and a browser tells the page of a
    scroll a frame later. So the box is in sight two frames before it is clicked; if something else
    moves the page after that, the list is opened once more.
    """
    box = page.get_by_role("combobox", name=label, exact=True)
    choice = page.get_by_role("option", name=option, exact=True)
    deadline = time.monotonic() + PATIENT / 1000
    while True:
        box.scroll_into_view_if_needed()
        page.evaluate(TWO_FRAMES)
        box.click()
        try:
            choice.click(timeout=10_000)
            break
        except PlaywrightTimeout:
            if time.monotonic() > deadline:
                raise
    expect(box).to_have_value(option)


def known_to_the_browser(page):
    """Wait until a link cannot be taken any more for one that the browser had not got yet."""
    page.wait_for_function(
        "since => performance.now() > since + 1200", arg=page.evaluate("performance.now()")
    )


FITS = """width => ['html', '[data-testid=stMain]'].every(
    part => document.querySelector(part).scrollWidth <= width)"""


# Words of figures that the edge of their figure cuts off.
CUT_OFF = """[
    ...document.querySelectorAll('[data-testid=stPlotlyChart] .main-svg')
].flatMap(svg => {
    if (getComputedStyle(svg).overflow === 'visible') return [];
    const edge = svg.getBoundingClientRect();
    return [...svg.querySelectorAll('text')].filter(text => {
        const box = text.getBoundingClientRect();
        return box.width && text.textContent.trim() && (
            box.left < edge.left - 2 || box.right > edge.right + 2
            || box.top < edge.top - 2 || box.bottom > edge.bottom + 2);
    }).map(text => text.textContent);
})"""


def words_of_figures_are_whole(page):
    """Wait until no figure cuts off a word; figures follow the window a moment later."""
    page.wait_for_function(f"{CUT_OFF}.length === 0")


def fits(page, width):
    """Wait until nothing on the page is wider than the window; figures follow it a moment later."""
    page.wait_for_function(FITS, arg=width)


def sentences(page, count):
    """The private sentences on screen, once there are as many as there should be."""
    versions = page.locator(".wv-version")
    expect(versions).to_have_count(count)
    return versions.all_inner_texts()


@contextmanager
def app_server(log=subprocess.DEVNULL, **environment):
    """The app on a free port, from start to health; its address. What it prints goes to `log`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    command += ["--server.headless=true", f"--server.port={port}", "--server.address=127.0.0.1"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=log, stderr=log, env=os.environ | environment
    ) as process:
        try:
            wait_until_healthy(f"http://127.0.0.1:{port}", process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def wait_until_healthy(address, process, seconds=120):
    def healthy():
        if process.poll() is not None:
            raise RuntimeError(f"the app ended with code {process.returncode}")
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=seconds):
                return True
        except OSError:
            return False

    wait_for(healthy, "an answer of the app", seconds)
