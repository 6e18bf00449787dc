"""Normalising constants of all words at once, against the law of one word."""

from dataclasses import replace

import numpy as np
import pytest

from measures.attacks.normalisers import best_success, kept_log_normalisers, log_normalisers
from mechanisms import TEM, SanText, UnigramTEM, Vocabulary
from tests.toy import TOY

EPSILONS = [0.5, 2.0, 8.0, 30.0]
LAWS = [TEM(epsilon=1.0), TEM(epsilon=1.0, gamma=1.5), SanText(epsilon=1.0)]
LAWS += [UnigramTEM(epsilon=1.0), UnigramTEM(epsilon=1.0, gamma=1.5)]


def by_the_law(mechanism, vocabulary, word_ids):
    """log Z(w) = -log Pr[M(w) = w], since the word itself has weight q(w)."""
    law = mechanism.log_prob(vocabulary, word_ids)
    base = mechanism.base_measure(vocabulary)
    own = 0.0 if base is None else np.log(base[word_ids])
    return own - law[np.arange(len(word_ids)), word_ids]


def several_tiles():
    """1,500 words, some with one vector, some very close."""
    vectors = np.random.default_rng(0).standard_normal((1500, 8)).astype(np.float32)
    vectors[700] = vectors[3]
    vectors[1400] = vectors[5] + 1e-5
    return Vocabulary([f"w{i}" for i in range(1500)], vectors)


@pytest.mark.parametrize("mechanism", LAWS, ids=repr)
@pytest.mark.parametrize("vocabulary", [TOY, several_tiles()], ids=["toy", "tiles"])
def test_they_are_those_of_the_law(mechanism, vocabulary):
    found = log_normalisers(mechanism.family(), vocabulary, EPSILONS)
    everyone = np.arange(len(vocabulary))
    for epsilon, row in zip(EPSILONS, found, strict=True):
        expected = by_the_law(replace(mechanism, epsilon=epsilon), vocabulary, everyone)
        np.testing.assert_allclose(row, expected, atol=1e-4)


@pytest.mark.parametrize("mechanism", LAWS, ids=repr)
def test_they_are_those_of_the_law_on_a_real_vocabulary(mechanism, glove):
    words = np.random.default_rng(1).integers(0, len(glove), 30)
    found = log_normalisers(mechanism.family(), glove, EPSILONS)
    for epsilon, row in zip(EPSILONS, found, strict=True):
        expected = by_the_law(replace(mechanism, epsilon=epsilon), glove, words)
        np.testing.assert_allclose(row[words], expected, atol=1e-5)


@pytest.mark.parametrize("mechanism", LAWS, ids=repr)
def test_the_best_success_is_the_sum_of_the_largest_joint_probabilities(mechanism):
    vocabulary = several_tiles()
    prior = -np.log(np.arange(1, 1502.0))
    prior[-1] = np.log(3)  # of the unknown word
    prior -= np.log(np.exp(prior).sum())
    joint = np.exp(prior[:, None] + mechanism.log_prob(vocabulary, np.arange(1501)))
    constants = log_normalisers(mechanism.family(), vocabulary, [1.0])[0]
    found = best_success(mechanism, vocabulary, prior, constants)
    assert found == pytest.approx(joint.max(axis=0).sum(), abs=1e-5)
    assert found > joint[:-1].max(axis=0).sum() + 1e-3


def test_the_number_of_threads_plays_no_part():
    one, two = (
        log_normalisers(LAWS[0].family(), several_tiles(), [3.0], threads=t) for t in (1, 2)
    )
    np.testing.assert_array_equal(one, two)


def test_a_huge_epsilon_leaves_the_word_alone():
    found = log_normalisers(SanText.family(), TOY, [1e200])[0]
    twins = TOY.ids(["twin", "copy"])
    np.testing.assert_allclose(found[twins], np.log(2))
    np.testing.assert_allclose(np.delete(found, twins), 0, atol=1e-12)


def test_they_are_computed_once_and_told_about_and_then_read(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path))
    told = []
    first = kept_log_normalisers(TEM(epsilon=2.0), TOY, told.append)
    assert told[-1] == 1.0
    told.clear()
    again = kept_log_normalisers(TEM(epsilon=2.0), TOY, told.append)
    assert not told
    np.testing.assert_array_equal(first, again)
    assert np.abs(kept_log_normalisers(TEM(epsilon=3.0), TOY) - first).max() > 0.01


def test_what_progress_raises_stops_the_work():
    class Enough(Exception):
        pass

    def stop(share):
        raise Enough

    with pytest.raises(Enough):
        log_normalisers(LAWS[0].family(), several_tiles(), [1.0], progress=stop)


def test_santext_has_no_threshold():
    assert SanText(epsilon=1.0).threshold(TOY) == np.inf
    assert TEM(epsilon=1.0, gamma=2.0).threshold(TOY) == 2.0
