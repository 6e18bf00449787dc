"""Whether bytes above 127 make sense in cp1252, the encoding of Western Europe's spreadsheets.

The same bytes are letters in a dozen encodings, and a wrong one does not fail: `Zürich` becomes
`ZŸrich` or `Z³rich`. So every byte has to be at a place that its character in cp1252 can have, and
its other readings cannot: a single accented letter inside a word of plain letters and of the same
case, an apostrophe, a quotation mark at the end of a word that it belongs to. Letters that another
encoding writes with the same byte at the same places (š, þ, ý, õ, ã …) do not count as evidence for
cp1252, and end the look.
"""

from __future__ import annotations

import re

# Letters that are common in Western languages and that no other encoding turns into a likely word.
_LOWER = "àáâäåæçèéêëíîïñóôöøúüß"
_UPPER = "ÀÁÂÄÅÆÇÈÉÊËÍÎÏÑÓÔÖØÚÜ"
_LETTER = "A-Za-zÀ-ÖØ-öø-ÿŠŒŽšœžŸ"

_EVIDENCE = re.compile(
    # One accented letter in a word of plain letters, in its case.
    rf"(?<=[A-Za-z])[{_LOWER}](?=[a-z]|(?![{_LETTER}]))"
    rf"|(?<=[A-Z])[{_UPPER}](?=[A-Z]|(?![{_LETTER}]))"
    # French, Italian and Portuguese: cœur, più, così, não, nações.
    rf"|(?<=[a-z])[ùìò](?![{_LETTER}])|œ(?=u)|(?<=[a-z])ã(?=[oe])|(?<=[a-z])õ(?=e)|çã(?=o)|çõ(?=e)"
    r"|(?<=[a-z])û(?=[trl])"
    # Typographic marks.
    rf"|(?<=[A-Za-z])’(?=(?:s|t|re|ve|ll|d|m)(?![{_LETTER}]))|(?<![{_LETTER}])[“„](?=[{_LETTER}])"
    r"|(?<=[\s\d])[–—](?=[\s\d])|£(?=\d)|€(?=\s?\d)|(?<=\d)[°€]|(?<=\d )€"
)
_NEUTRAL = re.compile(
    # Words of one letter, first letters, doubled letters, closing marks: they need other evidence.
    rf"(?<![{_LETTER}])[àáéèêóôÀÁÉÈÓ](?![{_LETTER}])|éé|ää|öö|[äöü]ß|ã(?!\w)|(?<=[A-Za-z])’"
    rf"|(?<![{_LETTER}])[{_LOWER}](?=[a-z])|(?<![{_LETTER}])[{_UPPER}](?=[A-Za-z])"
    rf"|‘(?=[{_LETTER}])|(?<=[{_LETTER}.,!?…])[’”“](?![{_LETTER}])|(?<=[\w.!?\s])…(?=\W|$)"
    rf"|«(?=\s|\xa0|[{_LETTER}])|(?<=[\s\xa0.!?…a-z])»|(?<![{_LETTER}])[¿¡]|[™®©£](?![{_LETTER}])"
    rf"|(?<![{_LETTER}])\xa0|\xa0(?![{_LETTER}])|•(?=\s)|§(?=\s?\d)|(?<=\d)[²³½¼¾]"
)
# Letters at places that they have in no Western language, but other letters of the same byte have:
# Straße in cp850 is `Straáe`, być in cp1250 `byæ`, ēst in cp1257 `çst`, don’t in cp775 `donït`.
_FOREIGN = re.compile(
    r"[aeiou]á(?=e|t|$|\W)|ç(?![aouáãóõúâAOU])|ñ(?![aeiouáéíóúAEIOU])|æ(?!\w)|(?<![aeouAEOU])ï",
    re.MULTILINE,
)
_WEIGHT = 3  # so many signs that say nothing may come with one that says cp1252
_HIGH = re.compile(r"[^\x00-\x7f]")


def is_western(block: bytes) -> bool | None:
    """Whether a block is cp1252: yes, no, or nothing in it speaks for or against it."""
    try:
        text = block.decode("cp1252")
    except UnicodeDecodeError:
        return False
    if _FOREIGN.search(text):
        return False
    rest, sure = _EVIDENCE.subn(lambda found: _HIGH.sub("a", found[0]), text)
    rest, neutral = _NEUTRAL.subn(lambda found: "a" * len(found[0]), rest)
    if _HIGH.search(rest):
        return False
    return True if sure and _WEIGHT * sure >= neutral else None
