"""The peer's side of `against_mldp`: runs inside its own environment, JSON in and out.

    python -I benchmarks/mldp_theirs.py < request.json > result.json

It needs nothing of WordVeil. The peer has one way to ask, `replace_word`, a word a call. Each
mechanism is asked for the request's words in turn until the time is up; a mean of these calls is
what everything else is multiplied from. Its searches:

approximate  its default: an index of 100 cells, of which 50 are looked into
exact        all vectors, in numpy; TEM knows only this

Recall is the share of the exact nearest vectors that the approximate search finds, for the very
points that were searched in the timed calls: the nearest one for CMP and Mahalanobis, three for
Vickrey, and for Truncated Gumbel, which searches from the word itself, ln |W|.

Its random numbers come from numpy's global generator and are not seeded.
"""

from __future__ import annotations

import importlib.metadata
import json
import math
import signal
import sys
import time
from pathlib import Path
from typing import Any

import faiss
import mldp_text
import numpy as np
from gensim.models import KeyedVectors

NAMES = {
    "CMP": "multivariate_calibrated",
    "Mahalanobis": "mahalanobis",
    "Vickrey": "vickrey",
    "TEM": "tem",
    "Truncated Gumbel": "truncated_gumbel",
}
SEARCHES = ("approximate", "exact")
LEAST_CALLS = 5
MOST_POINTS = 1_000

# When ⊥ is drawn, its TEM looks through a list once for every word of the vocabulary: hours.
PATIENCE = 30.0  # seconds beyond the time for all calls


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    vectors = np.load(request["vectors"])
    words = json.loads(Path(request["names"]).read_text(encoding="utf-8"))
    embedding = KeyedVectors(vectors.shape[1], dtype=np.float32)
    embedding.add_vectors(words, vectors)
    runs = []
    for mechanism in request["mechanisms"]:
        for search in SEARCHES:
            if mechanism == "TEM" and search == "approximate":
                continue
            run = measure(mechanism, search, embedding, request)
            runs.append({"mechanism": mechanism, "search": search, **run})
            told = f"{run['seconds'] * 1e3:.2f} ms a word" if "seconds" in run else run["refused"]
            print(f"  theirs: {mechanism}, {search}: {told}", file=sys.stderr, flush=True)
    versions = {
        name: importlib.metadata.version(name)
        for name in ("mldp-text", "numpy", "scipy", "faiss-cpu", "gensim")
    }
    json.dump({"versions": versions, "runs": runs}, sys.stdout)


def measure(
    mechanism: str, search: str, embedding: KeyedVectors, request: dict[str, Any]
) -> dict[str, Any]:
    """Seconds a word, from as many calls as fit into the budget, and what came out."""
    words = request["words"]
    begin = time.perf_counter()
    try:
        engine = build(mechanism, search, embedding, request)
        prepared = time.perf_counter() - begin
        engine.replace_word(words[0])
        calls, seconds, outputs, stopped = ask(engine, words, request["budget"])
    except (ValueError, ArithmeticError, IndexError) as error:
        return {"refused": f"{type(error).__name__}: {error}"}
    if not calls:
        return {"refused": f"no call ended within {request['budget'] + PATIENCE:g} s"}
    stays = [output[0] == word for word, output in outputs]
    run = {"prepared": prepared, "seconds": seconds / calls, "calls": calls, "stopped": stopped}
    run["stays"] = sum(stays) / calls
    if search == "approximate":
        run |= recall(mechanism, engine, outputs, embedding)
    return run


def build(mechanism: str, search: str, embedding: KeyedVectors, request: dict[str, Any]) -> Any:
    """One of its mechanisms, in its default settings; with the noise returned, for the recall."""
    options: dict[str, Any] = {
        "epsilon": request["epsilon"],
        "embedding_matrix": embedding,
        "dim": embedding.vector_size,
        "use_faiss": search == "approximate",
        "return_noise": True,
    }
    if mechanism == "Truncated Gumbel":
        # It takes the smallest and largest distance from one word drawn at random; here from the
        # one that our side takes, too.
        seen_from = embedding.vectors[request["seen_from"]]
        distances = np.linalg.norm(embedding.vectors - seen_from, axis=1)
        options["min_inter_dist"] = distances[distances > 0].min()
        options["max_inter_dist"] = distances.max()
    return mldp_text.get_mechanism(NAMES[mechanism], **options)


def ask(
    engine: Any, words: list[str], budget: float
) -> tuple[int, float, list[tuple[str, Any]], int]:
    """Calls, the seconds they took, (word, answer) of each, and how many had to be stopped."""
    outputs: list[tuple[str, Any]] = []
    stopped, spent = 0, 0.0
    limit = time.perf_counter() + budget + PATIENCE
    while spent < budget or len(outputs) < LEAST_CALLS:
        word = words[len(outputs) % len(words)]
        begin = time.perf_counter()
        try:
            alarm(max(limit - begin, 0.1))
            answer = engine.replace_word(word)
        except TimeoutError:
            stopped = 1
            break
        finally:
            alarm(0)
        spent += time.perf_counter() - begin
        outputs.append((word, answer))
    return len(outputs), spent, outputs, stopped


def alarm(seconds: float) -> None:
    """Raise TimeoutError after so many seconds, where the system can; 0 calls it off."""
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _ring)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _ring(number: int, frame: Any) -> None:
    raise TimeoutError


def recall(
    mechanism: str, engine: Any, outputs: list[tuple[str, Any]], embedding: KeyedVectors
) -> dict[str, Any]:
    """The share of the exact nearest vectors that its index finds, and for how many points."""
    outputs = outputs[:MOST_POINTS]
    points = np.array([embedding[word] for word, _ in outputs], dtype=np.float32)
    if mechanism == "Truncated Gumbel":
        points, k = np.unique(points, axis=0), round(math.log(len(embedding)))
    else:
        points += np.array([noise for _, (_, noise) in outputs], dtype=np.float32)
        k = 3 if mechanism == "Vickrey" else 1
    found = engine.index.search(points, k)[1]
    everything = faiss.IndexFlatL2(embedding.vector_size)
    everything.add(embedding.vectors)
    exact = everything.search(points, k)[1]
    hits = (found[:, :, None] == exact[:, None, :]).any(axis=1)
    return {"recall": float(hits.mean()), "points": len(points)}


if __name__ == "__main__":
    main()
