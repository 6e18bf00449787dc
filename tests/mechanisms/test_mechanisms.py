"""The contract of every mechanism and every variant, over `MECHANISMS`.

A new mechanism is held against it on the day it is registered.
"""

import dataclasses
import math
import re
import sys

import numpy as np
import pytest
from scipy import stats

import mechanisms
from mechanisms import (
    CMP,
    MECHANISMS,
    TEM,
    Guarantee,
    LawMechanism,
    NoiseMechanism,
    RadialNoise,
    UnknownWordError,
    Vocabulary,
)
from tests.claims import ALPHA, assert_drawn_from, assert_not_drawn_from, p_value_of_sample
from tests.toy import TOY, toy_counts

# TOY without the words that share a place or nearly do, which Truncated Gumbel cannot have.
_KEPT = [word for word in TOY.words if word not in ("copy", "nearer")]

# All words but `edge` have synonyms. `far` and `lone` are not in the vocabulary.
_SYNONYMS = {
    "origin": ["east", "north"],
    "east": ["west", "northeast"],
    "north": ["south", "origin"],
    "west": ["east", "corner"],
    "south": ["north", "twin", "far"],
    "corner": ["edge", "near"],
    "twin": ["near", "lonely"],
    "near": ["corner"],
    "lonely": ["lone", "twin"],
}


def plain_words(count=None):
    words = _KEPT[:count]
    return Vocabulary(words, TOY.vectors[TOY.ids(words)], _SYNONYMS, counter=toy_counts)


PLAIN = plain_words()

# ε is not comparable across mechanisms: at these values each one sometimes keeps a word of PLAIN
# and sometimes does not.
_EPSILONS = {
    "Truncated Gumbel": 300.0,
    "Laplace": 20.0,
    "Gaussian": 10.0,
    "Truncated Laplace": 20.0,
}

# A wrong ε, by this factor, must be told from the right one. Truncated Gumbel's noise depends on
# the logarithm of ε only.
_WRONG = {"Truncated Gumbel": 10.0}


def all_variants(family=object):
    """Each mechanism of a family in each of its variants, with its defaults and a fitting ε."""
    found = []
    for cls in MECHANISMS:
        if issubclass(cls, family):
            declared = cls.parameters().get("variant")
            epsilon = _EPSILONS.get(cls.name, 2.0)
            for variant in declared.choices if declared else [None]:
                chosen = {} if variant is None else {"variant": variant}
                label = cls.name if variant is None else f"{cls.name}-{variant}"
                found.append(pytest.param(cls(epsilon=epsilon, **chosen), id=label))
    return found


every_mechanism = pytest.mark.parametrize("mechanism", all_variants())
every_law = pytest.mark.parametrize("mechanism", all_variants(LawMechanism))
every_noise = pytest.mark.parametrize("mechanism", all_variants(NoiseMechanism))
every_radial_noise = pytest.mark.parametrize("mechanism", all_variants(RadialNoise))
every_class = pytest.mark.parametrize("cls", MECHANISMS, ids=lambda cls: cls.name)


def covered(mechanism, vocabulary=PLAIN):
    """The ids of the words for which the mechanism has a law."""
    ids = np.arange(len(vocabulary))
    return ids[mechanism.covers(vocabulary, ids)]


def assert_is_a_sentence(error, mechanism):
    """The message names the mechanism, is a sentence, and not only a word."""
    message = str(error)
    assert message.startswith((mechanism.name, "Vocabulary:")), message
    assert message.endswith("."), message
    assert len(message) > 30, message
    assert "Traceback" not in message


# ---------------------------------------------------------------------------------- a value object


def test_names_differ_and_every_mechanism_is_exported():
    names = [cls.name for cls in MECHANISMS]
    assert len(set(names)) == len(names)
    assert {cls.__name__ for cls in MECHANISMS} <= set(mechanisms.__all__)
    assert {CMP, TEM} <= set(MECHANISMS)


