"""The audit of anything that makes words private: a mechanism, a function, a command or a table.

A mechanism of this project is held against its own guarantee (`measures.audits.audit`): by its law
and its noise. Of anything else only the outputs are known (`measures.audits.black_box`): a lower
bound on its ε.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, get_args, overload

from measures.audits import audit as guarantees
from measures.audits import black_box
from measures.audits.audit import Audit
from measures.audits.black_box import ALPHA, Bound, Promise
from mechanisms import Mechanism, Vocabulary
from mechanisms.randomness import seeded_rng

Metric = Literal["any", "euclidean"]

# Frequent words of a vocabulary that a black box is asked about, if none are named.
_WORDS = 8

BlackBox = (
    Callable[[str], str]
    | str
    | Sequence[str]
    | Path
    | Mapping[str, Counter[str]]
    | Iterable[tuple[str, str, int]]
)


@overload
def audit(subject: Mechanism, vocabulary: Vocabulary, *, seed: int = 0) -> Audit: ...


@overload
def audit(
    subject: BlackBox,
    vocabulary: Vocabulary | None = None,
    *,
    epsilon: float,
    delta: float = 0.0,
    words: Sequence[str] | None = None,
    metric: Metric = "any",
    draws: int = 10_000,
    alpha: float = ALPHA,
    seconds: float = 600.0,
    seed: int = 0,
) -> Bound: ...


def audit(
    subject: Mechanism | BlackBox,
    vocabulary: Vocabulary | None = None,
    *,
    epsilon: float | None = None,
    delta: float = 0.0,
    words: Sequence[str] | None = None,
    metric: Metric = "any",
    draws: int = 10_000,
    alpha: float = ALPHA,
    seconds: float = 600.0,
    seed: int = 0,
) -> Audit | Bound:
    """Hold a mechanism against its promise; `.witness` is the result as a sentence.

    Parameters
    ----------
    subject
        A mechanism of this project: audited on `vocabulary`, which is all it needs. Or a function
        from a word to a word; a command, as a string or a list, that reads a word a line and
        prints an output a line; a table, as a CSV file's `Path` with the columns word, output,
        count, as rows of these, or as counts of outputs by word.
    vocabulary
        Where a mechanism is audited, or where words have their Euclidean distance.
    epsilon, delta
        What a black box promises; an ε of `inf` if nothing is promised.
    words
        Words that a function or a command is asked about; None for frequent ones of `vocabulary`.
    metric
        `any` if ε is for any two words, `euclidean` if it is for a unit of distance.
    draws, seconds
        Draws of each word, and how long a function or a command may take.
    alpha
        The chance that the bound is wrong.
    seed
        Of what the audit draws itself; a black box has randomness of its own.

    Raises
    ------
    ValueError, TypeError
        For a subject that cannot be asked, or something missing that it needs.

    >>> import wordveil as wv
    >>> found = wv.audit(lambda word: word, epsilon=1, words=["film", "movie"], draws=1000)
    >>> print(found.witness)  # doctest: +NORMALIZE_WHITESPACE
    The true ε is at least 4.733 (confidence 0.95). The promised ε = 1 is broken. Witness: 'film'
    came out for 'film' with probability 0.9913 or more, and for 'movie' with 0.008726 or less
    (500 and 500 draws).
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> wv.audit(wv.TEM(epsilon=4), v).verdict
    'holds'
    """
    if isinstance(subject, type):
        raise TypeError(
            f"Audit: give an object, such as {subject.__name__}(epsilon=4), not its class."
        )
    if isinstance(subject, Mechanism):
        if vocabulary is None:
            raise TypeError(f"Audit: {subject.name} is audited on a vocabulary; give one.")
        if epsilon is not None:
            raise TypeError(f"Audit: {subject.name} states its own guarantee; leave epsilon out.")
        return guarantees.audit(subject, vocabulary, seed=seed)
    if epsilon is None:
        raise TypeError("Audit: give the promised epsilon; float('inf') if none is promised.")
    if metric not in get_args(Metric):
        raise ValueError(f"Audit: metric must be any or euclidean; got {metric!r}.")
    if metric == "euclidean" and vocabulary is None:
        raise TypeError("Audit: the Euclidean distance needs a vocabulary; give one.")
    promise = Promise(epsilon, delta)
    first, second = _halves(subject, vocabulary, words, draws, seconds, seed)
    between = None
    if metric == "euclidean" and vocabulary is not None:
        between = black_box.euclidean(vocabulary, first)
    return black_box.audit(first, second, promise, between, alpha)


def _halves(
    subject: BlackBox,
    vocabulary: Vocabulary | None,
    words: Sequence[str] | None,
    draws: int,
    seconds: float,
    seed: int,
) -> tuple[black_box.Table, black_box.Table]:
    """Independent halves of draws."""
    if isinstance(subject, Path):
        with subject.open(encoding="utf-8-sig", newline="") as file:
            return black_box.split(black_box.rows(file), seeded_rng(seed))
    if isinstance(subject, Mapping):
        rows = ((word, y, n) for word, outputs in subject.items() for y, n in outputs.items())
        return black_box.split(rows, seeded_rng(seed))
    if isinstance(subject, str):
        subject = shlex.split(subject)
    if not callable(subject):
        entries = list(subject)
        if not entries or not all(isinstance(entry, str) for entry in entries):
            return black_box.split(_checked_rows(entries), seeded_rng(seed))
        release = black_box.of_command([str(entry) for entry in entries], seconds)
    else:
        release = black_box.of_function(subject)
    if words is None:
        words = () if vocabulary is None else vocabulary.words[:_WORDS]
    chosen = list(dict.fromkeys([words] if isinstance(words, str) else words))
    if len(chosen) < 2:
        raise ValueError(f"Audit: words must be at least two different ones; got {len(chosen)}.")
    return black_box.halves(release, chosen, draws, seconds)


def _checked_rows(entries: Sequence[object]) -> list[tuple[str, str, int]]:
    rows: list[tuple[str, str, int]] = []
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, Sequence) or len(entry) != 3:
            raise ValueError(f"Table: row {number} must be (word, output, count); got {entry!r}.")
        word, output, count = entry
        rows.append((word, output, count))
    return rows
