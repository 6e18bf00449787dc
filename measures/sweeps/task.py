"""What cells of a sweep share: the same texts, the same words, the same models without noise.

Cells that differ in the mechanism alone are compared on the same ground, so what separates them is
the mechanism: one sample of texts, one split, one baseline. A ground is costly and is made once a
process for each corpus and repetition. Texts of a visitor's own get a ground of their own, which
its owner holds and which is kept nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from data import corpora, embeddings, store, word_counts
from data.corpora import Corpus
from data.encoder import Encoder, chosen_model
from mechanisms import Mechanism, Vocabulary
from mechanisms.base_measure import COUNTED, source_of_q, with_counts
from mechanisms.number_cache import number_cache
from mechanisms.randomness import seeded_rng
from mechanisms.text import CutTexts, cut_texts
from mechanisms.tokens import tokenise_all
from mechanisms.vocabulary import WordIds

if TYPE_CHECKING:
    from measures.sweeps.classifiers import Evaluation

Preprocessing = Literal["benchmark", "none"]

# One half is learnt from, the other tested on, as IMDb's authors divide it.
TESTED = 0.5
"""Of the texts, the share that is tested on."""

# What takes long is measured on a sample, and its interval says so: words whose N_w and S_w are
# averaged, and texts whose meaning and wording are compared.
_WORDS = 100
_COMPARED = 100

# Of many texts, the share that is compared: 500 of 10,000.
_COMPARED_SHARE = 0.05

# The texts of a sweep are many, and a cosine is one of many in a mean: bfloat16 will do.
_encoder = Encoder(chosen_model(), half=True)


class Ground:
    """Texts to learn from and to test on, and what is known of them without noise.

    Parameters
    ----------
    corpus
        The texts, sampled and prepared as they are to be measured.
    vocabulary
        The words.
    seed
        Of the split and the samples.
    others
        Texts of the same corpus that are not among them, as they are found there.

    """

    def __init__(
        self,
        corpus: Corpus,
        vocabulary: Vocabulary,
        seed: int,
        others: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """Split the texts; all else is computed when it is first asked for."""
        self.vocabulary = vocabulary
        self._corpus, self._others = corpus.name, others
        self.train, self.test = corpora.split(
            corpus, (1 - TESTED, TESTED), derived_seed("split", seed)
        )
        self._seed = seed
        self._baselines: dict[str, Evaluation] = {}

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts, those to learn from first."""
        return self.train.texts + self.test.texts

    @cached_property
    def cut(self) -> CutTexts:
        """The texts as tokens of the vocabulary, the same for all mechanisms."""
        return cut_texts(self.texts, self.vocabulary)

    def vocabulary_for(self, mechanism: Mechanism) -> Vocabulary:
        """The words; if q is counted on this corpus, with counts of its other texts only.

        A q that was counted on the texts that are judged would know them.
        """
        if not counts_itself(mechanism, self._corpus):
            return self.vocabulary
        return self._counted_on_others

    @cached_property
    def _counted_on_others(self) -> Vocabulary:
        others = self._others()
        if not others:
            raise ValueError(
                f"q: no text of {self._corpus} is left to count it on. Measure fewer texts, or "
                "choose another q."
            )
        counts = word_counts.of_texts(others, self.vocabulary, self._corpus)
        return with_counts(self.vocabulary, counts, self._corpus)

    @property
    def chance(self) -> float:
        """The share of the most common label among the texts tested on, in percent."""
        return 100 * max(self.test.label_counts.values()) / len(self.test)

    @cached_property
    def words(self) -> WordIds:
        """Ids of known words of the texts, a random sample of the different ones, ascending."""
        tokens = (t for of_one in tokenise_all(self.texts, self.vocabulary) for t in of_one)
        known = np.array(sorted({t.word_id for t in tokens if t.word_id is not None}), np.int64)
        rng = seeded_rng(derived_seed("words", self._seed))
        return np.sort(rng.permutation(known)[:_WORDS])

    @cached_property
    def compared(self) -> list[int]:
        """Positions in `texts` of those whose meaning and wording are compared, ascending."""
        rng = seeded_rng(derived_seed("compared", self._seed))
        count = max(_COMPARED, round(_COMPARED_SHARE * len(self.texts)))
        positions: list[int] = np.sort(rng.permutation(len(self.texts))[:count]).tolist()
        return positions

    def baseline(self, classifier: str) -> Evaluation:
        """The classifier trained and tested on original text."""
        if classifier not in self._baselines:
            self._baselines[classifier] = self.evaluations(classifier, self.texts)[0]
        return self._baselines[classifier]

    def evaluations(self, classifier: str, texts: Sequence[str]) -> tuple[Evaluation, Evaluation]:
        """The classifier trained on these in the place of `texts`, tested on these and on `texts`.

        The same seed for all: noise in training is no difference between mechanisms.
        """
        from measures.sweeps.classifiers import evaluate, train

        cut = len(self.train)
        seed = derived_seed("training", self._seed)
        model = train(texts[:cut], self.train.labels, self.vocabulary, classifier, seed)
        return (
            evaluate(model, texts[cut:], self.test.labels),
            evaluate(model, self.test.texts, self.test.labels),
        )

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Sentence vectors (n, d) of length 1; those of the compared texts are computed once."""
        new = [text for text in texts if text not in self._vectors]
        encoded = iter(_encoder.encode(new)) if new else iter(())
        return np.array([self._vectors[t] if t in self._vectors else next(encoded) for t in texts])

    def matched(self, originals: Sequence[str], privates: Sequence[str]) -> NDArray[np.float32]:
        """How well the pieces of words of each pair match (n, 3): `Encoder.matched`."""
        return _encoder.matched(originals, privates)

    @cached_property
    def _vectors(self) -> dict[str, NDArray[np.float32]]:
        texts = [self.texts[i] for i in self.compared]
        return dict(zip(texts, _encoder.encode(texts), strict=True))


@number_cache(maxsize=2)
def ground(
    corpus: str,
    preprocessing: Preprocessing,
    texts: int,
    embedding: str,
    vocabulary_size: int,
    seed: int,
    repetition: int = 0,
) -> Ground:
    """The ground of a corpus that has a name, kept for the next cell.

    Repetitions have no text in common, so that what is seen in one is new in the others.
    """
    sample = corpora.sampled(
        corpora.load(corpus), texts, derived_seed("texts", corpus, seed), repetition
    )
    judged = frozenset(sample.texts)

    def others() -> list[str]:
        return [text for text in corpora.load(corpus).texts if text not in judged]

    seed = derived_seed(seed, repetition) if repetition else seed
    if preprocessing == "benchmark":
        sample = corpora.prepared(sample)
    return Ground(sample, _vocabulary(embedding, vocabulary_size), seed, others)


def counts_itself(mechanism: Mechanism, corpus: str) -> bool:
    """Whether a mechanism counts q on this packaged corpus."""
    return corpus in COUNTED and source_of_q(mechanism) == corpus


@number_cache(maxsize=2)
def _vocabulary(embedding: str, size: int) -> Vocabulary:
    return embeddings.load(embedding, size)


def forget() -> None:
    """End the sentence encoder and let go of what is kept: gigabytes of memory."""
    _encoder.close()
    ground.cache_clear()
    _vocabulary.cache_clear()


def derived_seed(*parts: object) -> int:
    """A seed of 32 bits from whatever makes a draw different from another."""
    entropy = int(store.fingerprint(*map(str, parts)), 16)
    return int(np.random.SeedSequence(entropy).generate_state(1)[0])
