"""Embedding files as people really have them: of other systems, damaged, out of step, far away."""

import bz2
import io
import json
import re
import tarfile
import zipfile

import numpy as np
import pytest

from data import embedding_formats as formats
from data import embedding_packing as packing
from data import own_embeddings
from data.embedding_health import CONTROL
from data.embedding_source import CUT_OFF, MOST_DIMENSIONS, NOT_A_NUMBER, WRONG_LENGTH
from data.own_embeddings import UPLOAD, convert
from mechanisms import Vocabulary
from tests.embedding_files import (
    VECTORS,
    WORDS,
    array,
    binary,
    gzipped,
    listed,
    read,
    source,
    text,
    zipped,
)


def same(content, words=WORDS, vectors=VECTORS, beside=None):
    found, numbers, _, findings = read(content, beside)
    assert found == list(words)
    assert np.array_equal(numbers, vectors)
    assert not findings.dropped
    return findings


# ------------------------------------------------------------------------------------------ packing


@pytest.mark.parametrize(
    "beside", ["__MACOSX/._a.txt", "._a.txt", ".DS_Store", "folder/.DS_Store", "Thumbs.db"]
)
def test_what_a_system_adds_to_a_zip_is_no_file_of_its_own(beside):
    packed = zipped(**{"a.txt": text(), beside: b"\0\x05\x16\x07"})
    same(packed)
    assert [s.name for s in own_embeddings.sources({"z.zip": packed})] == ["z.zip"]
    several = zipped(**{"a.txt": text(), "b.txt": text(), beside: b"\0\x05\x16\x07"})
    assert len(own_embeddings.sources({"z.zip": several})) == 2


METHODS = [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]


def outcome_of(files):
    """The embedding in our form, or the sentence that refuses it."""
    try:
        (one,) = own_embeddings.sources(files)
        return convert(one, UPLOAD)
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("method", METHODS)
def test_damage_anywhere_in_a_zip_is_a_sentence_or_changes_nothing(method):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as inside:
        inside.writestr("a.txt", text())
    packed = file.getvalue()
    same(packed)
    refused = 0
    for at in range(4, len(packed)):
        damaged = packed[:at] + bytes([packed[at] ^ 0xFF]) + packed[at + 1 :]
        outcome = outcome_of({"z.zip": damaged})
        if isinstance(outcome, str):
            assert re.match(r"z\.zip: (it is damaged|it cannot be|the zip must)", outcome)
            refused += 1
        else:
            assert np.array_equal(outcome.vectors, VECTORS)
    assert refused > len(packed) / 2


@pytest.mark.parametrize("cut", [5, 30, -30, -9])
def test_a_file_that_is_cut_off_while_packed_is_refused(cut):
    for packed in (gzipped(text()), zipped(a__txt=text())):
        with pytest.raises(ValueError, match="^mine: it is damaged"):
            read(packed[:cut])


def tarred(content):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        entry = tarfile.TarInfo("a.txt")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (tarred(text()), r"an archive \(tar\); unpack it"),
        (gzipped(tarred(text())), r"an archive \(tar\); unpack it"),
        (bz2.compress(text()), r"packed \(bzip2\); unpack it"),
        (b"\xfd7zXZ\0" + bytes(90), r"packed \(xz\); unpack it"),
        (zipped(**{"archive/data.pkl": b"\x80\x02", "archive/data/0": b"1"}), "it is a pickle"),
        (b"SQLite format 3\0" + bytes(100), "it is a database"),
    ],
)
def test_other_archives_are_named_with_the_way_out(content, reason):
    with pytest.raises(ValueError, match=f"^mine: .*{reason}"):
        read(content)


# -------------------------------------------------------------------------------------------- lines


@pytest.mark.parametrize("block", [packing.BLOCK, 16])
def test_lines_of_an_old_mac_are_lines(block, monkeypatch):
    monkeypatch.setattr(packing, "BLOCK", block)
    monkeypatch.setattr(formats, "_HEAD", max(block, 150))
    same(text(end="\r"))
    findings = read(text(header=True, end="\r"))[3]
    assert findings.rows == len(WORDS)


