"""Tokens to private text.

Invisible characters are removed from a text, and HTML is treated as chosen (`cleaning`); the rest
is cut into tokens (`tokens`). Each known word is drawn anew by the mechanism, every occurrence on
its own. All words that the vocabulary lacks are one more input of the mechanism, the unknown word;
what happens to it is the caller's choice, and never silence:

random   drawn by the mechanism (the default): nothing is told of the word but that it was unknown,
         and that only as far as `Guarantee.unknown_promise` says
mask     one fixed mark: shows that the word was unknown, which no promise covers
drop     left out: shows the same to anyone who knows how many words there were
keep     released as typed: not protected, and counted so

Words come out as the vocabulary spells them, or in the letter case of the input: one of three
patterns, and nothing else of how a word was typed. What stays visible of any text, whatever the
mechanism: the number of its tokens, spaces, punctuation and symbols (released as typed, and counted
as not protected), where two tokens are glued together (contractions), and by both whether a
compound was cut, so that it was unknown as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import Literal, NamedTuple, get_args

import numpy as np

from mechanisms.answers import Progress
from mechanisms.base import Mechanism, blocks
from mechanisms.cleaning import Html, cleaned
from mechanisms.in_order import WordByWord, in_order
from mechanisms.randomness import is_for_release, release_rng, warn_of_seed
from mechanisms.tokens import Kind, Token, is_clitic, tokenise_all
from mechanisms.vocabulary import Vocabulary, WordIds

Unknown = Literal["random", "mask", "drop", "keep"]
Case = Literal["lower", "as typed"]

MASK = "[…]"

# Draws of one call to the mechanism: progress comes after each, and memory stays small.
_DRAWS = 65_536


class Status(StrEnum):
    """What happened to a token."""

    CHANGED = "changed"  # drawn by the mechanism, another word came out
    UNCHANGED = "unchanged"  # drawn by the mechanism, the same word came out
    REPLACED = "replaced"  # unknown: drawn by the mechanism as the unknown word
    MASKED = "masked"  # unknown: a mark
    DROPPED = "dropped"  # unknown: left out
    UNPROTECTED = "not protected"  # released as typed
    SPACE = "space"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a private text, what happened to it, and the token it stands for."""

    text: str
    status: Status
    token: int


@dataclass(frozen=True)
class PrivateText:
    """Private versions of one text: its tokens, and the draws that replace them.

    The draws are made once; `dataclasses.replace(private, case=...)` spells them otherwise without
    drawing again.
    """

    tokens: tuple[Token, ...]
    vocabulary: Vocabulary
    drawn: WordIds
    """(tokens, versions): the drawn word's id, or -1 if nothing was drawn."""
    unknown: Unknown
    case: Case
    noticed: Counter[str] = field(default_factory=Counter)
    """What is no word and was found in the text, by what it is: see `cleaning.cleaned`."""

    @cached_property
    def versions(self) -> tuple[tuple[Piece, ...], ...]:
        """The private versions, piece by piece."""
        return tuple(
            tuple(Piece(text, status, i) for i, (status, text) in enumerate(self._spelled(column)))
            for column in self.drawn.T.tolist()
        )

    @cached_property
    def texts(self) -> list[str]:
        """The versions as plain text."""
        # Not from the pieces: of a whole corpus they would take a gigabyte.
        return ["".join(t for _, t in self._spelled(column)) for column in self.drawn.T.tolist()]

    def __str__(self) -> str:
        """The versions, one a line."""
        return "\n".join(self.texts)

    @cached_property
    def token_count(self) -> int:
        """Number of tokens that are not spaces."""
        return sum(token.kind is not Kind.SPACE for token in self.tokens)

    def count(self, *statuses: Status) -> int:
        """Number of tokens of the first version with one of these statuses."""
        return sum(piece.status in statuses for piece in self.versions[0])

    @property
    def unprotected_count(self) -> int:
        """Number of tokens that every version releases as typed."""
        return self.count(Status.UNPROTECTED)

    def _spelled(self, drawn: Sequence[int]) -> Iterator[tuple[Status, str]]:
        """What happened to each token in one version, and what is released for it."""
        swallow_space = False
        at_gap = True  # whether a space, or nothing, stands before
        for token, word_id in zip(self.tokens, drawn, strict=True):
            status, text = self._released(token, word_id)
            if token.kind is Kind.SPACE and swallow_space:
                text = text[1:]
            if token.glued and text and not is_clitic(text):
                text = " " + text
            # A dropped word takes the space after it along where one stands before it too.
            swallow_space = status is Status.DROPPED and at_gap
            if status is not Status.DROPPED:
                at_gap = token.kind is Kind.SPACE
            yield status, text

    def _released(self, token: Token, word_id: int) -> tuple[Status, str]:
        """What happens to a token, and what is released for it."""
        if token.kind is Kind.SPACE:
            return Status.SPACE, token.text
        if word_id >= 0:
            same = word_id == token.word_id
            word = self.vocabulary.words[word_id]
            text = word if self.case == "lower" else in_pattern(pattern_of(token.text), word)
            if token.word_id is None:
                return Status.REPLACED, text
            return (Status.UNCHANGED if same else Status.CHANGED), text
        if token.is_unknown and self.unknown == "mask":
            return Status.MASKED, MASK
        if token.is_unknown and self.unknown == "drop":
            return Status.DROPPED, ""
        return Status.UNPROTECTED, token.text


