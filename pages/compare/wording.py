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
from pages.shared.prose import amount, number, percent, plain, statistic_value, whole_percent

COMPARE_INTRODUCTION = (
    "Compare one sentence under several mechanisms. The same ε means something different for each "
    "mechanism. So by default each has the ε at which words stay equally often. You can choose to "
    "make another statistic equal."
)


MODES_HELP = (
    "Each column gets the ε at which a statistic of sampled words has the same value: the chance "
    "that a word stays, on average (**mean N_w**) or for the sampled word that stays most often "
    "(**worst N_w**); the number of different words that come out (**S_w**); or the share of words "
    "that an adversary guesses correctly. None of these is privacy as a whole. **Equal ε** uses "
    "one ε for all columns. With **Separate ε**, set the ε of each column under *Parameters, "
    "embedding*. The link carries the ε that was found."
)

MEAN_KEPT = "Mean N_w: the chance that a word stays, on average, in %"
WORST_KEPT = "Worst N_w: the highest chance to stay of any sampled word, in %"
OUTPUTS = f"Mean S_w: different words in {DRAWS} draws of a word, on average"
NAMED = "Words that an adversary guesses correctly, in %"

ADVERSARY = (
    "The adversary knows the mechanism, and that the word is one of the sampled words, each "
    "equally likely. The share is computed at some ε and read along a line between them: from the "
    "law if it is known, otherwise for a rule learnt from draws. A better rule may guess more."
)


UNEQUAL_EPSILON = (
    "**ε is not comparable between these columns.** Most mechanisms spend it *per unit of "
    "distance*, and they measure distance differently: between vectors, in a transformed space, or "
    "not at all. Even for one mechanism, the meaning of ε changes with the embedding: CMP's noise "
    "is about d/ε long in d dimensions. Compare at an equal N_w instead."
)


SAME_PROMISE = (
    "**The same ε is the same promise in these columns**: metric DP with ε per unit of the same "
    "distance, with or without a base measure q. Words may still stay more often in one column "
    "than in another: see N_w below."
)


def own_settings(name: str) -> str:
    """Why column 1 is pinned."""
    return (
        f"Column 1 has the settings of {plain(name)} and is pinned. The other columns get the ε at "
        "which they reach the value above. That value starts at the mean N_w of column 1, rounded "
        "to a whole percentage."
    )


BESIDE_HELP = (
    "Replaces the next column by the same mechanism with a uniform q and the same rule for γ, and "
    "sets *Equal ε* to this ε. The new column draws your words once more, and that counts."
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
    "finite ε bounds such columns together, and the count of ε below says so."
)


HOW_TO_READ_TRADEOFF = (
    "How to read this: every point of a curve is an ε. Further right, words are replaced more "
    "often. Further up, released words are closer to the typed ones: 1 is the typed word itself, "
    "and 0 is as far away as a random word, on average. **Of two curves at the same place on the "
    "horizontal axis, the upper one keeps words closer at the same N_w.** Closeness is 1 − "
    "(distance moved) / (mean distance to a random word), so that embeddings can be compared. N_w "
    "is only one side of privacy; the guarantee is another. Numbers in brackets are 95 % "
    "intervals. For closeness they are about the sampled words; for a difference of two curves "
    "they are about words in general. Both include the error of reading between the points of a "
    "curve."
)


CLOSENESS_HELP = (
    "How close the meanings of the sentence and its versions are in the opinion of one model, a "
    "small sentence encoder that runs on the server: the cosine of their vectors. 1 is the same "
    "meaning, and a value near 0 is an unrelated one. The first time takes some seconds."
)


SCRIPT_HELP = (
    "Set a seed first, under *Versions, vocabulary, unknown words, seed*. Without a seed, no draw "
    "can be repeated."
)


SCRIPT_HOLDS = (
    "Private: this script contains your sentence as typed and the seed. It draws the same versions "
    "again on any machine with the same version of WordVeil."
)


NO_SCRIPT_OF_UPLOADS = (
    "An embedding or a corpus that you uploaded exists in this session only, so a script could not "
    "read it. Choose other ones."
)


