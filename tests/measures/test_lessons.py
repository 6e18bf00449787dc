"""The answers of the lessons, against independent computations."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from measures import lessons
from measures.words import deniability
from mechanisms import CMP, TEM, Vickrey
from mechanisms.epsilon_path import epsilon_path
from mechanisms.randomness import seeded_rng
from pages.learn import controls, wording
from pages.learn.lessons import (
    coin_wording,
    distance_wording,
    noise_wording,
    promises_wording,
    worst_wording,
)
from tests.claims import ALPHA
from tests.toy import TOY

EPSILONS = (0.1, 0.5, 1.0, 2.0, 7.3)


# ------------------------------------------------------------------------------------ questions


def test_the_right_answer_is_among_the_options_and_the_options_are_by_size():
    question = lessons.by_size(3.0, one=1.0, double=6.0, never=math.inf)
    assert list(question.options) == ["one", "right", "double", "never"]
    assert [name for name in question.options if question.is_right(name)] == ["right"]


def test_a_slip_that_looks_like_the_right_answer_or_another_slip_is_left_out():
    question = lessons.by_size(3.0, near=3.01, one=1.0, too=1.01, far=5.0)
    assert set(question.options) == {"right", "one", "far"}


@pytest.mark.parametrize(
    ("value", "said"), [(1.0, "1 time: no difference"), (1.5, "1.5 times"), (3.0, "3 times")]
)
def test_a_ratio_has_the_singular_and_the_plural(value, said):
    assert wording.ratio(value) == said


@pytest.mark.parametrize("percent", range(5, 96))
def test_all_options_of_all_numbers_look_different(percent):
    share = percent / 100
    ratios = lessons.coin_question(share).options.values()
    assert len({wording.ratio(value) for value in ratios}) == len(ratios)
    for other in (share / 2, share / 77):
        chances = lessons.word_question(share, other).options.values()
        assert len({wording.chance(value) for value in chances}) == len(chances)


# -------------------------------------------------------------------------------------- the coin


@pytest.mark.parametrize("truth", [Fraction(1, 2), Fraction(1, 4), Fraction(9, 10)])
def test_the_coin_is_what_counting_its_cases_gives(truth):
    cases = {True: [(truth, True)], False: [(truth, False)]}
    for rest in cases.values():
        rest += [((1 - truth) / 2, True), ((1 - truth) / 2, False)]
    yes, no = (sum(p for p, answer in cases[copied] if answer) for copied in (True, False))
    assert lessons.coin(float(truth)) == pytest.approx((float(yes), float(no)))
    assert lessons.coin_question(float(truth)).options["right"] == pytest.approx(float(yes / no))
    assert lessons.certainty(float(yes), float(no)) == pytest.approx(float(yes / (yes + no)))


def test_more_answers_are_true_than_the_first_coin_asks_for():
    answer = coin_wording.coin_answer("nothing", 0.56)
    assert "78.0 % of the answers are true" in answer
    assert "56 % because the first coin asks for the truth" in answer
    assert "78.0 % of all answers are true" in coin_wording.coin_groups(
        0.56, *lessons.coin(0.56), None
    )


@pytest.mark.parametrize("truth", [0.0, 1.0, -0.1, math.nan])
def test_a_coin_that_always_or_never_tells_the_truth_is_refused(truth):
    with pytest.raises(ValueError, match=r"must lie in \(0, 1\)"):
        lessons.coin(truth)


def tem_law(epsilon, word):
    """TEM's law on TOY with a γ beyond all distances, in plain Python."""
    weights = [
        math.exp(-epsilon / 2 * math.dist(TOY.vectors[word], other)) for other in TOY.vectors
    ]
    return [weight / sum(weights) for weight in weights]


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_how_often_a_word_comes_out_for_itself_and_for_another_is_the_law(epsilon):
    mechanism = TEM(epsilon=epsilon, gamma=1000.0)
    for word, other in itertools.permutations(range(0, len(TOY), 3), 2):
        found = lessons.stays_and_comes(mechanism, TOY, word, other)
        expected = (tem_law(epsilon, word)[word], tem_law(epsilon, other)[word])
        assert found == pytest.approx(expected)
        posterior = expected[0] / (expected[0] + expected[1])
        assert lessons.word_question(*found).options["right"] == pytest.approx(posterior)


