"""What one word of the text becomes, and where its probability goes."""

from __future__ import annotations

from measures.words import outputs as word_outputs
from mechanisms import Mechanism, Vocabulary
from pages.shared.session import once
from pages.shared.word_law import outputs


def replacements(
    mechanism: Mechanism, vocabulary: Vocabulary, word_id: int
) -> word_outputs.Replacements:
    """What one word becomes, likeliest first."""
    found = outputs(mechanism, vocabulary, word_id)
    return word_outputs.replacements(found)


def spread(mechanism: Mechanism, vocabulary: Vocabulary, word_id: int) -> word_outputs.Spread:
    """Where the probability of one word goes."""
    found = outputs(mechanism, vocabulary, word_id)
    gamma = word_outputs.threshold(mechanism, vocabulary)
    near = once(
        ("near", vocabulary.fingerprint, word_id), lambda: word_outputs.nearest(vocabulary, word_id)
    )
    return word_outputs.spread(found, gamma, near)
