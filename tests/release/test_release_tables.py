"""Files as people have them: what they are found to be, and that nothing in them is lost."""

import datetime
import io
import json

import clevercsv
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from release import csv_rows, json_rows, tables
from release.layout import layout, unique
from release.spreadsheet import as_text_cell, as_typed, is_formula
from release.tables import ABSENT

ROWS = [["1", "a long story, indeed", "good"], ["2", 'she said "no"\nand left', ""]]
TABLE = 'id,text,label\n1,"a long story, indeed",good\n2,"she said ""no""\nand left",\n'
LATIN = "id;text\n1;Das Mädchen hörte zu, überall war es schön\n2;Größe, Straße, Käse und Öl\n"


def found(data, name="file.csv", **given):
    data = data.encode() if isinstance(data, str) else data
    how = layout(name, data, **given)
    return how, [list(row) for row in tables.rows(data, how)]


def assembled(out, *pieces):
    written = io.BytesIO()
    tables.assemble(out, [tables.encoded(out, rows) for rows in pieces], written)
    return written.getvalue()


def separated(delimiter):
    """The table with another separator."""
    header, first, rest = TABLE.split("\n", 2)
    first = first.replace('1,"', f'1{delimiter}"').replace('",good', f'"{delimiter}good')
    rest = rest.replace("2,", f"2{delimiter}").replace('",\n', f'"{delimiter}\n')
    return "\n".join([header.replace(",", delimiter), first, rest])


# ------------------------------------------------------------------------------- what a file is


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_separators_and_line_breaks_in_quotes_are_found(delimiter):
    how, rows = found(separated(delimiter))
    assert (how.delimiter, how.header) == (delimiter, ("id", "text", "label"))
    assert rows == ROWS


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_system_are_read(ends):
    text = f"id,text{ends}1,the film was good{ends}2,the film was bad{ends}"
    _, rows = found(text)
    assert rows == [["1", "the film was good"], ["2", "the film was bad"]]


@pytest.mark.parametrize(
    ("encoding", "named"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-32", "utf-32"),
    ],
)
def test_unicode_is_recognised_with_and_without_a_mark(encoding, named):
    how, rows = found(LATIN.encode(encoding))
    assert how.encoding == named
    assert how.columns == ("id", "text")
    assert rows[1] == ["2", "Größe, Straße, Käse und Öl"]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_old_encodings_are_recognised_and_can_be_set(encoding):
    how, rows = found(LATIN.encode(encoding))
    assert rows[0][1].startswith("Das Mädchen hörte")
    how, rows = found("id;text\n1;€uro\n".encode("cp1252"), encoding="cp1252", header=True)
    assert rows == [["1", "€uro"]]


def test_an_encoding_that_first_differs_far_inside_is_found():
    data = (
        b"id;text\n"
        + b"1;plain words only\n" * 40_000
        + "2;schöne Größe für Käse\n".encode("cp1252")
    )
    how, rows = found(data)
    assert how.encoding != "utf-8"
    assert rows[-1] == ["2", "schöne Größe für Käse"]


def test_a_wrong_encoding_is_said_with_its_line():
    with pytest.raises(ValueError, match=r"2 bytes are not UTF-8 \(line 40004: 0xFF"):
        found(b"text\n" + b"plain\n" * 40_002 + b"\xff\xfe\n", encoding="utf-8", header=True)
    with pytest.raises(ValueError, match="'klingon' is unknown"):
        found(TABLE, encoding="klingon")


@pytest.mark.parametrize(
    ("text", "header"),
    [
        (TABLE, True),
        ("1,the film was good\n2,the film was bad\n3,what a film\n", False),
        ("the film was good\nwhat a film\n", False),
    ],
)
def test_a_header_is_found_and_can_be_set(text, header):
    how, rows = found(text)
    assert (how.header is not None) is header
    assert len(rows) == text.count("\n") - header - (text is TABLE)
    assert (found(text, header=not header)[0].header is None) is header


