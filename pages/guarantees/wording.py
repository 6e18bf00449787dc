"""The words of the Guarantees page."""

from __future__ import annotations

import math

import numpy as np

from measures.audits.audit import UNSEEN, Audit
from measures.audits.findings import ALPHA, titled
from measures.papers.published_against_exact import BENCHMARK_WORDS, RUNS, WORDS
from mechanisms import Guarantee, Mechanism
from mechanisms.base import EUCLIDEAN
from pages.shared.prose import number, plain, times
from release.grammar import counted

GUARANTEES_INTRODUCTION = (
    "A promise of differential privacy limits, for every pair of words, how much more probable any "
    "output may be for one word than for the other. This page checks each mechanism against its "
    "own promise: with exact probabilities if they can be computed, otherwise with draws. One pair "
    "of words beyond the limit breaks the promise. If none is found, that alone is no proof: "
    "the checks try only some words and some draws."
)


HOW_TO_READ_DELTAS = (
    "How to read this: δ is how much probability the promise may leave out: a chance that ε says "
    "nothing about. The first bar is the δ that the mechanism claims. The second bar is a lower "
    "bound on the δ that its noisy vectors need at this ε. If the second bar is longer, the noise "
    "does not keep the claim."
)


HOW_TO_READ_AUDITS = (
    "How to read this: *holds* means that there is a proof and that no check contradicts it. "
    "*broken* means that a check contradicts the claim; the witness says how. *not proven* means "
    "that nothing is claimed for these settings, or that neither a proof nor a fault was found. "
    "*refused* means that the mechanism cannot be used here; the witness says why. Each mechanism "
    "is tested in the middle of its range of ε, at which about half of a sample of words stay if "
    "the mechanism can reach that share. *Draws* says whether draws follow the law exactly or up "
    "to the rounding of floating-point numbers."
)


def verdict(result: Audit) -> str:
    """What was found, as a heading."""
    title = plain(titled(result.mechanism))
    return {
        "holds": f"✅ {title}: proven, and no check contradicts it",
        "broken": f"❌ {title} breaks its promise",
        "not proven": f"❔ {title}: nothing is proven",
        "refused": f"🚫 {title} cannot be tested with these settings",
    }[result.verdict]


def testing(tested: str) -> str:
    """What is done while the first answer is waited for, and for how long."""
    return f"Testing {tested}. The first time takes longer …"


def testing_all(tested: str, position: int, of: int, seconds: float) -> str:
    """The bar of the table: how many are done, and how long the others will take."""
    if not position:
        return f"Testing {tested}, {position + 1} of {of} …"
    rest = seconds / position * (of - position)
    left = f"{rest:.0f} s" if rest < 90 else f"{rest / 60:.0f} min"
    return f"Testing {tested}, {position + 1} of {of}, about {left} left …"


