"""Attacks on trained models: membership, provenance, their trials as sweeps, the shipped tables."""

import dataclasses
import json
from functools import partial

import numpy as np
import pytest
from scipy import stats

from data import corpora
from measures.attacks import authorship, membership, trials
from measures.attacks.authorship import Audit, NextWord, Provenance, found, histogram
from measures.attacks.membership import Attack, Attacker, Membership, auc
from measures.sweeps import rows
from measures.sweeps.sweep import Kind, one_by_one, sweep
from measures.sweeps.task import Ground
from mechanisms import CMP, TEM
from mechanisms.randomness import seeded_rng
from pages.attacks import membership_charts, membership_tables
from tests.claims import ALPHA
from tests.toy import TOY

SMALL = {"corpus": "rotten-tomatoes", "texts": 40, "vocabulary_size": 2000}


class Remembers:
    """A model that is surer of what it has seen."""

    labels = ("negative", "positive")

    def __init__(self, texts, *_):
        self.seen = set(texts)

    def probabilities(self, texts):
        sure = np.array([0.95 if text in self.seen else 0.6 for text in texts])
        return np.stack([sure, 1 - sure], axis=1)


@pytest.fixture
def remembered(glove, monkeypatch):
    """An attacker of models that remember everything."""
    monkeypatch.setattr(membership, "train", Remembers)
    reviews = corpora.sampled(corpora.load("rotten-tomatoes"), 1200, 0)
    return Attacker(Ground(reviews, glove, 0), "logistic", 0)


# ------------------------------------------------------------------------------------- membership


def test_auc_is_the_share_of_pairs_that_are_ranked_rightly_ties_half():
    rng = np.random.default_rng(0)
    members, others = rng.integers(0, 6, 40), rng.integers(0, 5, 30)
    above = members[:, None] > others
    level = members[:, None] == others
    assert auc(members, others) == pytest.approx((above + level / 2).mean(), abs=1e-12)
    assert auc([2, 3], [0, 1]) == 1
    assert auc([0, 1], [2, 3]) == 0


def test_the_four_parts_share_no_text_and_have_the_same_size(remembered):
    parts = [remembered.tr1, remembered.tr2, remembered.te1, remembered.te2]
    assert [len(part) for part in parts] == [300] * 4
    assert len(set().union(*(part.texts for part in parts))) == 1200


def test_members_of_a_model_that_remembers_are_found_and_without_its_texts_nobody_is(remembered):
    assert remembered.baseline == (0.5, 1.0)
    assert remembered.attacked(remembered.tr2.texts) == (0.5, 0.0)
    assert remembered.attacked(["some other text"] * 300) == (0.5, 0.5)


def test_noise_alone_gives_no_membership_away_and_one_sided_confidence_does():
    rng = np.random.default_rng(1)

    def outputs(sharpness, count):
        sure = rng.beta(sharpness, sharpness, count)
        return np.stack([sure, 1 - sure], axis=1)

    def p_value(attack, sharpness):
        scores = [attack.scores(outputs(s, 1500)) for s in (sharpness, 2)]
        assert 0 <= auc(*scores) <= 1
        return stats.mannwhitneyu(*scores).pvalue

    attack = Attack(outputs(0.7, 1500), outputs(2, 1500), seed=0)
    assert p_value(attack, 2) > ALPHA
    assert p_value(attack, 0.7) < ALPHA  # it learns that sure answers, either way, are of members


def test_a_target_of_pure_noise_gives_nobody_away(glove):
    reviews = corpora.sampled(corpora.load("rotten-tomatoes"), 2000, 0)
    knows = Attacker(Ground(reviews, glove, 0), "logistic", 0)
    words = seeded_rng(0).integers(len(glove), size=(500, 20))
    noise = [" ".join(glove.words[i] for i in text) for text in words]
    half = stats.norm.isf(ALPHA / 2) * np.sqrt(1001 / (12 * 500 * 500))
    assert abs(knows.attacked(noise)[1] - 0.5) < half


# -------------------------------------------------------------------------------- whose texts