def test_a_single_line_end_of_an_old_mac_inside_a_word_is_a_control_character():
    health = convert(source(b"a\rb 1 2\nc 3 4\n"), UPLOAD).health
    assert health.words == 1
    assert health.dropped[CONTROL].lines == [1]


@pytest.mark.parametrize("sign", ["\0", "\x07", "\x1b", "\x7f", "\x85", "\u2028", "\u2029"])
def test_a_word_with_a_control_character_is_left_out_and_counted(sign):
    for content in (
        text([f"a{sign}b", "c"], VECTORS[:2]),
        text([f"a{sign}b", "c"], VECTORS[:2], header=True),
    ):
        converted = convert(source(content), UPLOAD)
        assert converted.first(1)[0] == ["c"]
        assert np.array_equal(converted.vectors, VECTORS[1:2])
        assert converted.health.dropped[CONTROL].count == 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_a_list_of_words_in_utf_16_is_refused_with_the_way_out(encoding):
    for end in ("", "\n"):
        words = ("\n".join(WORDS) + end).encode(encoding)
        with pytest.raises(ValueError, match=r"mine.txt, its words, is UTF-16 .* save it as UTF-8"):
            read(array(), words)


def test_more_numbers_than_the_limit_are_refused_and_the_limit_is_said():
    wide = b"a" + b" 1" * (MOST_DIMENSIONS + 1) + b"\n"
    with pytest.raises(ValueError, match="hold 16,385 numbers a word; it must be 1 to 16,384"):
        read(wide)
    with pytest.raises(ValueError, match="it holds 16,385 numbers a word"):
        read(array(np.zeros((1, MOST_DIMENSIONS + 1), np.float32)), b"a")
    with pytest.raises(ValueError, match="line 1 says 16,385 numbers a word"):
        read(b"1 16385\na " + bytes(4 * 16385))
    assert read(wide.replace(b" 1", b" 2", 1)[:-3] + b"\n")[3].dimensions == MOST_DIMENSIONS


# ------------------------------------------------------------------------------------------- binary


@pytest.mark.parametrize("end", [b"\n", b""])
def test_line_breaks_and_digits_among_the_numbers_make_no_text(end):
    numbers = b"\x69\xf0\xb0>" + b" 5\n>" * 3 + b"\n 5\n" + b" \n\n="
    digits = np.frombuffer(numbers * 5, "<f4").reshape(5, 6)
    same(binary(WORDS[:5], digits, end), WORDS[:5], digits)


def test_a_text_with_a_header_in_an_old_encoding_or_with_control_characters_is_text():
    latin = "2 2\ncaf\xe9 1 2\nna\xefve 3 4\n".encode("latin-1")
    with pytest.raises(ValueError, match="2 for bytes that are no UTF-8"):
        convert(source(latin), UPLOAD)
    assert convert(source(latin + b"the 5 6\n"), UPLOAD).health.words == 1
    assert convert(source(b"2 2\na\x01 1 2\nb 3 4\n"), UPLOAD).health.words == 1


@pytest.mark.parametrize("end", [b"\n", b""])
@pytest.mark.parametrize("word", ["new york", "NEW YORK", "a b", "5 6", "x  y", "é ü"])
@pytest.mark.parametrize("position", [0, 3, 7])
def test_a_binary_that_is_out_of_step_is_refused_at_the_row(end, word, position):
    words = [*WORDS]
    words[position] = word
    with pytest.raises(ValueError, match=r"out of step in row \d, or before|row 1 holds no word"):
        read(binary(words, end=end))


def test_the_row_of_a_word_with_a_space_is_named():
    content = b"2 3\nthe \0\0\x80?\0\0\0@\0\0@@\nnew york \0\0\x80@\0\0\xa0@\0\0\xc0@\n"
    with pytest.raises(ValueError, match="out of step in row 2, or before: a word has a space"):
        read(content)


