"""The audit of any mechanism, from its outputs alone: a lower bound on its ε, with the witness.

A black box maps words to words: a Python function, a command, a table of counts. Its promise is
about pairs of words; the ε that it uses is bounded from below by a test on fresh draws:

search  On one half of the draws, pairs of words and sets of outputs are ranked by how far they seem
        to go: single outputs, the input words themselves, and for each pair the outputs whose share
        is larger by a factor of at least t, for several t. The `CANDIDATES` best are kept.
test    On the other half each candidate has two Clopper-Pearson intervals at level
        α / (2 · CANDIDATES). With Pr[M(a) ∈ Y] ≥ p and Pr[M(b) ∈ Y] ≤ q, at confidence 1 - α for
        all candidates at once,

            ε ≥ log((p - δ) / q) / d(a, b),

        with d = 1 for a promise about any two words, and δ the promised one.

Draws of one word must be independent. Nothing is assumed about anything else, and nothing that was
not drawn is vouched for: a bound of 0 says that this many draws show nothing.

Reference  Jagielski et al., "Auditing Differentially Private Machine Learning", NeurIPS 2020, for
           lower bounds on ε by Clopper-Pearson intervals
"""

from __future__ import annotations

import csv
import math
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from dataclasses import dataclass

import numpy as np

from mechanisms import Vocabulary
from mechanisms.estimate import clopper_pearson

Release = Callable[[Sequence[str]], Sequence[str]]
"""Words in, one output for each, in order; every call draws anew."""

Table = Mapping[str, Counter[str]]
"""How often each output came out for each word."""

Between = Callable[[str, str], float]
"""The distance of two words that the promise is stated in."""

COLUMNS = ("word", "output", "count")
"""Of a table in a file."""

ALPHA = 0.05
CANDIDATES = 20

# Factors at which a pair's outputs are put together into one set.
_FACTORS = (1.0, 2.0, 5.0, 20.0)


@dataclass(frozen=True)
class Promise:
    """What is claimed: ε a unit of distance (1 for any two words), and δ."""

    epsilon: float
    delta: float = 0.0

    def __post_init__(self) -> None:
        """Check both."""
        if not self.epsilon >= 0:
            raise ValueError(f"Promise: ε (epsilon) must be at least 0; got {self.epsilon:g}.")
        if not 0 <= self.delta < 1:
            raise ValueError(f"Promise: δ (delta) must lie in [0, 1); got {self.delta:g}.")


@dataclass(frozen=True)
class Bound:
    """What was found: a lower bound on ε, and the pair and outputs that show it."""

    epsilon: float
    """The true ε is at least this, at confidence 1 - `alpha`; 0 if nothing was shown."""
    alpha: float
    promise: Promise
    words: tuple[str, str] | None
    outputs: tuple[str, ...]
    shares: tuple[float, float]
    """Pr[M(a) ∈ Y] is at least the first, Pr[M(b) ∈ Y] at most the second."""
    draws: tuple[int, int]
    """Draws of the two words in the test."""
    untested: tuple[str, ...]

    @property
    def broken(self) -> bool:
        """Whether the promise is refuted, at confidence 1 - `alpha`."""
        return self.epsilon > self.promise.epsilon

    @property
    def witness(self) -> str:
        """The bound as a sentence."""
        sure = f"{1 - self.alpha:.10g}"
        if self.words is None:
            return (
                f"These draws show no ε above 0 (confidence {sure}). That is no proof of privacy: "
                "more draws, or other words, may show one."
            )
        some = ", ".join(repr(output) for output in self.outputs[:5])
        if len(self.outputs) > 5:
            some = f"{some} and {len(self.outputs) - 5} more"
        verdict = f"This does not contradict the promised ε = {self.promise.epsilon:g}."
        if self.broken:
            verdict = f"The promised ε = {self.promise.epsilon:g} is broken."
        elif math.isinf(self.promise.epsilon):
            verdict = "Nothing was promised (ε = ∞)."
        return (
            f"The true ε is at least {self.epsilon:.4g} (confidence {sure}). {verdict} Witness: "
            f"{some} came out for {self.words[0]!r} with probability {self.shares[0]:.4g} or "
            f"more, and for {self.words[1]!r} with {self.shares[1]:.4g} or less "
            f"({self.draws[0]:,} and {self.draws[1]:,} draws)."
        )


