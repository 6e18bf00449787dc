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
from release.grammar import counted, enumerated, verb

# Releases of a text on this page.
RELEASES = 8

# Words that a sentence lists before it counts the rest.
_LISTED = 4

# A bound on a share above this excludes nothing that matters.
_NO_BOUND = 0.999

INTRODUCTION = (
    "The adversary sees the private sentence. It knows the mechanism, its ε, and what you choose "
    "under *The adversary knows*. For each output it guesses the typed word that is most probable "
    "by Bayes' rule, or that the word was unknown. With the exact law, no adversary with the same "
    "knowledge guesses more words correctly on average."
)

PRIORS: dict[Knowledge, str] = {
    "file": "how frequent words are in your file",
    "frequency": "how frequent words are in film reviews",
    "uniform": "nothing about words: all equally likely",
}

PRIOR_HELP = (
    "The adversary's belief before it sees the private sentence. It may also guess that a "
    "word was unknown. If it knows frequencies, it takes an unknown word for as likely as all "
    "words outside of the vocabulary together. If it knows nothing, an unknown word is as likely "
    "as any single word."
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
        f"At ε = {number(epsilon)}, the adversary guesses {_least(named, attack.exact)} of "
        f"{counted(total, 'word')} correctly"
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
        f"{counted(len(mine), 'attacked word')} {verb(len(mine), 'is', 'are')} unknown to this "
        f"mechanism. The adversary recognises {_least(named, attack.exact)} as unknown. A "
        "recognised word counts as a correct guess, but nothing shows which word it was."
    )


def meaning(attack: Attack, vocabulary: Vocabulary) -> str:
    """How good this adversary is, and what it gains over reading what came out."""
    same = sum(guess.released == guess.typed for guess in attack.guesses)
    undone = [g for g in attack.guesses if g.named and g.released != g.typed]
    parts = [f"{counted(same, 'attacked word')} came out unchanged."]
    if undone:
        words = ", ".join(
            f"*{plain(read_as(g.typed, vocabulary))}* (from *{plain(released)}*)"
            for g, released in ((g, vocabulary.words[g.released]) for g in undone[:_LISTED])
        )
        more = len(undone) - _LISTED
        listed = f"{words} and {counted(more, 'more word')}" if more > 0 else words
        parts.append(
            f"{counted(len(undone), 'replaced word')} {verb(len(undone), 'was', 'were')} still "
            f"guessed correctly: {listed}."
        )
    doubted = sum(g.released == g.typed and not g.named for g in attack.guesses)
    if doubted:
        parts.append(
            f"For {counted(doubted, 'unchanged word')}, the adversary guesses another word."
        )
    if attack.looks_back:
        parts.append(
            "The adversary also uses the words released before, and how often each word follows "
            "them in the public counts of q. **An adversary that knows more about language may "
            "guess more words, so this is a lower bound.**"
        )
        return " ".join(parts)
    parts.append(
        "No adversary with the same knowledge guesses more on average."
        if attack.exact
        else "The law of this mechanism has no closed form or is costly to compute. So the "
        "adversary considers only some words, most of them near the output, and may use estimates. "
        "**A better adversary may guess more words, so this is a lower bound.**"
    )
    return " ".join(parts)


WORDS_INTRODUCTION = (
    "For each word, the table shows what the adversary believes, and by which factor the release "
    "moved the odds of your word against its strongest rival. Differential privacy promises only a "
    "limit on this factor: for metric DP, e^(ε · distance)."
)


def moved(log_moved: float, log_allowed: float | None, exact: bool) -> tuple[str, str]:
    """How far odds moved, and how far they may, in words; `exact` if the law itself says so."""
    if math.isinf(log_moved):
        was = "rival ruled out" if exact and log_moved > 0 else "not computed"
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
    if not attack.exact:
        step = f"{step} This factor is an estimate."
    if most.log_allowed is None:
        return f"{step} No promise limits it."
    allowed = times(most.log_allowed).removesuffix(" times")
    return f"{step} For this pair, the promise allows a factor of up to {allowed}."


_LARGEST_STEP = {
    True: (
        "The largest change: the odds of *{typed}* against *{rival}* rose by a factor of {factor}."
    ),
    False: (
        "The largest change: the odds of *{typed}* against *{rival}* fell by a factor of {factor}."
    ),
}


