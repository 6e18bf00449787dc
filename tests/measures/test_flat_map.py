"""The map of lesson 0: its distances, and mechanisms on it."""

import numpy as np
import pytest
from scipy import stats

from measures import flat_map
from mechanisms import CMP, TEM, Vocabulary
from mechanisms.randomness import seeded_rng
from tests.claims import ALPHA
from tests.toy import TOY


def distances(vectors):
    return np.linalg.norm(vectors[:, None] - vectors[None], axis=2)


def test_words_in_a_plane_have_a_map_without_stress():
    turned = np.linalg.qr(seeded_rng(1).normal(size=(5, 5)))[0][:2]
    flat = Vocabulary(list(TOY.words), (TOY.vectors @ turned).astype(np.float32))
    found = flat_map.word_map(flat, TOY.words)
    assert found.stress == pytest.approx(0, abs=1e-6)
    np.testing.assert_allclose(distances(found.words.vectors), distances(TOY.vectors), atol=1e-3)


def test_no_step_raises_the_stress_and_it_is_no_worse_than_that_of_scikit_learn(glove):
    from sklearn.manifold import smacof

    vectors = glove.vectors[glove.ids(flat_map.MAPPED)].astype(float)
    true, start = distances(vectors), flat_map.principal_plane(vectors)
    before = [flat_map.stress(true, flat_map.scaled(true, start, n)) for n in (0, 1, 5, 50, 300)]
    assert before == sorted(before, reverse=True)
    assert before[-1] < before[0]
    theirs, _ = smacof(true, init=start, n_init=1, max_iter=300, eps=1e-9, normalized_stress=False)
    assert before[-1] == pytest.approx(flat_map.stress(true, theirs), rel=0.01)


def test_words_that_belong_together_are_near_on_the_map(glove):
    words = flat_map.word_map(glove).words
    for one, other in (("monday", "tuesday"), ("cat", "dog"), ("hockey", "football")):
        ids, _ = flat_map.nearest(words, words.get(one), 2)
        assert other in [words.words[i] for i in ids]


@pytest.fixture(scope="module")
def words(glove):
    return flat_map.word_map(glove).words


def test_darts_are_draws_of_the_mechanism_and_each_gives_the_word_nearest_to_it(words):
    word, mechanism = words.get("doctor"), CMP(epsilon=1.5)
    found = flat_map.darts(mechanism, words, word, 5_000, seeded_rng(4))
    far = np.linalg.norm(words.vectors[None].astype(float) - found.points[:, None], axis=2)
    assert (far.argmin(axis=1) == found.released).all()
    drawn = mechanism.sample(words, np.array([word]), 5_000, seeded_rng(5))[0]
    table = [np.bincount(each, minlength=len(words)) for each in (found.released, drawn)]
    table = np.array(table)[:, np.sum(table, axis=0) >= 10]
    assert stats.chi2_contingency(table).pvalue > ALPHA
    wrong = CMP(epsilon=3.0).sample(words, np.array([word]), 5_000, seeded_rng(5))[0]
    other = np.array([table[0][: table.shape[1]], table[0]])
    other[1] = np.bincount(wrong, minlength=len(words))[
        np.flatnonzero(
            np.bincount(found.released, minlength=len(words))
            + np.bincount(drawn, minlength=len(words))
            >= 10
        )
    ]
    assert stats.chi2_contingency(other).pvalue < ALPHA


def test_the_law_of_a_choice_is_a_softmax_of_distances(words):
    word = words.get("doctor")
    law = flat_map.law_of(TEM(epsilon=1.5, gamma=1000.0), words, word)
    weights = np.exp(-0.75 * distances(words.vectors.astype(float))[word])
    np.testing.assert_allclose(law, weights / weights.sum(), rtol=1e-4)


@pytest.mark.parametrize("word", flat_map.MAPPED)
def test_the_questions_have_one_right_answer_that_the_map_shows(words, word):
    word_id = words.get(word)
    near = flat_map.nearest_question(words, word_id)
    far = distances(words.vectors.astype(float))[word_id]
    assert near.right == min(near.options, key=lambda name: far[words.get(name)])
    dart = flat_map.missed(words, word_id, seeded_rng(2), CMP(epsilon=1.5))
    assert dart.released[0] != word_id
    question = flat_map.dart_question(words, word_id, dart)
    offered = {
        name: np.linalg.norm(words.vectors[words.get(name)] - dart.points[0])
        for name in question.options
    }
    assert question.right == min(offered, key=offered.get)
    assert word in question.options
    law = flat_map.law_of(TEM(epsilon=1.5), words, word_id)
    assert flat_map.choice_question(law, words, word_id).right == "itself"


def test_a_uniform_law_prefers_no_word(words):
    law = np.full(len(words), 1 / len(words))
    assert flat_map.choice_question(law, words, 0).right == "alike"


def test_the_word_that_came_out_most_is_counted_without_the_word_itself():
    found = flat_map.Darts(np.zeros((6, 2)), np.array([3, 3, 3, 1, 1, 2]))
    assert found.most_often_instead(3) == (1, 2)
    assert flat_map.Darts(np.zeros((1, 2)), np.array([3])).most_often_instead(3) is None
