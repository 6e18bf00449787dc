"""The mechanisms of word-level differential privacy, in display order.

Notation, the same in all files:

w, v, y    words; w the input, y an output           |W|    size of the vocabulary
φ(w)       the word's vector, in R^d                 d      dimensions; d(w, v) a distance
ε          privacy budget per unit of distance       δ      failure probability of (ε, δ)-DP
γ, β       TEM's threshold; chance to leave it       L_w    words within γ of w
N_w        Pr[M(w) = w], chance to stay              S_w    number of words that can come out
C          clipping norm                             λ, t   tuning of Mahalanobis, of Vickrey
"""

from collections.abc import Mapping

from mechanisms.base import (
    Guarantee,
    LawMechanism,
    Mechanism,
    NoiseMechanism,
    RadialNoise,
)
from mechanisms.clipped import Gaussian, Laplace, TruncatedLaplace
from mechanisms.cmp import CMP
from mechanisms.mahalanobis import Mahalanobis
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
truncated-laplace, tem, unigram-tem, santext, truncated-gumbel, syntf; got 'gumball'.
    """
    wanted = "".join(filter(str.isalnum, name.lower())) if isinstance(name, str) else name
    for slug, cls in SLUGS.items():
        if slug.replace("-", "") == wanted:
            return cls
    raise ValueError(f"Mechanism: must be one of {', '.join(SLUGS)}; got {name!r}.")


def at_any_epsilon(mechanism: Mechanism | type[Mechanism] | str) -> Mechanism:
    """A mechanism, a class or a name, as a mechanism whose ε the caller replaces before use."""
    if isinstance(mechanism, Mechanism):
        return mechanism
    cls = by_name(mechanism) if isinstance(mechanism, str) else mechanism
    if not (isinstance(cls, type) and issubclass(cls, Mechanism)):
        raise TypeError(f"Mechanism: give a mechanism, its class or its name; got {mechanism!r}.")
    return cls(epsilon=1.0)


__all__ = [
    "CMP",
    "MECHANISMS",
    "SLUGS",
    "TEM",
    "Gaussian",
    "Guarantee",
    "Laplace",
    "LawMechanism",
    "Mahalanobis",
    "Mechanism",
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
    "at_any_epsilon",
    "by_name",
]
