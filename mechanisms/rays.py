"""The words that win along rays from the start point of a mechanism's noise."""

from __future__ import annotations

import numpy as np

from mechanisms.base import NearestTwo, NoiseMechanism
from mechanisms.contenders import BLOCK, Start
from mechanisms.envelope import Lines, Segments, lower_envelope, two_lowest
from mechanisms.vocabulary import Floats, Vocabulary


def start_of(mechanism: NoiseMechanism, vocabulary: Vocabulary, word: int) -> Start:
    """The start point of a word or the unknown word, without the word that takes no part."""
    point = mechanism.start(vocabulary, np.array([word]))[0]
    removes = isinstance(mechanism, NearestTwo) and mechanism.excludes_input
    return Start(vocabulary, point, word if removes and word != vocabulary.unknown_id else None)


def places(mechanism: NoiseMechanism) -> int:
    """Among how many nearest words the mechanism chooses: one or two."""
    return 2 if isinstance(mechanism, NearestTwo) else 1


def winners(
    start: Start, directions: Floats, nearest: int, block: int = BLOCK
) -> tuple[Lines, Segments]:
    """Which one or two words are nearest between which radii: lines, and segments of them."""
    lines = start.lines(directions, seconds=nearest == 2, block=block)
    return lines, two_lowest(lines) if nearest == 2 else lower_envelope(lines)
