"""Membership inference: which texts did a model learn from.

As in the TEM paper, Section 5. A corpus is cut in two, the halves again: TR1, TR2 and TE1, TE2.

target   learns the labels of TR1 from its private version. Its test accuracy is that on TE1,
         original text
shadow   the same classifier, learns from TE2 as it is. Whoever attacks has no part of TR
attack   a network with two hidden layers of 64, learns from the shadow's probabilities which texts
         it has seen (TE2) and which it has not (TE1); 20 epochs in batches of 64, Adam
AUC      the attack, shown the target's probabilities for the original texts of TR1 and TR2, ranks
         a text of TR1 above one of TR2 with this probability: 0.5 is guessing

Each is a number a trial; the baseline is a target that learns from TR1 as it is. The paper takes
25,000 + 25,000 reviews as its authors divide them, and 300 dimensions; ours are the 25,000 that are
packaged, so four parts of 6,250, in 50 dimensions, and each trial cuts them otherwise. The target
is the paper's, fastText (`torch_classifiers`). Beside it stands, at the largest ε, logistic
regression on the mean of word vectors, which has too few parameters to remember a text by.

    python -m measures.attacks.membership results --workers 2 --table data/membership.csv

Reference  Carvalho et al., "TEM: High Utility Metric Differential Privacy on Text", SDM 2023
           Shokri et al., "Membership Inference Attacks Against Machine Learning Models", IEEE
           Symposium on Security and Privacy 2017
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from data import corpora
from measures.attacks import trials
from measures.attacks.trials import Row, Trial
from measures.sweeps.classifiers import train
from measures.sweeps.task import Ground, derived_seed, ground
from mechanisms import Family, Mechanism
from mechanisms.randomness import seeded_rng
from mechanisms.text import privatise_all
from mechanisms.vocabulary import Floats

FILE = Path(__file__).parents[2] / "data" / "membership.csv"


class Printed(NamedTuple):
    """A value that the paper's text states; its Figure 1 has more, without numbers."""

    mechanism: str
    epsilon: float
    accuracy: float
    auc: float


PRINTED = (Printed("CMP", 2.0, 0.52, 0.50), Printed("TEM", 2.0, 0.75, 0.50))

EPSILONS = (1.0, 2.0, 3.0, 4.0, 6.0, 10.0, 20.0)

# Of the corpus; a quarter of them teaches the target.
TEXTS = 25_000

_HALVES = (0.5, 0.5)
_LAYERS, _EPOCHS, _BATCH = (64, 64), 20, 64


@dataclass(frozen=True, kw_only=True)
class Membership(Trial):
    """One target that learnt from private text, attacked once."""

    measures: ClassVar = ("accuracy", "auc", "baseline_accuracy", "baseline_auc")
    version: ClassVar = "membership-1"

    classifier: str = "fasttext"

    @property
    def way(self) -> str:
        """The classifier."""
        return self.classifier

    def measured(self) -> Mapping[str, float]:
        """Test accuracy of the target and AUC of the attack, and both without noise."""
        on = ground(
            self.corpus,
            "none",
            self.texts,
            self.embedding,
            self.vocabulary_size,
            self.ground_seed,
        )
        knows = _attacker(on, self.classifier, self.ground_seed)
        rng = seeded_rng(self.noise_seed("noise"))
        words = on.vocabulary_for(self.mechanism)
        private = privatise_all(knows.tr1.texts, self.mechanism, words, rng)
        accuracy, found = knows.attacked([text.texts[0] for text in private])
        return dict(zip(self.measures, (accuracy, found, *knows.baseline), strict=True))


