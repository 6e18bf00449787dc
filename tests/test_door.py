"""The front door: what it exports, that its examples run, and that a release is no measurement."""

import ast
import doctest
import inspect
import json
import re
import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import mechanisms
import wordveil as wv
from mechanisms import MECHANISMS, SLUGS, by_name, family_of
from mechanisms.estimate import clopper_pearson
from mechanisms.randomness import keyed_rng, release_rng, seeded_rng
from tests.toy import TOY

HOUSE = Path(__file__).parents[1]
README = (HOUSE / "README.md").read_text(encoding="utf-8")
NOTEBOOKS = sorted((HOUSE / "examples").glob("*.ipynb"))


# ---------------------------------------------------------------------------------- the door itself


def test_the_door_has_no_logic():
    body = ast.parse((HOUSE / "wordveil.py").read_text(encoding="utf-8")).body
    allowed = (ast.Import, ast.ImportFrom, ast.Expr, ast.If)
    rest = [node for node in body if not isinstance(node, allowed)]
    assert [ast.unparse(node).split("\n")[0].split(" =")[0] for node in rest] == [
        "__all__",
        "def __getattr__(name: str) -> Any:",
    ]


def test_the_door_exports_its_list_and_nothing_else():
    assert wv.__all__ == sorted(set(wv.__all__), key=lambda n: (not n.isupper(), n[0].islower(), n))
    for name in wv.__all__:
        assert getattr(wv, name) is not None
    assert {cls.__name__ for cls in MECHANISMS} <= set(wv.__all__)
    with pytest.raises(AttributeError, match="no attribute 'tem'"):
        _ = wv.tem


def test_the_door_loads_nothing_heavy_and_no_plotting_library():
    unwanted = ["torch", "sentence_transformers", "sklearn", "faiss", "transformers"]
    unwanted += ["streamlit", "plotly", "pandas", "rapidfuzz"]
    program = f"import sys, wordveil\nprint([name for name in {unwanted!r} if name in sys.modules])"
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=HOUSE, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"


EXAMPLES = [
    test
    for name in wv.__all__
    for test in doctest.DocTestFinder(exclude_empty=True).find(getattr(wv, name), name)
    if test.examples
]


@pytest.mark.parametrize("name", wv.__all__)
def test_everything_behind_the_door_has_an_example(name):
    assert name in {test.name for test in EXAMPLES}


def behind_the_door():
    """Examples of what the door's objects return, and of the methods they inherit."""
    from measures.words.curves import WordCurves
    from mechanisms.base import Mechanism
    from mechanisms.guarantee import Guarantee
    from mechanisms.law import Law
    from mechanisms.words import Words

    finder = doctest.DocTestFinder(exclude_empty=True)
    classes = (Law, Guarantee, Mechanism, WordCurves, Words)
    return [t for cls in classes for t in finder.find(cls, cls.__name__) if t.examples]


@pytest.mark.parametrize("example", EXAMPLES + behind_the_door(), ids=lambda test: test.name)
def test_the_example_of_a_docstring_runs(example):
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    runner.run(example, out=said.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)


# ------------------------------------------------------------------------- README and its notebooks


def exported(code):
    """Names of the door that code uses."""
    return {
        node.attr
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "wv"
    }


