"""The words of the γ page."""

from __future__ import annotations

import math

from measures.words.ball import Balls, Theorem
from measures.words.density import Landmarks
from mechanisms import Vocabulary
from pages.shared.prose import _tex, number, number_up, percent, plain
from release.grammar import counted

GAMMA_INTRODUCTION = (
    "TEM looks at the words within a distance γ of yours, its *ball*, and treats all words farther "
    "away as if they were at distance γ. Theorem 4.2 links γ, ε and the chance β of leaving the "
    "ball: any two of them determine the third. The privacy promise is the same at every γ. So "
    "take the γ of the theorem: with a smaller γ far words come out more often, and a larger γ "
    "changes little."
)


GAMMA_TERMS = (
    "- **ε** is the privacy budget per unit of distance. Smaller: more private, more random.\n"
    "- **γ** is the radius of the ball, in the units of the embedding.\n"
    "- **β** is the largest chance, over all words, that the released word lies outside the ball.\n"
    "- **|W|** is the number of words in the vocabulary.\n"
    "- **L_w** is the set of words in the ball of a word w, including w.\n\n"
    "Privacy comes from ε alone: TEM is ε-metric-DP at **every** γ. γ decides how far away the "
    "words that come out may be."
)


FIND = {"gamma": "γ", "beta": "β", "epsilon": "ε"}


def theorem(found: Theorem, sought: str) -> str:
    """The answer, as a heading."""
    if found.words == 1:
        return "With a single word the ball cannot be left: any γ will do"
    if sought == "gamma" and found.gamma <= 0:
        return f"Any γ will do (the theorem's value is {number_up(found.gamma)}, not above 0)"
    symbol, value = {
        "gamma": ("γ", found.gamma),
        "beta": ("β", found.beta),
        "epsilon": ("ε", found.epsilon),
    }[sought]
    return f"{symbol} = {number_up(value)}"


def theorem_meaning(found: Theorem, sought: str) -> str:
    """What the answer promises, in a sentence, with the edge cases explained."""
    if found.words == 1:
        return "The only word always comes out. Type a larger |W|, or leave it empty."
    if sought != "gamma" and found.gamma == 0:
        return (
            f"With γ = 0 the ball holds only the word itself, and all {found.words:,} words are "
            "equally likely, whatever ε is. So another word comes out "
            f"{found.others:,} times out of {found.words:,}: β = {number_up(found.beta)}."
        )
    if found.gamma <= 0:
        return (
            f"A uniform draw over all {found.words:,} words replaces the word with probability "
            f"{found.others:,}/{found.words:,}, and β = {number(found.beta)} allows that already. "
            "TEM then takes γ = 0, and every word is equally likely."
        )
    return (
        f"With ε = {number_up(found.epsilon)}, TEM leaves the ball of radius "
        f"γ = {number_up(found.gamma)} with probability at most β = {number_up(found.beta)}. This "
        f"holds for every word in any vocabulary of {found.words:,} words. Numbers are rounded up."
    )


def gamma_among_distances(gamma: float, marks: Landmarks | None) -> str:
    """What a ball of this radius holds, judged by typical distances."""
    if marks is None:
        return ""
    if gamma < marks.nearest:
        holds = (
            "The ball of a typical word holds only that word, so the word mostly comes out "
            "unchanged. For deniability take a smaller ε, which makes γ larger."
        )
    elif gamma < marks.tenth:
        holds = "The ball of a typical word holds a few close words."
    elif gamma < marks.any_two:
        holds = "The ball of a typical word holds tens to thousands of words."
    else:
        holds = (
            "The ball of a typical word holds more than half of the vocabulary: at this ε hardly "
            "any word is cut off, and TEM does what SanText does."
        )
    return (
        f"{holds} (Typical distances in the loaded vocabulary: nearest word {marks.nearest:.2f}, "
        f"10th nearest {marks.tenth:.2f}, two random words {marks.any_two:.2f}.)"
    )


