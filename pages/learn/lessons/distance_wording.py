"""The words of lesson 2, on close and distant words."""

from __future__ import annotations

import math
from collections.abc import Mapping

from measures.lessons import RatioParts
from pages.learn.wording import ratio
from pages.shared.prose import number, plain, times

PAIR_STORY = (
    "A mechanism replaces a word by a random one, and near words come out more often than far "
    "ones. You see the released word, and you know the mechanism and its ε. You wonder which of "
    "two words was typed. **For which pair can you be less sure?**"
)


PAIR_GUESSES = {
    "near": "doctor or physician",
    "far": "doctor or river",
    "same": "both equally hard: it is the same ε",
}


def odds_finding(
    word: str, near: tuple[str, float], far: tuple[str, float], epsilon: float, guess: str | None
) -> str:
    """The finding of the figure of odds against distance."""
    said = (
        f"At ε = {number(epsilon)}, an output can make the odds of *{plain(word)}* against "
        f"*{plain(near[0])}* ({near[1]:.2f} apart) at most **{times(epsilon * near[1])}** as high. "
        f"Against *{plain(far[0])}* ({far[1]:.2f} apart), it can make them at most "
        f"**{times(epsilon * far[1])}** as high."
    )
    if not guess:
        return said
    return f"{said} You guessed: {guess}. The nearer pair is harder to tell apart."


HOW_TO_READ_ODDS = (
    "How to read this: further right are words at a larger distance d. The height is how far the "
    "most revealing output moves the odds. The line is the promise e^(ε d): each unit of distance "
    "multiplies it by e^ε. The dots are the exact values for TEM. **The nearer two words are, the "
    "less an output reveals which of them was typed. Two far words are easier to tell apart, and "
    "so is the topic.**"
)


def below_the_line(
    word: str, other: tuple[str, float], epsilon: float, parts: RatioParts, gamma: float
) -> str:
    """The explanation, with numbers, why an output moves the odds less than the promise allows."""
    name, distance = other
    weight = "e^(−ε d/2)"
    if distance > gamma:
        weight = f"{weight} (only up to γ = {number(gamma)})"
    return (
        f"**Why the dots lie below the line.** TEM's weight is {weight}. By the weights alone, "
        f"seeing *{plain(word)}* makes its odds against *{plain(name)}* {times(parts.weights)} as "
        "high. The other half of ε d is reserved for the sum of all weights, since that sum "
        f"differs between two inputs: here it contributes {_factor(parts.sums)}. Together that is "
        f"{times(parts.log_ratio)}; the promise allows {times(epsilon * distance)}."
    ).replace("^(", r"\^(")


def _factor(log_factor: float) -> str:
    """A factor on either side of 1."""
    return f"a factor of {math.exp(log_factor):.3g}"


def cap_question(word: str, other: str, distance: float, epsilon: float) -> str:
    """Question 2.1."""
    return (
        f"*{plain(word)}* and *{plain(other)}* are {distance:.2f} apart, and ε = "
        f"{number(epsilon)}. By how much can an output move their odds, at most?"
    )


def cap_answer(chosen: str, distance: float, epsilon: float) -> str:
    """The explanation of an answer to 2.1."""
    power = f"e^({number(epsilon)} · {distance:.2f})"
    return {
        "right": f"{plain(power)} = {ratio(math.exp(epsilon * distance))}.",
        "no_distance": "e^ε is for words one unit apart; these are "
        f"{distance:.2f} units apart, and each unit multiplies by e^ε once more.",
        "no_exponent": f"{number(epsilon)} · {distance:.2f} is the exponent: the factors of all "
        "units multiply, they do not add up.",
        "nothing": (
            "No difference would mean that no output reveals anything. That is true only for words "
            "at distance 0, or for ε = 0."
        ),
    }[chosen]


def certainty_question(word: str, other: str, distance: float, epsilon: float) -> str:
    """Question 2.2."""
    cap = ratio(math.exp(epsilon * distance))
    return (
        f"An adversary thinks *{plain(word)}* and *{plain(other)}* equally likely: odds of 1 : 1. "
        f"An output can make them at most {cap} as high. How sure can the adversary become, at "
        "most?"
    )


def certainty_answer(chosen: str, distance: float, epsilon: float) -> str:
    """The explanation of an answer to 2.2."""
    cap = ratio(math.exp(epsilon * distance)).removesuffix(" times")
    return {
        "right": f"Odds of {cap} : 1 are a probability of {cap} / ({cap} + 1).",
        "one_less": f"1 − 1/{cap} treats the odds as one in {cap}. Odds of {cap} : 1 are {cap} "
        f"cases against 1, of {cap} + 1 in all.",
        "nothing": "50 % was the chance before. The output can move the odds.",
        "certain": "Finite odds are never certainty. That is what a finite ε promises.",
    }[chosen]


def hidden_question(word: str) -> str:
    """Question 2.3."""
    return f"At this ε, from which word is *{plain(word)}* hardest to tell apart?"


def hidden_answer(right: bool, distances: Mapping[str, float], epsilon: float) -> str:
    """The explanation of an answer to 2.3."""
    caps = ", ".join(
        f"*{plain(word)}* {times(epsilon * distance)}" for word, distance in distances.items()
    )
    if right:
        return f"The odds move at most: {caps}. The smallest distance hides best."
    return f"The odds move at most: {caps}. Look for the smallest."
