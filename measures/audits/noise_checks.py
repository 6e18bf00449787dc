r"""Checks of a mechanism that adds noise: is the noise drawn the noise that is promised.

The promise follows from the density of the noise, the start points, and a choice that sees the
noisy point alone. Each is held against what the mechanism does:

scale    By parts, E[z · ∇ log f(z)] = -d for every density f on R^d that vanishes at infinity (the
         virial identity); where coordinates end at ±A it is -d (1 - 2 A f₁(A)), f₁ the density of
         one of them. The mean of z · ∇ log f over the noise *drawn* is compared with it: noise
         scaled by 1 + s moves it by about s d, and its standard error is some √(d / n).
shape    The same for two directions a, b: E[(a · z) (b · ∇ log f)] = -a · b and E[b · ∇ log f] = 0.
         It finds noise that leans, is flatter in one direction, or whose coordinates go together.
radius   If the noise is a direction times a radius: `radius_cdf` of the radii drawn is uniform
         (Kolmogorov and Smirnov), which the ε path relies on.
start    Every start point lies within the bound that the sensitivity assumes. For a promise about
         single outputs every word's start point is also held against one centre, at the point
         where the density has its peak: for norms that is the largest log-ratio there is.
choice   The same noisy point with the same chances gives the same word whichever was typed: at
         random points, at start points, and on bisectors, where a choice is closest to a tie.
draws    `sample` gives the words that start, noise and choice give: the share unchanged, and the
         distances from the input (Kolmogorov and Smirnov, two samples).
δ        For (ε, δ): the δ that two start points as far apart as they may be need, with draws moved
         towards the region in which the loss passes ε, and weighted back.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from measures.audits.findings import ALPHA, ROUNDING, TESTS, Check, critical, quoted
from mechanisms import Guarantee, NoiseMechanism, Vocabulary
from mechanisms.base import RadialNoise, blocks
from mechanisms.vocabulary import Floats, WordIds

# Draws of noise; of the released words, for each audited word.
NOISE_DRAWS = 40_000
WORD_DRAWS = 2_000

# Directions along which the shape is looked at, and draws: each direction costs as the scale does.
_AXES = 32
_SHAPE_DRAWS = 10_000

# Noise that is looked at at once: 64 MB.
_FLOATS = 8_000_000

# A step for a derivative, relative to the noise.
_STEP = 1e-4

# The share of the draws of δ that chooses how far to move, for each move that is tried.
_PILOT = 0.1


_LEANS = "The noise drawn leans to one side, by {off:.1f} standard errors."
_OTHER_SHAPE = (
    "The noise drawn does not have the stated shape: in one direction it is off by {off:.1f} "
    "standard errors."
)


def noise_of(mechanism: NoiseMechanism, vocabulary: Vocabulary, rng: np.random.Generator) -> Floats:
    """Noise to look at: (`noise_draws`, d)."""
    return mechanism.noise(vocabulary, noise_draws(vocabulary), rng)


def noise_draws(vocabulary: Vocabulary) -> int:
    """`NOISE_DRAWS`, and fewer where they would take more memory than a block of floats.

    The scale is no less well known for it: its standard error falls with draws times dimensions.
    """
    return min(NOISE_DRAWS, max(1_000, _FLOATS // vocabulary.dimensions))


def word_draws(vocabulary: Vocabulary) -> int:
    """`WORD_DRAWS`, and fewer in many dimensions, where each is a long search."""
    return min(WORD_DRAWS, max(200, _FLOATS // 20 // vocabulary.dimensions))


def scale_and_shape(
    mechanism: NoiseMechanism, vocabulary: Vocabulary, noise: Floats, rng: np.random.Generator
) -> Iterator[Check]:
    """The noise drawn (n, d) against the density, by the virial identity and its directions."""
    count, dimensions = noise.shape
    expected = mechanism.virial(vocabulary)
    virial = _slope(mechanism, vocabulary, noise, noise)
    deviation = _deviation(virial - expected)
    fault = ""
    if abs(deviation) > critical(1):
        size = virial.mean() / expected
        fault = (
            f"The noise drawn does not have the stated density: E[z · ∇ log f] is "
            f"{virial.mean():,.4g}, which is {size:.3g} times the right value, {expected:,.4g}."
        )
    yield Check("scale of the noise", f"{count:,} draws against the density", fault)

    noise = noise[:_SHAPE_DRAWS]
    axes = min(dimensions, _AXES, max(4, 16_000 // dimensions))
    chosen = np.linalg.qr(rng.standard_normal((dimensions, axes)))[0].T  # orthonormal rows
    along = noise @ chosen.T
    typical = np.median(np.abs(noise))
    worst, said = 0.0, ""
    for row, axis in enumerate(chosen):
        slope = _slope(mechanism, vocabulary, noise, np.broadcast_to(axis * typical, noise.shape))
        products = along * slope[:, None] / typical
        products[:, row] -= expected / dimensions
        here = np.append(_deviation(products), _deviation(slope))
        if abs(here).max() > worst:
            worst = float(abs(here).max())
            at = int(abs(here).argmax())
            said = _LEANS if at == axes else _OTHER_SHAPE
    fault = ""
    if worst > critical(axes * (axes + 1)):
        fault = said.format(off=worst)
    yield Check("shape of the noise", f"{len(noise):,} draws along {axes} random directions", fault)


def radii(mechanism: RadialNoise, vocabulary: Vocabulary, rng: np.random.Generator) -> Check:
    """The radii drawn against their distribution function."""
    from scipy.stats import kstest

    radius = mechanism.radius(vocabulary, NOISE_DRAWS, rng)
    found = kstest(mechanism.radius_cdf(vocabulary, radius), "uniform")
    fault = ""
    if found.pvalue < ALPHA / TESTS:
        fault = (
            "The radii drawn do not follow their distribution function; the largest difference "
            f"is {found.statistic:.3g}."
        )
    return Check("radius of the noise", f"{NOISE_DRAWS:,} radii", fault)


def start_points(
    mechanism: NoiseMechanism, guarantee: Guarantee, vocabulary: Vocabulary, centre: int
) -> Iterator[Check]:
    """The start point of every word and the unknown one: its bound, and against one centre word."""
    ids = np.arange(len(vocabulary) + 1, dtype=np.int64)
    bound = mechanism.longest_start(vocabulary)
    here = mechanism.start(vocabulary, np.array([centre]))
    at_peak = mechanism.log_density(vocabulary, np.zeros_like(here))[0]
    longest, excess, word = 0.0, -math.inf, centre
    for part in blocks(len(ids), _FLOATS // vocabulary.dimensions):
        starts = mechanism.start(vocabulary, ids[part])
        if bound is not None:
            longest = max(longest, float(np.linalg.norm(starts, axis=1).max()))
        allowed = guarantee.log_ratio_bound(vocabulary, ids[part], np.full(len(starts), centre))
        if allowed is None:
            continue
        ratio = at_peak - mechanism.log_density(vocabulary, starts - here)
        over = (ratio - allowed) / (1 + abs(ratio))
        if over.max() > excess:
            excess, word = float(over.max()), int(ids[part][over.argmax()])
    extent = f"all {len(vocabulary):,} words and the unknown word"
    if bound is not None:
        fault = ""
        if longest > bound * (1 + ROUNDING):
            fault = (
                f"A start point has length {longest:.6g}, but the promise assumes at most "
                f"{bound:.6g}."
            )
        yield Check("length of the start points", extent, fault)
    if excess > -math.inf:
        fault = ""
        if excess > ROUNDING:
            fault = (
                f"The start points of {quoted(vocabulary, word)} and "
                f"{quoted(vocabulary, centre)} are too far apart: the log-ratio of their noise "
                "exceeds the promised bound."
            )
        yield Check(
            "start points against one word", f"{extent} beside {quoted(vocabulary, centre)}", fault
        )


def choice(
    mechanism: NoiseMechanism,
    vocabulary: Vocabulary,
    a: WordIds,
    b: WordIds,
    rng: np.random.Generator,
) -> tuple[Check, tuple[int, int] | None]:
    """Pairs (n,), (n,): does the same noisy point give one word for both; and a pair where not."""
    starts, others = mechanism.start(vocabulary, a), mechanism.start(vocabulary, b)
    middle, apart = (starts + others) / 2, others - starts
    points = [starts + mechanism.noise(vocabulary, len(a), rng), starts]
    for step in (1e-3, 1e-2, 3e-2):
        points += [middle + step * apart, middle - step * apart]
    stacked, times = np.vstack(points), len(points)
    chances = int(rng.integers(2**32))
    with_a = mechanism.choose(
        vocabulary, np.tile(a, times), stacked.copy(), np.random.default_rng(chances)
    )
    with_b = mechanism.choose(
        vocabulary, np.tile(b, times), stacked.copy(), np.random.default_rng(chances)
    )
    differing = np.flatnonzero(with_a != with_b)
    extent = f"{len(stacked):,} noisy points, most of them near a tie"
    if not len(differing):
        return Check("choice of the word", extent), None
    # The start points come second: where they differ the words released show it best.
    first = len(a)
    best = differing[np.argmin(np.abs(differing - (2 * first - 1)))]
    pair = int(np.tile(a, times)[best]), int(np.tile(b, times)[best])
    first_word, second_word = (quoted(vocabulary, word) for word in pair)
    fault = (
        f"The same noisy point leads to one word if the input is {first_word} and to another if it "
        f"is {second_word}. So the guarantee of the noise does not carry over to the words."
    )
    return Check("choice of the word", extent, fault), pair


def released(
    mechanism: NoiseMechanism,
    vocabulary: Vocabulary,
    word_ids: WordIds,
    sample: WordIds,
    rng: np.random.Generator,
) -> Check:
    """The words that `sample` released (n, m) against those of start, noise and choice."""
    from scipy.stats import ks_2samp

    size = sample.shape[1]
    repeated = np.repeat(word_ids, size)
    again = np.empty(len(repeated), dtype=np.int64)
    for part in blocks(len(repeated), 4_000_000 // vocabulary.dimensions):
        points = mechanism.start(vocabulary, repeated[part])
        points += mechanism.noise(vocabulary, len(points), rng)
        again[part] = mechanism.choose(vocabulary, repeated[part], points, rng)
    kept = [drawn == word_ids[:, None] for drawn in (sample, again.reshape(sample.shape))]
    shares = [float(unchanged.mean()) for unchanged in kept]
    # Word by word: what words differ in adds no variance.
    both = np.hstack(kept).mean(axis=1)
    spread = math.sqrt(float((both * (1 - both)).sum()) * 2 / size) / len(word_ids)
    # Distances that move together within a word do no harm: the words are the same on both sides.
    found = ks_2samp(
        vocabulary.distance_between(repeated, sample.ravel()),
        vocabulary.distance_between(repeated, again),
        method="asymp",  # the exact one fails on ties, as between few words
    )
    fault = ""
    if abs(shares[0] - shares[1]) > critical(2) * spread + 1 / sample.size:
        fault = (
            f"{100 * shares[0]:.2f} % of the draws leave their word unchanged; step by step (start "
            f"point, noise, choice), it is {100 * shares[1]:.2f} %."
        )
    elif found.pvalue < ALPHA / TESTS / 2:
        fault = (
            "The draws differ from those made step by step (start point, noise, choice): the "
            "distribution functions of their distances from the typed word differ by up to "
            f"{found.statistic:.3g}."
        )
    return Check("words drawn", f"{size:,} draws of {len(word_ids)} words, twice", fault)


def delta(
    mechanism: NoiseMechanism,
    guarantee: Guarantee,
    vocabulary: Vocabulary,
    rng: np.random.Generator,
) -> Check | None:
    """The δ needed by start points as far apart as they may be, at least; None without a bound.

    With loss L(z) = log f(z) - log f(z + s) for noise z of one word, δ = E[(1 - e^(ε - L))₊]. Draws
    are z + u s, u chosen among a few by a pilot, weighted by f(z + u s) / f(z).
    """
    bound = mechanism.longest_start(vocabulary)
    if bound is None:
        return None
    dimensions, draws = vocabulary.dimensions, noise_draws(vocabulary)
    axis = np.zeros(dimensions)
    axis[0] = 1.0
    moves, pilot = (0.0, 0.25, 0.5, 0.75, 1.0), round(_PILOT * draws)
    worst = 0.0
    for direction in (axis, np.full(dimensions, 1 / math.sqrt(dimensions))):
        shift = 2 * bound * direction
        pilots = [
            _delta_terms(mechanism, guarantee, vocabulary, shift, move, pilot, rng)
            for move in moves
        ]
        spread = [t.std() / t.mean() if t.any() else math.inf for t in pilots]
        best = moves[int(np.argmin(spread))]
        terms = _delta_terms(mechanism, guarantee, vocabulary, shift, best, draws, rng)
        error = critical(2) * float(terms.std(ddof=1)) / math.sqrt(len(terms))
        worst = max(worst, float(terms.mean()) - error)
    fault = ""
    if worst > guarantee.delta * (1 + 1e-6):
        fault = (
            f"Two start points {2 * bound:.4g} apart need δ = {worst:.3g} or more at this ε; the "
            f"claim is δ = {guarantee.delta:.3g}."
        )
    return Check("δ of the noise", f"{draws:,} draws each along an axis and a diagonal", fault)


def _delta_terms(
    mechanism: NoiseMechanism,
    guarantee: Guarantee,
    vocabulary: Vocabulary,
    shift: Floats,
    move: float,
    count: int,
    rng: np.random.Generator,
) -> Floats:
    """Terms (n,) whose mean is at most δ: what lies where moved draws cannot come is left out."""
    noise = mechanism.noise(vocabulary, count, rng)
    moved = noise + move * shift
    log_f = mechanism.log_density(vocabulary, moved)
    # -inf - -inf and -inf - a number: where f is 0 the term is 0.
    inside = np.isfinite(log_f)
    log_f = np.where(inside, log_f, 0.0)
    weight = np.exp(log_f - mechanism.log_density(vocabulary, noise))
    other = mechanism.log_density(vocabulary, moved + shift)
    loss = log_f - other
    terms = weight * -np.expm1(np.minimum(guarantee.epsilon - loss, 0.0))
    return np.where(inside, terms, 0.0)


def _slope(
    mechanism: NoiseMechanism, vocabulary: Vocabulary, noise: Floats, direction: Floats
) -> Floats:
    """direction · ∇ log f at each noise (n, d), (n, d) -> (n,); one-sided at an edge."""
    ahead = mechanism.log_density(vocabulary, noise + _STEP * direction)
    behind = mechanism.log_density(vocabulary, noise - _STEP * direction)
    no_way, no_back = np.isneginf(ahead), np.isneginf(behind)
    with np.errstate(invalid="ignore"):  # beyond an edge the other side is taken
        slope = (ahead - behind) / (2 * _STEP)
    if no_way.any() or no_back.any():
        here = mechanism.log_density(vocabulary, noise)
        slope = np.where(no_way, (here - behind) / _STEP, slope)
        slope = np.where(no_back, (ahead - here) / _STEP, slope)
    return np.where(no_way & no_back, 0.0, slope)


def _deviation(values: Floats) -> Floats:
    """By how many standard errors means (of n rows) miss 0."""
    error = values.std(axis=0, ddof=1) / math.sqrt(len(values))
    mean = values.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        missed = np.asarray(mean / error)
    # Without any spread a mean is exact: 0, or farther off than any number of errors.
    off = np.abs(mean) > 1e-6 * (1 + np.abs(values).max(axis=0))
    return np.where(error > 0, missed, np.where(off, math.inf, 0.0))
