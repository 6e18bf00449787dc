"""Text as the benchmark prepares it: lower case, no stop words, no numbers, lemmas.

    prepared("Sorry, gave it a 1. The movies were boring!") == "sorry movie boring"

Meisenbacher et al. 2024 print two texts before and after (Tables 5, 10 and 11) and no procedure.
From them: signs and numbers go, words are in lower case, words without content go, and nouns stand
in the singular. The same is done here, not by the same lists:

stop words  scikit-learn's list, which holds some words that they keep (`among`, `give`, `next`,
            `not`); a word goes where it or its lemma is listed, so `did` goes with `do`, and `gave`
            with `give`
lemmas      simplemma's, of every word: `walked` -> `walk`, `bored` -> `bore`, where they leave
            verbs as they are
numbers     whatever holds a digit goes, `80s` and `3d` too
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from simplemma import Lemmatizer

# Letters and digits in one, with one apostrophe inside.
_CHUNK = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’][\p{L}\p{M}\p{N}]+)*")
_DIGIT = regex.compile(r"\p{N}")
# What English joins to a word: `movie's`, `we're`. A word with `n't` is an auxiliary and goes.
_JOINED = regex.compile(r"['’](?:s|re|ve|m|ll|d)$")
_NOT = regex.compile(r"n['’]t$")


def prepared(text: str) -> str:
    """A text as the benchmark prepares it: its words that remain, with single spaces between."""
    return all_prepared([text])[0]


def all_prepared(texts: Iterable[str]) -> list[str]:
    """The same of many texts, each word looked up once. Nothing is kept of them."""
    stop, lemmatizer = stop_words(), _lemmatizer()
    forms: dict[str, str] = {}

    def remaining(text: str) -> Iterator[str]:
        for chunk in _CHUNK.findall(text.lower()):
            form = forms.get(chunk)
            if form is None:
                form = forms[chunk] = _form(chunk, stop, lemmatizer)
            if form:
                yield form

    return [" ".join(remaining(text)) for text in texts]


@cache
def stop_words() -> frozenset[str]:
    """Words without content, English, in lower case."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return ENGLISH_STOP_WORDS


@cache
def _lemmatizer() -> Lemmatizer:
    from simplemma import Lemmatizer

    return Lemmatizer(cache_max_size=0)  # a visitor's words do not outlive the call


def _form(chunk: str, stop: frozenset[str], lemmatizer: Lemmatizer) -> str:
    """What stands for a word in lower case; nothing where it goes."""
    word = _JOINED.sub("", chunk)
    if _DIGIT.search(word) or _NOT.search(word) or word in stop:
        return ""
    lemma = lemmatizer.lemmatize(word, "en").lower()  # names come with a capital
    return "" if lemma in stop else lemma
