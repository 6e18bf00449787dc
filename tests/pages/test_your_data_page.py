"""The Your data page, run by Streamlit itself without a browser."""

import ast
import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from streamlit.runtime import Runtime

from mechanisms import CMP
from mechanisms.text import Status
from pages.your_data import files, widgets, wording
from pages.your_data import script as script_files
from release import account
from release.layout import layout
from release.names import name_like
from release.report import readable
from tests import customer_messages
from tests.app import healthy, page, shown
from tests.boxes import number_box
from tests.waiting import rerun_until, wait_for

ROOT = Path(__file__).parents[2]
TABLE = "id;text;label\n" + "".join(
    f"{i};the film was good, said Zebrazon {i};=sum\n" if i % 4 else f"{i};;x\n" for i in range(40)
)


def opened(**query):
    app = page(**{"size": "10000", **query})
    return healthy(app.switch_page("pages/your_data/page.py").run())


def with_file(app, data, name="reviews.csv"):
    data = data.encode() if isinstance(data, str) else data
    app.file_uploader[0].set_value((name, data, "text/csv"))
    return complete(app.run())


def complete(app):
    """The page once nothing is computed any more."""
    return rerun_until(app, lambda app: not app.get("progress"))


def button(app, label):
    (found,) = [button for button in app.button if label in button.label]
    return found


def made_private(app):
    return complete(button(app, "Make the file private").click().run())


def rows_of(data):
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=";"))


@pytest.fixture(scope="module")
def finished():
    """A page with a table made private under a seed."""
    return made_private(with_file(opened(mechanism="tem", eps="4", seed="5"), TABLE))


def test_the_page_says_what_happens_to_a_file_and_offers_one(finished):
    app = opened()
    assert "not written to disk, not logged" in shown(app)
    app = complete(button(app, "Try it with 200").click().run())
    assert "**200 rows** with 200 texts in the column **text**" in shown(app)


def test_what_was_found_is_shown_with_the_first_rows_before_anything_runs():
    app = with_file(opened(), TABLE)
    text = shown(app)
    assert "separator: **semicolon**" in text
    assert "header: **the first row**" in text
    assert list(app.dataframe[0].value.columns) == ["id", "text", "label"]
    assert app.multiselect[0].value == ["text"]
    assert "**40 rows** with 30 texts" in text
    assert "10 empty cells stay empty" in text
    assert "file_release" not in app.session_state


def test_the_plan_counts_tokens_says_their_fate_and_adds_up_epsilon():
    app = with_file(opened(mechanism="tem", eps="4", unknown="mask"), TABLE)
    plan = app.table[1].value
    assert plan.loc["known words and numbers", "how many"] == "150"
    assert plan.loc["unknown words"].tolist() == [
        "30",
        "masked: shows that they were unknown",
    ]
    assert plan.loc["unknown numbers"].tolist() == [
        "30",
        "masked: shows that they were unknown",
    ]
    assert plan.loc["punctuation and symbols", "how many"] == "30"
    assert plan.loc["of these, unknown", "how many"] == "30"
    assert "ε = 20 per unit of Euclidean distance (averaged over the words)" in shown(app)
    assert "The promise for your longest row (5 drawn words) adds up to" in shown(app)
    assert "That is a very weak promise for the row as a whole." in shown(app)
    assert "It does not hide how many words" in shown(app)


def test_the_private_file_has_the_same_rows_and_its_report(finished):
    release = finished.session_state["file_release"]
    before, after = rows_of(TABLE.encode()), rows_of(release.as_file("out.csv"))
    assert after[0] == before[0]
    assert [row[0] for row in after] == [row[0] for row in before]
    assert [bool(row[1]) for row in after] == [bool(row[1]) for row in before]
    assert [row[2] for row in after] == [row[2] for row in before]
    facts = release.report
    assert facts["rows"] == 40
    assert release.account["not protected"] == 30
    assert facts["formula cells with an apostrophe in front"] == 0  # none of the private ones
    assert readable(facts).strip() in [text.value for text in finished.text]
    assert "Zebrazon" not in json.dumps(facts)
    assert not finished.success


def test_the_result_is_facts_and_not_a_verdict(finished):
    counts = finished.session_state["file_release"].counts.statuses
    changed, same = counts[Status.CHANGED], counts[Status.UNCHANGED]
    said = next(info.value for info in finished.info if "drawn anew" in info.value)
    assert said.startswith("**40 rows were drawn anew.** ")
    assert f"**{same} of {changed + same} known words are unchanged** (PP " in said
    assert "private" not in said


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (
            {Status.UNCHANGED: 1, Status.REPLACED: 1, Status.UNPROTECTED: 1},
            "**1 row was drawn anew.** **1 of 1 known word is unchanged** (PP 0.0 %). They are "
            "listed below. 1 unknown word was drawn as the unknown word. Punctuation "
            "is never changed: 1 of 3 tokens is released as typed.",
        ),
        (
            {Status.MASKED: 2, Status.DROPPED: 1},
            "**1 row was written, but no known word was drawn.** 2 unknown words were masked. 1 "
            "unknown word was left out. Punctuation is never changed: 0 of 3 tokens are released "
            "as typed.",
        ),
    ],
)
def test_every_fate_is_counted_in_the_result(counts, said):
    assert wording.result(1, Counter(counts), "random", "decode") == said


