"""The vocabulary: what it refuses, and its geometry against brute force in float64."""

import threading

import numpy as np
import pytest

import mechanisms.vocabulary
from data import embeddings
from mechanisms import CMP, UnknownWordError, Vocabulary
from mechanisms.faiss_search import LOOPED
from tests.toy import ALL_PAIRS, TOY, first_words


def made_up(count, dimensions, seed=0, spread=1.0, offset=0.0):
    """A vocabulary of `count` random vectors; word i is called wi."""
    vectors = np.random.default_rng(seed).normal(offset, spread, (count, dimensions))
    return Vocabulary([f"w{i}" for i in range(count)], vectors)


def squared_by_brute_force(vocabulary, points):
    """‖p - v‖² in float64 (n, V), difference by difference."""
    vectors = vocabulary.vectors.astype(np.float64)
    return np.stack([((vectors - point) ** 2).sum(axis=1) for point in np.asarray(points)])


# ------------------------------------------------------------------------------------ construction


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e30, 1e300])
def test_a_vector_that_is_not_finite_or_too_long_is_refused_by_the_name_of_its_word(bad):
    vectors = np.eye(3)
    vectors[1, 2] = bad
    with pytest.raises(ValueError, match=r"the vector of 'second' \(position 1\) is not finite"):
        Vocabulary(["first", "second", "third"], vectors)


@pytest.mark.parametrize(
    ("words", "named"),
    [(["a", "b", "a"], "'a' at position 0"), (["a", "", "b"], "'' at position 1")],
)
def test_repeated_and_empty_words_are_refused_by_name(words, named):
    with pytest.raises(ValueError, match=f"must differ and not be empty; {named}"):
        Vocabulary(words, np.eye(3))


def test_a_word_that_is_no_string_is_refused():
    with pytest.raises(TypeError, match=r"words must be strings; got 7\."):
        Vocabulary(["six", 7], np.eye(2))


def test_no_words_at_all_are_refused():
    with pytest.raises(ValueError, match="at least one word"):
        Vocabulary([], np.empty((0, 2)))


@pytest.mark.parametrize("shape", [(2,), (2, 0), (2, 2, 2)])
def test_vectors_of_another_shape_are_refused(shape):
    with pytest.raises(ValueError, match=r"vectors must be \(V, d\)"):
        Vocabulary(["a", "b"], np.ones(shape))


def test_another_number_of_vectors_than_words_is_refused():
    with pytest.raises(ValueError, match="got 2 words and 3 vectors"):
        Vocabulary(["a", "b"], np.eye(3))


def test_vectors_in_float32_are_not_copied():
    vectors = np.eye(3, dtype=np.float32)
    assert np.shares_memory(Vocabulary(["a", "b", "c"], vectors).vectors, vectors)
    assert vectors.flags.writeable, "the caller's own array was frozen"


def test_vectors_in_a_memory_mapped_file_stay_there(tmp_path):
    np.save(tmp_path / "vectors.npy", np.eye(3, dtype=np.float32))
    mapped = np.load(tmp_path / "vectors.npy", mmap_mode="r")
    assert np.shares_memory(Vocabulary(["a", "b", "c"], mapped).vectors, mapped)


def test_a_vocabulary_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        TOY.vectors[0, 0] = 1.0
    assert isinstance(TOY.words, tuple)


def test_the_fingerprint_changes_with_any_word_and_any_number():
    words, vectors = ["a", "b", "c"], np.arange(6.0).reshape(3, 2)
    changed = vectors.copy()
    changed[2, 1] = np.nextafter(np.float32(5), np.float32(6))
    others = [
        Vocabulary(["a", "b", "d"], vectors),
        Vocabulary(["b", "a", "c"], vectors),
        Vocabulary(words, vectors[::-1]),
        Vocabulary(words, changed),
        Vocabulary(words[:2], vectors[:2]),
        Vocabulary(words, vectors + 1),
    ]
    prints = [Vocabulary(words, vectors).fingerprint, *(other.fingerprint for other in others)]
    assert len(set(prints)) == len(prints)
    assert Vocabulary(words, vectors).fingerprint == prints[0]


def test_the_fingerprint_sees_where_one_word_ends_and_the_next_begins():
    pairs = [["a\nb", "c"], ["a", "b\nc"], ["ab", "\nc"], ["a\n", "bc"]]
    assert len({Vocabulary(words, np.eye(2)).fingerprint for words in pairs}) == len(pairs)


# ----------------------------------------------------------------------------------- words and ids


