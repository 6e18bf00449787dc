"""What a text carries that no reader sees: invisible characters, and HTML.

Invisible characters are the format characters of Unicode (category Cf: soft hyphens, zero-width
characters, marks of direction, tags), all that it calls default ignorable (variation selectors,
fillers), and control characters that are no spaces. A reader does not see them, a program does: a
row of them can spell the name of an author. They never leave. A joiner between two letters stays
for the look-up, since Persian and Indic words are spelled with it, and goes with the word.

HTML is the tags of known elements, comments, and entities with their semicolon:

decode  entities become their characters, tags are left out (the default)
drop    entities and tags are left out
keep    both are released as typed, attributes too: not protected, and counted so

A tag of an inline element is left out without a trace, any other leaves a space.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterator
from html.entities import html5
from typing import Literal, NamedTuple

import regex

Html = Literal["decode", "drop", "keep"]

INVISIBLE = "invisible characters"
ENTITIES = "HTML entities"
TAGS = "HTML tags"

_HIDDEN = r"[[\p{Cf}\p{DI}\p{Cc}]--[\s\x1c-\x1f]]"
_INVISIBLE = regex.compile(f"(?V1){_HIDDEN}")
_REMOVED = regex.compile(
    rf"(?V1)(?:(?<=[\p{{L}}\p{{M}}])[\u200c\u200d](?=\p{{L}}))(*SKIP)(*FAIL)|{_HIDDEN}"
)
_JOINERS = str.maketrans("", "", "\u200c\u200d")

_INLINE = (
    "a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|img|ins|kbd|label|mark|nobr|q"
    "|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr"
)
_BLOCK = (
    "address|applet|area|article|aside|audio|base|basefont|blockquote|body|br|button|canvas"
    "|caption|center|col|colgroup|datalist|dd|details|dialog|dir|div|dl|dt|embed|fieldset"
    "|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hgroup|hr|html"
    "|iframe|input|legend|li|link|main|map|menu|meta|meter|nav|noframes|noscript|object|ol"
    "|optgroup|option|output|p|param|picture|pre|progress|script|section|select|source|style"
    "|summary|svg|table|tbody|td|template|textarea|tfoot|th|thead|title|tr|track|ul|video"
)
# An attribute has a value, or is one of those without: `<i think so>` is no tag.
_BARE = (
    "async|autofocus|autoplay|checked|compact|controls|default|defer|disabled|hidden|ismap|loop"
    "|multiple|muted|nohref|noshade|novalidate|nowrap|open|readonly|required|reversed|selected"
)
_VALUE = r"(?:\"[^\"<]*+\"|'[^'<]*+'|[^\s\"'<>=`]++)"
_ATTRIBUTE = rf"\s+(?:[\w:.-]++\s*+=\s*+{_VALUE}|(?:{_BARE})\b)"
_TAG = (
    rf"<(?:/?(?i:{_INLINE}|{_BLOCK})\b(?:{_ATTRIBUTE})*+\s*+/?>"
    r"|!--(?:(?!-->|<!--).)*+-->|!(?i:doctype)\b[^<>]*+>)"
)
_TAGS = regex.compile(f"(?:{_TAG})+", regex.DOTALL)
_ONE_TAG = regex.compile(_TAG, regex.DOTALL)
_INLINE_TAGS = regex.compile(rf"(?:</?(?i:{_INLINE})\b[^<]*+)+")
# `&amp;lt;` is an entity of an entity, decoded to its end. A name that HTML lacks is text.
_ENTITY = regex.compile(
    r"&(?P<amp>(?:amp;)*+)(?P<last>(?P<name>[a-zA-Z][a-zA-Z0-9]{1,31});"
    r"|#[0-9]{1,7};|#[xX][0-9a-fA-F]{1,6};)?"
)

# What goes may bring together what is one again: `&lt;b&gt;` becomes a tag by decoding.
_PASSES = 3


class Cleaned(NamedTuple):
    """A text without what is left out, and how much that was, by what it is."""

    text: str
    noticed: Counter[str]


def cleaned(text: str, markup: Html) -> Cleaned:
    """The text as it is cut into tokens: no invisible characters, HTML as chosen."""
    noticed = Counter[str]()
    for _ in range(_PASSES):
        before = text
        if hidden := _invisible_count(text):
            noticed[INVISIBLE] += hidden
            text = visible(text)
        if markup != "keep" and ("<" in text or "&" in text):
            text = _without_html(text, markup, noticed)
        if text == before:
            break
        noticed[INVISIBLE] -= _invisible_count(text)  # joiners that stay are counted once
    if markup == "keep":
        noticed.update(markup_of(text))
    return Cleaned(text, +noticed)


def noticed(text: str) -> Counter[str]:
    """How many invisible characters, tags and entities a text holds, as it is."""
    return +Counter({INVISIBLE: _invisible_count(text)}) + markup_of(text)


def markup_of(text: str) -> Counter[str]:
    """How many tags and entities a text holds."""
    tags = sum(1 for _ in _ONE_TAG.finditer(text)) if "<" in text else 0
    return +Counter({TAGS: tags, ENTITIES: sum(1 for _ in _entities(text))})


def split_at_markup(text: str) -> Iterator[tuple[str, bool]]:
    """The text in parts, and whether each is a tag or an entity."""
    spans = [match.span() for match in _ONE_TAG.finditer(text)] if "<" in text else []
    if "&" in text:
        spans = sorted([*spans, *((first, last) for first, last, _ in _entities(text))])
    end = 0
    for first, last in spans:
        if first < end:  # an entity inside a tag
            continue
        if end < first:
            yield text[end:first], False
        yield text[first:last], True
        end = last
    if end < len(text):
        yield text[end:], False


def visible(text: str) -> str:
    """The text without invisible characters; joiners between letters stay."""
    return _REMOVED.sub("", text) if _invisible_count(text) else text


def without_joiners(word: str) -> str:
    """A word without zero-width joiners."""
    return word.translate(_JOINERS)


def _invisible_count(text: str) -> int:
    if text.isprintable() and text.isascii():
        return 0
    return sum(1 for _ in _INVISIBLE.finditer(text))


def _entities(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each entity begins and ends, and its character."""
    if "&" not in text:
        return
    for match in _ENTITY.finditer(text):
        last = match["last"]
        if last and (match["name"] is None or last in html5):
            yield match.start(), match.end(), html.unescape("&" + last)
        elif match["amp"]:
            yield match.start(), match.end("amp"), "&"


def _without_html(text: str, markup: Html, noticed: Counter[str]) -> str:
    parts, end = [], 0
    for first, last, character in _entities(text):
        noticed[ENTITIES] += 1
        parts += [text[end:first], character if markup == "decode" else " "]
        end = last
    text = "".join([*parts, text[end:]])
    return _TAGS.sub(lambda match: _in_place_of_tags(match.group(), noticed), text)


def _in_place_of_tags(tags: str, noticed: Counter[str]) -> str:
    noticed[TAGS] += sum(1 for _ in _ONE_TAG.finditer(tags))
    return "" if _INLINE_TAGS.fullmatch(tags) else " "
