"""`PrivateText` in a pipeline, and under the checks that scikit-learn has for its own."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks as checks
from sklearn.utils import get_tags

import release
from release import settings
from release.transformer import PrivateText
from tests.toy import TOY

TEXTS = ["north east", "", "west, lonely!", "origin"]


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    monkeypatch.setattr(settings, "_vocabulary", lambda *_: TOY)


# The checks of scikit-learn that hand over no numbers: those that do say nothing about texts, and
# scikit-learn leaves all of them out for a transformer that takes texts.
APPLY = (
    checks.check_estimator_cloneable,
    checks.check_estimator_repr,
    checks.check_estimator_tags_renamed,
    checks.check_valid_tag_types,
    checks.check_no_attributes_set_in_init,
    checks.check_do_not_raise_errors_in_init_or_set_params,
    checks.check_parameters_default_constructible,
    checks.check_get_params_invariance,
    checks.check_set_params,
    checks.check_mixin_order,
)


@pytest.mark.parametrize("check", APPLY, ids=lambda check: check.__name__)
def test_scikit_learns_own_checks_hold(check):
    check("PrivateText", PrivateText())


def test_tags_say_texts_and_nothing_to_fit():
    tags = get_tags(PrivateText())
    assert tags.input_tags.string
    assert tags.input_tags.one_d_array
    assert not tags.input_tags.two_d_array
    assert not tags.requires_fit
    assert tags.non_deterministic
    assert not get_tags(PrivateText(seed=1)).non_deterministic


def test_it_is_what_the_package_offers():
    assert release.PrivateText is PrivateText
    with pytest.raises(AttributeError, match="has no attribute 'PublicText'"):
        _ = release.PublicText


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series, iter])
def test_texts_come_in_any_list_and_go_out_in_their_order(kind):
    private = PrivateText("cmp", 1e9).transform(kind(TEXTS))
    assert private.tolist() == TEXTS


def test_every_call_draws_anew_unless_seeded_and_a_clone_draws_alike():
    texts = ["north east west south origin"] * 10
    free = PrivateText("cmp", 0.5)
    assert free.transform(texts).tolist() != free.transform(texts).tolist()
    seeded = PrivateText("tem", 0.5, {"beta": 0.01}, seed=3)
    assert seeded.transform(texts).tolist() == clone(seeded).transform(texts).tolist()


def test_it_stands_in_pipelines_and_on_columns_of_a_table():
    words = make_pipeline(PrivateText("cmp", 1e9), CountVectorizer()).fit(TEXTS)
    assert sorted(words[-1].vocabulary_) == ["east", "lonely", "north", "origin", "west"]
    table = pd.DataFrame({"text": TEXTS, "stars": range(4)})
    columns = make_column_transformer(
        (make_pipeline(PrivateText("cmp", 1e9), CountVectorizer()), "text"),
        remainder="passthrough",
    )
    assert columns.fit_transform(table).shape == (4, 6)


@pytest.mark.parametrize(
    ("texts", "error", "said"),
    [
        ("north", ValueError, "got a single text"),
        (["north", None], TypeError, "number 2 is NoneType"),
        (np.eye(2), TypeError, "number 1 is ndarray"),
        (pd.Series(["north", np.nan]), TypeError, "number 2 is float"),
    ],
)
def test_anything_but_texts_is_refused(texts, error, said):
    for method in (PrivateText().fit, PrivateText().transform):
        with pytest.raises(error, match=said):
            method(texts)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"mechanism": "magic"}, "must be one of cmp, .*; got 'magic'"),
        ({"mechanism": "all"}, "one of cmp, "),
        ({"epsilon": -1.0}, r"ε \(epsilon\) must lie in \(0, inf\)"),
        ({"mechanism": "tem", "parameters": {"lambda": 1}}, "must be one of beta, gamma"),
        ({"unknown": "eat"}, "unknown must be one of"),
        ({"case": "upper"}, "case must be one of"),
        ({"seed": -1}, "seed must be at least 0"),
    ],
)
def test_a_bad_parameter_is_said_when_it_is_used(parameters, said):
    with pytest.raises(ValueError, match=said):
        PrivateText(**parameters).fit(TEXTS)
