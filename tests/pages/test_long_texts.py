"""A long text on Private sentences: a bar, a way to stop, and nothing is lost or counted by it."""

import pytest
import streamlit as st

from pages.perturb import drawing
from pages.shared import progress
from tests.app import healthy, page, shown, versions

LONG = ("the movie was a good one. " * 770)[:20_000]


@pytest.fixture
def told(monkeypatch):
    """The shares that the bar was told; it is stopped at the first one if `told` holds `stop`."""
    seen = []
    bar = progress.bar

    def noted(place, text, stop):
        show = bar(place, text, stop)

        def share_done(share, ahead=0):
            show(share, ahead)
            if "stop" in seen:  # what a press of the button does
                seen.clear()
                stop()
                st.rerun()
            seen.append(share)

        return share_done

    monkeypatch.setattr(drawing.progress, "bar", noted)
    return seen


@pytest.fixture(scope="module")
def app():
    """One version by N-gram TEM; the text is short."""
    return page(mechanism="n-gram-tem", q="rotten-tomatoes", size="10000", versions="1", eps="4")


def typed(app, text):
    return healthy(app.text_area(key="text").set_value(text).run())


def test_20000_characters_are_drawn_piece_by_piece_and_a_short_text_without_a_bar(app, told):
    typed(app, LONG)
    assert told == sorted(told)
    assert len(told) > 10
    assert told[-1] == 1
    assert not app.get("progress")  # gone when all is drawn
    assert versions(app).count("<span") > 1_000
    told.clear()
    typed(app, "the movie was a good one")
    assert told == []


def test_a_press_of_stop_shows_and_counts_nothing_and_loses_nothing(app, told):
    other = LONG.replace("good", "bad")
    told.append("stop")
    typed(app, other)
    assert "no ε was counted for them" in shown(app)
    assert "ε of all versions so far" not in shown(app)
    assert app.text_area(key="text").value == other
    app.run()
    assert "no ε was counted for them" in shown(healthy(app))
    typed(app, "the movie was a good one")  # other settings are drawn at once
    assert "no ε was counted for them" not in shown(app)
    typed(app, other)
    next(button for button in app.button if button.label == "▶ Start again").click().run()
    assert "no ε was counted for them" not in shown(healthy(app))
    assert "ε of all versions so far: 4 per" in shown(app)
    assert told[-1] == 1
