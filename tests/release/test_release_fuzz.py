"""Random files, made private in this process: no text of a chosen column ever leaves.

Every text cell of a file holds a marker, a word that the toy vocabulary lacks; unknown words are
never kept. If a run ends with 0, no marker of a chosen column is in the private file, every other
cell is what it was (byte for byte in the file's own format, by value in another one), and the rows
are there in their order, also for pandas, pyarrow and the standard library. If it ends otherwise,
the code is a documented one, nothing is left behind, and there is no traceback.

A thousand files run with the other tests. Twenty thousand:

    WORDVEIL_FUZZ=20000 python -m pytest tests/release/test_release_fuzz.py
"""

import codecs
import csv
import io
import json
import os
import re
import tempfile
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow
import pytest
from hypothesis import HealthCheck, Phase, event, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pyarrow import parquet
from typer.testing import CliRunner

from mechanisms import CMP
from release import parts, pieces, report, run, settings
from release.__main__ import _app
from release.layout import layout
from release.settings import Settings
from release.source import Source
from tests.toy import TOY

EXAMPLES = int(os.environ.get("WORDVEIL_FUZZ", "1000"))
SECRET = re.compile(r"zqs\d+x", re.IGNORECASE)
WORDS = ("north", "the", "film", "it's", "a", "Zürich", "naïve", "日本", "…", "и")
BITS = (
    '"',
    '""',
    "'",
    ",",
    ";",
    "\t",
    "|",
    "\\",
    '\\"',
    "=",
    "-1",
    " ",
    "  ",
    "NA",
    "NaN",
    "<br />",
)
NAMES = ("text", "id", "a b", "name", "Größe", "x,y", "=n", "c1", "note", "t")
BREAKS = ("\n", "\r\n", "\r", "\n\n", "\u2028", "\x85", "\x0b")


@dataclass(frozen=True)
class Made:
    """A file, its true cells, and the options that say how it is to be read."""

    name: str
    data: bytes
    columns: list
    rows: list
    chosen: list
    options: list
    dialect: dict


