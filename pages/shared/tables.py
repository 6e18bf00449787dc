"""Finished objects to tables: on screen, and to download.

A cell that a spreadsheet would run as a formula gets an apostrophe in front, as spreadsheets
themselves do to keep text as text.
"""

from __future__ import annotations

from mechanisms import Vocabulary
from mechanisms.estimate import Estimate
from mechanisms.text import PrivateText
from mechanisms.vocabulary import Floats
from pages.shared.prose import escaped


def known_words(private: PrivateText) -> dict[str, int]:
    """The words of a text that the mechanism draws, in order, with their ids."""
    words = private.vocabulary.words
    return {words[t.word_id]: t.word_id for t in private.tokens if t.word_id is not None}


def labels(word_ids: object, vocabulary: Vocabulary) -> list[str]:
    """Words by their ids, as text that a figure shows as it is."""
    return [escaped(vocabulary.words[i]) for i in word_ids]


def words(word_ids: object, vocabulary: Vocabulary) -> list[str]:
    """Words by their ids."""
    return [vocabulary.words[i] for i in word_ids]


def columns(name: str, found: Estimate) -> dict[str, Floats]:
    """An estimate (n,) as columns; the ends of its intervals only if it has any."""
    if found.source.is_exact:
        return {name: found.value}
    return {name: found.value, f"{name} at least": found.low, f"{name} at most": found.high}
