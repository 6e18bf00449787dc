"""The words of the part of Your data that chooses a mechanism and ε."""

from __future__ import annotations

from pages.shared.prose import whole_percent
from release.choice import EQUAL, Choice, Refused
from release.demands import MEANINGS, Key, sentence, shown
from release.evidence import Setting

TITLE = "Choose: which mechanism, which ε, and why"

INTRODUCTION = (
    "Say what the release must hide, and what it will be used for. WordVeil then tries every "
    "mechanism whose promise holds and that draws each word separately, at several ε, on your own "
    "texts or on a packaged corpus. This releases nothing and shows no draw."
)

NO_LABEL = "no label"

LABEL_HELP = (
    "A column, such as a topic, that a classifier should still be able to predict from the private "
    "texts. Without one, usefulness is measured by similarity. A packaged corpus has its own "
    "labels."
)

ON_HELP = (
    "The choice depends on the texts that it is made on, and no promise covers this. A choice made "
    "on a packaged corpus reveals nothing about your file, but its numbers are about that corpus."
)

PRIVACY = "**What the release must hide**"

USE = "**What the release must stay useful for**"

THIS_FILE = "this file"

BUTTON = "🔎 Find the setting"

FLOOR_MISSING = (
    "Type a number into at least one of the first three demands. Without a demand on privacy, the "
    "setting that changes nothing would win, so WordVeil recommends nothing."
)

NO_DEMAND = "not demanded"

RULE = (
    "Of the settings that meet every demand, the most useful ranks first. Another setting counts "
    "as equal if a comparison text by text shows that it loses at most "
    f"{100 * EQUAL:.0f} points of accuracy (or {EQUAL:g} of similarity). Of equal settings, "
    "WordVeil recommends the one whose words an adversary names least often."
)

HOW_TO_READ = (
    "Each point is a mechanism at one ε. Bars are 95 % intervals; an exact value has none. In the "
    "shaded region the demands on both axes are met. The table shows the other demands too."
)

STOPPED = (
    "Stopped. The table has every setting, measured on only a part of the texts; the part is "
    "stated below the table."
)

USE_IT = "✔ Use it"

USED = "These settings are set on every page."

RECORD_OF_A_FILE = "As confidential as your file: the choice depends on it."

RECORD_OF_A_CORPUS = "The choice looked at no row of your file."


def record_help(choice: Choice) -> str:
    """How confidential the record of a choice is."""
    return RECORD_OF_A_CORPUS if choice.made_on else RECORD_OF_A_FILE


LIMITS: dict[Key, tuple[float, float | None]] = {
    "unchanged_at_most": (0.1, 100),
    "named_at_most": (0.1, 100),
    "odds_at_most": (1.01, None),
    "keep_accuracy": (0.1, 100),
    "similarity_at_least": (0.01, 1),
}
"""The least and the largest number that can be typed for each demand."""


def demand_label(key: Key) -> str:
    """The label of a demand's box, with its unit."""
    meaning = MEANINGS[key]
    unit = " (%)" if meaning.share else ""
    return f"{meaning.title}, {'at most' if meaning.at_most else 'at least'}{unit}"


def demand_help(key: Key, value: float) -> str:
    """The meaning of a demand at a value, whichever texts the choice is made on."""
    return sentence(key, value, "the texts")


def working(share: float, first: bool) -> str:
    """The caption of the bar."""
    what = "Working on the first answer" if first else "Using more words and texts"
    return f"{what}: {whole_percent(share)} of all measurements are done"


def refused(each: Refused) -> str:
    """A mechanism that is not recommended, as a line."""
    return f"{each.name}: {each.reason}"


def alt(choice: Choice) -> str:
    """The description of the figure for a screen reader."""
    return " ".join(choice.reasons)


def share(setting: Setting, key: Key) -> str:
    """A number of a setting with its interval, for a table."""
    found = setting.value(key)
    if found is None:
        return "not measured"
    value, low, high = found.numbers
    bound = "≥ " if key == "named_at_most" and not setting.named_exact else ""
    if low == high:
        return f"{bound}{shown(key, value)}"
    return f"{bound}{shown(key, value)} ({shown(key, low)} to {shown(key, high)})"