@every_mechanism
def test_a_mechanism_is_frozen_and_its_own_cache_key(mechanism):
    again = dataclasses.replace(mechanism)
    assert again == mechanism
    assert hash(again) == hash(mechanism)
    other = dataclasses.replace(mechanism, epsilon=mechanism.epsilon + 1)
    assert other != mechanism
    with pytest.raises(dataclasses.FrozenInstanceError):
        mechanism.epsilon = 3.0


@every_class
def test_parameters_are_given_by_name_only(cls):
    with pytest.raises(TypeError, match="positional"):
        cls(2.0)


@every_class
def test_epsilon_has_no_default(cls):
    with pytest.raises(TypeError, match="epsilon"):
        cls()


@every_mechanism
def test_the_repr_can_be_read_back(mechanism):
    assert eval(repr(mechanism), vars(mechanisms).copy()) == mechanism


@every_class
@pytest.mark.parametrize("number", [np.float64(50.5), np.float32(50.5), np.int64(50)])
def test_numpy_s_numbers_become_plain_ones(cls, number):
    mechanism = cls(epsilon=number)
    assert mechanism == cls(epsilon=float(number))
    assert type(mechanism.epsilon) in (int, float)
    assert eval(repr(mechanism), vars(mechanisms).copy()) == mechanism


@every_class
def test_every_parameter_is_declared_with_a_symbol_and_a_meaning(cls):
    assert list(cls.parameters()) == [field.name for field in dataclasses.fields(cls)]
    for declared in cls.parameters().values():
        assert declared.symbol
        assert len(declared.meaning) > 5


@every_class
def test_the_module_names_its_law_guarantee_and_reference(cls):
    page = sys.modules[cls.__module__].__doc__
    for heading in ("Law", "Guarantee", "Reference"):
        assert re.search(rf"^{heading} +\S", page, flags=re.MULTILINE), heading


# ------------------------------------------------------------------------------ invalid parameters


def invalid_values(declared):
    """Values that a declaration rules out, each with the end of the message."""
    if declared.choices:
        rule = f"must be one of {', '.join(declared.choices)}"
        return [(value, f"{rule}; got {value!r}.") for value in ("nonsense", "", None, 1, True)]
    strange = [
        "1",
        "",
        True,
        False,
        np.True_,
        1 + 1j,
        [1.0],
        *([] if declared.optional else [None]),
    ]
    infinite = [math.nan, math.inf, -math.inf, 10**400]
    outside = []
    if declared.above is not None:
        outside += [declared.above, declared.above - 1]
    if declared.at_least is not None:
        outside += [np.nextafter(declared.at_least, -math.inf), declared.at_least - 1]
    if declared.below is not None:
        outside += [declared.below, declared.below + 1]
    if declared.at_most is not None:
        outside += [np.nextafter(declared.at_most, math.inf), declared.at_most + 1]
    return (
        [(value, f"must be a number; got {value!r}.") for value in strange]
        + [(value, f"must be finite; got {_shown(value)}.") for value in infinite]
        + [(value, f"must be {declared.limits}; got {_shown(value)}.") for value in outside]
    )


def _shown(value):
    return "inf" if type(value) is int and value == 10**400 else f"{float(value):g}"


def every_invalid_value():
    for cls in MECHANISMS:
        for name, declared in cls.parameters().items():
            label = declared.symbol if declared.symbol == name else f"{declared.symbol} ({name})"
            for i, (value, rule) in enumerate(invalid_values(declared)):
                message = f"{cls.name}: {label} {rule}"
                yield pytest.param(cls, name, value, message, id=f"{cls.name}-{name}-{i}")


@pytest.mark.parametrize(("cls", "name", "value", "message"), list(every_invalid_value()))
def test_a_value_that_is_ruled_out_is_named_with_its_rule(cls, name, value, message):
    error = TypeError if "must be a number" in message else ValueError
    with pytest.raises(error) as caught:
        cls(**{"epsilon": 50.0, name: value})
    assert str(caught.value) == message


def test_the_message_in_full():
    with pytest.raises(ValueError, match=r"^TEM: ε \(epsilon\) must be above 0; got -1\.$"):
        TEM(epsilon=-1)
    with pytest.raises(ValueError, match=r"^TEM: β \(beta\) must be above 0 and below 1; got 1\.$"):
        TEM(epsilon=1, beta=1)
    with pytest.raises(TypeError, match=r"^TEM: ε \(epsilon\) must be a number; got '1'\.$"):
        TEM(epsilon="1")


