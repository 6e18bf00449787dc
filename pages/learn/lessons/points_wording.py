"""The words of lesson 0, words as points."""

from __future__ import annotations

import numpy as np

from measures.flat_map import Darts, WordMap
from measures.flat_map import nearest as nearest_words
from measures.lessons import Question
from mechanisms import CMP, Vocabulary
from mechanisms.vocabulary import Floats, WordIds
from pages.shared.prose import number, percent, plain

WAYS = {"dart": "🎯 Dart (CMP)", "choice": "⚖️ Choice (TEM)"}
ONCE = {"dart": "🎯 Throw one", "choice": "🎲 Draw one"}
OFTEN = "100 more"

MAP_ALT = "A map of everyday words: words used in similar ways lie close together."

HOW_TO_READ = {
    "dart": "How to read this: every word is a point. ✕ is a dart; the line goes from the last one "
    "to the word that is released for it.",
    "choice": "How to read this: every word is a point, and the larger its dot, the more often it "
    "comes out. The ring is the word that was drawn last.",
}

THE_DART = "✕ is a dart that was thrown at the dark point."


def story(here: WordMap) -> str:
    """What a map of words is, and how much it keeps."""
    return (
        "A computer that has read a lot of text knows a word as a **point**: words used in "
        "similar ways lie close together. There are as many directions as numbers in a point, "
        f"here {here.dimensions}; a sheet of paper has two. This map puts {len(here.words)} "
        "everyday words so that their distances come out best. A plane cannot show all of them "
        f"exactly: the squared errors are {percent(here.stress)} of the squared distances."
    )


def guess(name: str) -> str:
    """What is to be predicted."""
    return (
        f"Somebody writes *{plain(name)}* and wants to hide it. WordVeil **throws a dart** at that "
        "point, with a random error, and releases the word nearest to where the dart lands. "
        f"**Which of these words comes out most often in place of *{plain(name)}*?**"
    )


def nearest(name: str, words: Vocabulary, ids: WordIds, distances: Floats) -> str:
    """The nearest neighbours on the map."""
    return f"Nearest to *{plain(name)}* on the map: {_listed(words, ids, distances)}."


def in_all_dimensions(name: str, words: Vocabulary, ids: WordIds, distances: Floats) -> str:
    """The nearest neighbours without a map."""
    return (
        f"**And without a map?** In all {words.dimensions} dimensions the nearest of "
        f"{len(words):,} words to *{plain(name)}* are {_listed(words, ids, distances)}. The other "
        "pages throw their darts there; darts, nearest words and distances work in the same way."
    )


def darts(
    name: str, words: Vocabulary, word: int, drawn: Darts, mechanism: CMP, guessed: str | None
) -> str:
    """What the darts hit, and what that is called."""
    length = mechanism.derived(words)["mean length of the noise"]
    count = len(drawn.released)
    what = (
        f"At ε = {number(mechanism.epsilon)} a dart misses by **{number(length)}** on average, in "
        "any direction. That is **CMP**: noise, then the nearest word."
    )
    if not count:
        return f"{what} Throw one."
    same = int((drawn.released == word).sum())
    last = words.words[drawn.released[-1]]
    text = (
        f"{what} The last dart landed nearest to *{plain(last)}*. Of {count:,} "
        f"{_times(count, 'dart')}, "
    )
    text += f"**{same:,}** {'gives' if same == 1 else 'give'} *{plain(name)}* itself"
    most = drawn.most_often_instead(word)
    if most is None:
        return f"{text}."
    told = f" You guessed *{plain(guessed)}*." if guessed else ""
    return f"{text}; most often instead: *{plain(words.words[most[0]])}*, {most[1]:,}.{told}"


def choices(name: str, words: Vocabulary, word: int, law: Floats, drawn: Darts) -> str:
    """What a choice by distance prefers, and what was drawn."""
    near = int(nearest_words(words, word, 1)[0][0])
    far = int(law.argmin())
    text = (
        "**TEM** throws nothing: it draws from the whole list, near words with more weight. "
        f"*{plain(name)}* itself comes out {percent(float(law[word]))} of the time, its neighbour "
        f"*{plain(words.words[near])}* {percent(float(law[near]))}, *{plain(words.words[far])}* "
        f"far away {percent(float(law[far]))} (exact)."
    )
    if count := len(drawn.released):
        same = int((drawn.released == word).sum())
        last = plain(words.words[drawn.released[-1]])
        text += f" Drawn {count:,} {_times(count, 'time')}: {same:,} itself, *{last}* last."
    return text


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
    """Why an answer to 0.2 is right or wrong."""
    ids = words.ids(list(question.options))
    far = np.linalg.norm(words.vectors[ids].astype(np.float64) - dart.points[0], axis=1)
    facts = f"From the dart: {_listed(words, ids, far)}. "
    if question.is_right(chosen):
        return facts + "The nearest word is released; nobody asks which word was meant."
    if chosen == name:
        return (
            facts + "The word that was typed counts no more than any other: the nearest one wins."
        )
    return facts + "The nearest word wins."


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
    """Why an answer to 0.3 is right or wrong."""
    near = int(nearest_words(words, word, 1)[0][0])
    facts = (
        f"*{plain(name)}* comes out {percent(float(law[word]))} of the time, "
        f"*{plain(words.words[near])}* {percent(float(law[near]))}. "
    )
    return (
        facts
        + {
            "itself": "At distance 0 a word has the largest weight. It can stay as it is: that is "
            "why nobody can conclude from a word that it was replaced.",
            "nearest": "The nearest other word has less weight than the word itself.",
            "alike": "Equal weights are for ε near 0 only: then the distance no longer counts.",
        }[chosen]
    )


def _listed(words: Vocabulary, ids: WordIds, distances: Floats) -> str:
    return ", ".join(
        f"*{plain(words.words[i])}* ({distance:.2f})"
        for i, distance in zip(ids, distances, strict=True)
    )


def _times(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"
