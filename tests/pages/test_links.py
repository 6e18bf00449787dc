"""Links: what they hold, what they lock and hide, and what they say when they are wrong."""

import base64
import io
import string
import zlib
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from mechanisms import MECHANISMS
from pages.shared import classroom
from pages.shared.seal import seal, unseal
from tests.app import healthy, page, shown, unfolded
from tests.boxes import number_box
from tests.embedding_files import text

HIDDEN = "4.375"  # a number that stands nowhere else
PAGES = ["deniability", "gamma", "compare"]


def link(app):
    """The link in the address, one value a name."""
    return {k: v if isinstance(v, str) else v[0] for k, v in app.query_params.items()}


def sharing(app):
    """The page with the panel of its link open."""
    app.session_state["share-panel"] = True
    return healthy(app.run())


def everything(app):
    """All that the browser gets of a page: every message, as text."""

    def protos(block):
        for child in block.children.values():
            if hasattr(child, "children"):
                yield str(getattr(child, "proto", ""))
                yield from protos(child)
            else:
                yield str(child.proto)

    return "\n".join(protos(app._tree))


# ---------------------------------------------------------------------------------------- seals


@given(st.dictionaries(st.text(max_size=20), st.text(max_size=20), max_size=8))
def test_a_seal_gives_back_what_was_sealed_and_needs_no_escaping_in_a_link(settings):
    sealed = seal(settings)
    assert unseal(sealed) == settings
    assert set(sealed) <= set(string.ascii_letters + string.digits + "-_")


@given(st.data())
def test_a_seal_with_a_letter_changed_or_cut_off_is_damaged_or_the_same(data):
    settings = {"eps": HIDDEN, "hide": "eps"}
    sealed = seal(settings)
    place = data.draw(st.integers(0, len(sealed) - 2))
    letter = data.draw(st.sampled_from(string.ascii_letters + string.digits + "-_ é"))
    for damaged in (sealed[:place] + letter + sealed[place + 1 :], sealed[:place]):
        try:
            opened = unseal(damaged)
        except ValueError:
            continue
        assert opened == settings


@pytest.mark.parametrize("text", ["[1]", '{"eps": 4}', '{"eps": ["4"]}', "null", "{", '"x"'])
def test_a_seal_that_holds_anything_but_settings_is_damaged(text):
    sealed = base64.urlsafe_b64encode(zlib.compress(text.encode())).decode()
    with pytest.raises(ValueError, match="is damaged"):
        unseal(sealed)


def test_a_tiny_seal_does_not_unfold_into_gigabytes():
    bomb = base64.urlsafe_b64encode(zlib.compress(b'{"a":"' + b" " * 10**8 + b'"}')).decode()
    assert len(bomb) < 200_000
    with pytest.raises(ValueError, match="is damaged"):
        unseal(bomb)


def test_what_is_hidden_and_all_that_would_tell_it_is_in_the_seal_and_nothing_else_is():
    settings = {"mechanism": "tem", "eps": HIDDEN, "beta": "0.01", "size": "30000", "text": "hi"}
    only_epsilon = classroom.restricted(settings, (), ["eps"])
    assert "eps" not in only_epsilon
    assert only_epsilon["mechanism"] == "tem"
    both = classroom.restricted(settings, classroom.LOCKABLE, ["eps", "mechanism"])
    assert set(both) == {"size", "text", "sealed"}
    assert unseal(both["sealed"]) == {
        "mechanism": "tem", "eps": HIDDEN, "beta": "0.01", "lock": "1", "hide": "eps,mechanism",
    }  # fmt: skip
    assert classroom.restricted(settings, (), ()) == settings
    assert classroom.restricted(settings, ["seed"], ())["lock"] == "seed"


# --------------------------------------------------------------------------------------- locking


def test_lock_1_disables_every_control_of_the_mechanism():
    app = unfolded(page(mechanism="tem", eps="4", gamma="8", lock="1"), "other-choices", "closer")
    numbers = [box for box in app.text_input if box.key.endswith(".typed")]
    widgets = [*app.selectbox, *numbers, *app.select_slider, *app.toggle, *app.slider]
    free = {widget.key for widget in widgets if not widget.disabled}
    own = {"word", "odds_word", "odds_other", "dissolve", "share-lock", "projector"}
    assert free <= own
    assert link(app)["lock"] == "1"
    assert not app.text_area(key="text").disabled


