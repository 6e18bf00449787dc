"""A file in, a private file out: complete, in order, once, or not at all."""

import csv
import hashlib
import io
import json
import re
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock
from typer.testing import CliRunner

from mechanisms import CMP, TEM, Gaussian, SanText, SynTF, Vickrey, Vocabulary
from mechanisms.exact_law import ExactLaw
from mechanisms.text import Status
from release import account, pieces, report, run, settings, tables
from release.__main__ import _app
from release.cells import as_value
from release.layout import layout
from release.plan import plan, together
from release.settings import Settings
from tests.toy import TOY

ROOT = Path(__file__).parents[2]
FAITHFUL = CMP(epsilon=1e9)
"""So large an ε that every word stays: then the private file is the file."""

NO_FILE = report.PrivateFile(".csv", 0, "00")

LOAD = settings._vocabulary
EXACT = Settings(mechanism=FAITHFUL, unknown="keep", case="as typed")
WORDS = [word for word in TOY.words if word != "copy"]  # it lies where `twin` lies


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    """A vocabulary that needs no loading, and pieces of a few rows."""
    monkeypatch.setattr(settings, "_vocabulary", lambda *_: TOY)
    monkeypatch.setattr(pieces, "MOST_CHARACTERS", 120)


def story(number):
    rng = np.random.default_rng(number)
    return " ".join(rng.choice(WORDS, 6)) + ", really."


def table(count, delimiter=","):
    written = io.StringIO()
    rows = csv.writer(written, delimiter=delimiter, lineterminator="\n")
    rows.writerow(["id", "text", "label"])
    rows.writerows([i, story(i) if i % 5 else "", "good"] for i in range(count))
    return written.getvalue()


def written(place, data):
    place.write_bytes(data.encode() if isinstance(data, str) else data)
    return place


def private(source, target, how=EXACT, columns=("text",), **more):
    found = layout(source.name, source, named=columns)
    return run.run(source, target, found, columns, how, **more)


def rows_of(file):
    return list(csv.reader(io.StringIO(file.read_text(encoding="utf-8-sig"), newline="")))