def snippets():
    blocks = re.findall(r"^```python\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)
    return [block for block in blocks if "wordveil" in block]


def test_the_snippets_of_the_readme_use_the_door_and_run():
    code = "\n".join(snippets())
    assert len(exported(code)) >= 10
    assert exported(code) <= set(wv.__all__)
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_uses_the_door_only_runs_and_is_kept_without_outputs(file):
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(file, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in cells)
    code = "\n".join(cell.source for cell in cells)
    assert exported(code) <= set(wv.__all__)
    modules = {alias.name for n in ast.walk(ast.parse(code)) for alias in getattr(n, "names", ())}
    assert modules <= {"sys", "wordveil"}
    assert f"examples/{file.name}" in README
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the kernel's own libraries
        NotebookClient(
            notebook, timeout=120, resources={"metadata": {"path": str(file.parent)}}
        ).execute()
    assert any(cell.outputs for cell in cells)


def test_there_are_three_notebooks():
    assert [file.stem for file in NOTEBOOKS] == ["choose_epsilon", "compare", "teach"]
    assert all(len(json.dumps(json.loads(f.read_text("utf-8")))) < 20_000 for f in NOTEBOOKS)


# -------------------------------------------------------------------------------------------- words


def test_a_word_is_its_vector_and_iterating_lists_the_words():
    assert (TOY["east"] == [1.0, 0.0]).all()
    assert list(TOY) == list(TOY.words)
    with pytest.raises(ValueError, match="read-only"):
        TOY["east"][0] = 2
    with pytest.raises(TypeError, match="must be a string; got 0"):
        TOY[0]


@pytest.mark.parametrize("word", TOY.words)
def test_neighbours_of_a_word_are_those_of_its_id(word):
    distances, ids = TOY.neighbours(TOY.ids([word]), 5)
    named = TOY.neighbours(word, 5)
    assert [TOY.words[i] for i in ids[0]] == [n.word for n in named]
    assert [n.distance for n in named] == distances[0].tolist()


def test_a_word_that_is_unknown_is_answered_with_the_way_to_similar_ones():
    with pytest.raises(wv.UnknownWordError, match=r"nearest_spelling\('orign'\)"):
        TOY["orign"]
    with pytest.raises(wv.UnknownWordError, match="nearest_spelling"):
        TOY.neighbours("orign", 2)
    with pytest.raises(wv.UnknownWordError, match="nearest_spelling"):
        wv.TEM(epsilon=1).law(TOY, "orign")
    assert TOY.nearest_spelling("orign")[0] == "origin"
    assert TOY.nearest_spelling("lonley", 1) == ["lonely"]
    with pytest.raises(ValueError, match="k must be at least 1; got 0"):
        TOY.nearest_spelling("near", 0)


# --------------------------------------------------------------------------------------------- laws


@pytest.mark.parametrize("mechanism", [wv.TEM(epsilon=2, gamma=3), wv.SanText(epsilon=2)])
def test_a_law_is_that_of_the_mechanism(mechanism):
    law = mechanism.law(TOY, "east")
    expected = np.exp(mechanism.log_prob(TOY, TOY.ids(["east"]))[0])
    assert [law[word] for word in TOY] == expected.tolist()
    assert law.unchanged == expected[TOY.get("east")]
    probabilities = [p for _, p in law.top(len(TOY))]
    assert probabilities == sorted(probabilities, reverse=True)
    assert law.source.is_exact
    assert "exact" in str(law)
    assert "to" not in law._repr_html_().replace("top", "")


@pytest.mark.parametrize("cls", [wv.CMP, wv.Laplace], ids=lambda cls: cls.name)
def test_a_sampled_law_says_so_and_its_intervals_hold_other_draws(cls):
    mechanism = cls(epsilon=2 if cls is wv.CMP else 20)
    law = mechanism.law(TOY, "east")
    assert not law.source.is_exact
    drawn = mechanism.sample(TOY, TOY.ids(["east"]), 400_000, seeded_rng(7))[0]
    shares = np.bincount(drawn, minlength=len(TOY)) / len(drawn)
    found = law.estimate(*TOY)
    # Level 1e-6 over all words; the draws' own error on top.
    n, tail = law.source.count, 1e-6 / (2 * len(TOY))
    low, high = clopper_pearson(found.value * n, n, tail)
    error = 6 * np.sqrt(shares * (1 - shares) / len(drawn))
    assert ((low - error <= shares) & (shares <= high + error)).all()
    # Power: half the ε has another law.
    other = cls(epsilon=mechanism.epsilon / 2).law(TOY, "east").estimate(*TOY).value
    assert ((other < low) | (other > high)).any()
    assert (found.low < found.high).all()
    assert "interval" in law._repr_html_()


def test_measuring_draws_repeat_and_are_words():
    drawn = wv.CMP(epsilon=1).draws_of(TOY, "east", 50)
    assert drawn == wv.CMP(epsilon=1).draws_of(TOY, "east", 50)
    assert drawn != wv.CMP(epsilon=1).draws_of(TOY, "east", 50, seed=1)
    assert set(drawn) <= set(TOY.words)
    with pytest.raises(ValueError, match="size must be at least 1; got 0"):
        wv.CMP(epsilon=1).draws_of(TOY, "east", 0)


def test_words_are_shown_as_typed_and_never_as_markup():
    v = wv.Vocabulary(["<b>", "&amp;"], [[0.0], [1.0]])
    law = wv.SanText(epsilon=1).law(v, "<b>")
    assert "<b>" not in law._repr_html_()
    assert "&lt;b&gt;" in law._repr_html_()
    curves = wv.curves(wv.SanText, v, ["<b>"], [1, 2])
    assert "<b>" not in curves._repr_html_()
    assert "<b>" not in curves.plot().data[0].name


# ------------------------------------------------------------------------------------------- curves


def test_curves_of_a_class_are_those_of_any_mechanism_of_it():
    grid = [1.0, 2.0, 4.0]
    for given in (wv.TEM, "tem", wv.TEM(epsilon=9), wv.TEM.family()):
        found = wv.curves(given, TOY, ["east", "west"], grid)
        for column, epsilon in enumerate(grid):
            for word in ("east", "west"):
                exact = wv.TEM(epsilon=epsilon).law(TOY, word).unchanged
                assert found.of(word).value[column] == pytest.approx(exact, rel=1e-12)
    assert len(wv.curves(wv.TEM, TOY, ["east"]).epsilons) > 10


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((wv.TEM, TOY, "east"), "give a list of words; got the single text 'east'"),
        ((wv.TEM, TOY, []), "at least one word is needed"),
        ((wv.TEM, TOY, ["esat"]), "nearest_spelling"),
        ((wv.SynTF, TOY, ["east"], [0]), "must be positive"),
        (("gumball", TOY, ["east"]), "must be one of cmp, .*; got 'gumball'"),
        ((TOY, TOY, ["east"]), "give a mechanism, its class or its name"),
    ],
)
def test_curves_refuse_with_a_sentence(arguments, message):
    with pytest.raises((ValueError, TypeError, wv.UnknownWordError), match=message):
        wv.curves(*arguments)


