"""Where randomness comes from.

A release must not be predictable: `release_rng()` is ChaCha20 with a key from the operating system.
A demonstration may be repeatable: `seeded_rng(seed)` is, and whoever knows the seed can undo it.
"""

from __future__ import annotations

import secrets

import numpy as np


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
