"""What a visitor moves or types while the page is running is not undone by that run."""

import pytest

from pages.shared import showing
from tests.app import healthy, page
from tests.boxes import number_box


@pytest.fixture
def clock(monkeypatch):
    """Seconds that pass only when a test says so."""
    now = [1000.0]
    monkeypatch.setattr(showing, "clock", lambda: now[0])
    return now


def epsilon(app):
    return healthy(app).session_state["tem.epsilon"]


def slider(app):
    return app.select_slider(key="tem.epsilon.slider")


def typed(app):
    return number_box(app, key="tem.epsilon").box


def moved(app, step, in_the_box):
    """The slider moved to a step, sent by a browser whose box shows this."""
    typed(app).set_value(in_the_box)
    return healthy(slider(app).set_value(step).run())


def test_a_control_that_shows_what_it_should_is_not_set_again():
    def is_set(app):
        return [typed(healthy(app)).proto.set_value, slider(app).proto.set_value]

    app = page(mechanism="tem", eps="4")
    assert is_set(app) == [True, True]
    assert is_set(app.run()) == [False, False]
    assert is_set(number_box(app, key="tem.epsilon").set_value(5.5).run()) == [False, True]
    assert is_set(app.switch_page("pages/deniability/page.py").run()) == [True, True]
    assert typed(app).value == "5.5"


def test_a_second_step_counts_though_the_box_still_shows_the_value_before_the_first(clock):
    app = page(mechanism="tem", eps="1")
    first, second, third = map(float, slider(app).options[5:8])
    moved(app, first, in_the_box="1")
    assert epsilon(app) == first
    moved(app, second, in_the_box="1")
    assert epsilon(app) == second
    moved(app, third, in_the_box=f"{first:g}")  # the answer to the first step has come
    assert epsilon(app) == third
    assert typed(app).value == f"{third:g}"


def test_the_value_before_can_be_typed_again(clock):
    app = page(mechanism="tem", eps="1")
    (step,) = map(float, slider(app).options[5:6])
    moved(app, step, in_the_box="1")
    clock[0] += showing._SECONDS
    typed(app).set_value("1").run()
    assert epsilon(app) == 1


def test_a_typed_value_counts_though_the_slider_is_where_it_was(clock):
    app = page(mechanism="tem", eps="1")
    before = slider(app).value
    typed(app).set_value("5.5").run()
    slider(app).set_value(before)
    typed(app).set_value("6.5").run()
    assert epsilon(app) == 6.5


def test_values_typed_one_after_the_other_all_count_also_one_that_was_there_before(clock):
    app = page(mechanism="tem", eps="1")
    for text in ("5.0", "4.0", "5.0", "1", "5.0"):
        typed(app).set_value(text).run()
        assert epsilon(app) == float(text)
