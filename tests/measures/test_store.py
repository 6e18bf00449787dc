"""The disk store: complete or absent, whoever writes, and whatever happens to the writers."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

from data import store
from measures.store import cached
from mechanisms import CMP, TEM
from tests.toy import TOY, first_words
from tests.waiting import wait_for

ROOT = Path(__file__).parents[2]
NAME = store.fingerprint("a result")
ARRAYS = {
    "law": np.linspace(0, 1, 12).reshape(3, 4),
    "ids": np.arange(5, dtype=np.int32),
    "none": np.empty((0, 7), dtype=np.float32),
    "number": np.array(2.5),
    "words": np.array(["film", "película"]),
    "columns": np.asfortranarray(np.eye(3)),
}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache folder of its own for every test."""
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def start(program, **environment):
    """Another Python process with the same cache folder."""
    program = "import numpy as np\nfrom data import store\nimport os, sys, time\n" + program
    return subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def names_in(cache):
    return sorted(place.name for place in cache.iterdir())


# --------------------------------------------------------------------------- what is kept, and how


def test_what_was_kept_comes_back_with_types_shapes_values_and_provenance():
    store.write("path-2", NAME, ARRAYS, {"mechanism": "CMP(epsilon=1)", "draws": 100})
    arrays, provenance = store.read("path-2", NAME)
    assert provenance == {"mechanism": "CMP(epsilon=1)", "draws": 100}
    assert list(arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(arrays[name], array, strict=True)


def test_arrays_are_mapped_and_cannot_be_changed():
    store.write("path", NAME, ARRAYS, {})
    law = store.read("path", NAME).arrays["law"]
    assert isinstance(law, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        law[0, 0] = 7


def test_what_was_never_kept_is_none_also_without_a_folder(cache):
    assert store.read("path", NAME) is None
    assert not cache.exists()
    store.write("path", NAME, {}, {})
    assert store.read("path", store.fingerprint("another")) is None
    assert store.read("sweep", NAME) is None


def test_a_result_is_never_replaced(cache):
    store.write("path", NAME, {"law": np.zeros(3)}, {"first": True})
    before = store.read("path", NAME)
    store.write("path", NAME, {"law": np.ones(3)}, {"first": False})
    after = store.read("path", NAME)
    assert after.provenance == {"first": True}
    assert not after.arrays["law"].any()
    assert not before.arrays["law"].any()
    assert names_in(cache) == [f"path-{NAME}"]


def test_the_folder_is_plain_files_that_numpy_and_a_person_can_read(cache):
    store.write("path", NAME, ARRAYS, {"note": "ε from 1 to 20"})
    place = cache / f"path-{NAME}"
    np.testing.assert_array_equal(np.load(place / "law.npy", allow_pickle=False), ARRAYS["law"])
    assert "ε from 1 to 20" in (place / "provenance.json").read_text(encoding="utf-8")
    assert sorted(p.suffix for p in place.iterdir()) == [".json"] + [".npy"] * len(ARRAYS)


def test_other_users_may_read_what_the_mask_of_the_process_allows(cache):
    store.write("path", NAME, ARRAYS, {})
    ordinary = cache / "ordinary"
    ordinary.mkdir()
    assert (cache / f"path-{NAME}").stat().st_mode == ordinary.stat().st_mode


def test_a_fingerprint_tells_apart_where_a_part_ends():
    parts = [("ab",), ("a", "b"), ("", "ab"), ("ab", ""), (), ("",), ("é",), ("e\u0301",)]
    assert len({store.fingerprint(*p) for p in parts}) == len(parts)
    assert store.fingerprint("a", "b") == store.fingerprint("a", "b")


def test_without_a_setting_the_folder_is_in_the_users_cache(monkeypatch):
    monkeypatch.delenv("WORDVEIL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere/cache")
    if sys.platform == "linux":
        assert store.folder() == Path("/somewhere/cache/wordveil")
    assert "wordveil" in store.folder().parts


@pytest.mark.parametrize("kind", ["", "Path", "../path", "a b", "path-", ".unfinished", "a/b"])
def test_a_kind_that_is_no_plain_name_is_refused(kind):
    for act in (store.read, lambda *name: store.write(*name, {}, {})):
        with pytest.raises(ValueError, match="a kind must be like `path-2`; got"):
            act(kind, NAME)


@pytest.mark.parametrize("fingerprint", ["", "..", NAME[:-1], NAME.upper(), f"{NAME}0"])
def test_a_fingerprint_that_is_none_is_refused(fingerprint):
    with pytest.raises(ValueError, match="32 hexadecimal digits; got"):
        store.read("path", fingerprint)


@pytest.mark.parametrize("name", ["", "Law", "../law", "a.b", "1st", "a-b"])
def test_an_array_without_a_plain_name_is_refused(name):
    with pytest.raises(ValueError, match="an array's name must be like `mean_2`; got"):
        store.write("path", NAME, {name: np.zeros(1)}, {})


def test_nothing_is_pickled(cache):
    with pytest.raises(ValueError, match="Python objects cannot be kept; law is one"):
        store.write("path", NAME, {"law": np.array([{}])}, {})
    with pytest.raises(TypeError, match="not JSON serializable"):
        store.write("path", NAME, {}, {"mechanism": object()})
    assert not cache.exists()


def test_a_pickled_array_put_in_by_others_is_not_opened(cache):
    store.write("path", NAME, {"law": np.zeros(3)}, {})
    with open(cache / f"path-{NAME}" / "law.npy", "wb") as file:
        np.save(file, np.array([{}]), allow_pickle=True)
    assert store.read("path", NAME) is None


# ------------------------------------------------------------------------------ what can go wrong


@pytest.mark.parametrize(
    "damage",
    [
        lambda place: os.truncate(place / "law.npy", 130),
        lambda place: os.truncate(place / "law.npy", 0),
        lambda place: (place / "law.npy").unlink(),
        lambda place: (place / "provenance.json").unlink(),
        lambda place: (place / "provenance.json").write_text('{"arrays"'),
        lambda place: (place / "provenance.json").write_text("[]"),
        lambda place: np.save(place / "law.npy", np.zeros(4)),
    ],
)
def test_a_damaged_result_is_taken_away_and_can_be_kept_again(cache, damage):
    store.write("path", NAME, {"law": np.ones(3)}, {})
    damage(cache / f"path-{NAME}")
    assert store.read("path", NAME) is None
    assert names_in(cache) == []
    store.write("path", NAME, {"law": np.ones(3)}, {})
    assert store.read("path", NAME).arrays["law"].sum() == 3


def test_a_folder_that_cannot_be_written_gets_a_sentence(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path / "file" / "cache"))
    assert store.read("path", NAME) is None
    with pytest.raises(
        OSError, match=r"cannot write to .*file.cache \(Not a directory\); set WORD"
    ):
        store.write("path", NAME, ARRAYS, {})


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files as POSIX does")
def test_a_full_disk_gets_a_sentence_and_leaves_nothing(cache):
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))\n"
        "try: store.write('path', store.fingerprint(''), {'law': np.zeros(10_000)}, {})\n"
        "except OSError as error: print(error)\n"
    )
    out, err = start(program).communicate(timeout=60)
    assert out.startswith(f"Store: cannot write to {cache} ("), err
    assert names_in(cache) == []


@pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")
def test_a_writer_killed_in_the_middle_leaves_nothing_that_is_read(cache):
    # Arrives after the array and before the provenance, where it stops.
    program = (
        "def stop(*_, **__): print('here', flush=True); time.sleep(60)\n"
        "write = store.np.save\n"
        "store.np.save = lambda *a, **k: (write(*a, **k), a[0].flush(), stop())\n"
        f"store.write('path', {NAME!r}, {{'law': np.ones(1000)}}, {{}})\n"
    )
    with start(program) as writer:
        assert writer.stdout.readline() == "here\n"
        writer.send_signal(signal.SIGKILL)
    (left,) = cache.iterdir()
    assert left.name.startswith(".unfinished-")
    assert (left / "law.npy").stat().st_size > 8000
    assert store.read("path", NAME) is None

    store.write("path", NAME, {"law": np.zeros(2)}, {})  # not yet old: it might be alive
    assert left.exists()
    os.utime(left, (time.time() - 7200,) * 2)
    store.write("path", store.fingerprint("next"), {}, {})
    assert not left.exists()
    assert len(store.read("path", NAME).arrays["law"]) == 2


@pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")
def test_writers_killed_at_any_moment_never_leave_half_a_result(cache):
    program = (
        "print('ready', flush=True)\n"
        "for i in range(10_000):\n"
        "    arrays = {n: np.full(5_000, i) for n in ('a', 'b')}\n"
        "    store.write('path', store.fingerprint(str(i)), arrays, {'i': i})\n"
    )
    for more in (1, 2, 5, 10):  # a restarted writer begins at the first again
        enough = more + len(names_in(cache) if cache.exists() else [])
        with start(program) as writer:
            assert writer.stdout.readline() == "ready\n"
            wait_for(lambda enough=enough: cache.exists() and len(names_in(cache)) >= enough)
            writer.send_signal(signal.SIGKILL)
    results = [store.read("path", store.fingerprint(str(i))) for i in range(500)]
    found = list(itertools.takewhile(lambda result: result is not None, results))
    assert not any(results[len(found) :])  # none was damaged: they are there in order
    for i, result in enumerate(found):
        assert all((result.arrays[n] == i).all() and len(result.arrays[n]) == 5_000 for n in "ab")


