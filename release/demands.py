"""What a release must keep secret, and what it must be good for: demands in words.

A privacy demand is a floor: without one nothing is recommended, since the setting that keeps the
most use is the one that changes nothing.
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


class Meaning(NamedTuple):
    """What a demand is about."""

    title: str
    """A few words, as a column of a table or the label of a control."""
    sentence: str
    """With `{value}` in place of the value."""
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
        "No word of the file is unchanged with a probability above {value}.",
        privacy=True,
        at_most=True,
        suggested=0.5,
    ),
    "named_at_most": Meaning(
        "Words named",
        "An adversary who knows how frequent the words of this file are, and one who also reads "
        "the neighbours of a word, name at most {value} of the words that the vocabulary knows.",
        privacy=True,
        at_most=True,
        suggested=0.5,
    ),
    "odds_at_most": Meaning(
        "Odds between two words",
        "One released word changes the odds between any two words of the file by a factor of "
        "{value} at most, by the promise.",
        privacy=True,
        at_most=True,
        suggested=1000.0,
        share=False,
    ),
    "keep_accuracy": Meaning(
        "Accuracy kept",
        "A classifier that learns the label from the private texts keeps at least {value} of its "
        "accuracy.",
        privacy=False,
        at_most=False,
        suggested=0.9,
    ),
    "similarity_at_least": Meaning(
        "Similarity",
        "The mean word vectors of a text and of its private version have a cosine of {value} at "
        "least, on average.",
        privacy=False,
        at_most=False,
        suggested=0.8,
        share=False,
    ),
}


@dataclass(frozen=True, kw_only=True)
class Demands:
    """The demands, each a number or None if it is left out; by default two floors of privacy.

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
        """Each demand as a sentence."""
        return [sentence(key, value) for key, value in self.made().items()]


def rule(key: Key) -> str:
    """Which values a demand may have."""
    if key == "odds_at_most":
        return "must be a finite factor above 1"
    return "must be a share above 0 and at most 1"


def sentence(key: Key, value: float) -> str:
    """A demand as a sentence."""
    return MEANINGS[key].sentence.format(value=shown(key, value))


def shown(key: Key, value: float) -> str:
    """A value of a demand as people read it: a share in percent, or a factor."""
    if MEANINGS[key].share:
        return f"{100 * value:.3g} %"
    return f"{value:.3g}" if value < 1e6 else "above a million"
