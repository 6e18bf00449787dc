"""The adversary that guesses the word: optimal where it says so, and bounded by the promise."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest

from measures.attacks import normalisers, voronoi
from measures.attacks import prior as priors
from measures.attacks.adversary import adversary, attack
from measures.attacks.prior import known_only
from measures.attacks.success_bound import success_bound
from mechanisms import (
    CMP,
    TEM,
    Gaussian,
    Laplace,
    Mahalanobis,
    SanText,
    SynTF,
    TruncatedGumbel,
    TruncatedLaplace,
    UnigramTEM,
    Vickrey,
    Vocabulary,
)
from mechanisms.randomness import seeded_rng
from tests.toy import TOY, first_words

SYNONYMS = {"origin": ("east", "corner"), "east": ("origin",), "corner": ("origin", "edge")}
LEXICAL = Vocabulary(TOY.words, TOY.vectors, SYNONYMS)
WORDS = np.arange(len(TOY))
INPUTS = np.arange(len(TOY) + 1)

# The unknown word is as probable as the most frequent word but one.
SHARE_UNKNOWN = 0.2
ZIPF = 1 / np.arange(1, len(TOY) + 1.0)
ZIPF = np.log(np.append((1 - SHARE_UNKNOWN) * ZIPF / ZIPF.sum(), SHARE_UNKNOWN))

EXACT = [TEM(epsilon=2.0), TEM(epsilon=1.0, gamma=1.1), SanText(epsilon=1.5)]
EXACT += [UnigramTEM(epsilon=2.0)]
EXACT += [SynTF(epsilon=3.0), SynTF(epsilon=3.0, variant="benchmark")]
NOISY = [
    CMP(epsilon=1.5),
    Mahalanobis(epsilon=1.5),
    Vickrey(epsilon=1.5, t=0.3),
    Laplace(epsilon=4.0),
    Gaussian(epsilon=4.0, variant="repaired"),
    TruncatedLaplace(epsilon=6.0),
]


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path))


def prior_of(vocabulary):
    prior = np.append(ZIPF[: len(vocabulary)], ZIPF[-1])
    return prior - np.log(np.exp(prior).sum())


def joint(mechanism, vocabulary):
    """Pr[w, v] = π(w) Pr[M(w) = v] of all inputs w, one law at a time, from the law itself.

    A word without a law counts as the unknown word.
    """
    size = len(vocabulary)
    together = np.zeros((size + 1, size))
    for word, share in enumerate(np.exp(prior_of(vocabulary))):
        asked = word if word < size and mechanism.covers(vocabulary, [word])[0] else size
        together[asked] += share * np.exp(mechanism.log_prob(vocabulary, [asked])[0])
    return together


def knowing(mechanism, vocabulary=LEXICAL, log_prior=None):
    return adversary(
        mechanism, vocabulary, prior_of(vocabulary) if log_prior is None else log_prior
    )


def assert_bayes_rule(known, expected):
    """The posterior of every output against the joint probabilities (V + 1, V)."""
    for output in np.flatnonzero(expected.sum(axis=0) > 0):
        posterior = np.exp(known.log_posterior([output])[0])
        np.testing.assert_allclose(
            posterior, expected[:, output] / expected[:, output].sum(), atol=1e-6
        )
        assert posterior.sum() == pytest.approx(1)


@pytest.mark.parametrize("mechanism", EXACT, ids=repr)
def test_its_posterior_is_bayes_rule_with_the_law_and_adds_up_to_one(mechanism):
    expected = joint(mechanism, LEXICAL)
    assert (expected[-1] > 0).all()
    assert_bayes_rule(knowing(mechanism), expected)


@pytest.mark.parametrize("mechanism", EXACT, ids=repr)
@pytest.mark.parametrize("share", [0.0, 0.5 * SHARE_UNKNOWN, 2 * SHARE_UNKNOWN])
def test_with_another_share_of_unknown_words_it_is_not(mechanism, share):
    of_words = np.exp(ZIPF[:-1]) / (1 - SHARE_UNKNOWN)
    with np.errstate(divide="ignore"):
        wrong = np.log(np.append((1 - share) * of_words, share))
    with pytest.raises(AssertionError):
        assert_bayes_rule(knowing(mechanism, log_prior=wrong), joint(mechanism, LEXICAL))


@pytest.mark.parametrize("mechanism", EXACT[:4], ids=repr)
def test_if_no_word_is_unknown_the_posterior_is_that_of_the_words_alone(mechanism):
    prior = ZIPF[:-1] - np.log(1 - SHARE_UNKNOWN)
    expected = np.exp(prior[:, None] + mechanism.log_prob(LEXICAL, WORDS))
    assert_bayes_rule(
        knowing(mechanism, log_prior=known_only(prior)), np.vstack([expected, np.zeros(len(TOY))])
    )


def test_a_prior_without_the_unknown_word_is_refused():
    with pytest.raises(ValueError, match=r"must have 13 entries.*unknown word; got .* \(12,\)"):
        knowing(TEM(epsilon=1.0), log_prior=ZIPF[:-1])


@pytest.mark.parametrize("mechanism", [TEM(epsilon=1.5), SanText(epsilon=1.5), SynTF(epsilon=2.0)])
def test_no_other_decision_rule_among_all_names_more(mechanism):
    words = Vocabulary(TOY.words[:4], TOY.vectors[:4], SYNONYMS)
    chances = joint(mechanism, words)
    outputs = np.arange(4)
    rules = {rule: chances[rule, outputs].sum() for rule in product(range(5), repeat=4)}
    named = knowing(mechanism, words).names(outputs)
    own = chances[named, outputs].sum()
    assert own == pytest.approx(max(rules.values()), abs=1e-12)
    assert min(rules.values()) < own - 0.1
    assert words.unknown_id in named
    assert max(success for rule, success in rules.items() if 4 not in rule) < own - 0.01


@pytest.mark.parametrize("mechanism", [TEM(epsilon=1.0), SanText(epsilon=1.0)])
def test_the_success_over_the_prior_is_exact(mechanism):
    known = knowing(mechanism)
    best = normalisers.best_success(mechanism, LEXICAL, known.log_prior, known.log_normalisers)
    assert best == pytest.approx(joint(mechanism, LEXICAL).max(axis=0).sum(), abs=1e-6)
    assert best > joint(mechanism, LEXICAL)[:-1].max(axis=0).sum() + 1e-3


@pytest.mark.parametrize(
    "mechanism", [TEM(epsilon=1.0, gamma=0.5), SanText(epsilon=1.0), SynTF(epsilon=1.0)]
)
def test_without_budget_it_names_the_prior_s_best_guess_and_with_much_of_it_every_known_word(
    mechanism,
):
    words = Vocabulary(TOY.words[:6], TOY.vectors[:6], SYNONYMS)
    prior = np.exp(prior_of(words))
    for epsilon, expected in ((1e-7, prior.max()), (1e3, prior[:-1].sum())):
        at = replace(mechanism, epsilon=epsilon)
        named = knowing(at, words).names(np.arange(6))
        assert joint(at, words)[named, np.arange(6)].sum() == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("mechanism", [TEM(epsilon=1.0), SanText(epsilon=1.0), SynTF(epsilon=1.0)])
def test_no_success_exceeds_what_a_promise_that_holds_allows(mechanism):
    bounds = []
    for epsilon in (0.01, 0.05, 0.1, 0.3, 1.0, 5.0):
        at = replace(mechanism, epsilon=epsilon)
        best = joint(at, LEXICAL).max(axis=0).sum()
        bounds.append(success_bound(at, LEXICAL, ZIPF))
        assert best <= bounds[-1] + 1e-9
    assert bounds[0] < 0.5
    assert bounds[-1] == 1.0


def test_a_broken_promise_is_no_bound_and_is_exceeded():
    kept, broken = (SynTF(epsilon=0.01, variant=v) for v in ("published", "benchmark"))
    assert success_bound(broken, LEXICAL, ZIPF) is None
    assert joint(broken, LEXICAL).max(axis=0).sum() > success_bound(kept, LEXICAL, ZIPF)


@pytest.mark.parametrize(
    ("mechanism", "half"),
    [(Laplace(epsilon=1.2), 0.6), (SynTF(epsilon=1.2), 0.6), (TEM(epsilon=2.0, gamma=0.5), 0.5)],
)
def test_the_unknown_word_as_a_reference_bounds_success_by_half_of_epsilon(mechanism, half):
    """A word as the reference allows e^ε, or e^(ε d)."""
    uniform = priors.log_prior("uniform", LEXICAL)
    alone = known_only(np.full(len(TOY), -np.log(12)))
    for prior, inputs in ((uniform, 13), (alone, 12)):
        for releases in (1, 2):
            found = success_bound(mechanism, LEXICAL, prior, releases)
            assert found == pytest.approx(np.exp(releases * half) / inputs)
    if not isinstance(mechanism, Laplace):
        law = np.exp(mechanism.log_prob(LEXICAL, INPUTS))
        assert 1 < law.max(axis=0).sum() <= np.exp(half)


@dataclass(frozen=True, kw_only=True)
class SilentLaplace(Laplace):
    """Promises nothing about the unknown word."""

    def guarantee(self, vocabulary):
        return replace(super().guarantee(vocabulary), to_unknown=None)


def test_without_a_promise_for_it_every_unknown_word_may_be_named():
    """Σ_v max(π(unknown) Pr[v], max_w π(w) Pr[M(w) = v]), the law of the unknown word any law."""
    silent = SilentLaplace(epsilon=0.1)
    of_words = max(np.exp(ZIPF[0]), np.exp(ZIPF[1] + 0.1))
    assert success_bound(silent, LEXICAL, ZIPF) == pytest.approx(of_words + SHARE_UNKNOWN)
    assert success_bound(Laplace(epsilon=0.1), LEXICAL, ZIPF) == pytest.approx(of_words)
    alone = known_only(ZIPF[:-1] - np.log(1 - SHARE_UNKNOWN))
    expected = of_words / (1 - SHARE_UNKNOWN)
    assert success_bound(silent, LEXICAL, alone) == pytest.approx(expected)


def test_a_weak_promise_for_the_unknown_word_does_not_spoil_the_bound():
    """The theorem's γ makes ε · γ/2 large however small ε is."""
    weak = TEM(epsilon=0.01)
    assert weak.epsilon * weak.threshold(LEXICAL) / 2 > 5
    words = np.exp(ZIPF[:-1, None] + 0.01 * LEXICAL.distances(WORDS)).max(axis=0).min()
    found = success_bound(weak, LEXICAL, ZIPF)
    assert found == pytest.approx(words + SHARE_UNKNOWN)


