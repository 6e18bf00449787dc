"""What the Attacks page works out for one visitor; it is kept in the session and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.embeddings import VocabularyChoice
from measures.attacks import adversary as adversaries
from measures.attacks import game, ngrams
from measures.attacks.adversary import Attack
from measures.attacks.bayes import Adversary
from mechanisms.text import PrivateText
from mechanisms.vocabulary import WordIds
from pages.attacks import wording
from pages.shared import progress, session, shared_work
from pages.shared.adversaries import word_pairs

# Words of a text that are attacked.
MOST_WORDS = 40


def words(private: PrivateText) -> tuple[list[int], WordIds, WordIds]:
    """The words that are attacked, unknown ones too, if they were drawn.

    Positions of their tokens, inputs (n,), and releases (n, m).
    """
    positions = np.flatnonzero(private.drawn[:, 0] >= 0)[:MOST_WORDS].tolist()
    typed = [private.tokens[i].word_id for i in positions]
    unknown = private.vocabulary.unknown_id
    inputs = [unknown if word is None else word for word in typed]
    return positions, private.vocabulary.checked_inputs(inputs), private.drawn[positions]


def attack(
    knows: Adversary, typed: WordIds, released: WordIds, place: DeltaGenerator
) -> tuple[Attack, Callable[[], None] | None]:
    """The text attacked from all its releases; or, where that takes long, first from one.

    What takes long shows a bar and can be stopped. With an attack from one release comes what a
    button calls to ask for all of them: it holds for these releases, and not for the next.
    """
    about = (knows.mechanism, knows.vocabulary.fingerprint, knows.log_prior.tobytes())
    about += (typed.tobytes(), released.tobytes())
    if knows.quick:
        return session.once(
            ("attack", *about), lambda: adversaries.attack(knows, typed, released)
        ), None
    whole = st.session_state.get("attack_all") == about
    some = released if whole else released[:, :1]
    bar = progress.bar(place, wording.ATTACKING, _stop if whole else None)
    found = session.once(
        ("attack", *about, whole),
        lambda: shared_work.one_at_a_time(
            lambda told: adversaries.attack(knows, typed, some, progress=told), bar
        ),
    )
    return found, None if whole else partial(st.session_state.__setitem__, "attack_all", about)


def _stop() -> None:
    st.session_state.pop("attack_all", None)


def named_by_neighbours(private: PrivateText, choice: VocabularyChoice) -> tuple[int, int, int]:
    """How many of the words their neighbours name: as typed, as released; and of how many."""
    pairs = word_pairs(choice)
    typed, released = ngrams.as_seen(private)
    at = [i for i, word in enumerate(typed) if word != ngrams.NONE][:MOST_WORDS]
    own, by_private = (
        sum(guess == typed[i] for guess, i in zip(guesses, at, strict=True))
        for guesses in (ngrams.masked_guesses(pairs, seen, at) for seen in (typed, released))
    )
    return own, by_private, len(at)


# ----------------------------------------------------------------------------------------- the game


def game_round(knows: Adversary, seed: int, number: int) -> game.Round:
    """The round that this link names."""
    key = (knows.mechanism, knows.vocabulary.fingerprint, knows.log_prior.tobytes())
    return session.once(("round", *key, seed, number), lambda: game.play(knows, seed, number))


@dataclass(frozen=True)
class Played:
    """A round that was answered: the words picked, and how many are right."""

    picks: tuple[int, ...]
    score: tuple[int, int, int]
    """By the player, by the adversary, and asked for."""


def pick_key(key: tuple[object, ...], position: int) -> str:
    """The key of the box with a player's guess of a word."""
    return f"pick.{hash(key)}.{position}"


def answer(key: tuple[object, ...], this: game.Round) -> None:
    """Take the guesses of a round, once and only if none is missing."""
    places = range(1, len(this.asked) + 1)
    picks = [st.session_state.get(pick_key(key, position)) for position in places]
    given = [pick for pick in picks if pick is not None]
    st.session_state["game_blanks"] = (key, len(picks) - len(given))
    if len(given) < len(picks) or played(key) is not None:
        return
    answers = this.answers.tolist()
    player = sum(pick == word for pick, word in zip(given, answers, strict=True))
    adversary = sum(int(pick) == word for pick, word in zip(this.adversary, answers, strict=True))
    _rounds()[key] = Played(tuple(given), (player, adversary, len(answers)))


def blanks(key: tuple[object, ...]) -> int:
    """How many guesses were missing when this round was last sent."""
    about, missing = st.session_state.get("game_blanks", (None, 0))
    return missing if about == key else 0


def played(key: tuple[object, ...]) -> Played | None:
    """A round as it was answered; None before."""
    return _rounds().get(key)


def all_played() -> list[Played]:
    """All rounds of this session."""
    return list(_rounds().values())


def _rounds() -> dict[tuple[object, ...], Played]:
    return st.session_state.setdefault("game_rounds", {})


def next_round() -> None:
    """Go on to the next sentence."""
    st.session_state["round"] += 1
