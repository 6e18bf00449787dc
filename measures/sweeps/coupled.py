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
from mechanisms.base import ScaledNoise
from mechanisms.randomness import is_for_release, seeded_rng
from mechanisms.ray_draws import on_rays
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
        raise TypeError(f"Coupled noise: a seed is needed to repeat it; got {seed!r:.60}.")
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