def test_a_column_that_is_known_by_name_makes_the_first_row_a_header():
    text = "one,two\nthree,four\n"
    assert found(text, named=["two"])[0].header == ("one", "two")
    assert found(text, header=False, named=["two"])[0].header is None


def test_columns_are_named_once_whatever_the_header_says():
    assert unique(["text", "", "text", " ", "text (2)"]) == (
        *("text", "column 2", "text (3)", "column 4", "text (2)"),
    )
    assert len(set(unique(["a"] * 1000))) == 1000
    how, _ = found("text,,text\nthe film,1,2\na film,3,4\n", header=True)
    assert how.header == ("text", "", "text")
    assert how.columns == ("text", "column 2", "text (2)")
    with pytest.raises(
        ValueError, match="there is no column 'label'. The file has: text, column 2"
    ):
        how.position("label")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, "a PNG picture"),
        (b"PK\x03\x04" + bytes(100), "a zip archive or a spreadsheet"),
        (b"\x1f\x8b\x08" + bytes(100), "compressed"),
        (b"\x93NUMPY\x01\x00v", "a NumPy array"),
        (b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00\x8c\x02hi\x94." * 20, "a pickle"),
        (bytes(range(256)) * 400, "not text|encoding"),
        ("id,text\n1,good\n".encode("utf-16-le"), "utf-16-le"),
        (b"PAR1" + bytes(100), "this is Parquet"),
        (b'id,text\n1,"a quotation mark is open\n' + b"2,more\n" * 9, "read in two ways"),
        (b'id,text\n1,"a quotation mark is open\n' + b"more\n" * 9, "line 2 is never closed"),
        (b"<html><body><table><tr><td>a,b</td></tr></table></body></html>", "a page of HTML"),
    ],
)
def test_what_is_no_table_is_refused_with_its_reason(data, said):
    with pytest.raises(ValueError, match=said):
        found(data)


def test_a_broken_file_does_not_change_what_is_found_in_the_next():
    with pytest.raises(ValueError, match="read in two ways"):
        found(b'id,text\n1,"a quotation mark is open\n' + b"2,more\n" * 9)
    longer = TABLE + "3,nothing much,fair\n" * 50
    assert found(longer)[0].header == ("id", "text", "label")
    clevercsv.field_size_limit(5)  # what a failure of the library leaves behind
    assert found(longer)[0].header == ("id", "text", "label")


def test_a_cell_without_end_is_refused_and_not_held_in_memory(monkeypatch):
    monkeypatch.setattr(csv_rows, "LONGEST_CELL", 1_000)
    monkeypatch.setattr(csv_rows, "LONGEST_ROW", 5_000)
    monkeypatch.setattr(json_rows, "LONGEST_CELL", 1_000)
    with pytest.raises(ValueError, match="line 2 is longer than 1,000 characters"):
        found("id,text\n1," + "x" * 2_000 + "\n", header=True)
    with pytest.raises(ValueError, match="in line 2 is never closed"):
        found('id,text\n1,"' + "x\n" * 9_000 + '"\n', header=True)
    for name in ("file.txt", "file.jsonl"):
        with pytest.raises(ValueError, match="longer than 1,000 characters"):
            found('{"a": 1}\n' + "x" * 2_000 + "\n", name)


def test_endings_that_say_no_format_are_refused_and_a_format_can_be_given():
    with pytest.raises(ValueError, match="must end in one of .csv, .tsv"):
        found(TABLE, "reviews.doc")
    assert found(TABLE, "reviews.doc", format="csv")[1] == ROWS


# ------------------------------------------------------------------------------- rows out of step


