"""What a release is expected to leave unchanged, held against sums over laws and fresh draws."""

import numpy as np
import pytest
from scipy.stats import binom

from measures.own_texts import expected
from measures.own_texts.texts import own_texts
from mechanisms import CMP, TEM, Laplace, NGramTEM, SynTF, TruncatedLaplace, Vocabulary
from mechanisms.base_measure import counted, with_counts
from mechanisms.randomness import seeded_rng
from tests.toy import TOY

ALPHA = 1e-6
WORDS = np.array([0, 2, 5, 7])
COUNTS = np.array([50, 20, 20, 10])
NAMES = np.array([False, True, False, True])


@pytest.mark.parametrize("mechanism", [TEM(epsilon=2), SynTF(epsilon=2)], ids=repr)
def test_of_a_law_the_shares_are_its_sums(mechanism):
    vocabulary = Vocabulary(TOY.words, TOY.vectors, {"origin": ["east"], "north": ["west"]})
    inputs = mechanism.family().without_epsilon.inputs(vocabulary, WORDS)
    law = np.exp(mechanism.log_prob(vocabulary, inputs))
    stays = law[np.arange(4), WORDS]
    found = expected.of_words(mechanism, vocabulary, WORDS, COUNTS, NAMES)
    assert found.unchanged.source.is_exact
    assert found.unchanged.value == pytest.approx((COUNTS * stays).sum() / 100, rel=1e-5)
    assert found.names.value == pytest.approx((20 * stays[1] + 10 * stays[3]) / 30, rel=1e-5)


@pytest.mark.parametrize("kind", [CMP, Laplace, TruncatedLaplace], ids=lambda kind: kind.name)
def test_of_noise_the_interval_holds_fresh_draws_and_not_those_of_another_epsilon(kind):
    found = expected.of_words(kind(epsilon=4.0), TOY, WORDS, COUNTS, NAMES)
    assert found.named is None
    assert found.unchanged.source.count == expected.DRAWS

    def outside(epsilon, part, estimate):
        tokens = np.repeat(WORDS[part], 200 * COUNTS[part])
        drawn = kind(epsilon=epsilon).sample(TOY, tokens, 1, np.random.default_rng(3))[:, 0]
        hits, count = int((drawn == tokens).sum()), len(tokens)
        above = binom.sf(hits - 1, count, min(1.0, estimate.high + 0.03)) < ALPHA
        return above or binom.cdf(hits, count, max(0.0, estimate.low - 0.03)) < ALPHA

    every = np.ones(4, dtype=bool)
    assert not outside(4.0, every, found.unchanged)
    assert not outside(4.0, NAMES, found.names)
    assert outside(40.0, every, found.unchanged)
    assert outside(40.0, NAMES, found.names)


def test_of_draws_in_order_a_word_is_expected_to_stay_after_the_words_that_bring_it():
    """After "left" q nearly forces "right": drawn in order it stays, and it would not alone."""
    words = ["left", "right", "other", "end"]
    vocabulary = with_counts(
        Vocabulary(words, [[0.0], [9.0], [9.5], [40.0]]),
        counted("own", [[0, 1]] * 400 + [[2]] * 3000 + [[3]], 4),
    )
    mechanism = NGramTEM(epsilon=1.0, corpus="own", look="bigrams")
    own = own_texts(["left right"] * 300, vocabulary)
    found = expected.of_texts(mechanism, own, vocabulary.ids(["right"]))
    (drawn,) = mechanism.sample_texts(vocabulary, [np.array([0, 1])], 4000, seeded_rng(5))
    fresh = (drawn == np.array([[0], [1]])).mean(axis=1)
    assert found.unchanged.low - 0.03 <= fresh.mean() <= found.unchanged.high + 0.03
    assert found.names.low - 0.03 <= fresh[1] <= found.names.high + 0.03
    alone = np.exp(mechanism.log_prob(vocabulary, np.array([1])))[0, 1]
    assert found.names.low > alone + 0.1


def test_what_cannot_be_expected_says_why():
    nothing = np.empty(0, dtype=np.int64)
    with pytest.raises(ValueError, match="must have a word of the vocabulary"):
        expected.of_words(TEM(epsilon=1), TOY, nothing, nothing, nothing.astype(bool))
    with pytest.raises(ValueError, match="uses the words released before"):
        expected.of_words(NGramTEM(epsilon=1), TOY, WORDS, COUNTS, NAMES)
