import numpy as np
import pytest

from data import corpora
from measures.papers import tem_claim
from measures.papers.tem_claim import (
    CLAIMED,
    EPSILON,
    FILE,
    Compared,
    Row,
    comparisons,
    findings,
    read,
    trials,
    write,
)
from measures.words.deniability import sample_words, unchanged_probability
from mechanisms import CMP, TEM
from mechanisms.randomness import seeded_rng
from tests.measures.sweeps.test_classifiers import reviews


def test_mechanisms_are_compared_at_the_papers_epsilon_and_at_equal_n_w(glove):
    original, *private = comparisons(glove)
    assert original == Compared("original", None, 1.0)
    of = {(each.made_equal, each.mechanism.name): each for each in private}
    assert of["ε", "TEM"].mechanism == TEM(epsilon=2.0, gamma=None, beta=0.001)
    assert of["ε", "CMP"].mechanism == CMP(epsilon=2.0)
    target = of["ε", "TEM"].n_w
    assert of["N_w of TEM", "CMP"].n_w == pytest.approx(target, rel=0.5)
    for name in ("TEM", "CMP"):
        assert of["N_w of 50 %", name].n_w == pytest.approx(0.5, abs=0.03)
    words = sample_words(glove, "random", 60)
    exact = unchanged_probability(TEM(epsilon=2), glove, words, seeded_rng(0)).value.mean()
    assert target == pytest.approx(exact)


@pytest.fixture
def small(monkeypatch):
    """A corpus of 500 short reviews, and one classifier."""
    texts, labels = reviews(500, 0)
    corpus = corpora.Corpus("small", tuple(texts), tuple(labels))
    monkeypatch.setattr(tem_claim.corpora, "load", lambda name: corpus)
    monkeypatch.setattr(tem_claim, "TESTED", 150)
    monkeypatch.setattr(tem_claim, "CLASSIFIERS", ("logistic",))


def test_a_trial_trains_on_private_and_tests_on_original_text(small, glove):
    compared = [
        Compared("original", None, 1.0),
        Compared("ε", CMP(epsilon=1e9), 1.0),
        Compared("ε", CMP(epsilon=0.01), 0.0),
    ]
    original, unchanged, noise = trials("a name", glove, compared, 300, repetition=1)
    assert (original.mechanism, original.epsilon, original.kept) == ("", np.inf, 100)
    # Known words come back as they were, so the classifier is the same.
    assert (unchanged.mechanism, unchanged.kept) == ("CMP", 100)
    assert (unchanged.texts, unchanged.tested) == (300, 150)
    assert unchanged.accuracy == pytest.approx(original.accuracy, abs=3)
    assert original.accuracy_from > 60
    assert noise.kept < 1
    assert noise.accuracy < original.accuracy_from


def test_another_repetition_has_other_reviews_and_other_draws(small, glove):
    compared = [Compared("ε", CMP(epsilon=7), 0.5)]
    first, second, again = (
        next(trials("a name", glove, compared, 300, repetition)) for repetition in (0, 1, 0)
    )
    assert first == again
    assert first.kept != second.kept


def row(repetition, made_equal, mechanism, epsilon, n_w, accuracy):
    return Row(
        *("e", 9, 100, 100, repetition, made_equal, mechanism, epsilon, n_w, n_w / 2, "logistic"),
        *(accuracy, accuracy - 5, accuracy + 5),
    )


def test_a_finding_is_the_lead_of_tem_over_repetitions_with_its_interval(tmp_path):
    rows = []
    for repetition, shift in enumerate((-1.0, 0.0, 1.0)):
        rows += [
            row(repetition, "original", "", np.inf, 100, 80 + shift),
            row(repetition, "ε", "TEM", 2, 10, 70 + shift),
            row(repetition, "ε", "CMP", 2, 0.5, 51 - shift),
            row(repetition, "N_w of TEM", "CMP", 8, 10, 76 + shift + 0.1 * repetition),
        ]
    file = tmp_path / "claim.csv"
    write(rows, {"command": "a test"}, file)
    assert file.read_text(encoding="utf-8").startswith("# command: a test\n")
    assert read(file) == rows
    equal_epsilon, equal_n_w = findings(file)  # N_w of 50 % was not reached
    assert (equal_epsilon.made_equal, equal_epsilon.repetitions) == ("ε", 3)
    assert equal_epsilon.lead.value == pytest.approx(19)
    half = 4.302653 * 2 / np.sqrt(3)  # Student, two degrees of freedom
    assert equal_epsilon.lead.high - 19 == pytest.approx(half, rel=1e-6)
    assert equal_epsilon.winner == "TEM"
    assert equal_n_w.epsilon == {"CMP": 8, "TEM": 2}
    assert equal_n_w.lead.value == pytest.approx(-6.1)
    assert equal_n_w.winner == "CMP"
    assert "TEM leads by -6.1 [" in str(equal_n_w)


def test_nobody_wins_where_the_interval_holds_0(tmp_path):
    rows = []
    for repetition, lead in enumerate((-3.0, 1.0, 3.0)):
        rows += [
            row(repetition, "original", "", np.inf, 100, 80),
            row(repetition, "ε", "TEM", 2, 10, 60 + lead),
            row(repetition, "ε", "CMP", 2, 0.5, 60),
        ]
    write(rows, {}, tmp_path / "claim.csv")
    (finding,) = findings(tmp_path / "claim.csv")
    assert finding.winner is None


def test_the_shipped_table_compares_both_mechanisms_on_both_embeddings():
    found = findings()
    assert {f.embedding for f in found} == set(tem_claim.SIZES)
    for finding in found:
        assert finding.repetitions >= 3
        assert set(finding.accuracy) == set(CLAIMED)
        if finding.made_equal == "ε":
            assert set(finding.epsilon.values()) == {EPSILON}
        else:
            assert finding.n_w["CMP"] == pytest.approx(finding.n_w["TEM"], rel=0.25)
    # Original text is learned, or nothing could be said of private text.
    assert min(f.original.value for f in found) > 65
    assert FILE.exists()