def test_ids_lead_back_to_their_words():
    assert [TOY.words[i] for i in TOY.ids(TOY.words)] == list(TOY.words)
    assert TOY.get("east") == 1
    assert TOY.get("nowhere") is None
    assert "east" in TOY
    assert "nowhere" not in TOY


def test_an_unknown_word_is_named():
    with pytest.raises(UnknownWordError, match="'nowhere' is not among its words"):
        TOY.ids(["east", "nowhere"])


@pytest.mark.parametrize("bad", [[-1], [0, 12], [2**40]])
def test_ids_outside_the_vocabulary_are_refused(bad):
    with pytest.raises(UnknownWordError, match=rf"lie in \[0, 12\); got {bad[-1]}\."):
        TOY.checked(bad)


@pytest.mark.parametrize("bad", [[0.5], [True], ["east"], 3, [[1, 2]]])
def test_what_is_not_a_row_of_whole_numbers_is_refused(bad):
    with pytest.raises(TypeError, match="word ids must be whole numbers"):
        TOY.checked(bad)


# --------------------------------------------------------------------------------------- distances


def test_every_distance_of_the_toy_is_exact():
    expected = np.sqrt(squared_by_brute_force(TOY, TOY.vectors.astype(np.float64)))
    np.testing.assert_allclose(TOY.distances(np.arange(len(TOY))), expected, rtol=1e-12)
    np.testing.assert_allclose(TOY.distance_between(*ALL_PAIRS), expected.ravel(), rtol=1e-12)


@pytest.mark.parametrize("among", [slice(3, 7), slice(10, 99), slice(4, 4)])
def test_distances_to_some_words_are_those_to_all_cut_out(among):
    ids = np.array([0, 8, 6, 11])
    expected = TOY.distances(ids)[:, among]
    np.testing.assert_allclose(TOY.distances(ids, among), expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
@pytest.mark.parametrize("offset", [0.0, 1e3])
def test_distances_agree_with_brute_force_at_every_scale(scale, offset):
    # An offset of a thousand spreads makes the squared norms drown the differences.
    vocabulary = made_up(400, 20, spread=scale, offset=offset * scale)
    expected = np.sqrt(squared_by_brute_force(vocabulary, vocabulary.vectors[:50].astype(float)))
    np.testing.assert_allclose(vocabulary.distances(np.arange(50)), expected, rtol=1e-11)


def test_small_distances_keep_their_digits():
    base = np.random.default_rng(1).normal(size=50) * 5
    steps = 10.0 ** -np.arange(1, 6)
    vectors = np.stack([base, *(base + step for step in steps)])
    vocabulary = Vocabulary([str(i) for i in range(len(vectors))], vectors)
    expected = np.sqrt(squared_by_brute_force(vocabulary, vocabulary.vectors[:1].astype(float)))
    np.testing.assert_allclose(vocabulary.distances([0]), expected, rtol=1e-13)


@pytest.mark.parametrize("offset", [0.0, 0.1, 1e3])
def test_the_distance_of_a_word_to_itself_is_exactly_zero(offset):
    vocabulary = made_up(500, 50, offset=offset)
    ids = np.arange(len(vocabulary))
    assert np.array_equal(vocabulary.distances(ids)[ids, ids], np.zeros(len(ids)))


def test_rows_of_distances_longer_than_a_block_agree_with_brute_force():
    vocabulary = made_up(mechanisms.vocabulary._COLUMNS + 100, 3)
    expected = np.sqrt(squared_by_brute_force(vocabulary, vocabulary.vectors[[5, 16_400]]))
    np.testing.assert_allclose(vocabulary.distances([5, 16_400]), expected, rtol=1e-9)


# ----------------------------------------------------------------------------------- nearest words


def assert_nearest(vocabulary, points):
    """The chosen words are as near as any, up to float32 rounding of ‖p‖² + ‖v‖²."""
    chosen = vocabulary.nearest(points)
    squared = squared_by_brute_force(vocabulary, points)
    rows = np.arange(len(points))
    best = squared.argmin(axis=1)
    # Compared without the ‖p‖² that all words of a row share, so that far points are tested too.
    own = np.einsum("nd,nd->n", points, points)
    rounding = 2e-6 * np.sqrt(own + vocabulary.longest**2) * vocabulary.longest
    excess = squared[rows, chosen] - squared[rows, best]
    assert (excess <= rounding + 1e-15 * own).all()
    return (chosen == best).mean()


@pytest.mark.parametrize("length", [0.0, 1e-3, 0.1, 1.0, 10.0, 31.9, 32.1, 1e3, 1e5])
@pytest.mark.parametrize("scale", [1e-10, 1.0, 1e10])
def test_nearest_words_agree_with_brute_force_at_every_length_of_noise(length, scale):
    # `length` is the noise in units of the longest vector; 32 is where far points begin.
    vocabulary = made_up(1_500, 20, spread=scale)
    rng = np.random.default_rng(2)
    noise = rng.normal(size=(200, 20))
    noise *= length * vocabulary.longest / np.linalg.norm(noise, axis=1, keepdims=True)
    points = vocabulary.vectors[rng.integers(0, 1_500, 200)] + noise
    assert assert_nearest(vocabulary, points) >= 0.99


def test_points_farther_than_squares_can_tell_go_to_the_extreme_word():
    vocabulary = made_up(1_500, 20)
    directions = np.random.default_rng(3).normal(size=(200, 20))
    extreme = (directions @ vocabulary.vectors.T.astype(np.float64)).argmax(axis=1)
    for length in (1e20, 1e60, 1e100):
        assert (vocabulary.nearest(directions * length) == extreme).all()


def test_points_close_to_a_word_are_told_apart_by_less_than_float32_can():
    # Two thousand words within 0.02 of a point at distance 450 from the origin.
    vocabulary = made_up(2_000, 20, spread=0.003, offset=100.0)
    points = vocabulary.vectors[:100] + np.random.default_rng(4).normal(0, 0.003, (100, 20))
    expected = squared_by_brute_force(vocabulary, points).argmin(axis=1)
    assert np.array_equal(vocabulary.nearest(points), expected)


def test_the_word_itself_is_nearest_to_its_own_vector():
    vocabulary = embeddings.load(embeddings.GLOVE, 2_000)
    own = vocabulary.nearest(vocabulary.vectors.astype(np.float64))
    assert np.array_equal(own, np.arange(len(vocabulary)))


def test_ties_go_to_the_lowest_id():
    square = Vocabulary(["a", "b", "c", "d"], [[1, 1], [-1, 1], [1, -1], [-1, -1]])
    points = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0], [0.0, 9e9]])
    assert square.nearest(points).tolist() == [0, 0, 0, 2, 1, 0]


