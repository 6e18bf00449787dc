"""The tables of the Attacks page."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from measures.attacks.adversary import Attack
from measures.attacks.game import Round
from measures.attacks.recovery import Row
from mechanisms import Vocabulary
from pages.attacks.wording import moved, read_as
from pages.shared.prose import percent


def by_position(
    attack: Attack, positions: Sequence[int], vocabulary: Vocabulary
) -> dict[int, tuple[str, float, bool]]:
    """By the position of its token: the input that is named, how surely, and whether rightly."""
    return {
        position: (read_as(g.input_ids[0], vocabulary), float(g.probability[0]), g.named)
        for position, g in zip(positions, attack.guesses, strict=True)
    }


def answers(
    game: Round, picks: Sequence[int | None], vocabulary: Vocabulary
) -> list[tuple[str, str, str, str]]:
    """A row a word that was asked for: released, typed, the player's and the adversary's choice."""
    words = vocabulary.words
    return [
        (words[out], words[word], "–" if pick is None else words[pick], words[guess])
        for out, word, pick, guess in zip(
            game.released, game.answers, picks, game.adversary, strict=True
        )
    ]


def guesses(attack: Attack, vocabulary: Vocabulary) -> pd.DataFrame:
    """A row a word: what came out, what the adversary believes, and how far odds moved."""
    words = vocabulary.words
    table = []
    for guess in attack.guesses:
        was, may = moved(guess.log_moved, guess.log_allowed, attack.exact)
        looked_at = attack.exact or guess.typed_probability > 0
        table.append(
            {
                "typed": read_as(guess.typed, vocabulary),
                "came out": words[guess.released],
                "guessed": guess.named,
                "the adversary believes": ", ".join(
                    f"{read_as(word, vocabulary)} {percent(chance)}"
                    for word, chance in zip(guess.input_ids[:3], guess.probability[:3], strict=True)
                    if chance > 0
                ),
                "rank of your word": guess.place if looked_at else None,
                "probability before": guess.typed_prior,
                "probability after": guess.typed_probability if looked_at else None,
                "strongest rival": read_as(guess.rival, vocabulary),
                "odds moved": was,
                "promise allows": may,
            }
        )
    return pd.DataFrame(table)


def guess_columns() -> dict[str, object]:
    """How these columns are shown."""
    share = {"format": "percent"}
    return {
        "probability before": st.column_config.NumberColumn(
            **share, help="The probability of your word before the release"
        ),
        "probability after": st.column_config.NumberColumn(
            **share, help="The probability of your word after the release"
        ),
        "rank of your word": st.column_config.NumberColumn(
            help="Its rank among all words, 1 if it is guessed; empty if it was not considered"
        ),
        "strongest rival": st.column_config.TextColumn(
            help="The most probable other word after the release"
        ),
    }


def success_rows(rows: Sequence[Row]) -> pd.DataFrame:
    """The shipped table."""
    return pd.DataFrame(rows)
