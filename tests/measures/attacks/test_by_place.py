"""The adversary of a mechanism that looks at released words: Bayes' rule place by place."""

import numpy as np
import pytest

from measures.attacks import by_place, game, recovery
from measures.attacks.adversary import ByDistance, adversary, attack
from measures.attacks.by_place import ByPlace
from measures.attacks.prior import known_only
from mechanisms import TEM, NGramTEM
from mechanisms.base_measure import counted, counts_of, with_counts
from mechanisms.in_order import draw_texts
from mechanisms.text import privatise_all
from tests.mechanisms.test_ngram_tem import COUNTED, EVERY_INPUT, PREFIXES, ngram

PRIOR = 1 / np.arange(2.0, len(EVERY_INPUT) + 2)
PRIOR = np.log(PRIOR / PRIOR.sum())


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path))


@pytest.fixture(params=[False, True], ids=["all followers", "bounds"])
def bounds(request, monkeypatch):
    """Bounds of one follower, and words computed two at a time: what thousands of words take."""
    if request.param:
        monkeypatch.setattr(by_place, "_LIKELIEST", 1)
        monkeypatch.setattr(by_place, "_FIRST", 2)


def prior_by_hand(mechanism, prefixes):
    """π(w) (1 - ρ + ρ q(w | p) / q(w)) with the mean over prefixes (V + 1,), from the laws."""
    nothing = mechanism.after(COUNTED, ()).conditional(COUNTED)
    q = nothing.weights * 2.0**-nothing.scale
    raised = np.ones(len(EVERY_INPUT))
    after = [mechanism.after(COUNTED, prefix).conditional(COUNTED) for prefix in prefixes]
    raised[:-1] = np.mean([c.weights * 2.0**-c.scale / q for c in after], axis=0)
    first = np.exp(mechanism.log_prob_after(COUNTED, EVERY_INPUT[:-1], ()))
    typed = np.exp(PRIOR[:-1]) @ np.diag(first)
    return np.exp(PRIOR) * (1 - typed + typed * raised)


def posterior_by_hand(mechanism, output, prefix):
    """Pr[w | v, p] of every input (V + 1,), from the law itself."""
    law = np.exp(mechanism.log_prob_after(COUNTED, EVERY_INPUT, prefix))
    joint = prior_by_hand(mechanism, [prefix]) * law[:, output]
    return joint / joint.sum()


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("look", ["bigrams", "trigrams"])
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_the_posterior_is_bayes_rule_with_the_law_of_the_place(bounds, prefix, look, epsilon):
    mechanism = ngram(epsilon, look=look)
    knows = adversary(mechanism, COUNTED, PRIOR)
    assert isinstance(knows, ByPlace)
    assert not knows.exact
    before = np.array(prefix, dtype=np.int64)[:, None]
    for output in range(len(COUNTED)):
        found = np.exp(knows.log_posterior([output], before)[0])
        expected = posterior_by_hand(mechanism, output, prefix)
        np.testing.assert_allclose(found, expected, atol=5e-4)
        assert found.sum() == pytest.approx(1)


def test_an_adversary_that_does_not_look_at_the_prefix_is_wrong():
    mechanism = ngram(0.5)
    normalisers = adversary(mechanism, COUNTED, PRIOR).log_normalisers
    blind = ByDistance(mechanism, COUNTED, PRIOR, normalisers)
    found = np.exp(blind.log_posterior([2])[0])
    assert abs(found - posterior_by_hand(mechanism, 2, (0, 1))).max() > 0.02


class EachAlone(ByPlace):
    """A fault: the law of the place, and words that do not follow each other."""

    def _log_prior_after(self, after):
        return np.tile(self.log_prior, (len(after), 1))


def test_in_text_whose_words_follow_each_other_it_names_more_than_who_does_not_look_back():
    """And more than are unchanged: to read what came out is a rule too."""
    sure = ngram(2.0)
    texts = [np.array([0, 1, 2])] * 400
    drawn = draw_texts(sure, COUNTED, texts, 1, np.random.default_rng(8))
    prior = known_only(np.log(counts_of(COUNTED, "own").shares))
    knows = adversary(sure, COUNTED, prior)
    blind = EachAlone(sure, COUNTED, prior, knows.log_normalisers)
    named, not_back = (
        np.concatenate(each.names_of_texts(drawn)) == np.concatenate(texts)
        for each in (knows, blind)
    )
    unchanged = np.concatenate(drawn)[:, 0] == np.concatenate(texts)
    assert named.mean() >= unchanged.mean()
    assert named.mean() > not_back.mean() + 0.05


