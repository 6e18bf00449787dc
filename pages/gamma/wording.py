"""The words of the γ page."""

from __future__ import annotations

import math

from measures.words.ball import Balls, Theorem
from measures.words.density import Landmarks
from mechanisms import Vocabulary
from pages.shared.prose import number, number_up, percent, plain
from release.grammar import counted

GAMMA_INTRODUCTION = (
    "TEM looks at the words within a distance γ of yours, its *ball*, and treats all words farther "
    "away as if they were at distance γ. Theorem 4.2 links γ, ε and β, a limit on the probability "
    "of leaving the ball: in a given vocabulary, any two of them determine the third. The promise "
    "about any two words of the vocabulary is the same at every γ. So take the γ of the theorem: "
    "with a smaller γ far words come out more often, and a larger γ changes little."
)


GAMMA_TERMS = (
    "- **ε** is the privacy budget per unit of distance. The smaller it is, the more random is the "
    "output, and the less it reveals.\n"
    "- **γ** is the radius of the ball, in the units of the embedding.\n"
    "- **β** limits, for every word, the probability that the released word is outside its ball.\n"
    "- **|W|** is the number of words in the vocabulary.\n"
    "- **L_w** is the set of words in the ball of a word w, including w.\n\n"
    "For two words of the vocabulary the promise depends on ε alone: TEM is ε-metric-DP at "
    "**every** γ. For the unknown word it also depends on γ: the smaller γ, the stronger it is. γ "
    "decides how likely far words are to come out."
)


FIND = {"gamma": "γ", "beta": "β", "epsilon": "ε"}


def theorem(found: Theorem, sought: str) -> str:
    """The answer, as a heading."""
    if found.words == 1:
        return "With a single word, nothing is outside the ball: any γ will do"
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
            "equally likely, whatever ε is. So another word comes out with probability "
            f"{found.others:,}/{found.words:,}: β = {number_up(found.beta)}."
        )
    if found.gamma <= 0:
        return (
            f"A uniform draw over all {found.words:,} words replaces the word with probability "
            f"{found.others:,}/{found.words:,}, and β = {number(found.beta)} allows even that. "
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
            "The ball of a typical word holds only that word, so the word comes out unchanged "
            "unless its ball is left. For more deniability take a smaller ε, which makes γ larger."
        )
    elif gamma < marks.tenth:
        holds = "The ball of a typical word holds that word and fewer than ten others."
    elif gamma < marks.any_two:
        holds = (
            "The ball of a typical word holds ten or more other words, but less than about half of "
            "the vocabulary."
        )
    else:
        holds = (
            "The ball of a typical word holds about half of the vocabulary or more. The more words "
            "it holds, the closer TEM is to SanText, which has no γ."
        )
    return (
        f"{holds} (Median distances in a sample of the loaded vocabulary: to the nearest word "
        f"{marks.nearest:.2f}, to the 10th nearest {marks.tenth:.2f}, between two random words "
        f"{marks.any_two:.2f}.)"
    )


def distance_marks(marks: Landmarks | None) -> dict[str, float]:
    """Typical distances by the names that a figure shows."""
    if marks is None:
        return {}
    return {
        "nearest word (median)": marks.nearest,
        "two random words (median)": marks.any_two,
    }


def gamma_curves_finding(found: Theorem) -> str:
    """The figure of γ against ε in a sentence."""
    chosen = (
        f"The chosen point is ε = {number_up(found.epsilon)}, γ = {number_up(found.gamma)}, for "
        f"{counted(found.words, 'word')}."
    )
    if not 0 < found.beta < 1:
        return f"At a fixed β, twice the ε halves γ. {chosen}"
    raised = number(2 * (_log_odds(found.beta / 10) - _log_odds(found.beta)))
    return (
        "At a fixed β, twice the ε halves γ. At a fixed ε, a β ten times smaller raises γ by "
        f"{raised}/ε. {chosen}"
    )


def _log_odds(beta: float) -> float:
    return math.log1p(-beta) - math.log(beta)


HOW_TO_READ_GAMMA_CURVES = (
    "How to read this: pick ε on the horizontal axis, go up to the curve of your β, and read γ at "
    "the left; both axes are logarithmic. The dotted lines are median distances in a sample of the "
    "loaded vocabulary: if γ is below the lower one, most words are alone in their ball."
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
        f"$K = |W| - 1 = {k}$, are outside. Each further word inside would add weight inside and "
        "take weight away outside, so the ball would be left less often.",
        "**3. The probability of leaving** is the weight outside divided by all weight:"
        "\n\n$$\\dfrac{K e^{-\\varepsilon\\gamma/2}}{1 + K e^{-\\varepsilon\\gamma/2}} = "
        f"{chance}.$$",
    ]
    if sought == "beta":
        steps.append("That is β: there is nothing more to solve.")
        return "\n\n".join(steps)
    logarithm = _tex(found.epsilon * found.gamma / 2)
    solved, by, value = (
        (r"\gamma", r"\varepsilon", g) if sought == "gamma" else (r"\varepsilon", r"\gamma", e)
    )
    other = e if sought == "gamma" else g
    steps += [
        "**4. It must be at most β.** Multiply by the denominator and rearrange:"
        "\n\n$$e^{\\varepsilon\\gamma/2} \\ge \\dfrac{(1 - \\beta) K}{\\beta} = "
        f"\\dfrac{{(1 - {b}) \\cdot {k}}}{{{b}}} = {_tex(found.odds)}.$$",
        f"**5. Take logarithms and solve for ${solved}$:**"
        f"\n\n$${solved} \\ge \\dfrac{{2}}{{{by}}} \\ln \\dfrac{{(1 - \\beta) K}}{{\\beta}} = "
        f"\\dfrac{{2}}{{{other}}} \\cdot {logarithm} = {value}.$$",
        "**6. Check.** Step 3 was computed from these numbers and returns β again. The answer is "
        "shown rounded up, so that the bound also holds for the number that you copy; the "
        "mechanism computes with all digits.",
    ]
    return "\n\n".join(steps)


