"""The peers' side of `audit_packages`: runs in an environment of its own, JSON in, counts out.

    python -I benchmarks/packages_theirs.py < request.json > counts.json

It needs nothing of WordVeil. A request names a package, one of its mechanisms, ε, vectors, words;
the result counts how often each output came out for each word, in two halves of the draws. Draws
end when the time is up, and the counts say how many there were.

mldp-text      `replace_word`, a word a call, by its exact search; it cannot be seeded from here
dp-diffractor  `apply_privacy_mechanism` on one list of words in an order, without its downloads
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    ask = {"mldp-text": _mldp, "dp-diffractor": _diffractor}[request["package"]](request)
    halves: list[dict[str, Counter[str]]] = [{}, {}]
    end = time.monotonic() + request["seconds"]
    for draw in range(2 * request["draws"]):
        half = halves[draw % 2]
        for word in request["words"]:
            half.setdefault(word, Counter())[ask(word)] += 1
        if time.monotonic() > end:
            break
    version = importlib.metadata.version(request["package"])
    json.dump({"version": version, "halves": halves}, sys.stdout)


def _mldp(request: dict[str, Any]) -> Callable[[str], str]:
    import mldp_text
    from gensim.models import KeyedVectors

    vectors = np.load(request["vectors"])
    words = json.loads(Path(request["names"]).read_text(encoding="utf-8"))
    embedding = KeyedVectors(vectors.shape[1], dtype=np.float32)
    embedding.add_vectors(words, vectors)
    options: dict[str, Any] = {
        "epsilon": request["epsilon"],
        "embedding_matrix": embedding,
        "dim": vectors.shape[1],
        "use_faiss": False,
    }
    return mldp_text.get_mechanism(request["mechanism"], **options).replace_word


def _diffractor(request: dict[str, Any]) -> Callable[[str], str]:
    from diffractor import DiffractorConfig, core

    order = json.loads(Path(request["names"]).read_text(encoding="utf-8"))
    core._RESOURCES = {
        "list": order,
        "mapping": {word: place for place, word in enumerate(order)},
        "config": DiffractorConfig(
            epsilon=request["epsilon"], method=request["mechanism"], replace_stopwords=True
        ),
        "rng": np.random.default_rng(request["seed"]),
    }

    def ask(word: str) -> str:
        return str(core.apply_privacy_mechanism(word, request["epsilon"]))

    return ask


if __name__ == "__main__":
    main()
