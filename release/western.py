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
    rf"|(?<![{_LETTER}])[{_LOWER}](?=[a-z])"
    rf"|(?<![{_LETTER}])[{_UPPER}](?=[a-z])"
    rf"|(?<=[A-Z])[{_UPPER}](?=[A-Z]|(?![{_LETTER}]))|(?<![{_LETTER}])[{_UPPER}](?=[A-Z])"
    # French and Portuguese: cœur, più, così, não.
    rf"|(?<=[a-z])[ùìò](?![{_LETTER}])|œ(?=u)|(?<=[a-z])ã(?=[oe])|(?<=[a-z])õ(?=e)|(?<=[a-z])û(?=[trl])"
    # Typographic marks.
    rf"|(?<=[A-Za-z])’(?=(?:s|t|re|ve|ll|d|m)(?![{_LETTER}]))|(?<=[a-z])’(?=[\s,.;)])"
    rf"|(?<![{_LETTER}])[“„](?=[{_LETTER}])|(?<=[{_LETTER}.,!?…])[”“](?![{_LETTER}])"
    r"|(?<=[\s\d])[–—](?=[\s\d])|(?<=[a-z])…(?=\s|$)|£(?=\d)|€(?=\s?\d)|(?<=\d)[°€]|(?<=\d )€"
)
_NEUTRAL = re.compile(
    # Words of one letter, doubled letters, the second half of a pair: they need other evidence.
    rf"(?<![{_LETTER}])[àáéèêóôÀÁÉÈÓ](?![{_LETTER}])|éé|ää|öö|[äöü]ß|(?<=[a-z])’(?=[a-z])|(?<=[A-Za-z])’"
    rf"|‘(?=[{_LETTER}])|(?<=[{_LETTER}.,!?])’|«(?=\s|\xa0|[{_LETTER}])|(?<=[\s\xa0.!?…])»|(?<=[a-z])»"
    rf"|(?<![{_LETTER}])[¿¡]|[™®©](?![{_LETTER}])|(?<![{_LETTER}])\xa0|\xa0(?![{_LETTER}])|•(?=\s)|[§](?=\s?\d)"
    r"|(?<=[.!?\s])…|(?<=\d)[²³½¼¾]"
)
# Straße in cp850 is `Straáe`, and the Czech and Baltic letters that look like a Western one.
_FOREIGN = re.compile(r"[aeiou]á(?=e|t|$|\W)|ç(?![aouAOU\W]|$)", re.MULTILINE)
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
    return True if sure > neutral else None
