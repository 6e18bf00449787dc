"""A generator whose bits are written down, and the laws of the toy vocabulary to 200 digits."""

import mpmath
import numpy as np

PRECISE = mpmath.mp.clone()
PRECISE.dps = 200


class RejectedError(Exception):
    """A draw rejected its first point and asked for another one."""


class WrittenBits:
    """Hands out 64-bit words in order, as a `numpy.random.Generator` would."""

    def __init__(self, *words):
        """Words of 64 bits, as whole numbers: the first is a point, the others its further bits."""
        self.words = list(words)
        self.point_taken = False

    def integers(self, low, high, size, dtype, endpoint):
        assert (low, high, dtype, endpoint) == (0, 2**64 - 1, np.uint64, True)
        assert len(self.words) >= size, "more bits were asked for than are written down"
        taken, self.words = self.words[:size], self.words[size:]
        return np.array(taken, dtype=np.uint64)


def first_point_only(points):
    """`exact_draws.points`, which gives a draw from written bits one point and no second."""

    def once(rng, count):
        if isinstance(rng, WrittenBits) and count:
            if rng.point_taken:
                raise RejectedError
            rng.point_taken = True
        return points(rng, count)

    return once


def precise(fraction):
    """A rational to 200 digits."""
    return PRECISE.mpf(fraction.numerator) / fraction.denominator


def distance_weight(vocabulary, epsilon, gamma, word, output):
    """exp(-ε/2 · min(d, γ)) to 200 digits."""
    square = PRECISE.mpf(0)
    for x, y in zip(vocabulary.vectors[word], vocabulary.vectors[output], strict=True):
        square += (PRECISE.mpf(float(x)) - PRECISE.mpf(float(y))) ** 2
    return PRECISE.exp(-PRECISE.mpf(epsilon) / 2 * min(PRECISE.sqrt(square), PRECISE.mpf(gamma)))
