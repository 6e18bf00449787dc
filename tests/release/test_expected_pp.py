"""Expected PP of the words that came out: by hand, by another way, and by its interval."""

from collections import Counter

import numpy as np
import pytest

from measures.words.deniability import unchanged_probability
from mechanisms import CMP, TEM, Gaussian, SynTF, Vickrey, Vocabulary
from release import expected
from release.expected import as_facts, expected_pp
from tests.claims import ALPHA
from tests.toy import TOY

OUT = Counter({0: 5, 3: 1, 4: 2})


def truth(mechanism, vocabulary, released):
    ids = np.array(list(released))
    stays = np.exp(mechanism.log_prob(vocabulary, ids))[np.arange(len(ids)), ids]
    counts = np.array(list(released.values()))
    return 100 * (1 - (stays * counts).sum() / counts.sum())


def test_a_law_makes_it_exact_and_the_order_of_the_words_changes_nothing():
    mechanism = TEM(epsilon=1.0)
    found = expected_pp(mechanism, TOY, OUT, "ff")
    assert found.value == found.low == found.high == pytest.approx(truth(mechanism, TOY, OUT))
    assert found.source.is_exact
    assert as_facts(found)["source"].startswith("exact")
    again = expected_pp(mechanism, TOY, Counter(dict(reversed(OUT.items()))), "0a")
    assert again.value == found.value


def test_nothing_that_came_out_has_none():
    assert expected_pp(TEM(epsilon=1.0), TOY, Counter(), "ff") is None


@pytest.mark.parametrize("mechanism", [CMP(epsilon=2.0), Gaussian(epsilon=20.0), TEM(epsilon=1.0)])
def test_draws_have_an_interval_that_holds_what_a_million_draws_say(mechanism, monkeypatch):
    from scipy import stats

    monkeypatch.setattr(expected, "DRAWS", 200)
    monkeypatch.setattr(expected, "MOST_WORDS", 2)
    rng = np.random.default_rng(1)
    stays = unchanged_probability(mechanism, TOY, list(OUT), rng, 300_000).value
    right = 100 * (1 - np.average(stays, weights=list(OUT.values())))
    found = [expected_pp(mechanism, TOY, OUT, f"{number:x}") for number in range(300)]
    held = sum(one.low <= right <= one.high for one in found)
    assert stats.binomtest(held, 300, 0.95, "less").pvalue > ALPHA
    halves = ((one.value - one.low) / 2 for one in found)
    narrow = sum(abs(one.value - right) <= half for one, half in zip(found, halves, strict=True))
    assert stats.binomtest(narrow, 300, 0.95, "less").pvalue < ALPHA, "half as wide would do"


def test_the_same_file_has_the_same_draws():
    assert expected_pp(CMP(epsilon=2.0), TOY, OUT, "ab") == expected_pp(
        CMP(epsilon=2.0), TOY, OUT, "ab"
    )
    several = {expected_pp(CMP(epsilon=2.0), TOY, OUT, f"{n:x}").value for n in range(5)}
    assert len(several) > 1


def test_a_mechanism_that_never_keeps_a_word_replaces_every_one():
    assert expected_pp(Vickrey(epsilon=2.0, variant="published"), TOY, OUT, "ab").value == 100


def test_a_word_without_a_law_counts_as_an_unknown_one(monkeypatch):
    words = Vocabulary(TOY.words, TOY.vectors, {"north": ["east"], "east": ["north"]})
    mechanism = SynTF(epsilon=1.0, variant="benchmark")
    lacking = words.get("west")
    assert not mechanism.covers(words, np.array([lacking]))[0]
    monkeypatch.setattr(expected, "MOST_WORDS", 0)
    drawn = expected_pp(mechanism, words, Counter({lacking: 3}), "ab")
    assert drawn.low < 100 * (1 - 1 / len(words)) < drawn.high
    monkeypatch.undo()
    found = expected_pp(mechanism, words, Counter({lacking: 3}), "ab")
    assert found.value == pytest.approx(100 * (1 - 1 / len(words)))
