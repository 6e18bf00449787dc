"""Parts of a page: what a change of ε or a text runs, and when the whole page runs instead."""

import json

import pytest

from pages.perturb import drawing, wording
from pages.shared import downloads
from tests.app import healthy, page, shown, unfolded, versions
from tests.boxes import number_box
from tests.pages.test_deniability_page import deniability


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORDVEIL_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def changed(run_from):
    """The page after a change of a control in a part."""
    return lambda app, control: run_from(app, control.id)


def lines(app):
    """Where the upright lines of ε are in the figures over all ε, by the figure's place."""
    figures = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    return [
        figure["layout"]["shapes"][0]["x0"]
        for figure in figures
        if figure["layout"]["xaxis"].get("type") == "log"
    ]


def test_a_change_of_epsilon_runs_what_depends_on_it_and_not_the_page(whole_runs, changed):
    app = deniability(eps="4")
    before = len(whole_runs)
    changed(app, number_box(app, key="tem.epsilon").set_value(5.5))
    assert len(whole_runs) == before
    assert lines(healthy(app)) == [5.5] * 4
    assert "ε = 5.5" in "".join(e.label for e in app.expander)
    (line,) = [text for text in shown(app).split("\n") if text.startswith("🎬")]
    assert line.replace("\\", "").endswith("TEM, ε = 5.5**")
    assert app.query_params["eps"] == "5.5"
    figures = app.session_state["figures-shown"]
    data = json.loads(downloads.figures_json(list(figures.figures.values()), figures.about))
    assert data["provenance"]["ε"] == "5.5"
    assert [each["figure"]["layout"]["shapes"][0]["x0"] for each in data["figures"][2:]] == [
        5.5
    ] * 4


def test_the_slider_runs_the_same_parts(whole_runs, changed):
    app = deniability(eps="4")
    before = len(whole_runs)
    step = app.select_slider(key="tem.epsilon.slider").options[3]
    changed(app, app.select_slider(key="tem.epsilon.slider").set_value(float(step)))
    assert len(whole_runs) == before
    assert number_box(healthy(app), key="tem.epsilon").value == float(step)
    assert lines(app) == [float(step)] * 4


def test_the_value_that_follows_from_epsilon_is_in_the_box_of_gamma(whole_runs, changed):
    app = deniability(eps="4")
    before, then = len(whole_runs), app.text_input(key="tem.gamma.typed").placeholder
    changed(app, number_box(app, key="tem.epsilon").set_value(5.5))
    assert len(whole_runs) == before
    assert app.text_input(key="tem.gamma.typed").placeholder != then


def test_another_setting_that_changed_with_epsilon_runs_the_whole_page(whole_runs, changed):
    app = deniability(eps="4")
    before = len(whole_runs)
    app.selectbox(key="sample").set_value("frequent")
    changed(app, number_box(app, key="tem.epsilon").set_value(5.5))
    assert len(whole_runs) > before
    assert app.query_params["sample"] == "frequent"


def test_a_control_in_a_part_that_epsilon_does_not_follow_runs_the_whole_page(whole_runs, changed):
    app = deniability(eps="4")
    before = len(whole_runs)
    changed(app, number_box(app, key="tem.gamma").set_value(2))
    assert len(whole_runs) > before
    assert app.query_params["gamma"] == "2.0"


def test_a_refused_epsilon_and_the_one_after_it_run_the_whole_page(whole_runs, changed):
    app = deniability(eps="4")
    before = len(whole_runs)
    changed(app, number_box(app, key="tem.epsilon").set_value(-1))
    assert len(whole_runs) == before + 1
    assert "must be" in healthy(app).error[0].value
    changed(app, number_box(app, key="tem.epsilon").set_value(5.5))
    assert len(whole_runs) == before + 2
    assert not healthy(app).error
    assert lines(app) == [5.5] * 4


def test_an_open_link_shows_the_epsilon_of_the_moment(changed):
    app = deniability(eps="4")
    app.session_state["share-panel"] = True
    app.run()
    changed(app, number_box(app, key="tem.epsilon").set_value(5.5))
    assert "eps=5.5" in healthy(app).code[0].value


# ------------------------------------------------------------------------------- private sentences


def notes(app):
    """The line of values in force."""
    (line,) = [caption.value for caption in app.caption if "words as points" in caption.value]
    return line


def test_on_private_sentences_epsilon_runs_the_versions_their_notes_and_the_closer_look(
    whole_runs, changed
):
    app = unfolded(page(mechanism="tem", eps="4"), "closer")
    before, then, before_notes = len(whole_runs), shown(app), notes(app)
    changed(app, number_box(app, key="tem.epsilon").set_value(5.5))
    assert len(whole_runs) == before
    now = shown(healthy(app))
    assert app.query_params["eps"] == "5.5"
    assert now.count("ε = 5.5 per unit") == then.count("ε = 4 per unit") > 0
    assert "ε = 4 per unit" not in now
    assert app.session_state["spent"].draws == 6  # three versions at each ε
    assert notes(app) != before_notes  # the γ that follows from ε


