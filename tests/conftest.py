"""Fixtures that cost something, made once."""

import sys

import pytest
from playwright.sync_api import expect

from data import embeddings
from tests.browser import ARGUMENTS, CHROMIUM, app_server, settled, window


def pytest_collection_modifyitems(items):
    """Browser tests first: they are the longest, and other workers have enough to do meanwhile."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)


@pytest.fixture(autouse=True, scope="module")
def nothing_outlives_its_tests():
    """What a page has begun for a visitor would go on beside the tests that follow."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main  # AppTest puts its script there, and new processes look for it
    if "pages.shared.jobs" in sys.modules:
        sys.modules["pages.shared.jobs"].stop_all()


@pytest.fixture(scope="session")
def glove():
    """The 10,000 most frequent entries of GloVe that are words."""
    return embeddings.load("glove-6b-50d", 10_000)


@pytest.fixture(scope="session")
def glove_every_token():
    """The 30,000 most frequent entries of GloVe, punctuation and pieces included."""
    return embeddings.load("glove-6b-50d", 30_000, words_only=False)


@pytest.fixture(scope="session")
def browser_type_launch_args():
    """Debian's Chromium, as root, without its background traffic."""
    return {"executable_path": CHROMIUM or "/usr/bin/chromium", "args": ARGUMENTS}


@pytest.fixture(scope="session")
def address():
    """The address of a running app."""
    with app_server() as url:
        yield url


@pytest.fixture
def visit(browser, address):
    """Open the app at a size and in a colour scheme; what goes wrong on the page fails the test."""
    contexts = []

    def visit(query="perturb", width=1280, height=900, scheme="light", ready=".wv-version"):
        context = window(
            browser,
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            accept_downloads=True,
        )
        contexts.append(context)
        page = context.new_page()
        page.requests_elsewhere = []
        own = (address, address.replace("http", "ws"), "data:", "blob:")
        page.on(
            "request",
            lambda request: (
                request.url.startswith(own) or page.requests_elsewhere.append(request.url)
            ),
        )
        page.goto(address + "/" + query)
        expect(page.locator(ready).first).to_be_visible()
        settled(page)
        return page

    yield visit
    for context in contexts:
        context.close()
