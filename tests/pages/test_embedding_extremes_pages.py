"""Every page with an embedding of one word, no word, one place, or thousands of dimensions."""

import numpy as np
import pytest

from data import cut_corpora
from measures.audits import noise_checks
from tests.app import healthy, page, shown, unfolded
from tests.embedding_files import text

RNG = np.random.default_rng(0)
FEW = [f"{first}{second}" for first in "bcdf" for second in "aeiou"]
EXTREMES = {
    "one word": text(["the"], RNG.normal(size=(1, 5))),
    "no letters": text(["1", "2", "."], RNG.normal(size=(3, 5))),
    "two words": text(["the", "of"], RNG.normal(size=(2, 5))),
    "one place": text(["the", "of", "film"], np.ones((3, 2))),
    "one dimension": text(FEW, np.arange(20.0)[:, None]),
    "4,096 dimensions": text(FEW[:3], RNG.normal(size=(3, 4096)).astype(np.float32)),
    "twenty orders": text(FEW, np.geomspace(1e-3, 1e17, 20)[:, None] * RNG.normal(size=(20, 4))),
}
PAGES = ["perturb", "your_data", "deniability", "neighbours", "gamma", "compare", "guarantees"]
PAGES += ["tradeoff", "learn", "your_embedding"]


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    """A cache and a folder of embeddings for one test.

    Corpora are counted by their first texts, and an audit draws a tenth: no claim is about either.
    """
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("WORDVEIL_EMBEDDINGS", str(tmp_path / "vectors"))
    (tmp_path / "vectors").mkdir()
    cut = cut_corpora.of_texts
    monkeypatch.setattr(cut_corpora, "of_texts", lambda texts: cut(texts[:300]))
    for draws in ("NOISE_DRAWS", "WORD_DRAWS", "_SHAPE_DRAWS"):
        monkeypatch.setattr(noise_checks, draws, getattr(noise_checks, draws) // 10)


def in_use(content):
    app = page().switch_page("pages/your_embedding/page.py").run()
    app.file_uploader[0].set_value([("mine.txt", content, "text/plain")])
    healthy(app.run())
    (button,) = [button for button in app.button if "Use it on all pages" in button.label]
    return healthy(button.click().run())


@pytest.mark.parametrize("kind", EXTREMES)
def test_every_page_shows_something_or_a_sentence(kind):
    app = in_use(EXTREMES[kind])
    name = app.session_state.embedding
    for script in PAGES:
        healthy(app.switch_page(f"pages/{script}/page.py").run(timeout=900))
        assert app.session_state.embedding == name, script
        for error in app.error:
            assert "Your embedding" in error.value or "words" in error.value, (script, error.value)
            assert name not in error.value


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("neighbours", "has only one word here, and that word has no neighbour"),
        ("guarantees", "a promise can only be tested on a pair of words"),
    ],
)
def test_with_one_word_a_page_about_pairs_says_so(script, sentence):
    app = in_use(EXTREMES["one word"])
    app.switch_page(f"pages/{script}/page.py").run(timeout=300)
    assert sentence in shown(healthy(app))
    assert not any("no check contradicts it" in heading.value for heading in app.subheader)


@pytest.mark.parametrize("script", ["perturb", "neighbours", "guarantees"])
def test_without_a_word_of_letters_the_way_out_is_said_and_is_one(script):
    app = in_use(EXTREMES["no letters"])
    app.switch_page(f"pages/{script}/page.py").run(timeout=300)
    (error,) = healthy(app).error
    assert "none of these entries is a word of letters only" in error.value
    app.switch_page("pages/perturb/page.py").run()
    unfolded(app, "other-choices").toggle(key="tokens").set_value(False).run()
    app.switch_page(f"pages/{script}/page.py").run(timeout=300)
    assert not healthy(app).error
