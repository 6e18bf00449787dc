"""Files that were once read wrongly, each the witness of a kind: what has to happen to it.

`zqxjkvmarker` is a word that no vocabulary knows: it never leaves.
"""

import csv
import datetime
import io
import json
import os

import pyarrow
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from mechanisms import CMP
from release import pieces, run, settings, tables
from release.__main__ import _app
from release.layout import Unclear, layout
from release.settings import Settings
from release.source import Source
from tests.toy import TOY

MARKER = "zqxjkvmarker"


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    monkeypatch.setattr(settings, "_vocabulary", lambda *_: TOY)
    monkeypatch.setattr(pieces, "MOST_CHARACTERS", 120)


def released(tmp_path, name, data, *options, target=None, column="text"):
    """Exit code, what was said, and the private file if there is one."""
    source = tmp_path / name
    source.write_bytes(data if isinstance(data, bytes) else data.encode())
    target = tmp_path / (target or f"out{source.suffix}")
    words = [str(source), str(target), "--epsilon", "10", *options]
    words += ["--column", column] if column else []
    before = sorted(os.listdir(tmp_path))
    done = CliRunner().invoke(_app, words)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    said = " ".join(done.output.replace("│", " ").split())
    if done.exit_code:
        assert sorted(os.listdir(tmp_path)) == before
        return done.exit_code, said, None
    assert MARKER.encode() not in target.read_bytes()
    return 0, said, target.read_bytes()


# -------------------------------------------------------------------------------- quotation marks

PLAIN_QUOTES = 'title,text\n"Untitled,my secret illness\nOther,another secret\n",film\nLast,ok\n'


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_backslash_before_a_mark_at_the_end_of_a_line_is_not_read_by_a_guess(tmp_path, end):
    """With an escape sign this is one row, without one it is two, and the text is elsewhere."""
    data = f'"","\\"{end}film {MARKER} good","ok"'
    code, said, _ = released(tmp_path, "in.csv", data, "--no-header", column="column 2")
    assert code == 2
    assert "a backslash before a quotation mark can be read in two ways" in said
    assert "--escape none" in said
    options = ("--no-header", "--escape", "\\")
    code, _, out = released(tmp_path, "in.csv", data, *options, column="column 2")
    assert code == 0
    assert out.startswith(b'"",')
    assert out.endswith(b',"ok"')


@pytest.mark.parametrize("lines", [10, 3_000])
@pytest.mark.parametrize("cell", ['"\\"', '"C:\\"', '"a ""\\"', '"\\\\\\"', '"two\nlines\\"'])
def test_a_backslash_before_a_mark_late_in_a_file_is_not_read_by_a_guess(tmp_path, cell, lines):
    """With an escape sign the last two rows are one, and its text is in the chosen column."""
    data = '"a","b"\n' + '"good","film"\n' * lines + f'"",{cell}\nfilm {MARKER} good,ok"\n'
    code, said, _ = released(tmp_path, "in.csv", data, column="b")
    assert code == 2
    assert "can be read in two ways, which cut the row" in said
    assert "--escape none" in said
    assert "--escape '\\'" in said
    code, _, out = released(tmp_path, "in.csv", data, "--escape", "none", column="a")
    assert code == 0
    assert f",{cell}\n".encode() in out
    told = ("--escape", "\\", "--quotes")
    code, _, out = released(tmp_path, "in2.csv", data, *told, column="b", target="o2.csv")
    assert code == 0
    rows = csv.reader(io.StringIO(out.decode(), newline=""), doublequote=False, escapechar="\\")
    assert [len(row) for row in rows] == [2] * (lines + 2)


@pytest.mark.parametrize("cell", ['"C:\\new"', '"\\\\"', '"a \\"""', "C:\\", '"a\\""b"'])
def test_a_backslash_that_cuts_no_row_in_two_ways_is_a_character(tmp_path, cell):
    data = '"a","b"\n' + '"good","film"\n' * 3_000 + f'{cell},"good"\n"x","film"\n'
    code, said, out = released(tmp_path, "in.csv", data, column="b")
    assert code == 0, said
    assert out.splitlines()[-2].startswith(cell.encode() + b",")


