"""Unigram TEM: its law by hand, its promise on every pair, its γ and what breaks it, its draws."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from data import embeddings
from measures.audits.audit import audit
from mechanisms import TEM, UnigramTEM, Vocabulary
from mechanisms import selection as selection_module
from mechanisms.base_measure import base_measure, counted, with_counts
from mechanisms.calibration import gamma_for, gamma_for_share
from tests.claims import assert_drawn_from, assert_not_drawn_from
from tests.toy import ALL_PAIRS, TOY

EVERY_INPUT = np.arange(len(TOY) + 1)
EVERY_WORD = EVERY_INPUT[:-1]

# Most of the mass on few words; `edge` is never seen.
COUNTED = with_counts(
    TOY,
    counted("toy", [[word] * (3 * (11 - word) ** 3) for word in range(11)], len(TOY), 1),
)
SETTINGS = [(0.01, None), (0.5, 1.0), (2.0, None), (3.0, 0.0005), (10.0, 2.2), (30.0, None)]


def counted_tem(epsilon, gamma=None, weight=1.0, **others):
    return UnigramTEM(epsilon=epsilon, gamma=gamma, weight=weight, corpus="own", **others)


def law_by_hand(mechanism, word):
    """The law (V,) from the formula, word by word."""
    q = mechanism.weight * COUNTED.counter(COUNTED, "own").shares
    q = q + (1 - mechanism.weight) / len(TOY)
    gamma = mechanism.threshold(COUNTED)
    weights = [
        q[v]
        * math.exp(
            -mechanism.epsilon / 2 * min(gamma, math.dist(TOY.vectors[word], TOY.vectors[v]))
        )
        for v in EVERY_WORD
    ]
    return np.array(weights) / math.fsum(weights)


@pytest.mark.parametrize(("epsilon", "gamma"), SETTINGS)
@pytest.mark.parametrize("weight", [0.4, 1.0])
def test_the_law_is_the_formula(epsilon, gamma, weight):
    mechanism = counted_tem(epsilon, gamma, weight)
    law = np.exp(mechanism.log_prob(COUNTED, EVERY_WORD))
    for word in EVERY_WORD:
        np.testing.assert_allclose(law[word], law_by_hand(mechanism, word), rtol=1e-9)


@pytest.mark.parametrize(("epsilon", "gamma"), SETTINGS)
def test_with_weight_0_it_is_tem(epsilon, gamma):
    tem, ours = TEM(epsilon=epsilon, gamma=gamma), counted_tem(epsilon, gamma, weight=0.0)
    assert ours.threshold(COUNTED) == pytest.approx(tem.threshold(TOY), rel=1e-14)
    np.testing.assert_allclose(
        ours.log_prob(COUNTED, EVERY_INPUT), tem.log_prob(TOY, EVERY_INPUT), rtol=1e-12
    )
    drawn = [m.sample(COUNTED, EVERY_INPUT, 50, np.random.default_rng(4)) for m in (tem, ours)]
    np.testing.assert_array_equal(*drawn)


@pytest.mark.parametrize(("epsilon", "gamma"), SETTINGS)
def test_every_pair_of_inputs_keeps_the_promise_for_every_output(epsilon, gamma):
    mechanism = counted_tem(epsilon, gamma)
    law = mechanism.log_prob(COUNTED, EVERY_INPUT)
    guarantee = mechanism.guarantee(COUNTED)
    a, b = np.indices((len(EVERY_INPUT), len(EVERY_INPUT))).reshape(2, -1)
    bound = guarantee.log_ratio_bound(COUNTED, a, b)
    assert (law[a] - law[b]).max(axis=1) == pytest.approx(0, abs=np.max(bound) + 1e-9)
    assert ((law[a] - law[b]).max(axis=1) <= bound + 1e-9).all()


def test_words_in_one_place_have_one_law_and_one_draw_however_often_they_occur():
    """`twin` and `copy` share a vector; their counts differ, and are no input."""
    pair = TOY.ids(["twin", "copy"])
    assert len(set(COUNTED.counter(COUNTED, "own").words[pair])) == 2
    mechanism = counted_tem(3.0)
    np.testing.assert_array_equal(*mechanism.log_prob(COUNTED, pair))
    drawn = [mechanism.sample(COUNTED, [i] * 9, 50, np.random.default_rng(2)) for i in pair]
    np.testing.assert_array_equal(*drawn)


def test_numerator_and_sum_each_move_by_half_of_it():
    mechanism = counted_tem(3.0)
    weights = mechanism.log_weights(COUNTED, EVERY_WORD)
    sums = np.log(np.exp(weights).sum(axis=1))
    a, b = ALL_PAIRS
    half = 1.5 * TOY.distance_between(a, b)
    assert (np.abs(weights[a] - weights[b]).max(axis=1) <= half + 1e-12).all()
    assert (np.abs(sums[a] - sums[b]) <= half + 1e-12).all()


def test_the_audit_holds_for_it():
    for mechanism in (counted_tem(4.0), UnigramTEM(epsilon=4.0), counted_tem(20.0, 1.0)):
        found = audit(mechanism, COUNTED)
        assert found.verdict == "holds", found.witness


# --------------------------------------------------------------------------------------------- γ


def leaving(vocabulary, mechanism, word):
    """Pr[d(w, M(w)) > γ]."""
    law = np.exp(mechanism.log_prob(vocabulary, [word])[0])
    return law[vocabulary.distances([word])[0] > mechanism.threshold(vocabulary)].sum()


def hermits(rarest_alone=True):
    """Words so far apart that each is alone in its ball; `rare` is never seen."""
    words = [f"w{i}" for i in range(30)] + ["rare"]
    vocabulary = Vocabulary(words, 1e4 * np.eye(len(words)))
    texts = [[word] * (1000 // (word + 1)) for word in range(30)]
    return with_counts(vocabulary, counted("hermits", texts, len(words), 1))


@pytest.mark.parametrize("beta", [1e-6, 1e-3, 0.3])
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_beta_holds_for_the_rarest_word_with_equality_and_for_all_others(beta, epsilon):
    alone = hermits()
    mechanism = counted_tem(epsilon, beta=beta)
    share = [leaving(alone, mechanism, word) for word in range(len(alone))]
    assert share[-1] == pytest.approx(beta, rel=1e-9)
    assert max(share) == share[-1]
    assert max(share[:-1]) < beta


@pytest.mark.parametrize("beta", [1e-3, 0.3])
def test_a_gamma_rounded_down_breaks_beta(beta):
    alone = hermits()
    exact = counted_tem(4.0, beta=beta).threshold(alone)
    rounded = math.floor(10 * exact) / 10
    assert rounded < exact
    assert leaving(alone, counted_tem(4.0, rounded), len(alone) - 1) > beta * (1 + 1e-6)


def test_beta_holds_on_real_words():
    glove = embeddings.load("glove-6b-50d", 3_000)
    mechanism = UnigramTEM(epsilon=6.0, beta=0.01)
    assert max(leaving(glove, mechanism, word) for word in [0, 10, 1_500, len(glove) - 1]) <= 0.01


@dataclass(frozen=True, kw_only=True)
class OwnGammaTEM(UnigramTEM):
    """A fault: γ from the q of the input word instead of the smallest."""

    def log_weights(self, vocabulary, word_ids):
        q = base_measure(vocabulary, self.corpus, self.weight).weights
        rows = vocabulary.distances(word_ids)
        for row, word in zip(rows, np.asarray(word_ids), strict=True):
            gamma = gamma_for_share(self.epsilon, self.beta, float(q[word] / q.sum()))
            np.minimum(row, max(gamma, 0.0), out=row)
        return -self.epsilon / 2 * rows + np.log(q)


def test_a_gamma_from_the_inputs_own_q_breaks_the_promise():
    # Two words in one place, one common and one rare, and a word far from both.
    vocabulary = Vocabulary(["common", "rare", "far"], [[0, 0], [0.001, 0], [900, 0]])
    words = with_counts(vocabulary, counted("three", [[0] * 1000 + [2] * 10], 3, 1))
    faulty = OwnGammaTEM(epsilon=1.0, corpus="own")
    right = UnigramTEM(epsilon=1.0, corpus="own")
    bound = right.guarantee(words).log_ratio_bound(words, np.array([0]), np.array([1]))[0]
    ratio = {}
    for mechanism in (faulty, right):
        law = mechanism.log_prob(words, [0, 1])
        ratio[mechanism] = np.abs(law[0] - law[1]).max()
    assert ratio[right] <= bound + 1e-12
    assert ratio[faulty] > 1_000 * bound
    assert audit(faulty, words).verdict == "broken"


@dataclass(frozen=True, kw_only=True)
class PeekingTEM(UnigramTEM):
    """A fault: a base measure that looks at the input and favours it."""

    def log_weights(self, vocabulary, word_ids):
        rows = super().log_weights(vocabulary, word_ids)
        rows[np.arange(len(rows)), word_ids] += 1.0
        return rows


def test_a_base_measure_that_looks_at_the_input_breaks_the_promise():
    assert audit(PeekingTEM(epsilon=0.5), TOY).verdict == "broken"


def test_gamma_for_a_share_is_solved_by_fractions_and_is_tems_for_equal_shares():
    for size in (2, 1024, 30_000):
        ours = gamma_for_share(4.0, 1e-3, 1 / size)
        assert ours == pytest.approx(gamma_for(4.0, 1e-3, size), rel=1e-14)
    q, beta = Fraction(1, 2**20), Fraction(1, 1024)
    gamma = gamma_for_share(2.0, float(beta), float(q))
    assert math.exp(gamma) == pytest.approx(float((1 - beta) * (1 - q) / (beta * q)), rel=1e-12)
    assert gamma_for_share(1.0, 0.5, 1.0) == -math.inf
    with pytest.raises(ValueError, match=r"smallest share q must be above 0 and at most 1; got 0"):
        gamma_for_share(1.0, 0.5, 0.0)


# ------------------------------------------------------------------------------------------- draws


@pytest.mark.parametrize("size", [1, 400])
def test_draws_follow_the_law_by_blocks_and_by_rows(size, monkeypatch):
    glove = embeddings.load("glove-6b-50d", 3_000)
    mechanism = UnigramTEM(epsilon=3.0)
    if size == 1:
        monkeypatch.setattr(selection_module, "_LAW_PAYS", 0)
    words = np.repeat([5, len(glove) - 1], 8_000 // size)
    drawn = mechanism.sample(glove, words, size, np.random.default_rng(3))
    for word in (5, len(glove) - 1):
        counts = np.bincount(drawn[words == word].ravel(), minlength=len(glove))
        assert_drawn_from(counts, np.exp(mechanism.log_prob(glove, [word])[0]))
        tem = TEM(epsilon=3.0, gamma=mechanism.threshold(glove))
        assert_not_drawn_from(counts, np.exp(tem.log_prob(glove, [word])[0]))


def test_the_unknown_word_is_drawn_from_q():
    mechanism = counted_tem(2.0)
    drawn = mechanism.sample(COUNTED, [TOY.unknown_id] * 3, 4_000, np.random.default_rng(5))
    counts = np.bincount(drawn.ravel(), minlength=len(TOY))
    q = base_measure(COUNTED, "own", 1.0).weights
    assert_drawn_from(counts, q)
    assert_not_drawn_from(counts, np.ones(len(TOY)))
    weight = mechanism.unknown_weight(COUNTED, 3)
    assert weight.enclosed(60) == (Fraction(float(q[3])), Fraction(float(q[3])))


def test_it_says_when_q_outweighs_the_input():
    assert "q outweighs the input" in counted_tem(1.0, 0.5).guarantee(COUNTED).caveat
    assert counted_tem(1.0).guarantee(COUNTED).caveat == ""
    assert "q must be public" in str(counted_tem(1.0).guarantee(COUNTED))
