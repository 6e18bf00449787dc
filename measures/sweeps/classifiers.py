r"""Classifiers that learn a label from texts, and how well they do: what utility means here.

logistic   scikit-learn's logistic regression on the mean of a text's word vectors, each dimension
           scaled to variance 1: a second for thousands of texts. It has one optimum, and the seed
           plays no part
fasttext   the TEM paper's classifier: trained word vectors, their mean, a linear softmax
lstm       the benchmark's: an LSTM over the words

The last two are in `torch_classifiers`, with their sizes. All see the same of a text: the words
that `mechanisms.text.tokenise` finds in the vocabulary, so that a private text is read with the
words that were drawn. What a classifier was trained on and what it is tested on decides the
protocol: private and private (the benchmark's) or private and original (the TEM paper's).

accuracy   texts whose likeliest label is theirs, in percent; Clopper-Pearson's interval
macro-F1   100 · the mean over labels of 2 TP / (2 TP + FP + FN), the labels that occur among the
           true or the predicted ones; an interval by the bootstrap over texts

Both intervals are about the texts tested on. What another draw of the private texts, or another
training set, would change is seen by repeating.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from measures.intervals import bootstrap, of_share
from measures.sweeps.torch_classifiers import TorchModel, Words
from mechanisms import Vocabulary
from mechanisms.answers import Progress
from mechanisms.estimate import Estimate
from mechanisms.one_thread import one_thread
from mechanisms.tokens import tokenise_all
from mechanisms.vocabulary import Floats

CLASSIFIERS = {
    "logistic": "logistic regression on mean word vectors",
    "fasttext": "fastText: trained word vectors, their mean, a linear softmax",
    "lstm": "LSTM over the words",
}


class _Fitted(Protocol):
    """What gives probabilities for the words of texts."""

    def probabilities(self, words: Words) -> Floats: ...  # noqa: D102


@dataclass(frozen=True, eq=False)
class Model:
    """A trained classifier."""

    labels: tuple[str, ...]
    """In the order of the columns of `probabilities`."""
    vocabulary: Vocabulary
    fitted: _Fitted

    def probabilities(self, texts: Sequence[str]) -> Floats:
        """The probability of every label for every text: (n, labels), rows that sum to 1."""
        if not len(texts):
            return np.empty((0, len(self.labels)))
        return self.fitted.probabilities(words_of(texts, self.vocabulary))


class Evaluation(NamedTuple):
    """How well labels are told, in percent."""

    accuracy: Estimate
    macro_f1: Estimate
    right: NDArray[np.bool_]
    """Whether each text's likeliest label is its own (n,)."""


def train(
    texts: Sequence[str],
    labels: Sequence[str],
    vocabulary: Vocabulary,
    classifier: str = "logistic",
    seed: int = 0,
    progress: Progress | None = None,
) -> Model:
    """A classifier that learns from these texts and labels.

    Parameters
    ----------
    texts, labels
        One label a text, two different ones at least.
    vocabulary
        Words with the vectors that the classifier sees. Other words it does not see.
    classifier
        One of `CLASSIFIERS`.
    seed
        The same seed gives the same model.
    progress
        Told the share that is done, of the slower two; what it raises stops the work.

    Raises
    ------
    ValueError
        For an unknown classifier, a label missing, a single label, or texts without any word of
        the vocabulary.
    ChildProcessError
        Where the process of a torch classifier fails.

    """
    if classifier not in CLASSIFIERS:
        known = ", ".join(CLASSIFIERS)
        raise ValueError(f"Classifier: must be one of {known}; got {classifier!r}.")
    _check_lengths(texts, labels)
    names = tuple(sorted(set(labels)))
    if len(names) < 2:
        raise ValueError(
            f"Classifier: at least two different labels are needed; got {names or 'none'} for "
            f"{len(texts)} texts."
        )
    words = words_of(texts, vocabulary)
    if not len(words.ids):
        raise ValueError(
            f"Classifier: none of the {len(texts)} texts has a word of the vocabulary; choose "
            "another embedding or more of its words."
        )
    numbers = _numbers(labels, names)
    fitted: _Fitted
    if classifier == "logistic":
        fitted = _Logistic(words, numbers, vocabulary.vectors)
    else:
        fitted = TorchModel(classifier, words, numbers, vocabulary.vectors, seed, progress)
    return Model(names, vocabulary, fitted)


