"""Computations of the lessons on public words, once for all sessions."""

from __future__ import annotations

from data.embeddings import VocabularyChoice
from measures import flat_map, lessons
from measures.words import deniability
from mechanisms import Family, RadialNoise
from mechanisms.epsilon_path import EpsilonPath, epsilon_path
from mechanisms.randomness import seeded_rng
from pages.shared import cached


@cached.resource(max_entries=20, show_spinner="Following noise from these words …")
def followed(
    family: Family[RadialNoise], choice: VocabularyChoice, word_ids: tuple[int, ...]
) -> EpsilonPath:
    """Every ε of public words at once, along the same 500 directions of noise each time."""
    directions = 500
    return epsilon_path(family, cached.vocabulary(choice), word_ids, directions, seeded_rng(0))


@cached.data(max_entries=5)
def hundred(
    family: Family[RadialNoise], choice: VocabularyChoice, epsilons: tuple[float, ...]
) -> lessons.Hundred:
    """N_w of a hundred random words, always the same ones, at these ε."""
    word_ids = deniability.sample_words(cached.vocabulary(choice), "random", 100)
    return lessons.hundred(followed(family, choice, tuple(word_ids.tolist())), epsilons)


@cached.resource(max_entries=2)
def word_map(choice: VocabularyChoice) -> flat_map.WordMap:
    """The map of everyday words of the lessons."""
    return flat_map.word_map(cached.vocabulary(choice))
