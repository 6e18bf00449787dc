"""Private texts of a file, piece after piece, in arrays: what `text` defines, at a file's speed.

`PrivateText` says token by token what is released and what happened to it; here the same follows
for all tokens of a piece at once. Each different token is cut, looked up and spelled once in a
file, and what a mechanism works out of a word's law is kept for its next occurrence
(`kept_laws`). A file that is drawn with a seed keeps nothing, so that its draws depend on
the seed and the piece alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mechanisms.base import Mechanism, blocks
from mechanisms.cleaning import Html, cleaned
from mechanisms.in_order import WordByWord, in_order
from mechanisms.kept_laws import KeptLaws, keeping
from mechanisms.text import MASK, Case, Status, Unknown, checked_options, in_pattern
from mechanisms.token_numbers import NO_INPUT, Integers, Objects, TokenNumbers, objects
from mechanisms.tokens import is_clitic
from mechanisms.vocabulary import Vocabulary, WordIds

# Draws of one call to the mechanism.
_DRAWS = 262_144


@dataclass(frozen=True)
class Words:
    """The words and numbers of some texts, text after text: as private as the texts."""

    typed: Objects
    """Each as typed (n,)."""
    unchanged: NDArray[np.bool_]
    """Whether it stands in its private text: it came out for itself, or as typed (n,)."""
    text: Integers
    """The text of each, by its number (n,)."""


@dataclass(frozen=True)
class PrivateTexts:
    """Private texts of a piece, and what happened to their tokens."""

    texts: list[str]
    statuses: Counter[Status]
    """Of the tokens that are not spaces."""
    drawn: WordIds
    """The words that came out (n,), text after text."""
    drawn_counts: Integers
    """How many words came out in each text (texts,)."""
    noticed: Counter[str]
    """What is no word and was found in the texts: see `cleaning.cleaned`."""
    words: Words
    """The words as typed, and which of them stand in the private texts."""


class FileTexts:
    """Makes the texts of one file private: options as of `text.privatise_all`."""

    def __init__(
        self,
        mechanism: Mechanism,
        vocabulary: Vocabulary,
        unknown: Unknown = "random",
        case: Case = "lower",
        html: Html = "decode",
        keep_laws: bool = True,
    ) -> None:
        """Know no token yet."""
        checked_options(unknown, case, html)
        self._mechanism, self._vocabulary = mechanism, vocabulary
        self._unknown, self._case, self._html = unknown, case, html
        self._keep_laws = keep_laws
        self._covered: NDArray[np.bool_] | None = None
        self._words: dict[int, Objects] = {}
        self.forget()

    def forget(self) -> None:
        """Let go of the words of all texts so far, and of their laws."""
        self._tokens = TokenNumbers(self._vocabulary)
        self._kept = KeptLaws() if self._keep_laws else None

    def private(self, texts: Sequence[str], rng: np.random.Generator) -> PrivateTexts:
        """One private version of each text, every word drawn independently."""
        noticed = Counter[str]()
        readable = []
        for text in texts:
            one = cleaned(text, self._html)
            readable.append(one.text)
            if one.noticed:
                noticed.update(one.noticed)
        numbers, ends = self._tokens.of(readable)
        inputs = self._inputs_by_number()[numbers]
        drawn = self._draw(inputs, ends, rng)
        is_drawn = drawn >= 0
        pieces = self._spelled(numbers, ends, inputs, drawn)
        spelled = pieces.tolist()
        starts = np.concatenate([[0], ends[:-1]]) if len(ends) else ends
        private = [
            "".join(spelled[first:last])
            for first, last in zip(starts.tolist(), ends.tolist(), strict=True)
        ]
        count = np.concatenate([[0], np.cumsum(is_drawn)])
        return PrivateTexts(
            private,
            self._statuses(numbers, inputs, drawn),
            drawn[is_drawn],
            count[ends] - count[starts],
            noticed,
            self._typed(numbers, ends, inputs, drawn, pieces),
        )

    def _typed(
        self,
        numbers: Integers,
        ends: Integers,
        inputs: WordIds,
        drawn: WordIds,
        released: Objects,
    ) -> Words:
        """The words as typed; one without a law can come out for itself by chance."""
        at = np.flatnonzero(inputs != NO_INPUT)
        typed: Objects = self._tokens.texts[numbers[at]]
        unknown = inputs[at] == self._vocabulary.unknown_id
        same = drawn[at] == inputs[at]
        pairs = zip(typed[unknown], released[at][unknown], strict=True)
        same[unknown] = [word.lower() == out.strip().lower() for word, out in pairs]
        return Words(typed, same, np.searchsorted(ends, at, side="right"))

    def _inputs_by_number(self) -> WordIds:
        """The input of each different token; the unknown word if the mechanism lacks a law."""
        if self._covered is None:
            every = np.arange(len(self._vocabulary))
            covered = np.asarray(self._mechanism.covers(self._vocabulary, every))
            self._covered = np.append(covered, [True, True])  # the unknown word, and no input
        inputs = self._tokens.inputs
        inputs[~self._covered[inputs]] = self._vocabulary.unknown_id
        return inputs

    def _draw(self, inputs: WordIds, ends: Integers, rng: np.random.Generator) -> WordIds:
        """What is drawn for each token (n,), or -1; the tokens of a text end before `ends`."""
        drawn = np.full(len(inputs), -1, dtype=np.int64)
        unknown = inputs == self._vocabulary.unknown_id
        asked = (inputs != NO_INPUT) & (~unknown | (self._unknown == "random"))
        words = np.flatnonzero(asked)
        if isinstance(self._mechanism, WordByWord):
            with keeping(self._kept):
                released = in_order(self._mechanism, self._vocabulary, inputs, asked, ends, 1, rng)
            drawn[words] = released[:, 0]
            return drawn
        if len(words) > _DRAWS:  # equal words in one call
            words = words[np.argsort(inputs[words], kind="stable")]
        with keeping(self._kept):
            for block in blocks(len(words), _DRAWS):
                where = words[block]
                released = self._mechanism.sample(self._vocabulary, inputs[where], 1, rng)[:, 0]
                drawn[where] = self._vocabulary.checked(released)  # no id reads another word
        return drawn

    def _spelled(
        self, numbers: Integers, ends: Integers, inputs: WordIds, drawn: WordIds
    ) -> Objects:
        """What is released for each token (n,)."""
        texts: Objects = self._tokens.texts[numbers]
        is_drawn = drawn >= 0
        unknown = (inputs == self._vocabulary.unknown_id) & ~is_drawn
        if self._unknown == "mask":
            texts[unknown] = MASK
        elif self._unknown == "drop":
            texts[unknown] = ""
        if self._case == "lower":
            texts[is_drawn] = self._in_pattern(0)[drawn[is_drawn]]
        else:
            pattern = self._tokens.patterns[numbers]
            for each in range(3):
                chosen = is_drawn & (pattern == each)
                texts[chosen] = self._in_pattern(each)[drawn[chosen]]
        if self._unknown == "drop":
            spaces = _after_dropped(unknown, self._tokens.is_space[numbers], ends)
            texts[spaces] = [text[1:] for text in texts[spaces]]
        for place in np.flatnonzero(self._tokens.is_glued[numbers]).tolist():
            text = texts[place]
            if text and not is_clitic(text):
                texts[place] = " " + text
        return texts

    def _in_pattern(self, pattern: int) -> Objects:
        """Every word of the vocabulary in a letter case (V,)."""
        if pattern not in self._words:
            words = self._vocabulary.words
            spelled = words if pattern == 0 else [in_pattern(pattern, word) for word in words]
            self._words[pattern] = objects(spelled)
        return self._words[pattern]

    def _statuses(self, numbers: Integers, inputs: WordIds, drawn: WordIds) -> Counter[Status]:
        is_drawn, unknown = drawn >= 0, inputs == self._vocabulary.unknown_id
        left = ~is_drawn & ~self._tokens.is_space[numbers]
        of_unknown = {"mask": Status.MASKED, "drop": Status.DROPPED}
        where = {
            Status.CHANGED: is_drawn & ~unknown & (drawn != inputs),
            Status.UNCHANGED: is_drawn & (drawn == inputs),
            Status.REPLACED: is_drawn & unknown,
            of_unknown.get(self._unknown, Status.UNPROTECTED): left & unknown,
        }
        counts = Counter({status: int(np.count_nonzero(at)) for status, at in where.items()})
        counts[Status.UNPROTECTED] += int(np.count_nonzero(left & ~unknown))
        return +counts


def _after_dropped(
    dropped: NDArray[np.bool_], is_space: NDArray[np.bool_], ends: Integers
) -> Integers:
    """Spaces after a dropped word that stands after a space, or at the beginning of its text."""
    count = len(dropped)
    last = np.maximum.accumulate(np.where(dropped, -1, np.arange(count)))
    before = np.concatenate([[-1], last])[:count]  # the last token before each that is not dropped
    sizes = np.diff(ends, prepend=0)
    start = np.repeat(ends - sizes, sizes)
    at_gap = (before < start) | is_space[before]
    follows = np.flatnonzero(dropped & at_gap) + 1
    follows = follows[follows < count]
    return follows[is_space[follows] & (start[follows] < follows)]
