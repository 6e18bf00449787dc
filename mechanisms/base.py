"""What a mechanism is: parameters that are declared once, a law or a noise, and a guarantee.

A mechanism is a frozen, hashable dataclass of its parameters and a pure function of
(vocabulary, word ids, generator). All heavy state is geometry and belongs to the vocabulary, so a
mechanism is its own cache key and its own repr. Two families:

LawMechanism    Pr[M(w) = v] is known for every word v; sampling follows from it.
NoiseMechanism  a start point plus noise, then a nearby word. `RadialNoise` is the part of this
                family whose noise is a random direction times an independent radius.

A method exists only where it can be answered: `isinstance` says what a mechanism can do.

The unknown word, `vocabulary.unknown_id`, is one more input of every mechanism: all words outside
the vocabulary are this one. The two families draw it without the help of a mechanism's author, who
defines `word_log_prob`, `word_sample` and `word_start` for known words only:

LawMechanism    its law is that of a score that is the same for every word: uniform, or by the base
                measure if outputs have one
NoiseMechanism  it starts from a fixed public point, by default the mean of all vectors
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, TypeGuard

import numpy as np
from numpy.typing import NDArray

from mechanisms.family import Family, FamilyOf
from mechanisms.guarantee import (
    DISCRETE,
    EUCLIDEAN,
    HALF_A_UNIT,
    ONE_UNIT,
    TO_MEAN,
    Distance,
    Guarantee,
    Notion,
    ToUnknown,
)
from mechanisms.parameters import Parameter, checked, declarations, parameter
from mechanisms.vocabulary import Floats, Vocabulary, WordIds

if TYPE_CHECKING:
    from mechanisms.law import Law

__all__ = [
    "DISCRETE",
    "EUCLIDEAN",
    "HALF_A_UNIT",
    "ONE_UNIT",
    "TO_MEAN",
    "BLOCK_FLOATS",
    "Distance",
    "Draws",
    "Guarantee",
    "LawMechanism",
    "Mechanism",
    "NoiseMechanism",
    "Notion",
    "Parameter",
    "RadialNoise",
    "ToUnknown",
    "blocks",
    "has_law",
    "is_radial",
    "parameter",
    "uniform_directions",
]

# Rows of a block: so many that a block of laws or points stays near 64 MB.
BLOCK_FLOATS = 8_000_000

# A radius beyond this has lost its start point in float64 many times over: only the direction of
# the noise still decides. Capping it keeps the squares finite at every ε.
_LARGEST_RADIUS = 1e100


# -------------------------------------------------------------------------------------- mechanisms


class Draws(StrEnum):
    """How closely draws follow the law, as a sentence beside the guarantee."""

    EXACT = (
        "Exact draws: each word comes out with its probability under the law, however small. This "
        "assumes that ChaCha20 is random; a draw with a seed is only a demonstration."
    )
    FLOATING = (
        "Draws in floating point: an output with a probability below about 2⁻⁵³ may never come "
        "out at all. The guarantee does not cover that."
    )

    @property
    def kind(self) -> str:
        """The same in two words."""
        return "exact" if self is Draws.EXACT else "floating point"


@dataclass(frozen=True, kw_only=True)
class Mechanism(ABC):
    """Parameters and a random map from words to words."""

    name: ClassVar[str]
    draws: ClassVar[Draws] = Draws.FLOATING
    """How closely `sample` follows the law."""
    family = FamilyOf()
    """`TEM.family(gamma=3.0)`: these parameters at every ε. Of a mechanism: its own parameters."""

    epsilon: float = parameter("ε", "the privacy budget per unit of distance", above=0)

    def __post_init__(self) -> None:
        """Check every parameter against its declaration."""
        declared = self.parameters()
        given = {name: getattr(self, name) for name in declared}
        for name, value in checked(self.name, declared, given).items():
            object.__setattr__(self, name, value)

    @classmethod
    def slug(cls) -> str:
        """The name as links and commands write it, such as `truncated-gumbel`."""
        return cls.name.lower().replace(" ", "-")

    @classmethod
    def parameters(cls) -> Mapping[str, Parameter]:
        """The declarations by field name, in order."""
        return declarations(cls)

    @abstractmethod
    def guarantee(self, vocabulary: Vocabulary) -> Guarantee:
        """What this mechanism promises on this vocabulary."""

    def covers(self, vocabulary: Vocabulary, word_ids: WordIds) -> NDArray[np.bool_]:
        """Whether it has a law for each word: (n,) -> (n,). Others count as the unknown word."""
        return np.ones(len(vocabulary.checked(word_ids)), dtype=np.bool_)

    def inputs(self, vocabulary: Vocabulary, word_ids: WordIds) -> WordIds:
        """The input that each word or unknown word is to it: the unknown one if not covered.

        Ids (n,) -> ids (n,).
        """
        ids = vocabulary.checked_inputs(word_ids).copy()
        known = np.flatnonzero(ids != vocabulary.unknown_id)
        ids[known[~self.covers(vocabulary, ids[known])]] = vocabulary.unknown_id
        return ids

    def smallest_epsilon(self, vocabulary: Vocabulary) -> float:
        """The ε at and below which the mechanism refuses this vocabulary; 0 if there is none."""
        return 0.0

    def without_base_measure(self) -> Mechanism | None:
        """The mechanism with the same ε whose q is uniform; None for one without a base measure."""
        return None

    def derived(self, vocabulary: Vocabulary) -> dict[str, float]:
        """Quantities that follow from the parameters on this vocabulary, by the names on screen."""
        return {}

    @abstractmethod
    def sample(
        self, vocabulary: Vocabulary, input_ids: WordIds, size: int, rng: np.random.Generator
    ) -> WordIds:
        """Independent draws of M(w), w a word or the unknown word: ids (n,) -> ids (n, size)."""

    def law(
        self,
        vocabulary: Vocabulary,
        word: str,
        *,
        directions: int = 1000,
        draws: int = 10_000,
        seed: int = 0,
    ) -> Law:
        """The law of M(w) of one word: exact, from `directions`, or from `draws`, as it can be.

        A measurement: the seed repeats it, and nothing of it is a release. Raises
        `UnknownWordError` for a word outside the vocabulary.

        >>> import wordveil as wv
        >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
        >>> print(wv.TEM(epsilon=4, gamma=5).law(v, "movie"))
        TEM(epsilon=4, gamma=5, beta=0.001) of 'movie', exact
        movie  0.8808
        film   0.1192
        cat    0.0000
        """
        from mechanisms.word_law import word_law

        return word_law(self, vocabulary, word, directions=directions, draws=draws, seed=seed)

    def draws_of(
        self, vocabulary: Vocabulary, word: str, size: int = 1000, *, seed: int = 0
    ) -> list[str]:
        """Repeatable draws of one word, to measure with: never a release (see `privatise`).

        >>> import wordveil as wv
        >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
        >>> wv.CMP(epsilon=100).draws_of(v, "movie", 3)
        ['movie', 'movie', 'movie']
        """
        from mechanisms.randomness import seeded_rng

        if size < 1:
            raise ValueError(f"{self.name}: size must be at least 1; got {size}.")
        ids = self.sample(vocabulary, vocabulary.ids([word]), size, seeded_rng(seed))[0]
        return [vocabulary.words[i] for i in ids]


class LawMechanism(Mechanism):
    """A mechanism whose output law is known in closed form."""

    @abstractmethod
    def word_log_prob(self, vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
        """log Pr[M(w) = v] of words of the vocabulary, for every word v: (n,) -> (n, V)."""

    def log_prob(self, vocabulary: Vocabulary, input_ids: WordIds) -> Floats:
        """log Pr[M(w) = v] for every word v, w a word or the unknown word: (n,) -> (n, V)."""
        ids = vocabulary.checked_inputs(input_ids)
        known = ids != vocabulary.unknown_id
        if known.all():
            return self.word_log_prob(vocabulary, ids)
        law = np.tile(self.unknown_log_prob(vocabulary), (len(ids), 1))
        if known.any():
            law[known] = self.word_log_prob(vocabulary, ids[known])
        return law

    def unknown_log_prob(self, vocabulary: Vocabulary) -> Floats:
        """log Pr[M(unknown) = v] (V,): uniform, the law of a score that is the same for all."""
        return np.full(len(vocabulary), -math.log(len(vocabulary)))

    def unknown_sample(
        self, vocabulary: Vocabulary, count: int, size: int, rng: np.random.Generator
    ) -> WordIds:
        """Draws of the unknown word from that law: (count, size)."""
        return rng.integers(len(vocabulary), size=(count, size))

    def sample(
        self, vocabulary: Vocabulary, input_ids: WordIds, size: int, rng: np.random.Generator
    ) -> WordIds:
        """Words by `word_sample`; the unknown word by `unknown_sample`."""
        ids = vocabulary.checked_inputs(input_ids)
        unknown = ids == vocabulary.unknown_id
        # Asked also without any known word: a mechanism may refuse the vocabulary.
        of_words = self.word_sample(vocabulary, ids[~unknown], size, rng)
        if not unknown.any():
            return of_words
        released = np.empty((len(ids), size), dtype=np.int64)
        released[~unknown] = of_words
        released[unknown] = self.unknown_sample(vocabulary, int(unknown.sum()), size, rng)
        return released

    def word_sample(
        self, vocabulary: Vocabulary, word_ids: WordIds, size: int, rng: np.random.Generator
    ) -> WordIds:
        """Draws by inversion of the distribution function in floating point, word by word.

        A law that can state its weights is drawn from exactly: see `exact_law.ExactLaw`.
        """
        word_ids = vocabulary.checked(word_ids)
        # 1 - u lies in (0, 1]: the first word whose cumulative probability reaches it always has a
        # positive probability of its own.
        uniform = 1.0 - rng.random((len(word_ids), size))
        released = np.empty((len(word_ids), size), dtype=np.int64)
        distinct, inverse = np.unique(word_ids, return_inverse=True)
        for block in blocks(len(distinct), BLOCK_FLOATS // (4 * len(vocabulary))):
            law = self.word_log_prob(vocabulary, distinct[block])
            np.exp(law, out=law)
            cumulative = np.cumsum(law, axis=1, out=law)
            for row, word in enumerate(range(block.start, block.stop)):
                where = inverse == word
                targets = uniform[where] * cumulative[row, -1]
                released[where] = np.searchsorted(cumulative[row], targets)
        return released


class NoiseMechanism(Mechanism):
    """A start point, plus noise, then a word near the noisy point."""

    def start(self, vocabulary: Vocabulary, input_ids: WordIds) -> Floats:
        """Where the noise is added, for words or the unknown word: (n,) -> (n, d)."""
        ids = np.asarray(input_ids)
        known = ids != vocabulary.unknown_id
        if known.all():
            return self.word_start(vocabulary, ids)
        points = np.tile(self.unknown_start(vocabulary), (len(ids), 1))
        points[known] = self.word_start(vocabulary, ids[known])
        return points

    def word_start(self, vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
        """Where the noise is added to words: (n,) -> (n, d). By default their own vectors."""
        return vocabulary.vectors[word_ids].astype(np.float64)

    def unknown_start(self, vocabulary: Vocabulary) -> Floats:
        """Where the noise is added for the unknown word (d,). By default the mean vector."""
        return vocabulary.mean

    @abstractmethod
    def noise(self, vocabulary: Vocabulary, size: int, rng: np.random.Generator) -> Floats:
        """Noise vectors (size, d)."""

    @abstractmethod
    def log_density(self, vocabulary: Vocabulary, noise: Floats) -> Floats:
        """The log density of noise vectors, up to a constant: (n, d) -> (n,); -inf outside."""

    def virial(self, vocabulary: Vocabulary) -> float:
        """E[z · ∇ log f(z)]: by parts -d, for a density f that vanishes at infinity, not before."""
        return -float(vocabulary.dimensions)

    def longest_start(self, vocabulary: Vocabulary) -> float | None:
        """The length of start points that the guarantee assumes; None if it assumes none."""
        return None

    def true_delta_lower_bound(self, vocabulary: Vocabulary) -> float | None:
        """The δ that some noisy vectors need at this ε; None without a closed form."""
        return None

    def choose(
        self,
        vocabulary: Vocabulary,
        input_ids: WordIds,
        points: Floats,
        rng: np.random.Generator,
    ) -> WordIds:
        """The word released for each noisy point: (n,), (n, d) -> (n,). By default the nearest."""
        return vocabulary.nearest(points)

    def sample(
        self, vocabulary: Vocabulary, input_ids: WordIds, size: int, rng: np.random.Generator
    ) -> WordIds:
        """Draw noise for every (word, draw), then choose."""
        ids = vocabulary.checked_inputs(input_ids)
        repeated = np.repeat(ids, size)
        released = np.empty(len(repeated), dtype=np.int64)
        for block in blocks(len(repeated), BLOCK_FLOATS // (2 * vocabulary.dimensions)):
            each = repeated[block]
            points = self.start(vocabulary, each)
            points += self.noise(vocabulary, len(each), rng)
            released[block] = self.choose(vocabulary, each, points, rng)
        return released.reshape(len(ids), size)


class ScaledNoise(NoiseMechanism):
    """Noise that only grows and shrinks with ε: a fixed draw of it has an output at every ε."""

    @abstractmethod
    def scale(self, vocabulary: Vocabulary) -> float:
        """By how much the noise is stretched at this ε."""

    @abstractmethod
    def epsilon_at(self, vocabulary: Vocabulary, scales: Floats) -> Floats:
        """The ε of each scale (n,), all above 0; 0 if the noise is smaller than that at every ε."""

    @abstractmethod
    def fixed_noise(
        self, vocabulary: Vocabulary, size: int, rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """Noise of scale one, whatever ε: directions (size, d) and their lengths (size,)."""


class RadialNoise(ScaledNoise):
    """Noise that is a random direction times an independent radius; it has an ε path."""

    @abstractmethod
    def directions(self, vocabulary: Vocabulary, size: int, rng: np.random.Generator) -> Floats:
        """Directions (size, d); unit vectors, or a linear image of them."""

    @abstractmethod
    def fixed_radius(self, vocabulary: Vocabulary, size: int, rng: np.random.Generator) -> Floats:
        """Radii of scale one, whatever ε: (size,)."""

    def radius(self, vocabulary: Vocabulary, size: int, rng: np.random.Generator) -> Floats:
        """Radii (size,)."""
        return self.fixed_radius(vocabulary, size, rng) * self.scale(vocabulary)

    def fixed_noise(
        self, vocabulary: Vocabulary, size: int, rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """Directions, and radii of scale one."""
        directions = self.directions(vocabulary, size, rng)
        return directions, self.fixed_radius(vocabulary, size, rng)

    @abstractmethod
    def radius_cdf(self, vocabulary: Vocabulary, radius: Floats) -> Floats:
        """Pr[R <= radius], elementwise."""

    def noise(self, vocabulary: Vocabulary, size: int, rng: np.random.Generator) -> Floats:
        """Direction times radius."""
        noise = self.directions(vocabulary, size, rng)
        noise *= np.minimum(self.radius(vocabulary, size, rng), _LARGEST_RADIUS)[:, None]
        return noise


class NearestTwo(RadialNoise):
    """Radial noise, then the nearest word or the second nearest, as the noisy point p̂ has it.

    With D₁ <= D₂ its distances to the two, and 0 <= t < 1, the nearest is released with probability
    (1 - t) D₂ / (t D₁ + (1 - t) D₂).
    """

    t: float

    @property
    @abstractmethod
    def excludes_input(self) -> bool:
        """Whether the input word is removed before the two nearest are found."""

    @abstractmethod
    def among(
        self, vocabulary: Vocabulary, input_ids: WordIds, distances: Floats, ids: WordIds
    ) -> tuple[WordIds, Floats]:
        """The candidates among the nearest two (three as published), and the first's chance."""

    @abstractmethod
    def check(self, vocabulary: Vocabulary) -> None:
        """Raise a ValueError for a vocabulary with too few different words to choose from."""

    @staticmethod
    @abstractmethod
    def fixed_quantile(dimensions: int, share: Floats) -> Floats:
        """The radius of scale one below which a share of all radii lies, elementwise."""


def has_law(family: Family[Mechanism]) -> TypeGuard[Family[LawMechanism]]:
    """Whether the law of these mechanisms is known."""
    return issubclass(family.kind, LawMechanism)


def is_radial(family: Family[Mechanism]) -> TypeGuard[Family[RadialNoise]]:
    """Whether their noise is a direction times an independent radius: they have an ε path."""
    return issubclass(family.kind, RadialNoise)


def blocks(length: int, size: int) -> Iterator[slice]:
    """Cut range(length) into slices of at most `size`, at least one row each."""
    size = max(1, size)
    for first in range(0, length, size):
        yield slice(first, min(first + size, length))


def uniform_directions(size: int, dimensions: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Unit vectors (size, d), uniform on the sphere: normal vectors, normalised."""
    vectors = rng.standard_normal((size, dimensions))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors
