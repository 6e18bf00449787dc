"""Texts cut at their spaces, once for all vocabularies, and then into the words of any of them.

A vocabulary decides which words a stretch between two spaces is cut into, and no word holds a
space. A stretch mostly occurs many times, so each vocabulary cuts every different one once. The
packaged corpora are kept on disk in this form; a visitor's texts never are.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from data import corpora, store
from mechanisms import Vocabulary
from mechanisms.cleaning import split_at_markup, visible
from mechanisms.tokens import SPACES, Token, tokenise_part

SIGN, END = -1, -2
"""In place of the id of a word: a sign or a tag, and the end of a text."""

_KIND = "cut-corpus-1"

# Numbers of the end of a text and of markup; the stretches follow.
_END, _MARKUP = 0, 1
_FIRST = 2


@dataclass(frozen=True, eq=False)
class CutTexts:
    """Texts as the stretches between their spaces."""

    stretches: Sequence[str]
    """The different ones, in the order of their first occurrence."""
    order: NDArray[np.int32]
    """One number for each stretch in reading order (n,): its position among the different ones,
    plus 2. The end of a text is 0, and a tag or an entity of HTML is 1."""

    def inputs(self, vocabulary: Vocabulary) -> NDArray[np.int64]:
        """The ids of all words in the order of the texts (m,), with `SIGN` and `END` between them.

        A word that the vocabulary lacks has the id of the unknown word.
        """
        cut = [[END], [SIGN]]
        cut += [
            [input_of(token, vocabulary, SIGN) for token in tokenise_part(stretch, vocabulary)]
            for stretch in self.stretches
        ]
        lengths = np.array([len(ids) for ids in cut])
        every = np.array([word_id for ids in cut for word_id in ids], dtype=np.int64)
        first = np.cumsum(lengths) - lengths
        repeated = lengths[self.order]
        before = np.cumsum(repeated) - repeated
        places = np.repeat(first[self.order] - before, repeated)
        places += np.arange(len(places))
        return every[places]


def input_of(token: Token, vocabulary: Vocabulary, otherwise: int) -> int:
    """The id of a word, known or unknown; `otherwise` for any other token."""
    if token.word_id is not None:
        return token.word_id
    return vocabulary.unknown_id if token.is_unknown else otherwise


def of_texts(texts: Sequence[str]) -> CutTexts:
    """The stretches of some texts."""
    positions: dict[str, int] = {}
    order: list[int] = []
    for text in texts:
        for part, is_markup in split_at_markup(visible(text)):
            if is_markup:
                order.append(_MARKUP)
                continue
            order += [
                positions.setdefault(stretch, len(positions) + _FIRST)
                for stretch in SPACES.split(part)[::2]  # every second one is a space
                if stretch
            ]
        order.append(_END)
    return CutTexts(tuple(positions), np.array(order, dtype=np.int32))


def of_corpus(corpus: str) -> CutTexts:
    """The stretches of a packaged corpus, from disk if they are there."""
    name = store.fingerprint(_KIND, corpus)
    try:
        if (kept := store.read(_KIND, name)) is not None:
            letters = np.asarray(kept.arrays["stretches"]).tobytes().decode()
            return CutTexts(letters.split("\n"), np.asarray(kept.arrays["order"]))
    except OSError as error:
        warnings.warn(str(error), RuntimeWarning, stacklevel=2)
    found = of_texts(corpora.load(corpus).texts)
    letters = np.frombuffer("\n".join(found.stretches).encode(), dtype=np.uint8)
    try:
        store.write(_KIND, name, {"stretches": letters, "order": found.order}, {"corpus": corpus})
    except OSError as error:
        warnings.warn(str(error), RuntimeWarning, stacklevel=2)
    return found