# -------------------------------------------------------------------------------------- distance


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_what_an_output_really_tells_is_the_largest_ratio_and_never_more_than_the_answer(epsilon):
    mechanism = TEM(epsilon=epsilon, gamma=1000.0)
    others = np.arange(1, len(TOY))
    found = lessons.largest_log_ratios(mechanism, TOY, 0, others)
    for other, ratio in zip(others, found, strict=True):
        laws = zip(tem_law(epsilon, 0), tem_law(epsilon, other), strict=True)
        assert ratio == pytest.approx(max(math.log(p / q) for p, q in laws))
        distance = math.dist(TOY.vectors[0], TOY.vectors[other])
        cap = lessons.cap_question(epsilon, distance).options["right"]
        assert math.exp(ratio) <= cap * (1 + 1e-9)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_parts_of_the_odds_are_the_weights_and_the_sums_of_the_law(epsilon):
    word, other = 0, 5
    parts = lessons.ratio_parts(TEM(epsilon=epsilon, gamma=1000.0), TOY, word, other)
    assert parts.weights == pytest.approx(epsilon / 2 * math.dist(*TOY.vectors[[word, other]]))
    sums = [
        sum(math.exp(-epsilon / 2 * math.dist(TOY.vectors[w], v)) for v in TOY.vectors)
        for w in (word, other)
    ]
    assert parts.sums == pytest.approx(math.log(sums[1] / sums[0]))
    largest = lessons.largest_log_ratios(
        TEM(epsilon=epsilon, gamma=1000.0), TOY, word, np.array([other])
    )
    assert parts.log_ratio == pytest.approx(largest[0])


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_certainty_is_what_bayes_says_at_the_cap(epsilon):
    cap = lessons.cap_question(epsilon, 1.7).options["right"]
    likely, unlikely = cap / (cap + 1), 1 / (cap + 1)  # any two chances with this ratio
    expected = 0.5 * likely / (0.5 * likely + 0.5 * unlikely)
    assert lessons.certainty_question(epsilon, 1.7).options["right"] == pytest.approx(expected)


def test_a_word_is_hidden_best_among_the_nearest():
    word = TOY.words.index("near")
    question = lessons.hidden_question(TOY, word, TOY.ids(["lonely", "nearer", "origin"]))
    assert question.right == "nearer"
    assert list(question.options) == ["lonely", "nearer", "origin"]


def test_words_to_compare_with_are_ordered_by_distance_and_begin_with_the_nearest(glove):
    word = glove.ids(["doctor"]).item()
    ids = lessons.spread(glove, word)
    distances = glove.distance_between(np.full(len(ids), word), ids)
    assert (np.diff(distances) > 0).all()
    everything = glove.distances(np.array([word]))[0]
    everything[word] = np.inf
    assert distances[0] == pytest.approx(everything.min())


# --------------------------------------------------------------------------- noise and selection


def test_halving_epsilon_gives_noise_of_the_length_of_the_answer(glove):
    answer = lessons.length_question(8.0, glove.dimensions).options["right"]
    noise = CMP(epsilon=4.0).noise(glove, 20_000, seeded_rng(5))
    lengths = np.linalg.norm(noise, axis=1)
    assert stats.ttest_1samp(lengths, answer).pvalue > ALPHA
    for slip in ("same", "half", "no_dimensions"):
        wrong = lessons.length_question(8.0, glove.dimensions).options[slip]
        assert stats.ttest_1samp(lengths, wrong).pvalue < ALPHA


def test_crowded_words_have_nearer_tenth_neighbours_than_lonely_ones(glove):
    crowded, lonely = lessons.crowded_and_lonely(glove)
    tenth = np.sort(glove.distances(np.concatenate([crowded, lonely])), axis=1)[:, 10]
    assert tenth[: len(crowded)].max() < tenth[len(crowded) :].min()


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_preference_of_tem_is_half_the_exponent_of_the_promise(epsilon):
    mechanism = TEM(epsilon=epsilon, gamma=1000.0)
    word, other = TOY.ids(["origin", "corner"]).tolist()
    right = lessons.preference_question(mechanism, TOY, word, other).options["right"]
    assert right == pytest.approx(math.exp(epsilon * math.sqrt(8) / 2))
    nearest = lessons.weight_of_nearest(mechanism, TOY, word)
    assert nearest == pytest.approx(math.exp(-epsilon * 0.75 / 2))


