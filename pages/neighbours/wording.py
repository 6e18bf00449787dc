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
from mechanisms.law import Law
from pages.shared.prose import number, number_up, percent, plain
from release.grammar import counted

NEIGHBOURS_INTRODUCTION = (
    "Noise is a distance, and so is the gap between two words. If words lie close together, a "
    "little noise is enough to replace one. If they lie far apart, the same noise changes nothing."
)


FOLLOWING = f"Following noise from {ADAPTATION_WORDS} words …"


def no_such_word(typed: str, offered: list[str]) -> str:
    """What to do where a word is not in the vocabulary."""
    names = ", ".join(f"**{plain(word)}**" for word in offered)
    if not typed.strip():
        return f"Type a word above to see its neighbourhood, such as {names}."
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
            f"{mechanism.name}'s noise at ε = {epsilon} is typically **{number(result.median)}** "
            f"long (nine times in ten between {number(result.low)} and {number(result.high)}). "
            f"Words up to twice that far can come out; for *{name}* that is "
            f"**{f'all {words:,} words' if result.within_reach == words else near}**."
        )
    else:
        said = (
            f"{mechanism.name} adds no noise: it chooses by distance. At ε = {epsilon}, **{name}** "
            f"stays with probability {percent(result.stays)}. In nine draws of ten, the word that "
            f"comes out is at most {number(result.high)} away."
        )
    if result.source.is_exact:
        return f"{said} These numbers are exact."
    return f"{said} These numbers are estimates ({result.source})."


def moved(result: Reach) -> str:
    """What the lower half of the figure shows."""
    return "length of the noise" if result.moved == "noise" else "distance of what comes out"


def how_to_read_reach(result: Reach, gamma: float | None) -> str:
    """One line on the figure of reach."""
    said = [
        "How to read this: the upper figure shows the number of words within a distance ρ of the "
        "word. The lower figure shows how far the mechanism moves the word, on the same axis."
    ]
    if result.moved == "noise":
        said += [
            "Nine of ten noises end in the shaded band.",
            "In many dimensions noise misses almost every word. So a word can survive noise that "
            "is longer than the distance to its neighbours, but not much longer noise.",
        ]
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
            f"The probabilities are averaged over {law.source.count:,} directions of the noise."
        ),
        "draws": (
            f"The probabilities are shares of {law.source.count:,} draws. A hollow point was never "
            "drawn."
        ),
    }[law.source.kind]
    return (
        f"The map shows the {counted(len(near.word_ids) - 1, 'word')} nearest to "
        f"**{plain(word)}**, found in all dimensions. The plane keeps {percent(near.spread)} of "
        "their spread, so distances on it can mislead: hover to see the true ones. "
        f"**{plain(word)}** itself comes out with probability **{percent(float(shares[0]))}**; all "
        f"words on the map together with {percent(min(1.0, float(shares.sum())))}. {source}"
    )


HOW_TO_READ_MAP = (
    "How to read this: each circle is a word, and its area is the probability that the word comes "
    "out. The word you chose has a thick ring. Click another word to make it the centre."
)


def one_word(name: str) -> str:
    """Why a vocabulary of one word has no distances."""
    return (
        f"**{plain(name)}** has only one word here, so that word has no neighbour. Choose a larger "
        "vocabulary, or switch off *Words only* under *Vocabulary*."
    )


def percentiles_finding(name: str, found: NeighbourDistances) -> str:
    """The percentiles of one embedding, in a sentence."""
    count, size = len(found.word_ids), found.vocabulary_size
    words = f"all {size:,} words" if count == size else f"{count:,} of {counted(size, 'word')}"
    low, middle, high = found.percentiles[[0, 2, 4], 0]
    last = found.percentiles[2, -1]
    return (
        f"**{plain(name)}**, {words}. For the median word, the nearest neighbour is {middle:.2f} "
        f"away (within {low:.2f} for 5 % of words, farther than {high:.2f} for another 5 %). "
        f"Neighbour number {found.percentiles.shape[1]:,} is {last:.2f} away."
    )


HOW_TO_READ_PERCENTILES = (
    "How to read this: the solid line is the median distance to the k-th neighbour. At k = 10, "
    "half of the words have their tenth neighbour within that distance. The dotted lines are the "
    "5 % of words in the densest places and the 5 % in the sparsest. A flat curve means that the "
    "first neighbour is about as far away as the last one shown: a little noise changes nothing, "
    "and a little more can release almost any word. (This is Figure 1 of Feyisetan et al. 2020 "
    "for this embedding, with exact distances.)"
)


HOW_TO_READ_DENSITY = (
    "How to read this: each row has the distances from a word to its 1st, 10th and 100th "
    "neighbour. Rows are in order of the 10th, among the words of the figure above."
)


def adaptation_finding(found: Adaptation) -> str:
    """Which of the two follows density more, in a sentence with the numbers."""
    mean = percent(float(found.unchanged[1].value.mean()))
    sampled = found.unchanged[0].mean()
    ends = f"{percent(float(sampled.low))} to {percent(float(sampled.high))}"
    first, second = found.correlation
    (a, b), (c, d) = found.range
    wide, narrow = ("CMP", "TEM") if b - a >= d - c else ("TEM", "CMP")
    return (
        f"Both mechanisms have the same mean N_w of {mean} (CMP at ε = {found.epsilon[0]:.3g}, TEM "
        f"at ε = {found.epsilon[1]:.3g}; CMP's mean is {sampled.source}, 95 % interval {ends}). "
        f"{_sparse_places(first, second)} For eight words of ten, N_w lies between {percent(a)} "
        f"and {percent(b)} under CMP, and between {percent(c)} and {percent(d)} under TEM. So "
        f"{wide} varies more from word to word than {narrow}."
    )


def _sparse_places(cmp: float | None, tem: float | None) -> str:
    """How N_w follows the distance to the 10th neighbour."""
    if cmp is None or tem is None:
        return "There is no rank correlation, since all words have the same distance or N_w."
    if min(cmp, tem) > 0:
        return (
            "Under both, words in sparse places stay more often (rank correlation "
            f"{cmp:.2f} for CMP, {tem:.2f} for TEM)."
        )
    return (
        "Words in sparse places do not stay more often under both (rank correlation "
        f"{cmp:.2f} for CMP, {tem:.2f} for TEM)."
    )


def how_to_read_adaptation(found: Adaptation) -> str:
    """One line on the scatter of N_w against density."""
    return (
        f"How to read this: each of {len(found.word_ids)} sampled words is one circle (CMP) and "
        "one diamond (TEM). CMP's noise is equally long everywhere, so its N_w follows the "
        "distance to the neighbours. TEM weighs every word by its own distance. The less steeply "
        "the points of a mechanism rise to the right, the less its N_w depends on density. TEM's "
        "N_w is exact; CMP's is averaged over directions of the noise."
    )
