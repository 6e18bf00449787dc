"""Bayes' rule over all inputs of a mechanism: what every adversary of `adversary` shares."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import Mechanism, Vocabulary
from mechanisms.vocabulary import Floats, WordIds


@dataclass(frozen=True, eq=False)
class Adversary(ABC):
    """What it knows: the mechanism, the vocabulary and log π of every input (V + 1,)."""

    exact: ClassVar[bool] = True
    """Whether no other adversary names more words; otherwise its success is a lower bound."""
    quick: ClassVar[bool] = True
    """Whether a text with several releases is attacked in a moment."""
    looks_back: ClassVar[bool] = False
    """Whether it uses how words follow each other, after the words released before."""

    mechanism: Mechanism
    vocabulary: Vocabulary
    log_prior: Floats

    @abstractmethod
    def log_likelihood(self, released: WordIds) -> Floats:
        """log Pr[M(w) = v] of every input w, for releases v of one input: (m,) -> (m, V + 1).

        Up to a constant for each v; -inf for inputs that cannot give v or are not looked at.
        """

    def log_posterior(self, released: ArrayLike, before: WordIds | None = None) -> Floats:
        """log Pr[w | the first i releases] of every input, for i = 1 … m: (m,) -> (m, V + 1).

        Rows add up to one. If no input is left that could have given all of them, it is the prior.
        `before` (k, m) are the words drawn before them in the same version of the text: only a
        mechanism that looks at them makes a difference of them.
        """
        ids = self.vocabulary.checked(released)
        nothing = np.empty((0, len(ids)), dtype=np.int64)
        seen = self.log_joint(ids, nothing if before is None else before)
        largest = seen.max(axis=1, keepdims=True)
        seen = np.where(np.isfinite(largest), seen, self.log_prior)
        seen -= seen.max(axis=1, keepdims=True)
        seen -= np.log(np.exp(seen).sum(axis=1, keepdims=True))
        return seen

    def log_joint(self, released: WordIds, before: WordIds) -> Floats:
        """log π(w) and the log likelihoods of the first i releases: (m,), (k, m) -> (m, V + 1)."""
        return np.asarray(self.log_prior + np.cumsum(self.log_likelihood(released), axis=0))

    def names(self, released: ArrayLike) -> WordIds:
        """The input that it names for each release, seen alone: (n,) -> (n,)."""
        distinct, inverse = np.unique(np.asarray(released), return_inverse=True)
        best = [int(self.log_posterior([v])[0].argmax()) for v in distinct.tolist()]
        return np.array(best, dtype=np.int64)[inverse]

    def names_of_texts(self, released: Sequence[WordIds]) -> list[WordIds]:
        """The input that it names for each place, from all m versions: texts (n, m) -> (n,)."""
        every = np.concatenate(released)
        if every.shape[1] == 1:
            named = self.names(every[:, 0])
        else:
            named = np.array([self.log_posterior(outputs)[-1].argmax() for outputs in every])
        return np.split(named, np.cumsum([len(of_text) for of_text in released])[:-1])
