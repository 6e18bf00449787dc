import math

import numpy as np
import pytest
from scipy.stats import binomtest

from measures.words import outputs
from mechanisms import CMP, MECHANISMS, TEM, Laplace, LawMechanism, RadialNoise
from mechanisms.estimate import CONFIDENCE, EXACT, Source
from mechanisms.law import Law
from mechanisms.randomness import seeded_rng
from tests.claims import ALPHA
from tests.toy import TOY

# Truncated Gumbel refuses words with equal vectors, and SynTF needs a lexicon: TOY suits neither.
ON_TOY = [cls for cls in MECHANISMS if cls.name not in ("Truncated Gumbel", "SynTF")]


@pytest.mark.parametrize("cls", ON_TOY, ids=lambda c: c.name)
def test_outputs_are_the_mechanisms_own(cls):
    mechanism = cls(epsilon=3.0)
    released = mechanism.sample(TOY, np.array([2]), 40_000, seeded_rng(3))[0]
    counts = np.bincount(released, minlength=len(TOY))
    answer = outputs.answers(mechanism.family(), TOY, 2, seeded_rng(4))
    found = outputs.outputs(answer, mechanism, TOY, 2, seeded_rng(5))
    probability = found.of(np.arange(len(TOY)))
    assert probability.sum() == pytest.approx(1)
    # 1,000 directions, or 2,000 draws, and 40,000 draws on the other side.
    error = 6 * np.sqrt(np.maximum(probability, 1e-3) / 1_000)
    assert (np.abs(probability - counts / counts.sum()) <= error).all()
    kinds = {LawMechanism: "exact", RadialNoise: "directions"}
    assert found.source.kind == next((k for c, k in kinds.items() if issubclass(cls, c)), "draws")


def test_words_that_never_come_out_have_probability_zero():
    found = Law(
        Laplace(epsilon=1), TOY, 2, np.array([2, 7]), np.array([0.75, 0.25]), Source("draws", 100)
    )
    assert list(found.of(np.array([2, 3, 7, 9, 0]))) == [0.75, 0, 0.25, 0, 0]


def test_outputs_that_tie_come_by_word_id_also_where_the_list_is_cut():
    law = TEM(epsilon=1.0, gamma=1e-9).law(TOY, "near")  # all other words have one probability
    others = [word for word in TOY.words if word != "near"]
    for k in range(1, len(TOY) + 1):
        assert [word for word, _ in law.top(k)] == ["near", *others][:k]


def replacements(mechanism, word, seed=0, most=10):
    answer = outputs.answers(mechanism.family(), TOY, word, seeded_rng(seed))
    found = outputs.outputs(answer, mechanism, TOY, word, seeded_rng(seed))
    return outputs.replacements(found, most)


def test_replacements_are_the_likeliest_outputs_in_order():
    mechanism, word = TEM(epsilon=2), TOY.get("east")
    found = replacements(mechanism, word, most=4)
    law = np.exp(mechanism.log_prob(TOY, np.array([word]))[0])
    np.testing.assert_allclose(found.probability.value, np.sort(law)[::-1][:4], rtol=1e-12)
    np.testing.assert_allclose(found.distances, TOY.distance_between(found.word_ids, [word] * 4))
    assert found.stays.value == pytest.approx(law[word])
    assert found.stays.source == EXACT


def test_fewer_outputs_than_are_asked_for_are_all_shown():
    found = replacements(CMP(epsilon=1e4), TOY.get("lonely"), most=10)
    assert found.probability.value.tolist() == pytest.approx([1.0])
    assert found.stays.value == pytest.approx(1)


