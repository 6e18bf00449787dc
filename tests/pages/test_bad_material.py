"""Unusual files, and a visitor who changes their mind: a clear sentence each, no traceback.

Nothing of a file is kept for others, logged, or left in the session once it was forgotten.
"""

from streamlit.config import get_option

from pages.shared import kept_material
from pages.your_data import wording
from tests.app import healthy, shown
from tests.pages.test_material import goes, said
from tests.pages.test_your_data_page import button, complete, made_private, opened, with_file

MARK = "Xyzzyplugh"


def file_of(*texts, header="text"):
    return "\n".join([f"id,{header}", *(f"{n},{text}" for n, text in enumerate(texts))])


def with_texts(*texts, **query):
    return with_file(opened(mechanism="tem", eps="4", **query), file_of(*texts), "odd.csv")


def walked(app, *others):
    """What pages say that answer for the words of the file; each draw is asked for."""
    found = {}
    for name in ("deniability", "attacks", *others):
        app = goes(app, name)
        for ask in [one for one in app.button if one.label.startswith("🎲 Draw ")][:1]:
            app = healthy(ask.click().run(timeout=300))
        found[name] = said(app)
    return found


def test_a_file_of_unknown_words_is_said_to_be_one_on_every_page():
    app = with_texts("zzqx qqzz", "xqxq zzqx")
    assert "The vocabulary has only 0 % of the words" in shown(app)
    pages = walked(app)
    assert "This mechanism knows none of these words" in pages["deniability"]
    assert "none of the 2 texts has a word of the vocabulary" in pages["attacks"]


def test_a_file_of_one_row_goes_through_and_has_no_labels_to_learn():
    app = with_texts("the film was good")
    assert "1 row" in shown(app)
    pages = walked(app, "tradeoff")
    assert "odd.csv · text · 1 row" in pages["attacks"]
    assert "label" in pages["tradeoff"]
    app = made_private(complete(goes(app, "your_data")))
    assert "1 row" in shown(app)


def test_a_column_of_numbers_is_said_to_hold_no_words():
    app = with_file(opened(mechanism="tem", eps="4"), "id,amount\n1,20000\n2,30000\n", "n.csv")
    assert "The texts hold no words" in shown(app)
    walked(app)


def test_the_largest_upload_is_as_large_as_the_readme_says_and_larger_files_have_a_command():
    assert get_option("server.maxUploadSize") == 200
    assert "python -m release" in wording.UPLOAD_HELP


def test_a_second_file_takes_the_place_of_one_that_is_still_worked_on():
    app = with_texts(*["the film was good"] * 30)
    first = app.session_state.file_plan.job
    app.file_uploader[0].set_value(("second.csv", file_of("a slow film").encode(), "text/csv"))
    app = complete(app.run())
    assert not first.watched_by(app.session_state.visitor)
    assert "second.csv · text · 1 row" in said(goes(app, "deniability"))
    assert "odd.csv" not in said(app)


def test_a_file_that_is_forgotten_in_the_middle_of_a_run_leaves_nothing():
    app = with_texts(*[f"the film was {MARK} good"] * 30)
    app = goes(app, "attacks")
    app = healthy(button(app, "Draw 8 versions").click().run(timeout=300))
    app = complete(goes(app, "your_data"))
    app = button(app, "Make the file private").click().run()
    job = app.session_state.file_release.job
    app = healthy(button(app, "Forget this file").click().run())
    assert not job.watched_by(app.session_state.visitor)
    assert MARK.lower() not in shown(app).lower()
    assert MARK.lower() not in repr(app.session_state).lower()
    for name in ("attacks", "deniability"):
        app = goes(app, name)
        assert MARK.lower() not in shown(app).lower()


def test_nothing_of_a_file_is_on_disk_in_a_log_or_in_a_link(tmp_path, monkeypatch, caplog, capfd):
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    kept_material.MATERIALS.clear()
    app = with_texts(f"the film was {MARK} good", f"{MARK} was sad")
    app.session_state["tab-token"] = "c" * 32
    walked(app)
    made_private(complete(goes(app, "your_data")))
    assert kept_material.MATERIALS.tokens() == ["c" * 32]  # in memory, for this tab alone
    kept_material.MATERIALS.clear()
    marks = (MARK.encode(), MARK.lower().encode())
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert not [file.name for file in files if any(mark in file.read_bytes() for mark in marks)]
    written = caplog.text + "".join(capfd.readouterr())
    assert MARK.lower() not in written.lower()
    assert MARK.lower() not in str(dict(app.query_params)).lower()
