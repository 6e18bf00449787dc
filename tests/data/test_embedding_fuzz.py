"""Mutated embedding files: read, or refused with a sentence; never another exception or junk.

Each example takes a sound file of some format, damages it in a few places, and converts it. What is
accepted must have as many words as vectors, all words different and without control characters, all
numbers finite. Where the mutation leaves the bytes of a row as they were, that row is right if its
word is there: a number of one row never becomes part of another.

    WORDVEIL_FUZZ=20000 python -m pytest tests/data/test_embedding_fuzz.py
"""

import bz2
import io
import os
import re
import unicodedata
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from data import own_embeddings
from data.own_embeddings import UPLOAD, convert
from tests.embedding_files import VECTORS, WORDS, array, binary, gzipped, listed, text, zipped

EXAMPLES = int(os.environ.get("WORDVEIL_FUZZ", "1000"))


def zip_by(method):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as inside:
        inside.writestr("a.txt", text())
    return file.getvalue()


def csv_text():
    return text(gap=",").replace(b"a_b", b'"a,b"')


SOUND = {
    "glove.txt": text(),
    "old mac.txt": text(end="\r"),
    "windows.txt": text(end="\r\n"),
    "header.vec": text(header=True, end=" \n"),
    "comma.csv": csv_text(),
    "c.bin": binary(),
    "gensim.bin": binary(end=b""),
    "array.npy": array(),
    "columns.npy": array(np.asfortranarray(VECTORS.astype(np.float64))),
    "packed.gz": gzipped(text()),
    "deflated.zip": zip_by(zipfile.ZIP_DEFLATED),
    "bzip.zip": zip_by(zipfile.ZIP_BZIP2),
    "lzma.zip": zip_by(zipfile.ZIP_LZMA),
    "mac.zip": zipped(**{"a.txt": text(), "__MACOSX/._a.txt": b"\0\5"}),
    "both.zip": zipped(**{"a.npy": array(), "a.txt": listed()}),
    "bzip2.bz2": bz2.compress(text()),
}

SPLICES = [b"", b"\0", b"\n", b"\r", b" ", b"\t", b",", b'"', b"\x1a", b"\x85", b"\xff", b"nan"]
SPLICES += [b"inf", b"1e39", b"-", b"1_0", b" 5\n", b"new york ", b"\x93NUMPY", b"PK\x03\x04"]
SPLICES += [b"\xef\xbb\xbf", b"99999999999 3\n", b"\xe2\x80\xa8", b"(", b"'", b"0" * 400]


@st.composite
def mutations(draw, longest):
    """Places, how many bytes go there, and what comes instead."""
    return [
        (draw(st.integers(0, longest)), draw(st.integers(0, 6)), draw(PIECES))
        for _ in range(draw(st.integers(1, 3)))
    ]


PIECES = st.one_of(st.sampled_from(SPLICES), st.binary(max_size=4))


def mutated(content, changes):
    for at, gone, piece in changes:
        content = content[:at] + piece + content[at + gone :]
    return content


def converted(name, content, words):
    """The embeddings in a file, in our form; ValueErrors are sentences."""
    files = {name: content}
    if name.endswith(".npy"):
        files["the words.txt"] = words
    return [convert(source, UPLOAD) for source in own_embeddings.sources(files)]


def refused_or_sound(name, content, words=listed()):  # noqa: B008
    """What was read, checked; or the sentence with which it is refused."""
    try:
        found = converted(name, content, words)
    except ValueError as error:
        sentence = str(error)
        assert re.match(r"[\w ./]+: .{8,}", sentence, re.DOTALL), sentence
        assert not re.search(r"Traceback|<.* at 0x", sentence)
        return sentence
    for one in found:
        known, vectors = one.first(one.health.words)
        assert len(known) == len(vectors) == one.health.words == len(set(known)) > 0
        assert np.isfinite(vectors).all()
        assert not any(unicodedata.category(sign) == "Cc" for word in known for sign in word)
        lost = sum(fault.count for fault in one.health.dropped.values())
        assert one.health.rows == one.health.words + lost
    return found


RIGHT = dict(zip(WORDS, VECTORS, strict=True))


@pytest.mark.parametrize("name", SOUND)
def test_the_sound_files_are_sound(name):
    if name == "bzip2.bz2":
        assert "bzip2" in refused_or_sound(name, SOUND[name])
        return
    (found,) = refused_or_sound(name, SOUND[name])
    assert np.array_equal(found.vectors, VECTORS)


@settings(
    max_examples=EXAMPLES,
    derandomize=EXAMPLES == 1000,
    suppress_health_check=list(HealthCheck),
)
@given(st.data(), st.sampled_from(sorted(SOUND)))
def test_a_mutated_file_is_read_soundly_or_refused_with_a_sentence(data, name):
    content = SOUND[name]
    refused_or_sound(name, mutated(content, data.draw(mutations(len(content)))))


@settings(max_examples=max(100, EXAMPLES // 5), derandomize=EXAMPLES == 1000)
@given(st.data(), st.sampled_from(["array.npy", "columns.npy"]))
def test_a_mutated_list_of_words_is_read_soundly_or_refused(data, name):
    words = mutated(listed(), data.draw(mutations(len(listed()))))
    refused_or_sound(name, SOUND[name], words)


@settings(max_examples=max(100, EXAMPLES // 5), derandomize=EXAMPLES == 1000)
@given(
    st.sampled_from(["c.bin", "gensim.bin"]),
    st.integers(0, len(WORDS) - 1),
    st.text(st.characters(exclude_characters=" \n\0", codec="utf-8"), min_size=1, max_size=12),
    st.text(st.characters(codec="utf-8"), max_size=12),
)
def test_no_vector_of_an_out_of_step_binary_is_taken(name, row, first, second):
    """A word with a space shifts the bytes after it: no word gets a vector that is not its own."""
    words = [*WORDS]
    words[row] = f"{first} {second}"
    end = b"\n" if name == "c.bin" else b""
    found = refused_or_sound(name, binary(words, VECTORS, end))
    if isinstance(found, list):
        known, vectors = found[0].first(found[0].health.words)
        for word, vector in zip(known, vectors, strict=True):
            assert word in RIGHT, word
            assert np.array_equal(vector, RIGHT[word])
