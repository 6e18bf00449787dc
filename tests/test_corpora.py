"""The corpora: what the package holds, what a folder must hold, and the words of a corpus."""

import pytest

from data import corpora
from data.corpora import Corpus, load, vocabulary_of
from data.embeddings import GLOVE
from data.embeddings import load as load_embedding

HEADER = "text,label\n"


@pytest.fixture(scope="module")
def imdb():
    return load("imdb")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(corpora.FOLDER, str(tmp_path))
    return tmp_path


def test_imdb_has_as_many_positive_as_negative_reviews(imdb):
    assert len(imdb) == 25_000
    assert imdb.label_counts == {"negative": 12_500, "positive": 12_500}


def test_rotten_tomatoes_has_as_many_positive_as_negative_sentences():
    snippets = load("rotten-tomatoes")
    assert snippets.label_counts == {"negative": 4_265, "positive": 4_265}
    assert max(map(len, snippets.texts)) < 300


def test_labels_are_those_of_their_texts(imdb):
    def share(word, label):
        texts = [t for t, of in zip(imdb.texts, imdb.labels, strict=True) if of == label]
        return sum(word in text.lower() for text in texts) / len(texts)

    assert share("worst", "negative") > 3 * share("worst", "positive")
    assert share("excellent", "positive") > 3 * share("excellent", "negative")


def test_the_line_breaks_of_imdb_are_line_breaks(imdb):
    assert not any("<br" in text for text in imdb.texts)
    assert sum("\n\n" in text for text in imdb.texts) > 10_000


def test_an_unknown_name_is_refused_and_the_known_ones_are_named():
    with pytest.raises(ValueError, match="imdb, rotten-tomatoes, ag-news, sst2; got 'yelp'"):
        load("yelp")


# ----------------------------------------------------------------------------- those of the folder


@pytest.mark.parametrize(("name", "file"), [("ag-news", "ag_news.csv"), ("sst2", "sst2.csv")])
def test_a_file_of_the_folder_is_read_as_it_stands(folder, name, file):
    (folder / file).write_text(HEADER + '"a comma, and\na line",x\nplain,y\n', encoding="utf-8")
    corpus = load(name)
    assert corpus == Corpus(name, ("a comma, and\na line", "plain"), ("x", "y"))


def test_without_the_folder_the_error_says_what_to_set(monkeypatch):
    monkeypatch.delenv(corpora.FOLDER, raising=False)
    with pytest.raises(FileNotFoundError, match=r"sst2: set .*WORDVEIL_DATA.* sst2\.csv"):
        load("sst2")


def test_a_missing_file_is_named_with_its_place(folder):
    with pytest.raises(FileNotFoundError, match=r"ag-news: there is no .*ag_news\.csv"):
        load("ag-news")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "must begin with the header text,label"),
        ("label,text\nx,a\n", "must begin with the header text,label"),
        (HEADER, "no row below the header"),
        (HEADER + "a,x\nb\n", "row 2 must have 2 fields"),
        (HEADER + "a,x,y\n", "row 1 must have 2 fields"),
        (HEADER + "a,\n", "the label not empty"),
    ],
)
def test_a_file_that_is_no_table_of_texts_and_labels_is_refused(folder, content, message):
    (folder / "sst2.csv").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"sst2\.csv: .*{message}"):
        load("sst2")


# --------------------------------------------------------------------------------------- its words


@pytest.fixture(scope="module")
def embedding():
    return load_embedding(GLOVE, 20_000, words_only=False)


def test_the_vocabulary_has_the_known_words_in_the_embeddings_order_with_their_vectors(embedding):
    corpus = Corpus("two", ("A movie,\na FILM!", "xyzzyx film"), ("0", "1"))
    vocabulary = vocabulary_of(corpus, embedding)
    assert vocabulary.words == ("a", "film", "movie")  # signs are no words
    assert (vocabulary.vectors == embedding.vectors[embedding.ids(vocabulary.words)]).all()
    assert vocabulary.synonyms["film"] == embedding.synonyms["film"]


def test_words_are_cut_as_they_are_in_a_text_that_is_released(embedding):
    corpus = Corpus("one", ("I don't like the well-worn plot",), ("0",))
    words = vocabulary_of(corpus, embedding).words
    assert {"do", "n't", "worn", "plot"} <= set(words)
    assert "don't" not in words


def test_a_corpus_without_a_known_word_is_refused_by_name(embedding):
    with pytest.raises(ValueError, match="Corpus odd: none of its words"):
        vocabulary_of(Corpus("odd", ("xyzzyx",), ("0",)), embedding)
