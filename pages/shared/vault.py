"""What a browser's tab finds again after a reload: in memory, under the tab's token, for a while.

Nothing is written to disk. A thing that nobody has visited for `SECONDS` is wiped, by a clock of
its own and not by the next visitor.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock, Timer
from typing import Generic, TypeVar

SECONDS = 15 * 60

Kept = TypeVar("Kept")


class Vault(Generic[Kept]):
    """Things by token, at most so many and so heavy together: the oldest go first."""

    def __init__(
        self,
        most: int = 1_000,
        weight: Callable[[Kept], int] = lambda thing: 0,
        heaviest: int = 1 << 30,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the limits; nothing is kept yet."""
        self.clock = clock
        self.most, self._weight, self._heaviest = most, weight, heaviest
        self._things: dict[str, tuple[float, Kept]] = {}
        self._lock = Lock()
        self._timer: Timer | None = None

    def find(self, token: str) -> Kept | None:
        """The thing of a token; None if there is none any more."""
        with self._lock:
            self._wipe()
            found = self._things.get(token)
            return None if found is None else found[1]

    def keep(self, token: str, thing: Kept) -> None:
        """Keep a thing from now on, in place of the token's last one."""
        with self._lock:
            self._things.pop(token, None)  # the last one that was visited is the last in the order
            self._things[token] = (self.clock(), thing)
            self._wipe()
            if self._timer is None:
                self._wait()

    def drop(self, token: str) -> None:
        """Forget the thing of a token at once."""
        with self._lock:
            self._things.pop(token, None)

    def tokens(self) -> list[str]:
        """The tokens that have a thing, oldest first."""
        with self._lock:
            return list(self._things)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._things.clear()

    def _wait(self) -> None:
        """Wipe again when the oldest thing is due, as long as there is one."""
        self._timer = None
        if self._things:
            oldest, _ = next(iter(self._things.values()))
            self._timer = Timer(max(0.0, oldest + SECONDS - self.clock()) + 1, self._due)
            self._timer.daemon = True
            self._timer.start()

    def _due(self) -> None:
        with self._lock:
            self._wipe()
            self._wait()

    def _wipe(self) -> None:
        late = self.clock() - SECONDS
        for token in [token for token, (at, _) in self._things.items() if at < late]:
            del self._things[token]
        heavy = sum(self._weight(thing) for _, thing in self._things.values())
        while len(self._things) > self.most or (heavy > self._heaviest and len(self._things) > 1):
            oldest = next(iter(self._things))
            heavy -= self._weight(self._things.pop(oldest)[1])
