"""A visitor's own corpus of q: it lives as long as the session holds it.

Its counts belong to a vocabulary. A choice of a vocabulary gets them if the mechanism asks for the
source `own` (`counted`), and is then this session's alone, as with an embedding of the visitor's.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import streamlit as st

from data import word_counts
from data.embeddings import VocabularyChoice
from mechanisms import Mechanism, Vocabulary
from mechanisms.base_measure import OWN, NGramCounts, with_counts
from pages.shared import cached, ledger, material, session
from release import grammar
from release.overlap import Hashes, overlap, stretches

MOST_MEGABYTES = 20

# Vocabularies for which counts are kept in a session.
_MOST_COUNTED = 4


@dataclass(frozen=True, eq=False)
class OwnCorpus:
    """A file, the column that holds its documents, and these."""

    name: str
    column: str
    sha256: str
    """Of the bytes of the file."""
    texts: tuple[str, ...]

    @cached_property
    def words(self) -> str:
        """A hash of all words, wherever lines break."""
        return _words("\n".join(self.texts))

    @cached_property
    def stretches(self) -> Hashes:
        """Hashes of all stretches of its words."""
        return stretches(self.texts)


@dataclass(frozen=True)
class CountedChoice(VocabularyChoice):
    """A vocabulary with counts of the visitor's corpus: this session's alone."""

    corpus: tuple[str, str] = ("", "")
    """Hash and column."""
    counts: NGramCounts | None = field(default=None, compare=False)

    @property
    def public(self) -> bool:
        """No: it is this visitor's."""
        return False

    @property
    def of_words(self) -> VocabularyChoice:
        """The words and vectors alone."""
        return VocabularyChoice(self.embedding, self.size, self.words_only)

    def load(self) -> Vocabulary:
        """The vocabulary of all sessions, with the counts."""
        assert self.counts is not None
        return with_counts(cached.vocabulary(self.of_words), self.counts)


def keep(corpus: OwnCorpus | None) -> None:
    """Hold this corpus in place of the one before, or none."""
    st.session_state["own_corpus"] = corpus
    st.session_state["own_corpus_counts"] = {}
    cached.forget()


def held() -> OwnCorpus | None:
    """The corpus of this session, whether it may be used or not."""
    return st.session_state.get("own_corpus")


def held_of_material(corpus: OwnCorpus) -> str:
    """A warning if the corpus holds texts of the material word for word.

    Raises
    ------
    ValueError
        If it holds every one.

    """
    own = material.texts() if material.has_file() else [text for text in _typed() if text.strip()]
    if not own:
        return ""
    found = session.once(
        ("words of file", "held", corpus.sha256, corpus.column, tuple(map(_words, own))),
        lambda: overlap(corpus.stretches, own),
    )
    return found.checked()


def is_material(corpus: OwnCorpus) -> bool:
    """Whether the corpus is the file of this session, or the text that was typed."""
    file = st.session_state.get("file")
    if file is not None and file.ledger == ledger.FILE + corpus.sha256:
        return True
    if any(_words(text) == corpus.words for text in _typed() if text.strip()):
        return True
    try:
        held_of_material(corpus)
    except ValueError:
        return True
    return False


def _typed() -> list[str]:
    return [st.session_state.get(key, "") for key in ("text", "compare-text")]


def counts(corpus: OwnCorpus, choice: VocabularyChoice) -> NGramCounts | str:
    """The counts over a vocabulary, made once; or why there are none, in a sentence."""
    kept: dict[Any, NGramCounts | str] = st.session_state.setdefault("own_corpus_counts", {})
    key = corpus.sha256, corpus.column, choice.of_words
    if key not in kept:
        try:
            made: NGramCounts | str = word_counts.of_texts(
                corpus.texts, cached.vocabulary(choice.of_words)
            )
        except ValueError as error:
            made = str(error)
        while len(kept) >= _MOST_COUNTED:
            kept.pop(next(iter(kept)))
        kept[key] = made
    return kept[key]


def counted(choice: VocabularyChoice, source: str | None) -> VocabularyChoice:
    """The choice with the counts of the visitor's corpus, if a mechanism asks for this source.

    Without a corpus, or with one that may not be used, it stays as it is: the mechanism then says
    that it has no counts, and the control of q says why.
    """
    corpus, choice = held(), choice.of_words
    if source != OWN or corpus is None or is_material(corpus):
        return choice
    with st.spinner(f"Counting the words of {grammar.counted(len(corpus.texts), 'document')} …"):
        found = counts(corpus, choice)
    if isinstance(found, str):
        return choice
    about = corpus.sha256, corpus.column
    return CountedChoice(choice.embedding, choice.size, choice.words_only, about, found)


def source_of_session() -> str | None:
    """The source of q that the mechanism of the session has; None if it has no q."""
    cls: type[Mechanism] | None = st.session_state.get("mechanism")
    for name, declared in cls.parameters().items() if cls else ():
        if declared.symbol == "q":
            default = cls.__dataclass_fields__[name].default
            return st.session_state.get(f"{cls.slug()}.{name}", default)
    return None


def _words(text: str) -> str:
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()
