"""A sweep as one table, for a notebook: planned, run and read in one call."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from data import corpora, embeddings
from measures.sweeps import plan, rows
from measures.sweeps.experiment import MEASURES
from measures.sweeps.sweep import Progress
from measures.sweeps.sweep import sweep as run
from mechanisms import FamilyLike, families_of

if TYPE_CHECKING:
    import pandas as pd

# Settings that are in the table before the measures.
_SETTINGS = ("corpus", "mechanism", "variant", "epsilon", "parameters", "repetition")


def sweep_table(
    mechanisms: FamilyLike | Sequence[FamilyLike],
    epsilons: Sequence[float | str],
    corpus: str | Sequence[str] = "imdb",
    *,
    texts: int = plan.TEXTS,
    measures: Sequence[str] = plan.MEASURES,
    embedding: str = embeddings.GLOVE,
    size: int | None = embeddings.DEFAULT_SIZE,
    classifier: str = "logistic",
    repetitions: int = 1,
    seed: int = 0,
    workers: int = 1,
    folder: Path | str | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Privacy and utility of mechanisms at every ε on a corpus: one row each.

    Every measure has three columns: the value and the ends of its 95 % interval, in percent
    (`pp`, `pp_from`, `pp_to`). A row that failed holds the reason in `error`.

    Parameters
    ----------
    mechanisms
        Classes, names, or families with parameters of your own, such as `TEM.family(gamma=3)`.
    epsilons
        Numbers, or multiples of the dimensions such as `"2d"`.
    corpus
        One of `data.corpora.names()`, or several.
    texts
        Texts of the corpus.
    measures
        Of n_w, s_w, pp, cs, low, english, rouge_1, bleu, bert_score, accuracy, macro_f1.
    embedding, size, classifier, repetitions, seed
        As for `measures.sweeps.plan.planned`.
    workers
        Processes of this machine.
    folder
        Where rows are kept, so that a stopped sweep goes on; None keeps nothing.
    progress
        Called with how many rows are finished, and of how many.

    Raises
    ------
    ValueError, TypeError
        For a mechanism, an ε, a corpus or a measure that there is none of.

    >>> import wordveil as wv
    >>> table = wv.sweep([wv.TEM, "cmp"], [5], "imdb", texts=8, measures=["pp"], size=2000)
    >>> table[["mechanism", "epsilon"]].values.tolist()
    [['TEM', 5.0], ['CMP', 5.0]]
    >>> bool((table.pp_from <= table.pp).all())
    True
    """
    names = [corpus] if isinstance(corpus, str) else list(corpus)
    for name in names:
        if name not in corpora.names():
            known = ", ".join(corpora.names())
            raise ValueError(f"Sweep: corpus must be one of {known}; got {name!r}.")
    for measure in measures:
        if measure not in MEASURES:
            raise ValueError(
                f"Sweep: measure must be one of {', '.join(MEASURES)}; got {measure!r}."
            )
    cells = plan.planned(
        names,
        families_of(mechanisms),
        epsilons,
        embedding_names=[embedding],
        vocabulary_size=size,
        classifiers=[classifier],
        repetitions=repetitions,
        texts=texts,
        measures=measures,
        seed=seed,
    )
    order = [cell.fingerprint for cell in cells]
    with TemporaryDirectory() as scratch:
        kept = Path(scratch) if folder is None else Path(folder)
        run(cells, kept, workers, progress=progress)
        by_name = dict(zip(rows.finished(kept), rows.read(kept).to_pylist(), strict=True))
    return _frame([by_name[name] for name in order])


def _frame(found: Sequence[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    measured = [
        column
        for name in rows.MEASURES
        for column in (name, f"{name}_from", f"{name}_to")
        if any(row[column] is not None for row in found)
    ]
    return pd.DataFrame(list(found), columns=[*_SETTINGS, *measured, "seconds", "error"])