@st.composite
def grids(draw, breaks=True, most=5):
    """Names, rows of texts, and the chosen columns. Every cell that is not empty has a marker.

    The texts come from one seed: a draw of Hypothesis for each of their words costs too much.
    """
    width, count = draw(st.integers(1, most)), draw(st.integers(0, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    parts = [*WORDS, *BITS, *(BREAKS if breaks else ())]
    chosen = sorted(draw(st.sets(st.integers(0, width - 1), min_size=1)))

    def text():
        sign = " " if rng.integers(2) else ""
        return sign.join(parts[i] for i in rng.integers(len(parts), size=rng.integers(7)))

    def cell(number, position):
        if not rng.integers(6):
            return ""
        kind = "s" if position in chosen else "p"
        return f"{text()}zq{kind}{number * width + position}x{text()}"

    names = [str(name) for name in rng.permutation(NAMES)[:width]]
    rows = [[cell(number, position) for position in range(width)] for number in range(count)]
    return names, rows, chosen


ENCODINGS = ("utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252", "latin-1", "koi8-r")
ENCODINGS += ("shift_jis", "gb18030", "mac-roman", "cp850")
MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF32_LE)


@st.composite
def csv_files(draw):
    """CSV in every dialect: as a library writes it, or with plain quotation marks."""
    names, rows, chosen = draw(grids())
    delimiter = draw(st.sampled_from(",;\t|"))
    end = draw(st.sampled_from(("\n", "\r\n", "\r")))
    encoding = draw(st.sampled_from(ENCODINGS))
    header = draw(st.booleans()) if len(names) > 1 else True
    style = draw(st.sampled_from(("minimal", "minimal", "all", "escape", "plain")))

    def real(cell):
        if encoding == "latin-1":  # if not told it is read as cp1252, where 0x85 is a letter
            cell = cell.replace("\x85", " ")
        return cell.encode(encoding, "replace").decode(encoding).removeprefix("\ufeff")

    names, rows = [real(n) for n in names], [[real(c) for c in row] for row in rows]
    dialect = {"delimiter": delimiter}
    if style == "plain":
        bad = re.compile(f"[{re.escape(delimiter)}\r\n]")
        names = [bad.sub("_", name) for name in names]
        rows = [[bad.sub("_", cell) for cell in row] for row in rows]
        dialect |= {"quoting": csv.QUOTE_NONE}
        lines = [delimiter.join(row) for row in ([names] if header else []) + rows]
        text = "".join(line + end for line in lines)
    else:
        if style == "escape":
            dialect |= {"doublequote": False, "escapechar": "\\"}
        # Before Python 3.11.9 the library quotes no line break but that of its own line ends.
        breaks = any(sign in cell for row in rows for cell in row for sign in "\r\n")
        plain = style == "minimal" and not breaks
        quoting = csv.QUOTE_MINIMAL if plain else csv.QUOTE_ALL
        written = io.StringIO(newline="")
        writer = csv.writer(written, quoting=quoting, lineterminator=end, **dialect)
        writer.writerows(([names] if header else []) + rows)
        text = written.getvalue()
    told = draw(st.booleans())
    if rows and rows[-1] != [""] and draw(st.integers(0, 4)) == 0:
        text = text.removesuffix(end)
    options = []
    if style == "plain":
        options += draw(st.sampled_from(([], ["--no-quotes"])))
    elif told:
        options += ["--quotes"]
    if style == "escape" and draw(st.booleans()):
        options += ["--escape", "\\"]
    if draw(st.booleans()):
        options += ["--separator", "tab" if delimiter == "\t" else delimiter]
    if draw(st.booleans()) or not encoding.startswith("utf"):
        options += ["--encoding", encoding] if draw(st.integers(0, 3)) else []
    if not header:
        options += ["--no-header"]
    elif draw(st.booleans()):
        options += ["--header"]
    columns = names if header else [f"column {i}" for i in range(1, len(names) + 1)]
    name = draw(st.sampled_from(("in.csv", "in.tsv"))) if delimiter == "\t" else "in.csv"
    dialect |= {"header": header, "style": style, "end": end}
    return Made(name, text.encode(encoding), columns, rows, chosen, options, dialect)


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.just({"a": [1, None]}),
    st.just([]),
    st.sampled_from(["\ud800", "plain", "\u2028"]),
)


@st.composite
def json_files(draw):
    """JSON Lines: names that come and go, values of every kind, spaces and blank lines."""
    names, rows, chosen = draw(grids())
    end = draw(st.sampled_from(("\n", "\r\n")))
    ascii_only = draw(st.booleans())
    lines, kept = [], []
    for row in rows:
        pairs, line = {}, []
        for position, (name, cell) in enumerate(zip(names, row, strict=True)):
            if draw(st.integers(0, 6)) == 0:
                continue
            value = cell
            if position not in chosen and draw(st.booleans()):
                value = draw(VALUES)
            elif draw(st.integers(0, 8)) == 0:
                value = draw(st.sampled_from([None, float("nan"), ""]))
            pairs[name] = value
            space = draw(st.sampled_from(("", " ", "  ")))
            written = json.dumps(value, ensure_ascii=ascii_only or not _whole(value))
            line.append(f"{json.dumps(name)}{space}:{space}{written}")
        kept.append(pairs)
        lines.append("{" + ", ".join(line) + "}" + end + draw(st.sampled_from(("", "", end))))
    text = "".join(lines)
    if not any(kept):
        names, chosen = ["text"], [0]
    return Made("in.jsonl", text.encode(), names, kept, chosen, [], {"end": end})


def _whole(value):
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


@st.composite
def text_files(draw):
    _, rows, _ = draw(grids(breaks=False, most=1))
    end = draw(st.sampled_from(("\n", "\r\n", "\r")))
    text = "".join(row[0] + end for row in rows)
    if rows and rows[-1] != [""] and draw(st.booleans()):
        text = text.removesuffix(end)
    return Made("in.txt", text.encode(), ["text"], rows, [0], [], {"end": end})


