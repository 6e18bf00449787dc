"""A release with a corpus of q: by command, in its report, and what is refused."""

import dataclasses
from types import SimpleNamespace

import pytest

from data import word_counts
from mechanisms import NGramTEM, UnigramTEM
from mechanisms.base_measure import counts_of, source_of_q, with_counts
from pages.your_data import script
from pages.your_data.files import Reading
from release import q_corpus, settings
from release.layout import layout
from release.q_corpus import of_file
from release.settings import Settings
from tests.release.test_release import (
    WORDS,
    command,
    private,
    rows_of,
    table,
    toy,  # noqa: F401 (the vocabulary of these tests)
    written,
)
from tests.toy import TOY

PUBLIC = "\n".join([f"{WORDS[0]} {WORDS[1]} {WORDS[2]}"] * 30)


@pytest.fixture
def corpus(tmp_path):
    return written(tmp_path / "public.txt", PUBLIC)


def of_command(tmp_path, *more, name="unigram-tem", epsilon=5):
    source = written(tmp_path / "in.csv", table(20))
    words = (source, tmp_path / "out.csv", "--column", "text", "--mechanism", name)
    return command(*words, "--epsilon", epsilon, "--overwrite", *more)


def said(done):
    """The output without the frame around an error."""
    return " ".join(done.output.replace("│", " ").split())


@pytest.mark.parametrize("name", ["unigram-tem", "n-gram-tem"])
def test_a_command_counts_q_on_the_public_file_and_the_report_names_it_by_its_hash(
    tmp_path, corpus, name
):
    done = of_command(tmp_path, "--q-file", corpus, name=name)
    assert done.exit_code == 0, done.output
    digest = of_file(corpus).sha256
    assert f"q counted on: a public file, column text, SHA-256 {digest}" in done.output
    assert str(tmp_path) not in (tmp_path / "out.csv.report.txt").read_text(encoding="utf-8")
    assert len(rows_of(tmp_path / "out.csv")) == 21


def test_what_comes_out_follows_q(tmp_path, corpus):
    """With the smallest ε words come out as often as the corpus has them."""
    done = of_command(tmp_path, "--q-file", corpus, epsilon=1e-9)
    assert done.exit_code == 0, done.output
    out = [row[1].rstrip(".").replace(", really", "") for row in rows_of(tmp_path / "out.csv")[1:]]
    words = [word.strip(",") for text in out for word in text.split()]
    assert sum(word in WORDS[:3] for word in words) > 0.8 * len(words) > 50


def test_a_table_needs_the_column_of_its_texts(tmp_path):
    news = written(tmp_path / "news.csv", f"id,body\n1,{WORDS[0]} {WORDS[1]}\n2,{WORDS[0]}\n")
    done = of_command(tmp_path, "--q-file", news)
    assert done.exit_code == 2
    assert "name the column that holds text. The file has: id, body" in said(done)
    done = of_command(tmp_path, "--q-file", news, "--q-column", "body")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("data", "more", "sentence"),
    [
        ("", (), "Corpus of q: File: it is empty"),
        ("кошка сидит\n", (), "the vocabulary has none of its 2 words and numbers"),
        (PUBLIC, ("--q-column", "body"), "there is no column 'body'. The file has: text"),
        (PUBLIC, ("--param", "corpus=imdb"), "each parameter once"),
        (PUBLIC, ("--mechanism", "tem"), "--q-file: tem has no q"),
    ],
)
def test_a_corpus_that_cannot_be_used_ends_with_2_and_nothing_is_written(
    tmp_path, data, more, sentence
):
    done = of_command(tmp_path, "--q-file", written(tmp_path / "public.txt", data), *more)
    assert done.exit_code == 2, done.output
    assert sentence in said(done)
    assert not (tmp_path / "out.csv").exists()


def test_a_command_says_if_q_outweighs_the_input(tmp_path, corpus):
    done = of_command(tmp_path, "--q-file", corpus, "--param", "gamma=0.01", epsilon=1)
    assert "q outweighs the input" in said(done)
    done = of_command(tmp_path, "--q-file", corpus, epsilon=1)
    assert done.exit_code == 0
    assert "q outweighs the input" not in said(done)


def test_own_without_a_file_and_a_column_without_a_file_are_refused(tmp_path):
    done = of_command(tmp_path, "--q-column", "body")
    assert done.exit_code == 2
    assert "also give --q-file" in done.output
    with pytest.raises(ValueError, match="it needs q = own; got UnigramTEM"):
        Settings(
            mechanism=UnigramTEM(epsilon=1.0),
            q_corpus=q_corpus.QCorpus("a.txt", "text", "00"),
        )


def test_the_private_file_is_refused_as_its_own_public_corpus(tmp_path):
    source = written(tmp_path / "in.txt", PUBLIC)
    copy = written(tmp_path / "copy.txt", PUBLIC)
    how = Settings(mechanism=UnigramTEM(epsilon=5.0, corpus="own"), q_corpus=of_file(copy))
    with pytest.raises(ValueError, match="it is the private file itself"):
        private(source, tmp_path / "out.txt", how)
    assert not (tmp_path / "out.txt").exists()


def test_a_corpus_that_changed_is_refused(tmp_path, corpus):
    how = of_file(corpus)
    corpus.write_text("other words", encoding="utf-8")
    with pytest.raises(ValueError, match="has changed since it was chosen"):
        how.counted(TOY)
    with pytest.raises(ValueError, match="was uploaded"):
        dataclasses.replace(how, path="").counted(TOY)


def test_workers_count_the_same_q(tmp_path, corpus):
    how = Settings(mechanism=NGramTEM(epsilon=5.0, corpus="own"), q_corpus=of_file(corpus), seed=3)
    one = settings.Settings.vocabulary(how)
    by_hand = with_counts(TOY, word_counts.of_texts(PUBLIC.split("\n"), TOY))
    assert one.fingerprint == by_hand.fingerprint
    assert counts_of(one, "own").known == 90
    assert settings.Settings.vocabulary(how) is one
    assert source_of_q(how.mechanism) == "own"


@pytest.mark.parametrize("named", [True, False])
def test_the_script_of_a_release_counts_q_on_the_file_beside_it(named):
    corpus = q_corpus.QCorpus("news's.txt", "text", "00") if named else None
    how = Settings(
        mechanism=UnigramTEM(epsilon=5.0, corpus="own" if named else "ranks"), q_corpus=corpus
    )
    reading = Reading(layout("in.txt", b"a text"), ("text",), "refuse")
    source = script.release(SimpleNamespace(settings=how, reading=reading))
    compile(source, "make_private.py", "exec")
    assert ("q_corpus=of_file(\"news's.txt\", 'text')," in source) == named
    assert ("import of_file" in source) == named
