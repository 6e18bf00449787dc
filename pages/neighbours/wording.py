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
from release.grammar import counted, nouns

NEIGHBOURS_INTRODUCTION = (
    "Noise is measured in the same distances that separate words. If words lie close together, a "
    "little noise is enough to replace one; if they lie far apart, the same noise does nothing."
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


def reach_finding(result: Reach, mechanism: Mechanism, word: str) -> str:
    """How far a word is moved, and how many words lie there."""
    name = plain(word)
    if result.moved == "noise":
        what = (
            f"{mechanism.name}'s noise at ε = {number(mechanism.epsilon)} is typically "
            f"**{number(result.median)}** long (nine times in ten between {number(result.low)} and "
            f"{number(result.high)}). Words up to twice that far can come out: "
            f"**{result.within_reach:,}** {nouns(result.within_reach, 'word')} for {name}."
        )
    else:
        what = (
            f"{mechanism.name} adds no noise: it chooses by distance. At ε = "
            f"{number(mechanism.epsilon)}, **{name}** stays with probability "
            f"{percent(result.stays)}; in nine draws of ten the word that comes out is no farther "
            f"than {number(result.high)}."
        )
    source = str(result.source)
    return f"{what} {source[0].upper()}{source[1:]}."


def moved(result: Reach) -> str:
    """What the lower half of the figure shows."""
    return "length of the noise" if result.moved == "noise" else "distance of what comes out"


def how_to_read_reach(result: Reach, gamma: float | None) -> str:
    """One line on the figure of reach."""
    if result.moved == "noise":
        shaded = "the shaded band is where nine of ten noises end"
        why = (
            " In many dimensions noise flies past almost every word, so a word can survive noise "
            "longer than the way to its neighbours; far to the right of them it does not."
        )
    else:
        why = ""
        shaded = "the curve below leaves out the draws that give the word itself"
    if gamma is None:
        line = "TEM's γ is not drawn, since this ε is not one per unit of Euclidean distance"
    elif gamma > 0:
        line = f"the dashed line is TEM's γ at this ε, {number_up(gamma)}"
    else:
        line = "at this ε any γ will do, so TEM has no line"
    return (
        "How to read this: above, the number of words within a distance ρ of the word; below, how "
        f"far the mechanism moves it, on the same axis; {shaded}; {line}.{why}"
    )


def map_note(near: Neighbourhood, law: Law, word: str) -> str:
    """How the map was made, and how much of the law it shows."""
    shares = law.of(near.word_ids)
    source = {
        "exact": "exact, from the mechanism's law",
        "directions": f"averaged over {law.source.count:,} directions of the noise",
        "draws": f"the share of {law.source.count:,} draws; a hollow point was never drawn",
    }[law.source.kind]
    return (
        f"The {counted(len(near.word_ids) - 1, 'word')} nearest to **{plain(word)}**, found in all "
        f"dimensions. The plane keeps {percent(near.spread)} of their spread, so distances on it "
        f"mislead: hover for the true ones. **{plain(word)}** itself comes out with probability "
        f"**{percent(float(shares[0]))}**, the words shown together with "
        f"{percent(min(1.0, float(shares.sum())))}. Probabilities are {source}."
    )


HOW_TO_READ_MAP = (
    "How to read this: each circle is a word, and its area the probability that it comes out; the "
    "word you chose has the thick ring. Click any other word to walk there."
)


def one_word(name: str) -> str:
    """Why a vocabulary of one word has no distances."""
    return (
        f"**{plain(name)}** has one word here, and so no neighbour: distances between words need "
        "two. Choose a larger vocabulary, or switch off *Words only* under *Vocabulary*."
    )


def percentiles_finding(name: str, found: NeighbourDistances) -> str:
    """The percentiles of one embedding, in a sentence."""
    count, size = len(found.word_ids), found.vocabulary_size
    words = f"all {size:,} words" if count == size else f"{count:,} of {counted(size, 'word')}"
    low, middle, high = found.percentiles[[0, 2, 4], 0]
    last = found.percentiles[2, -1]
    return (
        f"**{plain(name)}**, {words}: the nearest neighbour is {middle:.2f} away in the middle "
        f"(5 % of words have it within {low:.2f}, 5 % farther than {high:.2f}); neighbour number "
        f"{found.percentiles.shape[1]:,} is {last:.2f} away."
    )


HOW_TO_READ_PERCENTILES = (
    "How to read this: at k = 10 the solid line is the distance that half of the words need to "
    "reach their tenth neighbour; the dotted lines are the 5 % in the densest and the 5 % in the "
    "sparsest places. A flat curve means that the first neighbour is about as far as the "
    "thousandth: little noise changes nothing, and a little more can release almost any word. "
    "(Figure 1 of Feyisetan et al. 2020, for this embedding; exact distances.)"
)


HOW_TO_READ_DENSITY = (
    "How to read this: the distance to the 1st, 10th and 100th neighbour; ordered by the 10th, "
    "among the words of the figure above."
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
        f"Both at the same mean N_w of {mean} (CMP at ε = {found.epsilon[0]:.3g}, TEM at ε = "
        f"{found.epsilon[1]:.3g}; CMP's mean is {sampled.source}, with the 95 % interval {ends}). "
        f"{_sparse_places(first, second)} Eight words of ten stay with "
        f"{percent(a)} to {percent(b)} under CMP and with {percent(c)} to {percent(d)} under TEM: "
        f"{wide} spreads wider than {narrow}."
    )


def _sparse_places(cmp: float | None, tem: float | None) -> str:
    """How N_w follows the distance to the 10th neighbour."""
    if cmp is None or tem is None:
        return "No rank correlation exists, since all words have one distance or one N_w."
    both = f"(rank correlation {cmp:.2f} for CMP, {tem:.2f} for TEM)"
    if min(cmp, tem) > 0:
        return f"Under both, words in sparse places stay more often {both}."
    return f"Not under both do words in sparse places stay more often {both}."


def how_to_read_adaptation(found: Adaptation) -> str:
    """One line on the scatter of N_w against density."""
    return (
        f"How to read this: each of {len(found.word_ids)} sampled words is one circle (CMP) and "
        "one diamond (TEM). CMP's noise is equally long everywhere, so its N_w follows the "
        "distance to the neighbours; TEM weighs every word by its own distance. If one kind of "
        "point climbs less steeply to the right, that mechanism makes up for density. TEM's N_w "
        "is exact, CMP's averaged over directions."
    )
