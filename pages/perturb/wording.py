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
from mechanisms.in_order import WordByWord
from pages.shared.prose import document, number, number_up, percent, plain, times
from release.grammar import counted, enumerated, nouns, verb


def stays(word: str, result: Replacements) -> str:
    """The chance that a word stays."""
    chance, source = result.stays, result.stays.source
    value = percent(float(chance.value))
    if source.is_exact:
        return f"**{plain(word)}** is unchanged with probability **{value}** ({source})."
    low, high = percent(float(chance.low)), percent(float(chance.high))
    return (
        f"**{plain(word)}** is unchanged with probability **{value}** "
        f"({100 * CONFIDENCE:g} % interval {low} to {high}, {told(source)})."
    )


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
        "the word itself",
        f"its {nouns(spread.words[1], 'nearest word')} ({counted(spread.words[1], 'word')})",
        f"other words within γ ({counted(spread.words[2], 'word')})",
        f"all other words ({counted(spread.words[3], 'word')})",
    )
    shares = spread.shares
    return [
        Part(name, float(share), _share(float(share), float(low), float(high), shares.source))
        for name, words, share, low, high in zip(
            names, spread.words, shares.value, shares.low, shares.high, strict=True
        )
        if words
    ]


def spread_source(spread: Spread) -> str:
    """Where the probabilities come from, and the γ in force."""
    source = spread.shares.source
    said = [
        "These probabilities are exact."
        if source.is_exact
        else f"These probabilities are estimates ({told(source)}) with {100 * CONFIDENCE:g} % "
        "intervals."
    ]
    said += [] if spread.gamma is None else [f"γ is {number_up(spread.gamma)}."]
    return " ".join(said)


def _share(share: float, low: float, high: float, source: Source) -> str:
    if source.is_exact:
        return percent(share)
    return f"{percent(share)} ({percent(low)} to {percent(high)})"


def how_to_read_replacements(result: Replacements) -> str:
    """One line on the table of replacements."""
    source = result.probability.source
    if source.is_exact:
        origin = "The probabilities are exact, from the mechanism's law."
    else:
        origin = (
            f"The probabilities are estimates ({told(source)}), each with its own "
            f"{100 * CONFIDENCE:g} % interval."
        )
    return (
        f"How to read this: the {counted(len(result.word_ids), 'likeliest output')} of the typed "
        f"word, each with its Euclidean distance from it. {origin}"
    )


OTHER_CHOICES = "Embedding, versions, unknown words, letter case, seed"

CLOSER = "Look closer: one word, what is promised, and the odds"

NOTHING_KNOWN = (
    "This mechanism knows none of these words in this vocabulary, so there is nothing to show word "
    "by word."
)


DISSOLVE_HELP = (
    "Shows your sentence over the whole range of ε in one picture. Your words are drawn anew for "
    "it, and the count includes this."
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
            "is outside the range shown."
        )
    here = number(result.drawn_near(epsilon))
    if result.drawn_at is not None:
        here = f"{here} (the column nearest to {number(epsilon)})"
    unchanged = result.unchanged_at(epsilon)
    return (
        f"{unchanged} of {counted(total, 'word')} {verb(unchanged, 'is', 'are')} unchanged at "
        f"ε = {here}; {left} at the left end (ε = {low}), {right} at the right end (ε = {high})."
    )


def dissolve_sentence(result: Dissolution, vocabulary: Vocabulary, epsilon: float) -> str:
    """The words along one ε, replaced words in bold; empty outside of the axis."""
    if not result.low <= epsilon <= result.high:
        return ""
    words = (
        plain(vocabulary.words[word]) if word == typed else f"**{plain(vocabulary.words[word])}**"
        for word, typed in zip(result.released_at(epsilon), result.word_ids, strict=True)
    )
    at = number(result.drawn_near(epsilon))
    return f"The draw at ε = {at}, replaced words in bold: {' '.join(words)}"


STOPPED = (
    "Stopped. None of these versions is shown, and no ε was counted for them. Your text, your "
    "settings and the earlier versions are unchanged."
)


def drawing(name: str) -> str:
    """What a bar says while a long text is drawn."""
    return f"Drawing the words with {plain(name)} …"


def dissolve_scope(mechanism: Mechanism, result: Dissolution, known: int) -> str:
    """Which words are shown, and whether one draw is followed or each column is its own draw."""
    said = [
        "This is a separate draw, not one of the versions above.",
        "Unknown words and punctuation have no row.",
    ]
    if known > len(result.word_ids):
        said.append(f"Only the first {len(result.word_ids)} of {known} known words are shown.")
    if result.drawn_at is None:
        said.append(
            "The random numbers of each word stay the same at every ε; only the size of the noise "
            "changes."
        )
    else:
        changes = f"The form of {mechanism.name}'s randomness changes with ε"
        if isinstance(mechanism, WordByWord):
            changes = f"{mechanism.name} uses the words released before, and they differ with ε"
        said.append(
            f"{changes}, so one draw cannot be followed over ε. Each of the "
            f"{len(result.drawn_at)} columns is an independent draw at its own ε, so neighbouring "
            "columns also differ by chance."
        )
    return " ".join(said)