def test_before_the_run_nothing_is_said_to_be_done():
    app = with_file(opened(mechanism="tem", eps="4"), "id;text\n1;the\u200b film\n2;good\n")
    assert "1 invisible character will be removed" in shown(app)
    assert "an average row (1.5 drawn words)" in shown(app)


def test_the_sample_side_by_side_is_marked(finished):
    text = shown(finished)
    assert "never publish a text beside its private version" in text
    assert text.count('class="wv-version"') == 2 * widgets.SHOWN_PAIRS
    assert "Zebrazon 1" in text


def test_a_seed_is_warned_of_and_is_not_in_the_report(finished):
    assert any("anyone who knows the seed" in warning.value for warning in finished.warning)
    assert '"seed"' not in json.dumps(finished.session_state["file_release"].report)


def test_parquet_holds_the_same_cells(finished):
    release = finished.session_state["file_release"]
    data = release.as_file("out.parquet")
    from release import tables

    rows = list(tables.rows(data, layout("out.parquet", data)))
    cells = [row[:2] for row in rows_of(release.as_file("out.csv"))[1:]]
    assert [[c or "" for c in row[:2]] for row in rows] == cells
    assert {row[2] for row in rows} == {"=sum", "x"}  # nothing runs a Parquet file


def test_the_script_makes_the_same_file_under_the_seed(finished, tmp_path):
    release = finished.session_state["file_release"]
    (tmp_path / "reviews.csv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "make_private.py").write_text(script_files.release(release), encoding="utf-8")
    (tmp_path / "page.csv").write_bytes(release.as_file("out.csv"))
    (tmp_path / "page.json").write_text(json.dumps(release.report), encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}

    def script(*options):
        command = [sys.executable, "make_private.py", *options]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )

    again = script("--again", "reviews.csv", "private.csv")
    assert again.returncode == 0, again.stderr
    assert "second release of the same texts" in again.stdout
    assert (tmp_path / "private.csv").read_bytes() == release.as_file("out.csv")
    verified = script("--verify", "page.csv", "page.json")
    assert (verified.returncode, "They belong together" in verified.stdout) == (0, True)
    (tmp_path / "page.csv").write_bytes(b"another")
    assert script("--verify", "page.csv", "page.json").returncode == 1
    unsaid = script("reviews.csv", "another.csv")  # nothing is drawn unless it is asked for
    assert unsaid.returncode == 2
    assert not (tmp_path / "another.csv").exists()


def test_the_script_holds_what_was_said_about_the_file_and_nothing_that_was_found_in_it():
    data = TABLE.replace("good", "göod").encode("cp1252")
    app = made_private(with_file(opened(mechanism="tem", eps="4"), data))
    script = script_files.release(app.session_state["file_release"])
    assert "cp125" not in script.lower()
    assert "READ_AS = {'delimiter': ';', 'header': True}" in script
    app = with_file(opened(mechanism="tem", eps="4"), data)
    (encoding,) = [box for box in app.selectbox if box.label == "Encoding"]
    app = made_private(complete(encoding.set_value("latin-1").run()))
    said = "READ_AS = {'delimiter': ';', 'header': True, 'encoding': 'latin-1'}"
    assert said in script_files.release(app.session_state["file_release"])


def test_what_is_downloaded_has_a_public_report_and_a_private_account(finished):
    release = finished.session_state["file_release"]
    text = [each.value for each in finished.text]
    assert readable(release.report).strip() in text
    assert account.readable(release.account).strip() in text
    assert "came out" not in readable(release.report).replace("over the words that came out", "")
    hashes = {file["ending"]: file["sha256"] for file in release.report["private file"]}
    for ending, sha256 in hashes.items():
        assert hashlib.sha256(release.as_file(f"x{ending}")).hexdigest() == sha256
    assert "for you alone" in shown(finished)


def test_nothing_of_the_file_stands_in_the_link(finished):
    link = str(dict(finished.query_params))
    assert "Zebrazon" not in link
    assert "reviews" not in link


def test_controls_that_move_afterwards_are_said(finished):
    app = with_file(opened(mechanism="tem", eps="4"), TABLE)
    app = made_private(app)
    assert not any("have changed since" in info.value for info in app.info)
    number_box(app, key="tem.epsilon").set_value(3.0).run()
    assert any("have changed since" in info.value for info in complete(app).info)
    assert app.session_state["file_release"].settings.mechanism.epsilon == 4.0