@every_class
def test_the_last_values_inside_each_interval_are_accepted(cls):
    for name, declared in cls.parameters().items():
        inside = [*declared.choices]
        if declared.above is not None:
            inside.append(float(np.nextafter(declared.above, math.inf)))
        if declared.at_least is not None:
            inside.append(declared.at_least)
        if declared.below is not None:
            inside.append(float(np.nextafter(declared.below, -math.inf)))
        if declared.at_most is not None:
            inside.append(declared.at_most)
        for value in inside:
            assert getattr(cls(**{"epsilon": 50.0, name: value}), name) == value


# ------------------------------------------------------------------------------------------- draws


@every_mechanism
@pytest.mark.parametrize("size", [0, 1, 7])
def test_a_sample_has_a_row_of_valid_ids_for_each_word(mechanism, size):
    ids = covered(mechanism)
    released = mechanism.sample(PLAIN, ids, size, np.random.default_rng(1))
    assert released.shape == (len(ids), size)
    assert released.dtype == np.int64
    assert np.isin(released, np.arange(len(PLAIN))).all()


@every_mechanism
def test_no_words_give_no_rows(mechanism):
    for nothing in ([], np.array([], dtype=np.int64)):
        assert mechanism.sample(PLAIN, nothing, 5, np.random.default_rng(1)).shape == (0, 5)


