"""Provenance audit: whose texts did a model learn from.

As in the CMP paper, Section 6, which takes 100 + 100 users of search logs with 150 to 500 queries
each, and an auditor by Song and Shmatikov. Search logs are not packaged, so ours are others:

user     one long review; every three words of it, in order, are one text of that user, 150 to 500
         in all. A review is about one film, which no search log is: that makes users easier to tell
model    the chance of the next word w after v in a text, from counts c of words and pairs,
         p(w | v) = (c(v, w) + p(w)) / (c(v) + 1), p(w) = (c(w) + 1) / (N + |W|). It learns from the
         private texts of 100 users. Song and Shmatikov's are networks that generate text
auditor  asks the model for the probability of every next word of a user's own, original texts; the
         histogram of −log₂ p, over 20 bits, is all it sees of a user. Logistic regression learns
         from such histograms to tell the users of three models of its own, 100 + 100 others each

The `plain` auditor's models learn from original texts: it knows of no mechanism; the paper does not
say that its own does. The `adaptive` one's learn from texts that the same mechanism has made
private. Who is audited is as in the paper: all 100 users of the model and 100 others.

precision  of those that the auditor names, the share whose texts were used; 0 if it names nobody
recall     of those whose texts were used, the share it names
accuracy   of all, the share it is right about: 0.5 is guessing
AUC        the chance that it finds one whose texts were used likelier than one whose were not

    python -m measures.attacks.authorship results --workers 2 --table data/provenance.csv

References  Feyisetan, Balle, Drake and Diethe, "Privacy- and Utility-Preserving Textual Analysis
            via Calibrated Multivariate Perturbations", WSDM 2020
            Song and Shmatikov, "Auditing Data Provenance in Text-Generation Models", KDD 2019
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from data import corpora, embeddings, published
from measures.attacks import trials
from measures.attacks.membership import auc
from measures.attacks.trials import Row, Trial
from measures.sweeps.classifiers import words_of
from measures.sweeps.task import derived_seed
from mechanisms import Family, Mechanism, Vocabulary
from mechanisms.in_order import draw_texts
from mechanisms.number_cache import number_cache
from mechanisms.randomness import seeded_rng
from mechanisms.vocabulary import Floats, WordIds

FILE = Path(__file__).parents[2] / "data" / "provenance.csv"

EPSILONS = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 20.0)

# Words of a text, and texts of a user.
WORDS, LEAST, _MOST = 3, 150, 500
_SHADOWS = 3
_BITS = 20

# Users that each model learns from; as many others are audited with them.
PEOPLE = 100
USERS = 2 * PEOPLE * (1 + _SHADOWS)

Auditor = Literal["plain", "adaptive"]


class Found(NamedTuple):
    """How well an auditor tells users, each from 0 to 1."""

    precision: float
    recall: float
    accuracy: float
    auc: float


@dataclass(frozen=True, kw_only=True)
class Provenance(Trial):
    """One model that learnt from private texts, audited once. `texts` counts users."""

    measures: ClassVar = (*Found._fields, *(f"baseline_{name}" for name in Found._fields))
    version: ClassVar = "provenance-1"

    auditor: Auditor = "plain"

    def __post_init__(self) -> None:
        """Check what the trial adds."""
        if self.auditor not in get_args(Auditor):
            known = ", ".join(get_args(Auditor))
            raise ValueError(f"Auditor: must be one of {known}; got {self.auditor!r}.")

    @property
    def way(self) -> str:
        """The auditor."""
        return self.auditor

    def measured(self) -> Mapping[str, float]:
        """What the auditor finds, and what it would find without noise."""
        on = _grounds(
            self.corpus, self.texts, self.embedding, self.vocabulary_size, self.ground_seed
        )
        noise = self.noise_seed("noise")
        found = on.audited(self.mechanism, noise, self.auditor)
        return dict(zip(self.measures, (*found, *on.baseline), strict=True))


class NextWord:
    """The chance of the next word, learnt from texts of `size` different words.

    Parameters
    ----------
    texts
        Word ids (n, length), a text a row.
    size
        Words of the vocabulary.

    """

    def __init__(self, texts: WordIds, size: int) -> None:
        """Count."""
        from scipy.sparse import csr_array

        first, following = texts[:, :-1].ravel(), texts[:, 1:].ravel()
        ones = np.ones(len(first))
        self._pairs = csr_array((ones, (first, following)), shape=(size, size))
        self._pairs.sum_duplicates()
        self._after = np.bincount(first, minlength=size)
        self._alone = (np.bincount(texts.ravel(), minlength=size) + 1) / (texts.size + size)

    def surprise(self, texts: WordIds) -> Floats:
        """-log₂ p of every next word: texts (n, length) -> (n · (length - 1),)."""
        first, following = texts[:, :-1].ravel(), texts[:, 1:].ravel()
        counts = np.asarray(self._pairs[first, following]).ravel()
        chance = (counts + self._alone[following]) / (self._after[first] + 1)
        return np.asarray(-np.log2(chance))


class Audit:
    """Users, some of whose texts models learn from.

    Parameters
    ----------
    users
        The texts of each user, word ids (n, length). The first quarter is the audited model's, the
        rest those of the auditor's own models; of each model the first half is learnt from.
    vocabulary
        The words.

    """

    def __init__(self, users: Sequence[WordIds], vocabulary: Vocabulary) -> None:
        """Audit a model that learnt from the texts as they are."""
        self._vocabulary = vocabulary
        self._groups = _grouped(users, 1 + _SHADOWS)
        self._plain = self._auditor(None, 0)
        self.baseline = self._found(self._plain, None, 0)

    def audited(self, mechanism: Mechanism, noise: int, auditor: Auditor) -> Found:
        """What an auditor finds of a model that learnt from private texts, with this seed."""
        knows = self._plain if auditor == "plain" else self._auditor(mechanism, noise)
        return self._found(knows, mechanism, noise)

    def _found(self, auditor: Any, mechanism: Mechanism | None, noise: int) -> Found:
        seen, used = self._histograms(0, mechanism, noise)
        return found(auditor.predict_proba(seen)[:, 1], used)

    def _auditor(self, mechanism: Mechanism | None, noise: int) -> Any:
        """Logistic regression over the histograms of the auditor's own users."""
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        groups = range(1, len(self._groups))
        seen, used = zip(*(self._histograms(g, mechanism, noise) for g in groups), strict=True)
        model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
        return model.fit(np.concatenate(seen), np.concatenate(used))

    def _histograms(
        self, group: int, mechanism: Mechanism | None, noise: int
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """What is seen of each user of a group (n, bits), and whether the model knows them (n,)."""
        users = self._groups[group]
        used = np.arange(len(users)) < len(users) // 2
        texts = np.concatenate(users[: len(users) // 2])
        if mechanism is not None:
            rng = seeded_rng(derived_seed("group", group, noise))
            texts = np.stack(draw_texts(mechanism, self._vocabulary, [*texts], 1, rng))[:, :, 0]
        model = NextWord(texts, len(self._vocabulary))
        return np.array([histogram(model.surprise(user)) for user in users]), used


def histogram(surprise: Floats) -> Floats:
    """The share of words in every bit of surprise (bits,); the last holds what is beyond."""
    bins = np.minimum(surprise.astype(np.int64), _BITS - 1)
    return np.asarray(np.bincount(bins, minlength=_BITS) / len(bins))


def found(scores: Floats, used: NDArray[np.bool_]) -> Found:
    """How well users are told by the probabilities (n,) that their texts were used (n,)."""
    named = scores > 0.5
    right = int((named & used).sum())
    return Found(
        right / max(int(named.sum()), 1),
        right / int(used.sum()),
        float((named == used).mean()),
        auc(scores[used], scores[~used]),
    )


def users_of(corpus: str, vocabulary: Vocabulary) -> list[WordIds]:
    """The users of a corpus: of each long review its texts, word ids (n, 3)."""
    least = WORDS * LEAST
    long = [text for text in corpora.load(corpus).texts if len(text.split()) >= least]
    words = words_of(long, vocabulary)
    of_each = np.split(words.ids, words.offsets[1:-1])
    whole = [ids[: len(ids) // WORDS * WORDS].reshape(-1, WORDS)[:_MOST] for ids in of_each]
    return [texts for texts in whole if len(texts) >= LEAST]


@number_cache(maxsize=1)
def _users(corpus: str, embedding: str, size: int) -> tuple[list[WordIds], Vocabulary]:
    vocabulary = embeddings.load(embedding, size)
    return users_of(corpus, vocabulary), vocabulary


@number_cache(maxsize=1)
def _grounds(corpus: str, count: int, embedding: str, size: int, seed: int) -> Audit:
    users, vocabulary = _users(corpus, embedding, size)
    least = 2 * (1 + _SHADOWS)
    if not least <= count <= len(users):
        raise ValueError(
            f"Provenance audit: users must lie in [{least}, {len(users)}], the reviews of {corpus} "
            f"that are long enough; got {count}."
        )
    order = seeded_rng(derived_seed("users", seed)).permutation(len(users))[:count]
    return Audit([users[i] for i in order], vocabulary)


def _grouped(users: Sequence[WordIds], groups: int) -> list[Sequence[WordIds]]:
    size = len(users) // groups
    return [users[i * size : (i + 1) * size] for i in range(groups)]


def planned(
    families: Sequence[Family[Mechanism]],
    epsilons: Sequence[float] = EPSILONS,
    repetitions: int = 5,
    **settings: Any,
) -> list[Trial]:
    """Trials of every mechanism at every ε with both auditors, those that share users together."""
    return [
        Provenance(
            mechanism=family.at(epsilon),
            auditor=auditor,
            repetition=repetition,
            **settings,
        )
        for repetition in range(repetitions)
        for family in families
        for epsilon in epsilons
        for auditor in get_args(Auditor)
    ]


def printed() -> dict[str, list[tuple[float, float]]]:
    """Table 3 of the CMP paper: ε and value by the names in `Found`."""
    table: dict[str, list[tuple[float, float]]] = {name: [] for name in Found._fields}
    for row in published.load("feyisetan2020_audit").to_dict("records"):
        table[row["metric"]].append((float(row["epsilon"]), float(row["value"])))
    return table


@cache
def shipped() -> tuple[Row, ...]:
    """The table that comes with the project, read once."""
    return tuple(trials.read_table(FILE))


if __name__ == "__main__":
    # By their module's name other processes find the same classes, and what they have cached.
    from measures.attacks.authorship import planned as known
    from measures.attacks.trials_command import command

    command(known, "measures.attacks.authorship", EPSILONS, USERS)()