@pytest.mark.parametrize("mechanism", EXACT[:4], ids=repr)
def test_no_release_moves_the_odds_of_two_inputs_beyond_the_promise(mechanism):
    typed, released = np.indices((len(INPUTS), len(WORDS))).reshape(2, -1)
    found = attack(knowing(mechanism), typed, released[:, None])
    assert all(abs(g.log_moved) <= g.log_allowed + 1e-6 for g in found.guesses)
    assert max(abs(g.log_moved) for g in found.guesses) > 0.1
    unknown = LEXICAL.unknown_id
    with_unknown = [g for g in found.guesses if unknown in (g.typed, g.rival)]
    assert max(abs(g.log_moved) for g in with_unknown) > 0.05
    assert {g.typed for g in with_unknown} > {unknown}


def test_a_guess_ranks_the_typed_word_and_names_the_first():
    typed, released = np.indices((len(INPUTS), len(WORDS))).reshape(2, -1)
    known = knowing(EXACT[0])
    found = attack(known, typed, released[:, None], most=len(INPUTS))
    assert {g.typed for g in found.guesses if g.named} > {LEXICAL.unknown_id}
    for guess in found.guesses:
        ranking = guess.input_ids.tolist()
        assert ranking.index(guess.typed) == guess.place - 1
        assert guess.named == (ranking[0] == guess.typed)
        assert guess.rival == next(word for word in ranking if word != guess.typed)
        assert guess.probability[guess.place - 1] == pytest.approx(guess.typed_probability)
    np.testing.assert_array_equal(found.named_after[:, 0], [g.named for g in found.guesses])


