"""One draw of noise, and the words that it releases at several ε: to measure, never to release.

Noise that only grows and shrinks with ε leads along a ray (`ray_search`). Whoever sees the words of
one ray at two ε has two equations for one unknown, and learns more than the sum of both ε allows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mechanisms.base import NearestTwo, ScaledNoise
from mechanisms.ray_search import nearest_on_rays
from mechanisms.vocabulary import Vocabulary, WordIds


def on_rays(
    mechanisms: Sequence[ScaledNoise],
    vocabulary: Vocabulary,
    input_ids: WordIds,
    rng: np.random.Generator,
) -> WordIds:
    """One draw of each input at each ε of a family, from one noise: ids (n,) -> ids (n, ε).

    The draws are those of `sample` at one ε, if its generator has the same state. Input ids may
    hold the unknown word.
    """
    first = mechanisms[0]
    inputs, rows = np.unique(vocabulary.checked_inputs(input_ids), return_inverse=True)
    order = np.argsort(rows, kind="stable")
    noise, length = first.fixed_noise(vocabulary, len(rows), rng)
    noise = noise * length[:, None]
    two = first if isinstance(first, NearestTwo) else None
    uniform = rng.random(len(rows)) if two else None
    nearest = 1
    if two:
        two.check(vocabulary)
        nearest = 2 + two.excludes_input
    released = np.empty((len(rows), len(mechanisms)), dtype=np.int64)
    found = nearest_on_rays(
        vocabulary,
        first.start(vocabulary, inputs),
        rows[order],
        noise[order],
        np.array([each.scale(vocabulary) for each in mechanisms]),
        nearest,
    )
    for column, (distances, ids) in enumerate(found):
        chosen = ids[:, 0]
        if two and uniform is not None:
            candidates, chance = two.among(vocabulary, inputs[rows[order]], distances, ids)
            chosen = np.where(uniform[order] < chance, candidates[:, 0], candidates[:, 1])
        released[order, column] = chosen
    return released
