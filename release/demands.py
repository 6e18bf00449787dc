"""Demands on the privacy and the use of a release, in words.

Without a privacy demand nothing is recommended: the setting that changes nothing keeps the most
use.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Literal, NamedTuple

Key = Literal[
    "unchanged_at_most",
    "named_at_most",
    "odds_at_most",
    "keep_accuracy",
    "similarity_at_least",
]

THE_FILE = "the file"
"""The texts that a demand is about, unless it names others."""


class Meaning(NamedTuple):
    """The meaning of a demand."""

    title: str
    """A few words, as a column of a table or the label of a control."""
    sentence: str
    """With `{value}` in place of the value, and `{texts}` in place of the texts."""
    privacy: bool
    """Whether it is a floor of privacy; otherwise one of use."""
    at_most: bool
    suggested: float
    """The value that is offered first."""
    share: bool = True
    """Whether the value is a share, shown in percent; otherwise a factor."""


MEANINGS: dict[Key, Meaning] = {
    "unchanged_at_most": Meaning(
        "Worst word unchanged",
        "No word of {texts} that the vocabulary knows is unchanged with a probability above "
        "{value}.",
        privacy=True,
        at_most=True,
        suggested=0.5,
    ),
    "named_at_most": Meaning(
        "Words named",
        "Two adversaries each name at most {value} of the words that the vocabulary knows: one "
        "knows how frequent the words of {texts} are, the other also reads the words around each "
        "word.",
        privacy=True,
        at_most=True,
        suggested=0.5,
    ),
    "odds_at_most": Meaning(
        "Odds between two words",
        "By the promise, one released word changes the odds between any two known words of "
        "{texts} by a factor of at most {value}.",
        privacy=True,
        at_most=True,
        suggested=1000.0,
        share=False,
    ),
    "keep_accuracy": Meaning(
        "Accuracy kept",
        "A classifier that learns the label from the private texts keeps at least {value} of the "
        "accuracy that it has with the original texts.",
        privacy=False,
        at_most=False,
        suggested=0.9,
    ),
    "similarity_at_least": Meaning(
        "Similarity",
        "On average, the mean word vector of a text and the mean word vector of its private "
        "version have a cosine of at least {value}.",
        privacy=False,
        at_most=False,
        suggested=0.8,
        share=False,
    ),
}


@dataclass(frozen=True, kw_only=True)
class Demands:
    """The demands, each a number, or None if it is left out; by default two on privacy.

    Raises
    ------
    ValueError
        For a value that a demand cannot have.

    """

    unchanged_at_most: float | None = 0.5
    named_at_most: float | None = 0.5
    odds_at_most: float | None = None
    keep_accuracy: float | None = None
    similarity_at_least: float | None = None

    def __post_init__(self) -> None:
        """Check every value."""
        for key, value in self.made().items():
            low, high = (1.0, math.inf) if key == "odds_at_most" else (0.0, 1.0)
            if not low < value <= high or not math.isfinite(value):
                raise ValueError(
                    f"{MEANINGS[key].title} ({key}) {rule(key)}; got {value:g}. Leave the demand "
                    "out if nothing is demanded."
                )

    def made(self) -> dict[Key, float]:
        """The demands that are not left out, in order."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return {key: values[key] for key in MEANINGS if values[key] is not None}

    @property
    def has_privacy_floor(self) -> bool:
        """Whether privacy is demanded at all."""
        return any(MEANINGS[key].privacy for key in self.made())

    def sentences(self) -> list[str]:
        """The demands as sentences."""
        return [sentence(key, value) for key, value in self.made().items()]


def rule(key: Key) -> str:
    """The rule on the values of a demand."""
    if key == "odds_at_most":
        return "must be a finite factor above 1"
    return "must be a share above 0 and at most 1"


def sentence(key: Key, value: float, texts: str = THE_FILE) -> str:
    """A demand as a sentence; `texts` names the texts that it is about."""
    return MEANINGS[key].sentence.format(value=shown(key, value), texts=texts)


def shown(key: Key, value: float) -> str:
    """The value of a demand for people: a share in percent, or a factor."""
    if MEANINGS[key].share:
        return f"{100 * value:.3g} %"
    return f"{value:.3g}" if value < 1e6 else "above a million"
