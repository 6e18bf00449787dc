"""One cell of a sweep: a mechanism at one ε on one corpus, and all that is measured there.

    run(Cell(corpus="imdb", mechanism=TEM(epsilon=5.0))) -> one row

A cell is its settings, and a row a function of them: every seed derives from the settings, so the
same rows come from any number of workers in any order. What differs are `seconds` and `started_at`.
Whatever goes wrong is in the row, as its `error`.

Texts, split and training are those of the corpus, repetition and seed, alike for all mechanisms
(`measures.sweeps.task`); the noise is each mechanism's own, the same at every ε. Unknown words are
replaced at random.

The classifier is trained on private text and tested on private text (`accuracy`, the protocol of
the benchmark, Meisenbacher et al. 2024), and tested on original text (`accuracy_on_original`, that
of TEM, Carvalho et al. 2023). The baseline is trained and tested on original text, split alike.
"""

from __future__ import annotations

import json
import platform
import time
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from data import embeddings, encoder, store
from measures.intervals import of_mean
from measures.sweeps import rewriting, utility
from measures.sweeps.classifiers import CLASSIFIERS
from measures.sweeps.coupled import coupled_rng, coupled_texts
from measures.sweeps.rows import SCHEMA
from measures.sweeps.task import Ground, Preprocessing, counts_itself, derived_seed, ground
from measures.sweeps.vectors import packed, shares
from mechanisms import Mechanism
from mechanisms.base import ScaledNoise
from mechanisms.estimate import Estimate
from mechanisms.faiss_search import faiss
from mechanisms.one_thread import one_thread
from mechanisms.text import PrivateText, privatise_cut
from mechanisms.vocabulary import Floats

if TYPE_CHECKING:
    from measures.sweeps.classifiers import Evaluation

# Raised whenever the same settings come to mean something else: rows of before are then others.
_KIND = "cell-2"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """The settings of a cell; what makes it fail later than here is in its row."""

    corpus: str
    preprocessing: Preprocessing = "benchmark"
    texts: int
    embedding: str = embeddings.GLOVE
    vocabulary_size: int = embeddings.DEFAULT_SIZE
    """Most frequent entries of the embedding that are looked at (`embeddings.load`)."""
    mechanism: Mechanism
    classifier: str = "logistic"
    measures: tuple[str, ...] = ()
    repetition: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        """Check what can be checked without any data."""
        _check("preprocessing", self.preprocessing, get_args(Preprocessing))
        _check("embedding", self.embedding, embeddings.names())
        _check("classifier", self.classifier, CLASSIFIERS)
        if not self.measures:
            raise ValueError(f"Cell: at least one measure of {', '.join(MEASURES)} is needed.")
        for measure in self.measures:
            _check("measure", measure, MEASURES)
        for name, least in (("texts", 4), ("vocabulary_size", 1), ("repetition", 0), ("seed", 0)):
            if getattr(self, name) < least:
                raise ValueError(
                    f"Cell: {name} must be at least {least}; got {getattr(self, name)}."
                )

    @property
    def settings(self) -> dict[str, Any]:
        """The settings as columns of a row; all but the dimensions."""
        own = {name: getattr(self.mechanism, name) for name in self.mechanism.parameters()}
        return {
            "corpus": self.corpus,
            "preprocessing": self.preprocessing,
            "texts": self.texts,
            "embedding": self.embedding,
            "vocabulary_size": self.vocabulary_size,
            "mechanism": type(self.mechanism).__name__,
            "variant": own.pop("variant", ""),
            "epsilon": float(own.pop("epsilon")),
            "parameters": json.dumps(own, sort_keys=True),
            "classifier": self.classifier,
            "measures": sorted(self.measures),
            "repetition": self.repetition,
            "seed": self.seed,
        }

    @cached_property
    def fingerprint(self) -> str:
        """A name for the settings, and for the sentence model that the environment chooses."""
        settings = json.dumps(self.settings, sort_keys=True)
        kind = _KIND
        if counts_itself(self.mechanism, self.corpus):
            kind = f"{_KIND}, q counted on other texts"
        return store.fingerprint(kind, settings, encoder.chosen_model() or "")