def test_a_word_without_a_law_is_attacked_as_the_unknown_word():
    mechanism = SynTF(epsilon=3.0, variant="benchmark")
    known = knowing(mechanism)
    edge, bare = LEXICAL.get("edge"), LEXICAL.get("lonely")
    assert not mechanism.covers(LEXICAL, [edge, bare]).any()
    shares = np.exp(known.log_prior)
    covered = mechanism.covers(LEXICAL, WORDS)
    assert (shares[:-1][~covered] == 0).all()
    assert shares[-1] == pytest.approx(SHARE_UNKNOWN + np.exp(ZIPF[:-1])[~covered].sum())
    found = attack(known, [edge, LEXICAL.unknown_id], np.array([[bare], [bare]]))
    for guess in found.guesses:  # no known word gives `lonely`
        assert guess.typed == LEXICAL.unknown_id
        assert guess.named
        assert guess.typed_probability == pytest.approx(1)
        assert covered[guess.rival]
        assert guess.log_moved == np.inf
    assert found.named_after.all()


def test_an_input_that_the_prior_rules_out_is_not_named_and_its_odds_stay():
    known = knowing(TEM(epsilon=2.0), log_prior=known_only(ZIPF[:-1] - np.log(1 - SHARE_UNKNOWN)))
    (guess,) = attack(known, [LEXICAL.unknown_id], np.array([[3]])).guesses
    assert not guess.named
    assert guess.place == len(INPUTS)
    assert guess.typed_probability == guess.log_moved == 0


