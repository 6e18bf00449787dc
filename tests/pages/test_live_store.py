"""The store of live classes: codes, students, answers, the end, several processes, four classes."""

import multiprocessing
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from pages.shared.live import store as live
from pages.shared.live.store import NoSuchClass, Store, TooManyTries

ROOT = Path(__file__).parents[2]
TOKEN = "5e0f" * 8


class Clock:
    """A time of day that a test moves on."""

    now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(tmp_path, clock):
    return Store(tmp_path / "classes.sqlite3", clock)


def token(number):
    return f"{number:032x}"


def written(folder):
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()))


def test_a_code_has_four_letters_that_are_not_mistaken_for_digits(store):
    codes = {store.start(None)[0] for _ in range(50)}
    assert len(codes) == 50
    assert all(re.fullmatch("[A-HJ-NP-Z]{4}", code) for code in codes)


def test_the_board_counts_students_and_answers_and_knows_nothing_else(store):
    code, key = store.start(2.0)
    for number in range(5):
        store.answer(code, token(number), "1.predict", number % 2)
    store.join(code, token(9))
    board = store.board(code, key)
    assert (board.joined, board.present) == (6, 6)
    assert board.of("1.predict", 4) == [3, 2, 0, 0]
    assert board.of("2.predict", 3) == [0, 0, 0]


def test_the_first_report_of_a_student_counts_across_reloads_tabs_and_changed_answers(store):
    code, key = store.start(2.0)
    assert store.answer(code, TOKEN, "1.predict", 2)
    assert not store.answer(code, TOKEN, "1.predict", 0)
    assert store.board(code, key).of("1.predict", 4) == [0, 0, 1, 0]
    assert store.answered(code, TOKEN) == ["1.predict"]


def test_a_student_who_is_away_for_two_minutes_is_the_same_student_counted_once(store, clock):
    code, key = store.start(2.0)
    store.seen(code, TOKEN)
    clock.now += 120
    assert (store.board(code, key).joined, store.board(code, key).present) == (1, 0)
    store.seen(code, TOKEN)
    assert (store.board(code, key).joined, store.board(code, key).present) == (1, 1)


def test_nobody_sees_another_class(store):
    (one, key), (two, other) = store.start(None), store.start(None)
    store.answer(one, TOKEN, "1.predict", 1)
    assert store.board(two, other).joined == 0
    for code, wrong in ((one, other), (two, key), (one, "")):
        with pytest.raises(NoSuchClass):
            store.board(code, wrong)
        with pytest.raises(NoSuchClass):
            store.end(code, wrong)
    assert store.hashed(TOKEN, one) != store.hashed(TOKEN, two)


def test_pace_and_reveal_are_the_teachers(store):
    code, key = store.start(2.0)
    store.set_pace(code, key, "1.predict")
    assert store.find(code).pace == "1.predict"
    store.reveal(code, key, "1.predict", 1)
    assert store.board(code, key).revealed == {"1.predict": 1}
    with pytest.raises(NoSuchClass):
        store.set_pace(code, "0" * 32, "2.predict")
    assert store.find(code).pace == "1.predict"


def test_a_class_that_ends_leaves_nothing_on_disk(store, tmp_path):
    code, key = store.start(2.0)
    for number in range(40):
        store.answer(code, token(number), "sought-question", 1)
    student = store.hashed(token(3), code)
    before = written(tmp_path)
    assert student in before
    assert b"sought-question" in before
    store.end(code, key)
    after = written(tmp_path)
    assert student not in after
    assert b"sought-question" not in after
    assert code.encode() not in after
    with pytest.raises(NoSuchClass):
        store.find(code)


def test_neither_a_token_nor_a_key_nor_an_address_is_on_disk(store, tmp_path):
    code, key = store.start(2.0)
    store.answer(code, TOKEN, "1.predict", 1)
    with pytest.raises(NoSuchClass):
        store.look_up("ZZZZ" if code != "ZZZZ" else "YYYY", "192.0.2.77")
    kept = written(tmp_path)
    for secret in (TOKEN, key, "192.0.2.77"):
        assert secret.encode() not in kept
    assert not (tmp_path / "classes.sqlite3").stat().st_mode & 0o077


