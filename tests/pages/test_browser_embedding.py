"""A visitor's own embedding, in Chromium: uploaded, examined, used for a private sentence."""

import csv
import io
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from pages.shared import downloads
from tests.browser import TWO_SCREENS, fits, needs_chromium, settled
from tests.embedding_files import text

pytestmark = [needs_chromium, pytest.mark.browser]

EVIL = "<img src=x onerror=alert(1)>"
WORDS = ["good", "fine", "film", "movie", "rain", "snow", EVIL]
PLACES = np.array([[0, 0], [1, 0], [9, 9], [9, 8], [0, 9], [1, 9], [4, 4]], dtype=np.float32)
FILE = {"name": "mine.txt", "mimeType": "text/plain", "buffer": text(WORDS, PLACES)}


@pytest.mark.parametrize(("width", "height", "scheme"), TWO_SCREENS)
def test_an_uploaded_embedding_makes_a_sentence_private(visit, width, height, scheme):
    page = visit("your_embedding", width, height, scheme, ready="[data-testid=stFileUploader]")
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.locator("input[type=file]").set_input_files(FILE)
    expect(page.get_by_role("heading", name="Health of mine.txt")).to_be_visible()
    expect(page.get_by_text("All 7 rows can be used")).to_be_visible()
    fits(page, width)
    with page.expect_download() as download:
        page.get_by_role("button", name="Health report (CSV)").click()
    report = download.value.path().read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(report)))
    assert ("file", "dimensions", "2") in [(r["about"], r["what"], r["found"]) for r in rows]
    assert {row["WordVeil version"] for row in rows} == {downloads.version()}

    page.get_by_role("button", name="Use it on all pages").click()
    page.get_by_role("link", name="Make a sentence private with it").click()
    box = page.get_by_role("textbox", name="Your text")
    box.fill("good film rain")
    box.press("Control+Enter")
    version = page.locator(".wv-version").first
    expect(version).not_to_contain_text(re.compile("[.,]"))  # those of the sentence before
    settled(page)
    assert set(version.inner_text().split()) <= {word.lower() for word in WORDS}
    assert "embedding=yours" in page.url
    assert not dialogs
    assert page.requests_elsewhere == []
