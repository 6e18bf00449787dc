import numpy as np
import pytest

from measures.words.odds import closest_pair, neighbouring_sentence, swap
from mechanisms import CMP, Gaussian, Laplace, Mahalanobis, Vickrey
from pages.perturb import wording
from tests.toy import TOY


def test_the_bound_of_two_words_is_epsilon_times_their_distance():
    guarantee = CMP(epsilon=3).guarantee(TOY)
    found = swap(guarantee, TOY, TOY.get("origin"), TOY.get("north"))
    assert found.distance == 1.25
    assert found.log_ratio == pytest.approx(3 * 1.25)


def test_the_distance_is_the_guarantees_own():
    guarantee = Mahalanobis(epsilon=3).guarantee(TOY)
    a, b = TOY.get("origin"), TOY.get("lonely")
    found = swap(guarantee, TOY, a, b)
    assert found.distance == pytest.approx(guarantee.distance.between(TOY, [a], [b])[0])
    assert found.distance != pytest.approx(TOY.distance_between([a], [b])[0])


def test_pure_privacy_bounds_any_two_words_alike_and_delta_bounds_no_single_output():
    pure = Laplace(epsilon=3).guarantee(TOY)
    assert swap(pure, TOY, 0, 1).log_ratio == swap(pure, TOY, 0, 10).log_ratio == 3
    assert swap(Gaussian(epsilon=3).guarantee(TOY), TOY, 0, 1).log_ratio is None


def test_the_closest_pair_is_that_of_brute_force():
    ids = np.array([0, 1, 4, 8, 9, 10])
    pairs = [(i, j) for i in ids for j in ids if i < j]
    nearest = min(pairs, key=lambda pair: TOY.distance_between([pair[0]], [pair[1]])[0])
    assert closest_pair(TOY, ids) == nearest


def test_fewer_than_two_different_words_have_no_closest_pair():
    assert closest_pair(TOY, [3, 3]) is None
    assert closest_pair(TOY, []) is None


def test_words_that_carry_meaning_are_preferred(glove):
    ids = glove.ids(["the", "a", "of", "movie", "film"])
    assert {glove.words[i] for i in closest_pair(glove, ids)} == {"movie", "film"}


def test_a_neighbouring_sentence_swaps_the_rarest_words_for_their_nearest(glove):
    guarantee = CMP(epsilon=2).guarantee(glove)
    ids = glove.ids(["the", "movie", "tragic"])
    swaps = neighbouring_sentence(guarantee, glove, ids)
    assert {s.word_id for s in swaps} == set(ids[1:].tolist())
    for s in swaps:
        others = np.delete(glove.distances([s.word_id])[0], s.word_id)
        assert s.distance == pytest.approx(others.min())
        assert s.other_id != s.word_id


def test_a_sentence_without_words_has_no_neighbour():
    assert neighbouring_sentence(CMP(epsilon=1).guarantee(TOY), TOY, []) == []


def test_a_repeated_word_counts_as_often_as_it_occurs():
    guarantee = CMP(epsilon=2).guarantee(TOY)
    ids = TOY.ids(["north", "north", "east", "north", "north"])
    swaps = {s.word_id: s for s in neighbouring_sentence(guarantee, TOY, ids)}
    assert [swaps[i].places for i in TOY.ids(["north", "east"])] == [4, 1]
    for found in swaps.values():
        one = guarantee.log_ratio_bound(TOY, [found.word_id], [found.other_id])[0]
        assert found.log_ratio == pytest.approx(found.places * one)
    assert swap(guarantee, TOY, 0, 1, 3).log_ratio == 3 * swap(guarantee, TOY, 0, 1).log_ratio


@pytest.mark.parametrize("places", [1, 3])
def test_the_odds_of_known_or_unknown_are_bounded_by_the_distance_to_the_unknown_word(places):
    origin = TOY.get("origin")
    distance = np.linalg.norm(TOY.vectors.astype(float).mean(axis=0))
    found = swap(CMP(epsilon=3).guarantee(TOY), TOY, origin, TOY.unknown_id, places)
    assert found.distance == pytest.approx(distance)
    assert found.log_ratio == pytest.approx(3 * distance * places)
    assert wording.known_or_unknown(found, TOY).startswith(
        "One version can make the odds of **origin** against an unknown word"
    )
    assert ("all 3 places" in wording.known_or_unknown(found, TOY)) == (places == 3)
    none = swap(Vickrey(epsilon=3, variant="published").guarantee(TOY), TOY, 0, TOY.unknown_id)
    assert "No promise covers whether **origin**" in wording.known_or_unknown(none, TOY)
    assert swap(Vickrey(epsilon=3, variant="published").guarantee(TOY), TOY, 0, 1).log_ratio is None
    delta = swap(Gaussian(epsilon=3).guarantee(TOY), TOY, 0, TOY.unknown_id)
    assert wording.known_or_unknown(delta, TOY) == ""