def privatise(
    text: str,
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    rng: np.random.Generator | None = None,
    versions: int = 1,
    unknown: Unknown = "random",
    case: Case = "lower",
    html: Html = "decode",
) -> PrivateText:
    """Private versions of a text for release, each drawn independently.

    Parameters and errors are those of `privatise_all`. Without `rng` the randomness comes from the
    operating system; a generator that can be repeated raises `SeededReleaseWarning`.

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> private = wv.privatise("The movie!", wv.TEM(epsilon=4), v)
    >>> print(private)  # doctest: +SKIP
    cat movie!
    >>> private.token_count, private.unprotected_count
    (3, 1)
    """
    if rng is None:
        rng = release_rng()
    elif not is_for_release(rng):
        warn_of_seed("A generator that is not `release_rng()`", stacklevel=2)
    return private_versions(text, mechanism, vocabulary, rng, versions, unknown, case, html)


def private_versions(
    text: str,
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    rng: np.random.Generator,
    versions: int = 1,
    unknown: Unknown = "random",
    case: Case = "lower",
    html: Html = "decode",
) -> PrivateText:
    """Private versions of a text by any generator: `privatise_all` of one text.

    `privatise` is for a release; this is for demonstrations and measurements too.
    """
    return privatise_all([text], mechanism, vocabulary, rng, versions, unknown, case, html=html)[0]


def privatise_all(
    texts: Iterable[str],
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    rng: np.random.Generator,
    versions: int = 1,
    unknown: Unknown = "random",
    case: Case = "lower",
    progress: Progress | None = None,
    html: Html = "decode",
) -> list[PrivateText]:
    """Private versions of each text, each drawn independently, as from `privatise` one by one.

    Equal words of all texts are drawn together, so that what a mechanism computes about a word is
    computed once; a mechanism that looks at released words draws text by text, in order. The draws
    of one text are independent of what the others say.

    Parameters
    ----------
    texts
        Any texts.
    mechanism, vocabulary
        How words are drawn, and from where.
    rng
        `release_rng()` for a release; a seeded one only to demonstrate.
    versions
        How many to draw. Each costs ε per unit of distance again.
    unknown
        What happens to words and numbers that the vocabulary lacks. `random` draws them as the
        unknown word; every other choice shows that a word was unknown, which no promise covers.
    case
        `lower` releases words as the vocabulary spells them; `as typed` in the pattern of the
        input, which reveals it: UPPER where two letters or more are all capitals, Capital where the
        first letter is one, and else as the vocabulary spells them.
    progress
        Told the share of the words that are drawn; what it raises stops the work.
    html
        What happens to tags and entities; see `cleaning`.

    Raises
    ------
    ValueError
        For a bad option, or if the mechanism refuses; then nothing is released.
    TypeError
        For a single text, whose letters would be taken for texts.

    """
    if isinstance(texts, str):
        raise TypeError("texts must be a list of texts; for a single text use `privatise`.")
    checked_options(unknown, case, html)
    if versions < 1:
        raise ValueError(f"versions must be at least 1; got {versions}.")
    return privatise_cut(
        cut_texts(texts, vocabulary, html),
        mechanism,
        vocabulary,
        rng,
        versions,
        unknown,
        case,
        progress,
    )


class CutTexts(NamedTuple):
    """Texts as tokens, which do not depend on a mechanism."""

    tokens: list[tuple[Token, ...]]
    noticed: list[Counter[str]]
    """What is no word in each: see `cleaning.cleaned`."""


def cut_texts(texts: Iterable[str], vocabulary: Vocabulary, html: Html = "decode") -> CutTexts:
    """The tokens of texts, for `privatise_cut`."""
    found = [cleaned(text, html) for text in texts]
    tokens = list(tokenise_all((text for text, _ in found), vocabulary))
    return CutTexts(tokens, [noticed for _, noticed in found])


def privatise_cut(
    cut: CutTexts,
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    rng: np.random.Generator,
    versions: int = 1,
    unknown: Unknown = "random",
    case: Case = "lower",
    progress: Progress | None = None,
) -> list[PrivateText]:
    """`privatise_all` of texts that are cut into tokens of this vocabulary."""
    tokens = _covered(cut.tokens, mechanism, vocabulary)
    drawn = _draw(tokens, mechanism, vocabulary, rng, versions, unknown, progress)
    return _private(cut._replace(tokens=tokens), vocabulary, drawn, unknown, case)


