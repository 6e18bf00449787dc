"""The steps of the README, followed with its file; and a visitor's own mechanisms, unregistered."""

import math
import os
import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammainc

import mechanisms.selection
import wordveil as wv
from measures.attacks.adversary import ByCell, ByDistance, adversary
from measures.attacks.normalisers import best_success
from mechanisms import RadialNoise, Vocabulary
from mechanisms.answers import exact_answers
from mechanisms.base import TO_MEAN, Guarantee, parameter, uniform_directions
from mechanisms.epsilon_path import epsilon_path
from mechanisms.randomness import seeded_rng
from mechanisms.sampled_path import has_path, sampled_path
from mechanisms.selection import DistanceLaw
from tests.claims import assert_drawn_from, assert_not_drawn_from
from tests.toy import TOY

HOUSE = Path(__file__).parents[2]
STEPS = (HOUSE / "README.md").read_text(encoding="utf-8").split("## How to add a mechanism")[1]

IN_THE_APP = """
from streamlit.testing.v1 import AppTest
from tests.boxes import number_box

app = AppTest.from_file("app.py", default_timeout=300)
app.query_params["mechanism"] = "randomised-response"
app.query_params["eps"] = "7.5"
app.query_params["size"] = "10000"
app.session_state["closer"] = True  # the panel of what is promised
app.run()
assert not app.exception, app.exception
assert not app.warning, app.warning
assert "Randomised response" in app.selectbox(key="mechanism").options
assert number_box(app, key="randomised-response.epsilon").value == 7.5
assert any("Randomised response: pure DP" in element.value for element in app.markdown)
app.selectbox(key="mechanism").select_index(0).run()
assert not app.exception, app.exception
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """The project with one mechanism more: other rooms are the real ones."""
    house = tmp_path_factory.mktemp("house")
    for room in HOUSE.iterdir():
        if room.name not in ("mechanisms", ".git") and not room.name.endswith("_cache"):
            (house / room.name).symlink_to(room)
    shutil.copytree(
        HOUSE / "mechanisms", house / "mechanisms", ignore=shutil.ignore_patterns("__pycache__")
    )
    # Step 1.
    (name,) = re.findall(r"For example,\s+`(mechanisms/\w+\.py)`", STEPS)
    (code,) = re.findall(r"```python\n(.*?)```", STEPS, flags=re.DOTALL)
    (house / name).write_text(textwrap.dedent("   " + code.lstrip()), encoding="utf-8")
    # Step 2.
    registry = house / "mechanisms" / "__init__.py"
    lines = registry.read_text(encoding="utf-8")
    for before, after in (
        (
            "from mechanisms.santext",
            f"from mechanisms.{Path(name).stem} import RandomisedResponse\n",
        ),
        ("    SanText,\n", "    RandomisedResponse,\n"),
        ('    "SanText",\n', '    "RandomisedResponse",\n'),
    ):
        assert lines.count(before) == 1
        lines = lines.replace(before, after + before)
    registry.write_text(lines, encoding="utf-8")
    return house


def python(house, *arguments):
    run = subprocess.run(
        [sys.executable, *arguments],
        cwd=house,
        env=os.environ | {"PYTHONPATH": str(house), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    return run.stdout


@pytest.mark.process
def test_the_contract_and_the_house_rules_hold_for_it(house):
    # Step 3.
    tests = re.findall(r"tests/\S+\.py", STEPS.split("**Run the contract**")[1].split("4. **")[0])
    assert len(tests) == 4
    chosen = "andomised or registered or exported or is_a_page"
    said = python(house, "-m", "pytest", "-q", "-rA", "-k", chosen, *tests)
    passed = re.findall(r"PASSED \S+::(\w+)\[Randomised response", said)
    assert len(set(passed)) >= 10
    for rule in ("every_module_with_a_mechanism_is_registered", "a_mechanism_is_a_page"):
        assert re.search(rf"PASSED \S+::test_{rule}", said)


@pytest.mark.process
def test_the_picker_the_link_and_the_promise_on_screen_take_it_from_the_registry(house):
    python(house, "-c", IN_THE_APP)


# --------------------------------------------------------------------- one class, all speed

GRID = np.array([0.3, 1.0, 4.0, 20.0])


@dataclass(frozen=True, kw_only=True)
class Around(DistanceLaw):
    """Distances up to a multiple of the usual distance to a neighbour; common words weigh more."""

    name = "Around"

    times: float = parameter("k", "γ over the median distance to a nearest word", above=0)

    def guarantee(self, vocabulary):
        return Guarantee("metric DP", self.epsilon, "as TEM: q and γ do not look at the input")

    def threshold_terms(self, vocabulary):
        nearest = vocabulary.neighbours(np.arange(len(vocabulary)), 2)[0][:, 1]
        return self.times * float(np.median(nearest)), 0.0

    def base_measure(self, vocabulary):
        return 1 / (1 + np.arange(len(vocabulary)) / 8)


@dataclass(frozen=True, kw_only=True)
class Sharper(Around):
    """Draws and law at three times the ε that is promised."""

    def word_log_prob(self, vocabulary, word_ids):
        return Around(epsilon=3 * self.epsilon, times=self.times).log_prob(vocabulary, word_ids)

    def word_sample(self, vocabulary, word_ids, size, rng):
        right = Around(epsilon=3 * self.epsilon, times=self.times)
        return right.sample(vocabulary, word_ids, size, rng)


@dataclass(frozen=True, kw_only=True)
class OtherCMP(RadialNoise):
    """CMP by another name, from what a radial noise has to state and nothing of CMP's."""

    name = "OtherCMP"

    def guarantee(self, vocabulary):
        return Guarantee("metric DP", self.epsilon, "as CMP", to_unknown=TO_MEAN)

    def directions(self, vocabulary, size, rng):
        return uniform_directions(size, vocabulary.dimensions, rng)

    def fixed_radius(self, vocabulary, size, rng):
        return rng.standard_gamma(vocabulary.dimensions, size)

    def scale(self, vocabulary):
        return 1 / self.epsilon

    def epsilon_at(self, vocabulary, scales):
        return 1 / scales

    def radius_cdf(self, vocabulary, radius):
        return gammainc(vocabulary.dimensions, self.epsilon * np.asarray(radius))

    def log_density(self, vocabulary, noise):
        return -self.epsilon * np.linalg.norm(noise, axis=1)


