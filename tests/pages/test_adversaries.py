"""What an adversary with a file's own frequencies names, held against plain sums over a law."""

import numpy as np
import pytest

from measures.attacks import prior
from mechanisms import CMP, TEM, NGramTEM
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
    found = adversaries.expected(mechanism, TOY)
    assert found.unchanged.value == pytest.approx(sum(shares * law[[0, 1, 2], ids]), rel=1e-5)
    assert found.unchanged.source.is_exact
    assert found.named == pytest.approx((shares[:, None] * law).max(axis=0).sum(), rel=1e-5)
    assert found.names is None


def test_a_whole_file_is_counted_and_names_are_looked_at_alone(texts):
    mechanism = TEM(epsilon=2.0, gamma=1.5)
    counts = {5: 10, 0: 30}
    law = np.exp(mechanism.log_prob(TOY, np.array([0, 5])))
    found = adversaries.expected(mechanism, TOY, counts, (TOY.words[5], "zzqx"))
    stays = law[0, 0], law[1, 5]
    assert found.unchanged.value == pytest.approx(0.75 * stays[0] + 0.25 * stays[1], rel=1e-5)
    assert found.names.value == pytest.approx(stays[1], rel=1e-5)


@pytest.mark.parametrize(
    ("mechanism", "source", "said"),
    [
        (
            TEM(epsilon=2.0),
            "exact",
            "is computed from the mechanism's law, without a draw, over every",
        ),
        (
            CMP(epsilon=2.0),
            "from 4,000 words",
            "comes from 4,000 draws of words of the file",
        ),
        (
            NGramTEM(epsilon=2.0, corpus="ranks"),
            "from 2 texts",
            "comes from one draw of 2 texts",
        ),
    ],
    ids=lambda each: getattr(each, "name", None),
)
def test_what_is_expected_says_its_source(texts, mechanism, source, said):
    words = TOY.words
    found = adversaries.expected(mechanism, TOY, {0: 2, 3: 1, 5: 1}, (words[3],))
    assert str(found.unchanged.source) == source
    sentence = adversaries.expected_of_file("a.csv", mechanism, found, whole=True)
    assert said in sentence
    assert ("An adversary who" in sentence) == (found.named is not None)
    assert ("95 % interval" in sentence) != found.unchanged.source.is_exact


def test_the_prior_of_a_file_has_its_shares_and_excludes_words_that_it_lacks(texts):
    log_prior = prior.of_inputs_seen(adversaries.words_of_file(TOY).inputs, TOY)
    expected = np.zeros(len(TOY) + 1)
    expected[[0, 3, 5, TOY.unknown_id]] = 0.4, 0.2, 0.2, 0.2
    assert np.exp(log_prior) == pytest.approx(expected)
