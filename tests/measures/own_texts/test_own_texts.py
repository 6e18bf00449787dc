"""What mechanisms do to one file of texts: N_w, adversaries with its own frequencies, use."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom, chisquare

from measures.own_texts.among_words import success_among
from measures.own_texts.draws import private_inputs
from measures.own_texts.naming import Reader
from measures.own_texts.texts import own_texts
from measures.own_texts.unchanged import times_unchanged, unchanged
from measures.own_texts.usefulness import (
    accuracy_kept,
    difference,
    folds_of,
    mean_vectors,
    right,
    similarity,
)
from mechanisms import (
    CMP,
    TEM,
    Gaussian,
    Laplace,
    Mahalanobis,
    SanText,
    SynTF,
    TruncatedLaplace,
    Vickrey,
    Vocabulary,
)
from mechanisms.randomness import seeded_rng
from tests.toy import TOY as WITHOUT_SYNONYMS

TOY = Vocabulary(
    WITHOUT_SYNONYMS.words,
    WITHOUT_SYNONYMS.vectors,
    {"origin": ["east"], "north": ["west", "south"]},
)

ALPHA = 1e-6
WORDS = np.arange(len(TOY))
EPSILONS = np.array([0.5, 2.0, 5.0])
PRIOR = np.arange(1, len(TOY) + 1) / (len(TOY) * (len(TOY) + 1) / 2)

TEXTS = [
    "origin east north lonely",
    "origin west, zzzz south",
    "origin east corner twin",
    "origin east north",
    "",
]


@pytest.fixture(scope="module")
def own():
    return own_texts(TEXTS, TOY)


# ------------------------------------------------------------------------------------ the texts


def test_inputs_are_words_and_the_unknown_word_and_no_signs(own):
    assert len(own) == 5
    assert np.diff(own.offsets).tolist() == [4, 4, 4, 3, 0]
    assert own.inputs[6] == TOY.unknown_id
    assert (
        own.words.tolist()
        == TOY.ids(
            ["origin", "east", "north", "west", "south", "corner", "twin", "lonely"]
        ).tolist()
    )
    assert own.counts.sum() == 14


def test_some_texts_up_to_some_words(own):
    part = own.some(np.array([1, 3]), 2)
    assert [TOY.words[i] for i in part.inputs] == ["origin", "west", "origin", "east"]
    assert part.offsets.tolist() == [0, 2, 4]


def test_the_first_words_hold_the_rarest_and_the_most_isolated(own):
    first = own.first_words(3)
    assert len(first) == 3
    assert TOY.ids(["lonely"])[0] in first
    alone = own.isolation
    assert own.words[alone.argmax()] in first
    counts = own.counts[np.searchsorted(own.words, first)]
    assert counts.min() == 1
    assert own.first_words(100).tolist() == own.words.tolist()


def test_texts_without_a_known_word_are_refused():
    with pytest.raises(ValueError, match="has a word of the vocabulary"):
        own_texts(["zzzz yyyy"], TOY)


# ------------------------------------------------------------------------------------------ N_w


@pytest.mark.parametrize(
    "mechanism",
    [TEM(epsilon=1), TEM(epsilon=1, gamma=2.0), SanText(epsilon=1), SynTF(epsilon=1)],
    ids=repr,
)
def test_of_a_law_everything_is_exact(mechanism):
    found = unchanged(mechanism.family(), TOY, WORDS, PRIOR, EPSILONS)
    assert found.n_w.source.is_exact
    for column, epsilon in enumerate(EPSILONS):
        law = np.exp(replace(mechanism, epsilon=float(epsilon)).log_prob(TOY, WORDS))
        np.testing.assert_allclose(found.n_w.value[:, column], np.diag(law), rtol=1e-5)
        best = (PRIOR[:, None] * law).max(axis=0).sum()
        assert found.best_success[column] == pytest.approx(best, rel=1e-5)


def test_normalisers_are_those_of_the_law():
    found = unchanged(SanText.family(), TOY, WORDS, PRIOR, EPSILONS)
    distances = TOY.distances(WORDS)
    for column, epsilon in enumerate(EPSILONS):
        expected = np.log(np.exp(-epsilon / 2 * distances).sum(axis=1))
        np.testing.assert_allclose(found.log_normalisers[:, column], expected, rtol=1e-5)


@pytest.mark.parametrize(
    "mechanism",
    [
        CMP(epsilon=1),
        Vickrey(epsilon=1, variant="repaired"),
        Laplace(epsilon=1),
        TruncatedLaplace(epsilon=1, variant="repaired"),
    ],
    ids=repr,
)
def test_of_noise_the_interval_holds_fresh_draws_and_not_those_of_another_epsilon(mechanism):
    grid = np.array([4.0])
    found = unchanged(mechanism.family(), TOY, WORDS, PRIOR, grid, directions=400, seed=1)
    assert found.best_success is None
    draws = 4000

    def outside(epsilon):
        drawn = replace(mechanism, epsilon=epsilon).sample(
            TOY, WORDS, draws, np.random.default_rng(2)
        )
        count = (drawn == WORDS[:, None]).sum(axis=1)
        low, high = found.n_w.low[:, 0], found.n_w.high[:, 0]
        # Beyond the interval by more than the draws' own error.
        above = binom.sf(count - 1, draws, np.minimum(high + 0.05, 1)) < ALPHA
        below = binom.cdf(count, draws, np.maximum(low - 0.05, 0)) < ALPHA
        return (above | below).any()

    assert not outside(4.0)
    assert outside(40.0)


@pytest.mark.parametrize("epsilon", [3.0, 30.0, 100.0, 1000.0])
@pytest.mark.parametrize("place", ["toy", "glove"])
def test_points_that_need_no_search_are_those_that_a_search_gives_to_another_word(
    place, epsilon, glove
):
    vocabulary = TOY if place == "toy" else glove
    words = np.arange(0, len(vocabulary), max(1, len(vocabulary) // 50))
    inputs = words.copy()
    inputs[-1] = vocabulary.unknown_id
    mechanism = TruncatedLaplace(epsilon=epsilon)
    drawn = mechanism.sample(vocabulary, inputs, 60, seeded_rng(7))
    found = times_unchanged(mechanism, vocabulary, words, inputs, 60, seeded_rng(7))
    assert found.tolist() == (drawn == words[:, None]).sum(axis=1).tolist()


def test_most_points_of_a_loud_noise_need_no_search(glove, monkeypatch):
    searched = []
    nearest = TruncatedLaplace.choose

    def choose(self, vocabulary, inputs, points, rng):
        searched.append(len(points))
        return nearest(self, vocabulary, inputs, points, rng)

    monkeypatch.setattr(TruncatedLaplace, "choose", choose)
    words = np.arange(50)
    times_unchanged(TruncatedLaplace(epsilon=30), glove, words, words, 60, seeded_rng(7))
    assert 0 < sum(searched) < 0.1 * 50 * 60


# ---------------------------------------------------------------------------------------- draws


@pytest.mark.parametrize(
    "kind",
    [CMP, Mahalanobis, Vickrey, Laplace, Gaussian, TruncatedLaplace, TEM, SynTF],
    ids=lambda kind: kind.name,
)
def test_draws_at_several_epsilons_are_those_of_each(kind, own):
    together = private_inputs(kind.family(), TOY, own.inputs, EPSILONS, seed=3)
    for row, epsilon in zip(together, EPSILONS.tolist(), strict=True):
        mechanism = kind(epsilon=epsilon)
        inputs = mechanism.inputs(TOY, own.inputs)
        alone = mechanism.sample(TOY, inputs, 1, seeded_rng(3))[:, 0]
        assert row.tolist() == alone.tolist()


@pytest.mark.parametrize(
    "mechanism", [CMP(epsilon=1), TEM(epsilon=1), Laplace(epsilon=1), SynTF(epsilon=1)], ids=repr
)
def test_draws_follow_the_law_at_every_epsilon(mechanism):
    inputs = np.full(3000, 3)
    drawn = private_inputs(mechanism.family(), TOY, inputs, EPSILONS, seed=3)
    assert drawn.shape == (3, 3000)
    reference = np.random.default_rng(4)

    def p_value(row, epsilon):
        fresh = replace(mechanism, epsilon=float(epsilon)).sample(
            TOY, inputs[:1], 60_000, reference
        )
        expected = np.bincount(fresh[0], minlength=len(TOY)) / 60_000
        usual = np.argsort(-expected)[:5]
        seen = np.append(np.bincount(row, minlength=len(TOY))[usual], 0)
        seen[-1] = len(row) - seen[:-1].sum()
        shares = np.append(expected[usual], max(1 - expected[usual].sum(), 1e-4))
        return chisquare(seen, shares / shares.sum() * len(row)).pvalue

    assert all(p_value(drawn[i], e) > ALPHA for i, e in enumerate(EPSILONS))
    assert p_value(drawn[0], EPSILONS[2]) < ALPHA


def test_the_same_seed_gives_the_same_draws(own):
    first, again = (private_inputs(CMP.family(), TOY, own.inputs, EPSILONS, 5) for _ in "ab")
    assert (first == again).all()
    assert (first != private_inputs(CMP.family(), TOY, own.inputs, EPSILONS, 6)).any()


# ------------------------------------------------------------------------------------ adversaries


def reader(texts):
    own = own_texts(texts, TOY)
    return Reader(own, own, np.arange(len(own))), own


@pytest.mark.parametrize("mechanism", [TEM(epsilon=200), CMP(epsilon=2000)], ids=repr)
def test_without_noise_every_word_is_named(mechanism):
    texts = ["origin east north lonely"] * 8 + ["west south corner edge"] * 8
    knows, own = reader(texts)
    drawn = private_inputs(mechanism.family(), TOY, own.inputs, np.array([mechanism.epsilon]), 1)[0]
    found = unchanged(
        mechanism.family(),
        TOY,
        own.words,
        own.counts / own.counts.sum(),
        np.array([mechanism.epsilon]),
    )
    log_z = None if found.log_normalisers is None else found.log_normalisers[:, 0]
    named = knows.named(mechanism, drawn, log_z)
    assert named.frequencies.value == 1
    assert named.neighbours.value == 1


def test_no_adversary_beats_the_exact_success_by_more_than_chance():
    texts = ["origin east north", "origin south west", "origin origin lonely edge"] * 400
    knows, own = reader(texts)
    mechanism, epsilon = SanText(epsilon=1.5), np.array([1.5])
    found = unchanged(mechanism.family(), TOY, own.words, own.counts / own.counts.sum(), epsilon)
    drawn = private_inputs(mechanism.family(), TOY, own.inputs, epsilon, 1)[0]
    tried = knows.named(mechanism, drawn, found.log_normalisers[:, 0]).frequencies
    count = len(own.inputs)
    hits = round(tried.value * count)
    assert binom.sf(hits - 1, count, found.best_success[0]) > ALPHA
    assert binom.cdf(hits, count, found.best_success[0]) > ALPHA
    assert binom.cdf(hits, count, found.best_success[0] + 0.1) < ALPHA


def test_with_so_much_noise_that_nothing_shows_the_commonest_word_is_named():
    knows, own = reader(["origin origin east", "origin origin west"] * 200)
    mechanism = CMP(epsilon=1e-4)
    drawn = private_inputs(mechanism.family(), TOY, own.inputs, np.array([1e-4]), 1)[0]
    assert knows.named(mechanism, drawn).frequencies.value == pytest.approx(2 / 3, abs=0.02)


def test_a_neighbour_tells_what_frequency_does_not():
    # After "lonely" always "near", after "corner" always "nearer": nearly the same point.
    texts = ["lonely near", "corner nearer"] * 200
    order = np.random.default_rng(1).permutation(400)
    knows, own = reader([texts[i] for i in order])
    mechanism, epsilon = SanText(epsilon=4), np.array([4.0])
    found = unchanged(mechanism.family(), TOY, own.words, own.counts / own.counts.sum(), epsilon)
    drawn = private_inputs(mechanism.family(), TOY, own.inputs, epsilon, 1)[0]
    named = knows.named(mechanism, drawn, found.log_normalisers[:, 0])
    assert named.neighbours.low > named.frequencies.high


def test_success_among_words_is_exact_for_a_law_and_a_lower_bound_for_noise():
    words = np.array([0, 1, 2, 3, 10])
    found = success_among(SanText.family(), TOY, words, EPSILONS)
    assert found.source.is_exact
    for value, epsilon in zip(found.value, EPSILONS, strict=True):
        law = np.exp(SanText(epsilon=float(epsilon)).log_prob(TOY, words))
        assert value == pytest.approx(law.max(axis=0).sum() / 5, rel=1e-5)
    noise = success_among(CMP.family(), TOY, words, [0.001, 5000.0])
    assert not noise.source.is_exact
    assert noise.high[0] < 0.5
    assert noise.value[1] == 1


# -------------------------------------------------------------------------------------- usefulness


def test_similarity_is_1_for_the_same_words_and_0_without_any(own):
    vectors = mean_vectors(own, own.inputs)
    found = similarity(vectors, vectors)
    np.testing.assert_allclose(found[:4], 1)
    assert found[4] == 0
    assert vectors[0] == pytest.approx(TOY.vectors[own.inputs[:4]].mean(axis=0) - TOY.mean)


def test_a_classifier_tells_labels_that_the_words_tell_and_no_others():
    texts = ["lonely edge", "corner twin"] * 40
    own = own_texts(texts, TOY, ["a", "b"] * 40)
    fold = folds_of(own.labels, 5, 0)
    vectors = mean_vectors(own, own.inputs)
    assert right(vectors, own.labels, fold).all()
    rng = np.random.default_rng(1)
    noise = rng.normal(size=vectors.shape)
    hits = int(right(noise, own.labels, fold).sum())
    assert binom.cdf(hits, 80, 0.5) > ALPHA
    assert binom.sf(hits - 1, 80, 0.5) > ALPHA


def test_folds_hold_every_label_evenly():
    labels = ("a",) * 50 + ("b",) * 25
    fold = folds_of(labels, 5, 0)
    for number in range(5):
        assert [
            np.count_nonzero((fold == number)[:50]),
            np.count_nonzero((fold == number)[50:]),
        ] == [
            10,
            5,
        ]


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (("a",) * 30, "two different labels"),
        (tuple(map(str, range(30))), "too many to learn"),
        (("a", "b") * 5, "at least 20 texts"),
    ],
)
def test_labels_that_nothing_can_learn_are_refused(labels, sentence):
    with pytest.raises(ValueError, match=sentence):
        folds_of(labels, 5, 0)


def test_the_share_of_accuracy_is_paired_and_its_interval_covers():
    rng = np.random.default_rng(7)
    covered = narrow = 0
    trials, texts = 600, 200
    for _ in range(trials):
        original = rng.random(texts) < 0.8
        private = np.where(rng.random(texts) < 0.9, original, rng.random(texts) < 0.5)
        share = accuracy_kept(private, original).share
        truth = (0.9 * 0.8 + 0.1 * 0.5) / 0.8
        covered += share.low <= truth <= share.high
        half = (share.high - share.low) / 4
        narrow += abs(share.value - truth) <= half
    assert binom.cdf(covered, trials, 0.95) > ALPHA
    assert binom.cdf(narrow, trials, 0.95) < ALPHA


def test_a_difference_is_wider_the_more_are_compared():
    values = np.random.default_rng(1).normal(size=50)
    one, many = difference(values, np.zeros(50)), difference(values, np.zeros(50), 100)
    assert one.value == many.value
    assert many.high - many.low > one.high - one.low
