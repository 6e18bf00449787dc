"""Costly results about vocabulary words, computed once and kept on disk for every process.

A result is a function of the mechanism, the vocabulary and a few settings (word ids among them,
draws, seed). Those make the fingerprint under which `data.store` keeps it: a mechanism is its own
repr, and a vocabulary has a fingerprint of its own. Word ids that come from a visitor's text never
enter here, and nothing about a visitor's own embedding is kept.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from numpy.typing import NDArray

from data import store
from mechanisms import Family, Mechanism, Vocabulary

Arrays = Mapping[str, NDArray[Any]]


def cached(
    kind: str,
    mechanism: Family[Mechanism] | Mechanism | None,
    vocabulary: Vocabulary,
    settings: Mapping[str, Any],
    compute: Callable[[], Arrays],
) -> Arrays:
    """The arrays of `compute()`: from disk where they have been kept, otherwise computed and kept.

    Parameters
    ----------
    kind
        What is computed and how, such as `path-2`: raise its number when `compute` changes.
    mechanism, vocabulary
        What the result is about: a family if it is the same at every ε, none if it is about the
        vocabulary alone. A
        vocabulary's fingerprint covers words and vectors; what else a result depends on, a lexicon
        for one, belongs into the settings.
    settings
        All else that it depends on, as JSON can hold it.
    compute
        Gives named arrays. Asked only where the result is not there.

    Where the store cannot be read or written, a `RuntimeWarning` says why, and the result is
    computed and not kept.

    """
    if not vocabulary.public:
        return compute()
    provenance = {
        "mechanism": repr(mechanism),
        "vocabulary": vocabulary.fingerprint,
        "settings": dict(settings),
    }
    name = store.fingerprint(kind, json.dumps(provenance, sort_keys=True, allow_nan=False))
    try:
        result = store.read(kind, name)
    except OSError as error:
        warnings.warn(str(error), RuntimeWarning, stacklevel=2)
        return compute()
    if result is not None:
        return result.arrays
    arrays = compute()
    try:
        store.write(kind, name, arrays, provenance)
    except OSError as error:
        warnings.warn(str(error), RuntimeWarning, stacklevel=2)
    return arrays