def test_the_chance_of_the_next_word_is_the_formula_and_sums_to_one():
    texts = np.array([[0, 1, 2], [0, 1, 3], [4, 0, 5]])
    model = NextWord(texts, len(TOY))
    alone = (np.bincount(texts.ravel(), minlength=len(TOY)) + 1) / (9 + len(TOY))
    every = np.stack([np.zeros(len(TOY), int), np.arange(len(TOY))], axis=1)
    chance = 2.0 ** -model.surprise(every)
    assert chance.sum() == pytest.approx(1)
    assert chance[1] == pytest.approx((2 + alone[1]) / 4)  # 0 is followed three times, twice by 1
    assert chance[7] == pytest.approx(alone[7] / 4)


def test_a_histogram_holds_every_word_once():
    assert histogram(np.array([0.5, 1.0, 1.9, 40.0])).tolist() == [0.25, 0.5] + [0] * 17 + [0.25]


def test_measures_of_an_auditor_follow_from_whom_it_names():
    used = np.array([True, True, True, True, False, False, False, False])
    of_some = found(np.array([0.9, 0.8, 0.4, 0.3, 0.7, 0.2, 0.1, 0.0]), used)
    assert of_some == (2 / 3, 0.5, 0.625, 14 / 16)
    assert found(np.full(8, 0.1), used) == (0, 0, 0.5, 0.5)


@pytest.fixture(scope="module")
def audit(glove):
    """Users with habits: each has fifty words of its own, and uses them in a random order."""
    rng = np.random.default_rng(0)
    own = rng.permutation(len(glove))[: 160 * 50].reshape(160, 50)
    return Audit([rng.choice(words, size=(60, 3)) for words in own], glove)


def test_who_was_learnt_from_is_found_without_noise_and_not_from_noise_alone(audit):
    assert audit.baseline == (1, 1, 1, 1)
    nothing_left = TEM(epsilon=1e-9)
    for auditor in ("plain", "adaptive"):
        guessed = audit.audited(nothing_left, 0, auditor)
        half = stats.norm.isf(ALPHA / 2) * np.sqrt(41 / (12 * 20 * 20))
        assert abs(guessed.auc - 0.5) < half
    assert audit.audited(nothing_left, 0, "plain").recall == 0


def test_an_auditor_that_knows_the_mechanism_names_whom_another_misses(audit):
    some_noise = TEM(epsilon=2.5)
    plain, adaptive = (audit.audited(some_noise, 0, way) for way in ("plain", "adaptive"))
    assert plain.recall < 0.3 < 0.8 < adaptive.recall
    assert audit.audited(some_noise, 0, "adaptive") == adaptive
    assert audit.audited(CMP(epsilon=500.0), 0, "plain").accuracy == 1


# ----------------------------------------------------------------------------------------- trials


def some_trials(repetitions=2):
    planned = membership.planned([TEM.family(), CMP.family()], [8.0], repetitions, **SMALL)
    return [trial for trial in planned if trial.classifier == "logistic"]


def swept(planned, folder, **options):
    kind = Kind(partial(one_by_one, trials.run), trials.failed, planned[0].schema())
    return sweep(planned, folder, kind=kind, **options)


def test_trials_go_on_where_they_stopped_and_say_the_same_in_other_processes(tmp_path):
    planned = some_trials()
    one, two = tmp_path / "one", tmp_path / "two"
    assert swept(planned[:1], one) == (1, 0, 0)
    assert swept(planned, one) == (4, 0, 1)
    assert swept(planned, two, workers=2) == (4, 0, 0)
    first, second = (rows.read(f, Membership.schema()).to_pylist() for f in (one, two))
    for a, b in zip(first, second, strict=True):
        assert a["error"] is None
        assert all(0 <= a[name] <= 1 for name in Membership.measures)
        for name in ("seconds", "started_at"):
            assert (a.pop(name), b.pop(name)) != (None, None)
        assert a == b
    assert trials.table_of(planned, one) == trials.table_of(planned, two)


def test_a_table_has_means_with_intervals_and_reads_as_it_was_written(tmp_path):
    planned = some_trials()
    swept(planned, tmp_path / "rows")
    table = trials.table_of(planned, tmp_path / "rows")
    assert [(row.mechanism, row.way, row.epsilon, row.trials) for row in table] == [
        ("CMP", "logistic", 8, 2),
        ("TEM", "logistic", 8, 2),
    ]
    one = [t for t in planned if isinstance(t.mechanism, TEM)]
    values = [trials.run(trial)["auc"] for trial in one]
    assert table[1].measures["auc"].value == pytest.approx(np.mean(values))
    trials.write_table(tmp_path / "t.csv", table, {"why": "a test"})
    read = trials.read_table(tmp_path / "t.csv")
    for row, again in zip(table, read, strict=True):
        assert row[:-1] == again[:-1]
        for name, interval in row.measures.items():
            assert again.measures[name].numbers == pytest.approx(interval.numbers, abs=1e-4)
    assert json.loads((tmp_path / "t.json").read_text()) == {"why": "a test"}
    with pytest.raises(ValueError, match=r"all 6 trials are needed; 2 are missing"):
        trials.table_of(some_trials(3), tmp_path / "rows")


