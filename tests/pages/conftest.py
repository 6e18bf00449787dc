"""Fixtures of the tests of pages."""

import pytest
from streamlit.testing.v1 import local_script_runner

from pages.shared import history


@pytest.fixture
def calls_of(monkeypatch):
    """Make a list that grows whenever a function of a module is called."""

    def calls_of(module, name):
        calls, call = [], getattr(module, name)

        def noted():
            calls.append(1)
            call()

        monkeypatch.setattr(module, name, noted)
        return calls

    return calls_of


@pytest.fixture
def whole_runs(calls_of):
    """A list that grows whenever the frame of the app runs."""
    return calls_of(history, "one_press_back")


@pytest.fixture
def run_from(monkeypatch):
    """Run a page as after a browser's message from a control, by its id.

    A browser names the fragment that the control belongs to, and AppTest names none.
    """

    def run_from(app, control):
        fragment = app.session_state._state._state.get_widget_metadata(control).fragment_id
        run = local_script_runner.RerunData
        with monkeypatch.context() as patch:
            patch.setattr(
                local_script_runner, "RerunData", lambda **data: run(**data, fragment_id=fragment)
            )
            return app.run()

    return run_from
