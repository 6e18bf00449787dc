"""The words that the statistics of the Deniability page are about."""

from __future__ import annotations

from measures.words import deniability
from mechanisms import Mechanism, Vocabulary
from mechanisms.vocabulary import WordIds
from pages.shared import material


def sampled_words(
    mechanism: Mechanism, vocabulary: Vocabulary, how: str, count: int, seed: int = 0
) -> WordIds:
    """A sample of the vocabulary's words, or the words of the visitor's text, all but too many."""
    if how == "text":
        return deniability.words_of_text(material.text(), mechanism.family(), vocabulary)[0]
    ids = deniability.sample_words(vocabulary, how, count, seed)
    return ids[mechanism.covers(vocabulary, ids)]
