"""Holding a mechanism against its guarantee.

A guarantee is a claim about every pair of words and every output. What can be checked exactly is:

law mechanisms    the largest log Pr[M(a) = y] - log Pr[M(b) = y] over all outputs y, for all pairs
                  of a set of words: random ones, their nearest neighbours, and the closest pair of
                  the vocabulary. Exact, so one pair above the bound refutes the guarantee.
noise mechanisms  two things make the guarantee of the noise one of the words: the log density of
                  noise ending in the same point from two words must stay within the bound, and the
                  choice of a word must not look at the input again. Both are tried at many points.
                  For (ε, δ) guarantees the true δ of the noisy vectors is computed instead
                  (the hockey-stick divergence, in closed form).
                  Draws of the released words, with Clopper-Pearson intervals that hold for all
                  pairs at once, say how large the ratio of two words' chances is at least.

A check that finds nothing proves nothing by itself: `holds` says that the guarantee has a proof,
and that no check contradicts it. A violation comes with a witness, as a sentence.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from measures.intervals import clopper_pearson
from mechanisms import Guarantee, LawMechanism, Mechanism, NoiseMechanism, Vocabulary
from mechanisms.randomness import seeded_rng
from mechanisms.vocabulary import Floats, WordIds

Verdict = Literal["holds", "broken", "not proven", "refused"]

# Chance that any of the intervals of one audit misses.
ALPHA = 1e-6

# How far rounding may carry an exact log-ratio over its bound, relative to the logarithms.
_ROUNDING = 1e-9

# The relative rounding of a log probability: a logarithm of -1e16 is known to within 1e5.
_LAW_ROUNDING = 1e-11

# Noise is tried on fewer words than laws: every draw is a search of the vocabulary.
_NOISE_WORDS = 24
_POINTS = 200
_DRAWS = 2_000
_LAW_FLOATS = 8_000_000


@dataclass(frozen=True)
class Pairs:
    """Pairs of words with the largest log-ratio found over all outputs, and its bound.

    All arrays have shape (n,). `exact` says whether log_ratio is the largest there is; otherwise it
    is a lower bound that holds for all pairs at once with confidence 1 - `ALPHA`.
    """

    a: WordIds
    b: WordIds
    distance: Floats
    log_ratio: Floats
    bound: Floats | None
    exact: bool


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
    try:
        mechanism.sample(vocabulary, word_ids[:1], 1, rng)
    except ValueError as error:
        return Audit(mechanism, guarantee, "refused", str(error))
    if isinstance(mechanism, LawMechanism):
        return _audit_law(mechanism, guarantee, vocabulary, word_ids, progress)
    assert isinstance(mechanism, NoiseMechanism)
    return _audit_noise(mechanism, guarantee, vocabulary, word_ids, rng, progress)


def audited_words(vocabulary: Vocabulary, count: int, rng: np.random.Generator) -> WordIds:
    """Random words, each with its nearest neighbour, and the closest pair: about `count`."""
    if len(vocabulary) <= count:
        return np.arange(len(vocabulary), dtype=np.int64)
    seeds = rng.choice(len(vocabulary), (count - 2) // 2, replace=False)
    _, near = vocabulary.neighbours(seeds, 2)
    return np.unique(np.concatenate([near.ravel(), seeds, vocabulary.closest_pair[1:]]))


# ---------------------------------------------------------------------------------- law mechanisms


def log_ratios(
    mechanism: LawMechanism,
    vocabulary: Vocabulary,
    word_ids: WordIds,
    progress: Callable[[float], None] | None = None,
) -> tuple[Floats, WordIds]:
    """Largest log Pr[M(a)=y] - log Pr[M(b)=y] over y, and that y, for all ordered pairs: (n, n).

    Both by blocks of columns of the laws, so memory stays at n rows of laws in blocks.
    Outputs that a never gives do not count; one that a gives and b never does counts as inf. The
    rounding of the logarithms is taken off: the differences between them may be far below it.
    """
    n = len(word_ids)
    largest = np.full((n, n), -np.inf)
    output = np.zeros((n, n), dtype=np.int64)
    rows = max(1, _LAW_FLOATS // len(vocabulary) // 2)
    starts = range(0, n, rows)
    for step, first in enumerate(starts):
        mine = mechanism.log_prob(vocabulary, word_ids[first : first + rows])
        for second in starts[: step + 1]:
            others = (
                mine
                if second == first
                else mechanism.log_prob(vocabulary, word_ids[second : second + rows])
            )
            for i, law in enumerate(mine):
                for j, other in enumerate(others):
                    a, b = first + i, second + j
                    if second < first or j <= i:
                        largest[a, b], output[a, b] = _largest_difference(law, other)
                        largest[b, a], output[b, a] = _largest_difference(other, law)
        if progress:
            progress((step + 1) ** 2 / len(starts) ** 2)
    return largest, output


def _largest_difference(law: Floats, other: Floats) -> tuple[float, int]:
    with np.errstate(invalid="ignore"):  # -inf - -inf: an output that neither gives
        difference = law - other * (1 - _LAW_ROUNDING)
    difference[np.isneginf(law)] = -np.inf
    y = int(difference.argmax())
    return float(difference[y]), y


def _audit_law(
    mechanism: LawMechanism,
    guarantee: Guarantee,
    vocabulary: Vocabulary,
    word_ids: WordIds,
    progress: Callable[[float], None] | None,
) -> Audit:
    largest, output = log_ratios(mechanism, vocabulary, word_ids, progress)
    a, b = (index.ravel() for index in np.indices(largest.shape))
    different = a != b
    a, b = a[different], b[different]
    pairs = _pairs(guarantee, vocabulary, word_ids[a], word_ids[b], largest[a, b], exact=True)
    checked = f"{len(a):,} ordered pairs of words, every output, exact"
    worst = _worst(pairs)
    if worst is None:
        needed = _needed_epsilon(pairs) if pairs.bound is None else ""
        found = f"{needed}Checked: {checked}."
        return Audit(mechanism, guarantee, _unrefuted(guarantee), found, pairs)
    y = int(output[a[worst], b[worst]])
    names = [_quoted(vocabulary, w) for w in (y, int(pairs.a[worst]), int(pairs.b[worst]))]
    sentence = _law_witness(mechanism, vocabulary, names, pairs, worst, y)
    verdict: Verdict = "not proven" if guarantee.notion == "none proven" else "broken"
    return Audit(mechanism, guarantee, verdict, f"{sentence} ({checked}.)", pairs)


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
            f"for {names[2]}: no finite ε allows that."
        )
    allowed = "" if pairs.bound is None else f"; its promise allows e^{pairs.bound[worst]:,.1f}"
    return (
        f"{title} returns {names[0]} e^{ratio:,.1f} times likelier for {names[1]} than for "
        f"{names[2]}, which are {distance:.2f} apart{allowed}."
    )


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
    a, b = _neighbouring_pairs(vocabulary, word_ids)
    sample = mechanism.sample(vocabulary, word_ids, _DRAWS, rng)
    position = {int(word): row for row, word in enumerate(word_ids)}
    lower = np.array(
        [
            _log_ratio_at_least(sample[position[int(i)]], sample[position[int(j)]], len(a))
            for i, j in zip(a, b, strict=True)
        ]
    )
    pairs = _pairs(guarantee, vocabulary, a, b, lower, exact=False)
    if progress:
        progress(0.7)
    if peeking := _choice_that_sees_the_input(mechanism, vocabulary, a, b, rng):
        witness = _peeking_witness(mechanism, vocabulary, word_ids, sample, peeking)
        return Audit(mechanism, guarantee, "broken", witness, pairs)
    true_delta = getattr(mechanism, "true_delta_lower_bound", lambda _: None)(vocabulary)
    if true_delta is not None:
        return _audit_delta(mechanism, guarantee, true_delta, pairs)
    worst = _worst(pairs)
    if worst is not None and pairs.bound is not None:
        witness = (
            f"{titled(mechanism)} tells {_quoted(vocabulary, int(a[worst]))} from "
            f"{_quoted(vocabulary, int(b[worst]))} by a factor of at least e^{lower[worst]:.2f}; "
            f"its promise allows e^{pairs.bound[worst]:.2f}."
        )
        return Audit(mechanism, guarantee, "broken", witness, pairs)
    excess = largest_density_excess(mechanism, guarantee, vocabulary, a, b, rng)
    if excess > _ROUNDING:
        witness = f"The noise itself exceeds its bound, by e^{excess:.3g}."
        return Audit(mechanism, guarantee, "broken", witness, pairs)
    witness = (
        f"Checked: the density of the noise at {len(a) * _POINTS:,} points and the words released "
        f"in {_DRAWS:,} draws each, for {len(a):,} pairs of words; the choice of a word never "
        "looks at the input."
    )
    return Audit(mechanism, guarantee, _unrefuted(guarantee), witness, pairs)


def _audit_delta(
    mechanism: NoiseMechanism, guarantee: Guarantee, true_delta: float, pairs: Pairs
) -> Audit:
    """An (ε, δ) claim against the δ that the noisy vectors need at this ε."""
    claimed = guarantee.delta
    if true_delta > claimed * (1 + 1e-6):
        witness = (
            f"{titled(mechanism)} claims δ = {claimed:.3g}. Two clipped vectors 2C apart need "
            f"δ = {true_delta:.3g} or more at this ε: that much of one lies above e^ε times the "
            "other."
        )
        verdict: Verdict = "not proven" if guarantee.notion == "none proven" else "broken"
    else:
        witness = f"Checked: the noisy vectors need δ = {true_delta:.3g}, {claimed:.3g} is claimed."
        verdict = _unrefuted(guarantee)
    return Audit(mechanism, guarantee, verdict, witness, pairs, true_delta)


def largest_density_excess(
    mechanism: NoiseMechanism,
    guarantee: Guarantee,
    vocabulary: Vocabulary,
    a: WordIds,
    b: WordIds,
    rng: np.random.Generator,
) -> float:
    """How far the log density ratio of a noisy point under a and b passes the bound, at most.

    Over points drawn from a, and one exactly on it, for every pair; relative to the size of the
    logarithms. At or below 0 where the bound is kept.
    """
    excess = -np.inf
    for word, other in zip(a, b, strict=True):
        pair = np.array([word]), np.array([other])
        bound = guarantee.log_ratio_bound(vocabulary, *pair)
        if bound is None:
            return -np.inf
        starts = mechanism.start(vocabulary, np.array([word, other]))
        noise = np.vstack([mechanism.noise(vocabulary, _POINTS - 1, rng), 0 * starts[:1]])
        from_word = mechanism.log_density(vocabulary, noise)
        from_other = mechanism.log_density(vocabulary, noise + (starts[0] - starts[1]))
        scale = 1 + np.abs(from_word) + np.abs(from_other)
        excess = max(excess, float(((from_word - from_other - bound) / scale).max()))
    return excess


def _choice_that_sees_the_input(
    mechanism: NoiseMechanism,
    vocabulary: Vocabulary,
    a: WordIds,
    b: WordIds,
    rng: np.random.Generator,
) -> tuple[int, int] | None:
    """A pair of words for which the same noisy point, with the same chances, gives two outputs."""
    points = mechanism.start(vocabulary, a)
    points += mechanism.noise(vocabulary, len(a), rng)
    points = np.vstack([points, mechanism.start(vocabulary, a)])
    chances = int(rng.integers(2**32))
    with_a = mechanism.choose(vocabulary, np.tile(a, 2), points, seeded_rng(chances))
    with_b = mechanism.choose(vocabulary, np.tile(b, 2), points, seeded_rng(chances))
    differing = np.flatnonzero(with_a != with_b)
    if not len(differing):
        return None
    return int(np.tile(a, 2)[differing[-1]]), int(np.tile(b, 2)[differing[-1]])


def _peeking_witness(
    mechanism: NoiseMechanism,
    vocabulary: Vocabulary,
    word_ids: WordIds,
    sample: WordIds,
    peeking: tuple[int, int],
) -> str:
    """In the words released, what a choice that sees the input does."""
    title = titled(mechanism)
    if not (sample == word_ids[:, None]).any():
        # No word ever comes back: the pair of words where this is plainest.
        counts = np.array([[np.count_nonzero(row == w) for row in sample] for w in word_ids])
        word, other = np.unravel_index(counts.argmax(), counts.shape)
        name, from_name = (_quoted(vocabulary, int(word_ids[i])) for i in (word, other))
        share = counts[word, other] / sample.shape[1]
        return (
            f"{title} never returns {name} for {name}, but returns it for {from_name} "
            f"{share:.1%} of the time: no finite ε allows that."
        )
    first, second = (_quoted(vocabulary, word) for word in peeking)
    return (
        f"{title}: the same noisy point gives one word if the input was {first} and another if it "
        f"was {second}, so the guarantee of the noise is not one of the words."
    )


def _neighbouring_pairs(vocabulary: Vocabulary, word_ids: WordIds) -> tuple[WordIds, WordIds]:
    """Each word with the nearest others of the set, both ways: close pairs have tight bounds."""
    if len(word_ids) < 2:
        return word_ids[:0], word_ids[:0]
    n = len(word_ids)
    distances = vocabulary.distance_between(np.repeat(word_ids, n), np.tile(word_ids, n)).reshape(
        n, n
    )
    np.fill_diagonal(distances, np.inf)
    order = np.argsort(distances, axis=1)[:, : min(6, n - 1)]
    return np.repeat(word_ids, order.shape[1]), word_ids[order.ravel()]


def _log_ratio_at_least(one: WordIds, other: WordIds, pairs: int) -> float:
    """A lower bound on the largest log-ratio of two words' output laws, from draws of each.

    For each output the lower end of one Clopper-Pearson interval over the upper end of the other;
    the level is shared by both ends, all outputs and all pairs.
    """
    outputs, counts = np.unique(one, return_counts=True)
    others = np.searchsorted(np.sort(other), outputs, side="right") - np.searchsorted(
        np.sort(other), outputs
    )
    draws = len(one)
    level = ALPHA / (2 * pairs * draws)
    low, _ = clopper_pearson(counts, draws, level)
    _, high = clopper_pearson(others, draws, level)
    return max(0.0, float(np.log(low / high).max()))  # some output is at least as likely


# ------------------------------------------------------------------------------------------ common


def variants() -> list[tuple[type[Mechanism], str | None]]:
    """All mechanisms in display order, each in all its variants."""
    from mechanisms import MECHANISMS

    rows: list[tuple[type[Mechanism], str | None]] = []
    for cls in MECHANISMS:
        declared = cls.parameters().get("variant")
        rows += [(cls, variant) for variant in (declared.choices if declared else (None,))]
    return rows


def titled(mechanism: Mechanism) -> str:
    """The mechanism's name, with its variant."""
    variant = getattr(mechanism, "variant", None)
    return f"{mechanism.name} ({variant})" if variant else mechanism.name


