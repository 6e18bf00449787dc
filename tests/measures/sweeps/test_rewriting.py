"""ROUGE-1, BLEU and matches of pieces of words, each against a computation of another kind."""

from collections import Counter

import numpy as np
import pytest
import sacrebleu

from measures.intervals import of_mean
from measures.sweeps.rewriting import bleu, matches, rouge_1
from mechanisms.randomness import seeded_rng

BEFORE = ["the cat sat on the mat", "A film, rather dull", "well", "one two three four five six"]
AFTER = ["the dog sat on a mat today", "a Film rather bright", "bad", "one two three four nine six"]


def f1_of_common_words(before, after):
    """ROUGE-1 by counting."""
    a, b = (Counter(text.lower().replace(",", "").split()) for text in (before, after))
    return 2 * sum((a & b).values()) / (sum(a.values()) + sum(b.values()))


def random_texts(count, share, seed):
    """Texts of twelve words, and the same with a share of the words redrawn."""
    rng = seeded_rng(seed)
    words = np.array([f"word{i}" for i in range(200)])
    before = rng.integers(200, size=(count, 12))
    redrawn = rng.random(before.shape) < share
    after = np.where(redrawn, rng.integers(200, size=before.shape), before)
    return [[" ".join(words[text]) for text in texts] for texts in (before, after)]


def test_rouge_1_is_the_mean_f1_of_common_words():
    expected = [f1_of_common_words(*pair) for pair in zip(BEFORE, AFTER, strict=True)]
    mean = of_mean(100 * np.array(expected), 0, 100)
    assert rouge_1(BEFORE, AFTER).numbers == pytest.approx(mean.numbers)


def test_rouge_1_of_aligned_texts_is_their_recall():
    before, after = random_texts(50, 0.3, seed=0)
    common = [
        sum((Counter(a.split()) & Counter(b.split())).values()) / 12
        for a, b in zip(before, after, strict=True)
    ]
    assert rouge_1(before, after).value == pytest.approx(100 * np.mean(common))


def test_bleu_is_that_of_the_whole_corpus():
    before, after = random_texts(60, 0.2, seed=1)
    for one, other in ((BEFORE, AFTER), (before, after), (BEFORE, ["x"] * 4), (BEFORE, [""] * 4)):
        expected = sacrebleu.corpus_bleu(other, [one], lowercase=True).score
        assert bleu(one, other).value == pytest.approx(expected)


def test_the_interval_of_bleu_is_that_of_resampled_texts():
    before, after = random_texts(60, 0.2, seed=2)
    rng = np.random.default_rng(3)
    scores = []
    for _ in range(400):
        pick = rng.integers(60, size=60)
        some = [after[i] for i in pick], [[before[i] for i in pick]]
        scores.append(sacrebleu.corpus_bleu(*some, lowercase=True).score)
    found = bleu(before, after, seed=4)
    assert found.numbers[1:] == pytest.approx(np.percentile(scores, [2.5, 97.5]), abs=1)
    assert found.numbers == bleu(before, after, seed=4).numbers
    assert found.low < found.value < found.high


def test_matches_are_the_mean_f1_in_percent():
    asked = []

    def matched(before, after):
        asked.append((before, after))
        return np.array([[0.1, 0.2, 0.5], [0.3, 0.4, 0.75], [1, 1, 1], [0, 0, 0]], np.float32)

    found = matches(BEFORE, AFTER, matched)
    assert found.numbers == pytest.approx(of_mean([50.0, 75.0, 100.0, 0.0], 0, 100).numbers)
    assert asked == [(BEFORE, AFTER)]


@pytest.mark.parametrize("measure", [rouge_1, bleu])
def test_a_text_that_stays_keeps_all_its_wording_in_any_case(measure):
    long = [text for text in BEFORE if len(text.split()) > 3]
    assert measure(long, [text.upper() for text in long]).value == pytest.approx(100)


@pytest.mark.parametrize("measure", [rouge_1, bleu])
def test_less_wording_is_kept_where_more_words_are_replaced(measure):
    few, many = (measure(*random_texts(80, share, seed=5)) for share in (0.1, 0.5))
    assert many.high < few.low


@pytest.mark.parametrize("measure", [rouge_1, bleu])
def test_progress_comes_after_every_text_and_can_stop(measure):
    shares = []
    measure(BEFORE, AFTER, progress=shares.append)
    assert shares == [0.25, 0.5, 0.75, 1]

    def stop(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(BEFORE, AFTER, progress=stop)


@pytest.mark.parametrize(("before", "after"), [([], []), (["a"], []), (["a"], ["a", "b"])])
def test_every_original_needs_a_private_text(before, after):
    for measure in (rouge_1, bleu, lambda a, b: matches(a, b, None)):
        with pytest.raises(ValueError, match="as many private texts as originals are needed"):
            measure(before, after)
