"""The words of teachers' links and of the panel that makes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from release.grammar import verb

NAMES = {"eps": "ε", "mechanism": "the mechanism"}

SHARE = "🔗 Share this screen"
PROJECTOR = "This screen is on a projector: larger type, fewer controls"
PROJECTOR_IN_LINK = "The link opens with large type, for a projector"
TEXT_IN_LINK = "Put my text in the link"
TEXT_IN_LINK_HELP = (
    "Without this, your text stays in this session. With it, your text becomes part of the link, "
    "and stays in the history of every browser that opens it."
)
LOCK = "Lock the controls, for a class"
HIDE = "Hide, for guessing"
HONEST = (
    "The link contains the hidden settings packed into one word, and the page does not show them. "
    "Nobody reads them by accident, but anyone can unpack them or press “Reveal”. That is fine for "
    "a game, not for an exam."
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
    what, it = names(hidden), "it" if len(hidden) == 1 else "them"
    question = f"What {verb(len(hidden), 'is', 'are')} {what}?"
    return (
        f"**{question}** The link hides {it}, and everything here that would reveal {it}: the "
        "guarantee, the probabilities of single words and the ε spent. Draw again, try other "
        "words, and open WordVeil in a second tab to compare with settings that you know."
    )


def elsewhere(hidden: Sequence[str]) -> str:
    """Why a page is not shown."""
    it = "it" if len(hidden) == 1 else "them"
    return (
        f"The link that you opened hides {names(hidden)}, and this page would reveal {it}. Go back "
        f"to *Private sentences* to guess, or reveal {it} here."
    )


def as_given(hidden: Sequence[str], locked: Sequence[str]) -> str:
    """What the link of a restricted screen does."""
    parts = [f"hides {names(hidden)}"] if hidden else []
    parts += ["locks controls"] if locked else []
    return f"The link that opened this screen {' and '.join(parts)}, and so does the link below."


def text_too_long(length: int, most: int) -> str:
    """Why a text is not in the link."""
    return f"The text has {length:,} characters. It is left out: a link takes at most {most:,}."


HIDDEN_ERROR = "The settings of this link do not work, and it hides which ones. Ask its sender."
HIDDEN_SPENT = "**ε of all versions so far: hidden, too**"
