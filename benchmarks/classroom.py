"""A class on one server: thirty sessions that all change something every two seconds.

A fresh server, and thirty sessions over Streamlit's own protocol, as thirty browsers speak it. Each
session changes ε, the text, ε again and the mechanism in turn, one change every two seconds, the
starts spread over them. A quarter of the time each session looks at the histograms of the
Deniability page and moves ε there: of random words, whose curves were computed before, or with
`--own-words` of the words of its text, whose curves each session computes anew. A student waits for
an answer before the next change, so a slow server gets fewer of them: `changes` says how many came.

first paint     from connecting until a private sentence is there, all at once
live sentence   from a change until its private sentence is there
page at rest    from a change until the page has run to its end
histogram       from a change of ε on the Deniability page until it has run to its end
memory          what the server holds resident (Linux): after one session has seen both pages, while
                all are there, and after all have left; growth is the last against the first, in a
                second round of sessions against the first round, since caches fill in the first

saturation      the same for classes of several sizes, one after the other on one server, beside the
                speed of this machine's interpreter in the same run: a loop of 10⁷ additions, whose
                1.5 s are the pace that the aims are stated at; they are scaled by the loop

    python -m benchmarks.classroom
    python -m benchmarks.classroom --students 30 --seconds 120
    python -m benchmarks.classroom --sizes 10 20 30 45 60 --seconds 60
    python -m benchmarks.classroom --sizes 60 --processes 2 --seconds 60
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import defaultdict
from contextlib import ExitStack
from dataclasses import dataclass, field

import numpy as np
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.live_sentence import machine
from benchmarks.start_up import free_port, healthy, memory, server

VERSIONS = '<div class="wv-version'
EARLY = ForwardMsg.FINISHED_EARLY_FOR_RERUN  # another run follows at once
OF_FRAGMENT = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY

PACE = 2.0  # seconds between two changes of a student
PATIENCE = 120.0
PROMISED = {"live sentence": 1.0, "histogram": 2.0}  # seconds, 95 of 100
PROMISED_GROWTH = 10.0  # percent
LOOP = 1.5  # seconds of `interpreter` at which the aims below are stated
AIMED = {(30, 1): 0.3, (60, 2): 0.5}  # students, processes: seconds for a sentence, 95 of 100
SATURATED = 1.0  # seconds for a sentence, 95 of 100, above which a class is too large
LEFT = 15.0  # seconds after which the sessions that left are cleared away

TEXTS = (
    "My doctor in London said the movie was a wonderful surprise.",
    "The actor looked tired and sad, but my mother thinks the film was great.",
    "Seven hockey players ate a quiet breakfast before the long journey home.",
    "She asked the teacher whether the green river had ever been warm in winter.",
)
RANDOM = "random words"
BEFORE = "before the lesson"  # what is not measured
Servers = dict[str, int]
"""Their process ids, by their addresses."""
EPSILON = {"CMP": (3.0, 9.0), "TEM": (1.0, 6.0), "Mahalanobis": (3.0, 9.0)}


@dataclass
class Measured:
    """Seconds by what was waited for, and what went wrong."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)