TYPES = (
    pyarrow.string(),
    pyarrow.large_string(),
    pyarrow.string_view(),
    pyarrow.dictionary(pyarrow.int8(), pyarrow.string()),
    pyarrow.dictionary(pyarrow.int32(), pyarrow.large_string()),
)
OTHERS = (
    (pyarrow.int64(), st.integers(-(2**63), 2**63 - 1)),
    (pyarrow.float64(), st.floats()),
    (pyarrow.time64("ns"), st.integers(0, 86_399_999_999_999)),
    (pyarrow.timestamp("us"), st.integers(-(10**18), 10**18)),
    (pyarrow.timestamp("s", "UTC"), st.integers(-(10**11), 10**11)),
    (pyarrow.date32(), st.integers(-(10**7), 10**7)),
    (pyarrow.binary(), st.binary(max_size=4)),
    (pyarrow.list_(pyarrow.int64()), st.lists(st.integers(0, 9), max_size=2)),
    (pyarrow.bool_(), st.booleans()),
    (pyarrow.duration("ns"), st.integers(-(10**12), 10**12)),
)


@st.composite
def parquet_files(draw):
    """Parquet with columns of every type, groups of rows and names that may be repeated."""
    names, rows, chosen = draw(grids())
    arrays = []
    for position in range(len(names)):
        missing = [draw(st.integers(0, 5)) == 0 for _ in rows]
        if position in chosen or draw(st.booleans()):
            cells = [None if m else row[position] for m, row in zip(missing, rows, strict=True)]
            arrays.append(pyarrow.array(cells, pyarrow.string()).cast(draw(st.sampled_from(TYPES))))
        else:
            type_, values = draw(st.sampled_from(OTHERS))
            arrays.append(pyarrow.array([None if m else draw(values) for m in missing], type_))
    if len(names) > 2 and 1 not in chosen and 2 not in chosen and draw(st.booleans()):
        names[2] = names[1]
    table = pyarrow.table(arrays, names=names).replace_schema_metadata({"mine": "kept"})
    written = io.BytesIO()
    parquet.write_table(table, written, row_group_size=draw(st.integers(1, 4)), version="2.6")
    return Made("in.parquet", written.getvalue(), names, rows, chosen, [], {"table": table})


FILES = csv_files() | csv_files() | json_files() | text_files() | parquet_files()
TARGETS = (None, None, None, "out.csv", "out.tsv", "out.jsonl", "out.parquet", "out.txt")


@pytest.fixture(scope="module", autouse=True)
def toy():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "_vocabulary", lambda *_: TOY)
        patch.setattr(pieces, "MOST_CHARACTERS", 60)
        patch.setattr(parts.os, "fsync", lambda *_: None)  # no file has to outlive the machine
        patch.setattr(report, "_version", lru_cache(report._version))
        yield


@hypothesis_settings(
    max_examples=EXAMPLES,
    derandomize=EXAMPLES == 1000,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)
@given(
    made=FILES,
    target=st.sampled_from(TARGETS),
    unknown=st.sampled_from(("random", "mask", "drop")),
    formulas=st.sampled_from(("private", "private", "all")),
    typed=st.integers(0, 19).map(lambda one: not one),
    leave=st.integers(0, 3).map(lambda one: not one),
)
def test_no_text_of_a_chosen_column_leaves_and_nothing_else_changes(
    made, target, unknown, formulas, typed, leave
):
    passing = [name for i, name in enumerate(made.columns) if i not in made.chosen]
    left_out = passing[:1] if leave and made.columns.count(*passing[:1] or [""]) == 1 else []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        source = folder / made.name
        source.write_bytes(made.data)
        out = folder / (target or f"out{source.suffix}")
        code = _command(source, out, made, left_out, unknown, formulas) if typed else None
        if code is None:
            code = _called(source, out, made, left_out, unknown, formulas)
        assert source.read_bytes() == made.data
        event(f"{made.name} to {out.suffix}: {code}")
        if code:
            assert os.listdir(place) == [made.name]
            return
        assert not (folder / f"{out.name}.parts").exists()
        data = out.read_bytes()
        _no_secret(data)
        _nothing_of(made, left_out, data)
        made = replace(made, chosen=made.chosen + [made.columns.index(name) for name in left_out])
        if target is None:
            _same_format(made, data, formulas)
        else:
            _other_format(made, out, data)


