"""N-gram TEM: its law after a prefix by hand, what reaches a draw, its promise, its draws."""

import dataclasses
import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from data import embeddings
from measures.audits.audit import audit
from mechanisms import TEM, NGramTEM, UnigramTEM, ngram_draws
from mechanisms.base_measure import base_measure, counted, counts_of, with_counts
from mechanisms.file_texts import FileTexts
from mechanisms.randomness import seeded_rng
from mechanisms.text import private_versions, privatise_all
from tests.claims import assert_drawn_from, assert_not_drawn_from
from tests.toy import TOY

EVERY_WORD = np.arange(len(TOY))
EVERY_INPUT = np.arange(len(TOY) + 1)
UNKNOWN = TOY.unknown_id

# `origin east north` and `origin east west` occur, `lonely` only alone, `edge` never.
TEXTS = [[0, 1, 2]] * 9 + [[0, 1, 3, 0]] * 3 + [[4, 5, 6, 7, 8, 9]] * 4 + [[10]] * 5
COUNTED = with_counts(TOY, counted("toy", TEXTS, len(TOY), 2))
PREFIXES = [(), (0,), (1,), (0, 1), (7, 1), (3, 0), (10,), (11, 11), (5, 0, 1)]


def ngram(epsilon=2.0, gamma=None, weight=1.0, look="trigrams", **others):
    return NGramTEM(epsilon=epsilon, gamma=gamma, weight=weight, look=look, corpus="own", **others)


def q_by_hand(prefix, weight, look, fewest=2):
    """q(v | prefix) (V,) by counting the texts, as fractions."""
    weight = Fraction(weight)
    singles = Counter(word for text in TEXTS for word in text)
    tokens, kinds = sum(singles.values()), len(singles)
    size = len(TOY)
    q = [
        (1 - weight) / size + weight * (singles[v] + Fraction(kinds, size)) / (tokens + kinds)
        for v in range(size)
    ]
    for words in (1, 2) if look == "trigrams" else (1,):
        if len(prefix) < words:
            break
        history = tuple(prefix[-words:])
        after = Counter(
            text[i + words]
            for text in TEXTS
            for i in range(len(text) - words)
            if tuple(text[i : i + words]) == history
        )
        after = Counter({v: n for v, n in after.items() if n >= fewest})
        if not after:
            break
        seen, different = sum(after.values()), len(after)
        trust = weight * Fraction(seen, seen + different)
        q = [(1 - trust) * q[v] + trust * Fraction(after[v], seen) for v in range(size)]
    assert sum(q) == 1
    return np.array([float(x) for x in q])


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("look", ["bigrams", "trigrams"])
@pytest.mark.parametrize("weight", [0.5, 1.0])
def test_q_after_a_prefix_is_witten_and_bells(prefix, look, weight):
    measure = ngram(weight=weight, look=look).after(COUNTED, prefix).conditional(COUNTED)
    expected = q_by_hand(prefix, weight, look)
    np.testing.assert_allclose(measure.weights * 2.0**-measure.scale, expected, rtol=1e-12)


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize(("epsilon", "gamma"), [(0.5, None), (3.0, 1.2)])
def test_the_law_of_a_place_is_the_formula(prefix, epsilon, gamma):
    mechanism = ngram(epsilon, gamma)
    law = np.exp(mechanism.log_prob_after(COUNTED, EVERY_WORD, prefix))
    q = q_by_hand(prefix, 1.0, "trigrams")
    near = np.minimum(TOY.distances(EVERY_WORD), mechanism.threshold(COUNTED))
    weights = q * np.exp(-epsilon / 2 * near)
    np.testing.assert_allclose(law, weights / weights.sum(axis=1, keepdims=True), rtol=1e-9)


def test_with_nothing_before_it_is_unigram_tem_with_this_gamma():
    mechanism = ngram(2.0)
    gamma = mechanism.threshold(COUNTED)
    first = UnigramTEM(epsilon=2.0, gamma=gamma, corpus="own")
    np.testing.assert_allclose(
        mechanism.log_prob_after(COUNTED, EVERY_INPUT, ()),
        first.log_prob(COUNTED, EVERY_INPUT),
        rtol=1e-12,
    )
    np.testing.assert_allclose(
        mechanism.log_prob(COUNTED, EVERY_INPUT), first.log_prob(COUNTED, EVERY_INPUT), rtol=1e-12
    )