def test_charts_show_the_numbers_and_the_intervals_of_sampled_ones():
    law = wv.TEM(epsilon=2).law(TOY, "east")
    bars = law.plot(k=4).data[0]
    assert list(zip(bars.y, bars.x, strict=True)) == law.top(4)
    assert bars.error_x.array is None
    sampled = wv.CMP(epsilon=2).law(TOY, "east").plot(k=3).data[0]
    assert (np.asarray(sampled.error_x.array) > 0).all()
    curves = wv.curves(wv.CMP, TOY, ["east", "west"], [1, 2])
    figure = curves.plot()
    assert len(figure.data) == 2 * 3
    assert figure.layout.xaxis.type == "log"
    assert len(wv.curves(wv.TEM, TOY, ["east", "west"], [1, 2]).plot("distinct").data) == 2
    with pytest.raises(ValueError, match="must be one of unchanged, distinct, support; got 'n_w'"):
        curves.plot("n_w")


def test_a_chart_without_the_door_names_the_door():
    program = (
        "from mechanisms import TEM, Vocabulary\n"
        "law = TEM(epsilon=1).law(Vocabulary(['a', 'b'], [[0], [1]]), 'a')\n"
        "try: law.plot()\n"
        "except TypeError as error: print(error)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=HOUSE, capture_output=True, text=True, check=True
    )
    assert "`import wordveil`" in ran.stdout


# ---------------------------------------------------------------------------------------- releasing


def test_a_release_without_a_generator_or_with_a_release_generator_is_silent_and_differs():
    mechanism, text = wv.SanText(epsilon=0.01), " ".join(TOY.words * 3)
    first, second = (wv.privatise(text, mechanism, TOY).texts[0] for _ in range(2))
    assert first != second  # equal with probability below 1e-30
    wv.privatise(text, mechanism, TOY, release_rng())
    wv.privatise(text, mechanism, TOY, keyed_rng(1))


def test_a_release_with_a_seed_warns_where_it_is_asked_for():
    with pytest.warns(wv.SeededReleaseWarning, match="can undo the release") as caught:
        wv.privatise("east", wv.TEM(epsilon=1), TOY, np.random.default_rng(0))
    assert caught[0].filename == __file__
    seeded = wv.PrivateText(wv.TEM(epsilon=1), size=1000, seed=1)
    for release in (seeded.transform, seeded.fit_transform):
        with pytest.warns(wv.SeededReleaseWarning, match=r"PrivateText\(seed=1\)") as caught:
            release(["the movie"])
        assert len(caught) == 1
    seeded.fit(["the movie"])  # releases nothing


# ----------------------------------------------------------------------------------- names, promise


@pytest.mark.parametrize("cls", MECHANISMS, ids=lambda cls: cls.name)
def test_a_mechanism_is_found_by_every_way_to_write_its_name(cls):
    for name in (cls.name, cls.__name__, cls.slug(), cls.name.upper()):
        assert by_name(name) is cls
    assert SLUGS[cls.slug()] is cls
    assert family_of(cls) == cls.family()
    assert mechanisms.by_name is wv.by_name


@pytest.mark.parametrize("cls", MECHANISMS, ids=lambda cls: cls.name)
def test_a_promise_prints_as_sentences_that_name_its_bound(cls):
    v = wv.Vocabulary(TOY.words[:6], TOY.vectors[:6], {"east": ["west"]}, counter=TOY.counter)
    promise = cls(epsilon=40).guarantee(v)
    said = str(promise)
    assert "ε = " in said or "No bound is proven" in said
    assert promise.theorem in said
    assert promise.unknown_promise in said
    assert said.endswith(".")
    assert "Guarantee(" not in said


def test_a_broken_promise_says_so():
    promise = wv.Vickrey(epsilon=1, variant="published").guarantee(TOY)
    assert "No bound is proven" in str(promise) or "does not hold" in str(promise)