class Attacker:
    """What trials share that differ in the mechanism alone: texts, shadow and attack."""

    def __init__(self, on: Ground, classifier: str, seed: int) -> None:
        """Cut the texts, train shadow and attack, and attack a target without noise."""
        self.tr1, self.tr2 = corpora.split(on.train, _HALVES, derived_seed("members", seed))
        self.te1, self.te2 = corpora.split(on.test, _HALVES, derived_seed("shadow", seed))
        self._on, self._classifier, self._seed = on, classifier, seed
        shadow = self._trained("shadow", self.te2.texts, self.te2.labels)
        self._attack = Attack(
            shadow.probabilities(self.te2.texts),
            shadow.probabilities(self.te1.texts),
            derived_seed("attack", seed),
        )
        self.baseline = self.attacked(self.tr1.texts)

    def attacked(self, texts: Sequence[str]) -> tuple[float, float]:
        """Accuracy and AUC of a target that learns from these in the place of TR1's."""
        target = self._trained("target", texts, self.tr1.labels)
        predicted = target.probabilities(self.te1.texts).argmax(axis=1)
        right = np.array(target.labels)[predicted] == np.array(self.te1.labels)
        found = auc(
            self._attack.scores(target.probabilities(self.tr1.texts)),
            self._attack.scores(target.probabilities(self.tr2.texts)),
        )
        return float(right.mean()), found

    def _trained(self, what: str, texts: Sequence[str], labels: Sequence[str]) -> Any:
        seed = derived_seed(what, self._seed)
        return train(texts, labels, self._on.vocabulary, self._classifier, seed)


_attacker = lru_cache(maxsize=1)(Attacker)


class Attack:
    """A network that tells by a model's probabilities whether it has seen a text.

    Parameters
    ----------
    seen, unseen
        A model's probabilities (n, labels) for texts that it learnt from, and for others.
    seed
        Of first weights and batches.

    """

    def __init__(self, seen: Floats, unseen: Floats, seed: int) -> None:
        """Train."""
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.neural_network import MLPClassifier

        outputs = np.concatenate([seen, unseen])
        self._network = MLPClassifier(
            _LAYERS,
            alpha=0.0,
            batch_size=min(_BATCH, len(outputs)),
            max_iter=_EPOCHS,
            n_iter_no_change=_EPOCHS,
            random_state=seed,
        )
        with warnings.catch_warnings():
            # As many epochs as the paper has, converged or not.
            warnings.simplefilter("ignore", ConvergenceWarning)
            self._network.fit(outputs, np.repeat([1, 0], [len(seen), len(unseen)]))

    def scores(self, outputs: Floats) -> Floats:
        """How likely each text was seen (n,), from a model's probabilities for it."""
        return np.asarray(self._network.predict_proba(outputs)[:, 1])


def auc(members: ArrayLike, others: ArrayLike) -> float:
    """The chance that a member scores above another, ties half: area under the ROC curve."""
    from sklearn.metrics import roc_auc_score

    scores = [np.asarray(members, float), np.asarray(others, float)]
    truth = np.repeat([1, 0], [len(scores[0]), len(scores[1])])
    return float(roc_auc_score(truth, np.concatenate(scores)))


def planned(
    families: Sequence[Family[Mechanism]],
    epsilons: Sequence[float] = EPSILONS,
    repetitions: int = 5,
    **settings: Any,
) -> list[Trial]:
    """Trials of every mechanism at every ε, those that share texts and models together.

    fastText at all of them; logistic regression at the largest, where least is hidden.
    """
    return [
        Membership(
            mechanism=family.at(epsilon),
            classifier=classifier,
            repetition=repetition,
            **settings,
        )
        for classifier, values in (("fasttext", epsilons), ("logistic", [max(epsilons)]))
        for repetition in range(repetitions)
        for family in families
        for epsilon in values
    ]


@cache
def shipped() -> tuple[Row, ...]:
    """The table that comes with the project, read once."""
    return tuple(trials.read_table(FILE))


if __name__ == "__main__":
    # By their module's name other processes find the same classes, and what they have cached.
    from measures.attacks.membership import planned as known
    from measures.attacks.trials_command import command

    command(known, "measures.attacks.membership", EPSILONS, TEXTS)()
