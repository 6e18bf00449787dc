"""Text to tokens: words, numbers and everything else, and which words the vocabulary has.

Nothing is lost: the tokens put together again are the text, without its invisible characters. Words
are looked up as they are, then in lower case, then with letters in disguise as plain ones (`ﬁlm`,
`ⓕⓘⓛⓜ`), and cut as embeddings cut them where the whole is unknown (`don't` -> `do` + `n't`,
`well-worn` -> `well` `-` `worn`). A last full stop belongs to the word where the vocabulary has the
two together (`Inc.`), and always to letters with a full stop each, which are one word, known or not
(`U.S.`, `a.m.`). A tag or an entity of HTML is a sign, never a word.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import regex

from mechanisms.cleaning import split_at_markup, visible, without_joiners
from mechanisms.vocabulary import Vocabulary

# What is typed for an apostrophe: quotation marks, accents, primes and letters that look like one.
_STRAIGHT = str.maketrans(dict.fromkeys("’‘‛ʼʻʽ＇´`′ꞌ", "'"))

# Letters, also in Braille, in circles and in boxes, which Unicode files under symbols.
_LETTER = (
    r"\p{L}\u2801-\u28ff\u249c-\u24e9\U0001f110-\U0001f12b\U0001f130-\U0001f149"
    r"\U0001f150-\U0001f169\U0001f170-\U0001f189"
)
_FIRST = rf"[{_LETTER}\p{{N}}]"
_MORE = rf"[{_LETTER}\p{{M}}\p{{N}}\u200c\u200d]*"
# The blank of Braille is a space, though not to Unicode.
_SPACE = r"[\s\u2800]+"
# A chunk is letters and digits (with their combining marks), joined by single signs inside.
_CHUNK = regex.compile(
    rf"(?P<space>{_SPACE})"
    rf"|(?P<chunk>(?P<body>{_FIRST}{_MORE}(?:['.,:/@_-]{_FIRST}{_MORE})*)"
    r"(?P<stop>\.(?![\p{M}.]))?)"
    r"|(?P<sign>.\p{M}*)",
    regex.DOTALL,
)
SPACES = regex.compile(f"({_SPACE})")
_NUMBER = regex.compile(r"\p{N}[\p{N}.,:/-]*")
_INITIALS = regex.compile(rf"(?:[{_LETTER}]\p{{M}}*\.){{2,}}")
_SIGN_INSIDE = regex.compile(r"([.,:/@_-])")
_APOSTROPHE_INSIDE = regex.compile(r"(')")
# The second half of an English contraction, as GloVe and the Penn Treebank cut it.
_CONTRACTION = regex.compile(r"(?<=.)(?:n't|'(?:s|re|ve|m|ll|d))$", regex.IGNORECASE)
_CLITIC = regex.compile(r"n't|'.*", regex.IGNORECASE | regex.DOTALL)


class Kind(StrEnum):
    """What a token is."""

    WORD = "word"
    NUMBER = "number"
    SIGN = "sign"
    SPACE = "space"


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of the text as typed, and the id of its word where the vocabulary has it."""

    text: str
    kind: Kind
    word_id: int | None = None
    glued: bool = False
    """Whether it is the second half of a contraction."""

    @property
    def is_unknown(self) -> bool:
        """A word or number that the vocabulary lacks."""
        return self.word_id is None and self.kind in (Kind.WORD, Kind.NUMBER)


def tokenise_all(texts: Iterable[str], vocabulary: Vocabulary) -> Iterator[tuple[Token, ...]]:
    """The tokens of each text, as `tokenise` cuts it.

    No token but a space or a tag holds a space, so a stretch between spaces is cut once for all.
    """
    cut: dict[str, tuple[Token, ...]] = {}
    for text in texts:
        tokens: list[Token] = []
        for part, is_markup in split_at_markup(visible(text)):
            if is_markup:
                tokens.append(Token(part, Kind.SIGN))
                continue
            for stretch in SPACES.split(part):
                if stretch not in cut:
                    cut[stretch] = tuple(tokenise_part(stretch, vocabulary))
                tokens += cut[stretch]
        yield tuple(tokens)


