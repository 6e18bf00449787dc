"""What bars of long work say."""

from __future__ import annotations

from pages.shared.prose import plain, whole_percent
from release.grammar import counted, verb


def computing(share: float, jobs: int) -> str:
    """What the bar says."""
    return beside_others(f"Computing all ε at once: {whole_percent(share)} of the words.", jobs)


def beside_others(said: str, jobs: int) -> str:
    """What a bar says, and how many computations share this machine with this one."""
    return f"{said} {jobs} computations share this machine." if jobs > 1 else said


def ahead(computations: int) -> str:
    """What a bar says in a queue: how many come first."""
    return (
        f"{counted(computations, 'computation')} {verb(computations, 'is', 'are')} ahead of yours"
    )


def stopped(share: float) -> str:
    """What is left of a computation that was stopped."""
    return (
        f"Stopped at {whole_percent(share)} of the words. The page uses the part that is finished."
    )


def converting(name: str, done: int, of: int) -> str:
    """What a bar says while an embedding is brought into the form that is kept."""
    return f"{plain(name)}: {whole_percent(done / of)} converted; this happens only once …"
