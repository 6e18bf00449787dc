"""Pages answer for the visitor's material: its texts, columns and settings first."""

import threading

import pytest

from data import embeddings
from measures.words import deniability, tradeoff
from mechanisms import CMP, TEM
from pages.shared import kept_material, ledger, material, prose, vault
from pages.tradeoff import own_texts
from pages.your_data import checking, wording
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


def test_pages_answer_for_a_file_that_is_left_while_its_words_are_counted(monkeypatch):
    counted = threading.Event()
    check = checking.checks.check
    monkeypatch.setattr(checking.checks, "check", lambda *about: counted.wait(60) and check(*about))
    app = opened(mechanism="tem", eps="4")
    app.file_uploader[0].set_value((FILE, MESSAGES.encode(), "text/csv"))
    app.run()
    assert app.get("progress")
    app = goes(app, "compare")
    counted.set()
    assert "Messages 1.csv · text · 40 rows · TEM, ε = 4" in said(app)
    assert "One of the first 40 texts" in [box.label for box in app.selectbox]


def test_the_bar_says_that_the_texts_of_a_file_are_not_known_yet():
    app = with_file(opened(), "id,text\n1,good film\n2,a,b,c\n", "ragged.csv")
    assert app.error
    assert "ragged.csv · no texts chosen yet" in said(goes(app, "compare"))


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
    assert {"film", "good", "said"} <= set(app.selectbox(key="sample_word").options)
    app = complete(box.set_value("random").run())
    app = complete(goes(goes(app, "perturb"), "deniability"))
    assert app.selectbox(key="sample").value == "random"  # the visitor's choice counts from then on


def test_an_attack_expects_the_words_of_the_file_and_draws_when_it_is_asked(app):
    app = goes(app, "attacks")
    assert app.selectbox(key="prior").value == "file"
    assert "without a draw" in said(app)
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
    assert "for the settings of Messages 1.csv (TEM, ε = 4)" in said(app).replace("**", "")


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


# ------------------------------------------------------------------------------- after a reload

TOKEN, OTHER = "a" * 32, "b" * 32


@pytest.fixture
def kept(app):
    """A file with a trial, in a tab with a token."""
    kept_material.MATERIALS.clear()
    app.session_state["tab-token"] = TOKEN
    app = healthy(app.run())
    (test,) = [each for each in app.button if each.label == wording.TEST_BUTTON]
    yield healthy(test.click().run(timeout=300))
    kept_material.MATERIALS.clear()


def reloaded(token, name="deniability", **query):
    """A new session, which learns its tab's token after its first run."""
    again = page(**query)
    again = goes(again, name)
    again.session_state["tab-token"] = token
    return healthy(again.run(timeout=300))


def test_a_tab_is_asked_until_it_has_told_its_token_and_where_steps_are_opened(app):
    def asks():
        return len(healthy(app).get("bidi_component"))

    assert asks() == 1
    app.session_state["tab-token"] = TOKEN
    app.run()
    assert asks() == 0
    goes(app, "learn")
    assert asks() == 1


def test_a_reload_finds_the_file_its_settings_and_its_ledger_and_another_tab_finds_nothing(kept):
    assert spent(kept) == 1
    again = reloaded(TOKEN)
    assert "Messages 1.csv · text · 40 rows · TEM, ε = 4" in said(again)
    assert spent(again) == 1
    assert again.session_state["size"] == 10000
    again = complete(goes(again, "your_data"))
    assert "One draw of every text (40)" in said(again)  # the trial is there
    assert "An adversary who knows how frequent each word is in this file can name" in said(again)
    assert spent(again) == 1
    assert "Messages" not in said(reloaded(OTHER))
    assert "Messages" not in said(page(mechanism="tem", eps="4", size="10000"))


def test_after_a_quarter_of_an_hour_without_a_visit_nothing_is_found(kept, monkeypatch):
    at = kept_material.MATERIALS.clock()
    monkeypatch.setattr(kept_material.MATERIALS, "clock", lambda: at + vault.SECONDS + 60)
    assert "Messages" not in said(reloaded(TOKEN))


def test_a_forgotten_file_is_not_found_again(kept):
    (forget,) = [button for button in kept.button if "Forget this file" in button.label]
    healthy(forget.click().run())
    assert kept_material.MATERIALS.tokens() == []
    assert "Messages" not in said(reloaded(TOKEN))