# --------------------------------------------------------------------------------------- promises


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize(("epsilon", "gamma"), [(0.3, None), (2.0, None), (9.0, 0.7)])
def test_every_pair_of_inputs_keeps_the_promise_after_every_prefix(prefix, epsilon, gamma):
    mechanism = ngram(epsilon, gamma)
    law = mechanism.log_prob_after(COUNTED, EVERY_INPUT, prefix)
    a, b = np.indices((len(EVERY_INPUT), len(EVERY_INPUT))).reshape(2, -1)
    bound = mechanism.guarantee(COUNTED).log_ratio_bound(COUNTED, a, b)
    assert ((law[a] - law[b]).max(axis=1) <= bound + 1e-9).all()


@pytest.mark.parametrize("prefix", PREFIXES)
def test_words_in_one_place_have_one_law_after_every_prefix(prefix):
    pair = TOY.ids(["twin", "copy"])
    np.testing.assert_array_equal(*ngram(3.0).log_prob_after(COUNTED, pair, prefix))


def test_words_in_one_place_have_one_draw():
    drawn = [
        ngram(1.0).sample_texts(COUNTED, [np.array([0, i, 2])] * 50, 1, np.random.default_rng(2))
        for i in TOY.ids(["twin", "copy"])
    ]
    np.testing.assert_array_equal(*drawn)


@pytest.mark.parametrize("prefix", [(), (0, 1)])
def test_the_audit_holds_for_a_place(prefix):
    found = audit(ngram(4.0).after(COUNTED, prefix), COUNTED)
    assert found.verdict == "holds", found.witness


def test_a_text_keeps_epsilon_times_the_sum_of_its_distances():
    """Every release of two short texts, by the product of the laws of its places."""
    mechanism, size = ngram(1.5), len(TOY)
    after = {
        prefix: mechanism.log_prob_after(COUNTED, EVERY_WORD, prefix)
        for length in range(3)
        for prefix in itertools.product(range(size), repeat=length)
        if length < 2 or prefix[0] in (0, 3)
    }

    def log_law(text):
        return {
            release: sum(after[release[:i]][text[i], release[i]] for i in range(len(text)))
            for release in itertools.product((0, 3), range(size), range(size))
        }

    for one, other in (([0, 1, 2], [3, 4, 10]), ([5, 5, 5], [5, 11, 5])):
        bound = 1.5 * TOY.distance_between(one, other).sum()
        a, b = log_law(one), log_law(other)
        assert max(abs(a[r] - b[r]) for r in a) <= bound + 1e-9
    assert sum(math.exp(p) for p in log_law([0, 1, 2]).values()) < 1


@pytest.mark.parametrize("prefix", PREFIXES)
def test_gammas_floor_is_below_every_q_and_beta_holds_for_every_place(prefix):
    mechanism = ngram(3.0, beta=0.05)
    floor = mechanism.smallest_share(COUNTED)
    assert floor <= q_by_hand(prefix, 1.0, "trigrams").min() * (1 + 1e-12)
    law = np.exp(mechanism.log_prob_after(COUNTED, EVERY_WORD, prefix))
    outside = TOY.distances(EVERY_WORD) > mechanism.threshold(COUNTED)
    assert (np.where(outside, law, 0).sum(axis=1) <= 0.05).all()


def test_the_floor_is_reached():
    # One history of one word that is followed by one word: q of the rarest word falls to it.
    words = with_counts(TOY, counted("toy", [[0, 1]] * 50, len(TOY), 2))
    mechanism = ngram(look="bigrams")
    q = mechanism.after(words, (0,)).conditional(words)
    assert q.smallest_share == pytest.approx(mechanism.smallest_share(words), rel=1e-12)


# -------------------------------------------------------------------------- what reaches a draw


def drawn_of(text, unknown="random", versions=2, seed=3):
    rng = seeded_rng(seed)
    return private_versions(text, ngram(3.0), COUNTED, rng, versions, unknown)


def drawn_ids(private):
    return [row.tolist() for row in private.drawn if row[0] >= 0]


@pytest.mark.parametrize("unknown", ["random", "mask", "drop", "keep"])
def test_nothing_between_the_drawn_words_reaches_a_draw(unknown):
    """Signs, spaces, letter case, markup; and unknown words that are not drawn."""
    expected = drawn_ids(drawn_of("origin east corner near", unknown))
    for text in (
        "Origin,  EAST\n(corner) — near!",
        "<b>origin</b> east; corner: near",
        *(() if unknown == "random" else ("origin zzz east 42 corner near zzz",)),
    ):
        assert drawn_ids(drawn_of(text, unknown)) == expected