class Student:
    """One session: what a browser would send, and what it would show."""

    def __init__(self, address: str, seed: int, measured: Measured) -> None:
        """Nothing is opened yet."""
        self._address = address.replace("http", "ws") + "/_stcore/stream"
        self._rng = np.random.default_rng(seed)
        self._measured = measured
        self._pages: dict[str, str] = {}
        self._page = ""
        self._ids: dict[str, str] = {}
        self._values: dict[str, tuple[str, object]] = {}
        self._query = "size=30000"
        self._fragment = ""  # one that runs by the clock
        self._parts: dict[str, str] = {}
        self._there: set[str] = set()  # controls of the run of the whole page
        self._changed = ""
        self._token = json.dumps({"token": self._rng.bytes(16).hex()})  # its tab's, which it tells
        self.mechanism = "CMP"

    async def __aenter__(self) -> Student:
        """Connect."""
        self._socket = await websockets.connect(
            self._address,
            subprotocols=["streamlit"],
            max_size=None,
            open_timeout=PATIENCE,
            ping_interval=None,  # a slow server is measured, not given up
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        """Leave, as a browser that is closed does."""
        await self._socket.close()

    async def run(self, what: str, page: str | None = None) -> None:
        """Send all values, and wait until the page has run to its end; keep the times."""
        if page is not None:
            self._page = self._pages.get(page, "")
        begin = time.perf_counter()
        await self._send("" if page is not None else self._parts.get(self._changed, ""))
        sentence = await self._shown(begin)
        if page is None and what == "live sentence":
            self._measured.seconds["page at rest"].append(time.perf_counter() - begin)
            if sentence is None:
                self._measured.errors.append("no private sentence was shown")
            else:
                self._measured.seconds[what].append(sentence)
        else:
            self._measured.seconds[what].append(time.perf_counter() - begin)

    async def filled(self) -> None:
        """Ask again as a browser does while a fragment runs by the clock, until it does not."""
        while self._fragment:
            await asyncio.sleep(0.7)
            await self._send(self._fragment, by_clock=True)
            await self._shown(time.perf_counter())

    def change(self, what: str) -> None:
        """Change ε, the text or the mechanism to something else, or look at random words."""
        if what == "text":
            text = f"{TEXTS[self._rng.integers(len(TEXTS))]} {self._rng.integers(1_000)}"
            self._set("text", "string_value", text)
        elif what == "mechanism":
            self.mechanism = str(self._rng.choice([m for m in EPSILON if m != self.mechanism]))
            self._set("mechanism", "string_value", self.mechanism)
        elif what == "words":
            self._set("sample", "string_value", RANDOM)
        else:
            epsilon = round(float(self._rng.uniform(*EPSILON[self.mechanism])), 2)
            self._set(f"{self.mechanism.lower()}.epsilon.typed", "string_value", str(epsilon))

    def heard(self, delta: Delta) -> None:
        """See a part of the page come."""

    def _set(self, key: str, kind: str, value: object) -> None:
        if key not in self._ids:
            self._measured.errors.append(f"there is no control {key}")
        else:
            self._values[self._ids[key]] = (kind, value)
            self._changed = key

    async def _send(self, fragment: str = "", by_clock: bool = False) -> None:
        """Ask for a run: of the whole page, or of the part that a changed control belongs to."""
        message = BackMsg()
        run = message.rerun_script
        run.query_string, run.page_script_hash, run.fragment_id = self._query, self._page, fragment
        run.is_auto_rerun = by_clock
        for identity, (kind, value) in self._values.items():
            run.widget_states.widgets.append(WidgetState(**{"id": identity, kind: value}))
        await self._socket.send(message.SerializeToString())

    async def _shown(self, begin: float) -> float | None:
        """Read until the run has ended; seconds until a private sentence, None without one."""
        sentence, clock = None, ""
        while True:
            data = await asyncio.wait_for(self._socket.recv(), PATIENCE)
            message = ForwardMsg.FromString(data)
            kind = message.WhichOneof("type")
            if kind == "delta":
                self.heard(message.delta)
                element = message.delta.new_element
                name = element.WhichOneof("type") or ""
                if name == "exception":
                    self._measured.errors.append(element.exception.type)
                identity = getattr(getattr(element, name, None), "id", "")
                if isinstance(identity, str) and identity.startswith("$$ID-"):
                    key = identity.split("-", 2)[2]
                    self._ids[key] = identity
                    self._parts[key] = message.delta.fragment_id
                    self._there.add(identity)
                    if key == "tab":
                        self._values[identity] = ("json_value", self._token)
                if name == "html" and sentence is None and VERSIONS in element.html.body:
                    sentence = time.perf_counter() - begin
            elif kind == "new_session":
                self._there = set()
            elif kind == "navigation":
                pages = message.navigation.app_pages
                self._pages = {each.url_pathname: each.page_script_hash for each in pages}
                self._page = message.navigation.page_script_hash
            elif kind == "page_info_changed":
                self._query = message.page_info_changed.query_string
            elif kind == "auto_rerun":
                clock = message.auto_rerun.fragment_id
            elif kind == "script_finished" and message.script_finished == EARLY:
                clock = ""
            elif kind == "script_finished":
                if clock or message.script_finished != OF_FRAGMENT:  # after one the clock goes on
                    self._fragment = clock
                if message.script_finished != OF_FRAGMENT:  # a control that is gone has no value
                    self._values = {i: v for i, v in self._values.items() if i in self._there}
                return sentence


CHANGES = ("ε", "text", "ε", "mechanism")


async def look_at_random_words(student: Student) -> None:
    """Type a text and go to the histograms, which are then of its words; choose random words."""
    student.change("text")
    await student.run(BEFORE)
    await student.run(BEFORE, "deniability")
    student.change("words")
    await student.run(BEFORE)
    await student.filled()
    await student.run(BEFORE, "perturb")


async def attend(student: Student, place: float, seconds: float) -> None:
    """Two minutes of one student; `place` from 0 to 1 spreads starts and histograms."""
    await asyncio.sleep(place * PACE)
    begin, number = time.perf_counter(), 0
    quarter = int(4 * place)
    where = "perturb"
    while (now := time.perf_counter() - begin) < seconds:
        wanted = "deniability" if int(4 * now / seconds) == quarter else "perturb"
        if wanted != where:
            where = wanted
            await student.run("another page", where)
            await student.filled()
        elif where == "deniability":
            student.change("ε")
            await student.run("histogram")
            await student.filled()
        else:
            student.change(CHANGES[number % 4])
            number += 1
            await student.run("live sentence")
        await asyncio.sleep(max(0.0, PACE - (time.perf_counter() - begin - now)))


async def lesson(
    servers: Servers, students: int, seconds: float, own_words: bool
) -> tuple[Measured, float]:
    """All students at once, from first paint until they leave; memory while they are there."""
    measured, addresses = Measured(), list(servers)
    there = [Student(addresses[i % len(addresses)], i, measured) for i in range(students)]
    await asyncio.gather(*(student.__aenter__() for student in there))
    await asyncio.gather(*(student.run("first paint") for student in there))
    if not own_words:
        await asyncio.gather(*(look_at_random_words(student) for student in there))
        del measured.seconds[BEFORE]
    await asyncio.gather(
        *(attend(student, i / students, seconds) for i, student in enumerate(there))
    )
    held = resident(servers)
    await asyncio.gather(*(student.__aexit__() for student in there))
    return measured, held


async def rehearsal(servers: Servers) -> None:
    """The teacher looks at what the class will: both pages, every mechanism, on each server."""
    measured = Measured()
    for address in servers:
        async with Student(address, 0, measured) as teacher:
            await teacher.run("first paint")
            for mechanism in EPSILON:
                teacher.mechanism = mechanism
                teacher._set("mechanism", "string_value", mechanism)
                await teacher.run("live sentence")
                await teacher.run("another page", "deniability")
                await teacher.filled()
                await teacher.run("another page", "perturb")
    if measured.errors:
        raise RuntimeError(f"the rehearsal failed: {measured.errors[:3]}")


def resident(servers: Servers) -> float:
    """Resident megabytes of all servers; not a number where there is no /proc."""
    held = [memory(pid) for pid in servers.values()]
    return sum(each[0] if each else float("nan") for each in held)


async def measure(servers: Servers, students: int, seconds: float, own_words: bool) -> None:
    """Print both tables."""
    await rehearsal(servers)
    alone = resident(servers)
    measured, held = await lesson(servers, students, seconds, own_words)
    await asyncio.sleep(LEFT)
    after = resident(servers)
    again, _ = await lesson(servers, students, seconds / 4, own_words)
    await asyncio.sleep(LEFT)
    last = resident(servers)
    print(f"{students} students, {seconds:g} s, a change every {PACE:g} s\n")
    print("| waited for | changes | median, s | 95 of 100 under, s | longest, s | promised, s |")
    print("|:---|---:|---:|---:|---:|---:|")
    for what, times in measured.seconds.items():
        middle, most = np.quantile(times, [0.5, 0.95])
        limit = f"{PROMISED[what]:g}" if what in PROMISED else ""
        print(f"| {what} | {len(times)} | {middle:.2f} | {most:.2f} | {max(times):.2f} | {limit} |")
    wrong = measured.errors + again.errors
    print(f"\nerrors: {len(wrong)}{'; ' + '; '.join(sorted(set(wrong))) if wrong else ''}\n")
    growth = 100 * (last / after - 1)
    print("| memory | MB |")
    print("|:---|---:|")
    print(f"| after one session on both pages | {alone:.0f} |")
    print(f"| {students} sessions | {held:.0f} |")
    print(f"| a session more | {(held - alone) / students:.1f} |")
    print(f"| all have left | {after:.0f} |")
    print(f"| all have left a second time | {last:.0f} |")
    print(f"\ngrowth from class to class: {growth:.1f} % (promised: under {PROMISED_GROWTH:g} %)")


def interpreter() -> float:
    """Seconds of a pure Python loop of 10⁷ additions: how fast one interpreter is here."""
    begin, total = time.perf_counter(), 0
    for number in range(10_000_000):
        total += number
    return time.perf_counter() - begin


async def measure_sizes(
    servers: Servers, sizes: list[int], seconds: float, own_words: bool
) -> None:
    """Print the waits of classes of several sizes, and where a sentence takes too long."""
    await rehearsal(servers)
    loop = interpreter()
    print(f"a loop of 10⁷ additions takes {loop:.2f} s before, in one thread\n")
    print("| students | changes | sentence, s | at rest, s | histogram, s | aim, scaled, s |")
    print("|---:|---:|---:|---:|---:|---:|")
    largest, errors = 0, []
    for students in sizes:
        measured, _ = await lesson(servers, students, seconds, own_words)
        errors += measured.errors
        slow = {what: float(np.quantile(times, 0.95)) for what, times in measured.seconds.items()}
        sentence = slow.get("live sentence", float("nan"))
        shown = " | ".join(
            f"{slow.get(what, float('nan')):.2f}"
            for what in ("live sentence", "page at rest", "histogram")
        )
        aimed = AIMED.get((students, len(servers)))
        aim = f"{aimed * loop / LOOP:.2f}" if aimed else ""
        print(f"| {students} | {len(measured.seconds['live sentence'])} | {shown} | {aim} |")
        if sentence <= SATURATED:
            largest = students
        await asyncio.sleep(LEFT)
    print(f"\n95 of 100 in each column. errors: {len(errors)}. a loop after: {interpreter():.2f} s")
    if errors:
        print("; ".join(sorted(set(errors))))
    print(f"the largest of these classes with a sentence within {SATURATED:g} s: {largest}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="A class on one server.")
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument(
        "--sizes", type=int, nargs="+", help="measure classes of these sizes instead"
    )
    parser.add_argument(
        "--processes", type=int, default=1, help="servers, which share the students evenly"
    )
    parser.add_argument(
        "--own-words", action="store_true", help="histograms are of the words of each one's text"
    )
    arguments = parser.parse_args()
    how = arguments.seconds, arguments.own_words
    print(machine() + "\n")
    with ExitStack() as running:
        servers = {}
        for _ in range(arguments.processes):
            port, start = free_port(), time.perf_counter()
            process = running.enter_context(server(port))
            healthy(address := f"http://127.0.0.1:{port}", process, start)
            servers[address] = process.pid
        if arguments.sizes:
            asyncio.run(measure_sizes(servers, arguments.sizes, *how))
        else:
            asyncio.run(measure(servers, arguments.students, *how))


if __name__ == "__main__":
    main()
