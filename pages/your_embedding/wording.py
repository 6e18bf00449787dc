"""The words of the page Your embedding."""

from __future__ import annotations

from data.embedding_health import (
    DECOMPOSED,
    LEVELS,
    SAME_VECTOR,
    WITH_SPACE,
    ZERO,
    Coverage,
    Health,
)
from data.embedding_source import MOST_DIMENSIONS, Fault
from pages.shared import vault
from pages.shared.prose import number, percent, plain, whole_percent
from release.grammar import all_of, counted, verb

INTRODUCTION = (
    "Bring the vectors that your project uses. They are examined before any mechanism uses them. "
    "Words that the file lacks, or whose rows cannot be used, are unknown words on every page."
)

FORMATS = (
    "GloVe text, word2vec text and binary, fastText `.vec`, CSV, or a numpy array with its words "
    "(`vectors.npy` and `vectors.txt`, both at once); also in gzip or zip. A vector has at most "
    f"{MOST_DIMENSIONS:,} numbers. Pickles, such as gensim's `.kv`, are not opened: they may run "
    "any program. For npz, JSON and safetensors the page shows the Python that converts them."
)

WHAT_HAPPENS = (
    "**What happens to the file.** The server keeps it in memory, and its converted form in a "
    "temporary file without a name, for you alone. *Forget it* deletes the converted form at once. "
    f"Everything is deleted at most {vault.SECONDS // 60} minutes after you close the page. No "
    "part of the file is put into a link, a log or the folder of kept results."
)

LARGER = (
    "A larger file goes into a folder of the server, which its operator names in "
    "`WORDVEIL_EMBEDDINGS`. The files of that folder are converted once, and every visitor can use "
    "them."
)

IN_USE = "Every page now uses it, with the number of words chosen under *Vocabulary* on that page."


TEXT_HELP = (
    "The server keeps this text in memory for this session only. It is not logged and not part of "
    "the link."
)


def reading(share: float) -> str:
    """What the bar says."""
    return f"Reading and examining the file: {whole_percent(share)} …"


def finding(health: Health) -> str:
    """The headline: how much of the file can be used."""
    lost = health.rows - health.words
    numbers = counted(health.dimensions, "number")
    if not lost:
        return f"**{all_of(health.rows, 'row')} can be used**, {numbers} each."
    return (
        f"**{health.words:,} of {counted(health.rows, 'row')} can be used**, {numbers} each; "
        f"{counted(lost, 'row')} {verb(lost, 'is', 'are')} left out."
    )


def geometry(health: Health) -> str:
    """Norms and the closest pair: the scale on which noise is measured."""
    low, _, middle, _, high = health.norms
    said = [
        f"The vectors are {number(low)} to {number(high)} long; the median is {number(middle)}.",
        "Noise is measured in this unit, so an ε chosen for another embedding does not fit here.",
    ]
    if health.offset:
        said.append(
            f"All vectors shared an offset of length {number(health.offset)}, which was "
            "subtracted. Distances between words stay the same and are computed more accurately. "
            "Lengths, and a clipping bound C, are now measured from the new origin."
        )
    if health.closest:
        distance, one, other = health.closest
        words = (
            "two words"
            if health.compared == health.words
            else f"two of the first {health.compared:,} words"
        )
        said.append(
            f"The closest {words}, **{plain(one)}** and **{plain(other)}**, are "
            f"{number(distance)} apart."
        )
    return " ".join(said)


def advice(health: Health) -> list[str]:
    """What follows from the report for anyone who uses the embedding, in sentences."""
    said = []
    if health.header not in ("right", "none"):
        said.append(f"The header is {health.header}. The entries of the file were read.")
    if health.rows > 2 * health.words:
        said.append("Most rows were left out, so the detected format is probably wrong.")
    for convention, count in health.conventions.items():
        share = count / health.words
        if "beginning with" in convention and share > 0.2:
            said.append(
                f"{percent(share)} of the words are {convention}. Texts are cut into plain words, "
                "so words with such a mark in front will never be found."
            )
    if health.conventions.get("with a capital letter", 0) == 0:
        said.append(
            "No word has a capital letter, so the words of a text are also looked up in lower case."
        )
    if SAME_VECTOR in health.noticed:
        count = health.noticed[SAME_VECTOR].count
        said.append(
            f"{counted(count, 'word')} {verb(count, 'has', 'have')} the vector of an earlier word. "
            "A mechanism that uses only vectors cannot tell such words apart, and mechanisms that "
            "add noise release only the earliest of them."
        )
    return said


# What is kept and worth knowing, and what it means.
MEANINGS = {
    SAME_VECTOR: "kept: its vector cannot be told apart from the earlier word's",
    WITH_SPACE: "kept: never found in a text, but can come out",
    ZERO: "kept: the origin is a point like any other",
    DECOMPOSED: "kept: texts are looked up in composed form",
}


def first_lines(fault: Fault) -> str:
    """The first lines where something was wrong."""
    more = " …" if fault.count > len(fault.lines) else ""
    return ", ".join(f"{line:,}" for line in fault.lines) + more


def norm_levels() -> list[str]:
    """What the quantiles of the norms are called."""
    names = {0.0: "shortest", 0.5: "median", 1.0: "longest"}
    return [f"norm, {names.get(level, f'{whole_percent(level)} are below')}" for level in LEVELS]


def coverage(found: Coverage) -> str:
    """The share of a text that is known."""
    if not found.tokens:
        return "This text has no word and no number."
    said = [
        f"**{percent(found.known / found.tokens)}** of the words and numbers of this text "
        f"({found.known:,} of {found.tokens:,}) are known."
    ]
    if found.unknown:
        words = ", ".join(plain(word) for word in found.unknown)
        said.append(
            "On the other pages you choose what happens to unknown ones. The most frequent "
            f"unknown ones: {words}."
        )
    return " ".join(said)