def _tex(value: float) -> str:
    """A number in a formula."""
    if value == 0 or not math.isfinite(value):
        return r"\infty" if value > 0 else "0" if value == 0 else r"-\infty"
    exponent = math.floor(math.log10(abs(value)))
    if -4 <= exponent < 6:
        text = f"{value:,.5g}" if exponent < 5 else f"{value:,.0f}"
        return text.replace(",", r"{,}")
    return rf"{value / 10.0**exponent:.3f} \times 10^{{{exponent}}}"


def balls_finding(found: Balls, bound: float, vocabulary: Vocabulary) -> str:
    """Sampled words against the bound: the worst, the typical, and those that are alone."""
    size, total = len(vocabulary), len(found.word_ids)
    worst = found.worst
    name = plain(vocabulary.words[found.word_ids[worst]])
    alone = int((found.inside == 1).sum())
    whole = int((found.inside == size).sum())
    if found.leaving[worst] == 0:
        return (
            f"γ is so large that the ball of each of the {counted(total, 'word')} holds all "
            f"{size:,} words. So no ball can be left, and γ cuts nothing off."
        )
    parts = [
        f"The worst of these {counted(total, 'word')} is **{name}**: it leaves its ball of "
        f"{counted(int(found.inside[worst]), 'word')} with probability "
        f"**{number_up(float(found.leaving[worst]))}**; the bound is {number_up(bound)}."
    ]
    if bound > 0 and not whole:
        share = sorted(found.leaving / bound)[total // 2]
        parts.append(f"The median word reaches {percent(min(1.0, float(share)))} of the bound.")
    if alone:
        parts.append(
            f"For {alone} of the {counted(total, 'word')}, the ball holds only the word itself. "
            "Such a word reaches the bound: it comes out unchanged unless its ball is left."
        )
    if whole:
        parts.append(
            f"For {whole} of the {counted(total, 'word')}, the ball holds the whole vocabulary. It "
            "cannot be left, and γ cuts nothing off."
        )
    return " ".join(parts)


def unknown_words(words: list[str]) -> str:
    """Words that a visitor named and the vocabulary lacks."""
    return f"Not in this vocabulary: {', '.join(plain(word[:40]) for word in words)}."


def theorems_gamma(gamma: float) -> str:
    """The theorem's γ in a legend."""
    return f"theorem's γ = {number_up(gamma)}"


def own_gamma(gamma: float) -> str:
    """The visitor's γ in a legend."""
    return f"your γ = {number(gamma)}"


def gamma_marks(gamma: float, own: float | None) -> dict[str, float]:
    """The γ that a figure over γ marks."""
    marks = {theorems_gamma(gamma): gamma}
    return marks if own is None else marks | {own_gamma(own): own}


def own_gamma_finding(own: Balls, gamma: float, bound: float, theorem_gamma: float) -> str:
    """What the visitor's γ changes, in words."""
    side = "below" if gamma < theorem_gamma else "above" if gamma > theorem_gamma else "equal to"
    return (
        f"Your γ = {number(gamma)} is {side} the theorem's {number_up(theorem_gamma)}. With it, a "
        f"ball is left with probability at most β = {number_up(bound)}; the worst of these words "
        f"leaves its ball with probability {number_up(float(own.leaving[own.worst]))}. The mean "
        "probability that one of these words is unchanged is "
        f"{percent(float(own.unchanged.mean()))}."
    )


HOW_TO_READ_LEAVING = (
    "How to read this: each point is a word. The further right, the more words its ball holds. The "
    "height is the exact probability that the released word is outside the ball. At the theorem's "
    "γ no point can be above the dashed line; close neighbours put a word below it. A word that "
    "cannot leave its ball has no point."
)


HOW_TO_READ_BY_GAMMA = (
    "How to read this: the curves show one word at every γ, at the ε above. At γ = 0 all words are "
    "equally likely. As γ grows, the ball is left less often, never more often than the dashed "
    "bound, and the word is unchanged more often. Once γ reaches the farthest word, a larger γ "
    "changes nothing."
)


def by_gamma_finding(word: str, gamma: float, own: float | None) -> str:
    """The figure of one word at every γ, in sentences."""
    said = [
        f"{plain(word)}: the probability of leaving the ball falls as γ grows, and is never above "
        "the bound.",
        f"The theorem's γ is {number_up(gamma)}.",
    ]
    if own is not None:
        said.append(f"Your γ is {number(own)}.")
    return " ".join(said)


def use_in_tem(theorem: Theorem) -> str:
    """On the button that hands ε and γ to TEM."""
    return f"✍️ Use TEM with ε = {number(theorem.epsilon)} and γ = {number(theorem.gamma)}"
