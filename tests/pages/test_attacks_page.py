"""The attacks page, run by Streamlit itself without a browser."""

import math
import re

import numpy as np
import pytest

from measures.attacks import recovery
from measures.attacks.adversary import Attack, Guess
from pages.attacks import wording
from pages.shared.prose import percent
from tests.app import healthy, page, shown
from tests.toy import TOY

SEEDED = {"mechanism": "tem", "eps": "3.5", "size": "10000", "seed": "3"}


def attacks_page(**query):
    app = page(**query)
    app.switch_page("pages/attacks/page.py").run(timeout=300)
    return healthy(app)


def finding(app):
    (found,) = [h.value for h in app.subheader if "the adversary guesses" in h.value]
    return found


@pytest.fixture(scope="module")
def opened():
    return attacks_page(**SEEDED)


def test_the_first_thing_said_is_how_many_words_are_named(opened):
    assert opened.subheader[0].value == finding(opened)
    assert finding(opened).startswith("At ε = 3.5, the adversary guesses ")
    assert "of 21 words correctly" in finding(opened)
    assert "No adversary with the same knowledge guesses more" in shown(opened)


def test_a_mechanism_that_looks_back_is_attacked_place_by_place_with_a_lower_bound():
    text = {"text": "the movie was a good one", "size": "3000", "eps": "4"}
    app = attacks_page(**SEEDED | text | {"mechanism": "n-gram-tem", "q": "rotten-tomatoes"})
    assert "the adversary guesses at least" in finding(app)
    assert "follows them in the public counts of q" in shown(app)
    assert "No adversary with the same knowledge" not in shown(app)
    next(b for b in app.button if b.label == wording.averaging_slow(wording.RELEASES)).click()
    healthy(app.run(timeout=300))
    assert "How to read this" in wording.HOW_TO_READ_AVERAGING
    assert wording.HOW_TO_READ_AVERAGING in [caption.value for caption in app.caption]


def test_marks_and_table_and_sentence_agree(opened):
    table = opened.dataframe[0].value
    count = int(finding(opened).split("guesses ")[1].split(" of")[0])
    assert table["guessed"].sum() == count
    assert len(table) == 21
    (markup,) = [
        e.proto.body for e in opened.get("html") if e.proto.body.startswith('<div class="wv-stacks')
    ]
    assert markup.count("wv-stack wv-named") == count
    assert ((table["rank of your word"] == 1) == table["guessed"]).all()


def test_a_release_again_is_another_attack_and_costs(opened):
    before = opened.dataframe[0].value["came out"].tolist()
    opened.button[0].click().run(timeout=300)
    assert healthy(opened).dataframe[0].value["came out"].tolist() != before
    assert any("ε of all versions so far" in m.value for m in opened.markdown)


def test_what_is_not_protected_is_said(opened):
    assert "does not protect" in shown(opened)
    assert "From the neighbours as you typed them, the adversary guesses" in shown(opened)


def test_noise_is_attacked_with_a_lower_bound_and_says_so():
    app = attacks_page(mechanism="cmp", eps="9", size="10000", seed="1")
    assert "at least" in finding(app)
    assert "lower bound" in shown(app)


def test_all_releases_are_attacked_when_asked_for_and_only_those():
    app = attacks_page(mechanism="cmp", eps="9", size="3000", seed="1")

    def offer(label):
        return [button for button in app.button if button.label.startswith(label)]

    assert "Attack all 8 releases" in offer("Attack all")[0].label
    offer("Attack all")[0].click().run(timeout=300)
    assert not offer("Attack all")
    assert "from 8 releases together, at least" in shown(healthy(app))
    app.selectbox(key="mechanism").run(timeout=300)  # whatever is done elsewhere on the page
    assert not offer("Attack all")
    offer("🎲 Release again")[0].click().run(timeout=300)
    assert offer("Attack all")  # these are others


def test_nothing_typed_stands_in_the_link_and_an_empty_text_is_asked_for():
    app = attacks_page(**SEEDED)
    app.text_area(key="text").set_value("secret hockey").run(timeout=300)
    assert "hockey" not in str(dict(healthy(app).query_params))
    assert "of 2 words correctly" in finding(app)
    app.text_area(key="text").set_value(" ").run(timeout=300)
    assert any("and the adversary attacks it" in info.value for info in healthy(app).info)
    app.text_area(key="text").set_value("<b>bold</b> zzqq").run(timeout=300)
    assert "<b>bold" not in shown(healthy(app))


def test_an_unknown_word_is_attacked_named_so_and_its_meaning_is_said():
    app = attacks_page(**{**SEEDED, "eps": "20"})
    assert "unknown to this mechanism" not in shown(app)
    app.text_area(key="text").set_value("zzqq, my doctor met xxyyzz").run(timeout=300)
    assert "of 5 words correctly" in finding(healthy(app))
    assert "2 attacked words are unknown to this mechanism" in shown(app)
    assert "nothing shows which word it was" in shown(app)
    table = app.dataframe[0].value
    assert table["typed"].tolist() == ["an unknown word", "my", "doctor", "met", "an unknown word"]
    # At this ε a word mostly comes out as typed, and the uniform law gives rare words.
    assert table["the adversary believes"].str.contains("an unknown word").all()
    unknown = table[table["typed"] == "an unknown word"]
    assert unknown["guessed"].sum() == int(re.search(r"recognises (\d) as unknown", shown(app))[1])
    for label in unknown["promise allows"]:
        assert label.startswith("×")