def law_by_hand(mechanism, vocabulary):
    """Pr[M(w) = v] from the formula alone (V, V)."""
    vectors = vocabulary.vectors.astype(float)
    distances = np.linalg.norm(vectors[:, None] - vectors, axis=2)
    gamma = mechanism.threshold_terms(vocabulary)[0]
    weights = np.exp(-mechanism.epsilon / 2 * np.minimum(distances, gamma))
    weights *= mechanism.base_measure(vocabulary)
    return weights / weights.sum(axis=1, keepdims=True)


FAMILY = Around.family(times=2.5)


def test_its_curves_at_every_epsilon_are_those_of_the_formula():
    curves = wv.curves(FAMILY, TOY, list(TOY.words), GRID, draws=7)
    for column, epsilon in enumerate(GRID):
        law = law_by_hand(FAMILY.at(epsilon), TOY)
        np.testing.assert_allclose(curves.unchanged.value[:, column], np.diag(law), rtol=1e-6)
        distinct = (1 - (1 - law) ** 7).sum(axis=1)
        np.testing.assert_allclose(curves.distinct.value[:, column], distinct, rtol=1e-6)
    assert curves.unchanged.source.is_exact


@pytest.mark.parametrize("base", [None, np.full(3000, 1.0)], ids=["no base", "a flat base"])
def test_without_a_base_measure_a_row_of_distances_serves_every_epsilon(base, monkeypatch):
    vocabulary = Vocabulary(
        [f"w{i}" for i in range(3000)], np.random.default_rng(1).normal(size=(3000, 6))
    )
    monkeypatch.setattr(Around, "base_measure", lambda *_: base)
    asked = []
    rows = Vocabulary.distances
    monkeypatch.setattr(Vocabulary, "distances", lambda *a, **k: asked.append(1) or rows(*a, **k))
    found = exact_answers(FAMILY, vocabulary, [5]).curves(GRID).unchanged.value[0]
    assert len(asked) == (1 if base is None else len(GRID))
    law = [FAMILY.at(e).law(vocabulary, "w5").unchanged for e in GRID]
    np.testing.assert_allclose(found, law, rtol=1e-9)