def test_a_lock_can_name_what_it_locks():
    app = unfolded(page(mechanism="tem", lock="eps,seed"), "other-choices")
    assert number_box(app, key="tem.epsilon").disabled
    assert number_box(app, key="seed").disabled
    assert not app.selectbox(key="mechanism").disabled
    assert link(app)["lock"] == "eps,seed"


def test_a_locked_epsilon_is_not_set_by_a_button_of_another_page(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path))
    from tests.pages.test_deniability_page import finished

    query = {"mechanism": "tem", "size": "10000", "count": "50", "eps": "4", "lock": "eps"}
    app = finished(page(**query).switch_page("pages/deniability/page.py").run())
    assert next(b for b in app.button if b.label.startswith("Use ε")).disabled


@pytest.mark.parametrize(
    ("folder", "named", "query"),
    [
        ("gamma", "Use TEM with", {}),
        ("tradeoff", "hand-over", {}),
        ("your_embedding", "Use it on all pages", {}),
        ("learn", "take-along", {"step": "check"}),
    ],
)
def test_no_button_of_another_page_sets_what_is_locked(folder, named, query):
    def button(app):
        if folder == "your_embedding":
            upload = [("mine.txt", text(["one", "two", "three"], np.eye(3)), "text/plain")]
            app.file_uploader[0].set_value(upload)
            app = healthy(app.run())
        (found,) = [each for each in app.button if named in (each.key or each.label)]
        return found

    for lock in ({}, {"lock": "1"}):
        app = page(mechanism="tem", eps="4", size="10000", **query, **lock)
        found = button(healthy(app.switch_page(f"pages/{folder}/page.py").run()))
        assert found.disabled == bool(lock)


def test_a_locked_number_of_versions_is_locked_wherever_it_is_set():
    app = unfolded(page(lock="versions", size="10000"), "other-choices")
    assert app.slider(key="versions").disabled
    app = healthy(app.switch_page("pages/compare/page.py").run())
    assert app.slider(key="versions").disabled
    assert not app.selectbox(key="unknown").disabled


# ---------------------------------------------------------------------------------------- hiding


def hiding(hide, **query):
    settings = {"mechanism": "tem", "eps": HIDDEN, "seed": "3", **query}
    return sharing(page(**classroom.restricted(settings, (), hide)))


def test_a_hidden_epsilon_is_nowhere_in_what_the_browser_gets():
    told = everything(page(mechanism="tem", eps=HIDDEN, seed="3"))
    assert HIDDEN in told  # so it would be found
    app = hiding(["eps"])
    sent = everything(app)
    assert HIDDEN not in sent
    assert "13.125" not in sent  # of three versions
    assert "γ in force" not in sent
    assert "Mechanism: **TEM**" in shown(app)
    assert "ε: **hidden**" in shown(app)
    assert 'class="wv-version' in shown(app)
    assert HIDDEN not in str(link(app))


def test_a_hidden_mechanism_is_nowhere_in_what_the_browser_gets():
    app = hiding(["mechanism", "eps"], beta="0.0123")
    offered = [f'options: "{cls.name}"' for cls in MECHANISMS]  # the list to guess from
    sent = everything(app)
    assert all(option in sent for option in offered)
    for option in offered:
        sent = sent.replace(option, "")
    for secret in ("TEM", "tem.", "0.0123", HIDDEN, "Theorem", "per unit of"):
        assert secret not in sent, secret
    assert {"mechanism", "beta", "eps"}.isdisjoint(link(app))


def test_the_same_words_come_out_hidden_or_not():
    def versions(app):
        return [e.proto.body for e in app.get("html") if "wv-version" in e.proto.body][-1]

    assert versions(hiding(["eps"])) == versions(page(mechanism="tem", eps=HIDDEN, seed="3"))


def test_the_table_of_a_hidden_screen_names_no_mechanism():
    from mechanisms import TEM
    from mechanisms.randomness import seeded_rng
    from mechanisms.text import private_versions
    from pages.perturb.tables import versions
    from pages.shared.downloads import csv
    from tests.toy import TOY

    mechanism = TEM(epsilon=float(HIDDEN))
    private = private_versions("east north", mechanism, TOY, seeded_rng(0))
    assert HIDDEN in csv(versions(private, mechanism)).decode()
    hidden = csv(versions(private, None)).decode()
    assert HIDDEN not in hidden
    assert "TEM" not in hidden


