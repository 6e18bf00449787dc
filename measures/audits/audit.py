"""Holding a mechanism against its guarantee.

A guarantee is a claim about every pair of words and every output, and about the draws that are
released. `law_checks` and `noise_checks` say what is looked at, and how:

law mechanisms    the largest log Pr[M(a) = y] - log Pr[M(b) = y] over all outputs y, for all pairs
                  of a set of words: random ones, their nearest neighbours and farthest words, the
                  closest pair of the vocabulary, its longest and shortest vector. Exact, so one
                  pair above the bound refutes the guarantee. Then the sum of the law, and whether
                  draws follow it. `every_word` holds all words against one.
noise mechanisms  the noise drawn against its density, the start points of all words, the density's
                  ratio for pairs of words, the choice of a word, the words drawn against what they
                  are made of, and the share unchanged against the ε path. Draws of the released
                  words, with Clopper-Pearson intervals that hold for all pairs at once, say how
                  large the ratio of two words' chances is at least. For (ε, δ) the true δ of the
                  noisy vectors, in closed form (the hockey-stick divergence) and by draws.

The unknown word is one of the inputs in each of these.

A check that finds nothing proves nothing by itself: `holds` says that the guarantee has a proof,
and that no check contradicts it. A violation comes with a witness, as a sentence. `UNSEEN` says
what no check here can find.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from measures import store
from measures.audits import law_checks, noise_checks
from measures.audits.findings import (
    ALPHA,
    ROUNDING,
    TESTS,
    Check,
    Pairs,
    critical,
    log_ratio_at_least,
    quoted,
    titled,
)
from measures.audits.law_checks import bounded, farthest_above, log_ratios
from mechanisms import Guarantee, LawMechanism, Mechanism, NoiseMechanism, Vocabulary
from mechanisms.base import RadialNoise
from mechanisms.epsilon_path import epsilon_path
from mechanisms.randomness import seeded_rng
from mechanisms.vocabulary import Floats, WordIds

Verdict = Literal["holds", "broken", "not proven", "refused"]

UNSEEN = (
    "a fault in n draws that is smaller than about 1/√n",
    "a fault of words that were not tried, if a check tries a sample of words",
    "a fault that leaves every log-ratio below its bound",
    "random numbers that somebody can predict",
)

# Noise is tried on fewer words than laws: every draw is a search of the vocabulary.
_NOISE_WORDS = 24
_POINTS = 200

# Directions of the ε path that the share unchanged is compared with.
_DIRECTIONS = 1_000


@dataclass(frozen=True)
class Audit:
    """What was found."""

    mechanism: Mechanism
    guarantee: Guarantee
    verdict: Verdict
    witness: str
    """The violation, or what was checked, as a sentence."""
    pairs: Pairs | None = None
    true_delta: float | None = None
    """A lower bound on the δ that the noisy vectors need at this ε, for (ε, δ) guarantees."""
    checks: tuple[Check, ...] = ()
    """All that was looked at, in order."""


def audit(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    words: int = 60,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Audit:
    """Hold a mechanism against its guarantee on a vocabulary.

    `words` is the size of the set whose pairs are compared; the seed chooses it and the draws.
    """
    guarantee = mechanism.guarantee(vocabulary)
    rng = seeded_rng(seed)
    word_ids = audited_words(vocabulary, words, rng)
    word_ids = word_ids[mechanism.covers(vocabulary, word_ids)]
    if not len(word_ids):
        reason = f"{titled(mechanism)} has a law for none of these words; nothing can be tested."
        return Audit(mechanism, guarantee, "refused", reason)
    try:
        mechanism.sample(vocabulary, word_ids[:1], 1, rng)
    except ValueError as error:
        return Audit(mechanism, guarantee, "refused", str(error))
    if isinstance(mechanism, LawMechanism):
        return _audit_law(mechanism, guarantee, vocabulary, word_ids, rng, progress)
    assert isinstance(mechanism, NoiseMechanism)
    return _audit_noise(mechanism, guarantee, vocabulary, word_ids, rng, progress)


def every_word(
    mechanism: LawMechanism, vocabulary: Vocabulary, largest: Floats, centre: int = 0
) -> Audit:
    """Every word of the vocabulary against one, all outputs, exact.

    `largest` (n,) are the numbers of `kept_centre_ratios` for all `words_with_a_law` (n,): |W|² of
    them are compared, so they are computed piece by piece.
    """
    guarantee = mechanism.guarantee(vocabulary)
    ids = words_with_a_law(mechanism, vocabulary)
    check, pairs = law_checks.against_one_centre(guarantee, vocabulary, ids, centre, largest)
    return _concluded(mechanism, guarantee, [check], pairs)


def kept_centre_ratios(
    mechanism: LawMechanism, vocabulary: Vocabulary, word_ids: WordIds, centre: int = 0
) -> Floats:
    """`law_checks.centre_ratios` of vocabulary words (n,), from disk where they are there."""
    settings = {
        "words": [int(word_ids[0]), int(word_ids[-1]), len(word_ids)],
        "centre": centre,
        "lexicon": vocabulary.synonyms is not None,
    }

    def compute() -> dict[str, Floats]:
        return {"largest": law_checks.centre_ratios(mechanism, vocabulary, word_ids, centre)}

    arrays = store.cached("centre-1", mechanism, vocabulary, settings, compute)
    return np.asarray(arrays["largest"])


def words_with_a_law(mechanism: LawMechanism, vocabulary: Vocabulary) -> WordIds:
    """All words that the mechanism covers."""
    ids = np.arange(len(vocabulary), dtype=np.int64)
    return ids[mechanism.covers(vocabulary, ids)]


def audited_words(vocabulary: Vocabulary, count: int, rng: np.random.Generator) -> WordIds:
    """About `count` words, so that close pairs and far ones are among them.

    Random words with their nearest neighbours, the farthest word from some of them, the closest
    pair, and the longest and the shortest vector.
    """
    if len(vocabulary) <= count:
        return np.arange(len(vocabulary), dtype=np.int64)
    few = max(1, count // 10)
    seeds = rng.choice(len(vocabulary), max(1, (count - 4 - few) // 2), replace=False)
    _, near = vocabulary.neighbours(seeds, 2)
    far = vocabulary.distances(seeds[:few]).argmax(axis=1)
    ends = [vocabulary.squared_norms.argmin(), vocabulary.squared_norms.argmax()]
    parts = [near.ravel(), seeds, far, ends, vocabulary.closest_pair[1:]]
    return np.unique(np.concatenate([np.asarray(part, dtype=np.int64) for part in parts]))


# ---------------------------------------------------------------------------------- law mechanisms


def _audit_law(
    mechanism: LawMechanism,
    guarantee: Guarantee,
    vocabulary: Vocabulary,
    word_ids: WordIds,
    rng: np.random.Generator,
    progress: Callable[[float], None] | None,
) -> Audit:
    word_ids = np.append(word_ids, vocabulary.unknown_id)
    largest, output = log_ratios(mechanism, vocabulary, word_ids, progress)
    a, b = (index.ravel() for index in np.indices(largest.shape))
    different = a != b
    a, b = a[different], b[different]
    pairs = bounded(guarantee, vocabulary, word_ids[a], word_ids[b], largest[a, b], exact=True)
    extent = f"{len(a):,} ordered pairs of words and the unknown word, every output, exact law"
    worst = farthest_above(pairs)
    fault = ""
    if worst is not None:
        y = int(output[a[worst], b[worst]])
        names = [quoted(vocabulary, w) for w in (y, int(pairs.a[worst]), int(pairs.b[worst]))]
        fault = _law_witness(mechanism, vocabulary, names, pairs, worst, y)
    checks = [
        Check("pairs of words", extent, fault),
        law_checks.sums(mechanism, vocabulary, word_ids),
        *law_checks.goodness_of_fit(mechanism, vocabulary, word_ids, rng),
    ]
    return _concluded(mechanism, guarantee, checks, pairs)


def _law_witness(
    mechanism: LawMechanism,
    vocabulary: Vocabulary,
    names: list[str],
    pairs: Pairs,
    worst: int,
    y: int,
) -> str:
    """One pair above the bound, in words."""
    title = titled(mechanism)
    ratio, distance = pairs.log_ratio[worst], pairs.distance[worst]
    if np.isinf(ratio):
        chance = math.exp(mechanism.log_prob(vocabulary, pairs.a[worst : worst + 1])[0, y])
        return (
            f"{title} returns {names[0]} for {names[1]} with probability {chance:.2g}, and never "
            f"for {names[2]}. No finite ε allows that."
        )
    said = [
        f"{title} is e^{ratio:,.1f} times as likely to return {names[0]} for {names[1]} as for "
        f"{names[2]}."
    ]
    if np.isfinite(distance):
        said.append(f"The two words are {distance:.2f} apart.")
    if pairs.bound is not None:
        said.append(f"Its promise allows a factor of e^{pairs.bound[worst]:,.1f} at most.")
    return " ".join(said)


# -------------------------------------------------------------------------------- noise mechanisms


def _audit_noise(
    mechanism: NoiseMechanism,
    guarantee: Guarantee,
    vocabulary: Vocabulary,
    word_ids: WordIds,
    rng: np.random.Generator,
    progress: Callable[[float], None] | None,
) -> Audit:
    word_ids = word_ids[np.linspace(0, len(word_ids) - 1, _NOISE_WORDS).astype(np.int64)]
    word_ids = np.unique(word_ids)
    a, b = _pairs_near_and_far(vocabulary, word_ids)
    inputs = np.append(word_ids, vocabulary.unknown_id)
    drawn = mechanism.sample(vocabulary, inputs, noise_checks.word_draws(vocabulary), rng)
    sample = drawn[:-1]
    position = {int(word): row for row, word in enumerate(inputs)}
    lower = np.array(
        [
            log_ratio_at_least(drawn[position[int(i)]], drawn[position[int(j)]], len(a))
            for i, j in zip(a, b, strict=True)
        ]
    )
    pairs = bounded(guarantee, vocabulary, a, b, lower, exact=False)
    if progress:
        progress(0.4)
    chosen, peeking = noise_checks.choice(mechanism, vocabulary, a, b, rng)
    if peeking and not (sample == word_ids[:, None]).any():
        chosen = Check(chosen.name, chosen.extent, _never(mechanism, vocabulary, word_ids, sample))
    checks = [chosen, _stated_delta(mechanism, guarantee, vocabulary)]
    checks += [_draws_apart(mechanism, vocabulary, pairs)]
    checks += [density_ratio(mechanism, guarantee, vocabulary, a, b, rng)]
    checks += noise_checks.start_points(mechanism, guarantee, vocabulary, int(word_ids[0]))
    noise = noise_checks.noise_of(mechanism, vocabulary, rng)
    checks += noise_checks.scale_and_shape(mechanism, vocabulary, noise, rng)
    if guarantee.notion == "(ε, δ)-DP":
        checks += [noise_checks.delta(mechanism, guarantee, vocabulary, rng)]
    if progress:
        progress(0.7)
    checks += [noise_checks.released(mechanism, vocabulary, word_ids, sample, rng)]
    if isinstance(mechanism, RadialNoise):
        checks += [noise_checks.radii(mechanism, vocabulary, rng)]
        checks += [_unchanged_on_the_path(mechanism, vocabulary, word_ids, sample, rng)]
    found = [check for check in checks if check is not None]
    true_delta = mechanism.true_delta_lower_bound(vocabulary)
    return _concluded(mechanism, guarantee, found, pairs, true_delta)


def _stated_delta(
    mechanism: NoiseMechanism, guarantee: Guarantee, vocabulary: Vocabulary
) -> Check | None:
    """An (ε, δ) claim against the δ that the noisy vectors need at this ε, in closed form."""
    true_delta = mechanism.true_delta_lower_bound(vocabulary)
    if true_delta is None:
        return None
    claimed = guarantee.delta
    fault = ""
    if true_delta > claimed * (1 + 1e-6):
        fault = (
            f"{titled(mechanism)} claims δ = {claimed:.3g}. For two clipped vectors 2C apart, the "
            f"noise needs δ = {true_delta:.3g} or more at this ε."
        )
    extent = f"closed form: δ = {true_delta:.3g} or more is needed, {claimed:.3g} is claimed"
    return Check("δ in closed form", extent, fault)


def _draws_apart(mechanism: NoiseMechanism, vocabulary: Vocabulary, pairs: Pairs) -> Check:
    """Released words alone, for pairs of words."""
    worst = farthest_above(pairs)
    fault = ""
    if worst is not None and pairs.bound is not None:
        fault = (
            f"By these draws, {titled(mechanism)} has an output that is at least "
            f"e^{pairs.log_ratio[worst]:.2f} times as likely for "
            f"{quoted(vocabulary, int(pairs.a[worst]))} as for "
            f"{quoted(vocabulary, int(pairs.b[worst]))}. Its promise allows a factor of "
            f"e^{pairs.bound[worst]:.2f} at most."
        )
    extent = f"{len(pairs.a):,} pairs of words, {noise_checks.word_draws(vocabulary):,} draws each"
    return Check("pairs of words, by draws", extent, fault)


def density_ratio(
    mechanism: NoiseMechanism,
    guarantee: Guarantee,
    vocabulary: Vocabulary,
    a: WordIds,
    b: WordIds,
    rng: np.random.Generator,
) -> Check | None:
    """The largest log density ratio of a noisy point under two words, against the bound.

    At points drawn from a, and one exactly on it, for every pair (n,), (n,); relative to the size
    of the logarithms. None for a guarantee that bounds no single output.
    """
    excess = -math.inf
    for word, other in zip(a, b, strict=True):
        pair = np.array([word]), np.array([other])
        bound = guarantee.log_ratio_bound(vocabulary, *pair)
        if bound is None:
            return None
        starts = mechanism.start(vocabulary, np.array([word, other]))
        noise = np.vstack([mechanism.noise(vocabulary, _POINTS - 1, rng), 0 * starts[:1]])
        from_word = mechanism.log_density(vocabulary, noise)
        from_other = mechanism.log_density(vocabulary, noise + (starts[0] - starts[1]))
        scale = 1 + np.abs(from_word) + np.abs(from_other)
        excess = max(excess, float(((from_word - from_other - bound) / scale).max()))
    fault = ""
    if excess > ROUNDING:
        fault = f"The log-ratio of the noise exceeds its bound, by {excess:.3g} of its size."
    return Check("density of the noise", f"{len(a) * _POINTS:,} noisy points", fault)


def _unchanged_on_the_path(
    mechanism: RadialNoise,
    vocabulary: Vocabulary,
    word_ids: WordIds,
    sample: WordIds,
    rng: np.random.Generator,
) -> Check:
    """The share of words that draws leave unchanged, against the ε path with its own error."""
    path = epsilon_path(mechanism.family(), vocabulary, word_ids, _DIRECTIONS, rng)
    expected = path.unchanged_probability([mechanism.epsilon]).value[:, 0]
    drawn = (sample == word_ids[:, None]).mean(axis=1)
    # Of the two estimates the larger: if a word stays once in many directions, few show it, and the
    # variance that they show is too small.
    share = np.maximum(expected, drawn)
    variance = np.maximum(share * (1 - share), 0)  # a sum may pass 1 by its rounding
    # Directions are shared by all words, so the path's errors go together: their sizes add up.
    error = np.sqrt(variance / _DIRECTIONS).mean()
    error += math.sqrt(float(variance.sum()) / sample.shape[1]) / len(word_ids)
    # Bernstein's inequality: what a mean of n numbers in [0, 1] may be off beyond its deviation.
    rare = math.log(2 * TESTS / ALPHA) / 3 * (1 / _DIRECTIONS + 1 / sample.size)
    off = float(drawn.mean() - expected.mean())
    fault = ""
    if abs(off) > critical(1) * error + rare:
        fault = (
            f"{100 * drawn.mean():.2f} % of the draws leave their word unchanged; by the ε path it "
            f"should be {100 * expected.mean():.2f} %."
        )
    extent = f"{len(word_ids)} words, {sample.shape[1]:,} draws and {_DIRECTIONS:,} directions each"
    return Check("share unchanged against the ε path", extent, fault)


def _never(
    mechanism: NoiseMechanism, vocabulary: Vocabulary, word_ids: WordIds, sample: WordIds
) -> str:
    """No draw returned its own word: the pair of words that shows it best, as a sentence."""
    counts = np.array([[np.count_nonzero(row == w) for row in sample] for w in word_ids])
    word, other = np.unravel_index(counts.argmax(), counts.shape)
    name, from_name = (quoted(vocabulary, int(word_ids[i])) for i in (word, other))
    share = counts[word, other] / sample.shape[1]
    return (
        f"In {sample.shape[1]:,} draws of each word, {titled(mechanism)} never returned {name} for "
        f"{name}, but returned it for {from_name} in {100 * share:.1f} % of the draws. If it can "
        f"never return {name} for {name}, no finite ε allows that."
    )


def _pairs_near_and_far(vocabulary: Vocabulary, word_ids: WordIds) -> tuple[WordIds, WordIds]:
    """Each word with the five nearest others of the set, the farthest one and the unknown word.

    Both ways. Close pairs have tight bounds; far ones show what close ones may hide.
    """
    n, unknown = len(word_ids), np.full(len(word_ids), vocabulary.unknown_id)
    with_unknown = np.append(word_ids, unknown), np.append(unknown, word_ids)
    if n < 2:
        return with_unknown
    distances = vocabulary.distance_between(np.repeat(word_ids, n), np.tile(word_ids, n)).reshape(
        n, n
    )
    np.fill_diagonal(distances, np.inf)
    order = np.argsort(distances, axis=1)[:, : n - 1]
    order = order if n <= 7 else np.hstack([order[:, :5], order[:, -1:]])
    a, b = np.repeat(word_ids, order.shape[1]), word_ids[order.ravel()]
    return np.append(a, with_unknown[0]), np.append(b, with_unknown[1])


# ------------------------------------------------------------------------------------------ common


def _concluded(
    mechanism: Mechanism,
    guarantee: Guarantee,
    checks: list[Check],
    pairs: Pairs,
    true_delta: float | None = None,
) -> Audit:
    """The verdict of all checks; the witness is the first fault, or what was checked."""
    found = tuple(checks)
    looked_at = "; ".join(f"{check.name} ({check.extent})" for check in found)
    fault = next((check for check in found if check.fault), None)
    if fault is not None:
        verdict: Verdict = "not proven" if guarantee.notion == "none proven" else "broken"
        witness = f"{fault.fault} Checked: {fault.extent}."
        return Audit(mechanism, guarantee, verdict, witness, pairs, true_delta, found)
    unproven = guarantee.notion == "none proven" or not guarantee.holds
    needed = _needed_epsilon(pairs) if pairs.bound is None and pairs.exact else ""
    witness = " ".join(filter(None, [needed, f"No check found a fault: {looked_at}."]))
    verdict = "not proven" if unproven else "holds"
    return Audit(mechanism, guarantee, verdict, witness, pairs, true_delta, found)


def variants() -> list[tuple[type[Mechanism], str | None]]:
    """All mechanisms in display order, each in all its variants."""
    from mechanisms import MECHANISMS

    rows: list[tuple[type[Mechanism], str | None]] = []
    for cls in MECHANISMS:
        declared = cls.parameters().get("variant")
        rows += [(cls, variant) for variant in (declared.choices if declared else (None,))]
    return rows


def _needed_epsilon(pairs: Pairs) -> str:
    """The ε that metric DP would need on these pairs, as a sentence."""
    apart = pairs.distance > 0
    if not apart.any():
        return ""
    needed = float((pairs.log_ratio[apart] / pairs.distance[apart]).max())
    return f"Metric DP on these pairs would need ε = {needed:,.4g} or more."
