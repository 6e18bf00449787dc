"""The words of the Compare page."""

from __future__ import annotations

from typing import SupportsFloat

from measures.audits.findings import titled
from measures.words.deniability import Summary
from measures.words.targets import Match
from measures.words.tradeoff import DRAWS, Tradeoff
from mechanisms import Guarantee, Mechanism
from mechanisms.estimate import Estimate
from mechanisms.vocabulary import Floats
from pages.shared.prose import amount, number, percent, plain, statistic_value

COMPARE_INTRODUCTION = (
    "Compare one sentence under several mechanisms. The same ε means something different for each "
    "mechanism. So each gets the ε at which words stay equally often, or at which another "
    "statistic is equal."
)


MODES_HELP = (
    "Each column gets the ε that makes a statistic of sampled words equal: how often words stay on "
    "average (**mean N_w**), how often the word that stays most often does (**worst N_w**), how "
    "many different words come out (**S_w**), or how many words an adversary names. None of these "
    "is privacy as a whole. **Equal ε** uses one ε for all columns. With **Each its own ε**, set "
    "it under Parameters. The link carries the ε that was found."
)

MEAN_KEPT = "Mean N_w: words that stay, in %, on average"
WORST_KEPT = "Worst N_w: the word that stays most often, in %"
OUTPUTS = f"Mean S_w: different words among {DRAWS} draws of a word"
NAMED = "Words that an adversary names, in %"

ADVERSARY = (
    "The adversary knows the mechanism, and knows that the word is one of the sampled words, each "
    "equally likely. The share is exact if the law is known. Otherwise it is the success of a rule "
    "learnt from draws, and a better adversary may name more."
)


UNEQUAL_EPSILON = (
    "**ε is not comparable between these columns.** It is a budget *per unit of distance*, and the "
    "mechanisms measure distance differently: along the vectors, in a transformed space, between "
    "clipped points, or not at all. Even for one mechanism its meaning changes with the embedding: "
    "CMP's noise is about d/ε long in d dimensions. Compare at an equal N_w instead."
)


SAME_PROMISE = (
    "**The same ε is the same promise in these columns**: metric DP with ε per unit of the same "
    "distance, with q or without. Words may still stay more often in one column than in another: "
    "see N_w below."
)


def own_settings(name: str) -> str:
    """Why column 1 is pinned."""
    return (
        f"Column 1 has the settings of {plain(name)} and is pinned. The other columns get the ε at "
        "which the value above holds, at first as many words that stay as in column 1."
    )


BESIDE_HELP = (
    "Puts the same mechanism with a uniform q into the next column. All columns get this ε, and γ "
    "follows from the same rule. The new column draws your words once more, and that counts."
)


def beside(plain_mechanism: Mechanism) -> str:
    """The button that puts a mechanism without a base measure into the next column."""
    return f"⚖️ {plain_mechanism.name} beside it"


SAME_NOISE_HELP = (
    "For teaching: columns with the same mechanism and embedding get the same random numbers, so "
    "that only ε and the parameters differ."
)


SAME_NOISE_WARNING = (
    "**For teaching only.** Columns of the same mechanism share their noise. An attacker who sees "
    "two of them can solve for the noise and find the word, so publish one column at most. No "
    "finite ε bounds them together, and the count says so."
)


HOW_TO_READ_TRADEOFF = (
    "How to read this: every point of a curve is an ε. Further right, words are replaced more "
    "often (more private). Further up, released words lie nearer to the typed ones (more useful): "
    "1 is the typed word itself, 0 is as far away as a random word. **At the same place on the "
    "lower axis, the upper curve is better.** The distance moved is defined for every mechanism "
    "and needs no model. It is divided by the distance to a random word, so that embeddings can be "
    "compared. N_w is only one side of privacy; the guarantee is another. Numbers in brackets are "
    "95 % intervals. They include the error of sampling and the error of reading between the "
    "points of a curve."
)


