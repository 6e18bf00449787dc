"""The words of lesson 0, words as points."""

from __future__ import annotations

import numpy as np

from measures.flat_map import Darts, WordMap
from measures.flat_map import nearest as nearest_words
from measures.lessons import Question
from mechanisms import CMP, Vocabulary
from mechanisms.vocabulary import Floats, WordIds
from pages.shared.prose import number, percent, plain
from release.grammar import counted

WAYS = {"dart": "🎯 Dart (CMP)", "choice": "⚖️ Choice (TEM)"}
ONCE = {"dart": "🎯 Throw one", "choice": "🎲 Draw one"}
OFTEN = "100 more"

MAP_ALT = "A map of everyday words: words used in similar ways lie close together."

HOW_TO_READ = {
    "dart": "How to read this: each point is a word. Each ✕ is a dart. The line leads from the "
    "last dart to the word that it releases.",
    "choice": "How to read this: each point is a word. The larger the point, the more often the "
    "word comes out. The ring marks the last word drawn.",
}

THE_DART = "✕ is a dart that was thrown at the dark point."


def story(here: WordMap) -> str:
    """The story of the map of words, and how correct its distances are."""
    return (
        "A computer that has read a lot of text stores each word as a **point**. Words used in "
        f"similar ways lie close together. Each point has {here.dimensions} coordinates; a point "
        f"on a sheet of paper has two. This map places {len(here.words)} everyday words on paper "
        "and keeps their distances as correct as possible. They cannot all be correct: the squared "
        f"errors are {percent(here.stress)} of the squared distances."
    )


def guess(name: str) -> str:
    """The prediction of lesson 0."""
    return (
        f"Somebody writes *{plain(name)}* and wants to hide it. WordVeil **throws a dart** at the "
        "point of that word and misses by a random error. It releases the word nearest to the "
        f"dart. **Which of these words comes out most often in place of *{plain(name)}*?**"
    )


def nearest(name: str, words: Vocabulary, ids: WordIds, distances: Floats) -> str:
    """The nearest neighbours on the map."""
    return f"Nearest to *{plain(name)}* on the map: {_listed(words, ids, distances)}."


def in_all_dimensions(name: str, words: Vocabulary, ids: WordIds, distances: Floats) -> str:
    """The nearest neighbours without a map."""
    return (
        f"**And without a map?** Among {len(words):,} words in all {words.dimensions} dimensions, "
        f"the nearest to *{plain(name)}* are {_listed(words, ids, distances)}. The other pages use "
        "all dimensions. Darts, nearest words and distances work there in the same way."
    )


def darts(
    name: str, words: Vocabulary, word: int, drawn: Darts, mechanism: CMP, guessed: str | None
) -> str:
    """The finding on the darts, and the name of the mechanism."""
    length = mechanism.derived(words)["mean length of the noise"]
    count = len(drawn.released)
    said = [
        f"At ε = {number(mechanism.epsilon)} a dart misses by **{number(length)}** on average, in "
        "a random direction.",
        "This is the mechanism **CMP**: add noise, then release the nearest word.",
    ]
    if not count:
        return " ".join([*said, "Throw a dart."])
    same = int((drawn.released == word).sum())
    said += [
        f"The last dart landed nearest to *{plain(words.words[drawn.released[-1]])}*.",
        f"**{same:,}** of {counted(count, 'dart')} released *{plain(name)}* itself.",
    ]
    if (most := drawn.most_often_instead(word)) is not None:
        other = plain(words.words[most[0]])
        said.append(f"The most frequent other word is *{other}*, with {counted(most[1], 'dart')}.")
        said += [f"You guessed *{plain(guessed)}*."] if guessed else []
    return " ".join(said)


def choices(name: str, words: Vocabulary, word: int, law: Floats, drawn: Darts) -> str:
    """The finding on the choice by distance: its law, and the draws."""
    near = int(nearest_words(words, word, 1)[0][0])
    far = int(law.argmin())
    text = (
        "The mechanism **TEM** throws no dart. It draws a word from the whole list, and near words "
        f"have more weight. *{plain(name)}* itself comes out {percent(float(law[word]))} of the "
        f"time, its neighbour *{plain(words.words[near])}* {percent(float(law[near]))}, and the "
        f"distant word *{plain(words.words[far])}* {percent(float(law[far]))} (exact)."
    )
    if not (count := len(drawn.released)):
        return text
    same = int((drawn.released == word).sum())
    last = plain(words.words[drawn.released[-1]])
    return (
        f"{text} In {counted(count, 'draw')}, *{plain(name)}* came out "
        f"{counted(same, 'time')}. The last word drawn was *{last}*."
    )


def nearest_question(name: str) -> str:
    """Question 0.1."""
    return f"Which of these words is nearest to *{plain(name)}* on the map?"


def nearest_answer(name: str, words: Vocabulary, question: Question) -> str:
    """The distances that answer 0.1."""
    ids = words.ids(list(question.options))
    distances = words.distance_between(ids, np.full(len(ids), words.get(name)))
    return f"Their distances: {_listed(words, ids, distances)}."


def dart_question(name: str) -> str:
    """Question 0.2."""
    return f"The dart ✕ was thrown at *{plain(name)}*. Which word does CMP release?"


def dart_answer(name: str, words: Vocabulary, question: Question, dart: Darts, chosen: str) -> str:
    """The explanation of an answer to 0.2."""
    ids = words.ids(list(question.options))
    far = np.linalg.norm(words.vectors[ids].astype(np.float64) - dart.points[0], axis=1)
    facts = f"Distances from the dart: {_listed(words, ids, far)}."
    if question.is_right(chosen):
        return f"{facts} CMP releases the nearest word, whichever word the dart was thrown at."
    if chosen == name:
        return f"{facts} The typed word counts no more than any other: the nearest word wins."
    return f"{facts} The nearest word wins."


def choice_question(name: str, epsilon: float) -> str:
    """Question 0.3."""
    return (
        f"TEM draws a word for *{plain(name)}* by distance, at ε = {number(epsilon)}. Which word "
        "comes out most often?"
    )


def choice_labels(name: str, words: Vocabulary, word: int) -> dict[str, str]:
    """The options of 0.3."""
    near = words.words[int(nearest_words(words, word, 1)[0][0])]
    return {"itself": name, "nearest": near, "alike": "all equally often"}


def choice_answer(name: str, words: Vocabulary, word: int, law: Floats, chosen: str) -> str:
    """The explanation of an answer to 0.3."""
    near = int(nearest_words(words, word, 1)[0][0])
    facts = (
        f"*{plain(name)}* comes out {percent(float(law[word]))} of the time, "
        f"*{plain(words.words[near])}* {percent(float(law[near]))}."
    )
    why = {
        "itself": "A word has distance 0 from itself, and so the largest weight. Because a word "
        "can stay, nobody can conclude from a released word that it was replaced.",
        "nearest": "The nearest other word has less weight than the word itself.",
        "alike": "The weights are nearly equal only if ε is near 0: then distance hardly counts.",
    }[chosen]
    return f"{facts} {why}"


def _listed(words: Vocabulary, ids: WordIds, distances: Floats) -> str:
    return ", ".join(
        f"*{plain(words.words[i])}* ({distance:.2f})"
        for i, distance in zip(ids, distances, strict=True)
    )