def test_of_words_with_equal_vectors_only_the_first_is_ever_nearest():
    rng = np.random.default_rng(5)
    distinct = rng.normal(size=(40, 8))
    vocabulary = Vocabulary([f"w{i}" for i in range(1_200)], np.tile(distinct, (30, 1)))
    for length in (0.0, 1e-6, 1.0, 1e3, 1e30):
        points = vocabulary.vectors + length * rng.normal(size=(1_200, 8))
        assert vocabulary.nearest(points).max() < 40
    assert np.array_equal(vocabulary.nearest(vocabulary.vectors), np.tile(np.arange(40), 30))


class LastOfEquals:
    """A search that prefers the highest id among equals, as a search may do."""

    @staticmethod
    def knn(queries, vectors, k):
        squared = ((queries[:, None] - vectors) ** 2).sum(axis=2)
        ids = np.lexsort((-np.broadcast_to(np.arange(len(vectors)), squared.shape), squared))
        ids = ids[:, :k]
        return np.take_along_axis(squared, ids, 1), ids


def test_which_of_equal_vectors_the_search_finds_first_does_not_matter(monkeypatch):
    monkeypatch.setattr(mechanisms.vocabulary, "faiss", LastOfEquals)
    twin, copy = TOY.ids(["twin", "copy"])
    points = TOY.vectors[[twin, copy, copy]] + np.array([[0.0, 0.0], [0.0, 0.0], [0.05, 0.1]])
    assert TOY.nearest(points).tolist() == [twin, twin, twin]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e200])
def test_a_point_without_a_finite_square_is_refused(bad):
    points = np.zeros((3, 2))
    points[1, 1] = bad
    with pytest.raises(ValueError, match="every point must be finite"):
        TOY.nearest(points)


@pytest.mark.parametrize("shape", [(2,), (3, 3), (1, 2, 2)])
def test_points_of_another_shape_are_refused(shape):
    with pytest.raises(ValueError, match=r"points must be \(n, 2\)"):
        TOY.nearest(np.zeros(shape))


class FailingFaiss:
    """A search that finds nothing for its last query, as faiss does where distances overflow."""

    @staticmethod
    def knn(queries, vectors, k):
        ids = np.zeros((len(queries), k), dtype=np.int64)
        ids[-1] = -1
        return np.zeros((len(queries), k), dtype=np.float32), ids