def audit(
    first: Table,
    second: Table,
    promise: Promise,
    between: Between | None = None,
    alpha: float = ALPHA,
) -> Bound:
    """A lower bound on ε from two independent halves of draws: one to search, one to test.

    Parameters
    ----------
    first, second
        Counts of outputs of each word, in halves that are independent of each other.
    between
        The distance of the promise; None for a promise about any two words.
    alpha
        The chance that the bound is above the truth.

    Raises
    ------
    ValueError
        If fewer than two words have draws in both halves, or alpha is not in (0, 1).

    """
    if not 0 < alpha < 1:
        raise ValueError(f"Audit: alpha must lie in (0, 1); got {alpha:g}.")
    words = [word for word in first if first[word].total() and second.get(word)]
    if len(words) < 2:
        raise ValueError(f"Audit: at least two words with draws are needed; got {len(words)}.")
    apart = between or (lambda a, b: 1.0)
    candidates = _candidates(first, words, promise, apart)
    untested = tuple(word for word in first if word not in words)
    best = Bound(0.0, alpha, promise, None, (), (0.0, 1.0), (0, 0), untested)
    for a, b, outputs in candidates:
        counts = [sum(second[word][y] for y in outputs) for word in (a, b)]
        draws = [second[word].total() for word in (a, b)]
        level = alpha / (2 * len(candidates))
        low = float(clopper_pearson(counts[0], draws[0], level)[0])
        high = float(clopper_pearson(counts[1], draws[1], level)[1])
        epsilon = _epsilon(low, high, promise.delta, apart(a, b))
        if epsilon > best.epsilon:
            shown = tuple(sorted(outputs, key=lambda y: -second[a][y]))
            best = Bound(
                epsilon, alpha, promise, (a, b), shown, (low, high), (draws[0], draws[1]), untested
            )
    return best


def halves(
    release: Release, words: Sequence[str], draws: int, seconds: float
) -> tuple[Table, Table]:
    """Counts of `draws` outputs of each word, in two halves.

    Raises
    ------
    ValueError
        If the mechanism fails, is late, or does not give one output for each word.

    """
    if draws < 2:
        raise ValueError(f"Audit: at least 2 draws of a word are needed; got {draws}.")
    repeated = [word for word in words for _ in range(draws)]
    outputs = _asked(release, repeated, seconds)
    tables: tuple[dict[str, Counter[str]], dict[str, Counter[str]]] = ({}, {})
    for position, word in enumerate(words):
        mine = outputs[position * draws : (position + 1) * draws]
        for table, part in zip(tables, (mine[::2], mine[1::2]), strict=True):
            table.setdefault(word, Counter()).update(part)
    return tables


def split(rows: Iterable[tuple[str, str, int]], rng: np.random.Generator) -> tuple[Table, Table]:
    """A table of (word, output, count) in two halves: each draw goes to either by a coin.

    Given how many there are, the halves of independent draws are independent of each other.
    """
    counted: dict[tuple[str, str], int] = Counter()
    for number, (word, output, count) in enumerate(rows, 1):
        if count != int(count) or count < 0:
            raise ValueError(f"Table: row {number}: the count must be a whole number; got {count}.")
        counted[word, output] += int(count)
    tables: tuple[dict[str, Counter[str]], dict[str, Counter[str]]] = ({}, {})
    for (word, output), count in counted.items():
        heads = int(rng.binomial(count, 0.5))
        for table, part in zip(tables, (heads, count - heads), strict=True):
            table.setdefault(word, Counter())[output] += part
    return tables


def rows(file: Iterable[str]) -> Iterator[tuple[str, str, int]]:
    """The rows (word, output, count) of a CSV file with these columns.

    Raises ValueError for a column that is missing, or a count that is none.
    """
    reader = csv.DictReader(file)
    missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        raise ValueError(
            f"Table: its first row must name the columns {', '.join(COLUMNS)}; it lacks "
            f"{', '.join(missing)}."
        )
    for number, row in enumerate(reader, 2):
        count = row["count"] or ""
        if not (count.isascii() and count.isdigit()):
            raise ValueError(
                f"Table: row {number}: the count must be a whole number; got {count!r}."
            )
        yield row["word"] or "", row["output"] or "", int(count)


