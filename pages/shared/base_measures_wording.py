"""What is said of base measures: what q is, where it is from, and that it must be public."""

from __future__ import annotations

from mechanisms.base_measure import OWN, RANK_SHIFT, NGramCounts
from pages.shared.own_corpus import MOST_MEGABYTES
from pages.shared.prose import number, percent, plain
from release.grammar import counted, enumerated
from release.q_corpus import TITLE

ABOUT = "What q is, and its source"

MUST_BE_PUBLIC = "q must be public, never counted on the text that is made private."

OWN_MUST_BE_PUBLIC = (
    "The corpus must be public. If it contains the private text, the promise does not hold."
)

COUNTING = "Counting the words of the corpus. This happens only once; it can take ten seconds …"

MEANING = (
    "**q(v)** says how common the word *v* is in public text. Every word that can come out is "
    "weighted by its q: of two equally near words, the more common one comes out more often."
)

PUBLIC = (
    "**q must be public.** It does not depend on the word that is made private, so the promise is "
    "the same as without q: ε per unit of distance. If q were counted on the private text, it "
    "would depend on that text, and the promise would not hold."
)

_CORPORA = {
    "imdb": "**imdb**: the film reviews of IMDb that come with WordVeil",
    "rotten-tomatoes": "**rotten-tomatoes**: the sentences on films that come with WordVeil",
    OWN: "**own**: the corpus of q that you uploaded",
}


def ranks() -> str:
    """Where q is from without a corpus."""
    return (
        "**ranks**: no corpus is counted. The embedding lists its words by frequency, and q is "
        f"proportional to 1 / (rank + {RANK_SHIFT:g}), the law of Zipf and Mandelbrot. Ranks do "
        "not show which words follow each other."
    )


def counted_in(counts: NGramCounts, size: int) -> str:
    """The corpus of q, and how much of it was counted."""
    different = int((counts.words > 0).sum())
    return (
        f"{_CORPORA.get(counts.corpus, plain(counts.corpus))}. Documents: {counts.documents:,}. "
        f"Words and numbers: {counts.tokens:,}. The vocabulary knows {counts.known:,} of them "
        f"({percent(counts.known / counts.tokens)}); only these were counted. Different ones among "
        f"them: {different:,}. Words of the vocabulary that never occur: {size - different:,}. The "
        "counts are smoothed (Witten and Bell 1991), so that no word has probability 0."
    )


def looks_back(how_far: str | None, counts: NGramCounts | None) -> list[str]:
    """What was counted of words in a row, if q looks at released words."""
    if how_far is None:
        return []
    if counts is None:
        return ["With ranks, q uses no released word, so N-gram TEM is the same as Unigram TEM."]
    one, two = counts.after_one, counts.after_two
    rows = [f"{len(one.ids):,} pairs of words"]
    rows += [f"{len(two.ids):,} triples"] if how_far == "trigrams" else []
    return [
        f"**{how_far}**: q(v | words released before) uses the {enumerated(rows)} that occur at "
        "least twice. It depends on released words, never on a word that you typed."
    ]


def weighed(weight: float, smallest: float, size: int) -> str:
    """The weight of q, and the smallest q, from which γ follows."""
    if weight == 0:
        return "κ = 0: q is uniform, and the mechanism is TEM."
    mixed = "no part of q is uniform" if weight == 1 else "the rest of q is uniform"
    return (
        f"κ = {number(weight)}: {mixed}. The smallest q is {number(smallest)}; if q were uniform, "
        f"every word would have {number(1 / size)}. The smaller the smallest q, the larger the γ "
        "that is computed from it."
    )


# ------------------------------------------------------------------------------ the visitor's own

UPLOAD = "Corpus of q: a public file to count q on"

UPLOAD_HELP = (
    "A text file (each line is a document) or a table with a column of texts, up to "
    f"{MOST_MEGABYTES} MB, in the language of the embedding. It must be public: if it contains "
    "texts of the private file, the promise does not hold. It is kept for this session only."
)

COLUMN = "The column that holds its texts"

FORGET = "🗑 Forget this corpus"

IS_MATERIAL = (
    "This corpus is your own private text, or contains all of it. If q were counted on it, no "
    "promise would hold. Upload a file that is public, or choose another q."
)

# Below this share of known words a corpus may be in another language.
FEW = 0.5


def counted_of(name: str, column: str, counts: NGramCounts) -> str:
    """What was counted of a visitor's corpus."""
    return (
        f"q is counted on {plain(name)}, {plain(column)}: {counted(counts.documents, 'document')}, "
        f"{counted(counts.tokens, 'word')} and numbers. The vocabulary knows "
        f"{percent(counts.known / counts.tokens)} of the words and numbers; only these count."
    )


def few_known(counts: NGramCounts) -> str:
    """That a corpus may be in another language."""
    return (
        f"The vocabulary knows only {percent(counts.known / counts.tokens)} of the words and "
        "numbers of this corpus, and q is counted on these alone. Is the corpus in the language of "
        "the embedding?"
    )


def too_large(size: int) -> str:
    """That an upload is too large."""
    return (
        f"{TITLE}: the file must have at most {MOST_MEGABYTES} MB; got {size / 1e6:.1f} MB. "
        "Upload a part of it."
    )
