"""The class game: players against the adversary, who undoes a private sentence better.

A seed and the number of a round give a sentence of a packaged corpus, its private version, some
words that are asked for, and for each a few words to choose from: the true one, what was released,
and the likeliest in the adversary's ranking that carry meaning. Whoever opens the same link plays
the same round. The adversary chooses among the same words, by Bayes' rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from data import corpora
from measures.attacks.bayes import Adversary
from measures.attacks.recovery import ATTACKED
from mechanisms.text import PrivateText, private_versions
from mechanisms.tokens import tokenise
from mechanisms.vocabulary import WordIds

# Words of a sentence, words that are asked for, and words to choose from.
_WORDS = (6, 14)
ASKED = 4
CHOICES = 4

# The vocabulary is in order of frequency, and its first words carry grammar more than meaning.
_FUNCTION_WORDS = 150


@dataclass(frozen=True, eq=False)
class Round:
    """One sentence, and what is asked of it."""

    private: PrivateText
    asked: tuple[int, ...]
    """Positions among its tokens."""
    choices: tuple[tuple[int, ...], ...]
    """Word ids to choose from, for each word that is asked for, in alphabetical order."""
    adversary: WordIds
    """What the adversary chooses."""

    @property
    def answers(self) -> WordIds:
        """The words as they were typed."""
        return np.array([self.private.tokens[i].word_id for i in self.asked], dtype=np.int64)

    @property
    def released(self) -> WordIds:
        """The words that were released in their place."""
        return self.private.drawn[list(self.asked), 0]


def play(knows: Adversary, seed: int, number: int) -> Round:
    """A round of the game: the same for all who give the same seed, number and mechanism.

    Raises
    ------
    ValueError
        If the vocabulary knows too few words of the corpus.

    """
    vocabulary, mechanism = knows.vocabulary, knows.mechanism
    rng = np.random.default_rng([seed, number, 3])
    texts = _texts()
    for position in rng.permutation(len(texts))[:5000].tolist():
        tokens = list(tokenise(texts[position], vocabulary))
        known = [i for i, token in enumerate(tokens) if token.word_id is not None]
        ids = np.array([tokens[i].word_id for i in known], dtype=np.int64)
        telling = mechanism.covers(vocabulary, ids) & (ids >= _FUNCTION_WORDS)
        if _WORDS[0] <= len(known) <= _WORDS[1] and telling.sum() >= ASKED:
            break
    else:
        raise ValueError(
            "Game: the vocabulary has too few words of the sentences; choose a larger one."
        )
    private = private_versions(texts[position], mechanism, vocabulary, rng)
    asked = sorted(rng.choice(np.array(known)[telling], ASKED, replace=False).tolist())
    choices, chosen = [], []
    for i in asked:
        typed, released = tokens[i].word_id, int(private.drawn[i, 0])
        drawn_before = private.drawn[:i][private.drawn[:i, 0] >= 0]
        log_posterior = knows.log_posterior([released], drawn_before)[0]
        telling_words = log_posterior[_FUNCTION_WORDS : len(vocabulary)]
        ranking = np.argsort(-telling_words, kind="stable")[:CHOICES]
        ranking = (ranking + _FUNCTION_WORDS).tolist()
        words = list(dict.fromkeys([typed, released, *ranking]))[:CHOICES]
        choices.append(tuple(sorted(words, key=lambda word: vocabulary.words[word])))
        chosen.append(max(choices[-1], key=lambda word: log_posterior[word]))
    return Round(private, tuple(asked), tuple(choices), np.array(chosen, dtype=np.int64))


@cache
def _texts() -> tuple[str, ...]:
    return corpora.load(ATTACKED).texts
