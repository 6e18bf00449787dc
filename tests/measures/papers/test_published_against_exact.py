"""The printed N_w and S_w against computed ones: the slips, the numbers, and the shipped table."""

import dataclasses
import itertools

import numpy as np
import pytest

from measures.papers import benchmark_vocabulary
from measures.papers import published_against_exact as table
from measures.papers.benchmark_cases import CASES
from measures.papers.benchmark_slips import (
    FartherCandidate,
    QuotientTEM,
    SeenFromOneWord,
    SquaredSanText,
    SynonymsAlike,
    first_coordinates,
    with_words_at_the_origin,
)
from measures.words.deniability import distinct_outputs, unchanged_probability
from mechanisms import TEM, SanText, SynTF, TruncatedGumbel, Vocabulary
from mechanisms.randomness import seeded_rng
from tests.claims import assert_drawn_from, assert_not_drawn_from
from tests.toy import TOY

EVERY = np.arange(len(TOY))

# ------------------------------------------------------------------------------- different outputs


@pytest.mark.parametrize("draws", [1, 2, 3, 5])
def test_different_outputs_are_expected_as_often_as_counting_every_sequence_says(draws):
    law = np.array([0.6, 0.3, 0.1])
    counted = unchanged_left_out = 0.0
    for sequence in itertools.product(range(3), repeat=draws):
        probability = law[list(sequence)].prod()
        counted += probability * len(set(sequence))
        unchanged_left_out += probability * len(set(sequence) - {1})
    assert distinct_outputs(np.log([law]), draws).item() == pytest.approx(counted)
    found = distinct_outputs(np.log([law]), draws, unchanged=[1])
    assert found.item() == pytest.approx(unchanged_left_out)


def test_one_draw_gives_another_word_as_often_as_the_word_does_not_stay():
    law = TEM(epsilon=3).log_prob(TOY, EVERY)
    expected = 1 - np.exp(law[EVERY, EVERY])
    np.testing.assert_allclose(distinct_outputs(law, 1, unchanged=EVERY), expected, atol=1e-12)


def test_a_certain_output_is_one_output_and_impossible_ones_are_none():
    certain = np.array([[0.0, -np.inf, -np.inf]])
    assert distinct_outputs(certain, 100).item() == 1
    assert distinct_outputs(certain, 100, unchanged=[0]).item() == 0


def test_rare_outputs_are_not_lost_to_rounding():
    law = np.full((1, 10), np.log(1e-20))
    law[0, 0] = 0.0
    assert distinct_outputs(law, 100, unchanged=[0]).item() == pytest.approx(9e-18)


def test_outputs_of_draws_are_counted_as_sets_do():
    rng = seeded_rng(1)
    ids = np.arange(40)
    released = np.where(rng.random((40, 30)) < 0.3, ids[:, None], rng.integers(0, 60, (40, 30)))
    counted = table._counted(released, ids)
    for row, word, (n_w, s_w) in zip(released, ids, counted, strict=True):
        assert n_w == pytest.approx(100 * np.mean(row == word))
        assert s_w == len(set(row.tolist()) - {word})


# --------------------------------------------------------------------------------------- the slips

# So far apart that the weight e^(-d²) of the nearer candidate is 0.
WIDE = Vocabulary(TOY.words, TOY.vectors * 100)


def test_the_farther_candidate_is_the_third_word_where_the_input_is_nearest_else_the_second():
    rng = seeded_rng(2)
    points = rng.normal(0, 300, (500, 2))
    words = rng.integers(len(WIDE), size=500)
    _, order = WIDE.nearest_k(points, 3)
    nearest = order[:, 0] == WIDE.representatives[words]
    expected = np.where(nearest, order[:, 2], order[:, 1])
    chosen = FartherCandidate(epsilon=1).choose(WIDE, words, points, rng)
    assert np.array_equal(chosen, expected)
    assert nearest.any()
    assert not nearest.all()


