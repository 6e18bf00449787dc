"""The words of the Private sentences page."""

from __future__ import annotations

import math
from typing import NamedTuple

from measures.words.dissolution import Dissolution
from measures.words.odds import Swap
from measures.words.outputs import Replacements, Spread
from mechanisms import Mechanism, Vocabulary
from mechanisms.composition import DocumentPromise
from mechanisms.estimate import CONFIDENCE, Source
from pages.shared.prose import document, number, number_up, percent, plain, times
from release.grammar import counted, verb


def stays(word: str, result: Replacements) -> str:
    """The chance that a word stays."""
    said = f"**{plain(word)}** stays with probability"
    chance, source = result.stays, result.stays.source
    if source.is_exact:
        return f"{said} **{percent(float(chance.value))}** ({source})."
    low, high = percent(float(chance.low)), percent(float(chance.high))
    interval = f"{CONFIDENCE:.0%} interval {low} to {high}"
    return f"{said} **{percent(float(chance.value))}** ({interval}, {told(source)})."


def told(source: Source) -> str:
    """The source of a number, its directions named."""
    return str(source).replace(" directions", " directions of the noise")


class Part(NamedTuple):
    """A part of a word's probability: its name, its share, and the share in words."""

    name: str
    share: float
    said: str


def parts(spread: Spread) -> list[Part]:
    """The parts of a word's probability that hold any words."""
    names = (
        "itself",
        f"its {spread.words[1]} nearest words",
        f"farther within γ ({spread.words[2]:,} words)",
        f"anywhere else ({spread.words[3]:,} words)",
    )
    shares = spread.shares
    return [
        Part(name, float(share), percent(float(share)) + _between(low, high, shares.source))
        for name, words, share, low, high in zip(
            names, spread.words, shares.value, shares.low, shares.high, strict=True
        )
        if words
    ]


def spread_source(spread: Spread) -> str:
    """Where the shares come from, and the γ in force."""
    source = spread.shares.source
    said = str(source) if source.is_exact else f"{CONFIDENCE:.0%} intervals {told(source)}"
    return said if spread.gamma is None else f"γ = {number_up(spread.gamma)}, {said}"


def _between(low: float, high: float, source: Source) -> str:
    return "" if source.is_exact else f" ({percent(float(low))} to {percent(float(high))})"


def how_to_read_replacements(result: Replacements) -> str:
    """One line on the table of replacements."""
    source = result.probability.source
    if source.is_exact:
        where = "exact, from the mechanism's law"
    else:
        where = f"{told(source)}, each with its own {CONFIDENCE:.0%} interval"
    return (
        "How to read this: each row is a word that can come out, the likeliest first, and how far "
        f"it lies from the word you typed. Probabilities are {where}."
    )


DISSOLVE_HELP = (
    "The whole range of the slider in one picture, with one draw of the randomness a word. Opening "
    "it draws your words once more, and that draw counts."
)


def dissolve_finding(result: Dissolution, epsilon: float) -> str:
    """What the figure of a sentence over all ε shows, in one sentence."""
    total = len(result.word_ids)
    left, right = (result.unchanged_at(end) for end in (result.low, result.high))
    low, high = (number(float(f"{result.drawn_near(e):.3g}")) for e in (result.low, result.high))
    if not result.low <= epsilon <= result.high:
        return (
            f"{left} of {counted(total, 'word')} {verb(left, 'is', 'are')} unchanged at the left "
            f"end (ε = {low}), {right} at the right end (ε = {high}). Your ε = {number(epsilon)} "
            "is outside this range."
        )
    here = number(result.drawn_near(epsilon))
    if result.drawn_at is not None:
        here += f", the column nearest to {number(epsilon)}"
    unchanged = result.unchanged_at(epsilon)
    return (
        f"{unchanged} of {counted(total, 'word')} {verb(unchanged, 'is', 'are')} unchanged at "
        f"ε = {here}; {left} at the left end (ε = {low}), {right} at the right end (ε = {high})."
    )


def dissolve_sentence(result: Dissolution, vocabulary: Vocabulary, epsilon: float) -> str:
    """The words along one ε, those that are not as typed in bold; empty outside of the axis."""
    if not result.low <= epsilon <= result.high:
        return ""
    words = (
        plain(vocabulary.words[word]) if word == typed else f"**{plain(vocabulary.words[word])}**"
        for word, typed in zip(result.released_at(epsilon), result.word_ids, strict=True)
    )
    return f"The draw at ε = {number(result.drawn_near(epsilon))}: {' '.join(words)}"


