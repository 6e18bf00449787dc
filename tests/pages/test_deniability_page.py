"""The deniability page, run by Streamlit itself without a browser."""

import re
from functools import partial
from threading import Event

import pytest

from pages.shared import jobs
from tests.app import healthy, page, shown
from tests.boxes import number_box
from tests.waiting import rerun_until


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORDVEIL_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def finished(app):
    """The page once its computation has ended."""
    return healthy(rerun_until(app, lambda app: app.subheader or app.error or app.info))


def deniability(**query):
    app = page(**{"size": "10000", "count": "50", "mechanism": "tem", **query})
    return finished(app.switch_page("pages/deniability/page.py").run())


@pytest.fixture(scope="module")
def opened():
    return deniability(eps="4")


def test_the_worst_word_and_the_spread_are_on_screen(opened):
    markup = shown(opened)
    assert markup.count("Worst of these words: ") == 2
    assert markup.count("5 % of the words are below") == 2
    assert "The numbers are computed from the mechanism's law" in markup
    assert markup.count("How to read this") >= 3


def test_choose_epsilon_gives_an_epsilon_with_the_word_that_decides_and_sets_it():
    app = deniability(eps="4")
    found = next(m.value for m in app.markdown if m.value.startswith("### ε = "))
    epsilon = float(found.split("### ε = ")[1].split("\n")[0])
    assert "Deciding word: **" in found
    next(b for b in app.button if b.label.startswith("Use ε = ")).click().run()
    app = finished(app)
    assert number_box(app, key="tem.epsilon").value == pytest.approx(epsilon)
    app.switch_page("pages/perturb/page.py").run()
    assert number_box(healthy(app), key="tem.epsilon").value == pytest.approx(epsilon)


def test_demands_that_no_epsilon_meets_are_said_to_fail():
    app = deniability(eps="4")
    number_box(app, key="demand.stays at most.value").set_value(1).run()
    app.checkbox(key="demand.stays about").set_value(True).run()
    number_box(app, key="demand.stays about.value").set_value(99).run()
    assert "No ε that was tried meets your demands" in shown(healthy(app))


def test_moving_epsilon_computes_nothing_again(monkeypatch):
    app = deniability(eps="4")

    def never(*args, **kwargs):
        raise AssertionError("computed again")

    monkeypatch.setattr("measures.words.deniability.curves", never)
    number_box(app, key="tem.epsilon").set_value(5.5).run()
    assert not healthy(app).error
    assert "ε = 5.5" in "".join(e.label for e in app.expander)


def test_the_meaning_of_s_w_can_be_chosen_and_stands_in_the_link():
    app = deniability(support="percentage", draws="200", sample="frequent")
    assert "different replacements" in shown(app) + str(app.selectbox(key="support").options)
    link = {
        key: value if isinstance(value, str) else value[0]
        for key, value in app.query_params.items()
    }
    assert (link["support"], link["draws"], link["sample"]) == ("percentage", "200", "frequent")


def test_words_of_the_visitors_text_stay_in_the_session(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path))
    app = page(size="10000", mechanism="tem", eps="4")
    app.text_area(key="text").set_value("hockey players eat breakfast").run()
    app.switch_page("pages/deniability/page.py").run()
    app.selectbox(key="sample").set_value("text").run()
    app = finished(app)
    assert set(app.selectbox(key="sample_word").options) == {
        "hockey", "players", "eat", "breakfast",
    }  # fmt: skip
    kept = [path.name for path in tmp_path.rglob("provenance.json")]
    assert len(kept) <= 10  # the hundred random words of the first look, never those of the text
    assert not any("hockey" in path.read_text() for path in tmp_path.rglob("provenance.json"))
    assert "hockey" not in str(dict(app.query_params))


def test_a_text_without_known_words_says_what_to_do():
    app = page(size="10000", mechanism="tem", sample="text")
    app.text_area(key="text").set_value("qxzzy").run()
    app.switch_page("pages/deniability/page.py").run()
    assert "Choose other words" in shown(healthy(app))


@pytest.mark.parametrize("mechanism", ["cmp", "mahalanobis", "vickrey", "gaussian", "syntf"])
def test_mechanisms_of_every_kind_are_answered(mechanism):
    app = deniability(mechanism=mechanism)
    assert not app.error
    assert "Worst of these words: **" in shown(app)