CLOSENESS_HELP = (
    "The cosine between the sentence and its versions under a small sentence encoder, computed on "
    "this machine. 1 is the same meaning; near 0 nothing is in common. It is the opinion of one "
    "model. The first time takes some seconds."
)


SCRIPT_HELP = "Set a seed first (under Vocabulary): without one, no draw can be repeated."


SCRIPT_HOLDS = (
    "Private: this script contains your sentence as typed and the seed. It draws the same versions "
    "on any machine."
)


NO_SCRIPT_OF_CORPUS = (
    "An uploaded corpus exists in this session only, so a script could not count it. Choose "
    "another q."
)


def script_help(seeded: bool, source: str) -> str:
    """What the script of a comparison holds, or why there is none."""
    if source:
        return SCRIPT_HOLDS
    return NO_SCRIPT_OF_CORPUS if seeded else SCRIPT_HELP


TABLE_IS_PRIVATE = (
    "The table and the script are for you alone: they show how many words stayed and how far "
    "words moved, and this reveals something about your sentence. Never publish them beside a "
    "private sentence."
)


LOOKING_FOR_EPSILON = "The ε of this column is being computed; see the bar above."


COLUMN_SPENT_HELP = (
    "Every fresh draw counts: each column and version of the same words, and each move of a "
    "control that causes another draw. Pinned and unchanged columns are not drawn again."
)


def comparing(name: str, share: float) -> str:
    """What is being computed, and how far it is."""
    return f"{plain(name)}: {share:.0%} of all ε computed. The result is stored for next time."


def column_title(label: str, epsilon: float) -> str:
    """The title of a column once its ε is known."""
    return f"**{plain(label)}** at ε = **{number(float(f'{epsilon:.4g}'))}**"


NOT_DRAWN = "Not drawn yet."


def compare_text(length: int, most: int) -> str:
    """Why a text cannot be compared."""
    if length > most:
        return f"This text has {length:,} characters; this page takes up to {most:,}. Shorten it."
    return "Type a sentence above, and its private versions appear here side by side."


def spread(statistic: str, found: Summary) -> str:
    """A statistic over the sampled words: mean and 9 of 10 words."""
    mean, low, high = (statistic_value(statistic, v) for v in (found.mean, found.low, found.high))
    return f"{statistic}: the mean is {mean}; 9 of 10 words lie between {low} and {high}."


def mean_unchanged(mean: Estimate | None) -> str:
    """Mean N_w with half of its interval."""
    if mean is None:
        return "ε lies beyond the computed range"
    said = f"{100 * float(mean.value):.1f} %"
    if mean.source.is_exact:
        return said
    return f"{said} ± {max(100 * float(mean.half_width), 0.1):.1f}"


def no_words_here(label: str) -> str:
    """Why a column has no histogram."""
    return f"{plain(label)}: nothing to show without an ε in the computed range."


HOW_TO_READ_SPREAD = (
    "How to read this: N_w is the chance that a word stays; S_w is the number of different words "
    f"in {DRAWS} draws. Each bar counts sampled words of the vocabulary, and the dashed line is "
    "their mean. Equal means can hide unequal words: look at the words at the right end of N_w."
)


HOW_MEASURED = (
    "**Mean N_w** is over the same random words of the vocabulary. Its ± is half of the 95 % "
    "interval, computed as if all words shared one error, plus the error of reading between the "
    "curve's points. **Words kept** and **distance moved** are about the sentences on screen, "
    "averaged over their versions. **Of the way to a random word** is the distance moved divided "
    "by the distance to a random word, so that embeddings can be compared. **Milliseconds** is the "
    "time of the draw on screen divided by the number of versions, on this server, after one draw "
    "to warm up. It varies with the server's load."
)