def dissolve_scope(mechanism: Mechanism, result: Dissolution, known: int) -> str:
    """Which words are shown, and whether one draw is followed or many stand side by side."""
    scope = "A separate draw, not one of the versions above. "
    scope += "Words that the mechanism does not draw (unknown ones, signs) have no row. "
    if known > len(result.word_ids):
        scope += f"Shown are the first {len(result.word_ids)} of {known} words. "
    if result.drawn_at is None:
        return scope + (
            "One draw of the randomness a word is held fixed, and only its size changes with ε."
        )
    return scope + (
        f"The randomness of {mechanism.name} changes shape with ε, so no draw can be followed: "
        f"each of the {len(result.drawn_at)} columns is an independent draw at its own ε, and "
        "neighbouring columns also differ by chance."
    )


def dissolve_warning(result: Dissolution) -> str:
    """Why such a view is never published."""
    if result.drawn_at is None:
        return (
            "**For teaching only.** The same noise at two ε is two equations for one unknown, and "
            "an attacker solves them for the word: publish the output at one ε at most. No finite "
            "ε covers this picture, and the count above says so."
        )
    total = number(sum(result.drawn_at))
    return (
        "**For teaching only.** Each column reveals more about the same words: their ε add up, to "
        f"{total}, and are in the count above. Publish one of them at most."
    )


def odds(swap: Swap, vocabulary: Vocabulary) -> str:
    """The bound on what an output can do to the odds of one word against another."""
    first, second = (f"**{plain(vocabulary.words[i])}**" for i in (swap.word_id, swap.other_id))
    if swap.word_id == swap.other_id:
        return "Pick two different words to compare them."
    if swap.log_ratio is None:
        return f"No bound on single outputs is proven for {first} against {second}."
    return (
        f"An output can raise the odds of {first} against {second} by at most "
        f"**{times(swap.log_ratio)}** (they are {swap.distance:.2f} apart{_places(swap)}). "
        f"{_verdict(swap.log_ratio)}"
    )


def known_or_unknown(swap: Swap, vocabulary: Vocabulary) -> str:
    """The bound on the odds of a word against the unknown word; empty if no single output has one.

    The other word of the swap is the unknown one.
    """
    word = f"**{plain(vocabulary.words[swap.word_id])}**"
    if swap.log_ratio is None:
        return ""
    if math.isinf(swap.log_ratio):
        return f"No promise covers whether {word} was a known word or an unknown one."
    return (
        f"An output can move the odds of {word} against an unknown word by at most "
        f"**{times(swap.log_ratio)}**{_places(swap)}."
    )


def sentence_odds(swaps: list[Swap], vocabulary: Vocabulary) -> str:
    """What the guarantee says of a sentence against a neighbouring one of the same length."""
    bounds = [swap.log_ratio for swap in swaps if swap.log_ratio is not None]
    if not bounds:
        return ""
    changes = " and ".join(
        f"**{plain(vocabulary.words[swap.word_id])}** → "
        f"**{plain(vocabulary.words[swap.other_id])}** ({swap.distance:.2f}{_places(swap)})"
        for swap in swaps
    )
    total = sum(swap.places * swap.distance for swap in swaps)
    return (
        "For a whole sentence against another of the same length, the distances add up word by "
        f"word. Your sentence against the sentence with {changes}: {total:.2f} in all, so a "
        f"release can raise the odds by at most **{times(sum(bounds))}**, and every further "
        "version by as much again."
    )


def sentence_promise(promise: DocumentPromise | None) -> str:
    """What the drawn words of a sentence are promised together; empty for one word alone."""
    if promise is None or promise.words < 2:
        return ""
    said = (
        f"The promises for your {promise.words:,.0f} drawn words, each as often as it occurs, add "
        f"up to {document(promise)}."
    )
    return said + (f" **{plain(promise.warning)}**" if promise.warning else "")


def _places(swap: Swap) -> str:
    return f" in each of {swap.places} places" if swap.places > 1 else ""


def _verdict(log_ratio: float) -> str:
    """How sure an adversary can become of one of two words that were equally likely."""
    sure = percent(1 / (1 + math.exp(-log_ratio)))
    hides = " That hides next to nothing." if log_ratio > math.log(100) else ""
    return f"From 50:50 that can make an adversary {sure} sure.{hides}"


def beside(plain_mechanism: Mechanism) -> str:
    """The switch that shows the same text without a base measure."""
    return f"{plain_mechanism.name} beside it, at the same ε"


BESIDE_HELP = (
    "Draws your words once more with a uniform q, at the same ε and with γ from the same rule. "
    "Both promise the same for a word, so only q differs. Every version shown counts."
)


def column(mechanism: Mechanism, vocabulary: Vocabulary) -> str:
    """The title of a column of private sentences: mechanism, ε, and the values that follow."""
    values = mechanism.derived(vocabulary)
    gamma = "".join(f", γ = {number_up(v)}" for name, v in values.items() if name[:1] == "γ")
    return f"**{plain(mechanism.name)}**, ε = {number(mechanism.epsilon)}{gamma}"
