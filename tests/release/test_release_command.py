"""The command as a process: how it ends, whatever terminal it has."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from release import faults, pieces
from tests.release.test_release import (
    ROOT,
    command,
    rows_of,
    table,
    toy,  # noqa: F401 (the vocabulary of these tests)
    written,
)

PROGRAM = """
import runpy
from release import settings
from tests.toy import TOY

settings._vocabulary = lambda *_: TOY
runpy.run_module("release", run_name="__main__")
"""


def process(tmp_path, shell, **environment):
    """The command on a toy vocabulary, its streams by a line of a shell with `"$@"` in it."""
    source = written(tmp_path / "in.csv", table(20))
    words = [source, tmp_path / "out.csv", "--column", "text", "--epsilon", "5"]
    line = ["bash", "-c", f"set -o pipefail; {shell}", "-", sys.executable, "-c", PROGRAM, *words]
    return subprocess.run(
        line, cwd=ROOT, env=os.environ | environment, capture_output=True, timeout=120
    )


@pytest.mark.parametrize(
    ("shell", "environment"),
    [
        ('"$@" >&-', {}),
        ('"$@" 2>&-', {}),
        ('"$@" >&- 2>&-', {}),
        ('"$@" | true', {}),
        ('"$@" 2>&1 | true', {}),
        ('"$@" > /dev/full', {}),
        ('"$@"', {"PYTHONIOENCODING": "cp1252"}),
        ('"$@"', {"PYTHONIOENCODING": "ascii"}),
    ],
)
def test_a_complete_file_ends_with_0_whatever_becomes_of_the_terminal(tmp_path, shell, environment):
    done = process(tmp_path, shell, **environment)
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr
    assert len(rows_of(tmp_path / "out.csv")) == 21


def test_the_report_goes_to_standard_output_and_all_else_to_standard_error(tmp_path):
    done = process(tmp_path, '"$@"')
    report = (tmp_path / "out.csv.report.txt").read_text(encoding="utf-8")
    assert done.stdout.decode().strip() == report.strip()
    assert "Do not publish it" in done.stderr.decode()


INTERRUPTED = """
import os, runpy, signal, sys

signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background has none

class Interrupt:
    def find_spec(self, name, *_):
        if name == interrupted:
            os.kill(os.getpid(), signal.SIGINT)