# ----------------------------------------------------------------------------- what comes out


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_without_noise_the_private_file_is_the_file(tmp_path, delimiter):
    source = written(tmp_path / "in.csv", table(40, delimiter))
    done = private(source, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()
    assert done.report["rows"] == done.account["rows"] == 40
    assert done.account["empty cells"] == 8
    assert done.remains is None
    assert not (tmp_path / "out.csv.parts").exists()


def test_rows_keep_their_order_and_other_columns_what_they_say(tmp_path):
    source = written(tmp_path / "in.csv", table(60))
    how = replace(EXACT, mechanism=CMP(epsilon=0.01))
    facts = private(source, tmp_path / "out.csv", how).report
    before, after = rows_of(source), rows_of(tmp_path / "out.csv")
    assert [row[::2] for row in before] == [row[::2] for row in after]
    assert [bool(row[1]) for row in before] == [bool(row[1]) for row in after]
    assert sum(a[1] != b[1] for a, b in zip(before, after, strict=True)) >= 40
    assert facts["columns made private"] == ["text"]
    assert facts["columns as they came"] == ["id", "label"]


@pytest.mark.parametrize("target", ["out.csv", "out.tsv", "out.jsonl", "out.parquet"])
def test_columns_that_are_left_out_leave_empty_under_their_names(tmp_path, target):
    source = written(tmp_path / "in.csv", table(60))
    out = tmp_path / target
    facts = private(source, out, left_out=("id", "label", "id")).report
    found = layout(out.name, out, named=["id", "text", "label"])
    cells = [[as_value(cell) for cell in row] for row in tables.rows(out, found)]
    assert found.columns == ("id", "text", "label")
    assert [row[1] for row in cells] == [row[1] for row in rows_of(source)[1:]]
    assert {row[0] + row[2] for row in cells} == {""}
    assert facts["columns left out"] == ["id", "label"]
    assert facts["columns as they came"] == []
    with pytest.raises(ValueError, match="made private and left out"):
        private(source, tmp_path / "two.csv", left_out=("text",))
    with pytest.raises(ValueError, match="there is no column 'name'"):
        private(source, tmp_path / "two.csv", left_out=("name",))


@pytest.mark.parametrize("name", ['a"><b>.csv', "ü $(x) `y`.csv", "-n.csv"])
def test_names_that_mean_something_elsewhere_are_only_names_here(tmp_path, name):
    source = written(tmp_path / name, table(10))
    private(source, tmp_path / f"out {name}")
    assert rows_of(tmp_path / f"out {name}") == rows_of(source)


@pytest.mark.parametrize("target", ["out.parquet", "out.jsonl", "out.tsv", "out.csv"])
def test_the_ending_of_the_private_file_is_its_format(tmp_path, target):
    source = written(tmp_path / "in.csv", table(30))
    private(source, tmp_path / target)
    found = layout(target, tmp_path / target, named=["text"])
    cells = [[c or "" for c in row] for row in tables.rows(tmp_path / target, found)]
    assert cells == rows_of(source)[1:]


def test_unknown_words_and_numbers_are_replaced_masked_dropped_or_kept_and_counted(tmp_path):
    source = written(tmp_path / "in.csv", "id,text\n1,north 1999 Zebra\n2,\n")
    for unknown, said in (
        ("keep", "north 1999 Zebra"),
        ("mask", "north […] […]"),
        ("drop", "north "),
    ):
        how = Settings(mechanism=FAITHFUL, unknown=unknown)
        facts = private(source, tmp_path / f"{unknown}.csv", how).account
        assert rows_of(tmp_path / f"{unknown}.csv")[1] == ["1", said]
        assert facts["not protected"] == (2 if unknown == "keep" else 0)
    private(source, tmp_path / "random.csv", Settings(mechanism=FAITHFUL))
    cell = rows_of(tmp_path / "random.csv")[1][1].split()
    assert cell[0] == "north"
    assert set(cell[1:]) <= set(TOY.words)


def test_formula_cells_are_escaped_and_listed_where_they_are_private_or_everywhere(tmp_path):
    source = written(tmp_path / "in.csv", "n,text,=c\n-3,=north,east\n4,-south,@x\n5,west,-1.5\n")
    facts = private(source, tmp_path / "out.csv").report
    assert rows_of(tmp_path / "out.csv") == [
        ["n", "text", "=c"],
        ["-3", "'=north", "east"],
        ["4", "'-south", "@x"],
        ["5", "west", "-1.5"],
    ]
    cells = [{"row": 1, "column": "text"}, {"row": 2, "column": "text"}]
    assert facts["formula cells with an apostrophe in front"] == 2
    assert facts["formula cells"] == cells
    facts = private(source, tmp_path / "all.csv", guard=True).report
    assert rows_of(tmp_path / "all.csv") == [
        ["n", "text", "'=c"],
        ["-3", "'=north", "east"],
        ["4", "'-south", "'@x"],
        ["5", "west", "-1.5"],
    ]
    assert facts["formula cells with an apostrophe in front"] == 3
    assert facts["formula cells"] == [*cells, {"row": 2, "column": "=c"}]


def test_rows_out_of_step_stop_everything_unless_they_may_be_empty(tmp_path):
    source = written(tmp_path / "in.csv", "id,text\n1,north\n2,a secret, of two\n3,east\n")
    with pytest.raises(ValueError, match="row 2 .* has 3 cells"):
        private(source, tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == [source]
    facts = private(source, tmp_path / "out.csv", ragged="empty").account
    assert rows_of(tmp_path / "out.csv")[1:] == [["1", "north"], ["", ""], ["3", "east"]]
    assert facts["rows out of step, released empty"] == 1


# ------------------------------------------------------------------------- the counts, the report


def test_the_plan_counts_what_the_run_then_does(tmp_path):
    texts = [[story(i) + " Zebra 7 Lonely!"] for i in range(30)] + [[""]]
    how = Settings(mechanism=FAITHFUL)
    before = together(plan(texts[i : i + 7], FAITHFUL, TOY) for i in range(0, 31, 7))
    _, after = pieces.private(texts, how, 0)
    assert before.tokens == after.tokens
    assert before.drawn("random") == (after.drawn, after.longest) == (300, 10)
    assert before.drawn("mask") == (before.known, before.longest) == (210, 7)
    assert before.unknown_words + before.unknown_numbers == after.statuses[Status.REPLACED] == 90
    assert before.signs == after.unprotected == 90
    assert (before.rows, before.texts, before.empty) == (31, 30, 1)
    assert (before.capitals, before.unknown_capitals) == (60, 30)


@pytest.mark.parametrize("html", ["decode", "drop", "keep"])
def test_the_plan_notices_html_and_invisible_characters_as_the_run_does(html, tmp_path):
    hidden = "no\u00adrth\u200b <br /> <a href='a secret'>east</a> &amp; &lt;b&gt;\u2800west"
    texts = [[hidden, "north"], ["<br />", "\ufeff"]]
    how = Settings(mechanism=FAITHFUL, html=html)
    before = plan(texts, FAITHFUL, TOY, html)
    released, after = pieces.private(texts, how, 0, TOY)
    assert before.noticed == after.noticed
    assert before.noticed["invisible characters"] == 3
    assert before.noticed["HTML entities"] == 3
    assert before.noticed["HTML tags"] == (5 if html == "decode" else 4)
    assert before.tokens == after.tokens
    assert before.signs == after.unprotected
    assert before.known == (3 + 1 if html == "decode" else 4)
    assert ("secret" in str(released)) == (html == "keep")


def test_what_was_noticed_is_in_the_private_account_and_not_in_the_public_report(tmp_path):
    source = written(tmp_path / "in.csv", "id,text\n1,no\u00adrth <br /> &amp;\n")
    done = private(source, tmp_path / "out.csv")
    noticed = {"invisible characters": 1, "HTML entities": 1, "HTML tags": 1}
    assert done.account["noticed"] == noticed
    said = json.dumps(done.report, ensure_ascii=False)
    assert not [what for what in noticed if what in said]
    assert done.report["settings"]["HTML"] == "decode"


def test_words_that_a_mechanism_has_no_law_for_are_planned_as_unknown():
    how = Settings(mechanism=SynTF(epsilon=1.0, variant="benchmark"))
    words = Vocabulary(TOY.words, TOY.vectors, {"north": ["east"], "east": ["north"]})
    before = plan([["north east west"]], how.mechanism, words)
    _, after = pieces.private([["north east west"]], how, 0, words)
    assert before.known == 2
    assert after.drawn == 3
    assert before.unknown_words == after.statuses[Status.REPLACED] == 1


def test_a_report_says_what_the_words_of_a_row_are_promised_together():
    def said(mechanism, longest):
        counts = pieces.Counts(rows=1, longest=longest)
        how = replace(EXACT, mechanism=mechanism)
        return report.readable(
            report.report(how, TOY, layout("a.csv", b"text\n"), ["text"], counts, [NO_FILE])
        )

    assert (
        "for the longest row (40 drawn words) to ε = 100 per unit of Euclidean distance "
        "(averaged over the words)." in said(TEM(epsilon=2.5), 40)
    )
    text = said(Gaussian(epsilon=50), 200)
    assert "ε = 10,000 and δ = 0.002 (for Gaussian noise at most ε = 4,860" in text
    assert "WARNING" not in text
    assert "WARNING, for the longest row. The total δ is 0.5" in said(Gaussian(epsilon=50), 50_000)
    assert "promises nothing" in said(Gaussian(epsilon=50), 100_000)
    assert "No bound is proven" in said(Vickrey(epsilon=1.0, variant="published"), 40)


def test_a_report_says_all_settings_and_nothing_that_undoes_the_release(tmp_path):
    source = written(tmp_path / "in.csv", "id,text\n1,north Zebra\n2,=east\n")
    done = private(source, tmp_path / "out.csv", replace(EXACT, seed=987654321))
    text = (tmp_path / "out.csv.report.json").read_text(encoding="utf-8")
    assert json.loads(text) == done.report
    assert done.report["settings"]["mechanism"] == repr(FAITHFUL)
    readable = (tmp_path / "out.csv.report.txt").read_text(encoding="utf-8")
    assert "NOT FOR PUBLICATION" in readable
    digest = hashlib.sha256((tmp_path / "out.csv").read_bytes()).hexdigest()
    assert f"SHA-256 {digest}" in readable
    account_text = (tmp_path / "out.csv.private-account.json").read_text(encoding="utf-8")
    assert json.loads(account_text) == done.account
    for said in (text, readable, account_text):
        assert not any(secret in said for secret in ("987654321", "Zebra", "north", "in.csv"))


def test_the_private_account_has_the_true_counts_and_says_first_that_it_is_private(tmp_path):
    source = written(tmp_path / "in.csv", "id,text\n1,north Zebra\n2,=east\n")
    private(source, tmp_path / "out.csv")
    said = (tmp_path / "out.csv.private-account.txt").read_text(encoding="utf-8")
    assert said.startswith("PRIVATE: keep this account with the source, and never publish it.")
    assert "2 of 4 tokens are not protected" in said  # the sign is not protected either
    assert "PP, share of known words that changed: 0.0 %" in said
    assert hashlib.sha256(source.read_bytes()).hexdigest() in said
    first, *_ = json.loads((tmp_path / "out.csv.private-account.json").read_text("utf-8")).items()
    assert first == ("private", account.WARNING)


def test_whatever_else_was_noticed_is_in_the_account():
    counts = pieces.Counts(rows=1, noticed=Counter({"invisible characters removed": 17}))
    facts = account.account(layout("a.csv", b"text\n"), ["text"], counts, 5, "ab")
    assert "invisible characters removed: 17" in account.readable(facts)


# Inputs that can lead to one output: two known words, an unknown one, one with a letter that makes
# the file one of an old encoding, and one with a capital.
NEIGHBOURS = ("north", "lonely", "Zebra", "Zëbra", "East")


# Where unknown words are left out, nothing shows how many there were.
WITH_DROPPED = ("north", "Zebra north", "Zebra Zëbra lonely", "lonely")


@pytest.mark.parametrize("mechanism", [CMP(epsilon=0.1), TEM(epsilon=0.1)], ids=["noise", "law"])
@pytest.mark.parametrize(
    ("unknown", "texts"), [("random", NEIGHBOURS), ("drop", WITH_DROPPED)], ids=["random", "drop"]
)
def test_nothing_public_tells_inputs_with_one_output_apart(tmp_path, mechanism, unknown, texts):
    public = {}
    for seed in range(12):
        how = Settings(mechanism=mechanism, unknown=unknown, seed=seed)
        for number, text in enumerate(texts):
            folder = tmp_path / f"{seed}-{number}"
            folder.mkdir()
            source = written(folder / "in.csv", f"id,text\n1,{text}\n".encode("cp1252"))
            private(source, folder / "out.csv", how)
            beside = {p.name: p.read_bytes() for p in folder.iterdir() if p != source}
            accounts = [beside.pop(f"out.csv{ending}") for ending in run.PRIVATE]
            assert not any(b"PRIVATE" in data for data in beside.values())
            assert all(b"PRIVATE" in data for data in accounts)
            public.setdefault(beside["out.csv"], {}).setdefault(text, []).append(beside)
    met = [found for found in public.values() if len(found) > 1]
    assert len(met) > 3
    assert {text for found in met for text in found} == set(texts)
    for found in met:
        first, *others = (each for text in found for each in found[text])
        assert all(other == first for other in others)


def test_a_report_of_one_word_does_not_say_whether_it_stayed(tmp_path):
    source = written(tmp_path / "in.csv", "id,text\n1,north\n")
    done = private(source, tmp_path / "out.csv", Settings(mechanism=TEM(epsilon=5.0)))
    assert "PP" not in done.report
    assert "PP" in done.account
    text = (tmp_path / "out.csv.report.txt").read_text(encoding="utf-8")
    assert "the same word came out" not in text
    assert "Expected PP" in text


@pytest.mark.parametrize("seed", [None, 7])
def test_a_report_says_how_closely_the_draws_follow_the_law(seed):
    for mechanism in (FAITHFUL, TEM(epsilon=3.0), SanText(epsilon=3.0), CMP(epsilon=3.0)):
        settings = replace(EXACT, mechanism=mechanism, seed=seed)
        counts, how = pieces.Counts(rows=0), layout("a.csv", b"text\n")
        facts = report.report(settings, TOY, how, ["text"], counts, [NO_FILE])
        said = facts["guarantee"]["draws"]
        assert str(mechanism.draws) in said
        assert ("Drawn with a seed" in said) == (seed is not None)
        assert said in report.readable(facts)
        assert ("Exact draws" in said) == isinstance(mechanism, ExactLaw)


def test_a_report_without_any_drawn_word_can_be_read():
    how = layout("a.csv", b"text\n")
    nothing = report.report(EXACT, TOY, how, ["text"], pieces.Counts(rows=0), [NO_FILE])
    assert "0 words were drawn" in report.readable(nothing)
    assert nothing["expected PP"] is None
    nothing = account.account(how, ["text"], pieces.Counts(rows=0), 0, "")
    assert "0 of 0 tokens" in account.readable(nothing)


# --------------------------------------------------------------------------------- stop and go on


class Stop(Exception):
    """Raised by a progress that has seen enough."""


def stopped_after(count):
    calls = []

    def progress(done, of):
        calls.append(done)
        if len(calls) > count:
            raise Stop

    return progress


def test_a_stopped_run_goes_on_and_no_piece_is_drawn_or_written_twice(tmp_path, monkeypatch):
    source, target = written(tmp_path / "in.csv", table(60)), tmp_path / "out.csv"
    drawn, draw = [], pieces.private
    monkeypatch.setattr(pieces, "private", lambda *a: drawn.append(a[2]) or draw(*a))
    how = Settings(mechanism=CMP(epsilon=1.0))
    for _ in range(3):
        with pytest.raises(Stop):
            private(source, target, how, progress=stopped_after(3))
        assert not target.exists()
    folder = tmp_path / "out.csv.parts"
    kept = {part.name: part.read_bytes() for part in sorted(folder.glob("*.part"))}
    assert len(kept) >= 9
    facts = private(source, target, how).report
    assert sorted(drawn) == list(range(len(drawn)))
    assert len(drawn) > len(kept)
    assert target.read_bytes().startswith(b"id,text,label\n" + b"".join(kept.values()))
    assert facts["rows"] == 60
    assert [row[0] for row in rows_of(target)[1:]] == [str(i) for i in range(60)]


def test_under_a_seed_stops_and_workers_change_nothing(tmp_path):
    source = written(tmp_path / "in.csv", table(60))
    how = Settings(mechanism=CMP(epsilon=1.0), seed=5)
    private(source, tmp_path / "once.csv", how)
    with pytest.raises(Stop):
        private(source, tmp_path / "twice.csv", how, progress=stopped_after(4))
    private(source, tmp_path / "twice.csv", how)
    assert (tmp_path / "once.csv").read_bytes() == (tmp_path / "twice.csv").read_bytes()
    private(source, tmp_path / "other.csv", replace(how, seed=6))
    assert (tmp_path / "once.csv").read_bytes() != (tmp_path / "other.csv").read_bytes()


def test_two_releases_without_a_seed_differ(tmp_path):
    source = written(tmp_path / "in.csv", table(60))
    how = Settings(mechanism=CMP(epsilon=0.5))
    for name in ("one.csv", "two.csv"):
        private(source, tmp_path / name, how)
    assert (tmp_path / "one.csv").read_bytes() != (tmp_path / "two.csv").read_bytes()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"how": replace(EXACT, mechanism=CMP(epsilon=2.0))}, "settings: mechanism"),
        ({"how": replace(EXACT, unknown="drop")}, "settings: unknown"),
        ({"columns": ("label",)}, "layout: positions"),
        ({"left_out": ("id",)}, "layout: empty"),
        ({"more": "9,north,good\n"}, "file: bytes; file: hash"),
    ],
)
def test_an_unfinished_run_of_another_file_or_other_settings_is_refused(tmp_path, change, said):
    source, target = written(tmp_path / "in.csv", table(60)), tmp_path / "out.csv"
    with pytest.raises(Stop):
        private(source, target, progress=stopped_after(2))
    before = sorted(place.name for place in (tmp_path / "out.csv.parts").iterdir())
    with source.open("a") as file:
        file.write(change.pop("more", ""))
    with pytest.raises(run.Refused, match=said):
        private(source, target, **change)
    assert before == sorted(place.name for place in (tmp_path / "out.csv.parts").iterdir())
    assert not target.exists()


