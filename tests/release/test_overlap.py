"""Private texts that the corpus of q holds word for word: found, warned of, and refused if all."""

import warnings

import pytest

from mechanisms import UnigramTEM
from release.overlap import WINDOW, Overlap, overlap, stretches
from release.q_corpus import of_file
from release.settings import Settings
from release.transformer import PrivateText
from tests.release.test_release import (
    WORDS,
    private,
    toy,  # noqa: F401 (the vocabulary of these tests)
    written,
)

SECRET = "My doctor in London said the movie was a wonderful surprise"
LONG = [" ".join(f"{word}{number}" for word in "abcdefghij") for number in range(40)]


@pytest.mark.parametrize(
    ("document", "held"),
    [
        (SECRET, True),
        (f"Dear all,\n{SECRET.upper()}!! And more of it.", True),  # within another document
        (SECRET.replace(" said ", " wrote "), False),
        (SECRET.removesuffix(" surprise"), False),
        (" ".join(reversed(SECRET.split())), False),
        ("", False),
    ],
)
def test_a_text_is_held_if_all_its_words_are_there_in_a_row(document, held):
    assert overlap(stretches([document]), [SECRET]) == (int(held), 1)


def test_a_text_across_the_end_of_a_document_is_not_held():
    first, last = SECRET.split()[:6], SECRET.split()[6:]
    assert overlap(stretches([" ".join(first), " ".join(last)]), [SECRET]).texts == 0


def test_short_texts_are_not_looked_at():
    short = " ".join(SECRET.split()[: WINDOW - 1])
    assert overlap(stretches([short]), [short]) == (0, 0)
    assert Overlap(0, 0).checked() == ""


def test_it_counts_as_a_search_of_every_text_would():
    corpus = LONG[:10] + [f"{LONG[11]} {LONG[12]}", LONG[13][:-2]]
    found = overlap(stretches(corpus), LONG)
    assert found == (sum(any(text in document for document in corpus) for text in LONG), 40)
    assert found.texts == 12


def test_some_are_warned_of_and_all_refused():
    assert "3 of 40 private texts are in it, word for word" in Overlap(3, 40).checked()
    assert "Use it only if it was already public" in Overlap(3, 40).checked()
    with pytest.raises(ValueError, match="1 of 1 private text is in it.*Use another corpus"):
        Overlap(1, 1).checked()


# ------------------------------------------------------------------------------------- a release


def sentences(count):
    """Different sentences of ten words of the toy vocabulary."""
    return [
        " ".join(WORDS[(number // 7**place + place) % 7] for place in range(10))
        for number in range(count)
    ]


def released(tmp_path, corpus_texts, private_texts, told):
    corpus = written(tmp_path / "public.txt", "\n".join(corpus_texts))
    source = written(tmp_path / "in.txt", "\n".join(private_texts))
    how = Settings(mechanism=UnigramTEM(epsilon=5.0, corpus="own"), q_corpus=of_file(corpus))
    private(source, tmp_path / f"out{len(told)}.txt", how, tell=told.append)


def test_a_release_warns_before_it_draws_and_refuses_a_corpus_that_holds_every_text(tmp_path):
    texts, told = sentences(6), []
    released(tmp_path, texts[:2] + [f"{WORDS[0]} {WORDS[1]}"], texts, told)
    assert any("2 of 6 private texts are in it" in sentence for sentence in told)
    with pytest.raises(ValueError, match="6 of 6 private texts are in it"):
        released(tmp_path, [WORDS[3], *texts], texts, told)
    assert (tmp_path / "out0.txt").exists()
    assert not (tmp_path / "out1.txt").exists()


# -------------------------------------------------------------------------------- the transformer


def of(corpus, **others):
    return PrivateText("unigram-tem", parameters={"corpus": "own"}, q_corpus=corpus, **others)


def test_a_transformer_counts_q_on_texts_or_on_a_file(tmp_path):
    often = [f"{WORDS[0]} {WORDS[1]}"] * 300
    file = written(tmp_path / "public.csv", "id,body\n" + "".join(f"1,{text}\n" for text in often))
    for corpus, column in ((often, None), (file, "body"), (str(file), "body")):
        transformer = of(corpus, q_column=column, epsilon=1e-9)
        out = transformer.fit_transform([" ".join(WORDS)] * 40)
        words = " ".join(out).split()
        assert sum(word in WORDS[:2] for word in words) > 0.9 * len(words) > 50


def test_a_transformer_warns_of_private_texts_in_the_corpus_and_refuses_all():
    texts = sentences(6)
    with pytest.warns(UserWarning, match="2 of 6 private texts are in it"):
        of([*texts[:2], WORDS[0]]).transform(texts)
    with pytest.raises(ValueError, match="6 of 6 private texts are in it"):
        of(texts).transform(texts)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        of([WORDS[0]]).transform(texts)


@pytest.mark.parametrize(
    ("corpus", "others", "kind", "sentence"),
    [
        ([], {}, ValueError, "it holds no text"),
        ([" "], {}, ValueError, "it holds no text"),
        ([1], {}, TypeError, "the path of a file, or a list of texts"),
        (["кошка сидит"], {}, ValueError, "none of its 2 words and numbers"),
        (["a text"], {"q_column": "body"}, ValueError, "goes with a file"),
        (None, {"q_column": "body"}, ValueError, "goes with a file"),
        ("nowhere.txt", {}, OSError, "nowhere.txt"),
        (["a text"], {"parameters": None}, ValueError, "it needs q = own"),
    ],
)
def test_a_corpus_that_cannot_be_used_is_refused_by_fit(corpus, others, kind, sentence):
    transformer = of(corpus).set_params(**others)
    with pytest.raises(kind, match=sentence):
        transformer.fit(["a text"])
