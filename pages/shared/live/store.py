"""Classes in one SQLite file that all processes of a server share.

A class is known by a code of four letters. Its teacher holds a random key, a student a random
token that the student's browser made; the file holds hashes of both, and no name. Of an answer it
holds the number of the option that arrived, which is the noisy one if answers are private, and no
time. The first report of a student to a question counts, so that nobody averages the noise away.

The file is in write-ahead-log mode: readers wait for nobody, writers wait for each other, and a
process that is killed loses nothing that was answered. A deleted row is overwritten. A class that
nobody has touched for two hours has ended, and is deleted by the first process that looks.

The folder must be on a disk of this machine: SQLite's log does not work over a network.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Thread

from data.store import folder
from measures.randomised_response import RandomisedResponse

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I and O, which look like digits
UNTOUCHED = 2 * 3600.0
"""Seconds after which a class that nobody touches has ended."""
PRESENT = 20.0
"""Seconds after which a student who was not heard of is no longer counted as present."""
MOST_STUDENTS = 500
MOST_CLASSES = 200
_CODE_TRIES = 100

# Wrong codes within ten minutes: of one address (a school may share one), and of all.
TRIES_WITHIN = 600.0
MOST_TRIES = 20
MOST_TRIES_OF_ALL = 120

_SWEEP_EVERY = 300.0  # seconds

_SCHEMA = """
CREATE TABLE IF NOT EXISTS classes (
    code TEXT PRIMARY KEY, teacher BLOB NOT NULL, epsilon REAL, pace TEXT NOT NULL DEFAULT '',
    secret TEXT NOT NULL DEFAULT '', touched REAL NOT NULL);
