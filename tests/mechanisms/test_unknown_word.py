"""The unknown word, one more input of every mechanism: its law, its promise, and where it goes."""

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from measures.audits.audit import audit, density_ratio
from mechanisms import (
    CMP,
    TEM,
    Gaussian,
    Laplace,
    LawMechanism,
    Mahalanobis,
    SanText,
    SynTF,
    TruncatedGumbel,
    TruncatedLaplace,
    UnknownWordError,
    Vickrey,
    Vocabulary,
)
from mechanisms.base import Guarantee
from mechanisms.epsilon_path import epsilon_path, exact_answers, sampled_path
from mechanisms.randomness import seeded_rng
from mechanisms.sampled_path import has_path
from mechanisms.selection import DistanceLaw
from mechanisms.text import Status, private_versions
from tests.claims import assert_drawn_from, assert_not_drawn_from
from tests.mechanisms.test_mechanisms import (
    PLAIN,
    all_variants,
    covered,
    every_law,
    every_mechanism,
    every_noise,
    every_radial_noise,
)
from tests.toy import TOY

UNKNOWN = PLAIN.unknown_id
EVERY_WORD = np.arange(len(PLAIN))


def to_unknown(guarantee, word_ids, vocabulary=PLAIN):
    """The promised log ratios of words and the unknown word (n,)."""
    unknown = np.full(len(word_ids), vocabulary.unknown_id)
    return guarantee.log_ratio_bound(vocabulary, np.asarray(word_ids), unknown)


# ---------------------------------------------------------------------------------------- its id


def test_its_id_is_past_the_words_so_that_code_without_a_rule_for_it_raises():
    assert TOY.unknown_id == len(TOY)
    assert TOY.checked_inputs([0, TOY.unknown_id]).tolist() == [0, 12]
    with pytest.raises(UnknownWordError, match=r"lie in \[0, 12\); got 12\."):
        TOY.checked([TOY.unknown_id])
    with pytest.raises(UnknownWordError, match=r"lie in \[0, 13\); got 13\."):
        TOY.checked_inputs([0, 13])
    for read in (TOY.vectors, TOY.words, TOY.representatives, TOY.squared_norms):
        with pytest.raises(IndexError):
            read[TOY.unknown_id]


@pytest.mark.parametrize("asked", [[0], [10, 3, 10], range(12), []])
def test_the_farthest_word_of_a_word(asked, monkeypatch):
    monkeypatch.setattr("mechanisms.extreme_pairs._ROWS", 2)
    monkeypatch.setattr("mechanisms.extreme_pairs._COLUMNS", 5)
    vocabulary = Vocabulary(TOY.words, TOY.vectors)
    expected = cdist(TOY.vectors.astype(float), TOY.vectors.astype(float)).max(axis=1)
    ids = np.array(list(asked), dtype=np.int64)
    for _ in range(2):  # computed, then kept
        np.testing.assert_allclose(vocabulary.farthest_distances(ids), expected[ids], rtol=1e-14)


def test_the_farthest_words_of_a_real_vocabulary(glove):
    ids = np.array([0, 17, 4_999, 123])
    expected = glove.distances(ids).max(axis=1)
    np.testing.assert_allclose(glove.farthest_distances(ids), expected, rtol=1e-12)


@every_mechanism
def test_it_is_an_input_and_never_an_output(mechanism):
    known = covered(mechanism)
    inputs = np.concatenate([[UNKNOWN], known, [UNKNOWN]])
    released = mechanism.sample(PLAIN, inputs, 200, np.random.default_rng(1))
    assert released.shape == (len(inputs), 200)
    assert np.isin(released, EVERY_WORD).all()
    with pytest.raises(UnknownWordError, match="word ids lie in"):
        mechanism.sample(PLAIN, [UNKNOWN + 1], 1, np.random.default_rng(1))


