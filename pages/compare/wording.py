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
    "One sentence, several mechanisms. The same ε means something else for each of them, so each "
    "gets the ε at which words stay equally often, or at which another statistic is equal; then "
    "compare the sentences."
)


MODES_HELP = (
    "Each column at the ε that makes a statistic of sampled words equal: how often words stay on "
    "average (**mean N_w**), how often the word that stays most often does (**worst N_w**), how "
    "many different words come out (**S_w**), or how many words an adversary names. None of them "
    "is privacy as a whole. **Equal ε**: one ε for all. **Each its own ε**: set it under "
    "Parameters. The link carries the ε that was found."
)

MEAN_KEPT = "Mean N_w: words that stay, in %, on average"
WORST_KEPT = "Worst N_w: the word that stays most often, in %"
OUTPUTS = f"Mean S_w: different words among {DRAWS} draws of a word"
NAMED = "Words that an adversary names, in %"

ADVERSARY = (
    "It knows the mechanism, and that the word is one of the sampled words, each equally likely. "
    "Exact if the law is known; otherwise the success of a rule that was learned from draws, and a "
    "better adversary may name more."
)


UNEQUAL_EPSILON = (
    "**ε is not comparable between these columns.** It is a budget *per unit of distance*, and the "
    "mechanisms measure distance differently: along the vectors, in a transformed space, between "
    "clipped points, or not at all. Even for one mechanism it changes with the embedding: CMP's "
    "noise is about d/ε long in d dimensions. Compare at an equal N_w instead."
)


SAME_PROMISE = (
    "**The same ε is the same promise in these columns**: metric DP with ε per unit of the same "
    "distance, with q or without. How often words stay can differ all the same: see N_w below."
)


BESIDE_HELP = (
    "The same mechanism with a uniform q in the next column: all columns get this ε, and γ follows "
    "from the same rule. The new column draws your words once more, and that counts."
)


def beside(plain_mechanism: Mechanism) -> str:
    """The button that puts a mechanism without a base measure into the next column."""
    return f"⚖️ {plain_mechanism.name} beside it"


SAME_NOISE_HELP = (
    "For teaching: columns with the same mechanism and embedding get the same random numbers, so "
    "that only ε and the parameters differ."
)


SAME_NOISE_WARNING = (
    "**For teaching only.** Columns of the same mechanism share their noise. The same noise at two "
    "ε is two equations for one unknown, and an attacker solves them for the word: publish one "
    "column at most. No finite ε covers them together, and the count says so."
)


HOW_TO_READ_TRADEOFF = (
    "How to read this: every point of a curve is an ε. To the right, words are replaced more often "
    "(more private); upwards, released words lie nearer to the typed ones (more useful): 1 is the "
    "word itself, 0 as far as a word picked blindly. **At the same place of the lower axis, "
    "the upper curve is better.** The distance moved is used because it is defined for every "
    "mechanism and needs no model; it is divided by the distance to a blind pick, so that "
    "embeddings can be compared. N_w is one side of privacy only: the guarantee is another. "
    "Numbers in brackets are 95 % intervals; they hold what sampling leaves open and what reading "
    "between the points of a curve adds."
)


CLOSENESS_HELP = (
    "The cosine between the sentence and its versions under a small sentence encoder, computed on "
    "this machine: 1 for the same meaning, near 0 for none in common. One model's opinion. The "
    "first time takes some seconds."
)


SCRIPT_HELP = "Set a seed first (under Vocabulary): without one, no draw can be repeated."


SCRIPT_HOLDS = (
    "Private: it holds your sentence as typed, and the seed, and draws the same versions on any "
    "machine."
)


NO_SCRIPT_OF_CORPUS = (
    "A corpus that you uploaded is in this session alone: no script can count it. Choose another q."
)


def script_help(seeded: bool, source: str) -> str:
    """What the script of a comparison holds, or why there is none."""
    if source:
        return SCRIPT_HOLDS
    return NO_SCRIPT_OF_CORPUS if seeded else SCRIPT_HELP


TABLE_IS_PRIVATE = (
    "The table and the script are for you: how many words stayed, and how far they moved, reveal "
    "something of your sentence. You can publish a private sentence alone; the table beside it "
    "would undo it."
)


