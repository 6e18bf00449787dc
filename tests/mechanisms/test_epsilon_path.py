import dataclasses
import threading
import tracemalloc
from functools import cache

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad
from threadpoolctl import threadpool_info, threadpool_limits

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
from mechanisms.epsilon_path import (
    EpsilonPath,
    epsilon_path,
    exact_answers,
    has_path,
    sampled_path,
)
from mechanisms.estimate import EXACT
from tests.claims import assert_drawn_from, assert_not_drawn_from
from tests.toy import TOY

EVERY_WORD = np.arange(len(TOY))

# Clipped so short that some words do not win at r = 0.
SHORT = 1.5

RADIAL = [
    CMP.family(),
    Mahalanobis.family(lam=0.7),
    Gaussian.family(clipping_norm=SHORT),
    Gaussian.family(clipping_norm=SHORT, variant="published"),
    Vickrey.family(t=0.3),
    Vickrey.family(t=0.7, variant="published"),
]
BY_SCORE = [
    SanText.family(),
    TEM.family(),
    TEM.family(gamma=1.3),
    TEM.family(beta=0.95),  # Theorem 4.2 gives γ = 0
    UnigramTEM.family(),
    UnigramTEM.family(gamma=1.3),
]
EACH_RADIAL = pytest.mark.parametrize("family", RADIAL, ids=repr)


@cache
def scattered(size, dimensions, seed=0):
    vectors = np.random.default_rng(seed).normal(size=(size, dimensions))
    return Vocabulary([f"w{i}" for i in range(size)], vectors)


@cache
def circle(count):
    """Unit vectors at equal angles, none along an axis of symmetry."""
    angles = (np.arange(count) + 0.5) * (2 * np.pi / count)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def directions_in_the_plane(family, count):
    """The family's directions at equal angles of u."""
    if family.kind is not Mahalanobis:
        return circle(count)
    lengths, axes, _ = family.without_epsilon._stretch(TOY)
    return (circle(count) * lengths) @ axes.T


@cache
def plane_path(family):
    return epsilon_path(family, TOY, EVERY_WORD, directions_in_the_plane(family, 1500))


def segment_of(path, position, direction, radius):
    """The segment in which a radius lies."""
    run = position * path.directions + direction
    first, end = path.offsets[run], path.offsets[run + 1]
    return first + np.searchsorted(path.starts[first:end], radius, side="right") - 1


def nearest_by_brute_force(vocabulary, point, places, excluded=None):
    """The nearest different vectors by their lowest ids, and how clear-cut that is."""
    different = np.unique(vocabulary.representatives)
    if excluded is not None:
        different = different[different != vocabulary.representatives[excluded]]
    distances = np.linalg.norm(vocabulary.vectors[different] - point, axis=1)
    order = np.argsort(distances, kind="stable")[: places + 1]
    margin = np.diff(distances[order]).min() if len(order) > 1 else 1.0
    return different[order[:places]], margin


# ------------------------------------------------------------------------------------- the geometry


LINE = Vocabulary([f"w{i}" for i in range(300)], np.random.default_rng(3).normal(size=(300, 1)))
CROWDED = Vocabulary(
    [f"w{i}" for i in range(400)],
    np.repeat(np.random.default_rng(4).normal(size=(200, 4)), 2, axis=0),
)