def test_its_draws_are_exact_by_blocks_and_never_take_a_whole_row(monkeypatch):
    size = 6000
    vocabulary = Vocabulary(
        [f"w{i}" for i in range(size)], np.random.default_rng(2).normal(size=(size, 3))
    )
    mechanism = Around(epsilon=4.0, times=30.0)
    assert mechanism.draws.kind == "exact"
    monkeypatch.setattr(mechanisms.selection, "by_rows", None)
    ids = np.repeat([7, 4000, 5999], 30_000)
    released = mechanism.sample(vocabulary, ids, 1, seeded_rng(3)).reshape(3, -1)
    law, wrong = (
        np.exp(at.log_prob(vocabulary, [7, 4000, 5999]))
        for at in (mechanism, Around(epsilon=4.4, times=30.0))
    )
    for drawn, right, other in zip(released, law, wrong, strict=True):
        counts = np.bincount(drawn, minlength=size)
        assert_drawn_from(counts, right)
        assert_not_drawn_from(counts, other)


def test_its_fixed_draws_can_be_followed_over_all_epsilon():
    assert has_path(FAMILY)
    inputs = np.append(np.arange(len(TOY)), TOY.unknown_id)
    path = sampled_path(FAMILY, TOY, inputs, 300, np.random.default_rng(4))
    for epsilon in GRID:
        rng = np.random.default_rng(4)
        for position, word in enumerate(inputs):
            scores = FAMILY.at(epsilon).log_prob(TOY, [word])[0] + rng.gumbel(size=(300, len(TOY)))
            np.testing.assert_array_equal(path.at(epsilon)[position], scores.argmax(axis=1))


def test_its_best_adversary_is_exact():
    mechanism = FAMILY.at(2.0)
    law = np.exp(mechanism.log_prob(TOY, np.arange(len(TOY) + 1)))
    np.testing.assert_allclose(law[:-1], law_by_hand(mechanism, TOY), rtol=1e-6)
    base = mechanism.base_measure(TOY)
    np.testing.assert_allclose(law[-1], base / base.sum(), rtol=1e-12)
    prior = np.log(np.arange(1.0, len(TOY) + 2))
    prior -= np.log(np.exp(prior).sum())
    knows = adversary(mechanism, TOY, prior)
    assert isinstance(knows, ByDistance)
    assert knows.exact
    joint = np.exp(prior)[:, None] * law
    for output in range(len(TOY)):
        found = np.exp(knows.log_posterior([output])[0])
        np.testing.assert_allclose(found, joint[:, output] / joint[:, output].sum(), atol=1e-5)
    best = best_success(mechanism, TOY, prior, knows.log_normalisers)
    assert best == pytest.approx(joint.max(axis=0).sum(), abs=1e-5)


def test_the_audit_holds_it_against_its_promise_and_notices_three_times_as_much():
    assert wv.audit(FAMILY.at(3.0), TOY).verdict == "holds"
    assert wv.audit(Sharper(epsilon=3.0, times=2.5), TOY).verdict == "broken"


def test_its_epsilon_is_found_for_an_equal_share_of_unchanged_words():
    (found,) = wv.match(FAMILY, TOY, 0.6, np.arange(len(TOY)))
    law = law_by_hand(found.mechanism, TOY)
    assert np.diag(law).mean() == pytest.approx(0.6, abs=2e-3)
    assert found.mechanism.family() == FAMILY


# -------------------------------------------------------------------------------------- own noise


def test_own_radial_noise_has_a_path_fixed_draws_an_adversary_and_the_audit():
    family = OtherCMP.family()
    angles = (np.arange(500) + 0.5) * (2 * math.pi / 500)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    ours, theirs = (
        epsilon_path(f, TOY, np.arange(len(TOY)), circle) for f in (family, wv.CMP.family())
    )
    np.testing.assert_allclose(
        ours.unchanged_probability(GRID).value, theirs.unchanged_probability(GRID).value
    )
    fixed, cmps = (
        sampled_path(f, TOY, [0, 6], 50, np.random.default_rng(5))
        for f in (family, wv.CMP.family())
    )
    np.testing.assert_array_equal(fixed.words, cmps.words)
    assert isinstance(adversary(family.at(2.0), TOY, np.log(np.ones(13) / 13)), ByCell)
    assert wv.audit(family.at(2.0), TOY).verdict == "holds"
    radius = family.at(2.0).radius(TOY, 20_000, seeded_rng(6))
    assert stats.kstest(radius, stats.gamma(2, scale=0.5).cdf).pvalue > 1e-6
    assert stats.kstest(radius, stats.gamma(2, scale=0.55).cdf).pvalue < 1e-6
