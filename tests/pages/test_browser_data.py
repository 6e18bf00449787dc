"""The Your data page in Chromium: a file goes up, its private version comes down."""

import csv
import io
import json
import re

import pyarrow.parquet
import pytest
from playwright.sync_api import expect

from release.verify import verify
from tests import customer_messages
from tests.browser import TWO_SCREENS, fits, needs_chromium, settled

pytestmark = [needs_chromium, pytest.mark.browser]

TEXTS = ["das Mädchen said the film was good", "", "the actor, tired and sad", "=the end"]
TABLE = "id;text\n" + "".join(f"{i};{text}\n" for i, text in enumerate(TEXTS * 5))


@pytest.fixture
def your_data(visit):
    """Open the page at a size and in a colour scheme."""

    def open_page(query="", width=1280, height=900, scheme="light"):
        return visit(
            f"your_data?size=10000&mechanism=tem&eps=4{query}",
            width,
            height,
            scheme,
            ready="[data-testid=stFileUploader]",
        )

    return open_page


def upload(page, path):
    page.locator("input[type=file]").set_input_files(path)
    expect(page.get_by_role("button", name="Make the file private")).to_be_visible()
    settled(page)


def make_private(page):
    page.get_by_role("button", name="Make the file private").click()
    expect(page.get_by_text(re.compile("rows? (was|were) drawn anew"))).to_be_visible()
    settled(page)


def downloaded(page, name):
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile(f"⬇️ {name}$")).click()
    return download.value.path().read_bytes(), download.value.suggested_filename


@pytest.mark.parametrize(("width", "height", "scheme"), TWO_SCREENS)
def test_the_sample_goes_through_on_every_screen(your_data, width, height, scheme):
    page = your_data("", width, height, scheme)
    page.get_by_role("button", name="Try it with 200 film reviews").click()
    make_private(page)
    expect(page.get_by_text("200 rows were drawn anew")).to_be_visible()
    expect(page.get_by_text("never publish a text beside its private version")).to_be_visible()
    expect(page.locator(".wv-version")).to_have_count(6)
    fits(page, width)
    assert page.requests_elsewhere == []


def test_a_file_comes_back_complete_as_csv_parquet_and_with_its_report(your_data, tmp_path):
    page = your_data()
    source = tmp_path / 'a"><b>.csv'
    source.write_bytes(TABLE.encode("cp1252"))
    upload(page, source)
    expect(page.get_by_text('a"><b>.csv').first).to_be_visible()
    expect(page.get_by_text("semicolon").first).to_be_visible()
    make_private(page)
    data, name = downloaded(page, "CSV")
    assert data.startswith(b"id;text\n")  # no mark that tells of the letters that came in
    assert name == "private.csv"
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=";"))
    assert [row[0] for row in rows] == ["id", *map(str, range(20))]
    assert [bool(row[1]) for row in rows[1:]] == [bool(text) for text in TEXTS * 5]
    assert all(row[1].startswith("'=") for row in rows[4::4])
    table = pyarrow.parquet.read_table(io.BytesIO(downloaded(page, "Parquet")[0]))
    assert table.column("id").to_pylist() == [row[0] for row in rows[1:]]
    facts = json.loads(downloaded(page, "JSON")[0])
    assert facts["rows"] == 20
    assert facts["formula cells with an apostrophe in front"] == 5


def test_a_file_over_the_limit_is_refused_before_it_is_sent(your_data, tmp_path):
    page = your_data()
    large = tmp_path / "large.csv"
    with large.open("wb") as file:
        file.truncate(300 * 2**20)  # a hole: it takes no room on the disk
    page.locator("input[type=file]").set_input_files(large)
    expect(page.get_by_text(re.compile("200.0?MB or smaller"))).to_be_visible()
    expect(page.get_by_role("button", name="Try it with 200 film reviews")).to_be_visible()


def test_three_hundred_messages_from_check_to_a_verified_record(visit, tmp_path):
    page = visit("your_data?size=10000&mechanism=tem&eps=6", ready="[data-testid=stFileUploader]")
    source = tmp_path / "customers.csv"
    source.write_bytes(customer_messages.table())
    upload(page, source)
    expect(
        page.get_by_text("These columns are released unchanged and can identify")
    ).to_be_visible()
    page.get_by_role("button", name="Test: which words would stay").click()
    expect(page.get_by_text("One draw of a sample of 150 of 300 texts")).to_be_visible()
    settled(page)
    make_private(page)
    expect(page.get_by_text("with a name-like word still")).to_have_count(2)  # trial and release
    record, name = downloaded(page, "Decision record")
    assert name == "PRIVATE-decision-record.html"
    assert record.decode().splitlines()[0].startswith("<!doctype html><!-- PRIVATE")
    (tmp_path / "private.csv").write_bytes(downloaded(page, "CSV")[0])
    (tmp_path / "private.report.json").write_bytes(downloaded(page, "JSON")[0])
    assert verify(tmp_path / "private.csv", tmp_path / "private.report.json").belongs
    # Whoever opens the record fetches nothing and runs nothing.
    place = tmp_path / name
    place.write_bytes(record)
    asked = []
    page.context.on("request", lambda request: asked.append(request.url))
    page.goto(place.as_uri())
    expect(page.get_by_text("PRIVATE: this record holds")).to_be_visible()
    assert [url for url in asked if not url.startswith("file:")] == []
