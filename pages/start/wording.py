"""The words of the Start page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from measures.attacks.recovery import Row
from measures.words.dissolution import Dissolution
from mechanisms import Vocabulary
from pages.shared.prose import escaped, number, percent, plain

PURPOSE = (
    "WordVeil replaces the words of a text at random. Words used in similar ways are drawn more "
    "often than others, and a word can also stay. This is meant to leave a reader in doubt about "
    "the original words. WordVeil shows how much it protects, and how much of the text survives."
)

GIVING_WAY = "Move ε, and watch the words change"

EXAMPLE = ("my", "doctor", "said", "the", "actor", "looked", "tired", "and", "sad")


LIMITS_TITLE = "What it does not protect"
LIMITS = (
    "- **The topic.** The promise is about close words. Distant words, such as *doctor* and "
    "*river*, may still be told apart.\n"
    "- **The shape of the text.** Its length, word order, commas and full stops stay the same.\n"
    "- **Every single word.** A word can come out as it was typed. At a large ε most words do.\n"
    "- **Words in context.** The words around a word can reveal it.\n"
    "- **Repeated draws.** Each new version of the same text reveals more about it."
)


def labels(words: Iterable[str]) -> list[str]:
    """Words as text that a figure shows as it is."""
    return [escaped(word) for word in words]


def sentence(typed: Sequence[str], released: Sequence[str]) -> str:
    """The words at one ε as markup, with replaced words highlighted."""
    words = (
        f'<span class="wv-changed">{escaped(after)}</span>' if before != after else escaped(after)
        for before, after in zip(typed, released, strict=True)
    )
    return f'<div class="wv-version wv-first">{" ".join(words)}</div>'


def finding(example: Dissolution, epsilon: float) -> str:
    """The number of unchanged words of the example at one ε."""
    total, same = len(example.word_ids), example.unchanged_at(epsilon)
    return f"At ε = {number(epsilon)}, **{same} of {total}** words are unchanged."


def how_the_example_was_made(vocabulary: Vocabulary) -> str:
    """The caption on the draw that the figure shows."""
    return (
        "This is one draw of the mechanism CMP for a fixed sentence, the same for every visitor. "
        f"Any of {len(vocabulary):,} words can come out. The direction of the noise stays the same "
        "at every ε; only its length changes. Such a picture reveals the typed words, so it is for "
        "teaching only."
    )


def second_draw(rows: Sequence[Row]) -> str:
    """The shares of words that an adversary guesses from one release and from several."""
    mine = [row for row in rows if row.mechanism == rows[0].mechanism]
    first, last = mine[0], mine[-1]
    return (
        "Suppose that three private versions of one word are *nurse*, *surgeon* and *physician*. "
        "None of them is the typed word, but together they point to it.\n\n"
        f"We measured this on {first.words:,} words of film reviews. At "
        f"ε = {number(first.epsilon)}, {plain(first.mechanism)} leaves "
        f"{percent(first.n_w.value)} of the words unchanged. An adversary who sees one version "
        f"guesses **{percent(first.success.value)}** of all the words correctly (95 % interval "
        f"{percent(first.success.low)} to {percent(first.success.high)}). An adversary who sees "
        f"{last.releases} versions guesses **{percent(last.success.value)}** "
        f"({percent(last.success.low)} to {percent(last.success.high)}).\n\n"
        f"Each version costs its ε again: {last.releases} × {number(last.epsilon)} = "
        f"{number(last.releases * last.epsilon)}. So draw one version, once."
    )