def test_a_plain_hide_is_sealed_at_once():
    app = page(mechanism="tem", eps=HIDDEN, hide="eps")
    assert "eps" not in link(app)
    assert unseal(link(app)["sealed"]) == {"eps": HIDDEN, "hide": "eps"}


def test_an_error_of_hidden_settings_does_not_tell_them():
    app = hiding(["mechanism", "eps"], mechanism="truncated-gumbel", eps="5")
    (error,) = app.error
    assert "it hides which ones" in error.value
    assert "Gumbel" not in everything(app)


def test_a_hidden_screen_has_a_place_to_guess_and_says_how_close_a_guess_is():
    from pages.shared.live import wording as live

    app = hiding(["mechanism", "eps"])  # TEM at 4.375
    send = next(b for b in app.button if b.label == live.GUESS)
    app = healthy(send.click().run())
    assert live.GUESS_MISSING in [each.value for each in app.warning]
    app.selectbox(key="guess-mechanism").set_value("CMP")
    app = healthy(next(b for b in app.button if b.label == live.GUESS).click().run())
    assert any(each.value.startswith("**Not this one.**") for each in app.error)
    app.selectbox(key="guess-mechanism").set_value("TEM")
    app = healthy(next(b for b in app.button if b.label == live.GUESS).click().run())
    said = [each.value for each in app.success]
    assert any(each.startswith("**Right:**") for each in said)
    assert any(each.startswith("**Close:**") for each in said)  # 5 is within 1.25 of 4.375
    assert HIDDEN not in everything(app)


def test_the_projector_is_this_screens_and_the_links_only_if_it_is_ticked():
    app = sharing(page(mechanism="tem", projector="1"))
    assert link(app)["projector"] == "1"
    (shared,) = [code.value for code in app.code]
    assert "projector" not in shared
    app = healthy(app.checkbox(key="projector-in-link").check().run())
    (shared,) = [code.value for code in app.code]
    assert "projector=1" in shared


def test_a_page_without_a_mechanism_offers_neither_lock_nor_hide():
    app = healthy(page().switch_page("pages/learn/page.py").run())
    app.session_state["share-panel"] = True
    app = healthy(app.run())
    assert [code.value for code in app.code]
    assert not [each for each in app.toggle if each.key == "share-lock"]
    assert [each for each in sharing(page()).toggle if each.key == "share-lock"]


def test_reveal_shows_everything_again():
    app = hiding(["mechanism", "eps"])
    next(b for b in app.button if "Reveal" in b.label).click().run()
    assert healthy(app).selectbox(key="mechanism").value.name == "TEM"
    assert number_box(app, key="tem.epsilon").value == float(HIDDEN)
    assert link(app)["eps"] == HIDDEN
    assert "sealed" not in link(app)


@pytest.mark.parametrize("name", PAGES)
def test_pages_that_would_tell_wait_until_it_is_revealed(name):
    app = hiding(["eps"])
    app = healthy(app.switch_page(f"pages/{name}/page.py").run())
    assert HIDDEN not in everything(app)
    assert any("hides ε, and this page would reveal it" in info.value for info in app.info)


# ------------------------------------------------------------------------------------- bad values


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"lock": "doors"}, "lock must be 1 or names out of mechanism, parameters, eps"),
        ({"hide": "me"}, "hide must be names out of eps, mechanism; me is not one of them."),
        ({"sealed": "abc"}, "the seal is damaged: open the link again as you received it."),
        ({"text": "x" * 2001}, "at most 2,000 characters; this one has 2,001."),
        ({"sealed": seal({"eps": "-5"})}, "ε must be above 0; got -5."),
        ({"sealed": seal({"colour": "red"})}, "ignored colour: there is no such setting here."),
        ({"hide": "<b>"}, r"\<b\>"),
    ],
)
def test_a_bad_value_of_a_teachers_link_is_named_and_the_page_still_works(query, sentence):
    app = page(**query)
    assert any(sentence in warning.value for warning in app.warning), app.warning
    assert 'class="wv-version' in shown(app)


