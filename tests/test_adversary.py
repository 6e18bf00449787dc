"""The adversary that guesses the word: optimal where it says so, and bounded by the promise."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from measures import adversary as adversaries
from measures import normalisers, voronoi
from measures.adversary import adversary, attack, success_bound
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
    Vickrey,
    Vocabulary,
)
from mechanisms.randomness import seeded_rng
from tests.toy import ALL_PAIRS, TOY, first_words

SYNONYMS = {"origin": ("east", "corner"), "east": ("origin",), "corner": ("origin", "edge")}
LEXICAL = Vocabulary(TOY.words, TOY.vectors, SYNONYMS)
ZIPF = -np.log(np.arange(1, len(TOY) + 1.0))
ZIPF -= np.log(np.exp(ZIPF).sum())

EXACT = [TEM(epsilon=2.0), TEM(epsilon=1.0, gamma=1.1), SanText(epsilon=1.5)]
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
    prior = ZIPF[: len(vocabulary)]
    return prior - np.log(np.exp(prior).sum())


def joint(mechanism, vocabulary):
    """Pr[w, v] = π(w) Pr[M(w) = v] from the law itself; words without a law give nothing."""
    ids = np.arange(len(vocabulary))
    covered = mechanism.covers(vocabulary, ids)
    law = np.zeros((len(ids), len(ids)))
    law[covered] = np.exp(mechanism.log_prob(vocabulary, ids[covered]))
    return np.exp(prior_of(vocabulary))[:, None] * law


def knowing(mechanism, vocabulary=LEXICAL):
    return adversary(mechanism, vocabulary, prior_of(vocabulary))


@pytest.mark.parametrize("mechanism", EXACT, ids=repr)
def test_its_posterior_is_bayes_rule_with_the_law_and_adds_up_to_one(mechanism):
    expected = joint(mechanism, LEXICAL)
    for output in np.flatnonzero(expected.sum(axis=0) > 0):
        posterior = np.exp(knowing(mechanism).log_posterior([output])[0])
        np.testing.assert_allclose(
            posterior, expected[:, output] / expected[:, output].sum(), atol=1e-6
        )
        assert posterior.sum() == pytest.approx(1)


@pytest.mark.parametrize("mechanism", [TEM(epsilon=1.0), SanText(epsilon=0.5), SynTF(epsilon=2.0)])
def test_no_other_decision_rule_among_all_names_more(mechanism):
    words = Vocabulary(TOY.words[:4], TOY.vectors[:4], SYNONYMS)
    chances = joint(mechanism, words)
    outputs = np.arange(4)
    rules = [chances[np.array(rule), outputs].sum() for rule in product(range(4), repeat=4)]
    own = chances[knowing(mechanism, words).names(outputs), outputs].sum()
    assert own == pytest.approx(max(rules), abs=1e-12)
    assert min(rules) < own - 0.1


@pytest.mark.parametrize("mechanism", [TEM(epsilon=1.0), SanText(epsilon=1.0)])
def test_the_success_over_the_prior_is_exact(mechanism):
    known = knowing(mechanism)
    best = normalisers.best_success(mechanism, LEXICAL, known.log_prior, known.log_normalisers)
    assert best == pytest.approx(joint(mechanism, LEXICAL).max(axis=0).sum(), abs=1e-6)


@pytest.mark.parametrize(
    "mechanism", [TEM(epsilon=1.0, gamma=0.5), SanText(epsilon=1.0), SynTF(epsilon=1.0)]
)
def test_without_budget_it_names_the_prior_s_best_guess_and_with_much_of_it_every_word(mechanism):
    words = Vocabulary(TOY.words[:6], TOY.vectors[:6], SYNONYMS)
    prior = np.exp(prior_of(words))
    for epsilon, expected in ((1e-7, prior.max()), (1e3, 1.0)):
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


@pytest.mark.parametrize("mechanism", EXACT[:4], ids=repr)
def test_no_release_moves_the_odds_of_two_words_beyond_the_promise(mechanism):
    typed, released = ALL_PAIRS
    found = attack(knowing(mechanism), typed, released[:, None])
    assert all(abs(g.log_moved) <= g.log_allowed + 1e-6 for g in found.guesses)
    assert max(abs(g.log_moved) for g in found.guesses) > 0.1


def test_a_guess_ranks_the_typed_word_and_names_the_first():
    typed, released = ALL_PAIRS
    known = knowing(EXACT[0])
    found = attack(known, typed, released[:, None], most=len(TOY))
    for guess in found.guesses:
        ranking = guess.word_ids.tolist()
        assert ranking.index(guess.typed) == guess.place - 1
        assert guess.named == (ranking[0] == guess.typed)
        assert guess.rival == next(word for word in ranking if word != guess.typed)
        assert guess.probability[guess.place - 1] == pytest.approx(guess.typed_probability)
    np.testing.assert_array_equal(found.named_after[:, 0], [g.named for g in found.guesses])


def test_with_a_gamma_by_the_theorem_even_much_budget_leaves_beta_unnamed():
    words, at = first_words(6), TEM(epsilon=1e3, beta=0.01)
    named = knowing(at, words).names(np.arange(6))
    assert joint(at, words)[named, np.arange(6)].sum() == pytest.approx(0.99)


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
    """Against draws: the column of a few outputs, up to its sum."""
    words = np.arange(len(TOY))
    draws = mechanism.sample(TOY, words, 20_000, seeded_rng(1))
    columns = {output: (draws == output).mean(axis=1) for output in (0, 4, 6, 10)}
    columns = {output: column for output, column in columns.items() if column.sum() > 0.05}
    assert columns
    for output, column in columns.items():
        estimate = np.exp(
            voronoi.log_likelihood(mechanism, TOY, output, words, seeded_rng(2), directions=4000)
        )
        np.testing.assert_allclose(estimate / estimate.sum(), column / column.sum(), atol=0.03)


def test_vickrey_as_published_never_gives_the_word_itself():
    mechanism = Vickrey(epsilon=1.5, variant="published")
    words = np.arange(len(TOY))
    seen = voronoi.log_likelihood(mechanism, TOY, 0, words, seeded_rng(0))
    assert np.isneginf(seen[0])
    assert np.isfinite(seen[1:]).all()


def test_the_cell_tells_one_epsilon_from_another():
    words = np.arange(len(TOY))
    column = (CMP(epsilon=1.5).sample(TOY, words, 20_000, seeded_rng(1)) == 0).mean(axis=1)
    estimate = np.exp(voronoi.log_likelihood(CMP(epsilon=3.0), TOY, 0, words, seeded_rng(2), 4000))
    assert np.abs(estimate / estimate.sum() - column / column.sum()).max() > 0.05


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


def test_where_no_word_can_have_given_all_outputs_the_prior_stands():
    known = knowing(SynTF(epsilon=1.0, variant="benchmark"))
    alone = LEXICAL.get("lonely")
    np.testing.assert_allclose(known.log_posterior([alone])[0], ZIPF)


def test_a_uniform_prior_is_the_same_for_all_words():
    prior = adversaries.log_prior("uniform", TOY)
    np.testing.assert_allclose(np.exp(prior), 1 / len(TOY))
