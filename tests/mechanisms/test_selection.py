"""Draws by rejection: the bound that makes them exact, their law on real words, their limits."""

import itertools
import math
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import stats
from threadpoolctl import threadpool_limits

from data import embeddings
from mechanisms import TEM, SanText, Vocabulary, selection, word_blocks
from mechanisms.exact_draws import SPACE, UNIT, cells, first_reaching
from mechanisms.kept_laws import KeptLaws, keeping
from mechanisms.selection import spare_points
from mechanisms.word_blocks import (
    BLOCK,
    MARGIN,
    OWN_MARGIN,
    Near,
    Rows,
    block_bounds,
    block_cells,
    block_weights,
)
from tests.claims import ALPHA, assert_drawn_from, assert_not_drawn_from
from tests.toy import TOY, first_words

GLOVE = embeddings.load(embeddings.GLOVE, 10_000, words_only=False)


def named(vectors):
    return Vocabulary([f"w{i}" for i in range(len(vectors))], vectors)


def cloud(count, dimensions, scale=1.0, offset=0.0):
    rng = np.random.default_rng(dimensions)
    return named(offset + scale * rng.standard_normal((count, dimensions)))


def nearly_equal():
    """Groups of words that differ in the last bits, beside others that do not."""
    rng = np.random.default_rng(0)
    centres = np.repeat(rng.standard_normal((60, 50)), 10, axis=0)
    return named(centres * (1 + rng.choice([0, 1e-7, 1e-6, 1e-4], (600, 1))))


VOCABULARIES = {
    "real": GLOVE,
    "toy": TOY,
    "one block to the word": cloud(2 * BLOCK, 7),
    "one word more": cloud(2 * BLOCK + 1, 7),
    "one word less": cloud(BLOCK - 1, 7),
    "a line": cloud(600, 1),
    "many dimensions": cloud(600, 700),
    "far from zero": cloud(600, 50, offset=1e3),
    "very far from zero": cloud(600, 50, offset=1e7),
    "long": cloud(600, 50, scale=1e15),
    "short": cloud(600, 50, scale=1e-15),
    "squares below the smallest float32": cloud(600, 50, scale=1e-25),
    "nearly equal": nearly_equal(),
}
EPSILONS = [5e-324, 1e-30, 0.1, 1.0, 10.0, 300.0, 1e5, 1e9, 1e16, 1e30, 1e40, 1.7e308]
GAMMAS = [0.0, 1e-300, 1e-30, 0.5, 4.0, 1e30, 1e300, math.inf]


