"""How much of their use private texts keep: a label's classifier, and closeness to the original.

right        whether each text's label is told by a classifier that was trained on other private
             texts: logistic regression on mean word vectors, cross-validated. All settings share
             the same folds, so that they are compared text by text
similarity   the cosine between the mean word vectors of a text and of its private version, of
             vectors from which the vocabulary's mean was subtracted: 1 for the same words. It is
             the embedding's own opinion, and knows neither order nor grammar
"""

from __future__ import annotations

import math
import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from measures.own_texts.texts import OwnTexts
from mechanisms.estimate import CONFIDENCE, Estimate, Source, single, unknown
from mechanisms.one_thread import one_thread
from mechanisms.vocabulary import Floats, WordIds

Right = NDArray[np.bool_]

# Weights of a classifier up to which Newton's method is faster than L-BFGS.
_NEWTON = 500

# Texts without which a classifier is not measured.
_FEWEST_TEXTS = 20


def mean_vectors(own: OwnTexts, inputs: WordIds) -> Floats:
    """The mean centred vector of each text (n, d), of inputs (T,) that replace its own.

    The unknown word has no vector and is left out; a text without any known word has zeros.
    """
    from scipy.sparse import csr_array

    vocabulary = own.vocabulary
    known = inputs != vocabulary.unknown_id
    used, column = np.unique(inputs[known], return_inverse=True)
    counts = csr_array(
        (np.ones(len(column)), (own.owner[known], column)), shape=(len(own), len(used))
    )
    sums = counts @ (vocabulary.vectors[used].astype(np.float64) - vocabulary.mean)
    lengths = np.bincount(own.owner[known], minlength=len(own))
    return np.asarray(sums / np.maximum(lengths, 1)[:, None])


def similarity(original: Floats, private: Floats) -> Floats:
    """The cosine of each text's mean vectors (n, d), (n, d) -> (n,); 0 if either is zero."""
    lengths = np.linalg.norm(original, axis=1) * np.linalg.norm(private, axis=1)
    products = np.einsum("nd,nd->n", original, private)
    return np.asarray(np.divide(products, lengths, out=np.zeros(len(products)), where=lengths > 0))


def folds_of(labels: tuple[str, ...], folds: int, seed: int) -> NDArray[np.int64]:
    """A fold for each text, every label spread evenly over them (n,).

    Raises
    ------
    ValueError
        With fewer than two labels, a label for each text, or too few texts.

    """
    counted = {label: labels.count(label) for label in set(labels)}
    if len(counted) < 2:
        raise ValueError(
            "Labels: a classifier needs at least two different labels; all texts have "
            f"{next(iter(counted), 'none')!r}. Leave the label column out, or choose another."
        )
    if len(counted) > len(labels) / 2:
        raise ValueError(
            f"Labels: {len(counted):,} different labels for {len(labels):,} texts are too many to "
            "learn from. Leave the label column out, or choose another."
        )
    often = [label for label, count in counted.items() if count >= folds]
    if len(labels) < _FEWEST_TEXTS or len(often) < 2:
        raise ValueError(
            f"Labels: to measure a classifier, at least {_FEWEST_TEXTS} texts are needed, and two "
            f"labels with {folds} texts each; got {len(labels)} texts. Leave the label column out."
        )
    rng = np.random.default_rng([seed, len(labels)])
    order = rng.permutation(len(labels))
    names = np.array(labels)[order]
    fold = np.empty(len(labels), dtype=np.int64)
    fold[order[np.argsort(names, kind="stable")]] = np.arange(len(labels)) % folds
    return fold


def right(vectors: Floats, labels: tuple[str, ...], fold: NDArray[np.int64]) -> Right:
    """Whether each text's label is told by a classifier trained on the other folds (n,)."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    names = np.array(labels)
    told = np.zeros(len(names), dtype=np.bool_)
    # Both find the same minimum; a step of Newton's costs the cube of the number of weights.
    weights = vectors.shape[1] * len(set(labels))
    solver = "newton-cholesky" if weights <= _NEWTON else "lbfgs"
    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for number in np.unique(fold).tolist():
            train, test = fold != number, fold == number
            center, spread = vectors[train].mean(axis=0), vectors[train].std(axis=0)
            scaled = (vectors - center) / np.where(spread > 0, spread, 1.0)
            model = LogisticRegression(solver=solver, max_iter=200)
            model.fit(scaled[train], names[train])
            told[test] = model.predict(scaled[test]) == names[test]
    return told


class Kept(NamedTuple):
    """The share of its accuracy that a classifier keeps, and accuracy itself."""

    share: Estimate
    accuracy: float


def accuracy_kept(private: Right, original: Right) -> Kept:
    """Accuracy on private texts as a share of that on the original ones, paired by text.

    The interval is of a ratio of means over the same texts, by its linear part (Cochran 1977,
    Section 6.3), with Student's quantile. It is about the texts, for one draw of them.
    """
    from scipy.special import stdtrit

    count, base = len(original), float(original.mean())
    accuracy = float(private.mean())
    if base == 0:
        raise ValueError("Labels: the classifier predicts none of the original texts' labels.")
    share = accuracy / base
    residuals = private.astype(np.float64) - share * original
    deviation = max(float(residuals.std(ddof=1)), 1 / count)
    half = float(stdtrit(count - 1, (1 + CONFIDENCE) / 2)) * deviation / math.sqrt(count) / base
    source = Source("texts", count)
    return Kept(single(share, max(0.0, share - half), share + half, source), accuracy)


def difference(one: Floats | Right, other: Floats | Right, comparisons: int = 1) -> Estimate:
    """The mean of one - other over the same texts (n,), by Student; Bonferroni's correction."""
    from scipy.special import stdtrit

    values = np.asarray(one, dtype=np.float64) - np.asarray(other, dtype=np.float64)
    count, mean = len(values), float(values.mean())
    if count == 1:
        return unknown(mean)
    tail = 1 - (1 - CONFIDENCE) / 2 / max(1, comparisons)
    half = float(stdtrit(count - 1, tail) * values.std(ddof=1)) / math.sqrt(count)
    return single(mean, mean - half, mean + half, Source("texts", count))
