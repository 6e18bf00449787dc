r"""How likely each of many inputs is to have given an output, under a mechanism that adds noise.

A released word v says that the noisy point lies in the cell of v: the points to which v is nearest,
for Vickrey one of the two nearest. With f the density of the noise and s_w the start point of w,

    Pr[M(w) = v] = ∫ over the cell of  f(p - s_w) · chance(v | p)  dp,

the same cell for every w, the unknown word too: its s_w is a fixed public point. From φ(v) the cell
is star-shaped: along a ray t it ends at a radius R(t) that the ε path knows, whatever ε. So points
p = φ(v) + r t are drawn in the cell, t as the mechanism draws its directions (uniform where it has
none), r from the noise's own density along the ray, tabulated between 0 and R(t); and the integral
is a mean over the points of

    f(p - s_w) · r^(d-1) / q(r | t) · chance(v | p),

q the density that r was drawn from. The same points serve all w, so that errors mostly cancel in
their comparison. The result is unbiased up to a factor that is the same for all w.

Vickrey as published looks at the input again: it removes w from the candidates. That w itself is
impossible is taken into account; that another pair is left for its neighbours is not.
"""

from __future__ import annotations

import numpy as np

from mechanisms import NoiseMechanism, RadialNoise, Vocabulary
from mechanisms.base import NearestTwo, blocks, uniform_directions
from mechanisms.contenders import Start
from mechanisms.rays import places, winners
from mechanisms.vocabulary import Floats, WordIds

DIRECTIONS = 250

# Radii at which the density along a ray is tabulated, and the share that is spread evenly.
_STEPS = 64
_EVENLY = 1e-3

# Noise beyond this many times the longest of a thousand draws is left out.
_FARTHEST = 2.0

# Numbers in one block of noise vectors: 16 MB.
_NOISE = 2_000_000


def log_likelihood(
    mechanism: NoiseMechanism,
    vocabulary: Vocabulary,
    output: int,
    input_ids: WordIds,
    rng: np.random.Generator,
    directions: int = DIRECTIONS,
) -> Floats:
    """log Pr[M(w) = v] of inputs w (n,), estimated, up to one constant for all; -inf for never.

    Parameters
    ----------
    output
        v. Of words that share a vector only the lowest id is ever released.
    directions
        Rays of the cell.

    """
    input_ids = vocabulary.checked_inputs(input_ids)
    never = np.full(len(input_ids), -np.inf)
    if vocabulary.representatives[output] != output:
        return never
    points, log_weight = _points(mechanism, vocabulary, output, rng, directions)
    starts = mechanism.start(vocabulary, input_ids)
    log_terms = np.empty((len(input_ids), len(points)))
    for part in blocks(len(input_ids), _NOISE // points.size):
        noise = points - starts[part, None]
        density = mechanism.log_density(vocabulary, noise.reshape(-1, vocabulary.dimensions))
        log_terms[part] = density.reshape(noise.shape[:2]) + log_weight
    # Not scipy's logsumexp, which complains where all terms are -inf.
    largest = log_terms.max(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        shifted = np.exp(log_terms - np.where(np.isfinite(largest), largest, 0))
        total = np.asarray(largest[:, 0] + np.log(shifted.mean(axis=1)))
    if isinstance(mechanism, NearestTwo) and mechanism.excludes_input:
        known = np.flatnonzero(input_ids != vocabulary.unknown_id)  # none is removed for that one
        total[known[vocabulary.representatives[input_ids[known]] == output]] = -np.inf
    return total


def _points(
    mechanism: NoiseMechanism,
    vocabulary: Vocabulary,
    output: int,
    rng: np.random.Generator,
    count: int,
) -> tuple[Floats, Floats]:
    """Points of the cell (n, d), and the log weight of each (n,): r^(d-1) / q times the chance."""
    if isinstance(mechanism, RadialNoise):
        rays = mechanism.directions(vocabulary, count, rng)
    else:
        rays = uniform_directions(count, vocabulary.dimensions, rng)
    centre = vocabulary.vectors[output].astype(np.float64)
    offset = centre - mechanism.start(vocabulary, np.array([output]))[0]
    longest = np.linalg.norm(mechanism.noise(vocabulary, 1000, rng), axis=1).max()
    farthest = _FARTHEST * longest + np.linalg.norm(offset)
    reach = np.minimum(
        _reach(vocabulary, output, rays, places(mechanism)),
        farthest / np.linalg.norm(rays, axis=1),
    )
    # The density along each ray, at the middle of every step.
    middle = reach[:, None] * ((np.arange(_STEPS) + 0.5) / _STEPS)
    noise = offset + middle[:, :, None] * rays[:, None]
    log_mass = mechanism.log_density(vocabulary, noise.reshape(-1, vocabulary.dimensions))
    log_mass = log_mass.reshape(middle.shape)
    log_mass += (vocabulary.dimensions - 1) * np.log(middle)
    top = log_mass.max(axis=1, keepdims=True)
    mass = np.exp(log_mass - np.where(np.isfinite(top), top, 0))
    mass += _EVENLY * np.maximum(mass.sum(axis=1, keepdims=True), 1e-300) / _STEPS
    mass /= mass.sum(axis=1, keepdims=True)
    step = np.minimum((rng.random((count, 1)) > np.cumsum(mass, axis=1)).sum(axis=1), _STEPS - 1)
    radius = (step + rng.random(count)) * reach / _STEPS
    log_density = np.log(mass[np.arange(count), step]) - np.log(reach)
    log_weight = (vocabulary.dimensions - 1) * np.log(np.maximum(radius, 1e-300)) - log_density
    points = centre + radius[:, None] * rays
    if isinstance(mechanism, NearestTwo):
        with np.errstate(divide="ignore"):
            log_weight += np.log(_chance(mechanism, vocabulary, output, points))
    return points, log_weight


def _reach(vocabulary: Vocabulary, output: int, rays: Floats, nearest: int) -> Floats:
    """How far along each ray from φ(v) the word is the nearest, or among two: (n,)."""
    centre = vocabulary.vectors[output].astype(np.float64)
    lines, (owner, starts, chosen) = winners(Start(vocabulary, centre), rays, nearest)
    # A segment ends where the next one of its ray begins, the last one never.
    ends = np.append(starts[1:], 0.0)
    ends[ends == 0] = np.inf
    among = (lines.word[chosen] == output).any(axis=1)
    reach = np.zeros(len(rays))
    np.maximum.at(reach, owner[among], ends[among])
    return reach


def _chance(mechanism: NearestTwo, vocabulary: Vocabulary, output: int, points: Floats) -> Floats:
    """Pr[v | p] of each point, for an input that is no candidate."""
    distances, candidates = vocabulary.nearest_k(points, 2)
    nearer, farther = mechanism.t * distances[:, 0], (1 - mechanism.t) * distances[:, 1]
    first = farther / (nearer + farther)
    chosen = np.where(candidates[:, 0] == output, first, 1 - first)
    return np.asarray(np.where((candidates == output).any(axis=1), chosen, 0.0))
