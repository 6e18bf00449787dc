"""Every text that people read keeps to plain English: the bans of `tests/english.py`."""

import re
import runpy

import pytest

from mechanisms.estimate import Source
from pages.shared import progress_wording, prose
from pages.your_data import wording as your_data
from release.evidence import Scope
from release.grammar import all_of, between, counted
from release.unprotected import released_as_typed
from tests.english import (
    BANS,
    HOUSE,
    Text,
    literals,
    markdown,
    offenders,
    pieces,
    sentences,
    texts,
)

# A count typed beside its noun; *9 of 10 words* is a quantile, and a paper's numbers are its own.
TYPED_COUNT = re.compile(
    r"(?<! of )\b\d[\d,]*(?: (?:random|new|different|most frequent|film|sampled))* "
    r"(?:directions|draws|words|texts|sentences|reviews|trials|cells|rows|entries)\b"
)
OF_A_PAPER = re.compile(r"et al\.|paper|benchmark|Table \d")

WRONG_PLURAL = re.compile(
    r"\b[Aa]ll 1\b|(?<![\d.,])\b1 (?:\w+ )?(?!is|was|has|this|its|as|does|less)[a-z]+s\b"
)


def test_no_text_that_people_read_breaks_a_ban():
    found = offenders(texts())
    assert not found, "\n".join(found)


def test_texts_of_every_kind_are_read():
    """A page, a report, the command line, an error, a README, the glossary."""
    files = {text.file for text in texts()}
    assert files >= {
        "pages/start/wording.py",
        "release/report.py",
        "release/__main__.py",
        "mechanisms/randomness.py",
        "README.md",
        "SECURITY.md",
        "data/README.md",
        "data/glossary.toml",
    }


PLANTED = [
    ("headless who", "Whoever runs this server finds the id."),
    ("headless who", "Kept for who wants to read it."),
    ("headless what", "What is typed stays in this session."),
    ("headless what", "Correct it to what is right."),
    ("headless those", "The controls differ from those of now."),
    ("headless those", "Take the one that is nearest."),
    ("where as a condition", "Where the mean is zero, there is no bar."),
    ("where as a condition", "It is exact where that is possible."),
    ("stands", "Every setting stands in the link."),
    ("gives", "A smaller ε gives more privacy."),
    ("tells", "Each column tells more about the words."),
    ("alike", "All words are alike."),
    ("for itself", "Each word is drawn for itself."),
    ("of its own", "Each release has a folder of its own."),
]


@pytest.mark.parametrize(("ban", "sentence"), PLANTED)
def test_a_planted_offender_is_found(ban, sentence):
    for text in (sentence, f"A sentence in front. {sentence}", f"**A heading.** {sentence}"):
        (found,) = offenders([Text("page.py", 3, text)])
        assert found == f"page.py:3: {ban} ({BANS[ban].instead}): {sentence}"


def test_every_ban_has_a_planted_offender():
    assert {ban for ban, _ in PLANTED} == set(BANS)


@pytest.mark.parametrize(
    "sentence",
    [
        "Who says that I said so?",
        "Anyone who knows the seed can undo it.",
        "What is not protected?",
        "See what is left of the sentence.",
        "A stop says where it was.",
        "Choose the folder where the files are.",
        "The words give way as ε falls.",
        "Close words are hard to tell apart.",
        "Add your own words.",
    ],
)
def test_right_english_is_no_offence(sentence):
    assert offenders([Text("page.py", 1, sentence)]) == []


def test_literals_are_whole_and_docstrings_are_left_out():
    source = '"""Where this stands."""\nx = f"Of {n} words " "where it is"\ny = "short one"\n'
    assert list(literals(source)) == [(2, "Of {} words where it is")]
    assert list(literals('"SELECT a FROM b WHERE c"; z = "SELECT a FROM b WHERE c"')) == []


def test_code_in_a_readme_is_left_out():
    text = "A line\ngoes on.\n\n```sh\nwhere it stands\n```\nAnother.\n"
    assert list(markdown(text)) == [(1, "A line\ngoes on."), (7, "Another.")]
    assert list(sentences("One. Two?\n\nThree: *Four*.")) == ["One.", "Two?", "Three:", "Four*."]


# --------------------------------------------------------------------- one template a sentence


