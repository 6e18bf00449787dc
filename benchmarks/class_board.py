"""Four classes at once: how long an answer takes to the teacher's board.

Fresh servers that share one folder, and over Streamlit's own protocol a teacher and the students of
each class, who ask again as browsers do: a student's page every two seconds, a board every 0.7.
Each teacher starts a class and has everyone see the first step of lesson 1. Students join by the
code, wait for the step, and answer at times by chance; every answer of a class is the same option,
another one in each class.

on the board    from sending an answer until the board has counted as many as were sent by then
errors          exceptions on any page, answers that are missing or in another class

    python -m benchmarks.class_board
    python -m benchmarks.class_board --students 100 --classes 4 --processes 2 --seconds 60
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import secrets
import sqlite3
import tempfile
import time
from pathlib import Path

import numpy as np
from streamlit.proto.Delta_pb2 import Delta

from benchmarks.classroom import Measured, Student, interpreter
from benchmarks.live_sentence import machine
from benchmarks.start_up import free_port, healthy, server

QUESTION, OPTIONS = "1.predict", 5
STEP = "Lesson 1 · Deniability · ① Predict"
WITHIN = 1.0  # seconds until an answer is on the board, for 95 of 100
ASK_STUDENT, ASK_BOARD = 2.0, 0.7  # seconds between two questions of a page to its server
PATIENCE = 120.0


class Visitor(Student):
    """One session that also reads what is written, and presses buttons by their label."""

    def __init__(self, address: str, measured: Measured) -> None:
        """Nothing is opened yet."""
        super().__init__(address, 0, measured)
        self.written: dict[str, str] = {}
        self.buttons: dict[str, tuple[str, str]] = {}
        self._query = ""

    def heard(self, delta: Delta) -> None:
        """Keep what is written at each place, and where buttons are."""
        element = delta.new_element
        name = element.WhichOneof("type")
        if name == "markdown":
            self.written[element.markdown.body[:12]] = element.markdown.body
        elif name == "code":
            self.written["code"] = element.code.code_text
        elif name == "button":
            self.buttons[element.button.label] = element.button.id, delta.fragment_id

    async def press(self, label: str) -> None:
        """Press a button once."""
        identity, part = self.buttons[label]
        self._values[identity] = "trigger_value", True
        await self._send(part)
        del self._values[identity]
        await self._shown(time.perf_counter())

    async def tell(self, key: str, kind: str, value: object) -> None:
        """Change a control, and wait for the run that follows."""
        self._set(key, kind, value)
        await self._send(self._parts.get(key, ""))
        await self._shown(time.perf_counter())

    async def ask_again(self) -> None:
        """What the clock of a page asks."""
        if self._fragment:
            await self._send(self._fragment, by_clock=True)
            await self._shown(time.perf_counter())


class Teacher(Visitor):
    """A teacher, and the times at which the board had counted so many answers."""

    code = ""

    async def begin(self) -> None:
        """Start a class, and have everyone see the step."""
        await self.run("first paint")
        await self.run("another page", "teach")
        await self.tell("class-private", "bool_value", False)  # so that answers tell their class
        await self.press("Start a class")
        (self.code,) = re.findall(r"class=([A-Z]{4})", self.written["code"])
        await self.tell("class-pace", "string_value", STEP)

    def counted(self) -> int:
        """How many answers the board says it has."""
        text = " ".join(self.written.values())
        found = re.findall(r"\*\*(\d+) of \d+\*\* have answered", text)
        return int(found[-1]) if found else 0

    async def watch(self, seen: list[float], students: int, until: float) -> None:
        """Ask for the board by its clock; when each number of answers was first there."""
        while len(seen) < students and time.perf_counter() < until:
            begin = time.perf_counter()
            await self.ask_again()
            now = time.perf_counter()
            seen += [now] * (self.counted() - len(seen))
            await asyncio.sleep(max(0.0, ASK_BOARD - (now - begin)))


class Pupil(Visitor):
    """A student of a class: joins, waits for the step, answers once."""

    async def attend(self, code: str, option: int, answer_at: float) -> float:
        """When the answer was sent."""
        token = secrets.token_hex(16)
        await self.run("first paint")
        self._query = f"class={code}"
        await self.run("another page", "learn")
        await self.tell("class-member", "json_value", json.dumps({"student": token}))
        key = f"class.{code}.{QUESTION}"
        until = time.perf_counter() + PATIENCE
        while time.perf_counter() < max(answer_at, 0) or key not in self._ids:
            if time.perf_counter() > until:
                self._measured.errors.append("the step of the teacher never came")
                return float("nan")
            left = answer_at - time.perf_counter()
            await asyncio.sleep(min(ASK_STUDENT, left) if left > 0 else 0.1)
            await self.ask_again()
        report = {"student": token, "question": QUESTION, "report": option}
        sent = time.perf_counter()
        await self.tell(key, "json_value", json.dumps({"report": report}))
        return sent


async def classes(
    addresses: list[str], students: int, number: int, seconds: float
) -> tuple[list[float], Measured, list[str]]:
    """Delays of all answers, what went wrong, and the codes of the classes."""
    measured, delays = Measured(), []
    teachers = [Teacher(addresses[i % len(addresses)], measured) for i in range(number)]
    pupils = [Pupil(addresses[i % len(addresses)], measured) for i in range(students)]
    async with contextlib.AsyncExitStack() as stack:
        for visitor in (*teachers, *pupils):
            await stack.enter_async_context(visitor)
        for teacher in teachers:
            await teacher.begin()
        rng = np.random.default_rng(0)
        start = time.perf_counter() + seconds / 3
        at = start + rng.uniform(0, 2 * seconds / 3, students)
        seen: list[list[float]] = [[] for _ in teachers]
        # Students of a class are on all processes: class by the block, process by turns.
        of_class = [i * number // students for i in range(students)]
        watching = [
            asyncio.create_task(
                teacher.watch(seen[c], of_class.count(c), start + seconds + PATIENCE)
            )
            for c, teacher in enumerate(teachers)
        ]
        sent = await asyncio.gather(
            *(
                pupil.attend(teachers[c].code, c % OPTIONS, float(when))
                for pupil, c, when in zip(pupils, of_class, at, strict=True)
            )
        )
        await asyncio.gather(*watching)
    for c in range(number):
        mine = sorted(s for s, of in zip(sent, of_class, strict=True) if of == c)
        if len(seen[c]) != len(mine):
            measured.errors.append(f"a board has {len(seen[c])} answers of {len(mine)}")
        delays += [there - gone for gone, there in zip(mine, seen[c], strict=False)]
    return delays, measured, [teacher.code for teacher in teachers]


def others(file: Path, codes: list[str]) -> int:
    """How many answers of a class are not its own option; 0 if nobody got another's."""
    with contextlib.closing(sqlite3.connect(file)) as store:
        rows = store.execute("SELECT code, report FROM answers").fetchall()
    return sum(report != codes.index(code) % OPTIONS for code, report in rows)


