"""The command that chooses: its exit codes, its record, its answer."""

import csv
import json
import shlex
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from data import embeddings
from measures.own_texts.texts import own_texts
from release import choose
from release.__main__ import _app as command_of_release
from release.corpus_texts import corpus_texts
from release.demands import Demands
from release.options import FileOptions
from tests import customer_messages
from tests.refusing import cmp_refuses

RUNNER = CliRunner()
SMALL = ["--size", "2000", "--first-answer"]


@pytest.fixture
def file(tmp_path):
    place = tmp_path / "mail.csv"
    with place.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(["id", "text", "topic"])
        writer.writerows([i, *row[2:]] for i, row in enumerate(customer_messages.messages(60)))
    return place


def run(file, *options):
    return RUNNER.invoke(choose._app, [str(file), *SMALL, *options])


def said(outcome):
    """What it printed, errors among it, without the frame and its line breaks."""
    return " ".join((outcome.output + outcome.stderr).replace("│", " ").split())


def test_it_recommends_writes_a_record_and_prints_the_release_command(file):
    first = run(file, "--column", "text", "--label", "topic")
    assert first.exit_code == 0, first.output
    command = first.output.strip().splitlines()[-1]
    words = shlex.split(command)
    assert words[:4] == ["python", "-m", "release", str(file)]
    record = file.with_name(file.name + ".private-choice.json")
    facts = json.loads(record.read_text(encoding="utf-8"))
    assert next(iter(facts)) == "private"
    assert facts["recommended"] is not None
    assert len(facts["reasons"]) == 3
    assert all(reason in first.output for reason in facts["reasons"])
    text = record.read_text(encoding="utf-8").lower()
    assert not [name for name in customer_messages.NAME_LIKE if f'"{name}"' in text]
    again = run(file, "--column", "text", "--label", "topic", "--overwrite")
    assert again.output == first.output


def test_the_release_command_runs(file):
    outcome = run(file, "--column", "text")
    words = shlex.split(outcome.output.strip().splitlines()[-1])
    done = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    record = file.with_name(file.name + ".private-choice.json")
    settings = json.loads(record.read_text(encoding="utf-8"))["settings_that_could_be_chosen"]
    facts = json.loads(Path(words[4] + ".report.json").read_text(encoding="utf-8"))
    assert facts["settings that could have been chosen"] == settings
    stated = f"{settings} settings could have been chosen"
    assert stated in Path(words[4] + ".report.txt").read_text(encoding="utf-8")
    with open(words[4], newline="", encoding="utf-8") as private:
        assert len(list(csv.reader(private))) == 61


def test_a_choice_on_a_public_corpus_looks_at_no_row_of_the_file(file, monkeypatch):
    seen = []

    def public(name, vocabulary):
        seen.append(name)
        texts, labels = customer_messages.texts(60), customer_messages.labels(60)
        return own_texts(texts, vocabulary, labels)

    monkeypatch.setattr(choose, "corpus_texts", public)
    monkeypatch.setattr(choose, "texts_of", None)
    outcome = run(file, "--column", "text", "--made-on", "imdb", "--named-at-most", "0.9")
    assert outcome.exit_code == 0, outcome.output
    assert seen == ["imdb"]
    assert "--chosen-among" not in outcome.output
    assert "made on a sample of imdb, a packaged corpus" in outcome.output
    assert "looked at no row of the file" in outcome.output
    record = file.with_name(file.name + ".private-choice.json")
    facts = json.loads(record.read_text(encoding="utf-8"))
    assert facts["made_on"] == "imdb"
    assert "no row" in facts["private"]
    assert "depends on the file" not in json.dumps(facts)


def test_a_packaged_corpus_is_sampled_the_same_at_every_call():
    vocabulary = embeddings.load(embeddings.GLOVE, 2000)
    first, again = (corpus_texts("rotten-tomatoes", vocabulary) for _ in "ab")
    assert len(first) == 500
    assert (first.inputs == again.inputs).all()
    with pytest.raises(ValueError, match="must be one of imdb, rotten-tomatoes; got 'sst2'"):
        corpus_texts("sst2", vocabulary)


def test_a_mechanism_that_refuses_its_epsilon_is_listed_with_its_reason(file, monkeypatch):
    cmp_refuses(monkeypatch)
    outcome = run(file, "--column", "text")
    assert outcome.exit_code == 0, outcome.output
    assert "CMP: It refuses these words or this ε: CMP: ε (epsilon) must be" in outcome.output


def test_ten_texts_without_a_label_are_measured(tmp_path):
    place = tmp_path / "ten.txt"
    place.write_text("\n".join(customer_messages.texts(10)) + "\n", encoding="utf-8")
    outcome = run(place, "--column", "text")
    assert outcome.exit_code == 0, said(outcome)
    assert "accuracy kept" not in outcome.output