@pytest.mark.parametrize(
    ("unchanged", "right"), [((0.2, 0.9), "crowded"), ((0.9, 0.2), "lonely"), ((0.5, 0.5), "same")]
)
def test_the_word_that_stays_less_is_replaced_more(unchanged, right):
    assert lessons.replaced_question(unchanged).right == right


# ------------------------------------------------------------------------------------ the worst


@pytest.fixture(scope="module")
def words():
    path = epsilon_path(CMP.family(), TOY, np.arange(len(TOY)), 500, seeded_rng(0))
    return lessons.hundred(path, [0.5, 1.0, 2.0, 3.0, 5.0, 8.0])


def test_the_worst_word_is_the_one_that_draws_return_most(words):
    word, chance = words.worst(3.0)
    drawn = CMP(epsilon=3.0).sample(TOY, np.arange(len(TOY)), 20_000, seeded_rng(3))
    shares = (drawn == np.arange(len(TOY))[:, None]).mean(axis=1)
    assert shares.argmax() == word == TOY.words.index("lonely")
    assert abs(shares[word] - chance) < 5 * (words.error + 0.004)


@pytest.mark.parametrize("limit", [0.3, 0.5, 0.8, 0.95])
def test_the_largest_epsilon_is_the_last_before_any_word_breaks_the_limit(words, limit):
    kept = list(
        itertools.takewhile(lambda e: max(words.at(e).tolist()) <= limit, words.epsilons.tolist())
    )
    assert words.most_for_all(limit) == (kept[-1] if kept else None)
    for epsilon in words.epsilons:
        assert words.breaking(epsilon, limit) == sum(p > limit for p in words.at(epsilon).tolist())


def test_the_average_meets_a_limit_that_words_break(words):
    epsilon = words.most_on_average(0.5)
    assert words.mean(epsilon) <= 0.5
    question = lessons.breaking_question(words, 0.5)
    assert question.options["right"] == words.breaking(epsilon, 0.5) > 0
    assert lessons.breaking_question(words, 0.0) is None
    assert words.most_for_all(0.0) is None


def test_the_right_count_is_not_the_only_odd_one_among_round_numbers(glove):
    ids = deniability.sample_words(glove, "random", 100)
    path = epsilon_path(CMP.family(), glove, ids, 500, seeded_rng(0))
    found = lessons.hundred(path, controls.WORST_STEPS)
    for limit in range(10, 91, 5):
        question = lessons.breaking_question(found, limit / 100)
        right = question.options["right"]
        others = [value for name, value in question.options.items() if name != "right"]
        assert right % 5 == 0 or any(value % 5 for value in others), (limit, question.options)


@pytest.mark.parametrize("target", [0.35, 0.5, 0.8])
def test_words_where_their_mean_is_asked_for_are_between_the_two_steps_around_it(words, target):
    epsilon, values = words.where_mean_is(target)
    assert values.value.mean() == pytest.approx(target)
    assert values.source.interpolated
    at = np.searchsorted(words.epsilons, epsilon)
    below, above = words.unchanged.value[:, at - 1], words.unchanged.value[:, at]
    assert (values.value >= np.minimum(below, above) - 1e-12).all()
    assert (values.value <= np.maximum(below, above) + 1e-12).all()
    assert (values.low <= words.unchanged.low[:, at - 1]).all()
    assert (values.high >= words.unchanged.high[:, at]).all()
    assert words.epsilons[at - 1] <= epsilon <= words.epsilons[at]
    assert words.where_mean_is(2.0) is None


# ------------------------------------------------------------------------------------- promises


