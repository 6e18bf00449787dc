"""The corpora: what the package holds, what a folder must hold, and the words of a corpus."""

from collections import Counter

import pytest

from data import corpora
from data.corpora import (
    Corpus,
    from_table,
    load,
    prepared,
    sampled,
    split,
    vocabulary_of,
)
from data.embeddings import GLOVE
from data.embeddings import load as load_embedding
from release import labelled
from tests.claims import ALPHA, p_value_of_counts

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


# --------------------------------------------------------------------------------- a visitor's own


def table(*rows, separator=","):
    lines = [separator.join(row) for row in (("id", "review", "stars"), *rows)]
    return "\n".join(lines).encode()


GOOD = (("1", "a film", "five"), ("2", '"dull, and\nlong"', "one"), ("3", "so so", "one"))
FOUR = (*GOOD, ("4", "fine ", " five "))


def from_file(csv, text, label, name="your table"):
    return from_table(*labelled.read("table.csv", csv), text, label, name)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_gives_the_texts_and_labels_of_its_columns(separator):
    csv = table(*FOUR, separator=separator)
    assert labelled.read("table.csv", csv)[0] == ("id", "review", "stars")
    corpus = from_file(csv, "review", "stars", name="mine")
    assert corpus.name == "mine"
    assert corpus.texts == ("a film", "dull, and\nlong", "so so", "fine ")
    assert corpus.labels == ("five", "one", "one", "five")


def test_a_byte_order_mark_windows_line_ends_and_blank_lines_do_no_harm():
    csv = "\ufefftext,label\r\na,x\r\n\r\nb,y\r\nc,x\r\nd,y\r\n".encode()
    assert from_file(csv, "text", "label").texts == ("a", "b", "c", "d")


def test_old_encodings_json_lines_and_parquet_are_read_as_releases_are():
    csv = "text,label\ncafé,x\nbar,y\ncafé,x\nbar,y\n"
    assert from_file(csv.encode("cp1252"), "text", "label").texts[0] == "café"
    lines = b"".join(b'{"text": "a", "label": %d}\n' % (i % 2) for i in range(4))
    columns, rows = labelled.read("table.jsonl", lines)
    assert from_table(columns, rows, "text", "label").labels == ("0", "1", "0", "1")


@pytest.mark.parametrize(
    ("csv", "message"),
    [
        (b"", "File: it is empty"),
        (table(), "must have a row below the header; got none"),
        (b"text,stars\na,1\n", "a column 'review' must be there once; .* are 'text', 'stars'"),
        (b"review,review,stars\na,b,1\n", "two labels at least"),
        (table(*GOOD, ("4", "b")), "row 4 .* has 2 cells, but a row has 3"),
        (table(*GOOD, ("4", "b", " ")), "row 4 must not be empty in the column 'stars'"),
        (table(*GOOD, ("4", "", "one")), "row 4 must not be empty in the column 'review'"),
        (table(*GOOD[1:]), "'stars' must have two labels at least; got 'one' only"),
        (table(*GOOD), "every label must have two texts at least; 'five' in .* has one"),
        ("review,stars\nпривет,1\n".encode("cp1251"), "can be read in several ways"),
        (b'review,stars\n"a,1\nb,2\n', "line 2 is never closed"),
    ],
)
def test_a_table_that_cannot_be_a_corpus_is_refused_with_the_reason(csv, message):
    with pytest.raises(ValueError, match=f"your table: .*(?:{message})"):
        from_file(csv, "review", "stars")


# ------------------------------------------------------------------------------- samples and splits


@pytest.fixture(scope="module")
def uneven():
    labels = ["a"] * 600 + ["b"] * 300 + ["c"] * 100
    return Corpus("uneven", tuple(f"text {i}" for i in range(1000)), tuple(labels))


def test_a_sample_has_the_labels_in_their_shares_whatever_the_seed(uneven):
    for seed in range(50):
        counts = sampled(uneven, 100, seed).label_counts
        assert abs(counts["a"] - 60) <= 2
        assert abs(counts["b"] - 30) <= 2
        assert abs(counts["c"] - 10) <= 2


def test_a_sample_is_without_repetition_and_by_its_seed(uneven):
    some = sampled(uneven, 200, seed=1)
    assert len(set(some.texts)) == 200
    assert some == sampled(uneven, 200, seed=1)
    assert some != sampled(uneven, 200, seed=2)
    assert set(sampled(uneven, 50, seed=1).texts) < set(some.texts)
    assert sampled(uneven, 1000, seed=3) == uneven


def test_every_text_is_as_likely_in_a_sample_as_any_other(uneven):
    seeds = 400
    times = Counter(text for seed in range(seeds) for text in sampled(uneven, 100, seed).texts)
    counts = [times[text] for text in uneven.texts]
    # Not more spread than independent draws, and none that is always or never there.
    assert p_value_of_counts(counts, [1.0] * len(counts)) > ALPHA
    first = Counter(text for seed in range(seeds) for text in uneven.texts[:100])
    assert p_value_of_counts([first[text] for text in uneven.texts], [1.0] * 1000) < ALPHA


def test_texts_keep_their_labels_in_samples_and_splits(uneven):
    label = dict(zip(uneven.texts, uneven.labels, strict=True))
    for part in (sampled(uneven, 100, 0), *split(uneven, (0.5, 0.5), 0)):
        assert all(label[t] == of for t, of in zip(part.texts, part.labels, strict=True))


def test_the_parts_of_a_split_are_stratified_and_hold_every_text_once(uneven):
    parts = split(uneven, (0.7, 0.1, 0.2), seed=4)
    assert [len(part) for part in parts] == [700, 100, 200]
    assert sorted(t for part in parts for t in part.texts) == sorted(uneven.texts)
    for part in parts:
        for label, share in (("a", 0.6), ("b", 0.3), ("c", 0.1)):
            assert abs(part.label_counts[label] - share * len(part)) <= 2


@pytest.mark.parametrize("size", [0, -1, 1001])
def test_a_sample_larger_than_the_corpus_is_refused(uneven, size):
    with pytest.raises(ValueError, match=rf"uneven: the size .* in \[1, 1000\]; got {size}"):
        sampled(uneven, size, 0)


@pytest.mark.parametrize("parts", [(), (0.5, 0.6), (1.2, -0.2), (1.0, 0.0)])
def test_parts_that_are_no_shares_are_refused(uneven, parts):
    with pytest.raises(ValueError, match="parts must be above 0 and 1 together"):
        split(uneven, parts, 0)


def test_a_split_into_more_parts_than_texts_is_refused():
    two = Corpus("two", ("a", "b"), ("x", "y"))
    with pytest.raises(ValueError, match="two: 2 texts are too few"):
        split(two, (0.9, 0.05, 0.05), 0)


def test_a_prepared_corpus_keeps_its_labels_and_name():
    corpus = prepared(Corpus("two", ("The films!", "a plot"), ("0", "1")))
    assert corpus == Corpus("two", ("film", "plot"), ("0", "1"))


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
