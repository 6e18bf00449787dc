"""The words of the Deniability page."""

from __future__ import annotations

from measures.papers import cmp_claim
from measures.papers.cmp_claim import Finding
from measures.words.deniability import Summary, Support
from measures.words.targets import ABOUT, Choice, Demand
from mechanisms.answers import Statistics
from mechanisms.estimate import CONFIDENCE, Estimate
from mechanisms.vocabulary import Floats
from pages.shared.prose import number, percent, plain, statistic_value
from release.grammar import counted, enumerated, nouns, verb

DENIABILITY_INTRODUCTION = (
    "A word is deniable if its private version could have come from other words. So it should "
    "rarely stay unchanged (**N_w** small), and many words should be able to come out (**S_w** "
    "large). Choose ε by the *worst* word, not by the average. The figures are computed for a grid "
    "of ε in one go; after that, the slider answers at once."
)


NO_WORDS = (
    "This mechanism knows none of these words in this vocabulary. Choose other words, or type a "
    "text on the page Private sentences."
)


SUPPORT_HELP = (
    "S_w has three meanings in the papers. *Different words in m draws*: the number of different "
    "words that is expected in m draws (m = 1,000 in Feyisetan et al. 2020). *Words that make up "
    "99 %*: the size of the smallest set of words that has 99 % of the probability (η = 0.01 in "
    "the same paper). *Different replacements*: the first without the unchanged word, as a "
    "percentage of m (m = 100 in the benchmark of Meisenbacher et al. 2024)."
)


HOW_TO_READ_CURVES = (
    "How to read this: at each ε, the solid line is the median of the words, the shaded band runs "
    "from their 5th to their 95th percentile, and the dotted line is the worst word. The vertical "
    "line is the ε of the slider."
)


HOW_TO_READ_ONE_WORD = (
    "How to read this: N_w and S_w of one word at every ε. The vertical line is the ε of the "
    "slider."
)


IN_TEXT = "In a text: each word after the words released before it"

NO_WORDS_IN_TEXT = "The vocabulary has none of the words of this text."

RELEASING = "Drawing the text to measure N_w …"


def grid_end(epsilon: float, shown: float) -> str:
    """That the figures are those of the end of the grid; empty if the grid holds this ε."""
    if shown == epsilon:
        return ""
    side = "ends" if epsilon > shown else "begins"
    return (
        f"The grid of ε {side} at {number(shown)}. All numbers here are for ε = {number(shown)}, "
        f"not for your ε = {number(epsilon)}."
    )


def worst_in_text(word: str, place: int, stays: Estimate) -> str:
    """The word of a text that stays most often, by the upper end of its interval."""
    value, low, high = (percent(end) for end in stays.numbers)
    return (
        f"Worst word, by the upper end of its interval: **{plain(word)}** at place {place}, "
        f"unchanged with probability {value} ({low} to {high})."
    )


def how_to_read_in_text(count: int, material: str, releases: int) -> str:
    """The source of N_w in a text."""
    return (
        f"How to read this: the first {counted(count, 'known word')} of {material} in order. "
        "Given the words released before, N_w is exact; the table shows its mean over "
        f"{counted(releases, 'draw')} of the text, with {100 * CONFIDENCE:g} % intervals. "
        "These draws only measure and are not shown. *N_w as first word* is exact: nothing is "
        "released before, as in the other figures on this page."
    )


def rarest_of_text(shown: int, total: int, material: str) -> str:
    """How many words of the visitor's text are looked at, if not all."""
    return (
        f"**Only the {shown:,} rarest of the {total:,} different known words of {plain(material)} "
        "are used**, since names tend to be rare. All numbers below are about these words only."
    )


def support_axis(support: Support, draws: int) -> str:
    """S_w in one of its three meanings, as the title of an axis."""
    return {
        "distinct": f"S_w: different words expected in {draws:,} draws",
        "effective": "S_w: words that make up 99 %",
        "percentage": f"S_w: different replacements, % of {draws:,} draws",
    }[support]


