"""What leaves a visitor's session, in Chromium: nothing that was typed, and nothing to elsewhere.

The server of these tests writes down all that it prints and every address that it or a child of it
looks up or connects to.
"""

import ast
import re
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser import ROOT, app_server, needs_chromium, settled
from tests.embedding_files import text

pytestmark = [needs_chromium, pytest.mark.browser]

MENU = ROOT / "pages" / "shared" / "menu.py"
PAGES = [
    folder.value
    for call in ast.walk(ast.parse(MENU.read_text(encoding="utf-8")))
    if isinstance(call, ast.Call) and ast.unparse(call.func) == "a_page"
    for folder in call.args[:1]
]

HOME = "perturb"
FIRST = "start"  # the page without a path

# Loaded by every Python of the server at its start.
WITNESS = """
import os, sys

def witness(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo"):
        with open(os.environ["WITNESSED"], "a") as log:
            print(event, arguments[1] if event != "socket.getaddrinfo" else arguments[:1], file=log)

sys.addaudithook(witness)
print("witness", file=open(os.environ["WITNESSED"], "a"))
"""
AT_HOME = re.compile(r"\('(127\.0\.0\.1|::1|localhost)'|\(None,|'/|b'/|\"/")

SECRET = "Zebrazon"


class Server:
    """An address, and what its server left on this machine."""

    def __init__(self, folder):
        """Keep everything in one folder."""
        self.folder = folder
        self.log = folder / "log.txt"
        self.network = folder / "network.txt"
        self.cache = folder / "cache"

    def everything_written(self):
        """The contents and names of all files that the server wrote."""
        for file in sorted(self.folder.rglob("*")):
            yield str(file.relative_to(self.folder)).encode()
            if file.is_file():
                yield file.read_bytes()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with a log, a cache and a temporary folder of its own."""
    here = Server(tmp_path_factory.mktemp("server"))
    for name in ("witness", "temporary", "home"):
        (here.folder / name).mkdir()
    (here.folder / "witness" / "sitecustomize.py").write_text(WITNESS)
    here.network.touch()
    with (
        here.log.open("wb") as log,
        app_server(
            log,
            PYTHONPATH=str(here.folder / "witness"),
            PYTHONUNBUFFERED="1",
            WITNESSED=str(here.network),
            WORDVEIL_CACHE=str(here.cache),
            TMPDIR=str(here.folder / "temporary"),
        ) as here.address,
    ):
        yield here


@pytest.fixture(scope="module")
def address(server):
    """The address that `visit` opens."""
    return server.address


@pytest.fixture(scope="module")
def server_log(server):
    """The log that `visit` quotes."""
    return server.log


@pytest.fixture
def session(visit, server):
    """A visitor who walks through the whole app in one session; what the browser asked for."""

    class Session:
        def __init__(self):
            self.page = visit("?size=10000&mechanism=tem&tokens=all", ready=".wv-version")
            self.dialogs = []
            self.page.on("dialog", lambda d: (self.dialogs.append(d.message), d.dismiss()))

        def every_page(self):
            """Each page but the first one, where the session begins, and that one at the end."""
            for name in [*(name for name in PAGES if name != HOME), HOME]:
                title = self.page.locator("[data-testid=stHeading]").first
                before = title.inner_text()
                self.page.evaluate(GO, "/" + (name if name != FIRST else ""))
                expect(title).not_to_have_text(before)
                settled(self.page)
                yield name

    return Session()


GO = """path => {
  history.pushState({}, "", path);
  window.dispatchEvent(new PopStateEvent("popstate", {state: {}}));
}"""


def test_there_are_pages():
    assert HOME in PAGES
    assert len(PAGES) >= 10


def type_text(page, text):
    box = page.get_by_role("textbox", name="Your text")
    box.fill(text)
    box.press("Control+Enter")
    settled(page)


def test_nothing_that_is_typed_leaves_the_session_and_no_request_the_machine(
    session, server, visit
):
    page = session.page
    type_text(page, f"My doctor {SECRET} said <b>the</b> movie was a surprise")
    expect(page.locator(".wv-version").first).not_to_contain_text("london")
    for name in session.every_page():
        if name == "compare":
            page.get_by_text("a typed text", exact=True).click()  # the file comes first
            type_text(page, f"{SECRET} liked the film")
        if name == "your_data":
            table = {"name": f"{SECRET}.csv", "mimeType": "text/csv"}
            table["buffer"] = (
                f"id,text {SECRET}\n1,{SECRET} was sad\n2,the film was good\n".encode()
            )
            page.locator("input[type=file]").set_input_files(table)
            expect(page.get_by_text(f"{SECRET}.csv").first).to_be_visible()
            expect(page.get_by_role("button", name="Forget this file")).to_be_visible()  # read
            settled(page)
        assert page.locator("[data-testid=stException]").count() == 0, name
        assert SECRET.lower() not in page.url.lower()
    other = visit("?size=10000", ready=".wv-version")
    assert SECRET.lower() not in other.content().lower()
    linked = visit(f"?size=10000&text={SECRET}+was+here", ready=".wv-version")  # ticked by someone
    expect(linked.get_by_role("textbox", name="Your text")).to_have_value(f"{SECRET} was here")

    assert page.requests_elsewhere == []
    network = server.network.read_text().splitlines()
    assert "witness" in network
    assert [each for each in network if each != "witness" and not AT_HOME.search(each)] == []
    written = list(server.everything_written())
    assert any(b"streamlit" in each.lower() for each in written)  # the log is among it
    assert not [each[:200] for each in written if SECRET.lower().encode() in each.lower()]


ELSEWHERE = "http://elsewhere.example"
BARE = ["zqbold", "zqlink", "zqred", "zqcode", "zqmath"]
EVIL = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    f"<img src={ELSEWHERE}/a.png>",
    f"![zqlink]({ELSEWHERE}/b.png)",
    f"[zqlink]({ELSEWHERE})",
    f"<a href={ELSEWHERE}>zqlink</a>",
    "</div></bdi><b>zqbold</b>",
    "**zqbold**",
    "_zqbold_",
    "$zqmath$",
    ":smile:",
    ":red[zqred]",
    "`zqcode`",
]

# Text that stands alone in an element has lost the marks that were typed around it.
MARKUP = """bare => [...document.querySelectorAll("[data-testid=stApp] *")].filter(e =>
  /elsewhere|alert|^x$/.test(e.getAttribute("src") ?? "") ||
  /elsewhere|javascript:/.test(e.getAttribute("href") ?? "") ||
  bare.includes(e.textContent.trim()) || e.textContent.trim() == "😄"
).map(e => e.outerHTML.slice(0, 300))"""


def assert_only_text(session, where):
    """Nothing that was typed has become markup, a link, a picture, a dialog or a request."""
    assert session.page.evaluate(MARKUP, BARE) == [], where
    assert session.dialogs == [], where
    assert session.page.requests_elsewhere == [], where


def test_the_search_for_markup_finds_it(session):
    for markup in ("<b>zqbold</b>", f"<a href={ELSEWHERE}>here</a>", "<img src=x>"):
        session.page.locator(".wv-version").first.evaluate("(e, m) => e.innerHTML = m", markup)
        assert len(session.page.evaluate(MARKUP, BARE)) >= 1, markup


def test_names_of_files_headers_and_words_of_an_embedding_are_text_on_every_page(session):
    page = session.page
    count = 60
    places = np.random.default_rng(1).normal(size=(count, 3)).astype(np.float32)
    words = [*EVIL, *(f"word{i}" for i in range(count - len(EVIL)))]
    mine = {"name": f"{EVIL[1]}**zqbold**.txt", "mimeType": "text/plain"}
    page.evaluate(GO, "/your_embedding")
    page.locator("input[type=file]").set_input_files(mine | {"buffer": text(words, places)})
    page.get_by_role("button", name="Use it on all pages").click()
    expect(page.get_by_role("button", name="In use")).to_be_visible()
    for name in session.every_page():
        if name == "your_data":
            headers = ",".join(f'"{word}"' for word in EVIL)
            cells = ",".join(f'"{word} word1 word2"' for word in EVIL)
            table = {"name": f"{EVIL[1]}:smile:.csv", "mimeType": "text/csv"}
            content = f"{headers}\n{cells}\n{cells}\n".encode()
            page.locator("input[type=file]").set_input_files(table | {"buffer": content})
            expect(page.get_by_text(f"{EVIL[1]}:smile:.csv").first).to_be_visible()
            expect(page.get_by_role("button", name="Forget this file")).to_be_visible()  # read
            settled(page)
        assert_only_text(session, name)
    type_text(page, "word1 word2 word3 " + " ".join(EVIL))
    assert_only_text(session, "typed")
    expect(page.locator(".wv-version").first).to_contain_text(re.compile("zq|alert|smile"))


@pytest.mark.parametrize("name", ["", "neighbours", "learn"])
def test_values_and_names_in_a_link_are_text(visit, name):
    hostile = "&".join(
        f"{quote(key)}={quote(value)}"
        for key, value in zip(
            ("mechanism", "map-word", "eps", "lock", "sealed", "lesson", *EVIL),
            EVIL * 2,
            strict=False,
        )
    )
    page = visit(f"{name}?size=10000&{hostile}", ready="[data-testid=stAlert]")
    expect(page.get_by_text("ignored").first).to_be_visible()
    assert page.evaluate(MARKUP, BARE) == []
    assert page.requests_elsewhere == []
