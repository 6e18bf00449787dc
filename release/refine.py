"""A choice in steps: a first table from a part of a file, refined to all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import NamedTuple

from measures.own_texts.texts import OwnTexts
from release.candidates import Candidate, Refusal, candidates
from release.choice import Choice
from release.demands import Demands
from release.evidence import Setting, Stage, stage_count, stages

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
        found: dict[str, list[Setting] | Refusal] = {}
        for name, measured in _measured(stage, mechanisms):
            found[name] = measured
            done += weight / len(mechanisms)
            if len(found) < len(mechanisms):
                yield Step(done / sum(weights), choice)
        choice = Choice(
            demands,
            _settings([found[each.name] for each in mechanisms]),
            stage.scope,
            (*untried, *(each for each in found.values() if isinstance(each, Refusal))),
            stage.constant_guess,
            seed,
            made_on,
            sum(len(candidate.epsilons) for candidate in mechanisms),
        )
        yield Step(done / sum(weights), choice)


def _settings(found: Sequence[list[Setting] | Refusal]) -> tuple[Setting, ...]:
    """The settings that were measured; ValueError if every mechanism refuses."""
    refused = [each for each in found if isinstance(each, Refusal)]
    if len(refused) == len(found):
        reasons = " ".join(f"{each.name}: {each.reason}" for each in refused)
        raise ValueError(
            f"Choice: no mechanism can be used on these texts. {reasons} Choose another embedding."
        )
    return tuple(setting for each in found if isinstance(each, list) for setting in each)


def _measured(
    stage: Stage, mechanisms: Sequence[Candidate]
) -> Iterator[tuple[str, list[Setting] | Refusal]]:
    """The name and the settings of each mechanism, as they are done; no more than two at work.

    A mechanism that refuses an ε or a word is refused. While nobody asks for more, none is begun.
    """
    waiting = list(mechanisms)[::-1]
    at_work: dict[Future[list[Setting]], str] = {}
    with ThreadPoolExecutor(_THREADS) as pool:
        while waiting or at_work:
            while waiting and len(at_work) < _THREADS:
                candidate = waiting.pop()
                at_work[pool.submit(stage.settings, candidate)] = candidate.name
            done, _ = wait(at_work, return_when=FIRST_COMPLETED)
            for future in done:
                name = at_work.pop(future)
                measured: list[Setting] | Refusal
                try:
                    measured = future.result()
                except ValueError as error:
                    measured = Refusal(name, f"It refuses these words or this ε: {error}")
                yield name, measured


def step_count(own: OwnTexts, mechanisms: int) -> int:
    """How many steps `choosing` takes."""
    return stage_count(own) * mechanisms


def chosen(own: OwnTexts, demands: Demands, seed: int = 0, *, first_answer: bool = False) -> Choice:
    """The choice from the whole file, or the first answer."""
    last: Choice | None = None
    for step in choosing(own, demands, seed):
        last = step.choice
        if first_answer and last is not None:
            break
    assert last is not None
    return last