@pytest.mark.parametrize("epsilon", [0.7, 3.0])
def test_several_versions_multiply_their_likelihoods_each_after_its_own_prefix(bounds, epsilon):
    mechanism = ngram(epsilon)
    knows = adversary(mechanism, COUNTED, PRIOR)
    typed = np.array([0, 1, 2, 11, 3])
    (released,) = draw_texts(mechanism, COUNTED, [typed], 3, np.random.default_rng(4))
    attacked = attack(knows, typed, released)
    (named,) = knows.names_of_texts([released])
    for place, word in enumerate(typed.tolist()):
        seen = np.zeros(len(EVERY_INPUT))
        for version in range(3):
            prefix = released[:place, version].tolist()
            law = mechanism.log_prob_after(COUNTED, EVERY_INPUT, prefix)
            seen += law[:, released[place, version]]
            prefixes = released[:place, : version + 1].T.tolist()
            joint = np.log(prior_by_hand(mechanism, prefixes)) + seen
            assert attacked.named_after[place, version] == (joint.argmax() == word)
        assert named[place] == joint.argmax()
        alone = posterior_by_hand(mechanism, released[place, 0], released[:place, 0].tolist())
        assert attacked.guesses[place].typed_probability == pytest.approx(alone[word], abs=1e-3)


def test_with_weight_0_it_is_the_adversary_of_tem():
    mechanism = ngram(2.0, gamma=1.5, weight=0.0)
    knows = adversary(mechanism, COUNTED, PRIOR)
    tem = adversary(TEM(epsilon=2.0, gamma=1.5), COUNTED, PRIOR)
    before = np.array([[0], [1]])
    for output in range(len(COUNTED)):
        np.testing.assert_allclose(
            knows.log_posterior([output], before), tem.log_posterior([output]), atol=1e-5
        )


# ------------------------------------------------------------------------ texts are drawn as texts


def test_attacks_over_a_corpus_draw_texts_in_order():
    """The same draws as a release: the second word of a text follows the first one's release."""
    mechanism = ngram(0.2, gamma=0.5)
    texts = [[0, 1, 2]] * 800
    typed, released = recovery.release(mechanism, COUNTED, texts, 1, seed=5)
    assert [ids.tolist() for ids in typed[:2]] == [[0, 1, 2]] * 2
    pairs = np.array([(int(r[0, 0]), int(r[1, 0])) for r in released])
    followed = (pairs[pairs[:, 0] == 0, 1] == 1).mean()
    alone = mechanism.sample(COUNTED, np.array([1]), 4_000, np.random.default_rng(1))
    law = np.exp(mechanism.log_prob_after(COUNTED, [1], (0,))[0])
    assert followed == pytest.approx(law[1], abs=0.1)
    assert law[1] > (alone == 1).mean() + 0.2
    whole = privatise_all(["origin east north"] * 800, mechanism, COUNTED, np.random.default_rng(5))
    assert [p.drawn[p.drawn[:, 0] >= 0, 0].tolist() for p in whole] == [
        r[:, 0].tolist() for r in released
    ]


def test_any_other_mechanism_draws_texts_as_it_draws_words():
    texts, tem = [np.array([0, 1]), np.array([], dtype=np.int64), np.array([2])], TEM(epsilon=2.0)
    drawn = draw_texts(tem, COUNTED, texts, 3, np.random.default_rng(2))
    whole = tem.sample(COUNTED, np.array([0, 1, 2]), 3, np.random.default_rng(2))
    assert [len(of_text) for of_text in drawn] == [2, 0, 1]
    np.testing.assert_array_equal(np.concatenate(drawn), whole)


def test_the_game_is_played_against_the_adversary_of_the_place(glove, monkeypatch):
    texts = [[0, 1, 2, 3]] * 3
    words = with_counts(glove, counted("few", texts, len(glove), 2))
    prior = np.log(np.arange(10.0, len(glove) + 11)[::-1])
    prior -= np.log(np.exp(prior).sum())
    asked = []
    knows = adversary(NGramTEM(epsilon=6.0, corpus="own"), words, prior)
    monkeypatch.setattr(
        ByPlace,
        "log_posterior",
        lambda self, released, before: (
            asked.append(before[:, 0].tolist())
            or super(ByPlace, self).log_posterior(released, before)
        ),
    )
    played = game.play(knows, 3, 1)
    drawn = played.private.drawn[:, 0]
    expected = [[int(v) for v in drawn[:i] if v >= 0] for i in played.asked]
    assert asked == expected
