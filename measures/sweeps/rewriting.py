"""How much of its wording a text keeps: ROUGE-1, BLEU and a similarity after BERTScore.

All in percent, 100 for a text that stays as it is, each with its interval over texts. Huang et al.
2024, Section 5, measure rewriting by the three. Letter case is ignored: private texts are in lower
case.

ROUGE-1  words that both texts have: 2 · common / (words of one + words of the other), the mean over
         texts (Lin 2004), by `rouge-score`, whose words are runs of a to z and digits. Huang et al.
         speak of recall, which is the same where a word stands for every word
BLEU     n-grams up to four that a private text shares with its original, of all texts together
         (Papineni et al. 2002), by `sacrebleu`: its own way to cut words, its smoothing
matches  the best matches of pieces of words by a language model: F1, the mean over texts (Zhang et
         al., "BERTScore", ICLR 2020). The model is the small one at hand (`data.encoder`), not the
         large one that the name stands for, and values are not rescaled: unrelated texts are near
         40, not 0. Compare values of one model only
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from measures.intervals import bootstrap, of_mean
from mechanisms.estimate import Estimate
from mechanisms.vocabulary import Floats

Matched = Callable[[Sequence[str], Sequence[str]], NDArray[np.float32]]
"""Originals and private texts to precision, recall and F1 of their matches (n, 3)."""

Progress = Callable[[float], None]
"""Called with the share that is done; what it raises stops the work."""


def rouge_1(
    originals: Sequence[str], privates: Sequence[str], progress: Progress | None = None
) -> Estimate:
    """ROUGE-1 F1; the interval is Student's. A pair without any word has 0."""
    from rouge_score.rouge_scorer import RougeScorer

    _check("ROUGE-1", originals, privates)
    scorer = RougeScorer(["rouge1"])
    scores = np.empty(len(originals))
    for i, (original, private) in enumerate(zip(originals, privates, strict=True)):
        scores[i] = scorer.score(original, private)["rouge1"].fmeasure
        if progress:
            progress((i + 1) / len(scores))
    return of_mean(100 * scores, 0, 100, of="texts")


def bleu(
    originals: Sequence[str],
    privates: Sequence[str],
    seed: int = 0,
    progress: Progress | None = None,
) -> Estimate:
    """BLEU of the corpus; the interval by resampling texts, the same for the same seed."""
    from sacrebleu.metrics.bleu import BLEU

    _check("BLEU", originals, privates)
    # Each text is only counted here; `effective_order` is what keeps sacrebleu from a warning.
    metric = BLEU(lowercase=True, effective_order=True)
    counts = np.empty((len(originals), 10))
    for i, (original, private) in enumerate(zip(originals, privates, strict=True)):
        one = metric.sentence_score(private, [original])
        counts[i] = [*one.counts, *one.totals, one.sys_len, one.ref_len]
        if progress:
            progress((i + 1) / len(counts))

    def of_all(rows: Floats) -> float:
        *counted, ours, theirs = rows.sum(axis=0).astype(int).tolist()
        score = BLEU.compute_bleu(counted[:4], counted[4:], ours, theirs, smooth_method="exp")
        return float(score.score)

    return bootstrap(of_all, counts, seed=seed, of="texts")


def matches(originals: Sequence[str], privates: Sequence[str], matched: Matched) -> Estimate:
    """F1 of the best matches of pieces of words, which `matched` gives; Student's interval."""
    _check("BERTScore-like", originals, privates)
    f1 = matched(originals, privates)[:, 2].astype(np.float64)
    return of_mean(100 * f1, 0, 100, of="texts")


def _check(name: str, originals: Sequence[str], privates: Sequence[str]) -> None:
    if len(originals) != len(privates) or not originals:
        raise ValueError(
            f"{name}: as many private texts as originals are needed, at least one; got "
            f"{len(privates)} for {len(originals)}."
        )