def _pairs(
    guarantee: Guarantee,
    vocabulary: Vocabulary,
    a: WordIds,
    b: WordIds,
    log_ratio: Floats,
    exact: bool,
) -> Pairs:
    """The distance is the guarantee's own for metric DP, otherwise the Euclidean one."""
    bound = guarantee.log_ratio_bound(vocabulary, a, b)
    if guarantee.notion == "metric DP":
        distance = guarantee.distance.between(vocabulary, a, b)
    else:
        distance = vocabulary.distance_between(a, b)
    return Pairs(a, b, distance, log_ratio, bound, exact)


def _worst(pairs: Pairs) -> int | None:
    """The pair farthest above its bound, or None. Without a bound, the largest infinite ratio."""
    if not len(pairs.log_ratio):
        return None
    if pairs.bound is None:
        return int(pairs.log_ratio.argmax()) if np.isinf(pairs.log_ratio).any() else None
    slack: NDArray[np.float64] = _ROUNDING * (1 + np.abs(pairs.bound))
    excess = pairs.log_ratio - pairs.bound - slack
    worst = int(excess.argmax())
    return worst if excess[worst] > 0 else None


def _needed_epsilon(pairs: Pairs) -> str:
    """The ε that metric DP would need on these pairs, as a sentence."""
    apart = pairs.distance > 0
    if not apart.any():
        return ""
    needed = float((pairs.log_ratio[apart] / pairs.distance[apart]).max())
    return f"To be metric DP on these pairs it would need ε = {needed:,.4g} or more. "


def _unrefuted(guarantee: Guarantee) -> Verdict:
    """The verdict where no check found a violation."""
    if guarantee.notion == "none proven" or not guarantee.holds:
        return "not proven"
    return "holds"


def _quoted(vocabulary: Vocabulary, word_id: int) -> str:
    return f"“{vocabulary.words[word_id]}”"