CREATE TABLE IF NOT EXISTS students (
    code TEXT NOT NULL REFERENCES classes ON DELETE CASCADE, student BLOB NOT NULL,
    seen REAL NOT NULL, PRIMARY KEY (code, student)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
    code TEXT NOT NULL, question TEXT NOT NULL, student BLOB NOT NULL, report INTEGER NOT NULL,
    PRIMARY KEY (code, question, student),
    FOREIGN KEY (code, student) REFERENCES students ON DELETE CASCADE) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS revealed (
    code TEXT NOT NULL REFERENCES classes ON DELETE CASCADE, question TEXT NOT NULL,
    stage INTEGER NOT NULL, PRIMARY KEY (code, question)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS misses (address BLOB NOT NULL, at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS salt (value BLOB NOT NULL);
"""


class NoSuchClass(ValueError):
    """A code that no class has, or whose class has ended."""


class TooManyTries(ValueError):
    """So many wrong codes came from this address that no code is looked up for it."""


@dataclass(frozen=True)
class LiveClass:
    """The facts of a class for a student's page."""

    code: str
    epsilon: float | None
    """Of one answer; None if answers arrive as they are."""
    pace: str
    """The step that everyone sees, such as `1.predict`; empty if students go on by themselves."""
    secret: str
    """The answers of the rounds of the guessing game; empty before the first."""

    def coin(self, options: int) -> RandomisedResponse:
        """How an answer out of so many is reported."""
        return RandomisedResponse(options, self.epsilon)


@dataclass(frozen=True)
class Board:
    """The facts of a class for the teacher's board: counts only."""

    live: LiveClass
    present: int
    joined: int
    counts: dict[str, dict[int, int]]
    """Reports by question and option."""
    revealed: dict[str, int]
    """By question: 1 if its answers are shown, 2 if the right one is, too."""

    def of(self, question: str, options: int) -> list[int]:
        """Reports of a question by option, (options,)."""
        found = self.counts.get(question, {})
        return [found.get(option, 0) for option in range(options)]


class Store:
    """Classes on disk. One connection a process, used by one thread at a time."""

    def __init__(self, file: Path, clock: Callable[[], float] = time.time) -> None:
        """Open the file, or make it, readable by this user alone."""
        file.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
        self._now = clock
        self._lock = Lock()
        self._db = sqlite3.connect(
            file, timeout=10.0, isolation_level=None, check_same_thread=False
        )
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "secure_delete = ON"):
            self._db.execute(f"PRAGMA {pragma}")
        self._db.execute("PRAGMA foreign_keys = ON")
        with self._writing():
            for statement in filter(str.strip, _SCHEMA.split(";")):
                self._db.execute(statement)
            if not self._db.execute("SELECT 1 FROM salt").fetchone():
                self._db.execute("INSERT INTO salt VALUES (?)", (secrets.token_bytes(16),))
        (self._salt,) = self._db.execute("SELECT value FROM salt").fetchone()
        self._last_seen: dict[tuple[str, bytes], float] = {}

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction: all of it, or nothing."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def _rows(self, sql: str, *values: object) -> list[tuple]:
        with self._lock:
            return self._db.execute(sql, values).fetchall()

    def hashed(self, *parts: str) -> bytes:
        """A keyed hash of a key, a token or an address; the key is made with the file."""
        return hashlib.blake2b("\0".join(parts).encode(), digest_size=16, key=self._salt).digest()

    # ------------------------------------------------------------------------ the teacher

    def start(self, epsilon: float | None) -> tuple[str, str]:
        """Begin a class: its code, and the teacher's key.

        Raises
        ------
        ValueError
            If ε is out of range, or the server has as many classes as it takes.

        """
        RandomisedResponse(2, epsilon)  # checks ε
        self.sweep()
        key = secrets.token_hex(16)
        with self._writing():
            (count,) = self._db.execute("SELECT count(*) FROM classes").fetchone()
            if count >= MOST_CLASSES:
                raise ValueError(
                    f"This server already has {MOST_CLASSES} classes, the most it allows. End one, "
                    "or try again later: a class that nobody uses ends after "
                    f"{UNTOUCHED / 3600:.0f} hours."
                )
            for _ in range(_CODE_TRIES):
                code = "".join(secrets.choice(LETTERS) for _ in range(4))
                made = self._db.execute(
                    "INSERT OR IGNORE INTO classes (code, teacher, epsilon, touched) "
                    "VALUES (?, ?, ?, ?)",
                    (code, self.hashed(key, code), epsilon, self._now()),
                )
                if made.rowcount:
                    return code, key
        raise ValueError("No free class code was found. Try again.")

    def is_teacher(self, code: str, key: str) -> bool:
        """Whether this key is the one of the class, and the class has not ended."""
        return bool(self._rows(
            "SELECT 1 FROM classes WHERE code = ? AND teacher = ? AND touched > ?",
            code, self.hashed(key, code), self._now() - UNTOUCHED,
        ))  # fmt: skip

    def _teach(self, code: str, key: str, sql: str, *values: object) -> None:
        """One change by the teacher; it touches the class."""
        with self._writing():
            touched = self._db.execute(
                "UPDATE classes SET touched = ? WHERE code = ? AND teacher = ? AND touched > ?",
                (self._now(), code, self.hashed(key, code), self._now() - UNTOUCHED),
            )
            if not touched.rowcount:
                raise NoSuchClass("This class has ended, or another teacher has started it.")
            self._db.execute(sql, values)

    def set_pace(self, code: str, key: str, pace: str) -> None:
        """Have everyone see this step; with an empty one let students go on by themselves."""
        self._teach(code, key, "UPDATE classes SET pace = ? WHERE code = ?", pace, code)

    def set_secret(self, code: str, key: str, secret: str) -> None:
        """Keep what is to be guessed in the rounds of the guessing game."""
        self._teach(code, key, "UPDATE classes SET secret = ? WHERE code = ?", secret, code)

    def reveal(self, code: str, key: str, question: str, stage: int) -> None:
        """Show the answers to a question (1), the right one too (2), or hide both (0)."""
        self._teach(
            code, key, "INSERT OR REPLACE INTO revealed VALUES (?, ?, ?)", code, question, stage
        )

    def end(self, code: str, key: str) -> None:
        """End a class: all that is kept of it is deleted, also from the log of the file."""
        self._teach(code, key, "DELETE FROM classes WHERE code = ?", code)
        self._empty_the_log()

    def sweep(self) -> None:
        """Delete classes that nobody has touched for two hours, and old wrong codes."""
        late = self._now() - UNTOUCHED
        old = self._now() - TRIES_WITHIN
        if self._rows("SELECT 1 FROM misses WHERE at <= ? LIMIT 1", old):
            with self._writing():
                self._db.execute("DELETE FROM misses WHERE at <= ?", (old,))
        if self._rows("SELECT 1 FROM classes WHERE touched <= ? LIMIT 1", late):
            with self._writing():
                self._db.execute("DELETE FROM classes WHERE touched <= ?", (late,))
            self._empty_the_log()

    def _empty_the_log(self) -> None:
        """Bring deletions to the file, and cut the log off, which still holds what was deleted."""
        with self._lock:
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    # ------------------------------------------------------------------------ a student

    def find(self, code: str) -> LiveClass:
        """The class of a code.

        Raises
        ------
        NoSuchClass
            If there is none, or it has ended.

        """
        found = self._rows(
            "SELECT code, epsilon, pace, secret FROM classes WHERE code = ? AND touched > ?",
            code, self._now() - UNTOUCHED,
        )  # fmt: skip
        if not found:
            raise NoSuchClass("There is no class with this code. It may have ended.")
        return LiveClass(*found[0])

    def look_up(self, typed: str, address: str) -> LiveClass:
        """The class of a code that somebody at this address has typed.

        Raises
        ------
        NoSuchClass
            If there is none. The try counts.
        TooManyTries
            After 20 wrong codes of one address in ten minutes, or after 120 of all addresses for
            one that has tried a wrong code: also a right code is not looked up then. 331,776 codes
            exist.

        """
        now, hashed = self._now(), self.hashed("address", address)
        ((of_all, own),) = self._rows(
            "SELECT count(*), coalesce(sum(address = ?), 0) FROM misses WHERE at > ?",
            hashed,
            now - TRIES_WITHIN,
        )
        if own >= MOST_TRIES or (own and of_all >= MOST_TRIES_OF_ALL):
            raise TooManyTries(
                "Too many wrong codes were tried from this address. Ask for the code, wait "
                f"{TRIES_WITHIN / 60:.0f} minutes, and try again."
            )
        code = "".join(typed.split()).upper()
        try:
            return self.find(code)
        except NoSuchClass:
            with self._writing():
                self._db.execute("DELETE FROM misses WHERE at <= ?", (now - TRIES_WITHIN,))
                self._db.execute("INSERT INTO misses VALUES (?, ?)", (hashed, now))
            raise

    def join(self, code: str, token: str) -> LiveClass:
        """Be in a class: the student of this token, counted once, however often they come."""
        live, student, now = self.find(code), self.hashed(token, code), self._now()
        with self._writing():
            there = self._db.execute(
                "UPDATE students SET seen = ? WHERE code = ? AND student = ?", (now, code, student)
            )
            if not there.rowcount:
                (count,) = self._db.execute(
                    "SELECT count(*) FROM students WHERE code = ?", (code,)
                ).fetchone()
                if count >= MOST_STUDENTS:
                    raise ValueError(f"This class has {MOST_STUDENTS} students, and is full.")
                self._db.execute("INSERT INTO students VALUES (?, ?, ?)", (code, student, now))
                self._db.execute("UPDATE classes SET touched = ? WHERE code = ?", (now, code))
        return live

    def has(self, code: str, token: str) -> bool:
        """Whether the student of this token is in the class."""
        student = self.hashed(token, code)
        return bool(
            self._rows("SELECT 1 FROM students WHERE code = ? AND student = ?", code, student)
        )

    def seen(self, code: str, token: str) -> LiveClass:
        """The class, for a student who is still there; the time is written every few seconds."""
        student, now = self.hashed(token, code), self._now()
        if now - self._last_seen.get((code, student), -1e9) < PRESENT / 3:
            return self.find(code)
        while len(self._last_seen) >= 10 * MOST_STUDENTS:
            self._last_seen.pop(next(iter(self._last_seen)))
        self._last_seen[code, student] = now
        return self.join(code, token)

    def answer(self, code: str, token: str, question: str, report: int) -> bool:
        """Take a report to a question; whether it is the first of this student, which counts."""
        live = self.join(code, token)
        student = self.hashed(token, code)
        with self._writing():
            made = self._db.execute(
                "INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)",
                (live.code, question, student, report),
            )
            self._db.execute(
                "UPDATE classes SET touched = ? WHERE code = ?", (self._now(), live.code)
            )
        return bool(made.rowcount)

    def answered(self, code: str, token: str) -> list[str]:
        """The questions that a student has answered, in alphabetical order."""
        return [
            question
            for (question,) in self._rows(
                "SELECT question FROM answers WHERE code = ? AND student = ? ORDER BY question",
                code, self.hashed(token, code),
            )
        ]  # fmt: skip

    # ------------------------------------------------------------------------ the board

    def board(self, code: str, key: str) -> Board:
        """The counts of a class, for its teacher.

        Raises
        ------
        NoSuchClass
            If the key is not the teacher's, or the class has ended.

        """
        if not self.is_teacher(code, key):
            raise NoSuchClass("This class has ended, or another teacher has started it.")
        live = self.find(code)
        ((joined, present),) = self._rows(
            "SELECT count(*), coalesce(sum(seen > ?), 0) FROM students WHERE code = ?",
            self._now() - PRESENT, code,
        )  # fmt: skip
        counts: dict[str, dict[int, int]] = {}
        for question, report, count in self._rows(
            "SELECT question, report, count(*) FROM answers WHERE code = ? "
            "GROUP BY question, report",
            code,
        ):
            counts.setdefault(question, {})[report] = count
        stages = self._rows("SELECT question, stage FROM revealed WHERE code = ?", code)
        return Board(live, present, joined, counts, dict(stages))


_stores: dict[Path, Store] = {}
_opening = Lock()


def here() -> Store:
    """The store in this server's cache folder, opened once in a process.

    A thread of it deletes, every five minutes, what has ended.
    """
    file = folder() / "classes.sqlite3"
    with _opening:
        if file not in _stores:
            _stores[file] = Store(file)
            Thread(target=_keep_swept, args=(_stores[file],), daemon=True, name="classes").start()
        return _stores[file]


def _keep_swept(store: Store) -> None:
    while True:
        store.sweep()
        time.sleep(_SWEEP_EVERY)
