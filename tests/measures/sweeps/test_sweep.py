"""Sweeps: the same rows whoever computes them, in any order, and nothing lost by a kill."""

import dataclasses
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from data import corpora, embeddings, word_counts
from measures.sweeps import experiment, plan, rows
from measures.sweeps.experiment import MEASURES, Cell, run, run_curve
from measures.sweeps.sweep import CELLS, _app, sweep
from measures.sweeps.task import Ground, derived_seed, ground
from mechanisms import CMP, TEM, Laplace, NGramTEM, TruncatedGumbel, UnigramTEM
from mechanisms.base_measure import counts_of
from mechanisms.tokens import Kind, tokenise_all

HOUSE = Path(__file__).parents[3]

# A real cell in a fraction of a second: few texts, few words, no sentence encoder.
SMALL = {"corpus": "rotten-tomatoes", "texts": 40, "vocabulary_size": 2000}
QUICK = ("n_w", "s_w", "pp", "low", "accuracy", "macro_f1")


# A sweep of two curves, of so many cells that it goes on for seconds after the first ones.
NUMBER = 48
TWO_CURVES = ("--mechanism", "tem", "--mechanism", "santext", "--epsilon-count", str(NUMBER // 2))


def cell(mechanism, measures=QUICK, **settings):
    return Cell(mechanism=mechanism, measures=measures, **(SMALL | settings))


def few_cells():
    return plan.planned(
        ("rotten-tomatoes",),
        [TEM.family(), CMP.family()],
        ("2", "8"),
        vocabulary_size=2000,
        texts=40,
        measures=QUICK,
    )


def command(folder, *options):
    """The command line of a small sweep, `NUMBER` of them if nothing else is said."""
    small = ["--corpus", "rotten-tomatoes", "--texts", "40", "--size", "2000"]
    small += [option for measure in QUICK for option in ("--measure", measure)]
    chosen = options or TWO_CURVES
    return [sys.executable, "-m", "measures.sweeps.sweep", str(folder), *small, *chosen]


def start(folder, *options):
    return subprocess.Popen(
        command(folder, *options), cwd=HOUSE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def until_cells(process, count):
    """Wait until the bar of a sweep has counted so many cells."""
    shown = b""
    while not (counts := re.findall(rb"(\d+)/\d+ \[", shown)) or int(counts[-1]) < count:
        byte = process.stderr.read(1)
        assert byte, shown.decode()
        shown += byte


def settled(table):
    """A table without what may differ between two runs of the same cells."""
    kept = table.drop_columns(["seconds", "started_at"])
    return kept.sort_by([("mechanism", "ascending"), ("epsilon", "ascending")])


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """The rows of a sweep that nothing disturbed."""
    folder = tmp_path_factory.mktemp("uninterrupted")
    done = subprocess.run(command(folder), cwd=HOUSE, capture_output=True, text=True, check=True)
    assert f": {NUMBER}, of which 0 were there before" in done.stdout
    assert "0 failed" in done.stdout
    return settled(rows.read(folder))


# ------------------------------------------------------------------------------ nothing is lost


@pytest.mark.parametrize("seed", [0, 1])
def test_a_sweep_that_was_killed_at_a_random_moment_ends_with_the_same_table(
    seed, tmp_path, uninterrupted
):
    moment = int(np.random.default_rng(seed).integers(1, 12))
    with start(tmp_path, *TWO_CURVES, "--workers", str(1 + seed)) as process:
        until_cells(process, moment)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    before = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("*.parquet")}
    assert moment <= len(before) < NUMBER
    done = subprocess.run(command(tmp_path), cwd=HOUSE, capture_output=True, text=True, check=True)
    assert f"of which {len(before)} were there before" in done.stdout
    assert settled(rows.read(tmp_path)).equals(uninterrupted)
    assert before == {name: (tmp_path / name).stat().st_mtime_ns for name in before}


@pytest.fixture
def ctrl_c_is_heard():
    """A process begun in the background of a shell hands on to its own that they do not hear it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_ctrl_c_ends_a_sweep_at_once_and_says_how_to_go_on(tmp_path):
    with start(
        tmp_path, "--mechanism", "tem", "--epsilon-count", "40", "--workers", "2"
    ) as process:
        until_cells(process, 2)
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate()
    assert process.returncode == 130
    assert re.match(rb"Stopped after \d+ of 40 cells\. Run the same command to continue\.", said)
    assert b"Traceback" not in errors
    assert 2 <= len(rows.read(tmp_path)) < 40


def test_two_sweeps_into_one_folder_at_a_time_are_one_sweep(tmp_path, uninterrupted):
    sweeps = [start(tmp_path), start(tmp_path)]
    for process in sweeps:
        process.communicate()
        assert process.returncode == 0
    assert settled(rows.read(tmp_path)).equals(uninterrupted)
    assert {file.suffix for file in tmp_path.iterdir()} == {".parquet"}


def test_what_a_callback_raises_stops_the_sweep_and_keeps_what_is_finished(tmp_path):
    class Enough(Exception):
        pass

    def after_two(done, of):
        assert of == 4
        if done == 2:
            raise Enough

    with pytest.raises(Enough):
        sweep(few_cells(), tmp_path, progress=after_two)
    assert len(rows.read(tmp_path)) == 2
    seen = []
    outcome = sweep(few_cells(), tmp_path, progress=lambda done, of: seen.append((done, of)))
    assert outcome == (4, 0, 2)
    assert seen == [(2, 4), (3, 4), (4, 4)]


def test_a_curve_that_is_drawn_in_one_pass_is_begun_and_kept_together(tmp_path):
    """The rows of a curve, also if some are there already; cells of other mechanisms run alone."""
    tem, _, *cmp = few_cells()
    folder, alone = tmp_path / "together", tmp_path / "alone"
    sweep([cmp[0]], folder)
    together = []

    def noted(cells):
        together.append(cells)
        return run_curve(cells)

    more = [tem, *cmp, cell(CMP(epsilon=20.0))]
    assert sweep(more, folder, kind=CELLS._replace(run=noted)) == (4, 0, 1)
    assert together == [[tem], [cmp[1], more[-1]]]
    sweep(more, alone, kind=CELLS._replace(together=lambda each: each.fingerprint))
    assert settled(rows.read(alone)).equals(settled(rows.read(folder)))


def test_a_file_that_is_cut_short_or_foreign_is_named_and_its_cell_run_again(tmp_path):
    cells = few_cells()
    sweep(cells, tmp_path)
    whole = rows.read(tmp_path)
    damaged = tmp_path / f"{cells[0].fingerprint}.parquet"
    damaged.write_bytes(damaged.read_bytes()[:-100])
    parquet.write_table(pa.table({"a": [1]}), tmp_path / f"{'0' * 32}.parquet")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / ".unfinished-0123").write_bytes(b"half")
    with pytest.warns(RuntimeWarning) as warned:
        assert len(rows.read(tmp_path)) == 3
    said = " ".join(str(warning.message) for warning in warned)
    assert f"{damaged.name} is cut short or damaged" in said
    assert f"{'0' * 32}.parquet does not have the columns" in said
    assert "notes.txt is not a row of a sweep" in said
    assert "unfinished" not in said
    with pytest.warns(RuntimeWarning, match="left out"):
        assert sweep(cells, tmp_path) == (4, 0, 3)
    with pytest.warns(RuntimeWarning, match="left out"):
        assert settled(rows.read(tmp_path)).equals(settled(whole))


# ------------------------------------------------------------------------------- a cell that fails


def test_a_cell_that_fails_is_recorded_and_the_others_finish(tmp_path):
    refused = cell(TruncatedGumbel(epsilon=1.0, variant="published"))
    missing = cell(TEM(epsilon=2.0), corpus="sst2")
    fine = cell(TEM(epsilon=2.0))
    assert sweep([refused, missing, fine], tmp_path) == (3, 2, 0)
    by_error = {row["error"]: row for row in rows.read(tmp_path).to_pylist()}
    problems = sorted(filter(None, by_error))
    assert problems[0].startswith("FileNotFoundError: Corpus sst2: ")
    assert re.match("Truncated Gumbel.*ε must exceed", problems[1])
    assert by_error[None]["n_w"] > 0
    assert by_error[problems[1]]["n_w"] is None
    assert by_error[problems[1]]["mechanism"] == "TruncatedGumbel"


def test_failed_cells_are_run_again_on_request_only(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    folder, cells = tmp_path / "rows", [cell(TEM(epsilon=2.0), corpus="sst2", texts=8)]
    monkeypatch.delenv(corpora.FOLDER, raising=False)
    assert sweep(cells, folder) == (1, 1, 0)
    monkeypatch.setenv(corpora.FOLDER, str(tmp_path / "data"))
    lines = [f"a {word} film,{label}" for label in "01" for word in ("good", "bad", "long", "new")]
    (tmp_path / "data" / "sst2.csv").write_text("text,label\n" + "\n".join(lines))
    assert sweep(cells, folder) == (1, 1, 1)
    assert sweep(cells, folder, retry_failed=True) == (1, 0, 0)
    assert rows.read(folder)["error"].to_pylist() == [None]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Deadly(TEM):
    """It ends the process that asks it."""

    def word_log_prob(self, vocabulary, word_ids):
        os._exit(1)


def test_a_cell_that_ends_its_process_has_failed_and_the_others_finish(tmp_path):
    cells = [cell(Deadly(epsilon=2.0)), cell(CMP(epsilon=2.0))]
    assert sweep(cells, tmp_path, workers=2) == (2, 1, 0)
    errors = [row["error"] for row in rows.read(tmp_path).to_pylist() if row["error"]]
    assert errors == ["its process ended; there may have been too little memory"]


# ------------------------------------------------------------------------- the same rows everywhere


def test_two_processes_and_two_workers_of_dask_give_the_rows_of_one_process(tmp_path):
    from distributed import LocalCluster

    cells = few_cells()
    one, two, dask = (tmp_path / name for name in ("one", "two", "dask"))
    sweep(list(reversed(cells)), one)
    sweep(cells, two, workers=2)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        outcome = sweep(cells, dask, scheduler=cluster.scheduler_address)
    assert outcome == (4, 0, 0)
    expected = settled(rows.read(one))
    assert settled(rows.read(two)).equals(expected)
    assert settled(rows.read(dask)).equals(expected)


def test_cells_of_other_settings_have_other_names_and_the_order_of_measures_is_none():
    one = cell(TEM(epsilon=2.0))
    others = [
        cell(TEM(epsilon=2.5)),
        cell(TEM(epsilon=2.0, beta=0.01)),
        cell(CMP(epsilon=2.0)),
        cell(TEM(epsilon=2.0), texts=41),
        cell(TEM(epsilon=2.0), repetition=1),
        cell(TEM(epsilon=2.0), seed=1),
        cell(TEM(epsilon=2.0), preprocessing="none"),
        cell(TEM(epsilon=2.0), measures=("pp",)),
    ]
    names = {each.fingerprint for each in [one, *others]}
    assert len(names) == 1 + len(others)
    assert cell(TEM(epsilon=2), measures=QUICK[::-1]).fingerprint == one.fingerprint


def test_another_sentence_model_makes_another_cell(monkeypatch):
    packaged = cell(TEM(epsilon=2.0)).fingerprint
    monkeypatch.setenv("WORDVEIL_SENTENCE_MODEL", "another")
    assert cell(TEM(epsilon=2.0)).fingerprint != packaged


def test_what_else_is_measured_does_not_change_a_measure():
    both, one = run(cell(CMP(epsilon=8.0))), run(cell(CMP(epsilon=8.0), measures=("pp",)))
    assert one["pp"] == both["pp"]
    assert one["n_w"] is None


def test_a_repetition_has_other_texts_and_other_noise():
    first, second = (run(cell(CMP(epsilon=8.0), repetition=i)) for i in (0, 1))
    assert first["pp"] != second["pp"]
    assert first["baseline_accuracy_from"] is not None


# --------------------------------------------------------------------------------- what a row holds


@pytest.fixture(scope="module")
def row():
    return run(cell(TEM(epsilon=200.0, gamma=5.0), tuple(MEASURES)))


def test_a_row_is_complete_and_says_where_it_comes_from(row, tmp_path):
    assert row["error"] is None
    assert set(row) == set(rows.SCHEMA.names)
    rows.write(tmp_path, "0" * 32, row)
    read = rows.read(tmp_path)
    assert read.schema.equals(rows.SCHEMA)
    kept = read.to_pylist()[0]
    assert [name for name, value in kept.items() if value is None] == ["error"]
    for measure in rows.MEASURES:
        assert kept[f"{measure}_from"] <= kept[measure] <= kept[f"{measure}_to"]
    assert kept["mechanism"] == "TEM"
    assert kept["variant"] == ""
    assert kept["dimensions"] == 50
    assert json.loads(kept["parameters"]) == {"beta": 0.001, "gamma": 5.0}
    versions = json.loads(kept["versions"])
    assert {"wordveil", "python", "numpy", "faiss-cpu", "embedding", "encoder"} <= set(versions)
    assert kept["seconds"] > 0


def test_without_noise_only_unknown_words_are_replaced_and_nothing_is_lost(row):
    assert row["n_w"] == pytest.approx(100, abs=1e-6)
    assert row["s_w"] == pytest.approx(0, abs=1e-6)
    assert row["accuracy"] == pytest.approx(row["baseline_accuracy"], abs=25)
    on = ground("rotten-tomatoes", "benchmark", 40, embeddings.GLOVE, 2000, derived_seed(0, 0))
    tokens = [t for of_one in tokenise_all(on.texts, on.vocabulary) for t in of_one]
    words = sum(token.kind in (Kind.WORD, Kind.NUMBER) for token in tokens)
    unknown = sum(token.is_unknown for token in tokens)
    assert row["pp"] == pytest.approx(100 * unknown / words, abs=0.5)


def test_a_measure_that_was_not_asked_for_is_null():
    measured = run(cell(TEM(epsilon=2.0), ("pp",)))
    filled = {name for name in rows.MEASURES if measured[name] is not None}
    assert filled == {"pp"}
    assert measured["accuracy_from"] is None


def test_texts_of_a_visitor_are_measured_on_a_ground_of_their_own():
    texts = tuple(f"the {w} film was {w}" for w in ("good", "bad", "great", "awful") * 3)
    mine = corpora.Corpus("mine", texts, ("a", "b") * 6)
    on = Ground(mine, embeddings.load(embeddings.GLOVE, 2000), seed=0)
    measured = run(cell(TEM(epsilon=100.0), corpus="mine", texts=12), on)
    assert measured["error"] is None
    assert measured["corpus"] == "mine"
    assert measured["baseline_accuracy"] == 100


def test_a_row_with_other_columns_is_not_kept(tmp_path):
    with pytest.raises(ValueError, match="differs in accuracy"):
        rows.write(tmp_path, "0" * 32, {n: None for n in rows.SCHEMA.names if n != "accuracy"})
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------- what is to be run


def test_epsilons_are_given_as_numbers_as_multiples_of_d_or_spread_over_the_own_range():
    cells = plan.planned(
        ("imdb",), [Laplace.family()], ("1", "5", "2d"), 6, vocabulary_size=2000, texts=10,
        measures=("pp",),
    )  # fmt: skip
    epsilons = [each.mechanism.epsilon for each in cells]
    assert {1.0, 5.0, 100.0} < set(epsilons)
    assert len(epsilons) == 9
    assert epsilons == sorted(epsilons)
    spread = [e for e in epsilons if e not in (1.0, 5.0, 100.0)]
    np.testing.assert_allclose(
        np.diff(np.log(spread)), np.log(spread[-1] / spread[0]) / 5, rtol=0.01
    )


def test_parameters_go_to_the_mechanisms_that_have_them_in_all_combinations():
    made = plan.with_parameters(["tem", "cmp"], ["beta=0.1", "beta=0.2", "gamma=none", "gamma=2"])
    assert [m.kind for m in made] == [TEM] * 4 + [CMP]
    assert [(m.at(1).beta, m.at(1).gamma) for m in made[:4]] == [
        (0.1, None), (0.1, 2.0), (0.2, None), (0.2, 2.0)
    ]  # fmt: skip


def test_the_standard_sweep_has_every_mechanism_that_keeps_a_guarantee_and_the_benchmarks():
    cells = plan.standard()
    made = {(type(c.mechanism).__name__, getattr(c.mechanism, "variant", "")) for c in cells}
    assert made == {
        ("CMP", ""), ("Mahalanobis", ""), ("Vickrey", "repaired"), ("Laplace", ""),
        ("Gaussian", "repaired"), ("TruncatedLaplace", "repaired"), ("TEM", ""), ("SanText", ""),
        ("TruncatedGumbel", "benchmark"), ("SynTF", "published"), ("SynTF", "benchmark"),
        ("UnigramTEM", ""), ("NGramTEM", ""),
    }  # fmt: skip
    assert {c.corpus for c in cells} == {"imdb", "rotten-tomatoes"}
    of_cmp = [c.mechanism.epsilon for c in cells if isinstance(c.mechanism, CMP)]
    assert len(of_cmp) == 2 * 9
    assert {1.0, 5.0, 10.0} < set(of_cmp)


ONE = ("--mechanism", "tem", "--epsilon", "1")
BAD = {
    "mechanism": (["--mechanism", "noise", "--epsilon", "1"], "Mechanism: must be one of cmp,"),
    "no mechanism": (["--epsilon", "1"], "Mechanism: at least one of"),
    "no epsilon": (["--mechanism", "tem"], "at least one ε is needed"),
    "epsilon": (["--mechanism", "tem", "--epsilon", "-5"], "must be a positive number"),
    "epsilon as a word": (["--mechanism", "tem", "--epsilon", "xd"], "got 'xd'"),
    "parameter": ([*ONE, "--param", "c=1"], "got 'c'"),
    "value": ([*ONE, "--param", "beta=2"], "must be above 0 and below 1"),
    "corpus": ([*ONE, "--corpus", "x"], "got 'x'"),
    "measure": ([*ONE, "--measure", "x"], "got 'x'"),
    "classifier": ([*ONE, "--classifier", "x"], "got 'x'"),
    "embedding": ([*ONE, "--embedding", "x"], "got 'x'"),
    "size": ([*ONE, "--size", "0"], "got 0"),
    "texts": ([*ONE, "--texts", "1"], "got 1"),
    "preprocessing": ([*ONE, "--preprocessing", "x"], "got 'x'"),
    "workers": (
        [*ONE, "--workers", "0"],
        "--workers",
    ),
    "repetitions": ([*ONE, "--repetitions", "0"], "got 0"),
    "spread": (["--mechanism", "tem", "--epsilon-count", "-1"], "at least one ε is needed"),
    "seed": ([*ONE, "--seed", "-1"], "got -1"),
    "standard": (["--standard", "--mechanism", "tem"], "--standard takes no other choices"),
}


@pytest.mark.parametrize(("options", "says"), BAD.values(), ids=BAD)
def test_what_cannot_be_run_is_said_before_anything_is(options, says, tmp_path):
    folder = tmp_path / "rows"
    result = CliRunner().invoke(_app, [str(folder), *options])
    assert result.exit_code == 2
    assert says in result.output
    assert not folder.exists()


def test_a_scheduler_that_does_not_answer_is_named(tmp_path):
    import dask

    options = [*ONE, "--scheduler", "tcp://127.0.0.1:9"]
    with dask.config.set({"distributed.comm.timeouts.connect": "100ms"}):
        result = CliRunner().invoke(_app, [str(tmp_path / "rows"), *options])
    assert result.exit_code == 1
    assert "tcp://127.0.0.1:9" in result.output


@pytest.mark.parametrize("epsilons", [[1, 5], [1.0, "5"], ["1", np.int64(5)], (np.float32(1), 5)])
def test_epsilons_are_numbers_or_texts(epsilons):
    cells = plan.planned(families=[TEM.family()], epsilons=epsilons, vocabulary_size=500)
    assert [cell.mechanism.epsilon for cell in cells] == [1, 5]


@pytest.mark.parametrize("epsilon", [True, None, 0, -1, np.nan, np.inf, "x", [1]])
def test_an_epsilon_that_is_none_is_refused(epsilon):
    with pytest.raises(ValueError, match=r"ε \(epsilon\): must be a positive number"):
        plan.planned(families=[TEM.family()], epsilons=[epsilon], vocabulary_size=500)


# --------------------------------------------------------------- q, and the texts that are judged


def test_q_is_counted_on_texts_of_the_corpus_that_are_not_judged():
    on = ground("rotten-tomatoes", "benchmark", 40, embeddings.GLOVE, 2000, derived_seed(0, 0), 0)
    itself = NGramTEM(epsilon=4.0, corpus="rotten-tomatoes")
    words = on.vocabulary_for(itself)
    corpus = corpora.load("rotten-tomatoes")
    judged = set(
        corpora.sampled(
            corpus, 40, derived_seed("texts", "rotten-tomatoes", derived_seed(0, 0)), 0
        ).texts
    )
    others = [text for text in corpus.texts if text not in judged]
    found = counts_of(words, "rotten-tomatoes")
    assert found.documents == len(others) <= len(corpus) - 40
    np.testing.assert_array_equal(found.words, word_counts.of_texts(others, on.vocabulary).words)
    assert (counts_of(on.vocabulary, "rotten-tomatoes").words >= found.words).all()
    for other in (TEM(epsilon=4.0), UnigramTEM(epsilon=4.0)):
        assert on.vocabulary_for(other) is on.vocabulary
    row = run(cell(itself))
    assert row["error"] is None
    assert row["keeps"]


def test_rows_of_a_q_that_knew_the_judged_texts_are_not_taken_for_these():
    """Their settings are the same: the fingerprint says that they were counted otherwise."""
    one, other = (
        cell(NGramTEM(epsilon=4.0, corpus=corpus)) for corpus in ("rotten-tomatoes", "ranks")
    )
    settings = json.dumps(one.settings, sort_keys=True)
    model = experiment.encoder.chosen_model() or ""
    assert one.fingerprint != experiment.store.fingerprint(experiment._KIND, settings, model)
    settings = json.dumps(other.settings, sort_keys=True)
    assert other.fingerprint == experiment.store.fingerprint(experiment._KIND, settings, model)


def test_without_a_text_that_is_not_judged_there_is_no_q():
    mine = corpora.Corpus("imdb", ("a good movie", "a bad movie") * 4, ("a", "b") * 4)
    on = Ground(mine, embeddings.load(embeddings.GLOVE, 2000), seed=0)
    with pytest.raises(ValueError, match="no text of imdb is left to count it on. Measure fewer"):
        on.vocabulary_for(NGramTEM(epsilon=1.0, corpus="imdb"))
