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
from playwright.sync_api import expect

ROOT = Path(__file__).parents[1]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
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
]

# Wide as a projector, narrow as a telephone.
SCREENS = [
    pytest.param(1280, 900, "light", id="wide-light"),
    pytest.param(1280, 900, "dark", id="wide-dark"),
    pytest.param(390, 844, "light", id="narrow-light"),
    pytest.param(390, 844, "dark", id="narrow-dark"),
]
TWO_SCREENS = [SCREENS[0], SCREENS[3]]


QUIET = """() => {
    const app = document.querySelector('[data-testid=stApp]');
    const busy = app?.getAttribute('data-test-script-state') !== 'notRunning'
        || document.querySelector('[data-testid=stStatusWidget], [data-testid=stSkeleton]');
    if (busy) window.lastBusy = performance.now();
    return performance.now() - window.lastBusy > 300;
}"""


def settled(page):
    """Wait until the page has been run to its end and nothing more is being computed for it.

    For a moment, not at one: what was just done on the page may not have reached the server yet.
    """
    page.evaluate("window.lastBusy = performance.now()")
    page.wait_for_function(QUIET, timeout=120_000)


def known_to_the_browser(page):
    """Wait until a link cannot be taken any more for one that the browser had not got yet."""
    page.wait_for_function(
        "since => performance.now() > since + 1200", arg=page.evaluate("performance.now()")
    )


FITS = """width => ['html', '[data-testid=stMain]'].every(
    part => document.querySelector(part).scrollWidth <= width)"""


def fits(page, width):
    """Wait until nothing on the page is wider than the window; figures follow it a moment later."""
    page.wait_for_function(FITS, arg=width, timeout=20_000)


def sentences(page, count):
    """The private sentences on screen, once there are as many as there should be."""
    versions = page.locator(".wv-version")
    expect(versions).to_have_count(count, timeout=60_000)
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


def wait_until_healthy(address, process, seconds=60):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the app ended with code {process.returncode}")
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(f"the app did not answer within {seconds} s")
