"""The audit of any mechanism: a bound below the truth and near it; bad input is a sentence."""

import math
import sys
import threading
from collections import Counter

import numpy as np
import pytest
from typer.testing import CliRunner

from measures.audits import black_box
from measures.audits.black_box import Promise, audit, halves, of_command, of_function, split
from measures.audits.command import app
from mechanisms.randomness import seeded_rng

WORDS = ["a", "b", "c", "d"]


def randomised_response(epsilon, rng):
    """The word with odds e^ε to each of the three others: exactly ε, for any two words."""
    weights = np.full((4, 4), 1.0) + np.eye(4) * (math.exp(epsilon) - 1)
    weights /= weights.sum(axis=1, keepdims=True)

    def release(words):
        return [WORDS[rng.choice(4, p=weights[WORDS.index(word)])] for word in words]

    return release


def tables(epsilon, draws, rng):
    """The two halves, drawn at once."""
    weights = np.full((4, 4), 1.0) + np.eye(4) * (math.exp(epsilon) - 1)
    weights /= weights.sum(axis=1, keepdims=True)
    return tuple(
        {
            word: Counter(dict(zip(WORDS, rng.multinomial(draws, row).tolist(), strict=True)))
            for word, row in zip(WORDS, weights, strict=True)
        }
        for _ in range(2)
    )


def test_the_bound_is_below_the_truth_and_near_it():
    rng = seeded_rng(0)
    found = [audit(*tables(2.0, 5_000, rng), Promise(2.0), alpha=1e-6).epsilon for _ in range(100)]
    assert max(found) <= 2.0
    assert min(found) > 1.5


def test_the_bound_is_above_the_truth_as_rarely_as_it_says():
    """At alpha one half, of 200 audits of a mechanism that uses all its ε: half at most."""
    rng = seeded_rng(1)
    above = sum(
        audit(*tables(1.0, 500, rng), Promise(1.0), alpha=0.5).epsilon > 1.0 for _ in range(200)
    )
    assert above <= 100


def test_a_promise_that_is_too_low_is_refuted_with_its_witness():
    bound = audit(*tables(2.0, 20_000, seeded_rng(2)), Promise(1.5))
    assert bound.broken
    assert bound.outputs == (bound.words[0],)
    assert "The promised ε = 1.5 is broken" in bound.witness
    assert bound.shares[0] > bound.shares[1]


def test_distances_divide_the_bound():
    both = tables(2.0, 20_000, seeded_rng(3))
    near = audit(*both, Promise(1.0), lambda a, b: 2.0)
    assert near.epsilon == pytest.approx(audit(*both, Promise(1.0)).epsilon / 2)


def test_delta_is_taken_off():
    both = tables(2.0, 20_000, seeded_rng(3))
    assert audit(*both, Promise(2.0, 0.5)).epsilon < audit(*both, Promise(2.0, 0.0)).epsilon
    assert audit(*both, Promise(0.0, 0.9)).words is None


def test_many_small_outputs_together_show_what_none_shows_alone():
    """Each of 2,000 outputs is rare; from one word the even ones come three times as often."""
    rng = seeded_rng(4)
    outputs = [str(i) for i in range(2_000)]
    odds = {"a": np.where(np.arange(2_000) % 2, 1.0, 3.0), "b": np.ones(2_000)}

    def half():
        return {
            word: Counter(
                dict(zip(outputs, rng.multinomial(20_000, p / p.sum()).tolist(), strict=True))
            )
            for word, p in odds.items()
        }

    bound = audit(half(), half(), Promise(0.1))
    assert len(bound.outputs) > 100
    assert 0.5 < bound.epsilon <= math.log(2)


def test_no_difference_is_no_proof():
    bound = audit(*tables(0.0, 1_000, seeded_rng(5)), Promise(0.0))
    assert not bound.broken
    assert bound.epsilon == 0
    assert "no proof of privacy" in bound.witness


@pytest.mark.parametrize("epsilon", [0.0, math.inf])
def test_promises_of_nothing_and_of_everything_have_a_bound_still(epsilon):
    bound = audit(*tables(2.0, 5_000, seeded_rng(6)), Promise(epsilon))
    assert bound.epsilon > 1.5
    assert bound.broken == (epsilon == 0)
    if epsilon:
        assert "Nothing was promised" in bound.witness


@pytest.mark.parametrize(
    ("promise", "said"),
    [
        ((-1.0, 0.0), r"must be at least 0; got -1"),
        ((math.nan, 0), "at least 0; got nan"),
        ((1.0, 1.0), r"must lie in \[0, 1\); got 1"),
    ],
)
def test_a_promise_that_is_none_is_refused(promise, said):
    with pytest.raises(ValueError, match=said):
        Promise(*promise)


def test_halves_share_the_draws_of_each_word():
    first, second = halves(randomised_response(1.0, seeded_rng(7)), WORDS, 100, 60)
    assert [first[word].total() for word in WORDS] == [50] * 4
    assert [second[word].total() for word in WORDS] == [50] * 4


def raises(word):
    raise RuntimeError("out of order")


def hangs(word):
    threading.Event().wait(5)
    return word


@pytest.mark.parametrize(
    ("function", "seconds", "said"),
    [
        (raises, 60, "it raised RuntimeError: out of order"),
        (hangs, 0.05, r"no answer after 0.05 s"),
        (lambda word: None, 60, "an output must be a text; got None"),
    ],
)
def test_a_function_that_fails_is_said(function, seconds, said):
    with pytest.raises(ValueError, match=said):
        halves(of_function(function), ["a", "b"], 2, seconds)


