"""What the lesson about noise says."""

from __future__ import annotations

from collections.abc import Sequence

from pages.learn.wording import DIMENSIONS
from pages.shared.prose import number, percent, plain


def noise_story(crowded: str, lonely: str, near: float, far: float) -> str:
    """What is to be predicted of a crowded and a lonely word."""
    return (
        "CMP moves a word's point by random noise, with the same law for every word, and releases "
        f"the word nearest to where it lands. *{plain(crowded)}* has a neighbour at {near:.2f}, "
        f"*{plain(lonely)}* none nearer than {far:.2f}. **Which one is replaced more often?**"
    )


def noise_finding(
    words: tuple[str, str],
    nearest: tuple[float, float],
    mean_length: float,
    weights: tuple[float, float],
    guess: str | None,
) -> str:
    """What the four bars show, and why."""
    crowded, lonely = map(plain, words)
    told = f" You guessed: {plain(guess)}." if guess else ""
    return (
        f"**CMP**: the noise is **{mean_length:.2g}** long on average (the number of dimensions "
        f"over ε) for every word. The nearest neighbour of *{crowded}* is {nearest[0]:.2f} away, "
        f"that of *{lonely}* {nearest[1]:.2f}. **TEM** has no noise: a word at distance d "
        "weighs e^(−ε d/2), the word itself 1. The nearest one weighs "
        f"{number(weights[0])} next to *{crowded}*, {number(weights[1])} next to *{lonely}*." + told
    )


def stays_finding(words: tuple[str, str], noise: Sequence[float], choice: Sequence[float]) -> str:
    """How often two words stay, by CMP and by TEM."""
    both = (
        f"{name} leaves *{plain(words[0])}* {percent(float(values[0]))} and *{plain(words[1])}* "
        f"{percent(float(values[1]))} of the time"
        for name, values in (("CMP", noise), ("TEM", choice))
    )
    return "; ".join(both) + "."


HOW_TO_READ_STAYS = (
    "How to read this: how often each word stays as it is, N_w. The lower the bar, the more often "
    "the word is replaced. Lines on CMP's bars: 95 % intervals; TEM's are exact."
)


def length_question(epsilon: float) -> str:
    """Question 3.1."""
    return (
        f"CMP's noise is as long as the number of dimensions over ε, on average: "
        f"{DIMENSIONS}/{number(epsilon)} = {DIMENSIONS / epsilon:.2g}. You **halve ε**. How long "
        "is it now?"
    )


def length_answer(chosen: str, epsilon: float) -> str:
    """Why an answer to 3.1 is right or wrong."""
    return {
        "right": f"{DIMENSIONS} / {number(epsilon / 2)}: half the ε, twice the noise.",
        "same": "ε is in the denominator: changing it changes the noise.",
        "half": "A smaller ε means more privacy, so more noise: ε is in the denominator.",
        "no_dimensions": f"1/ε is the scale in one dimension; over all {DIMENSIONS} dimensions the "
        "noise is that many times as long.",
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
    """Why an answer to 3.2 is right or wrong."""
    facts = (
        f"*{plain(words[0])}* stays {percent(unchanged[0])} of the time, *{plain(words[1])}* "
        f"{percent(unchanged[1])}. "
    )
    if right:
        return facts + "The noise is the same; what differs is how soon another word is nearer."
    if chosen == "same":
        return (
            facts
            + "The noise is the same, its surroundings are not: in a crowd, other words are near."
        )
    return facts + "Noise of one length reaches another word more easily in a crowd."


def preference_question(word: str, other: str, distance: float, epsilon: float) -> str:
    """Question 3.3."""
    return (
        f"TEM at ε = {number(epsilon)}: a word at distance d weighs e^(−ε d/2). How many times "
        f"likelier does *{plain(word)}* stay than become *{plain(other)}*, {distance:.2f} away?"
    )


def preference_answer(chosen: str, distance: float, epsilon: float) -> str:
    """Why an answer to 3.3 is right or wrong."""
    half = epsilon * distance / 2
    return {
        "right": f"1 / e^(−{half:.3g}) = e^{half:.3g}: the sum over all words cancels.",
        "no_half": "That is e^(ε d), the promise. TEM scores with ε d/2, since the sum over all "
        "words, which differs between two inputs, may take the other half.",
        "no_exponent": f"{half:.3g} is only the exponent: weights are powers of e, so "
        f"take e^{half:.3g}.",
        "nothing": "The two would have equal weights only at distance 0: the nearer, the heavier.",
    }[chosen].replace("^(", r"\^(")