@every_mechanism
def test_words_without_a_law_are_the_unknown_word(mechanism):
    found = mechanism.inputs(PLAIN, np.arange(len(PLAIN) + 1))
    assert found[UNKNOWN] == UNKNOWN
    assert found[covered(mechanism)].tolist() == covered(mechanism).tolist()
    assert (np.delete(found, covered(mechanism)) == UNKNOWN).all()
    mechanism.sample(PLAIN, found, 1, np.random.default_rng(1))


@pytest.mark.parametrize(
    "mechanism", [TruncatedGumbel(epsilon=1.0), Mahalanobis(epsilon=1.0, lam=1.0)]
)
def test_a_mechanism_that_refuses_a_vocabulary_refuses_its_unknown_word_too(mechanism):
    flat = Vocabulary(["a", "b", "c"], np.array([[0.0, 0], [1, 0], [2, 0]]))
    with pytest.raises(ValueError, match=mechanism.name):
        mechanism.sample(flat, [flat.unknown_id], 1, np.random.default_rng(1))


# ------------------------------------------------------------------------------------------ its law


@every_law
def test_the_law_of_a_law_mechanism_is_that_of_one_score_for_every_word(mechanism):
    word = covered(mechanism)[0]
    law = mechanism.log_prob(PLAIN, [UNKNOWN, word, UNKNOWN])
    base = mechanism.base_measure(PLAIN) if isinstance(mechanism, DistanceLaw) else None
    shares = np.ones(len(PLAIN)) if base is None else base
    expected = np.tile(np.log(shares / shares.sum()), (2, 1))
    np.testing.assert_allclose(law[[0, 2]], expected, rtol=1e-14)
    np.testing.assert_array_equal(law[1], mechanism.log_prob(PLAIN, [word])[0])


@every_law
def test_its_draws_follow_its_law(mechanism):
    word = covered(mechanism)[0]
    drawn = mechanism.sample(PLAIN, [word, UNKNOWN], 20_000, np.random.default_rng(2))
    of_word, of_unknown = (np.bincount(row, minlength=len(PLAIN)) for row in drawn)
    law = np.exp(mechanism.log_prob(PLAIN, [word, UNKNOWN]))
    assert_drawn_from(of_unknown, law[1])
    assert_drawn_from(of_word, law[0])
    assert_not_drawn_from(of_word, law[1])


@every_noise
def test_noise_is_added_to_a_public_point(mechanism):
    clipped = isinstance(mechanism, Laplace | Gaussian | TruncatedLaplace)
    point = np.zeros(2) if clipped else PLAIN.vectors.astype(float).mean(axis=0)
    starts = mechanism.start(PLAIN, np.array([3, UNKNOWN, 0]))
    np.testing.assert_allclose(starts[1], point, rtol=1e-15)
    np.testing.assert_array_equal(starts[[0, 2]], mechanism.start(PLAIN, np.array([3, 0])))


# -------------------------------------------------------------------------------------- its promise


@every_mechanism
def test_two_unknown_words_are_not_told_apart(mechanism):
    bound = to_unknown(mechanism.guarantee(PLAIN), [UNKNOWN])
    assert bound is None or bound.tolist() == [0.0]


@every_mechanism
def test_a_promise_includes_the_unknown_word_with_a_finite_bound_or_says_that_it_does_not(
    mechanism,
):
    guarantee = mechanism.guarantee(PLAIN)
    bound = to_unknown(guarantee, EVERY_WORD)
    if guarantee.includes_unknown:
        assert "No promise" not in guarantee.unknown_promise
        assert (bound is None) == (guarantee.notion == "(ε, δ)-DP")
        assert bound is None or np.isfinite(bound).all()
    else:
        assert guarantee.unknown_promise.startswith("No promise covers the unknown word")


