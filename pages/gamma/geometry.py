"""What the γ page asks of a vocabulary, once for all sessions."""

from __future__ import annotations

from data.embeddings import VocabularyChoice
from measures.words import ball, density
from pages.shared import cached

SAMPLED_WORDS = 100


@cached.data(max_entries=20)
def landmarks(choice: VocabularyChoice) -> density.Landmarks | None:
    """Typical distances between words of this vocabulary."""
    return density.landmarks(cached.vocabulary(choice))


@cached.data(max_entries=100, show_spinner=f"Computing the balls of {SAMPLED_WORDS} words …")
def balls(choice: VocabularyChoice, epsilon: float, gamma: float) -> ball.Balls:
    """TEM's balls around sampled words, always the same ones."""
    words = cached.vocabulary(choice)
    return ball.balls(words, density.sampled_words(words, SAMPLED_WORDS), epsilon, gamma)
