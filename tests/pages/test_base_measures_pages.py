"""Mechanisms with a base measure on screen: TEM beside them, and what q is."""

import pytest

from measures.words import tradeoff
from mechanisms import MECHANISMS, TEM, Mahalanobis, NGramTEM, SynTF, UnigramTEM, Vickrey
from pages.compare import columns
from pages.shared import link
from pages.shared.settings import URL_NAMES
from tests.app import healthy, page, shown, versions
from tests.pages.test_compare_page import compare, sentences, table


def opened(app, key="about-q"):
    """The page with the panel on q open."""
    app.session_state[key] = True
    return healthy(app.run())


def toggles(app):
    return [toggle.key for toggle in app.toggle]


def test_tem_is_beside_a_base_measure_at_the_same_epsilon_by_one_press():
    app = page(mechanism="unigram-tem", eps="3", beta="0.02", versions="2", size="10000")
    assert "ε of all versions so far: 6 per" in shown(app)
    versions(app)  # one block of versions
    app.toggle(key="beside").set_value(True).run()
    markup = shown(healthy(app))
    assert markup.count('<div class="wv-version wv-first"') == 2
    titles = [m.value for m in app.markdown if m.value.startswith(("**Unigram TEM**", "**TEM**"))]
    assert [t.split(", γ")[0] for t in titles] == ["**Unigram TEM**, ε = 3", "**TEM**, ε = 3"]
    # γ of each from its own smallest q and the same β; the versions of both are counted.
    assert titles[0].split("γ")[1] != titles[1].split("γ")[1]
    assert "ε of all versions so far: 12 per" in markup
    app.run()
    assert "ε of all versions so far: 12 per" in shown(app)
    assert app.query_params["beside"] in ("1", ["1"])


def test_a_link_puts_tem_beside_and_other_mechanisms_have_no_switch():
    app = page(mechanism="unigram-tem", beside="1", size="10000")
    assert shown(app).count('<div class="wv-version wv-first"') == 2
    app.selectbox(key="mechanism").set_value(TEM).run()
    assert "beside" not in toggles(healthy(app))
    assert shown(app).count('<div class="wv-version wv-first"') == 1
    hidden = page(mechanism="unigram-tem", beside="1", size="10000", hide="mechanism")
    assert "beside" not in toggles(hidden)
    assert shown(hidden).count('<div class="wv-version wv-first"') == 1


@pytest.mark.parametrize("cls", MECHANISMS)
def test_only_mechanisms_with_a_base_measure_have_a_mechanism_without(cls):
    plain = cls(epsilon=3.0).without_base_measure()
    assert (plain is not None) == (cls in (UnigramTEM, NGramTEM))
    if plain is not None:
        assert plain == TEM(epsilon=3.0)
        assert cls(epsilon=2.0, gamma=1.5, beta=0.1).without_base_measure() == TEM(
            epsilon=2.0, gamma=1.5, beta=0.1
        )


@pytest.mark.parametrize("cls", MECHANISMS)
def test_no_parameter_has_the_name_of_a_setting_in_a_link(cls):
    """The setting would take the value, and the mechanism its default in silence."""
    names = {URL_NAMES.get(field, field) for field in cls.parameters()}
    assert not names & set(link.settings())


def test_a_link_carries_q():
    app = page(mechanism="unigram-tem", q="rotten-tomatoes", kappa="0.5", size="10000")
    assert any("kappa" in warning.value for warning in app.warning)
    app = page(mechanism="unigram-tem", q="rotten-tomatoes", weight="0.5", size="10000")
    assert app.selectbox(key="unigram-tem.corpus").value == "rotten-tomatoes"
    assert app.query_params["q"] in ("rotten-tomatoes", ["rotten-tomatoes"])
    assert app.query_params["weight"] in ("0.5", ["0.5"])
    assert not app.warning


def test_what_q_is_is_one_click_away_and_that_it_must_be_public_is_at_the_control():
    app = page(mechanism="unigram-tem", size="10000")
    assert any("q must be public" in caption.value for caption in app.caption)
    assert "no corpus is counted" not in shown(app)
    opened(app)
    markup = shown(app)
    assert "no corpus is counted" in markup
    assert "1 / (rank + 2.7)" in markup
    assert "κ = 1: no part of q is uniform" in markup
    app.selectbox(key="unigram-tem.corpus").set_value("rotten-tomatoes").run()
    markup = shown(healthy(app))
    assert "Documents: 8,530." in markup
    assert "smoothed (Witten and Bell 1991)" in markup
    assert "The vocabulary knows" in markup
    without = page(mechanism="tem", size="10000")
    assert not any("q must be public" in caption.value for caption in without.caption)


def test_what_an_n_gram_looks_at_is_told():
    app = opened(page(mechanism="n-gram-tem", q="rotten-tomatoes", size="10000"))
    assert "never on a word that you typed" in shown(app)
    assert "triples that occur at least twice" in shown(app)
    app.selectbox(key="n-gram-tem.look").set_value("bigrams").run()
    assert "triples" not in shown(healthy(app))
    app.selectbox(key="n-gram-tem.corpus").set_value("ranks").run()
    assert "q uses no released word" in shown(healthy(app))


@pytest.fixture
def few_words(monkeypatch):
    """A small sample of the vocabulary behind the curves of Compare."""
    monkeypatch.setattr(tradeoff, "WORDS", 24)


def test_compare_puts_tem_beside_at_the_same_epsilon(few_words):
    app = compare(
        **{"compare-by": "own", "column-1": "unigram-tem;eps=4;gamma=3.5", "column-2": "cmp;eps=4"}
    )
    assert any("q must be public" in caption.value for caption in app.caption)
    app.button(key="beside.1").click().run(timeout=300)
    healthy(app)
    assert app.session_state["column-2"].mechanism == TEM(epsilon=4.0, gamma=3.5)
    assert list(table(app).loc["ε"]) == ["4", "4"]
    assert len(sentences(app)) == 2
    assert any("same promise in these columns" in info.value for info in app.info)
    assert not any("not comparable" in warning.value for warning in app.warning)
    assert "beside.2" not in [button.key for button in app.button]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Mahalanobis(epsilon=4, lam=0.2), Mahalanobis(epsilon=4, lam=0.9)),
        (Vickrey(epsilon=4, variant="published"), Vickrey(epsilon=4, variant="published")),
        (SynTF(epsilon=4), SynTF(epsilon=4)),
    ],
)
def test_another_distance_and_another_notion_or_none_are_not_the_same_promise(
    few_words, one, other
):
    written = {
        f"column-{number}": columns.write(columns.Column(mechanism), number)
        for number, mechanism in enumerate((one, other), 1)
    }
    app = compare(**written | {"compare-by": "epsilon", "common-eps": "4"})
    assert not any("same promise in these columns" in info.value for info in app.info)
    assert any("not comparable" in warning.value for warning in app.warning)


def test_another_embedding_is_not_the_same_promise(few_words):
    app = compare(
        **{
            "compare-by": "epsilon",
            "common-eps": "4",
            "column-1": "unigram-tem",
            "column-2": "tem;embedding=random-50d",
        }
    )
    assert any("not comparable" in warning.value for warning in app.warning)