def test_what_fails_is_a_row_and_no_mean_is_made_over_the_rest(tmp_path):
    planned = [dataclasses.replace(trial, texts=10**6) for trial in some_trials(1)]
    assert swept(planned, tmp_path) == (2, 2, 0)
    with pytest.raises(ValueError, match=r"2 are missing or failed, the first because: .*1000000"):
        trials.table_of(planned, tmp_path)


def test_names_differ_by_every_setting_and_a_wrong_auditor_is_refused():
    trial = Provenance(mechanism=TEM(epsilon=2.0), texts=8)
    changes = [{"auditor": "adaptive"}, {"texts": 9}, {"repetition": 1}, {"seed": 1}]
    changes += [{"mechanism": TEM(epsilon=3.0)}, {"vocabulary_size": 100}]
    names = {dataclasses.replace(trial, **change).fingerprint for change in changes}
    assert len(names | {trial.fingerprint}) == 1 + len(changes)
    with pytest.raises(ValueError, match=r"Auditor: must be one of plain, adaptive; got 'nosy'"):
        dataclasses.replace(trial, auditor="nosy")
    too_many = trials.run(dataclasses.replace(trial, corpus="rotten-tomatoes"))
    assert "users must lie in [8, 0]" in too_many["error"]


# ------------------------------------------------------------------------------ the shipped tables


@pytest.mark.parametrize("attack", [membership, authorship])
def test_the_shipped_tables_hold_all_that_is_planned_over_five_trials(attack):
    texts = {membership: membership.TEXTS, authorship: authorship.USERS}[attack]
    planned = attack.planned([CMP.family(), TEM.family()], texts=texts)
    settings = {(t.mechanism.name, t.way, t.mechanism.epsilon) for t in planned}
    table = attack.shipped()
    assert {(row.mechanism, row.way, row.epsilon) for row in table} == settings
    assert all(row.trials == 5 for row in table)
    made_by = json.loads(attack.FILE.with_suffix(".json").read_text(encoding="utf-8"))
    assert made_by["trials"] == len(planned)
    assert made_by["texts"] == texts
    for row in table:
        for value, low, high in (one.numbers for one in row.measures.values()):
            assert 0 <= low <= value <= high <= 1


def test_fasttext_gives_members_away_without_noise_and_logistic_regression_does_not():
    of = {row.way: row.measures["baseline_auc"] for row in membership.shipped()}
    assert of["fasttext"].low > 0.5
    assert of["logistic"].low < 0.52


def test_the_printed_table_is_the_papers():
    printed = authorship.printed()
    assert printed["recall"][-1] == (52, 0.5)
    assert {len(values) for values in printed.values()} == {9}


def test_figures_and_tables_of_the_page_show_the_shipped_means():
    trained = [row for row in membership.shipped() if row.way == "fasttext"]
    figure = membership_charts.membership(trained, "auc", "AUC", membership.PRINTED)
    drawn = {trace.name: (list(trace.x), list(trace.y)) for trace in figure.data}
    for name in ("CMP", "TEM"):
        mine = [row for row in trained if row.mechanism == name]
        means = [row.measures["auc"].value for row in mine]
        assert drawn[name] == (list(membership.EPSILONS), means)
        (printed,) = (one for one in membership.PRINTED if one.mechanism == name)
        assert drawn[f"{name}, printed"] == ([2.0], [printed.auc])
    audited = authorship.shipped()
    assert len(membership_charts.audit(audited, "recall", "people named").data) == 4
    table = membership_tables.audit(audited, "CMP", "plain")
    assert list(table.index) == list(authorship.Found._fields)
    assert table["no noise"].tolist() == ["1.00"] * 4
    assert membership_tables.printed_audit(authorship.printed()).loc["auc", "ε = 52"] == "0.98"
    assert len(membership_tables.trials(audited)) == len(audited)
