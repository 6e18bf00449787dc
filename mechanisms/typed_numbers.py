"""Numbers as people and links write them, and nothing else that Python would read.

`float` and `int` also take `1_0` for ten, digits of every script, spaces, `nan` and `inf`. A number
here is ASCII digits with one point, a minus in front and an exponent behind where they are needed.
"""

from __future__ import annotations

import re

_REAL = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?")
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_THOUSANDS = re.compile(r"-?[1-9][0-9]{0,2}(?:,[0-9]{3})+")


def real(text: str) -> float:
    """A real number as a link or a command writes it.

    Raises
    ------
    ValueError
        For any other text; one past the largest float is `inf`, as for `float`.

    """
    if not _REAL.fullmatch(text):
        raise ValueError("must be a number")
    return float(text)


def whole(text: str) -> int:
    """A whole number as a link or a command writes it; ValueError for any other text."""
    if not _WHOLE.fullmatch(text):
        raise ValueError("must be a whole number")
    return int(text)


def typed_real(text: str) -> float:
    """A real number as a person types it: the point may be a comma, spaces around it are nothing.

    Raises
    ------
    ValueError
        For any other text, and for a comma that may part thousands: `1,000` is one or a thousand.

    """
    text = text.strip().replace("−", "-")
    if _THOUSANDS.fullmatch(text):
        point, plain = text.replace(",", ".", 1), text.replace(",", "")
        either = f"{point} or {plain}" if text.count(",") == 1 else plain
        raise ValueError(f"can be read in two ways: write {either}")
    return real(text.replace(",", ".") if text.count(",") == 1 and "." not in text else text)


def typed_whole(text: str) -> int:
    """A whole number as a person types it; ValueError for any other text."""
    return whole(text.strip().replace("−", "-"))