def test_a_file_that_changes_while_it_is_read_is_not_released(tmp_path):
    source, target = written(tmp_path / "in.csv", table(60)), tmp_path / "out.csv"

    def grow(done, of):
        if done == 0:
            with source.open("a") as file:
                file.write("60,north,good\n")

    with pytest.raises(ValueError, match="changed while it was read"):
        private(source, target, progress=grow)
    assert not target.exists()


def test_two_processes_never_work_on_one_output(tmp_path):
    source = written(tmp_path / "in.csv", table(9))
    (tmp_path / "out.csv.parts").mkdir()
    with (
        FileLock(tmp_path / "out.csv.parts" / "lock"),
        pytest.raises(OSError, match="another process is using"),
    ):
        private(source, tmp_path / "out.csv")


def test_what_is_there_is_never_replaced_unasked_and_then_only_by_a_complete_file(tmp_path):
    source, target = written(tmp_path / "in.csv", table(30)), written(tmp_path / "out.csv", "mine")
    with pytest.raises(FileExistsError, match="already exists"):
        private(source, target)
    with pytest.raises(Stop):
        private(source, target, overwrite=True, progress=stopped_after(2))
    assert target.read_text() == "mine"
    private(source, target, overwrite=True)
    assert rows_of(target) == rows_of(source)
    with pytest.raises(ValueError, match="would replace the file that is read"):
        private(source, source, overwrite=True)


