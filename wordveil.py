"""WordVeil for notebooks: everything that a study needs, under one name.

    import wordveil as wv

    v = wv.vocabulary()
    print(wv.privatise("The movie was a surprise", wv.TEM(epsilon=4), v))

release     `privatise` a text, or `PrivateText` in a pipeline; here a seed raises a warning
measure     `.law(v, word)` and `.draws_of(v, word)` of a mechanism, `curves`, `match`, `sweep`
check       `.guarantee(v)` of a mechanism; `audit` a mechanism, a function, a command or counts

This module only collects names of other modules; it computes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import charts  # noqa: F401  (registers the charts of `.plot()`)
from data.embeddings import vocabulary
from measures.audits.any_mechanism import audit
from measures.sweeps.table import sweep_table as sweep
from measures.words.curves import word_curves as curves
from measures.words.targets import match
from mechanisms import (
    CMP,
    TEM,
    Gaussian,
    Laplace,
    Mahalanobis,
    NGramTEM,
    SanText,
    SynTF,
    TruncatedGumbel,
    TruncatedLaplace,
    UnigramTEM,
    UnknownWordError,
    Vickrey,
    Vocabulary,
    by_name,
)
from mechanisms.calibration import gamma_for
from mechanisms.randomness import SeededReleaseWarning
from mechanisms.text import privatise

if TYPE_CHECKING:
    from release.transformer import PrivateText

__all__ = [
    "CMP",
    "TEM",
    "Gaussian",
    "Laplace",
    "Mahalanobis",
    "NGramTEM",
    "PrivateText",
    "SanText",
    "SeededReleaseWarning",
    "SynTF",
    "TruncatedGumbel",
    "TruncatedLaplace",
    "UnigramTEM",
    "UnknownWordError",
    "Vickrey",
    "Vocabulary",
    "audit",
    "by_name",
    "curves",
    "gamma_for",
    "match",
    "privatise",
    "sweep",
    "vocabulary",
]


def __getattr__(name: str) -> Any:
    """`PrivateText`, loaded with scikit-learn on first use."""
    if name == "PrivateText":
        from release.transformer import PrivateText

        return PrivateText
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
