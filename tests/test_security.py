"""What SECURITY.md says of errors, settings and markup, without a browser.

Text, file names, headers, words of an embedding and links as markup are tested where they are
read: test_pages, test_your_data_page, test_your_embedding_page, test_links, test_prose. What a
browser and a server do with all of it: test_browser_security.
"""

import ast
import logging
import re
import tomllib

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import failures
from tests.test_architecture import HOUSE, calls, in_rooms, offenders

CONFIG = tomllib.loads((HOUSE / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def broken(place):
    """An app whose visitor typed something that an error quotes: in the page or elsewhere."""
    import streamlit as st

    from pages.shared import failures

    def fail():
        try:
            int("zebra confidential")
        except ValueError as error:
            raise KeyError(f"no zebra {error}") from error

    failures.keep_texts_out_of_the_log()
    with failures.told():
        if place == "page":
            fail()
        elif place == "fragment":
            st.fragment(fail)()
        st.button("Fail", on_click=fail)
        st.text("the rest of the page")


def opened(place):
    return AppTest.from_function(broken, args=(place,)).run()


@pytest.mark.parametrize("place", ["page", "fragment", "callback"])
def test_an_unexpected_error_shows_an_id_and_the_log_has_its_trace_without_the_text(place, caplog):
    app = opened(place)
    if place == "callback":
        app = app.button[0].click().run()
    ours = [error.proto for error in app.exception if "went wrong" in error.proto.type]
    (fault,) = ours
    identity = re.fullmatch(r"Something went wrong here \(id ([0-9a-f]{8})\)", fault.type)[1]
    assert not list(fault.stack_trace)
    (record,) = [r for r in caplog.records if r.levelno >= logging.ERROR]
    assert record.getMessage().startswith(f"Fault {identity}\n")
    assert "in fail" in caplog.text
    assert caplog.text.index("builtins.ValueError") < caplog.text.index("builtins.KeyError")
    for told in (caplog.text.replace('int("zebra confidential")', ""), *map(str, app.exception)):
        assert "confidential" not in told
    assert "no zebra invalid" not in caplog.text


def test_the_same_fault_has_the_same_id_for_everyone_and_another_has_another():
    first, second, other = (opened(place).exception[0] for place in ("page", "page", "fragment"))
    assert first.proto.type == second.proto.type != other.proto.type


def test_a_page_that_is_whole_is_left_alone(caplog):
    app = opened("")
    assert not app.exception
    assert app.text[0].value == "the rest of the page"
    assert "Fault" not in caplog.text


def test_a_trace_holds_no_message_of_any_error_in_the_chain():
    try:
        try:
            raise ValueError("first secret")  # noqa: EM101
        except ValueError as error:
            error.add_note("secret note")
            raise OSError(2, "second secret", "secret name") from None
    except OSError as error:
        lines = failures.trace(error)
    outside_the_source = [line for line in lines.splitlines() if "raise" not in line]
    assert not any("secret" in line for line in outside_the_source)
    assert lines.endswith("builtins.FileNotFoundError")


def test_streamlit_shows_no_details_carries_none_elsewhere_and_prints_none_by_rich():
    assert CONFIG["client"]["showErrorDetails"] == "none"
    assert CONFIG["client"]["showErrorLinks"] == "false"
    assert CONFIG["logger"]["enableRich"] is False


def test_every_page_runs_where_its_errors_are_told():
    app = ast.parse((HOUSE / "app.py").read_text(encoding="utf-8"))
    (guarded,) = [node for node in app.body if isinstance(node, ast.With)]
    around = [ast.unparse(item) for item in guarded.items]
    assert around == ["turns.RUNS.turn()", "failures.told()"]
    assert ast.unparse(guarded.body[-1]) == (
        "with terms.at_the_foot(), downloads.figures_at_the_foot(page.url_path), "
        "parts.drawn_last():\n    classroom.end_where_it_would_tell(page.url_path)\n    page.run()"
    )
    everywhere = [node for node in ast.walk(app) if isinstance(node, ast.Attribute)]
    assert sum(node.attr == "run" for node in everywhere) == 1


# What would write down or send what a visitor typed.
TELLING = {"print", "logging", "warnings.warn", "st.write", "st.exception", "st.echo", "open"}


def test_pages_write_nothing_to_a_log_or_a_file_and_show_no_bare_objects():
    def telling(file):
        allowed = {"st.exception"} if file.stem == "failures" else set()
        return ({ast.unparse(call.func) for call in calls(file)} & TELLING) - allowed

    assert not offenders(in_rooms("pages"), telling)