def summary(
    statistic: str, found: Summary, worst: float, word: str, support: Support, draws: int
) -> str:
    """The finding of a histogram, the worst word first."""
    at_worst, mean, low, high = (
        statistic_value(statistic, value) for value in (worst, found.mean, found.low, found.high)
    )
    said = _WORST["N_w" if statistic == "N_w" else support].format(
        word=f"**{plain(word)}**", value=at_worst, draws=f"{draws:,}"
    )
    return f"{said} The mean is {mean}; 5 % of the words are below {low}, 5 % above {high}."


# One template for N_w and for each meaning of S_w.
_WORST = {
    "N_w": "Worst of these words: {word}, unchanged with probability {value}.",
    "distinct": "Worst of these words: {word}; different words expected in {draws} draws: {value}.",
    "effective": "Worst of these words: {word}; words that make up 99 % of its outputs: {value}.",
    "percentage": (
        "Worst of these words: {word}; different replacements expected, in % of {draws} draws: "
        "{value}."
    ),
}


def bar_words(words: list[str], most: int = 60) -> str:
    """The words of one bar of a histogram."""
    if not words:
        return "No word lies in this bar."
    shown = ", ".join(plain(word) for word in words[:most])
    if len(words) > most:
        return f"In this bar: {shown}, and {len(words) - most} more."
    return f"In this bar: {shown}."


def how_to_read_deniability(known: Statistics, support: Support) -> str:
    """One line on the histograms of N_w and S_w at one ε, and the source of their numbers."""
    words, source = len(known.unchanged), known.unchanged.source
    said = [
        f"How to read this: {counted(words, 'word')}, sorted into bars by N_w (left) and S_w "
        "(right). 5 % of the words are left of the first dashed line, 5 % right of the second. "
        "Click a bar to see its words."
    ]
    said += {
        "exact": ["The numbers are computed from the mechanism's law."],
        "directions": [
            f"The numbers come from {source.count:,} directions of the noise, integrated over its "
            "length.",
            "All words share these directions, so their errors are related.",
        ],
        "draws": [
            f"The numbers come from {source.count:,} draws of each word, at every ε of a grid."
        ],
        "unknown": ["Their error is unknown."],
    }[source.kind]
    if source.interpolated:
        said.append("Between the ε of a grid they are interpolated.")
    if not source.is_exact:
        widest = f"{200 * float(known.unchanged.half_width.max()):.2g} percentage points"
        said.append(_WIDEST[source.kind == "exact"].format(widest=widest))
    if support == "effective" and source.kind in ("directions", "draws"):
        said.append(f"S_w counts only words that came out in these {source.kind}; more may exist.")
    return " ".join(said)


# One template for interpolated exact values, and one for sampled ones.
_WIDEST = {
    True: "The widest margin that this leaves for N_w spans {widest}.",
    False: f"The widest {100 * CONFIDENCE:g} % interval of N_w spans {{widest}}.",
}


def median_finding(statistic: str, epsilons: Floats, middle: Floats) -> str:
    """The finding of a median over the words, over ε, for a screen reader."""
    first, last = (statistic_value(statistic, float(middle[i])) for i in (0, -1))
    return (
        f"The median {statistic} of the words goes from {first} at ε = {epsilons[0]:.3g} to {last} "
        f"at ε = {epsilons[-1]:.3g}."
    )


def curve_finding(statistic: str, word: str, epsilons: Floats, values: Floats) -> str:
    """The finding of the curve of one word over ε, for a screen reader."""
    first, last = (statistic_value(statistic, float(values[i])) for i in (0, -1))
    return (
        f"{statistic} of “{word}” goes from {first} at ε = {epsilons[0]:.3g} to {last} "
        f"at ε = {epsilons[-1]:.3g}."
    )


def demand(wish: Demand, words: int) -> str:
    """A demand in words."""
    scope = "on average" if wish.over == "mean" else f"for each of the {counted(words, 'word')}"
    return {
        "stays at most": f"N_w at most {percent(wish.value)} {scope}",
        "stays at least": f"N_w at least {percent(wish.value)} {scope}",
        "stays about": f"mean N_w within {100 * ABOUT:g} points of {percent(wish.value)}",
        "outputs at least": f"S_w at least {wish.value:g} {scope}",
    }[wish.kind]


