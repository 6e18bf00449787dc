"""WordVeil's side of `against_mldp`: the same questions on the same vectors, JSON in and out.

    python -m benchmarks.mldp_ours < request.json > result.json

words      independent draws with exact search: one word a call, as the peer is asked, and a text
           of a thousand words in one call
protocol   every word of the request, `runs` draws each, at one ε; the words shared out among
           Python threads where there are several
every ε    N_w and S_w (expected different outputs in 100 draws) of the same words on the grid of ε:
           by the ε path along 100 directions, as many as the peer has runs, so that the error is
           no larger than the peer's, and along more where asked; for TEM exactly, from its law

Beside them stands the product of as many points (directions) with all vectors in float32, in blocks
that stay in the cache, with as many threads: the work that an exact search cannot avoid.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from measures.papers.benchmark_slips import SeenFromOneWord
from mechanisms import CMP, TEM, Mahalanobis, Mechanism, TruncatedGumbel, Vickrey, Vocabulary
from mechanisms.base import LawMechanism, blocks
from mechanisms.epsilon_path import epsilon_path, exact_answers
from mechanisms.one_thread import one_thread
from mechanisms.randomness import seeded_rng
from mechanisms.vocabulary import WordIds

DRAWS = 100
MOST_REPETITIONS = 3

# Points and words of one block of the product alone: 4 MB of results.
_POINTS, _WORDS = 512, 2048


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    names = json.loads(Path(request["names"]).read_text(encoding="utf-8"))
    vocabulary = Vocabulary(names, np.load(request["vectors"]))
    prepared = seconds(lambda: prepare(vocabulary))
    runs = [
        {"mechanism": name, **measure(name, vocabulary, request)} for name in request["mechanisms"]
    ]
    budget, threads, words = request["budget"], request["threads"], len(request["words"])

    def alone(points: int, times: int) -> float:
        return repeated(lambda: product(vocabulary, points, threads, times), budget)

    result = {
        "prepared": prepared,
        "protocol_product": alone(words * request["runs"], 1),
        "path_products": {count: alone(count, words) for count in request["directions"]},
        "runs": runs,
    }
    json.dump(result, sys.stdout)


def prepare(vocabulary: Vocabulary) -> None:
    """What a vocabulary computes once, for all mechanisms."""
    _ = vocabulary.representatives, vocabulary.longest, vocabulary.principal_axes


def mechanism_of(name: str, epsilon: float) -> Mechanism:
    """Ours that does the same work as the peer's."""
    if name == "Vickrey":
        return Vickrey(epsilon=epsilon, variant="published")
    if name == "Truncated Gumbel":
        return TruncatedGumbel(epsilon=epsilon, variant="benchmark")
    return {"CMP": CMP, "Mahalanobis": Mahalanobis, "TEM": TEM}[name](epsilon=epsilon)


def measure(name: str, vocabulary: Vocabulary, request: dict[str, Any]) -> dict[str, Any]:
    """Everything about one mechanism, in seconds."""
    budget, ids = request["budget"], vocabulary.ids(request["words"])
    text = vocabulary.ids(request["text"])
    mechanism = mechanism_of(name, request["epsilon"])
    seen = vocabulary
    if name == "Truncated Gumbel":
        # As the peer does, distances from one word stand for those between all words.
        seen = SeenFromOneWord(vocabulary, request["seen_from"])
    rng = seeded_rng(0)
    try:
        mechanism.sample(seen, ids[:1], 1, rng)
    except ValueError as error:
        return {"refused": str(error)}
    run: dict[str, Any] = {
        "one": one_by_one(
            lambda word: mechanism.sample(seen, ids[word : word + 1], 1, rng), len(ids), budget
        ),
        "text": repeated(lambda: mechanism.sample(seen, text, 1, rng), budget) / len(text),
    }
    released: list[Any] = []
    run["protocol"] = repeated(
        lambda: released.append(protocol(mechanism, seen, ids, request)), budget
    )
    run["stays"] = float(np.mean(released[0] == ids[:, None]))
    told(f"{name}: {run['one'] * 1e3:.2f} ms a word, protocol {run['protocol']:.2f} s")
    if name != "Truncated Gumbel":
        run["paths"] = list(paths(mechanism, vocabulary, ids, request))
        for path in run["paths"]:
            told(f"{name}: {len(request['grid'])} ε in {path['seconds']:.2f} s")
    return run


def protocol(
    mechanism: Mechanism, vocabulary: Vocabulary, ids: WordIds, request: dict[str, Any]
) -> WordIds:
    """All runs of all words (n, runs)."""
    threads, runs = request["threads"], request["runs"]
    shares = np.array_split(ids, threads)
    with one_thread(), ThreadPoolExecutor(threads) as pool:
        drawn = pool.map(
            lambda share, seed: mechanism.sample(vocabulary, share, runs, seeded_rng(seed)),
            shares,
            range(threads),
        )
        return np.concatenate(list(drawn))


def paths(
    mechanism: Mechanism, vocabulary: Vocabulary, ids: WordIds, request: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """N_w and S_w of all words on the whole grid."""
    grid, threads, budget = np.array(request["grid"]), request["threads"], request["budget"]
    if isinstance(mechanism, LawMechanism):
        taken, words = 0.0, 0
        # One word after the other while there is time; at least as many as work side by side.
        for some in np.array_split(ids, -(-len(ids) // threads)):
            answers = exact_answers(mechanism.family(), vocabulary, some)
            taken += seconds(lambda of=answers: of.curves(grid, draws=DRAWS, threads=threads))
            words += len(some)
            if taken > request["exact_budget"]:
                break
        yield {"seconds": taken * len(ids) / words, "words": words, "directions": None}
        return
    for directions in request["directions"]:

        def path(count: int = directions) -> None:
            rng = seeded_rng(0)
            found = epsilon_path(mechanism.family(), vocabulary, ids, count, rng, threads=threads)
            found.curves(grid, draws=DRAWS, threads=threads)

        yield {"seconds": repeated(path, budget), "words": len(ids), "directions": directions}


def product(vocabulary: Vocabulary, points: int, threads: int, times: int = 1) -> None:
    """The products of so many points with all vectors, `times` over."""
    queries = seeded_rng(0).standard_normal((points, vocabulary.dimensions)).astype(np.float32)

    def multiply(part: slice) -> None:
        room = np.empty((part.stop - part.start) * _WORDS, dtype=np.float32)
        for some in blocks(len(vocabulary), _WORDS):
            shape = part.stop - part.start, some.stop - some.start
            out = room[: shape[0] * shape[1]].reshape(shape)
            np.matmul(queries[part], vocabulary.vectors[some].T, out=out)

    with one_thread(), ThreadPoolExecutor(threads) as pool:
        list(pool.map(multiply, [*blocks(points, _POINTS)] * times))


# ------------------------------------------------------------------------------------------- clocks


def seconds(call: Callable[[], object]) -> float:
    """How long a call takes."""
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def repeated(call: Callable[[], object], budget: float) -> float:
    """The median of up to three runs, no new one once the budget is spent."""
    taken: list[float] = []
    while not taken or (len(taken) < MOST_REPETITIONS and sum(taken) < budget):
        taken.append(seconds(call))
    return statistics.median(taken)


def one_by_one(call: Callable[[int], object], words: int, budget: float) -> float:
    """Seconds a call, the mean of as many as fit into the budget; the words in turn."""
    spent, count = 0.0, 0
    while spent < budget:
        word = count % words
        spent += seconds(lambda at=word: call(at))
        count += 1
    return spent / count


def told(what: str) -> None:
    """A line of progress."""
    print(f"  ours: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