def test_the_variants_without_a_promise_for_the_unknown_word():
    without = {
        (mechanism.name, mechanism.variant)
        for cls in (Vickrey, TruncatedGumbel, TruncatedLaplace, SynTF, Gaussian)
        for mechanism in (
            cls(epsilon=80.0, variant=variant) for variant in cls.parameters()["variant"].choices
        )
        if not mechanism.guarantee(PLAIN).includes_unknown
    }
    assert without == {
        ("Vickrey", "published"),
        ("Truncated Gumbel", "published"),
        ("Truncated Gumbel", "benchmark"),
        ("Truncated Laplace", "published"),
        ("SynTF", "benchmark"),
        ("Gaussian", "published"),  # nothing is proven above ε = 1
    }
    assert Gaussian(epsilon=1.0, variant="published").guarantee(PLAIN).includes_unknown
    for mechanism in (CMP, Mahalanobis, Laplace, TEM, SanText):
        assert mechanism(epsilon=80.0).guarantee(PLAIN).includes_unknown


def test_a_promise_that_says_nothing_of_the_unknown_word_does_not_include_it():
    guarantee = Guarantee("metric DP", 2.0, "by construction")
    assert guarantee.log_ratio_bound(TOY, [0, 0], [1, TOY.unknown_id]).tolist() == [2.0, np.inf]
    assert not guarantee.includes_unknown


