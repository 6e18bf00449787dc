"""What an adversary with a file's own frequencies names, held against plain sums over a law."""

import numpy as np
import pytest

from measures.attacks import prior
from mechanisms import CMP, TEM
from pages.shared import adversaries, material, session
from tests.toy import TOY


@pytest.fixture
def texts(monkeypatch):
    words = TOY.words
    found = [f"{words[0]} {words[0]} {words[3]}", f"{words[5]} zzqx"]
    monkeypatch.setattr(material, "texts", lambda: found)
    monkeypatch.setattr(session, "once", lambda key, compute: compute())
    return found


def test_the_shares_are_the_sums_over_the_law_with_the_files_own_frequencies(texts):
    mechanism = TEM(epsilon=2.0, gamma=1.5)
    ids, shares = np.array([0, 3, 5]), np.array([0.5, 0.25, 0.25])
    law = np.exp(mechanism.log_prob(TOY, ids))
    stay, named = adversaries.expected(mechanism, TOY)
    assert stay == pytest.approx(sum(shares * law[[0, 1, 2], ids]), rel=1e-5)
    assert named == pytest.approx((shares[:, None] * law).max(axis=0).sum(), rel=1e-5)
    assert adversaries.expected(CMP(epsilon=2.0), TOY) is None


def test_the_prior_of_a_file_has_its_shares_and_excludes_words_that_it_lacks(texts):
    log_prior = prior.of_inputs_seen(adversaries.words_of_file(TOY).inputs, TOY)
    expected = np.zeros(len(TOY) + 1)
    expected[[0, 3, 5, TOY.unknown_id]] = 0.4, 0.2, 0.2, 0.2
    assert np.exp(log_prior) == pytest.approx(expected)