def test_with_a_gamma_by_the_theorem_even_much_budget_leaves_beta_unnamed():
    words, at = first_words(6), TEM(epsilon=1e3, beta=0.01)
    known = knowing(at, words)
    named = known.names(np.arange(6))
    expected = 0.99 * (1 - np.exp(known.log_prior[-1]))
    assert joint(at, words)[named, np.arange(6)].sum() == pytest.approx(expected)


@pytest.mark.parametrize("mechanism", [TEM(epsilon=1.0), SynTF(epsilon=4.0)])
def test_more_releases_never_name_less_and_their_likelihoods_multiply(mechanism):
    words = Vocabulary(TOY.words[:4], TOY.vectors[:4], SYNONYMS)
    known = knowing(mechanism, words)
    law, prior = joint(mechanism, words), np.exp(prior_of(words))
    law /= prior[:, None]
    names = []
    for count in (1, 2, 3):
        success = 0.0
        for outputs in product(range(4), repeat=count):
            together = prior * law[:, list(outputs)].prod(axis=1)
            posterior = np.exp(known.log_posterior(list(outputs))[-1])
            np.testing.assert_allclose(posterior, together / together.sum(), atol=1e-6)
            success += together[posterior.argmax()]
        names.append(success)
    assert names == sorted(names)
    assert names[2] > names[0] + 0.01


@pytest.mark.parametrize("mechanism", NOISY, ids=repr)
def test_the_cell_of_an_output_gives_the_likelihood_of_every_word(mechanism):
    """Against draws: the column of a few outputs, up to its sum, the unknown word in it."""
    draws = mechanism.sample(TOY, INPUTS, 20_000, seeded_rng(1))
    columns = {output: (draws == output).mean(axis=1) for output in (0, 4, 6, 10)}
    columns = {output: column for output, column in columns.items() if column.sum() > 0.05}
    assert columns
    assert any(column[-1] > 0.05 * column.sum() for column in columns.values())
    for output, column in columns.items():
        estimate = np.exp(
            voronoi.log_likelihood(mechanism, TOY, output, INPUTS, seeded_rng(2), directions=4000)
        )
        np.testing.assert_allclose(estimate / estimate.sum(), column / column.sum(), atol=0.03)


def test_vickrey_as_published_never_gives_the_word_itself():
    mechanism = Vickrey(epsilon=1.5, variant="published")
    seen = voronoi.log_likelihood(mechanism, TOY, 0, INPUTS, seeded_rng(0))
    assert np.isneginf(seen[0])
    assert np.isfinite(seen[1:]).all()  # also of the unknown word


def test_the_cell_tells_one_epsilon_from_another():
    words = np.arange(len(TOY))
    column = (CMP(epsilon=1.5).sample(TOY, words, 20_000, seeded_rng(1)) == 0).mean(axis=1)
    estimate = np.exp(voronoi.log_likelihood(CMP(epsilon=3.0), TOY, 0, words, seeded_rng(2), 4000))
    assert np.abs(estimate / estimate.sum() - column / column.sum()).max() > 0.05


