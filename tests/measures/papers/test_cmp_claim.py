import csv

import numpy as np
import pytest

from measures.papers import cmp_claim
from measures.papers.cmp_claim import COLUMNS, FEWEST, MOST, RUNS, breaks, findings


def test_either_half_of_the_claim_can_break_it():
    n_w = np.array([0.1, 0.51, 0.1, 0.5])
    distinct = np.array([400.0, 400.0, 299.0, 300.0])
    assert breaks(n_w, distinct).tolist() == [False, True, True, False]
    assert (FEWEST, MOST, RUNS) == (300, 500, 1000)


def test_findings_name_the_words_that_break_it_plainest_first(tmp_path):
    file = tmp_path / "claim.csv"
    rows = [
        ("the", 1, "frequent", 0.1, 0.01, 700),
        ("close", 2, "frequent", 0.51, 0.01, 700),
        ("17", 9000, "random", 0.9, 0.01, 80),
        ("rare", 9001, "random", 0.2, 0.01, 190),
        ("plain", 9002, "random", 0.2, 0.01, 650),
    ]
    with file.open("w", newline="") as out:
        csv.writer(out).writerows([COLUMNS, *rows])
    frequent, random = findings(file)
    assert (frequent.words, frequent.breaking) == (2, [])
    assert [word for word, *_ in frequent.undecided] == ["close"]
    assert random.undecided == []
    assert random.words == 3
    assert [word for word, *_ in random.breaking] == ["17", "rare"]
    assert (random.fewest, random.most) == (80, pytest.approx(900))


def test_the_shipped_table_has_both_samples_of_five_hundred_different_words():
    with cmp_claim.FILE.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    for sample in ("frequent", "random"):
        words = {row["word"] for row in rows if row["sample"] == sample}
        assert len(words) == cmp_claim.WORDS
    frequent, random = findings()
    assert frequent.words == random.words == cmp_claim.WORDS