def test_a_failure_in_the_middle_releases_nothing(tmp_path, monkeypatch):
    source, target = written(tmp_path / "in.csv", table(60)), tmp_path / "out.csv"
    draw = pieces.private

    def failing(piece, how, number, *shared):
        if number == 3:
            raise RuntimeError("the machine is on fire")
        return draw(piece, how, number, *shared)

    monkeypatch.setattr(pieces, "private", failing)
    with pytest.raises(RuntimeError, match="on fire"):
        private(source, target)
    assert not target.exists()
    assert not (tmp_path / "out.csv.parts" / "000003.part").exists()


def test_no_more_of_the_file_is_held_than_the_piece_at_work(tmp_path, monkeypatch):
    source = written(tmp_path / "in.csv", table(200))
    cut, keep, waiting = pieces.cut, run.Parts.keep, []
    cut_so_far = [0]

    def counted(rows, positions):
        for piece in cut(rows, positions):
            cut_so_far[0] += 1
            yield piece

    def kept(self, number, data, record):
        waiting.append(cut_so_far[0] - len(waiting))
        keep(self, number, data, record)

    monkeypatch.setattr(pieces, "cut", counted)
    monkeypatch.setattr(run.Parts, "keep", kept)
    private(source, tmp_path / "out.csv")
    assert len(waiting) > 50
    assert max(waiting) <= 2