def _command(source, out, made, left_out, unknown, formulas):
    """The exit code of the command line."""
    words = [str(source), str(out), "--epsilon", "10", "--unknown", unknown, *made.options]
    words += ["--formulas", formulas]
    words += [word for position in made.chosen for word in ("--column", made.columns[position])]
    words += [word for name in left_out for word in ("--leave-out", name)]
    done = CliRunner().invoke(_app, words)
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    assert done.exit_code in (0, 2), done.output
    assert "Traceback" not in done.output
    return done.exit_code


def _called(source, out, made, left_out, unknown, formulas):
    """What the command line does, without the second that it takes: 2 for what it says with 2."""
    told = dict(zip(made.options, [*made.options[1:], ""], strict=False))
    given = {
        "encoding": told.get("--encoding"),
        "delimiter": {"tab": "\t"}.get(told.get("--separator"), told.get("--separator")),
        "escape": told.get("--escape"),
        "header": False if "--no-header" in told else True if "--header" in told else None,
        "quotes": False if "--no-quotes" in told else True if "--quotes" in told else None,
    }
    columns = [made.columns[position] for position in made.chosen]
    how, guard = Settings(mechanism=CMP(epsilon=10), unknown=unknown), formulas == "all"
    try:
        with Source(source) as file:
            found = layout(file.name, file, named=columns, **given)
            run.run(file, out, found, columns, how, left_out=left_out, guard=guard)
    except UnicodeError:
        raise
    except ValueError:
        return 2
    return 0


def _no_secret(data):
    for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
        assert not SECRET.search(data.decode(encoding, "replace"))
    if data[:4] == b"PAR1":
        for column in parquet.ParquetFile(io.BytesIO(data)).read().columns:
            if "string" in str(column.type):
                assert not SECRET.search(repr(column.to_pylist()))


def _nothing_of(made, left_out, data):
    """No marker of a column that is left out, and in Parquet nothing but what was missing."""
    if data[:4] == b"PAR1":
        table = parquet.ParquetFile(io.BytesIO(data)).read()
        assert all({*table.column(name).to_pylist()} <= {"", None, "NaN"} for name in left_out)
        return
    texts = data.decode("utf-8", "replace")
    for name, row in product(left_out, made.rows):
        cell = row.get(name) if isinstance(row, dict) else row[made.columns.index(name)]
        for marker in re.findall(r"zqp\d+x", str(cell)):
            assert marker not in texts


def _same_format(made, data, formulas):
    if made.name.endswith(".parquet"):
        _same_parquet(made, data)
        return
    text = data.decode("utf-8-sig")
    had_mark = made.data.startswith(MARKS)
    assert data.startswith(codecs.BOM_UTF8) == (had_mark and bool(made.data))
    if made.name.endswith(".jsonl"):
        found = [json.loads(line) for line in text.split("\n") if line.strip()]
        assert len(found) == len(made.rows)
        for before, after in zip(made.rows, found, strict=True):
            assert list(before) == list(after)
            for position, name in enumerate(made.columns):
                if name in before and position not in made.chosen:
                    assert repr(before[name]) == repr(after[name])
        return
    if made.name.endswith(".txt"):
        ends = re.findall(r"\r\n|\r|\n", text)
        assert ends == re.findall(r"\r\n|\r|\n", made.data.decode())
        return
    _same_csv(made, text, formulas)


def _csv_options(made):
    style = made.dialect["style"]
    more = {"delimiter": made.dialect["delimiter"]}
    if style == "plain":
        more |= {"quoting": csv.QUOTE_NONE}
    if style == "escape":
        more |= {"doublequote": False, "escapechar": "\\"}
    return more


