"""The claims of `mechanisms.exact_draws`, one after the other."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from randomgen import ChaCha

from data import embeddings
from mechanisms import (
    MECHANISMS,
    TEM,
    SanText,
    SynTF,
    Vocabulary,
    exact_draws,
    selection,
    syntf,
    word_blocks,
)
from mechanisms.base import Draws, LawMechanism
from mechanisms.exact_draws import (
    SPACE,
    UNIT,
    Layout,
    accepted,
    cells,
    points,
    random_words,
    refined,
    slack,
)
from mechanisms.exact_law import ExactLaw
from mechanisms.weight import Weight
from mechanisms.word_blocks import BLOCK
from tests.bits import (
    PRECISE,
    RejectedError,
    WrittenBits,
    distance_weight,
    first_point_only,
    precise,
)
from tests.claims import assert_drawn_from, assert_not_drawn_from
from tests.toy import toy_counts

GLOVE = embeddings.load(embeddings.GLOVE, 10_000, words_only=False)
ONES = 2**64 - 1

# Seven words on whole numbers: two share a vector, two pairs are equally far from a third word.
GRID = Vocabulary(
    ["a", "b", "c", "d", "e", "f", "g"],
    np.array([[0, 0], [1, 0], [0, 1], [0, 1], [2, 1], [-3, 4], [3, 4]]),
    {"a": ["b", "c"], "b": ["a"], "c": ["a"]},
    counter=toy_counts,
)
LAWS = {
    "SanText": SanText(epsilon=1.5),
    "TEM": TEM(epsilon=1.0, gamma=2.0),
    "TEM, γ = a distance": TEM(epsilon=2.0, gamma=1.0),
    "TEM, theorem": TEM(epsilon=0.7, beta=0.2),
}


@pytest.fixture(autouse=True)
def one_point(monkeypatch):
    """A draw from written bits that rejects its point says so, and does not begin again."""
    for module in (exact_draws, selection):
        monkeypatch.setattr(module, "points", first_point_only(points))


@pytest.fixture
def small_space(monkeypatch):
    """[0, 2^9) in place of [0, 2^62): every whole part of T can be tried."""
    monkeypatch.setattr(exact_draws, "_BITS", 9)
    monkeypatch.setattr(exact_draws, "SPACE", 2**9)
    monkeypatch.setattr(exact_draws, "_SPARE", 1)
    monkeypatch.setattr(word_blocks, "SPACE", 2**9)
    return 9


def count_refined(monkeypatch):
    """A list that grows with every draw that float64 cannot decide."""
    asked = []

    def counted(*arguments):
        asked.append(1)
        return refined(*arguments)

    monkeypatch.setattr(exact_draws, "refined", counted)
    return asked


def released(draw, bits, t, *further):
    """What a draw returns for these bits, or None if it rejects T and begins again."""
    try:
        return draw(WrittenBits(t << (64 - bits), *further))
    except RejectedError:
        return None


def measures(draw, bits, own_of):
    """How much of [0, 2^bits) returns each output, as exact numbers of cells.

    Returned are whole cells, in which all further bits give one answer, and the cells in which the
    further bits decide: output -> (whole, [boundary]). The boundary of such a cell is tried at the
    fractional part of S w, `own_of(output)`, to 128 bits: bits below it must accept.
    """
    found = {}
    for t in range(2**bits):
        lowest, highest = released(draw, bits, t, 0, 0), released(draw, bits, t, ONES, ONES)
        if lowest is None and highest is None:
            continue
        whole, boundary = found.setdefault(lowest, [0, []])
        if lowest == highest:
            found[lowest][0] = whole + 1
        else:
            assert highest is None, "more bits may reject, never name another output"
            fraction = int(own_of(lowest) % 1 * 2**128)
            for step, expected in ((-1, lowest), (1, None)):
                further = divmod(fraction + step, 2**64)
                assert released(draw, bits, t, *further) == expected
            boundary.append(t)
    return found


# ------------------------------------------------------------------------------------ claims 1 to 3


def assert_law(draw, bits, scale, weights):
    """The draw returns v on a set of measure exactly S w_v."""
    found = measures(draw, bits, lambda v: PRECISE.mpf(scale) * weights[v])
    for v, weight in enumerate(weights):
        own = PRECISE.mpf(scale) * weight
        whole, boundary = found.get(v, [0, []])
        assert whole == int(own)
        assert len(boundary) == (own > whole)


def rows_of(law, word):
    """A layout of one row, and a draw from it."""
    weights = np.exp(law.log_weights(GRID, np.array([word])))
    return Layout(weights, law.unit(GRID))


@pytest.mark.parametrize("word", [0, 2, 5])
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_claim_1_every_word_has_a_set_of_points_of_exactly_its_weight(law, word, small_space):
    layout = rows_of(law, word)

    def draw(rng):
        return int(layout.draw(np.zeros(1, int), rng, lambda _, v: weight(v))[0][0])

    def weight(v):
        return law.exact_weight(GRID, word, v)

    gamma = law.threshold(GRID)
    exact = [distance_weight(GRID, law.epsilon, gamma, word, v) for v in range(len(GRID))]
    assert_law(draw, small_space, layout.scale[0], exact)


def test_claim_1_rational_weights_have_exactly_their_share(small_space):
    weights = [Fraction(1, 2), Fraction(3, 4), Fraction(1, 3), Fraction(1, 97)]
    layout = Layout(np.array([[float(w) for w in weights]]))

    def draw(rng):
        return int(layout.draw(np.zeros(1, int), rng, lambda _, v: Weight(factor=weights[v]))[0][0])

    assert_law(draw, small_space, layout.scale[0], [precise(w) for w in weights])


@pytest.mark.parametrize("seed", range(3))
def test_claim_2_estimates_that_err_within_their_bound_change_nothing(seed, small_space):
    rng, unit = np.random.default_rng(seed), 1 / 2048
    weights = [Fraction(1), Fraction(2, 5), Fraction(1, 7), Fraction(1, 2)]
    estimates = np.array([[float(w) for w in weights]])
    estimates *= 1 + rng.choice([-1, 1], estimates.shape) * (abs(np.log(estimates)) + 2) * unit
    layout = Layout(estimates, unit)

    def draw(rng):
        return int(layout.draw(np.zeros(1, int), rng, lambda _, v: Weight(factor=weights[v]))[0][0])

    assert_law(draw, small_space, layout.scale[0], [precise(w) for w in weights])


@pytest.mark.parametrize("epsilon", [0.1, 3.0, 30.0, 300.0, 1e5])
def test_claim_3_all_cells_fit_and_no_word_is_without_one(epsilon):
    weights = np.exp(SanText(epsilon=epsilon).log_weights(GLOVE, np.array([0, 77, 9_999])))
    layout = Layout(weights)
    assert layout.cells.min() >= 1
    sums = [sum(row) for row in layout.cells.tolist()]
    assert all(SPACE * (1 - 1e-3) < total <= SPACE for total in sums)


@pytest.mark.parametrize("power", [-25, -60, -139, -1_000])
def test_claim_3_an_output_of_any_probability_comes_out_for_the_bits_that_name_it(power):
    # One word is so far away that its probability is 10^power.
    far = -power * math.log(10)
    line = Vocabulary(["near", "beside", "far"], np.array([[0.0], [0.25], [far]]))
    law = SanText(epsilon=2.0)
    layout = Layout(np.exp(law.log_weights(line, np.array([0]))))
    before = int(layout.cells[0, :2].sum())
    own = PRECISE.mpf(layout.scale[0]) * distance_weight(line, 2.0, math.inf, 0, 2)
    probability = own / SPACE
    assert 0 < probability < 10.0 * PRECISE.mpf(10) ** power
    words = 60
    fraction = int(own * 2 ** (64 * words))

    def draw(rng):
        return law.sample(line, np.array([0]), 1, rng)[0, 0]

    for step, expected in ((-(fraction >> 200), 2), (fraction >> 200, None)):
        further = (fraction + step).to_bytes(8 * words, "big")
        written = [int.from_bytes(further[i : i + 8], "big") for i in range(0, 8 * words, 8)]
        assert released(draw, 62, before, *written) == expected


# ------------------------------------------------------------------------------------ claims 4 to 6


def named(vectors):
    return Vocabulary([f"w{i}" for i in range(len(vectors))], vectors)


def cloud(scale=1.0, offset=0.0, dimensions=50):
    rng = np.random.default_rng(dimensions)
    return named(offset + scale * rng.standard_normal((100, dimensions)))


def differing_in_the_last_bit():
    vectors = np.ones((40, 3), dtype=np.float32)
    vectors[:, 0] = 1 + np.arange(40) * np.finfo(np.float32).eps
    return named(vectors)


ADVERSARIAL = {
    "real": embeddings.load(embeddings.GLOVE, 400, words_only=False),
    "grid": GRID,
    "huge norms": cloud(scale=1e15),
    "far from zero": cloud(offset=1e6),
    "denormal": cloud(scale=1e-42, dimensions=4),
    "short": cloud(scale=1e-20),
    "many dimensions": cloud(dimensions=1_700),
    "last bit": differing_in_the_last_bit(),
}


def scores_of(vocabulary):
    """ε that make scores of about 0.01, 1, 10 and 100 on this vocabulary."""
    typical = np.median(vocabulary.distances([0])[0, 1:])
    return [float(2 * score / typical) for score in (0.01, 1.0, 10.0, 100.0)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ADVERSARIAL)
def test_claim_4_estimates_are_within_their_error_and_cells_cover_the_weights(name):
    vocabulary = ADVERSARIAL[name]
    outputs = np.arange(0, len(vocabulary), max(1, len(vocabulary) // 15))
    for epsilon in scores_of(vocabulary):
        for law in (SanText(epsilon=epsilon), TEM(epsilon=epsilon, gamma=2 / epsilon)):
            unit = law.unit(vocabulary)
            estimates = np.exp(law.log_weights(vocabulary, np.array([0])))
            layout = Layout(estimates, unit)
            scale = Fraction(float(layout.scale[0]))
            for v in outputs.tolist():
                low, high = law.exact_weight(vocabulary, 0, v).enclosed(160)
                error = (abs(math.log(high)) + 2) * unit if high > 1e-300 else 1
                assert abs(Fraction(float(estimates[0, v])) - high) <= Fraction(error) * high
                assert layout.cells[0, v] >= scale * high
                assert high - low <= high / 2**160


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_claim_5_float64_alone_decides_wrongly_and_the_draw_does_not(name):
    vocabulary = ADVERSARIAL[name]
    epsilon = scores_of(vocabulary)[1]
    law, wrong = SanText(epsilon=epsilon), 0
    estimates = np.exp(law.log_weights(vocabulary, np.array([0])))
    layout = Layout(estimates, law.unit(vocabulary))
    scale = float(layout.scale[0])
    for v in range(1, len(vocabulary), max(1, len(vocabulary) // 20)):
        own = PRECISE.mpf(scale) * distance_weight(vocabulary, epsilon, math.inf, 0, v)
        # Around the true end of the own part, cell by cell: float64 has gaps of 2^8 there.
        for rest in (int(own) - 40, int(own) - 1, int(own) + 1, int(own) + 40):
            if rest >= layout.cells[0, v]:
                continue
            by_float = rest + 1 <= scale * estimates[0, v]
            wrong += by_float != (rest < own)
            decided = accepted(
                np.array([rest]),
                np.array([scale]),
                estimates[0, v : v + 1],
                law.unit(vocabulary),
                lambda _, v=v: law.exact_weight(vocabulary, 0, v),
                np.random.default_rng(v),
            )
            assert decided[0] == (rest < own)
    assert wrong > 0


def test_claim_5_equal_distances_have_equal_weights_whatever_float64_says_of_them():
    # (±3, 4) are as far from (0, 0) as each other and as (0, 5), by other sums.
    law = SanText(epsilon=1.7)
    exact = {law.exact_weight(GRID, 0, v) for v in GRID.ids(["f", "g"])}
    assert len(exact) == 1
    assert law.exact_weight(GRID, 2, 3) == Weight(rate=Fraction(1.7) / 2)


def test_claim_5_hardly_any_draw_needs_more_than_float64(monkeypatch):
    asked = count_refined(monkeypatch)
    ids, rng = np.arange(0, len(GLOVE), 10), np.random.default_rng(5)
    for epsilon in (1.0, 5.0, 10.0):
        SanText(epsilon=epsilon).sample(GLOVE, ids, 20, rng)
    assert len(asked) <= 2  # of 60,000 draws; expected are less than 0.01


@pytest.mark.parametrize("unit", [UNIT, 0.002])
@pytest.mark.parametrize("law", [SanText(epsilon=3.0), TEM(epsilon=5.0, gamma=4.0)])
def test_claim_6_written_bits_give_the_word_that_200_digits_give(monkeypatch, law, unit):
    asked = count_refined(monkeypatch)
    vocabulary, word, rng = ADVERSARIAL["real"], 17, np.random.default_rng(6)
    estimates = np.exp(law.log_weights(vocabulary, np.array([word])))
    layout = Layout(estimates, unit)
    ends = np.cumsum(layout.cells[0])
    exact = [
        distance_weight(vocabulary, law.epsilon, law.threshold(vocabulary), word, v)
        for v in range(len(vocabulary))
    ]
    taken = 0

    def weight_of(_, v):
        return law.exact_weight(vocabulary, word, v)

    for _ in range(300):
        written = rng.integers(0, ONES, 4, dtype=np.uint64, endpoint=True).tolist()
        t = written[0] >> 2
        v = int(np.searchsorted(ends, t, side="right"))
        expected = None
        if v < len(vocabulary):
            point = t - int(ends[v]) + int(layout.cells[0, v])
            further = PRECISE.mpf(0)
            for place, bits in enumerate(written[1:], 1):
                further += PRECISE.mpf(bits) / PRECISE.mpf(2) ** (64 * place)
            own = PRECISE.mpf(float(layout.scale[0])) * exact[v]
            expected = v if point + further < own else None
        taken += expected is not None
        script = WrittenBits(*written)
        if expected is None:
            with pytest.raises(RejectedError):
                layout.draw(np.zeros(1, int), script, weight_of)
        else:
            assert layout.draw(np.zeros(1, int), script, weight_of)[0][0] == expected
    assert taken > 100
    assert bool(asked) == (unit > UNIT)


@pytest.mark.parametrize("equal_words", [0, 1, 2, 5])
def test_claim_6_bits_that_agree_with_the_boundary_for_long_are_read_on(equal_words):
    weight = Weight(rate=Fraction(1, 3), square=Fraction(2))
    scale = 2.0**40 / 3
    own = PRECISE.mpf(scale) * PRECISE.exp(-PRECISE.sqrt(2) / 3)
    boundary = int(own % 1 * 2 ** (64 * 6))
    words = [(boundary >> (64 * (5 - i))) & ONES for i in range(6)]
    words[equal_words] -= 1
    assert refined(int(own), scale, weight, WrittenBits(*words))
    words[equal_words] += 2
    assert not refined(int(own), scale, weight, WrittenBits(*words))


@pytest.mark.parametrize("law", [SanText(epsilon=3.0), TEM(epsilon=5.0, gamma=4.0)])
def test_claim_6_with_an_estimate_of_few_digits_many_draws_are_refined_and_the_law_stays(
    monkeypatch, law
):
    asked = count_refined(monkeypatch)
    vocabulary, draws = ADVERSARIAL["real"], 20_000
    law_now = np.exp(law.log_prob(vocabulary, [17])[0])
    monkeypatch.setattr(type(law), "unit", lambda *_: 0.002)
    drawn = law.sample(vocabulary, [17], draws, np.random.default_rng(7))[0]
    assert len(asked) > 100
    counts = np.bincount(drawn, minlength=len(vocabulary))
    assert_drawn_from(counts, law_now)
    wrong = type(law)(**{**vars(law), "epsilon": law.epsilon * 1.3})
    assert_not_drawn_from(counts, np.exp(wrong.log_prob(vocabulary, [17])[0]))


# ------------------------------------------------------------------------------------ claims 7 to 9


@pytest.mark.parametrize("word", [0, 2, 6])
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_claim_7_through_blocks_every_word_has_exactly_its_weight(
    law, word, small_space, monkeypatch
):
    monkeypatch.setattr(word_blocks, "BLOCK", 3)
    monkeypatch.setattr(selection, "spare_points", lambda _: (0, 1))
    monkeypatch.setattr(selection, "_LAW_PAYS", 0)
    gamma = law.threshold(GRID)
    bounds = word_blocks.block_bounds(GRID, np.array([word]), law.epsilon, gamma)
    assert bounds.shape == (1, 3)
    scale, _ = word_blocks.block_cells(bounds, law.unit(GRID))

    def draw(rng):
        return int(law.sample(GRID, np.array([word]), 1, rng)[0, 0])

    exact = [distance_weight(GRID, law.epsilon, gamma, word, v) for v in range(len(GRID))]
    assert_law(draw, small_space, scale[0], exact)


def test_claim_7_a_block_above_its_bound_releases_nothing(monkeypatch):
    small = word_blocks.block_cells
    monkeypatch.setattr(word_blocks, "block_cells", lambda *a: (small(*a)[0], small(*a)[1] // 2))
    with pytest.raises(RuntimeError, match=r"exceeds its bound. Nothing is released"):
        SanText(epsilon=3.0).sample(GLOVE, np.arange(20), 1, np.random.default_rng(8))


def test_claim_7_a_word_of_too_few_cells_releases_nothing(monkeypatch):
    monkeypatch.setattr(word_blocks, "OWN_MARGIN", -0.7)
    with pytest.raises(RuntimeError, match=r"fewer cells than its weight. Nothing is released"):
        SanText(epsilon=3.0).sample(GLOVE, np.arange(20), 1, np.random.default_rng(8))


@pytest.mark.parametrize("law", [SanText(epsilon=3.0), TEM(epsilon=5.0, gamma=4.0)])
def test_claim_7_where_float32_takes_too_many_cells_float64_lays_out_and_the_law_stays(
    monkeypatch, law
):
    monkeypatch.setattr(selection, "_LAW_PAYS", 0)
    monkeypatch.setattr(word_blocks, "OWN_MARGIN", 0.01)
    again, weights = [], word_blocks.block_weights
    monkeypatch.setattr(
        word_blocks, "block_weights", lambda *a: again.append(len(a[1])) or weights(*a)
    )
    drawn = law.sample(GLOVE, [17], 200_000, np.random.default_rng(7))[0]
    assert sum(again) > 20
    counts = np.bincount(drawn, minlength=len(GLOVE))
    assert_drawn_from(counts, np.exp(law.log_prob(GLOVE, [17])[0]))
    wrong = type(law)(**{**vars(law), "epsilon": law.epsilon * 1.3})
    assert_not_drawn_from(counts, np.exp(wrong.log_prob(GLOVE, [17])[0]))


def test_claim_7_on_real_words_float32_suffices(monkeypatch):
    def never(*_):
        raise AssertionError("a block was laid out in float64")

    monkeypatch.setattr(word_blocks, "block_weights", never)
    for epsilon in (0.5, 3.0, 10.0):
        for law in (SanText(epsilon=epsilon), TEM(epsilon=epsilon)):
            law.sample(GLOVE, np.arange(0, len(GLOVE), 3), 2, np.random.default_rng(7))


@pytest.mark.parametrize("variant", ["published", "benchmark"])
@pytest.mark.parametrize("word", ["a", "c"])
def test_claim_8_outputs_of_one_weight_share_an_entry(variant, word, small_space, monkeypatch):
    law, word = SynTF(epsilon=1.3, variant=variant), GRID.get(word)
    rated, ratings = law.ratings(GRID, word)
    exact = [PRECISE.mpf(0)] * len(GRID)
    if variant == "published":
        exact = [PRECISE.exp(-PRECISE.mpf(1.3) / 2)] * len(GRID)
    for v, rho in zip(rated.tolist(), ratings, strict=True):
        exact[v] = PRECISE.exp(-PRECISE.mpf(1.3) / 2 * precise(1 - rho))
    scales = []

    class Seen(Layout):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            scales.append(float(self.scale[0]))

    monkeypatch.setattr(syntf, "Layout", Seen)

    def draw(rng):
        return int(law.sample(GRID, np.array([word]), 1, rng)[0, 0])

    draw(np.random.default_rng(0))
    assert_law(draw, small_space, scales[0], exact)


LIES = {
    "exp": lambda x, exp=np.exp, **kw: exp(x, **kw) * (1 + 1e-10),
    "sqrt": lambda x, sqrt=np.sqrt, **kw: sqrt(x, **kw) * (1 - 1e-10),
}


@pytest.mark.parametrize("name", LIES)
@pytest.mark.parametrize("law", [SanText(epsilon=1.0), TEM(epsilon=1.0), SynTF(epsilon=1.0)])
def test_claim_9_an_exponential_or_root_that_errs_stops_every_release(monkeypatch, law, name):
    word = np.array([0])
    assert law.sample(GRID, word, 1, np.random.default_rng(9)).shape == (1, 1)
    monkeypatch.setattr(np, name, LIES[name])
    with pytest.raises(RuntimeError, match="Nothing is released"):
        law.sample(GRID, word, 1, np.random.default_rng(9))
    monkeypatch.undo()
    law.sample(GRID, word, 1, np.random.default_rng(9))


# ------------------------------------------------------------------------------ contract and limits


EXACT = [cls(epsilon=2.0) for cls in MECHANISMS if issubclass(cls, ExactLaw)]


def test_a_mechanism_says_how_its_words_are_drawn():
    for cls in MECHANISMS:
        if issubclass(cls, ExactLaw):
            assert cls.draws is Draws.EXACT
            assert cls.word_sample is not LawMechanism.word_sample
        else:
            assert cls.draws is Draws.FLOATING
    assert {law.name for law in EXACT} >= {"TEM", "SanText", "SynTF"}


@pytest.mark.parametrize("law", EXACT, ids=lambda law: law.name)
def test_exact_weights_are_the_law(law):
    for word in range(len(GRID)):
        enclosed = [law.exact_weight(GRID, word, v).enclosed(80)[1] for v in range(len(GRID))]
        expected = np.array([float(w / sum(enclosed)) for w in enclosed])
        np.testing.assert_allclose(np.exp(law.log_prob(GRID, [word])[0]), expected, rtol=1e-12)


def test_rows_must_be_scaled():
    with pytest.raises(ValueError, match=r"largest weight .* Scale the weights"):
        Layout(np.array([[2.0**-120, 0.0]]))


def test_points_are_the_first_62_bits_of_each_word():
    words = [0, ONES, 1 << 63, 3, 4]
    expected = [0, SPACE - 1, SPACE // 2, 0, 1]
    assert points(WrittenBits(*words), 5).tolist() == expected


@pytest.mark.parametrize("bits", [lambda: np.random.PCG64(1), lambda: ChaCha(key=7, rounds=20)])
def test_words_are_the_bits_of_the_generator_as_they_come(bits):
    expected = bits().random_raw(1_000)
    assert np.array_equal(random_words(np.random.Generator(bits()), 1_000), expected)
    assert expected.max() > 2**63  # words of 64 bits


def test_cells_are_more_than_the_scaled_weight():
    weights = np.array([[1.0, 0.5, 2.0**-70, 0.0]])
    found = cells(weights, np.array([2.0**50]), UNIT)
    assert found.tolist() == [[int(2**50 * (1 + slack(UNIT))) + 1, found[0, 1], 1, 1]]
    assert found[0, 1] > 2**49


@pytest.mark.parametrize("size", [1, 40])
def test_a_base_measure_weighs_outputs(size, monkeypatch):
    base = np.linspace(1, 1e-3, len(GLOVE))
    monkeypatch.setattr(SanText, "base_measure", lambda *_: base)
    law, ids = SanText(epsilon=1.5), np.repeat(np.arange(5), 8_000 if size == 1 else 200)
    if size == 1:
        monkeypatch.setattr(selection, "_LAW_PAYS", 0)
    drawn = law.sample(GLOVE, ids, size, np.random.default_rng(10))
    distances = GLOVE.distances(np.arange(5))
    for word in range(5):
        counts = np.bincount(drawn[ids == word].ravel(), minlength=len(GLOVE))
        weights = base * np.exp(-0.75 * distances[word])
        assert_drawn_from(counts, weights)
        assert_not_drawn_from(counts, weights / base)
    low, high = law.exact_weight(GLOVE, 3, 9_000).enclosed(60)
    expected = base[9_000] * math.exp(-0.75 * GLOVE.distance_between([3], [9_000])[0])
    assert float(low) == pytest.approx(expected, rel=1e-12)


def test_the_bounds_of_blocks_hold_with_a_base_measure():
    base = np.random.default_rng(11).random(len(GLOVE)) ** 8
    blocks = np.arange(-(-len(GLOVE) // BLOCK))
    for epsilon, gamma in itertools.product([0.1, 3.0, 300.0], [0.5, math.inf]):
        settings = epsilon, gamma, base
        bounds = word_blocks.block_bounds(GLOVE, np.array([7]), *settings)
        weights = word_blocks.block_weights(GLOVE, np.full(len(blocks), 7), blocks, *settings)
        assert (weights.sum(axis=1) <= bounds[0] * np.exp(word_blocks.MARGIN)).all()
