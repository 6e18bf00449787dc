"""The sentence on tokens that are released as typed: what they are, and how many."""

from __future__ import annotations

from mechanisms.cleaning import Html
from mechanisms.text import Unknown
from release.grammar import counted, verb

# One template for each choice: another language may order the parts in another way.
_SENTENCES: dict[tuple[bool, bool], str] = {
    (False, False): "Punctuation is never changed: {count} of {tokens}{mark} {are} as typed.",
    (True, False): (
        "Punctuation is never changed, and unknown words and numbers are kept by your choice: "
        "{count} of {tokens}{mark} {are} as typed."
    ),
    (False, True): (
        "Punctuation is never changed, and HTML is kept by your choice: "
        "{count} of {tokens}{mark} {are} as typed."
    ),
    (True, True): (
        "Punctuation is never changed, and HTML, unknown words and numbers are kept by your "
        "choice: {count} of {tokens}{mark} {are} as typed."
    ),
}


def released_as_typed(
    count: int, tokens: int, unknown: Unknown, html: Html = "decode", mark: str = ""
) -> str:
    """The sentence on so many unprotected tokens of all.

    Parameters
    ----------
    unknown, html
        The choices that leave more than punctuation as typed.
    mark
        How these tokens look on screen; empty if they are not shown.

    """
    return _SENTENCES[unknown == "keep", html == "keep"].format(
        count=f"{count:,}",
        tokens=counted(tokens, "token"),
        mark=f" ({mark})" if mark else "",
        are=verb(count, "is released", "are released"),
    )