def test_the_nearer_candidate_has_the_weight_of_its_squared_distance():
    """At 0.6 from one word and 1 from another, the first comes with e^(-0.36) / (1 + e^(-0.36))."""
    vocabulary = Vocabulary(["a", "b", "c"], [[0.0], [1.6], [9.0]])
    draws = 20_000
    points, words = np.full((draws, 1), 0.6), np.full(draws, 2)
    chosen = FartherCandidate(epsilon=1).choose(vocabulary, words, points, seeded_rng(3))
    counts = np.bincount(chosen, minlength=3)[:2]
    weights = np.array([np.exp(-0.36), 1.0])
    assert_drawn_from(counts, weights / weights.sum())
    assert_not_drawn_from(counts, np.array([np.exp(-0.6), 1.0]))


def test_synonyms_alike_are_uniform_over_a_word_and_its_synonyms_at_every_epsilon():
    lexicon = {"east": ("north", "west"), "north": ("east",)}
    vocabulary = Vocabulary(TOY.words, TOY.vectors, lexicon)
    words = vocabulary.ids(["east", "north"])
    for epsilon in (0.1, 10):
        law = np.exp(
            SynonymsAlike(epsilon=epsilon, variant="benchmark").log_prob(vocabulary, words)
        )
        np.testing.assert_allclose(law[0, vocabulary.ids(["east", "north", "west"])], 1 / 3)
        np.testing.assert_allclose(law[1, vocabulary.ids(["east", "north"])], 1 / 2)
    assert SynTF(epsilon=10, variant="benchmark").log_prob(vocabulary, words)[0].max() > np.log(0.4)


@pytest.mark.parametrize(("epsilon", "gamma"), [(1, 2.0), (5, 1.3), (2, 40.0)])
def test_the_quotient_is_the_weight_of_the_element_that_stands_for_all_outside(epsilon, gamma):
    """The algorithm word by word: the ball, one more element, then a uniform word outside."""
    law = np.exp(QuotientTEM(epsilon=epsilon, gamma=gamma).log_prob(TOY, EVERY))
    for word, distances in enumerate(TOY.distances(EVERY)):
        ball = distances <= gamma
        weights = np.where(ball, np.exp(-epsilon / 2 * distances), 0)
        outside = len(TOY) / ball.sum() * np.exp(-epsilon / 2 * gamma) if not ball.all() else 0
        expected = weights / (weights.sum() + outside)
        expected[~ball] = (1 - expected.sum()) / max(1, (~ball).sum())
        np.testing.assert_allclose(law[word], expected, atol=1e-12)


def test_gamma_is_rounded_to_one_decimal_in_the_quotient_slip():
    a = QuotientTEM(epsilon=1, gamma=1.26).log_prob(TOY, EVERY)
    b = QuotientTEM(epsilon=1, gamma=1.34).log_prob(TOY, EVERY)
    assert np.array_equal(a, b)


def test_squared_distances_are_those_of_the_distances():
    law = SquaredSanText(epsilon=2).log_prob(TOY, EVERY)
    difference = law - law[EVERY, EVERY][:, None]
    np.testing.assert_allclose(difference, -(TOY.distances(EVERY) ** 2), atol=1e-9)


@pytest.mark.parametrize("mechanism", [SquaredSanText(epsilon=0.3), QuotientTEM(epsilon=1)])
def test_a_slip_draws_from_its_own_law_and_not_from_that_of_the_paper(mechanism):
    word = TOY.ids(["east"])
    counts = np.bincount(mechanism.sample(TOY, word, 50_000, seeded_rng(4))[0], minlength=len(TOY))
    assert_drawn_from(counts, np.exp(mechanism.log_prob(TOY, word)[0]))
    if isinstance(mechanism, SquaredSanText):
        assert_not_drawn_from(counts, np.exp(SanText(epsilon=0.3).log_prob(TOY, word)[0]))


def test_seen_from_one_word_the_extremes_are_those_of_its_own_row():
    word = TOY.get("west")
    seen = SeenFromOneWord(TOY, word)
    row = TOY.distances([word])[0]
    assert seen.closest_pair[0] == pytest.approx(row[row > 0].min())
    assert seen.farthest_pair[0] == pytest.approx(row.max())
    assert seen.closest_pair[0] > TOY.closest_pair[0]
    assert TruncatedGumbel(epsilon=1, variant="benchmark").scale(seen) > 0


def test_squared_neighbours_are_the_same_words_in_the_same_order():
    distances, ids = TOY.neighbours(EVERY, 5)
    squared, same = SeenFromOneWord(TOY, 0, squared=True).neighbours(EVERY, 5)
    assert np.array_equal(ids, same)
    np.testing.assert_allclose(squared, distances**2)


