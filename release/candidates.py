"""The settings among which a choice is made: every promise that holds, at every ε of a coarse grid.

A choice is a function of the file, and so reveals something about it: at most the logarithm of the
number of settings that could have been chosen. So the grid of ε is coarse, and depends on the
mechanism and the vocabulary only, never on the file: 1, 1.5, 2, 3, 5, 7 and their multiples by
powers of ten, from a quarter of the ε at which 1 % of the words of a vocabulary stay unchanged to
the ε at which 99 % do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from measures.words.targets import epsilon_range
from mechanisms import MECHANISMS, Family, Mechanism, Vocabulary
from mechanisms.in_order import WordByWord
from mechanisms.vocabulary import Floats

STEPS = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)
"""ε within a power of ten."""

GRID = "1, 1.5, 2, 3, 5, 7 and their multiples by powers of ten"

# Where a promise is looked at first, before the range of ε is measured.
_USUAL = 10.0

IN_ORDER = (
    "It is not tried: how often a word stays depends on the words that are released before it, so "
    "no single number for a word holds in every text."
)

# Words that are alone in their neighbourhood are hidden only far below the ε of the mean word.
_BELOW = 4.0


@dataclass(frozen=True)
class Candidate:
    """A family of mechanisms, and the ε at which it is tried."""

    family: Family[Mechanism]
    epsilons: tuple[float, ...]

    @property
    def name(self) -> str:
        """The name, with the variant if there is more than one."""
        return named(self.family)

    def at(self, epsilon: float) -> Mechanism:
        """The mechanism at an ε."""
        return self.family.at(epsilon)


@dataclass(frozen=True)
class Refusal:
    """A mechanism or variant that is not tried, and why."""

    name: str
    reason: str


def named(family: Family[Mechanism]) -> str:
    """A family's name with its variant."""
    variant = dict(family.values).get("variant")
    return family.name if variant is None else f"{family.name} ({variant})"


def candidates(vocabulary: Vocabulary) -> tuple[list[Candidate], list[Refusal]]:
    """The settings that may be chosen on this vocabulary, and the mechanisms that may not."""
    tried, refused = [], []
    for family in _variants():
        if issubclass(family.kind, WordByWord):
            refused.append(Refusal(named(family), IN_ORDER))
            continue
        try:
            usual = max(_USUAL, 1.5 * family.smallest_epsilon(vocabulary))
            reason = _broken(family.at(usual), vocabulary)
            if not reason:
                grid = coarse_grid(family, vocabulary)
                each = {epsilon: _broken(family.at(epsilon), vocabulary) for epsilon in grid}
                grid = tuple(epsilon for epsilon, broken in each.items() if not broken)
                reason = "" if grid else next(iter(each.values()))
        except ValueError as error:
            reason = f"It refuses this vocabulary: {error}"
        if reason:
            refused.append(Refusal(named(family), reason))
        else:
            tried.append(Candidate(family, grid))
    return tried, refused


def _broken(mechanism: Mechanism, vocabulary: Vocabulary) -> str:
    """The reason why a mechanism's promise does not count; empty if it holds."""
    guarantee = mechanism.guarantee(vocabulary)
    if guarantee.holds and guarantee.notion != "none proven":
        return ""
    return f"Its promise does not hold. {guarantee.caveat}".strip()


def _variants() -> Iterator[Family[Mechanism]]:
    for cls in MECHANISMS:
        declared = cls.parameters().get("variant")
        if declared is None:
            yield cls.family()
        else:
            for variant in declared.choices:
                yield cls.family(variant=variant)


def coarse_grid(family: Family[Mechanism], vocabulary: Vocabulary) -> tuple[float, ...]:
    """The ε of the stated grid in a mechanism's range on a vocabulary; one at least."""
    low, _, high = epsilon_range(family, vocabulary)
    smallest = family.smallest_epsilon(vocabulary)
    first = max(low / _BELOW, 1.01 * smallest)
    powers = range(int(np.floor(np.log10(first))), int(np.ceil(np.log10(high))) + 1)
    every: Floats = np.array([round(step * 10.0**power, 12) for power in powers for step in STEPS])
    inside = every[(every >= first) & (every <= high)]
    if not len(inside):
        inside = every[every >= first][:1]
    return tuple(float(epsilon) for epsilon in inside)
