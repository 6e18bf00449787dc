"""Panels: closed they make nothing, and what is chosen in them holds."""

import pytest

from pages.perturb import closer
from pages.shared import terms, vocabulary_picker
from tests.app import healthy, page, unfolded, versions
from tests.boxes import number_box

FIRST = 'class="wv-version'


@pytest.mark.parametrize(
    ("holder", "made"),
    [(vocabulary_picker, "vocabulary_controls"), (closer, "show"), (terms, "_words")],
)
def test_a_closed_panel_makes_nothing_of_what_it_holds(monkeypatch, holder, made):
    calls, make = [], getattr(holder, made)
    monkeypatch.setattr(holder, made, lambda *given: calls.append(1) or make(*given))
    app = page()
    assert calls == []
    unfolded(app, "other-choices", "closer", "words-here")
    assert calls == [1]


def test_what_a_link_sets_in_a_closed_panel_holds_and_is_there_when_it_is_opened():
    app = page(versions="5", seed="11", unknown="mask", case="as-typed", text="Zyxwv hockey")
    assert versions(app).count(FIRST) == 5
    assert "wv-masked" in versions(app)
    app = unfolded(app, "other-choices")
    assert app.slider(key="versions").value == 5
    assert app.selectbox(key="unknown").value == "mask"
    assert app.selectbox(key="case").value == "as typed"
    assert number_box(app, key="seed").value == 11


def test_what_is_chosen_in_a_panel_holds_after_it_is_closed_and_on_the_way_back():
    app = unfolded(page(size="30000"), "other-choices")
    app.slider(key="versions").set_value(2).run()
    app.selectbox(key="size").set_value(10_000).run()
    app.session_state["other-choices"] = False
    app = healthy(app.run())
    assert not [slider for slider in app.slider if slider.key == "versions"]
    app.text_area(key="text").set_value("winter river").run()
    assert versions(healthy(app)).count(FIRST) == 2
    assert app.query_params["size"] == "10000"
    app.switch_page("pages/gamma/page.py").run()
    assert healthy(app).query_params["size"] == "10000"
    app.switch_page("pages/perturb/page.py").run()
    assert versions(healthy(app)).count(FIRST) == 2
    app = unfolded(app, "other-choices")
    assert app.slider(key="versions").value == 2
    assert app.selectbox(key="size").value == 10_000
