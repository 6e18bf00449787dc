"""Excel workbooks: sheets, cached values, dates, whole numbers; CSV and Parquet out."""

import csv
import datetime
import io
import zipfile

import openpyxl
import pyarrow.parquet
import pytest

from mechanisms import TEM
from release import workbook
from release.layout import layout
from release.run import run
from release.settings import Settings
from release.tables import rows

HOW = Settings(mechanism=TEM(epsilon=4.0), size=2_000, seed=3)


def book(path, cells, title="Mails", others=()):
    made = openpyxl.Workbook()
    made.active.title = title
    for row in cells:
        made.active.append(row)
    for name in others:
        made.create_sheet(name).append(["other", "words"])
    made.save(path)
    return path


CELLS = [
    ["id", "when", "text", "sum"],
    [1, datetime.date(2024, 5, 17), "the film was good", 1.5],
    [2, datetime.datetime(2024, 5, 18, 9, 30), "=not a formula here"[1:], 0.1],
    [None, None, None, None],
    ["007", True, "the actor", -3],
    [None, None, None, None],
]


@pytest.fixture
def mails(tmp_path):
    return book(tmp_path / "mails.xlsx", CELLS, others=["Second"])


def test_values_are_read_as_a_person_sees_them(mails):
    how = layout("mails.xlsx", mails)
    assert (how.columns, how.sheet) == (("id", "when", "text", "sum"), "Mails")
    assert list(rows(mails, how)) == [
        [1, "2024-05-17", "the film was good", 1.5],
        [2, "2024-05-18 09:30:00", "not a formula here", 0.1],
        [None] * 4,
        ["007", True, "the actor", -3],
    ]


def test_another_sheet_is_read_if_it_is_named_and_a_missing_one_refused(mails):
    assert layout("mails.xlsx", mails, sheet="Second").columns == ("other", "words")
    with pytest.raises(ValueError, match="no sheet 'Third'. The file has: Mails, Second"):
        layout("mails.xlsx", mails, sheet="Third")
    with pytest.raises(ValueError, match="only a workbook"):
        layout("mails.csv", b"a,b\nc,d\n", sheet="Mails")


def test_a_formula_is_its_cached_value(tmp_path):
    path = book(tmp_path / "a.xlsx", [["text", "sum"], ["the film", "=1+1"]])
    changed = tmp_path / "b.xlsx"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith("sheet1.xml"):  # as Excel saves it: with the value it computed
                assert b"<f>1+1</f><v></v>" in data or b"<f>1+1</f><v />" in data
                data = data.replace(b"<v></v>", b"<v>2</v>").replace(b"<v />", b"<v>2</v>")
            new.writestr(name, data)
    assert list(rows(changed, layout("b.xlsx", changed))) == [["the film", 2]]


def test_a_first_row_of_numbers_is_no_header(tmp_path):
    path = book(tmp_path / "a.xlsx", [[1, "good"], [2, "bad"]])
    how = layout("a.xlsx", path)
    assert (how.columns, how.header) == (("column 1", "column 2"), None)
    assert layout("a.xlsx", path, header=True).columns == ("1", "good")


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_a_private_file_keeps_all_other_values(mails, tmp_path, ending):
    target = tmp_path / f"out{ending}"
    run(mails, target, layout("mails.xlsx", mails), ["text"], HOW)
    if ending == ".csv":
        found = list(csv.reader(io.StringIO(target.read_text(encoding="utf-8-sig"))))
        assert found[0] == CELLS[0]
        kept = [[row[0], row[1], row[3]] for row in found[1:]]
    else:
        table = pyarrow.parquet.read_table(target).to_pylist()
        kept = [[row[n] or "" for n in ("id", "when", "sum")] for row in table]
    assert kept == [
        ["1", "2024-05-17", "1.5"],
        ["2", "2024-05-18 09:30:00", "0.1"],
        ["", "", ""],
        ["007", "true", "-3"],
    ]


def test_a_workbook_is_not_written(mails, tmp_path):
    with pytest.raises(ValueError, match=r"write a \.csv or a \.parquet"):
        run(mails, tmp_path / "out.xlsx", layout("mails.xlsx", mails), ["text"], HOW)


@pytest.mark.parametrize(
    "data", [b"text\nno workbook\n", b"PK\x03\x04 broken", b"\xd0\xcf\x11\xe0"]
)
def test_what_is_no_workbook_is_refused_with_a_sentence(data):
    with pytest.raises(ValueError, match=r"^File: "):
        layout("a.xlsx", data)


def test_an_archive_that_unfolds_too_far_is_not_read(mails, monkeypatch):
    monkeypatch.setattr(workbook, "_LARGEST", 1_000)
    with pytest.raises(ValueError, match="unpacks to"):
        layout("mails.xlsx", mails)
