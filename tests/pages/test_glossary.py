"""The glossary and the bibliography: complete, cited by one name, and shown where they are used."""

import ast
import re

import pytest

from data import glossary
from measures.sweeps.utility import RAREST
from mechanisms import MECHANISMS
from pages.glossary import wording
from pages.shared import terms
from pages.shared.seal import seal
from tests.app import healthy, page, shown
from tests.test_architecture import HOUSE, PRODUCT

NEEDED = {
    *("mechanism", "epsilon", "metric_dp", "n_w", "s_w", "gamma", "beta", "lam", "puc", "alpha"),
    *("pp", "cs", "low", "law", "adversary", "vocabulary", "token"),
}


@pytest.mark.parametrize("key", glossary.terms())
def test_a_term_has_one_sentence_for_school_and_one_for_research_and_its_papers(key):
    term = glossary.terms()[key]
    for sentence in (term.school, term.researcher):
        assert sentence.endswith(".")
        assert len(sentence) > 40
    assert not re.search(r"[.!?] [A-Z]", term.school)  # one sentence
    assert term.school != term.researcher
    assert glossary.cited(term.papers) or not term.papers


def test_every_term_that_is_needed_is_there_and_every_mechanism_by_its_name():
    assert set(glossary.terms()) >= NEEDED
    for cls in MECHANISMS:
        assert glossary.mechanism(cls.name), cls.name
    named = [t.name for t in glossary.terms().values() if t.part == glossary.MECHANISMS]
    assert named == [cls.name for cls in MECHANISMS]


@pytest.mark.parametrize("cls", MECHANISMS, ids=lambda cls: cls.name)
def test_the_sign_of_every_parameter_is_explained(cls):
    for declared in cls.parameters().values():
        sentence = terms.of_symbol(declared.symbol)
        assert sentence
        assert terms.meaning(declared).startswith(sentence)


def test_a_fact_of_the_code_in_a_sentence_is_that_of_the_code():
    assert f"{RAREST:,} least frequent" in glossary.terms()["low"].researcher


def test_every_paper_has_a_doi_or_an_address_and_no_paper_is_there_twice():
    papers = glossary.papers().values()
    for paper in papers:
        assert re.fullmatch(
            r"https://(doi\.org/10\.\d{4,}/\S+|aclanthology\.org/\S+)", paper.address
        )
        assert 1900 < paper.year < 2100
    assert len({paper.address for paper in papers}) == len(papers)
    assert len({paper.title for paper in papers}) == len(papers)


CITATION = re.compile(r"\b([A-Z][a-zé]+)(?: et al\.| and ([A-Z][a-zé]+))?,? \(?((?:19|20)\d\d)\b")


def test_every_citation_in_the_product_is_of_the_bibliography_and_no_paper_has_two_names():
    known = {paper.cited for paper in glossary.papers().values()}
    surnames = {paper.cited.split()[0] for paper in glossary.papers().values()}
    found = set()
    for file in PRODUCT:
        text = " ".join(file.read_text(encoding="utf-8").split())
        text = text.replace('" "', "").replace('" f"', "")
        for first, second, year in CITATION.findall(text):
            many = re.search(rf"{first} et al\.,? \(?{year}", text)
            cited = f"{first} et al. {year}" if many else f"{first} and {second} {year}"
            if second or many:
                found.add(cited)
        assert "Hu et al" not in text, file  # Huang et al. 2024 by its second name
    assert found & {"Feyisetan et al. 2020", "Huang et al. 2024", "Meisenbacher et al. 2024"}
    unknown = {c for c in found if c.split()[0] in surnames} - known
    assert not unknown


def test_a_term_is_found_by_its_sign_its_name_or_a_word_of_it():
    entries = glossary.terms().values()
    assert "s_w" in [t.key for t in wording.matching(entries, "s_w ")]
    assert "cmp" in [t.key for t in wording.matching(entries, "DART")]
    assert wording.matching(entries, "") == list(entries)
    assert wording.matching(entries, "qxzzy") == []


# ---------------------------------------------------------------------------------- on the pages


def opened(name):
    return healthy(page().switch_page(f"pages/{name}/page.py").run())


def test_the_page_shows_every_term_and_every_paper():
    text = shown(opened("glossary")).replace("\\", "")
    for term in glossary.terms().values():
        assert term.school in text
    for paper in glossary.papers().values():
        assert paper.address in text
    app = opened("glossary")
    app.text_input(key="glossary-search").set_value("<b>qxzzy").run()
    assert "No entry contains" in shown(healthy(app))
    assert "<b>" not in shown(app)


def test_the_card_of_the_mechanism_on_screen_is_its_glossary_entry():
    for cls in MECHANISMS[:2]:
        app = page(mechanism=cls.name.lower())
        text = shown(app).replace("\\", "")
        assert glossary.mechanism(cls.name).school in text
        assert all(glossary.mechanism(each.name).school[:30] in help_of(app) for each in MECHANISMS)


def help_of(app):
    return app.selectbox(key="mechanism").help.replace("\\", "")


def test_the_papers_of_a_page_are_at_its_foot_also_if_it_ends_early():
    app = page(mechanism="mahalanobis")
    assert "10.18653/v1/2020.privatenlp-1.2" in shown(app)
    assert "10.1137/1.9781611977653.ch99" not in shown(page(mechanism="cmp", text=" "))
    early = page(mechanism="cmp", text=" ")
    assert "Type a sentence above" in shown(early)
    assert "10.1145/3336191.3371856" in shown(early)


def test_a_hidden_mechanism_is_told_by_no_card_and_no_paper():
    app = page(sealed=seal({"mechanism": "mahalanobis", "hide": "mechanism"}))
    assert "Mahalanobis" not in shown(app)
    assert "2020.privatenlp-1.2" not in shown(app)


PAGES = sorted(f for f in (HOUSE / "pages").glob("*/page.py") if f.parent.name != "glossary")


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.parent.name)
def test_every_page_explains_its_words_and_names_only_terms_and_papers_that_there_are(file):
    calls = {
        ast.unparse(node.func): [argument.value for argument in node.args]
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).startswith("terms.")
        and all(isinstance(argument, ast.Constant) for argument in node.args)
    }
    assert set(calls["terms.words_here"]) <= set(glossary.terms())
    assert set(calls.get("terms.cite", ())) <= set(glossary.papers())
