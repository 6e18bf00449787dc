"""The settings of the benchmark's tables, each with the mechanism that its code ran."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from measures.papers.benchmark_slips import (
    FartherCandidate,
    QuotientTEM,
    SeenFromOneWord,
    SquaredSanText,
    SynonymsAlike,
    first_coordinates,
    with_words_at_the_origin,
)
from measures.papers.benchmark_vocabulary import PRINTED_WORDS
from mechanisms import (
    CMP,
    TEM,
    Mahalanobis,
    Mechanism,
    SanText,
    SynTF,
    TruncatedGumbel,
    Vickrey,
    Vocabulary,
)

# Words that GloVe lacks among the benchmark's: as large a share as among the different words of the
# packaged reviews, prepared in the same way.
_WITHOUT_VECTOR = round(0.17 * PRINTED_WORDS)


# Random words from which the one-word slips measure their distances.
_ONE_WORDS = 10


Build = Callable[[float, Vocabulary, np.random.Generator], list[tuple[Mechanism, Vocabulary]]]


@dataclass(frozen=True)
class Case:
    """A mechanism as some variant, or slip, would have computed it."""

    mechanism: str
    """Its name in the printed table."""
    variant: str
    build: Build
    """(ε, vocabulary, generator) -> mechanisms and vocabularies, which share the words."""
    slip: str = ""
    """What it does that the paper does not say; empty for the papers' own variants."""
    proven: bool = True
    """Whether the slip is one of the code; otherwise it is only a possibility."""


def _plain(make: Callable[[float], Mechanism]) -> Build:
    return lambda epsilon, vocabulary, _: [(make(epsilon), vocabulary)]


def _from_one_word(*, squared: bool) -> Build:
    """Truncated Gumbel with its two distances measured from one random word, several times over.

    Where the scale is not positive the benchmark's code failed; such words are passed over.
    """

    def build(
        epsilon: float, vocabulary: Vocabulary, rng: np.random.Generator
    ) -> list[tuple[Mechanism, Vocabulary]]:
        mechanism = TruncatedGumbel(epsilon=epsilon, variant="benchmark")
        found: list[tuple[Mechanism, Vocabulary]] = []
        for word in rng.permutation(len(vocabulary)):
            seen = SeenFromOneWord(vocabulary, int(word), squared=squared)
            try:
                mechanism.scale(seen)
            except ValueError:
                continue
            found.append((mechanism, seen))
            if len(found) == _ONE_WORDS:
                break
        return found

    return build


CASES: tuple[Case, ...] = (
    Case("SynTF", "published", _plain(lambda e: SynTF(epsilon=e))),
    Case("SynTF", "benchmark", _plain(lambda e: SynTF(epsilon=e, variant="benchmark"))),
    Case(
        "SynTF",
        "slip: all synonyms equally likely",
        _plain(lambda e: SynonymsAlike(epsilon=e, variant="benchmark")),
        "one rating for all synonyms of a word, so that ε plays no part",
    ),
    Case("CMP", "published", _plain(lambda e: CMP(epsilon=e))),
    Case("Mahalanobis", "published", _plain(lambda e: Mahalanobis(epsilon=e))),
    Case("SanText", "published", _plain(lambda e: SanText(epsilon=e))),
    Case(
        "SanText",
        "slip: squared distances",
        _plain(lambda e: SquaredSanText(epsilon=e)),
        "squared distances",
    ),
    Case(
        "SanText",
        "slip: three coordinates",
        lambda e, vocabulary, _: [(SanText(epsilon=e), first_coordinates(vocabulary))],
        "distances over the first three coordinates",
    ),
    Case("Gumbel", "published", _plain(lambda e: TruncatedGumbel(epsilon=e))),
    Case("Gumbel", "benchmark", _plain(lambda e: TruncatedGumbel(epsilon=e, variant="benchmark"))),
    Case(
        "Gumbel",
        "slip: Δ and Δ₀ from one word",
        _from_one_word(squared=False),
        "the largest and smallest distance taken from one random word",
    ),
    Case(
        "Gumbel",
        "slip: Δ and Δ₀ from one word, squared distances",
        _from_one_word(squared=True),
        "the largest and smallest distance taken from one random word, the others squared",
    ),
    Case("Vickrey", "published", _plain(lambda e: Vickrey(epsilon=e, variant="published"))),
    Case("Vickrey", "repaired", _plain(lambda e: Vickrey(epsilon=e, variant="repaired"))),
    Case(
        "Vickrey",
        "slip: farther candidate",
        _plain(lambda e: FartherCandidate(epsilon=e)),
        "the input left out only if it is the nearest, then nearly always the farther candidate",
    ),
    Case("TEM", "γ by Theorem 4.2", _plain(lambda e: TEM(epsilon=e))),
    Case("TEM", "γ = 0.5", _plain(lambda e: TEM(epsilon=e, gamma=0.5))),
    Case(
        "TEM",
        "slip: quotient for ⊥",
        _plain(lambda e: QuotientTEM(epsilon=e)),
        "γ by Theorem 4.2 to one decimal, and |W| / |L_w| in place of the number of words outside",
    ),
    Case(
        "TEM",
        "possible: unknown words at the origin",
        lambda e, v, _: [(TEM(epsilon=e), with_words_at_the_origin(v, _WITHOUT_VECTOR))],
        "γ by Theorem 4.2, and the words of the reviews that GloVe lacks with zero vectors",
        proven=False,
    ),
)