def test_on_private_sentences_a_text_runs_the_same_parts(whole_runs, changed):
    app = unfolded(page(mechanism="tem", eps="4", text="zebra hockey"), "closer")
    before = len(whole_runs)
    changed(app, app.text_area(key="text").set_value("winter river"))
    assert list(healthy(app).selectbox(key="word").options) == ["winter", "river"]
    assert app.session_state["spent"].draws == 3  # of the new text alone
    changed(app, number_box(app, key="tem.epsilon").set_value(5.5))
    assert list(healthy(app).selectbox(key="word").options) == ["winter", "river"]
    assert app.session_state["spent"].draws == 6
    assert len(whole_runs) == before


def test_a_new_count_is_of_the_text_in_the_box():
    app = healthy(page(mechanism="tem", eps="4", text="zebra hockey"))
    (new_count,) = [button for button in app.button if "New count" in button.label]
    app.text_area(key="text").set_value("winter river")
    healthy(new_count.click().run())
    assert app.session_state.ledgers["zebra hockey"].draws == 3
    assert app.session_state["spent"].draws == 3


def test_a_control_in_a_part_is_the_same_while_the_page_takes_long():
    def controls():
        state = healthy(app).session_state._state._state
        keys = ("text", "tem.epsilon.typed", "tem.epsilon.slider")
        return [state.get_widget_id_from_key(key) for key in keys]

    app = page(mechanism="tem", eps="4", text="zebra hockey", versions="20")
    before = controls()
    app.text_area(key="text").set_value("zebra hockey " * 42).run()
    assert controls() == before
    app.text_area(key="text").set_value("winter river").run()
    assert controls() == before
    assert app.session_state.ledgers["winter river"].draws == 20


def test_a_text_in_the_link_follows_the_box(changed):
    app = healthy(page(mechanism="tem", eps="4", text="zebra hockey"))
    changed(app, app.text_area(key="text").set_value("winter river"))
    assert app.query_params["text"] == "winter river"
    assert "winter river" not in str(healthy(page(mechanism="tem")).query_params)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" ", "Type a sentence above"),
        ("zebra hockey " * 2000, "this page takes at most"),
        ("qqzzxx", wording.NOTHING_KNOWN),
    ],
    ids=["empty", "too long", "unknown"],
)
def test_for_a_text_that_the_parts_cannot_show_the_page_has_a_sentence_and_the_next_is_drawn(
    whole_runs, changed, text, said
):
    app = unfolded(page(mechanism="tem", eps="4", text="zebra hockey"), "closer")
    before = len(whole_runs)
    changed(app, app.text_area(key="text").set_value(text))
    assert len(whole_runs) == before + 1
    assert said in " ".join(e.value for e in [*healthy(app).info, *app.warning])
    assert not app.dataframe
    changed(app, app.text_area(key="text").set_value("winter river"))
    assert list(healthy(app).selectbox(key="word").options) == ["winter", "river"]
    assert app.session_state.ledgers["winter river"].draws == 3


def test_epsilon_of_a_text_that_takes_long_runs_the_whole_page_so_that_it_can_be_stopped(
    whole_runs, changed
):
    app = healthy(page(mechanism="tem", eps="4", text="zebra hockey " * 42, versions="20"))
    before = len(whole_runs)
    changed(app, number_box(app, key="tem.epsilon").set_value(5.5))
    assert len(whole_runs) == before + 1
    assert app.session_state["spent"].draws == 40


def test_an_epsilon_that_the_mechanism_refuses_draws_nothing_and_the_next_one_does(changed):
    app = unfolded(page(mechanism="truncated-gumbel", eps="400"), "closer")
    drawn = app.session_state["spent"].draws
    changed(app, number_box(app, key="truncated-gumbel.epsilon").set_value(5))
    assert "ε must exceed" in app.error[0].value
    assert not app.dataframe
    assert app.session_state["spent"].draws == drawn
    changed(app, number_box(app, key="truncated-gumbel.epsilon").set_value(300))
    assert not healthy(app).error
    assert len(app.dataframe) == 1


# --------------------------------------------------------------- pages that do not run to an end


def test_a_page_that_ends_early_has_the_controls_of_epsilon():
    app = healthy(page(mechanism="tem", eps="4"))
    app.text_area(key="text").set_value("").run()
    assert "Type a sentence" in healthy(app).info[0].value
    assert number_box(app, key="tem.epsilon").value == 4
    assert app.select_slider(key="tem.epsilon.slider")


def test_a_page_that_fails_has_the_controls_of_epsilon_and_none_of_its_parts_runs_alone(
    monkeypatch, changed, whole_runs
):
    def failing(*_):
        raise RuntimeError

    app = healthy(page(mechanism="tem", eps="4"))
    with monkeypatch.context() as patch:
        patch.setattr(drawing, "draw", failing)
        app.run()
    assert app.exception
    assert number_box(app, key="tem.epsilon").value == 4
    before = len(whole_runs)
    changed(app, number_box(app, key="tem.epsilon").set_value(5.5))
    assert len(whole_runs) == before + 1
    assert versions(healthy(app))
