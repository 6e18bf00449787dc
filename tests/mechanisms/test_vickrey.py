"""Vickrey: its two candidates and its p(t, p̂) by brute force, and what each variant promises."""

import numpy as np
import pytest
from scipy import stats

from mechanisms import CMP, Vickrey, Vocabulary
from tests.claims import assert_drawn_from, assert_not_drawn_from
from tests.toy import ALL_PAIRS, TOY, first_words

EVERY_WORD = np.arange(len(TOY))
BOTH = pytest.mark.parametrize("variant", ["published", "repaired"])


def selection(vocabulary, word, point, t, variant):
    """Pr[v | point] (V,) by the paper's formula, word by word; equal vectors count as one."""
    vectors = [tuple(v) for v in vocabulary.vectors.astype(np.float64)]
    distances = {}
    for v, vector in enumerate(vectors):
        if vector in vectors[:v] or (variant == "published" and vector == vectors[word]):
            continue
        distances[v] = float(np.hypot.reduce(point - np.array(vector)))
    first, second = sorted(distances, key=lambda v: (distances[v], v))[:2]
    law = np.zeros(len(vectors))
    weight = (1 - t) * distances[second]
    law[first] = weight / (t * distances[first] + weight)
    law[second] = 1 - law[first]
    return law


def declared_selection(mechanism, vocabulary, word_ids, points):
    """Pr[v | point] (n, V) by the mechanism."""
    candidates, first = mechanism.candidates(vocabulary, word_ids, points)
    law = np.zeros((len(points), len(vocabulary)))
    rows = np.arange(len(points))
    law[rows, candidates[:, 0]] = first
    law[rows, candidates[:, 1]] += 1 - first
    return law


