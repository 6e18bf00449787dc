"""A visitor's own corpus of q: uploaded at the control, counted, refused, forgotten."""

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mechanisms import MECHANISMS, UnigramTEM
from pages.guarantees import controls as guarantees
from tests.app import healthy, page, shown
from tests.pages.test_base_measures_pages import few_words, opened  # noqa: F401
from tests.pages.test_compare_page import compare, complete, sentences, table
from tests.waiting import rerun_until

NEWS = "The minister said that the markets were calm.\nThe markets were calm again.\n" * 20
TABLE = "id,body\n1,the markets were calm\n2,the minister was calm\n"
TYPED = "My doctor said the movie was wonderful"


def asked(**query):
    """The page with a mechanism whose q is the visitor's own, and no corpus yet."""
    return page(**{"mechanism": "unigram-tem", "q": "own", "size": "10000", "text": TYPED} | query)


def upload(app, data=NEWS, name="news.txt", at=0):
    data = data if isinstance(data, bytes) else data.encode()
    app.file_uploader[at].set_value((name, data, "text/plain"))
    return healthy(app.run())


def said(app):
    return shown(app).replace("\\", "")


def test_without_a_corpus_a_sentence_asks_for_one_and_the_control_is_there():
    app = asked()
    assert "none of your own corpora has been counted yet. Upload one" in said(app)
    assert "It must be public" in app.file_uploader[0].help
    assert "If it contains the private text, the promise does not hold" in said(app)
    assert not app.get("dataframe")
    # No ε is chosen before q is there: its range follows from q.
    assert "unigram-tem.epsilon" not in app.session_state


def test_an_upload_is_counted_and_used_at_once():
    app = upload(asked())
    assert not app.error
    text = said(app)
    assert "q is counted on news.txt, text: 40 documents, 260 words and numbers." in text
    assert "knows 100 % of the words and numbers" in text
    assert '<div class="wv-version wv-first"' in text
    opened(app)
    assert "the corpus of q that you uploaded. Documents: 40. Words and numbers: 260" in said(app)
    assert "no word has probability 0" in said(app)


def test_an_n_gram_looks_at_the_followers_of_the_upload():
    app = opened(upload(asked(mechanism="n-gram-tem", seed="3")))
    assert "uses the 8 pairs of words and 7 triples" in said(app)


def test_another_corpus_draws_anew_and_the_first_one_shows_its_draws_again():
    app = upload(asked(seed="4", eps="2", versions="5"))
    first = said(app)
    other = upload(app, "the cat and the dog sat on the mat\n" * 50)
    assert "450 words" in said(other)
    assert "ε of all versions so far: 20 per" in said(other)
    assert said(upload(app, NEWS)).split("wv-version")[1:3] == first.split("wv-version")[1:3]
    assert "ε of all versions so far: 20 per" in said(app)


def test_a_table_asks_for_its_column():
    for name, data in (("news.csv", TABLE), ("news.parquet", parquet())):
        app = upload(asked(), data, name)
        (column,) = [box for box in app.selectbox if box.label.startswith("The column")]
        assert column.options == ["id", "body"]
        assert "none of your own corpora has been counted yet" in said(app)
        column.set_value("body").run()
        assert f"q is counted on {name}, body: 2 documents, 8 words and numbers." in said(
            healthy(app)
        )
        assert not app.error


def parquet():
    out = io.BytesIO()
    rows = {"id": [1, 2], "body": ["the markets were calm", "the minister was calm"]}
    pq.write_table(pa.table(rows), out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "sentence"),
    [
        ("", "news.txt", "Corpus of q: File: it is empty"),
        (" \n\n", "news.txt", "text holds no text. Choose another column or file"),
        ("!!! ... ???\n", "news.txt", "none of its 0 words and numbers"),
        ("кошка сидит\n" * 9, "news.txt", "none of its 18 words and numbers; take a corpus in the"),
        (b"\x89PNG\r\n\x1a\n" + bytes(99), "news.txt", "this is a PNG picture"),
    ],
)
def test_what_cannot_be_counted_gets_a_sentence_and_nothing_is_drawn(data, name, sentence):
    app = upload(asked(), data, name)
    assert any(sentence in error.value.replace("\\", "") for error in app.error), said(app)
    assert 'class="wv-version' not in shown(app)
    # Another corpus, or another q, is the way out.
    assert "q is counted on news.txt" in said(upload(app))
    assert not app.error


def test_a_corpus_of_another_language_is_noticed():
    app = upload(asked(), "кошка сидит на a mat und schläft heute nicht\n" * 30)
    (warning,) = [w.value for w in app.warning if "knows only" in w.value]
    assert "Is the corpus in the language of the embedding?" in warning
    assert 'class="wv-version' in shown(app)


def test_too_large_an_upload_is_refused(monkeypatch):
    from pages.shared import own_corpus

    monkeypatch.setattr(own_corpus, "MOST_MEGABYTES", 1)
    app = upload(asked(), "calm " * 250_000)
    assert any("must have at most" in error.value for error in app.error)


