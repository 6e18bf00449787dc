"""The words of the Neighbours page."""

from __future__ import annotations

from measures.words.density import (
    ADAPTATION_WORDS,
    Adaptation,
    NeighbourDistances,
    Neighbourhood,
    Reach,
)
from mechanisms import Mechanism
from mechanisms.estimate import CONFIDENCE
from mechanisms.law import Law
from pages.shared.prose import number, number_up, percent, plain
from release.grammar import counted

NEIGHBOURS_INTRODUCTION = (
    "Noise has a length, and two words have a distance. If words lie close together, a little "
    "noise is enough to replace one. If they lie far apart, the same noise rarely replaces any."
)


FOLLOWING = f"Following noise from {ADAPTATION_WORDS} words …"


def no_such_word(typed: str, offered: list[str]) -> str:
    """What to do if a word is not in the vocabulary."""
    names = ", ".join(f"**{plain(word)}**" for word in offered)
    if not typed.strip():
        return f"Type a word above, such as {names}, to see its neighbourhood."
    return (
        f"**{plain(typed[:40])}** is not in this vocabulary. Type another word, such as {names}, "
        "or load a larger vocabulary."
    )


def reach_finding(result: Reach, mechanism: Mechanism, word: str, words: int) -> str:
    """How far a word is moved, and how many words of the vocabulary lie there."""
    name, epsilon = plain(word), number(mechanism.epsilon)
    if result.moved == "noise":
        near = f"{result.within_reach:,} of {words:,} words"
        said = (
            f"At ε = {epsilon}, the median length of {mechanism.name}'s noise is "
            f"**{number(result.median)}** (90 % of the time it is between {number(result.low)} and "
            f"{number(result.high)}). If the noise is no longer than the median, the word that "
            f"comes out for *{name}* is at most {number_up(result.farthest)} away. So near are "
            f"**{f'all {words:,} words' if result.within_reach == words else near}**."
        )
    else:
        said = (
            f"{mechanism.name} adds no noise to the point of a word; it draws a word directly. At "
            f"ε = {epsilon}, **{name}** stays with probability {percent(result.stays)}. In at "
            f"least 95 % of draws, the word that comes out is at most {number_up(result.high)} "
            "away."
        )
    if result.source.is_exact:
        return f"{said} These numbers are exact."
    return f"{said} The lengths and probabilities are estimates ({result.source})."


def moved(result: Reach) -> str:
    """What the lower half of the figure shows."""
    return "length of the noise" if result.moved == "noise" else "distance of the output"


def how_to_read_reach(result: Reach, gamma: float | None) -> str:
    """One line on the figure of reach."""
    said = [
        "How to read this: the upper figure shows the number of words within a distance ρ of the "
        "word. The lower figure shows, on the same axis, how often each "
        f"{moved(result)} occurs. A shaded band runs from its 5th to its 95th percentile."
    ]
    if result.moved == "noise":
        said.append(
            "In many dimensions noise misses almost every word. So a word often survives noise "
            "that is a little longer than the distance to its neighbours."
        )
    else:
        said.append("The lower curve leaves out the draws that return the word itself.")
    if gamma is None:
        said.append(
            "TEM's γ is not drawn, since this ε is not stated per unit of Euclidean distance."
        )
    elif gamma > 0:
        said.append(f"The dashed line is TEM's γ at this ε, {number_up(gamma)}.")
    else:
        said.append("At this ε any γ will do, so TEM has no line.")
    return " ".join(said)


def map_note(near: Neighbourhood, law: Law, word: str) -> str:
    """How the map was made, and how much of the law it shows."""
    shares = law.of(near.word_ids)
    source = {
        "exact": "The probabilities are exact, from the mechanism's law.",
        "directions": (
            f"The probabilities are estimates, averaged over {law.source.count:,} directions of "
            "the noise. A hollow circle came out in none of them."
        ),
        "draws": (
            f"The probabilities are estimates from {law.source.count:,} draws. A hollow circle "
            "came out in none of them."
        ),
    }[law.source.kind]
    return (
        f"The map shows the {counted(len(near.word_ids) - 1, 'word')} nearest to "
        f"**{plain(word)}** in all dimensions. The plane keeps {percent(near.spread)} of their "
        "variance, so distances on it can mislead: hover over a word to see the true one. "
        f"**{plain(word)}** itself comes out with probability **{percent(float(shares[0]))}**; all "
        f"words on the map together with {percent(min(1.0, float(shares.sum())))}. {source}"
    )


