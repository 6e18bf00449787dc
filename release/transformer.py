"""Private texts in a pipeline of scikit-learn.

    make_pipeline(PrivateText("tem", epsilon=10), TfidfVectorizer(), LogisticRegression())

A transformer without anything to learn: `fit` looks at nothing. Texts come as a list, a column of
a table or an array, one a document; they go out as an array of the same length.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags

from data import embeddings
from release import pieces, settings


class PrivateText(TransformerMixin, BaseEstimator):
    """Texts made private word by word.

    Every call draws anew, and every call costs ε again: transform a text once.

    Parameters
    ----------
    mechanism
        Its name, such as `cmp` or `tem`.
    epsilon
        Privacy budget of a word, per unit of distance.
    parameters
        Others of the mechanism, by name.
    embedding, size, words_only
        As for `data.embeddings.load`.
    unknown, case
        As for `mechanisms.text.privatise`.
    seed
        For demonstrations: whoever knows it can undo the release.

    """

    def __init__(
        self,
        mechanism: str = "cmp",
        epsilon: float = 10.0,
        parameters: Mapping[str, Any] | None = None,
        embedding: str = embeddings.GLOVE,
        size: int | None = embeddings.DEFAULT_SIZE,
        words_only: bool = True,
        unknown: str = "random",
        case: str = "lower",
        seed: int | None = None,
    ) -> None:
        self.mechanism = mechanism
        self.epsilon = epsilon
        self.parameters = parameters
        self.embedding = embedding
        self.size = size
        self.words_only = words_only
        self.unknown = unknown
        self.case = case
        self.seed = seed

    def fit(self, texts: Iterable[str], y: object = None) -> PrivateText:
        """Check the parameters and that these are texts; nothing is learned."""
        _documents(texts)
        self._settings().vocabulary()
        return self

    def transform(self, texts: Iterable[str]) -> NDArray[np.object_]:
        """Private texts (n,), each drawn independently.

        Raises
        ------
        ValueError, TypeError
            For anything but texts, and for parameters that the mechanism refuses.

        """
        found = [[text] for text in _documents(texts)]
        private, _ = pieces.private(found, self._settings(), 0)
        return np.array([row[0] for row in private], dtype=object)

    def __sklearn_tags__(self) -> Tags:
        """One text a sample; nothing to fit; another answer every time unless seeded."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = False
        tags.non_deterministic = self.seed is None
        return tags

    def _settings(self) -> settings.Settings:
        others = [f"{name}={value}" for name, value in (self.parameters or {}).items()]
        return settings.Settings(
            mechanism=settings.mechanism(self.mechanism, self.epsilon, others),
            embedding=self.embedding,
            size=self.size,
            words_only=self.words_only,
            unknown=self.unknown,
            case=self.case,
            seed=self.seed,
        )


def _documents(texts: Iterable[str]) -> list[str]:
    if isinstance(texts, str):
        raise ValueError("PrivateText: give a list of texts; got a single text.")
    found = list(texts)
    for number, text in enumerate(found, 1):
        if not isinstance(text, str):
            raise TypeError(
                f"PrivateText: every document must be a text; number {number} is "
                f"{type(text).__name__}."
            )
    return found
