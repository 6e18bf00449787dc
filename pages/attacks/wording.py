"""The words of the Attacks page."""

from __future__ import annotations

import math
from collections.abc import Sequence

from data.embeddings import DEFAULT_SIZE
from measures.attacks.adversary import Attack
from measures.attacks.recovery import Row
from mechanisms import Mechanism, Vocabulary
from mechanisms.base import DISCRETE
from pages.shared.adversaries import Knowledge
from pages.shared.prose import number, percent, plain, times
from release.grammar import counted, verb

# Releases of a text on this page.
RELEASES = 8

INTRODUCTION = (
    "The adversary sees the private sentence, knows the mechanism and its ε, and how frequent "
    "words are. For each word it asks: which word makes this output likely, or was it an unknown "
    "word? That is Bayes' rule, and with the exact law no adversary with the same knowledge does "
    "better on average."
)

PRIORS: dict[Knowledge, str] = {
    "file": "how frequent words are in your file",
    "frequency": "how frequent words are in film reviews",
    "uniform": "nothing: all words equally likely",
}

PRIOR_HELP = (
    "The adversary's belief before it sees anything. It never needs to know your text. One of its "
    "guesses is an unknown word: by frequency as likely as all words outside of the vocabulary "
    "together, and without any knowledge as likely as each word of the vocabulary."
)


def text_wanted(count: int, most: int) -> str:
    """What to do with a text that is too long, or empty."""
    if count > most:
        return f"This page attacks up to {most:,} characters; this text has {count:,}. Shorten it."
    return "Type a sentence above, and the adversary goes to work."


NO_WORDS = "The mechanism draws none of these words, so there is nothing to attack."

ATTACKING = "The adversary is at work …"


def finding(attack: Attack, epsilon: float) -> str:
    """The first sentence of the page."""
    named, total = sum(guess.named for guess in attack.guesses), len(attack.guesses)
    least = "" if attack.exact else "at least "
    return (
        f"At ε = {number(epsilon)} the adversary names {least}{named} of your "
        f"{counted(total, 'known word')}"
    )


def read_as(input_id: int, vocabulary: Vocabulary) -> str:
    """The word, or what the unknown word is called."""
    return "an unknown word" if input_id == vocabulary.unknown_id else vocabulary.words[input_id]


def unknown_words(attack: Attack, vocabulary: Vocabulary) -> str:
    """How many unknown words were attacked, and the meaning of naming one; empty for none."""
    mine = [guess for guess in attack.guesses if guess.typed == vocabulary.unknown_id]
    if not mine:
        return ""
    named = sum(guess.named for guess in mine)
    least = "" if attack.exact else "at least "
    return (
        f"{counted(len(mine), 'word')} of your text {verb(len(mine), 'is', 'are')} unknown to this "
        f"mechanism; named as unknown: {least}{named}. To name an unknown word means to say that "
        "it was unknown, not which word it was."
    )


def meaning(attack: Attack, vocabulary: Vocabulary) -> str:
    """How good this adversary is, and what it gains over reading what came out."""
    same = sum(guess.released == guess.typed for guess in attack.guesses)
    undone = [g for g in attack.guesses if g.named and g.released != g.typed]
    parts = [f"{same} came out as typed."]
    if undone:
        words = ", ".join(
            f"*{plain(vocabulary.words[g.released])}* → *{plain(read_as(g.typed, vocabulary))}*"
            for g in undone[:4]
        )
        some = "One was replaced" if len(undone) == 1 else f"{len(undone)} were replaced"
        parts.append(f"{some}, and named all the same: {words}.")
    doubted = sum(g.released == g.typed and not g.named for g in attack.guesses)
    if doubted:
        parts.append(
            f"It does not believe {counted(doubted, 'unchanged word')}: a frequent word in the "
            "neighbourhood is likelier."
        )
    if attack.looks_back:
        parts.append(
            "The adversary also uses how words follow each other in the public counts of q, after "
            "the words released before. **One that knows more of language may name more, so this "
            "is a lower bound.**"
        )
        return " ".join(parts)
    parts.append(
        "No adversary with the same knowledge names more on average."
        if attack.exact
        else "This mechanism has no law in closed form, or a costly one: the adversary works with "
        "an approximation over the words near to each output. **A better one may name more, so "
        "this is a lower bound.**"
    )
    return " ".join(parts)


