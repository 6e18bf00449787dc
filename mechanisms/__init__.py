"""The mechanisms of word-level differential privacy, in display order.

Notation, the same in all files:

w, v, y    words; w the input, y an output           |W|    size of the vocabulary
φ(w)       the word's vector, in R^d                 d      dimensions; d(w, v) a distance
ε          privacy budget per unit of distance       δ      failure probability of (ε, δ)-DP
γ, β       TEM's threshold; chance to leave it       L_w    words within γ of w
N_w        Pr[M(w) = w], chance to stay              S_w    number of words that can come out
C          clipping norm                             λ, t   tuning of Mahalanobis, of Vickrey
"""

from collections.abc import Iterable, Mapping

from mechanisms.base import (
    Guarantee,
    LawMechanism,
    Mechanism,
    NoiseMechanism,
    RadialNoise,
)
from mechanisms.clipped import Gaussian, Laplace, TruncatedLaplace
from mechanisms.cmp import CMP
from mechanisms.family import Family
from mechanisms.mahalanobis import Mahalanobis
from mechanisms.ngram_tem import NGramTEM
from mechanisms.santext import SanText
from mechanisms.syntf import SynTF
from mechanisms.tem import TEM
from mechanisms.truncated_gumbel import TruncatedGumbel
from mechanisms.unigram_tem import UnigramTEM
from mechanisms.vickrey import Vickrey
from mechanisms.vocabulary import UnknownWordError, Vocabulary

MECHANISMS: tuple[type[Mechanism], ...] = (
    CMP,
    Mahalanobis,
    Vickrey,
    Laplace,
    Gaussian,
    TruncatedLaplace,
    TEM,
    UnigramTEM,
    NGramTEM,
    SanText,
    TruncatedGumbel,
    SynTF,
)

SLUGS: Mapping[str, type[Mechanism]] = {cls.slug(): cls for cls in MECHANISMS}
"""The mechanisms by their names in links and commands."""


def by_name(name: str) -> type[Mechanism]:
    """The mechanism of a name, as on screen, in a link or in Python.

    >>> by_name("truncated-gumbel") is by_name("Truncated Gumbel") is by_name("TruncatedGumbel")
    True
    >>> by_name("gumball")
    Traceback (most recent call last):
    ValueError: Mechanism: must be one of cmp, mahalanobis, vickrey, laplace, gaussian, \
truncated-laplace, tem, unigram-tem, n-gram-tem, santext, truncated-gumbel, syntf; got 'gumball'.
    """
    wanted = "".join(filter(str.isalnum, name.lower())) if isinstance(name, str) else name
    for slug, cls in SLUGS.items():
        if slug.replace("-", "") == wanted:
            return cls
    raise ValueError(f"Mechanism: must be one of {', '.join(SLUGS)}; got {name!r}.")


FamilyLike = Family[Mechanism] | Mechanism | type[Mechanism] | str
"""A family, or what names one: a mechanism its own, a class or a name that of the defaults."""


def family_of(named: FamilyLike) -> Family[Mechanism]:
    """The family of a mechanism, a class or a name.

    >>> family_of("tem"), family_of(CMP(epsilon=4))
    (TEM.family(gamma=None, beta=0.001), CMP.family())
    """
    if isinstance(named, Family):
        return named
    own = by_name(named) if isinstance(named, str) else named
    if isinstance(own, Mechanism) or (isinstance(own, type) and issubclass(own, Mechanism)):
        return own.family()
    raise TypeError(
        f"Mechanism: give a mechanism, its class or its name, or a family; got {named!r}."
    )


def families_of(named: FamilyLike | Iterable[FamilyLike]) -> list[Family[Mechanism]]:
    """The families of one or several mechanisms."""
    if isinstance(named, str | type | Mechanism | Family):
        named = [named]
    return [family_of(each) for each in named]


__all__ = [
    "CMP",
    "MECHANISMS",
    "SLUGS",
    "TEM",
    "Family",
    "FamilyLike",
    "Gaussian",
    "Guarantee",
    "Laplace",
    "LawMechanism",
    "Mahalanobis",
    "Mechanism",
    "NGramTEM",
    "NoiseMechanism",
    "RadialNoise",
    "SanText",
    "SynTF",
    "TruncatedGumbel",
    "TruncatedLaplace",
    "UnigramTEM",
    "UnknownWordError",
    "Vickrey",
    "Vocabulary",
    "by_name",
    "families_of",
    "family_of",
]
