"""The start page and the navigation, run by Streamlit itself."""

import ast

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from measures.attacks import recovery
from pages.shared import cached, doors, menu
from pages.start import public_example, wording
from tests.app import APP, healthy, shown
from tests.boxes import number_box, number_keys
from tests.test_architecture import HOUSE


@pytest.fixture(scope="module")
def start():
    return healthy(AppTest.from_file(str(APP), default_timeout=300).run())


def navigation():
    """Sections of the navigation with the files and titles of their pages."""
    tree = ast.parse((HOUSE / "pages" / "shared" / "menu.py").read_text(encoding="utf-8"))
    (sections,) = [n for n in ast.walk(tree) if isinstance(n, ast.Dict)]
    return {
        section.value: [
            (page.args[0].value, {k.arg: ast.unparse(k.value) for k in page.keywords})
            for page in pages.elts
        ]
        for section, pages in zip(sections.keys, sections.values, strict=True)
    }


def test_a_menu_has_several_entries_and_every_page_is_in_the_navigation_once():
    sections = navigation()
    assert list(sections) == ["", "Laboratory", "Evidence"]
    assert all(len(pages) > 1 for pages in sections.values())
    folders = [folder for pages in sections.values() for folder, *_ in pages]
    assert sorted(folders) == sorted(f.parent.name for f in (HOUSE / "pages").glob("*/page.py"))
    assert folders[0] == "start"


def test_each_run_has_pages_of_its_own_to_mark_the_one_that_runs(monkeypatch):
    made = {"": [st.Page("pages/start/page.py")]}
    monkeypatch.setattr(menu, "_pages", lambda: made)
    (first,), (second,) = menu.pages()[""], menu.pages()[""]
    assert len({id(first), id(second), id(made[""][0])}) == 3


def test_start_says_what_wordveil_is_and_is_not_before_any_setting(start):
    assert [title.value for title in start.title] == ["WordVeil"]
    text = shown(start)
    assert wording.PURPOSE in text
    for limit in ("The topic", "The shape of the text", "Repeated draws"):
        assert limit in text
    for page, title, promise in doors.DOORS:
        assert (HOUSE / page).exists()
        assert title
        assert promise in text
    assert "mechanism" not in start.query_params
    assert not start.selectbox


def test_start_draws_nothing_of_the_visitor_and_charges_nothing(start):
    assert "spent" not in start.session_state
    assert "draw" not in start.session_state


def test_the_sentence_is_the_one_draw_at_the_epsilon_of_the_slider(start):
    example = public_example.example(wording.EXAMPLE)
    words = cached.vocabulary(public_example.EXAMPLE_WORDS).words
    for step in (start.select_slider(key="example-eps").options[i] for i in (0, 10, -1)):
        app = start.select_slider(key="example-eps").set_value(float(step)).run()
        released = [words[i] for i in example.released_at(float(step))]
        assert wording.sentence(wording.EXAMPLE, released) in shown(healthy(app))
        same = sum(a == b for a, b in zip(released, wording.EXAMPLE, strict=True))
        assert f"**{same} of 9** words" in shown(app)


def test_the_price_of_a_second_draw_is_read_off_the_table_that_is_shipped():
    rows = [row for row in recovery.rows() if row.attack == "averaging"]
    text = wording.second_draw(rows).replace("\\", "")
    mine = [row for row in rows if row.mechanism == rows[0].mechanism]
    assert mine[-1].success.value > mine[0].success.value
    for row in (mine[0], mine[-1]):
        for share in row.success.numbers:
            assert f"{100 * share:.1f} %" in text


def test_a_link_without_a_path_opens_private_sentences_and_start_itself_has_no_link():
    app = AppTest.from_file(str(APP), default_timeout=300)
    app.query_params["mechanism"] = "tem"
    app.query_params["eps"] = "4.25"
    app = healthy(app.run())
    assert number_box(app, key="tem.epsilon").value == 4.25
    app.query_params.clear()  # as a browser does when another page is opened
    app = healthy(app.switch_page("pages/start/page.py").run())
    assert not number_keys(app)
    app = healthy(app.switch_page("pages/perturb/page.py").run())
    assert number_box(app, key="tem.epsilon").value == 4.25