interrupted = sys.argv.pop(1)
sys.meta_path.insert(0, Interrupt())
runpy.run_module("release", run_name="__main__")
"""


@pytest.mark.parametrize(
    "module", ["typer", "data.embeddings", "measures.sweeps.plan", "release.run"]
)
def test_ctrl_c_while_it_still_loads_ends_with_130_in_silence(tmp_path, module):
    source = written(tmp_path / "in.csv", table(20))
    words = [source, tmp_path / "out.csv", "--column", "text", "--epsilon", "5"]
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, module, *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == [source]


def test_a_pipe_is_refused_with_what_to_do(tmp_path):
    os.mkfifo(tmp_path / "in.csv")
    done = command(tmp_path / "in.csv", tmp_path / "out.csv", "--column", "text", "--epsilon", 1)
    assert done.exit_code == 2
    assert "save it as one first" in " ".join(done.output.replace("│", " ").split())


@pytest.mark.parametrize("target", ["missing/out.csv", "in.csv/out.csv", "/proc/out.csv"])
def test_a_target_that_cannot_be_written_ends_with_2(tmp_path, target):
    source = written(tmp_path / "in.csv", table(20))
    done = command(source, tmp_path / target, "--column", "text", "--epsilon", 1)
    assert done.exit_code == 2
    assert "Choose another place" in done.output
    assert list(tmp_path.iterdir()) == [source]


def test_a_column_that_is_named_twice_counts_once(tmp_path):
    source = written(tmp_path / "in.csv", table(20))
    words = ("--column", "text", "--column", "text", "--epsilon", 1)
    assert command(source, tmp_path / "out.csv", *words).exit_code == 0
    assert "made private: text;" in (tmp_path / "out.csv.report.txt").read_text(encoding="utf-8")


def test_a_fault_that_nobody_expected_has_an_id_and_none_of_the_text(tmp_path, monkeypatch):
    source = written(tmp_path / "in.csv", table(20))

    def failing(texts, *_):
        raise KeyError(texts)

    monkeypatch.setattr(pieces, "private", failing)
    done = command(source, tmp_path / "out.csv", "--column", "text", "--epsilon", 1)
    assert done.exit_code == 1
    assert "Unexpected error (id " in done.output
    assert "builtins.KeyError" in done.output
    assert "really" not in done.output  # it is in every text
    assert not (tmp_path / "out.csv").exists()


def test_the_same_fault_has_the_same_id():
    def fault(text):
        try:
            raise KeyError(text)
        except KeyError as error:
            return faults.trace(error)

    assert faults.identity(fault("one")) == faults.identity(fault("two"))
    assert "one" not in fault("one").replace(Path(__file__).name, "")


def test_a_scheduler_without_tls_is_said_to_read_in_clear(tmp_path):
    source = written(tmp_path / "in.csv", table(20))
    for address, said in (("nowhere://x", True), ("tls://127.0.0.1:1", False)):
        words = ("--column", "text", "--epsilon", 1, "--scheduler", address)
        done = command(source, tmp_path / "out.csv", *words)
        assert done.exit_code == 1
        assert ("texts cross the network as typed, in clear" in done.output) == said
        assert "does not answer" in done.output


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("abc", "must be a number; got 'abc'"),
        ("1,000", "can be read in two ways: write 1.000 or 1000; got '1,000'"),
        ("٥", "must be a number; got '٥'"),
        ("0", "ε (epsilon) must be above 0; got 0"),
    ],
)
def test_an_epsilon_that_is_no_clear_number_is_refused_with_the_rule(tmp_path, typed, said):
    source = written(tmp_path / "in.csv", table(2))
    done = command(source, tmp_path / "out.csv", "--column", "text", "--epsilon", typed)
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.replace("│", " ").split())
    assert not (tmp_path / "out.csv").exists()


def test_an_epsilon_with_a_comma_is_the_number_that_a_person_means(tmp_path):
    source = written(tmp_path / "in.csv", table(2))
    done = command(source, tmp_path / "out.csv", "--column", "text", "--epsilon", "1,5")
    assert done.exit_code == 0, done.stderr
    assert "CMP(epsilon=1.5)" in done.stdout


def test_one_row_is_one_row(tmp_path):
    source = written(tmp_path / "in.csv", table(1))
    done = command(source, tmp_path / "out.csv", "--column", "text", "--epsilon", 1)
    assert "Read 1 row." in done.stderr


def test_the_readme_and_the_help_name_every_file_and_every_choice(tmp_path):
    source = written(tmp_path / "in.csv", table(1))
    assert (
        command(source, tmp_path / "private.csv", "--column", "text", "--epsilon", 1).exit_code == 0
    )
    beside = {file.name.removeprefix("private.csv") for file in tmp_path.glob("private.csv.*")}
    readme = (ROOT / "README.md").read_text("utf-8")
    helped = command("--help").stdout
    for ending in beside:
        stem, kind = ending.rsplit(".", 1)
        assert f"private.csv{stem}.txt`, `.{kind}`" in readme or f"private.csv{ending}" in readme
        assert ending in helped
    for option in ("header", "quotes", "escape", "separator", "encoding", "bad-bytes", "ragged"):
        assert f"--{option}" in helped
        assert f"`--{option}" in readme
    for option in ("html", "formulas", "unknown"):
        assert f"`--{option}" in readme
    for code in ("0", "2", "1", "130"):
        assert re.search(rf"with {code}\b", readme)