WORDS_INTRODUCTION = (
    "For each word: the adversary's belief, and by how much the release moved the odds of your "
    "word against its strongest rival. The promise of differential privacy is about these odds and "
    "no more: they move by at most e^(ε · distance)."
)


def moved(log_moved: float, log_allowed: float | None, exact: bool) -> tuple[str, str]:
    """How far odds moved, and how far they may, in words; `exact` if the law itself says so."""
    if math.isinf(log_moved):
        apart = "told apart for certain" if exact else "the rival was not looked at"
        was = "not looked at" if log_moved < 0 else apart
    elif log_moved >= 0:
        was = f"× {times(log_moved).removesuffix(' times')}"
    else:
        was = f"÷ {times(-log_moved).removesuffix(' times')}"
    return was, "–" if log_allowed is None else f"× {times(log_allowed).removesuffix(' times')}"


def worst_word(attack: Attack, vocabulary: Vocabulary) -> str:
    """The word whose odds moved most, with the bound."""
    finite = [g for g in attack.guesses if math.isfinite(g.log_moved)]
    if not finite:
        return ""
    most = max(finite, key=lambda g: abs(g.log_moved))
    typed, rival = (plain(read_as(i, vocabulary)) for i in (most.typed, most.rival))
    towards = "towards" if most.log_moved >= 0 else "away from"
    sentence = (
        f"The largest step: the odds of *{typed}* against *{rival}* moved {towards} *{typed}* "
        f"by a factor of {times(abs(most.log_moved)).removesuffix(' times')}"
    )
    if most.log_allowed is None:
        return sentence + "; these settings promise no limit."
    return (
        sentence + "; the promise allows a factor of "
        f"{times(most.log_allowed).removesuffix(' times')} for this pair."
    )


def allowed(bound: float | None) -> str:
    """What the promise alone would let any adversary reach."""
    if bound is None:
        return "These settings come with no promise that bounds an adversary's success."
    if bound > 0.999:
        return (
            "At this ε the promise alone rules nothing out, not even an adversary who names every "
            "word."
        )
    return (
        f"By the promise alone, whatever the mechanism does, no adversary can expect to name more "
        f"than {percent(bound)} of words drawn from its prior, unknown ones among them."
    )


# --------------------------------------------------------------------------------------- averaging


SPENT_HELP = (
    f"Each attack needs {RELEASES} releases of the same words, so that the price of re-rolling can "
    "be shown: all of them count."
)


def averaging_finding(attack: Attack, mechanism: Mechanism, vocabulary: Vocabulary) -> str:
    """What more releases give away."""
    named = attack.named_after.sum(axis=0)
    first, last, count = int(named[0]), int(named[-1]), len(named)
    promise = mechanism.guarantee(vocabulary)
    unit = "" if promise.distance is DISCRETE else f" per unit of {promise.distance.name}"
    epsilon = mechanism.epsilon
    return (
        f"One release names {first} of your {counted(len(attack.guesses), 'known word')}, "
        f"{counted(count, 'release')} {verb(count, 'names', 'name')} {last}. By then ε = {count} × "
        f"{number(epsilon)} = **{number(count * epsilon)}**{unit} would be "
        "spent."
    )


HOW_TO_READ_AVERAGING = (
    "How to read this: a re-roll is a fresh release of the same words. The adversary multiplies "
    "what it learns from each, so several releases reveal words that one release hides. Under each "
    "bar: how many releases, and the ε spent."
)


def averaging_slow(releases: int) -> str:
    """On the button of a long attack."""
    return f"Attack all {releases} releases (may take half a minute)"


# ------------------------------------------------------------------------------------ over a corpus

CURVES_INTRODUCTION = (
    "Sentences of film reviews, each known word attacked from one release. Words that the "
    "vocabulary lacks are left out of the figures below, and the adversary knows that: it never "
    "asks whether a word was unknown. ε means something else to each mechanism, so the second "
    "figure compares them at the same share of words that come out as typed. On its diagonal lies "
    "an adversary that takes every released word for the typed one."
)

HOW_TO_READ_CURVES = (
    "How to read this: the share of words that the adversary names, with its 95 % interval. "
    "Dotted curves are lower bounds: there a better adversary may name more. Over "
    f"{DEFAULT_SIZE:,} words of GloVe in 50 dimensions; the adversary knows how frequent words are "
    "in other film reviews."
)

