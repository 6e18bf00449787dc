"""A question of a lesson.

It has options, one of them right; each other one is what a usual slip gives with the same numbers,
so that a wrong answer can be explained. A slip that happens to give the right answer, or what
another slip gives, is left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

# Options that differ by less than this share of the larger one look the same.
_SAME = 0.03


@dataclass(frozen=True)
class Question:
    """Options by what leads to them, in the order to be shown; `right` names the right one."""

    options: Mapping[str, float | str]
    right: str = "right"

    def is_right(self, chosen: str) -> bool:
        """Whether the option with this name is the right one."""
        return chosen == self.right


def by_size(right: float, **slips: float) -> Question:
    """A question after a number: the right one and those of the slips, by size."""
    kept: dict[str, float] = {"right": right}
    for slip, value in slips.items():
        if not any(_alike(value, other) for other in kept.values()):
            kept[slip] = value
    return Question(dict(sorted(kept.items(), key=lambda item: item[1])))


def named(*options: str, right: str) -> Question:
    """A question whose options are told in words."""
    return Question({option: option for option in options}, right)


def _alike(one: float, other: float) -> bool:
    if math.isinf(one) or math.isinf(other):
        return one == other
    return abs(one - other) <= _SAME * max(abs(one), abs(other))