def evaluate(
    model: Model, texts: Sequence[str], labels: Sequence[str], seed: int = 0
) -> Evaluation:
    """Accuracy and macro-F1 on texts with known labels; `seed` is that of the bootstrap.

    Raises
    ------
    ValueError
        For no text, a label missing, or a label that the model has not seen.

    """
    _check_lengths(texts, labels)
    if not len(texts):
        raise ValueError("Classifier: at least one text is needed to test on; got none.")
    truth = _numbers(labels, model.labels)
    predicted = model.probabilities(texts).argmax(axis=1)
    right = truth == predicted
    return Evaluation(
        of_share(int(right.sum()), len(truth), of="texts").percent,
        bootstrap(macro_f1, truth, predicted, seed=seed, of="texts"),
        right,
    )


def macro_f1(truth: NDArray[np.int64], predicted: NDArray[np.int64]) -> float:
    """The mean F1 over the labels, in percent: numbers (n,), (n,) from 0 on."""
    count = int(max(truth.max(), predicted.max())) + 1
    right = np.bincount(truth[truth == predicted], minlength=count)
    # True ones and predicted ones: 2 TP + FP + FN.
    either = np.bincount(truth, minlength=count) + np.bincount(predicted, minlength=count)
    occurs = either > 0
    return float(100 * np.mean(2 * right[occurs] / either[occurs]))


def words_of(texts: Sequence[str], vocabulary: Vocabulary) -> Words:
    """The ids of the known words of each text, in order."""
    ids = [
        np.fromiter((t.word_id for t in tokens if t.word_id is not None), np.int64)
        for tokens in tokenise_all(texts, vocabulary)
    ]
    offsets = np.cumsum([0, *map(len, ids)])
    return Words(np.concatenate([np.empty(0, dtype=np.int64), *ids]), offsets)


def mean_vectors(words: Words, vectors: NDArray[np.float32]) -> Floats:
    """The mean vector of each text's words (n, d); zero for a text without any."""
    from scipy.sparse import csr_array

    used, column = np.unique(words.ids, return_inverse=True)
    texts = len(words.offsets) - 1
    counts = csr_array((np.ones(len(column)), column, words.offsets), shape=(texts, len(used)))
    sums = counts @ vectors[used].astype(np.float64)
    lengths = np.maximum(np.diff(words.offsets), 1)
    return np.asarray(sums / lengths[:, None])


class _Logistic:
    """Logistic regression on scaled mean vectors."""

    def __init__(
        self, words: Words, labels: NDArray[np.int64], vectors: NDArray[np.float32]
    ) -> None:
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        self._vectors = vectors
        self._model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
        with one_thread():
            self._model.fit(mean_vectors(words, vectors), labels)

    def probabilities(self, words: Words) -> Floats:
        with one_thread():
            return np.asarray(self._model.predict_proba(mean_vectors(words, self._vectors)))


def _check_lengths(texts: Sequence[str], labels: Sequence[str]) -> None:
    if len(texts) != len(labels):
        raise ValueError(
            f"Classifier: one label per text is needed; got {len(texts)} texts and {len(labels)} "
            "labels."
        )


def _numbers(labels: Sequence[str], names: Sequence[str]) -> NDArray[np.int64]:
    """Labels as their positions among the names."""
    position = {name: i for i, name in enumerate(names)}
    try:
        return np.array([position[label] for label in labels], dtype=np.int64)
    except KeyError as error:
        raise ValueError(
            f"Classifier: the label {error.args[0]!r} is not among the labels that it was trained "
            f"on: {', '.join(names)}."
        ) from None
