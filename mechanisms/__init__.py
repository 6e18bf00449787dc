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
from mechanisms.cmp import CMP
from mechanisms.tem import TEM
from mechanisms.vocabulary import UnknownWordError, Vocabulary

MECHANISMS: tuple[type[Mechanism], ...] = (CMP, TEM)

__all__ = [
    "CMP",
    "MECHANISMS",
    "TEM",
    "Guarantee",
    "LawMechanism",
    "Mechanism",
    "NoiseMechanism",
    "RadialNoise",
    "UnknownWordError",
    "Vocabulary",
]
