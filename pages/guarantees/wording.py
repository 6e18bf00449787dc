"""The words of the Guarantees page."""

from __future__ import annotations

import math

import numpy as np

from measures.audits.audit import UNSEEN, Audit
from measures.audits.findings import titled
from measures.papers.published_against_exact import BENCHMARK_WORDS, RUNS, WORDS
from mechanisms import Guarantee, Mechanism
from mechanisms.base import EUCLIDEAN
from pages.shared.prose import number, plain, times
from release.grammar import counted

GUARANTEES_INTRODUCTION = (
    "A promise of differential privacy is a statement about every pair of words and every output: "
    "no output may be much likelier for one word than for the other. This page checks each "
    "mechanism against its own promise, exactly if possible. One pair of words above the line "
    "breaks the promise. If no pair is above the line, that is not yet a proof."
)


HOW_TO_READ_DELTAS = (
    "How to read this: δ is the probability with which the promise may fail. The second bar is the "
    "smallest δ that the mechanism can have. If it is longer than the first bar, the claim is "
    "false."
)


HOW_TO_READ_AUDITS = (
    "How to read this: *holds* means that there is a proof and that no test contradicts it. "
    "*broken* means that the witness contradicts the claim. *not proven* means that nothing is "
    "claimed for these settings, or that neither a proof nor a witness was found. Each mechanism "
    "is tested at an ε at which about half of the words stay. *Draws* says whether released words "
    "follow the law exactly, or only up to the rounding of floating-point numbers."
)


def verdict(result: Audit) -> str:
    """What was found, as a heading."""
    title = plain(titled(result.mechanism))
    return {
        "holds": f"✅ {title}: proven, and no check contradicts it",
        "broken": f"❌ {title} breaks its promise",
        "not proven": f"❔ {title}: nothing is proven",
        "refused": f"🚫 {title} refuses these settings",
    }[result.verdict]


def testing(tested: str) -> str:
    """What is done while the first answer is waited for, and for how long."""
    return f"Testing {tested}. This takes a few seconds, about ten the first time …"


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
            f"**At ε = {number(promise.epsilon)}, the promise allows** an output to be **{most}** "
            "likelier for one word than for another, however far apart they are."
        )
    return (
        f"**At ε = {number(promise.epsilon)}, the promise allows** an output to be "
        f"**{times(float(pairs.bound[near]))}** likelier for one word than for the other if the "
        f"words are {pairs.distance[near]:.2f} apart, as the closest pair here. For words at the "
        f"median distance, {pairs.distance[typical]:.2f}, it allows "
        f"**{times(float(pairs.bound[typical]))}**."
    )


def your_setting(mechanism: Mechanism) -> str:
    """The setting of the other pages, as an entry of the list."""
    return f"your setting: {titled(mechanism)}, ε = {number(mechanism.epsilon)}"


def answers_for(name: str, mechanism: Mechanism, words: int) -> str:
    """Whose settings are audited first, if the visitor has a file, and on which words."""
    return (
        f"The first promise below is that of **{plain(name)}** at its settings "
        f"({plain(titled(mechanism))}, ε = {number(mechanism.epsilon)}). It is audited on the "
        f"{words:,} most frequent words of its embedding. A promise is about every word, so it is "
        "not audited on the words of the file alone."
    )


def witness(result: Audit) -> str:
    """The violation, or that there is none, and how much of the bound is used."""
    if result.verdict == "refused" or any(check.fault for check in result.checks):
        return plain(result.witness)
    checks = counted(len(result.checks), "check")
    lines = [f"None of the {checks} in the list below contradicts it."]
    pairs = result.pairs
    if pairs is not None and pairs.used is not None:
        used, count = f"{max(pairs.used, 0):.2f}", counted(len(pairs.a), "pair")
        lines.append(
            f"The worst of {count} uses {used} of its bound."
            if pairs.exact
            else f"In these draws the worst of {count} uses at least {used} of its bound; draws "
            "show only a part."
        )
    return " ".join(lines)


def unseen() -> str:
    """The faults that no check can find."""
    return f"These checks cannot find: {'; '.join(UNSEEN)}."


EVERY_WORD = "Every word against one"


def every_word_introduction(words: int, centre: str) -> str:
    """What the long check does."""
    return (
        "The table above tries a sample of words. This check compares the law of each of the "
        f"{words:,} words with the law of *{plain(centre)}*, for all outputs, exactly. It finds a "
        "fault that only a few words have. Its results stay on the server's disk for all visitors."
    )


def every_word_found(result: Audit) -> str:
    """The result of the long check."""
    check = result.checks[0]
    if check.fault:
        return f"❌ {plain(check.fault)}"
    pairs = result.pairs
    used = None if pairs is None else pairs.used
    said = f"No word contradicts the promise: {plain(check.extent)}."
    return said if used is None else f"{said} The worst word uses {used:.2f} of its bound."


def distance_axis(promise: Guarantee) -> str:
    """The distance on the axis: the promise's own for metric DP, else the Euclidean one."""
    return promise.distance.name if promise.notion == "metric DP" else EUCLIDEAN.name


ONE_WORD = (
    "The embedding in use has only one word here. Without a pair of words, no promise can be "
    "tested. Choose a larger embedding under *Vocabulary* on another page."
)


def how_to_read_log_ratios(result: Audit) -> str:
    """One line on the figure of log-ratios."""
    exact = result.pairs is not None and result.pairs.exact
    said = ["How to read this: each point is a pair of words."]
    said.append(
        "Its height is a log-ratio: the logarithm of how many times likelier an output can be for "
        "one of the words than for the other, for the worst output."
        if exact
        else "Its height is a lower bound on the log-ratio of their outputs, from draws. The "
        "bounds hold for all points at once, except with a chance of one in a million."
    )
    said.append(
        "No bound is promised, so there is no line."
        if result.pairs is None or result.pairs.bound is None
        else "The dashed line is the promise, and no point may lie above it."
    )
    return " ".join([*said, unknown_word(result)]).strip()


def unknown_word(result: Audit) -> str:
    """The largest log-ratio found between a word and the unknown word, as a sentence."""
    if result.pairs is None or (largest := result.pairs.largest_with_unknown) is None:
        return ""
    found = "∞" if largest == math.inf else f"{largest:.2f}"
    if result.pairs.exact or largest == math.inf:
        return f"The largest log-ratio between a word and the unknown word is {found}."
    return f"The largest log-ratio between a word and the unknown word is at least {found}."


RECOMPUTED_INTRODUCTION = (
    f"The benchmark of Meisenbacher et al. (2024) prints N_w and S_w of {BENCHMARK_WORDS} random "
    f"words with {RUNS} draws each, from the words of IMDb reviews. Here are the same two "
    f"statistics over {WORDS} words of that vocabulary, for every variant. They are exact if the "
    "law is known. A row named *slip* tries a mistake that may explain a printed number."
)


HOW_TO_READ_RECOMPUTED = (
    "How to read this: all values are in percent, in 50 dimensions. S_w is the number of different "
    f"replacements among {RUNS} draws. *Of {BENCHMARK_WORDS} words* is the range that contains "
    f"99 % of samples of {BENCHMARK_WORDS} words: a printed number outside of it needs an "
    "explanation. If no explanation can be proven, the table says so."
)
