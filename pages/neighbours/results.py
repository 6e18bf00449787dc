"""What the page Neighbours works out for one visitor."""

from __future__ import annotations

from measures.words import density
from mechanisms import Mechanism, Vocabulary
from mechanisms.randomness import release_rng
from pages.shared import session, shared_work


def reach(mechanism: Mechanism, vocabulary: Vocabulary, word_id: int) -> density.Reach:
    """How far a mechanism moves one word, and how many words lie there."""
    return session.once(
        ("reach", mechanism, vocabulary.fingerprint, word_id),
        lambda: density.reach(mechanism, vocabulary, word_id, release_rng()),
    )


def neighbour_distances(
    vocabulary: Vocabulary, count: int | None, progress: shared_work.Progress
) -> density.NeighbourDistances:
    """Distances to the k-th neighbour: from this session, from disk, or computed with progress."""
    return session.once(
        ("distances", vocabulary.fingerprint, count),
        lambda: shared_work.one_at_a_time(
            lambda told: density.kept_neighbour_distances(vocabulary, count, told), progress
        ),
    )


def adaptation(vocabulary: Vocabulary, progress: shared_work.Progress) -> density.Adaptation:
    """N_w against density: from this session, from disk, or computed with progress."""
    return session.once(
        ("adaptation", vocabulary.fingerprint),
        lambda: shared_work.one_at_a_time(
            lambda told: density.adaptation(vocabulary, told), progress
        ),
    )