def exact_sums(vocabulary, ids, epsilon, gamma):
    """The sum of every block's weights, in float64 and by difference: (n,) -> (n, blocks)."""
    blocks = np.arange(-(-len(vocabulary) // BLOCK))
    return np.stack(
        [
            block_weights(vocabulary, np.full(len(blocks), i), blocks, epsilon, gamma).sum(axis=1)
            for i in ids
        ]
    )


def never(*_):
    raise AssertionError("the whole row was asked for")


def law_of(epsilon, gamma):
    return SanText(epsilon=epsilon) if gamma == math.inf else TEM(epsilon=epsilon, gamma=gamma)


@pytest.fixture
def always_by_rejection(monkeypatch):
    monkeypatch.setattr(selection, "_LAW_PAYS", 0)


@pytest.fixture
def never_by_rows(monkeypatch):
    def rows(law, vocabulary, word_ids, size, rng):
        if len(word_ids):
            never()
        return np.empty((0, size), dtype=np.int64)

    monkeypatch.setattr(selection, "by_rows", rows)


# ---------------------------------------------------------------------------------------- the bound


@pytest.mark.parametrize("vocabulary", VOCABULARIES.values(), ids=VOCABULARIES)
def test_no_block_is_accepted_with_a_probability_above_one(vocabulary):
    ids = np.arange(0, len(vocabulary), max(1, len(vocabulary) // 6))
    for epsilon, gamma in itertools.product(EPSILONS, GAMMAS):
        bounds = block_bounds(vocabulary, ids, epsilon, gamma)
        ratio = exact_sums(vocabulary, ids, epsilon, gamma) / (bounds * np.exp(MARGIN))
        assert (ratio <= 1).all(), (epsilon, gamma, ratio.max())
        assert (ratio >= 0).all()


@pytest.mark.parametrize("vocabulary", VOCABULARIES.values(), ids=VOCABULARIES)
def test_no_block_has_more_cells_than_its_bound_and_all_fit(vocabulary):
    ids = np.arange(0, len(vocabulary), max(1, len(vocabulary) // 4))
    blocks = np.arange(-(-len(vocabulary) // BLOCK))
    for epsilon, gamma in itertools.product(EPSILONS, GAMMAS):
        scale, handed_out = block_cells(block_bounds(vocabulary, ids, epsilon, gamma), UNIT)
        assert (np.cumsum(handed_out, axis=1)[:, -1] <= SPACE).all()
        assert (handed_out > BLOCK).all()
        for row, word in enumerate(ids):
            weights = block_weights(vocabulary, np.full(len(blocks), word), blocks, epsilon, gamma)
            own = cells(weights, np.full(len(blocks), scale[row]), UNIT)
            assert (own.sum(axis=1) <= handed_out[row]).all(), (epsilon, gamma)


@pytest.mark.parametrize("vocabulary", VOCABULARIES.values(), ids=VOCABULARIES)
def test_no_single_weight_is_above_its_bound(vocabulary):
    ids = np.arange(0, len(vocabulary), max(1, len(vocabulary) // 6))
    blocks = -(-len(vocabulary) // BLOCK)
    for epsilon, gamma in itertools.product(EPSILONS, GAMMAS):
        near = Near(vocabulary, epsilon, gamma)
        quick = np.empty((len(ids), blocks * BLOCK), dtype=np.float32)
        near.weights(*near.queries(ids), 0, quick)
        exact = [
            block_weights(vocabulary, np.full(blocks, i), np.arange(blocks), epsilon, gamma)
            for i in ids
        ]
        assert (np.reshape(exact, quick.shape) <= quick * np.exp(OWN_MARGIN)).all()
        assert (quick[:, len(vocabulary) :] == 0).all()


def test_without_the_margin_some_block_would_be_above_one():
    ids = np.arange(0, len(GLOVE), 500)
    excess = exact_sums(GLOVE, ids, 0.1, 1.0) / block_bounds(GLOVE, ids, 0.1, 1.0) - 1
    assert 0 < excess.max() < MARGIN


def test_exp_in_float32_errs_by_less_than_the_four_units_of_the_proof():
    scores = np.linspace(-80, 0, 1_000_003, dtype=np.float32)
    weights = np.exp(scores)
    error = np.abs(weights - np.exp(scores.astype(np.float64)))
    assert (error < 4 * np.spacing(weights)).all()


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
def test_on_real_words_hardly_any_draw_is_rejected(epsilon):
    ids = np.arange(0, len(GLOVE), 200)
    for gamma in (4.0, math.inf):
        sums = exact_sums(GLOVE, ids, epsilon, gamma).sum(axis=1)
        bounds = block_bounds(GLOVE, ids, epsilon, gamma).sum(axis=1)
        assert (sums / bounds > 0.9998).all()


@pytest.mark.parametrize("mechanism", [TEM(epsilon=6.0, gamma=4.5), SanText(epsilon=3.0)])
def test_the_weights_of_the_blocks_are_the_law(mechanism):
    gamma = getattr(mechanism, "gamma", math.inf)
    blocks = np.arange(-(-len(GLOVE) // BLOCK))
    for word in (0, 17, 9_999):
        ids = np.full(len(blocks), word)
        weights = block_weights(GLOVE, ids, blocks, mechanism.epsilon, gamma).ravel()
        assert (weights[len(GLOVE) :] == 0).all()
        law = np.exp(mechanism.log_prob(GLOVE, [word])[0])
        np.testing.assert_allclose(weights[: len(GLOVE)] / weights.sum(), law, rtol=1e-10)


def test_the_bound_does_not_depend_on_the_words_or_blocks_taken_together(monkeypatch):
    ids = np.arange(0, len(GLOVE), 1_000)
    whole = block_bounds(GLOVE, ids, 2.0, math.inf)
    monkeypatch.setattr(word_blocks, "_TILE", 3 * BLOCK * len(ids))
    np.testing.assert_allclose(block_bounds(GLOVE, ids, 2.0, math.inf), whole, rtol=1e-4)
    single = block_bounds(GLOVE, ids[3:4], 2.0, math.inf)
    np.testing.assert_allclose(single[0], whole[3], rtol=1e-4)


# ------------------------------------------------------------------------------------------ the law


@pytest.mark.parametrize(
    ("epsilon", "gamma"), [(2.5, math.inf), (4.0, math.inf), (4.0, 4.5), (3.0, 6.0), (6.0, 3.0)]
)
@pytest.mark.usefixtures("always_by_rejection", "never_by_rows")
def test_draws_on_real_words_follow_the_law(epsilon, gamma):
    for word in (GLOVE.get("water"), 9_876):
        rng = np.random.default_rng(word)
        drawn = law_of(epsilon, gamma).sample(GLOVE, [word], 400_000, rng)
        counts = np.bincount(drawn[0], minlength=len(GLOVE))

        def law(other, word=word):
            return np.exp(TEM(epsilon=other, gamma=min(gamma, 1e6)).log_prob(GLOVE, [word])[0])

        assert_drawn_from(counts, law(epsilon))
        assert_not_drawn_from(counts, law(epsilon * 1.1))
        assert_not_drawn_from(counts, law(epsilon / 1.1))


@pytest.mark.parametrize("mechanism", [TEM(epsilon=2.0, gamma=2.2), SanText(epsilon=2.0)])
@pytest.mark.usefixtures("always_by_rejection")
def test_draws_on_the_toy_follow_the_law(mechanism):
    ids = np.arange(len(TOY))
    drawn = mechanism.sample(TOY, ids, 100_000, np.random.default_rng(4))
    gamma = getattr(mechanism, "gamma", 1e6)
    for word in ids:
        counts = np.bincount(drawn[word], minlength=len(TOY))
        assert_drawn_from(counts, np.exp(mechanism.log_prob(TOY, [word])[0]))
        for wrong in (2.2, 2.0 / 1.1):
            law = np.exp(TEM(epsilon=wrong, gamma=gamma).log_prob(TOY, [word])[0])
            if word != TOY.get("lonely"):  # almost always kept, whatever the ε
                assert_not_drawn_from(counts, law)


@pytest.mark.usefixtures("always_by_rejection")
def test_where_float32_is_blind_most_draws_are_rejected_and_the_law_is_the_same(monkeypatch):
    vocabulary, left = cloud(600, 2, offset=1e4), []
    santext, by_rows = SanText(epsilon=2.0), selection.by_rows

    def counted(law, vocabulary, word_ids, size, rng):
        left.append(len(word_ids))
        return by_rows(law, vocabulary, word_ids, size, rng)

    monkeypatch.setattr(selection, "by_rows", counted)
    drawn = santext.sample(vocabulary, [5], 300_000, np.random.default_rng(5))
    assert len(left) == 1
    assert 30_000 < left[0] < 270_000
    counts = np.bincount(drawn[0], minlength=len(vocabulary))
    assert_drawn_from(counts, np.exp(santext.log_prob(vocabulary, [5])[0]))
    for wrong in (2.2, 2.0 / 1.1):
        law = np.exp(SanText(epsilon=wrong).log_prob(vocabulary, [5])[0])
        assert_not_drawn_from(counts, law)


@pytest.mark.usefixtures("always_by_rejection")
def test_equal_words_of_a_call_are_drawn_independently():
    water = GLOVE.get("water")
    words = np.array([water, 3, water])
    drawn = SanText(epsilon=3.5).sample(GLOVE, words, 100_000, np.random.default_rng(6))
    kept = drawn == words[:, None]
    assert 0.05 < kept[0].mean() < 0.95
    for a, b in ((kept[0], kept[2]), (kept[0, 1:], kept[0, :-1]), (kept[0], kept[1])):
        table = np.array([[np.sum((a == x) & (b == y)) for x in (0, 1)] for y in (0, 1)])
        assert stats.chi2_contingency(table).pvalue > ALPHA
        same = np.diag(table.sum(axis=0))
        assert stats.chi2_contingency(same).pvalue < ALPHA


def test_words_of_few_and_of_many_draws_keep_their_places():
    ids = np.array([9_000, 3, 3, 500, 9_000, *range(2_000, 2_300), 3, 500])
    # 60 equal words have more draws than pay; all words stay at this ε.
    ids = np.concatenate([ids, np.full(60, 77), ids])
    released = SanText(epsilon=1e4).sample(GLOVE, ids, 2, np.random.default_rng(7))
    assert np.array_equal(released, np.repeat(ids[:, None], 2, axis=1))


# --------------------------------------------------------------------------------------- the limits


@pytest.mark.usefixtures("always_by_rejection")
def test_no_epsilon_and_no_gamma_gives_a_warning_or_a_word_that_is_none():
    ids = np.arange(0, len(GLOVE), 2_000)
    for epsilon, gamma in itertools.product(EPSILONS, [1e-300, 1e-3, 3.0, 1e300]):
        drawn = TEM(epsilon=epsilon, gamma=gamma).sample(GLOVE, ids, 3, np.random.default_rng(8))
        assert ((drawn >= 0) & (drawn < len(GLOVE))).all()
        if epsilon * min(gamma, 1) > 1e4:
            assert (drawn == ids[:, None]).all()


@pytest.mark.usefixtures("always_by_rejection")
def test_at_a_tiny_epsilon_every_word_is_as_likely():
    drawn = SanText(epsilon=1e-30).sample(GLOVE, [3], 300_000, np.random.default_rng(9))
    counts = np.bincount(drawn[0], minlength=len(GLOVE))
    assert_drawn_from(counts, np.ones(len(GLOVE)))
    assert_not_drawn_from(counts, np.linspace(0.9, 1.1, len(GLOVE)))


@pytest.mark.parametrize("count", [1, 2, 3, 5])
@pytest.mark.usefixtures("always_by_rejection")
def test_small_vocabularies_are_drawn_from_too(count):
    ids = np.arange(count)
    for mechanism in (TEM(epsilon=1.0), SanText(epsilon=1.0)):
        released = mechanism.sample(first_words(count), ids, 2_000, np.random.default_rng(10))
        assert {*released.ravel()} == {*ids}


def test_no_words_and_no_draws_are_an_empty_answer():
    santext, rng = SanText(epsilon=1.0), np.random.default_rng(11)
    assert santext.sample(GLOVE, [], 5, rng).shape == (0, 5)
    assert santext.sample(GLOVE, [4, 4, 2], 0, rng).shape == (3, 0)


def test_a_seed_gives_the_same_draws_whatever_the_number_of_threads():
    ids = np.concatenate([np.arange(300), np.zeros(60, dtype=int)])
    for mechanism in (TEM(epsilon=4.0), SanText(epsilon=3.0)):
        drawn = []
        for threads in (1, 2, 4):
            with threadpool_limits(threads):
                drawn.append(mechanism.sample(GLOVE, ids, 3, np.random.default_rng(12)))
        assert np.array_equal(drawn[0], drawn[1])
        assert np.array_equal(drawn[0], drawn[2])
        other = mechanism.sample(GLOVE, ids, 3, np.random.default_rng(13))
        assert not np.array_equal(drawn[0], other)


def test_calls_at_the_same_time_give_what_they_give_alone():
    santext, ids = SanText(epsilon=3.0), np.arange(0, 4_000, 20)

    def drawn(seed):
        return santext.sample(GLOVE, ids, 3, np.random.default_rng(seed))

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(drawn, range(8)))
    for seed in range(8):
        assert np.array_equal(together[seed], drawn(seed))


def test_a_call_on_400_000_words_stays_below_150_mb():
    rng = np.random.default_rng(14)
    vocabulary = named(rng.standard_normal((400_000, 50), dtype=np.float32))
    vocabulary.squared_norms  # noqa: B018  belongs to the vocabulary
    santext = SanText(epsilon=3.0)
    for ids, size in ((np.arange(200), 5), (np.arange(2), 500), ([7], 200_000)):
        tracemalloc.start()
        santext.sample(vocabulary, ids, size, rng)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 150e6, (size, peak)


def test_the_first_column_that_reaches_a_level_is_that_of_a_sorted_search():
    rng = np.random.default_rng(15)
    for columns in (1, 2, 3, 7, 8, 256, 1_563):
        steps = rng.integers(0, 3, (6, columns)).astype(float)  # many columns of no weight
        steps[:, -1] += 1
        cumulative = np.cumsum(steps, axis=1)
        row = rng.integers(0, 6, 500)
        level = np.ceil((1 - rng.random(500)) * cumulative[row, -1])
        expected = [np.searchsorted(cumulative[r], x) for r, x in zip(row, level, strict=True)]
        assert np.array_equal(first_reaching(cumulative, row, level), expected)
        assert (steps[row, expected] > 0).all()


# ----------------------------------------------------------------------------------- what time says


@pytest.mark.parametrize("draws", [1, 2, 5, 20, 100, 1_000, 65_536, 10**6])
def test_spare_points_suffice_but_for_a_chance_of_2_to_the_minus_40(draws):
    rejected = 2.0**-12
    places, tries = spare_points(draws)
    too_many = stats.binom.sf(places, draws, rejected)
    assert too_many <= 2.0**-41
    assert draws * rejected ** (tries + 1) <= 2.0**-41
    # No more than needed: far fewer than there are draws.
    assert places <= 5 + 16 * math.ceil(draws / 4_096)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
def test_the_bound_of_rejections_that_spare_points_assume_holds_on_real_words(epsilon):
    ids = np.arange(0, len(GLOVE), 100)
    for gamma in (4.0, math.inf):
        bounds = block_bounds(GLOVE, ids, epsilon, gamma)
        scale, _ = block_cells(bounds, UNIT)
        own = scale * exact_sums(GLOVE, ids, epsilon, gamma).sum(axis=1)
        assert (1 - own / SPACE < 2.0**-12).all()


class Counted:
    """A generator that counts the words it hands out, and rejects some points if asked to."""

    def __init__(self, seed, rejected=()):
        self.rng, self.calls, self.rejected = np.random.default_rng(seed), [], list(rejected)

    def integers(self, low, high, size, dtype, endpoint):
        words = self.rng.integers(low, high, size, dtype, endpoint)
        if not self.calls:
            words[self.rejected] = 2**64 - 1  # behind the last cell
        self.calls.append(size)
        return words


def test_rejected_or_not_a_text_takes_the_same_points_whatever_its_words():
    texts = [np.arange(20), np.arange(5_000, 5_020), np.repeat(np.arange(2), 10)]
    asked = set()
    for ids, rejected in itertools.product(texts, [(), (3,), (7, 50, 51, 99)]):
        rng = Counted(1, rejected)
        drawn = SanText(epsilon=3.0).sample(GLOVE, ids, 5, rng)
        assert ((drawn >= 0) & (drawn < len(GLOVE))).all()
        asked.add(tuple(rng.calls))
    places, tries = spare_points(100)
    assert asked == {(100, places * tries)}


def test_a_rejected_draw_takes_another_word_of_its_law_and_the_others_keep_theirs():
    ids, rejected = np.arange(20), [0, 41, 99]
    law = SanText(epsilon=1e4)  # every word stays
    expected = law.sample(GLOVE, ids, 5, Counted(2))
    assert np.array_equal(law.sample(GLOVE, ids, 5, Counted(2, rejected)), expected)
    law = SanText(epsilon=2.0)
    one, other = (law.sample(GLOVE, ids, 5, Counted(2, r)).ravel() for r in ((), rejected))
    assert np.flatnonzero(one != other).tolist() == rejected


# ------------------------------------------------------------------------------- the rows of a file


def drawn_with(rows, law, vocabulary, ids, size, rng):
    """Draws of a file that keeps these rows."""
    kept = KeptLaws()
    kept.found[Rows, law, vocabulary] = rows
    with keeping(kept):
        return law.sample(vocabulary, ids, size, rng)


def test_rows_are_kept_inside_a_file_and_not_outside(monkeypatch):
    made, laid_out = [], Rows._lay_out
    monkeypatch.setattr(Rows, "_lay_out", lambda *a: made.extend(a[1].tolist()) or laid_out(*a))
    law, rng = SanText(epsilon=3.0), np.random.default_rng(19)
    kept = KeptLaws()
    for words, new in (([5, 6], [5, 6]), ([6, 7, 5], [7])):
        made.clear()
        with keeping(kept):
            law.sample(GLOVE, words, 1, rng)
        assert made == new
    for other in (law, SanText(epsilon=3.1)):
        made.clear()
        with keeping(None if other is law else kept):
            other.sample(GLOVE, [5], 1, rng)
        assert made == [5]


@pytest.mark.parametrize("kept", [1, 700, 4_000, None])
def test_rows_that_are_kept_give_the_law_of_rows_that_are_not(kept, monkeypatch):
    monkeypatch.setattr(word_blocks, "_ROWS", 300)
    law = SanText(epsilon=3.0)
    memory = word_blocks.MEMORY if kept is None else kept * 8 * -(-len(GLOVE) // BLOCK)
    rows, rng = Rows(law, GLOVE, memory), np.random.default_rng(16)
    often = np.repeat([0, 21, 42], 200)
    texts = [np.arange(0, 900, 3), np.arange(0, 5_000, 7), np.arange(400, 3_000), np.arange(50)]
    texts = [np.concatenate([text, often]) for text in texts]
    counts = np.zeros((3, len(GLOVE)))
    for text in texts * 3:
        drawn = drawn_with(rows, law, GLOVE, text, 1, rng)[:, 0]
        for place, word in enumerate((0, 21, 42)):
            counts[place] += np.bincount(drawn[text == word], minlength=len(GLOVE))
    if kept is None:
        kept_words = np.unique(np.concatenate(texts))
        assert set(rows.words[: len(kept_words)]) == set(kept_words)
    laws = np.exp(law.log_prob(GLOVE, [0, 21, 42]))
    for count, own in zip(counts, laws, strict=True):
        assert_drawn_from(count, own)
    assert_not_drawn_from(counts[0], laws[1])


@pytest.mark.parametrize("kept", [0, 500, 10_000])
def test_words_keep_their_places_whether_their_rows_are_kept_or_not(kept, monkeypatch):
    monkeypatch.setattr(word_blocks, "_ROWS", 100)
    law = SanText(epsilon=1e4)  # every word stays
    rows, rng = Rows(law, GLOVE, kept * 8 * -(-len(GLOVE) // BLOCK)), np.random.default_rng(17)
    for _ in range(8):
        ids = rng.integers(len(GLOVE), size=900) // rng.integers(1, 20)
        drawn = drawn_with(rows, law, GLOVE, ids, 2, rng)
        assert np.array_equal(drawn, np.repeat(ids[:, None], 2, axis=1))


def test_rows_that_are_kept_stay_within_the_stated_memory():
    rng, memory = np.random.default_rng(18), 2**20
    vocabulary = named(rng.standard_normal((40_000, 4), dtype=np.float32))
    law, row = SanText(epsilon=3.0), 8 * -(-40_000 // BLOCK)
    rows = Rows(law, vocabulary, memory)
    for first in range(0, 4_000, 1_000):
        drawn_with(rows, law, vocabulary, np.arange(first, first + 1_000), 1, rng)
    assert memory - row < np.count_nonzero(rows.words[: memory // row]) * row + row <= memory + row
    assert rows.cumulative.nbytes <= memory + 512 * row  # and the rows of one batch