def out_of_reach(
    match: Match, mechanism: Mechanism, target: float, epsilons: Floats, mode: str = "privacy"
) -> str:
    """Why a mechanism has no ε at this value, and what it reaches over the ε (E,) tried."""
    shown = "{:.3g}".format if mode == "outputs" else percent
    cannot, statistic = _OUT_OF_REACH[mode]
    said = cannot.format(name=f"**{plain(titled(mechanism))}**", value=shown(target))
    tried = f"{number(float(epsilons[0]))} to {number(float(epsilons[-1]))}"
    flat = 5e-4 if mode != "outputs" else 0.05
    if match.high - match.low < flat:
        return f"{said} Its {statistic} is about {shown(match.high)} at every ε from {tried}."
    return (
        f"{said} Its {statistic} lies between {shown(match.low)} and {shown(match.high)} for ε "
        f"from {tried}."
    )


_OUT_OF_REACH = {
    "privacy": ("{name} cannot keep {value} of words on average.", "mean N_w"),
    "worst": (
        "{name} has no ε at which the word that stays most often stays with probability {value}.",
        "worst N_w",
    ),
    "outputs": ("{name} cannot have {value} different outputs on average.", "mean S_w"),
    "named": ("{name} has no ε at which {value} of its words are named.", "share of words named"),
}


def promise(found: Guarantee) -> str:
    """A guarantee in a line: what, how much, and whether it holds."""
    if found.notion == "none proven":
        return "❔ nothing is proven"
    size = [f"ε = {amount(found.distance.name, found.epsilon)}"]
    if found.notion == "(ε, δ)-DP":
        size.append(f"δ = {number(found.delta)}")
    return ", ".join([_HOLDS[found.holds].format(notion=found.notion), *size])


_HOLDS = {True: "✅ holds: {notion}", False: "❌ does not hold: {notion}"}


# A lead that is 0 with the three decimals shown is none.
_LEAST_LEAD = 5e-4


def tradeoff_finding(curves: dict[str, Tradeoff], privacy: float) -> str:
    """Which curve is the upper one at a privacy, in a sentence."""
    found = []
    for name, curve in curves.items():
        if (at := curve.at_privacy(privacy)) is not None:
            found.append((float(at.value), at, name))
    found.sort(key=lambda each: each[0], reverse=True)
    case, said = "nothing", {"privacy": percent(privacy)}
    said["values"] = ", ".join(
        f"{plain(name)} {_three(value)} ({_three(at.low)} to {_three(at.high)})"
        for value, at, name in found
    )
    if len(found) == 1:
        case = "one curve" if len(curves) == 1 else "one reaches"
    elif found:
        (_, _, best), (_, _, second) = found[:2]
        lead = curves[best].lead(curves[second], privacy)
        assert lead is not None
        case = "leads" if lead.low > _LEAST_LEAD else "equal"
        said["lead"] = f"{_three(lead.value)} ({_three(lead.low)} to {_three(lead.high)})"
        said |= {"first": plain(best), "second": plain(second)}
    return _TRADEOFF[case].format(**said)


# One template for each case: another language may order the parts in another way.
_TRADEOFF = {
    "nothing": (
        "None of these mechanisms can replace {privacy} of the words on average in the computed "
        "range of ε."
    ),
    "one curve": (
        "With {privacy} of the words replaced on average, closeness is {values}. Columns that "
        "differ only in ε are one curve."
    ),
    "one reaches": (
        "With {privacy} of the words replaced on average, closeness is {values}. The others do not "
        "reach that share."
    ),
    "leads": (
        "With {privacy} of the words replaced on average, **{first} keeps words closest**: {lead} "
        "closer than {second}. Closeness there: {values}."
    ),
    "equal": (
        "With {privacy} of the words replaced on average, **{first} and {second} cannot be told "
        "apart** (they differ by {lead}). Closeness there: {values}."
    ),
}


def _three(value: SupportsFloat) -> str:
    return f"{float(value):.3f}".replace("-0.000", "0.000").replace("-", "−")


def tradeoff_scope(words: dict[str, int]) -> str:
    """Over which words the curves were taken."""
    counts = ", ".join(f"{plain(name)} {count}" for name, count in words.items())
    text = f"The curves use random words of the vocabulary, always the same ones ({counts})."
    if len(set(words.values())) > 1:
        return f"{text} A mechanism with fewer words treats the others as unknown words."
    return text
