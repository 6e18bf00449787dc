"""Texts cut at their spaces: the same words as `tokenise` finds, whatever the vocabulary."""

import numpy as np
import pytest

from data import corpora, cut_corpora
from data.cut_corpora import END, SIGN, input_of
from mechanisms import Vocabulary
from mechanisms.tokens import Kind, tokenise
from tests.toy import TOY

TEXTS = (
    "East, north\u2800east:\tunheardof 42 don't",
    "",
    "<b>origin</b> &amp; east\u200b north\x1feast\n\nEast <br /> origin.",
    "east, north U.S. east-north",
)
WORDS = Vocabulary(["east", "do", "n't", "u.s.", "42", "\x1feast"], np.eye(6))


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path / "cache"))


def one_by_one(texts, vocabulary):
    return [
        each
        for text in texts
        for each in (
            *(
                input_of(token, vocabulary, SIGN)
                for token in tokenise(text, vocabulary)
                if token.kind is not Kind.SPACE
            ),
            END,
        )
    ]


@pytest.mark.parametrize("vocabulary", [TOY, WORDS], ids=["toy", "words"])
@pytest.mark.parametrize("texts", [TEXTS, TEXTS[1:2], ()], ids=["texts", "empty text", "no text"])
def test_the_inputs_are_those_of_each_text_in_its_order(texts, vocabulary):
    found = cut_corpora.of_texts(texts).inputs(vocabulary)
    assert found.tolist() == one_by_one(texts, vocabulary)


def test_reviews_have_the_same_inputs(glove):
    texts = corpora.load("imdb").texts[:200]
    found = cut_corpora.of_texts(texts).inputs(glove)
    assert found.tolist() == one_by_one(texts, glove)


@pytest.fixture
def corpus(monkeypatch):
    of_texts = corpora.Corpus("imdb", TEXTS, ("a",) * len(TEXTS))
    monkeypatch.setattr(corpora, "load", lambda name: of_texts)


@pytest.mark.usefixtures("corpus")
def test_a_corpus_is_cut_once_for_all_vocabularies(monkeypatch):
    cut_corpora.of_corpus("imdb")
    monkeypatch.setattr(corpora, "load", None)
    for vocabulary in (TOY, WORDS):
        found = cut_corpora.of_corpus("imdb").inputs(vocabulary)
        assert found.tolist() == one_by_one(TEXTS, vocabulary)


@pytest.mark.usefixtures("corpus")
def test_where_nothing_can_be_kept_the_corpus_is_cut_again(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path / "file"))
    with pytest.warns(RuntimeWarning, match="set WORDVEIL_CACHE to a folder with room"):
        found = cut_corpora.of_corpus("imdb")
    assert found.inputs(TOY).tolist() == one_by_one(TEXTS, TOY)
