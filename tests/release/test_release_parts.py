"""What lies beside an output is not trusted: pieces, manifest, names, and the folder itself."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from mechanisms import CMP
from release import parts, pieces, run
from release.settings import Settings
from tests.release.test_release import (
    EXACT,
    Stop,
    private,
    rows_of,
    stopped_after,
    table,
    toy,  # noqa: F401 (the vocabulary of these tests)
    written,
)

HOW = Settings(mechanism=CMP(epsilon=1.0), seed=5)


@pytest.fixture
def stopped(tmp_path):
    """A source, a target, and the folder of a run that was stopped after three pieces."""
    source, target = written(tmp_path / "in.csv", table(60)), tmp_path / "out.csv"
    with pytest.raises(Stop):
        private(source, target, HOW, progress=stopped_after(3))
    return source, target, tmp_path / "out.csv.parts"


def damaged(data):
    return data[:-1] + bytes([data[-1] ^ 1])


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("000001.part", damaged),
        ("000001.part", lambda data: data[:-5]),
        ("000001.part", lambda data: data + b"9,the secret,good\n"),
        ("000001.json", lambda data: b""),
        ("000001.json", lambda data: b"[1]"),
        ("000001.json", lambda data: data[:20]),
        ("000001.json", None),
    ],
    ids=["bit", "short", "long", "empty record", "other record", "half a record", "no record"],
)
def test_a_damaged_piece_is_drawn_again(stopped, tmp_path, monkeypatch, name, change):
    source, target, folder = stopped
    place = folder / name
    place.unlink() if change is None else place.write_bytes(change(place.read_bytes()))
    drawn, draw = [], pieces.private
    monkeypatch.setattr(pieces, "private", lambda *a: drawn.append(a[2]) or draw(*a))
    private(source, target, HOW)
    assert 1 in drawn
    assert 2 not in drawn
    private(source, tmp_path / "once.csv", HOW)
    assert target.read_bytes() == (tmp_path / "once.csv").read_bytes()


def test_a_piece_that_is_damaged_at_the_very_end_is_not_released(stopped):
    source, target, folder = stopped

    def spoil(done, of):
        if done == of:
            place = folder / "000002.part"
            place.write_bytes(damaged(place.read_bytes()))

    with pytest.raises(parts.Damaged, match="The same command draws that piece again"):
        private(source, target, HOW, progress=spoil)
    assert not target.exists()
    private(source, target, HOW)
    assert rows_of(target)[0] == ["id", "text", "label"]


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"file": 3}', b"\xff"])
def test_a_damaged_manifest_is_refused_with_what_to_do(stopped, data):
    source, target, folder = stopped
    (folder / "manifest.json").write_bytes(data)
    with pytest.raises(run.Refused, match=r"out\.csv\.parts holds a manifest.* Remove the folder"):
        private(source, target, HOW)
    shutil.rmtree(folder)
    private(source, target, HOW)
    assert target.exists()


def test_pieces_without_a_manifest_belong_to_nothing(stopped):
    source, target, folder = stopped
    (folder / "manifest.json").unlink()
    with pytest.raises(run.Refused, match="holds pieces of a run that no manifest names"):
        private(source, target, HOW)


def test_no_file_of_a_run_holds_its_seed_and_another_seed_is_refused(tmp_path):
    source, target = written(tmp_path / "in.csv", table(60)), tmp_path / "out.csv"
    how = replace(HOW, seed=987654321)
    with pytest.raises(Stop):
        private(source, target, how, progress=stopped_after(3))
    folder = tmp_path / "out.csv.parts"
    assert not any(b"987654321" in file.read_bytes() for file in folder.iterdir())
    before = sorted(file.name for file in folder.iterdir())
    with pytest.raises(run.Refused, match="another seed"):
        private(source, target, replace(how, seed=1))
    with pytest.raises(run.Refused, match="settings: seeded"):
        private(source, target, replace(how, seed=None))
    assert before == sorted(file.name for file in folder.iterdir())
    private(source, target, how)


@pytest.mark.parametrize("ending", [*run.PUBLIC, *run.PRIVATE])
def test_reports_obey_the_rule_of_the_target(tmp_path, ending):
    source, target = written(tmp_path / "in.csv", table(9)), tmp_path / "out.csv"
    there = written(tmp_path / f"out.csv{ending}", "mine")
    with pytest.raises(FileExistsError, match="already exists"):
        private(source, target)
    assert there.read_text() == "mine"
    assert not target.exists()
    private(source, target, overwrite=True)
    assert there.read_text(encoding="utf-8") != "mine"
    own = written(tmp_path / f"other.csv{ending}", "text\nnorth\n")
    with pytest.raises(ValueError, match="would replace the file that is read"):
        private_of_any_name(own, tmp_path / "other.csv")
    assert own.read_text() == "text\nnorth\n"


def private_of_any_name(source, target):
    from release.layout import layout

    how = layout("in.csv", source, named=["text"])
    return run.run(source, target, how, ["text"], EXACT, overwrite=True)


def test_a_link_to_the_source_is_the_source(tmp_path):
    source = written(tmp_path / "in.csv", table(9))
    (tmp_path / "out.csv").hardlink_to(source)
    with pytest.raises(ValueError, match="would replace the file that is read"):
        private(source, tmp_path / "out.csv", overwrite=True)


def test_a_run_that_was_stopped_between_its_files_goes_on(tmp_path, monkeypatch):
    source, target = written(tmp_path / "in.csv", table(30)), tmp_path / "out.csv"
    rename = Path.replace

    def failing(self, to):
        if Path(to) == target:
            raise KeyboardInterrupt
        return rename(self, to)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", failing)
        with pytest.raises(KeyboardInterrupt):
            private(source, target)
    assert (tmp_path / "out.csv.report.json").exists()
    assert not target.exists()
    private(source, target)
    assert rows_of(target) == rows_of(source)


def test_a_folder_that_cannot_be_removed_is_named(tmp_path, monkeypatch):
    source, target = written(tmp_path / "in.csv", table(9)), tmp_path / "out.csv"
    monkeypatch.setattr(parts.shutil, "rmtree", lambda *_, **__: None)
    done = private(source, target)
    assert done.remains == tmp_path / "out.csv.parts"
    manifest = json.loads((done.remains / "manifest.json").read_bytes())
    assert "seed" not in manifest["settings"]


@pytest.mark.parametrize(
    "target", ["missing/out.csv", "in.csv/out.csv", "/proc/out.csv", "x" * 240 + ".csv"]
)
def test_a_place_that_cannot_be_written_is_refused_before_anything_is_drawn(
    tmp_path, monkeypatch, target
):
    source = written(tmp_path / "in.csv", table(9))
    monkeypatch.setattr(pieces, "private", None)
    with pytest.raises(ValueError, match="cannot be written .* Choose another place"):
        private(source, tmp_path / target)
    assert list(tmp_path.iterdir()) == [source]


def test_a_target_that_is_a_folder_is_refused(tmp_path):
    source = written(tmp_path / "in.csv", table(9))
    (tmp_path / "out.csv").mkdir()
    with pytest.raises(ValueError, match="is a folder"):
        private(source, tmp_path / "out.csv", overwrite=True)


def test_a_column_that_is_named_twice_counts_once(tmp_path):
    source = written(tmp_path / "in.csv", table(9))
    done = private(source, tmp_path / "out.csv", columns=("text", "text"))
    assert done.report["columns made private"] == ["text"]
    assert done.account["texts"] + done.account["empty cells"] == 9
