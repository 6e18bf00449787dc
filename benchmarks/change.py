"""The processor time of a change on Private sentences, beside the part that nothing can avoid.

One session changes ε, the text and the mechanism of a fresh server, one after the other:

the app       all that the server does for a change
a blank page  the same for a page of as many elements that computes nothing: Streamlit's own work
the draw      the words of the text drawn in this process, without a server

The servers of both take turns. Linux only: processor time is read from /proc.

    python -m benchmarks.change
    python -m benchmarks.change --changes 100
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from streamlit.proto.Delta_pb2 import Delta

from benchmarks.classroom import EPSILON, TEXTS, Measured, Student, interpreter, rehearsal
from benchmarks.live_sentence import machine
from benchmarks.start_up import free_port, healthy, server
from data import embeddings
from mechanisms import MECHANISMS
from mechanisms.text import private_versions

CHANGES = ("ε", "text", "mechanism")
ROUNDS = 2
VERSIONS = 3
BLANK = "benchmarks/blank_page.py"
_TICK = os.sysconf("SC_CLK_TCK")


class Counting(Student):
    """A session that counts the elements and containers that come."""

    came = 0

    def heard(self, delta: Delta) -> None:
        """Count it."""
        self.came += 1


class Cost(NamedTuple):
    """Of one change: processor time in milliseconds, and how many elements came."""

    milliseconds: float
    elements: float


def processor_seconds(pid: int) -> float:
    """Seconds that a process has computed, all its threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


async def cost(student: Counting, pid: int, what: str, changes: int) -> Cost:
    """What one change of a kind costs."""
    student.change(what)
    await student.run("before")
    before, student.came = processor_seconds(pid), 0
    for _ in range(changes):
        student.change(what)
        await student.run("measured")
    taken = processor_seconds(pid) - before
    return Cost(1e3 * taken / changes, student.came / changes)


async def measure(changes: int) -> None:
    """Print the table."""
    measured = Measured()
    ports = free_port(), free_port()
    with server(ports[0]) as app, server(ports[1], BLANK) as blank:
        taken: dict[str, dict[str, list[Cost]]] = {what: {} for what in CHANGES}
        addresses = [f"http://127.0.0.1:{port}" for port in ports]
        for address, process in zip(addresses, (app, blank), strict=True):
            healthy(address, process, time.perf_counter())
        await rehearsal({addresses[0]: app.pid})
        async with (
            Counting(addresses[0], 1, measured) as there,
            Counting(addresses[1], 1, measured) as empty,
        ):
            for student in (there, empty):
                await student.run("first paint")
            for _ in range(ROUNDS):
                for name, student, process in (("app", there, app), ("blank", empty, blank)):
                    for what in CHANGES:
                        found = await cost(student, process.pid, what, changes)
                        taken[what].setdefault(name, []).append(found)
    print("| change | the app, ms | elements | a blank page, ms | elements |")
    print("|:---|---:|---:|---:|---:|")
    for what, by in taken.items():
        print(f"| {what} | {shown(by['app'])} | {shown(by['blank'])} |")
    print(f"\nthe draw: {draw(changes):.1f} ms. errors: {len(measured.errors)}")
    if measured.errors:
        print("; ".join(sorted(set(measured.errors))))


def draw(changes: int) -> float:
    """Processor time of one draw of a text, as many times by each mechanism of the changes."""
    vocabulary, rng = embeddings.vocabulary(), np.random.default_rng(1)
    families = [mechanism for mechanism in MECHANISMS if mechanism.name in EPSILON]
    drawn = []
    for number in range(len(families) + changes):  # the first of each prepares the vocabulary
        family = families[number % len(families)]
        mechanism = family(epsilon=float(rng.uniform(*EPSILON[family.name])))
        before = time.process_time()
        private_versions(TEXTS[number % len(TEXTS)], mechanism, vocabulary, rng, VERSIONS)
        drawn.append(time.process_time() - before)
    return 1e3 * float(np.mean(drawn[len(families) :]))


def shown(costs: list[Cost]) -> str:
    """Two cells: the milliseconds of each round, and the elements of a change."""
    each = ", ".join(f"{cost.milliseconds:.1f}" for cost in costs)
    return f"{each} | {np.mean([cost.elements for cost in costs]):.0f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="The cost of a change on Private sentences.")
    parser.add_argument("--changes", type=int, default=200)
    changes = parser.parse_args().changes
    print(machine() + "\n")
    print(f"{changes} changes of each kind, {ROUNDS} times")
    print(f"a loop of 10⁷ additions takes {interpreter():.2f} s\n")
    asyncio.run(measure(changes))


if __name__ == "__main__":
    main()