def worth(result: Audit) -> str:
    """What a promise is worth at the ε of the audit: its bound for a near and a typical pair."""
    pairs, promise = result.pairs, result.guarantee
    if result.verdict != "holds" or pairs is None or pairs.bound is None:
        return ""
    words = np.flatnonzero(~pairs.with_unknown & np.isfinite(pairs.bound + pairs.distance))
    if not len(words):
        return ""
    order = words[pairs.distance[words].argsort()]
    near, typical = int(order[0]), int(order[len(order) // 2])
    if promise.notion != "metric DP":
        most = times(float(pairs.bound[words].max()))
        return (
            f"**At ε = {number(promise.epsilon)}, the promise allows** an output to be up to "
            f"**{most}** as probable for one word as for another, however far apart they are."
        )
    return (
        f"**At ε = {number(promise.epsilon)}, the promise allows** an output to be up to "
        f"**{times(float(pairs.bound[near]))}** as probable for one word as for the other, for the "
        f"closest pair of words tested ({pairs.distance[near]:.2f} apart). For a pair at the "
        f"median distance of those tested, {pairs.distance[typical]:.2f}, it allows up to "
        f"**{times(float(pairs.bound[typical]))}**."
    )


def your_setting(mechanism: Mechanism) -> str:
    """The setting of the other pages, as an entry of the list."""
    return f"your settings: {titled(mechanism)}, ε = {number(mechanism.epsilon)}"


def answers_for(name: str, mechanism: Mechanism, words: int) -> str:
    """Whose settings are audited first, if the visitor has a file, and on which words."""
    return (
        f"The first result below is for the settings of **{plain(name)}** "
        f"({plain(titled(mechanism))}, ε = {number(mechanism.epsilon)}). The promise is checked on "
        f"the {words:,} most frequent words of the embedding, not on the words of the file: it "
        "must hold for every word."
    )


def witness(result: Audit) -> str:
    """The violation, or that there is none, and how much of the bound is used."""
    if result.verdict == "refused" or any(check.fault for check in result.checks):
        return plain(result.witness)
    checks = counted(len(result.checks), "check")
    lines = [f"None of the {checks} listed below found a fault."]
    pairs = result.pairs
    if pairs is not None and pairs.used is not None:
        used = f"{max(pairs.used, 0):.2f}"
        lines.append(
            f"The pair that comes closest to its bound reaches {used} times the bound."
            if pairs.exact
            else "By these draws, the pair that comes closest to its bound reaches at least "
            f"{used} times the bound. The true value may be larger."
        )
    return " ".join(lines)


def unseen() -> str:
    """The faults that no check can find."""
    return f"These checks cannot find: {'; '.join(UNSEEN)}."


EVERY_WORD = "Every word against one"


def every_word_introduction(words: int, centre: str) -> str:
    """What the long check does."""
    return (
        "The checks above try a sample of words. This check takes every word of the vocabulary "
        f"that the mechanism has a law for, of {words:,}, and compares its exact law with the law "
        f"of *{plain(centre)}*, for all outputs. It can find a fault that only a few words have. "
        "The server keeps the result on its disk for all visitors, unless the embedding is your "
        "own upload."
    )


def every_word_found(result: Audit) -> str:
    """The result of the long check."""
    check = result.checks[0]
    if check.fault:
        return f"❌ {plain(check.fault)}"
    pairs = result.pairs
    used = None if pairs is None else pairs.used
    said = f"No fault was found. Checked: {plain(check.extent)}."
    if used is None:
        return said
    return f"{said} The word that comes closest to its bound reaches {used:.2f} times the bound."


def distance_axis(promise: Guarantee) -> str:
    """The distance on the axis: the promise's own for metric DP, else the Euclidean one."""
    return promise.distance.name if promise.notion == "metric DP" else EUCLIDEAN.name


ONE_WORD = (
    "The embedding in use has only one word, and a promise can only be tested on a pair of words. "
    "Choose a larger embedding under *Vocabulary* on another page."
)


def how_to_read_log_ratios(result: Audit) -> str:
    """One line on the figure of log-ratios."""
    exact = result.pairs is not None and result.pairs.exact
    said = ["How to read this: each point is a pair of words."]
    said.append(
        "Its height is the log-ratio: the natural logarithm of how many times as probable an "
        "output is for one word as for the other, for the output with the largest ratio."
        if exact
        else "Its height is a lower bound on the log-ratio, from draws: the natural logarithm of "
        "how many times as probable an output is for one word as for the other. With a chance of "
        f"at most 1 in {1 / ALPHA:,.0f}, one or more of these bounds are too high."
    )
    said.append(
        "No bound is promised, so there is no line."
        if result.pairs is None or result.pairs.bound is None
        else "The dashed line is the promise. A point above it breaks the promise."
    )
    return " ".join([*said, unknown_word(result)]).strip()


def unknown_word(result: Audit) -> str:
    """The largest log-ratio found between a word and the unknown word, as a sentence."""
    if result.pairs is None or (largest := result.pairs.largest_with_unknown) is None:
        return ""
    found = "∞" if largest == math.inf else f"{largest:.2f}"
    if result.pairs.exact or largest == math.inf:
        return f"Of the pairs with the unknown word, the largest log-ratio is {found}."
    return f"Of the pairs with the unknown word, the largest log-ratio is at least {found}."


RECOMPUTED_INTRODUCTION = (
    f"The benchmark of Meisenbacher et al. (2024) prints N_w and S_w of {BENCHMARK_WORDS} random "
    f"words of IMDb reviews, with {RUNS} draws each. The table shows the same two statistics for "
    f"{WORDS} random words of IMDb reviews, for every variant. If the law is known, they are "
    "computed from it, otherwise from draws. A variant named *slip* tries a mistake that may "
    "explain a printed number; one named *possible* tries an explanation that is not proven."
)


HOW_TO_READ_RECOMPUTED = (
    "How to read this: N_w is in percent, and S_w is the number of different replacements among "
    f"{RUNS} draws. The vectors have 50 dimensions. Another sample of {BENCHMARK_WORDS} words has "
    f"other values: *of {BENCHMARK_WORDS} words* is the range of the middle 99 % of such samples. "
    "A printed number outside this range needs an explanation. If none is proven, the table says "
    "*unexplained*."
)
