"""The words of the Attacks page."""

from __future__ import annotations

import math
from collections.abc import Sequence

from data.embeddings import DEFAULT_SIZE
from measures.attacks import game
from measures.attacks.adversary import Attack
from measures.attacks.recovery import Row
from mechanisms import Mechanism, Vocabulary
from pages.shared.adversaries import Knowledge
from pages.shared.prose import amount, number, percent, plain, times
from release.grammar import counted, verb

# Releases of a text on this page.
RELEASES = 8

INTRODUCTION = (
    "The adversary sees the private sentence. It knows the mechanism, its ε, and how frequent "
    "words are. For each output it asks which typed word best explains it, or whether the word was "
    "unknown. This is Bayes' rule: with the exact law, no adversary with the same knowledge does "
    "better on average."
)

PRIORS: dict[Knowledge, str] = {
    "file": "how frequent words are in your file",
    "frequency": "how frequent words are in film reviews",
    "uniform": "nothing: all words equally likely",
}

PRIOR_HELP = (
    "The adversary's belief before it sees anything. It never needs to know your text. It may also "
    "guess that a word was unknown. If it knows frequencies, an unknown word is as likely as all "
    "words outside of the vocabulary together; if it knows nothing, as likely as any single word."
)


def text_wanted(count: int, most: int) -> str:
    """What to do with a text that is too long, or empty."""
    if count > most:
        return f"This page attacks up to {most:,} characters; this text has {count:,}. Shorten it."
    return "Type a sentence above, and the adversary attacks it."


NO_WORDS = "The mechanism draws none of these words, so there is nothing to attack."

ATTACKING = "The adversary is at work …"


def finding(attack: Attack, epsilon: float) -> str:
    """The first sentence of the page."""
    named, total = sum(guess.named for guess in attack.guesses), len(attack.guesses)
    return (
        f"At ε = {number(epsilon)} the adversary names {_least(named, attack.exact)} of your "
        f"{counted(total, 'known word')}"
    )


def _least(value: object, exact: bool) -> str:
    """A number, or a lower bound."""
    return f"{value}" if exact else f"at least {value}"


def read_as(input_id: int, vocabulary: Vocabulary) -> str:
    """The word, or what the unknown word is called."""
    return "an unknown word" if input_id == vocabulary.unknown_id else vocabulary.words[input_id]


def unknown_words(attack: Attack, vocabulary: Vocabulary) -> str:
    """How many unknown words were attacked, and the meaning of naming one; empty for none."""
    mine = [guess for guess in attack.guesses if guess.typed == vocabulary.unknown_id]
    if not mine:
        return ""
    named = sum(guess.named for guess in mine)
    return (
        f"{counted(len(mine), 'word')} of your text {verb(len(mine), 'is', 'are')} unknown to this "
        f"mechanism. The adversary recognises {_least(named, attack.exact)} as unknown. That does "
        "not show which word it was."
    )


def meaning(attack: Attack, vocabulary: Vocabulary) -> str:
    """How good this adversary is, and what it gains over reading what came out."""
    same = sum(guess.released == guess.typed for guess in attack.guesses)
    undone = [g for g in attack.guesses if g.named and g.released != g.typed]
    parts = [f"{counted(same, 'word')} came out as typed."]
    if undone:
        words = ", ".join(
            f"*{plain(vocabulary.words[g.released])}* → *{plain(read_as(g.typed, vocabulary))}*"
            for g in undone[:4]
        )
        parts.append(
            f"{counted(len(undone), 'replaced word')} {verb(len(undone), 'was', 'were')} named all "
            f"the same: {words}."
        )
    doubted = sum(g.released == g.typed and not g.named for g in attack.guesses)
    if doubted:
        parts.append(
            f"For {counted(doubted, 'unchanged word')} it guesses another word, a more frequent "
            "one nearby."
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
        else "The law of this mechanism has no closed form or is costly to compute, so the "
        "adversary uses an approximation over the words near each output. **A better adversary "
        "may name more: this is a lower bound.**"
    )
    return " ".join(parts)


