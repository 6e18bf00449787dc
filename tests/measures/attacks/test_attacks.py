"""Attacks over a corpus, the shipped table of them, and the class game."""

import dataclasses
import json
import shutil

import numpy as np
import pytest

from measures.attacks import game, ngrams, recovery
from measures.attacks.adversary import adversary
from mechanisms import CMP, MECHANISMS, TEM, NGramTEM, SanText, SynTF
from mechanisms.tokens import Kind

FILE = recovery.FILE.with_suffix(".json")


@pytest.fixture(autouse=True, scope="module")
def own_store(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORDVEIL_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def prior(glove):
    """Zipf's law over the ranks: near enough, and nothing has to be counted."""
    prior = -np.log(np.arange(10.0, len(glove) + 11))
    prior[-1] = prior[2]  # unknown words are as frequent as a frequent word
    return prior - np.log(np.exp(prior).sum())


@pytest.fixture(scope="module")
def texts(glove):
    return recovery.attacked_texts(glove, 6)


def success(mechanism, glove, prior, texts, releases=1, seed=1):
    typed, released = recovery.release(mechanism, glove, texts, releases, seed)
    return recovery.guess(adversary(mechanism, glove, prior), typed, released)


def test_success_rises_with_epsilon_and_with_releases(glove, prior):
    texts = [  # of known words; of few sentences the intervals are wide
        [word for word in text if word != glove.unknown_id]
        for text in recovery.attacked_texts(glove, 30)
    ]
    low, high = (success(TEM(epsilon=e), glove, prior, texts) for e in (1.0, 8.0))
    assert low.high < 0.4
    assert high.low > 0.8
    middle = TEM(epsilon=3.2)
    once, often = (success(middle, glove, prior, texts, releases) for releases in (1, 6))
    assert once.high < often.low


def test_the_same_seed_gives_the_same_success_and_another_one_other_releases(glove, prior, texts):
    one, again, other = (
        success(TEM(epsilon=3.5), glove, prior, texts, seed=seed) for seed in (1, 1, 2)
    )
    assert one == again
    assert one.value != other.value


def test_words_without_a_law_and_unknown_ones_are_attacked_as_the_unknown_word(glove, prior):
    texts = recovery.attacked_texts(glove, 30)
    words = [word for text in texts for word in text if word != ngrams.NONE]
    unknown = glove.unknown_id
    assert 0 < words.count(unknown) < len(words) / 5
    whole, _ = recovery.release(TEM(epsilon=5.0), glove, texts, 1, 0)
    assert np.concatenate(whole).tolist() == words
    mechanism = SynTF(epsilon=20.0, variant="benchmark")
    typed, released = recovery.release(mechanism, glove, texts, 2, 0)
    assert [drawn.shape for drawn in released] == [(len(ids), 2) for ids in typed]
    ids = np.concatenate(typed)
    assert len(ids) == len(words)
    assert mechanism.covers(glove, ids[ids != unknown]).all()
    assert (ids == unknown).sum() > words.count(unknown)
    # Its unknown words come out as words that hardly any other word gives: they are found out.
    named = adversary(mechanism, glove, prior).names(np.concatenate(released)[:, 0])
    assert (named == ids)[ids == unknown].mean() > 0.8


def test_neighbours_give_words_away_and_private_ones_fewer(glove):
    pairs = ngrams.word_pairs(glove, "rotten-tomatoes")  # small, and knows these very sentences
    texts = recovery.attacked_texts(glove, 30)
    own = recovery.masked(pairs, glove, texts, None)
    private = recovery.masked(pairs, glove, texts, TEM(epsilon=2.0))
    assert own.low > private.high


# ------------------------------------------------------------------------------- the shipped table


@pytest.fixture(scope="module")
def shipped():
    return recovery.rows()


def test_the_shipped_table_covers_all_attacks_and_every_exact_adversary(shipped):
    guessed = [row for row in shipped if row.attack == "guess"]
    assert {row.mechanism for row in guessed} == {cls.name for cls in MECHANISMS}
    assert {row.attack for row in shipped} == {"guess", "averaging", "masked"}
    for row in shipped:
        assert 0 <= row.success.low <= row.success.value <= row.success.high <= 1
        assert row.words > 50


def test_the_shipped_table_says_what_is_a_lower_bound_and_stays_under_the_promise(shipped):
    exact = {"TEM", "Unigram TEM", "SanText", "SynTF"}
    for row in shipped:
        if row.attack == "guess":
            assert row.lower_bound == (row.mechanism not in exact)
            if row.best_over_prior is not None:
                assert row.best_over_prior <= row.allowed + 1e-6


def test_words_are_never_named_much_less_often_than_they_come_out_as_typed(shipped):
    """Reading what came out is a rule too; over the prior, no rule is better than Bayes'."""
    for row in shipped:
        if row.attack == "guess" and (not row.lower_bound or row.mechanism == "N-gram TEM"):
            assert row.success.high >= row.n_w.low


def test_rows_of_some_mechanisms_are_put_into_the_table_and_the_rest_stays(tmp_path, monkeypatch):
    table = tmp_path / "attack_curves.csv"
    for ending in (".csv", ".json"):
        shutil.copy(recovery.FILE.with_suffix(ending), table.with_suffix(ending))
    monkeypatch.setattr(recovery, "FILE", table)
    old = recovery.rows(table)
    new = dataclasses.replace(old[1], mechanism="N-gram TEM", success=old[2].success)
    asked = []
    monkeypatch.setattr(
        recovery,
        "_computed",
        lambda vocabulary, kinds, whole: asked.append((kinds, whole)) or iter([new]),
    )
    recovery.main(["n-gram-tem"])
    assert asked == [([NGramTEM], False)]
    recovery.rows.cache_clear()
    found = recovery.rows(table)
    mine, others = (
        [[*recovery._written(row)] for row in rows if (row.mechanism == "N-gram TEM") == is_mine]
        for rows, is_mine in ((found, True), (found, False))
    )
    assert mine == [[*recovery._written(new)]]
    assert others == [[*recovery._written(row)] for row in old if row.mechanism != "N-gram TEM"]
    made = json.loads(table.with_suffix(".json").read_text(encoding="utf-8"))
    assert made["computed later"][-1]["command"].endswith("measures.attacks.recovery n-gram-tem")
    assert made["date"] == json.loads(FILE.read_text(encoding="utf-8"))["date"]
    with pytest.raises(ValueError, match="Mechanism: must be one of .*; got 'tam'"):
        recovery.main(["tam"])


# ----------------------------------------------------------------------------------------- the game


@pytest.fixture(scope="module")
def known(glove, prior):
    return adversary(TEM(epsilon=3.0), glove, prior)


def test_a_seed_and_a_round_give_the_same_sentence_to_everyone(known, glove, prior):
    one, again = game.play(known, 7, 2), game.play(adversary(known.mechanism, glove, prior), 7, 2)
    assert one.private.texts == again.private.texts
    assert one.choices == again.choices
    assert one.asked == again.asked
    assert game.play(known, 7, 3).private.tokens != one.private.tokens
    assert game.play(known, 8, 2).private.tokens != one.private.tokens


@pytest.mark.parametrize("number", range(1, 6))
def test_the_typed_and_the_released_word_are_among_the_choices(known, number):
    played = game.play(known, 3, number)
    assert len(played.asked) == game.ASKED
    for position, choices, answer, out, pick in zip(
        played.asked, played.choices, played.answers, played.released, played.adversary, strict=True
    ):
        assert {answer, out, pick} <= set(choices)
        assert len(set(choices)) == game.CHOICES
        spelled = [known.vocabulary.words[word] for word in choices]
        assert spelled == sorted(spelled)
        assert played.private.tokens[position].kind is Kind.WORD


def test_with_a_large_epsilon_the_adversary_is_always_right(glove, prior):
    easy = adversary(SanText(epsilon=60.0), glove, prior)
    for number in (1, 2, 3):
        played = game.play(easy, 5, number)
        np.testing.assert_array_equal(played.adversary, played.answers)


def test_it_is_played_with_noise_too(glove, prior):
    played = game.play(adversary(CMP(epsilon=9.0), glove, prior), 1, 1)
    assert len(played.adversary) == game.ASKED