@dataclass(frozen=True, kw_only=True)
class CMPFromTheCorner(CMP):
    """Starts from the corner for the unknown word."""

    def unknown_start(self, vocabulary):
        return np.full(vocabulary.dimensions, 2.0)


def test_the_cell_tells_one_start_point_of_the_unknown_word_from_another():
    corner = TOY.get("corner")
    column = CMP(epsilon=1.5).sample(TOY, INPUTS, 20_000, seeded_rng(1)) == corner
    expected = column.mean(axis=1) / column.mean(axis=1).sum()
    for mechanism, right in ((CMP(epsilon=1.5), True), (CMPFromTheCorner(epsilon=1.5), False)):
        seen = voronoi.log_likelihood(mechanism, TOY, corner, INPUTS, seeded_rng(2), 4000)
        estimate = np.exp(seen) / np.exp(seen).sum()
        assert (abs(estimate[-1] - expected[-1]) < 0.03) == right


def test_a_word_that_shares_its_vector_is_never_the_output():
    twin, copy = TOY.ids(["twin", "copy"]).tolist()
    words = np.arange(len(TOY))
    seen = voronoi.log_likelihood(CMP(epsilon=1.0), TOY, copy, words, seeded_rng(0))
    assert np.isneginf(seen).all()
    seen = voronoi.log_likelihood(CMP(epsilon=1.0), TOY, twin, words, seeded_rng(0))
    assert seen[twin] == seen[copy]
    assert np.isfinite(seen).all()


@pytest.mark.parametrize("mechanism", NOISY, ids=repr)
def test_what_is_estimated_is_labelled_a_lower_bound_and_is_reproducible(mechanism):
    known = knowing(mechanism)
    assert not known.exact
    outputs = mechanism.sample(LEXICAL, np.arange(6), 1, seeded_rng(3))[:, 0]
    np.testing.assert_array_equal(known.names(outputs), knowing(mechanism).names(outputs))
    again = known.log_posterior(outputs[:2])
    np.testing.assert_array_equal(again, known.log_posterior(outputs[:2]))
    np.testing.assert_allclose(np.exp(again).sum(axis=1), 1)


def test_what_is_exact_is_labelled_so_and_truncated_gumbel_is_not():
    assert all(knowing(mechanism).exact for mechanism in EXACT)
    words = first_words(6)
    gumbel = TruncatedGumbel(epsilon=40.0)
    known = knowing(gumbel, words)
    assert not known.exact
    chances = joint(gumbel, words)
    own = chances[known.names(np.arange(6)), np.arange(6)].sum()
    assert own <= chances.max(axis=0).sum() + 1e-12
    assert own == pytest.approx(chances.max(axis=0).sum())  # six words: all are looked at
    assert_bayes_rule(known, chances)


@pytest.mark.parametrize("mechanism", [CMP(epsilon=2.0), Mahalanobis(epsilon=3.0)])
def test_noise_is_named_by_bayes_rule_too_unknown_words_among_the_guesses(mechanism):
    """Success over the prior, from draws, against the best that these draws allow."""
    draws = mechanism.sample(LEXICAL, INPUTS, 20_000, seeded_rng(4))
    law = np.array([np.bincount(row, minlength=len(TOY)) / 20_000 for row in draws])
    chances = np.exp(ZIPF)[:, None] * law
    outputs = np.flatnonzero(chances.sum(axis=0))
    named = knowing(mechanism).names(outputs)
    assert LEXICAL.unknown_id in named
    assert chances[named, outputs].sum() > 0.97 * chances.max(axis=0).sum()
    blind = knowing(mechanism, log_prior=known_only(ZIPF[:-1])).names(outputs)
    assert chances[blind, outputs].sum() < 0.97 * chances.max(axis=0).sum()


def test_if_no_input_can_have_given_all_outputs_the_prior_stands():
    known = knowing(CMP(epsilon=1.0))
    copy = LEXICAL.get("copy")  # of words that share a vector only the first comes out
    np.testing.assert_allclose(known.log_posterior([copy])[0], ZIPF)


def test_a_uniform_prior_is_the_same_for_all_inputs():
    prior = priors.log_prior("uniform", TOY)
    np.testing.assert_allclose(np.exp(prior), np.full(len(INPUTS), 1 / 13))
