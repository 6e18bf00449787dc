"""The part of Your data that chooses a mechanism and ε, without a browser."""

import csv
import io
import json
from dataclasses import replace

import pytest

from mechanisms import CMP, TEM
from mechanisms.estimate import exact
from pages.shared import downloads, link
from pages.shared.prose import plain
from pages.your_data import choosing, choosing_charts, choosing_wording
from release.candidates import Candidate, Refusal
from release.choice import Choice
from release.demands import Demands
from tests import customer_messages
from tests.app import healthy, shown
from tests.boxes import number_box
from tests.pages.test_your_data_page import button, complete, made_private, opened, with_file
from tests.refusing import cmp_refuses
from tests.release.test_choice import WHOLE, setting
from tests.waiting import wait_for


def messages(count=40):
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(["id", "text", "topic"])
    writer.writerows([i, *row[2:]] for i, row in enumerate(customer_messages.messages(count)))
    return written.getvalue()


def chosen(app):
    """The page once the choice is complete, or has failed."""
    job = healthy(app).session_state["file_choice"].job
    wait_for(lambda: job.finished, "the choice")
    return healthy(app.run())


@pytest.fixture(scope="module", autouse=True)
def few_mechanisms():
    """Two mechanisms at a few ε, so that a choice takes seconds."""
    tried = [Candidate(TEM.family(), (2.0, 3.0)), Candidate(CMP.family(), (2.0, 7.0))]
    untried = [Refusal("Vickrey (published)", "Its promise does not hold.")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choosing, "candidates_here", lambda choice: (tried, untried))
        yield


@pytest.fixture(scope="module")
def answered():
    app = with_file(opened(size="10000"), messages(), "mail.csv")
    app.selectbox(key=f"choice-label.{app.session_state['file'].token}").set_value("topic").run()
    return chosen(button(app, choosing_wording.BUTTON).click().run())


def test_a_recommendation_is_shown_with_its_reasons_and_what_was_refused(answered):
    text = shown(answered)
    found = answered.session_state["file_choice"].choice
    assert found.scope.whole
    assert found.recommended is not None
    assert plain(found.recommended.title) in text
    assert "the demands on both axes are met" in text
    assert all(plain(each.name) in text for each in found.refused)
    assert "The choice depends on the file" in text
    # The page stops before its end, where nothing is released yet, and offers the figure's data.
    assert downloads.FIGURES in [b.proto.label for b in answered.get("download_button")]


def test_use_it_sets_the_mechanism_of_every_page(answered):
    found = answered.session_state["file_choice"].choice.recommended.mechanism
    app = complete(button(answered, choosing_wording.USE_IT).click().run())
    assert app.session_state["mechanism"] is type(found)
    # The file is counted anew for another mechanism; the choice and its label are still there.
    label = app.selectbox(key=f"choice-label.{app.session_state['file'].token}")
    assert label.value == "topic"
    assert plain(app.session_state["file_choice"].choice.recommended.title) in shown(app)
    slug = type(found).slug()
    for name in type(found).parameters():
        assert app.session_state[f"{slug}.{name}"] == getattr(found, name)


def test_what_a_link_locks_is_not_set_by_use_it(answered):
    answered.session_state["lock.names"] = ["eps"]
    assert button(complete(answered.run()), choosing_wording.USE_IT).disabled
    answered.session_state["lock.names"] = []
    assert not button(complete(answered.run()), choosing_wording.USE_IT).disabled


def test_the_report_of_a_release_states_the_number_of_settings(answered):
    settings = answered.session_state["file_choice"].choice.settings
    used = button(complete(answered), choosing_wording.USE_IT).click()
    app = made_private(complete(used.run()))
    facts = app.session_state.file_release.report
    assert facts["settings that could have been chosen"] == len(settings)
    assert f"{len(settings)} settings could have been chosen" in facts["choice of the settings"]


def test_the_number_of_settings_is_stated_of_what_was_chosen_on_the_file_only():
    assert choosing.among(toy(), TEM(epsilon=2)) == 3
    assert choosing.among(toy(), TEM(epsilon=2.5)) is None
    assert choosing.among(replace(toy(), made_on="imdb"), TEM(epsilon=2)) is None
    assert choosing.among(None, TEM(epsilon=2)) is None


def test_other_demands_are_answered_at_once_and_none_names_no_winner():
    app = with_file(opened(size="10000"), messages(), "mail.csv")
    for key in ("unchanged_at_most", "named_at_most"):
        number_box(app, key).set_value(None)
    text = shown(healthy(app.run()))
    assert choosing_wording.FLOOR_MISSING in text
    assert not [b for b in app.button if b.label == choosing_wording.BUTTON]