def test_more_words_of_a_text_than_are_looked_at_are_said(monkeypatch):
    monkeypatch.setattr("measures.words.deniability.words_of_text.__defaults__", (3,))
    app = page(size="10000", mechanism="tem", eps="4")
    app.text_area(key="text").set_value("the hockey players eat breakfast").run()
    app.switch_page("pages/deniability/page.py").run()
    app.selectbox(key="sample").set_value("text").run()
    rerun_until(app, lambda app: app.subheader)
    assert "Only the 3 rarest of the 5 different known words of your text" in shown(healthy(app))
    assert set(app.selectbox(key="sample_word").options) == {"hockey", "eat", "breakfast"}


def test_no_sampled_number_is_called_exact_and_a_cut_at_the_grid_is_said():
    app = deniability(mechanism="cmp", draws="1000")
    said = next(m.value for m in app.markdown if m.value.startswith("### ε = "))
    assert "exact" not in said
    assert "interpolated, from 1,000 directions" in said
    assert "were not tried)" in said
    assert "xact" not in next(c.value for c in app.caption if "directions" in c.value)


def test_an_epsilon_beyond_the_grid_is_not_said_to_be_shown():
    app = deniability(mechanism="tem", eps="5000")
    (warning,) = app.warning
    ends = re.search(
        r"grid of ε ends at (\S+)\. .* for ε = (\S+), not for your ε = 5,000", warning.value
    )
    assert ends[1] == ends[2]
    assert not any("at ε = 5000" in panel.label for panel in app.expander)
    assert not deniability(mechanism="tem", eps="5").warning


IN_TEXT = "In a text: each word after the words released before it"


def test_an_n_gram_has_n_w_of_a_text_after_the_words_released_before_it(opened):
    assert IN_TEXT not in [s.value for s in opened.subheader]
    app = deniability(mechanism="n-gram-tem", q="rotten-tomatoes", eps="4", text="a zzz good movie")
    assert IN_TEXT in [s.value for s in app.subheader]
    table = next(t.value for t in app.dataframe if "N_w as first word" in t.value)
    assert table["word"].tolist() == ["a", "good", "movie"]
    assert table["place"].tolist() == [1, 3, 4]
    inside = (table["N_w at least"] <= table["N_w"]) & (table["N_w"] <= table["N_w at most"])
    assert inside.all()
    assert table["N_w"][0] == pytest.approx(table["N_w as first word"][0])
    assert abs(table["N_w"] - table["N_w as first word"])[1:].max() > 0.01
    markup = shown(app)
    assert "3 known words of your text in order" in markup
    assert "its mean over 100 draws of the text" in markup


@pytest.mark.parametrize(("box", "choice"), [("mechanism", "Vickrey"), ("sample", "frequent")])
def test_curves_of_a_text_end_when_others_are_asked_for(monkeypatch, box, choice):
    """All visitors share the pool, and nobody sees them any more."""
    begun, start = [], jobs.start

    def never_done(pieces, *whose):
        begun.append(start([partial(go_on.wait, 300), *pieces], *whose))
        return begun[-1]

    go_on = Event()
    app = page(mechanism="tem", size="10000", text="zebra hockey")
    app.text_area(key="text").set_value("winter river").run()
    try:
        monkeypatch.setattr(jobs, "start", never_done)
        app.switch_page("pages/deniability/page.py").run()
        monkeypatch.setattr(jobs, "start", start)
        (before,) = begun
        assert before.watched_by(app.session_state["visitor"])
        app.selectbox(key=box).set_value(choice).run()
        assert not before.watched_by(app.session_state["visitor"])
    finally:
        go_on.set()


def test_curves_of_a_text_that_are_all_there_are_kept_while_others_are_looked_at():
    app = page(mechanism="tem", size="10000", text="zebra hockey")
    app.text_area(key="text").set_value("winter river").run()
    app = finished(app.switch_page("pages/deniability/page.py").run())
    _, before = app.session_state["own_curves"]
    app.selectbox(key="sample").set_value("frequent").run()
    app = finished(app)
    app.selectbox(key="sample").set_value("text").run()
    assert finished(app).session_state["own_curves"][1] is before