def distance_marks(marks: Landmarks | None) -> dict[str, float]:
    """Typical distances by the names that a figure shows."""
    if marks is None:
        return {}
    return {"nearest word, typically": marks.nearest, "two words at random": marks.any_two}


def gamma_curves_finding(found: Theorem) -> str:
    """The figure of γ against ε in a sentence."""
    return (
        f"γ falls as 1/ε: twice the ε halves γ. β matters little: for {found.words:,} words, a β "
        "ten times smaller raises γ by only 4.6/ε. The chosen point is "
        f"ε = {number_up(found.epsilon)}, γ = {number_up(found.gamma)}."
    )


HOW_TO_READ_GAMMA_CURVES = (
    "How to read this: pick ε on the horizontal axis, go up to the curve of your β, and read γ at "
    "the left; both axes are logarithmic. The dotted lines are distances in the loaded vocabulary: "
    "a γ below the lower one leaves most words alone in their ball."
)


def derivation(found: Theorem, sought: str) -> str:
    """Theorem 4.2 step by step, with the numbers of the moment."""
    if found.words == 1 or not math.isfinite(found.gamma):
        return "With a single word there is nothing outside the ball, and so nothing to derive."
    e, g, b, k = (_tex(v) for v in (found.epsilon, found.gamma, found.beta, found.others))
    weight, outside = _tex(found.outside_weight), _tex(found.all_outside)
    chance = rf"\dfrac{{{outside}}}{{1 + {outside}}} = {b}"
    steps = [
        "**1. Weights.** TEM draws each word by a weight: 1 for the word itself, "
        r"$e^{-\varepsilon d/2}$ for a word at distance $d$ inside the ball, and for every word "
        "outside, however far,"
        f"\n\n$$e^{{-\\varepsilon\\gamma/2}} = e^{{-{e} \\cdot {g} / 2}} = {weight}.$$",
        "**2. The worst case.** The word is alone in its ball, and all others, "
        f"$K = |W| - 1 = {k}$, are outside. Any further word inside would take weight from "
        "outside and give more of it to the inside, so the ball would be left less often.",
        "**3. The chance to leave** is the weight outside over all weight:"
        "\n\n$$\\dfrac{K e^{-\\varepsilon\\gamma/2}}{1 + K e^{-\\varepsilon\\gamma/2}} = "
        f"{chance}.$$",
    ]
    if sought == "beta":
        steps.append("That is β, and nothing is left to solve.")
        return "\n\n".join(steps)
    logarithm = _tex(found.epsilon * found.gamma / 2)
    solved, by, value = (
        (r"\gamma", r"\varepsilon", g) if sought == "gamma" else (r"\varepsilon", r"\gamma", e)
    )
    other = e if sought == "gamma" else g
    steps += [
        "**4. It must be at most β.** Multiply by the denominator and sort:"
        "\n\n$$e^{\\varepsilon\\gamma/2} \\ge \\dfrac{(1 - \\beta) K}{\\beta} = "
        f"\\dfrac{{(1 - {b}) \\cdot {k}}}{{{b}}} = {_tex(found.odds)}.$$",
        f"**5. Take logarithms and solve for ${solved}$:**"
        f"\n\n$${solved} \\ge \\dfrac{{2}}{{{by}}} \\ln \\dfrac{{(1 - \\beta) K}}{{\\beta}} = "
        f"\\dfrac{{2}}{{{other}}} \\cdot {logarithm} = {value}.$$",
        "**6. Check.** Step 3 was computed from these numbers and returns β again. On screen the "
        "answer is rounded up, so that the promise holds with the number you copy; the mechanism "
        "itself computes with all digits.",
    ]
    return "\n\n".join(steps)


