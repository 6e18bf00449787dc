"""The mechanisms of word-level differential privacy, in display order.

Notation, the same in all files:

w, v, y    words; w the input, y an output           |W|    size of the vocabulary
φ(w)       the word's vector, in R^d                 d      dimensions; d(w, v) a distance
ε          privacy budget per unit of distance       δ      failure probability of (ε, δ)-DP
γ, β       TEM's threshold; chance to leave it       L_w    words within γ of w
N_w        Pr[M(w) = w], chance to stay              S_w    number of words that can come out
C          clipping norm                             λ, t   tuning of Mahalanobis, of Vickrey
"""

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
    SanText,
    TruncatedGumbel,
    SynTF,
)

__all__ = [
    "CMP",
    "MECHANISMS",
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
    "UnknownWordError",
    "Vickrey",
    "Vocabulary",
]
