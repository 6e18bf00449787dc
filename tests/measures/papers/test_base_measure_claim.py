"""The claim about base measures: its parts by hand, and the shipped table against itself."""

import math

import numpy as np
import pytest

from data import embeddings, word_counts
from measures.papers import base_measure_claim as claim
from measures.papers.prefix_adversary import Neighbours, PrefixAdversary
from mechanisms import NGramTEM, UnigramTEM
from mechanisms.base_measure import base_measure, with_counts
from pages.tradeoff import claims_wording

TEXTS = ["the film was good and the cat was bad", "the cat saw the film"] * 5


@pytest.fixture(scope="module")
def words():
    glove = embeddings.load("glove-6b-50d", 10_000)
    return with_counts(glove, word_counts.of_texts(TEXTS, glove))


def adversary(words, mechanism):
    neighbours = Neighbours(base_measure(words, "own", 1.0))
    return PrefixAdversary(mechanism, words, neighbours)


@pytest.mark.parametrize("family", [UnigramTEM, NGramTEM])
def test_the_likelihood_is_the_law_up_to_a_constant(words, family):
    mechanism = family(epsilon=2.0, corpus="own")
    some, prefix, output = np.arange(0, len(words), 13), words.ids(["was", "the"]).tolist(), 7
    law = mechanism.log_prob(words, some)
    if family is NGramTEM:
        law = mechanism.log_prob_after(words, some, prefix)
    found = adversary(words, mechanism)._log_likelihood(some, output, prefix)
    assert np.ptp(found - law[:, output]) < 0.02
    # The test has power: another prefix is another law.
    if family is NGramTEM:
        other = mechanism.log_prob_after(words, some, words.ids(["and", "the"]).tolist()[::-1])
        assert np.ptp(found - other[:, output]) > 0.02


def test_an_adversary_names_every_word_that_cannot_change(words):
    ids = words.ids(["the", "cat", "saw", "the", "film"])
    knows = adversary(words, UnigramTEM(epsilon=60.0, corpus="own"))
    assert knows.success([ids], [ids], with_neighbours=False) == (5, 5)


def test_neighbours_are_likelier_if_they_were_counted(words):
    prior = Neighbours(base_measure(words, "own", 1.0)).log_prior(*words.ids(["the", "was"]))
    film, house = words.ids(["film", "house"])
    assert prior[film] > prior[house] + 3


def test_shares_over_tokens_and_over_distinct_words():
    typed, released = [np.array([0, 0, 0, 5]), np.array([9])], [np.array([0, 0, 1, 5]), [3]]
    found = claim.kept(typed, released, unknown=9)
    assert found["kept"] == 75
    assert found["kept_of_words"] == pytest.approx(100 * (2 / 3 + 1) / 2)
    assert math.isnan(found["kept_of_rare"])


def test_epsilon_is_read_off_a_rising_curve():
    assert claim.matched([10, 20, 30, 40], 20) == pytest.approx(claim.GRID[1])
    between = claim.matched([10, 20, 30, 40], 25)
    assert between == pytest.approx(math.sqrt(claim.GRID[1] * claim.GRID[2]))
    assert math.isnan(claim.matched([10, 20, 30, 40], 41))


def test_the_page_says_where_a_base_measure_wins_where_not_and_why():
    rows = claim.shipped().rows
    found = claim.comparisons(rows)
    said = claims_wording.base_measure_finding(found)
    for one in found:
        if one.verdict in ("ahead", "behind"):
            (line,) = [
                line
                for line in said.splitlines()
                if line.startswith(f"- **Equal {one.made_equal}, {one.mechanism} against")
            ]
            after = line.split(f"{one.verdict} in ")[1].split(")")[0]
            assert f"{claim.RANKED[one.measure]}, {one.judged}" in after
    why = claims_wording.base_measure_why(rows)
    for row in rows:
        if row.mechanism == "TEM" or row.made_equal == "N_w over tokens":
            assert f"{row.kept_of_rare:.0f} % under {row.mechanism}" in why
            assert f"{row.perplexity:,.0f} under {row.mechanism}" in why
            # What the sentence says of them is so.
            (tem,) = [r for r in rows if (r.judged, r.mechanism) == (row.judged, "TEM")]
            if row is not tem:
                assert row.kept_of_rare < tem.kept_of_rare
                assert row.perplexity < tem.perplexity
    assert claims_wording.base_measure_why(()) == ""


def test_the_shipped_table_says_how_it_was_made_and_every_comparison_follows_from_it():
    shipped = claim.shipped()
    assert shipped.rows
    assert {"command", "q", "judged", "intervals", "machine"} <= set(shipped.provenance)
    tem = {row.judged: row for row in shipped.rows if row.mechanism == "TEM"}
    assert set(tem) == {row.judged for row in shipped.rows}
    for row in shipped.rows:
        assert row.made_equal in {"original", *claim.EQUALITIES}
        for name in ("guessed", "closeness", "logistic", "fasttext_private"):
            low, value, high = (getattr(row, f"{name}{end}") for end in ("_from", "", "_to"))
            assert low - 1e-9 <= value <= high + 1e-9
    unequal = {
        (one.judged, one.made_equal, one.mechanism)
        for one in claim.comparisons(shipped.rows)
        if one.verdict == "not equal"
    }
    for row in shipped.rows:
        if row.mechanism not in ("", "TEM"):
            far = abs(claim.missed(row, tem[row.judged])) > claim.TOLERANCE
            assert far == ((row.judged, row.made_equal, row.mechanism) in unequal)