@EACH_RADIAL
@pytest.mark.parametrize(
    "vocabulary", [TOY, LINE, CROWDED, scattered(3000, 12)], ids=["toy", "line", "crowded", "3000"]
)
def test_the_winner_at_every_radius_is_the_nearest_word(family, vocabulary):
    rng = np.random.default_rng(1)
    ids = np.arange(len(vocabulary))[[0, 1, 6, 8, 10, -1]]
    mechanism = family.at(1.0)
    directions = mechanism.directions(vocabulary, 40, rng)
    path = epsilon_path(family, vocabulary, ids, directions)
    vickrey = isinstance(mechanism, Vickrey)
    published = vickrey and mechanism.variant == "published"
    checked = 0
    for position, direction in np.ndindex(len(ids), len(directions)):
        start = mechanism.start(vocabulary, ids[position : position + 1])[0]
        for radius in np.append(rng.exponential(4.0, 2), [1e-6, 1e5]):
            point = start + radius * directions[direction]
            expected, margin = nearest_by_brute_force(
                vocabulary, point, 2 if vickrey else 1, ids[position] if published else None
            )
            if margin > 1e-8:
                segment = segment_of(path, position, direction, radius)
                assert path.words[segment].tolist() == expected.tolist()
                checked += 1
    assert checked > 500


@EACH_RADIAL
def test_breakpoints_rise_strictly_from_zero(family):
    path = plane_path(family)
    counts = np.diff(path.offsets)
    assert (counts >= 1).all()
    assert (path.starts[path.offsets[:-1]] == 0).all()
    inner = np.ones(len(path.starts), dtype=bool)
    inner[path.offsets[:-1]] = False
    assert (path.starts[inner] > path.starts[np.flatnonzero(inner) - 1]).all()
    assert counts.max() > 3


def test_words_in_one_place_appear_under_their_lowest_id_only():
    path = plane_path(CMP.family())
    assert TOY.get("copy") not in path.words
    assert TOY.get("twin") in path.words
    twin, copy = TOY.get("twin"), TOY.get("copy")
    np.testing.assert_array_equal(path.law(twin, 2.0).dense(), path.law(copy, 2.0).dense())
    assert (path.unchanged_probability([0.1, 10.0]).value[copy] == 0).all()


def test_ties_along_a_whole_ray_go_to_the_lowest_id():
    # b and c are mirror images in the ray: as near at every radius.
    mirror = Vocabulary(["a", "c", "b"], np.array([(0.0, 0.0), (1.0, 1.0), (1.0, -1.0)]))
    path = epsilon_path(CMP.family(), mirror, [0], np.array([[1.0, 0.0]]))
    assert path.words.ravel().tolist() == [0, 1]
    np.testing.assert_allclose(path.starts, [0, 1])
    runner_up = epsilon_path(Vickrey.family(), mirror, [0], np.array([[1.0, 0.0]]))
    assert runner_up.words.tolist() == [[0, 1], [1, 2]]


def test_the_clipped_start_need_not_be_nearest_to_its_own_word():
    path = plane_path(Gaussian.family(clipping_norm=SHORT))
    at_zero = path.words[path.offsets[:-1], 0].reshape(len(TOY), -1)[:, 0]
    assert at_zero[TOY.get("lonely")] != TOY.get("lonely")
    assert at_zero[TOY.get("east")] == TOY.get("east")


def test_one_word_is_all_there_is():
    alone = Vocabulary(["word"], np.ones((1, 3)))
    path = epsilon_path(CMP.family(), alone, [0], 5, np.random.default_rng(0))
    assert path.law(0, 0.3).falling.tolist() == [1.0]


@EACH_RADIAL
def test_no_words_have_no_answers(family):
    path = epsilon_path(family, TOY, [], 5, np.random.default_rng(0))
    assert path.unchanged_probability([1.0, 2.0]).value.shape == (0, 2)
    assert path.curves([1.0, 2.0], draws=5).distinct.shape == (0, 2)
    with pytest.raises(IndexError):
        path.law(0, 1.0)
    fixed = sampled_path(family, TOY, [], 3, np.random.default_rng(0))
    assert fixed.at(1.0).shape == (0, 3)