def test_no_sentence_is_glued_from_pieces():
    """Another language would order the pieces in another way."""
    found = [
        f"{file.relative_to(HOUSE)}:{line}: {text!r}"
        for room in ("mechanisms", "measures", "release", "data", "pages")
        for file in sorted((HOUSE / room).rglob("*.py"))
        for line, text in pieces(file.read_text("utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "glued",
    [
        'text += f", of which {n} are tested on"',
        'f"{a} leads" + " and the rest follows"',
        'said = f"**At ε = {e} the promise allows** an output to be "',
        'least = "" if exact else "at least "',
        'f"It keeps {share}" + (f" ({low} to {high} of them)" if low else "")',
        'where = f"; {n} computations share this machine"',
    ],
)
def test_a_piece_of_a_sentence_is_found(glued):
    assert list(pieces(glued))


@pytest.mark.parametrize(
    "whole",
    [
        'f"{n} words were drawn; {m} came out unchanged."',
        '" ".join(["One sentence.", "Another one."])',
        '"{first} leads by {lead}.".format(first=a, lead=b)',
        'f"{number(x)} per unit of {unit}"',
        'lines.append(f"  {name}: {value}")',
        '"A help text of two lines. " "It goes on."',
    ],
)
def test_a_whole_sentence_or_a_name_in_its_place_is_no_piece(whole):
    assert not list(pieces(whole))


# ------------------------------------------------------------------- numbers typed into sentences


def test_no_count_of_another_place_is_typed_into_a_sentence():
    found = [
        f"{file}:{line}: {sentence}"
        for file, line, text in texts()
        if file.startswith(("pages/", "release/")) and file.endswith(".py")
        for sentence in sentences(text)
        if TYPED_COUNT.search(sentence) and not OF_A_PAPER.search(sentence)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("sentence", "typed"),
    [
        ("Followed along 500 directions of noise.", True),
        ("All lessons use the 10,000 most frequent words.", True),
        ("Followed along {} directions of noise.", False),
        ("9 of 10 words lie between {} and {}.", False),
    ],
)
def test_a_typed_count_is_found(sentence, typed):
    assert bool(TYPED_COUNT.search(sentence)) == typed


@pytest.mark.parametrize(
    ("file", "module", "constant", "name"),
    [
        ("pages/compare/wording.py", "measures.words.tradeoff", "DRAWS", "OUTPUTS"),
        ("pages/compare/wording.py", "measures.words.tradeoff", "DRAWS", "HOW_TO_READ_SPREAD"),
        (
            "pages/guarantees/wording.py",
            "measures.papers.published_against_exact",
            "BENCHMARK_WORDS",
            "RECOMPUTED_INTRODUCTION",
        ),
        (
            "pages/guarantees/wording.py",
            "measures.papers.published_against_exact",
            "RUNS",
            "HOW_TO_READ_RECOMPUTED",
        ),
        (
            "pages/guarantees/wording.py",
            "measures.papers.published_against_exact",
            "WORDS",
            "RECOMPUTED_INTRODUCTION",
        ),
        ("pages/attacks/wording.py", "data.embeddings", "DEFAULT_SIZE", "HOW_TO_READ_CURVES"),
        ("pages/neighbours/wording.py", "measures.words.density", "ADAPTATION_WORDS", "FOLLOWING"),
    ],
)
def test_a_sentence_follows_its_constant(monkeypatch, file, module, constant, name):
    monkeypatch.setattr(f"{module}.{constant}", 7_654)
    said = runpy.run_path(str(HOUSE / file))[name]
    assert f"{7_654:,}" in said or "7654" in said


# ---------------------------------------------------------------------------- singular and plural


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize(
    "sentence",
    [
        your_data.survey,
        progress_wording.ahead,
        prose.invisible,
        lambda n: released_as_typed(n, n, "random"),
        lambda n: between(n, n, "word"),
        lambda n: all_of(n, "token"),
        lambda n: counted(n, "mechanism"),
        lambda n: counted(n, "time"),
        lambda n: str(Source("directions", n)),
        lambda n: Scope(n, n, None, n, n + 1, n, n, n).sentence,
    ],
)
def test_a_count_has_its_singular_and_its_plural(sentence, count):
    said = sentence(count)
    assert str(count) in said
    assert bool(WRONG_PLURAL.search(said)) is False, said
    if count != 1:
        assert re.search(rf"\b{count} (?:\w+ )?\w+s\b|\({count}\)", said), said


@pytest.mark.parametrize("said", ["1 mechanisms", "unchanged 1 times", "All 1 tokens"])
def test_a_wrong_plural_is_found(said):
    assert WRONG_PLURAL.search(said)