def test_a_word_without_a_law_is_attacked_as_an_unknown_word():
    app = attacks_page(mechanism="syntf", variant="benchmark", eps="20", size="10000", seed="3")
    app.text_area(key="text").set_value("of doctor").run(timeout=300)
    typed = healthy(app).dataframe[0].value["typed"].tolist()
    assert typed == ["an unknown word", "doctor"]


def test_the_figures_over_a_corpus_are_said_to_be_about_known_words(opened):
    assert "Words that the vocabulary lacks are left out of the figures below" in shown(opened)


def test_a_mechanism_that_refuses_says_why():
    app = attacks_page(mechanism="truncated-gumbel", eps="2", size="10000")
    assert any("ε must exceed" in error.value for error in app.error)


# ----------------------------------------------------------------------------------------- the game


def test_a_link_opens_a_round_that_is_played_and_scored():
    query = {**SEEDED, "game": "1", "round": "2"}
    app, other = attacks_page(**query), attacks_page(**query)
    assert len(app.radio) == 4
    assert [r.label for r in app.radio] == [r.label for r in other.radio]
    assert [r.options for r in app.radio] == [r.options for r in other.radio]
    for radio in app.radio:
        radio.set_value(radio.options[0])
    app.button[0].click().run(timeout=300)
    assert "the adversary" in healthy(app).subheader[0].value
    assert "After 1 round" in shown(app)
    (again,) = [button for button in app.button if "Next" in button.label]
    again.click().run(timeout=300)
    assert dict(healthy(app).query_params)["round"] in ("3", ["3"])
    assert [r.label for r in app.radio] != [r.label for r in other.radio]


def test_a_round_takes_no_blanks_is_scored_by_what_is_shown_and_locked_once_answered():
    app = attacks_page(**SEEDED, game="1", round="2")
    (send,) = [button for button in app.button if button.label == wording.GAME_SUBMIT]
    app = healthy(send.click().run(timeout=300))
    assert "4 words have no guess yet" in app.warning[0].value
    assert not app.subheader
    assert 'class="wv-in">it was' not in shown(app)
    for radio in app.radio[:3]:
        radio.set_value(radio.options[0])
    (send,) = [button for button in app.button if button.label == wording.GAME_SUBMIT]
    app = healthy(send.click().run(timeout=300))
    assert "1 word has no guess yet" in app.warning[0].value
    app.radio[3].set_value(app.radio[3].options[0])
    (send,) = [button for button in app.button if button.label == wording.GAME_SUBMIT]
    app = healthy(send.click().run(timeout=300))
    assert not app.warning
    assert all(radio.disabled for radio in app.radio)
    assert [b.disabled for b in app.button if b.label == wording.GAME_SUBMIT] == [True]
    right = shown(app).count("🧑 ✔")
    assert f"you {right}, the adversary" in app.subheader[0].value
    assert shown(app).count('class="wv-stack wv-right"') == right
    told = shown(app)
    app = healthy(app.run(timeout=300))
    assert shown(app) == told


def test_all_right_guesses_look_right_and_a_miss_that_the_adversary_names_does_not():
    from pages.attacks import guesses

    rows = [("out", "in", "in", "x"), ("out", "in", "y", "in"), ("out", "in", "y", "x")]
    markup = guesses.answered(rows)
    assert markup.count('class="wv-stack wv-right"') == 1
    assert markup.count('class="wv-stack wv-named"') == 1


def test_a_game_without_a_seed_gets_one_in_its_link():
    app = attacks_page(mechanism="tem", eps="3.5", size="10000", game="1")
    link = dict(app.query_params)
    assert link["game"] in ("1", ["1"])
    assert "seed" in link


def test_a_bad_round_in_a_link_is_named():
    app = attacks_page(**SEEDED, game="1", round="0")
    assert any("round must be at least 1 and at most 1000" in w.value for w in app.warning)


def test_only_the_law_itself_tells_words_apart_for_certain():
    assert wording.moved(math.inf, None, exact=True)[0] == "rival ruled out"
    assert wording.moved(math.inf, None, exact=False)[0] == "not computed"
    assert wording.moved(-math.inf, None, exact=True)[0] == "not computed"


def test_more_undone_words_than_a_sentence_lists_are_counted():
    """Six replaced words are guessed: four are listed, and two more are counted."""
    ids = np.arange(7)
    guesses = tuple(
        Guess(
            typed=int(typed),
            released=int(typed) + 1,
            input_ids=ids[[typed]],
            probability=np.array([0.4]),
            typed_prior=0.1,
            typed_probability=0.4,
            place=1,
            rival=0,
            log_moved=1.0,
            log_allowed=None,
        )
        for typed in ids[:6]
    )
    attack = Attack(True, guesses, np.ones((6, 1), bool))
    said = wording.meaning(attack, TOY)
    assert "6 replaced words were still guessed correctly: " in said
    assert said.count("(from ") == 4
    assert " and 2 more words." in said


def test_the_figure_of_several_releases_says_what_one_release_leaves():
    """At the middle of its range a mechanism leaves less than half of the words of sentences."""
    rows = [row for row in recovery.rows() if row.attack == "averaging"]
    said = wording.how_to_read_averaged(rows)
    for row in rows:
        share = f"{percent(row.n_w.value)} under {row.mechanism}"
        assert (share in said) == (row.releases == 1)
    assert "about half" not in said
