"""Stretches of a text that look like an e-mail address, a link, a telephone or card number.

They are found by their form, in this order, and no stretch is counted twice:

e-mail     signs, @, a domain
link       http(s)://, www., or a domain with a path
card       13 to 19 digits that pass Luhn's test, in groups or not
telephone  7 to 15 digits in groups, or after + or 0
number     any other digits

A form is no proof: an order number can look like a telephone number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import regex

EMAIL, LINK, CARD, TELEPHONE, NUMBER = KINDS = (
    "e-mail addresses",
    "links",
    "card-like numbers",
    "telephone-like numbers",
    "other numbers",
)

# Possessive, bounded and begun at no sign inside, so that no text makes them slow.
_FOUND = regex.compile(
    r"(?P<email>(?<![\w.+-])[\w.+-]{1,64}+@[\w-]{1,63}+(?:\.[\w-]{1,63}+)++)"
    r"|(?P<link>\b(?:https?://|www\.)[^\s<>\"']++"
    r"|(?<![\w.-])(?:[a-z0-9-]{1,63}+\.){1,6}[a-z]{2,12}/[^\s<>\"']*+)"
    r"|(?P<digits>(?<![\w.])(?:\+|\(\+?)?\d(?:[ ./()-]{0,2}\d){6,18}+(?!\w))"
    r"|(?P<number>\d[\d.,:/-]*+)",
    regex.IGNORECASE,
)
_DATE_OR_SUM = regex.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[ T]\d.*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}(?: .*)?"
    r"|\d{1,3}(?:[ .]\d{3})+"
)


class Match(NamedTuple):
    """A kind, and the stretch."""

    kind: str
    text: str


def matches(text: str) -> Iterator[Match]:
    """The stretches of a text that look like one of `KINDS`, in their order."""
    if not any(sign in text for sign in "@./") and not any(map(str.isdigit, text)):
        return
    for found in _FOUND.finditer(text):
        stretch = found[0]
        if found["email"]:
            yield Match(EMAIL, stretch)
        elif found["link"]:
            yield Match(LINK, stretch.rstrip(".,;:!?)"))
        elif found["digits"]:
            yield Match(_kind_of_digits(stretch), stretch)
        else:
            yield Match(NUMBER, stretch.rstrip(".,:/-"))


def passes_luhn(digits: str) -> bool:
    """Whether the last digit is the check digit of the others, as on payment cards."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (1 + place % 2)
        total += doubled - 9 * (doubled > 9)
    return total % 10 == 0


def _kind_of_digits(stretch: str) -> str:
    digits = "".join(str(int(sign)) for sign in stretch if sign.isdigit())
    if 13 <= len(digits) <= 19 and passes_luhn(digits) and len(set(digits)) > 1:
        return CARD
    if _DATE_OR_SUM.fullmatch(stretch) or len(digits) > 15:
        return NUMBER
    grouped = any(sign in " /()-." for sign in stretch)
    return TELEPHONE if grouped or stretch[0] in "+0(" else NUMBER
