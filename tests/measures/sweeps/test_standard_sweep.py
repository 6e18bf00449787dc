"""The standard sweep packed: all its rows, and a provenance that names no place."""

import json
import math
from pathlib import Path

import pytest
from pyarrow import parquet

from data import corpora, embeddings
from measures.sweeps import plan, rows, scores, sides, standard
from measures.sweeps.experiment import Cell, failed, run
from measures.sweeps.vectors import unpacked
from mechanisms import MECHANISMS, TEM


@pytest.fixture
def cells(monkeypatch):
    """A sweep of two small cells in the place of the standard one."""
    small = [
        Cell(
            corpus="rotten-tomatoes", texts=40, vocabulary_size=2000,
            mechanism=TEM(epsilon=epsilon), measures=("n_w",),
        )
        for epsilon in (8.0, 2.0)
    ]  # fmt: skip
    monkeypatch.setattr(plan, "standard", lambda *_: small)
    return small


def test_the_rows_of_the_standard_sweep_are_packed_with_where_they_come_from(cells, tmp_path):
    for cell in cells:
        rows.write(tmp_path, cell.fingerprint, run(cell))
    other = Cell(corpus="imdb", texts=40, mechanism=TEM(epsilon=1.0), measures=("n_w",))
    rows.write(tmp_path, other.fingerprint, failed(other, "not one of them"))
    target = tmp_path / "out" / "standard_sweep.parquet"
    target.parent.mkdir()
    with pytest.warns(RuntimeWarning, match="out is not a row of a sweep"):
        standard.pack(tmp_path, target)
    packed = parquet.read_table(target)
    assert packed.schema.equals(rows.SCHEMA)
    assert packed["epsilon"].to_pylist() == [2.0, 8.0]
    text = target.with_suffix(".json").read_text()
    about = json.loads(text)
    assert (about["cells"], about["failed"]) == (2, 0)
    assert about["versions"][0]["numpy"]
    assert about["seconds_from_first_to_last"] >= 0
    assert str(Path.home()) not in text
    assert str(tmp_path) not in text


def test_a_sweep_that_is_not_finished_is_not_packed(cells, tmp_path):
    rows.write(tmp_path, cells[0].fingerprint, run(cells[0]))
    target = tmp_path / "standard_sweep.parquet"
    with pytest.raises(ValueError, match="1 of 2 cells are not in"):
        standard.pack(tmp_path, target)
    assert not target.exists()


@pytest.mark.skipif(not scores.SHIPPED.exists(), reason="the standard sweep was not made yet")
def test_the_shipped_rows_say_what_their_mechanisms_promise_and_keep():
    vocabulary = embeddings.load(embeddings.GLOVE, embeddings.DEFAULT_SIZE)
    classes = {cls.__name__: cls for cls in MECHANISMS}
    counts = {name: corpora.load(name).label_counts for name in plan.STANDARD_CORPORA}
    said, found = [], []
    for row in scores.shipped():
        own = json.loads(row["parameters"])
        own |= {"variant": row["variant"]} if row["variant"] else {}
        promise = classes[row["mechanism"]](epsilon=row["epsilon"], **own).guarantee(vocabulary)
        keeps = promise.holds and promise.notion != "none proven"
        labels, tested = counts[row["corpus"]], len(unpacked(row["accuracy_each"]))
        commonest = math.ceil(tested * max(labels.values()) / sum(labels.values()))
        found.append((promise.notion, keeps, 100 * commonest / tested))
        said.append((row["notion"], row["keeps"], row["chance"]))
    assert said == found


def test_balanced_corpora_are_balanced():
    for name in plan.STANDARD_CORPORA:
        counts = corpora.load(name).label_counts
        assert len(counts) == sides.BALANCED[name]
        assert len(set(counts.values())) == 1
