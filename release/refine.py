"""A choice in steps: a first table from a part of a file, refined to all of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from measures.own_texts.texts import OwnTexts
from mechanisms.base import blocks
from release.candidates import Candidate, Refusal, candidates
from release.choice import Choice
from release.demands import Demands
from release.evidence import Setting, stage_count, stages

# Mechanisms measured at a time.
_THREADS = 2


class Step(NamedTuple):
    """A step of the work, and the last complete table."""

    share: float
    """Of the whole work that is done."""
    choice: Choice | None
    """None until every setting of the first stage is measured."""


def choosing(
    own: OwnTexts,
    demands: Demands,
    seed: int = 0,
    tried: tuple[Sequence[Candidate], Sequence[Refusal]] | None = None,
    made_on: str = "",
) -> Iterator[Step]:
    """Steps towards a choice: a first table from a part of the file, refined to all of it.

    Raises
    ------
    ValueError
        For labels that no classifier can learn.

    """
    mechanisms, untried = tried or candidates(own.vocabulary)
    count = stage_count(own)
    weights = [4.0**number for number in range(count)]
    done = 0.0
    choice: Choice | None = None
    for stage, weight in zip(stages(own, seed), weights, strict=True):
        found: dict[str, list[Setting]] = {}
        with ThreadPoolExecutor(_THREADS) as pool:
            for part in blocks(len(mechanisms), _THREADS):
                several = mechanisms[part]
                measured = list(pool.map(stage.settings, several))
                for candidate, settings in zip(several, measured, strict=True):
                    found[candidate.name] = settings
                done += weight * len(several) / len(mechanisms)
                if len(found) < len(mechanisms):
                    yield Step(done / sum(weights), choice)
        choice = Choice(
            demands,
            tuple(setting for settings in found.values() for setting in settings),
            stage.scope,
            tuple(untried),
            stage.constant_guess,
            seed,
            made_on,
        )
        yield Step(done / sum(weights), choice)


def step_count(own: OwnTexts, mechanisms: int) -> int:
    """How many steps `choosing` takes."""
    return stage_count(own) * math.ceil(mechanisms / _THREADS)


def chosen(own: OwnTexts, demands: Demands, seed: int = 0, *, first_answer: bool = False) -> Choice:
    """The choice from the whole file, or the first answer."""
    last: Choice | None = None
    for step in choosing(own, demands, seed):
        last = step.choice
        if first_answer and last is not None:
            break
    assert last is not None
    return last
