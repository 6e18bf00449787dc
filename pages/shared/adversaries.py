"""Adversaries of a session, what they know of words among it: also the frequencies of its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from data.embeddings import VocabularyChoice
from measures.attacks import adversary as adversaries
from measures.attacks import ngrams
from measures.attacks import prior as priors
from measures.attacks.bayes import Adversary
from measures.own_texts import expected as expectations
from measures.own_texts.expected import Expected
from measures.own_texts.texts import OwnTexts, own_texts
from mechanisms import Mechanism, Vocabulary
from mechanisms.estimate import Estimate
from mechanisms.in_order import WordByWord
from pages.shared import cached, material, progress, session, shared_work
from pages.shared.prose import number, percent, plain
from release.grammar import counted

Knowledge = Literal["frequency", "uniform", "file"]
PREPARING = "Comparing all pairs of words for this mechanism, ε and vocabulary …"


@cached.resource(
    max_entries=3,
    show_spinner="Counting words in film reviews. This can take 20 seconds …",
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
        lambda: shared_work.one_at_a_time(
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


def expected(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    counts: Mapping[int, int] | None = None,
    names: Sequence[str] = (),
) -> Expected:
    """Shares of the file's known words that are expected to stay, and that are named.

    Parameters
    ----------
    mechanism, vocabulary
        The settings.
    counts
        How often each word of the whole file is drawn, by its id; without it the words of the
        texts that every page knows, its first ones.
    names
        Name-like words.

    """

    def compute() -> Expected:
        known = [word for word in map(vocabulary.get, names) if word is not None]
        of_names = np.array(known, dtype=np.int64)
        if isinstance(mechanism, WordByWord):
            return expectations.of_texts(mechanism, words_of_file(vocabulary), of_names)
        if counts is None:
            own = words_of_file(vocabulary)
            words, times = own.words, own.counts
        else:
            words = np.array(sorted(counts), dtype=np.int64)
            times = np.array([counts[word] for word in words.tolist()])
        is_name = np.isin(words, of_names)
        return expectations.of_words(mechanism, vocabulary, words, times, is_name)

    whole = None if counts is None else frozenset(counts.items())
    about = ("expected", material.key(), mechanism, vocabulary.fingerprint, whole, tuple(names))
    return session.once(about, compute)


def expected_of_file(name: str, mechanism: Mechanism, found: Expected, whole: bool = False) -> str:
    """The shares of a file's known words that are expected: unchanged, and named."""
    said = [
        f"**At ε = {number(mechanism.epsilon)}, {_share(found.unchanged)} of the known words of "
        f"{plain(name)} come out unchanged on average.**"
    ]
    if found.names is not None:
        said.append(f"**Of the name-like words among them, it is {_share(found.names)}.**")
    if found.named is not None:
        said.append(
            "**An adversary who knows how frequent each word is in this file can name "
            f"{percent(found.named)} of the known words from one release, on average.**"
        )
    if whole and not isinstance(mechanism, WordByWord):
        over = "over every known word of the file"
    else:
        over = f"over the known words in its first {material.MOST_CHARACTERS:,} characters"
    source, count = found.unchanged.source, found.unchanged.source.count
    if source.is_exact:
        said.append(f"This is computed from the mechanism's law, without a draw, {over}.")
    elif isinstance(mechanism, WordByWord):
        said.append(
            f"This is an estimate {over}, with a 95 % interval. It comes from one draw of "
            f"{counted(count, 'text')}, which nobody sees."
        )
    else:
        said.append(
            f"This is an estimate {over}, with a 95 % interval: this mechanism has no law in "
            f"closed form. It comes from {count:,} draws of words of the file. Nobody sees these "
            "draws."
        )
    said.append("Anyone can read a word that came out unchanged, even if no adversary names it.")
    return " ".join(said)


def _share(found: Estimate) -> str:
    value, low, high = map(float, found.numbers)
    if found.source.is_exact:
        return percent(value)
    return f"{percent(value)} ({percent(low)} to {percent(high)})"
