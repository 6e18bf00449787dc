"""Adversaries of a session, what they know of words among it: also the frequencies of its file."""

from __future__ import annotations

from typing import Literal

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from data.embeddings import VocabularyChoice
from measures.attacks import adversary as adversaries
from measures.attacks import ngrams
from measures.attacks import prior as priors
from measures.attacks.bayes import Adversary
from measures.own_texts.texts import OwnTexts, own_texts
from measures.own_texts.unchanged import Unchanged, unchanged
from mechanisms import LawMechanism, Mechanism, Vocabulary
from mechanisms.in_order import WordByWord
from mechanisms.vocabulary import Floats
from pages.shared import cached, material, progress, session
from pages.shared.prose import number, percent, plain

Knowledge = Literal["frequency", "uniform", "file"]
PREPARING = "Comparing all pairs of words, once for this mechanism, ε and vocabulary …"


@cached.resource(
    max_entries=3,
    show_spinner="Counting pairs of words in film reviews, once for all: about 20 seconds …",
)
def word_pairs(choice: VocabularyChoice) -> ngrams.WordPairs:
    """How often words occur, alone and side by side."""
    return ngrams.word_pairs(cached.vocabulary(choice))


def adversary(
    mechanism: Mechanism, knowledge: Knowledge, choice: VocabularyChoice, place: DeltaGenerator
) -> Adversary:
    """The adversary for a mechanism: what it needs to know of all words, with a bar if computed."""
    vocabulary = cached.vocabulary(choice)
    of_file = knowledge == "file"
    log_prior = (
        priors.of_inputs_seen(words_of_file(vocabulary).inputs, vocabulary)
        if of_file
        else priors.log_prior(knowledge, vocabulary, word_pairs(choice))
    )
    return session.once(
        ("adversary", mechanism, knowledge, vocabulary.fingerprint, of_file and material.key()),
        lambda: session.one_at_a_time(
            lambda told: adversaries.adversary(mechanism, vocabulary, log_prior, told),
            progress.bar(place, PREPARING),
        ),
    )


def words_of_file(vocabulary: Vocabulary) -> OwnTexts:
    """The words of the file's texts; ValueError if the vocabulary has none of them."""
    return session.once(
        ("words of file", material.key(), vocabulary.fingerprint),
        lambda: own_texts(material.texts(), vocabulary),
    )


def expected(mechanism: Mechanism, vocabulary: Vocabulary) -> tuple[float, float] | None:
    """Exact, without a draw: shares of the file's known words that stay, and that are named.

    The adversary knows how frequent each word is in the file. None without a law in closed form,
    and if a law looks at the words released before.
    """
    if not isinstance(mechanism, LawMechanism) or isinstance(mechanism, WordByWord):
        return None

    def compute() -> tuple[float, float]:
        own = words_of_file(vocabulary)
        shares: Floats = own.counts / own.counts.sum()
        found: Unchanged = unchanged(
            mechanism.family(), vocabulary, own.words, shares, np.array([mechanism.epsilon])
        )
        assert found.best_success is not None
        return float(shares @ found.n_w.value[:, 0]), float(found.best_success[0])

    return session.once(("expected", material.key(), mechanism, vocabulary.fingerprint), compute)


def expected_of_file(name: str, mechanism: Mechanism, shares: tuple[float, float] | None) -> str:
    """The two shares of a file's known words that are expected: unchanged, and named."""
    if shares is None:
        return (
            f"Under {plain(mechanism.name)} the words of a file have no law in closed form, so "
            f"this needs a draw. Draw a text of {plain(name)}, and the page attacks that draw."
        )
    stay, named = (percent(share) for share in shares)
    return (
        f"**At ε = {number(mechanism.epsilon)}, {stay} of the known words of {plain(name)} come "
        "out unchanged on average. An adversary who knows how frequent each word is in this file "
        f"names {named} of them all from one release.** Both shares are computed from the law, "
        f"without a draw, over the first {material.MOST_CHARACTERS:,} characters. Anyone can read "
        "a word that came out unchanged, even if this adversary does not name it."
    )