def test_a_class_that_nobody_touches_for_two_hours_has_ended(store, clock, tmp_path):
    code, key = store.start(2.0)
    clock.now += live.UNTOUCHED - 1
    store.answer(code, TOKEN, "sought-question", 1)  # touches it
    clock.now += live.UNTOUCHED - 1
    store.find(code)
    clock.now += 2
    for ended in (lambda: store.find(code), lambda: store.board(code, key)):
        with pytest.raises(NoSuchClass):
            ended()
    with pytest.raises(NoSuchClass):
        store.answer(code, TOKEN, "sought-question", 1)
    store.sweep()
    assert b"sought-question" not in written(tmp_path)


def test_a_board_that_is_left_open_does_not_keep_a_class(store, clock):
    code, key = store.start(2.0)
    store.seen(code, TOKEN)
    for _ in range(8):
        clock.now += live.UNTOUCHED / 8 + 1
        try:
            store.board(code, key)
            store.seen(code, TOKEN)
        except NoSuchClass:
            break
    else:
        pytest.fail("the class is still there")


def test_codes_cannot_be_tried_in_numbers(store, clock):
    code, _ = store.start(2.0)
    assert store.look_up(f" {code.lower()} ", "home").code == code
    wrong = "AAAA" if code != "AAAA" else "BBBB"
    for _ in range(live.MOST_TRIES):
        with pytest.raises(NoSuchClass):
            store.look_up(wrong, "home")
    with pytest.raises(TooManyTries):  # a right one tells nothing, either
        store.look_up(code, "home")
    assert store.look_up(code, "elsewhere").code == code
    clock.now += live.TRIES_WITHIN + 1
    assert store.look_up(code, "home").code == code


def test_many_addresses_together_are_limited_and_a_class_is_not_locked_out(store):
    code, _ = store.start(2.0)
    wrong = "AAAA" if code != "AAAA" else "BBBB"
    for number in range(live.MOST_TRIES_OF_ALL):
        with pytest.raises(NoSuchClass):
            store.look_up(wrong, f"address {number}")
    with pytest.raises(TooManyTries):
        store.look_up(code, "address 1")
    assert store.look_up(code, "a student").code == code


def test_a_bad_epsilon_is_named(store):
    with pytest.raises(ValueError, match=r"ε \(epsilon\) must lie in \(0, 20\]; got -1"):
        store.start(-1.0)


# -------------------------------------------------------------------------- several processes


def answer_in_a_process(file, codes, first, last):
    """Students of four classes answer, and each sees an answer on the board of their class."""
    store = Store(file)
    for number in range(first, last):
        code, key = codes[number % len(codes)]
        store.join(code, token(number))
        store.answer(code, token(number), "1.predict", number % 3)
        board = store.board(code, key)
        assert sum(board.of("1.predict", 3)) >= 1


def test_a_hundred_students_in_four_classes_over_two_processes(tmp_path):
    file = tmp_path / "classes.sqlite3"
    store = Store(file)
    codes = [store.start(2.0) for _ in range(4)]
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=spawn) as pool:
        parts = [
            pool.submit(answer_in_a_process, file, codes, first, first + 50) for first in (0, 50)
        ]
        for part in parts:
            part.result()  # whatever went wrong there is raised here
    for place, (code, key) in enumerate(codes):
        board = store.board(code, key)
        mine = [number % 3 for number in range(100) if number % 4 == place]
        assert board.joined == 25
        assert board.of("1.predict", 3) == np.bincount(mine, minlength=3).tolist()


ANSWERING = """
import sys, time
from pathlib import Path
from pages.shared.live.store import Store
store = Store(Path(sys.argv[1]))
for number in range(100_000):
    store.answer(sys.argv[2], f"{number:032x}", "1.predict", 0)
    print(number, flush=True)
"""


def test_a_killed_process_loses_no_class_and_no_answer_that_was_taken(tmp_path):
    file = tmp_path / "classes.sqlite3"
    first = Store(file)
    code, key = first.start(2.0)
    taken = 0
    with subprocess.Popen(
        [sys.executable, "-c", ANSWERING, str(file), code], cwd=ROOT, stdout=subprocess.PIPE
    ) as process:
        for line in process.stdout:
            taken = int(line) + 1
            if taken == 25:
                break
        os.kill(process.pid, signal.SIGKILL)
        taken += len(process.stdout.read().splitlines())
    again = Store(file)
    assert again.board(code, key).of("1.predict", 1)[0] in (taken, taken + 1)
    assert again.answer(code, TOKEN, "1.predict", 0)
