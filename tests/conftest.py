"""Fixtures that cost something, made once."""

import sys

import hypothesis
import pytest
from playwright.sync_api import expect

from data import embeddings
from tests.browser import ARGUMENTS, CHROMIUM, app_server, settled, window

# An example that is slow on a busy machine is no fault.
hypothesis.settings.register_profile("any machine", deadline=None)
hypothesis.settings.load_profile("any machine")


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
def server_log(tmp_path_factory):
    """Where the app that the tests share writes its log."""
    return tmp_path_factory.mktemp("server") / "log.txt"


@pytest.fixture(scope="session")
def address(server_log):
    """The address of a running app."""
    with server_log.open("wb") as log, app_server(log) as url:
        yield url


@pytest.fixture(scope="session")
def windows(browser):
    """A window of each size and colour scheme, so that the app is loaded and compiled once.

    Its first page stays open: the process that has compiled the app ends with its last page.
    """
    opened = {}

    def of(key, options, address):
        if key not in opened:
            opened[key] = window(browser, **options)
            opened[key].new_page().goto(address + "/_stcore/health")
        return opened[key]

    return of


@pytest.fixture
def visit(browser, windows, address, server_log):
    """Open the app at a size and in a colour scheme; what goes wrong on the page fails the test.

    The first visit of a test is at the window of its size, the others are other visitors, each with
    a window of their own. What a visit leaves in the browser is forgotten at the end of the test.
    """
    contexts, pages = [], []

    def visit(query="perturb", width=1280, height=900, scheme="light", ready=".wv-version"):
        options = {
            "viewport": {"width": width, "height": height},
            "color_scheme": scheme,
            "accept_downloads": True,
        }
        if pages:
            contexts.append(context := window(browser, **options))
        else:
            context = windows((width, height, scheme), options, address)
        page = context.new_page()
        pages.append(page)
        page.requests_elsewhere = []
        own = (address, address.replace("http", "ws"), "data:", "blob:")
        page.on(
            "request",
            lambda request: (
                request.url.startswith(own) or page.requests_elsewhere.append(request.url)
            ),
        )
        page.goto(address + "/" + query)
        try:
            expect(page.locator(ready).first).to_be_visible()
        except AssertionError as error:
            if server_log.exists():
                log = server_log.read_text("utf-8", errors="replace")
                error.add_note(f"The log ends so:\n{log[-4000:]}")
            raise
        settled(page)
        return page

    yield visit
    for context in contexts:
        context.close()
    if pages:
        shared = pages[0].context
        for page in shared.pages[1:]:
            page.close()
        shared.set_storage_state({"cookies": [], "origins": []})
