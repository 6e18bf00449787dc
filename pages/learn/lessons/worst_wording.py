"""The words of lesson 4, on the worst word."""

from __future__ import annotations

from measures.lessons import Hundred
from mechanisms.estimate import Estimate
from pages.shared.prose import number, percent, plain, whole_percent
from release.grammar import counted, verb

WORST_STORY = (
    "CMP is applied to a hundred random words. ε is chosen so that a word stays unchanged **50 % "
    "of the time, on average over the words**. **One of these words stays most often. How often?**"
)


WORST_GUESS = "The worst word stays … % of the time"


def worst_finding(words: Hundred, epsilon: float, limit: float, worst: str) -> str:
    """The finding of the histogram."""
    breaking = words.breaking(epsilon, limit)
    all_words = counted(len(words.word_ids), "word")
    many = f"**{breaking} of the {all_words}**" if breaking else "No word"
    return (
        f"At ε = {number(epsilon)} a word is unchanged **{percent(words.mean(epsilon))}** of the "
        f"time on average; the worst word, *{plain(worst)}*, "
        f"**{percent(words.worst(epsilon)[1])}**. {many} {verb(breaking or 1, 'is', 'are')} "
        f"unchanged more often than your limit of {whole_percent(limit)}."
    )


def half_finding(epsilon: float, stays: Estimate, worst: str, guess: str | None) -> str:
    """The answer to the prediction: the worst word at a mean of half, and the guess."""
    said = (
        f"**At a mean of 50 %, the worst word, *{plain(worst)}*, stays "
        f"{percent(float(stays.value))} of the time** (ε = {epsilon:.3g}; "
        f"{percent(float(stays.low))} to {percent(float(stays.high))}, {stays.source})."
    )
    return f"{said} You guessed {guess}." if guess else said


def how_to_read_worst(words: Hundred) -> str:
    """The caption of the histogram, with its error."""
    return (
        "How to read this: each bar counts the words that stay about that often (N_w). The N_w of "
        f"a word is known within ± {100 * words.error:.1f} percentage points "
        f"({words.unchanged.source} of the noise)."
    )


def find_question(limit: float) -> str:
    """Question 4.1."""
    return (
        f"**No word at all may stay more than {whole_percent(limit)} of the time.** Find the "
        "largest ε on this slider that meets this limit."
    )


def find_answer(
    words: Hundred, chosen: float, right: float | None, limit: float, worst: str
) -> str:
    """The explanation of an answer to 4.1."""
    if right is None:
        return "No ε on the slider meets this limit: choose a higher limit in the second step."
    if chosen > right:
        broken = words.breaking(chosen, limit)
        return (
            f"At ε = {number(chosen)}, {counted(broken, 'word')} {verb(broken, 'stays', 'stay')} "
            f"more than {whole_percent(limit)} of the time, *{plain(worst)}* most: "
            f"{percent(words.worst(chosen)[1])}. The limit is for every word, not for the mean. Go "
            "left."
        )
    if chosen < right:
        return (
            f"At ε = {number(chosen)} no word breaks the limit, but a larger ε meets it too: the "
            f"worst word, *{plain(worst)}*, stays only {percent(words.worst(chosen)[1])} of the "
            "time. Go right."
        )
    return (
        f"*{plain(worst)}* decides: it stays {percent(words.worst(chosen)[1])} of the time here. "
        f"One step further, it stays more than {whole_percent(limit)} of the time. On average "
        f"words stay {percent(words.mean(chosen))} of the time here."
    )


def breaking_question(words: Hundred, limit: float) -> str:
    """Question 4.2."""
    epsilon = words.most_on_average(limit)
    return (
        f"Someone looks only at the *average*: at ε = {number(epsilon or 0)} words stay at most "
        f"{whole_percent(limit)} of the time on average. How many of the {len(words.word_ids)} "
        "words stay more often than that? (The slider helps.)"
    )


def breaking_answer(chosen: str, words: Hundred, limit: float) -> str:
    """The explanation of an answer to 4.2."""
    epsilon = words.most_on_average(limit) or 0.0
    count, worst = words.breaking(epsilon, limit), words.worst(epsilon)[1]
    return {
        "right": f"{counted(count, 'word')} {verb(count, 'stays', 'stay')} more than "
        f"{whole_percent(limit)} of the time, the worst word {percent(worst)}. The average "
        "promises nothing to any of them.",
        "none": "Some words are below the average, so other words must be above it.",
        "below": f"That many stay at most {whole_percent(limit)} of the time. Count the others.",
        "surely": f"That many stay more than {whole_percent((1 + limit) / 2)} of the time: the "
        f"limit is {whole_percent(limit)}.",
        "everywhere": "That many stay more often at the right end of the slider. Set it to this ε.",
    }[chosen]