def test_draws_refute_vickrey_as_published_and_none_that_keeps_its_promise(glove):
    word, other = glove.ids(["monday", "tuesday"]).tolist()
    for mechanism, broken in (
        (Vickrey(epsilon=6.0, variant="published"), True),
        (Vickrey(epsilon=6.0, variant="repaired"), False),
        (CMP(epsilon=6.0), False),
    ):
        found = lessons.trial(mechanism, glove, word, other, 2000, seeded_rng(8))
        assert (found.from_word == 0) == broken
        assert (found.at_least > found.promised) == broken
        assert lessons.proof_question(found).right == ("broken" if broken else "nothing")
        assert lessons.impossible_question(found).right == ("word" if broken else "neither")
        assert lessons.needed_question(found).right == ("none" if broken else "own")
        low = stats.binomtest(found.from_other, 2000).proportion_ci(0.95).low
        high = stats.binomtest(found.from_word, 2000).proportion_ci(0.95).high
        assert found.at_least == pytest.approx(low / high)
        distance = glove.distance_between([word], [other])[0]
        assert found.promised == pytest.approx(math.exp(6.0 * distance))


def test_no_promise_of_a_ratio_no_trial():
    from mechanisms import Gaussian

    with pytest.raises(ValueError, match="promises no ratio"):
        lessons.trial(Gaussian(epsilon=1.0), TOY, 0, 1, 10, seeded_rng(0))


def test_the_mechanisms_that_keep_their_promise_are_told_from_those_that_do_not(glove):
    kept, broken = lessons.keepers(glove)
    assert {"CMP", "TEM", "SanText", "Vickrey (repaired)"} <= set(kept)
    assert {"Vickrey (published)", "Truncated Gumbel (benchmark)"} <= set(broken)
    assert not set(kept) & set(broken)


# -------------------------------------------------------------------- every slip has its sentence


def test_every_option_of_a_number_is_explained(words):
    for truth in (0.05, 1 / 3, 0.5, 0.95):
        for name in lessons.coin_question(truth).options:
            assert coin_wording.coin_answer(name, truth)
    for name in lessons.word_question(0.4, 0.01).options:
        assert coin_wording.word_answer(name, 0.4, 0.01)
    for epsilon, distance in itertools.product(EPSILONS, (0.3, 1.0, 8.0)):
        for name in lessons.cap_question(epsilon, distance).options:
            assert distance_wording.cap_answer(name, distance, epsilon)
        for name in lessons.certainty_question(epsilon, distance).options:
            assert distance_wording.certainty_answer(name, distance, epsilon)
        for name in lessons.length_question(epsilon, 50).options:
            assert noise_wording.length_answer(name, epsilon)
        tem = TEM(epsilon=epsilon)
        for name in lessons.preference_question(tem, TOY, 0, 5).options:
            assert noise_wording.preference_answer(name, distance, epsilon)
    for name in lessons.breaking_question(words, 0.5).options:
        assert worst_wording.breaking_answer(name, words, 0.5)


@pytest.mark.parametrize("mechanism", [Vickrey(epsilon=6.0, variant="published"), CMP(epsilon=6.0)])
def test_every_option_in_words_has_a_label_and_is_explained(mechanism, glove):
    word, other = glove.ids(["monday", "tuesday"]).tolist()
    found = lessons.trial(mechanism, glove, word, other, 500, seeded_rng(1))
    for name in lessons.needed_question(found).options:
        assert promises_wording.NEEDED_OPTIONS[name]
        assert promises_wording.needed_answer(name, found)
    for name in lessons.proof_question(found).options:
        assert promises_wording.PROOF_OPTIONS[name]
        assert len(promises_wording.proof_answer(name, found)) > len(
            promises_wording.proof_answer("", found)
        )
    for name in lessons.impossible_question(found).options:
        assert promises_wording.impossible_answer(name, found, "monday", "tuesday")


def test_the_steps_of_epsilon_reach_from_where_no_word_stays_much_to_where_most_do(glove):
    ids = np.arange(300, 320)
    path = epsilon_path(CMP.family(), glove, ids, 100, seeded_rng(0))
    found = lessons.hundred(path, controls.WORST_STEPS)
    assert found.worst(controls.WORST_STEPS[0])[1] < 0.1
    assert found.mean(controls.WORST_STEPS[-1]) > 0.9