def euclidean(vocabulary: Vocabulary, table: Table) -> Between:
    """The Euclidean distance of a table's words in a vocabulary, which must know them all."""
    ids = {word: vocabulary.get(word) for word in table}
    unknown = [word for word, found in ids.items() if found is None]
    if unknown:
        raise ValueError(f"Distance: the vocabulary does not know {', '.join(unknown)}.")

    def between(a: str, b: str) -> float:
        pair = np.array([ids[a]], dtype=np.int64), np.array([ids[b]], dtype=np.int64)
        return float(vocabulary.distance_between(*pair)[0])

    return between


def of_function(function: Callable[[str], str]) -> Release:
    """A function of one word as a black box."""
    return lambda words: [function(word) for word in words]


def of_command(command: Sequence[str], seconds: float) -> Release:
    """A command that reads a word a line and prints an output a line."""

    def release(words: Sequence[str]) -> Sequence[str]:
        for word in words:
            if "\n" in word or "\r" in word:
                raise ValueError(f"Command: a word with a line break cannot be a line: {word!r}.")
        try:
            ran = subprocess.run(
                command,
                input="".join(f"{word}\n" for word in words),
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except FileNotFoundError:
            raise ValueError(f"Command: {command[0]!r} was not found.") from None
        except subprocess.TimeoutExpired:
            raise ValueError(
                f"Command: not done after {seconds:g} s; ask for fewer draws."
            ) from None
        if ran.returncode:
            said = ran.stderr.strip().splitlines()[-1:] or ["nothing"]
            raise ValueError(f"Command: it ended with {ran.returncode} and said: {said[0]}")
        return ran.stdout.splitlines()

    return release


def _asked(release: Release, words: Sequence[str], seconds: float) -> list[str]:
    """The outputs, one a word; every failure is a sentence."""
    pool = ThreadPoolExecutor(1)
    try:
        outputs = list(pool.submit(release, words).result(seconds))
    except Late:
        raise ValueError(
            f"Mechanism: no answer after {seconds:g} s; ask for fewer draws or allow more time."
        ) from None
    except ValueError:
        raise
    except Exception as error:
        raise ValueError(f"Mechanism: it raised {type(error).__name__}: {error}") from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    if len(outputs) != len(words):
        raise ValueError(
            f"Mechanism: it must return one output for each word, in order; got {len(outputs):,} "
            f"for {len(words):,} words."
        )
    for output in outputs:
        if not isinstance(output, str):
            raise ValueError(f"Mechanism: an output must be a text; got {output!r}.")
    return outputs


def _candidates(
    table: Table, words: Sequence[str], promise: Promise, apart: Between
) -> list[tuple[str, str, frozenset[str]]]:
    """The pairs and sets of outputs that seem to use most of ε, on the half that is searched."""
    scored: list[tuple[float, str, str, frozenset[str]]] = []
    for a in words:
        mine, all_mine = table[a], table[a].total()
        for b in words:
            distance = apart(a, b)
            if a == b or not distance > 0:
                continue
            other, all_other = table[b], table[b].total()
            # Half a count more on either side: a ratio of few counts does not win by chance.
            ratio = {
                y: (count + 0.5) / (all_mine + 1) / ((other[y] + 0.5) / (all_other + 1))
                for y, count in mine.items()
            }
            sets = {frozenset([y]) for y in mine}
            sets |= {frozenset(y for y, r in ratio.items() if r > t) for t in _FACTORS}
            for outputs in sets - {frozenset()}:
                hits = sum(mine[y] for y in outputs)
                misses = sum(other[y] for y in outputs)
                low, high = _cautious(hits, all_mine, -1), _cautious(misses, all_other, 1)
                score = _epsilon(low, high, promise.delta, distance)
                scored.append((score, a, b, outputs))
    scored.sort(key=lambda entry: (-entry[0], entry[1], entry[2], sorted(entry[3])))
    return [(a, b, outputs) for _, a, b, outputs in scored[:CANDIDATES]]


def _cautious(count: int, draws: int, side: int) -> float:
    """A share moved by two standard errors (Wilson's centre and spread), to rank candidates by."""
    spread = 2.0
    share, weight = count / draws, spread**2 / draws
    middle = (share + weight / 2) / (1 + weight)
    half = spread * math.sqrt(share * (1 - share) / draws + weight / (4 * draws)) / (1 + weight)
    return min(max(middle + side * half, 0.0), 1.0)


def _epsilon(low: float, high: float, delta: float, distance: float) -> float:
    """log((p - δ) / q) / d, at least 0; inf only for a q of 0, which no interval reaches."""
    if low - delta <= 0:
        return 0.0
    return max(0.0, math.log((low - delta) / high) / distance) if high > 0 else math.inf