@pytest.mark.parametrize(("name", "sign"), [("plain.csv", ","), ("plain.tsv", "\t")])
def test_plain_quotation_marks_never_join_rows(tmp_path, name, sign):
    data = PLAIN_QUOTES.replace(",", sign)
    code, said, _ = released(tmp_path, name, data)
    assert code == 2
    assert "line 2 opens a quotation mark" in said
    assert "--quotes" in said
    assert "--no-quotes" in said
    code, said, out = released(tmp_path, name, data, "--no-quotes")
    assert code == 0
    assert "quotation marks: plain characters" in said
    assert out.count(b"\n") == 5
    assert [line.split(sign.encode())[0] for line in out.splitlines()] == [
        line.split(sign.encode())[0] for line in data.encode().splitlines()
    ]
    assert b"secret" not in out


def test_told_quotation_marks_enclose_cells_with_line_breaks(tmp_path):
    code, _, out = released(tmp_path, "in.csv", PLAIN_QUOTES, "--quotes")
    assert code == 0
    assert out.startswith(b'title,text\n"Untitled,my secret illness\nOther,another secret\n",')


@pytest.mark.parametrize("text", ['5" pipe', 'say "no"', 'a""b', 'x"'])
def test_a_quotation_mark_inside_an_unquoted_cell_is_a_character(tmp_path, text):
    data = f"note,text\n{text},{MARKER}\n"
    code, _, out = released(tmp_path, "in.csv", data)
    assert code == 0
    assert out.startswith(f"note,text\n{text},".encode())


@pytest.mark.parametrize(
    "data", ['a,text\n"x" y,z\n', 'a,text\n"x,z\n', 'a,text\n1,"left open\n', 'a,text\n"x"y"z\n']
)
def test_a_cell_that_does_not_close_ends_with_its_line_and_the_option(tmp_path, data):
    code, said, _ = released(tmp_path, "in.csv", data)
    assert code == 2
    assert "line 2" in said
    assert "--no-quotes" in said


def test_an_escape_sign_is_found_told_and_kept_in_other_columns(tmp_path):
    data = 'id,text,note\n1,"the \\"good\\" movie",C:\\new\n2,"bad film",D:\\temp\n'
    code, said, out = released(tmp_path, "in.csv", data)
    assert code == 0
    assert "escape sign" in said
    notes = [line.rsplit(b",", 1)[1] for line in out.splitlines()]
    assert notes == [b"note", b"C:\\new", b"D:\\temp"]
    code, said, _ = released(tmp_path, "in2.csv", data, "--escape", "none", target="o2.csv")
    assert code != 0 or "escape" not in said


def test_a_backslash_at_the_end_of_a_quoted_cell_is_a_character(tmp_path):
    data = '"text"\t"c1"\n"good"\t"\\"\n"not µ5"\t"\\"""\n'
    code, said, out = released(tmp_path, "in.tsv", data)
    assert code == 0
    assert "separator: tab" in said
    assert [line.split(b"\t")[1] for line in out.splitlines()] == [b'"c1"', b'"\\"', b'"\\"""']


# ---------------------------------------------------------------------- one file, once and for all

BEFORE = "id,text,label\n" + f"1,the film {MARKER},neg\n" * 50
AFTER = "id,label,text\n" + f"1,neg,the film {MARKER}\n" * 50


@pytest.mark.parametrize("when", [0, 1, 5])
@pytest.mark.parametrize("change_is", ["moved over", "written over", "grown"])
def test_a_file_that_changes_is_not_released(tmp_path, when, change_is):
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(BEFORE)
    calls = []

    def change(*_):
        calls.append(0)
        if len(calls) == when + 1:
            new = tmp_path / "new.csv"
            new.write_text(AFTER)
            if change_is == "moved over":
                new.replace(source)
            elif change_is == "written over":
                state = source.stat()
                source.write_text(AFTER)  # of the same length
                os.utime(source, ns=(state.st_atime_ns, state.st_mtime_ns + 1))
                new.unlink()
            else:
                source.write_text(BEFORE + "51,x,y\n")
                new.unlink()

    found, how = layout("in.csv", source, named=["text"]), Settings(mechanism=CMP(epsilon=9))
    with pytest.raises(ValueError, match="changed while it was read"):
        run.run(source, target, found, ["text"], how, progress=change)
    assert os.listdir(tmp_path) == ["in.csv"]


def test_bytes_that_change_between_two_readings_are_seen_though_the_time_is_set_back(tmp_path):
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(BEFORE)

    def change(done, of):
        if done == 0:
            state = source.stat()
            source.write_text(BEFORE.replace("film", "flim"))
            os.utime(source, ns=(state.st_atime_ns, state.st_mtime_ns))

    found, how = layout("in.csv", source, named=["text"]), Settings(mechanism=CMP(epsilon=9))
    with pytest.raises(ValueError, match="changed while it was read"):
        run.run(source, target, found, ["text"], how, progress=change)
    assert not target.exists()