def test_intervals_from_draws_are_those_of_clopper_and_pearson():
    found = replacements(Laplace(epsilon=2), TOY.get("origin"))
    n = outputs.DRAWS
    for i, share in enumerate(found.probability.value):
        interval = binomtest(round(share * n), n).proportion_ci(CONFIDENCE, "exact")
        assert found.probability.low[i] == pytest.approx(interval.low, abs=1e-9)
        assert found.probability.high[i] == pytest.approx(interval.high, abs=1e-9)


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 8.0])
def test_intervals_from_directions_hold_the_true_chance_as_often_as_they_say(epsilon):
    """Over 400 paths; the truth is the mean over all of them, 400,000 directions."""
    mechanism, word = CMP(epsilon=epsilon), TOY.get("origin")
    paths = [replacements(mechanism, word, seed=seed).stays for seed in range(400)]
    truth = np.mean([float(stays.value) for stays in paths])
    held = sum(stays.low <= truth <= stays.high for stays in paths)
    assert binomtest(held, len(paths), CONFIDENCE, "less").pvalue > ALPHA
    assert held >= CONFIDENCE * len(paths)  # directions vary less than draws: wide enough


def test_a_path_answers_the_next_epsilon_along_the_same_directions():
    """So a slider that is moved shows what ε does, not another sample."""
    answer = outputs.answers(CMP.family(), TOY, 0, seeded_rng(0))
    stays = [
        outputs.outputs(answer, CMP(epsilon=float(e)), TOY, 0, seeded_rng(0)).of(np.array([0]))[0]
        for e in np.geomspace(0.1, 50, 60)
    ]
    assert (np.diff(stays) >= 0).all()


# ------------------------------------------------------------- where a word's probability goes


@pytest.mark.parametrize("gamma", [None, 0.5, 1.5, 100.0])
def test_the_parts_of_a_words_probability_are_counted_word_by_word(gamma):
    word = TOY.words.index("near")
    law = outputs.answers(TEM.family(gamma=1.5), TOY, word, seeded_rng(0))
    found = outputs.outputs(law, TEM(epsilon=2.0, gamma=1.5), TOY, word, seeded_rng(0))
    result = outputs.spread(found, gamma)
    expected, sizes = [0.0] * 4, [0] * 4
    by_distance = sorted(
        (v for v in range(len(TOY)) if v != word),
        key=lambda v: math.dist(TOY.vectors[word], TOY.vectors[v]),
    )
    for v, probability in zip(found.word_ids.tolist(), found.probability.tolist(), strict=True):
        within = gamma is not None and math.dist(TOY.vectors[word], TOY.vectors[v]) <= gamma
        part = 0 if v == word else 1 if v in by_distance[: outputs.NEAREST] else 2 if within else 3
        expected[part] += probability
        sizes[part] += 1
    np.testing.assert_allclose(result.shares.value, expected, rtol=1e-9, atol=1e-15)
    assert result.words == tuple(sizes)
    assert sum(expected) == pytest.approx(1)
    assert result.shares.source.is_exact


def test_tem_at_its_default_beta_scatters_half_of_a_word_within_gamma(glove):
    word, tem = glove.ids(["sad"]).item(), TEM(epsilon=3.5)
    found = outputs.outputs(
        outputs.answers(tem.family(), glove, word, seeded_rng(0)), tem, glove, word, seeded_rng(0)
    )
    result = outputs.spread(found, outputs.threshold(tem, glove))
    law = np.exp(tem.log_prob(glove, np.array([word]))[0])
    distance = glove.distances(np.array([word]))[0]
    beyond = distance > tem.threshold(glove)
    itself, near, within, other = result.shares.value
    assert itself == pytest.approx(law[word])
    assert other == pytest.approx(law[beyond].sum())
    assert near < 0.05 < within
    assert outputs.threshold(CMP(epsilon=3.5), glove) is None


def test_the_parts_of_a_sampled_law_carry_intervals(glove):
    word, laplace = glove.ids(["sad"]).item(), Laplace(epsilon=300.0)
    found = outputs.outputs(None, laplace, glove, word, seeded_rng(3))
    result = outputs.spread(found)
    assert result.words[2] == 0
    assert result.shares.value.sum() == pytest.approx(1)
    assert (result.shares.low <= result.shares.value).all()
    assert (result.shares.high >= result.shares.value).all()
    assert result.shares.source == found.source
