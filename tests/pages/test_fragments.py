"""Fragments: one message of a browser may change controls in several of them."""

from tests.app import healthy, page, shown


def test_a_text_that_is_left_by_a_press_of_a_button_runs_the_page_for_both(whole_runs, run_from):
    app = healthy(page(mechanism="tem", eps="4", size="10000"))
    before = len(whole_runs)
    text = app.text_area(key="text").set_value("a slow film")
    (again,) = (button for button in app.button if "Draw again" in button.label)
    again.click()
    healthy(run_from(app, text.id))
    assert len(whole_runs) == before + 1
    assert "3 known words were drawn" in shown(app)
    assert app.session_state["roll"] == 1


def test_a_control_elsewhere_that_has_not_changed_runs_nothing_more(whole_runs, run_from):
    app = healthy(page(mechanism="tem", eps="4", size="10000"))
    app.toggle(key="dissolve").set_value(True)
    healthy(app.run())
    before = len(whole_runs)
    healthy(run_from(app, app.text_area(key="text").set_value("a slow film").id))
    assert len(whole_runs) == before