def dissolve_warning(result: Dissolution) -> str:
    """Why such a view is never published."""
    if result.drawn_at is None:
        return (
            "**For teaching only.** The random numbers are the same at every ε. An attacker who "
            "sees the outputs at two ε may be able to solve for them and find the word, so publish "
            "the output at one ε at most. No finite ε bounds this picture, and the count above "
            "says so."
        )
    total = number(sum(result.drawn_at))
    return (
        "**For teaching only.** Each column reveals more about the same words. Over all columns, "
        f"the ε of a word add up to {total}; the count above includes these draws. Publish one "
        "column at most."
    )


def odds(swap: Swap, vocabulary: Vocabulary) -> str:
    """The bound on what an output can do to the odds of one word against another."""
    first, second = (f"**{plain(vocabulary.words[i])}**" for i in (swap.word_id, swap.other_id))
    if swap.word_id == swap.other_id:
        return "Pick two different words to compare them."
    if swap.log_ratio is None:
        return f"No bound on single outputs is proven for {first} against {second}."
    return (
        f"One version can make the odds of {first} against {second} at most "
        f"**{times(swap.log_ratio)}** as high ({_APART[swap.places > 1].format(**vars(swap))}). "
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
    places = "" if swap.places == 1 else f" This counts all {swap.places} places of the word."
    return (
        f"One version can make the odds of {word} against an unknown word at most "
        f"**{times(swap.log_ratio)}** as high or as low.{places}"
    )


def sentence_odds(swaps: list[Swap], vocabulary: Vocabulary) -> str:
    """What the guarantee says of a sentence against a neighbouring one of the same length."""
    bounds = [swap.log_ratio for swap in swaps if swap.log_ratio is not None]
    if not bounds:
        return ""
    changes = enumerated(
        [
            f"**{plain(vocabulary.words[swap.word_id])}** → "
            f"**{plain(vocabulary.words[swap.other_id])}** "
            f"({_APART[swap.places > 1].format(**vars(swap))})"
            for swap in swaps
        ]
    )
    total = sum(swap.places * swap.distance for swap in swaps)
    return (
        "Distances add up over the words of a sentence. Compare your sentence with the same "
        f"sentence after these changes: {changes}. The two are {total:.2f} apart, so one version "
        f"can make the odds of one against the other at most **{times(sum(bounds))}** as high. "
        "Every further version can multiply the odds by as much again."
    )


def sentence_promise(promise: DocumentPromise | None) -> str:
    """What the drawn words of a sentence are promised together; empty for one word alone."""
    if promise is None or promise.words < 2:
        return ""
    said = (
        f"Over your {promise.words:,.0f} drawn words, every occurrence counted, the promises add "
        f"up to {document(promise)}."
    )
    return f"{said} **{plain(promise.warning)}**" if promise.warning else said


# One template for a word in one place, and one for a word in several.
_APART = {False: "{distance:.2f} apart", True: "{distance:.2f} apart in each of {places} places"}


def _verdict(log_ratio: float) -> str:
    """How sure an adversary can become of one of two words that were equally likely."""
    sure = percent(_rounded_up(1 / (1 + math.exp(-log_ratio))))
    limit = sure.replace("> ", "more than ") if sure.startswith(">") else f"at most {sure}"
    said = f"An adversary who held the two words equally likely can become {limit} sure of one."
    return f"{said} That is next to no protection." if log_ratio > math.log(100) else said


def _rounded_up(probability: float) -> float:
    """The next probability that `percent` shows without rounding; 1 stays out of reach."""
    unit = 10_000 if probability > 0.99 else 1_000
    return min(math.ceil(probability * unit - 1e-9) / unit, max(probability, 0.9999))


def beside(plain_mechanism: Mechanism) -> str:
    """The switch that shows the same text without a base measure."""
    return f"Show {plain_mechanism.name} beside it, at the same ε"


BESIDE_HELP = (
    "Draws your words once more with a uniform q, at the same ε and with γ by the same rule. About "
    "two words of the vocabulary both promise the same. Every version shown counts."
)


def column(mechanism: Mechanism, vocabulary: Vocabulary) -> str:
    """The title of a column of private sentences: mechanism, ε, and the values that follow."""
    values = mechanism.derived(vocabulary)
    gammas = [f"γ = {number_up(v)}" for name, v in values.items() if name[:1] == "γ"]
    return ", ".join([f"**{plain(mechanism.name)}**", f"ε = {number(mechanism.epsilon)}", *gammas])