def test_the_first_coordinate_alone_does_not_tell_north_from_south():
    flat = first_coordinates(TOY, 1)
    assert flat.distance_between(*flat.ids(["north", "south"])) == 0
    assert flat.distance_between(*flat.ids(["east", "west"])) == 2.5


def test_words_at_the_origin_are_as_far_as_a_word_is_long():
    more = with_words_at_the_origin(TOY, 3)
    assert len(more) == len(TOY) + 3
    assert more.words[: len(TOY)] == TOY.words
    np.testing.assert_allclose(
        more.distances(EVERY)[:, -3:].T, [np.linalg.norm(TOY.vectors, axis=1)] * 3
    )


# --------------------------------------------------------------------------------------- the table


def case(mechanism, variant):
    (found,) = [c for c in CASES if (c.mechanism, c.variant) == (mechanism, variant)]
    return found


def test_a_law_gives_the_mean_over_words_of_the_exact_values(glove):
    words = len(glove)
    small = Vocabulary(glove.words[:400], glove.vectors[:400], glove.synonyms)
    (row,) = table.rows(small, words, [5], [case("TEM", "γ by Theorem 4.2")])
    every = np.arange(len(small))
    exact = unchanged_probability(TEM(epsilon=5), small, every, seeded_rng(0)).value
    assert row.words == len(small)
    assert row.method == "exact law"
    assert row.n_w == pytest.approx(100 * exact.mean())
    assert row.n_w_25_low < row.n_w < row.n_w_25_high
    law = TEM(epsilon=5).log_prob(small, every)
    assert row.s_w == pytest.approx(distinct_outputs(law, 100, unchanged=every).mean())


def test_runs_of_a_hundred_draws_scatter_about_the_law_as_they_should(glove):
    small = Vocabulary(glove.words[:400], glove.vectors[:400])
    mechanism, ids = TEM(epsilon=5), np.arange(400)
    exact, _, runs = table._by_law(mechanism, small, ids, seeded_rng(5))
    stays = exact / 100
    error = 100 * np.sqrt((stays * (1 - stays)).sum() / table.RUNS) / len(ids)
    assert abs(runs[:, 0].mean() - exact.mean()) < 4.9 * error
    other = table._by_law(TEM(epsilon=4.5), small, ids, seeded_rng(5))[0]
    assert abs(runs[:, 0].mean() - other.mean()) > 4.9 * error


def test_a_part_of_the_table_has_the_numbers_of_the_whole(glove):
    small = Vocabulary(glove.words[:300], glove.vectors[:300])
    several = table.rows(small, 50, [1, 5], [case("CMP", "published"), case("TEM", "γ = 0.5")])
    (alone,) = table.rows(small, 50, [5], [case("CMP", "published")])
    (same,) = [row for row in several if (row.mechanism, row.epsilon) == ("CMP", 5)]
    assert dataclasses.replace(alone, explanation="") == dataclasses.replace(same, explanation="")


def row(mechanism, variant, agrees, epsilon=5, method="exact law"):
    numbers = [0.0] * 10
    return table.Row(
        mechanism, variant, epsilon, 1.0, 2.0, *numbers, 9, method, agrees, "refused: why"
    )


def explained(*found):
    return [r.explanation for r in table._explained(list(found))]


def test_what_agrees_needs_no_explanation():
    assert explained(row("CMP", "published", True)) == ["agrees"]


def test_what_agrees_by_chance_at_one_epsilon_says_where_it_does_not():
    said = explained(
        row("CMP", "published", True),
        row("CMP", "published", False, 1),
        row("TEM", "γ = 0.5", True),
    )
    assert said == ["agrees, but not at ε = 1", "unexplained", "agrees"]


def test_a_slip_that_agrees_explains_the_papers_row_and_one_that_does_not_says_so():
    said = explained(
        row("Vickrey", "published", False), row("Vickrey", "slip: farther candidate", True)
    )
    assert said[0].startswith("explained by a slip: the input left out only")
    assert said[1].startswith("explains the printed numbers: the input left out only")
    said = explained(row("TEM", "γ = 0.5", False), row("TEM", "slip: quotient for ⊥", False))
    assert said[0] == "unexplained"
    assert said[1].startswith("does not explain the printed numbers")