@every_law
@pytest.mark.parametrize("factor", [1e-3, 0.2, 1.0, 5.0])
def test_a_law_keeps_its_promise_for_a_word_and_the_unknown_word(mechanism, factor):
    # Both ways the largest log ratios add up to ε/2 times the range of the word's scores. So one
    # of them is at least half of the promise: it is never more than twice too large.
    mechanism = dataclasses.replace(mechanism, epsilon=mechanism.epsilon * factor)
    guarantee = mechanism.guarantee(PLAIN)
    if not guarantee.includes_unknown:
        return
    bound = to_unknown(guarantee, EVERY_WORD)
    law = mechanism.log_prob(PLAIN, EVERY_WORD)
    uniform = mechanism.log_prob(PLAIN, [UNKNOWN])
    from_word, from_unknown = (law - uniform).max(axis=1), (uniform - law).max(axis=1)
    assert (np.maximum(from_word, from_unknown) <= bound + 1e-12).all()
    has_full_range = np.ones(len(PLAIN), dtype=bool)
    if isinstance(mechanism, DistanceLaw) and mechanism.threshold(PLAIN) < math.inf:
        has_full_range = PLAIN.farthest_distances(EVERY_WORD) >= mechanism.threshold(PLAIN)
    np.testing.assert_allclose(
        (from_word + from_unknown)[has_full_range], bound[has_full_range], rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("gamma", [0.5, 1.7, 3.0])
def test_the_promise_of_tem_has_the_gamma_in_force(gamma):
    guarantee = TEM(epsilon=3.0, gamma=gamma).guarantee(TOY)
    np.testing.assert_allclose(to_unknown(guarantee, [0, 4], TOY), 3.0 * gamma / 2)
    assert f"D is γ/2 (γ = {gamma:.4g})." in guarantee.unknown_promise
    by_theorem = TEM(epsilon=3.0)
    bound = to_unknown(by_theorem.guarantee(TOY), [0], TOY)[0]
    assert bound == pytest.approx(3.0 * by_theorem.threshold(TOY) / 2)


@every_noise
def test_noise_keeps_its_promise_for_a_word_and_the_unknown_word(mechanism):
    guarantee = mechanism.guarantee(PLAIN)
    if not guarantee.includes_unknown or guarantee.notion == "(ε, δ)-DP":
        return
    unknown = np.full(len(PLAIN), UNKNOWN)
    rng = np.random.default_rng(3)
    for pair in ((EVERY_WORD, unknown), (unknown, EVERY_WORD)):
        check = density_ratio(mechanism, guarantee, PLAIN, *pair, rng)
        assert check is not None
        assert not check.fault, check.fault
    # The same noisy point has the same outcome, whatever the input.
    points = mechanism.start(PLAIN, EVERY_WORD) + mechanism.noise(PLAIN, len(PLAIN), rng)
    chosen = [mechanism.choose(PLAIN, ids, points, seeded_rng(4)) for ids in (EVERY_WORD, unknown)]
    np.testing.assert_array_equal(*chosen)


@pytest.mark.parametrize(
    "mechanism",
    [CMP(epsilon=2.0), Vickrey(epsilon=2.0), Mahalanobis(epsilon=2.0, lam=0.7)],
    ids=lambda mechanism: mechanism.name,
)
def test_the_promise_of_noise_from_the_mean_is_tight(mechanism):
    # Beyond the mean, seen from the word, the two densities are a factor e^(ε d) apart.
    guarantee = mechanism.guarantee(PLAIN)
    word, unknown = mechanism.start(PLAIN, np.array([8])), mechanism.start(PLAIN, [UNKNOWN])
    point = word + 3 * (unknown - word)
    ratio = mechanism.log_density(PLAIN, point - unknown) - mechanism.log_density(
        PLAIN, point - word
    )
    np.testing.assert_allclose(ratio, to_unknown(guarantee, [8]), rtol=1e-12)


def test_the_promise_of_laplace_noise_is_tight():
    # (2, 2), clipped to (1, 1): as far from 0 in the norm ‖·‖₁ as a vector of length C can be.
    mechanism = Laplace(epsilon=2.0, clipping_norm=math.sqrt(2))
    corner = TOY.ids(["corner"])
    start, point = mechanism.start(TOY, corner), np.array([[-3.0, -4.0]])
    ratio = mechanism.log_density(TOY, point) - mechanism.log_density(TOY, point - start)
    bound = to_unknown(mechanism.guarantee(TOY), corner, TOY)
    assert bound.tolist() == [1.0]
    np.testing.assert_allclose(ratio, bound, rtol=1e-12)


def hockey_stick(mechanism, start, other, cells=1_201):
    """∫ (p - e^ε q)₊ of noise around two points in the plane, on a grid; and the mass of p."""
    reach = 9 * (mechanism.sigma(TOY) if isinstance(mechanism, Gaussian) else mechanism.scale(TOY))
    if isinstance(mechanism, TruncatedLaplace):
        reach = mechanism.support(TOY)
    edge = np.linspace(-reach, reach, cells)
    middle = (edge[1:] + edge[:-1]) / 2
    offsets = np.stack(np.meshgrid(middle, middle), axis=2).reshape(-1, 2)
    own = np.exp(mechanism.log_density(TOY, offsets))
    across = np.exp(mechanism.log_density(TOY, offsets + (start - other)))
    return np.maximum(own - math.exp(mechanism.epsilon) * across, 0).sum() / own.sum()


@dataclass(frozen=True, kw_only=True)
class FarGaussian(Gaussian):
    """Starts outside the ball of the clipped vectors."""

    def unknown_start(self, vocabulary):
        return np.full(vocabulary.dimensions, 2 * self.clipping_norm)


@dataclass(frozen=True, kw_only=True)
class FarTruncatedLaplace(TruncatedLaplace):
    """Starts outside the ball of the clipped vectors."""

    def unknown_start(self, vocabulary):
        return np.full(vocabulary.dimensions, 2 * self.clipping_norm)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong"), [(Gaussian, FarGaussian), (TruncatedLaplace, FarTruncatedLaplace)]
)
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_an_approximate_promise_covers_the_unknown_word_and_not_from_another_point(
    right, wrong, epsilon
):
    settings = {"epsilon": epsilon, "delta": 1e-2, "clipping_norm": 2.0}
    for made, kept in ((right, True), (wrong, False)):
        mechanism = made(**settings)
        delta = mechanism.guarantee(TOY).delta
        starts = mechanism.start(TOY, np.arange(len(TOY) + 1))
        found = [
            hockey_stick(mechanism, *pair)
            for start in starts[:-1]
            for pair in ((start, starts[-1]), (starts[-1], start))
        ]
        assert (max(found) <= delta * 1.01) == kept
        if isinstance(mechanism, TruncatedLaplace):
            unknown = np.full(len(TOY), TOY.unknown_id)
            exact = mechanism.unreachable_mass(TOY, np.arange(len(TOY)), unknown)
            assert (exact.max() <= delta) == kept


