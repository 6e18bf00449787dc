"""The answers to a question on the board, from counts alone: no streamlit here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from measures.randomised_response import Estimated, RandomisedResponse
from pages.shared.live.questions import Asked
from pages.shared.live.store import Board


class Found(NamedTuple):
    """The answers to a question: as received (k,), and estimated if they are private."""

    received: list[int]
    estimated: Estimated | None
    coin: RandomisedResponse

    @property
    def count(self) -> int:
        """How many students have answered."""
        return sum(self.received)


class Mistake(NamedTuple):
    """The commonest wrong option, and whether another one could be as common."""

    name: str
    sure: bool


def found(board: Board, key: str, asked: Asked) -> Found:
    """The answers to a question of a class."""
    received = board.of(key, len(asked.options))
    coin = board.live.coin(len(asked.options))
    private = board.live.epsilon is not None
    return Found(received, coin.estimate(received) if private else None, coin)


def commonest_mistake(about: Found, asked: Asked, right: str) -> Mistake | None:
    """The wrong option that most students have, by the estimate; None if no one seems to err.

    With private answers it is sure if its interval lies above that of each other wrong option.
    """
    wrong = [place for place, name in enumerate(asked.options) if name != right]
    names = list(asked.options)
    if about.estimated is None:
        values = np.array([about.received[place] for place in wrong])
        if not values.max(initial=0):
            return None
        most = int(values.argmax())
        return Mistake(names[wrong[most]], int((values == values[most]).sum()) == 1)
    value, low, high = (part[wrong] for part in about.estimated)
    most = int(value.argmax())
    if value[most] <= 0:
        return None
    others = np.delete(high, most)
    return Mistake(names[wrong[most]], bool((low[most] > others).all() and low[most] > 0))


def questions_of(pace: str, every: Mapping[str, Asked]) -> Sequence[str]:
    """The questions of a step: the prediction, the checks; all of them without a pace."""
    lesson, _, step = pace.partition(".")
    mine = [key for key in every if key.partition(".")[0] == lesson]
    if step == "predict":
        return [f"{lesson}.predict"]
    if step == "try":
        return mine
    if step == "check":
        return [key for key in mine if key != f"{lesson}.predict"]
    return list(every)
