"""Embeddings of a folder and of a visitor: health, our own form, and when it is gone."""

import gc
import os
import signal
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pytest

from data import embedding_health, embeddings, own_embeddings, store
from data.embedding_health import (
    EMPTY,
    INFINITE,
    NAN,
    REPEATED,
    SAME_VECTOR,
    UNDECODABLE,
    WITH_SPACE,
    ZERO,
    Health,
    coverage,
)
from data.own_embeddings import UPLOAD, convert
from measures.store import cached
from mechanisms import Vocabulary
from tests.embedding_files import (
    VECTORS,
    WORDS,
    array,
    binary,
    gzipped,
    listed,
    source,
    text,
    zipped,
)

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache folder for one test, and a folder of embeddings."""
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("WORDVEIL_EMBEDDINGS", str(tmp_path / "vectors"))
    (tmp_path / "vectors").mkdir()
    return tmp_path / "cache"


@pytest.fixture
def folder(tmp_path):
    """The folder that `WORDVEIL_EMBEDDINGS` names, as a function that puts files into it."""

    def put(**files):
        for name, content in files.items():
            (tmp_path / "vectors" / name.replace("__", ".")).write_bytes(content)
        return tmp_path / "vectors"

    return put


def health(content, words=None):
    return convert(source(content, words), UPLOAD).health


# -------------------------------------------------------------------------------- the health report

SICK = [
    b"the 3 4",
    b"a nan 1",  # 2
    b"b inf 1",  # 3
    b"c 1e25 1",  # 4: its square overflows in a search
    b"the 1 1",  # 5
    b" 1 1",  # 6
    b"\xff\xfe 1 1",  # 7
    b"film 3 4",  # 8: the vector of the first word
    b". . . 6 8",  # 9
    b"zero 0 0",  # 10
    b"minus -0 0",  # 11: the same place
    b"few 1",  # 12
    b"d 1 x",  # 13
]


def test_every_reason_is_counted_with_its_line_and_every_row_is_in_the_sum():
    found = health(b"\n".join(SICK) + b"\n")
    assert {reason: (fault.count, fault.lines) for reason, fault in found.dropped.items()} == {
        NAN: (1, [2]),
        INFINITE: (2, [3, 4]),
        REPEATED: (1, [5]),
        EMPTY: (1, [6]),
        UNDECODABLE: (1, [7]),
        "wrong length": (1, [12]),
        "not a number": (1, [13]),
    }
    assert {what: fault.lines for what, fault in found.noticed.items()} == {
        SAME_VECTOR: [8, 11],
        WITH_SPACE: [9],
        ZERO: [10, 11],
    }
    assert found.rows == len(SICK)
    assert found.words == found.rows - sum(fault.count for fault in found.dropped.values()) == 5


def test_norms_and_the_closest_pair_of_different_vectors_are_those_of_the_words_kept():
    found = health(b"\n".join(SICK) + b"\n")
    assert found.norms == pytest.approx(np.quantile([5, 5, 10, 0, 0], [0, 0.05, 0.5, 0.95, 1]))
    distance, *words = found.closest
    assert distance == 5
    assert words == ["the", ". . ."]
    assert health(b"a 1 1\nb 1 1\n").closest is None


def test_the_closest_pair_is_sought_among_the_first_words_and_the_report_says_so(monkeypatch):
    monkeypatch.setattr(embedding_health, "COMPARED", 3)
    found = health(b"a 0 0\nb 9 0\nc 0 3\nd 0 0.5\n")
    assert found.closest == (3, "a", "c")
    assert found.compared == 3


def test_spellings_of_other_tools_are_counted():
    words = ["Film", "##ing", "▁the", "Ġof", "/c/en/dog", "end</w>", "new_york", "e\u0301"]
    counts = list(health(text(words)).conventions.values())
    assert counts == [1] * len(words)


def test_a_report_survives_its_way_through_json():
    found = health(b"\n".join(SICK) + b"\n")
    assert Health.from_json(found.as_json()) == found


def test_coverage_counts_words_and_numbers_as_often_as_they_occur():
    vocabulary = Vocabulary(["the", "film", "2008"], np.eye(3))
    found = coverage("The film, the FILM of 2008 of whom?", vocabulary)
    assert (found.tokens, found.known) == (8, 5)
    assert found.unknown == ("of", "whom")
    assert coverage(" ...", vocabulary).tokens == 0


def test_a_file_of_which_nothing_can_be_used_is_refused_with_the_reasons():
    with pytest.raises(
        ValueError, match=r"mine: none of its 2 rows can be used: 2 for NaN \(line 1"
    ):
        health(b"a nan 1\nb nan 2\n")


# ------------------------------------------------------------------------------------- our own form


@pytest.mark.parametrize("form", ["text", "binary", "array"])
def test_what_was_converted_gives_the_first_words_in_the_order_of_the_file(form):
    content, words = {
        "text": (text(), None),
        "binary": (binary(), None),
        "array": (array(), listed()),
    }[form]
    converted = convert(source(content, words), UPLOAD)
    for size in (1, 3, len(WORDS)):
        found, vectors = converted.first(size)
        assert found == WORDS[:size]
        assert np.array_equal(vectors, VECTORS[:size])


def test_a_vocabulary_of_a_file_shares_the_mapped_vectors(folder):
    folder(mine__txt=text())
    vocabulary = embeddings.load("mine.txt", None, words_only=False)
    assert isinstance(vocabulary.vectors.base, np.memmap) or np.shares_memory(
        vocabulary.vectors, vocabulary.vectors.base
    )
    assert not vocabulary.vectors.flags.owndata


def test_files_of_the_folder_are_embeddings_under_their_own_names(folder):
    folder(
        a__txt=text(),
        b__vec=text(header=True),
        c__bin=binary(),
        d__npy=array(),
        d__txt=listed(),
        e__txt__gz=gzipped(text()),
        f__zip=zipped(one__txt=text()),
        g__zip=zipped(one__txt=text(), two__txt=text(WORDS[:2], VECTORS[:2])),
        h__zip=zipped(vectors__npy=array(), words__txt=listed()),
        readme__md=b"no embedding",
    )
    names = ["a.txt", "b.vec", "c.bin", "d.npy", "e.txt.gz", "f.zip"]
    names += ["g.zip/one.txt", "g.zip/two.txt", "h.zip/vectors.npy"]
    assert sorted([each.name for each in own_embeddings.folder()]) == names
    assert set(names) < set(embeddings.names())
    for name in names:
        vocabulary = embeddings.load(name, None, words_only=False)
        count = 2 if name == "g.zip/two.txt" else len(WORDS)
        assert list(vocabulary.words) == WORDS[:count]
        assert np.array_equal(vocabulary.vectors, VECTORS[:count])
        assert embeddings.by_name(name).sizes() == (count,)
        assert vocabulary.public


def test_a_file_is_converted_once_for_all_and_again_when_it_has_changed(folder, monkeypatch):
    calls = []
    place = folder(mine__txt=text()) / "mine.txt"
    for _ in range(2):
        embeddings.by_name("mine.txt").convert(None, lambda done, of: calls.append(of))
    assert calls == [place.stat().st_size]
    place.write_bytes(text(WORDS[:3], VECTORS[:3]))
    assert embeddings.by_name("mine.txt").sizes() == (3,)


def changed_at_once(place, how):
    """A progress that changes a file when it is first called."""
    done = []

    def change(_, __):
        if not done:
            done.append(True)
            how(place)

    return change


def swapped(place):
    other = place.with_name("other")
    other.write_bytes(text(WORDS[::-1], VECTORS))
    about = place.stat()
    os.utime(other, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert other.stat().st_size == about.st_size
    other.replace(place)


def touched(place):
    os.utime(place, ns=(1, 1))


@pytest.mark.parametrize("how", [swapped, touched, Path.unlink, lambda p: p.write_bytes(b"a 1\n")])
def test_a_file_that_changes_while_it_is_read_is_refused_and_read_anew_the_next_time(
    how, folder, cache
):
    place = folder(mine__txt=text()) / "mine.txt"
    with pytest.raises(ValueError, match=r"mine.txt: the file was changed or replaced while it"):
        embeddings.by_name("mine.txt").convert(None, changed_at_once(place, how))
    assert not list(cache.rglob("*.npy"))
    place.write_bytes(text(WORDS[:3], VECTORS[:3]))
    assert embeddings.load("mine.txt", words_only=False).words == tuple(WORDS[:3])


def test_words_that_are_changed_while_their_array_is_read_are_refused(folder):
    place = folder(mine__npy=array(), mine__txt=listed()) / "mine.txt"
    with pytest.raises(ValueError, match=r"mine.npy: the file was changed or replaced while it"):
        embeddings.by_name("mine.npy").convert(None, changed_at_once(place, swapped_words))


def swapped_words(place):
    place.write_bytes(listed(WORDS[::-1]))
    os.utime(place, ns=(1, 1))


def test_a_file_replaced_after_it_was_listed_is_another_file(folder, monkeypatch):
    """Equal size and time, another inode: the converted form of the first is not that of this."""
    place = folder(mine__txt=text()) / "mine.txt"
    assert embeddings.load("mine.txt", words_only=False).words == tuple(WORDS)
    swapped(place)
    assert embeddings.load("mine.txt", words_only=False).words == tuple(WORDS[::-1])
    (listing,) = (file.source for file in own_embeddings.folder())
    swapped(place)
    with pytest.raises(ValueError, match="the file was changed or replaced while it was read"):
        convert(listing, UPLOAD)


def test_sizes_are_the_usual_ones_below_the_file_s_and_its_own(folder):
    words = [f"w{i}" for i in range(10_500)]
    folder(mine__txt="".join(f"{word} {i} 1\n" for i, word in enumerate(words)).encode())
    assert embeddings.by_name("mine.txt").sizes() == (10_000, 10_500)
    assert len(embeddings.load("mine.txt", 700, words_only=False)) == 700
    with pytest.raises(ValueError, match=r"size must lie in \[1, 10500\]; got 10501"):
        embeddings.load("mine.txt", 10_501)


def sizes(name):
    return embeddings.by_name(name).sizes()


def converted(name):
    embeddings.by_name(name).convert()


def test_a_bad_file_of_the_folder_is_named_with_the_reason_whenever_it_is_asked_for(folder):
    folder(mine__txt=b"\x89PNG\r\n\x1a\n", other__zip=b"PK\x03\x04" + bytes(50))
    assert set([each.name for each in own_embeddings.folder()]) == {"mine.txt", "other.zip"}
    for ask in (embeddings.load, sizes, converted):
        with pytest.raises(ValueError, match=r"mine.txt: it is a picture \(PNG\)"):
            ask("mine.txt")
        with pytest.raises(ValueError, match="other.zip: it is damaged"):
            ask("other.zip")


def test_without_any_word_of_letters_the_filter_is_named(folder):
    folder(mine__txt=text(["##a", "##b"], VECTORS[:2]))
    with pytest.raises(ValueError, match="none of these entries is a word of letters only"):
        embeddings.load("mine.txt")


def test_no_folder_or_an_empty_one_offers_nothing(monkeypatch, tmp_path):
    for place in ("", str(tmp_path / "none"), str(tmp_path)):
        monkeypatch.setenv("WORDVEIL_EMBEDDINGS", place)
        assert [each.name for each in own_embeddings.folder()] == []


def test_where_the_cache_cannot_be_written_the_process_keeps_it_with_a_warning(
    folder, monkeypatch, tmp_path
):
    folder(mine__txt=text())
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path / "file"))
    with pytest.warns(RuntimeWarning, match="cannot write"):
        embeddings.by_name("mine.txt").convert()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(embeddings.load("mine.txt", None, words_only=False)) == len(WORDS)
    own_embeddings._only_in_memory.clear()


KILLED = """
import os, signal, sys
from data import embedding_formats, embedding_packing, embeddings
embedding_packing.BLOCK = embedding_formats._HEAD = 4096

