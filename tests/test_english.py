"""Every text that people read keeps to plain English: the bans of `tests/english.py`."""

import pytest

from tests.english import BANS, Text, literals, markdown, offenders, sentences, texts


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