def test_forgetting_a_file_drops_all_that_was_made_of_it():
    app = made_private(with_file(opened(), TABLE))
    app = healthy(button(app, "Forget this file").click().run())
    for key in ("file", "file_layout", "file_plan", "file_release"):
        assert key not in app.session_state
    assert "Zebrazon" not in shown(app)
    assert button(app, "Try it with 200")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("picture.csv", b"\x89PNG\r\n\x1a\n" + bytes(200), "this is a PNG picture"),
        ("empty.csv", b"", "it is empty"),
        (
            "ragged.csv",
            b"id,text\n1,the film\n2,a secret, of two\n3,a film\n",
            "has 3 cells, but a row has 2",
        ),
        ("lines.jsonl", b'{"text": ', "line 1 is not JSON"),
    ],
)
def test_a_file_that_cannot_be_used_is_said_with_the_reason(name, data, said):
    app = with_file(opened(), data, name)
    assert any(said in error.value.replace("\\", "") for error in app.error), app.error
    assert not [b for b in app.button if "Make the file private" in b.label]


def test_rows_out_of_step_can_become_empty():
    app = with_file(opened(), b"id,text\n1,the film\n2,a secret, of two\n3,a film\n", "x.csv")
    (ragged,) = [box for box in app.selectbox if box.label == "Rows with too many or too few cells"]
    app = made_private(complete(ragged.set_value("empty").run()))
    release = app.session_state["file_release"]
    assert "secret" not in release.as_file("out.csv").decode()
    assert release.account["rows out of step, released empty"] == 1
    assert release.report["rows"] == 3


def test_what_was_found_can_be_overridden():
    app = with_file(opened(), "id;text,a\n1;das Mädchen,b\n2;größer, schöner\n".encode("cp1252"))
    (separator,) = [box for box in app.selectbox if box.label == "Separator"]
    app = complete(separator.set_value(",").run())
    assert "separator: **comma**" in shown(app)


def test_a_name_of_a_file_or_a_column_is_never_markup():
    app = with_file(
        opened(), '"<b>text</b> :red[x]",n\nthe film was,1\na film is,2\n', 'a"><b>.csv'
    )
    text = shown(app)
    assert "<b>" not in text
    assert r"a\"\>\<b\>\.csv" in text or r'a"\>\<b\>\.csv' in text


def test_ten_thousand_columns_are_shown_and_one_is_made_private():
    names = [f"c{i}" for i in range(9_999)]
    lines = [",".join([*names, "text"])] + [",".join(["1"] * 9_999 + ["the film"])] * 3
    app = made_private(with_file(opened(), "\n".join(lines) + "\n"))
    assert app.session_state["file_release"].reading.columns == ("text",)
    assert app.session_state["file_release"].report["rows"] == 3


def test_work_rests_where_its_visitor_has_left(monkeypatch):
    monkeypatch.setattr(files.pieces, "MOST_CHARACTERS", 100)

    class Gone:
        def is_active_session(self, session):
            return False

    monkeypatch.setattr(Runtime, "exists", classmethod(lambda cls: True))
    monkeypatch.setattr(Runtime, "instance", classmethod(lambda cls: Gone()))
    worked = []

    class Here:
        session_id = "one"

    monkeypatch.setattr(files.session, "get_script_run_ctx", Here)
    monkeypatch.setattr(files.session, "visitor", lambda: "visitor")
    file = files.File("reviews.csv", TABLE.encode())
    reading = files.Reading(layout("reviews.csv", file.data), ("text",), "refuse")
    job = files.start((worked.append(piece.number) for piece in reading.pieces(file.data)), 10)
    wait_for(lambda: job not in files.jobs._at_work)
    assert 0 < len(worked) < 10
    assert not job.watched_by("visitor")


def test_an_encoding_that_is_not_clear_is_asked_with_three_readings():
    app = with_file(opened(), "id;text\n1;привет мир\n2;и снова\n".encode("cp1251"))
    assert any("Which line is right?" in warning.value for warning in app.warning)
    choices = [each for each in app.button if each.label.startswith("Read as ")]
    assert len(choices) == 3
    assert "привет мир" in shown(app)
    app = complete(button(app, "Read as cp1251").click().run())
    assert "encoding: **cp1251**" in shown(app)
    assert "**2 rows were read.**" in shown(app)


