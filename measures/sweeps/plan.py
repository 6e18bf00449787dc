"""Which cells a sweep is made of.

    planned(corpora=["imdb"], families=[TEM.family()], epsilons=[1, 5, "2d"], spread=6)

Every mechanism, with all its parameters, at every ε on every corpus, embedding and classifier, as
often as there are repetitions. An ε is a number, or a multiple of the dimensions (`2d`), or one of
so many that are spread over the mechanism's own range (`measures.words.targets.epsilon_range`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from numbers import Real
from typing import Any

import numpy as np

from data import embeddings
from data.corpora import load as load_corpus
from measures.audits.audit import variants
from measures.sweeps.experiment import MEASURES as ALL_MEASURES
from measures.sweeps.experiment import Cell
from measures.words.targets import epsilon_range
from mechanisms import SLUGS, Family, Mechanism, Vocabulary
from mechanisms.base import Parameter
from mechanisms.typed_numbers import real

# What a sweep measures unless it is told: BERTScore needs more time than all the rest.
MEASURES = tuple(measure for measure in ALL_MEASURES if measure != "bert_score")

TEXTS = 2000

STANDARD_CORPORA = ("imdb", "rotten-tomatoes")


def planned(
    corpora: Sequence[str] = ("imdb",),
    families: Sequence[Family[Mechanism]] = (),
    epsilons: Sequence[str | float] = (),
    spread: int = 0,
    embedding_names: Sequence[str] = (embeddings.GLOVE,),
    vocabulary_size: int | None = embeddings.DEFAULT_SIZE,
    classifiers: Sequence[str] = ("logistic",),
    repetitions: int = 1,
    texts: int = TEXTS,
    measures: Sequence[str] = MEASURES,
    **settings: Any,
) -> list[Cell]:
    """The cells, each once, those that share texts next to each other.

    Parameters
    ----------
    corpora, embedding_names, classifiers
        By their names; a corpus that nobody else has may have any.
    families
        Mechanisms with all parameters but ε.
    epsilons
        Numbers such as 5 or `"5"`, or multiples of the dimensions such as `"50d"`.
    spread
        How many ε to spread over each mechanism's own range, in equal ratios.
    vocabulary_size
        Entries of the embedding that are looked at; None for all.
    repetitions
        How often, each time with other texts and other noise.
    texts, measures, settings
        Those of `Cell` that all cells share.

    Raises
    ------
    ValueError
        For an ε or another setting that cannot be, or if there is no ε at all.

    """
    if spread < 0 or not (epsilons or spread):
        raise ValueError("Sweep: at least one ε is needed, or a number of them to spread.")
    if repetitions < 1:
        raise ValueError(f"Sweep: repetitions must be at least 1; got {repetitions}.")
    at = {}
    for name in embedding_names:
        embedding = embeddings.by_name(name)
        size = embedding.sizes()[-1] if vocabulary_size is None else vocabulary_size
        vocabulary = embedding.load(size)
        at[name, size] = [
            each for f in families for each in _at_epsilons(f, vocabulary, epsilons, spread)
        ]
    cells = [
        Cell(
            corpus=corpus,
            embedding=name,
            vocabulary_size=size,
            mechanism=mechanism,
            classifier=classifier,
            repetition=repetition,
            texts=texts,
            measures=tuple(measures),
            **settings,
        )
        for corpus in corpora
        for (name, size), here in at.items()
        for repetition in range(repetitions)
        for classifier in classifiers
        for mechanism in here
    ]
    return list(dict.fromkeys(cells))


def standard(repetitions: int = 1, texts: int = TEXTS) -> list[Cell]:
    """The sweep that comes with the project, one repetition after another.

    IMDb and Rotten Tomatoes; every mechanism in the variants that keep a guarantee and in
    `benchmark`; each at six ε spread over its own range, and at 1, 5 and 10, on 50 dimensions.

    Parameters
    ----------
    repetitions
        Samples of texts, no text in two of them. With two or more, an ε can be chosen on one and
        scored on the others.
    texts
        Of each corpus in each repetition; fewer if the corpus has not so many.

    """
    vocabulary = embeddings.load(embeddings.GLOVE, embeddings.DEFAULT_SIZE)
    families = []
    for cls, variant in variants():
        options: dict[str, Any] = {} if variant is None else {"variant": variant}
        family = cls.family(**options)
        usual = family.at(epsilon_range(family, vocabulary).middle)
        guarantee = usual.guarantee(vocabulary)
        keeps = guarantee.holds and guarantee.notion != "none proven"
        if keeps or variant == "benchmark":
            families.append(family)
    cells = [
        cell
        for corpus in STANDARD_CORPORA
        for cell in planned(
            (corpus,),
            families,
            ("1", "5", "10"),
            spread=6,
            repetitions=repetitions,
            texts=min(texts, len(load_corpus(corpus)) // repetitions),
        )
    ]
    return sorted(cells, key=lambda cell: cell.repetition)


def with_parameters(names: Sequence[str], settings: Sequence[str] = ()) -> list[Family[Mechanism]]:
    """Mechanisms by their names (or `all`), each with all combinations of these parameters.

    A parameter, such as `beta=0.01`, goes to the mechanisms that have it. `none` leaves an
    optional one open.

    Raises
    ------
    ValueError
        For an unknown mechanism, a parameter that none of them has, or a value that it cannot have.

    """
    if not names:
        raise ValueError(f"Mechanism: at least one of {', '.join(SLUGS)}, all is needed.")
    chosen: list[type[Mechanism]] = []
    for name in names:
        if name != "all" and name not in SLUGS:
            raise ValueError(f"Mechanism: must be one of {', '.join(SLUGS)}, all; got {name!r}.")
        chosen += SLUGS.values() if name == "all" else [SLUGS[name]]
    chosen = list(dict.fromkeys(chosen))
    parameters: dict[str, list[str]] = {}
    for setting in settings:
        name, _, value = setting.partition("=")
        parameters.setdefault(name, []).append(value)
        if name == "epsilon" or not any(name in cls.parameters() for cls in chosen):
            known = {key for cls in chosen for key in cls.parameters()} - {"epsilon"}
            raise ValueError(
                f"Parameter: must be one of {', '.join(sorted(known)) or 'none'}; got {name!r}."
            )
    made: list[Family[Mechanism]] = []
    for cls in chosen:
        own = {name: values for name, values in parameters.items() if name in cls.parameters()}
        for values in itertools.product(*own.values()):
            pairs = zip(own, values, strict=True)
            made.append(cls.family(**{n: _value(cls.parameters()[n], v) for n, v in pairs}))
    return made


def _value(declared: Parameter, text: str) -> str | float | None:
    if declared.choices:
        return text
    if declared.optional and text == "none":
        return None
    return _number(text, f"Parameter {declared.symbol}: must be a number")


def _at_epsilons(
    family: Family[Mechanism], vocabulary: Vocabulary, epsilons: Sequence[str | float], spread: int
) -> Iterator[Mechanism]:
    """The family at every ε, ascending, each once."""
    values = {_epsilon(each, vocabulary.dimensions) for each in epsilons}
    if spread:
        low, middle, high = epsilon_range(family, vocabulary)
        ends = (middle, middle) if spread == 1 else (low, high)
        # Four digits: a name that people can type, and the same on every machine.
        values |= {float(f"{e:.4g}") for e in np.geomspace(*ends, spread).tolist()}
    return (family.at(value) for value in sorted(values))


def _epsilon(given: str | float, dimensions: int) -> float:
    rule = "ε (epsilon): must be a positive number, or a multiple of the dimensions such as 2d"
    if isinstance(given, bool | np.bool_) or not isinstance(given, str | Real):
        raise ValueError(f"{rule}; got {given!r}.")
    text = str(given)
    value = _number(text.removesuffix("d"), rule, text)
    if value <= 0:
        raise ValueError(f"{rule}; got {text!r}.")
    return value * dimensions if text.endswith("d") else value


def _number(text: str, rule: str, typed: str | None = None) -> float:
    try:
        value = real(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{rule}; got {typed or text!r}.")
    return value