def chosen(choice: Choice, demands: list[Demand], words: list[str]) -> str:
    """The ε found, its interval and the words that decide it; or what fails, and by how much."""
    wishes = "; ".join(demand(wish, len(words)) for wish in demands)
    if choice.epsilon is None:
        missed = demands[choice.failing or 0]
        unit = (
            f"{100 * choice.missed_by:.3g} percentage points"
            if missed.kind.startswith("stays")
            else f"{choice.missed_by:.3g} words"
        )
        return (
            f"**No ε that was tried meets your demands.** You demanded: {wishes}. At the ε that "
            f"comes closest, *{demand(missed, len(words))}* is missed by {unit}."
        )
    ranges = enumerated([f"{a:.3g} to {b:.3g}" for a, b in choice.intervals])
    deciding = list(dict.fromkeys(f"**{plain(words[i])}**" for i in choice.deciding))
    return " ".join(
        [
            f"### ε = {choice.epsilon:.4g}\n\nOf the ε that were tried, this is the largest with "
            f"{wishes} ({known_within(choice)}).",
            f"Deciding {nouns(len(deciding), 'word')}: {', '.join(deciding)}.",
            f"Your demands are met for ε from {ranges}{_cut(choice)}.",
        ]
    )


def known_within(choice: Choice) -> str:
    """The interval of the ε found, and its source."""
    source = str(choice.source)
    if choice.low is None and choice.high is None:
        return f"if every error goes the wrong way, no ε meets your demands; {source}"
    if choice.low is None:
        return (
            "if every error goes the wrong way, no ε meets your demands; if every error goes the "
            f"right way, ε may be {choice.high:.4g}; {source}"
        )
    if choice.low == choice.high:
        return source
    return f"with the errors, from {choice.low:.4g} to {choice.high:.4g}; {source}"


def _cut(choice: Choice) -> str:
    """Which ends of the ε that meet the demands are only ends of the ε that were tried."""
    first, last = choice.intervals[0][0], choice.intervals[-1][1]
    low, high = choice.looked_at
    said = [f"smaller ε than {low:.3g} were not tried"] if first == low else []
    said += [f"larger ε than {high:.3g} were not tried"] if last == high else []
    return f" ({', '.join(said)})" if said else ""


CLAIM = (
    "Feyisetan et al. (2020, Section 4.1) write about GloVe in 50 dimensions at ε = 5 that every "
    f"word leads to at least {cmp_claim.FEWEST} different words in {cmp_claim.RUNS:,} runs, and "
    f"that none comes out unchanged more than {cmp_claim.MOST} times. Here the claim is tested on "
    "two samples of words, by the numbers that are expected in so many runs:"
)


def claim_finding(found: Finding) -> str:
    """What one sample of words says of the claim."""
    who = {"frequent": "most frequent entries", "random": "random entries"}[found.sample]
    fewest, most = round(found.fewest), round(found.most)
    numbers = (
        f"at least {counted(fewest, 'different word')} and at most {counted(most, 'unchanged run')}"
    )
    if not found.breaking:
        said = [
            f"✅ **None of the {found.words:,} {who} breaks the claim by more than its error** "
            f"({100 * CONFIDENCE:g} % confidence for all of them together).",
            f"By the estimates, each has {numbers}.",
        ]
    else:
        word, distinct, returned = found.breaking[0]
        said = [
            f"❌ **{len(found.breaking):,} of the {found.words:,} {who} "
            f"{verb(len(found.breaking), 'breaks', 'break')} the claim.**",
            f"The clearest case is **{plain(word)}**, with "
            f"{counted(round(distinct), 'different word')} and "
            f"{counted(round(returned), 'unchanged run')} expected.",
        ]
    if found.undecided:
        words = ", ".join(plain(word) for word, *_ in found.undecided)
        said.append(f"Undecided, since the estimate breaks the claim within its error: {words}.")
    return " ".join(said)
