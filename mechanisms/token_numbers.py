"""Texts as arrays: every different token of a file has a number, and is looked at once.

A text is cut as `tokens.tokenise` cuts it. Stretches between spaces repeat, spaces even more so;
each is cut when it is first met, and afterwards it is a row of numbers.
"""

from __future__ import annotations

import string
from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mechanisms.cleaning import split_at_markup, visible
from mechanisms.text import pattern_of
from mechanisms.tokens import SPACES, Kind, Token, look_up, tokenise_part
from mechanisms.vocabulary import Vocabulary, WordIds

Integers = NDArray[np.int64]
Objects = NDArray[np.object_]
Stretch = str | tuple[str]
"""What is cut at once; a tag or an entity of HTML stands in a tuple."""

# Different stretches that are kept: some 30 MB. Beyond it all are forgotten, and cut anew.
MOST = 100_000

NO_INPUT = -1

# Signs of ASCII: each is a token, before and after a word.
_SIGNS = string.punctuation


class Numbers(NamedTuple):
    """The tokens of some texts, one text after the other."""

    tokens: Integers
    """The number of each token (n,)."""
    ends: Integers
    """Where each text ends (texts,)."""


class TokenNumbers(dict[Stretch, int]):
    """The different tokens of a file, and how its stretches are cut into them.

    As a dictionary it maps a stretch to its own number, and cuts the stretch if it is new.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        """Know no token yet."""
        super().__init__()
        self._vocabulary = vocabulary
        self._forget()

    def _forget(self) -> None:
        self.clear()
        self._numbers: dict[Token, int] = {}
        self._plain_numbers: dict[str, int] = {}
        self._texts: list[str] = []
        self._inputs, self._patterns = array("q"), array("b")
        self._is_space, self._is_glued = array("b"), array("b")
        self._first, self._flat = array("q", [0]), array("q")

    @property
    def inputs(self) -> WordIds:
        """Each token's word, the unknown word, or -1 for spaces and signs, by its number."""
        return np.array(self._inputs)

    @property
    def is_space(self) -> NDArray[np.bool_]:
        """Whether each is a space."""
        return np.array(self._is_space, dtype=np.bool_)

    @property
    def is_glued(self) -> NDArray[np.bool_]:
        """Whether each is the second half of a contraction."""
        return np.array(self._is_glued, dtype=np.bool_)

    @property
    def texts(self) -> Objects:
        """Each as typed."""
        return objects(self._texts)

    @property
    def patterns(self) -> NDArray[np.int8]:
        """The letter case of each: see `text.pattern_of`."""
        self._patterns.extend(map(pattern_of, self._texts[len(self._patterns) :]))
        return np.array(self._patterns)

    def of(self, texts: Iterable[str]) -> Numbers:
        """The numbers of the tokens of some texts. Those of earlier calls may be forgotten."""
        if len(self) > MOST:
            self._forget()
        stretches: list[Stretch] = []
        ends = []
        for text in texts:
            text = visible(text)
            if "<" in text or "&" in text:
                for part, is_markup in split_at_markup(text):
                    stretches += [(part,)] if is_markup else SPACES.split(part)
            else:
                stretches += SPACES.split(text)
            ends.append(len(stretches))
        found = np.fromiter(map(self.__getitem__, stretches), np.int64, len(stretches))
        first, flat = np.array(self._first), np.array(self._flat)
        counts = first[found + 1] - first[found]
        last = np.cumsum(counts)
        total = int(last[-1]) if len(last) else 0
        places = np.arange(total) + np.repeat(first[found] - (last - counts), counts)
        before = np.concatenate([[0], last])
        return Numbers(flat[places], before[np.array(ends, dtype=np.int64)])

    def __missing__(self, stretch: Stretch) -> int:
        """Cut a new stretch."""
        if isinstance(stretch, tuple):
            self._flat.append(self._number(Token(stretch[0], Kind.SIGN)))
        elif (core := stretch.strip(_SIGNS)).isalpha() and core.isascii():
            self._cut_plain(stretch, core)
        else:
            self._flat.extend(map(self._number, tokenise_part(stretch, self._vocabulary)))
        self._first.append(len(self._flat))
        number = self[stretch] = len(self)
        return number

    def _cut_plain(self, stretch: str, core: str) -> None:
        """Cut signs, one word of the letters A to Z, and signs: most stretches of English."""
        first = len(stretch) - len(stretch.lstrip(_SIGNS))
        after = stretch[first + len(core) :]
        if first:
            self._flat.extend(map(self._plain, stretch[:first]))
        if after[:1] == "." and after[1:2] != ".":  # of several full stops none is the word's
            whole = core + "."
            if look_up(whole, self._vocabulary) is not None:
                core, after = whole, after[1:]
        self._flat.append(self._plain(core))
        if after:
            self._flat.extend(map(self._plain, after))

    def _plain(self, text: str) -> int:
        """The number of a sign or a word, which is not cut further."""
        number = self._plain_numbers.get(text)
        if number is None:
            kind = Kind.SIGN if text in _SIGNS else Kind.WORD
            word_id = None if kind is Kind.SIGN else look_up(text, self._vocabulary)
            number = self._plain_numbers[text] = self._number(Token(text, kind, word_id))
        return number

    def _number(self, token: Token) -> int:
        number = self._numbers.get(token)
        if number is None:
            number = self._numbers[token] = len(self._texts)
            self._texts.append(token.text)
            unknown = self._vocabulary.unknown_id if token.is_unknown else NO_INPUT
            self._inputs.append(unknown if token.word_id is None else token.word_id)
            self._is_space.append(token.kind is Kind.SPACE)
            self._is_glued.append(token.glued)
        return number


def objects(texts: Sequence[str]) -> Objects:
    """Texts as an array."""
    found = np.empty(len(texts), dtype=np.object_)
    found[:] = texts
    return found
