import dataclasses

import numpy as np
import pytest

from measures.audits import audit as audits
from measures.audits import law_checks
from measures.audits.audit import audit, log_ratios
from measures.audits.findings import log_ratio_at_least
from mechanisms import (
    CMP,
    MECHANISMS,
    TEM,
    Gaussian,
    Laplace,
    Mahalanobis,
    SanText,
    SynTF,
    TruncatedGumbel,
    TruncatedLaplace,
    Vickrey,
    Vocabulary,
)
from mechanisms.base import EUCLIDEAN, Guarantee, LawMechanism
from mechanisms.randomness import seeded_rng
from tests.toy import TOY

# ---------------------------------------------------------------------------------- law mechanisms


def brute_force(mechanism, vocabulary):
    laws = np.exp(mechanism.log_prob(vocabulary, np.arange(len(vocabulary))))
    with np.errstate(divide="ignore"):
        return np.log(laws[:, None, :] / laws[None, :, :]).max(axis=2)


@pytest.mark.parametrize(
    "mechanism", [TEM(epsilon=2), TEM(epsilon=2, gamma=1.0), SanText(epsilon=0.7)]
)
def test_the_largest_log_ratio_is_that_of_all_outputs_and_all_pairs(mechanism):
    largest, output = log_ratios(mechanism, TOY, np.arange(len(TOY)))
    np.testing.assert_allclose(largest, brute_force(mechanism, TOY), atol=1e-9)
    log_law = mechanism.log_prob(TOY, np.arange(len(TOY)))
    a, b = np.indices(largest.shape)
    np.testing.assert_allclose(log_law[a, output] - log_law[b, output], largest, atol=1e-9)


def test_the_blocks_of_laws_do_not_change_what_is_found(monkeypatch):
    mechanism = TEM(epsilon=3)
    whole = log_ratios(mechanism, TOY, np.arange(len(TOY)))[0]
    monkeypatch.setattr(law_checks, "_LAW_FLOATS", 5 * len(TOY))
    np.testing.assert_array_equal(log_ratios(mechanism, TOY, np.arange(len(TOY)))[0], whole)

    def word_log_prob(self, vocabulary, word_ids):
        return TEM(epsilon=1.1 * self.epsilon, gamma=50.0).log_prob(vocabulary, word_ids)


def twenty_orders():
    """Words of which some are 1e20 times as long as others."""
    vectors = np.random.default_rng(0).normal(size=(60, 5))
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    vectors *= np.geomspace(1e-3, 1e17, 60)[:, None]
    return Vocabulary([f"w{i}" for i in range(60)], vectors)


@pytest.mark.parametrize("epsilon", [1e-6, 1.0, 100.0])
def test_a_right_mechanism_holds_on_norms_over_twenty_orders_and_a_wrong_one_does_not(epsilon):
    """There, log Pr is about -1e17 for the long words: a double at that size errs by 16."""
    vocabulary = twenty_orders()
    found = audit(SanText(epsilon=epsilon), vocabulary)
    assert found.verdict == "holds", found.witness
    assert audit(ThreeTimes(epsilon=epsilon), vocabulary).verdict == "broken"


class ThreeTimes(SanText):
    """Uses three times the ε that it promises."""

    def word_log_prob(self, vocabulary, word_ids):
        return SanText(epsilon=3 * self.epsilon).log_prob(vocabulary, word_ids)


# On a line with its inputs at the ends, the exponential mechanism uses up its whole ε.
LINE = Vocabulary(["left", "right"], [[0.0], [1.0]])


class Exact(LawMechanism):
    """Promises exactly what it uses, or a little less."""

    name = "Exact"

    def guarantee(self, vocabulary):
        return Guarantee("metric DP", self.epsilon, "by construction", EUCLIDEAN)

    def word_log_prob(self, vocabulary, word_ids):
        chance = 1 / (1 + np.exp(-self.used))
        rows = {0: [chance, 1 - chance], 1: [1 - chance, chance]}
        return np.log([rows[int(w)] for w in word_ids])


@pytest.mark.parametrize(("used", "verdict"), [(1.0, "holds"), (1.0001, "broken"), (0.9, "holds")])
def test_a_bound_is_kept_up_to_rounding_and_broken_by_a_ten_thousandth(used, verdict, monkeypatch):
    monkeypatch.setattr(Exact, "used", used, raising=False)
    assert audit(Exact(epsilon=1.0), LINE).verdict == verdict


def test_mechanisms_with_a_proof_hold_on_a_real_vocabulary(glove):
    for mechanism in (TEM(epsilon=4), SanText(epsilon=4), TEM(epsilon=4, gamma=2.0)):
        found = audit(mechanism, glove, words=40)
        assert found.verdict == "holds"
        assert (found.pairs.log_ratio <= found.pairs.bound + 1e-9).all()
        assert found.pairs.exact


def test_the_closest_pair_of_the_vocabulary_is_among_the_words_tried(glove):
    words = audits.audited_words(glove, 40, seeded_rng(0))
    assert set(glove.closest_pair[1:]) <= set(words.tolist())


def test_truncated_gumbel_as_published_breaks_on_a_real_vocabulary_with_a_witness(glove):
    mechanism = TruncatedGumbel(epsilon=1.05 * TruncatedGumbel(epsilon=1).smallest_epsilon(glove))
    found = audit(mechanism, glove, words=12)
    assert found.verdict == "broken"
    assert "Its promise allows a factor of e^" in found.witness
    words = ~found.pairs.with_unknown
    assert (found.pairs.log_ratio > found.pairs.bound)[words].mean() > 0.9


