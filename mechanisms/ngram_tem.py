r"""N-gram TEM: TEM whose outputs are weighed by what may follow the words already released.

    Pr[v_i | w_i, v_<i] = q(v_i | v_<i) e^(-ε/2 · min(d(w_i, v_i), γ)) / Z(w_i, v_<i)

q (`base_measure`) looks at the one or two words drawn last in the same version of the text, never
at an input: see `in_order`. Private text has pairs of words that occur, and so reads more like
text.

Law        closed form for each place, given what was released (`after`); exact draws, place by
           place. With nothing released before, it is the law of Unigram TEM with this γ
Guarantee  metric DP, ε · d a word for every released prefix: given the prefix, q(· | prefix) is a
           base measure as in `unigram_tem`, the same for all inputs. A text: ε Σ d(w_i, w'_i) by
           adaptive composition (`in_order`)
Unknown    as Unigram TEM: ε · γ/2 for every prefix. A drawn unknown word enters the prefix as any
           other drawn word; a masked, dropped or kept one does not
γ          one number for all places, fixed before the text: (2/ε) ln((1 - β)(1 - f)/(β f)) with a
           floor f below every q(v | prefix),
               f = q_min · Π_k min_h (1 - κ a(h)),   h over all histories of k words.
           So every place leaves its ball with probability at most β, whatever was released
Cost       a draw needs the distances to the words that followed the last ones, some thousand: 9,000
           tokens a second of one core (3,380 tokens, 28,000 words of GloVe 50d)
Reference  ours; q: Witten and Bell 1991; TEM: Carvalho et al., SDM 2023

A draw. With α = Π (1 - κ a(h)) and s_j > 0 the share that a list of followers adds for its word
v_j, q(v | prefix) = α q(v) + Σ_j s_j [v_j = v], where α, s_j and q(v) are floats, that is, exact
rational numbers. The cells of a place (`exact_draws`) are those of its followers, one entry each of
weight s_j e^(-ε/2 min(d(w, v_j), γ)), and one entry A of weight α 2^62 / R, R the scale of w's row
in `selection`. If T lies in the own part of A, a second point is thrown at w's row, which accepts v
with probability R q(v) e^(…) / 2^62, and otherwise all begins again. So a round releases v by A
with probability (S α 2^62 / R / 2^62) (R q(v) e^(…) / 2^62) = S α q(v) e^(…) / 2^62, and by the
entries of followers with S s_j e^(…) / 2^62: together S times its weight over 2^62, as claim 1
asks. The second points of a stretch of words are thrown before, one for each, since they depend on
the words alone; one that is not used is thrown away.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial

import numpy as np

from mechanisms.answers import Progress
from mechanisms.base import Guarantee, Parameter, parameter
from mechanisms.base_measure import COUNTED, BaseMeasure
from mechanisms.in_order import Continuation, WordByWord
from mechanisms.ngram_draws import Drawer, continuation
from mechanisms.unigram_tem import UnigramTEM
from mechanisms.vocabulary import Floats, Vocabulary, WordIds


@dataclass(frozen=True, kw_only=True)
class NGramTEM(UnigramTEM, WordByWord):
    """Words by their distance up to γ and by what may follow the words released before.

    >>> import wordveil as wv
    >>> from mechanisms.base_measure import counted, with_counts
    >>> v = wv.Vocabulary(["a", "film", "movie"], [[0, 0], [3, 0], [3, 0.1]])
    >>> v = with_counts(v, counted("public", [[0, 2]] * 9, 3))
    >>> tem = wv.NGramTEM(epsilon=2, corpus="own")
    >>> law = tem.log_prob_after(v, v.ids(["film"]), v.ids(["a"]))
    >>> v.words[int(law.argmax())]
    'movie'
    """

    name = "N-gram TEM"

    corpus: str = parameter(
        "q",
        "the public source of q: the counts of a corpus, or the ranks of the embedding's words, "
        "which do not say which words follow each other",
        choices=UnigramTEM.parameters()["corpus"].choices,
        default=COUNTED[0],
    )
    look: str = parameter(
        "n",
        "how far q looks back: bigrams, one released word; trigrams, two",
        choices=("bigrams", "trigrams"),
        default="trigrams",
    )

    def guarantee(self, vocabulary: Vocabulary) -> Guarantee:
        """Metric DP for every released prefix."""
        found = super().guarantee(vocabulary)
        looks_at = (
            "A draw depends on its own word and on the words released before it in the same text, "
            "and on no other typed word. Single words are shown as the first word of a text."
        )
        return replace(found, conditions=(looks_at, *found.conditions))

    def smallest_share(self, vocabulary: Vocabulary) -> float:
        """A floor below q(v | prefix) of every word and prefix."""
        found = super().smallest_share(vocabulary)
        counts = self.measure(vocabulary).counts
        if counts is not None and self.weight:
            for words in self.histories:
                trust = counts.after(words).trust
                found *= 1 - self.weight * float(trust.max(initial=0.0))
        return found

    @property
    def histories(self) -> tuple[int, ...]:
        """One word, or one and two."""
        return (1, 2) if self.look == "trigrams" else (1,)

    def after(self, vocabulary: Vocabulary, prefix: Sequence[int]) -> PlaceLaw:
        """The law of a word after the ids of a released prefix: a mechanism of its own."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        kept = tuple(int(word) for word in vocabulary.checked(list(prefix)[-max(self.histories) :]))
        return PlaceLaw(**own, prefix=kept)

    def continuation(self, vocabulary: Vocabulary, prefix: Sequence[int]) -> Continuation:
        """Of κ = 0: q alone."""
        histories = self.histories if self.weight else ()
        return continuation(self.measure(vocabulary), histories, prefix)

    def log_prob_after(
        self, vocabulary: Vocabulary, input_ids: WordIds, prefix: Sequence[int]
    ) -> Floats:
        """Of known words and the unknown one: (n,) -> (n, V)."""
        return self.after(vocabulary, prefix).log_prob(vocabulary, input_ids)

    def drawer(self, vocabulary: Vocabulary, rng: np.random.Generator) -> Drawer:
        """What draws word after word."""
        histories = self.histories if self.weight else ()
        return Drawer(self, self.measure(vocabulary), histories, vocabulary, rng)

    def sample_texts(
        self,
        vocabulary: Vocabulary,
        texts: Sequence[WordIds],
        versions: int,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> list[WordIds]:
        """Exact draws, place by place; versions one after the other."""
        inputs = [vocabulary.checked_inputs(ids) for ids in texts]
        drawer = self.drawer(vocabulary, rng)
        columns = []
        for version in range(versions):
            told = progress and partial(_told, progress, version, versions)
            columns.append(drawer.texts(inputs, told))
        return [np.stack(of_text, axis=1) for of_text in zip(*columns, strict=True)]


def _told(progress: Progress, version: int, versions: int, share: float) -> None:
    progress((version + share) / versions)


@dataclass(frozen=True, kw_only=True)
class PlaceLaw(NGramTEM):
    """The law of one place, given what was released: q is q(· | prefix). To measure with."""

    name = "N-gram TEM"

    prefix: tuple[int, ...] = ()
    """Ids of the words released last, the newest last."""

    @classmethod
    def parameters(cls) -> Mapping[str, Parameter]:
        """Those of N-gram TEM."""
        return NGramTEM.parameters()

    def base_measure(self, vocabulary: Vocabulary) -> Floats | None:
        """q(v | prefix) (V,)."""
        if not self.weight:
            return None
        return self.conditional(vocabulary).weights

    def conditional(self, vocabulary: Vocabulary) -> BaseMeasure:
        """q(· | prefix) as a base measure."""
        base = self.measure(vocabulary)
        alpha, ids, shares = continuation(base, self.histories, self.prefix)
        weights = alpha * base.weights
        np.add.at(weights, ids, shares)
        scale = -math.frexp(float(weights.max()))[1]
        return BaseMeasure(np.ldexp(weights, scale), base.scale + scale, base.weight, base.counts)