def _check(what: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise ValueError(f"Cell: {what} must be one of {', '.join(known)}; got {value!r}.")


class Curve:
    """Cells that differ in ε alone, whose texts are drawn in one pass if their noise allows it."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        """Draw nothing yet."""
        self._mechanisms = [
            each.mechanism for each in cells if isinstance(each.mechanism, ScaledNoise)
        ]
        self._drawn: dict[Mechanism, list[PrivateText]] = {}

    @staticmethod
    def of(cell: Cell) -> str:
        """What a cell shares with the other cells of its curve; itself if its noise changes."""
        if not isinstance(cell.mechanism, ScaledNoise):
            return cell.fingerprint
        return json.dumps(cell.settings | {"epsilon": None}, sort_keys=True)

    def private(self, mechanism: Mechanism, ground: Ground, seed: int) -> list[PrivateText]:
        """A private version of each text; a mechanism is asked for once."""
        if mechanism not in self._mechanisms:
            vocabulary = ground.vocabulary_for(mechanism)
            return privatise_cut(ground.cut, mechanism, vocabulary, coupled_rng(seed))
        if not self._drawn:
            found = coupled_texts(ground.cut, self._mechanisms, ground.vocabulary, seed)
            self._drawn = dict(zip(self._mechanisms, found, strict=True))
        return self._drawn.pop(mechanism)


def run_curve(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """The rows of cells of one curve, as `run` of each; the first one's seconds draw for all."""
    curve = Curve(cells)
    return [run(cell, curve=curve) for cell in cells]


def run(cell: Cell, on: Ground | None = None, curve: Curve | None = None) -> dict[str, Any]:
    """All that is measured in a cell: a row with the columns of `measures.sweeps.rows.SCHEMA`.

    Parameters
    ----------
    cell
        What to measure.
    on
        The ground, where it is a visitor's own; otherwise that of the cell's corpus.
    curve
        The curve that the cell is on, if others of it are run too.

    An exception is no failure of the sweep: the row holds it as its `error`.

    """
    started, start = datetime.now(UTC), time.perf_counter()
    try:
        _load_what_brings_a_blas()
        with one_thread():  # the last bits of a sum must not depend on the cores
            trial = _Trial(cell, on or _ground(cell), curve or Curve([cell]))
            measured = [MEASURES[measure](trial) for measure in cell.measures]
            row = _row(cell, started, time.perf_counter() - start) | trial.described()
    except Exception as error:
        problem = (
            str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        )
        return failed(cell, problem, started, time.perf_counter() - start)
    for name, found in ((n, f) for of_one in measured for n, f in of_one.items()):
        row[name], row[f"{name}_from"], row[f"{name}_to"] = found.estimate.numbers
        if found.each is not None:
            row[f"{name}_each"] = packed(found.each)
    return row


def failed(
    cell: Cell, problem: str, started: datetime | None = None, seconds: float = 0.0
) -> dict[str, Any]:
    """The row of a cell that could not be finished."""
    return _row(cell, started or datetime.now(UTC), seconds) | {"error": problem}


def _row(cell: Cell, started: datetime, seconds: float) -> dict[str, Any]:
    return (
        dict.fromkeys(SCHEMA.names)
        | cell.settings
        | {
            "versions": json.dumps(versions(cell.embedding)),
            "seconds": seconds,
            "started_at": started,
        }
    )


def _ground(cell: Cell) -> Ground:
    return ground(
        cell.corpus,
        cell.preprocessing,
        cell.texts,
        cell.embedding,
        cell.vocabulary_size,
        derived_seed(cell.seed, 0),
        cell.repetition,
    )


@cache
def versions(embedding: str) -> dict[str, str]:
    """What rows were computed with."""
    project = Path(__file__).parents[2] / "pyproject.toml"
    return {
        "wordveil": tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"],
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "scipy", "faiss-cpu", "scikit-learn")},
        "embedding": embeddings.by_name(embedding).how_to_get
        or embeddings.by_name(embedding).version,
        "encoder": f"{encoder.model_version(encoder.chosen_model())}, bfloat16",
    }


def _load_what_brings_a_blas() -> None:
    """Loaded later, its threads would escape `one_thread`."""
    import scipy.linalg  # noqa: F401

    faiss()


