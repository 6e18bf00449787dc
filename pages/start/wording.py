"""The words of the Start page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from measures.attacks.recovery import Row
from measures.words.dissolution import Dissolution
from mechanisms import Vocabulary
from pages.shared.prose import escaped, number, percent, plain

PURPOSE = (
    "WordVeil replaces the words of a text at random, by close words more often than by distant "
    "ones, to leave a reader in doubt about the words that were typed. It shows how much this "
    "protects, and how much of the text remains."
)

GIVING_WAY = "Move ε, and watch the words give way"

EXAMPLE = ("my", "doctor", "said", "the", "actor", "looked", "tired", "and", "sad")


LIMITS_TITLE = "What it does not protect"
LIMITS = (
    "- **The topic.** Words that lie close together are hard to tell apart afterwards; words far "
    "apart, such as *doctor* and *river*, need not be.\n"
    "- **The shape of the text.** Its length, the order of its words, its commas and full stops "
    "stay.\n"
    "- **Every single word.** A word can come out as it was typed, and at a large ε most do.\n"
    "- **The words around a word.** They can give it away.\n"
    "- **A second draw.** Each new version of the same text reveals more about it."
)


def labels(words: Iterable[str]) -> list[str]:
    """Words as text that a figure shows as it is."""
    return [escaped(word) for word in words]


def sentence(typed: Sequence[str], released: Sequence[str]) -> str:
    """The words along one ε as markup, every other word than the typed one set off."""
    words = (
        f'<span class="wv-changed">{escaped(after)}</span>' if before != after else escaped(after)
        for before, after in zip(typed, released, strict=True)
    )
    return f'<div class="wv-version wv-first">{" ".join(words)}</div>'


def finding(example: Dissolution, epsilon: float) -> str:
    """How many words of the example are as they were typed, at one ε."""
    total, same = len(example.word_ids), example.unchanged_at(epsilon)
    return f"At ε = {number(epsilon)}, **{same} of {total}** words are unchanged."


def how_the_example_was_made(vocabulary: Vocabulary) -> str:
    """Which draw the figure shows."""
    return (
        "One draw of CMP for a fixed sentence, the same for every visitor, over "
        f"{len(vocabulary):,} words. The randomness is held fixed and only its size changes with "
        "ε. A picture of this kind reveals the typed words, so it is only for teaching."
    )


def second_draw(rows: Sequence[Row]) -> str:
    """How many words an adversary names from one release, and from the most that were tried."""
    mine = [row for row in rows if row.mechanism == rows[0].mechanism]
    first, last = mine[0], mine[-1]
    return (
        "*Nurse*, *surgeon*, *physician*: three versions of one word point at it, although "
        "none of them is the word itself.\n\n"
        f"Measured on {first.words:,} words of film reviews: {plain(first.mechanism)} at "
        f"ε = {number(first.epsilon)} leaves {percent(first.n_w.value)} of the words unchanged. "
        f"From one version an adversary names **{percent(first.success.value)}** of them "
        f"(95 % interval {percent(first.success.low)} to {percent(first.success.high)}), from "
        f"{last.releases} versions **{percent(last.success.value)}** "
        f"({percent(last.success.low)} to {percent(last.success.high)}). "
        f"Each version costs its ε again: {last.releases} × {number(last.epsilon)} = "
        f"{number(last.releases * last.epsilon)}. "
        "So decide on a version before you see a second one."
    )