def test_a_header_that_is_skipped_is_the_header_that_was_chosen_from():
    how = layout("in.csv", BEFORE.encode(), named=["text"])
    with pytest.raises(ValueError, match="not the header"):
        list(tables.rows(AFTER.encode(), how))
    lines = layout("in.jsonl", b'{"text": "a"}\n')
    with pytest.raises(ValueError, match="line 1 has the name 'other'"):
        list(tables.rows(b'{"other": "a secret"}\n', lines))


def test_a_pipe_and_a_folder_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    for place in (tmp_path, tmp_path / "pipe.csv"):
        with pytest.raises(ValueError, match="must be a file"):
            Source(place)


# ------------------------------------------------------------------------- headers and separators


def test_the_first_line_of_a_single_column_is_never_guessed_to_be_a_name(tmp_path):
    data = f"{MARKER}\nthe movie was very good\na bad film was made\n"
    code, said, _ = released(tmp_path, "in.csv", data, column=None)
    assert code == 2
    assert "--header or --no-header" in said
    code, _, out = released(tmp_path, "in.csv", data, "--no-header", column=None)
    assert code == 0
    assert out.count(b"\n") == 3
    code, _, out = released(
        tmp_path, "in2.csv", data.replace(MARKER, "name"), "--header", column=None, target="o.csv"
    )
    assert out.startswith(b"name\n")


def test_a_separator_line_is_obeyed_and_kept(tmp_path):
    code, said, out = released(tmp_path, "in.csv", "sep=;\nid;text\n1;hello there\n2;good bye\n")
    assert code == 0
    assert "separator: semicolon" in said
    assert out.startswith(b"sep=;\nid;text\n1;")


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        (f"| {MARKER} ,naïve\x0b\u2028", ","),
        (f"{MARKER},\x85=the   \t", ","),
        (f"{MARKER}|a;the|b\n{MARKER}|c;the|d\n", ";"),
        (f'{MARKER},"a|b', ","),  # a plain quotation mark: by commas only if nothing is quoted
    ],
)
def test_two_possible_separators_without_a_named_column_are_refused(tmp_path, text, separator):
    code, said, _ = released(tmp_path, "in.csv", text, "--no-header", column="column 1")
    assert code == 2
    assert "first rows have equally many cells" in said
    assert "--separator" in said
    told = ("--no-header", "--no-quotes", "--separator", separator)
    code, _, out = released(tmp_path, "in.csv", text, *told, column="column 1")
    assert code == 0
    lines = zip(text.split("\n"), out.decode().split("\n"), strict=True)
    assert all(a.partition(separator)[2] == b.partition(separator)[2] for a, b in lines)


def test_a_named_column_decides_the_separator(tmp_path):
    data = "a;text;b\n1,5;the film, it was, yes;2,5\n2,5;a film, it was, no;3,5\n"
    code, said, out = released(tmp_path, "in.csv", data)
    assert code == 0
    assert "separator: semicolon" in said
    assert [line.split(b";")[::2] for line in out.splitlines()] == [
        [b"a", b"b"],
        [b"1,5", b"2,5"],
        [b"2,5", b"3,5"],
    ]


def test_a_page_of_html_and_other_things_are_named(tmp_path):
    page = "<html><body><table><tr><td>a,b</td></tr></table></body></html>"
    code, said, _ = released(tmp_path, "in.csv", page)
    assert code == 2
    assert "a page of HTML" in said


# ---------------------------------------------------------------------------------------- encodings

WORDS = {
    "cp1252": "Zürich café, fiancée, Größe, naïve",
    "iso8859-1": "Zürich café, niño, garçon",
    "iso8859-15": "cœur, élève, 5 €",
    "cp437": "Zürich café, niño",
    "cp850": "Zürich café, Straße, niño",
    "cp775": "Zürich café, āboli, ēst",
    "iso8859-2": "łódź, zażółć gęślą jaźń",
    "iso8859-5": "привет, мир",
    "iso8859-10": "čáhppes, đat, ŋ",
    "koi8-r": "привет, мир",
    "mac-roman": "Zürich café, niño, canción",
    "cp1250": "příliš žluťoučký kůň",
    "cp1251": "привет, мир",
}


