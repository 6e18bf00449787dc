"""The words of the Deniability page."""

from __future__ import annotations

from measures.papers import cmp_claim
from measures.papers.cmp_claim import Finding
from measures.words.deniability import Summary, Support
from measures.words.targets import Choice, Demand
from mechanisms.answers import Statistics
from mechanisms.estimate import CONFIDENCE, Estimate
from mechanisms.vocabulary import Floats
from pages.shared.prose import percent, plain, statistic_value
from release.grammar import counted, enumerated, nouns, verb

DENIABILITY_INTRODUCTION = (
    "A word is deniable if its private version could have come from other words. So it should "
    "rarely stay unchanged (**N_w** small), and many words should be able to come out (**S_w** "
    "large). Choose ε by the *worst* word, not by the average. All ε are computed at once, so the "
    "slider answers immediately."
)


NO_WORDS = (
    "This mechanism can draw none of these words. Choose another sample, or type a text on the "
    "page Private sentences."
)


SUPPORT_HELP = (
    "S_w has three meanings in the papers. *Different words in m draws*: how many different words "
    "are expected among m private versions (m = 1,000 in Feyisetan et al. 2020). *Words that make "
    "up 99 %*: the size of the smallest set of words with 99 % of the probability (their "
    "η = 0.01). *Different replacements*: like the first, but without the unchanged word, and as a "
    "percentage of m (m = 100 in the benchmark of Meisenbacher et al. 2024)."
)


HOW_TO_READ_CURVES = (
    "How to read this: the line is the median word, the shaded band contains nine words of ten, "
    "and the dots follow the worst word. The vertical line is the ε of the slider."
)


HOW_TO_READ_ONE_WORD = (
    "How to read this: the two curves are the two statistics of one word at every ε. The vertical "
    "line is the ε of the slider."
)


IN_TEXT = "In a text, after the words released before"

NO_WORDS_IN_TEXT = "The vocabulary has none of the words of your text."

RELEASING = "Releasing the text, to measure …"


def worst_in_text(word: str, place: int, stays: Estimate) -> str:
    """The word of a text that stays most often, by the upper end of its interval."""
    value, low, high = (percent(end) for end in stays.numbers)
    return (
        f"Worst word: **{plain(word)}** at place {place}, unchanged with probability {value} "
        f"({low} to {high})."
    )


def how_to_read_in_text(count: int, material: str, releases: int) -> str:
    """The source of N_w in a text."""
    return (
        f"How to read this: {counted(count, 'word')} of {material} in order, each after the words "
        f"released before it. The law of each place is exact, given these words; the mean is over "
        f"{releases} releases of the text, drawn to measure and not shown, with "
        f"{CONFIDENCE:.0%} intervals. *As first word*: with nothing released before, as in the "
        "figures of single words on this page; exact."
    )


def rarest_of_text(shown: int, total: int, material: str) -> str:
    """How many words of the visitor's text are looked at, if not all."""
    return (
        f"**{shown:,} of {total:,} different words of {plain(material)}** are used: the rarest, "
        "since names are among them. All numbers below are about these words only."
    )