# ------------------------------------------------------------------------------------------ the law


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 4.0])
def test_two_words_in_the_plane_have_their_law_in_closed_form(epsilon):
    pair = Vocabulary(["here", "there"], np.array([(0.0, 0.0), (1.5, 2.0)]))
    # The noise crosses the bisector, 1.25 away, where r cos θ > 1.25.
    crossing, _ = quad(
        lambda a: stats.gamma(2).sf(epsilon * 1.25 / np.cos(a)) / np.pi, 0, np.pi / 2
    )
    path = epsilon_path(CMP.family(), pair, [0, 1], circle(40_000))
    answer = path.unchanged_probability([epsilon])
    np.testing.assert_allclose(answer.value, 1 - crossing, atol=1e-6)
    chi, sigma = stats.chi(2), Gaussian(epsilon=epsilon, clipping_norm=2.5).sigma(pair)
    crossing, _ = quad(lambda a: chi.sf(1.25 / sigma / np.cos(a)) / np.pi, 0, np.pi / 2)
    gaussian = epsilon_path(Gaussian.family(clipping_norm=2.5), pair, [0, 1], circle(40_000))
    answer = gaussian.unchanged_probability([epsilon])
    np.testing.assert_allclose(answer.value, 1 - crossing, atol=1e-6)


@pytest.mark.parametrize("t", [0.0, 0.4, 0.9])
@pytest.mark.parametrize("variant", ["published", "repaired"])
@pytest.mark.parametrize("epsilon", [0.1, 1.5, 20.0])
def test_vickreys_law_is_the_integral_of_its_choice_over_the_radius(epsilon, variant, t):
    mechanism = Vickrey(epsilon=epsilon, t=t, variant=variant)
    directions, steps = circle(24), 6000
    path = epsilon_path(mechanism.family(), TOY, EVERY_WORD[:10], directions)
    radii = stats.gamma(2, scale=1 / epsilon).ppf((np.arange(steps) + 0.5) / steps)
    for word in (0, 6, 8):
        points = TOY.vectors[word] + radii[:, None, None] * directions
        points = points.reshape(-1, 2).astype(np.float64)
        candidates, first = mechanism.candidates(TOY, np.full(len(points), word), points)
        law = np.bincount(candidates[:, 0], first, len(TOY))
        law += np.bincount(candidates[:, 1], 1 - first, len(TOY))
        found = path.law(word, epsilon).dense()
        np.testing.assert_allclose(found, law / len(points), atol=1e-4)


def test_vickrey_without_weight_on_the_second_is_cmp():
    vickrey = epsilon_path(Vickrey.family(t=0), TOY, EVERY_WORD, circle(50))
    cmp = epsilon_path(CMP.family(), TOY, EVERY_WORD, circle(50))
    for epsilon in (0.1, 1.0, 9.0):
        for word in EVERY_WORD:
            a, b = (path.law(word, epsilon).dense() for path in (vickrey, cmp))
            np.testing.assert_allclose(a, b, atol=1e-12)


def test_vickrey_as_published_never_keeps_the_word():
    path = plane_path(Vickrey.family(t=0.7, variant="published"))
    assert (path.unchanged_probability([0.01, 1.0, 100.0]).value == 0).all()


@EACH_RADIAL
@pytest.mark.parametrize("epsilon", [0.6, 2.0])
def test_draws_follow_the_law_and_a_tenth_more_or_less_is_noticed(family, epsilon):
    words = [TOY.get("origin"), TOY.get("twin")]
    path = plane_path(family)
    released = family.at(epsilon).sample(TOY, words, 80_000, np.random.default_rng(2))
    for position, word in enumerate(words):
        counts = np.bincount(released[position], minlength=len(TOY))
        assert_drawn_from(counts, path.law(word, epsilon).dense())
        for wrong in (1.1 * epsilon, epsilon / 1.1):
            assert_not_drawn_from(counts, path.law(word, wrong).dense())