def test_a_function_that_gives_the_word_itself_uses_any_epsilon():
    bound = audit(*halves(of_function(lambda word: word), ["a", "b"], 20_000, 60), Promise(3.0))
    assert bound.broken
    assert bound.epsilon > 5


def test_outputs_outside_of_any_vocabulary_are_outputs_too():
    bound = audit(*halves(of_function(lambda word: word * 3), ["a", "b"], 2_000, 60), Promise(1.0))
    assert bound.outputs in {("aaa",), ("bbb",)}


def test_a_command_maps_lines_to_lines():
    upper = [sys.executable, "-c", "import sys; [print(l.strip().upper()) for l in sys.stdin]"]
    assert list(of_command(upper, 60)(["a", "é"])) == ["A", "É"]


@pytest.mark.parametrize(
    ("program", "seconds", "said"),
    [
        ("print('one line')", 300, "one output for each word, in order; got 1 for 4 words"),
        ("raise SystemExit('broken')", 300, "ended with 1 and said: broken"),
        ("import time; time.sleep(600)", 1, "not done after 1 s"),
    ],
)
def test_a_command_that_fails_is_said(program, seconds, said):
    with pytest.raises(ValueError, match=said):
        halves(of_command([sys.executable, "-c", program], seconds), ["a", "b"], 2, 300)


def test_a_command_that_is_not_there_is_said():
    with pytest.raises(ValueError, match="'nonesuch-of-all' was not found"):
        of_command(["nonesuch-of-all"], 1)(["a"])


def test_a_table_is_split_into_halves_that_add_up():
    rows = [("a", "x", 100), ("a", "y", 7), ("b", "x", 50), ("a", "x", 1)]
    first, second = split(rows, seeded_rng(8))
    assert first["a"]["x"] + second["a"]["x"] == 101
    assert 20 < first["a"]["x"] < 80
    with pytest.raises(ValueError, match=r"row 1: the count must be a whole number; got 1\.5"):
        split([("a", "x", 1.5)], seeded_rng(0))


def test_one_word_is_not_enough():
    with pytest.raises(ValueError, match="at least two words with draws are needed; got 1"):
        audit({"a": Counter(x=3)}, {"a": Counter(x=3)}, Promise(1.0))


# ------------------------------------------------------------------------------------- by command


@pytest.fixture
def counts(tmp_path):
    first, _ = tables(2.0, 20_000, seeded_rng(9))
    lines = [f"{word},{output},{n}" for word, row in first.items() for output, n in row.items()]
    file = tmp_path / "counts.csv"
    file.write_text("word,output,count\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_the_command_ends_with_3_where_the_promise_is_broken_and_0_where_not(counts):
    broken = CliRunner().invoke(app, ["--table", str(counts), "--epsilon", "1"])
    assert broken.exit_code == 3, broken.output
    assert "The promised ε = 1 is broken" in broken.output
    assert "Not tested: other words" in broken.output
    kept = CliRunner().invoke(app, ["--table", str(counts), "--epsilon", "2", "--json"])
    assert kept.exit_code == 0
    assert '"broken": false' in kept.output


def test_distances_come_from_the_embedding(tmp_path, counts):
    named = {"a": "cat", "b": "dog", "c": "paris", "d": "monday"}
    text = counts.read_text(encoding="utf-8").splitlines()
    rows = [text[0], *(f"{named[line[0]]}{line[1:]}" for line in text[1:])]
    file = tmp_path / "named.csv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    run = CliRunner().invoke(app, ["--table", str(file), "--epsilon", "9", "--metric", "euclidean"])
    assert run.exit_code == 0, run.output
    assert "does not contradict the promised ε = 9" in run.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--epsilon", "1"], "give one of --program, --function and --table"),
        (
            ["--epsilon", "1", "--function", "nowhere:f", "--word", "a", "--word", "b"],
            "cannot be loaded",
        ),
        (["--epsilon", "1", "--program", "cat", "--word", "a"], "at least two different ones"),
        (["--epsilon", "-2", "--table", "x.csv"], "must be at least 0; got -2"),
        (["--epsilon", "1", "--table", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_what_cannot_be_asked_ends_with_2_and_a_sentence(arguments, said):
    run = CliRunner().invoke(app, arguments)
    assert run.exit_code == 2
    assert said in run.output


def test_a_table_without_its_columns_is_refused(tmp_path):
    file = tmp_path / "wrong.csv"
    file.write_text("word,output\na,b\n", encoding="utf-8")
    run = CliRunner().invoke(app, ["--table", str(file), "--epsilon", "1"])
    assert run.exit_code == 2
    assert "it lacks count" in run.output


def test_candidates_are_as_many_as_the_correction_counts():
    first, _ = tables(1.0, 500, seeded_rng(10))
    found = black_box._candidates(first, WORDS, Promise(1.0), lambda a, b: 1.0)
    assert len(found) == black_box.CANDIDATES


def test_the_shipped_table_of_packages_says_what_its_numbers_say():
    from measures.audits import packages

    rows, provenance = packages.shipped()
    assert {row.package for row in rows} == set(provenance["versions"])
    for row in rows:
        assert row.broken == (row.at_least > row.promised)
        assert (row.at_least > 0) == bool(row.word)
        if row.word:
            assert row.low > row.high
