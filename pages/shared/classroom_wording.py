"""The words of teachers' links and of the panel that makes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

NAMES = {"eps": "ε", "mechanism": "the mechanism"}

SHARE = "🔗 Share this screen"
PROJECTOR = "This screen is on a projector: larger type, fewer things"
PROJECTOR_IN_LINK = "The link opens with large type, for a projector"
TEXT_IN_LINK = "Put my text in the link"
TEXT_IN_LINK_HELP = (
    "Without this, your text stays in this session. With it, your text becomes part of the link, "
    "and stays in the history of every browser that opens it."
)
LOCK = "Lock the controls, for a class"
HIDE = "Hide, for guessing"
HONEST = (
    "The link contains the hidden settings as one packed word, and the page does not show them. "
    "Nobody reads them by accident, but anyone can unpack them or press “Reveal”. Fine for a game, "
    "not for an exam: anyone can reveal it."
)
REVEAL = "👁 Reveal what is hidden"
QR_ALT = "QR code of the link above"
NO_QR = "This link is too long for a QR code."


def names(hidden: Sequence[str]) -> str:
    """What is hidden, in words."""
    return " and ".join(NAMES[name] for name in hidden)


def told(values: Mapping[str, str], hidden: Sequence[str]) -> str:
    """The settings that are told, and those that are not."""
    labels = {"mechanism": "Mechanism", "eps": "ε"}
    return "\n\n".join(
        f"{labels[name]}: **{'hidden' if name in hidden else value}**"
        for name, value in values.items()
    )


def guess(hidden: Sequence[str]) -> str:
    """What to do where something is hidden."""
    what = names(hidden)
    return (
        f"**What is {what}?** This link hides it, together with everything here that would reveal "
        "it: the guarantee, the chances of single words and the ε spent. Draw again, try other "
        "words, and open WordVeil in a second tab to compare with settings that you know."
    )


def elsewhere(hidden: Sequence[str]) -> str:
    """Why a page is not shown."""
    return (
        f"This page would reveal {names(hidden)}, hidden by the link that you opened. Go back to "
        "*Private sentences* to guess, or reveal it."
    )


def as_given(hidden: Sequence[str], locked: Sequence[str]) -> str:
    """What the link of a restricted screen does."""
    parts = [f"hides {names(hidden)}"] if hidden else []
    parts += ["locks controls"] if locked else []
    return f"The link that opened this screen {' and '.join(parts)}, and so does the link below."


def text_too_long(length: int, most: int) -> str:
    """Why a text is not in the link."""
    return f"The text has {length:,} characters; a link takes up to {most:,}, so it is left out."


HIDDEN_ERROR = "These settings do not work here, and the link hides which ones. Ask its sender."
HIDDEN_SPENT = "**ε of all versions so far: hidden with the rest**"
