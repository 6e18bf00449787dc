"""Pages answer for the visitor's material: its texts, columns and settings first."""

import pytest

from pages.shared import ledger, material
from pages.tradeoff import own_texts
from tests.app import healthy, page, shown
from tests.pages.test_your_data_page import complete, opened, with_file

ROWS = [
    (n, "2026-01-01", f"the film was {word} said anna", ("good", "bad")[n % 2])
    for n, word in enumerate(["good", "bad", "slow", "long"] * 10)
]
MESSAGES = "\n".join(["id,date,text,label", *(",".join(map(str, row)) for row in ROWS)])
FILE = "Messages 1.csv"


@pytest.fixture
def app():
    return with_file(opened(mechanism="tem", eps="4"), MESSAGES, FILE)


def goes(app, name):
    return healthy(app.switch_page(f"pages/{name}/page.py").run(timeout=300))


def said(app):
    return shown(app).replace("\\", "")


def spent(app):
    return ledger_of(app).draws


def ledger_of(app):
    return app.session_state.ledgers.get(app.session_state.file.ledger, ledger.Spent())


def test_every_page_names_the_file_and_its_settings_and_opening_them_draws_nothing(app):
    for name in ("deniability", "compare", "attacks", "tradeoff", "guarantees"):
        app = goes(app, name)
        assert "Messages 1.csv · text · 40 rows · TEM, ε = 4" in said(app), name
        assert spent(app) == 0, name


def test_the_bar_has_the_settings_of_now(app):
    app = goes(app, "perturb")
    app.session_state["tem.epsilon"] = 5.5
    app = goes(app, "deniability")
    assert "TEM, ε = 5.5" in said(app)


def test_deniability_looks_at_the_words_of_the_file_first_and_the_sample_is_one_choice_away(app):
    app = complete(goes(app, "deniability"))
    box = app.selectbox(key="sample")
    assert box.value == "text"
    assert "the words of Messages 1\\.csv" in box.options
    words = {word for table in app.dataframe for word in table.value.get("word", ())}
    assert {"film", "good", "said"} <= words
    app = complete(box.set_value("random").run())
    app = complete(goes(goes(app, "perturb"), "deniability"))
    assert app.selectbox(key="sample").value == "random"  # the visitor's choice counts from then on


def test_an_attack_expects_the_words_of_the_file_and_draws_when_it_is_asked(app):
    app = goes(app, "attacks")
    assert app.selectbox(key="prior").value == "file"
    assert "Computed from the law, without a draw" in said(app)
    assert spent(app) == 0
    (ask,) = [button for button in app.button if button.label.startswith("🎲 Draw 8 versions")]
    app = healthy(ask.click().run(timeout=300))
    assert spent(app) == 8
    assert app.dataframe[0].value["typed"].tolist() == [
        "the",
        "film",
        "was",
        "good",
        "said",
        "anna",
    ]
    app = goes(goes(app, "glossary"), "attacks")
    assert spent(app) == 8  # the draw is there, and showing it counts nothing
    assert not [button for button in app.button if "Draw 8 versions" in button.label]
    app.session_state["tem.epsilon"] = 4.5
    app = goes(goes(app, "glossary"), "attacks")
    assert spent(app) == 8  # other settings wait on a page that was just opened


def test_the_example_is_one_choice_away_and_never_counts(app):
    app = goes(app, "attacks")
    app = healthy(app.get("button_group")[0].set_value("typed").run(timeout=300))
    assert app.text_area(key="text").value == material.EXAMPLE
    assert app.dataframe[0].value["typed"].tolist()[:2] == ["my", "doctor"]
    assert spent(app) == 0


def test_the_comparison_draws_a_text_of_the_file_when_it_is_asked(app):
    app = complete(goes(app, "compare"))
    assert spent(app) == 0
    (ask,) = [button for button in app.button if button.label.startswith("🎲 Draw")]
    app = healthy(ask.click().run(timeout=300))
    assert ledger_of(app).draws == 2 * app.session_state["versions"]


def test_the_tradeoff_takes_the_files_columns_its_labels_and_its_epsilon_without_an_upload(app):
    app = goes(app, "tradeoff")
    assert "not about Messages 1.csv" in said(app)
    (texts,) = [box for box in app.selectbox if box.label == "Texts"]
    assert texts.value == own_texts.OWN_FILE
    (labels,) = [box for box in app.selectbox if box.label == "Column of labels"]
    assert labels.value == "label"  # an id or a date has a value a row, or one for all
    (run,) = [button for button in app.button if button.label == "▶ Run"]
    healthy(run.click().run(timeout=300))
    (job,) = app.session_state.sweep_runs.values()
    for _ in range(200):
        if job.finished:
            break
        app.run(timeout=300)
    rows = job.results
    assert {row["corpus"] for row in rows} == {own_texts.OWN_FILE}
    assert 4.0 in {row["epsilon"] for row in rows}
    assert not any(row["error"] for row in rows)


def test_guarantees_say_whose_promise_they_audit(app):
    app = goes(app, "guarantees")
    assert "that of Messages 1.csv at its settings (TEM, ε = 4)" in said(app).replace("**", "")


def test_a_forgotten_file_is_no_longer_answered_for(app):
    app = goes(app, "attacks")
    app = goes(app, "your_data")
    (forget,) = [button for button in app.button if "Forget this file" in button.label]
    app = goes(forget.click().run(), "attacks")
    assert "Messages" not in said(app)
    assert "example: film reviews" in said(app)
    assert app.selectbox(key="prior").value == "frequency"


def test_a_typed_text_is_in_the_bar_with_its_words_and_is_not_drawn_by_opening_a_page():
    app = page(mechanism="tem", eps="3.1", size="10000")
    app = goes(app, "attacks")
    assert "example: film reviews" in said(app)
    app = goes(app, "perturb")
    app.text_area(key="text").set_value("a slow film").run()
    app = goes(app, "attacks")
    assert "your text · 3 words · TEM, ε = 3.1" in said(app)
    assert app.session_state.ledgers["a slow film"].draws == 3  # of Private sentences
    (ask,) = [button for button in app.button if button.label.startswith("🎲 Draw 8 versions")]
    app = healthy(ask.click().run(timeout=300))
    assert app.session_state.ledgers["a slow film"].draws == 11
    app = goes(app, "deniability")
    assert app.selectbox(key="sample").value == "text"
    app = complete(goes(app, "compare"))
    assert app.text_area(key="compare-text").value == "a slow film"
    assert app.session_state.ledgers["a slow film"].draws == 11


def test_a_lesson_that_hides_epsilon_hides_it_in_the_bar():
    app = page(mechanism="tem", eps="3.1", size="10000", hide="eps", text="a slow film")
    assert "3.1" not in "".join(m.value for m in app.markdown if "·" in m.value)
    app = goes(app, "compare")
    assert "your text · 3 words" in said(app)
    assert "ε = 3.1" not in said(app)
