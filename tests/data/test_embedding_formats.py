"""Readers of embedding files: every format, every fault with its line, nothing unpickled."""

import pickle
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data import embedding_formats as formats
from data import embedding_packing as packing
from data.embedding_source import (
    CUT_OFF,
    EMPTY_LINE,
    NOT_A_NUMBER,
    WRONG_LENGTH,
    Findings,
    Limits,
    Rows,
)
from data.embedding_text import careful as read_carefully
from data.embedding_text import parsed
from tests.embedding_files import (
    VECTORS,
    WORDS,
    array,
    binary,
    gzipped,
    listed,
    read,
    text,
    zipped,
)

FORMATS = {
    "glove": (text(), None),
    "glove, no line break at the end": (text(last=False), None),
    "glove, lines of Windows": (text(end="\r\n"), None),
    "glove, a mark at the start": (b"\xef\xbb\xbf" + text(), None),
    "tabs": (text(gap="\t"), None),
    "two spaces": (text(gap="  "), None),
    "word2vec": (text(header=True), None),
    "word2vec, lines end with a space": (text(header=True, end=" \n"), None),
    "word2vec's binary": (binary(), None),
    "gensim's binary": (binary(end=b""), None),
    "numpy": (array(), listed()),
    "numpy, column by column": (array(np.asfortranarray(VECTORS)), listed()),
    "numpy, float64, big end first": (array(VECTORS.astype(">f8")), listed()),
    "gzip": (gzipped(text()), None),
    "gzip of a binary": (gzipped(binary()), None),
    "gzip of numpy": (gzipped(array()), gzipped(listed())),
    "zip": (zipped(a__txt=text(header=True)), None),
}


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_gives_the_same_words_and_vectors(form):
    words, vectors, lines, findings = read(*FORMATS[form])
    assert words == WORDS
    assert np.array_equal(vectors, VECTORS)  # nine digits tell float32 numbers apart
    first = 2 if findings.format.startswith("text, with a header") else 1
    assert lines == list(range(first, first + len(WORDS)))
    assert findings.dimensions == 5
    assert findings.rows == len(WORDS)
    assert not findings.dropped
    assert findings.header in ("none", "right")


@pytest.mark.parametrize("form", FORMATS)
def test_blocks_that_end_anywhere_change_nothing(form, monkeypatch):
    monkeypatch.setattr(formats, "_HEAD", 150)
    for size in (64, 65, 90, 257):
        monkeypatch.setattr(packing, "BLOCK", size)
        words, vectors, *_ = read(*FORMATS[form])
        assert words == WORDS
        assert np.array_equal(vectors, VECTORS)


def test_words_with_spaces_are_cut_at_the_last_d_numbers():
    words = [". . .", "at name@domain.com", "the", "1 / x", "New York"]
    found, vectors, _, findings = read(text(words, VECTORS[:5]))
    assert found == words
    assert np.array_equal(vectors, VECTORS[:5])
    assert not findings.dropped


FAULTY = [
    (b"the 1 2 3", None),
    (b"", EMPTY_LINE),
    (b"few 1 2", WRONG_LENGTH),
    (b"many 1 2 3 4", WRONG_LENGTH),
    (b"letters 1 x 3", NOT_A_NUMBER),
    (b"underscore 1_0 2 3", NOT_A_NUMBER),
    (b"hexadecimal 0x1 2 3", NOT_A_NUMBER),
    (b"comma 1,5 2 3", NOT_A_NUMBER),
    (b"film 1e0 +2 3.", None),
    (b"single", WRONG_LENGTH),
    *[(b"more%d 4 5 6" % i, None) for i in range(9)],
]


def test_every_faulty_line_is_counted_under_its_number_and_the_others_are_read():
    content = b"\n".join(line for line, _ in FAULTY) + b"\n"
    words, vectors, lines, findings = read(content)
    assert words[:3] == ["the", "film", "more0"]
    assert lines == [1, 9, *range(11, 20)]
    assert np.array_equal(vectors[:3], [[1, 2, 3], [1, 2, 3], [4, 5, 6]])
    expected = {}
    for number, (_, reason) in enumerate(FAULTY, 1):
        if reason:
            expected.setdefault(reason, []).append(number)
    assert {reason: fault.lines for reason, fault in findings.dropped.items()} == expected
    assert findings.rows == len(FAULTY)


def test_lines_are_counted_across_blocks_and_five_of_a_fault_are_kept(monkeypatch):
    monkeypatch.setattr(packing, "BLOCK", 100)
    monkeypatch.setattr(formats, "_HEAD", 100)
    lines = [b"word%d 1 2 3" % i if i % 10 else b"bad%d 1 x 3" % i for i in range(1, 201)]
    words, _, numbers, findings = read(b"\n".join(lines))
    fault = findings.dropped[NOT_A_NUMBER]
    assert (fault.count, fault.lines) == (20, [10, 20, 30, 40, 50])
    assert len(words) == 180
    assert numbers == [i for i in range(1, 201) if i % 10]