def replaced(
    cut: CutTexts, vocabulary: Vocabulary, count: int, draw: Callable[[WordIds], WordIds]
) -> list[list[PrivateText]]:
    """Private texts from several draws of all words: `draw` takes inputs (n,) to ids (n, count).

    It is called in the order and in the blocks of `privatise_cut`, unknown words included.
    """
    ids = _ids(cut.tokens, vocabulary)
    words = np.flatnonzero(ids >= 0)
    together = words[np.argsort(ids[words], kind="stable")]
    drawn = np.full((len(ids), count), -1, dtype=np.int64)
    for block in blocks(len(together), _DRAWS):
        drawn[together[block]] = draw(ids[together[block]])
    return [
        _private(cut, vocabulary, column[:, None], "random", "lower")
        for column in np.ascontiguousarray(drawn.T)
    ]


def _private(
    cut: CutTexts, vocabulary: Vocabulary, drawn: WordIds, unknown: Unknown, case: Case
) -> list[PrivateText]:
    """Private texts from draws (tokens, versions)."""
    ends = accumulate(map(len, cut.tokens), initial=0)
    return [
        PrivateText(of_one, vocabulary, drawn[first:last], unknown, case, noticed)
        for of_one, (first, last), noticed in zip(
            cut.tokens, pairwise(ends), cut.noticed, strict=True
        )
    ]


def checked_options(unknown: str, case: str, html: str) -> None:
    """Raise ValueError for an option that there is none of."""
    if unknown not in get_args(Unknown):
        raise ValueError(f"unknown must be one of {', '.join(get_args(Unknown))}; got {unknown!r}.")
    if case not in get_args(Case):
        raise ValueError(f"case must be one of {', '.join(get_args(Case))}; got {case!r}.")
    if html not in get_args(Html):
        raise ValueError(f"html must be one of {', '.join(get_args(Html))}; got {html!r}.")


def _covered(
    texts: Iterable[tuple[Token, ...]], mechanism: Mechanism, vocabulary: Vocabulary
) -> list[tuple[Token, ...]]:
    """The tokens of each text, those that the mechanism has no law for counted as unknown."""
    texts = list(texts)
    known = np.unique(_ids(texts, vocabulary))
    known = known[(known >= 0) & (known != vocabulary.unknown_id)]
    bare = set(known[~mechanism.covers(vocabulary, known)].tolist())
    if not bare:
        return texts
    return [
        tuple(replace(t, word_id=None) if t.word_id in bare else t for t in tokens)
        for tokens in texts
    ]


def _ids(texts: Sequence[Sequence[Token]], vocabulary: Vocabulary) -> WordIds:
    """The input of each token, text after text: a word, the unknown word, or -1 for all else."""
    tokens, unknown = chain.from_iterable(texts), vocabulary.unknown_id
    ids = (t.word_id if t.word_id is not None else unknown if t.is_unknown else -1 for t in tokens)
    return np.fromiter(ids, np.int64, sum(map(len, texts)))


def _draw(
    texts: Sequence[Sequence[Token]],
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    rng: np.random.Generator,
    versions: int,
    unknown: Unknown,
    progress: Progress | None,
) -> WordIds:
    """Draws (tokens, versions) of all words, unknown ones if they are to be drawn; else -1."""
    ids = _ids(texts, vocabulary)
    drawn = np.full((len(ids), versions), -1, dtype=np.int64)
    is_drawn = (ids >= 0) & ((ids != vocabulary.unknown_id) | (unknown == "random"))
    words = np.flatnonzero(is_drawn)
    if isinstance(mechanism, WordByWord):
        ends = np.cumsum([len(tokens) for tokens in texts], dtype=np.int64)
        drawn[words] = in_order(mechanism, vocabulary, ids, is_drawn, ends, versions, rng, progress)
        return drawn
    together = words[np.argsort(ids[words], kind="stable")]
    for block in blocks(len(together), _DRAWS // versions):
        where = together[block]
        released = mechanism.sample(vocabulary, ids[where], versions, rng)
        vocabulary.checked(released.ravel())  # an id out of range must not read another word
        drawn[where] = released
        if progress:
            progress(block.stop / len(together))
    return drawn


def pattern_of(typed: str) -> int:
    """The letter case of what was typed, one of three: 0 lower, 1 Capital, and 2 UPPER.

    All else of what was typed is left behind, also where its own word came out: else `iPhone` and
    `McCain` would be told from other words by their letters alone.
    """
    letters = [c for c in typed if c.isalpha() or c.isupper()]
    if len(letters) > 1 and all(c.isupper() for c in letters):
        return 2
    return int(bool(letters) and (letters[0].isupper() or letters[0].istitle()))


def in_pattern(pattern: int, word: str) -> str:
    """The word in a letter case of `pattern_of`."""
    return word.upper() if pattern == 2 else _capitalised(word) if pattern == 1 else word


def _capitalised(word: str) -> str:
    """The word with its first letter, not its first sign, as a capital."""
    first = next((i for i, c in enumerate(word) if c.isalpha()), 0)
    return word[:first] + word[first : first + 1].upper() + word[first + 1 :]