# --------------------------------------------------------------------- real processes, real kills

PROGRAM = """
import os, resource, signal, sys
from pathlib import Path
from mechanisms import CMP
from release import tables, pieces, run, settings
from release.cells import as_value
from release.layout import layout
from tests.toy import TOY

settings._vocabulary = lambda *_: TOY
pieces.MOST_CHARACTERS = 120
calls = []

def progress(done, of):
    calls.append(done)
    if len(calls) > int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

if limit := int(sys.argv[4]):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
source, target = map(Path, sys.argv[1:3])
how = settings.Settings(mechanism=CMP(epsilon=1.0), seed=5)
run.run(source, target, layout("in.csv", source, named=["text"]), ["text"], how, progress=progress)
"""


def in_a_process(source, target, kill_after=10**9, largest_file=0):
    command = [sys.executable, "-c", PROGRAM, str(source), str(target), str(kill_after)]
    return subprocess.run(
        [*command, str(largest_file)], cwd=ROOT, capture_output=True, text=True, timeout=120
    )


def test_a_killed_process_loses_nothing_and_leaves_no_half_file(tmp_path):
    source, target = written(tmp_path / "in.csv", table(60)), tmp_path / "out.csv"
    how = Settings(mechanism=CMP(epsilon=1.0), seed=5)
    assert in_a_process(source, target, kill_after=3).returncode == -signal.SIGKILL
    assert not target.exists()
    kept = sorted((tmp_path / "out.csv.parts").glob("*.part"))
    assert len(kept) == 3
    before = [part.stat().st_mtime_ns for part in kept]
    with pytest.raises(Stop):
        private(source, target, how, progress=stopped_after(0))
    assert [part.stat().st_mtime_ns for part in kept] == before
    private(source, target, how)
    private(source, tmp_path / "once.csv", how)
    assert target.read_bytes() == (tmp_path / "once.csv").read_bytes()