def test_doubtful_quotation_marks_stop_and_are_a_choice():
    app = with_file(opened(), 'title,text\n"One,a film\nTwo,the film\n",good film\n')
    (error,) = app.error
    assert "two ways" in error.value
    assert "Read the file in another way" in error.value
    (quotes,) = [box for box in app.selectbox if box.label == "Quotation marks"]
    (header,) = [box for box in app.selectbox if box.label == "The first row"]
    header.set_value(True)
    app = complete(quotes.set_value(False).run())
    assert "**3 rows were read.**" in shown(app)
    assert list(app.dataframe[1].value["Row"]) == ["first, 1", "last, 3", "longest, 3"]


# ------------------------------------------------------------- check, test, release and record


def test_three_hundred_messages_are_checked_tested_released_and_recorded(monkeypatch):
    app = with_file(opened(mechanism="tem", eps="6"), customer_messages.table(), "customers.csv")
    text = shown(app)
    assert "**300 texts**" in text
    checked = app.table[0].value
    assert any("name-like words" in what for what in checked.index)
    assert any("telephone-like" in what for what in checked.index)
    assert "**id** (all values different); **date** (dates)" in text
    # A test is a draw, and counted as one.
    app = complete(button(app, "Test: which words").click().run())
    assert re.search(r"One draw of a sample of 150 of 300 texts: \*\*[\d,]+ of", shown(app))
    assert "1 version of your" in shown(app)
    (left_out,) = [box for box in app.multiselect if box.label == "Columns to leave out"]
    app = complete(left_out.set_value(["id", "date"]).run())
    app = made_private(app)
    assert re.search(r"[\d,]+ of [\d,]+ known words are unchanged", shown(app))
    assert re.search(r"\d+ of \d+ texts with a name-like word still", shown(app))
    assert not app.success
    assert "2 versions of your" in shown(app)
    release = app.session_state.file_release
    rows = list(csv.DictReader(io.StringIO(release.as_file("private.csv").decode("utf-8-sig"))))
    assert len(rows) == 300
    assert {row["id"] + row["date"] for row in rows} == {""}
    assert release.report["columns left out"] == ["id", "date"]
    assert "\"left_out\": ('id', 'date')" in script_files.release(release)
    # No name survives unseen: all that stand in the private file are in the table, first.
    out = [set(re.findall(r"\w+", row["text"].lower())) for row in rows]
    typed = [set(re.findall(r"\w+", text.lower())) for text in customer_messages.texts()]
    names = customer_messages.NAME_LIKE
    still = set().union(*(a & b & names for a, b in zip(out, typed, strict=True)))
    assert still <= release.survived.names
    again = shown(app)
    assert "1 earlier release of this file is known" in again


def test_a_name_of_the_messages_that_a_list_or_a_capital_tells_is_never_missed():
    found = name_like(customer_messages.texts())
    assert set(found.list) >= customer_messages.NAME_LIKE


def test_the_record_of_a_release_has_no_word_unless_it_is_ticked(finished):
    release = finished.session_state.file_release
    (tick,) = [box for box in finished.checkbox if "Name the unchanged words" in box.label]
    assert not tick.value
    assert release.survived.times


def test_an_earlier_release_is_known_from_its_record(finished):
    release = finished.session_state.file_release
    digest = hashlib.sha256(release.file.data).hexdigest()
    assert finished.session_state.releases_known[digest]


# ------------------------------------------------------------- what the visitor said of the file


def left_out_box(app):
    (found,) = [box for box in app.multiselect if box.label == "Columns to leave out"]
    return found


def test_columns_stay_left_out_when_the_mechanism_changes_or_the_page_is_left():
    """A file is counted anew for another mechanism; a box that is away meanwhile kept nothing."""
    app = with_file(opened(mechanism="tem", eps="4"), customer_messages.table(), "customers.csv")
    app = complete(left_out_box(app).set_value(["id", "date"]).run())
    app.session_state["mechanism"] = CMP
    app = complete(app.run())
    assert left_out_box(app).value == ["id", "date"]
    healthy(app.switch_page("pages/deniability/page.py").run(timeout=300))
    app = complete(app.switch_page("pages/your_data/page.py").run(timeout=300))
    assert left_out_box(app).value == ["id", "date"]
    assert made_private(app).session_state.file_release.report["columns left out"] == ["id", "date"]
    # Once the file is forgotten, so is what was said of it.
    key = left_out_box(app).key
    assert key in app.session_state
    app = healthy(button(app, "Forget this file").click().run())
    assert key not in app.session_state


def test_every_box_about_a_file_keeps_its_value():
    """Also while it is not on the page: at another page, or while the file is counted anew."""
    boxes = {"selectbox", "multiselect", "checkbox", "toggle", "radio", "slider", "text_input"}
    found, without = 0, []
    for file in sorted((ROOT / "pages" / "your_data").glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in boxes:
                found += 1
                kept = [
                    k for k in node.keywords if k.arg is None and ast.unparse(k.value) == "KEPT"
                ]
                if not kept:
                    without.append(f"{file.name}, line {node.lineno}")
    assert found > 10
    assert without == []
