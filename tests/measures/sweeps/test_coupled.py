"""The same noise at every ε, for measuring only: that it is the same, and that it stays inside."""

import ast
import dataclasses
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

from data import corpora
from measures.sweeps import plan, rows
from measures.sweeps.coupled import coupled_rng, coupled_texts
from measures.sweeps.experiment import Cell, Curve, run, run_curve
from measures.sweeps.vectors import unpacked
from mechanisms import CMP, Gaussian, Laplace, Mahalanobis, Vickrey, Vocabulary
from mechanisms.randomness import release_rng, seeded_rng
from mechanisms.ray_draws import on_rays
from mechanisms.text import cut_texts, privatise_all
from tests.toy import TOY

HOUSE = Path(__file__).parents[3]


@pytest.mark.parametrize("mechanism", [CMP, Mahalanobis, Laplace])
def test_noise_from_one_seed_has_one_direction_and_a_length_as_one_over_epsilon(mechanism):
    one, half = (
        mechanism(epsilon=epsilon).noise(TOY, 50, coupled_rng(3)) for epsilon in (4.0, 8.0)
    )
    np.testing.assert_allclose(one, 2 * half, rtol=1e-12)
    other = mechanism(epsilon=4.0).noise(TOY, 50, coupled_rng(4))
    assert not np.allclose(one, other)


def test_gaussian_noise_has_one_direction_too():
    one, other = (Gaussian(epsilon=e).noise(TOY, 50, coupled_rng(3)) for e in (4.0, 8.0))
    ratio = one / other
    np.testing.assert_allclose(ratio, ratio[0, 0], rtol=1e-9)


@pytest.mark.parametrize("seed", [True, 1.5, None])
def test_only_a_seed_couples(seed):
    with pytest.raises(TypeError, match="a seed is needed"):
        coupled_rng(seed)


def test_the_generator_of_a_release_is_refused():
    with pytest.raises(TypeError, match="a seed is needed"):
        coupled_rng(release_rng())


# ------------------------------------------------------------------------- one pass for a curve

RAYS = [
    CMP.family(),
    Mahalanobis.family(),
    Laplace.family(clipping_norm=1.0),
    Gaussian.family(clipping_norm=1.0),
    Gaussian.family(variant="published"),
    Vickrey.family(t=0.5),
    Vickrey.family(t=0.3, variant="published"),
]
GRID = (0.01, 0.5, 1.0, 2.0, 5.0, 20.0, 300.0)


@pytest.mark.parametrize("family", RAYS, ids=repr)
def test_one_pass_draws_what_each_epsilon_draws_by_itself(family):
    """Word by word, on the toy vocabulary, with the unknown word among the inputs."""
    inputs = np.tile(np.append(np.arange(len(TOY)), TOY.unknown_id), 40)
    mechanisms = [family.at(epsilon) for epsilon in GRID]
    together = on_rays(mechanisms, TOY, inputs, coupled_rng(9))
    for mechanism, drawn in zip(mechanisms, together.T, strict=True):
        alone = mechanism.sample(TOY, inputs, 1, coupled_rng(9))[:, 0]
        np.testing.assert_array_equal(drawn, alone)


@pytest.mark.parametrize("family", [CMP.family(), Vickrey.family(), Laplace.family()], ids=repr)
def test_texts_of_one_pass_are_the_texts_of_each_epsilon(family):
    words = TOY.words
    texts = [f"{words[0]} {words[3]}, zzz {words[0]}!", "", "?!", f"{words[5]} 12 {words[1]}"]
    cut = cut_texts(texts, TOY)
    mechanisms = [family.at(epsilon) for epsilon in GRID]
    together = coupled_texts(cut, mechanisms, TOY, 4)
    for mechanism, found in zip(mechanisms, together, strict=True):
        alone = privatise_all(texts, mechanism, TOY, coupled_rng(4))
        assert [each.texts for each in found] == [each.texts for each in alone]


def test_texts_without_any_word_have_private_versions_at_every_epsilon():
    found = coupled_texts(cut_texts(["?", ""], TOY), [CMP(epsilon=1), CMP(epsilon=2)], TOY, 0)
    assert [[each.texts for each in at] for at in found] == [[["?"], [""]]] * 2


def chance_of_leaving(epsilon, draws, stretch=1.0):
    """How often the word of the line at 0 comes out otherwise; noise is wrong if `stretch` is."""
    line = Vocabulary(["left", "right"], [[0.0], [1.0]])
    mechanisms = [CMP(epsilon=epsilon * stretch), CMP(epsilon=3.0)]
    drawn = on_rays(mechanisms, line, np.zeros(draws, dtype=np.int64), coupled_rng(1))
    return int(drawn[:, 0].sum())


