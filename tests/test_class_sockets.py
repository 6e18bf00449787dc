"""Classes over Streamlit's own protocol, as browsers speak it, on two processes with one store."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks import class_board


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path))


@pytest.mark.browser
def test_every_answer_of_four_classes_reaches_its_own_board_and_no_other():
    with ThreadPoolExecutor(1) as thread:  # playwright's own loop may run in this one
        done = thread.submit(class_board.run, students=12, number=4, processes=2, seconds=6)
        delays, errors = done.result()
    assert errors == []
    assert len(delays) == 12
    assert min(delays) > 0