def balls_finding(found: Balls, bound: float, vocabulary: Vocabulary) -> str:
    """Sampled words against the bound: the worst, the typical, and those that are alone."""
    size, total = len(vocabulary), len(found.word_ids)
    worst = found.worst
    name = plain(vocabulary.words[found.word_ids[worst]])
    alone = int((found.inside == 1).sum())
    whole = int((found.inside == size).sum())
    if found.leaving[worst] == 0:
        return (
            f"γ is so large that each ball holds all {size:,} words, so none of "
            f"{counted(total, 'word')} can leave its ball, and γ cuts nothing off."
        )
    parts = [
        f"The worst of {counted(total, 'word')} is **{name}**: it leaves its ball of "
        f"{counted(int(found.inside[worst]), 'word')} with probability "
        f"**{number_up(float(found.leaving[worst]))}**; the bound is {number_up(bound)}."
    ]
    if bound > 0 and not whole:
        share = sorted(found.leaving / bound)[total // 2]
        parts.append(f"The median word reaches {percent(min(1.0, float(share)))} of the bound.")
    if alone:
        parts.append(
            f"For {alone} of {counted(total, 'word')}, the ball holds only the word itself. Such a "
            "word meets the bound exactly: it comes out unchanged unless its ball is left."
        )
    if whole:
        parts.append(
            f"For {whole} of {counted(total, 'word')}, the ball holds the whole vocabulary. It "
            "cannot be left, and γ cuts nothing off."
        )
    return " ".join(parts)


def unknown_words(words: list[str]) -> str:
    """Words that a visitor named and the vocabulary lacks."""
    return f"Not in this vocabulary: {', '.join(plain(word[:40]) for word in words)}."


def theorems_gamma(gamma: float) -> str:
    """The theorem's γ in a legend."""
    return f"theorem, γ = {number_up(gamma)}"


def own_gamma(gamma: float) -> str:
    """The visitor's γ in a legend."""
    return f"own, γ = {number(gamma)}"


def gamma_marks(gamma: float, own: float | None) -> dict[str, float]:
    """The γ that a figure over γ marks."""
    marks = {theorems_gamma(gamma): gamma}
    return marks if own is None else marks | {own_gamma(own): own}


def own_gamma_finding(own: Balls, gamma: float, bound: float, theorem_gamma: float) -> str:
    """What the visitor's γ changes, in words."""
    side = "below" if gamma < theorem_gamma else "above" if gamma > theorem_gamma else "equal to"
    return (
        f"Your γ = {number(gamma)} is {side} the theorem's {number_up(theorem_gamma)}. It bounds "
        f"the chance to leave the ball by β = {number_up(bound)}; the worst of these words leaves "
        f"it with probability {number_up(float(own.leaving[own.worst]))}. On average these words "
        f"are unchanged with probability {percent(float(own.unchanged.mean()))}."
    )


HOW_TO_READ_LEAVING = (
    "How to read this: each point is a word. Further right, the ball of the word holds more words. "
    "The height is the exact probability that the released word lies outside of the ball. At the "
    "theorem's γ no point can lie above the dashed line. Close neighbours put a word below it."
)


HOW_TO_READ_BY_GAMMA = (
    "How to read this: the curves show one word at every γ, at the ε above. At γ = 0 all words are "
    "equally likely. As γ grows, the ball is left less often, never more often than the dashed "
    "bound, and the word stays more often. A γ beyond the farthest word changes nothing more."
)


def by_gamma_finding(word: str, gamma: float, own: float | None) -> str:
    """The figure of one word at every γ, in sentences."""
    said = [
        f"{plain(word)}: the chance to leave the ball falls with γ, always under the bound.",
        f"The theorem's γ is {number_up(gamma)}.",
    ]
    if own is not None:
        said.append(f"Your γ is {number(own)}.")
    return " ".join(said)


def use_in_tem(theorem: Theorem) -> str:
    """On the button that hands ε and γ to TEM."""
    return f"✍️ Use TEM with ε = {number(theorem.epsilon)} and γ = {number(theorem.gamma)}"
