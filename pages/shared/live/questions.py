"""What a class can be asked: the options of a question, the right one, and what to say of others.

A student's options come from the student's own settings; here they have one name for all, by the
way that leads to each. `right` is the name of the right option of a check, whatever its
number is on a student's screen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from measures.question import Question
from mechanisms import MECHANISMS

_RIGHT = "the right answer"


@dataclass(frozen=True)
class Asked:
    """A question as the board shows it."""

    lesson: int
    """-1 for the guessing game."""
    title: str
    options: Mapping[str, str]
    """Names in the order of their numbers, and what the board calls them."""
    right: str
    """Empty if it depends on the settings of the round."""
    mistakes: Mapping[str, str]
    """What to say to a class in which an option is common."""

    def place(self, name: str) -> int:
        """The number of an option."""
        return list(self.options).index(name)


def name_in_class(asked: Asked, question: Question, chosen: str) -> str:
    """The name that a student's option has for the whole class."""
    if question.is_right(chosen):
        return "right"
    return chosen if chosen in asked.options else "other"


_PERCENT = {
    "0": "0 to 20 %",
    "1": "21 to 40 %",
    "2": "41 to 60 %",
    "3": "61 to 80 %",
    "4": "81 to 100 %",
}


def percent_name(value: int) -> str:
    """The name of the option that holds a whole percentage."""
    return str(max(0, (value - 1) // 20))


PREDICTIONS = {
    0: Asked(
        0,
        "Which word comes out most often in its place?",
        {
            "near": "the nearest word",
            "fourth": "the fourth nearest",
            "eighth": "the eighth nearest",
        },
        "near",
        {
            "fourth": "A dart has no memory of which word it was meant for: it lands near the "
            "point, and the word beside the point catches most of the misses.",
            "eighth": "A dart rarely flies that far. Throw a hundred and count.",
        },
    ),
    1: Asked(
        1,
        "How sure are you that Mia copied?",
        _PERCENT,
        "3",
        {
            "0": "Below 50 % would mean that a “yes” speaks against copying. Of 100 who copied 75 "
            "say yes, of 100 who did not 25 do.",
            "1": "Below 50 % would mean that a “yes” speaks against copying. Of 100 who copied 75 "
            "say yes, of 100 who did not 25 do.",
            "2": "50 % means that nothing was learned. Go through the four cases of two coins: "
            "three of four answers are true.",
            "4": "A “yes” is no confession: a quarter of the people who did not copy say it, too.",
        },
    ),
    2: Asked(
        2,
        "Which two words are harder to tell apart?",
        {"near": "doctor or physician", "far": "doctor or river", "same": "both alike"},
        "near",
        {
            "far": "Far words come out in different places, so an output says which one it was.",
            "same": "ε is a rate for one unit of distance. Near words are few units apart.",
        },
    ),
    3: Asked(
        3,
        "Which word is replaced more often?",
        {
            "crowded": "the word in a crowd",
            "lonely": "the word that is alone",
            "same": "both alike",
        },
        "crowded",
        {
            "lonely": "The noise has the same length for both. Around the lonely word there is "
            "nothing else to hit, so the word itself is the nearest one again.",
            "same": "The same noise does not protect both words equally: it depends on how near "
            "the next word is.",
        },
    ),
    4: Asked(
        4,
        "How often does the word stay that stays most often?",
        _PERCENT,
        "4",
        {
            "0": "The worst word cannot stay less often than the average, and that is 50 %.",
            "1": "The worst word cannot stay less often than the average, and that is 50 %.",
            "2": (
                "Near the average: that would need equally dense surroundings for all words. "
                "Lonely words stay far more often than crowded ones."
            ),
            "3": "Still too close to the average: ask what happens to a word without neighbours.",
        },
    ),
    5: Asked(
        5,
        "Is a mechanism that never returns the word …",
        {"more": "more private", "less": "less private", "same": "equally private"},
        "less",
        {
            "more": "“Never” is certain knowledge: a word that is seen was not typed.",
            "same": "A rule that looks at the input a second time changes what an output reveals.",
        },
    ),
}

CHECKS = {
    (0, "nearest"): Asked(
        0,
        "Which word is nearest on the map?",
        {"right": _RIGHT, "other": "another word"},
        "right",
        {"other": "Distance is a length on the map, not closeness of meaning as one feels it."},
    ),
    (0, "dart"): Asked(
        0,
        "Which word does the dart release?",
        {"right": _RIGHT, "typed": "the word that was typed", "other": "another word"},
        "right",
        {
            "typed": "Nobody asks which word was meant: the nearest word to the dart wins.",
            "other": "Draw a line from the dart to each word: the shortest one wins.",
        },
    ),
    (0, "choice"): Asked(
        0,
        "Which word does TEM release most often?",
        {
            "right": _RIGHT,
            "itself": "the word itself",
            "nearest": "its nearest neighbour",
            "alike": "all equally often",
        },
        "right",
        {
            "itself": "At this ε no word is much likelier than the others.",
            "nearest": "The word itself has distance 0 and so the largest weight.",
            "alike": "Equal weights are for ε near 0 only.",
        },
    ),
    (1, "coin"): Asked(
        1,
        "How many times likelier is a yes?",
        {
            "right": _RIGHT,
            "no_luck": "left out true answers by luck",
            "nothing": "once: nothing is learned",
            "certain": "any number: a confession",
        },
        "right",
        {
            "no_luck": "A person who copied also says yes if the first coin shows tails and the "
            "second heads. Add that to the numerator.",
            "nothing": "More than half of the answers are true, so a yes is evidence.",
            "certain": "A yes also comes from people who did not copy: that is the deniability.",
        },
    ),
    (1, "word"): Asked(
        1,
        "How likely is it that this word was typed?",
        {
            "right": _RIGHT,
            "forgot_the_other": "forgot the other word",
            "nothing": "50 %: nothing is learned",
            "certain": "100 %: certain",
        },
        "right",
        {
            "forgot_the_other": (
                "That is how often the word comes out once it was typed. The question goes the "
                "other way: compare with the people who typed the other word."
            ),
            "nothing": "The two words do not give this output equally often.",
            "certain": "The other word leads to it, too.",
        },
    ),
    (2, "cap"): Asked(
        2,
        "By how much can an output move the odds?",
        {
            "right": _RIGHT,
            "no_distance": "e^ε: forgot the distance",
            "no_exponent": "ε · d: forgot the power",
            "nothing": "once: not at all",
        },
        "right",
        {
            "no_distance": "e^ε is for words one unit apart. Every unit multiplies once more.",
            "no_exponent": "ε · d is the exponent: factors multiply, they do not add up.",
            "nothing": "That is so only at distance 0, or for ε = 0.",
        },
    ),
    (2, "certainty"): Asked(
        2,
        "How sure can an adversary become?",
        {
            "right": _RIGHT,
            "one_less": "took odds for one in so many",
            "nothing": "50 %: not at all",
            "certain": "100 %: certain",
        },
        "right",
        {
            "one_less": "Odds of K : 1 are K cases against 1, of K + 1 in all.",
            "nothing": "50 % was before: an output can move the odds.",
            "certain": "Finite odds are never certainty: a finite ε promises that.",
        },
    ),
    (2, "hidden"): Asked(
        2,
        "From which word is it hardest to tell apart?",
        {"right": _RIGHT, "other": "a word farther away"},
        "right",
        {"other": "The nearer a word, the smaller the factor: near words hide each other."},
    ),
    (3, "length"): Asked(
        3,
        "How long is the noise at half the ε?",
        {
            "right": _RIGHT,
            "same": "the same",
            "half": "half as long",
            "no_dimensions": "forgot the dimensions",
        },
        "right",
        {
            "same": "ε is in the denominator: changing it changes the noise.",
            "half": "A smaller ε means more privacy, so more noise.",
            "no_dimensions": "The noise has a part in every dimension: multiply by their number.",
        },
    ),
    (3, "replaced"): Asked(
        3,
        "Which of two new words is replaced more often?",
        {
            "right": _RIGHT,
            "crowded": "the word in a crowd",
            "lonely": "the word that is alone",
            "same": "both alike",
        },
        "right",
        {
            "crowded": "Look at the distances again, at this ε.",
            "lonely": "Around a lonely word there is nothing else to hit.",
            "same": "The same noise does not replace both equally often.",
        },
    ),
    (3, "preference"): Asked(
        3,
        "How much does TEM prefer the word itself?",
        {
            "right": _RIGHT,
            "no_half": "forgot the ½ in the exponent",
            "no_exponent": "forgot the power",
            "nothing": "not at all",
        },
        "right",
        {
            "no_half": "TEM scores with ε d / 2: the sum over all words may take the other half.",
            "no_exponent": "Weights are powers of e: the product is only the exponent.",
            "nothing": "The two would have equal weights only at distance 0.",
        },
    ),
    (4, "breaking"): Asked(
        4,
        "How many words stay more often than the limit allows?",
        {
            "right": _RIGHT,
            "none": "none of them",
            "below": "counted those within the limit",
            "surely": "counted for a higher limit",
            "everywhere": "counted at another ε",
        },
        "right",
        {
            "none": "If some words are under the average, others are over it.",
            "below": "That many keep the limit. Count the others.",
            "surely": "Read the limit again: it is lower than that.",
            "everywhere": "Set the slider to the ε of the question first.",
        },
    ),
    (5, "impossible"): Asked(
        5,
        "Which word cannot have been typed?",
        {
            "right": _RIGHT,
            "word": "the word that came out",
            "other": "the other word",
            "neither": "neither: both are possible",
        },
        "right",
        {
            "word": "This mechanism keeps the input word as a candidate.",
            "other": "Ask which of the two never releases this word, by its rule.",
            "neither": "A word is never among its own candidates: another word was typed.",
        },
    ),
    (5, "needed"): Asked(
        5,
        "At which ε would the promise be true?",
        {
            "right": _RIGHT,
            "own": "the one promised",
            "twice": "twice that",
            "none": "at no finite ε",
        },
        "right",
        {
            "own": "e^(ε d) · 0 = 0 is smaller than any positive probability.",
            "twice": "Twice the exponent still multiplies 0.",
            "none": "Both words give this output with positive probability.",
        },
    ),
    (5, "proof"): Asked(
        5,
        "What do the draws show?",
        {
            "right": _RIGHT,
            "broken": "that the promise is broken",
            "kept": "that the promise is kept",
            "nothing": "neither of the two",
        },
        "right",
        {
            "broken": "The draws stay below the promised limit: nothing speaks against it.",
            "kept": "Draws can refute a promise. Only a proof shows that it is kept.",
            "nothing": "The draws are above the promised limit by more than chance explains.",
        },
    ),
}

# How far a guessed ε is from the true one.
CLOSE = 1.25
_FAR = 2.0
CLOSENESS = {
    "far-below": "less than half",
    "below": "too small",
    "close": f"within a factor of {CLOSE:g}",
    "above": "too large",
    "far-above": "more than twice",
}


def closeness(guess: float, true: float) -> str:
    """The name of how far a guess of ε is from the true one."""
    ratio = guess / true
    if ratio < 1 / _FAR:
        return "far-below"
    if ratio < 1 / CLOSE:
        return "below"
    if ratio <= CLOSE:
        return "close"
    return "above" if ratio <= _FAR else "far-above"


@cache
def every() -> dict[str, Asked]:
    """All questions of the lessons by key, in the order of the lessons."""
    found: dict[str, Asked] = {}
    for lesson, prediction in PREDICTIONS.items():
        found[f"{lesson}.predict"] = prediction
        found |= {f"{n}.{key}": check for (n, key), check in CHECKS.items() if n == lesson}
    return found


OF_MECHANISM = Asked(-1, "Which mechanism is it?", {c.name: c.name for c in MECHANISMS}, "", {})

OF_EPSILON = Asked(
    -1,
    "How close is the guess of ε?",
    CLOSENESS,
    "close",
    {
        "far-below": "The class takes the sentences for far more private than they are.",
        "below": "The class takes the sentences for more private than they are.",
        "above": "The class takes the sentences for less private than they are.",
        "far-above": "The class takes the sentences for far less private than they are.",
    },
)

_GUESSED = {"mechanism": OF_MECHANISM, "epsilon": OF_EPSILON}

# One of these is the ε of a round of the class's guessing game.
EPSILON_STEPS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)

OF_STEPS = Asked(
    -1, "Which ε is it?", {f"{step:g}": f"ε = {step:g}" for step in EPSILON_STEPS}, "", {}
)

_IN_ROUND = {"mechanism": OF_MECHANISM, "epsilon": OF_STEPS}


def asked(key: str) -> Asked | None:
    """The question of a key, of a lesson, a hidden link or a round; None if there is none."""
    game, _, what = key.rpartition(".")
    if re.fullmatch(r"guess\.[0-9a-f]{8}", game):
        return _GUESSED.get(what)
    if re.fullmatch(r"round\.[0-9a-f]{8}", game):
        return _IN_ROUND.get(what)
    return every().get(key)