def allowed(bound: float | None) -> str:
    """What the promise alone would let any adversary reach."""
    if bound is None:
        return (
            "These settings promise nothing, or only (ε, δ)-DP, so this page has no bound on the "
            "share of words that an adversary guesses."
        )
    if bound > _NO_BOUND:
        return (
            "At this ε, the promise alone excludes almost nothing, not even an adversary who "
            "guesses nearly every word."
        )
    return (
        "By the promise alone, no adversary can expect to guess more than "
        f"{percent(bound)} of the words from one release, if words are as frequent as the "
        "adversary believes (unknown words included)."
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
    guarantee = mechanism.guarantee(vocabulary)
    said = (
        f"From one release, the adversary guesses {_least(first, attack.exact)} of "
        f"{counted(len(attack.guesses), 'word')} correctly; from {counted(count, 'release')} "
        f"together, {_least(last, attack.exact)}."
    )
    if not guarantee.holds:
        return f"{said} No promise bounds what they reveal."
    spent = amount(guarantee.distance.name, count * epsilon)
    return f"{said} Together they spend {count} × {number(epsilon)}: **ε = {spent}**."


HOW_TO_READ_AVERAGING = (
    "How to read this: each release is a new draw of the same words. The adversary combines all "
    "of them, so several releases can reveal words that one release does not. Under each bar are "
    "the number of releases and their ε together."
)


def averaging_slow(releases: int) -> str:
    """On the button of a long attack."""
    return f"Attack all {releases} releases (may take half a minute)"


# ------------------------------------------------------------------------------------ over a corpus

CURVES_INTRODUCTION = (
    "Here the adversary attacks each known word of sentences from film reviews, given one release. "
    "Words that the vocabulary lacks are left out of the figures below, and the adversary knows "
    "this. ε has a different meaning for each mechanism, so the second figure has the share of "
    "unchanged words on its horizontal axis. The diagonal is an adversary that takes every "
    "released word for the typed one."
)

HOW_TO_READ_CURVES = (
    "How to read this: each curve is the share of words that the adversary guesses correctly, with "
    "95 % intervals. Dotted curves are lower bounds: a better adversary may guess more. The "
    f"vocabulary has {DEFAULT_SIZE:,} words of GloVe in 50 dimensions. The adversary knows how "
    "frequent words are in other film reviews."
)


def how_to_read_averaged(rows: Sequence[Row]) -> str:
    """How the figure of several releases is read, with the words that one release leaves."""
    kept = [
        f"{percent(row.n_w.value)} under {plain(row.mechanism)}"
        for row in rows
        if row.releases == 1 and row.n_w is not None
    ]
    return (
        "How to read this: the same sentences are released several times. Each mechanism has the "
        "ε in the middle of its range. At these ε, one release leaves unchanged "
        f"{enumerated(kept)} of the words of these sentences. Every release spends its ε again."
    )


# How far from one half the share of unchanged words may be in the finding over a corpus.
_ABOUT_HALF = 0.2


def curves_finding(rows: Sequence[Row]) -> str:
    """If about half of the words stay: where most and least are named beside the unchanged."""
    nearest: dict[str, Row] = {}
    for row in rows:
        before = nearest.get(row.mechanism)
        off = abs(before.n_w.value - 0.5) if before else 1.0
        if abs(row.n_w.value - 0.5) < min(_ABOUT_HALF, off):
            nearest[row.mechanism] = row
    by_gain = sorted(nearest.values(), key=lambda row: row.success.value - row.n_w.value)
    extremes = [by_gain[-1], by_gain[0]] if len(by_gain) > 1 else by_gain
    said = [
        f"{plain(row.mechanism)} at ε = {number(row.epsilon)} leaves {percent(row.n_w.value)} of "
        "the words unchanged, and the adversary guesses "
        f"{_least(percent(row.success.value), not row.lower_bound)} correctly."
        for row in extremes
    ]
    if len(extremes) > 1:
        said.insert(
            0,
            f"Two examples of settings that leave {100 * (0.5 - _ABOUT_HALF):.0f} to "
            f"{100 * (0.5 + _ABOUT_HALF):.0f} % of the words unchanged:",
        )
    return " ".join(said)


# ----------------------------------------------------------------------------------- masked tokens

MASKED_INTRODUCTION = (
    "Now the adversary does not see a word itself, only the word before it and the word after it. "
    "It has counted which words follow each other in film reviews. **Word-level differential "
    "privacy does not protect against this**: it limits how much a released word reveals about the "
    "word it replaced, not how much the words around it reveal."
)


def masked_finding(own: int, private: int, total: int) -> str:
    """How many words of the text its neighbours reveal."""
    return (
        f"From the neighbours as you typed them, the adversary guesses **{own} of "
        f"{counted(total, 'word')}** correctly; from the private neighbours, **{private}**."
    )


def masked_over_corpus(rows: Sequence[Row]) -> str:
    """The same over a corpus, from the shipped table."""
    row = next(row for row in rows if row.attack == "masked" and not row.mechanism)
    return (
        f"In a test on {row.words:,} known words of film reviews, the two typed neighbours are "
        f"enough to guess {percent(row.success.value)} of the words ({percent(row.success.low)} to "
        f"{percent(row.success.high)}), although the word itself is not released. With private "
        "neighbours the share was lower in this test, but no promise covers that."
    )


HOW_TO_READ_MASKED = (
    "How to read this: the share of words guessed correctly from their two neighbours, against the "
    "share of words that come out unchanged. The dashed line is for neighbours as typed. A larger "
    "language model may guess more."
)

# ----------------------------------------------------------------------------------------- the game

GAME_INTRODUCTION = (
    f"This is a private version of a sentence from a film review. For {game.ASKED} of its words, "
    "guess which word the author wrote. The adversary plays too, and chooses from the same words. "
    "Share the address of this page, and everyone plays the same rounds."
)

GAME_MORE = (
    "At a larger ε fewer words change, which makes the game easier. At a smaller ε it is harder, "
    "for you and for the adversary."
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
