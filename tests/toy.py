"""A dozen words in the plane: every law can be written down, and every pair checked.

Two words share a vector (`twin` and `copy`), two lie almost on each other (`near`, `nearer`), and
one is far from all (`lonely`).
"""

import numpy as np

from mechanisms import Vocabulary
from mechanisms.base_measure import counted

_POINTS = {
    "origin": (0.0, 0.0),
    "east": (1.0, 0.0),
    "north": (0.0, 1.25),
    "west": (-1.5, 0.0),
    "south": (0.0, -0.75),
    "corner": (2.0, 2.0),
    "twin": (-1.0, 1.0),
    "copy": (-1.0, 1.0),
    "near": (1.5, -1.0),
    "nearer": (1.501, -1.0),
    "lonely": (8.0, -6.0),
    "edge": (-2.5, -2.0),
}


def toy_counts(vocabulary, corpus):
    """Counts of a public corpus over a few words, for base measures."""
    size = len(vocabulary)
    texts = [[word, (word + 1) % size, word] * (size - word) for word in range(size)]
    return counted(corpus, texts, size)


TOY = Vocabulary(list(_POINTS), np.array(list(_POINTS.values())), counter=toy_counts)

# Every ordered pair of words (a, b), as two arrays of ids.
ALL_PAIRS = tuple(np.indices((len(TOY), len(TOY))).reshape(2, -1))


def first_words(count):
    """The first `count` words of TOY as a vocabulary of their own."""
    return Vocabulary(TOY.words[:count], TOY.vectors[:count], counter=toy_counts)