HOW_TO_READ_AVERAGED = (
    "How to read this: the same sentences released several times, each mechanism at the ε at which "
    "about half of the words stay. The ε spent grows with every release."
)


def curves_finding(rows: Sequence[Row]) -> str:
    """Where about half of the words stay: under which mechanisms fewest and most are named."""
    nearest: dict[str, Row] = {}
    for row in rows:
        before = nearest.get(row.mechanism)
        if abs(row.n_w.value - 0.5) < min(0.2, abs(before.n_w.value - 0.5) if before else 1.0):
            nearest[row.mechanism] = row
    by_gain = sorted(nearest.values(), key=lambda row: row.success.value - row.n_w.value)
    parts = [
        f"{plain(row.mechanism)} at ε = {number(row.epsilon)} leaves {percent(row.n_w.value)} of "
        f"the words as they are, and {'at least ' * row.lower_bound}"
        f"{percent(row.success.value)} are named"
        for row in ([by_gain[-1], by_gain[0]] if len(by_gain) > 1 else by_gain)
    ]
    return "; ".join(parts) + "."


# ----------------------------------------------------------------------------------- masked tokens

MASKED_INTRODUCTION = (
    "Now the adversary is shown nothing at all of a word, only the word before and the one after. "
    "It has counted which words follow each other in film reviews. **Word-level differential "
    "privacy does not protect against this**: it limits how much a released word reveals about the "
    "word it replaced, not how much the words around it reveal."
)


def masked_finding(own: int, private: int, total: int) -> str:
    """How many words of the text its neighbours give away."""
    return (
        f"The neighbours as you typed them name **{own} of your {counted(total, 'known word')}**; "
        f"the private neighbours name **{private}**."
    )


def masked_over_corpus(rows: Sequence[Row]) -> str:
    """The same over a corpus, from the shipped table."""
    row = next(row for row in rows if row.attack == "masked" and not row.mechanism)
    return (
        f"Over {row.words:,} known words of film reviews: {percent(row.success.value)} from their "
        f"own neighbours ({percent(row.success.low)} to {percent(row.success.high)}), with no "
        "release of the word itself. Making the neighbours private helps here, as a side effect "
        "that nothing promises."
    )


HOW_TO_READ_MASKED = (
    "How to read this: the share of words that two neighbours give away, against how many of the "
    "words come out as typed. The dashed line is for neighbours that are not private. A larger "
    "language model would guess more."
)

# ----------------------------------------------------------------------------------------- the game

GAME_INTRODUCTION = (
    "A sentence of a film review was made private. Four of its words are asked for: what were "
    "they? The adversary plays too, and chooses from the same words. Share the address of this "
    "page, and everyone plays the same rounds."
)

GAME_MORE = "A larger ε is easier: less was changed. A smaller one is harder, for both."


GAME_SUBMIT = "These are my guesses"


def game_blanks(missing: int) -> str:
    """What to do about guesses that are missing."""
    return (
        f"{counted(missing, 'word')} {verb(missing, 'has', 'have')} no guess yet. Guess each of "
        "them: the round is scored once, and shown then."
    )


def game_question(position: int, released: str) -> str:
    """What is asked of one word."""
    return f"{position}. Which word did the author write where you read *{plain(released)}*?"


def game_result(score: tuple[int, int, int]) -> str:
    """Who won a round."""
    player, adversary, asked = score
    who = "A draw"
    if player != adversary:
        who = "You win this round" if player > adversary else "The adversary wins this round"
    return f"{who}: you {player}, the adversary {adversary}, of {asked}"


def game_total(scores: Sequence[tuple[int, int, int]]) -> str:
    """The score over all rounds of this session."""
    player, adversary, asked = (sum(column) for column in zip(*scores, strict=True))
    return (
        f"After {counted(len(scores), 'round')}: **you {player}, the adversary {adversary}**, of "
        f"{counted(asked, 'word')}."
    )


def game_settings(mechanism: Mechanism, seed: int, number_of_round: int) -> str:
    """What everyone who plays along must have."""
    return (
        f"Round {number_of_round} of seed {seed}, {plain(mechanism.name)} at "
        f"ε = {number(mechanism.epsilon)}."
    )
