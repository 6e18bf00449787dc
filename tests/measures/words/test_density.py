"""Neighbour distances, reach, maps and N_w against density, against brute force."""

import numpy as np
import pytest
from scipy import stats

from measures.words import density
from mechanisms import (
    CMP,
    TEM,
    Gaussian,
    Laplace,
    Mahalanobis,
    SanText,
    TruncatedLaplace,
    Vickrey,
    Vocabulary,
)
from mechanisms.epsilon_path import epsilon_path
from mechanisms.estimate import Source
from tests.claims import ALPHA
from tests.toy import TOY, first_words

RNG = np.random.default_rng


def brute_force(vocabulary, word):
    """Sorted distances from a word to every other one, by difference."""
    vectors = vocabulary.vectors.astype(float)
    return np.sort(np.delete(np.linalg.norm(vectors - vectors[word], axis=1), word))


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path))
    return tmp_path


# ----------------------------------------------------------------------------- neighbour distances


@pytest.mark.parametrize("most", [1, 5, 11, 1000])
def test_percentiles_are_those_of_all_distances_by_brute_force_on_toy(most):
    found = density.neighbour_distances(TOY, np.arange(len(TOY)), most)
    distances = np.array([brute_force(TOY, w) for w in range(len(TOY))])[:, :most]
    expected = np.percentile(distances, density.PERCENTILES, axis=0)
    np.testing.assert_allclose(found.percentiles, expected, rtol=1e-6, atol=1e-7)


def test_percentiles_are_those_of_all_distances_by_brute_force_on_glove(glove):
    ids = density.sampled_words(glove, 40)
    found = density.neighbour_distances(glove, ids)
    distances = np.array([brute_force(glove, w) for w in ids])[:, :1000]
    expected = np.percentile(distances, density.PERCENTILES, axis=0)
    np.testing.assert_allclose(found.percentiles, expected, rtol=1e-6)
    np.testing.assert_allclose(found.kept, distances[:, [0, 9, 99]], rtol=1e-6)


def test_a_word_with_a_copy_has_a_neighbour_at_distance_zero():
    found = density.neighbour_distances(TOY, TOY.ids(["twin", "lonely"]), 3)
    assert found.kept[0, 0] == 0
    assert found.kept[1, 0] > 5


def test_distances_do_not_depend_on_threads_and_progress_reaches_the_end(glove):
    told = []
    ids = density.sampled_words(glove, 600)
    one = density.neighbour_distances(glove, ids, 20, threads=1, progress=told.append)
    two = density.neighbour_distances(glove, ids, 20, threads=2)
    assert (one.percentiles == two.percentiles).all()
    assert told == sorted(told)
    assert told[0] == 0
    assert told[-1] == 1