@pytest.mark.parametrize("encoding", WORDS)
@pytest.mark.parametrize("rows", [1, 30, 3_000])
def test_an_old_encoding_is_read_rightly_or_asked_and_never_silently_wrong(encoding, rows):
    words = WORDS[encoding]
    data = ("id;text;city\n" + f"1;the film;{words}\n" * rows).encode(encoding)
    said = None
    try:
        how = layout("in.csv", data, named=["text"])
    except Unclear as unclear:
        said = unclear
    if said is None:
        assert next(tables.rows(data, how))[2] == words
    else:
        assert encoding not in ("cp1252", "iso8859-1")
        assert 2 <= len({line for _, line in said.readings}) == len(said.readings) <= 3
        assert all(f"--encoding {name}" in str(said) for name, _ in said.readings)
    told = layout("in.csv", data, named=["text"], encoding=encoding)
    assert next(tables.rows(data, told))[2] == words


LANGUAGES = {
    "German": ("Das Mädchen hörte zu", "Straße und Käse", "schöne Grüße aus Köln", "weiß nicht"),
    "French": ("le café est fermé", "garçon où es-tu", "un cœur brisé", "à bientôt", "l’été"),
    "Spanish": ("niño pequeño", "el país está aquí", "canción española", "mañana", "así"),
    "Portuguese": ("coração", "não sei", "irmã", "você está"),
    "Danish": ("rød grød med fløde", "smørrebrød", "æble"),
    "English": ("don’t do it", "“hello” he said", "wait…", "a – b", "£5", "it’s 20°"),
    "Polish": ("łódź", "zażółć gęślą jaźń", "są", "że tak", "mąż", "dzień", "być"),
    "Czech": ("příliš žluťoučký kůň", "řeka", "černá", "dům", "město", "že"),
    "Hungarian": ("nő", "tűz", "őszi", "fű", "kő", "szép"),
    "Turkish": ("şimdi", "ağaç", "ışık", "güzel", "değil"),
    "Russian": ("привет мир", "и", "а", "в лесу", "да"),
    "Latvian": ("ābols", "ēst", "šodien", "mīļš"),
    "Lithuanian": ("ačiū", "žąsis", "šeši", "ėjo"),
}
OLD = (
    *("cp437", "cp850", "cp775", "cp852", "cp857", "iso8859-1", "iso8859-2", "iso8859-4"),
    *("iso8859-5", "iso8859-9", "iso8859-10", "iso8859-13", "iso8859-15", "koi8-r", "mac-roman"),
    *("mac-latin2", "cp1250", "cp1251", "cp1252", "cp1254", "cp1257", "cp866"),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_is_silently_read_in_a_wrong_encoding(language):
    read = []
    for encoding in OLD:
        try:
            lines = [line.encode(encoding) for line in LANGUAGES[language]]
        except UnicodeEncodeError:
            continue
        data = b"id;text;note\n" + b"".join(b"1;the film;%s\n" % line for line in lines) * 3
        try:
            how = layout("in.csv", data, named=["text"])
        except Unclear:
            continue
        notes = [row[2] for row in tables.rows(data, how)]
        assert notes == list(LANGUAGES[language] * 3), encoding
        read.append(encoding)
    western = ("German", "French", "Spanish", "Portuguese", "Danish", "English")
    assert ("cp1252" in read) == (language in western)


def test_western_letters_are_cp1252_and_leave_as_utf_8(tmp_path):
    data = "id,text,city\n" + "1,the movie,Zürich café\n" * 30
    code, said, out = released(tmp_path, "in.csv", data.encode("cp1252"))
    assert code == 0
    assert "encoding: cp1252" in said
    assert out.decode().count("Zürich café") == 30


@pytest.mark.parametrize(("choice", "letter"), [("cp1252", "’"), ("replace", "\ufffd")])
def test_one_foreign_byte_is_a_fault_of_utf_8_and_never_another_encoding(tmp_path, choice, letter):
    good = "0,the movie,Zürich\n" * 400
    data = f"id,text,city\n{good}".encode() + b"400,a film,it\x92s\n"
    code, said, _ = released(tmp_path, "in.csv", data)
    assert code == 2
    for part in ("1 byte is not UTF-8", "line 402", "0x92", "’", "--bad-bytes"):
        assert part in said
    code, _, out = released(tmp_path, "in.csv", data, "--bad-bytes", choice)
    assert code == 0
    assert out.decode().endswith(f",it{letter}s\n")
    assert out.decode().count("Zürich") == 400


@pytest.mark.parametrize("told", [(), ("--encoding", "utf-8"), ("--encoding", "utf8")])
def test_a_mark_is_removed_and_restored(tmp_path, told):
    code, _, out = released(tmp_path, "in.csv", "\ufeffid,text\n1,the movie\n2,bad film\n", *told)
    assert code == 0
    assert out.startswith(b"\xef\xbb\xbfid,text\n1,")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-16-le", "shift_jis", "gb18030"])
def test_other_encodings_leave_as_utf_8_with_the_same_letters(tmp_path, encoding):
    data = "id,text,note\n1,the movie,日本|ソ\n2,bad film,表\n".encode(encoding)
    code, _, out = released(tmp_path, "in.csv", data, "--encoding", encoding)
    assert code == 0
    rows = list(csv.reader(io.StringIO(out.decode("utf-8-sig"))))
    assert [row[2] for row in rows] == ["note", "日本|ソ", "表"]


# ---------------------------------------------------------------------------------- other columns


def test_other_values_of_json_lines_leave_byte_for_byte(tmp_path):
    line = '{"id": 12345678901234567890.123, "p": 1.10,"n":1E400, "x": NaN, "text" : "hi", "a":1}'
    code, _, out = released(tmp_path, "in.jsonl", line + "\r\n\r\n" + line)
    assert code == 0
    first, second = line.split('"hi"')
    assert out.startswith(first.encode() + b'"')
    assert out.count(b"\r\n\r\n") == 1
    assert out.endswith(second.encode())


def test_repeated_and_half_names_of_json_lines(tmp_path):
    code, _, out = released(tmp_path, "in.jsonl", '{"text": "good", "a": 1, "a": 2}\n')
    assert code == 0
    assert out.endswith(b', "a": 1, "a": 2}\n')
    data = '{"text": "the movie good", "\\ud83d": 1}\n'
    code, _, out = released(tmp_path, "in2.jsonl", data, target="o2.jsonl")
    assert code == 0
    assert out.endswith(b', "\\ud83d": 1}\n')


@pytest.mark.parametrize(
    ("data", "target", "part"),
    [
        ('{"text": "a", "text": "secret"}\n', "out.jsonl", "Row 1: the name of the text column"),
        ('{"text": "a", "\\ud83d": 1}\n', "out.csv", "half a character"),
        ('{"text": ["secret"]}\n', "out.jsonl", "Row 1: the text column holds a list"),
    ],
)
def test_what_cannot_be_made_private_is_refused_before_the_first_draw(
    tmp_path, monkeypatch, data, target, part
):
    monkeypatch.setattr(pieces, "private", None)
    code, said, _ = released(tmp_path, "in.jsonl", data, target=target)
    assert code == 2
    assert part in said


def test_missing_texts_stay_missing(tmp_path):
    data = '{"text": NaN, "a": 1}\n{"text": null}\n{"a": 2}\n{"text": ""}\n'
    code, _, out = released(tmp_path, "in.jsonl", data)
    assert code == 0
    assert out == data.encode()


@pytest.mark.parametrize("target", ["out.csv", "out.tsv", "out.jsonl", "out.parquet"])
def test_a_lone_carriage_return_never_makes_a_row(tmp_path, target):
    data = 'id,text,note\n1,"the movie\rwas good","first\rsecond"\n2,bad film,x\n'
    code, _, out = released(tmp_path, "in.csv", data, target=target)
    assert code == 0
    (tmp_path / "again").write_bytes(out)
    how = layout(target, out, named=["text"])
    rows = [list(row) for row in tables.rows(out, how)]
    assert [row[2] for row in rows] == ["first\rsecond", "x"]


def test_plain_text_refuses_a_cell_with_a_line_break(tmp_path):
    code, said, _ = released(
        tmp_path, "in.csv", 'text\n"the movie\nwas good"\n"bad film"\n', target="out.txt"
    )
    assert code == 2
    assert "row 1 has a line break" in said


# ------------------------------------------------------------------------------------------ Parquet


def table_of(tmp_path, table, *options, target="out.parquet", **more):
    written = io.BytesIO()
    parquet.write_table(table, written, **more)
    code, said, out = released(tmp_path, "in.parquet", written.getvalue(), *options, target=target)
    if out is None or not target.endswith(".parquet"):
        return code, said, out
    return code, said, parquet.ParquetFile(io.BytesIO(out))


OTHERS = {
    "time64[ns]": pyarrow.array([123456789] * 9, pyarrow.time64("ns")),
    "year 10000": pyarrow.array([253402300800000000] * 9, pyarrow.timestamp("us")),
    "far date": pyarrow.array([10**7] * 9, pyarrow.date32()),
    "decimal": pyarrow.array([None, *range(8)]).cast(pyarrow.decimal128(30, 3)),
    "bytes": pyarrow.array([b"\xff\x00"] * 9),
    "nested": pyarrow.array([{"a": [1, None]}] * 9),
    "dictionary": pyarrow.array(["a", None, "b"] * 3).dictionary_encode(),
    "bad utf-8": pyarrow.array([b"\xff"] * 9).view(pyarrow.string()),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_other_columns_of_parquet_are_not_looked_at(tmp_path, kind):
    table = pyarrow.table({"text": [f"film {MARKER}"] * 9, "o": OTHERS[kind]})
    table = table.replace_schema_metadata({"mine": "kept"})
    code, _, out = table_of(tmp_path, table, row_group_size=4)
    assert code == 0
    again = out.read()
    assert again.schema.equals(parquet.read_schema(tmp_path / "in.parquet"), check_metadata=True)
    assert again.column("o").equals(parquet.read_table(tmp_path / "in.parquet").column("o"))
    assert [out.metadata.row_group(i).num_rows for i in range(out.num_row_groups)] == [4, 4, 1]


def test_names_may_be_repeated_in_parquet(tmp_path):
    table = pyarrow.table([["film"] * 3, [1, 2, 3], [4, 5, 6]], names=["text", "a", "a"])
    code, _, out = table_of(tmp_path, table)
    assert code == 0
    assert out.schema_arrow.names == ["text", "a", "a"]
    assert out.read().column(2).to_pylist() == [4, 5, 6]


@pytest.mark.parametrize("index", [pyarrow.int8(), pyarrow.int16(), pyarrow.int32()])
def test_a_dictionary_of_texts_is_widened_and_that_is_said(tmp_path, index):
    texts = pyarrow.array(["the movie", "a film", None] * 300).dictionary_encode()
    table = pyarrow.table({"text": texts.cast(pyarrow.dictionary(index, pyarrow.string()))})
    code, said, out = table_of(tmp_path, table)
    assert code == 0
    assert ("becomes dictionary" in said) == (index != pyarrow.int32())
    assert out.read().column("text").null_count == 300


@pytest.mark.parametrize("texts", [list(range(9)), [1.5, float("nan"), None] * 3, [True] * 9])
def test_numbers_become_texts_and_that_is_said(tmp_path, texts):
    code, said, out = table_of(tmp_path, pyarrow.table({"text": texts}))
    assert code == 0
    assert "becomes string" in said
    missing = [text is None or text != text for text in texts]
    assert [text is None for text in out.read().column("text").to_pylist()] == missing


def test_bad_utf_8_in_the_text_column_is_named_with_its_row(tmp_path):
    table = pyarrow.table({"text": OTHERS["bad utf-8"]})
    code, said, _ = table_of(tmp_path, table)
    assert code == 2
    assert "row 1 of the column 'text' cannot be read" in said


@pytest.mark.parametrize("target", ["out.csv", "out.jsonl"])
@pytest.mark.parametrize("kind", ["time64[ns]", "year 10000", "far date", "decimal", "nested"])
def test_values_of_parquet_leave_in_other_formats(tmp_path, kind, target):
    table = pyarrow.table({"text": ["film"] * 9, "o": OTHERS[kind]})
    code, _, out = table_of(tmp_path, table, target=target)
    assert code == 0
    if kind == "time64[ns]":
        assert b"00:00:00.123456789" in out
    if kind == "year 10000":
        assert b"10000-01-01" in out


def test_a_damaged_parquet_file_is_a_sentence(tmp_path):
    written = io.BytesIO()
    parquet.write_table(pyarrow.table({"text": ["film"] * 999}), written)
    data = bytearray(written.getvalue())
    data[4:40] = bytes(36)
    code, said, _ = released(tmp_path, "in.parquet", bytes(data))
    assert code == 2
    assert "cannot be read" in said


def test_a_column_named_twice_on_the_command_line_counts_once(tmp_path):
    code, _, _ = released(tmp_path, "in.csv", "text\nthe film\n", "--column", "text")
    assert code == 0
    account = json.loads((tmp_path / "out.csv.private-account.json").read_text("utf-8"))
    assert account["columns made private"] == ["text"]
    assert datetime.datetime.fromisoformat(account["finished"])