def test_a_byte_too_few_or_too_many_in_a_binary_is_noticed():
    for end in (b"\n", b""):
        content = binary(end=end)
        start = content.index(b"film ") + 5
        for damaged in (
            content[:start] + content[start + 1 :],
            content[:start] + b"x" + content[start:],
        ):
            outcome = outcome_of({"mine.bin": damaged})
            if isinstance(outcome, str):
                assert "out of step" in outcome
            else:  # it was in the last row: that one is cut off
                words, vectors = outcome.first(outcome.health.words)
                assert outcome.health.dropped[CUT_OFF].lines == [len(WORDS)]
                assert words == WORDS[:-1]
                assert np.array_equal(vectors, VECTORS[:-1])


# ------------------------------------------------------------------------------------ other formats

CSV_WORDS = ["the", "a,b", 'say "x"', "café", "1,5", ". . ."]


def csv_text(index=None, end="\n"):
    import csv

    file = io.StringIO()
    out = csv.writer(file, lineterminator=end)
    if index is not None:
        out.writerow(index)
    for word, vector in zip(CSV_WORDS, VECTORS.tolist(), strict=False):
        out.writerow([word, *(f"{np.float32(number):.9g}" for number in vector)])
    return file.getvalue().encode()


@pytest.mark.parametrize(
    "index",
    [None, ["word", "a", "b", "c", "d", "e"], ["", *range(5)], ["word", *range(1, 6)]],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_csv_is_read_as_the_csv_module_writes_it_and_names_are_no_vector(index, end):
    findings = same(csv_text(index, end), CSV_WORDS, VECTORS[:6])
    assert findings.format == ("CSV" if index is None else "CSV, with names of columns")


def test_a_csv_whose_word_is_in_another_place_gives_no_wrong_word():
    content = b"0,the,1,3\n1,film,3,4\n2,of,5,x\n"
    words, _, _, findings = read(content)
    assert words == []
    assert findings.dropped[WRONG_LENGTH].lines == [1, 2, 3]
    assert findings.rows == 3


@pytest.mark.parametrize("content", [b"the 0,5 0,3\nof 0,1 0,2\n", b"the;0,5;0,3\nof;0,1;0,2\n"])
def test_decimal_commas_are_no_separators(content):
    with pytest.raises(ValueError, match="line 1 must be a word and its numbers"):
        read(content)


def test_a_faulty_line_of_a_csv_is_counted_under_its_number():
    words, _, lines, findings = read(b"w,a,b\nthe,1,2\nof,1,x\nto,1\nin,3,4\n")
    assert words == ["the", "in"]
    assert lines == [2, 5]
    assert findings.dropped[NOT_A_NUMBER].lines == [3]
    assert findings.dropped[WRONG_LENGTH].lines == [4]


def sentence_of(content):
    with pytest.raises(ValueError, match="^mine: ") as refused:
        read(content)
    return str(refused.value)


def run_lines(sentence, folder, monkeypatch):
    """Run the Python that a refusal names, in a folder."""
    monkeypatch.chdir(folder)
    for line in re.findall(r"`(import [^`]*)`", sentence):
        exec(line, {})


def test_the_lines_that_convert_json_do(tmp_path, monkeypatch):
    words = [word for word in WORDS if "\n" not in word]
    content = json.dumps(
        {w: [float(f"{x:.9g}") for x in v] for w, v in zip(words, VECTORS.tolist(), strict=True)}
    ).encode()
    (tmp_path / "mine.json").write_bytes(content)
    run_lines(sentence_of(content), tmp_path, monkeypatch)
    same((tmp_path / "mine.txt").read_bytes(), words)


def test_the_lines_that_convert_an_npz_do(tmp_path, monkeypatch):
    np.savez(tmp_path / "mine.npz", words=np.array(WORDS), vectors=VECTORS)
    content = (tmp_path / "mine.npz").read_bytes()
    with pytest.raises(ValueError, match=r"^m\.npz: it is an archive of numpy"):
        own_embeddings.sources({"m.npz": content})
    run_lines(sentence_of(content), tmp_path, monkeypatch)
    same((tmp_path / "mine.npy").read_bytes(), WORDS, beside=(tmp_path / "mine.txt").read_bytes())


def test_the_lines_that_convert_safetensors_do(tmp_path, monkeypatch):
    from safetensors.numpy import save_file

    save_file({"model.embed.weight": VECTORS}, tmp_path / "mine.safetensors")
    sentence = sentence_of((tmp_path / "mine.safetensors").read_bytes())
    assert "it is safetensors, which holds no words" in sentence
    run_lines(sentence, tmp_path, monkeypatch)
    same((tmp_path / "mine.npy").read_bytes(), WORDS, beside=listed())


@pytest.mark.parametrize("content", [b'[["the", 1, 2]]', b'[ {"word": "the"}]', b'{"a": [1]}\n'])
def test_json_of_every_shape_is_named(content):
    assert "it is JSON" in sentence_of(content)


# -------------------------------------------------------------------------------------------- numpy


def left_open():
    return array().replace(b"(8, 5), }", b"(8, 5     ")


@pytest.mark.parametrize(
    "damaged",
    [
        left_open(),
        array().replace(b"'<f4'", b"'<q9'"),
        array().replace(b"'shape'", b"'shade'"),
        array().replace(b"(8, 5)", b"(8, 'a')"[:6]),
        array()[:9],
        array()[:40],
        b"\x93NUMPY\x03\x00" + array()[8:],
    ],
)
def test_a_header_that_cannot_be_read_is_a_sentence(damaged):
    with pytest.raises(
        ValueError, match=r"^mine: (its header is damaged|it is of version|it must)"
    ):
        read(damaged, listed())


# ------------------------------------------------------------------------------------------- offset

CLOUD = np.random.default_rng(11).normal(size=(300, 20))
NAMES = [f"w{i}" for i in range(300)]


def offset_text(offset):
    return "".join(
        f"{word} {' '.join(f'{number:.12f}' for number in vector)}\n"
        for word, vector in zip(NAMES, CLOUD + offset, strict=True)
    ).encode()


@pytest.mark.parametrize("offset", [300.0, -1e4, 1e6])
@pytest.mark.parametrize("form", ["text", "array"])
def test_a_common_offset_costs_no_accuracy(offset, form):
    if form == "text":
        converted = convert(source(offset_text(offset)), UPLOAD)
    else:
        converted = convert(source(array(CLOUD + offset), listed(NAMES)), UPLOAD)
    vocabulary = Vocabulary(NAMES, converted.vectors)
    exact = np.linalg.norm(CLOUD[:, None] - CLOUD, axis=2)
    np.testing.assert_allclose(vocabulary.distances(np.arange(300)), exact, atol=2e-6)
    assert converted.health.offset == pytest.approx(abs(offset) * np.sqrt(20), rel=0.01)
    points = CLOUD - CLOUD.mean(axis=0) + 0.3
    nearest = np.linalg.norm(points[:, None] - (CLOUD - CLOUD.mean(axis=0)), axis=2).argmin(axis=1)
    centre = converted.vectors.mean(axis=0, dtype=np.float64)
    assert np.array_equal(vocabulary.nearest(points + centre), nearest)


def test_without_a_common_offset_no_number_changes():
    for vectors in (VECTORS, VECTORS + 3, np.float32([[5, 5]]), np.full((3, 2), 7, np.float32)):
        words = WORDS[: len(vectors)]
        converted = convert(source(array(vectors), listed(words)), UPLOAD)
        assert np.array_equal(converted.vectors, vectors)
        assert converted.health.offset == 0
