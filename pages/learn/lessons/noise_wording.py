"""The words of lesson 3, noise or choice."""

from __future__ import annotations

from collections.abc import Sequence

from pages.learn.wording import DIMENSIONS
from pages.shared.prose import number, percent, plain

BOTH = "both equally often"


def noise_story(crowded: str, lonely: str, near: float, far: float) -> str:
    """The prediction about a crowded and a lonely word."""
    return (
        "CMP moves the point of a word by random noise, with the same law for every word. Then it "
        f"releases the word nearest to the new point. *{plain(crowded)}* has a neighbour at "
        f"distance {near:.2f}; *{plain(lonely)}* has none nearer than {far:.2f}. **Which of the "
        "two is replaced more often?**"
    )


def noise_finding(
    words: tuple[str, str],
    nearest: tuple[float, float],
    mean_length: float,
    weights: tuple[float, float],
    guess: str | None,
) -> str:
    """The finding of the four bars, and the reason."""
    crowded, lonely = map(plain, words)
    said = (
        f"**CMP**: for every word, the noise is **{mean_length:.2g}** long on average (the number "
        f"of dimensions divided by ε). The nearest neighbour of *{crowded}* is {nearest[0]:.2f} "
        f"away, that of *{lonely}* {nearest[1]:.2f}. **TEM** adds no noise. A word at distance d "
        "has weight e^(−ε d/2), so the word itself has weight 1. The nearest neighbour of "
        f"*{crowded}* has weight {number(weights[0])}, that of *{lonely}* {number(weights[1])}."
    )
    return f"{said} You guessed: {plain(guess)}." if guess else said


def stays_finding(words: tuple[str, str], noise: Sequence[float], choice: Sequence[float]) -> str:
    """The shares with which two words stay, under CMP and under TEM."""
    both = (
        f"Under {name}, *{plain(words[0])}* stays {percent(float(values[0]))} of the time, and "
        f"*{plain(words[1])}* {percent(float(values[1]))}."
        for name, values in (("CMP", noise), ("TEM", choice))
    )
    return " ".join(both)


HOW_TO_READ_STAYS = (
    "How to read this: each bar shows how often a word stays unchanged, N_w. The lower the bar, "
    "the more often the word is replaced. The lines on CMP's bars are 95 % intervals; TEM's bars "
    "are exact."
)


def length_question(epsilon: float) -> str:
    """Question 3.1."""
    return (
        "The mean length of CMP's noise is the number of dimensions divided by ε: "
        f"{DIMENSIONS}/{number(epsilon)} = {DIMENSIONS / epsilon:.2g}. You **halve ε**. How long "
        "is the noise now?"
    )


def length_answer(chosen: str, epsilon: float) -> str:
    """The explanation of an answer to 3.1."""
    return {
        "right": f"{DIMENSIONS} / {number(epsilon / 2)}: half the ε, twice the noise.",
        "same": "ε is in the denominator: changing it changes the noise.",
        "half": "A smaller ε means more privacy, so more noise: ε is in the denominator.",
        "no_dimensions": f"1/ε is the length in one dimension. In {DIMENSIONS} dimensions the "
        f"noise is {DIMENSIONS} times as long on average.",
    }[chosen]


def replaced_question(words: tuple[str, str], tenth: tuple[float, float], epsilon: float) -> str:
    """Question 3.2."""
    return (
        f"Two new words: *{plain(words[0])}* has ten neighbours within {tenth[0]:.2f}, "
        f"*{plain(words[1])}* has its tenth at {tenth[1]:.2f}. Which one does CMP replace more "
        f"often at ε = {number(epsilon)}?"
    )


def replaced_answer(
    chosen: str, right: bool, words: tuple[str, str], unchanged: tuple[float, float]
) -> str:
    """The explanation of an answer to 3.2."""
    facts = (
        f"*{plain(words[0])}* stays {percent(unchanged[0])} of the time, *{plain(words[1])}* "
        f"{percent(unchanged[1])}."
    )
    if right:
        return f"{facts} The noise is the same for both, but the distance to other words differs."
    if chosen == "same":
        return f"{facts} The noise is the same, but in a crowd other words are nearer."
    return f"{facts} In a crowd, noise of the same length reaches another word more easily."


def preference_question(word: str, other: str, distance: float, epsilon: float) -> str:
    """Question 3.3."""
    return (
        f"TEM at ε = {number(epsilon)}: a word at distance d has weight e^(−ε d/2). "
        f"*{plain(other)}* is {distance:.2f} away from *{plain(word)}*. How many times likelier is "
        f"it that *{plain(word)}* stays than that *{plain(other)}* comes out?"
    )


def preference_answer(chosen: str, distance: float, epsilon: float) -> str:
    """The explanation of an answer to 3.3."""
    half = epsilon * distance / 2
    return {
        "right": f"1 / e^(−{half:.3g}) = e^{half:.3g}: the sum over all words cancels.",
        "no_half": "That is e^(ε d), the promise. TEM uses only ε d/2 for the weight. The sum of "
        "all weights differs between two inputs and may take the other half.",
        "no_exponent": f"{half:.3g} is only the exponent. Weights are powers of e, so the answer "
        f"is e^{half:.3g}.",
        "nothing": "The two would have equal weights only at distance 0. A nearer word has more "
        "weight.",
    }[chosen].replace("^(", r"\^(")
