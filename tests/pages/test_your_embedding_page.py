"""The Your embedding page, run by Streamlit itself without a browser."""

import csv
import gc
import io
import weakref

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from data import embeddings, own_embeddings, store
from data.embeddings import VocabularyChoice, by_name
from pages.shared import cached, downloads, jobs, own_embedding
from pages.your_embedding import tables as tables_embedding
from pages.your_embedding import wording
from tests.app import healthy, page, shown, unfolded, versions
from tests.embedding_files import text, zipped

EVIL = "<img src=x onerror=alert(1)>"
WORDS = [f"w{chr(97 + i)}{chr(97 + j)}" for i in range(10) for j in range(10)]
VECTORS = np.random.default_rng(3).normal(size=(103, 4)).astype(np.float32)
MINE = text([*WORDS, EVIL, "=1+1", "</div><b>bold"], VECTORS)


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    """A cache and a folder of embeddings for one test."""
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("WORDVEIL_EMBEDDINGS", str(tmp_path / "vectors"))
    (tmp_path / "vectors").mkdir()
    return tmp_path


def opened(**query):
    return healthy(page(**query).switch_page("pages/your_embedding/page.py").run())


def with_file(app, content=MINE, name="mine.txt"):
    app.file_uploader[0].set_value([(name, content, "text/plain")])
    return healthy(app.run())


def in_use(app):
    click(app, "Use it on all pages")
    return healthy(app.switch_page("pages/perturb/page.py").run())


def click(app, label):
    (button,) = [button for button in app.button if label in button.label]
    return healthy(button.click().run())


def choose(app, name):
    return healthy(unfolded(app, "other-choices").selectbox(key="embedding").set_value(name).run())


def test_before_any_file_the_page_says_what_it_takes_and_what_happens_to_it():
    app = opened()
    assert "word2vec text and binary" in shown(app)
    assert "minutes after you close the page" in shown(app)
    assert not app.dataframe
    assert not app.error


def test_the_report_is_there_before_any_mechanism_uses_the_file():
    app = with_file(opened(), MINE + b"wab 1 2 3 4\nshort 1\n")
    assert "**103 of 105 rows can be used**, 4 numbers each; 2 rows are left out." in shown(app)
    table = app.dataframe[0].value.set_index("what")
    assert table.loc["repeated word", "first lines"] == "104"
    assert table.loc["wrong length", "first lines"] == "105"
    assert app.session_state.embedding == embeddings.GLOVE


def test_a_common_offset_is_said():
    far = text(WORDS, np.round(VECTORS[:100] + np.float32(1e4), 2))
    app = with_file(opened(), far)
    assert "All vectors shared an offset of length" in shown(app)
    assert "common offset" in list(app.dataframe[0].value["what"])
    assert "shared an offset" not in shown(with_file(app))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\x89PNG\r\n\x1a\n", r"it is a picture \(PNG\)"),
        (b"\x80\x04\x95", "it is a pickle, which may run any program"),
        (b"PK\x03\x04" + bytes(60), "damaged"),
        (b"hello world\n", "line 1 must be a word and its numbers"),
    ],
)
def test_a_file_that_cannot_be_read_gets_a_sentence_and_the_page_goes_on(content, sentence):
    app = with_file(opened(), content, 'a"><b>.csv')
    (error,) = app.error
    assert sentence.replace("\\", "") in error.value.replace("\\", "")
    assert "><b>" not in error.value
    assert not app.dataframe
    assert len(with_file(app).dataframe) == 1


def test_one_of_several_files_in_a_zip_is_chosen():
    packed = zipped(one__txt=MINE, two__txt=text(WORDS[:20], VECTORS[:20]))
    app = with_file(opened(), packed, "both.zip")
    assert "All 103 rows" in shown(app)
    box = next(box for box in app.selectbox if box.label == "Which file")
    box.set_value(box.options[1]).run()
    assert "All 20 rows" in shown(healthy(app))


def test_used_it_is_the_embedding_of_every_page_and_nothing_of_it_stands_in_the_link():
    app = in_use(with_file(opened(unknown="mask")))
    app.text_area(key="text").set_value("wab waa zebra").run()
    assert unfolded(app, "other-choices").selectbox(key="embedding").value.startswith("yours-")
    assert unfolded(app, "other-choices").selectbox(key="size").options == ["all 103"]
    link = dict(healthy(app).query_params)
    assert link["embedding"] in ("yours", ["yours"])
    assert "mine" not in str(link)
    assert "1 of 3 tokens" not in shown(app)
    assert versions(app).count('class="wv-version') == 3
    for script in ("deniability", "neighbours", "gamma", "compare"):
        healthy(app.switch_page(f"pages/{script}/page.py").run())
        assert not app.error, (script, app.error)
        assert not any("ignored" in warning.value for warning in app.warning)


def test_a_link_to_an_upload_says_in_another_session_what_it_is():
    app = page(embedding="yours")
    assert any("ignored embedding=yours" in warning.value for warning in app.warning)
    assert any("upload it on the page Your embedding" in warning.value for warning in app.warning)
    assert unfolded(app, "other-choices").selectbox(key="embedding").value == embeddings.GLOVE