@pytest.mark.parametrize("family", [CMP.family(), Mahalanobis.family(), Vickrey.family()], ids=repr)
def test_in_many_dimensions_draws_keep_the_word_as_often_as_the_path_says(family):
    vocabulary, word, draws = scattered(3000, 12), 5, 6000
    path = epsilon_path(family, vocabulary, [word], 4000, np.random.default_rng(3))
    for epsilon in (2.5, 4.0, 6.0):
        answer = path.unchanged_probability([epsilon, epsilon * 1.1])
        right, wrong = answer.value[0]
        at = family.at(epsilon)
        released = at.sample(vocabulary, [word], draws, np.random.default_rng(4))
        kept = (released == word).mean()
        error = np.hypot(answer.half_width[0, 0] / 1.96, np.sqrt(right * (1 - right) / draws))
        assert 0.02 < right < 0.99
        assert abs(kept - right) < 5 * error
        assert abs(kept - wrong) > abs(kept - right)
        assert abs(wrong - right) > 2 * error


@EACH_RADIAL
@pytest.mark.parametrize("epsilon", [1e-9, 0.3, 7.0, 1e3, 1e9])
def test_every_law_sums_to_one(family, epsilon):
    path = plane_path(family)
    for word in EVERY_WORD:
        probability = path.law(word, epsilon).falling
        assert probability.sum() == pytest.approx(1, abs=1e-12)
        assert (probability > 0).all()
        assert (np.diff(probability) <= 0).all()


@pytest.mark.parametrize(
    "family",
    [
        CMP.family(),
        Mahalanobis.family(lam=0.9),
        Vickrey.family(t=0.2),
        Vickrey.family(t=0.5),
    ],
    ids=repr,
)
def test_n_w_rises_with_epsilon_where_the_start_is_the_word_itself(family):
    path = epsilon_path(family, scattered(500, 8), np.arange(20), 50, np.random.default_rng(5))
    n_w = path.unchanged_probability(np.geomspace(0.01, 1000, 80)).value
    # The quadrature of Vickrey's choice has an error of its own.
    assert (np.diff(n_w, axis=1) >= (-1e-5 if family.kind is Vickrey else 0)).all()
    assert n_w[:, -1].min() > 0.99


def test_n_w_need_not_rise_above_a_weight_of_one_half_or_with_clipped_vectors():
    grid = np.geomspace(0.01, 1000, 80)
    vickrey = epsilon_path(
        Vickrey.family(t=0.9), scattered(500, 8), np.arange(5), 50, np.random.default_rng(5)
    )
    assert (np.diff(vickrey.unchanged_probability(grid).value, axis=1) < -1e-3).any()
    gaussian = plane_path(Gaussian.family(clipping_norm=SHORT))
    n_w = gaussian.unchanged_probability(grid).value
    assert (np.diff(n_w, axis=1) < -1e-3).any()
    assert n_w[TOY.get("lonely"), -1] < 1e-6


# --------------------------------------------------------------------------- the work's arrangement


@pytest.mark.parametrize("family", [CMP.family(), Vickrey.family()], ids=repr)
def test_the_result_does_not_depend_on_blocks_or_threads(family):
    def computed(**arrangement):
        return epsilon_path(
            family,
            scattered(3000, 12),
            np.arange(4),
            700,
            np.random.default_rng(6),
            **arrangement,
        )

    reference = computed()
    for arrangement in (
        {"block": 37},
        {"block": 700},
        {"block": 10**4},
        {"threads": 1},
        {"threads": 5},
    ):
        other = computed(**arrangement)
        for name in ("offsets", "starts", "words", "lines"):
            np.testing.assert_array_equal(getattr(other, name), getattr(reference, name))


def test_many_directions_are_those_of_several_smaller_paths():
    directions = CMP(epsilon=1).directions(TOY, 9000, np.random.default_rng(7))
    whole = epsilon_path(CMP.family(), TOY, [0, 3], directions)
    halves = [epsilon_path(CMP.family(), TOY, [0, 3], directions[h::2]) for h in (0, 1)]
    n_w = [path.unchanged_probability([1.0, 3.0]).value for path in (whole, *halves)]
    np.testing.assert_allclose(n_w[0], (n_w[1] + n_w[2]) / 2, rtol=1e-12)


