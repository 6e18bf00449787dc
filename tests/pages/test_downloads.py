"""Downloads say where they are from, and figures can be taken along with their data."""

import csv
import io
import json
import time

import pandas as pd
import pytest

from pages.shared import downloads
from tests.app import healthy, page, unfolded
from tests.waiting import rerun_until


@pytest.fixture
def offered(monkeypatch):
    """What a page offers to download, by file name: the function that writes it."""
    found = {}

    def record(label, data, file, mime=None, **look):
        found[file] = data if callable(data) else lambda: data

    monkeypatch.setattr(downloads.st, "download_button", record)
    return found


def rows_of(data):
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_a_table_has_the_settings_the_version_and_the_date_in_columns_of_its_own(offered):
    app = page(mechanism="tem", eps="3.5", size="10000", sample="frequent", count="50")
    app = healthy(app.switch_page("pages/deniability/page.py").run(timeout=300))
    rerun_until(app, lambda app: "deniability.csv" in offered)
    (first, *_) = rows_of(offered["deniability.csv"]())
    expected = {
        "mechanism": "tem",
        "ε": "3.5",
        "embedding": "glove-6b-50d",
        "vocabulary size": "10000",
        "sample": "frequent",
        "count": "50",
        "WordVeil version": downloads.version(),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
    }
    assert {name: first.get(name, first.get(f"page: {name}")) for name in expected} == expected
    unfolded(app, "claim-panel")
    claim = rows_of(offered["cmp-claim.csv"]())[0]  # comes with the project: no setting of the page
    assert claim["WordVeil version"] == downloads.version()
    assert "vocabulary size" not in claim


def test_a_column_of_the_table_is_never_replaced_by_the_pages():
    table = pd.DataFrame({"mechanism": ["CMP"], "x": [1]}, index=[7])
    found = downloads.with_provenance(table, {"mechanism": "tem", "ε": "3"})
    assert found.to_dict("records") == [
        {"mechanism": "CMP", "x": 1, "page: mechanism": "tem", "ε": "3"}
    ]


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("✅ holds", "holds"),
        ("⚠️ 3 of 4 cells", "3 of 4 cells"),
        ("✅", "yes"),
        ("–", ""),
        ("plain", "plain"),
        (3.5, 3.5),
    ],
)
def test_a_cell_is_a_plain_code_without_its_sign(cell, code):
    assert downloads.coded(cell) == code


def test_texts_of_a_visitor_stay_as_they_are(offered, monkeypatch):
    class Session(dict):
        __getattr__ = dict.get

    monkeypatch.setattr(downloads.st, "session_state", Session())
    table = pd.DataFrame({"text": ["✅ done – yes"]})
    downloads.download("Table", table, "texts.csv", of_texts=True)
    downloads.download("Table", table, "codes.csv")
    assert rows_of(offered["texts.csv"]())[0]["text"] == "✅ done – yes"
    assert rows_of(offered["codes.csv"]())[0]["text"] == "done – yes"


def test_the_data_of_all_figures_of_a_page_are_one_file_with_their_provenance(monkeypatch):
    written = {}
    make = downloads.figures_json

    def kept(figures, about):
        written["file"] = make(figures, about)
        return written["file"]

    collected = []
    monkeypatch.setattr(downloads, "figures_json", kept)
    plain = downloads.figure

    def spied(place, chart, **look):
        collected.append(chart)
        return plain(place, chart, **look)

    monkeypatch.setattr(downloads, "figure", spied)
    app = page(mechanism="tem", eps="3.5", size="10000")
    app = healthy(app.switch_page("pages/gamma/page.py").run(timeout=300))
    assert downloads.FIGURES in [b.proto.label for b in app.get("download_button")]
    figures = [{"about": "a curve", "figure": chart} for chart in collected]
    found = json.loads(downloads.figures_json(figures, {"ε": "3.5"}))
    assert found["provenance"] == {"ε": "3.5"}
    assert len(found["figures"]) == len(collected) > 1
    drawn = found["figures"][0]["figure"]["data"][0]
    assert list(drawn["y"]) == pytest.approx(list(collected[0].data[0].y))