LOOKING_FOR_EPSILON = "The ε of this column is being computed; see the bar above."


COLUMN_SPENT_HELP = (
    "Every fresh draw counts: each column and version of the same words, and each move of a "
    "control that causes another draw. Pinned and unchanged columns are not drawn again."
)


def comparing(name: str, share: float) -> str:
    """What is being computed, and how far it is."""
    return f"{plain(name)}: following sampled words over all ε, {share:.0%}; next time from disk."


def column_title(label: str, epsilon: float) -> str:
    """What stands over a column once its ε is known."""
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
    return f"{statistic}: mean {mean}; 9 of 10 words {low} to {high}."


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
    "How to read this: N_w is the chance that a word stays, S_w the number of different words in "
    f"{DRAWS} draws; each bar counts sampled words of the vocabulary, and the dashed line is their "
    "mean. Equal means can hide unequal words: look at the words on the right of N_w."
)


HOW_MEASURED = (
    "**Mean N_w** over the same random words of the vocabulary; its ± is half of the 95 % "
    "interval, as if all words shared one error, and what reading between the curve's points adds. "
    "**Words kept** and **distance moved**: the sentences on screen, averaged over their versions. "
    "**Of the way to a random word**: the distance divided by that to a word picked blindly, so "
    "that embeddings can be compared. **Milliseconds**: the time of the draw on screen, all "
    "versions together, divided by their number; on this server, after one draw to warm up. It "
    "varies with the server's load."
)


def out_of_reach(
    match: Match, mechanism: Mechanism, target: float, epsilons: Floats, mode: str = "privacy"
) -> str:
    """Why a mechanism has no ε at this value, and what it reaches over the ε (E,) tried."""
    shown = "{:.3g}".format if mode == "outputs" else percent
    what, statistic = {
        "privacy": ("keep {} of words on average", "mean N_w"),
        "worst": ("have a word that stays with {} and none that stays more often", "worst N_w"),
        "outputs": ("have {} different outputs on average", "mean S_w"),
        "named": ("have {} of its words named", "share of words named"),
    }[mode]
    name = plain(titled(mechanism))
    tried = f"from {number(float(epsilons[0]))} to {number(float(epsilons[-1]))}"
    flat = 5e-4 if mode != "outputs" else 0.05
    if match.high - match.low < flat:
        reach = f"its {statistic} is about {shown(match.high)} at every ε {tried}"
    else:
        reach = f"over ε {tried} its {statistic} reaches {shown(match.low)} to {shown(match.high)}"
    return f"**{name}** cannot {what.format(shown(target))}: {reach}."


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
    where = f"With {percent(privacy)} of the words replaced on average"
    if not found:
        return f"{where}, none of these mechanisms has a point."
    found.sort(key=lambda each: each[0], reverse=True)
    values = ", ".join(
        f"{plain(name)} {_three(value)} ({_three(at.low)} to {_three(at.high)})"
        for value, at, name in found
    )
    if len(curves) == 1:
        return f"{where}, closeness is {values}. Columns that differ in ε only are one curve."
    if len(found) == 1:
        return f"{where}, closeness is {values}; the others cannot get there."
    (_, _, best), (_, _, second) = found[:2]
    lead = curves[best].lead(curves[second], privacy)
    assert lead is not None
    by = f"{_three(lead.value)} ({_three(lead.low)} to {_three(lead.high)})"
    pair = plain(best), plain(second)
    if lead.low > _LEAST_LEAD:
        return (
            f"{where}, **{pair[0]} keeps words closest**, by {by} before {pair[1]}. "
            f"Closeness there: {values}."
        )
    return (
        f"{where}, **{pair[0]} and {pair[1]} cannot be told apart** (they differ by {by}). "
        f"Closeness there: {values}."
    )


def _three(value: SupportsFloat) -> str:
    return f"{float(value):.3f}".replace("-0.000", "0.000").replace("-", "−")


def tradeoff_scope(words: dict[str, int]) -> str:
    """Over which words the curves were taken."""
    counts = ", ".join(f"{plain(name)} {count}" for name, count in words.items())
    text = f"Over random words of the vocabulary, always the same ones ({counts})."
    if len(set(words.values())) > 1:
        text += " If there are fewer, the mechanism treats the others as unknown words."
    return text