def test_a_drawn_unknown_word_is_part_of_the_prefix():
    assert drawn_ids(drawn_of("origin zzz east")) != drawn_ids(drawn_of("origin east"))
    assert drawn_ids(drawn_of("origin zzz east")) == drawn_ids(drawn_of("origin yyy east"))


@pytest.mark.parametrize("unknown", ["random", "mask", "drop", "keep"])
def test_a_file_draws_as_text_by_text(unknown):
    texts = ["origin east, north", "", "zzz lonely EAST", "!", "near zzz near"]
    mechanism = ngram(3.0)
    whole = FileTexts(mechanism, COUNTED, unknown).private(texts, seeded_rng(6))
    one_by_one = privatise_all(texts, mechanism, COUNTED, seeded_rng(6), unknown=unknown)
    assert whole.texts == [private.texts[0] for private in one_by_one]


@pytest.mark.parametrize("place", range(6))
def test_no_typed_word_but_its_own_reaches_a_draw(place, monkeypatch):
    """All other words are changed while their releases stay: the law asked for is the same."""
    asked = []
    original = ngram_draws.Drawer._place

    def recorded(self, stretch, i, prefix):
        asked.append((stretch.words[i], tuple(prefix)))
        if len(asked) % 6 - 1 != place:
            return (3 * len(asked)) % 6  # a release that no input decides
        return original(self, stretch, i, prefix)

    monkeypatch.setattr(ngram_draws.Drawer, "_place", recorded)
    laws = []
    for text in ([0, 1, 2, 3, 4, 5], [9, 9, 9, 9, 9, 9]):
        asked.clear()
        typed = np.array(text)
        typed[place] = 7
        ngram().sample_texts(COUNTED, [typed], 1, np.random.default_rng(0))
        laws.append(asked[place])
    assert laws[0] == laws[1]
    assert laws[0][0] == 7
    assert len(laws[0][1]) == min(place, 2)


def test_texts_and_versions_do_not_reach_each_other():
    together = privatise_all(["lonely"] * 40 + ["east"] * 4000, ngram(0.1), COUNTED, seeded_rng(1))
    counts = np.bincount([p.drawn[0, 0] for p in together[40:]], minlength=len(TOY))
    law = np.exp(ngram(0.1).log_prob(COUNTED, [1])[0])
    assert_drawn_from(counts, law)
    assert_not_drawn_from(counts, np.exp(ngram(0.1).log_prob_after(COUNTED, [1], (0,))[0]))


# ------------------------------------------------------------------------------------------- draws


@pytest.mark.slow
@pytest.mark.parametrize("weight", [0.6, 1.0])
@pytest.mark.parametrize("text", [[0, 1, 2], [0, UNKNOWN, 3], [4, 5, 6]])
def test_draws_of_a_text_follow_the_laws_of_its_places(text, weight):
    mechanism, count = ngram(1.0, weight=weight), 12_000
    drawn = mechanism.sample_texts(COUNTED, [np.array(text)] * count, 1, np.random.default_rng(8))
    found = Counter(tuple(one[:, 0].tolist()) for one in drawn)
    first = np.bincount([r[0] for r in found.elements()], minlength=len(TOY))
    assert_drawn_from(first, np.exp(mechanism.log_prob_after(COUNTED, text[:1], ())[0]))
    for place, prefix in ((1, (0,)), (2, (0, 1))):
        rows = [r for r in found.elements() if r[:place] == prefix]
        counts = np.bincount([r[place] for r in rows], minlength=len(TOY))
        law = np.exp(mechanism.log_prob_after(COUNTED, [text[place]], prefix)[0])
        assert_drawn_from(counts, law)


@pytest.mark.slow
def test_draws_without_their_prefix_are_told_apart():
    mechanism, count = ngram(0.5), 20_000
    drawn = mechanism.sample_texts(COUNTED, [np.array([0, 1])] * count, 1, np.random.default_rng(9))
    after = np.bincount([o[1, 0] for o in drawn if o[0, 0] == 0], minlength=len(TOY))
    assert_drawn_from(after, np.exp(mechanism.log_prob_after(COUNTED, [1], (0,))[0]))
    assert_not_drawn_from(after, np.exp(mechanism.log_prob(COUNTED, [1])[0]))