@pytest.mark.parametrize("wrong", ["3,four,five", "three", "4,a story, of commas"])
def test_a_row_out_of_step_ends_the_reading_since_its_text_may_stand_anywhere(wrong):
    data = f"id,text\n1,the film\n{wrong}\n2,a film\n".encode()
    how = layout("file.csv", data, header=True, delimiter=",")
    with pytest.raises(
        ValueError, match=r"row 2 \(it ends in line 3\) has \d cells?, but a row has 2"
    ):
        list(tables.rows(data, how))
    assert list(tables.rows(data, how, "empty")) == [["1", "the film"], ["", ""], ["2", "a film"]]


def test_blank_lines_are_no_rows_but_where_there_is_one_column():
    assert len(found("id,text\n1,the film\n\n2,a film\n\n", header=True)[1]) == 2
    rows = found("text\nthe film\n\na film\n", header=True)[1]
    assert rows == [["the film"], [""], ["a film"]]


def test_nul_bytes_go_through():
    _, rows = found("id,text\n1,the \0 film\n2,a film\n", header=True)
    assert rows == [["1", "the \0 film"], ["2", "a film"]]


def test_ten_thousand_columns_are_read():
    names = [f"c{i}" for i in range(10_000)]
    line = ",".join("x" for _ in names)
    how, rows = found(",".join(names) + f"\n{line}\n{line}\n", named=["c9999"])
    assert how.position("c9999") == 9_999
    assert [len(row) for row in rows] == [10_000, 10_000]


# ------------------------------------------------------------------------------------ other formats

LINES = [
    {"text": "the film", "stars": 4, "more": {"a": [1, None]}},
    {"text": None, "other": True},
    {"text": 12, "stars": 1e300},
]


def test_json_lines_keep_every_value_and_every_absence():
    data = "".join(json.dumps(line) + "\n" for line in LINES)
    how, rows = found(data + "\n", "file.jsonl")
    assert how.columns == ("text", "stars", "more", "other")
    assert rows[1] == [None, ABSENT, ABSENT, "true"]
    out = tables.output("out.jsonl", data.encode(), how)
    assert tables.encoded(out, tables.rows(data.encode(), how)) == data.encode()
    assert [json.loads(line) for line in data.splitlines()] == LINES


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ('[{"text": "x"}]', "line 1 must be an object"),
        ('{"text": "x"}\n{"text": \n', "line 2 is not JSON"),
        ("\n\n", "it has no objects"),
        ("[" * 100_000, "line 1 is not JSON"),
    ],
)
def test_what_is_not_json_lines_is_refused_with_its_line(data, said):
    with pytest.raises(ValueError, match=said):
        found(data, "file.jsonl")


def test_half_a_character_in_json_survives_where_it_is_not_made_private():
    data = b'{"text": "\\ud800 film", "id": "\\ud800"}\n'
    how, rows = found(data, "file.jsonl")
    assert tables.texts(rows[0], [0], 1) == ["\ufffd film"]
    for name in ("out.jsonl", "out.csv", "out.parquet"):
        assert assembled(tables.output(name, data, how), list(tables.rows(data, how)))
    out = tables.output("o.jsonl", data, how)
    assert assembled(out, list(tables.rows(data, how))) == data
    assert b"\\ud800 film" in tables.encoded(out, rows)


def test_numbers_in_a_text_column_are_texts_and_missing_values_are_empty():
    assert tables.texts([3, 2.5, True, None, ABSENT, ""], range(6), 1) == [
        *("3", "2.5", "true", "", "", ""),
    ]
    row = [None, ABSENT, "", "word"]
    assert tables.with_texts(row, range(4), ["a", "b", "c", "d"]) == [None, ABSENT, "", "d"]
    with pytest.raises(ValueError, match="Row 7: the text column holds list"):
        tables.texts([["a"]], [0], 7)


def parquet_bytes(table):
    written = io.BytesIO()
    parquet.write_table(table, written)
    return written.getvalue()


