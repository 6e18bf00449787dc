"""The guessing game of a class: rounds, each with a secret mechanism and a secret ε.

The teacher's press draws both; the store keeps them in the row of the class, and nothing that goes
to a student's browser holds them or a hash of them. Each round has a name by chance, under which
the class is asked twice, and every student sees the same private sentences. ε is one of ten steps,
so that a guess of it is an answer to a question with ten options, as one of the mechanism is.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from measures.words.targets import EpsilonRange
from mechanisms import MECHANISMS, Family, Mechanism
from pages.shared.live import questions
from pages.shared.live.questions import Asked
from pages.shared.live.store import LiveClass

PACE = "guess"
"""The step that everyone sees while the class guesses."""

STEPS = questions.EPSILON_STEPS

_BY_SLUG = {cls.slug(): cls for cls in MECHANISMS}


class Round(NamedTuple):
    """One round: its name, and what is to be guessed."""

    name: str
    mechanism: Mechanism

    @property
    def keys(self) -> tuple[str, str]:
        """The two questions of the class."""
        return f"round.{self.name}.mechanism", f"round.{self.name}.epsilon"


def played(live: LiveClass | None) -> list[Round]:
    """The rounds of a class, the one that is played last."""
    if live is None or not live.secret:
        return []
    return [
        Round(name, _BY_SLUG[slug](epsilon=STEPS[step]))
        for name, slug, step in json.loads(live.secret)
    ]


def on_screen(live: LiveClass | None) -> Round | None:
    """The round that a student of this class sees; None if there is none now."""
    rounds = played(live)
    return rounds[-1] if rounds and live is not None and live.pace == PACE else None


def with_another(
    live: LiveClass, span: Callable[[Family[Mechanism]], EpsilonRange], most: int = 20
) -> str:
    """The secret of a class with a new round, drawn at random; the oldest of too many goes.

    `span` is the range in which ε matters for a family. The mechanism is drawn first, then one of
    the steps in its range.
    """
    cls = secrets.choice(MECHANISMS)
    low, middle, high = span(cls.family())
    inside = [i for i, step in enumerate(STEPS) if low <= step <= high]
    step = secrets.choice(inside or [min(range(len(STEPS)), key=lambda i: abs(STEPS[i] - middle))])
    before = json.loads(live.secret) if live.secret else []
    return json.dumps([*before[1 - most :], [secrets.token_hex(4), cls.slug(), step]])


def asked(key: str, live: LiveClass) -> Asked | None:
    """A question of a round with its right answer and what to say of others; None if it is none."""
    for number, each in enumerate(played(live), 1):
        if key in each.keys:
            mechanism, epsilon = each.mechanism, each.mechanism.epsilon
            question = questions.asked(key)
            assert question is not None
            title = f"Round {number}: {question.title}"
            if key.endswith(".mechanism"):
                return replace(question, title=title, right=mechanism.name)
            right = f"{epsilon:g}"
            wrong = {f"{step:g}": _how_far(step, epsilon) for step in STEPS if step != epsilon}
            return replace(question, title=title, right=right, mistakes=wrong)
    return None


def _how_far(guess: float, true: float) -> str:
    """The sentence on how far a guess of ε is from the true one."""
    if guess > true:
        return (
            f"This guess is {guess / true:g} times the true ε: the sentences are more private than "
            "it says."
        )
    return (
        f"The true ε is {true / guess:g} times this guess: the sentences are less private than it "
        "says."
    )
