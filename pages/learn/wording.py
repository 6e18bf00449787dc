"""The words of the Learn page that its lessons share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from pages.shared import doors, vault
from pages.shared.lessons import CHOICE, LESSONS
from pages.shared.prose import percent, plain, times, without_marks

# The vocabulary of all lessons, and the length of its vectors.
WORDS = CHOICE.size
DIMENSIONS = 50

VOCABULARY = (
    f"All lessons use the {WORDS:,} most frequent words of GloVe ({DIMENSIONS} dimensions), so "
    "that everyone has the same figures. Words you type are kept in the server's memory only, and "
    f"are deleted at the latest {vault.SECONDS // 60} minutes after you close the page."
)
START_A_CLASS = "🧑‍🏫 Start a class: their predictions on one screen"
FOR_A_CLASS = (
    "“Share this screen” shows the link to this step and its QR code. On *Private sentences* it "
    "can also lock the controls, and hide ε or the mechanism for a guessing game. Play it with "
    "people who do not cheat: anyone can decode such a link."
)
COMMIT = "Keep my guess, and try it →"
TAKE_ALONG_HELP = "Takes your mechanism, ε, words and vocabulary along."
CLOSING = "What you know now, and where to go next"
DOORS = (
    *doors.DOORS[1:],
    (
        "pages/attacks/page.py",
        "🕵️ Attack a sentence",
        "See what an adversary recovers of a private sentence, from one version and from several.",
    ),
)
TO_CHECK = "Check what I know →"
RIGHT, WRONG = "**Right.**", "**Not yet.**"

ROUND = "Guess the mechanism"
OTHER_DRAW = "🎲 Show other versions"


def round_story(sentence: str) -> str:
    """The question of a round of the guessing game."""
    return (
        f"All of these are private versions of one sentence: *{sentence}*. One mechanism at one ε "
        "drew them all, and everyone in the class sees the same ones. Which mechanism is it, and "
        "which ε? Compare a word with many close neighbours (*monday*) and a word without. Your "
        "teacher shows the guesses of the class, and then the answer."
    )


class Passed(NamedTuple):
    """Checks of a lesson: right by now, right at the first answer, and how many there are."""

    right: int
    at_once: int
    total: int


def done(passed: Mapping[int, Passed]) -> str:
    """The number of passed checks of each lesson, and how many were at the first answer."""
    parts = []
    for n, (right, at_once, total) in passed.items():
        mark = f"✓ {LESSONS[n].short}" if right == total else f"{LESSONS[n].short} {right}/{total}"
        parts.append(f"{mark} ({at_once})" if right else mark)
    return "Checks passed (in brackets: at the first answer): " + " · ".join(parts)


def no_such_word(word: str) -> str:
    """The sentence on a typed word that the vocabulary lacks."""
    if not word:
        return "Type a word, such as **doctor**."
    return f"**{plain(word)}** is not among the {WORDS:,} words: try another one."


SAME_WORDS = "Choose two different words."


# ----------------------------------------------------------------------------------------- labels


def ratio(value: float | str) -> str:
    """An option that says how many times."""
    value = float(value)
    if math.isinf(value):
        return "any number of times"
    if f"{value:.3g}" == "1":
        return "1 time: no difference"
    return f"{value:.3g} times" if value < 100 else times(math.log(value))


def chance(value: float | str) -> str:
    """An option that is a probability."""
    return percent(float(value))


def length(value: float | str) -> str:
    """An option that is a distance."""
    return f"{float(value):.2g}"


def whole(value: float | str) -> str:
    """An option that is a number of words."""
    return f"{float(value):.0f}"


# -------------------------------------------------------------------------------------- hand-out


class Answered(NamedTuple):
    """A check as it was answered: the last question and answer, why, and the first answer."""

    question: str
    chosen: str
    right: bool
    why: str
    first: str
    first_right: bool


def handout(
    guesses: Mapping[int, str],
    findings: Mapping[int, list[str]],
    answers: Mapping[int, Mapping[str, Answered]],
) -> str:
    """The student's own figures, as Markdown to take along."""
    lines = ["# WordVeil: what I found out", "", without_marks(VOCABULARY), ""]
    for n, lesson in LESSONS.items():
        lines += [f"## {n}. {lesson.title}", ""]
        lines += [f"- My guess: {guesses[n]}"] if n in guesses else ["- No guess yet."]
        lines += [f"- {line}" for line in findings.get(n, [])]
        for answered in answers.get(n, {}).values():
            lines += [f"- Question: {answered.question}"]
            if answered.first != answered.chosen:
                lines += [f"  - My first answer: {answered.first} ({_mark(answered.first_right)})"]
            lines += [
                f"  - My answer: {answered.chosen} ({_mark(answered.right)})",
                f"  - {answered.why}",
            ]
        lines += [f"- To discuss: {lesson.discuss}", ""]
    return "\n".join(lines)


def _mark(right: bool) -> str:
    return "right" if right else "not yet right"


def log_ratio(one: float, other: float) -> float:
    """log of one chance over another; infinite if the other is 0."""
    return math.inf if other == 0 else math.log(one / other)