def test_demands_that_nothing_meets_end_with_3(file):
    outcome = run(
        file, "--column", "text", "--named-at-most", "0.01", "--similarity-at-least", "0.99"
    )
    assert outcome.exit_code == 3
    assert "would have to be" in outcome.output or "comes nearest" in outcome.output
    assert "python -m release " not in outcome.output


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--column", "text", "--keep-accuracy", "0.9"], "name the column of the label"),
        (["--column", "text", "--unchanged-at-most", "2"], "at most 1; got 2"),
        (
            ["--column", "text", "--unchanged-at-most", "none", "--named-at-most", "none"],
            "no privacy is demanded",
        ),
        (["--column", "text", "--label", "id"], "60 different labels for 60 texts are too many"),
        (["--column", "text", "--label", "text"], "holds the text"),
        (["--column", "nothing"], "nothing"),
        (["--column", "text", "--made-on", "sst2"], "must be one of imdb, rotten-tomatoes"),
        (["--column", "text", "--made-on", "imdb", "--label", "topic"], "has its own labels"),
        ([], "name the columns that hold text"),
    ],
)
def test_what_cannot_be_used_ends_with_2_and_writes_nothing(file, options, sentence):
    outcome = run(file, *options)
    assert outcome.exit_code == 2
    assert sentence in said(outcome)
    assert [place.name for place in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([["a b"]] * 10, "at least 20 texts"),
        ([["the film"] for _ in range(30)], "two different labels"),
        ([], "no rows"),
        ([["zzzzq"]] * 30, "has a word of the vocabulary"),
    ],
)
def test_files_that_cannot_be_measured_say_why(tmp_path, rows, sentence):
    place = tmp_path / "odd.csv"
    labels = ["x", "y"] if sentence == "at least 20 texts" else ["x"]
    with place.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows(
            [["text", "label"], *([*row, labels[i % len(labels)]] for i, row in enumerate(rows))]
        )
    outcome = run(place, "--column", "text", "--label", "label", "--header")
    assert outcome.exit_code == 2
    assert sentence in said(outcome)


def test_a_record_that_is_there_is_not_replaced_unasked(file):
    record = file.with_name(file.name + ".private-choice.json")
    record.write_text("mine", encoding="utf-8")
    outcome = run(file, "--column", "text")
    assert outcome.exit_code == 2
    assert record.read_text(encoding="utf-8") == "mine"


def rows_of_messages(count=40):
    return [
        ["id", "text", "topic"],
        *([i, *row[2:]] for i, row in enumerate(customer_messages.messages(count))),
    ]


def a_workbook(place):
    openpyxl = pytest.importorskip("openpyxl")
    made = openpyxl.Workbook()
    made.active.append(["a note"])
    sheet = made.create_sheet("Mails")
    for row in rows_of_messages():
        sheet.append(row)
    made.save(place)


def with_escapes(place):
    """Whose first text is one row with an escape sign, and two rows without one."""
    rows = [f'{i},"{text}",{topic}' for i, text, topic in rows_of_messages()[1:]]
    first = '99,"\\"\nthe invoice is late","billing"'
    place.write_text("\n".join(["id,text,topic", first, *rows, ""]), encoding="utf-8")


def with_a_foreign_byte(place):
    rows = [f'{i},"{text}",{topic}'.encode() for i, text, topic in rows_of_messages()[1:]]
    place.write_bytes(
        b"\n".join([b"id,text,topic", *rows, b"99,it\x92s a caf\xc3\xa9 film,billing", b""])
    )


def out_of_step(place):
    rows = [f'{i},"{text}",{topic}' for i, text, topic in rows_of_messages()[1:]]
    place.write_text("\n".join(["id,text,topic", *rows, "one,two", ""]), encoding="utf-8")


FILES = [
    ("mail.xlsx", a_workbook, ["--sheet", "Mails"], []),
    ("mail.csv", with_escapes, ["--escape", "\\"], ["--escape", "none"]),
    ("mail.csv", with_a_foreign_byte, ["--bad-bytes", "replace"], []),
    ("mail.csv", out_of_step, ["--ragged", "empty"], []),
]


@pytest.fixture(scope="module")
def choice():
    texts, topics = customer_messages.texts(40), customer_messages.labels(40)
    own = own_texts(texts, embeddings.load(embeddings.GLOVE, 2_000), topics)
    return choose._chosen(own, Demands(), 0, True)


@pytest.mark.parametrize(("name", "written", "as_said", "else_refused"), FILES)
def test_a_file_is_read_as_said_and_the_printed_command_says_it_too(
    tmp_path, monkeypatch, choice, name, written, as_said, else_refused
):
    measured = []
    monkeypatch.setattr(choose, "_chosen", lambda own, *_: measured.append(len(own)) or choice)
    place = tmp_path / name
    written(place)
    texts = ["--column", "text", "--label", "topic"]
    assert run(place, *texts, *else_refused).exit_code == 2
    outcome = run(place, *texts, *as_said)
    assert outcome.exit_code == 0, said(outcome)
    words = shlex.split(outcome.output.strip().splitlines()[-1])
    at = words.index(as_said[0])
    assert words[at : at + 2] == as_said
    done = RUNNER.invoke(command_of_release, words[3:])
    assert done.exit_code == 0, said(done)
    report = json.loads(Path(words[4] + ".report.json").read_text(encoding="utf-8"))
    assert [report["rows"]] == measured


def test_every_command_that_reads_a_file_has_the_same_options_for_it():
    def of_the_file(app):
        found = {each.name: each for each in typer.main.get_command(app).params}
        return [
            (
                found[f.name].opts,
                found[f.name].secondary_opts,
                found[f.name].default,
                found[f.name].help,
            )
            for f in fields(FileOptions)
        ]

    assert of_the_file(choose._app) == of_the_file(command_of_release)