def run(
    students: int, number: int, processes: int, seconds: float
) -> tuple[list[float], list[str]]:
    """Delays in seconds, and what went wrong."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        os.environ["WORDVEIL_CACHE"] = folder
        ports = [free_port() for _ in range(processes)]
        for port in ports:
            begin = time.perf_counter()
            process = stack.enter_context(server(port))
            healthy(f"http://127.0.0.1:{port}", process, begin)
        addresses = [f"http://127.0.0.1:{port}" for port in ports]
        delays, measured, codes = asyncio.run(classes(addresses, students, number, seconds))
        if wrong := others(Path(folder) / "classes.sqlite3", codes):
            measured.errors.append(f"{wrong} answers in another class")
    return delays, measured.errors


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Four classes at once.")
    parser.add_argument("--students", type=int, default=100)
    parser.add_argument("--classes", type=int, default=4)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60.0)
    a = parser.parse_args()
    print(machine())
    print(f"a loop of 10⁷ additions takes {interpreter():.2f} s, in one thread\n")
    delays, errors = run(a.students, a.classes, a.processes, a.seconds)
    middle, most = np.quantile(delays, [0.5, 0.95])
    print("| students | classes | processes | answers | median, s | 95 of 100 under, s | aim, s |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    print(
        f"| {a.students} | {a.classes} | {a.processes} | {len(delays)} | {middle:.2f} | {most:.2f} "
        f"| {WITHIN:g} |"
    )
    print(f"\nerrors: {len(errors)}{'; ' + '; '.join(sorted(set(errors))) if errors else ''}")


if __name__ == "__main__":
    main()
