"""Counts of a public corpus over a vocabulary, for base measures (`mechanisms.base_measure`).

The packaged corpora are counted whole, in about ten seconds each, once; the counts are kept on disk
under the fingerprint of the vocabulary, never those over a visitor's own embedding. Another
vocabulary takes half as long, since the corpus is kept on disk too, cut at its spaces. `of_texts`
counts any texts, such as one half of a corpus, or a public corpus of the visitor's, and keeps
nothing.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from data import cut_corpora, store
from data.cut_corpora import END, SIGN, CutTexts
from mechanisms import Vocabulary
from mechanisms.base_measure import COUNTED, OWN, Followers, NGramCounts, counted

_KIND = "word-counts-1"


def of_corpus(vocabulary: Vocabulary, corpus: str) -> NGramCounts:
    """The counts of a packaged corpus, from disk if they are there.

    Raises
    ------
    ValueError
        For any other corpus.

    """
    if corpus == OWN:
        raise ValueError(
            "Base measure: none of your own corpora has been counted yet. Upload one, or choose "
            "another q."
        )
    if corpus not in COUNTED:
        raise ValueError(f"Base measure: q must be one of {', '.join(COUNTED)}; got {corpus!r}.")
    provenance = {"corpus": corpus, "vocabulary": vocabulary.fingerprint}
    name = store.fingerprint(_KIND, json.dumps(provenance, sort_keys=True))
    if vocabulary.public:
        try:
            result = store.read(_KIND, name)
        except OSError as error:
            warnings.warn(str(error), RuntimeWarning, stacklevel=2)
            result = None
        if result is not None:
            return _counts(corpus, result.arrays)
    found = _counted(cut_corpora.of_corpus(corpus), vocabulary, corpus)
    if vocabulary.public:
        try:
            store.write(_KIND, name, _arrays(found), provenance)
        except OSError as error:
            warnings.warn(str(error), RuntimeWarning, stacklevel=2)
    return found


def of_texts(texts: Sequence[str], vocabulary: Vocabulary, name: str = OWN) -> NGramCounts:
    """The counts of some public texts.

    Raises
    ------
    ValueError
        If there is no text, or the vocabulary has none of its words.

    """
    return _counted(cut_corpora.of_texts(texts), vocabulary, name)


def _counted(texts: CutTexts, vocabulary: Vocabulary, name: str) -> NGramCounts:
    ids = texts.inputs(vocabulary)
    ids = ids[ids != SIGN]
    ends = np.flatnonzero(ids == END)
    starts = np.append(0, ends + 1)[: len(ends)]
    words = (ids[start:end] for start, end in zip(starts, ends, strict=True))
    return counted(name, words, len(vocabulary))


def _arrays(counts: NGramCounts) -> dict[str, NDArray[Any]]:
    found = {"size": np.array([counts.documents, counts.tokens]), "words": counts.words}
    for name, lists in (("one", counts.after_one), ("two", counts.after_two)):
        found |= {
            f"{name}_keys": lists.keys,
            f"{name}_first": lists.first,
            f"{name}_ids": lists.ids.astype(np.int32),
            f"{name}_counts": lists.counts.astype(np.int32),
        }
    return found


def _counts(corpus: str, arrays: Any) -> NGramCounts:
    documents, tokens = np.asarray(arrays["size"]).tolist()
    one, two = (
        Followers(*(np.asarray(arrays[f"{name}_{part}"]) for part in _PARTS))
        for name in ("one", "two")
    )
    return NGramCounts(corpus, documents, tokens, np.asarray(arrays["words"]), one, two)


_PARTS = ("keys", "first", "ids", "counts")
