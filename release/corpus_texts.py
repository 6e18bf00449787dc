"""A packaged corpus in place of a file, for a choice that reveals nothing about the file."""

from __future__ import annotations

from data import corpora
from measures.own_texts.texts import OwnTexts, own_texts
from mechanisms import Vocabulary

# Texts of a corpus that a choice is made on.
_TEXTS = 500


def corpus_texts(name: str, vocabulary: Vocabulary) -> OwnTexts:
    """A stratified sample of a packaged corpus with its labels, the same at every call.

    Raises
    ------
    ValueError
        For a corpus that is not packaged.

    """
    if name not in corpora.packaged():
        raise ValueError(f"Made on: must be one of {', '.join(corpora.packaged())}; got {name!r}.")
    corpus = corpora.load(name)
    corpus = corpora.sampled(corpus, min(_TEXTS, len(corpus)), 0)
    return own_texts(corpus.texts, vocabulary, corpus.labels)