def _same_csv(made, text, formulas):
    options = _csv_options(made)
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), **options)]
    width = len(made.columns)
    if width > 1:
        rows = [row for row in rows if row]
    if made.dialect["header"]:
        assert rows[0] == made.columns or formulas == "all"
        rows = rows[1:]
    assert len(rows) == len(made.rows), (rows, made.rows)
    for before, after in zip(made.rows, rows, strict=True):
        _same_cells(made, before, after or [""], formulas == "all")
    if made.dialect["style"] in ("minimal", "all") and made.rows and width > 1:
        frame = pd.read_csv(
            io.StringIO(text, newline=""),
            sep=options["delimiter"],
            dtype=str,
            na_filter=False,
            header=0 if made.dialect["header"] else None,
            engine="python",
        )
        assert len(frame) == len(made.rows)


def _by_the_standard(made, cell):
    """A cell as the standard reads it: without its quotes, if nobody said that they are plain."""
    plain = made.dialect.get("quoting") == csv.QUOTE_NONE and "--no-quotes" not in made.options
    if plain and len(cell) > 1 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell


def _same_cells(made, before, after, guarded=False):
    assert len(after) == len(before)
    for position, (was, is_) in enumerate(zip(before, after, strict=True)):
        if guarded:
            was, is_ = _by_the_standard(made, was), _by_the_standard(made, is_)
        if position not in made.chosen:
            assert is_ == was or (guarded and is_ == "'" + was)
        elif not was:
            assert is_ == ""


def _same_parquet(made, data):
    before = parquet.ParquetFile(io.BytesIO(made.data))
    after = parquet.ParquetFile(io.BytesIO(data))
    assert after.schema_arrow.names == before.schema_arrow.names
    assert after.schema_arrow.metadata == before.schema_arrow.metadata
    groups = [
        [f.metadata.row_group(i).num_rows for i in range(f.num_row_groups)] for f in (before, after)
    ]
    assert groups[0] == groups[1]
    was, is_ = before.read(), after.read()
    for position in range(was.num_columns):
        if position in made.chosen:
            missing = was.column(position).is_null(nan_is_null=True).to_pylist()
            assert is_.column(position).is_null().to_pylist() == missing
        else:
            assert was.schema.field(position).equals(
                is_.schema.field(position), check_metadata=True
            )
            old, new = was.column(position).combine_chunks(), is_.column(position).combine_chunks()
            assert old.equals(new) or old.to_string() == new.to_string()  # NaN is not NaN


def _other_format(made, out, data):
    if out.suffix == ".parquet":
        assert parquet.read_metadata(io.BytesIO(data)).num_rows == len(made.rows)
        if made.name.endswith(".parquet"):
            _same_parquet(made, data)  # by columns: Python has no value for some dates of Arrow's
            return
        cells = parquet.ParquetFile(io.BytesIO(data)).read().to_pydict().values()
        rows = [list(row) for row in zip(*cells, strict=True)]
        rows = [["" if c is None else c for c in row] for row in rows]
    elif out.suffix == ".jsonl":
        found = [json.loads(line) for line in data.decode().split("\n") if line.strip()]
        assert len(found) == len(made.rows)
        return
    elif out.suffix == ".txt":
        assert len(re.findall(r"\r\n|\r|\n", data.decode())) >= len(made.rows) - 1
        return
    else:
        sign = "\t" if out.suffix == ".tsv" else made.dialect.get("delimiter", ",")
        # Nothing shows the separator of one column: such a file may be written by the standard.
        told = "--separator" in made.options or made.name == "in.tsv"
        shown = len(made.columns) > 1 or told or sign == ","
        if made.name.endswith((".csv", ".tsv")) and shown and sign == made.dialect["delimiter"]:
            _same_csv(made, data.decode("utf-8-sig"), "all")
            return
        rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=sign))
        has_header = made.dialect.get("header", True) and not made.name.endswith(".txt")
        rows = rows[1:] if has_header or made.name.endswith(".txt") else rows
        assert len(rows) == len(made.rows)
    if made.name.endswith((".csv", ".tsv")):
        for before, after in zip(made.rows, rows, strict=True):
            _same_cells(made, before, after, True)