def test_a_finished_path_cannot_be_changed():
    path = plane_path(CMP.family())
    for array in (path.word_ids, path.offsets, path.starts, path.words, path.lines):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        path.directions = 3
    fixed = sampled_path(CMP.family(), TOY, [0], 3, np.random.default_rng(0))
    with pytest.raises(ValueError, match="read-only"):
        fixed.words[0] = 1


def blas_threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


class Stopped(Exception):
    """The visitor has left."""


@pytest.mark.parametrize("kind", ["path", "sampled", "curves"])
def test_stopping_leaves_no_thread_no_limit_and_no_trace(kind):
    vocabulary = scattered(3000, 12)
    path = epsilon_path(CMP.family(), vocabulary, np.arange(30), 100, np.random.default_rng(8))
    run = {
        "path": lambda **how: (
            epsilon_path(
                CMP.family(), vocabulary, np.arange(30), 100, np.random.default_rng(8), **how
            ).starts
        ),
        "sampled": lambda **how: (
            sampled_path(
                CMP.family(), vocabulary, np.arange(30), 5, np.random.default_rng(8), **how
            ).epsilons
        ),
        "curves": lambda **how: path.curves([1.0, 2.0], **how).distinct.value,
    }[kind]
    told = []

    def stop(share):
        told.append(share)
        if share > 0.2:
            raise Stopped

    before = run()
    threads = threading.active_count()
    with threadpool_limits(2, "blas"):
        # Not every BLAS follows: that of faiss goes by OpenMP's threads, which are one here.
        limits = blas_threads()
        assert 2 in limits
        with pytest.raises(Stopped):
            run(progress=stop)
        assert blas_threads() == limits
    assert threading.active_count() == threads
    assert told[0] == 0
    assert told == sorted(told)
    assert told[-1] < 0.5
    np.testing.assert_array_equal(run(), before)
    run(progress=told.append)
    assert told[-1] == 1


@pytest.mark.parametrize("family", [CMP.family(), Vickrey.family()], ids=repr)
def test_beyond_the_vocabulary_and_the_result_it_takes_less_than_200_megabytes(family):
    vocabulary = scattered(100_000, 10)
    _ = vocabulary.representatives, vocabulary.longest
    tracemalloc.start()
    try:
        path = epsilon_path(family, vocabulary, [7], 3000, np.random.default_rng(9), threads=2)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(path.starts) > 3000
    assert peak < 200e6


# ------------------------------------------------------------------------------------ what is asked


def test_the_error_of_n_w_is_that_of_independent_directions():
    vocabulary, rng = scattered(500, 8), np.random.default_rng(10)
    answers = [
        epsilon_path(CMP.family(), vocabulary, [3], 100, rng).unchanged_probability([6.0])
        for _ in range(200)
    ]
    spread = np.std([answer.value[0, 0] for answer in answers], ddof=1)
    claimed = np.mean([answer.half_width[0, 0] for answer in answers]) / stats.t.ppf(0.975, 99)
    assert claimed == pytest.approx(spread, rel=0.25)
    single = epsilon_path(CMP.family(), vocabulary, [3], 1, rng).unchanged_probability([4.0])
    assert (single.high - single.low > 0.9).all()


@pytest.mark.parametrize("family", [CMP.family(), Vickrey.family()], ids=repr)
def test_distinct_outputs_are_those_of_real_draws_and_the_plug_in_is_too_low(family):
    vocabulary, epsilon, m = scattered(3000, 12), 2.5, 50
    at = family.at(epsilon)
    released = at.sample(vocabulary, [11], 400 * m, np.random.default_rng(11)).reshape(400, m)
    counts = np.array([len(np.unique(row)) for row in released])
    path = epsilon_path(family, vocabulary, [11], 100 * m, np.random.default_rng(12))
    answer = path.distinct_outputs([epsilon, 1.2 * epsilon], m)
    error = np.hypot(answer.half_width[0, 0] / 1.96, counts.std() / np.sqrt(len(counts)))
    assert abs(answer.value[0, 0] - counts.mean()) < 5 * error
    assert abs(answer.value[0, 1] - counts.mean()) > 5 * error  # power
    few = epsilon_path(family, vocabulary, [11], m, np.random.default_rng(13))
    averaged = few.law(0, epsilon).falling
    plug_in = (1 - (1 - averaged) ** m).sum()
    assert plug_in < 0.92 * counts.mean()


