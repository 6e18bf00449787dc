"""Parameters of a mechanism, each declared once: validation, widgets, errors and tests read it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from numbers import Integral, Real
from types import MappingProxyType
from typing import Any

import numpy as np

Values = dict[str, Any]
"""Values of parameters by field name: numbers, names of variants, None for an open one."""


@dataclass(frozen=True)
class Parameter:
    """The declaration of one parameter: what validation, the widget, errors and tests read."""

    symbol: str
    meaning: str
    above: float | None = None
    at_least: float | None = None
    below: float | None = None
    at_most: float | None = None
    choices: tuple[str, ...] = ()
    optional: bool = False

    @property
    def limits(self) -> str:
        """The admissible numbers in words: `above 0`, `at least 0 and below 1`; empty for all."""
        bounds = (
            ("above", self.above),
            ("at least", self.at_least),
            ("below", self.below),
            ("at most", self.at_most),
        )
        return " and ".join(f"{name} {bound:g}" for name, bound in bounds if bound is not None)

    def problem(self, value: object) -> str | None:
        """What is wrong with `value`, as the end of a sentence, or None if it is admissible."""
        if self.choices:
            if value in self.choices:
                return None
            return f"must be one of {', '.join(self.choices)}; got {value!r}."
        if value is None and self.optional:
            return None
        if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
            return f"must be a number; got {value!r}."
        try:
            number = float(value)
        except OverflowError:  # a whole number beyond the largest float
            number = math.inf if value > 0 else -math.inf  # type: ignore[operator]
        if not math.isfinite(number):
            return f"must be finite; got {number:g}."
        inside = (
            (self.above is None or number > self.above)
            and (self.at_least is None or number >= self.at_least)
            and (self.below is None or number < self.below)
            and (self.at_most is None or number <= self.at_most)
        )
        return None if inside else f"must be {self.limits}; got {number:g}."


def parameter(
    symbol: str,
    meaning: str,
    *,
    above: float | None = None,
    at_least: float | None = None,
    below: float | None = None,
    at_most: float | None = None,
    choices: tuple[str, ...] = (),
    default: Any = MISSING,
) -> Any:
    """A dataclass field that carries its own declaration. A default of None makes it optional."""
    declared = Parameter(
        symbol, meaning, above, at_least, below, at_most, choices, optional=default is None
    )
    return field(default=default, metadata={"parameter": declared})


@cache
def declarations(mechanism: type[Any]) -> Mapping[str, Parameter]:
    """The declarations of a mechanism by field name, in order."""
    return MappingProxyType({f.name: f.metadata["parameter"] for f in fields(mechanism)})


def checked(name: str, declared: Mapping[str, Parameter], given: Mapping[str, Any]) -> Values:
    """The given values of a mechanism's parameters, numbers as plain ones.

    Raises
    ------
    TypeError, ValueError
        For a value that its declaration refuses: `TEM: ε (epsilon) must be above 0; got -1.`

    """
    values = {}
    for field_name, value in given.items():
        parameter = declared[field_name]
        if problem := parameter.problem(value):
            symbol = parameter.symbol
            label = symbol if symbol == field_name else f"{symbol} ({field_name})"
            error = TypeError if "a number" in problem else ValueError
            raise error(f"{name}: {label} {problem}")
        if isinstance(value, Real) and type(value) not in {int, float}:
            # numpy's numbers and fractions as plain ones, so that a repr can be read back.
            value = int(value) if isinstance(value, Integral) else float(value)
        values[field_name] = value
    return values
