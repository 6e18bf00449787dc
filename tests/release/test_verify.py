"""File and report: together, changed, of another release, no report at all."""

import hashlib
import json
import subprocess
import sys

import pytest

from release.verify import BELONGS, verify


@pytest.fixture
def pair(tmp_path):
    """A private file and a report that names it among two."""
    private, report = tmp_path / "private.csv", tmp_path / "private.csv.report.json"
    private.write_bytes(b"text\nthe cat\n")
    digest = hashlib.sha256(private.read_bytes()).hexdigest()
    files = [{"bytes": 1, "sha256": "00"}, {"ending": ".csv", "bytes": 13, "sha256": digest}]
    report.write_text(json.dumps({"private file": files}), encoding="utf-8")
    return private, report


def test_a_file_belongs_to_the_report_that_names_its_size_and_hash(pair):
    assert verify(*pair) == (True, BELONGS)


def test_one_byte_changed_is_found_and_both_hashes_are_named(pair):
    private, report = pair
    private.write_bytes(b"text\nthe bat\n")
    verdict = verify(private, report)
    assert not verdict.belongs
    assert hashlib.sha256(b"text\nthe bat\n").hexdigest() in verdict.said
    assert hashlib.sha256(b"text\nthe cat\n").hexdigest() in verdict.said


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"private file": 3}', '{"private file": []}', "[" * 100_000, "\x00"]
)
def test_what_is_no_report_is_named(pair, text):
    pair[1].write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"is not the public report .* \.report\.json"):
        verify(*pair)


def test_the_command_ends_with_0_1_and_2(pair):
    private, report = pair

    def ends(*files):
        command = [sys.executable, "-m", "release.verify", *map(str, files)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "Traceback" not in run.stderr
        return run.returncode

    assert ends(private, report) == 0
    assert ends(private, private) == 2
    private.write_bytes(b"")
    assert ends(private, report) == 1