def test_distinct_outputs_of_one_draw_is_one_and_more_draws_than_directions_are_refused():
    path = epsilon_path(CMP.family(), TOY, EVERY_WORD, 100, np.random.default_rng(14))
    one = path.distinct_outputs([0.5, 5.0], 1)
    np.testing.assert_allclose(one.value, 1, rtol=1e-12)
    alone = path.distinct_outputs([0.5], 100)
    assert (alone.half_width > 0.1 * alone.value).all()
    with pytest.raises(ValueError, match=r"m \(draws\) must be at most .* 100; got 101"):
        path.distinct_outputs([0.5], 101)


def test_directions_beyond_the_last_whole_group_are_left_out():
    directions = CMP(epsilon=1).directions(TOY, 100, np.random.default_rng(14))
    every, whole = (epsilon_path(CMP.family(), TOY, [0, 3], directions[:n]) for n in (100, 90))
    a, b = (path.distinct_outputs([0.5, 2.0], 30) for path in (every, whole))
    np.testing.assert_array_equal(a.value, b.value)
    np.testing.assert_array_equal(a.half_width, b.half_width)


def test_support_and_entropies_are_those_of_the_law():
    path = plane_path(CMP.family())
    for epsilon in (0.3, 3.0):
        h_0, h_infinity = path.entropies([epsilon], eta=0)
        for word in EVERY_WORD:
            probability = path.law(word, epsilon).falling
            assert h_0[word, 0] == pytest.approx(np.log(len(probability)))
            assert h_infinity[word, 0] == pytest.approx(-np.log(probability[0]))
            for eta in (0.01, 0.2):
                smallest = int(path.effective_support([epsilon], eta).value[word, 0])
                assert probability[:smallest].sum() >= 1 - eta - 1e-9
                assert probability[: smallest - 1].sum() < 1 - eta + 1e-9


def test_the_support_seen_from_directions_grows_with_them():
    support = [
        epsilon_path(CMP.family(), scattered(3000, 12), [2], count, np.random.default_rng(15))
        .effective_support([3.0], 0.01)
        .value.item()
        for count in (20, 200, 2000)
    ]
    assert support == sorted(support)
    assert support[2] > 2 * support[0]


def test_curves_are_the_answers_on_their_grid_and_between_its_points():
    path, grid = plane_path(CMP.family()), np.geomspace(0.1, 20, 60)
    curves = path.curves(grid, draws=20, eta=0.05)
    at = curves.at(grid[17])
    np.testing.assert_allclose(
        at.unchanged.value, path.unchanged_probability([grid[17]]).value[:, 0]
    )
    np.testing.assert_allclose(at.distinct.value, path.distinct_outputs([grid[17]], 20).value[:, 0])
    np.testing.assert_allclose(
        curves.at(1.234).unchanged.value, path.unchanged_probability([1.234]).value[:, 0], atol=1e-3
    )
    with pytest.raises(ValueError, match=r"must lie in \[0.1, 20\]; got 21"):
        curves.at(21.0)


# ------------------------------------------------------------------------------------ exact answers