def test_parquet_keeps_types_and_values():
    table = pyarrow.table(
        {
            "text": pyarrow.array(["the film", None, ""], pyarrow.large_string()),
            "when": pyarrow.array(
                [datetime.datetime(2020, 1, 2, 3, 4, 5, 678901), None, None],
                pyarrow.timestamp("ns"),
            ),
            "stars": pyarrow.array([1, None, 3], pyarrow.int8()),
            "share": pyarrow.array([float("nan"), 0.1, None]),
            "tags": pyarrow.array([["a"], [], None]),
            "pair": pyarrow.array([{"x": 1}, None, {"x": None}]),
            "kind": pyarrow.array(["a", "b", "a"]).dictionary_encode(),
        }
    )
    data = parquet_bytes(table)
    how = layout("file.parquet", data)
    rows = [tables.with_texts(row, [0], ["the film"]) for row in tables.rows(data, how)]
    out = tables.output("out.parquet", data, how, [0])
    again = parquet.read_table(io.BytesIO(assembled(out, rows[:2], rows[2:])))
    assert again.schema.equals(table.schema)
    assert str(again.to_pylist()) == str(table.to_pylist())


@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out.jsonl", "out.parquet"])
def test_a_table_is_the_same_in_every_format(name):
    how, rows = found(TABLE)
    out = tables.output(name, TABLE.encode(), how)
    written = io.BytesIO()
    tables.assemble(out, [tables.encoded(out, rows[:1]), tables.encoded(out, rows[1:])], written)
    again, back = found(written.getvalue(), name, named=how.columns)
    assert again.columns == how.columns
    assert back == rows


def test_plain_text_is_a_document_a_line():
    how, rows = found("one line\n\nanother\n", "file.txt")
    assert rows == [["one line"], [""], ["another"]]
    out = tables.output("out.txt", b"", how)
    assert tables.encoded(out, rows) == b"one line\n\nanother\n"
    with pytest.raises(ValueError, match="plain text has one column"):
        tables.output("out.txt", TABLE.encode(), layout("t.csv", TABLE.encode()))


# ------------------------------------------------------------------------------------- spreadsheets


@pytest.mark.parametrize(
    "cell",
    ["=1+1", "+cmd", "-2+3", "@sum", "\t=1", "\r=1", "\n=1", "＝1+1", "-", "=", "+1a", "--1"],
)
def test_a_cell_that_a_spreadsheet_would_run_gets_an_apostrophe(cell):
    assert as_text_cell(cell) == "'" + cell


@pytest.mark.parametrize(
    "cell",
    ["-3", "+1,5", "-1.234,56", "-1e-5", "+ 4"[:1] + "4", "-50%", "-.5", "a=b", "", "'a"],
)
def test_numbers_and_other_cells_stay(cell):
    assert as_text_cell(cell) == cell


@given(st.text() | st.text(alphabet="'=+-@ 1a\t\n＝"))
def test_the_apostrophe_can_be_taken_off_again(cell):
    guarded = as_text_cell(cell)
    assert as_typed(guarded) == cell
    assert guarded in (cell, f"'{cell}")
    assert (guarded != cell) == is_formula(cell)


def test_a_cell_that_looks_guarded_is_told_from_one_that_is():
    assert [as_text_cell("=1"), as_text_cell("'=1")] == ["'=1", "''=1"]


def test_a_formula_is_escaped_in_private_cells_and_elsewhere_by_choice():
    data = b"=id,text\n=1+1,-3\n"
    how = layout("in.csv", data, header=True)
    for guard, written in ((False, b"=id,text\n=1+1,'=x\n"), (True, b"'=id,text\n'=1+1,'=x\n")):
        out = tables.output("out.csv", data, how, [1], guard)
        rows = [tables.with_texts(row, [1], ["=x"]) for row in tables.rows(data, how)]
        assert assembled(out, rows) == written
        assert tables.formulas(out, rows[0]) == ([0, 1] if guard else [1])
    assert tables.formulas(tables.output("out.jsonl", data, how), rows[0]) == []