def test_not_a_number_and_infinity_are_numbers_to_a_reader():
    vectors = read(b"a nan 1 2\nb inf -inf 1e39\n")[1]
    assert np.isnan(vectors[0, 0])
    assert np.isinf(vectors[1]).all()


@pytest.mark.parametrize(
    ("header", "said"),
    [
        (b"8 5", "right"),
        (b"9 5", "wrong: it says 9 words of 5 numbers, the file holds 8 of 5"),
        (b"8 300", "wrong: it says 8 words of 300 numbers, the file holds 8 of 5"),
        (b"0 0", "wrong: it says 0 words of 0 numbers, the file holds 8 of 5"),
    ],
)
def test_a_wrong_header_is_said_and_the_file_is_read(header, said):
    words, vectors, _, findings = read(header + b"\n" + text())
    assert findings.header == said
    assert words == WORDS
    assert np.array_equal(vectors, VECTORS)


def test_without_a_header_a_first_word_that_is_a_number_is_no_header():
    words, vectors, _, findings = read(b"5 3\n6 4\n7 5\n")
    assert words == ["5", "6", "7"]
    assert vectors[:, 0].tolist() == [3, 4, 5]
    assert findings.header == "none"
    assert read(b"2 1\n6 4\n7 5\n")[0] == ["6", "7"]


# ------------------------------------------------------------------------- the two ways are one way

NUMBERS = st.floats(-(2.0**99), 2.0**99, width=32).map(lambda number: f"{number:.6g}")
FIELDS = st.one_of(
    NUMBERS, st.sampled_from(["nan", "inf", "x", "", "1_0", "+1", ".", ".5", "1e", "\x0b", "\xa0"])
)
NAMES = st.text(
    st.characters(exclude_characters="\n\r\t", exclude_categories=["Cs"]), max_size=4
).filter(lambda name: not name.startswith("\ufeff"))
LINES = st.one_of(
    st.tuples(NAMES, st.lists(NUMBERS, min_size=2, max_size=2)),
    st.tuples(NAMES, st.lists(FIELDS, min_size=0, max_size=4)),
).map(lambda parts: " ".join([parts[0], *parts[1]]).encode())


@settings(max_examples=300)
@given(st.lists(LINES, max_size=8))
def test_lines_read_together_are_the_lines_read_one_by_one(lines):
    def found(parse):
        findings = Findings(dimensions=2)
        blocks = parse(findings)
        words = [word for block in blocks for word in block.words]
        numbers = [int(line) for block in blocks for line in block.lines]
        vectors = np.concatenate([np.empty((0, 2)), *(b.vectors for b in blocks)])
        return words, numbers, vectors.tobytes(), findings.dropped

    together = found(lambda findings: [parsed(lines, 1, findings)])
    single = found(
        lambda findings: [parsed([line], number, findings) for number, line in enumerate(lines, 1)]
    )
    careful = found(lambda findings: one_by_one(lines, findings))
    assert together == single == careful


def one_by_one(lines, findings):
    rows = []
    for number, line in enumerate(lines, 1):
        word, vector = read_carefully(line, number, findings)
        if vector is not None:
            rows.append(Rows(np.array([number]), [word], vector))
    return rows


@settings(max_examples=50)
@given(st.lists(st.floats(width=32, allow_nan=False), min_size=3, max_size=3))
def test_numbers_are_read_as_python_reads_them(numbers):
    vectors = read(f"w {' '.join(map(repr, numbers))}\n".encode())[1]
    assert np.array_equal(vectors[0], np.array(numbers, np.float32))


# ---------------------------------------------------------------------------------- what is refused


class Opened(Exception):
    """Somebody has unpickled it."""


class Trap:
    def __reduce__(self):
        return raise_opened, ()


def raise_opened():
    raise Opened


def object_array():
    return array(np.array([[Trap()]], dtype=object))


NOUGHTS = b"a" + b" 0" * 1000 + b"\n"  # what packs best


def lying_zip():
    """A zip whose directory says that a member unpacks to ten bytes."""
    packed = zipped(a__txt=b"the 1 2\n" * 10**7)
    true, small = struct.pack("<I", 8 * 10**7), struct.pack("<I", 10)
    return packed.replace(true, small)