@pytest.mark.parametrize("family", [SanText.family(), TEM.family()], ids=repr)
def test_a_known_law_answers_the_same_questions_exactly(family):
    answers, grid, m = exact_answers(family, TOY, EVERY_WORD), np.array([0.5, 2.0, 8.0]), 7
    curves = answers.curves(grid, draws=m, eta=0.1)
    h_0, h_infinity = answers.entropies(grid, eta=0.1)
    n_w = answers.unchanged_probability(grid)
    assert n_w.source == EXACT
    for column, epsilon in enumerate(grid):
        law = np.exp(family.at(epsilon).log_prob(TOY, EVERY_WORD))
        np.testing.assert_allclose(n_w.value[:, column], np.diag(law))
        np.testing.assert_allclose(curves.unchanged.value[:, column], np.diag(law))
        np.testing.assert_allclose(
            curves.distinct.value[:, column], (1 - (1 - law) ** m).sum(axis=1)
        )
        np.testing.assert_allclose(h_infinity[:, column], -np.log(law.max(axis=1)))
        ranked = -np.sort(-law, axis=1)
        needed = (np.cumsum(ranked, axis=1) < 0.9).sum(axis=1) + 1
        np.testing.assert_array_equal(curves.support.value[:, column], needed)
        np.testing.assert_allclose(h_0[:, column], np.log(needed))
        for word in EVERY_WORD:
            np.testing.assert_allclose(answers.law(word, epsilon).dense(), law[word])


def test_exact_answers_need_a_known_law():
    with pytest.raises(TypeError, match="CMP has no law in closed form"):
        exact_answers(CMP.family(), TOY, [0])


# ------------------------------------------------------------------------------------ sampled paths


def test_who_has_a_path():
    assert all(has_path(m) for m in [*RADIAL, *BY_SCORE, Laplace.family()])
    for without in (TruncatedLaplace.family(), TruncatedGumbel.family(), SynTF.family()):
        assert not has_path(without)
        with pytest.raises(TypeError, match=rf"{without.name} changes shape with ε"):
            sampled_path(without, TOY, [0], 1, np.random.default_rng(0))


@pytest.mark.parametrize("family", BY_SCORE, ids=repr)
@pytest.mark.parametrize("epsilon", [0.01, 0.4, 1.7, 12.0, 300.0])
def test_by_score_the_step_at_every_epsilon_is_the_word_of_the_largest_noisy_score(family, epsilon):
    path = sampled_path(family, TOY, EVERY_WORD, 400, np.random.default_rng(16))
    rng, at = np.random.default_rng(16), family.at(epsilon)
    for word in EVERY_WORD:
        noise = rng.gumbel(size=(400, len(TOY)))
        # log Pr is the score up to a constant.
        scores = at.log_prob(TOY, np.array([word]))[0] + noise
        np.testing.assert_array_equal(path.at(epsilon)[word], scores.argmax(axis=1))


@pytest.mark.parametrize("family", [m for m in RADIAL if m.name != "Vickrey"], ids=repr)
@pytest.mark.parametrize("epsilon", [0.05, 0.6, 2.0, 15.0])
def test_radially_the_step_at_every_epsilon_is_the_word_nearest_to_the_fixed_noise(family, epsilon):
    draws = 30
    path = sampled_path(family, TOY, EVERY_WORD, draws, np.random.default_rng(17))
    rng, at = np.random.default_rng(17), family.at(epsilon)
    for word in EVERY_WORD:
        directions = at.directions(TOY, draws, rng)
        radius = at.radius(TOY, draws, rng)
        rng.random(draws)
        points = at.start(TOY, np.array([word])) + radius[:, None] * directions
        np.testing.assert_array_equal(path.at(epsilon)[word], TOY.nearest(points))


def test_laplace_follows_its_scale():
    path = sampled_path(Laplace.family(), TOY, EVERY_WORD, 200, np.random.default_rng(18))
    rng = np.random.default_rng(18)
    noise = rng.laplace(size=(len(TOY), 200, 2))
    for epsilon in (0.5, 20.0, 90.0, 1e4):
        at = Laplace(epsilon=epsilon)
        for word in EVERY_WORD:
            points = at.start(TOY, np.array([word])) + at.scale(TOY) * noise[word]
            np.testing.assert_array_equal(path.at(epsilon)[word], TOY.nearest(points))