@dataclass(frozen=True, kw_only=True)
class CMPFromZero(CMP):
    """Starts from 0, and promises the distance to the mean."""

    def unknown_start(self, vocabulary):
        return np.zeros(vocabulary.dimensions)


@dataclass(frozen=True, kw_only=True)
class LaplaceFromTheFarthest(Laplace):
    """Starts from a point as far from a word as two words can be."""

    def unknown_start(self, vocabulary):
        return np.full(vocabulary.dimensions, self.clipping_norm / math.sqrt(2))


@pytest.mark.parametrize("mechanism", [CMPFromZero(epsilon=2.0), LaplaceFromTheFarthest(epsilon=2)])
def test_a_wrong_start_point_breaks_the_promise(mechanism):
    unknown = np.full(len(TOY), TOY.unknown_id)
    check = density_ratio(
        mechanism, mechanism.guarantee(TOY), TOY, np.arange(len(TOY)), unknown, seeded_rng(5)
    )
    assert check is not None
    assert check.fault.startswith("The log-ratio of the noise exceeds its bound")


@dataclass(frozen=True, kw_only=True)
class SkewedTEM(TEM):
    """Gives the unknown word the law of the first word."""

    def log_prob(self, vocabulary, input_ids):
        ids = np.where(np.asarray(input_ids) == vocabulary.unknown_id, 0, input_ids)
        return self.word_log_prob(vocabulary, ids)


def test_another_law_than_the_uniform_one_breaks_the_promise():
    mechanism = SkewedTEM(epsilon=20.0, gamma=1.0)
    law = mechanism.log_prob(TOY, [10, TOY.unknown_id])
    assert (law[0] - law[1]).max() > to_unknown(mechanism.guarantee(TOY), [10], TOY)[0]


@pytest.mark.parametrize("mechanism", [TEM(epsilon=20.0, gamma=2.0), CMP(epsilon=20.0)])
def test_the_audit_compares_every_word_with_the_unknown_word(mechanism):
    found = audit(mechanism, TOY)
    assert found.verdict == "holds", found.witness
    pairs = found.pairs
    for word in range(len(TOY)):
        for a, b in ((word, TOY.unknown_id), (TOY.unknown_id, word)):
            assert ((pairs.a == a) & (pairs.b == b)).sum() == 1
    assert pairs.with_unknown.sum() == 2 * len(TOY)
    assert 0 < pairs.largest_with_unknown <= pairs.bound[pairs.with_unknown].max()


@pytest.mark.parametrize(
    "mechanism",
    [SkewedTEM(epsilon=20.0, gamma=1.0), CMPFromZero(epsilon=20.0), FarGaussian(epsilon=20.0)],
)
def test_the_audit_finds_a_broken_promise_of_the_unknown_word(mechanism):
    found = audit(mechanism, TOY)
    assert found.verdict == "broken"
    faults = " ".join(check.fault for check in found.checks)
    shown = ("the unknown word", "start point has length", "of the noise exceeds its bound")
    assert any(sentence in faults for sentence in shown)


# -------------------------------------------------------------------------- paths and exact answers