@pytest.mark.parametrize(("stretch", "right"), [(1.0, True), (1.1, False)])
def test_draws_of_one_pass_have_the_law_of_their_epsilon(stretch, right):
    """In one dimension noise is Laplace's: beyond the middle with probability e^(-ε/2) / 2."""
    share = np.exp(-1.0) / 2
    left = chance_of_leaving(2.0, 40_000, stretch)
    assert (binomtest(left, 40_000, share).pvalue > 1e-6) == right


def test_a_curve_has_the_rows_of_its_cells():
    small = {"corpus": "rotten-tomatoes", "texts": 40, "vocabulary_size": 2000}
    cells = [
        Cell(mechanism=Vickrey(epsilon=e), measures=("pp", "low", "n_w", "accuracy"), **small)
        for e in (5.0, 20.0, 90.0)
    ]
    assert len({Curve.of(each) for each in cells}) == 1
    for cell, row in zip(cells, run_curve(cells), strict=True):
        alone = run(cell)
        own = {"started_at", "seconds"}
        assert {k: v for k, v in row.items() if k not in own} == {
            k: v for k, v in alone.items() if k not in own
        }
        assert row["error"] is None
    other = Cell(mechanism=Vickrey(epsilon=5.0, t=0.1), measures=("pp",), **small)
    assert Curve.of(other) != Curve.of(cells[0])


def imported(file):
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{name.name}" for name in node.names)
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_nothing_that_releases_can_reach_coupled_noise_and_no_row_holds_a_text():
    """Neither `release` nor a mechanism imports it, and the one who does keeps no draws."""
    who = [
        str(file.relative_to(HOUSE))
        for part in ("release", "mechanisms", "data", "pages", "measures")
        for file in (HOUSE / part).rglob("*.py")
        if "measures.sweeps.coupled" in set(imported(file))
    ]
    assert who == ["measures/sweeps/experiment.py"]
    for file in (HOUSE / "release").rglob("*.py"):
        assert not {"measures.sweeps.experiment", "measures.sweeps.task"} & set(imported(file))
        assert "mechanisms.ray_draws" not in set(imported(file))
    settings = {"corpus", "preprocessing", "embedding", "mechanism", "variant", "parameters"}
    text = {field.name for field in rows.SCHEMA if str(field.type) == "string"}
    assert text == settings | {"classifier", "notion", "versions", "error"}


def test_two_epsilon_of_one_curve_differ_by_less_luck():
    """Between neighbouring ε of CMP; against the same pair on noise of their own."""
    small = {"corpus": "rotten-tomatoes", "texts": 60, "vocabulary_size": 2000}
    small["measures"] = ("pp",)

    def changed(epsilon, repetition_of_noise):
        cell = Cell(mechanism=CMP(epsilon=epsilon), seed=repetition_of_noise, **small)
        return unpacked(run(cell)["pp_each"])

    coupled = np.corrcoef(changed(8.0, 0), changed(8.4, 0))[0, 1]
    assert coupled > 0.9


# --------------------------------------------------------------------------- samples of texts


def test_samples_of_other_repetitions_have_no_text_in_common():
    corpus = corpora.Corpus("mine", tuple(map(str, range(90))), ("a", "b", "b") * 30)
    parts = [corpora.sampled(corpus, 30, 7, number) for number in range(3)]
    assert sorted(t for part in parts for t in part.texts) == sorted(corpus.texts)
    assert all(abs(part.label_counts["a"] - 10) <= 1 for part in parts)
    with pytest.raises(ValueError, match=r"4 samples of 30 texts .* need 120; it has 90"):
        corpora.sampled(corpus, 30, 7, 3)


def test_the_long_standard_sweep_goes_repetition_by_repetition_and_fits_its_corpora(monkeypatch):

    sizes = {"imdb": 25_000, "rotten-tomatoes": 8_530}
    monkeypatch.setattr(plan, "load_corpus", lambda name: range(sizes[name]))
    short, long = plan.standard(), plan.standard(5, 5000)
    assert len(long) == 5 * len(short)
    assert [cell.repetition for cell in long] == sorted(cell.repetition for cell in long)
    assert {cell.corpus: cell.texts for cell in long} == {"imdb": 5000, "rotten-tomatoes": 1706}
    assert {cell.fingerprint for cell in short}.isdisjoint(cell.fingerprint for cell in long)
    first = {dataclasses.replace(cell, texts=2000) for cell in long if cell.repetition == 0}
    assert first == set(short)


def test_seeded_and_coupled_generators_agree():
    assert coupled_rng(5).random() == seeded_rng(5).random()
