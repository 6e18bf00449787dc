"""The decision record: private, complete, without a script, and no word unless asked for."""

import html
import json
import re
from html.parser import HTMLParser

import pytest

from mechanisms import CMP, TEM
from release import pieces, report
from release.account import account
from release.check import check, names_of
from release.earlier import Earlier, beside, warning
from release.layout import Layout, layout
from release.record import PRIVATE, Facts, Trial, read, record
from release.run import run
from release.settings import Settings
from release.survived import Survived
from tests.release.test_choice import choice, setting
from tests.toy import TOY

LAYOUT = Layout("csv", ("id", "text", "by"), "utf-8", ",", header=("id", "text", "by"))
TEXTS = [["corner is Quixley"], ["east and twin, lonely"], ["north"]]


def facts(**other):
    how = Settings(mechanism=TEM(epsilon=1e6, gamma=1e3))
    passing = [{"id": str(i), "by": "<b>x</b>"} for i in range(3)]
    found = check(TEXTS, passing, how.mechanism, TOY)
    names = names_of(found)
    _, counts = pieces.private(TEXTS, how, 0, TOY, names=names)
    public = report.report(
        how, TOY, LAYOUT, ["text"], counts, [report.PrivateFile(".csv", 9, "ab" * 32)]
    )
    private = account(LAYOUT, ["text"], counts, 99, "cd" * 32)
    return Facts(
        file="mails <script>.csv",
        report=public,
        account=private,
        check=found,
        names=names,
        survived=counts.survived,
        **other,
    )


class Seen(HTMLParser):
    """Tags, attributes and words of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.words.append(data)


def test_the_first_line_says_that_it_is_private_and_so_does_the_first_paragraph():
    text = record(facts())
    assert PRIVATE in text.splitlines()[0]
    body = text[text.index("<body>") :]
    assert html.unescape(body).startswith(f'<body><p class="private">{PRIVATE}')


def test_it_has_no_script_and_no_outside_address():
    seen = Seen(record(facts(show_words=True)))
    assert not {"script", "img", "link", "iframe", "a", "b"} & set(seen.tags)
    assert not [name for name, _ in seen.attributes if name in ("src", "href") or name[:2] == "on"]
    assert "http:" not in record(facts())
    assert "https:" not in record(facts())


def test_it_says_what_an_officer_asks():
    said = " ".join(" ".join(Seen(record(facts())).words).split())
    for expected in (
        "mails <script>.csv",
        "id (can identify a row: all values different)",
        "10 to the power of",  # ε of the longest row in plain words
        "metric DP: ε = 1e+06",  # and in symbols
        "of 5 known words",
        "cd" * 32,
        "ab" * 32,
        "can be guessed from its hash",
        "Purpose",
        "Recipients",
        "Retention",
        "It does not hide how many words",
        "No earlier release is known",
    ):
        assert expected in said, expected


def test_words_are_named_only_if_asked_for():
    silent, named = record(facts()), record(facts(show_words=True))
    assert "corner" in named
    for word in ("corner", "twin", "lonely", "quixley", "Quixley"):
        assert word not in silent


def test_trials_and_earlier_releases_are_listed():
    trial = Trial("TEM(epsilon=3)", Survived(drawn=9, unchanged=2, with_name=3, still_with_name=1))
    before = Earlier("2024-05-01", "CMP(epsilon=2)", "ef" * 32)
    said = html.unescape(record(facts(trials=[trial], earlier=[before])))
    assert "TEM(epsilon=3): 2 of 9 known words were unchanged; 1 of 3 texts" in said
    assert "2024-05-01, CMP(epsilon=2)" in said


def test_a_record_is_read_again_and_nothing_in_it_ends_the_comment():
    digest, found = read(record(facts()))
    assert digest == "cd" * 32
    assert found.private_sha256 == "ab" * 32
    assert len(re.findall("-->", record(facts()))) == 2


@pytest.mark.parametrize("text", ["", "<html>", "<!-- wordveil-release {} -->", "\0"])
def test_what_is_no_record_is_said(text):
    with pytest.raises(ValueError, match="not a decision record"):
        read(text)


def test_earlier_releases_beside_an_output_are_found_by_the_hash_of_the_source(tmp_path):
    for name, digest in (("a.csv", "11"), ("b.csv", "22"), ("c.csv", "11")):
        said = {"source": {"SHA-256": digest}, "finished": f"2024, {name}"}
        (tmp_path / f"{name}.private-account.json").write_text(json.dumps(said), encoding="utf-8")
    public = {"settings": {"mechanism": "TEM(epsilon=1)"}, "private file": [{"sha256": "99"}]}
    (tmp_path / "a.csv.report.json").write_text(json.dumps(public), encoding="utf-8")
    (tmp_path / "d.csv.private-account.json").write_text("[", encoding="utf-8")
    found = beside(tmp_path, "11")
    assert [one.mechanism for one in found] == ["TEM(epsilon=1)", "unknown settings"]
    assert beside(tmp_path, "11", but=tmp_path / "a.csv") == found[1:]
    assert "2 earlier releases of this file are known" in warning(found)
    assert warning([]) == ""


def test_a_second_release_beside_the_first_is_said_before_it_and_named_in_its_account(tmp_path):
    source = tmp_path / "in.csv"
    source.write_text("id,text\n1,the film\n2,the actor\n", encoding="utf-8")
    how = Settings(mechanism=TEM(epsilon=4.0), size=2_000)
    said, named = [], []
    for name in ("a.csv", "b.csv"):
        done = run(
            source, tmp_path / name, layout("in.csv", source), ["text"], how, tell=said.append
        )
        named.append(done.account["earlier releases of this file"])
    assert named[0] == []
    assert [one["mechanism"] for one in named[1]] == [repr(how.mechanism)]
    (warned,) = said
    assert "1 earlier release of this file is known" in warned
    text = (tmp_path / "b.csv.private-account.txt").read_text(encoding="utf-8")
    assert "Earlier releases of this file" in text
    assert "earlier" not in (tmp_path / "b.csv.report.txt").read_text(encoding="utf-8").lower()


def test_the_choice_that_was_made_is_in_the_record_with_its_table_figure_and_what_was_refused():
    chosen, refused = setting(TEM(epsilon=2), 0.2, 0.1), setting(CMP(epsilon=9), 0.9, 0.8)
    found = choice(chosen, refused)
    text = record(facts(choice=found))
    seen = Seen(text)
    words = html.unescape(" ".join(seen.words))
    for sentence in found.sentences():
        assert sentence in words
    assert f"which is not the recommended setting ({chosen.mechanism!r})" in words
    assert "TEM at ε = 2 (recommended)" in words
    assert "Refused: CMP." in words
    assert seen.tags.count("circle") == 2
    assert "svg" in seen.tags
    assert not {"script", "img", "link", "iframe"} & set(seen.tags)
    assert "http" not in "".join(value or "" for _, value in seen.attributes)


def test_a_release_with_the_recommended_setting_is_said_to_be_one():
    released = TEM(epsilon=1e6, gamma=1e3)
    found = choice(setting(released, 0.2, 0.1))
    assert "The file was released with the recommended setting." in record(facts(choice=found))


def test_a_choice_without_a_recommendation_names_what_was_released_all_the_same():
    found = choice(setting(CMP(epsilon=9), 0.9, 0.8))
    assert found.recommended is None
    assert "Nothing was recommended; the file was released with TEM(" in record(facts(choice=found))
