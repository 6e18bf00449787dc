"""How much of a text its private versions keep: words, place, and meaning.

words kept          share of the drawn words that came out as typed
distance moved      mean Euclidean distance between a typed word and the released one, in the
                    embedding's own unit
semantic closeness  cosine of the angle between two texts under a sentence encoder: 1 for the same
                    meaning, near 0 for unrelated ones. The encoder is handed in, since it runs in
                    a process of its own (`data.encoder`)

The first two are facts about a release. The third is the opinion of one model, which knows fluent
English and not what the reader needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from mechanisms.text import PrivateText
from mechanisms.vocabulary import Floats, WordIds

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts (n,) to vectors of length 1, (n, d)."""


def words_kept(private: PrivateText) -> Floats:
    """Share of the drawn words that came out as typed, of each version (v,); nan without any."""
    typed, released = _drawn(private)
    if not len(typed):
        return np.full(released.shape[1], np.nan)
    return np.asarray((released == typed[:, None]).mean(axis=0))


def distance_moved(private: PrivateText) -> Floats:
    """Mean distance between a typed and the released word, of each version (v,); nan without."""
    typed, released = _drawn(private)
    if not len(typed):
        return np.full(released.shape[1], np.nan)
    start = np.repeat(typed, released.shape[1])
    distance = private.vocabulary.distance_between(start, released.ravel())
    return np.asarray(distance.reshape(released.shape).mean(axis=0))


def semantic_closeness(typed: str, texts: Sequence[str], encode: Encode) -> Floats:
    """Cosine between a typed text and each of its versions (v,), in [-1, 1]."""
    vectors = encode([typed, *texts]).astype(np.float64)
    return np.asarray(np.clip(vectors[1:] @ vectors[0], -1.0, 1.0))


def _drawn(private: PrivateText) -> tuple[WordIds, WordIds]:
    """The words that the mechanism drew: typed (n,) and released (n, v)."""
    known = np.array([token.word_id is not None for token in private.tokens], dtype=bool)
    typed = [token.word_id for token in private.tokens if token.word_id is not None]
    return np.array(typed, dtype=np.int64), private.drawn[known]