WORDS_INTRODUCTION = (
    "For each word, the table shows what the adversary believes, and how far the release moved the "
    "odds of your word against its strongest rival. The promise of differential privacy is only "
    "about these odds: it lets them move by a factor of at most e^(ε · distance)."
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
    factor = times(abs(most.log_moved)).removesuffix(" times")
    step = _LARGEST_STEP[most.log_moved >= 0].format(typed=typed, rival=rival, factor=factor)
    if most.log_allowed is None:
        return f"{step} These settings promise no limit."
    allowed = times(most.log_allowed).removesuffix(" times")
    return f"{step} The promise allows a factor of {allowed} for this pair."


_LARGEST_STEP = {
    True: (
        "The largest step: the odds of *{typed}* against *{rival}* rose by a factor of {factor}."
    ),
    False: (
        "The largest step: the odds of *{typed}* against *{rival}* fell by a factor of {factor}."
    ),
}


def allowed(bound: float | None) -> str:
    """What the promise alone would let any adversary reach."""
    if bound is None:
        return "At these settings no promise bounds an adversary's success."
    if bound > 0.999:
        return (
            "At this ε the promise alone rules nothing out, not even an adversary who names every "
            "word."
        )
    return (
        f"By the promise alone, no adversary can expect to name more than {percent(bound)} of the "
        "words, if the words are drawn from its prior (unknown words included)."
    )


# --------------------------------------------------------------------------------------- averaging


SPENT_HELP = (
    f"Each attack draws {RELEASES} releases of the same words, to show the price of drawing again. "
    "All of them count."
)


def averaging_finding(attack: Attack, mechanism: Mechanism, vocabulary: Vocabulary) -> str:
    """What more releases reveal, and what they cost."""
    named = attack.named_after.sum(axis=0)
    first, last, count = int(named[0]), int(named[-1]), len(named)
    epsilon = mechanism.epsilon
    spent = amount(mechanism.guarantee(vocabulary).distance.name, count * epsilon)
    return (
        f"One release names {first} of your {counted(len(attack.guesses), 'known word')}; "
        f"{counted(count, 'release')} together {verb(count, 'names', 'name')} {last}. They would "
        f"spend {count} × {number(epsilon)}: **ε = {spent}**."
    )


HOW_TO_READ_AVERAGING = (
    "How to read this: each release is a new draw of the same words. The adversary combines what "
    "it learns from all of them, so several releases reveal words that one release hides. Under "
    "each bar are the number of releases and the ε spent."
)


def averaging_slow(releases: int) -> str:
    """On the button of a long attack."""
    return f"Attack all {releases} releases (may take half a minute)"


# ------------------------------------------------------------------------------------ over a corpus

CURVES_INTRODUCTION = (
    "Here the adversary attacks each known word of sentences from film reviews, given one release. "
    "Words that the vocabulary lacks are left out of the figures below. The adversary knows this, "
    "so it never asks whether a word was unknown. ε has a different meaning for each mechanism, so "
    "the second figure compares mechanisms at the same share of unchanged words. Its diagonal is "
    "an adversary that takes every released word for the typed one."
)

HOW_TO_READ_CURVES = (
    "How to read this: each curve is the share of words that the adversary names, with its 95 % "
    "interval. Dotted curves are lower bounds: a better adversary may name more. The vocabulary "
    f"has {DEFAULT_SIZE:,} words of GloVe in 50 dimensions. The adversary knows how frequent words "
    "are in other film reviews."
)

HOW_TO_READ_AVERAGED = (
    "How to read this: the same sentences are released several times. Each mechanism has the ε at "
    "which about half of the words stay unchanged. The ε spent grows with every release."
)


def curves_finding(rows: Sequence[Row]) -> str:
    """If about half of the words stay: the mechanisms under which fewest and most are named."""
    nearest: dict[str, Row] = {}
    for row in rows:
        before = nearest.get(row.mechanism)
        if abs(row.n_w.value - 0.5) < min(0.2, abs(before.n_w.value - 0.5) if before else 1.0):
            nearest[row.mechanism] = row
    by_gain = sorted(nearest.values(), key=lambda row: row.success.value - row.n_w.value)
    return " ".join(
        f"{plain(row.mechanism)} at ε = {number(row.epsilon)} leaves {percent(row.n_w.value)} of "
        "the words unchanged, and the adversary names "
        f"{_least(percent(row.success.value), not row.lower_bound)}."
        for row in ([by_gain[-1], by_gain[0]] if len(by_gain) > 1 else by_gain)
    )


# ----------------------------------------------------------------------------------- masked tokens

MASKED_INTRODUCTION = (
    "Now the adversary sees nothing of a word itself, only the word before it and the word after. "
    "It has counted which words follow each other in film reviews. **Word-level differential "
    "privacy does not protect against this**: it limits how much a released word reveals about the "
    "word it replaced, not how much the words around it reveal."
)


def masked_finding(own: int, private: int, total: int) -> str:
    """How many words of the text its neighbours reveal."""
    return (
        f"The neighbours as you typed them name **{own} of your {counted(total, 'known word')}**; "
        f"the private neighbours name **{private}**."
    )


def masked_over_corpus(rows: Sequence[Row]) -> str:
    """The same over a corpus, from the shipped table."""
    row = next(row for row in rows if row.attack == "masked" and not row.mechanism)
    return (
        f"In a test on {row.words:,} known words of film reviews, the two typed neighbours alone "
        f"name {percent(row.success.value)} of the words ({percent(row.success.low)} to "
        f"{percent(row.success.high)}), although the word itself is not released. Making the "
        "neighbours private lowers this share, but no promise covers that side effect."
    )


HOW_TO_READ_MASKED = (
    "How to read this: the share of words that two neighbours reveal, against the share of words "
    "that come out as typed. The dashed line is for neighbours that are not private. A larger "
    "language model would guess more."
)

# ----------------------------------------------------------------------------------------- the game

GAME_INTRODUCTION = (
    f"This sentence of a film review was made private. Guess the original of {game.ASKED} of its "
    "words. The adversary plays too, and chooses from the same words. Share the address of this "
    "page, and everyone plays the same rounds."
)

GAME_MORE = (
    "A larger ε makes the game easier, since fewer words change. A smaller ε makes it harder, for "
    "you and for the adversary."
)


GAME_SUBMIT = "These are my guesses"


def game_blanks(missing: int) -> str:
    """What to do about guesses that are missing."""
    return (
        f"{counted(missing, 'word')} {verb(missing, 'has', 'have')} no guess yet. Guess every "
        "word: the round is scored only once."
    )


def game_question(position: int, released: str) -> str:
    """What is asked of one word."""
    return f"{position}. Which word did the author write where you read *{plain(released)}*?"


def game_result(score: tuple[int, int, int]) -> str:
    """Who won a round."""
    player, adversary, asked = score
    return _RESULTS[(player > adversary) - (player < adversary)].format(
        player=player, adversary=adversary, words=counted(asked, "word")
    )


_RESULTS = {
    1: "You win this round: you {player}, the adversary {adversary}, of {words}",
    0: "A draw: you {player}, the adversary {adversary}, of {words}",
    -1: "The adversary wins this round: you {player}, the adversary {adversary}, of {words}",
}


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
