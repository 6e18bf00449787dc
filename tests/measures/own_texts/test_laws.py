"""Laws of a file's words in one pass: draws of them, and a classifier by either solver."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chisquare

from measures.own_texts import laws as all_of_them
from measures.own_texts import usefulness
from measures.own_texts.laws import all_laws
from mechanisms import TEM, SanText, SynTF, UnigramTEM
from tests.measures.own_texts.test_own_texts import ALPHA, EPSILONS, PRIOR, TOY, WORDS


def pass_over(mechanism, to_draw, seed=0):
    family = mechanism.family()
    return all_laws(
        [family.at(float(epsilon)) for epsilon in EPSILONS],
        TOY,
        WORDS,
        WORDS,
        PRIOR,
        to_draw=to_draw,
        seed=seed,
    )


@pytest.mark.parametrize("stretch", [256, 4])
@pytest.mark.parametrize(
    "mechanism",
    [TEM(epsilon=1), SanText(epsilon=1), UnigramTEM(epsilon=1), SynTF(epsilon=1)],
    ids=repr,
)
def test_draws_follow_the_law_and_not_that_of_another_epsilon(mechanism, stretch, monkeypatch):
    monkeypatch.setattr(all_of_them, "_STRETCH", stretch)
    monkeypatch.setattr(all_of_them, "_WEIGHTS", 30)
    word, count = 3, 20_000
    found = pass_over(mechanism, np.full(count, word))

    def p_value(row, epsilon):
        law = np.exp(replace(mechanism, epsilon=float(epsilon)).log_prob(TOY, WORDS[[word]]))[0]
        usual = law * count >= 5
        seen = np.bincount(row, minlength=len(TOY))
        seen = np.append(seen[usual], seen[~usual].sum() + 5)
        expected = np.append(law[usual], law[~usual].sum()) * count
        expected[-1] += 5
        return chisquare(seen, expected * seen.sum() / expected.sum()).pvalue

    assert all(p_value(found.drawn[i], e) > ALPHA for i, e in enumerate(EPSILONS))
    assert p_value(found.drawn[0], EPSILONS[2]) < ALPHA


def test_blocks_change_neither_probabilities_nor_draws(monkeypatch):
    inputs = np.concatenate([np.tile(WORDS, 50), np.full(20, TOY.unknown_id)])
    once = pass_over(TEM(epsilon=1), inputs)
    monkeypatch.setattr(all_of_them, "_WEIGHTS", 1)
    monkeypatch.setattr(all_of_them, "_DISTANCES", 1)
    again = pass_over(TEM(epsilon=1), inputs)
    np.testing.assert_allclose(once.n_w, again.n_w, rtol=1e-6)
    np.testing.assert_allclose(once.best_success, again.best_success, rtol=1e-6)
    assert (once.drawn == again.drawn).all()
    assert (once.drawn >= 0).all()
    assert (once.drawn < len(TOY)).all()


def test_the_unknown_word_is_drawn_by_its_own_law():
    inputs = np.full(6000, TOY.unknown_id)
    seen = np.bincount(pass_over(TEM(epsilon=5), inputs).drawn[2], minlength=len(TOY))
    assert chisquare(seen).pvalue > ALPHA
    of_a_word = np.bincount(pass_over(TEM(epsilon=5), inputs * 0).drawn[2], minlength=len(TOY))
    assert chisquare(of_a_word).pvalue < ALPHA


@pytest.mark.parametrize("count", [2, 4])
def test_both_solvers_tell_the_same_labels(count, monkeypatch):
    rng = np.random.default_rng(3)
    numbers = rng.integers(count, size=300)
    vectors = rng.normal(size=(300, 6))
    vectors[:, 0] += 2 * numbers
    labels, fold = tuple(map(str, numbers.tolist())), np.arange(300) % 5
    newton = usefulness.right(vectors, labels, fold)
    monkeypatch.setattr(usefulness, "_NEWTON", 0)
    other = usefulness.right(vectors, labels, fold)
    assert (newton != other).sum() <= 3
    assert (newton != usefulness.right(-vectors[::-1], labels, fold)).sum() > 30
