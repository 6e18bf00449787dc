"""The same noise at every ε, for measuring only: that it is the same, and that it stays inside."""

import ast
import dataclasses
from pathlib import Path

import numpy as np
import pytest

from data import corpora
from measures.sweeps import plan, rows
from measures.sweeps.coupled import coupled_rng
from measures.sweeps.experiment import Cell, run
from measures.sweeps.vectors import unpacked
from mechanisms import CMP, Gaussian, Laplace, Mahalanobis
from mechanisms.randomness import release_rng, seeded_rng
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
    with pytest.raises(TypeError, match="needs a seed"):
        coupled_rng(seed)


def test_the_generator_of_a_release_is_refused():
    with pytest.raises(TypeError, match="needs a seed"):
        coupled_rng(release_rng())


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