@pytest.mark.parametrize("variant", ["published", "repaired"])
@pytest.mark.parametrize("epsilon", [0.05, 0.6, 2.0, 15.0])
def test_vickreys_fixed_draw_chooses_by_its_fixed_number(epsilon, variant):
    family, draws = Vickrey.family(t=0.6, variant=variant), 200
    path = sampled_path(family, TOY, EVERY_WORD, draws, np.random.default_rng(19))
    rng, at = np.random.default_rng(19), family.at(epsilon)
    for word in EVERY_WORD:
        directions = at.directions(TOY, draws, rng)
        radius = at.radius(TOY, draws, rng)
        uniform = rng.random(draws)
        points = at.start(TOY, np.array([word])) + radius[:, None] * directions
        candidates, first = at.candidates(TOY, np.full(draws, word), points)
        expected = np.where(uniform < first, candidates[:, 0], candidates[:, 1])
        np.testing.assert_array_equal(path.at(epsilon)[word], expected)


@pytest.mark.parametrize("family", [*RADIAL, *BY_SCORE, Laplace.family()], ids=repr)
def test_steps_begin_at_zero_rise_strictly_and_change_the_word(family):
    path = sampled_path(family, TOY, [0, 6, 8], 40, np.random.default_rng(20))
    for position, draw in np.ndindex(3, 40):
        epsilons, words = path.steps(position, draw)
        assert epsilons[0] == 0
        assert (np.diff(epsilons) > 0).all()
        assert np.isfinite(epsilons).all()
        assert (np.diff(words) != 0).all()


def test_a_fixed_draw_at_one_epsilon_is_a_draw_of_the_mechanism():
    words = [TOY.get("origin"), TOY.get("near")]
    for family in (TEM.family(gamma=1.3), SanText.family()):
        path = sampled_path(family, TOY, words, 60_000, np.random.default_rng(21))
        for epsilon in (1.5, 4.0):
            laws = [
                np.exp(family.at(e).log_prob(TOY, np.array(words)))
                for e in (epsilon, epsilon * 1.1, epsilon / 1.1)
            ]
            for position in range(2):
                counts = np.bincount(path.at(epsilon)[position], minlength=len(TOY))
                assert_drawn_from(counts, laws[0][position])
                assert_not_drawn_from(counts, laws[1][position])
                assert_not_drawn_from(counts, laws[2][position])


# ------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("family", [TEM.family(), Laplace.family(), SynTF.family()])
def test_other_mechanisms_are_told_what_to_use(family):
    with pytest.raises(TypeError, match=rf"ε path: {family.name} is not a direction times"):
        epsilon_path(family, TOY, [0], 10, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("directions", "message"),
    [
        (0, "must be at least 1; got 0"),
        (1.5, "must be at least 1"),
        (np.ones((4, 3)), r"must be \(M, 2\); got \(4, 3\)"),
        (np.array([[np.nan, 1.0]]), "must be finite"),
    ],
)
def test_bad_directions_are_refused(directions, message):
    with pytest.raises(ValueError, match=message):
        epsilon_path(CMP.family(), TOY, [0], directions, np.random.default_rng(0))


def test_drawing_needs_a_generator_and_vickrey_enough_words():
    with pytest.raises(ValueError, match="a generator"):
        epsilon_path(CMP.family(), TOY, [0], 10)
    two = Vocabulary(["a", "b"], np.eye(2))
    assert isinstance(epsilon_path(Vickrey.family(), two, [0], circle(4)), EpsilonPath)
    with pytest.raises(ValueError, match="needs 3 words"):
        epsilon_path(Vickrey.family(variant="published"), two, [0], circle(4))


@pytest.mark.parametrize("bad", [[0.0], [-1.0, 2.0], [np.inf], [2.0, 1.0], [1.0, 1.0]])
def test_bad_epsilons_are_refused(bad):
    with pytest.raises(ValueError, match="ε"):
        plane_path(CMP.family()).unchanged_probability(bad)