def test_a_failed_search_raises_and_never_falls_back(monkeypatch):
    monkeypatch.setattr(mechanisms.vocabulary, "faiss", FailingFaiss)
    calls = [
        lambda: TOY.nearest(np.ones((2, 2))),
        lambda: TOY.neighbours([0, 1], 3),
        lambda: CMP(epsilon=1.0).sample(TOY, [0, 1], 5, np.random.default_rng(0)),
    ]
    for call in calls:
        with pytest.raises(RuntimeError, match="found no nearest word"):
            call()


def test_the_longest_admissible_vectors_can_be_searched():
    # Their squares, 33 times as far out, still fit into float32.
    longest = np.sqrt(np.finfo(np.float32).max / 4096) * 0.999
    pair = Vocabulary(["a", "b"], [[longest, 0.0], [-longest, 0.0]])
    points = np.array([[1, 0], [-1, 0], [31, 1], [-31, 1], [33, 0], [-33, 0]]) * longest
    assert pair.nearest(points).tolist() == [0, 1, 0, 1, 0, 1]


def test_faiss_multiplies_matrices_for_more_than_a_few_points():
    module = mechanisms.faiss_search.faiss()
    module.cvar.distance_compute_blas_threshold = 128_000  # as it ships
    TOY.nearest(np.zeros((1, 2)))
    assert module.cvar.distance_compute_blas_threshold == LOOPED


@pytest.mark.parametrize(
    ("dimensions", "points", "together"),
    [
        (50, 1, [1]),
        (50, 5, [1] * 5),
        (50, 6, [6]),
        (LOOPED - 1, 2, [1, 1]),
        (LOOPED, 2, [2]),  # faiss would multiply matrices twice
        (50, 1_025, [512, 512, 1]),
    ],
)
def test_a_few_points_are_searched_for_one_by_one(monkeypatch, dimensions, points, together):
    rng = np.random.default_rng(0)
    here = Vocabulary([f"w{i}" for i in range(40)], rng.normal(size=(40, dimensions)))
    asked, search = [], mechanisms.faiss_search.faiss().knn

    class Noted:
        @staticmethod
        def knn(queries, vectors, k):
            asked.append(len(queries))
            return search(queries, vectors, k)

    monkeypatch.setattr(mechanisms.vocabulary, "faiss", lambda: Noted)
    at = rng.normal(size=(points, dimensions))
    expected = np.linalg.norm(at[:, None] - here.vectors, axis=2).argmin(axis=1)
    assert here.nearest(at).tolist() == expected.tolist()
    assert sorted(asked) == sorted(together)


def test_a_search_uses_one_openmp_thread_in_every_thread_that_asks():
    module = mechanisms.faiss_search.faiss()
    seen = []

    def search():
        module.omp_set_num_threads(2)
        TOY.nearest(np.zeros((1, 2)))
        seen.append(module.omp_get_max_threads())

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
        thread.join()
    search()
    assert seen == [1, 1, 1]


# -------------------------------------------------------------------------------------- neighbours


def assert_neighbours(vocabulary, word_ids, k):
    distances, found = vocabulary.neighbours(word_ids, k)
    squared = squared_by_brute_force(vocabulary, vocabulary.vectors[word_ids].astype(np.float64))
    ids = np.broadcast_to(np.arange(len(vocabulary)), squared.shape)
    expected = np.lexsort((ids, squared), axis=1)[:, :k]
    nearest = np.sqrt(np.take_along_axis(squared, expected, 1))
    np.testing.assert_allclose(distances, nearest, rtol=1e-12)
    assert (np.diff(distances, axis=1) >= 0).all()
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("k", [1, 2, 10, 500])
def test_neighbours_agree_with_brute_force(k):
    assert_neighbours(made_up(1_000, 20), np.arange(0, 1_000, 10), k)


def test_neighbours_agree_with_brute_force_where_float32_cannot_tell_them_apart():
    assert_neighbours(made_up(1_000, 20, spread=0.01, offset=100.0), np.arange(50), 5)


def test_neighbours_agree_with_brute_force_among_equal_vectors():
    distinct = np.random.default_rng(6).normal(size=(20, 8)) * 5
    many = Vocabulary([f"w{i}" for i in range(1_000)], np.repeat(distinct, 50, axis=0))
    assert_neighbours(many, np.arange(0, 1_000, 7), 60)