@pytest.mark.parametrize("largest_file", [100, 1_200], ids=["a piece", "the whole file"])
def test_a_full_disk_leaves_no_half_file_and_with_room_the_run_goes_on(tmp_path, largest_file):
    source, target = written(tmp_path / "in.csv", table(60)), tmp_path / "out.csv"
    failed = in_a_process(source, target, largest_file=largest_file)
    assert failed.returncode == 1
    assert "once it can be written to, the same command continues the run." in failed.stderr
    assert not target.exists()
    assert not list(tmp_path.rglob("*.unfinished"))
    assert not (tmp_path / "out.csv.parts" / "whole").exists()
    assert in_a_process(source, target).returncode == 0
    assert [row[0] for row in rows_of(target)[1:]] == [str(i) for i in range(60)]


# ------------------------------------------------------------------------------- the command line


def command(*words):
    return CliRunner().invoke(_app, list(map(str, words)))


def test_the_command_line_ends_with_0_and_says_the_report(tmp_path):
    source = written(tmp_path / "in.csv", table(20))
    done = command(
        *(source, tmp_path / "out.csv", "--column", "text", "--mechanism", "tem"),
        *("--epsilon", "5", "--param", "beta=0.01", "--unknown", "mask", "--seed", "3"),
    )
    assert done.exit_code == 0, done.output
    assert "TEM(epsilon=5.0, gamma=None, beta=0.01)" in done.output
    assert "anyone who knows it can undo the release" in done.output
    assert "separator: comma, header: the first row" in done.output
    assert len(rows_of(tmp_path / "out.csv")) == 21
    assert (tmp_path / "out.csv.report.json").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "--epsilon: give a value"),
        (("--epsilon", "-1"), r"ε \(epsilon\) must be above 0; got -1"),
        (
            ("--epsilon", "1"),
            "--column: name the columns that hold text. The file has: id, text, label",
        ),
        (
            ("--epsilon", "1", "--column", "review"),
            "there is no column 'review'. The file has: id, text",
        ),
        (("--epsilon", "1", "--mechanism", "magic"), "must be one of cmp, .*; got 'magic'"),
        (("--epsilon", "1", "--param", "beta"), "Parameter: must be one of .*; got 'beta'"),
        (("--epsilon", "1", "--unknown", "eat"), "unknown must be one of random, mask"),
        (("--epsilon", "1", "--encoding", "klingon"), "'klingon' is unknown"),
        (("--epsilon", "1", "--ragged", "no"), "--ragged must be one of refuse, empty"),
    ],
)
def test_a_command_that_cannot_be_used_ends_with_2_and_says_why(tmp_path, options, said):
    source = written(tmp_path / "in.csv", table(20))
    done = command(source, tmp_path / "out.csv", *options)
    assert done.exit_code == 2
    text = " ".join(done.output.replace("│", " ").split())
    assert re.search(said, text), text
    assert list(tmp_path.iterdir()) == [source]


