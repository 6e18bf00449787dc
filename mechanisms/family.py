"""A mechanism without its ε.

What is the same at every ε belongs to a family: the range of ε that matters, a grid in it, curves,
paths, and their entries on disk. A family is frozen and hashable, so it is their key.

    TEM.family(gamma=3.0)               TEM with γ = 3, at every ε
    TEM.family(gamma=3.0).at(4)         TEM(epsilon=4, gamma=3.0, beta=0.001)
    TEM(epsilon=4, gamma=3.0).family()  its family
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from mechanisms.parameters import checked
from mechanisms.vocabulary import Vocabulary, WordIds

if TYPE_CHECKING:
    from mechanisms.base import Mechanism

M = TypeVar("M", bound="Mechanism")
M_co = TypeVar("M_co", bound="Mechanism", covariant=True)


@dataclass(frozen=True, repr=False)
class Family(Generic[M_co]):
    """A class of mechanisms and all its parameters but ε; made by `Mechanism.family`.

    >>> import wordveil as wv
    >>> wv.TEM.family(gamma=3).at(4)
    TEM(epsilon=4, gamma=3, beta=0.001)
    """

    kind: type[M_co]
    values: tuple[tuple[str, Any], ...]
    """The parameters by field name, in order."""

    def at(self, epsilon: float) -> M_co:
        """The mechanism at an ε."""
        return self.kind(epsilon=epsilon, **dict(self.values))

    @property
    def name(self) -> str:
        """The mechanism's name on screen."""
        return self.kind.name

    @cached_property
    def without_epsilon(self) -> M_co:
        """A mechanism that answers what does not depend on ε, and has no ε to look at.

        `isinstance` says what it can answer. What does ask for its ε is an AttributeError.
        """
        mechanism = object.__new__(self.kind)
        for name, value in self.values:
            object.__setattr__(mechanism, name, value)
        return mechanism

    def covers(self, vocabulary: Vocabulary, word_ids: WordIds) -> NDArray[np.bool_]:
        """`Mechanism.covers`: (n,) -> (n,)."""
        return self.without_epsilon.covers(vocabulary, word_ids)

    def smallest_epsilon(self, vocabulary: Vocabulary) -> float:
        """`Mechanism.smallest_epsilon`."""
        return self.without_epsilon.smallest_epsilon(vocabulary)

    def __repr__(self) -> str:
        """As it is made: `TEM.family(gamma=None, beta=0.001)`."""
        inside = ", ".join(f"{name}={value!r}" for name, value in self.values)
        return f"{self.kind.__name__}.family({inside})"


class FamilyOf:
    """Makes families: `TEM.family(gamma=3.0)`, `mechanism.family()`.

    Of a mechanism the parameters that are not given are its own, of a class the defaults.
    """

    def __get__(self, mechanism: M | None, kind: type[M]) -> Callable[..., Family[M]]:
        """The function that makes families of this class."""

        def family(**given: Any) -> Family[M]:
            declared = {name: each for name, each in kind.parameters().items() if name != "epsilon"}
            for name in given:
                if name not in declared:
                    known = ", ".join(declared) or "no parameter"
                    raise TypeError(f"{kind.__name__}.family: takes {known}; got {name!r}.")
            values = {}
            for each in fields(kind):
                if each.name in declared:
                    own = each.default if mechanism is None else getattr(mechanism, each.name)
                    values[each.name] = given.get(each.name, own)
                    if values[each.name] is MISSING:
                        raise TypeError(f"{kind.__name__}.family: {each.name} is missing.")
            return Family(kind, tuple(checked(kind.name, declared, values).items()))

        return family