def test_no_more_neighbours_than_words_are_found():
    distances, ids = TOY.neighbours([0, 8], 100)
    assert distances.shape == ids.shape == (2, len(TOY))
    assert sorted(ids[0]) == list(range(len(TOY)))


# ---------------------------------------------------------------------------------- representatives


def test_the_representative_is_the_lowest_id_with_the_same_vector():
    expected = np.arange(len(TOY))
    expected[TOY.get("copy")] = TOY.get("twin")
    assert np.array_equal(TOY.representatives, expected)


def test_zero_and_minus_zero_are_the_same_place():
    vectors = np.array([[1, 2], [-0.0, 3], [0.0, 3], [0.0, -0.0], [-0.0, 0.0]])
    vocabulary = Vocabulary(list("abcde"), vectors)
    assert vocabulary.representatives.tolist() == [0, 1, 1, 3, 3]


class SameFactors:
    """A generator under which the hash is the plain sum of a row: (x, y) and (y, x) collide."""

    def integers(self, low, high, size, dtype):
        return np.ones(size, dtype=dtype)


def test_colliding_hashes_do_not_merge_different_vectors(monkeypatch):
    vectors = np.array([[1, 2], [2, 1], [1, 2], [2, 1], [5, 5], [2, 1]])
    vocabulary = Vocabulary(list("abcdef"), vectors)
    monkeypatch.setattr(np.random, "default_rng", lambda seed: SameFactors())
    assert vocabulary.representatives.tolist() == [0, 1, 0, 1, 4, 1]


# ------------------------------------------------------------------------------- small vocabularies


@pytest.mark.parametrize("count", [1, 2, 3])
def test_small_vocabularies_have_the_same_geometry(count):
    vocabulary = first_words(count)
    ids = np.arange(count)
    assert np.array_equal(vocabulary.nearest(vocabulary.vectors), ids)
    assert np.array_equal(vocabulary.neighbours(ids, 5)[1][:, 0], ids)
    assert vocabulary.distances(ids).shape == (count, count)


def test_words_that_all_share_one_vector_are_all_one_place():
    vocabulary = Vocabulary(list("abc"), np.zeros((3, 4)))
    assert vocabulary.nearest(np.ones((2, 4))).tolist() == [0, 0]
    assert np.array_equal(vocabulary.distances([0, 1, 2]), np.zeros((3, 3)))


def test_a_search_is_the_same_for_any_number_of_threads(glove, monkeypatch):
    rng = np.random.default_rng(8)
    points = glove.vectors[rng.integers(len(glove), size=1300)] + rng.normal(size=(1300, 50))
    found = []
    for threads in (1, 2, 5):
        monkeypatch.setattr("mechanisms.vocabulary._THREADS", threads)
        found.append((glove.nearest(points), *glove.nearest_k(points, 3)))
    for other in found[1:]:
        for mine, theirs in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(mine, theirs)


def test_a_search_that_fails_in_any_of_its_parts_raises(glove, monkeypatch):
    class Failing:
        def knn(self, queries, vectors, k):
            ids = np.zeros((len(queries), k), dtype=np.int64)
            ids[-1, -1] = -1 if len(queries) < 512 else 0
            return np.ones((len(queries), k), dtype=np.float32), ids

    monkeypatch.setattr("mechanisms.vocabulary.faiss", lambda: Failing())
    with pytest.raises(RuntimeError, match="found no nearest word"):
        glove.nearest(np.ones((1000, 50)))


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1.0, 1e6, 1e12])
@pytest.mark.parametrize("distance", [40.0, 1e4])
def test_far_points_are_answered_alike_in_any_unit(scale, distance):
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(400, 6)) * np.exp(rng.normal(size=(400, 1)))
    directions = rng.normal(size=(200, 6))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    points = directions * distance * np.linalg.norm(vectors, axis=1).max()
    words = [f"w{i}" for i in range(400)]
    exact = ((points[:, None] - vectors.astype(np.float32)) ** 2).sum(axis=2).argmin(axis=1)
    found = Vocabulary(words, vectors * scale).nearest(points * scale)
    assert (found == exact).mean() > 0.99  # float32 may order two that are all but equal


@pytest.mark.parametrize("length", [5e-324, 1e-300, 1.0, 1e150])
def test_words_that_lie_all_at_the_origin_are_found_from_anywhere(length):
    vocabulary = Vocabulary(["one", "two"], np.zeros((2, 3)))
    assert vocabulary.nearest([[length, 0, 0]]).tolist() == [0]