def test_a_file_that_cannot_be_read_to_its_end_ends_with_2_and_leaves_nothing(tmp_path):
    source = written(tmp_path / "in.csv", table(20) + "1,2,3,4,5\n")
    done = command(source, tmp_path / "out.csv", "--column", "text", "--epsilon", 1)
    assert done.exit_code == 2
    assert "row 21" in done.output
    assert list(tmp_path.iterdir()) == [source]


def test_a_run_that_fails_on_the_way_ends_with_1_and_one_that_is_stopped_with_130(
    tmp_path, monkeypatch
):
    source = written(tmp_path / "in.csv", table(20))
    words = (source, tmp_path / "out.csv", "--column", "text", "--epsilon", 1)
    for problem, code in ((RuntimeError("a worker died"), 1), (KeyboardInterrupt(), 130)):

        def failing(*_, problem=problem):
            raise problem

        with monkeypatch.context() as patch:
            patch.setattr(pieces, "private", failing)
            assert command(*words).exit_code == code
        assert not (tmp_path / "out.csv").exists()
    assert command(*words).exit_code == 0


def test_two_processes_and_a_dask_cluster_draw_what_one_process_draws(tmp_path, monkeypatch):
    """Without the toy: workers load the vocabulary themselves."""
    from distributed import LocalCluster

    monkeypatch.setattr(settings, "_vocabulary", LOAD)
    source = written(tmp_path / "in.csv", table(40))
    how = Settings(mechanism=CMP(epsilon=5.0), size=500, seed=7)
    private(source, tmp_path / "one.csv", how)
    private(source, tmp_path / "two.csv", how, workers=2)
    with LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=":0") as cluster:
        private(source, tmp_path / "dask.csv", how, scheduler=cluster.scheduler_address)
    one = (tmp_path / "one.csv").read_bytes()
    assert (tmp_path / "two.csv").read_bytes() == one
    assert (tmp_path / "dask.csv").read_bytes() == one