def script_help(seeded: bool, source: str) -> str:
    """What the script of a comparison holds, or why there is none."""
    if source:
        return SCRIPT_HOLDS
    return NO_SCRIPT_OF_UPLOADS if seeded else SCRIPT_HELP


TABLE_IS_PRIVATE = (
    "The table and the script are for you alone. The script contains your sentence. The table "
    "shows how many words stayed and how far words moved, and this reveals something about your "
    "sentence. Never publish either of them."
)


LOOKING_FOR_EPSILON = "The ε of this column is being computed; see the bar above."


COLUMN_SPENT_HELP = (
    "Every fresh draw counts: every version in every column, also if moving a control caused it. A "
    "column whose settings did not change is drawn again only by *Draw again*."
)


def comparing(name: str, share: float) -> str:
    """What is being computed, and how far it is."""
    return f"{plain(name)}: {whole_percent(share)} computed."


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
    return f"{statistic}: the mean is {mean}; 9 of 10 sampled words are between {low} and {high}."


def mean_unchanged(mean: Estimate | None) -> str:
    """Mean N_w with half of its interval."""
    if mean is None:
        return "ε is outside the computed range"
    said = f"{100 * float(mean.value):.1f} %"
    if mean.source.is_exact:
        return said
    return f"{said} ± {max(100 * float(mean.half_width), 0.1):.1f}"


def no_words_here(label: str) -> str:
    """Why a column has no histogram."""
    return f"{plain(label)}: no figure, because its ε is unknown or outside the computed range."


HOW_TO_READ_SPREAD = (
    "How to read this: N_w is the chance that a word stays; S_w is the expected number of "
    f"different words in {DRAWS} draws. Each bar counts sampled words of the vocabulary, and the "
    "dashed line is their mean. Equal means can hide words that stay much more often: look at the "
    "right end of N_w."
)


HOW_MEASURED = (
    "**Mean N_w** is about sampled words of the vocabulary, the same for every column. After ± is "
    "half of its 95 % interval, computed as if all words shared one error, plus the error of "
    "reading between the points of the curve. **Words kept** and **distance moved** are about the "
    "known words of the sentences on screen, averaged over their versions. **Of the way to a "
    "random word** is the distance moved, divided by the mean distance from a sampled word to a "
    "random word. **Milliseconds** is the time of the draw on screen divided by the number of "
    "versions. It varies with the load of the server."
)


def out_of_reach(
    match: Match, mechanism: Mechanism, target: float, epsilons: Floats, mode: str = "privacy"
) -> str:
    """Why a mechanism has no ε at this value, and what it reaches over the ε (E,) tried."""
    shown = "{:.3g}".format if mode == "outputs" else percent
    statistic = _STATISTICS[mode]
    name = f"**{plain(titled(mechanism))}**"
    tried = f"{number(float(epsilons[0]))} to {number(float(epsilons[-1]))}"
    said = f"No ε from {tried} was found at which {name} has a {statistic} of {shown(target)}."
    flat = 5e-4 if mode != "outputs" else 0.05
    if match.high - match.low < flat:
        return f"{said} Its {statistic} is about {shown(match.high)} at every ε tried."
    return f"{said} At the ε tried it is between {shown(match.low)} and {shown(match.high)}."


_STATISTICS = {
    "privacy": "mean N_w",
    "worst": "worst N_w",
    "outputs": "mean S_w",
    "named": "share of correctly guessed words",
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
        "With {privacy} of the words replaced on average, **{first} keeps words closer than "
        "{second}**: the difference is {lead}. Closeness there: {values}."
    ),
    "equal": (
        "With {privacy} of the words replaced on average, **it is not clear whether {first} or "
        "{second} keeps words closer**: the difference is {lead}. Closeness there: {values}."
    ),
}


def _three(value: SupportsFloat) -> str:
    return f"{float(value):.3f}".replace("-0.000", "0.000").replace("-", "−")


def tradeoff_scope(words: dict[str, int]) -> str:
    """Over which words the curves were taken."""
    counts = ", ".join(f"{plain(name)} {count}" for name, count in words.items())
    text = f"The curves use random words of the vocabulary, always the same ones ({counts})."
    if len(set(words.values())) > 1:
        return f"{text} A mechanism with fewer words here treats the others as unknown words."
    return text