def test_two_processes_write_the_same_results_and_readers_see_all_or_nothing(cache):
    program = (
        "writer = float(os.environ['WRITER'])\n"
        "print('ready', flush=True)\n"
        "for i in range(60):\n"
        "    arrays = {n: np.full(50_000, writer) for n in ('a', 'b', 'c')}\n"
        "    store.write('path', store.fingerprint(str(i)), arrays, {'writer': writer})\n"
    )
    writers = [start(program, WRITER=str(i)) for i in (1, 2)]
    seen, finished = set(), False
    while not finished:
        finished = all(writer.poll() is not None for writer in writers)
        for i in range(60):
            result = store.read("path", store.fingerprint(str(i)))
            if result is None:
                assert i not in seen, "a result was there and went away"
                continue
            seen.add(i)
            for array in result.arrays.values():
                assert (array == result.provenance["writer"]).all()
    for writer in writers:
        out, err = writer.communicate(timeout=60)
        assert (writer.returncode, err) == (0, "")
    assert len(seen) == len(names_in(cache)) == 60


@pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")
def test_two_servers_killed_and_restarted_at_random_never_serve_a_wrong_or_half_result(cache):
    # Each reads a result or computes and keeps it, as a server does, and checks what it was given.
    # The values tell which result it is, so one served in another's place is seen, too.
    program = (
        "rng = np.random.default_rng(int(os.environ['SEED']))\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        "    i = int(rng.integers(80))\n"
        "    name = store.fingerprint(str(i))\n"
        "    found = store.read('path', name)\n"
        "    if found is None:\n"
        "        store.write('path', name, {n: np.full(20_000, i) for n in 'abc'}, {'i': i})\n"
        "        found = store.read('path', name)\n"
        "    served = [found.provenance['i'], *(a.min() for a in found.arrays.values())]\n"
        "    served += [a.max() for a in found.arrays.values()]\n"
        "    if served != [i] * 7: print('wrong', served, flush=True); break\n"
    )
    rng = np.random.default_rng(9)
    servers = [start(program, SEED=str(seed)) for seed in (1, 2)]
    heard = []
    for seed in range(3, 11):
        victim = int(rng.integers(2))
        heard.append(servers[victim].stdout.readline())
        with pytest.raises(subprocess.TimeoutExpired):  # at work at any moment
            servers[victim].wait(rng.uniform(0, 0.04))
        servers[victim].send_signal(signal.SIGKILL)
        out, err = servers[victim].communicate(timeout=60)
        assert (out, err) == ("", "")
        servers[victim] = start(program, SEED=str(seed))
    for server in servers:
        heard.append(server.stdout.readline())
        server.send_signal(signal.SIGKILL)
        assert server.communicate(timeout=60) == ("", "")
    assert set(heard) == {"ready\n"}

    there = [p.name for p in cache.iterdir() if not p.name.startswith(".unfinished-")]
    assert there  # they came to write something
    for i in range(80):
        result = store.read("path", store.fingerprint(str(i)))
        if result is not None:
            assert result.provenance == {"i": i}
            for array in result.arrays.values():
                np.testing.assert_array_equal(array, np.full(20_000, i))
    assert sorted(there) == sorted(n for n in names_in(cache) if not n.startswith(".unfinished-"))


# ------------------------------------------------------------------------- results of the measures


class Computation:
    """Counts how often it is asked."""

    times = 0

    def __call__(self):
        self.times += 1
        return {"law": np.arange(3.0)}


def test_a_result_is_computed_once_for_the_same_mechanism_vocabulary_and_settings():
    compute = Computation()
    for _ in range(3):
        arrays = cached("law", TEM(epsilon=2.0), TOY, {"ids": [1, 2], "seed": 3}, compute)
        np.testing.assert_array_equal(arrays["law"], np.arange(3.0))
    assert compute.times == 1


def test_whatever_a_result_depends_on_makes_another_result():
    compute = Computation()
    questions = [
        ("law", TEM(epsilon=2.0), TOY, {"seed": 3}),
        ("law-2", TEM(epsilon=2.0), TOY, {"seed": 3}),
        ("law", TEM(epsilon=2.0, beta=0.1), TOY, {"seed": 3}),
        ("law", CMP(epsilon=2.0), TOY, {"seed": 3}),
        ("law", TEM(epsilon=2.0), first_words(5), {"seed": 3}),
        ("law", TEM(epsilon=2.0), TOY, {"seed": 4}),
        ("law", TEM(epsilon=2.0), TOY, {}),
    ]
    for question in questions * 2:
        cached(*question, compute)
    assert compute.times == len(questions)


def test_a_result_says_where_it_comes_from(cache):
    cached("law", TEM(epsilon=2.0), TOY, {"seed": 3}, Computation())
    (place,) = cache.iterdir()
    record = json.loads((place / "provenance.json").read_text(encoding="utf-8"))["provenance"]
    assert record == {
        "mechanism": repr(TEM(epsilon=2.0)),
        "vocabulary": TOY.fingerprint,
        "settings": {"seed": 3},
    }


def test_without_a_store_the_work_goes_on_with_a_warning(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path / "file"))
    with pytest.warns(RuntimeWarning, match="Store: cannot write to"):
        arrays = cached("law", TEM(epsilon=2.0), TOY, {}, Computation())
    np.testing.assert_array_equal(arrays["law"], np.arange(3.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path / "good"))
        cached("law", TEM(epsilon=2.0), TOY, {}, Computation())