def test_a_setting_of_the_link_counts_more_than_one_of_before(kept):
    again = reloaded(TOKEN, mechanism="tem", eps="9", size="10000")
    assert "Messages 1.csv · text · 40 rows · TEM, ε = 9" in said(again)


def test_a_typed_text_is_found_with_its_draw_and_its_count():
    kept_material.MATERIALS.clear()
    app = page(mechanism="tem", eps="3.1", size="10000")
    app.session_state["tab-token"] = TOKEN
    app.run()
    app = healthy(app.text_area(key="text").set_value("a slow film").run())
    again = reloaded(TOKEN, name="perturb")
    assert again.text_area(key="text").value == "a slow film"
    assert again.session_state.ledgers["a slow film"].draws == 3
    kept_material.MATERIALS.clear()


def test_a_run_goes_on_after_a_reload_and_one_that_was_stopped_does_not(kept):
    kept_at = kept_material.MATERIALS.find(TOKEN)
    assert kept_at.at_work == ()  # its count is finished
    job = kept.session_state.file_plan.job
    joined = []
    job.join = joined.append
    kept_material.MATERIALS.keep(TOKEN, kept_material.Kept(kept_at.values, {}, ("file_plan",)))
    again = reloaded(TOKEN)
    assert joined == [again.session_state.visitor] == [kept.session_state.visitor]


# ------------------------------------------------------------------------------------ hand-overs


def test_gamma_is_handed_to_tem_on_private_sentences():
    app = page(mechanism="cmp", size="10000")
    app = goes(app, "gamma")
    (use,) = [button for button in app.button if button.label.startswith("✍️ Use TEM")]
    app = healthy(use.click().run(timeout=300))
    assert app.header[0].value == "Private sentences"
    assert app.session_state.mechanism.name == "TEM"
    assert app.session_state["tem.epsilon"] == 10.0
    assert use.label.endswith(f"γ = {prose.number(app.session_state['tem.gamma'])}")


def test_the_first_place_of_the_tradeoff_is_handed_to_the_file(app):
    app = goes(app, "tradeoff")
    (use,) = [button for button in app.button if button.label.startswith("📄 Use ")]
    assert use.label.replace("\\", "").endswith("for Messages 1.csv")
    app = healthy(use.click().run(timeout=300))
    assert app.header[0].value == "A file in, a private file out"
    setting = use.label.replace("\\", "").removeprefix("📄 Use ").split(" for ")[0]
    assert material_settings(app) == setting


def material_settings(app):
    kind = app.session_state.mechanism
    return f"{kind.name}, ε = {prose.number(app.session_state[f'{kind.slug()}.epsilon'])}"


# --------------------------------------------------------------------------- Compare's first column


def test_the_first_column_of_a_comparison_has_the_settings_of_the_file(app):
    app = complete(goes(app, "compare"))
    first, second = (app.session_state[f"column-{number}"] for number in (1, 2))
    assert first.mechanism == TEM(epsilon=4)
    assert first.pinned
    assert type(second.mechanism) is CMP  # and not TEM once more
    assert "Column 1 has the settings of Messages 1.csv and is pinned" in said(app)
    mean = app.table[0].value if app.table else None
    assert mean is None  # nothing is drawn before it is asked for
    stays = app.session_state["kept-words"]
    vocabulary = embeddings.load("glove-6b-50d", 10_000)
    words = tradeoff.sampled_words(TEM.family(), vocabulary)
    n_w = deniability.curves(TEM.family(), vocabulary, words, [4.0]).unchanged.value.mean()
    assert stays == pytest.approx(100 * n_w, abs=1)
    # Other settings of the file, and the column follows; once changed by hand, it no longer does.
    app.session_state["tem.epsilon"] = 5.5
    app = complete(goes(goes(app, "deniability"), "compare"))
    assert app.session_state["column-1"].mechanism == TEM(epsilon=5.5)
    app = complete(healthy(app.button(key="pin.1").click().run(timeout=300)))
    assert not app.session_state["column-1"].pinned
    app.session_state["tem.epsilon"] = 3.0
    app = complete(goes(goes(app, "deniability"), "compare"))
    assert app.session_state["column-1"].mechanism.epsilon != 3.0
    assert "Column 1 has the settings" not in said(app)


def test_without_a_material_the_columns_are_the_usual_ones():
    app = complete(goes(page(mechanism="tem", eps="4", size="10000"), "compare"))
    assert not app.session_state["column-1"].pinned
    assert "Column 1 has the settings" not in said(app)
