"""Two sources of randomness: one that nobody can predict, one that anybody with the seed can."""

import secrets

import numpy as np
import pytest
from scipy import stats

from mechanisms import CMP
from mechanisms.randomness import keyed_rng, release_rng, seeded_rng
from pages.compare import column_draws
from pages.shared import session
from tests.claims import ALPHA
from tests.toy import TOY


def test_a_release_uses_chacha_with_twenty_rounds():
    bits = release_rng().bit_generator
    assert type(bits).__name__ == "ChaCha"
    assert bits.state["state"]["rounds"] == 20


def test_its_key_of_256_bits_comes_from_the_operating_system(monkeypatch):
    asked = []
    monkeypatch.setattr(secrets, "randbits", lambda bits: asked.append(bits) or 12345)
    first, second = release_rng().random(8), release_rng().random(8)
    assert asked == [256, 256]
    assert np.array_equal(first, second), "the key is not the only source of randomness"


def test_columns_that_share_noise_share_chacha_under_a_key_of_the_session(monkeypatch):
    monkeypatch.setattr("streamlit.session_state", {})
    first, again, other = (column_draws.shared_rng(stream) for stream in (0, 0, 1))
    for rng in (first, again, other):
        assert type(rng.bit_generator).__name__ == "ChaCha"
        assert rng.bit_generator.state["state"]["rounds"] == 20
    draws = first.random(8)
    assert np.array_equal(draws, again.random(8))
    assert not np.array_equal(draws, other.random(8))
    (key,) = {key for name, key in session.st.session_state.items() if name.endswith(".0")}
    assert np.array_equal(keyed_rng(key).random(8), draws)
    monkeypatch.setattr("streamlit.session_state", {})
    assert not np.array_equal(column_draws.shared_rng(0).random(8), draws)


def test_no_two_releases_share_their_randomness():
    draws = {release_rng().integers(2**63) for _ in range(100)}
    assert len(draws) == 100


def test_a_release_does_not_depend_on_numpys_global_seed():
    def draw():
        np.random.seed(0)  # noqa: NPY002
        return release_rng().random(4)

    assert not np.array_equal(draw(), draw())


def test_chacha_drives_numpys_generator_to_the_right_laws():
    rng = release_rng()
    p = stats.kstest(rng.random(20_000), "uniform").pvalue
    q = stats.kstest(rng.standard_gamma(3.0, 20_000), stats.gamma(3.0).cdf).pvalue
    wrong = stats.kstest(rng.standard_gamma(3.0, 20_000) * 1.1, stats.gamma(3.0).cdf).pvalue
    assert min(p, q) > ALPHA > wrong


def test_the_same_seed_gives_the_same_release():
    mechanism, ids = CMP(epsilon=1.0), np.arange(len(TOY))
    first = mechanism.sample(TOY, ids, 20, seeded_rng(7))
    assert np.array_equal(first, mechanism.sample(TOY, ids, 20, seeded_rng(7)))
    assert not np.array_equal(first, mechanism.sample(TOY, ids, 20, seeded_rng(8)))


def test_a_seeded_generator_leaves_the_global_one_alone():
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    seeded_rng(3).random(1_000)
    assert np.array_equal(before, np.random.get_state()[1])  # noqa: NPY002


@pytest.mark.parametrize("seed", [-1, "seed", 1.5])
def test_a_seed_that_is_no_whole_number_from_zero_is_refused(seed):
    with pytest.raises((ValueError, TypeError)):
        seeded_rng(seed)
