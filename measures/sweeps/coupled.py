"""The same noise at every ε: for measuring, never for a release.

A mechanism with noise draws a direction and a radius of shape alone, then divides by ε. From one
seed a corpus has the same directions and shapes at every ε, so that two points of a curve differ by
ε and not by the luck of the draw: the difference between them is known better. And a corpus is
drawn at all ε of a curve in one pass (`coupled_texts`), since the points of one draw lie on a ray.

**Such draws must not be released.** The same noise at two ε gives two equations for one unknown:
who sees both outputs learns more than the sum of both ε allows. So these generators are made from a
seed that is a function of public settings, `coupled_rng` refuses to stand in for a generator of a
release, rows of a sweep hold no text, and no module of `release` imports this one (a test of the
architecture says so).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mechanisms import Vocabulary
from mechanisms.base import NearestTwo, ScaledNoise
from mechanisms.randomness import is_for_release, seeded_rng
from mechanisms.ray_search import nearest_on_rays
from mechanisms.text import CutTexts, PrivateText, replaced
from mechanisms.vocabulary import WordIds


def coupled_rng(seed: int) -> np.random.Generator:
    """The generator of one mechanism's noise on one sample of texts, at whichever ε.

    Raises
    ------
    TypeError
        For anything but a seed, such as the generator of a release.

    """
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(
            f"Coupled noise: needs a seed, which makes it repeatable; got {seed!r:.60}."
        )
    rng = seeded_rng(seed)
    assert not is_for_release(rng)
    return rng


def coupled_texts(
    cut: CutTexts, mechanisms: Sequence[ScaledNoise], vocabulary: Vocabulary, seed: int
) -> list[list[PrivateText]]:
    """A private version of each text by each mechanism of a family: the family at several ε.

    The same as `privatise_cut` of each with `coupled_rng(seed)`, in one pass.
    """
    rng = coupled_rng(seed)

    def draw(input_ids: WordIds) -> WordIds:
        return on_rays(mechanisms, vocabulary, input_ids, rng)

    return replaced(cut, vocabulary, len(mechanisms), draw)


def on_rays(
    mechanisms: Sequence[ScaledNoise],
    vocabulary: Vocabulary,
    input_ids: WordIds,
    rng: np.random.Generator,
) -> WordIds:
    """One draw of each input at each ε of a family, from one noise: ids (n,) -> ids (n, ε).

    The draws are those of `sample` at one ε, if its generator has the same state.
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