def test_truncated_gumbel_below_its_epsilon_is_refused_with_the_number(glove):
    found = audit(TruncatedGumbel(epsilon=5), glove, words=12)
    assert found.verdict == "refused"
    assert "ε must exceed" in found.witness


LEXICON = Vocabulary(
    ["big", "large", "small", "little"],
    np.eye(4),
    synonyms={"big": ["large"], "large": ["big"], "small": ["little"], "little": ["small"]},
)


def test_syntf_on_synonyms_only_tells_words_apart_for_certain():
    found = audit(SynTF(epsilon=2, variant="benchmark"), LEXICON)
    assert found.verdict == "broken"
    assert "and never for" in found.witness
    assert np.isinf(found.pairs.log_ratio).any()


def test_a_mechanism_that_covers_no_word_is_refused_with_a_sentence():
    alone = Vocabulary(["a", "b"], np.eye(2), synonyms={"big": ["large"]})
    found = audit(SynTF(epsilon=2, variant="benchmark"), alone)
    assert found.verdict == "refused"
    assert "has a law for none of these words" in found.witness


def test_few_words_make_no_warning():
    """Draws of two words tie in most distances."""
    assert audit(CMP(epsilon=2), Vocabulary(["a", "b"], np.eye(2))).verdict == "holds"


def test_syntf_over_the_whole_vocabulary_holds():
    assert audit(SynTF(epsilon=2, variant="published"), LEXICON).verdict == "holds"


def test_where_nothing_is_proven_the_epsilon_it_would_need_is_said(glove):
    found = audit(TruncatedGumbel(epsilon=5, variant="benchmark"), glove, words=8)
    assert found.verdict == "not proven"
    words = ~found.pairs.with_unknown
    needed = (found.pairs.log_ratio / found.pairs.distance)[words].max()
    assert f"Metric DP on these pairs would need ε = {needed:,.4g} or more" in found.witness


# -------------------------------------------------------------------------------- noise mechanisms


@pytest.mark.parametrize(
    "mechanism",
    [
        CMP(epsilon=8),
        Mahalanobis(epsilon=8),
        Vickrey(epsilon=8),
        Laplace(epsilon=100),
        Gaussian(epsilon=50),
        TruncatedLaplace(epsilon=100),
    ],
    ids=lambda m: m.name,
)
def test_noise_mechanisms_with_a_proof_hold_on_a_real_vocabulary(mechanism, glove):
    found = audit(mechanism, glove)
    assert found.verdict == "holds", found.witness
    if found.pairs.bound is not None:
        assert (found.pairs.log_ratio <= found.pairs.bound).all()
    assert not found.pairs.exact


def test_vickrey_as_published_never_returns_the_input_and_is_broken(glove):
    found = audit(Vickrey(epsilon=8, variant="published"), glove)
    assert found.verdict == "broken"
    assert "never returned" in found.witness
    assert "no finite ε allows that" in found.witness
    assert "If it can never return" in found.witness


def test_truncated_laplace_as_published_needs_far_more_delta_than_it_claims(glove):
    mechanism = TruncatedLaplace(epsilon=1, variant="published")
    found = audit(mechanism, glove)
    assert found.verdict == "broken"
    assert found.true_delta > 0.1 > 1000 * found.guarantee.delta


def test_the_classical_gaussian_is_not_proven_above_one_and_its_true_delta_is_said(glove):
    found = audit(Gaussian(epsilon=20, variant="published"), glove)
    assert found.verdict == "not proven"
    assert found.true_delta > found.guarantee.delta
    assert audit(Gaussian(epsilon=0.9, variant="published"), glove).verdict == "holds"


class QuietCMP(CMP):
    """CMP whose noise is that of a larger ε than it promises."""

    name = "Quiet CMP"

    def guarantee(self, vocabulary):
        return dataclasses.replace(super().guarantee(vocabulary), epsilon=self.epsilon / 1.1)


def test_noise_that_is_a_tenth_too_quiet_is_found_in_its_density(glove):
    found = audit(QuietCMP(epsilon=8), glove)
    assert found.verdict == "broken"
    assert "log-ratio of the noise exceeds its bound" in found.witness


class Loud(CMP):
    """A mechanism that promises nearly everything and hides nothing."""

    name = "Loud"

    def guarantee(self, vocabulary):
        return dataclasses.replace(super().guarantee(vocabulary), epsilon=1e-3)


def test_released_words_alone_refute_a_gross_lie_with_a_lower_bound(glove):
    found = audit(Loud(epsilon=50), glove)
    assert found.verdict == "broken"
    assert "has an output that is at least e^" in found.witness


def test_a_lower_bound_on_the_log_ratio_is_rarely_above_the_truth():
    """The interval of all outputs at once: over many repetitions of two known laws."""
    law, other = np.array([0.7, 0.2, 0.1]), np.array([0.5, 0.3, 0.2])
    truth = np.log(law / other).max()
    rng = seeded_rng(0)
    found = [
        log_ratio_at_least(rng.choice(3, 5000, p=law), rng.choice(3, 5000, p=other), 1)
        for _ in range(300)
    ]
    assert max(found) <= truth
    assert np.median(found) > 0.3 * truth


def test_every_mechanism_in_every_variant_has_a_row():
    rows = audits.variants()
    assert len(rows) == len(set(rows))
    assert {cls for cls, _ in rows} == set(MECHANISMS)
    assert (Vickrey, "published") in rows
    assert (CMP, None) in rows


def test_tiny_vocabularies_are_audited_without_an_error():
    for count in (1, 2, 3):
        vocabulary = Vocabulary(TOY.words[:count], TOY.vectors[:count])
        for mechanism in (CMP(epsilon=2), TEM(epsilon=2), Laplace(epsilon=2)):
            assert audit(mechanism, vocabulary).verdict == "holds"