# ------------------------------------------------------------------------------------------- text


def test_the_text_is_in_the_link_only_while_it_is_ticked():
    app = sharing(page(mechanism="tem"))
    app.text_area(key="text").set_value("zebra hockey").run()
    assert "zebra" not in str(link(app))
    app.checkbox(key="text-in-link").check().run()
    assert link(healthy(app))["text"] == "zebra hockey"
    app.checkbox(key="text-in-link").uncheck().run()
    assert "zebra" not in str(link(healthy(app)))


def test_a_link_with_a_text_opens_it_and_keeps_it():
    app = sharing(page(text="zebra <b>hockey</b> $x$"))
    assert app.text_area(key="text").value == "zebra <b>hockey</b> $x$"
    assert app.checkbox(key="text-in-link").value is True
    assert link(app)["text"] == "zebra <b>hockey</b> $x$"
    assert "<b>" not in next(e.proto.body for e in app.get("html") if "wv-first" in e.proto.body)


def test_a_text_that_is_too_long_is_left_out_and_that_is_said():
    app = sharing(page())
    app.text_area(key="text").set_value("word " * 500).run()
    app.checkbox(key="text-in-link").check().run()
    assert "text" not in link(healthy(app))
    assert any("It is left out" in caption.value for caption in app.caption)


# --------------------------------------------------------------------------------- the shared link


def test_the_panel_gives_the_link_of_the_screen():
    app = sharing(page(mechanism="tem", eps=HIDDEN))
    (shared,) = [code.value for code in app.code]
    assert dict(parse_qsl(urlsplit(shared).query)) == link(app)


def test_the_panel_makes_links_that_lock_and_hide_and_leaves_the_own_screen_alone():
    app = sharing(page(mechanism="tem", eps=HIDDEN))
    app.toggle(key="share-lock").set_value(True).run()
    app.session_state["share-hide"] = ["eps"]
    app = healthy(app.run())
    (shared,) = [code.value for code in app.code]
    query = dict(parse_qsl(urlsplit(shared).query))
    assert unseal(query["sealed"]) == {"eps": HIDDEN, "lock": "1", "hide": "eps"}
    assert link(app)["eps"] == HIDDEN
    assert not number_box(app, key="tem.epsilon").disabled
    student = sharing(page(**query))
    assert HIDDEN not in everything(student)
    assert unfolded(student, "other-choices").slider(key="versions").disabled
    assert not [toggle for toggle in student.toggle if toggle.key == "share-lock"]


@pytest.mark.parametrize("length", [30, 300, 1500])
def test_a_qr_code_is_read_as_the_link_and_has_a_white_border(length):
    address = "http://127.0.0.1:8501/learn?" + "text=%C3%A9&eps=4.5&" * (length // 20)
    picture = Image.open(io.BytesIO(classroom.qr_code(address))).convert("L")
    (code,) = zxingcpp.read_barcodes(picture)
    assert code.text == address
    pixels = np.asarray(picture)
    border = 4 * 8
    inside = np.zeros_like(pixels, dtype=bool)
    inside[border:-border, border:-border] = True
    assert (pixels[~inside] == 255).all()
    assert (pixels[inside] == 0).any()


def test_a_link_that_no_qr_code_holds_has_none():
    assert classroom.qr_code("x" * 5000) is None


def test_settings_of_other_pages_are_kept_where_they_were_changed_and_let_go_of_where_not():
    app = healthy(page(mechanism="cmp", eps="4"))
    assert "sample" not in app.session_state
    app.switch_page("pages/deniability/page.py").run()
    assert (app.session_state["sample"], app.session_state["count"]) == ("random", 100)
    app.segmented_control(key="count").set_value(50).run()
    app.switch_page("pages/perturb/page.py").run()
    assert "sample" not in healthy(app).session_state
    assert app.session_state["count"] == 50
    app.switch_page("pages/deniability/page.py").run()
    assert (app.session_state["sample"], app.session_state["count"]) == ("random", 50)
    assert link(app)["count"] == "50"


def test_a_link_that_names_a_setting_of_another_page_sets_it_there():
    app = healthy(page(mechanism="cmp", eps="4", count="50"))
    app.switch_page("pages/deniability/page.py").run()
    assert healthy(app).session_state["count"] == 50