@every_radial_noise
def test_the_epsilon_path_of_the_unknown_word_is_its_law(mechanism):
    inputs = np.array([covered(mechanism)[-1], UNKNOWN])  # not `origin`, where clipped noise starts
    path = epsilon_path(mechanism.family(), PLAIN, inputs, 20_000, seeded_rng(6))
    drawn = mechanism.sample(PLAIN, inputs, 20_000, np.random.default_rng(7))
    counts = [np.bincount(row, minlength=len(PLAIN)) for row in drawn]
    law = path.law(1, mechanism.epsilon).dense()
    # Directions err about as much as so many draws: half of them count.
    assert_drawn_from(counts[1] // 2, law)
    assert_not_drawn_from(counts[0], law)
    assert (path.unchanged_probability([0.5, 5.0]).value[1] == 0).all()
    measured = path.curves([0.5, 5.0], draws=10)
    assert (measured.unchanged.value[1] == 0).all()
    assert (measured.distinct.value[1] > 1).all()


@pytest.mark.parametrize(
    "mechanism", [each for each in all_variants() if has_path(each.values[0].family())]
)
def test_a_fixed_draw_of_the_unknown_word_can_be_followed_over_epsilon(mechanism):
    inputs = np.array([UNKNOWN, 0])
    path = sampled_path(mechanism.family(), PLAIN, inputs, 10_000, seeded_rng(8))
    drawn = mechanism.sample(PLAIN, inputs, 20_000, np.random.default_rng(9))
    if isinstance(mechanism, LawMechanism):
        law = np.exp(mechanism.log_prob(PLAIN, [UNKNOWN])[0])
    else:
        law = np.bincount(drawn[0], minlength=len(PLAIN)) / 20_000
    counts = np.bincount(path.at(mechanism.epsilon)[0], minlength=len(PLAIN))
    assert_drawn_from(counts // 2, law)
    assert np.isin(path.words, EVERY_WORD).all()


@every_law
def test_the_exact_answers_of_the_unknown_word(mechanism):
    answers = exact_answers(mechanism.family(), PLAIN, np.array([UNKNOWN, covered(mechanism)[0]]))
    grid = np.array([mechanism.epsilon, 2 * mechanism.epsilon])
    assert (answers.unchanged_probability(grid).value[0] == 0).all()
    curves = answers.curves(grid, draws=100, eta=0.0)
    assert (curves.unchanged.value[0] == 0).all()
    assert (curves.support.value[0] == len(PLAIN)).all()
    law = np.exp(mechanism.log_prob(PLAIN, [UNKNOWN])[0])
    np.testing.assert_allclose(curves.largest.value[0], law.max(), rtol=1e-12)
    expected = (1 - (1 - law) ** 100).sum()
    np.testing.assert_allclose(curves.distinct.value[0], expected, rtol=1e-12)
    assert (curves.unchanged.value[1] > 0).all()


# ------------------------------------------------------------------------------------------ in text


@every_mechanism
def test_an_unknown_word_of_a_text_is_drawn_by_the_mechanism(mechanism):
    private = private_versions("zzz", mechanism, PLAIN, seeded_rng(10), versions=20_000)
    assert private.versions[0][0].status is Status.REPLACED
    counts = np.bincount(private.drawn[0], minlength=len(PLAIN))
    if isinstance(mechanism, LawMechanism):
        assert_drawn_from(counts, np.exp(mechanism.log_prob(PLAIN, [UNKNOWN])[0]))
    else:
        drawn = mechanism.sample(PLAIN, [UNKNOWN], 60_000, np.random.default_rng(11))[0]
        law = np.bincount(drawn, minlength=len(PLAIN)) / 60_000
        assert_drawn_from(counts // 4, law)
        assert_not_drawn_from(np.full(len(PLAIN), 2_000), law)


def test_an_unknown_word_that_shows_is_not_drawn():
    for unknown in ("mask", "drop", "keep"):
        private = private_versions("zzz east", CMP(epsilon=1), TOY, seeded_rng(12), unknown=unknown)
        assert private.drawn[0, 0] == -1
        assert private.drawn[2, 0] >= 0


def test_a_word_without_synonyms_is_drawn_as_the_unknown_word():
    mechanism = SynTF(epsilon=50.0, variant="benchmark")
    private = private_versions("edge", mechanism, PLAIN, seeded_rng(13), versions=20_000)
    assert_drawn_from(np.bincount(private.drawn[0]), np.full(len(PLAIN), 1 / len(PLAIN)))


def test_santext_promises_half_the_distance_to_the_farthest_word():
    bound = to_unknown(SanText(epsilon=4.0).guarantee(TOY), TOY.ids(["lonely"]), TOY)
    expected = max(math.hypot(8 - x, -6 - y) for x, y in TOY.vectors.astype(float))
    np.testing.assert_allclose(bound, 4.0 * expected / 2, rtol=1e-14)
