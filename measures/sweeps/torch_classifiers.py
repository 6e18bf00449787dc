"""The papers' classifiers, fastText and LSTM, trained in a process of their own.

fasttext   the mean of a text's word vectors, then a linear softmax; both are trained, the vectors
           from the embedding's on, so that words no training text holds keep theirs. 20 epochs in
           batches of 64, Adam with its default step 0.001 (TEM paper, Section 5.3). Of Joulin et
           al. 2017 it lacks the n-grams, which the TEM paper does not mention
lstm       the embedding's vectors, not trained, an LSTM of 64 units over the first 250 words, a
           dropout of 0.2, a linear softmax; batches of 64, at most 30 epochs. A tenth of the texts
           is set aside: after 3 epochs without a smaller loss on it training ends, and the best
           epoch's weights are taken. Layers, batches, epochs and early stopping are the benchmark's
           (Section 4.1.2); it leaves the units, the length, the share set aside and the patience
           open

torch's OpenMP runtime must not meet faiss's, so a model lives in a child, `python -m
measures.sweeps.torch_classifiers`, on one thread: the same seed gives the same model, bit for bit,
on the same machine and version. The child ends with its model, or with its parent. Words go through
pipes only, as numbers.

A request is a line of JSON that says what and how many bytes follow, and those bytes: arrays in
numpy's `.npz`, never pickled. An answer is any number of lines `{"done": 0.05}`, then the same, or
`{"error": "…"}`. The first request trains, every other one asks for probabilities.

References  Carvalho et al., "TEM: High Utility Metric Differential Privacy on Text", SDM 2023
            Meisenbacher et al., "A Comparative Analysis of Word-Level Metric Differential
            Privacy", LREC-COLING 2024
            Joulin et al., "Bag of Tricks for Efficient Text Classification", EACL 2017
"""

from __future__ import annotations

import copy
import io
import json
import os
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mechanisms.answers import Progress
from mechanisms.vocabulary import Floats, WordIds

BATCH = 64
FASTTEXT_EPOCHS = 20
LSTM_EPOCHS, LSTM_UNITS, LSTM_WORDS = 30, 64, 250
DROPOUT = 0.2
SET_ASIDE, PATIENCE = 0.1, 3

# Texts that are classified together.
_AT_ONCE = 256

_ROOT = Path(__file__).parents[2]


class Words(NamedTuple):
    """The known words of several texts, one text after the other."""

    ids: WordIds
    offsets: WordIds
    """(texts + 1,): text i holds ids[offsets[i] : offsets[i + 1]]."""


class TorchModel:
    """A model that is trained in a child process of its own. Threads may share it."""

    def __init__(
        self,
        classifier: str,
        words: Words,
        labels: NDArray[np.int64],
        vectors: NDArray[np.float32],
        seed: int,
        progress: Progress | None = None,
    ) -> None:
        """Train.

        Parameters
        ----------
        classifier
            `fasttext` or `lstm`.
        words, labels
            Of the texts to learn from; labels are numbers from 0 on.
        vectors
            The embedding (V, d).
        seed
            Of first weights, batches, dropout and what is set aside.
        progress
            Told the share of epochs that are done; where it raises, the child is ended.

        Raises
        ------
        ChildProcessError
            Where the child cannot be started, fails or is ended from outside, with the reason.

        """
        self._turn = Lock()
        self._process = _start()
        self._end = weakref.finalize(self, _end, self._process)
        header = {"train": classifier, "seed": seed}
        arrays = {**words._asdict(), "labels": labels, "vectors": vectors}
        self._ask(header, arrays, progress)

    def probabilities(self, words: Words) -> Floats:
        """The probability of every label for every text (n, labels)."""
        return np.asarray(self._ask({}, words._asdict(), None)["probabilities"], dtype=np.float64)

    def close(self) -> None:
        """End the child; the model is gone."""
        self._end()

    def _ask(
        self, header: dict[str, Any], arrays: dict[str, Any], progress: Progress | None
    ) -> dict[str, NDArray[Any]]:
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        with self._turn:
            try:
                if not self._end.alive:
                    raise ChildProcessError("Classifier: this model is closed; train another one.")
                try:
                    _send(requests, header, arrays)
                except OSError:
                    raise self._ended() from None
                while line := answers.readline():
                    answer = json.loads(line)
                    if "error" in answer:
                        raise ChildProcessError(f"Classifier: {answer['error']}")
                    if "bytes" in answer:
                        data = answers.read(answer["bytes"])
                        if len(data) < answer["bytes"]:
                            break
                        return _arrays(data)
                    if progress:
                        progress(answer["done"])
                raise self._ended()
            except BaseException:  # half an answer may be left in the pipe
                self.close()
                raise

    def _ended(self) -> ChildProcessError:
        code = self._process.wait()
        return ChildProcessError(
            f"Classifier: its process ended with code {code}; it needs torch and half a gigabyte "
            "of memory."
        )


def _start() -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "measures.sweeps.torch_classifiers"],
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError as error:
        raise ChildProcessError(f"Classifier: cannot start its process ({error}).") from error


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()


def _send(stream: IO[bytes], header: dict[str, Any], arrays: dict[str, Any]) -> None:
    file = io.BytesIO()
    np.savez(file, **arrays)
    data = file.getbuffer()
    stream.write(json.dumps({**header, "bytes": len(data)}).encode() + b"\n")
    stream.write(data)
    stream.flush()


