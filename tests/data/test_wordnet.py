import gzip
import hashlib
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from data import build_wordnet, wordnet
from data.embeddings import load

SYNONYMS = wordnet.synonyms()
DEBIAN = Path("/usr/share/wordnet")


def test_synonyms_are_the_other_words_of_a_words_synsets():
    assert SYNONYMS["movie"] == ("film", "flick", "pic", "picture")
    assert {"automobile", "auto", "gondola"} <= set(SYNONYMS["car"])
    assert "movies" not in SYNONYMS
    assert SYNONYMS.get("no-such-word", ()) == ()


def test_synonymy_is_symmetric_and_no_word_is_its_own_synonym():
    for word, others in SYNONYMS.items():
        assert others
        assert word not in others
        assert list(others) == sorted(set(others))
        assert all(word in SYNONYMS[other] for other in others)


def test_every_entry_is_one_word_in_lower_case_without_marks():
    assert all(re.fullmatch(r"[\w.'/-]+", word) and "_" not in word for word in SYNONYMS)
    assert all(word == word.lower() for word in SYNONYMS)


def test_loading_an_embedding_does_not_read_the_table(monkeypatch):
    monkeypatch.setattr(wordnet, "_read", lambda: pytest.fail("the table was read"))
    vocabulary = load("glove-6b-50d", 100)
    assert isinstance(vocabulary.synonyms, type(SYNONYMS))


def test_the_table_is_read_once_however_many_threads_ask(monkeypatch):
    reads = []

    def decompress(data, original=gzip.decompress):
        reads.append(1)
        return original(data)

    monkeypatch.setattr(wordnet.gzip, "decompress", decompress)
    wordnet._read.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: wordnet.synonyms()["movie"], range(32)))
    assert len(reads) == 1
    assert set(answers) == {SYNONYMS["movie"]}


def test_the_mapping_can_be_sent_to_another_process():
    assert pickle.loads(pickle.dumps(SYNONYMS))["movie"] == SYNONYMS["movie"]


def test_the_table_is_small_and_is_the_one_that_the_readme_describes():
    assert wordnet.TABLE.stat().st_size < 1_000_000
    text = gzip.decompress(wordnet.TABLE.read_bytes())
    readme = wordnet.TABLE.with_name("README.md").read_text(encoding="utf-8")
    assert hashlib.sha256(text).hexdigest() in readme
    assert f"{len(text.splitlines()):,} synsets over {len(SYNONYMS):,} words" in readme


def test_the_licence_stands_beside_the_table():
    licence = wordnet.TABLE.with_name("wordnet_license.txt").read_text(encoding="utf-8")
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in licence
    assert "shall at all times remain with" in " ".join(licence.split())


def test_the_build_keeps_single_words_of_synsets_with_two(tmp_path):
    licence = "  1 This software and database is being provided to you\n"
    synsets = {
        "noun": "00000001 03 n 03 Movie 0 film 0 motion_picture 0 001 @ 00000002 n 0000 | a film\n"
        "00000002 03 n 01 alone 0 000 | one word\n"
        "00000003 03 n 02 May 0 may 1 000 | the same word twice\n",
        "verb": "00000001 29 v 02 film 0 movie 1 000 01 + 08 00 | the same synset again\n",
        "adj": "00000001 00 s 02 afraid(p) 0 well-to-do(a) 0 000 | marks and hyphens\n",
        "adv": "",
    }
    for part, text in synsets.items():
        (tmp_path / f"data.{part}").write_text(licence + text, encoding="utf-8")
    assert build_wordnet.table(tmp_path) == b"afraid well-to-do\nfilm movie\n"


@pytest.mark.skipif(not DEBIAN.is_dir(), reason="needs Debian's wordnet-base")
def test_the_build_from_debians_files_gives_the_table():
    assert build_wordnet.table(DEBIAN) == gzip.decompress(wordnet.TABLE.read_bytes())
