"""The lessons: titles, questions to discuss, next pages, recaps and notes."""

from __future__ import annotations

from typing import NamedTuple

from data.embeddings import GLOVE, VocabularyChoice, by_name

# The words of all lessons.
CHOICE = VocabularyChoice(by_name(GLOVE), 10_000)


class Lesson(NamedTuple):
    """The frame of a lesson: its short and full title, and its texts for the end."""

    short: str
    title: str
    discuss: str
    goes_on: tuple[str, str]
    """The next page, and the label of its button."""
    recap: str
    """The lesson in short, for the closing."""
    note: str
    """The note for the teacher."""


LESSONS = {
    0: Lesson(
        "Points",
        "Words are points: a dart, and a choice",
        "Which words would you put close together that are far apart on the map? Who decides "
        "what is close: the map, or the person whose words they are?",
        ("pages/neighbours/page.py", "See the words around any word"),
        "A word is a point, and its neighbours hide it. CMP throws a dart at the point and "
        "releases the nearest word; TEM draws a word, near ones with more weight.",
        "**Aim.** A word is a point, closeness is a distance, and a mechanism is chance over "
        "points. **Expect** the idea that the dart “aims at” a neighbour: it aims at none. "
        "**Then** let the class throw darts at *monday* and at *pizza*, and ask which of the two "
        "is hidden better at the same ε (lesson 3 comes back to it).",
    ),
    1: Lesson(
        "Deniability",
        "Who says that I said so? A coin, then a word",
        "A company collects words with this mechanism and publishes only how often each came out. "
        "Who is protected, who is not, and what can the company still learn?",
        ("pages/perturb/page.py", "Make a whole sentence private"),
        "A *yes* from a coin, or a word from a mechanism, is evidence but not proof: the same "
        "answer could have come from someone else.",
        "**Aim.** Privacy is a property of how the answer was made, not of the answer. **Expect** "
        "predictions of 50 % (nothing learned) and 100 % (a confession): ask for the four cases "
        "of two coins first. **Then** let the class find an ε at which *yes* of the coin and the "
        "word are equally strong evidence. The word is drawn by TEM; which mechanism it is does "
        "not matter yet.",
    ),
    2: Lesson(
        "Distance",
        "Near words hide each other, far words do not",
        "Name a sentence whose secret lies in a near word, and one whose secret lies in a far one. "
        "For which of them is word-level privacy the right tool?",
        ("pages/neighbours/page.py", "See the words around any word"),
        "ε is a rate: each unit of distance multiplies the odds by e^ε at most. Near words hide "
        "each other; far words, such as the topic, are not hidden.",
        "**Aim.** ε is a rate: each unit of distance multiplies the odds by e^ε. **Expect** “ε is "
        "the same, so the protection is”. The dots lie far below the line: a promise is an upper "
        "limit, and the mechanism may reveal less. **Then** ask what an adversary learns who wants "
        "only the topic (the far word), and why ε cannot be compared between two embeddings: "
        "their units differ.",
    ),
    3: Lesson(
        "Noise or choice",
        "Noise against selection, in a crowd and alone",
        "Would you give lonely words more noise than crowded ones? What would happen to the "
        "promise e^(ε d), which knows nothing of crowds?",
        ("pages/gamma/page.py", "See how far TEM looks: its γ"),
        "The same noise hides a word in a crowd and leaves a lonely word unchanged; so does a "
        "choice by distance.",
        "**Aim.** CMP adds noise whose length does not depend on the word; TEM scores words by "
        "distance. Both leave lonely words unchanged more often. **Expect** “same noise, same "
        "protection”. **Then** let them find, for each mechanism, the ε at which the lonely word "
        "stays equally often, and compare the crowded word. The two ε have different scales, so "
        "equal ε proves nothing.",
    ),
    4: Lesson(
        "Choosing ε",
        "Choosing ε: the worst word decides",
        "Whose word is the worst one? Is it fair, or lawful, to promise the average?",
        ("pages/deniability/page.py", "Choose ε by your own demands"),
        "An average over words hides the words that stay. The worst word decides which ε to take.",
        "**Aim.** A mean hides the words that stay. **Expect** guesses near the mean. **Then** let "
        "groups take different limits and draw limit against ε on the board. The hundred words are "
        "a sample: a worse word may be outside it. The page “Deniability, choosing ε” takes more.",
    ),
    5: Lesson(
        "Promises",
        "Promises: which are kept, and how to find out",
        "An app says “differentially private, ε = 1”. What would you ask its makers for, and what "
        "could you test without them?",
        ("pages/guarantees/page.py", "See which mechanisms keep theirs"),
        "Only a proof shows that a promise is kept. One output that is impossible for one word and "
        "possible for another breaks it: never returning the typed word does just that.",
        "**Aim.** A guarantee is a claim that one counterexample refutes and no number of draws "
        "proves. **Expect** “never the word itself: safest”. **Then** switch to the repaired "
        "variant and let them say which line of the algorithm changed: the input word is a "
        "candidate like any other, so the choice no longer looks at the input a second time.",
    ),
}


STEPS = {"predict": "① Predict", "try": "② Try", "check": "③ Check"}
