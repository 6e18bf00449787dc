"""Private texts in a pipeline of scikit-learn.

    make_pipeline(PrivateText("tem", epsilon=10), TfidfVectorizer(), LogisticRegression())
    PrivateText(TEM(epsilon=10, beta=0.01)).transform(df["text"])

A transformer that learns nothing: `fit` checks its parameters and its input. Texts come as any
column, one document an entry: a list, an iterator, a one-dimensional array, a column of pandas,
pyarrow or polars. They are returned as an array of the same length, or as `set_output` says.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags

from data import embeddings
from mechanisms import Mechanism
from mechanisms.randomness import warn_of_seed
from release import pieces, settings
from release import q_corpus as corpora_of_q

Missing = Literal["refuse", "keep", "empty"]

# Of a mechanism that is named without an ε.
_EPSILON = 10.0


class PrivateText(TransformerMixin, BaseEstimator):
    """A transformer that makes texts private word by word.

    Every call draws anew, and every call costs ε again: transform a text once.

    Parameters
    ----------
    mechanism
        A mechanism, or the name of one, such as `cmp` or `tem`.
    epsilon
        Privacy budget of a word; for metric DP, per unit of distance. None: that of the mechanism,
        or 10 if only a name is given.
    parameters
        Other parameters of the mechanism, by name, as numbers.
    embedding, size, words_only
        As for `data.embeddings.load`.
    unknown, case, html
        As for `mechanisms.text.privatise`.
    missing
        What happens to None, NaN and NA: `refuse` raises, `keep` leaves them unchanged, `empty`
        replaces them by an empty text.
    q_corpus
        A public corpus to count q on, for a mechanism whose q is `own`: the path of a file (and its
        `q_column`, if it has several), or texts. It must be public: if it was made from the
        private texts, no promise holds. `transform` warns if it holds some of them word for
        word, and refuses if it holds all.
    seed
        For demonstrations: anyone who knows it can undo the release, so `transform` warns of it.

    >>> import wordveil as wv
    >>> wv.PrivateText(wv.TEM(epsilon=1000), size=2000).fit_transform(["the movie"]).tolist()
    ['the movie']

    """

    def __init__(
        self,
        mechanism: str | Mechanism = "cmp",
        epsilon: float | None = None,
        parameters: Mapping[str, Any] | None = None,
        embedding: str = embeddings.GLOVE,
        size: int | None = embeddings.DEFAULT_SIZE,
        words_only: bool = True,
        unknown: str = "random",
        case: str = "lower",
        html: str = "decode",
        missing: str = "refuse",
        q_corpus: str | Path | Sequence[str] | None = None,
        q_column: str | None = None,
        seed: int | None = None,
    ) -> None:
        self.mechanism = mechanism
        self.epsilon = epsilon
        self.parameters = parameters
        self.embedding = embedding
        self.size = size
        self.words_only = words_only
        self.unknown = unknown
        self.case = case
        self.html = html
        self.missing = missing
        self.q_corpus = q_corpus
        self.q_column = q_column
        self.seed = seed

    def fit(self, texts: Iterable[str], y: object = None) -> PrivateText:
        """Check the parameters and that these are texts; nothing is learned.

        An iterator is left as it is: it can be read once, by `transform`.
        """
        if not isinstance(texts, Iterator):
            self._checked(texts)
        self._settings().vocabulary()
        return self

    def transform(self, texts: Iterable[str]) -> NDArray[np.object_]:
        """Private texts (n,), each drawn independently.

        Raises
        ------
        ValueError, TypeError
            For anything but texts, and for parameters that the mechanism refuses.

        """
        if self.seed is not None:
            warn_of_seed(f"PrivateText(seed={self.seed!r})", stacklevel=2)
        return self._private(texts)

    def _private(self, texts: Iterable[str]) -> NDArray[np.object_]:
        found = self._checked(texts)
        there = [[text] for text in found if isinstance(text, str)]
        how = self._settings()
        if how.q_corpus is not None:
            warning = how.q_corpus.check_holds_none(text for (text,) in there)
            if warning:
                warnings.warn(warning, UserWarning, stacklevel=3)
        private, _ = pieces.private(there, how, 0)
        texts_out = iter(private)
        out = np.empty(len(found), dtype=object)
        out[:] = [next(texts_out)[0] if isinstance(text, str) else text for text in found]
        return out

    def fit_transform(self, texts: Iterable[str], y: object = None) -> NDArray[np.object_]:
        """As `transform`; an iterator is read once."""
        if self.seed is not None:
            warn_of_seed(f"PrivateText(seed={self.seed!r})", stacklevel=2)
        return self._private(texts)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The name of the column that comes out (1,): as it came in, or `text`."""
        names = ["text"] if input_features is None else list(input_features)
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Tags:
        """One text a sample; nothing to fit; another answer every time unless seeded."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        tags.input_tags.allow_nan = self.missing != "refuse"
        tags.requires_fit = False
        tags.non_deterministic = self.seed is None
        return tags

    def _settings(self) -> settings.Settings:
        return settings.Settings(
            mechanism=self._mechanism(),
            q_corpus=self._q_corpus(),
            embedding=self.embedding,
            size=self.size,
            words_only=self.words_only,
            unknown=self.unknown,
            case=self.case,
            html=self.html,
            seed=self.seed,
        )

    def _q_corpus(self) -> corpora_of_q.QCorpus | None:
        given, column = self.q_corpus, self.q_column
        if isinstance(given, str | Path):
            return corpora_of_q.of_file(given, column)
        if column is not None:
            raise ValueError("PrivateText: q_column goes with a file as q_corpus.")
        return None if given is None else corpora_of_q.of_texts(given)

    def _mechanism(self) -> Mechanism:
        others = self.parameters or {}
        if not isinstance(self.mechanism, Mechanism):
            epsilon = _EPSILON if self.epsilon is None else self.epsilon
            return settings.mechanism(self.mechanism, epsilon, others)
        if others:
            raise ValueError(
                "PrivateText: `parameters` go with the name of a mechanism; "
                f"{self.mechanism!r} has its own."
            )
        own = self.mechanism
        return own if self.epsilon is None else replace(own, epsilon=self.epsilon)

    def _checked(self, texts: Any) -> list[Any]:
        """The documents, each a text or what may be missing."""
        if self.missing not in get_args(Missing):
            raise ValueError(
                f"missing must be one of {', '.join(get_args(Missing))}; got {self.missing!r}."
            )
        found = _documents(texts)
        for number, text in enumerate(found):
            if isinstance(text, str):
                found[number] = str(text)  # numpy has texts of a class of its own
            elif not _is_missing(text):
                raise TypeError(
                    "PrivateText: every document must be a text; "
                    f"number {number + 1} is {type(text).__name__}."
                )
            elif self.missing == "refuse":
                raise TypeError(
                    "PrivateText: every document must be a text; "
                    f"number {number + 1} is missing ({type(text).__name__}). With missing='keep' "
                    "it stays missing, with missing='empty' it becomes an empty text."
                )
            elif self.missing == "empty":
                found[number] = ""
        return found


def _documents(texts: Any) -> list[Any]:
    """All entries of a column."""
    if isinstance(texts, str | bytes):
        raise ValueError("PrivateText: give a list of texts; got a single text.")
    names = getattr(texts, "column_names", None)  # pyarrow's tables
    names = getattr(texts, "columns", None) if names is None else names  # pandas' and polars'
    names = list(texts) if isinstance(texts, Mapping) else names
    if names is not None or len(getattr(texts, "shape", (0,))) != 1:
        which = next(iter(names), "text") if names is not None else "text"
        got = type(texts).__name__
        if hasattr(texts, "shape"):
            got = f"{got} of shape {tuple(texts.shape)}"
        raise ValueError(f"PrivateText: select one column: df[{str(which)!r}]; got {got}.")
    if isinstance(texts, Set):
        raise TypeError("PrivateText: a set has no order; give a list of texts.")
    if hasattr(texts, "to_pylist"):  # pyarrow's columns, whose entries are no texts
        return list(texts.to_pylist())
    if not isinstance(texts, Iterable):
        raise TypeError(f"PrivateText: give a list of texts; got {type(texts).__name__}.")
    return list(texts)


def _is_missing(value: Any) -> bool:
    """None, NaN, and the NA and NaT of pandas."""
    if isinstance(value, float | np.floating):
        return bool(np.isnan(value))
    return value is None or type(value).__name__ in ("NAType", "NaTType")