@every_mechanism
def test_the_same_seed_gives_the_same_draws_and_another_seed_others(mechanism):
    ids = covered(mechanism)
    first, again, other = (
        mechanism.sample(PLAIN, ids, 40, np.random.default_rng(seed)) for seed in (2, 2, 3)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@every_mechanism
def test_only_the_generator_that_was_handed_over_is_used(mechanism):
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    mechanism.sample(PLAIN, covered(mechanism), 20, np.random.default_rng(4))
    assert np.array_equal(before, np.random.get_state()[1])  # noqa: NPY002


@every_mechanism
def test_equal_words_of_a_call_are_drawn_independently(mechanism):
    word = covered(mechanism)[0]
    drawn = mechanism.sample(PLAIN, [word, 1, word], 20_000, np.random.default_rng(5))
    first, second = drawn[0], drawn[2]
    favourite = np.bincount(first).argmax()
    table = np.histogram2d(first == favourite, second == favourite, bins=2)[0]
    assert (table > 0).all(), "the word always gives the same: nothing was tested"
    assert stats.fisher_exact(table).pvalue > ALPHA
    assert stats.fisher_exact(np.diag(table.sum(axis=1).astype(int))).pvalue < ALPHA


@every_mechanism
def test_the_order_of_the_words_is_the_order_of_the_rows(mechanism):
    # Two words with different laws, in a row of forty: each row follows its own word.
    a, b = covered(mechanism)[[0, -1]]
    ids = np.tile([a, b], 20)
    released = mechanism.sample(PLAIN, ids, 500, np.random.default_rng(6))
    rows = np.stack([np.bincount(row, minlength=len(PLAIN)) for row in released])
    of_a, of_b = rows[::2].sum(axis=0), rows[1::2].sum(axis=0)
    for row, own, other in ((rows[0], of_a, of_b), (rows[1], of_b, of_a), (rows[38], of_a, of_b)):
        assert np.abs(row / 500 - own / 10_000).sum() < np.abs(row / 500 - other / 10_000).sum()


@every_mechanism
@pytest.mark.parametrize("bad", [[-1], [0, len(PLAIN) + 1], [2**40]])
def test_ids_outside_the_vocabulary_are_refused(mechanism, bad):
    with pytest.raises(UnknownWordError, match="word ids lie in"):
        mechanism.sample(PLAIN, bad, 1, np.random.default_rng(7))
    if isinstance(mechanism, LawMechanism):
        with pytest.raises(UnknownWordError, match="word ids lie in"):
            mechanism.log_prob(PLAIN, bad)


@every_mechanism
@pytest.mark.parametrize("bad", [[0.0], ["origin"], [True], [[0]], 0])
def test_what_is_not_a_row_of_ids_is_refused(mechanism, bad):
    with pytest.raises(TypeError, match="word ids must be whole numbers"):
        mechanism.sample(PLAIN, bad, 1, np.random.default_rng(7))


@every_mechanism
def test_a_word_without_a_law_is_refused_and_not_released_as_it_was(mechanism):
    ids = np.arange(len(PLAIN))
    covers = mechanism.covers(PLAIN, ids)
    assert covers.shape == ids.shape
    assert covers.dtype == np.bool_
    for word in ids[~covers]:
        with pytest.raises(UnknownWordError):
            mechanism.sample(PLAIN, [word], 1, np.random.default_rng(8))


@every_mechanism
@pytest.mark.parametrize("epsilon", [1e-30, 1e-9, 1e9, 1e308])
def test_an_extreme_epsilon_gives_valid_words_or_a_sentence(mechanism, epsilon):
    # Warnings are errors here.
    extreme = dataclasses.replace(mechanism, epsilon=epsilon)
    ids = covered(mechanism)
    try:
        released = extreme.sample(PLAIN, ids, 50, np.random.default_rng(9))
    except ValueError as error:
        assert_is_a_sentence(error, mechanism)
        return
    assert np.isin(released, np.arange(len(PLAIN))).all()
    if isinstance(extreme, LawMechanism):
        law = np.exp(extreme.log_prob(PLAIN, ids))
        np.testing.assert_allclose(law.sum(axis=1), 1, rtol=1e-9)


@every_mechanism
@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_a_small_vocabulary_works_or_is_refused_with_a_sentence(mechanism, count):
    vocabulary = plain_words(count)
    try:
        ids = covered(mechanism, vocabulary)
        released = mechanism.sample(vocabulary, ids, 100, np.random.default_rng(10))
    except ValueError as error:
        assert_is_a_sentence(error, mechanism)
        assert count < 5, "five words are enough for every mechanism"
        return
    assert np.isin(released, np.arange(count)).all()


# --------------------------------------------------------------------------------------- guarantee


@every_mechanism
def test_the_guarantee_says_what_is_promised_and_why_or_why_not(mechanism):
    guarantee = mechanism.guarantee(PLAIN)
    assert isinstance(guarantee, Guarantee)
    assert guarantee.epsilon == mechanism.epsilon
    assert guarantee.theorem or guarantee.caveat
    assert guarantee.caveat or guarantee.holds, "a broken promise without a word why"
    assert guarantee.caveat or guarantee.notion != "none proven"
    assert (guarantee.delta > 0) == (guarantee.notion == "(ε, δ)-DP") or (
        guarantee.notion == "none proven"
    )


@every_mechanism
def test_the_bound_of_a_guarantee_is_zero_for_a_word_and_itself_and_the_same_both_ways(mechanism):
    guarantee = mechanism.guarantee(PLAIN)
    a, b = np.indices((len(PLAIN), len(PLAIN))).reshape(2, -1)
    bound = guarantee.log_ratio_bound(PLAIN, a, b)
    if bound is None:
        assert guarantee.notion in ("(ε, δ)-DP", "none proven")
        return
    assert bound.shape == a.shape
    assert (bound[a == b] == 0).all()
    assert (bound[a != b] > 0).all()
    np.testing.assert_allclose(bound, guarantee.log_ratio_bound(PLAIN, b, a), rtol=1e-12)


# -------------------------------------------------------------------------------------------- laws


@every_law
def test_a_law_sums_to_one(mechanism):
    ids = covered(mechanism)
    law = mechanism.log_prob(PLAIN, ids)
    assert law.shape == (len(ids), len(PLAIN))
    np.testing.assert_allclose(np.exp(law).sum(axis=1), 1, rtol=1e-9)


@every_law
def test_a_law_does_not_depend_on_the_other_words_of_the_call(mechanism):
    ids = covered(mechanism)
    together = mechanism.log_prob(PLAIN, np.concatenate([ids, ids[::-1]]))
    alone = np.vstack([mechanism.log_prob(PLAIN, [word]) for word in ids])
    np.testing.assert_allclose(together, np.vstack([alone, alone[::-1]]), rtol=1e-12)


@every_law
def test_the_sampler_draws_from_the_law(mechanism):
    word = covered(mechanism)[:1]
    released = mechanism.sample(PLAIN, word, 300_000, np.random.default_rng(11))
    counts = np.bincount(released[0], minlength=len(PLAIN))
    assert_drawn_from(counts, np.exp(mechanism.log_prob(PLAIN, word)[0]))
    factor = _WRONG.get(mechanism.name, 1.1)
    for epsilon in (mechanism.epsilon * factor, mechanism.epsilon / factor):
        wrong = dataclasses.replace(mechanism, epsilon=epsilon)
        assert_not_drawn_from(counts, np.exp(wrong.log_prob(PLAIN, word)[0]))


@every_law
@pytest.mark.parametrize("factor", [0.2, 1.0, 5.0])
def test_a_law_whose_guarantee_holds_keeps_it_for_every_pair_of_words(mechanism, factor):
    mechanism = dataclasses.replace(mechanism, epsilon=mechanism.epsilon * factor)
    guarantee = mechanism.guarantee(PLAIN)
    ids = np.arange(len(PLAIN))
    a, b = np.indices((len(PLAIN), len(PLAIN))).reshape(2, -1)
    bound = guarantee.log_ratio_bound(PLAIN, a, b)
    if bound is None or not guarantee.holds:
        assert guarantee.caveat
        return
    law = mechanism.log_prob(PLAIN, ids)
    assert (law[a] - law[b] <= bound[:, None] + 1e-9).all()


# ------------------------------------------------------------------------------------------- noise


@every_noise
def test_noise_and_start_points_are_finite_points(mechanism):
    ids = covered(mechanism)
    noise = mechanism.noise(PLAIN, 100, np.random.default_rng(12))
    assert noise.shape == (100, PLAIN.dimensions)
    assert mechanism.start(PLAIN, ids).shape == (len(ids), PLAIN.dimensions)
    assert np.isfinite(noise).all()
    assert np.isfinite(mechanism.start(PLAIN, ids)).all()


@every_noise
def test_words_with_equal_vectors_give_the_same_release_from_the_same_noise(mechanism):
    twin, copy = TOY.ids(["twin", "copy"])
    first, second = (
        mechanism.sample(TOY, [word], 2_000, np.random.default_rng(13)) for word in (twin, copy)
    )
    assert np.array_equal(first, second)


@every_noise
def test_noise_does_not_depend_on_how_many_are_drawn_at_once(mechanism, monkeypatch):
    ids = np.repeat(covered(mechanism), 10)
    whole = mechanism.sample(PLAIN, ids, 100, np.random.default_rng(14))
    monkeypatch.setattr("mechanisms.base.BLOCK_FLOATS", 2_000)
    cut = mechanism.sample(PLAIN, ids, 100, np.random.default_rng(15))
    counts = [np.bincount(drawn.ravel(), minlength=len(PLAIN)) for drawn in (whole, cut)]
    common = np.array(counts)[:, np.sum(counts, axis=0) > 20]
    assert stats.chi2_contingency(common).pvalue > ALPHA


@every_radial_noise
def test_the_radius_follows_its_distribution_function(mechanism):
    radius = mechanism.radius(PLAIN, 20_000, np.random.default_rng(16))
    assert p_value_of_sample(radius, lambda r: mechanism.radius_cdf(PLAIN, r)) > ALPHA
    assert p_value_of_sample(radius * 1.1, lambda r: mechanism.radius_cdf(PLAIN, r)) < ALPHA


@every_radial_noise
def test_noise_is_a_direction_times_a_radius(mechanism):
    # In the order of the draws: first all directions, then all radii.
    noise = mechanism.noise(PLAIN, 50, np.random.default_rng(17))
    rng = np.random.default_rng(17)
    directions = mechanism.directions(PLAIN, 50, rng)
    radius = mechanism.radius(PLAIN, 50, rng)
    np.testing.assert_allclose(noise, directions * radius[:, None])