class _Trial:
    """A cell on its ground; what several measures need is computed once."""

    def __init__(self, cell: Cell, ground: Ground, curve: Curve) -> None:
        self.cell, self.ground, self.curve = cell, ground, curve

    def seed(self, what: str) -> int:
        """A seed that no other purpose has: of all settings but ε, measures and classifier.

        So a mechanism's noise is the same at every ε but for its length, and two ε of one curve
        differ by ε alone (`measures.sweeps.coupled`).
        """
        others = ("measures", "classifier", "epsilon")
        settings = {k: v for k, v in self.cell.settings.items() if k not in others}
        return derived_seed(what, json.dumps(settings, sort_keys=True))

    @cached_property
    def private(self) -> list[PrivateText]:
        """A private version of each of the ground's texts, for measuring only."""
        return self.curve.private(self.cell.mechanism, self.ground, self.seed("noise"))

    @cached_property
    def texts(self) -> list[str]:
        """The private texts as they would be released."""
        return [private.texts[0] for private in self.private]

    @cached_property
    def words(self) -> tuple[list[list[str]], list[list[str]]]:
        """The words of the texts, and the private words in their places."""
        return utility.aligned(self.private)

    def described(self) -> dict[str, Any]:
        """What a row says beside its settings and measures."""
        vocabulary = self.ground.vocabulary_for(self.cell.mechanism)
        promise = self.cell.mechanism.guarantee(vocabulary)
        return {
            "dimensions": vocabulary.dimensions,
            "chance": self.ground.chance,
            "notion": promise.notion,
            "keeps": promise.holds and promise.notion != "none proven",
        }

    @cached_property
    def deniability(self) -> tuple[Floats, Floats]:
        """N_w and S_w of each of the ground's words, in percent."""
        rng = coupled_rng(self.seed("words"))
        vocabulary = self.ground.vocabulary_for(self.cell.mechanism)
        return utility.word_deniability(self.cell.mechanism, vocabulary, self.ground.words, rng)

    @cached_property
    def evaluations(self) -> tuple[Evaluation, Evaluation]:
        """Trained on private text: tested on private and on original text."""
        return self.ground.evaluations(self.cell.classifier, self.texts)

    @property
    def baseline(self) -> Evaluation:
        """Trained and tested on original text."""
        return self.ground.baseline(self.cell.classifier)

    @property
    def pairs(self) -> tuple[list[str], list[str]]:
        """The compared texts, original and private."""
        at = self.ground.compared
        return [self.ground.texts[i] for i in at], [self.texts[i] for i in at]


# ------------------------------------------------------------------------------------ the measures


class Found(NamedTuple):
    """A measure in percent, and its value for every thing that it is the mean of."""

    estimate: Estimate
    each: Floats | None = None


Measured = Mapping[str, Found]
"""By the names of columns."""


def _accuracy(trial: _Trial) -> Measured:
    private, original = trial.evaluations
    return {
        "accuracy": Found(private.accuracy, _percent(private.right)),
        "accuracy_on_original": Found(original.accuracy, _percent(original.right)),
        "baseline_accuracy": Found(trial.baseline.accuracy, _percent(trial.baseline.right)),
    }


def _macro_f1(trial: _Trial) -> Measured:
    private, original = trial.evaluations
    return {
        "macro_f1": Found(private.macro_f1),
        "macro_f1_on_original": Found(original.macro_f1),
        "baseline_macro_f1": Found(trial.baseline.macro_f1),
    }


def _percent(right: NDArray[np.bool_]) -> Floats:
    """100 for each text whose label is told, 0 for the others."""
    return 100 * right.astype(np.float64)


def _of_words(number: int, trial: _Trial) -> Found:
    """N_w (0) or S_w (1)."""
    values = trial.deniability[number]
    return Found(utility.over_words(values), values)


def _changed(trial: _Trial) -> Measured:
    changed, of = utility.changed_words(*trial.words)
    return {"pp": Found(utility.words_changed(*trial.words), shares(changed, of))}


def _closeness(trial: _Trial) -> Measured:
    each = utility.closeness_each(*trial.pairs, trial.ground.encode)
    return {"cs": Found(of_mean(each, -100, 100, of="texts"), each)}


def _rare(trial: _Trial) -> Measured:
    kept = 100.0 * np.array(utility.rare_words(*trial.words))
    return {"low": Found(utility.rare_words_kept(*trial.words), kept)}


MEASURES: Mapping[str, Callable[[_Trial], Measured]] = {
    "n_w": lambda trial: {"n_w": _of_words(0, trial)},
    "s_w": lambda trial: {"s_w": _of_words(1, trial)},
    "pp": _changed,
    "cs": _closeness,
    "low": _rare,
    "english": lambda trial: {"english": Found(utility.english_words(trial.words[1]))},
    "rouge_1": lambda trial: {"rouge_1": Found(rewriting.rouge_1(*trial.pairs))},
    "bleu": lambda trial: {"bleu": Found(rewriting.bleu(*trial.pairs, seed=trial.seed("bleu")))},
    "bert_score": lambda trial: {
        "bert_score": Found(rewriting.matches(*trial.pairs, trial.ground.matched))
    },
    "accuracy": _accuracy,
    "macro_f1": _macro_f1,
}
"""What can be asked for; accuracy and macro-F1 fill three columns each."""