@pytest.fixture(scope="module")
def glove():
    words = embeddings.load("glove-6b-50d", 3_000)
    rng = np.random.default_rng(0)
    texts = (1500 * rng.random((4_000, 12)) ** 3).astype(int)
    return with_counts(words, counted("random", texts.tolist(), len(words), 1))


def test_draws_on_real_words_follow_the_law_of_a_place(glove):
    mechanism, count = NGramTEM(epsilon=2.0, corpus="own"), 12_000
    fixed = mechanism.after(glove, (0, 1)).conditional(glove)
    assert fixed.widest > 1_000
    drawer = mechanism.drawer(glove, np.random.default_rng(2))
    released = []
    for _ in range(count // 200):
        stretch = ngram_draws._Stretch(drawer, np.repeat(3, 200))
        released += [drawer._place(stretch, i, (0, 1)) for i in range(200)]
    counts = np.bincount(released, minlength=len(glove))
    assert_drawn_from(counts, np.exp(mechanism.log_prob_after(glove, [3], (0, 1))[0]))
    assert_not_drawn_from(counts, np.exp(mechanism.log_prob(glove, [3])[0]))


@pytest.mark.slow
def test_a_doubtful_point_is_decided_by_exact_numbers(monkeypatch):
    """With bounds that decide nothing, every point is refined, and the law stays."""
    monkeypatch.setattr(ngram_draws, "_RATIONAL", 1.0)
    mechanism, count = ngram(1.0), 3_000
    refinements = []
    original = ngram_draws.refined
    monkeypatch.setattr(
        ngram_draws, "refined", lambda *given: refinements.append(1) or original(*given)
    )
    drawn = mechanism.sample_texts(
        COUNTED, [np.array([0, 1])] * count, 1, np.random.default_rng(11)
    )
    assert len(refinements) > count
    counts = np.bincount([o[0, 0] for o in drawn], minlength=len(TOY))
    assert_drawn_from(counts, np.exp(mechanism.log_prob(COUNTED, [0])[0]))


def test_exact_weights_of_a_followers_entry():
    drawer = ngram(3.0, 1.1).drawer(COUNTED, np.random.default_rng(0))
    low, high = drawer.exact_weight(0, 2, 0.375).enclosed(80)
    expected = 0.375 * math.exp(-1.5 * min(1.1, 1.25))
    assert float(low) == pytest.approx(expected, rel=1e-12)
    assert high - low <= high / 2**80
    assert drawer.exact_weight(UNKNOWN, 2, 0.375).enclosed(80) == (Fraction(3, 8), Fraction(3, 8))


def test_the_shares_of_followers_are_those_of_the_law():
    measure = base_measure(COUNTED, "own", 1.0)
    found = ngram_draws.continuation(measure, (1, 2), (0, 1))
    total = found.alpha * measure.weights
    np.add.at(total, found.ids, found.shares)
    np.testing.assert_allclose(total * 2.0**-measure.scale, q_by_hand((0, 1), 1.0, "trigrams"))
    assert counts_of(COUNTED, "own").after_two.of(0 * len(TOY) + 1) is not None


def test_weight_0_is_tem_in_text():
    mechanism = ngram(1.0, weight=0.0)
    assert mechanism.threshold(COUNTED) == pytest.approx(TEM(epsilon=1.0).threshold(TOY), rel=1e-12)
    drawn = mechanism.sample_texts(
        COUNTED, [np.array([0, 1])] * 6_000, 1, np.random.default_rng(12)
    )
    counts = np.bincount([o[1, 0] for o in drawn], minlength=len(TOY))
    assert_drawn_from(counts, np.exp(TEM(epsilon=1.0).log_prob(TOY, [1])[0]))


def test_progress_reaches_the_end_and_what_it_raises_stops():
    seen = []
    mechanism = ngram()
    mechanism.sample_texts(COUNTED, [EVERY_WORD] * 60, 2, np.random.default_rng(0), seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1
    assert len(seen) > 4
    assert mechanism.sample_texts(COUNTED, [], 2, np.random.default_rng(0)) == []
    empty = mechanism.sample_texts(COUNTED, [EVERY_WORD[:0]], 2, np.random.default_rng(0))
    assert [one.shape for one in empty] == [(0, 2)]


def test_it_says_what_it_looks_at():
    said = str(ngram().guarantee(COUNTED))
    assert "depends on its own word and on the words released before it" in said
    assert "q must be public" in said
    replaced = dataclasses.replace(ngram().after(COUNTED, (0, 1)), epsilon=3.0)
    assert replaced.prefix == (0, 1)
