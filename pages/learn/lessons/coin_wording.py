"""The words of lesson 1, a coin and then a word."""

from __future__ import annotations

import re

from pages.learn.wording import log_ratio, ratio
from pages.shared.prose import percent, plain, times, whole_percent

COIN_STORY = (
    "A teacher wants to know how many students have copied homework, but nobody should have to "
    "confess. Each student tosses a coin that nobody else sees. **Heads: answer truthfully. Tails: "
    "toss again, and say *yes* for heads, *no* for tails.**\n\nMia says *yes*. Before, you thought "
    "it 50:50 that she copied. **How sure are you now?**"
)


COIN_SLIDER = "How often the first coin asks for the truth (t), in %"


COIN_GUESS = "Chance that Mia copied, in %"


def sentence_with(word: str, text: str) -> str:
    """The text if it has the word, otherwise a sentence with it."""
    if word in re.findall(r"\w+", text.lower()):
        return text
    return f"The word that I typed was {word}."


def coin_groups(truth: float, yes: float, no: float, guess: str | None) -> str:
    """The effect of the coin, in shares of students."""
    said = (
        f"The first coin asks for the truth {whole_percent(truth)} of the time (t). Together with "
        f"lucky answers by the second coin, {percent(yes)} of all answers are true. A *yes* is "
        f"**{ratio(yes / no)}** as likely from a student who copied (t + (1 − t)/2 = "
        f"{percent(yes)}) as from one who did not ((1 − t)/2 = {percent(no)}). If you thought it "
        f"50:50 before, a *yes* makes you **{percent(yes / (yes + no))}** sure."
    )
    return f"{said} You guessed {guess} for two fair coins: it is 75 %." if guess else said


def word_groups(word: str, other: str, stays: float, comes: float) -> str:
    """The effect of a mechanism on a word, in shares of people."""
    return (
        f"With words it is the same: *{plain(word)}* comes out for {percent(stays)} of the people "
        f"who typed it, and for {percent(comes)} of the people who typed *{plain(other)}*. So this "
        f"output is **{times(log_ratio(stays, comes))}** as likely if *{plain(word)}* was typed. "
        "That is evidence, but no proof: any word can come out for any other."
    )


def coin_question(truth: float) -> str:
    """Question 1.1."""
    return (
        f"With your coin (it asks for the truth {whole_percent(truth)} of the time): how many "
        "times likelier is a *yes* from someone who copied than from someone who did not?"
    )


def coin_answer(chosen: str, truth: float) -> str:
    """The explanation of an answer to 1.1."""
    yes, no = (1 + truth) / 2, (1 - truth) / 2
    return {
        "right": f"{percent(yes)} against {percent(no)}: {yes:.3g} / {no:.3g} = {yes / no:.3g}.",
        "no_luck": f"{whole_percent(truth)} / {percent(no)} forgets something: a student who "
        "copied also says *yes* when the first coin shows tails and the second heads. Add that to "
        "the numerator.",
        "nothing": f"Equally likely would mean that nothing is learnt, but {percent(yes)} of the "
        f"answers are true: {whole_percent(truth)} because the first coin asks for the truth, and "
        "half of the rest by luck.",
        "certain": f"{percent(no)} of the people who did not copy also say *yes*, so it is no "
        "proof. That is deniability.",
    }[chosen]


def word_question(word: str, other: str, stays: float, comes: float) -> str:
    """Question 1.2."""
    return (
        f"*{plain(word)}* came out. It comes out for {percent(stays)} of the people who typed it, "
        f"and for {percent(comes)} of the people who typed *{plain(other)}*. Before, both were "
        f"equally likely. How likely is it now that *{plain(word)}* was typed?"
    )


def word_answer(chosen: str, stays: float, comes: float) -> str:
    """The explanation of an answer to 1.2."""
    return {
        "right": f"As with the coin: {stays:.3g} / ({stays:.3g} + {comes:.3g}).",
        "forgot_the_other": f"{percent(stays)} is how often the word comes out once it was typed. "
        "The question goes the other way: of all people whose output is this word, how many typed "
        "it? Compare with the people who typed the other word.",
        "nothing": (
            "50 % was the chance before. The two words do not lead to this output equally often, "
            "so it is evidence."
        ),
        "certain": (
            f"The other word also leads to this output, in {percent(comes)} of cases, so it is not "
            "certain."
        ),
    }[chosen]