def support_axis(support: Support, draws: int) -> str:
    """S_w in one of its three meanings, as the title of an axis."""
    return {
        "distinct": f"S_w: different words in {draws:,} draws",
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
    return f"{said} The mean is {mean}; 9 of 10 words lie between {low} and {high}."


# One template for N_w and for each meaning of S_w.
_WORST = {
    "N_w": "Worst word: {word}, unchanged with probability {value}.",
    "distinct": "Worst word: in {draws} draws {word} yields {value} different words on average.",
    "effective": "Worst word: {word}; the number of words that make up 99 % is {value}.",
    "percentage": "Worst word: {word}; different replacements are {value} % of {draws} draws.",
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
        "(right). The dashed lines enclose nine words of ten. Click a bar to see its words."
    ]
    said += {
        "exact": ["The numbers are computed from the mechanism's law."],
        "directions": [
            f"The numbers come from {source.count:,} directions of the noise, integrated over its "
            "length.",
            "All words share these directions, so their errors go together.",
        ],
        "draws": [
            f"The numbers come from {source.count:,} draws of each word, at every ε of a grid."
        ],
        "unknown": ["Their error is unknown."],
    }[source.kind]
    if source.interpolated:
        said.append("Between the ε of a grid they are interpolated.")
    if not source.is_exact:
        within = percent(float(known.unchanged.half_width.max()))
        said.append(f"N_w is known within ± {within}.")
    if support == "effective" and source.kind in ("directions", "draws"):
        said.append(f"S_w counts only words that came out in these {source.kind}; more may exist.")
    return " ".join(said)


def curve_finding(statistic: str, epsilons: Floats, middle: Floats) -> str:
    """The finding of a curve over ε, for those who cannot see it."""
    first, last = (statistic_value(statistic, float(middle[i])) for i in (0, -1))
    return (
        f"{statistic} goes from {first} at ε = {epsilons[0]:.3g} to {last} at {epsilons[-1]:.3g}."
    )


def demand(wish: Demand, words: int) -> str:
    """A demand in words."""
    scope = "on average" if wish.over == "mean" else f"for each of the {counted(words, 'word')}"
    return {
        "stays at most": f"N_w at most {percent(wish.value)} {scope}",
        "stays at least": f"N_w at least {percent(wish.value)} {scope}",
        "stays about": f"about {percent(wish.value)} of the words kept",
        "outputs at least": f"S_w at least {wish.value:g} {scope}",
    }[wish.kind]


def chosen(choice: Choice, demands: list[Demand], words: list[str]) -> str:
    """The ε found, its interval and the words that decide it; or what fails, and by how much."""
    wishes = "; ".join(demand(wish, len(words)) for wish in demands)
    if choice.epsilon is None:
        missed = demands[choice.failing or 0]
        unit = (
            percent(choice.missed_by)
            if missed.kind.startswith("stays")
            else (f"{choice.missed_by:.3g} outputs")
        )
        return (
            f"**No ε meets your demands.** You demanded: {wishes}. At the ε that best meets the "
            f"other demands, *{demand(missed, len(words))}* is missed by {unit}."
        )
    ranges = enumerated([f"{a:.3g} to {b:.3g}" for a, b in choice.intervals])
    deciding = list(dict.fromkeys(f"**{plain(words[i])}**" for i in choice.deciding))
    return " ".join(
        [
            f"### ε = {choice.epsilon:.4g}\n\nThis is the largest ε with {wishes} "
            f"({known_within(choice)}).",
            f"Deciding {nouns(len(deciding), 'word')}: {', '.join(deciding)}.",
            f"ε that meet your demands: {ranges}{_cut(choice)}.",
        ]
    )


def known_within(choice: Choice) -> str:
    """The interval of the ε found, and its source."""
    source = str(choice.source)
    if choice.low is None and choice.high is None:
        return f"at the worst end of the intervals no ε meets them; {source}"
    if choice.low is None:
        return (
            "at the worst end of the intervals no ε meets them, at the best end "
            f"{choice.high:.4g}; {source}"
        )
    if choice.low == choice.high:
        return source
    return f"{choice.low:.4g} to {choice.high:.4g}, {source}"


def _cut(choice: Choice) -> str:
    """Which ends of the ε that meet the demands are only ends of the ε that were tried."""
    first, last = choice.intervals[0][0], choice.intervals[-1][1]
    low, high = choice.looked_at
    said = [f"smaller ε than {low:.3g} were not tried"] if first == low else []
    said += [f"larger ε than {high:.3g} were not tried"] if last == high else []
    return f" ({', '.join(said)})" if said else ""


CLAIM = (
    "Feyisetan et al. (2020, Section 4.1) write about GloVe in 50 dimensions at ε = 5 that no word "
    f"has fewer than {cmp_claim.FEWEST} different words in {cmp_claim.RUNS:,} runs, and that none "
    f"is returned more than {cmp_claim.MOST} times. Here the claim is tested over all entries, by "
    "the ε path:"
)


def claim_finding(found: Finding) -> str:
    """What one sample of words says of the claim."""
    who = {"frequent": "most frequent entries", "random": "random entries"}[found.sample]
    fewest, most = round(found.fewest), round(found.most)
    numbers = f"at least {counted(fewest, 'different word')} and at most {counted(most, 'return')}"
    if not found.breaking:
        said = [
            f"✅ **None of the {found.words:,} {who} breaks the claim by more than its error** "
            f"({CONFIDENCE:.0%} confidence for all of them together).",
            f"Each has {numbers}.",
        ]
    else:
        word, distinct, returned = found.breaking[0]
        said = [
            f"❌ **{len(found.breaking):,} of the {found.words:,} {who} "
            f"{verb(len(found.breaking), 'breaks', 'break')} the claim.**",
            f"The clearest case is **{plain(word)}**, with "
            f"{counted(round(distinct), 'different word')} and "
            f"{counted(round(returned), 'return')} expected.",
        ]
    if found.undecided:
        words = ", ".join(plain(word) for word, *_ in found.undecided)
        said.append(f"Undecided, since the error over so many words is larger: {words}.")
    return " ".join(said)
