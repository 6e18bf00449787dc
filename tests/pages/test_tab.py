"""The token of a tab: told after the first run of a session, which is not run again for nothing."""

from types import SimpleNamespace

import pytest

from pages.learn.lessons import kept_notebook
from pages.shared import kept_material, tab
from tests.app import healthy, page, shown
from tests.pages.test_material import goes

TOKEN = "d" * 32


@pytest.fixture(autouse=True)
def nothing_kept():
    for vault in (kept_material.MATERIALS, kept_notebook.NOTEBOOKS):
        vault.clear()
    yield
    for vault in (kept_material.MATERIALS, kept_notebook.NOTEBOOKS):
        vault.clear()


@pytest.fixture
def tells(monkeypatch, run_from):
    """The tab tells its token, as a browser does: in a run of the component's own fragment.

    AppTest has no browser in which the component could run, so its answer is put there.
    """

    def tells(app):
        component = tab._component()

        def answered(**look):
            component(**look)
            return SimpleNamespace(token=TOKEN)

        with monkeypatch.context() as patch:
            patch.setattr(tab, "_component", lambda: answered)
            return healthy(run_from(app, app.get("bidi_component")[0].proto.id))

    return tells


def test_a_first_visit_is_not_run_again_so_that_nothing_typed_meanwhile_is_undone(
    whole_runs, tells
):
    app = healthy(page())
    before = len(whole_runs)
    tells(app)
    assert len(whole_runs) == before
    assert app.session_state["tab-token"] == TOKEN
    assert not kept_material.MATERIALS.tokens()  # an example is not kept


def test_a_link_that_leads_to_another_page_is_left_before_the_tab_is_asked(calls_of):
    """An answer that came meanwhile would open the page that the link leaves once more."""
    asked = calls_of(tab, "_ask")
    app = page(mechanism="tem", eps="4")
    assert healthy(app).header[0].value == "Private sentences"
    assert len(asked) == 1


def test_what_was_typed_before_the_tab_told_its_token_is_kept_for_it(whole_runs, tells):
    app = healthy(page(size="10000"))
    healthy(app.text_area(key="text").set_value("a slow film").run())
    before = len(whole_runs)
    tells(app)
    assert len(whole_runs) == before
    assert kept_material.MATERIALS.find(TOKEN).settings["text"] == "a slow film"


def test_a_page_is_run_again_for_what_the_tab_had_before(whole_runs, tells):
    first = healthy(page(size="10000"))
    first.session_state["tab-token"] = TOKEN
    healthy(first.text_area(key="text").set_value("a slow film").run())
    again = healthy(page(size="10000"))
    before = len(whole_runs)
    tells(again)
    assert len(whole_runs) == before + 1
    assert again.text_area(key="text").value == "a slow film"


def test_a_notebook_begun_before_the_tab_told_its_token_is_kept_and_found(tells):
    app = goes(page(), "learn")
    tells(app)
    mine = app.session_state["notebook"]
    assert kept_notebook.NOTEBOOKS.find(TOKEN) is mine
    again = goes(page(), "learn")
    tells(again)
    assert again.session_state["notebook"] is mine
    assert shown(again)