def tokenise(text: str, vocabulary: Vocabulary) -> Iterator[Token]:
    """The tokens of a text; their texts put together are the text that is visible."""
    for part, is_markup in split_at_markup(visible(text)):
        if is_markup:
            yield Token(part, Kind.SIGN)
        else:
            yield from tokenise_part(part, vocabulary)


def is_clitic(word: str) -> bool:
    """Whether a word is the second half of a contraction."""
    return _CLITIC.fullmatch(word.translate(_STRAIGHT)) is not None


def look_up(stretch: str, vocabulary: Vocabulary) -> int | None:
    """The id of a word: as typed, else spelled as vocabularies do."""
    word = unicodedata.normalize("NFC", stretch)
    for spelled in _spellings(word):
        if (found := vocabulary.get(spelled)) is not None:
            return found
    return None


def _spellings(word: str) -> Iterator[str]:
    """What a word may be in a vocabulary, nearest first; one after the other, as needed."""
    yield word
    straight = word.translate(_STRAIGHT)
    yield straight
    yield from _lowered(straight)
    bare = without_joiners(straight)
    if bare != straight:
        yield bare
        yield from _lowered(bare)
    compatible = unicodedata.normalize("NFKC", bare)
    if compatible != bare:
        yield compatible
        yield from _lowered(compatible)


def _lowered(word: str) -> Iterator[str]:
    yield word.lower()
    if "İ" in word or "I" in word:  # Turkish: I is the capital of ı, İ that of i
        yield word.replace("İ", "i").lower()
        yield word.replace("İ", "i").replace("I", "ı").lower()
    if "ı" in word:
        yield word.lower().replace("ı", "i")


def tokenise_part(text: str, vocabulary: Vocabulary) -> Iterator[Token]:
    """The tokens of a visible text without markup."""
    # Letter for letter as long as the text: what is found in it stands at the same place there.
    for match in _CHUNK.finditer(text.translate(_STRAIGHT)):
        first, last = match.span()
        stretch = text[first:last]
        if match["space"]:
            yield Token(stretch, Kind.SPACE)
        elif match["sign"]:
            yield Token(stretch, Kind.SIGN)
        elif match["stop"] and (word_id := look_up(stretch, vocabulary)) is not None:
            yield Token(without_joiners(stretch), Kind.WORD, word_id)
        elif match["stop"] and _INITIALS.fullmatch(stretch):
            yield Token(without_joiners(stretch), Kind.WORD)
        else:
            yield from _cut(text[first : match.end("body")], vocabulary)
            if match["stop"]:
                yield Token(".", Kind.SIGN)


def _cut(chunk: str, vocabulary: Vocabulary, glued: bool = False) -> Iterator[Token]:
    """The chunk as one token if it is known or a number; otherwise its parts, coarsest first."""
    word_id = look_up(chunk, vocabulary)
    chunk = without_joiners(chunk)
    plain = chunk.translate(_STRAIGHT)
    if word_id is not None:
        kind = Kind.NUMBER if _NUMBER.fullmatch(plain) else Kind.WORD
        yield Token(chunk, kind, word_id, glued)
    elif _NUMBER.fullmatch(plain):
        yield Token(chunk, Kind.NUMBER, None, glued)
    elif not glued and (tail := _CONTRACTION.search(plain)):
        yield from _cut(chunk[: tail.start()], vocabulary)
        yield from _cut(chunk[tail.start() :], vocabulary, glued=True)
    elif not glued and (joint := _SIGN_INSIDE.search(plain) or _APOSTROPHE_INSIDE.search(plain)):
        first = 0
        for sign in joint.re.finditer(plain):
            yield from _cut(chunk[first : sign.start()], vocabulary)
            yield Token(chunk[sign.start() : sign.end()], Kind.SIGN)
            first = sign.end()
        yield from _cut(chunk[first:], vocabulary)
    else:
        yield Token(chunk, Kind.WORD, None, glued)
