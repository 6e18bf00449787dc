"""Fixtures of the tests of pages."""

import pytest

from pages.shared import history


@pytest.fixture
def whole_runs(monkeypatch):
    """A list that grows whenever the frame of the app runs."""
    runs, draw = [], history.one_press_back

    def counted():
        runs.append(1)
        draw()

    monkeypatch.setattr(history, "one_press_back", counted)
    return runs
