"""The words that the benchmark drew from: those of IMDb reviews, as its authors prepared them.

The benchmark's Table 2 prints 42,662 different words and 80.84 words a text. Prepared as its
examples are (`data.preprocessing`: lower case, no stop words, no numbers, lemmas), 12,000 random
reviews of the packaged 25,000 have 41,930 different words; in lower case only they have 59,823. So
the words are taken after that preprocessing, and from no other: how WordVeil cuts a text to be
released plays no part, so a change there does not change a comparison with printed numbers.
"""

from __future__ import annotations

from data import corpora, embeddings
from mechanisms import Vocabulary
from mechanisms.randomness import seeded_rng

REVIEWS = 12_000
PRINTED_WORDS = 42_662


def imdb_words(seed: int) -> frozenset[str]:
    """The different words of as many random IMDb reviews as the benchmark took."""
    every = corpora.load("imdb")
    taken = seeded_rng(seed).permutation(len(every))[:REVIEWS]
    reviews = corpora.Corpus(
        every.name,
        tuple(every.texts[i] for i in taken),
        tuple(every.labels[i] for i in taken),
    )
    texts = corpora.prepared(reviews).texts
    return frozenset(word for text in texts for word in text.split())


def imdb_vocabulary(seed: int) -> Vocabulary:
    """Those words that GloVe has, in its order, with their synonyms."""
    embedding = embeddings.load(embeddings.GLOVE)
    words = imdb_words(seed)
    known = [word_id for word_id, word in enumerate(embedding.words) if word in words]
    return Vocabulary(
        [embedding.words[word_id] for word_id in known],
        embedding.vectors[known],
        embedding.synonyms,
    )