HOW_TO_READ_MAP = (
    "How to read this: each circle is a word; the larger it is, the likelier the word comes out. "
    "The word you chose has a thick ring. Click another word to make it the centre."
)


def one_word(name: str) -> str:
    """Why a vocabulary of one word has no distances."""
    return (
        f"**{plain(name)}** has only one word here, and that word has no neighbour. Choose a "
        "larger vocabulary, or switch off *Words only* under *Vocabulary*."
    )


def percentiles_finding(name: str, found: NeighbourDistances) -> str:
    """The percentiles of one embedding, in a sentence."""
    count, size = len(found.word_ids), found.vocabulary_size
    words = f"all {size:,} words" if count == size else f"{count:,} of {counted(size, 'word')}"
    low, middle, high = found.percentiles[[0, 2, 4], 0]
    last = found.percentiles[2, -1]
    return (
        f"**{plain(name)}**, {words}. The median distance to the nearest neighbour is "
        f"{middle:.2f} (at most {low:.2f} for 5 % of the words, more than {high:.2f} for another "
        f"5 %). To neighbour number {found.percentiles.shape[1]:,} it is {last:.2f}."
    )


HOW_TO_READ_PERCENTILES = (
    "How to read this: the solid line is the median distance to the k-th neighbour. At k = 10, "
    "half of the words have their tenth neighbour within that distance. The dashed lines are the "
    "20th and 80th percentiles, the dotted lines the 5th and 95th. A flat curve means that the "
    "first neighbour is about as far away as the last one shown: a little noise changes almost "
    "nothing, and a little more can release any of them. (Figure 1 of Feyisetan et al. 2020 shows "
    "the same for other embeddings.)"
)


HOW_TO_READ_DENSITY = (
    "How to read this: each row has the distances from a word to its 1st, 10th and 100th "
    "neighbour, for the words of the figure above. The rows are sorted by the 10th."
)


def adaptation_finding(found: Adaptation) -> str:
    """Which of the two follows density more, in a sentence with the numbers."""
    exact = percent(float(found.unchanged[1].value.mean()))
    sampled = found.unchanged[0].mean()
    mean, low, high = (percent(end) for end in sampled.numbers)
    first, second = found.correlation
    (a, b), (c, d) = found.range
    wide, narrow = ("CMP", "TEM") if b - a >= d - c else ("TEM", "CMP")
    return (
        f"CMP at ε = {found.epsilon[0]:.3g} has a mean N_w of {mean} "
        f"({100 * CONFIDENCE:g} % interval {low} to {high}, {sampled.source} of the noise), and "
        f"TEM at ε = {found.epsilon[1]:.3g} of {exact}. {_sparse_places(first, second)} From "
        f"the 10th to the 90th percentile of these words, N_w goes from {percent(a)} "
        f"to {percent(b)} under CMP and from {percent(c)} to {percent(d)} under "
        f"TEM: for {wide} it varies more from word to word than for {narrow}."
    )


def _sparse_places(cmp: float | None, tem: float | None) -> str:
    """How N_w follows the distance to the 10th neighbour."""
    if cmp is None or tem is None:
        return "There is no rank correlation, since all words have the same distance or N_w."
    correlation = f"rank correlation {cmp:.2f} for CMP, {tem:.2f} for TEM"
    if min(cmp, tem) > 0:
        return f"Under both, words in sparse places tend to stay more often ({correlation})."
    return (
        "Under at most one of the two, words in sparse places tend to stay more often "
        f"({correlation})."
    )


def how_to_read_adaptation(found: Adaptation) -> str:
    """One line on the scatter of N_w against density."""
    return (
        f"How to read this: each of {counted(len(found.word_ids), 'sampled word')} is one circle "
        "(CMP) and one diamond (TEM). CMP's noise follows the same law everywhere, so its N_w "
        "depends on the distance to the neighbours. TEM weighs every word by its own distance. The "
        "less steeply the points of a mechanism rise to the right, the less its N_w depends on "
        "density. TEM's N_w is exact; CMP's is an estimate, averaged over directions of the noise."
    )