def test_what_progress_raises_stops_the_work_and_nothing_is_kept(glove, own_store):
    def stop(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        density.kept_neighbour_distances(glove, 500, stop)
    assert not list(own_store.iterdir())


def test_the_second_time_comes_from_disk_and_is_the_same(glove):
    told = []
    first = density.kept_neighbour_distances(glove, 300)
    second = density.kept_neighbour_distances(glove, 300, told.append)
    assert told == []
    assert (first.percentiles == second.percentiles).all()
    assert (first.word_ids == second.word_ids).all()


def test_a_single_word_has_no_neighbours():
    with pytest.raises(ValueError, match="two words of a vocabulary"):
        density.neighbour_distances(first_words(1), [0])
    assert density.landmarks(first_words(1)) is None


def test_the_sample_is_always_the_same_and_all_words_where_there_are_fewer():
    assert (density.sampled_words(TOY, 5) == density.sampled_words(TOY, 5)).all()
    assert len(np.unique(density.sampled_words(TOY, 5))) == 5
    assert (density.sampled_words(TOY, None) == np.arange(len(TOY))).all()
    assert (density.sampled_words(TOY, 100) == np.arange(len(TOY))).all()


def test_words_are_ordered_from_the_densest_place_to_the_sparsest(glove):
    found = density.neighbour_distances(glove, density.sampled_words(glove, 200), 20)
    order = found.order()
    tenth = [brute_force(glove, w)[9] for w in order[[0, 1, -2, -1]]]
    assert tenth == sorted(tenth)


def test_landmarks_are_medians_of_true_distances(glove):
    marks = density.landmarks(glove, 60)
    ids = density.sampled_words(glove, 60)
    distances = np.array([brute_force(glove, w) for w in ids])
    assert marks.nearest == pytest.approx(np.median(distances[:, 0]), rel=1e-6)
    assert marks.tenth == pytest.approx(np.median(distances[:, 9]), rel=1e-6)
    assert marks.any_two == pytest.approx(np.median(distances), rel=0.1)


# ------------------------------------------------------------------------------------------- reach


def test_words_within_a_radius_are_counted_as_by_brute_force(glove):
    word = glove.get("movie")
    found = density.reach(CMP(epsilon=10.0), glove, word, RNG(0))
    distances = np.append(0.0, brute_force(glove, word))
    assert (found.words == [(distances <= r).sum() for r in found.radius]).all()
    assert found.farthest == 2 * found.median
    assert found.within_reach == (distances <= found.farthest).sum()


@pytest.mark.parametrize(
    ("mechanism", "farther"),
    [
        (CMP(epsilon=25.0), False),
        (Vickrey(epsilon=60.0, t=0.9), True),
        (Vickrey(epsilon=60.0, variant="published"), True),
        (Gaussian(epsilon=200.0, clipping_norm=1.0), True),
        (Laplace(epsilon=2000.0, clipping_norm=1.0), True),
    ],
    ids=repr,
)
def test_noise_up_to_the_median_leads_no_farther_than_is_said(mechanism, farther, glove):
    """Twice the median is too little for a clipped start, and for the second nearest word."""
    found = density.reach(mechanism, glove, 500, RNG(0))
    noise = mechanism.noise(glove, 4_000, RNG(1))
    noise = noise[np.linalg.norm(noise, axis=1) <= found.median]
    ids = np.full(len(noise), 500)
    released = mechanism.choose(glove, ids, mechanism.start(glove, ids) + noise, RNG(2))
    moved = glove.distance_between(released, ids)
    assert moved.max() <= found.farthest
    assert (moved.max() > 2 * found.median) == farther


def lengths_drawn(mechanism, vocabulary, draws=20_000):
    return np.linalg.norm(mechanism.noise(vocabulary, draws, RNG(7)), axis=1)


@pytest.mark.parametrize(
    "mechanism",
    [
        CMP(epsilon=10.0),
        Vickrey(epsilon=10.0),
        Gaussian(epsilon=50.0),
        Mahalanobis(epsilon=10.0),
        Laplace(epsilon=100.0),
        TruncatedLaplace(epsilon=100.0),
    ],
    ids=lambda m: m.name,
)
def test_the_length_of_the_noise_is_that_of_fresh_noise(mechanism, glove):
    found = density.reach(mechanism, glove, 500, RNG(0))
    assert found.moved == "noise"
    lengths = lengths_drawn(mechanism, glove)
    share = [np.mean(lengths <= q) for q in (found.low, found.median, found.high)]
    np.testing.assert_allclose(share, [0.05, 0.5, 0.95], atol=0.02)
    assert (found.density * np.diff(np.log10(found.radius))).sum() == pytest.approx(1, abs=0.002)


def test_only_a_length_with_a_closed_law_is_called_exact(glove):
    exact = {
        m.name: density.reach(m, glove, 500, RNG(0)).source.is_exact
        for m in (CMP(epsilon=9.0), Vickrey(epsilon=9.0), Gaussian(epsilon=9.0), TEM(epsilon=9.0))
    }
    assert all(exact.values()), exact
    assert density.reach(Mahalanobis(epsilon=9.0), glove, 500, RNG(0)).source == Source(
        "draws", 20_000
    )
    # Without covariance in it Mahalanobis is CMP, and its length has CMP's law.
    assert density.reach(Mahalanobis(epsilon=9.0, lam=0), glove, 500, RNG(0)).source.is_exact


@pytest.mark.parametrize("mechanism", [TEM(epsilon=5.0), SanText(epsilon=5.0)])
def test_without_noise_the_distance_of_the_output_is_shown(mechanism, glove):
    word = 500
    found = density.reach(mechanism, glove, word, RNG(0))
    law = np.exp(mechanism.log_prob(glove, [word])[0])
    distances = glove.distances([word])[0]
    assert found.moved == "output"
    assert found.stays == pytest.approx(law[word], rel=1e-9)
    for level, q in ((0.05, found.low), (0.5, found.median), (0.95, found.high)):
        assert law[distances <= q * (1 + 1e-9)].sum() >= level - 1e-9
        assert law[distances < q * (1 - 1e-9)].sum() <= level + 1e-9


def test_noise_gives_only_words_within_twice_its_length(glove):
    mechanism, word = CMP(epsilon=12.0), 700
    noise = mechanism.noise(glove, 500, RNG(1))
    released = glove.nearest(glove.vectors[word] + noise)
    moved = glove.distance_between(released, np.full(500, word))
    assert (moved <= 2 * np.linalg.norm(noise, axis=1) + 1e-6).all()


@pytest.mark.parametrize("epsilon", [1e-300, 1e-9, 1e9, 1e300])
@pytest.mark.parametrize("cls", [CMP, Laplace, TEM])
def test_reach_is_answered_at_extreme_epsilon(cls, epsilon):
    found = density.reach(cls(epsilon=epsilon), TOY, 0, RNG(0))
    assert np.isfinite(found.radius).all()
    assert np.isfinite(found.density).all()
    assert found.low <= found.median <= found.high


def test_the_gamma_of_tem_is_given_only_where_epsilon_means_the_same(glove):
    own = TEM(epsilon=8.0, gamma=2.5)
    assert density.gamma_at(own, glove) == 2.5
    theorem = TEM(epsilon=8.0).threshold(glove)
    assert density.gamma_at(CMP(epsilon=8.0), glove) == theorem
    assert density.gamma_at(SanText(epsilon=8.0), glove) == theorem
    for other in (Mahalanobis(epsilon=8.0), Laplace(epsilon=8.0), Gaussian(epsilon=8.0)):
        assert density.gamma_at(other, glove) is None


def test_reach_of_a_vocabulary_of_one_word_and_of_equal_words():
    same = Vocabulary(["a", "b"], np.ones((2, 3)))
    for vocabulary in (first_words(1), same):
        found = density.reach(CMP(epsilon=1.0), vocabulary, 0, RNG(0))
        assert (found.words == len(vocabulary)).all()


# ----------------------------------------------------------------------------------- neighbourhood


def test_the_map_shows_the_nearest_words_of_the_full_space(glove):
    found = density.neighbourhood(glove, 800, 30)
    assert found.word_ids[0] == 800
    np.testing.assert_allclose(found.distances[1:], brute_force(glove, 800)[:30], rtol=1e-9)
    assert (found.places[0] == 0).all()
    assert 0 < found.spread < 1


def test_a_map_of_words_in_the_plane_keeps_every_distance():
    found = density.neighbourhood(TOY, TOY.get("east"), 11)
    assert found.spread == pytest.approx(1)
    np.testing.assert_allclose(np.linalg.norm(found.places, axis=1), found.distances, atol=1e-6)


@pytest.mark.parametrize("words", [1, 2, 3])
def test_a_map_of_one_two_or_three_words(words):
    found = density.neighbourhood(first_words(words), 0, 30)
    assert len(found.word_ids) == words
    assert np.isfinite(found.places).all()


def test_a_map_of_words_on_a_line_and_of_copies():
    line = Vocabulary(list("abcd"), [[0.0], [1.0], [3.0], [-2.0]])
    assert (density.neighbourhood(line, 0, 3).places[:, 1] == 0).all()
    copies = density.neighbourhood(Vocabulary(["a", "b", "c"], np.ones((3, 2))), 2, 2)
    assert copies.word_ids[0] == 2
    assert copies.spread == 1


def test_a_copy_never_takes_the_place_of_the_word_itself():
    copies = Vocabulary([f"w{i}" for i in range(9)], np.zeros((9, 2)))
    found = density.neighbourhood(copies, 8, 3)
    assert list(found.word_ids) == [8, 0, 1, 2]


# -------------------------------------------------------------------------------------- adaptation


def test_both_mechanisms_stand_at_the_same_mean_and_are_computed_once(glove):
    told = []
    found = density.adaptation(glove, told.append)
    assert told[-1] == 1
    mean = [n_w.value.mean() for n_w in found.unchanged]
    assert mean[0] == pytest.approx(mean[1], abs=1e-5)
    assert 0.1 < mean[0] < 0.9
    again = density.adaptation(glove, told.append)
    assert told.count(1) == 1
    assert again.epsilon == found.epsilon


def test_what_is_shown_is_n_w_of_each_mechanism_and_the_distance_to_the_tenth_word(glove):
    found = density.adaptation(glove)
    law = TEM(epsilon=found.epsilon[1]).log_prob(glove, found.word_ids)
    exact = np.exp(law[np.arange(len(law)), found.word_ids])
    of_cmp, of_tem = found.unchanged
    np.testing.assert_allclose(of_tem.value, exact, rtol=1e-9)
    assert of_tem.source.is_exact
    assert of_cmp.source.kind == "directions"
    tenth = [brute_force(glove, w)[9] for w in found.word_ids]
    np.testing.assert_allclose(found.tenth, tenth, rtol=1e-6)
    # Fresh draws of CMP: their mean differs from the path's by chance only.
    released = CMP(epsilon=found.epsilon[0]).sample(glove, found.word_ids, 100, RNG(9))
    drawn = (released == found.word_ids[:, None]).mean()
    path = epsilon_path(CMP.family(), glove, found.word_ids, 200, RNG(11))
    fresh = path.unchanged_probability(found.epsilon[0]).value.mean()
    assert of_cmp.value.mean() == pytest.approx(drawn, abs=0.03)
    assert of_cmp.value.mean() == pytest.approx(fresh, abs=0.03)
    # From disk the intervals are those that were computed, of some width.
    assert (of_cmp.high > of_cmp.low).any()
    assert ((of_cmp.low <= of_cmp.value) & (of_cmp.value <= of_cmp.high)).all()


@pytest.mark.parametrize("vocabulary", [TOY, first_words(2)], ids=["toy", "two-words"])
def test_a_handful_of_words_is_answered(vocabulary):
    found = density.adaptation(vocabulary)
    assert np.isfinite(found.epsilon).all()
    for n_w in found.unchanged:
        assert ((n_w.low >= 0) & (n_w.high <= 1)).all()


def test_the_correlation_is_spearmans(glove):
    found = density.adaptation(glove)
    for value, n_w in zip(found.correlation, found.unchanged, strict=True):
        assert value == pytest.approx(stats.spearmanr(found.tenth, n_w.value)[0], abs=1e-12)


def test_ranks_share_ties():
    assert list(density._ranks(np.array([3.0, 1.0, 3.0, 2.0]))) == [3.5, 1, 3.5, 2]


def test_the_noise_of_cmp_follows_its_own_law(glove):
    lengths = lengths_drawn(CMP(epsilon=10.0), glove, 4_000)
    mechanism = CMP(epsilon=10.0)
    assert stats.kstest(lengths, lambda r: mechanism.radius_cdf(glove, r)).pvalue > ALPHA
    wrong = CMP(epsilon=11.0)
    assert stats.kstest(lengths, lambda r: wrong.radius_cdf(glove, r)).pvalue < ALPHA