def kill(done, of):
    if done > of / 2:
        os.kill(os.getpid(), signal.SIGKILL)

embeddings.by_name("mine.txt").convert(None, kill)
"""


def test_a_conversion_that_is_killed_leaves_nothing(folder, cache, tmp_path):
    words = [f"w{i}" for i in range(5_000)]
    folder(mine__txt="".join(f"{word} {i} 1\n" for i, word in enumerate(words)).encode())
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    run = subprocess.run(
        [sys.executable, "-c", KILLED], cwd=ROOT, env=os.environ | {"TMPDIR": str(temporary)}
    )
    assert run.returncode == -signal.SIGKILL
    assert list(temporary.iterdir()) == []
    assert not cache.exists() or list(cache.iterdir()) == []
    assert embeddings.by_name("mine.txt").sizes() == (5_000,)


def test_a_conversion_that_fails_leaves_nothing(folder, cache, tmp_path, monkeypatch):
    def stop(done, of):
        raise KeyboardInterrupt

    folder(mine__txt=text())
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = set(tmp_path.iterdir())
    with pytest.raises(KeyboardInterrupt):
        embeddings.by_name("mine.txt").convert(None, stop)
    assert set(tmp_path.iterdir()) == before
    assert embeddings.by_name("mine.txt").sizes() == (
        len(WORDS),
    )  # and the next one is not kept waiting


def test_a_full_disk_is_said_with_the_way_out(monkeypatch):
    class Full:
        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

        def write(self, content):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: Full())
    with pytest.raises(
        OSError, match=r"mine: no room in .* \(No space left on device\); set TMPDIR"
    ):
        convert(source(text()), UPLOAD)


# ------------------------------------------------------------------------------------------ uploads


def uploaded(**files):
    files = {name.replace("__", "."): content for name, content in files.items()}
    (one,) = own_embeddings.sources(files)
    return own_embeddings.upload(one)


def test_an_upload_is_an_embedding_as_long_as_somebody_holds_it(cache):
    upload = uploaded(mine__txt=text())
    name = upload.name
    vocabulary = embeddings.load(name, None, words_only=False)
    assert list(vocabulary.words) == WORDS
    assert name not in embeddings.names()
    del upload
    gc.collect()
    for ask in (embeddings.load, embeddings.by_name):
        with pytest.raises(ValueError, match="uploaded, and has ended with its session; upload it"):
            ask(name)
    assert list(vocabulary.words) == WORDS  # what was loaded stays whole
    assert np.array_equal(vocabulary.vectors, VECTORS)
    assert not cache.exists()


def test_equal_files_are_one_upload_and_others_are_another():
    one, same, other = (uploaded(**{name: text(WORDS[:n], VECTORS[:n])}) for name, n in UPLOADS)
    assert one is same
    assert one.name != other.name
    assert own_embeddings.is_upload(one.name)
    assert not own_embeddings.is_upload("mine.txt")


UPLOADS = [("a__txt", 3), ("b__vec", 3), ("a__txt", 4)]


def test_two_files_one_of_them_an_array_belong_together():
    upload = uploaded(vectors__npy=array(), anything__tsv=listed())
    assert embeddings.load(upload.name, None, words_only=False).words == tuple(WORDS)


def test_a_zip_with_several_files_offers_each_of_them():
    packed = zipped(one__txt=text(), two__txt=text(WORDS[:2], VECTORS[:2]))
    sources = own_embeddings.sources({"both.zip": packed})
    assert [source.name for source in sources] == ["both.zip/one.txt", "both.zip/two.txt"]
    names = [own_embeddings.upload(source).name for source in sources]
    assert names[0] != names[1]


def test_nothing_about_an_upload_is_kept_on_disk(cache):
    upload = uploaded(mine__txt=text())
    vocabulary = embeddings.load(upload.name, None, words_only=False)
    assert not vocabulary.public
    arrays = cached("test-1", None, vocabulary, {}, lambda: {"a": np.zeros(1)})
    assert arrays["a"] == [0]
    assert not cache.exists()
    cached("test-1", None, Vocabulary(WORDS, VECTORS), {}, lambda: {"a": np.zeros(1)})
    assert list(store.folder().iterdir())
