"""`PrivateText` in a pipeline, and under the checks that scikit-learn has for its own."""

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks as checks
from sklearn.utils import get_tags

import release
from mechanisms import CMP, TEM, Vickrey
from mechanisms.randomness import SeededReleaseWarning
from release import settings
from release.transformer import PrivateText
from tests.toy import TOY

TEXTS = ["north east", "", "west, lonely!", "origin"]
FRAME = pd.DataFrame({"review": ["north"], "stars": [3]})


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


KINDS = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "objects": lambda texts: np.array(texts, dtype=object),
    "strings": lambda texts: np.array(texts, dtype=np.dtypes.StringDType()),
    "iterator": iter,
    "generator": lambda texts: (text for text in texts),
    "pandas": pd.Series,
    "pandas categories": lambda texts: pd.Series(texts, dtype="category"),
    "pandas on arrow": lambda texts: pd.Series(texts, dtype=pd.ArrowDtype(pa.string())),
    "pandas index": pd.Index,
    "arrow": pa.array,
    "arrow chunks": lambda texts: pa.chunked_array([texts[:1], texts[1:]]),
    "arrow dictionary": lambda texts: pa.array(texts).dictionary_encode(),
    "polars": pl.Series,
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("method", ["transform", "fit_transform"])
def test_texts_come_in_any_column_and_go_out_in_their_order(kind, method):
    private = getattr(PrivateText("cmp", 1e9), method)(kind(TEXTS))
    assert private.tolist() == TEXTS
    assert all(type(text) is str for text in private)


def test_an_iterator_is_read_once():
    read = []

    def texts():
        for text in TEXTS:
            read.append(text)
            yield text

    again = PrivateText("cmp", 1e9)
    source = texts()
    assert again.fit(source).transform(source).tolist() == TEXTS
    assert read == TEXTS
    words = make_pipeline(PrivateText("cmp", 1e9), CountVectorizer()).fit_transform(iter(TEXTS))
    assert words.shape[0] == len(TEXTS)


def test_a_mechanism_is_taken_by_its_name_or_as_it_is():
    own = TEM(epsilon=4.0, beta=0.01)
    assert PrivateText(own)._settings().mechanism == own
    assert PrivateText(own, epsilon=2.0)._settings().mechanism == replace(own, epsilon=2.0)
    assert PrivateText("tem", 4, {"beta": 0.01})._settings().mechanism == own
    assert PrivateText("tem", 4, {"beta": "0.01"})._settings().mechanism == own
    named = PrivateText("vickrey", 4, {"t": np.float32(0.25), "variant": "published"})
    assert named._settings().mechanism == Vickrey(epsilon=4.0, t=0.25, variant="published")
    assert PrivateText("tem", 4, {"gamma": None})._settings().mechanism.gamma is None
    assert PrivateText()._settings().mechanism == CMP(epsilon=10.0)
    assert clone(PrivateText(own)).mechanism == own
    with pytest.raises(ValueError, match="`parameters` go with the name of a mechanism"):
        PrivateText(own, parameters={"beta": 0.1}).fit(TEXTS)


@pytest.mark.parametrize("nothing", [None, np.nan, float("nan"), pd.NA, pd.NaT, np.float32("nan")])
def test_missing_values_are_refused_kept_or_become_empty_texts(nothing):
    texts = ["north", nothing, "east"]
    with pytest.raises(TypeError, match=r"number 2 is missing .* With missing='keep'"):
        PrivateText("cmp", 1e9).fit_transform(texts)
    kept = PrivateText("cmp", 1e9, missing="keep").fit_transform(texts)
    assert kept[1] is nothing
    empty = PrivateText("cmp", 1e9, missing="empty").fit_transform(texts)
    assert empty.tolist() == ["north", "", "east"]
    with pytest.raises(ValueError, match="missing must be one of refuse, keep, empty; got 'drop'"):
        PrivateText(missing="drop").fit(["north"])


def test_nulls_of_columns_are_missing_values():
    how = PrivateText("cmp", 1e9, missing="keep")
    for column in (pa.array(["north", None]), pl.Series(["north", None])):
        assert how.transform(column).tolist() == ["north", None]
    column = pd.Series(["north", None], dtype=pd.ArrowDtype(pa.string()))
    assert how.transform(column)[1] is pd.NA


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_set_output_makes_a_frame(library):
    how = PrivateText("cmp", 1e9).set_output(transform=library)
    series = pd.Series(TEXTS, index=[7, 8, 9, 10], name="review")
    for frame in (how.transform(series), how.fit_transform(series)):
        assert list(frame.columns) == ["text"]
        assert list(frame["text"]) == TEXTS
        if library == "pandas":
            assert list(frame.index) == [7, 8, 9, 10]
    table = pd.DataFrame({"review": TEXTS, "stars": range(4)})
    columns = make_column_transformer(
        (PrivateText("cmp", 1e9), "review"), verbose_feature_names_out=False
    ).set_output(transform="pandas")
    assert columns.fit_transform(table)["review"].tolist() == TEXTS


def test_every_call_draws_anew_unless_seeded_and_a_clone_draws_alike():
    texts = ["north east west south origin"] * 10
    free = PrivateText("cmp", 0.5)
    assert free.transform(texts).tolist() != free.transform(texts).tolist()
    seeded = PrivateText("tem", 0.5, {"beta": 0.01}, seed=3)
    with pytest.warns(SeededReleaseWarning, match="can undo the release"):
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
        (["north", None], TypeError, "number 2 is missing .NoneType"),
        (b"north", ValueError, "got a single text"),
        (["north", b"east"], TypeError, "number 2 is bytes"),
        (["north", 3.5], TypeError, "number 2 is float"),
        ([["north"], ["east"]], TypeError, "number 1 is list"),
        (np.eye(2), ValueError, r"select one column: df\['text'\]; got ndarray of shape \(2, 2\)"),
        (np.array("north"), ValueError, r"got ndarray of shape \(\)"),
        (FRAME, ValueError, r"select one column: df\['review'\]; got DataFrame of shape \(1, 2\)"),
        (FRAME[["review"]], ValueError, r"select one column: df\['review'\]"),
        (pl.DataFrame({"review": ["north"]}), ValueError, r"df\['review'\]; got DataFrame"),
        (pa.table({"review": ["north"]}), ValueError, r"df\['review'\]; got Table"),
        ({"review": ["north"]}, ValueError, r"df\['review'\]; got dict"),
        (csr_array(np.eye(2)), ValueError, "select one column"),
        ({"north"}, TypeError, "a set has no order"),
        (3, TypeError, "give a list of texts; got int"),
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
        ({"epsilon": -1.0}, r"ε \(epsilon\) must be above 0"),
        ({"mechanism": "tem", "parameters": {"lambda": 1}}, "must be one of beta, gamma"),
        ({"mechanism": "tem", "parameters": {"lambda": "1"}}, "must be one of beta, gamma"),
        ({"mechanism": "tem", "parameters": {"epsilon": 1}}, "must be one of beta, gamma"),
        ({"mechanism": "tem", "parameters": {"beta": 2}}, r"must be above 0 and below 1; got 2"),
        ({"unknown": "eat"}, "unknown must be one of"),
        ({"case": "upper"}, "case must be one of"),
        ({"seed": -1}, "seed must be at least 0"),
    ],
)
def test_a_bad_parameter_is_said_when_it_is_used(parameters, said):
    with pytest.raises(ValueError, match=said):
        PrivateText(**parameters).fit(TEXTS)
