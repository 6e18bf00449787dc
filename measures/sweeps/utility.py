"""The benchmark's measures of a private corpus: N_w, S_w, PP, CS, LOW, and English words.

All in percent, each with its interval. Meisenbacher et al. 2024 define the first five in Section
4.1.5 and take N_w and LOW for better where low, the others where high; the last is in Appendix B.1.

N_w, S_w  of the mechanism, over words of the corpus (`deniability`)
PP        words that came out as another word
CS        100 × the cosine of sentence vectors before and after
LOW       least frequent words that are still there
English   words of the texts that are in a list of English words

A text is a list of words here. Those of a private text are taken from its tokens (`aligned`), one
released word for every word; of texts that were made private elsewhere, any two lists will do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from measures.intervals import of_mean, of_share
from measures.sweeps.similarity import Encode
from measures.words.deniability import distinct_outputs
from mechanisms import LawMechanism, Mechanism, Vocabulary
from mechanisms.base import blocks
from mechanisms.estimate import Estimate
from mechanisms.estimate import Kind as Of
from mechanisms.randomness import seeded_rng
from mechanisms.text import PrivateText
from mechanisms.tokens import Kind
from mechanisms.vocabulary import Floats

Words = Sequence[str]
"""The words of a text, in order."""

# What the benchmark counts: so many of the least frequent words, and outputs among so many draws.
RAREST = 1000
DRAWS = 100

# Probabilities held at once.
_LAW_FLOATS = 4_000_000


def aligned(privates: Iterable[PrivateText]) -> tuple[list[list[str]], list[list[str]]]:
    """The words of each original text, and what its first private version has in their places.

    Words and numbers are words, signs are not. Known ones are as the vocabulary spells them, others
    in lower case. A word that was left out or masked has the empty word in its place.
    """
    typed: list[list[str]] = []
    released: list[list[str]] = []
    for private in privates:
        words = private.vocabulary.words
        pairs = [
            (
                token.text.lower() if token.word_id is None else words[token.word_id],
                words[drawn]
                if drawn >= 0
                else (token.text.lower() if private.unknown == "keep" else ""),
            )
            for token, drawn in zip(private.tokens, private.drawn[:, 0].tolist(), strict=True)
            if token.kind in (Kind.WORD, Kind.NUMBER)
        ]
        typed.append([before for before, _ in pairs])
        released.append([after for _, after in pairs])
    return typed, released


def deniability_of(
    mechanism: Mechanism, vocabulary: Vocabulary, word_ids: ArrayLike, rng: np.random.Generator
) -> tuple[Estimate, Estimate]:
    """N_w and S_w of a mechanism, averaged over words.

    N_w  the chance that a word stays as it is
    S_w  how many other words come out in 100 draws, on average

    Exact for each word where the law is known, else from 100 draws a word, as in the benchmark. The
    intervals are about words in general, these being a sample; chance in the draws is part of how
    words differ.

    Parameters
    ----------
    mechanism, vocabulary
        What releases words, and of what.
    word_ids
        Sampled words. Those that the mechanism has no law for are left out.
    rng
        Of the draws.

    Raises
    ------
    ValueError
        If none of the words is covered, or the mechanism refuses.

    """
    stays, others = word_deniability(mechanism, vocabulary, word_ids, rng)
    return over_words(stays), over_words(others)


def over_words(values: Floats) -> Estimate:
    """The mean of words' percentages (n,), those without one (NaN) left out; Student's interval."""
    return of_mean(values[~np.isnan(values)], 0, 100, of="words")


def word_deniability(
    mechanism: Mechanism, vocabulary: Vocabulary, word_ids: ArrayLike, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """N_w and S_w of each word in percent (n,), (n,), as in `deniability_of`; NaN if not covered.

    Raises
    ------
    ValueError
        If none of the words is covered, or the mechanism refuses.

    """
    every = vocabulary.checked(word_ids)
    covered = mechanism.covers(vocabulary, every)
    ids = every[covered]
    if not len(ids):
        raise ValueError(f"{mechanism.name}: none of the sampled words can be released.")
    stays, others = np.empty((2, len(ids)))
    for block in blocks(len(ids), _LAW_FLOATS // len(vocabulary)):
        words = ids[block]
        if isinstance(mechanism, LawMechanism):
            law = mechanism.log_prob(vocabulary, words)
            stays[block] = np.exp(law[np.arange(len(words)), words])
            others[block] = distinct_outputs(law, DRAWS, words)
        else:
            released = np.sort(mechanism.sample(vocabulary, words, DRAWS, rng), axis=1)
            same = released == words[:, None]
            stays[block] = same.mean(axis=1)
            different = 1 + np.count_nonzero(np.diff(released, axis=1), axis=1)
            others[block] = different - same.any(axis=1)
    found = np.full((2, len(every)), np.nan)
    found[:, covered] = 100 * stays, 100 / DRAWS * others
    return found[0], found[1]


def words_changed(originals: Sequence[Words], privates: Sequence[Words]) -> Estimate:
    """PP, the perturbation percentage: the share of words that came out as another word.

    The texts are aligned: the i-th word of each private text is what became of the i-th word. The
    interval is over texts, since the words of a text go together.
    """
    return _share("PP", *changed_words(originals, privates))


def changed_words(
    originals: Sequence[Words], privates: Sequence[Words]
) -> tuple[list[int], list[int]]:
    """How many words of each text came out as another word, and how many it has."""
    if [len(text) for text in originals] != [len(text) for text in privates]:
        raise ValueError("PP: a private text must have as many words as its original.")
    changed = [
        sum(before != after for before, after in zip(*pair, strict=True))
        for pair in zip(originals, privates, strict=True)
    ]
    return changed, [len(text) for text in originals]


def closeness(originals: Sequence[str], privates: Sequence[str], encode: Encode) -> Estimate:
    """CS: 100 × the mean cosine of the sentence vectors of original and private texts.

    The benchmark's model is `paraphrase-distilroberta-base-v1`; `data.encoder` says which are at
    hand, and `encode` is handed in from there. Between -100 and 100, near 0 for unrelated texts.
    """
    return of_mean(closeness_each(originals, privates, encode), -100, 100, of="texts")


def closeness_each(originals: Sequence[str], privates: Sequence[str], encode: Encode) -> Floats:
    """100 × the cosine of each pair (n,)."""
    if len(originals) != len(privates) or not originals:
        raise ValueError(
            f"CS: as many private texts as originals are needed, at least one; got {len(privates)} "
            f"for {len(originals)}."
        )
    vectors = encode([*originals, *privates]).astype(np.float64)
    cosines = (vectors[: len(originals)] * vectors[len(originals) :]).sum(axis=1)
    return np.asarray(100 * np.clip(cosines, -1, 1))


def rare_words_kept(
    originals: Sequence[Words], privates: Sequence[Words], rarest: int = RAREST
) -> Estimate:
    """LOW: the share of the least frequent words of the originals that the private texts hold.

    Anywhere: noise may bring a rare word into another text. Of words that are equally rare a lot
    decides which are counted, always the same one. A corpus of fewer words is counted whole.
    """
    kept = rare_words(originals, privates, rarest)
    return _share("LOW", [sum(kept)], [len(kept)], "words")


def rare_words(
    originals: Sequence[Words], privates: Sequence[Words], rarest: int = RAREST
) -> list[bool]:
    """Whether the private texts hold each of the least frequent words: always in one order."""
    counts = Counter(word for text in originals for word in text)
    words = np.array(sorted(counts))
    order = seeded_rng(0).permutation(len(words))
    order = order[np.argsort([counts[word] for word in words[order]], kind="stable")]
    there = {word for text in privates for word in text}
    rare = words[order[:rarest]].tolist()
    return [word in there for word in rare]


def english_words(texts: Sequence[Words]) -> Estimate:
    """The share of words that are in a list of English words.

    The list is that of Webster's Second (1934; 234,450 words in lower case), from the package
    `english-words`; the benchmark's, NLTK's corpus `words`, is made of the same. It has base forms:
    few plurals, few words that are younger. So original texts are below 100 as well. The benchmark
    printed 84.8 for IMDb and 73.6 for AG News; our preprocessing, which also gives verbs their base
    form, 92.7 and 84.3. The interval is over texts; words that were left out are none.
    """
    listed = _english()
    english = [sum(word.lower() in listed for word in text) for text in texts]
    return _share("English words", english, [sum(word != "" for word in text) for text in texts])


@cache
def _english() -> frozenset[str]:
    from english_words import get_english_words_set

    return frozenset(get_english_words_set(["web2"], lower=True))


def _share(name: str, successes: Sequence[int], total: Sequence[int], of: Of = "texts") -> Estimate:
    if not sum(total):
        raise ValueError(f"{name}: at least one word is needed; got none in {len(total)} texts.")
    return of_share(successes, total, of=of).percent