def test_the_private_text_itself_is_refused_as_corpus():
    app = upload(asked(text="The markets were calm."), "The markets\nwere   calm.\n")
    assert any("own private text" in error.value for error in app.error)
    assert 'class="wv-version' not in shown(app)
    app.text_area(key="text").set_value("The markets were wild.").run()
    assert not healthy(app).error
    assert 'class="wv-version' in shown(app)


def test_a_corpus_that_holds_the_private_text_among_others_is_refused():
    typed = f"{TYPED} surprise of a long summer"
    app = upload(asked(text=typed), f"{NEWS}\nA letter: {typed.upper()}!! Yours.\n")
    assert any("or contains all of it" in error.value for error in app.error)
    assert 'class="wv-version' not in shown(app)
    app.text_area(key="text").set_value(typed.replace("long", "short")).run()
    assert not healthy(app).error
    assert 'class="wv-version' in shown(app)


def test_a_corpus_that_holds_a_text_of_the_file_is_warned_of():
    rows = [f"the markets of day {number} were calm and the minister said so" for number in "abc"]
    app = upload(asked(), f"{NEWS}{rows[1]}\n")
    app.switch_page("pages/your_data/page.py").run()
    (files,) = [box for box in app.file_uploader if box.label == "Your file"]
    files.set_value(("private.txt", "\n".join(rows).encode(), "text/plain"))
    rerun_until(app.run(), lambda app: len(app.subheader) > 1)  # the file is read to its end
    assert not healthy(app).error
    assert any("1 of 3 private texts is in it, word for word" in w.value for w in app.warning)


def test_the_private_file_itself_is_refused_as_corpus_whichever_came_first():
    app = upload(asked(), TABLE, "news.csv")
    [box for box in app.selectbox if box.label.startswith("The column")][0].set_value("body").run()
    assert not healthy(app).error
    app.switch_page("pages/your_data/page.py").run()
    (files,) = [box for box in app.file_uploader if box.label == "Your file"]
    files.set_value(("private.csv", TABLE.encode(), "text/csv"))
    app.run()
    assert any("own private text" in error.value for error in healthy(app).error)
    assert not any("Make the file private" in button.label for button in app.button)


def test_a_corpus_is_kept_on_other_pages_and_forgotten_on_demand():
    app = upload(asked())
    app.switch_page("pages/perturb/page.py").run()
    assert "q is counted on news.txt" in said(healthy(app))
    next(b for b in app.button if "Forget this corpus" in b.label).click().run()
    assert "none of your own corpora has been counted yet" in said(healthy(app))
    assert app.session_state["own_corpus"] is None


def test_other_mechanisms_keep_the_vocabulary_of_all_sessions():
    app = upload(asked())
    (kept,) = app.session_state["own_answers"]["pages.shared.cached.vocabulary"].values()
    assert not kept.public
    app.selectbox(key="mechanism").set_value(MECHANISMS[0]).run()
    app.selectbox(key="mechanism").set_value(UnigramTEM).run()
    app.selectbox(key="unigram-tem.corpus").set_value("ranks").run()
    assert not healthy(app).error
    assert len(app.session_state["own_answers"]["pages.shared.cached.vocabulary"]) == 1


def test_on_compare_a_column_has_the_corpus_and_the_other_none(few_words):  # noqa: F811
    app = compare(
        **{
            "compare-by": "epsilon",
            "common-eps": "4",
            "column-1": "unigram-tem;q=own",
            "column-2": "tem",
            "seed": "3",
        }
    )
    assert "none of your own corpora has been counted yet" in said(app)
    complete(upload(app))
    assert len(sentences(app)) == 2
    assert list(table(app).loc["ε"]) == ["4", "4"]
    assert any("same promise in these columns" in info.value for info in app.info)
    (script,) = [b for b in app.get("download_button") if "Python script" in b.proto.label]
    assert script.proto.disabled
    assert "a script could not read it" in script.proto.help


def test_a_weight_with_which_q_outweighs_the_input_is_told():
    app = upload(asked(gamma="0.01"))
    assert any("q outweighs the input" in warning.value for warning in app.warning)
    app = upload(asked(gamma="0.01", weight="0"))
    assert not any("q outweighs the input" in warning.value for warning in app.warning)


def test_the_audit_of_ones_own_setting_asks_for_the_corpus_and_uses_it(monkeypatch):
    monkeypatch.setattr(guarantees, "AUDITED", guarantees.AUDITED[:1])
    app = asked(**{"audit-words": "3000"})
    app.switch_page("pages/guarantees/page.py").run(timeout=300)
    assert "none of your own corpora has been counted yet" in said(healthy(app))
    app.switch_page("pages/perturb/page.py").run()
    upload(app)
    app.switch_page("pages/guarantees/page.py").run(timeout=300)
    assert not healthy(app).error
    assert "Unigram TEM: metric DP" in said(app)
