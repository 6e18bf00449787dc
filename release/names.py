"""Name-like words of a corpus: words that are written as English writes names.

    names = name_like(texts)
    "Siobhan" in names, names.list

Nobody can say from its letters whether a word is a name, so the rule is about spelling. A word is
name-like if the texts have it with a capital inside a sentence (not at the start of a sentence or
line, nor in a line of which most words have one) and not more often in small letters; a word with a
capital at the start of a sentence if it is a given name, or is no English word; a word in small
letters if it is a given name and no English word. Places, products and brands are written so, too.
The full stop of a title or an initial (*Dr. Patel*, *J. Smith*) does not end a sentence.

A word that is also an English word in these texts (*May I*, *will you*) counts where it has its
capital. The list of given names is the US Census' (`data.given_names`), English words are those of
`english_words` and `simplemma`. A name in small letters that no list has is missed, and so is a
surname that is an English word if it only ever starts a sentence (*Baker called*). German nouns
are all name-like.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

import regex

from data.given_names import given_names

WORD = regex.compile(r"(?V1)[\p{L}\p{M}]+(?:(?<=\p{Lu})['’][\p{Lu}][\p{L}\p{M}]+)?")
_PARTS = regex.compile(r"[\p{L}\p{M}]{2,}")
_LINE = regex.compile(r"[^\r\n]+")
HOW_FOUND = (
    "Name-like words are found by English spelling (a word with a capital inside a sentence) and "
    "by a list of given names. They include places and brands. Some names can be missed: a rare "
    "one in small letters, or a surname at the start of a sentence."
)
"""How name-like words are found and what is missed, for whoever reads their number."""

# What comes before the first word of a sentence or line. *I* is a word, not an initial.
_TITLES = "Dr|Mr|Mrs|Ms|Mx|Prof|Rev|Hon|St|Fr|Capt|Col|Gen|Lt|Sgt"
_NO_END = rf"(?<!\b(?:{_TITLES}|(?!I)\p{{Lu}}))"
_START = regex.compile(rf"(?:^|(?:{_NO_END}\.|[!?…:•|>])['\"’”»)\]]*\s)[\s\p{{P}}\p{{S}}\d]*$")

_BACK = 30

# A line of so many words, of which so many have a capital, is a headline.
_HEADLINE, _HEADLINE_SHARE = 4, 0.6

_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_MONTHS = (
    "january february march april may june july august september october november december jan feb "
    "mar apr jun jul aug sep sept oct nov dec"
)
# With a capital inside a sentence and yet no names.
_NEVER = frozenset(
    f"{_DAYS} {_MONTHS} mon tue tues wed thu thur thurs fri sat sun i mr mrs ms miss dr prof sir "
    "madam hello hi hey dear thanks thank you regards cheers sincerely yours best kind warm ok "
    "okay the a an and or but if in on at to of for from with by my your our it is am pm please "
    "he she they we this that these those there then so not no yes when what who how why "
    "english german french spanish italian american british european christmas easter internet "
    "god tv pc dvd cd id faq url usa uk eu us".split()
)


@dataclass(frozen=True)
class Names:
    """Name-like words, in small letters."""

    always: frozenset[str] = frozenset()
    """In any spelling."""
    capital: frozenset[str] = frozenset()
    """If they have a capital: the texts have them as other words, too."""

    def __contains__(self, word: object) -> bool:
        """Whether a word as typed is name-like, or a part of it (`Anna-Maria`)."""
        return isinstance(word, str) and (
            self._has(word) or any(map(self._has, _PARTS.findall(word)))
        )

    def _has(self, word: str) -> bool:
        plain = word.lower()
        return plain in self.always or (plain in self.capital and word[:1].isupper())

    def __len__(self) -> int:
        """Number of different words."""
        return len(self.always) + len(self.capital)

    @property
    def list(self) -> list[str]:
        """All of them, in alphabetical order."""
        return sorted(self.always | self.capital)

    def of(self, text: str) -> list[str]:
        """The name-like words of a text, as typed, in their order."""
        return [word for word in WORD.findall(text) if word in self]


@dataclass
class Spellings:
    """How often each word stands with a capital and without; those of two pieces can be added."""

    inside: Counter[str] = field(default_factory=Counter)
    """With a capital inside a sentence."""
    start: Counter[str] = field(default_factory=Counter)
    """With a capital at the start of a sentence or line, or in a headline."""
    small: Counter[str] = field(default_factory=Counter)

    def add(self, text: str) -> None:
        """Count the words of a text."""
        for line in _LINE.findall(text):
            self._line(line)

    def __iadd__(self, other: Spellings) -> Spellings:
        """Both together."""
        self.inside.update(other.inside)
        self.start.update(other.start)
        self.small.update(other.small)
        return self

    def _line(self, line: str) -> None:
        words = list(WORD.finditer(line))
        capital = [match[0][0].isupper() or match[0][0].istitle() for match in words]
        long = [len(match[0]) > 1 for match in words]
        headline = sum(long) >= _HEADLINE and (
            sum(c for c, more in zip(capital, long, strict=True) if more)
            > _HEADLINE_SHARE * sum(long)
        )
        for match, has, more in zip(words, capital, long, strict=True):
            if not more:
                continue
            word = match[0]
            if not has:
                self.small[word.lower()] += 1
            elif (
                headline
                or word.isupper()
                or _START.search(line, max(0, match.start() - _BACK), match.start())
            ):
                self.start[word.lower()] += 1
            else:
                self.inside[word.lower()] += 1

    @property
    def words(self) -> Counter[str]:
        """How often each word stands, in whatever spelling."""
        return self.inside + self.start + self.small

    def names(self) -> Names:
        """The name-like words."""
        always, capital, given = set(), set(), given_names()
        for word in self.inside.keys() | self.start.keys() | (self.small.keys() & given):
            if word in _NEVER:
                continue
            inside, small = self.inside[word], self.small[word]
            english = _is_english(word)
            listed = word in given and not english
            if inside:
                (always if inside > small or not english else capital).add(word)
            elif listed:
                always.add(word)
            elif self.start[word] and not small and (word in given or not english):
                capital.add(word) if english else always.add(word)
        # `O'Brien` may be cut at its apostrophe, as vocabularies do.
        always |= {part for w in always for part in _PARTS.findall(w) if part != w}
        return Names(frozenset(always), frozenset(capital))


def name_like(texts: Iterable[str]) -> Names:
    """The name-like words of a corpus.

    >>> sorted(name_like(["Please call Anna.", "anna was late, said Priya"]).list)
    ['anna', 'priya']
    """
    found = Spellings()
    for text in texts:
        found.add(text)
    return found.names()


def _is_english(word: str) -> bool:
    """Whether a list of English has the word in small letters; names that it has with a capital."""
    import simplemma

    small, named = _english()
    return word in small or (word not in named and simplemma.is_known(word, lang="en"))


@cache
def _english() -> tuple[frozenset[str], frozenset[str]]:
    from english_words import get_english_words_set

    words = get_english_words_set(["web2"])
    small = frozenset(word for word in words if word.islower())
    return small, frozenset(word.lower() for word in words if not word.islower()) - small