def _arrays(data: bytes) -> dict[str, NDArray[Any]]:
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return dict(arrays)


# --------------------------------------------------------------------------------------- the child


@dataclass
class _Network:
    """What is trained, and how."""

    scores: Callable[[list[Any]], Any]
    """Texts, each a tensor of word ids, to scores (n, labels)."""
    modules: Any
    optimisers: list[Any]
    epochs: int
    stops_early: bool = False


def _fasttext(vectors: Any, labels: int) -> _Network:
    import torch
    from torch import nn

    bag = nn.EmbeddingBag.from_pretrained(vectors, freeze=False, mode="mean", sparse=True)
    linear = nn.Linear(vectors.shape[1], labels)

    def scores(texts: list[Any]) -> Any:
        lengths = torch.tensor([0, *map(len, texts[:-1])])
        return linear(bag(torch.cat(texts), lengths.cumsum(0)))

    # Only the words of a batch are updated, whatever the size of the vocabulary.
    optimisers = [
        torch.optim.SparseAdam(list(bag.parameters())),
        torch.optim.Adam(linear.parameters()),
    ]
    return _Network(scores, nn.ModuleList([bag, linear]), optimisers, FASTTEXT_EPOCHS)


def _lstm(vectors: Any, labels: int) -> _Network:
    import torch
    from torch import nn
    from torch.nn.utils.rnn import pad_sequence

    lstm = nn.LSTM(vectors.shape[1], LSTM_UNITS)
    dropout, linear = nn.Dropout(DROPOUT), nn.Linear(LSTM_UNITS, labels)
    nothing = torch.zeros(1, vectors.shape[1])  # a text without any known word

    def scores(texts: list[Any]) -> Any:
        rows = [vectors[ids[:LSTM_WORDS]] if len(ids) else nothing for ids in texts]
        # Padded at the end and read where each text ends: six times as fast as packed sequences.
        states = lstm(pad_sequence(rows))[0]
        last = states[torch.tensor([len(row) - 1 for row in rows]), torch.arange(len(rows))]
        return linear(dropout(last))

    modules = nn.ModuleList([lstm, dropout, linear])
    optimisers = [torch.optim.Adam(modules.parameters())]
    return _Network(scores, modules, optimisers, LSTM_EPOCHS, stops_early=True)


def _trained(
    network: _Network, texts: list[Any], labels: Any, say_done: Callable[[float], None]
) -> _Network:
    """The network after training, ready to be asked."""
    import torch

    loss = torch.nn.CrossEntropyLoss()
    order = torch.randperm(len(texts))
    aside, order = order[: (few := int(SET_ASIDE * len(texts) * network.stops_early))], order[few:]
    best, since, weights = float("inf"), 0, network.modules.state_dict()
    for epoch in range(network.epochs):
        network.modules.train()
        shuffled = order[torch.randperm(len(order))]
        for first in range(0, len(order), BATCH):
            batch = shuffled[first : first + BATCH]
            for optimiser in network.optimisers:
                optimiser.zero_grad()
            loss(network.scores([texts[i] for i in batch]), labels[batch]).backward()
            for optimiser in network.optimisers:
                optimiser.step()
        say_done((epoch + 1) / network.epochs)
        if len(aside):
            now = float(loss(_scores(network, [texts[i] for i in aside]), labels[aside]))
            since = 0 if now < best else since + 1
            if not since:
                best, weights = now, copy.deepcopy(network.modules.state_dict())
            if since == PATIENCE:
                break
    network.modules.load_state_dict(weights)
    return network


def _scores(network: _Network, texts: list[Any]) -> Any:
    """Scores (n, labels) without training."""
    import torch

    network.modules.eval()
    with torch.no_grad():
        parts = [texts[i : i + _AT_ONCE] for i in range(0, len(texts), _AT_ONCE)]
        return torch.cat([network.scores(part) for part in parts])


def _texts(arrays: dict[str, NDArray[Any]]) -> list[Any]:
    import torch

    ends = arrays["offsets"][1:-1].tolist()
    return list(torch.from_numpy(arrays["ids"]).tensor_split(ends))


def _answers(requests: IO[bytes], say_done: Callable[[float], None]) -> Iterator[dict[str, Any]]:
    """The answer to every request until there are no more."""
    network = None
    while line := requests.readline():
        import torch

        header = json.loads(line)
        arrays = _arrays(requests.read(header["bytes"]))
        if network is None:
            torch.set_num_threads(1)
            torch.use_deterministic_algorithms(True)
            torch.manual_seed(header["seed"])
            labels = torch.from_numpy(arrays["labels"])
            build = {"fasttext": _fasttext, "lstm": _lstm}[header["train"]]
            network = build(torch.from_numpy(arrays["vectors"]), int(labels.max()) + 1)
            network = _trained(network, _texts(arrays), labels, say_done)
            yield {}
        else:
            scores = _scores(network, _texts(arrays))
            yield {"probabilities": torch.softmax(scores.double(), dim=1).numpy()}


def main() -> None:
    """Serve requests from standard input."""
    # Standard output carries answers only: what a library prints goes the way of errors.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def say(**answer: object) -> None:
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()

    try:
        for arrays in _answers(sys.stdin.buffer, lambda done: say(done=done)):
            _send(answers, {}, arrays)
    except BrokenPipeError:
        return
    except Exception as error:  # whatever it is, the parent is told
        say(error=f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
