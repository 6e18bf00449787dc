"""The settings of a release: the mechanism, the words, and the treatment of the texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from numbers import Real
from typing import Any, get_args

import numpy as np

from data import embeddings
from mechanisms import SLUGS, Mechanism, Vocabulary
from mechanisms.base_measure import OWN, source_of_q
from mechanisms.cleaning import Html
from mechanisms.number_cache import number_cache
from mechanisms.randomness import release_rng
from mechanisms.text import Case, Unknown
from release.q_corpus import TITLE, QCorpus


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything that private texts depend on, except the texts."""

    mechanism: Mechanism
    embedding: str = embeddings.GLOVE
    size: int | None = embeddings.DEFAULT_SIZE
    words_only: bool = True
    unknown: Unknown = "random"
    case: Case = "lower"
    html: Html = "decode"
    seed: int | None = None
    """For demonstrations: anyone who knows it can undo the release."""
    q_corpus: QCorpus | None = None
    """The corpus of which q is counted, if its source is `own`."""
    chosen_among: int | None = field(default=None, compare=False)
    """How many settings could have been chosen by looking at the file; None if that is not known.
    The public report states it; nothing is drawn otherwise."""

    def __post_init__(self) -> None:
        """Check what is not checked elsewhere."""
        for name, value, options in (
            ("unknown", self.unknown, Unknown),
            ("case", self.case, Case),
            ("html", self.html, Html),
        ):
            if value not in get_args(options):
                raise ValueError(
                    f"{name} must be one of {', '.join(get_args(options))}; got {value!r}."
                )
        if self.seed is not None and self.seed < 0:
            raise ValueError(f"seed must be at least 0; got {self.seed}.")
        if self.chosen_among is not None and self.chosen_among < 1:
            raise ValueError(f"chosen_among must be at least 1; got {self.chosen_among}.")
        if self.q_corpus is not None and source_of_q(self.mechanism) != OWN:
            raise ValueError(
                f"{TITLE}: it needs q = {OWN}; got {self.mechanism!r}. Leave it out, or use "
                f"a mechanism with a base measure and corpus={OWN}."
            )

    def vocabulary(self) -> Vocabulary:
        """The words that can come out, kept for the next call."""
        words = _vocabulary(self.embedding, self.size, self.words_only)
        return words if self.q_corpus is None else _counted(words, self.q_corpus)

    def rng(self, piece: int) -> np.random.Generator:
        """The generator of a piece of a file, whoever works on it and when."""
        return release_rng() if self.seed is None else np.random.default_rng([self.seed, piece])

    def shown(self) -> dict[str, Any]:
        """The settings that may be published: all but the seed."""
        q = {} if self.q_corpus is None else {"q counted on": str(self.q_corpus)}
        return {
            "mechanism": repr(self.mechanism),
            **q,
            "embedding": self.embedding,
            "entries of the embedding": self.size,
            "words only": self.words_only,
            "unknown words": self.unknown,
            "letter case": self.case,
            "HTML": self.html,
            "seeded": self.seed is not None,
        }


def mechanism(
    name: str, epsilon: float, parameters: Sequence[str] | Mapping[str, Any] = ()
) -> Mechanism:
    """A mechanism by its name, such as `tem`, with other parameters.

    They are texts, such as `beta=0.01`, or values by their names, such as `{"beta": 0.01}`.

    Raises
    ------
    ValueError, TypeError
        For a name that no mechanism has, or a value that the mechanism refuses.

    """
    from measures.sweeps.plan import with_parameters

    values = {}
    if isinstance(parameters, Mapping):
        values = {n: v for n, v in parameters.items() if v is None or isinstance(v, Real)}
        parameters = [f"{n}={v}" for n, v in parameters.items() if n not in values]
    found = with_parameters([name], parameters)
    if len(found) != 1:
        raise ValueError(
            f"Mechanism: name one of {', '.join(SLUGS)}, and each parameter once; got "
            f"{len(found)} mechanisms."
        )
    known = dict(found[0].values)
    for other in values:
        if other not in known:
            raise ValueError(
                f"Parameter: must be one of {', '.join(sorted(known)) or 'none'}; got {other!r}."
            )
    return replace(found[0].at(epsilon), **values)


@lru_cache(maxsize=1)
def _counted(vocabulary: Vocabulary, corpus: QCorpus) -> Vocabulary:
    return corpus.counted(vocabulary)


@number_cache(maxsize=1)
def _vocabulary(embedding: str, size: int | None, words_only: bool) -> Vocabulary:
    return embeddings.load(embedding, size, words_only=words_only)