# ------------------------------------------------------------------------------ match, audit, sweep


def test_match_takes_classes_and_reaches_the_target():
    (found,) = wv.match([wv.SanText], TOY, 0.6)
    ids = np.arange(len(TOY))
    law = np.exp(found.mechanism.log_prob(TOY, ids))
    assert law[ids, ids].mean() == pytest.approx(0.6, abs=0.01)


def identity(word):
    return word


def constant(word):
    return "film"


TABLE = {"film": Counter(film=900, movie=100), "movie": Counter(film=100, movie=900)}
COPY = [sys.executable, "-c", "import sys; sys.stdout.write(sys.stdin.read())"]


@pytest.mark.parametrize(
    "subject",
    [identity, COPY, TABLE, [(w, y, n) for w, c in TABLE.items() for y, n in c.items()]],
    ids=["function", "command", "counts", "rows"],
)
def test_a_black_box_of_any_kind_is_refuted_and_not_accused(subject):
    found = wv.audit(subject, epsilon=0.5, words=["film", "movie"], draws=400)
    assert found.broken
    assert "broken" in found.witness
    assert not wv.audit(subject, epsilon=20, words=["film", "movie"], draws=400).broken


def test_a_command_may_be_one_text_and_a_table_a_file(tmp_path):
    import shlex

    assert wv.audit(shlex.join(COPY), epsilon=0.5, words=["a", "b"], draws=400).broken
    file = tmp_path / "counts.csv"
    rows = [f"{w},{y},{n}" for w, c in TABLE.items() for y, n in c.items()]
    file.write_text("\n".join(["word,output,count", *rows]), encoding="utf-8")
    assert wv.audit(file, epsilon=0.5).broken


def test_a_black_box_that_hides_everything_is_not_accused():
    found = wv.audit(constant, TOY, epsilon=0.1, metric="euclidean", draws=400)
    assert not found.broken
    assert found.epsilon == 0
    assert "no proof of privacy" in found.witness


def test_a_mechanism_is_audited_against_its_own_guarantee():
    assert wv.audit(wv.TEM(epsilon=2), TOY).verdict == "holds"
    broken = wv.audit(wv.Vickrey(epsilon=2, variant="published"), TOY)
    assert broken.verdict in ("broken", "not proven")
    assert "never" in broken.witness


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((wv.TEM,), {}, r"TEM\(epsilon=4\), not its class"),
        ((wv.TEM(epsilon=1),), {}, "audited on a vocabulary"),
        ((wv.TEM(epsilon=1), TOY), {"epsilon": 1}, "its own guarantee"),
        ((identity,), {}, "give the promised epsilon"),
        ((identity,), {"epsilon": 1}, "at least two different ones; got 0"),
        ((identity, None), {"epsilon": 1, "metric": "euclidean"}, "needs a vocabulary"),
        ((identity, TOY), {"epsilon": 1, "metric": "cosine"}, "any or euclidean; got 'cosine'"),
        (([("a", "b")],), {"epsilon": 1}, r"row 1 must be \(word, output, count\)"),
    ],
)
def test_an_audit_refuses_with_a_sentence(arguments, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        wv.audit(*arguments, **options)


def test_a_sweep_is_a_table_in_the_order_asked_for_and_repeats(tmp_path):
    asked = {"epsilons": [5, 1.0], "texts": 8, "measures": ["pp"], "size": 1000}
    table = wv.sweep([wv.SanText, "cmp"], corpus="imdb", **asked, folder=tmp_path)
    assert table.mechanism.tolist() == ["SanText", "SanText", "CMP", "CMP"]
    assert table.epsilon.tolist() == [1.0, 5.0, 1.0, 5.0]
    assert table.error.isna().all()
    assert table.pp.dtype == float
    assert ((table.pp_from <= table.pp) & (table.pp <= table.pp_to)).all()
    assert "accuracy" not in table
    again = wv.sweep([wv.SanText(epsilon=3), wv.CMP], corpus="imdb", **asked, folder=tmp_path)
    assert again.seconds.tolist() == table.seconds.tolist()  # read, not run


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"corpus": "imbd"}, "corpus must be one of .*; got 'imbd'"),
        ({"measures": ["f1"]}, "measure must be one of .*; got 'f1'"),
        ({"epsilons": [-1]}, "must be a positive number"),
        ({"epsilons": []}, "at least one ε is needed"),
    ],
)
def test_a_sweep_refuses_with_a_sentence(options, message):
    with pytest.raises(ValueError, match=message):
        wv.sweep([wv.TEM], **({"epsilons": [1]} | options))


def test_every_public_function_of_the_door_is_annotated():
    for name in wv.__all__:
        found = getattr(wv, name)
        if inspect.isfunction(found):
            assert inspect.signature(found).return_annotation is not inspect.Signature.empty