def test_forgotten_it_is_gone_from_every_page():
    app = in_use(with_file(opened()))
    name = app.session_state.embedding
    app.switch_page("pages/your_embedding/page.py").run()
    click(app, "Forget it")
    assert app.session_state.embedding == embeddings.GLOVE
    healthy(app.switch_page("pages/perturb/page.py").run())
    assert name not in unfolded(app, "other-choices").selectbox(key="embedding").options
    assert "own_answers" not in app.session_state


def test_another_session_is_not_offered_it():
    app = in_use(with_file(opened()))
    other = page()
    assert "yours" in unfolded(app, "other-choices").selectbox(key="embedding").options
    assert "yours" not in unfolded(other, "other-choices").selectbox(key="embedding").options


def test_words_of_an_embedding_are_shown_as_they_are_written_and_never_run():
    app = in_use(with_file(opened(mechanism="tem", eps="0.0001", versions="20")))
    unfolded(app, "other-choices").toggle(key="tokens").set_value(False).run()
    app.text_area(key="text").set_value("wab wac wad wae waf wag wah wai " * 10).run()
    markup = versions(healthy(app))
    assert "<img" not in markup
    assert "&lt;img src=x onerror=alert(1)&gt;" in markup
    assert "</div><b>" not in markup


def test_a_formula_among_the_words_is_text_in_the_report():
    with_two = own_embeddings.upload(
        own_embeddings.sources({"m.txt": b"=1+1 1 1\n@x 1 2\n"})[0]
    ).health()
    content = downloads.csv(tables_embedding.health(with_two)).decode("utf-8-sig")
    cells = [cell for line in csv.reader(io.StringIO(content)) for cell in line]
    assert "'=1+1 and @x, of the first 2 words" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "@", "+", "-"))]
    assert "\\=1\\+1" in wording.geometry(with_two)


def test_a_file_of_the_folder_is_examined_and_used_by_everyone(folders):
    (folders / "vectors" / "theirs.txt").write_bytes(MINE)
    app = opened()
    box = next(box for box in app.selectbox if box.label == "Health of")
    assert box.value is None
    box.set_value("theirs.txt").run()
    assert "All 103 rows" in shown(healthy(app))
    app = in_use(app)
    assert app.query_params["embedding"] in ("theirs.txt", ["theirs.txt"])
    other = page(embedding="theirs.txt")
    assert unfolded(other, "other-choices").selectbox(key="embedding").value == "theirs.txt"
    assert not other.warning


def test_a_bad_file_of_the_folder_ends_the_page_with_the_reason_and_another_can_be_chosen(folders):
    (folders / "vectors" / "bad.txt").write_bytes(b"%PDF-1.7")
    app = choose(page(), "bad.txt")
    assert "it is a PDF document" in app.error[0].value
    assert not choose(app, embeddings.GLOVE).error
    by_link = page(embedding="bad.txt")
    assert any("it is a PDF document" in warning.value for warning in by_link.warning)
    assert unfolded(by_link, "other-choices").selectbox(key="embedding").value == embeddings.GLOVE


def test_the_guarantees_page_tests_as_many_words_as_there_are():
    app = in_use(with_file(opened(**{"audit-words": "3000"})))
    app.switch_page("pages/guarantees/page.py").run(timeout=300)
    assert not healthy(app).error
    assert len(app.dataframe[0].value) > 5


# ---------------------------------------------------------------------------- nothing is kept of it

SESSION = """
import streamlit as st
from data import own_embeddings
from data.embeddings import VocabularyChoice
from mechanisms import TEM
from pages.gamma import geometry
from pages.shared import cached, own_embedding, shared_work

source, = own_embeddings.sources({"mine.txt": st.session_state.content})
own_embedding.keep_own_embedding(own_embeddings.upload(source))
choice = VocabularyChoice(own_embedding.own_embedding(), 103, words_only=False)
vocabulary = cached.vocabulary(choice)
assert vocabulary is cached.vocabulary(choice)
cached.epsilon_range(TEM.family(), choice)
geometry.landmarks(choice)
shared_work.shared_job([lambda: len(vocabulary)], ("test", vocabulary.fingerprint), vocabulary)
st.session_state.vocabulary = vocabulary
"""


def test_when_the_session_is_gone_so_is_all_that_was_about_the_upload(folders):
    app = AppTest.from_string(SESSION)
    app.session_state["content"] = MINE
    healthy(app.run())
    vocabulary = weakref.ref(app.session_state.vocabulary)
    upload = weakref.ref(app.session_state.own_embedding)
    jobs.stop_all()
    assert vocabulary() is not None
    del app
    st.session_state.clear()
    AppTest.from_string("pass").run()  # the names of the last script live until the next one runs
    gc.collect()
    assert vocabulary() is None
    assert upload() is None
    assert not (folders / "cache").exists() or not list(store.folder().iterdir())


def test_what_is_about_an_installed_embedding_is_shared_as_before():
    choice = VocabularyChoice(by_name(embeddings.GLOVE), 10_000)
    assert cached.vocabulary(choice) is cached.vocabulary(choice)
    assert own_embedding.embedding_label(choice.name) == choice.name