def test_a_link_carries_the_demands_and_says_what_it_ignored():
    asked = {"unchanged_at_most": "0.25", "named_at_most": "none", "keep_accuracy": "0.9"}
    app = opened(size="10000", odds_at_most="0.5", **asked)
    text = shown(with_file(app, messages(), "mail.csv"))
    assert number_box(app, "unchanged_at_most").value == 25
    assert number_box(app, "named_at_most").value is None
    assert number_box(app, "keep_accuracy").value == 90
    assert "odds_at_most must be a finite factor above 1" in text
    for key in asked:
        declared = link.settings()[key]
        assert declared.write(app.session_state[key]) == asked[key]
        assert declared.read(asked[key]) == app.session_state[key]
    assert {key: app.query_params[key] for key in asked} == asked
    assert "similarity_at_least" not in app.query_params


def test_demands_at_their_defaults_are_not_in_the_link():
    app = opened(size="10000")
    assert not set(Demands().made()) & set(app.query_params)


@pytest.mark.parametrize(
    ("rows", "label", "sentence"),
    [
        (messages(), "id", "40 different labels for 40 texts are too many to learn from"),
        (messages(10), "topic", "at least 20 texts"),
        ("text,topic\n" + "the parcel is late,delivery\n" * 30, "topic", "two different labels"),
    ],
    ids=["a label a row", "ten texts", "one label"],
)
def test_a_label_that_nothing_can_learn_is_refused_in_a_sentence(rows, label, sentence):
    app = with_file(opened(size="10000"), rows, "mail.csv")
    app.selectbox(key=f"choice-label.{app.session_state['file'].token}").set_value(label).run()
    text = shown(chosen(button(app, choosing_wording.BUTTON).click().run()))
    assert sentence in text
    assert "Leave the label column out" in text
    assert choosing_wording.RULE not in text


def test_ten_texts_without_a_label_are_measured_by_similarity():
    app = with_file(opened(size="10000", keep_accuracy="0.9"), messages(10), "mail.csv")
    app = chosen(button(app, choosing_wording.BUTTON).click().run())
    assert app.session_state["file_choice"].choice.scope.of_texts == 10
    assert "There are no labels, so accuracy is neither measured nor demanded" in shown(app)


def test_demands_that_nothing_meets_are_answered_by_what_would_have_to_give():
    app = opened(size="10000", unchanged_at_most="0.001", similarity_at_least="0.99")
    app = with_file(app, messages(), "mail.csv")
    app = chosen(button(app, choosing_wording.BUTTON).click().run())
    text = shown(app)
    assert "None of the 4 settings meets every demand" in text
    assert "would have to be" in text or "comes nearest" in text
    assert not [each for each in app.button if each.label == choosing_wording.USE_IT]


def test_a_mechanism_that_refuses_its_epsilon_is_listed_with_its_reason(monkeypatch):
    cmp_refuses(monkeypatch)
    app = with_file(opened(size="10000"), messages(), "mail.csv")
    text = shown(chosen(button(app, choosing_wording.BUTTON).click().run()))
    assert plain("CMP: It refuses these words or this ε") in text
    assert "4 settings" in text


def test_forgetting_the_file_forgets_the_choice():
    app = with_file(opened(size="10000"), messages(), "mail.csv")
    healthy(button(app, choosing_wording.BUTTON).click().run())
    job = app.session_state["file_choice"].job
    healthy(button(app, "Forget this file").click().run())
    assert "file_choice" not in app.session_state
    assert not job._viewers


# --------------------------------------------------------------------------------- figure and table


def toy(demands=None):
    return Choice(
        demands or Demands(keep_accuracy=0.6),
        (
            setting(TEM(epsilon=1), 0.1, 0.1, 0.5),
            setting(TEM(epsilon=2), 0.4, 0.4, 0.8),
            setting(CMP(epsilon=1), 0.9, 0.4, 0.9),
        ),
        WHOLE,
    )


def test_the_figure_shows_every_setting_the_region_and_the_recommendation():
    figure = choosing_charts.settings(toy())
    lines = {trace.name: trace for trace in figure.data}
    assert list(lines) == ["TEM", "CMP", "recommended"]
    assert list(lines["TEM"].x) == pytest.approx([10, 40])
    assert list(lines["TEM"].y) == pytest.approx([50, 80])
    assert lines["recommended"].marker.symbol == "star"
    (region,) = figure.layout.shapes
    assert (region.x0, region.x1, region.y0) == pytest.approx((0, 50, 60))


def test_without_a_demand_on_use_the_region_is_as_high_as_the_figure():
    (region,) = choosing_charts.settings(toy(Demands())).layout.shapes
    assert region.yref == "y domain"
    assert (region.y0, region.y1) == (0, 1)


def test_the_table_has_a_row_for_each_mechanism_the_recommended_first():
    table = choosing.table(toy())
    assert list(table["Mechanism"]) == ["TEM", "CMP"]
    assert list(table["Demands"]) == ["recommended", "misses: worst word unchanged"]
    assert table["ε"][0] == 2
    assert table["Worst word unchanged"][0] == "40 %"


def test_a_number_that_is_a_lower_bound_says_so():
    found = setting(CMP(epsilon=1))
    object.__setattr__(found, "named_exact", False)
    assert choosing_wording.share(found, "named_at_most") == "≥ 10 %"
    assert found.named == exact(0.1)
    assert json.dumps(toy().as_record(), allow_nan=False)
