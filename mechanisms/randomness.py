"""Where randomness comes from.

A release must not be predictable: `release_rng()` is ChaCha20 with a key from the operating system.
A demonstration may be repeatable: `seeded_rng(seed)` is, and anyone who knows the seed can undo it.
"""

from __future__ import annotations

import secrets
import warnings

import numpy as np


class SeededReleaseWarning(UserWarning):
    """A release whose draws can be repeated, and so undone, by anyone who knows the seed.

    >>> import numpy as np, warnings, wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> with warnings.catch_warnings(record=True, action="always") as caught:
    ...     private = wv.privatise("movie", wv.TEM(epsilon=4), v, np.random.default_rng(1))
    >>> caught[0].category.__name__
    'SeededReleaseWarning'
    """


def warn_of_seed(what: str, stacklevel: int) -> None:
    """Warn that a release can be undone: `what` names the cause."""
    message = (
        f"{what} makes a release repeatable: anyone who knows it can undo the release, and no "
        "guarantee holds. Leave it out to release; to measure, use `law`, `draws_of` or `curves`."
    )
    warnings.warn(message, SeededReleaseWarning, stacklevel=stacklevel + 1)


def is_for_release(rng: np.random.Generator) -> bool:
    """Whether a generator is a cryptographic one, as `release_rng` returns."""
    return type(rng.bit_generator).__name__ == "ChaCha"


def release_rng() -> np.random.Generator:
    """A cryptographic generator: ChaCha, 20 rounds, 256-bit key from the operating system."""
    return keyed_rng(secrets.randbits(256))


def keyed_rng(key: int) -> np.random.Generator:
    """The cryptographic generator of one 256-bit key; whoever has the key can repeat its draws."""
    from randomgen import ChaCha

    return np.random.Generator(ChaCha(key=key, rounds=20))


def seeded_rng(seed: int) -> np.random.Generator:
    """A repeatable generator, for demonstrations and tests only: the seed gives everything away."""
    return np.random.default_rng(seed)
