"""Settings packed into one opaque word of a link, so that nobody reads them by accident.

This hides, and does not protect: whoever wants to can unpack it.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping

# More than any link holds, so that a tiny seal cannot unfold into gigabytes.
_LONGEST = 20_000


def seal(settings: Mapping[str, str]) -> str:
    """Settings as letters, digits, `-` and `_`; zlib's checksum tells damage."""
    text = json.dumps(dict(settings), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unseal(sealed: str) -> dict[str, str]:
    """The settings of a seal.

    Raises
    ------
    ValueError
        If it is damaged: cut off, mistyped, or none.

    """
    unpack = zlib.decompressobj()
    try:
        packed = base64.b64decode(sealed + "=" * (-len(sealed) % 4), altchars=b"-_", validate=True)
        text = unpack.decompress(packed, _LONGEST)
        settings = json.loads(text) if unpack.eof else None
    except (binascii.Error, zlib.error, ValueError):
        settings = None
    if not isinstance(settings, dict) or not all(isinstance(v, str) for v in settings.values()):
        raise ValueError("is damaged: open the link again as you received it")
    return settings
