"""The words of lesson 5, on promises."""

from __future__ import annotations

from collections.abc import Iterable

from measures.lessons import Trial
from pages.learn.wording import ratio
from pages.shared.prose import number, percent, plain, times
from release.grammar import counted


def promise_story(word: str) -> str:
    """The prediction about Vickrey as published."""
    return (
        "A mechanism adds noise to a word's point, as CMP does. It then releases a near word **but "
        f"never the word itself**: anyone who types *{plain(word)}* never sees *{plain(word)}* "
        "come out. In lessons 3 and 4, a word that often stays was hidden badly. So a word that "
        "never stays should be hidden best. **Compared with CMP, which can return the word, is "
        "this …**"
    )


PROMISE_GUESSES = {"more": "more private", "less": "less private", "same": "equally private"}


def promise_finding(found: Trial, word: str, other: str, name: str, guess: str | None) -> str:
    """The finding of the two counts, compared with the promise."""
    said = [
        f"{name} promises that *{plain(word)}* comes out at most **e^(ε d) = "
        f"{ratio(found.promised)}** as often for one word as for the other."
    ]
    if found.guarantee.holds is False and found.from_word == 0:
        said.append(
            f"But seeing *{plain(word)}* **rules out** that *{plain(word)}* was typed. A word that "
            "stays too often is hidden badly (lessons 3 and 4), and a word that never stays is "
            "hidden even worse: an output leaves two words in doubt only if both lead to it, about "
            "equally often."
        )
    else:
        said.append(f"Seeing *{plain(word)}* leaves both words possible.")
    said.append(
        f"These draws show a factor of at least **{number(found.at_least)}** (95 % confidence), "
        f"{found.from_other} against {found.from_word} of {found.draws:,}."
    )
    said += [f"You guessed: {guess}."] if guess else []
    return " ".join(said).replace("^(", r"\^(")


KEEPERS = "Which mechanisms keep their promises"


def keepers(kept: Iterable[str], broken: Iterable[str]) -> str:
    """The mechanisms that keep their promise, and the mechanisms that break it."""
    return (
        "Tested at ε = 1, or at 1 plus twice the smallest ε if the mechanism has one. **Kept**: "
        f"{', '.join(kept)}. "
        f"**Broken**: {', '.join(broken)}. A proof shows that a promise is kept. One output that "
        "is possible for one word and impossible for another shows that it is broken. A kept "
        "promise can be weak: at ε = 1, an output may be "
        f"{times(6.0)} likelier for one word than for another if they are 6 apart."
    )


def impossible_question(word: str, other: str, name: str) -> str:
    """Question 5.1."""
    return (
        f"*{plain(word)}* came out of {name}. Which of *{plain(word)}* and *{plain(other)}* "
        "cannot have been typed?"
    )


def impossible_answer(chosen: str, found: Trial, word: str, other: str) -> str:
    """The explanation of an answer to 5.1."""
    counts = (
        f"*{plain(word)}* came out {counted(found.from_word, 'time')} in {found.draws:,} when it "
        f"was typed, and {counted(found.from_other, 'time')} when *{plain(other)}* was typed."
    )
    if found.guarantee.holds:
        return f"{counts} Both are possible: this mechanism keeps the input word as a candidate."
    if chosen == "word":
        return f"{counts} A word is never among its own candidates, so another word was typed."
    return f"{counts} By its rule, which of the two inputs never releases this word?"


def needed_question(name: str, epsilon: float) -> str:
    """Question 5.2."""
    return (
        f"{name} promises ε = {number(epsilon)}. At which ε would "
        "Pr[out | one word] ≤ e^(ε d) · Pr[out | other word] be true of it?"
    ).replace("^(", r"\^(")


def needed_answer(chosen: str, found: Trial) -> str:
    """The explanation of an answer to 5.2."""
    if found.guarantee.holds:
        return {
            "own": (
                "It keeps its promise: the choice looks at the noisy point only, and no later step "
                "can make a private result less private."
            ),
            "twice": "It needs no more than it promises: the choice looks at the noisy point only.",
            "none": "Both words lead to this output with positive probability, and the proof of "
            "CMP carries over: the choice looks at the noisy point only.",
        }[chosen]
    return {
        "none": "One probability is 0, the other is not: any finite e^(ε d) times 0 is 0.",
        "own": "With 0 on the right-hand side, e^(ε d) · 0 = 0 is smaller than the left-hand side.",
        "twice": "Twice the exponent still multiplies 0.",
    }[chosen].replace("^(", r"\^(")


def proof_question(found: Trial, word: str) -> str:
    """Question 5.3."""
    return (
        f"*{plain(word)}* came out {counted(found.from_other, 'time')} against {found.from_word}, "
        f"of {found.draws:,} draws each: a factor of at least {number(found.at_least)}, with 95 % "
        f"confidence. The promise allows at most {number(found.promised)}. What do these draws "
        "show?"
    )


def proof_answer(chosen: str, found: Trial) -> str:
    """The explanation of an answer to 5.3."""
    facts = (
        f"The draws show a factor of at least {number(found.at_least)}; the promise allows at most "
        f"{number(found.promised)}."
    )
    if found.at_least > found.promised:
        why = {
            "broken": f"0 of {found.draws:,} draws does not show that the probability is 0, only "
            f"that it is below {percent(3.7 / found.draws)} (97.5 % confidence). Chance alone does "
            "not explain the difference between the two counts. The proof is the rule itself: the "
            "word is never a candidate.",
            "kept": "The factor is larger than promised.",
            "nothing": "The factor is larger than promised, and chance does not explain it.",
        }
    else:
        why = {
            "broken": "The factor is smaller than promised, so nothing contradicts the promise.",
            "kept": (
                "Other outputs, other words and rarer events were not tested. Draws can refute a "
                "promise; only a proof can establish it."
            ),
            "nothing": "Draws can refute a promise; only a proof can establish it.",
        }
    return f"{facts} {why.get(chosen, '')}".strip()


IMPOSSIBLE_OPTIONS = {"neither": "neither: both are possible"}


NEEDED_OPTIONS = {"own": "the one promised", "twice": "twice that", "none": "at no finite ε"}


PROOF_OPTIONS = {
    "broken": "that the promise is broken",
    "kept": "that the promise is kept",
    "nothing": "neither of the two",
}
