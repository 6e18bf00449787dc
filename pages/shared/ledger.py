"""The ledger of a text or file: the promises of all fresh draws of it that were shown or released.

Every fresh draw counts, because one may be picked. To show the same draw again counts nothing, and
draws of examples or other texts count in ledgers of their own.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

import streamlit as st

from mechanisms import Guarantee, Mechanism, Vocabulary
from mechanisms.composition import DocumentPromise, document_promise
from pages.shared import tab


@dataclass
class Spent:
    """The promises of all draws of a word so far, and draws that no finite ε bounds."""

    draws: int = 0
    charged: dict[Hashable, tuple[Guarantee, int]] = field(default_factory=dict)
    """Each different promise, and how many versions were drawn under it."""
    unbounded: int = 0
    over_all_epsilon: int = 0
    """Sentences shown over all ε: no finite ε bounds them, whatever the mechanism."""

    def charge(self, guarantee: Guarantee, versions: int) -> None:
        """Add so many versions of a text, drawn under one promise."""
        self.draws += versions
        if document_promise(guarantee, versions) is None:
            self.unbounded += versions
            return
        unit = guarantee.distance.name
        key = (unit, guarantee.epsilon, guarantee.delta, guarantee.gaussian_mu)
        before = self.charged[key][1] if key in self.charged else 0
        self.charged[key] = (guarantee, before + versions)

    @property
    def epsilon(self) -> Mapping[str, float]:
        """Total ε of a word by the name of the distance it is stated in."""
        return {} if self.promise is None else self.promise.epsilon

    @property
    def promise(self) -> DocumentPromise | None:
        """What a word is promised after all of these draws; None if nothing was drawn."""
        if not self.charged:
            return None
        first, *others = self.charged.values()
        return document_promise(*first, *others)


# The ledger of a file is named by this and its hash; that of a text by the text.
FILE = "file:\0"

# Typed texts whose draws are counted: the last ones that were shown. Files are all kept.
MOST_LEDGERS = 50


def spent(about: str) -> Spent:
    """The ledger of one text or file: draws of any other never count in it.

    A text is named by itself, a file by `FILE` and its hash.
    """
    ledgers: dict[str, Spent] = st.session_state.setdefault("ledgers", {})
    found = ledgers.pop(about, None) or Spent()
    texts = [key for key in ledgers if not key.startswith(FILE)]
    for old in texts[: max(0, len(texts) - MOST_LEDGERS + 1)]:
        del ledgers[old]
    ledgers[about] = st.session_state.spent = found
    return found


def start_over(about: str) -> None:
    """Begin a new ledger of a text or file."""
    st.session_state.setdefault("ledgers", {}).pop(about, None)
    st.session_state.spent = Spent()


def charge(about: str, mechanism: Mechanism, vocabulary: Vocabulary, versions: int) -> None:
    """Add the ε of so many versions to the ledger of a text or file."""
    spent(about).charge(mechanism.guarantee(vocabulary), versions)
    tab.changed()
