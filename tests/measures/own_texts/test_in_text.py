"""N_w of the places of a text: against the sum over all releases, and with its interval."""

import itertools

import numpy as np
import pytest

from measures.own_texts.in_text import unchanged_in_text
from mechanisms import TEM
from tests.mechanisms.test_ngram_tem import COUNTED, ngram
from tests.toy import TOY

TEXT = np.array([0, 1, 2])


def by_hand(mechanism):
    """N_w of each place: the sum over all releases of the words before it."""

    def law(word, prefix):
        return np.exp(mechanism.log_prob_after(COUNTED, np.array([word]), prefix)[0])

    first = law(0, ())
    second = np.array([law(1, (a,)) for a in range(len(TOY))])
    pairs = itertools.product(range(len(TOY)), repeat=2)
    third = sum(first[a] * second[a, b] * law(2, (a, b))[2] for a, b in pairs)
    return np.array([first[0], first @ second[:, 1], third])


@pytest.mark.parametrize("look", ["bigrams", "trigrams"])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_the_mean_over_releases_is_the_sum_over_all_of_them(epsilon, look):
    mechanism = ngram(epsilon, look=look)
    found = unchanged_in_text(mechanism, COUNTED, TEXT, 3_000, np.random.default_rng(5))
    expected = by_hand(mechanism)
    assert found.source.kind == "draws"
    np.testing.assert_allclose(found.value, expected, atol=0.03)
    assert ((found.low <= expected + 1e-9) & (expected <= found.high + 1e-9)).all()
    # Looking back matters: with nothing released before, the law is another one.
    alone = np.exp(mechanism.log_prob_after(COUNTED, TEXT, ()))[np.arange(3), TEXT]
    assert alone[0] == pytest.approx(expected[0])
    assert abs(alone[1:] - expected[1:]).max() > 0.03


def test_one_release_has_no_interval_and_progress_reaches_the_end():
    seen = []
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="at least 2 are needed for an interval; got 1"):
        unchanged_in_text(ngram(), COUNTED, TEXT, 1, rng)
    found = unchanged_in_text(ngram(), COUNTED, TEXT, 20, rng, seen.append)
    assert seen[-1] == 1
    assert (found.high > found.low).all()


def test_a_drawn_unknown_word_has_no_n_w_and_is_in_the_prefix():
    mechanism, rng = ngram(1.0), np.random.default_rng(1)
    found = unchanged_in_text(mechanism, COUNTED, [0, COUNTED.unknown_id, 2], 3_000, rng)
    assert len(found) == 2
    first, unknown = (
        np.exp(mechanism.log_prob_after(COUNTED, np.array([w]), ())[0])
        for w in (0, COUNTED.unknown_id)
    )
    pairs = itertools.product(range(len(TOY)), repeat=2)
    expected = 0.0
    for a, b in pairs:
        middle = np.exp(mechanism.log_prob_after(COUNTED, np.array([COUNTED.unknown_id]), (a,)))
        law = np.exp(mechanism.log_prob_after(COUNTED, np.array([2]), (a, b))[0])
        expected += first[a] * middle[0, b] * law[2]
    assert found.low[1] - 1e-9 <= expected <= found.high[1] + 1e-9
    assert found.value[1] == pytest.approx(expected, abs=0.03)
    assert abs(unknown[2] - found.value[1]) > 0.01


def test_without_weight_it_is_tems_n_w():
    mechanism, rng = ngram(2.0, gamma=1.5, weight=0.0), np.random.default_rng(1)
    found = unchanged_in_text(mechanism, COUNTED, TEXT, 20, rng)
    tem = np.exp(TEM(epsilon=2.0, gamma=1.5).log_prob(COUNTED, TEXT))
    np.testing.assert_allclose(found.value, tem[np.arange(3), TEXT], rtol=1e-9)