def scattered(words, dimensions, seed=0):
    vectors = np.random.default_rng(seed).normal(size=(words, dimensions))
    vectors[words // 2] = vectors[1]
    return Vocabulary([f"w{i}" for i in range(words)], vectors)


# ------------------------------------------------------------------ the k nearest different vectors


@pytest.mark.parametrize("vocabulary", [TOY, scattered(60, 5), scattered(900, 20)])
@pytest.mark.parametrize("length", [0.0, 0.1, 3.0, 30.0, 1e4])
def test_the_k_nearest_are_those_of_brute_force_and_begin_with_the_nearest(vocabulary, length):
    rng = np.random.default_rng(1)
    word_ids = rng.integers(0, len(vocabulary), 200)
    points = vocabulary.vectors[word_ids] + length * rng.normal(size=(200, vocabulary.dimensions))
    distances, ids = vocabulary.nearest_k(points, 4)
    different = np.unique(vocabulary.representatives)
    expected = np.linalg.norm(points[:, None] - vocabulary.vectors[different], axis=2)
    order = np.argsort(expected, axis=1, kind="stable")[:, :4]
    np.testing.assert_allclose(distances, np.take_along_axis(expected, order, 1), rtol=1e-9)
    assert np.array_equal(ids[:, 0], vocabulary.nearest(points))
    if length < 1e4:
        assert np.array_equal(ids, different[order])


def test_ties_go_to_the_lowest_id_at_every_rank():
    corners = [(1, 1), (1, -1), (-1, 1), (-1, -1), (1, 1), (5, 0)]
    square = Vocabulary(["a", "b", "c", "d", "a again", "e"], np.array(corners))
    _, ids = square.nearest_k(np.zeros((3, 2)), 4)
    assert ids.tolist() == [[0, 1, 2, 3]] * 3


def test_far_points_have_the_extreme_words_in_order():
    _, ids = TOY.nearest_k(np.array([[1e100, 1e100], [1e60, 0.0]]), 3)
    # ⟨(1, 1), v⟩ is 4 for corner, 2 for lonely, 1.25 for north; v₁ is 8, 2, 1.501.
    assert [[TOY.words[v] for v in row] for row in ids] == [
        ["corner", "lonely", "north"],
        ["lonely", "corner", "nearer"],
    ]


def test_many_words_in_one_place_count_as_one():
    vectors = np.concatenate([np.zeros((500, 3)), np.eye(3), np.zeros((500, 3))])
    vocabulary = Vocabulary([f"w{i}" for i in range(len(vectors))], vectors)
    for scale in (1e-3, 1e-40, 1e50):
        points = scale * np.array([[1.0, 0.5, 0.2]])
        _, ids = vocabulary.nearest_k(points, 4)
        assert ids.tolist() == ([[500, 501, 502, 0]] if scale > 1 else [[0, 500, 501, 502]])
    with pytest.raises(ValueError, match=r"k must lie in \[1, 4\].*got 5"):
        vocabulary.nearest_k(points, 5)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_point_that_is_not_finite_is_refused(bad):
    with pytest.raises(ValueError, match="must be finite"):
        TOY.nearest_k(np.array([[0.0, bad]]), 2)


# --------------------------------------------------------------------------------------- the choice


@BOTH
@pytest.mark.parametrize("t", [0.0, 0.3, 0.5, 0.99])
@pytest.mark.parametrize("vocabulary", [TOY, scattered(60, 5)])
@pytest.mark.parametrize("length", [0.0, 0.5, 10.0, 2_000.0])
def test_the_candidates_and_their_probabilities_are_those_of_the_formula(
    vocabulary, length, t, variant
):
    rng = np.random.default_rng(2)
    word_ids = rng.integers(0, len(vocabulary), 60)
    points = vocabulary.vectors[word_ids] + length * rng.normal(size=(60, vocabulary.dimensions))
    declared = declared_selection(
        Vickrey(epsilon=1.0, t=t, variant=variant), vocabulary, word_ids, points
    )
    expected = [
        selection(vocabulary, word, point, t, variant)
        for word, point in zip(word_ids, points, strict=True)
    ]
    np.testing.assert_allclose(declared, np.array(expected), atol=1e-9)


@BOTH
def test_far_from_all_words_the_nearest_is_taken_with_probability_one_minus_t(variant):
    points = np.array([[1e30, 2e30], [-1e100, 1e99]])
    for t in (0.0, 0.25, 0.9):
        mechanism = Vickrey(epsilon=1.0, t=t, variant=variant)
        _, first = mechanism.candidates(TOY, np.array([0, 0]), points)
        np.testing.assert_allclose(first, 1 - t, rtol=1e-12)


def test_on_a_word_itself_that_word_is_certain():
    mechanism = Vickrey(epsilon=1.0, t=0.9, variant="repaired")
    candidates, first = mechanism.candidates(TOY, EVERY_WORD, TOY.vectors.astype(np.float64))
    assert np.array_equal(candidates[:, 0], TOY.representatives)
    assert (first == 1).all()


def test_at_t_zero_the_repaired_variant_is_cmp():
    for epsilon in (1e-9, 1.0, 5.0):
        ours = Vickrey(epsilon=epsilon, t=0, variant="repaired")
        released = ours.sample(TOY, EVERY_WORD, 200, np.random.default_rng(3))
        cmp = CMP(epsilon=epsilon).sample(TOY, EVERY_WORD, 200, np.random.default_rng(3))
        assert np.array_equal(released, cmp)


# ------------------------------------------------------------------------------------------ the law


def law_by_integration(epsilon, word, t, variant, steps=500):
    """Pr[M(w) = v] in the plane (V,): midpoint rule in polar coordinates, formula by numpy."""
    middle = (np.arange(steps) + 0.5) / steps
    radii = stats.gamma(2, scale=1 / epsilon).ppf(middle)
    circle = np.stack([np.cos(2 * np.pi * middle), np.sin(2 * np.pi * middle)], axis=1)
    points = (TOY.vectors[word].astype(np.float64) + radii[:, None, None] * circle).reshape(-1, 2)
    different = np.unique(TOY.representatives)
    if variant == "published":
        different = different[different != TOY.representatives[word]]
    distances = np.linalg.norm(points[:, None] - TOY.vectors[different], axis=2)
    nearest = np.argsort(distances, axis=1)[:, :2]
    d1, d2 = np.take_along_axis(distances, nearest, 1).T
    p = (1 - t) * d2 / (t * d1 + (1 - t) * d2)
    law = np.bincount(different[nearest[:, 0]], p, len(TOY))
    law += np.bincount(different[nearest[:, 1]], 1 - p, len(TOY))
    return law / steps**2


@BOTH
@pytest.mark.parametrize("word", ["origin", "twin", "near"])
def test_the_sampler_follows_the_law_in_the_plane(word, variant):
    word_id, t, epsilon = TOY.get(word), 0.6, 1.5
    released = Vickrey(epsilon=epsilon, t=t, variant=variant).sample(
        TOY, [word_id], 150_000, np.random.default_rng(4)
    )
    counts = np.bincount(released[0], minlength=len(TOY))
    assert_drawn_from(counts, law_by_integration(epsilon, word_id, t, variant))
    for wrong in (epsilon * 1.1, epsilon / 1.1):
        assert_not_drawn_from(counts, law_by_integration(wrong, word_id, t, variant))
    assert_not_drawn_from(counts, law_by_integration(epsilon, word_id, 0.5, variant))


def laws_on_a_grid(mechanism, half_width=25.0, steps=150):
    """All laws (V, V) by one quadrature in the plane, with the mechanism's own choice."""
    axis = (np.arange(steps) + 0.5) / steps * 2 * half_width - half_width
    points = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    laws = np.empty((len(TOY), len(TOY)))
    for word in EVERY_WORD:
        weight = np.exp(-mechanism.epsilon * np.linalg.norm(points - TOY.vectors[word], axis=1))
        candidates, first = mechanism.candidates(TOY, np.full(len(points), word), points)
        laws[word] = np.bincount(candidates[:, 0], weight * first, len(TOY))
        laws[word] += np.bincount(candidates[:, 1], weight * (1 - first), len(TOY))
    # The density's constant is ε² / 2π for every word.
    return laws * mechanism.epsilon**2 / (2 * np.pi) * (2 * half_width / steps) ** 2


@pytest.mark.parametrize("epsilon", [0.4, 1.0, 2.0])
@pytest.mark.parametrize("t", [0.2, 0.9])
def test_repaired_keeps_its_bound_for_every_pair_and_output(epsilon, t):
    mechanism = Vickrey(epsilon=epsilon, t=t, variant="repaired")
    guarantee = mechanism.guarantee(TOY)
    assert guarantee.holds
    laws = laws_on_a_grid(mechanism)
    np.testing.assert_allclose(laws.sum(axis=1), 1, atol=0.05)
    a, b = ALL_PAIRS
    released = laws.sum(axis=0) > 0
    ratio = np.log(laws[:, released][a]) - np.log(laws[:, released][b])
    assert (ratio <= guarantee.log_ratio_bound(TOY, a, b)[:, None] + 1e-9).all()
    # Power: a tenth less is exceeded.
    assert (ratio > 0.9 * guarantee.log_ratio_bound(TOY, a, b)[:, None] + 1e-9).any()


def test_published_is_declared_broken_and_the_witness_is_there():
    mechanism = Vickrey(epsilon=1.0, variant="published")
    guarantee = mechanism.guarantee(TOY)
    assert not guarantee.holds
    assert "Pr[M(w) = w] = 0" in guarantee.caveat
    laws = laws_on_a_grid(mechanism)
    a, b = ALL_PAIRS
    bound = guarantee.log_ratio_bound(TOY, a, b)
    for word in np.unique(TOY.representatives):
        assert laws[word, word] == 0, "the input word was released"
        others = TOY.representatives != word
        assert (laws[others, word] > 0).all(), "no other word gives it"
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.log(laws[a]) - np.log(laws[b])
    assert (ratio > bound[:, None]).any()
    # And on the released words: never hockey for hockey, but often for its neighbour.
    origin, south = TOY.ids(["origin", "south"])
    released = mechanism.sample(TOY, [origin, south], 2_000, np.random.default_rng(5))
    assert (released[0] == origin).sum() == 0
    assert (released[1] == origin).sum() > 200


@BOTH
def test_words_with_equal_vectors_have_equal_laws(variant):
    twin, copy = TOY.ids(["twin", "copy"])
    for epsilon in (1e-9, 0.5, 5.0, 1e9):
        mechanism = Vickrey(epsilon=epsilon, variant=variant)
        first = mechanism.sample(TOY, [twin], 3_000, np.random.default_rng(6))
        second = mechanism.sample(TOY, [copy], 3_000, np.random.default_rng(6))
        assert np.array_equal(first, second)
        assert copy not in first, "the input decided a tie"


# --------------------------------------------------------------------------------------- its limits


@BOTH
@pytest.mark.parametrize("count", [1, 2, 3, 5])
@pytest.mark.parametrize("epsilon", [1e-30, 1e-9, 1.0, 1e9, 1e308])
def test_small_vocabularies_work_or_are_refused_with_the_reason(count, epsilon, variant):
    vocabulary, ids = first_words(count), np.arange(count)
    mechanism = Vickrey(epsilon=epsilon, variant=variant)
    needed = 3 if variant == "published" else 2
    if count < needed:
        with pytest.raises(ValueError, match=f"needs {needed} words with different vectors"):
            mechanism.sample(vocabulary, ids, 10, np.random.default_rng(7))
        return
    released = mechanism.sample(vocabulary, ids, 500, np.random.default_rng(7))
    assert released.min() >= 0
    assert released.max() < count
    assert (released == ids[:, None]).any() == (variant == "repaired")
    if epsilon >= 1e9 and variant == "repaired":
        assert (released == ids[:, None]).all()


def test_words_that_share_a_vector_do_not_make_up_for_a_missing_word():
    vocabulary = Vocabulary(["a", "b", "c"], np.array([[0.0], [1.0], [1.0]]))
    with pytest.raises(ValueError, match="needs 3 words with different vectors .* got 2"):
        Vickrey(epsilon=1.0, variant="published").sample(
            vocabulary, [0], 1, np.random.default_rng(8)
        )


@BOTH
def test_at_a_tiny_epsilon_only_the_removed_word_depends_on_the_input(glove, variant):
    mechanism = Vickrey(epsilon=1e-30, variant=variant)
    first, second = (
        mechanism.sample(glove, [word], 300, np.random.default_rng(9)) for word in (5, 5_000)
    )
    share = (first == second).mean()
    assert share == 1 if variant == "repaired" else share > 0.9


@BOTH
def test_real_words_are_chosen_as_by_brute_force(glove, variant):
    word_ids = glove.ids(["water", "film", "monday"]).repeat(8)
    rng, vectors = np.random.default_rng(10), glove.vectors.astype(np.float64)
    points = vectors[word_ids] + rng.normal(size=(24, 50)) * np.geomspace(0.1, 20, 24)[:, None]
    candidates, first = Vickrey(epsilon=1.0, t=0.3, variant=variant).candidates(
        glove, word_ids, points
    )
    for row, (word, point) in enumerate(zip(word_ids, points, strict=True)):
        distances = np.linalg.norm(vectors - point, axis=1)
        if variant == "published":
            distances[word] = np.inf
        expected = np.argsort(distances)[:2]
        assert np.array_equal(candidates[row], expected)
        d1, d2 = distances[expected]
        assert first[row] == pytest.approx(0.7 * d2 / (0.3 * d1 + 0.7 * d2))
