import gc
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from measures.sweeps import torch_classifiers
from measures.sweeps.classifiers import (
    CLASSIFIERS,
    evaluate,
    macro_f1,
    mean_vectors,
    train,
    words_of,
)
from mechanisms import CMP, TEM
from mechanisms.randomness import seeded_rng
from mechanisms.text import privatise_all
from mechanisms.tokens import tokenise
from tests.claims import ALPHA
from tests.toy import TOY

GOOD = ["good", "great", "wonderful", "best", "excellent", "love"]
BAD = ["bad", "worst", "terrible", "awful", "boring", "poor"]
PLAIN = ["the", "film", "story", "a", "with", "and", "actor", "it", "scene"]


def reviews(count, seed):
    """Short reviews, half of each kind, in which about every fourth word tells the kind."""
    rng = seeded_rng(seed)
    labels = ["negative", "positive"] * (count // 2)
    telling = {"negative": BAD, "positive": GOOD}
    texts = [
        " ".join(rng.choice(telling[label] if rng.random() < 0.25 else PLAIN) for _ in range(12))
        for label in labels
    ]
    return texts, labels


def p_value_of_chance(model, texts, labels):
    """How probable so many hits, or so few, are for one who guesses."""
    shares = model.probabilities(texts)
    hits = sum(model.labels[i] == label for i, label in zip(shares.argmax(1), labels, strict=True))
    return min(1.0, 2 * binom.sf(max(hits, len(labels) - hits) - 1, len(labels), 0.5))


@pytest.fixture(scope="module", params=CLASSIFIERS)
def trained(request, glove):
    """Each classifier on clean text."""
    return request.param, train(*reviews(400, 0), glove, request.param)


def test_a_classifier_beats_chance_on_clean_text(trained):
    _, model = trained
    texts, labels = reviews(300, 1)
    assert p_value_of_chance(model, texts, labels) < ALPHA
    evaluation = evaluate(model, texts, labels)
    assert evaluation.accuracy.low > 60
    assert evaluation.macro_f1.low > 60


def test_probabilities_are_one_row_a_text_and_one_column_a_label(trained):
    _, model = trained
    assert model.labels == ("negative", "positive")
    shares = model.probabilities(["an awful bore", "wonderful", "", "qxzzy"])
    assert shares.shape == (4, 2)
    assert np.allclose(shares.sum(1), 1)
    assert shares[1, 1] > 0.5 > shares[0, 1]
    assert np.array_equal(shares[2], shares[3])  # nothing is known of either
    assert model.probabilities([]).shape == (0, 2)


def test_the_same_seed_gives_the_same_model_and_another_seed_another_one(trained, glove):
    name, model = trained
    texts, _ = reviews(50, 2)
    for seed in (0, 1):
        again = train(*reviews(400, 0), glove, name, seed)
        same = np.array_equal(model.probabilities(texts), again.probabilities(texts))
        assert same == (seed == 0 or name == "logistic")  # which has one optimum


@pytest.mark.parametrize("mechanism", [CMP(epsilon=0.01), TEM(epsilon=0.01)])
def test_a_classifier_falls_to_chance_on_text_of_a_tiny_epsilon(mechanism, glove):
    texts, labels = reviews(400, 0)
    drawn = privatise_all(texts, mechanism, glove, seeded_rng(3))
    model = train([private.texts[0] for private in drawn], labels, glove)
    fresh = privatise_all(reviews(300, 1)[0], mechanism, glove, seeded_rng(4))
    assert p_value_of_chance(model, [p.texts[0] for p in fresh], reviews(300, 1)[1]) > ALPHA


def test_mean_vectors_are_the_means_of_the_vectors_of_the_known_words(glove):
    texts = ["The film, the FILM!", "", "don't qxzzy", "qxzzy"]
    found = mean_vectors(words_of(texts, glove), glove.vectors)
    for text, mean in zip(texts, found, strict=True):
        ids = [t.word_id for t in tokenise(text, glove) if t.word_id is not None]
        vectors = glove.vectors[ids].astype(np.float64)
        assert np.allclose(mean, vectors.mean(0) if ids else 0, atol=1e-12)


def test_the_logistic_classifier_is_scikit_learns_on_scaled_mean_vectors(glove):
    from sklearn.linear_model import LogisticRegression

    texts, labels = reviews(200, 0)
    known = [[glove.get(w) for w in text.split() if glove.get(w) is not None] for text in texts]
    means = np.array([glove.vectors[ids].mean(0, dtype=float) for ids in known])
    scaled = (means - means.mean(0)) / means.std(0)
    by_hand = LogisticRegression(max_iter=1000).fit(scaled, labels)
    model = train(texts, labels, glove)
    assert model.labels == tuple(by_hand.classes_)
    assert np.allclose(model.probabilities(texts), by_hand.predict_proba(scaled), atol=1e-6)


def test_the_order_of_words_matters_to_the_lstm_only(trained):
    name, model = trained
    one, other = model.probabilities(["the film good awful story", "awful story the good film"])
    assert np.allclose(one, other, atol=1e-6) == (name != "lstm")


def test_a_text_is_classified_alike_alone_and_among_others(trained):
    _, model = trained
    texts = ["best", "the worst film with a boring story and a poor actor", "", "a great film"]
    together = model.probabilities(texts)
    for text, shares in zip(texts, together, strict=True):
        assert np.allclose(model.probabilities([text])[0], shares, atol=1e-6)


def test_macro_f1_is_scikit_learns():
    from sklearn.metrics import f1_score

    rng = seeded_rng(0)
    for count in (1, 5, 200):
        truth, predicted = rng.integers(4, size=(2, count))
        expected = f1_score(truth, predicted, average="macro", zero_division=0)
        assert macro_f1(truth, predicted) == pytest.approx(100 * expected)


def test_an_evaluation_counts_what_is_right(trained):
    _, model = trained
    texts, labels = reviews(100, 5)
    predicted = [model.labels[i] for i in model.probabilities(texts).argmax(1)]
    perfect = evaluate(model, texts, predicted)
    assert (perfect.accuracy.value, perfect.macro_f1.value) == (100, 100)
    wrong = [{"negative": "positive", "positive": "negative"}[label] for label in predicted]
    assert evaluate(model, texts, wrong).accuracy.value == 0
    accuracy, score, right = evaluate(model, texts, labels)
    hits = sum(a == b for a, b in zip(predicted, labels, strict=True))
    assert accuracy.value == pytest.approx(100 * hits / len(texts))
    assert right.sum() == hits
    assert accuracy.low < accuracy.value < accuracy.high
    assert score.low < score.value < score.high


@pytest.mark.parametrize(
    ("texts", "labels", "name", "message"),
    [
        (["a", "b"], ["x", "y"], "svm", r"must be one of logistic, fasttext, lstm; got 'svm'\."),
        (["a", "b"], ["x"], "lstm", r"one label per text is needed; got 2 texts and 1 labels\."),
        (["east", "west"], ["x", "x"], "logistic", r"two different labels .* got \('x',\)"),
        ([], [], "logistic", r"two different labels .* got none for 0 texts\."),
        (["qxzzy", ""], ["x", "y"], "fasttext", "none of the 2 texts has a word .* choose"),
    ],
)
def test_what_cannot_be_learned_is_said(texts, labels, name, message):
    with pytest.raises(ValueError, match=rf"^Classifier: .*{message}"):
        train(texts, labels, TOY, name)


def test_what_cannot_be_tested_is_said():
    model = train(["east", "west"], ["x", "y"], TOY)
    with pytest.raises(ValueError, match=r"label 'z' is not among .* trained on: x, y\."):
        evaluate(model, ["east"], ["z"])
    with pytest.raises(ValueError, match="at least one text is needed"):
        evaluate(model, [], [])
    with pytest.raises(ValueError, match="got 1 texts and 2 labels"):
        evaluate(model, ["east"], ["x", "y"])


def train_small(progress=None):
    return train(["east", "west"], ["x", "y"], TOY, "fasttext", progress=progress)


def test_a_model_tells_how_far_it_is_and_its_process_ends_with_it():
    shares = []
    model = train_small(shares.append)
    assert np.allclose(shares, np.arange(1, 21) / 20)
    process = model.fitted._process
    assert process.poll() is None
    del model
    gc.collect()
    assert process.poll() is not None


def test_training_can_be_stopped_and_leaves_no_process(monkeypatch):
    started = []
    start = torch_classifiers._start
    monkeypatch.setattr(torch_classifiers, "_start", lambda: started.append(start()) or started[0])

    def stop(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        train_small(stop)
    assert started[0].poll() is not None


def test_a_model_whose_process_is_gone_says_so():
    model = train_small()
    model.fitted._process.kill()
    with pytest.raises(ChildProcessError, match="ended with code -9; it needs torch"):
        model.probabilities(["east"])
    with pytest.raises(ChildProcessError, match="this model is closed; train another"):
        model.probabilities(["east"])


def test_the_process_ends_when_its_input_does_and_has_no_faiss():
    program = (
        "import sys; from measures.sweeps import torch_classifiers; torch_classifiers.main()\n"
        "sys.exit('faiss' in sys.modules)"
    )
    house = Path(__file__).parents[3]
    run = subprocess.run([sys.executable, "-c", program], cwd=house, input=b"", check=True)
    assert run.returncode == 0