@pytest.mark.parametrize(
    ("content", "words", "reason"),
    [
        (b"", None, "it is empty"),
        (b"\n\n", None, r"line 1 must be a word and its numbers; got ''"),
        (b"hello world\nhow are you\n", None, "line 1 must be a word and its numbers; got 'hello"),
        (b"2 3\nhello my world\nhow are you\n", None, "line 2 must be a word"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, None, "it is a picture"),
        (bytes(range(256)) * 40_000, None, "line 1 must be a word"),
        (text().decode().encode("utf-16"), None, "it is UTF-16; save it as UTF-8"),
        (pickle.dumps({"a": [1.0]}), None, "it is a pickle, which may run any program"),
        (pickle.dumps(Trap()), None, "it is a pickle, which may run any program"),
        (pickle.dumps(Trap(), protocol=0), None, "line 1 must be a word"),
        (object_array(), b"a\n", "it holds a pickle"),
        (array(), None, "an array needs its words beside it"),
        (array(), listed(WORDS[1:]), "8 vectors and mine.txt 7 words"),
        (array(VECTORS[0]), listed(), r"it must hold numbers \(words, d\)"),
        (array(np.array([["a"]])), b"a\n", r"it must hold numbers \(words, d\)"),
        (array()[:-4], listed(), "it is cut off: it says 8 vectors and holds fewer"),
        (array(np.asfortranarray(VECTORS))[:-4], listed(), "it is cut off"),
        (binary()[:20], None, "row 1 is cut off by the end of the file"),
        (b"5 0\n" + bytes(1000), None, "line 1 says 0 numbers a word"),
        (b"5 3\n" + bytes(10_000), None, "row 1 holds no word"),
        (gzipped(text())[:-9], None, "it is damaged"),
        (b"\x1f\x8b" + bytes(100), None, "it is damaged"),
        (b"PK\x03\x04" + bytes(100), None, "it is damaged"),
        (zipped(a__txt=text(), b__txt=text()), None, "the zip must hold one file; it holds 2"),
        (gzipped(gzipped(text())), None, "it is packed twice"),
        (b"\xba\x16\x4f\x2f" + bytes(100), None, "it is fastText's own binary model"),
        (b"a 1 2\n" + b"b" * 20_000_000, None, "a line is longer than 4,194,304 bytes"),
    ],
)
def test_what_is_no_embedding_is_refused_with_the_reason_and_never_opened(content, words, reason):
    with pytest.raises(ValueError, match=f"^mine: .*{reason}"):
        read(content, words)


def test_a_binary_that_ends_early_is_read_to_there_and_says_so():
    words, vectors, _, findings = read(binary()[:-10])
    assert words == WORDS[:-1]
    assert np.array_equal(vectors, VECTORS[:-1])
    assert findings.dropped[CUT_OFF].lines == [8]
    assert "says 8 words of 5 numbers, the file holds 7 of 5" in findings.header


@pytest.mark.parametrize("packed", [gzipped(NOUGHTS * 20_000), zipped(a__txt=NOUGHTS * 20_000)])
def test_a_bomb_is_stopped_while_it_unpacks(packed):
    assert len(packed) * 100 + packing.BLOCK < len(NOUGHTS) * 20_000
    told = []
    with pytest.raises(ValueError, match="it unpacks to more than 100 times its size"):
        read(packed, progress=lambda done, of: told.append(done))
    assert told[-1] < len(packed)


def test_a_zip_that_lies_about_its_size_gives_no_more_than_it_says():
    with pytest.raises(ValueError, match="it is damaged|more than 100 times"):
        read(lying_zip())


def test_limits_hold_for_files_that_are_not_packed_too():
    with pytest.raises(ValueError, match="it has more than 3 rows"):
        read(text(), limits=Limits(10**9, 3))
    with pytest.raises(ValueError, match=r"it has more than 1e-07 GB"):
        read(text(), limits=Limits(100, 10**6))
    with pytest.raises(ValueError, match="more than 3 rows"):
        read(binary(), limits=Limits(10**9, 3))


def test_a_damaged_sum_at_the_end_of_a_gzip_is_noticed():
    packed = bytearray(gzipped(text()))
    packed[-8] ^= 1
    with pytest.raises(ValueError, match="it is damaged"):
        read(bytes(packed))


def test_progress_counts_the_bytes_of_the_file_as_it_lies_there():
    calls = []
    packed = gzipped(text())
    read(packed, progress=lambda done, of: calls.append((done, of)))
    assert calls[-1] == (len(packed), len(packed))


def test_an_exception_of_progress_ends_the_reading():
    def stop(done, of):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read(text(), progress=stop)


def test_a_member_of_a_zip_is_read_by_its_name():
    packed = zipped(a__txt=text(), b__txt=text(WORDS[:2], VECTORS[:2]))
    assert read(packed, member="b.txt")[0] == WORDS[:2]