def test_a_mere_possibility_leaves_the_cell_unexplained():
    possible = "possible: unknown words at the origin"
    said = explained(row("TEM", "γ = 0.5", False), row("TEM", possible, True))
    assert said[0].startswith("unexplained; possibly")
    assert said[1].startswith("not proven")


def test_a_refusal_is_kept():
    assert explained(row("Gumbel", "published", False, method="refused")) == ["refused: why"]


# ------------------------------------------------------------------------------- the shipped table


@pytest.fixture(scope="module")
def shipped():
    return table.shipped()


@pytest.fixture(scope="module")
def vocabulary():
    return table.imdb_vocabulary(table.SEED)


def test_the_words_are_as_many_as_the_benchmark_prints_and_not_cut_as_a_release_is(monkeypatch):
    def tokenise(*_):
        raise AssertionError("a text to be released is cut so, not the benchmark's")

    monkeypatch.setattr("data.corpora.tokenise", tokenise)
    words = benchmark_vocabulary.imdb_words(table.SEED)
    assert len(words) == pytest.approx(benchmark_vocabulary.PRINTED_WORDS, rel=0.02)
    assert not {"the", "movies", "1"} & words
    assert "movie" in words


def test_the_shipped_table_has_every_case_at_every_epsilon_once(shipped):
    _, rows = shipped
    expected = [(c.mechanism, c.variant, f"{e:g}") for c in CASES for e in table.EPSILONS]
    assert [(r["mechanism"], r["variant"], r["epsilon"]) for r in rows] == expected
    assert list(rows[0]) == [field.name for field in dataclasses.fields(table.Row)]


def test_the_shipped_table_says_where_it_comes_from(shipped, vocabulary):
    provenance, _ = shipped
    assert provenance["command"] == "python -m measures.papers.published_against_exact"
    assert provenance["fingerprint"] == vocabulary.fingerprint
    assert provenance["seed"] == str(table.SEED)


@pytest.mark.parametrize(
    ("mechanism", "variant", "epsilon"),
    [("TEM", "γ by Theorem 4.2", 5), ("SynTF", "slip: all synonyms equally likely", 1)],
)
def test_exact_cells_of_the_shipped_table_come_out_again(
    shipped, vocabulary, mechanism, variant, epsilon
):
    (again,) = table.rows(vocabulary, table.WORDS, [epsilon], [case(mechanism, variant)])
    (before,) = [
        r
        for r in shipped[1]
        if (r["mechanism"], r["variant"], r["epsilon"]) == (mechanism, variant, str(epsilon))
    ]
    for number in ("n_w", "s_w", "n_w_low", "n_w_high"):
        assert getattr(again, number) == pytest.approx(float(before[number]), abs=1e-3)


def test_no_number_of_the_shipped_table_lies_outside_what_it_can_be(shipped):
    for r in shipped[1]:
        if r["method"] == "refused":
            assert r["n_w"] == ""
            continue
        assert 0 <= float(r["n_w"]) <= 100
        assert 0 <= float(r["s_w"]) <= 100 - float(r["n_w"]) + 1e-3
        assert float(r["n_w_low"]) <= float(r["n_w"]) <= float(r["n_w_high"])
        assert float(r["n_w_25_low"]) - 0.1 <= float(r["n_w"]) <= float(r["n_w_25_high"]) + 0.1


def test_the_printed_vickrey_was_not_the_published_one_which_never_keeps_a_word(shipped):
    rows = [r for r in shipped[1] if (r["mechanism"], r["variant"]) == ("Vickrey", "published")]
    assert [float(r["n_w"]) for r in rows] == [0, 0, 0]
    assert max(float(r["printed_n_w"]) for r in rows) > 5


def test_the_printed_tem_was_not_that_of_the_printed_gamma(shipped):
    (wrong,) = [
        r
        for r in shipped[1]
        if (r["mechanism"], r["variant"], r["epsilon"]) == ("TEM", "γ = 0.5", "10")
    ]
    assert float(wrong["n_w"]) < 0.1
    assert float(wrong["printed_n_w"]) == 99.9
