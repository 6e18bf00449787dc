"""Settings: values that stand in the session under their key, and in the link.

A setting says how it is read from the link, how it is written there, and what it is at first. Each
page declares its own (`SETTINGS` in its `controls`), what pages share stands where its controls do,
and `link` collects them. The text that a visitor types is never a setting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from data import corpora, embeddings
from mechanisms import MECHANISMS, Family, Mechanism, typed_numbers
from mechanisms.base import Parameter
from pages.shared import classroom, own_embedding

# Every control keeps its value when its page is left.
KEPT: dict[str, Any] = {"persist_state": "session"}


def kept(key: str) -> dict[str, Any]:
    """The key of a control that a teacher's link can lock, whether it is locked, and `KEPT`."""
    return {"key": key, "disabled": classroom.locked(classroom.lock_of(key)), **KEPT}


@dataclass(frozen=True)
class Setting:
    """One value of the URL: how it is read, and what it is at first."""

    default: Any
    read: Callable[[str], Any]
    """From text to value; ValueError says the rule."""
    write: Callable[[Any], str] = str


def switch() -> Setting:
    """Off at first and then not in the link; 1 for on."""

    def read(text: str) -> bool:
        if text not in ("0", "1"):
            raise ValueError("must be 0 or 1")
        return text == "1"

    return Setting(False, read, lambda on: "1" if on else "")


def choice(default: Any, options: Mapping[str, Any]) -> Setting:
    """A setting that is one of a few values, each with its name in the URL."""

    def read(text: str) -> Any:
        if text not in options:
            raise ValueError(f"must be one of {', '.join(options)}")
        return options[text]

    names = {value: name for name, value in options.items()}
    return Setting(default, read, lambda value: names[value])


def whole_number(default: int | None, low: int, high: int) -> Setting:
    """A whole number in [low, high]; an empty text for none, where none is the default."""

    def read(text: str) -> int | None:
        if not text and default is None:
            return None
        number = typed_numbers.whole(text)
        if not low <= number <= high:
            raise ValueError(f"must be at least {low} and at most {high}")
        return number

    return Setting(default, read, lambda value: "" if value is None else str(value))


def real(default: float | None, declared: Parameter) -> Setting:
    """A number as a parameter declares it; an empty text for none, where none is the default."""

    def read(text: str) -> float | None:
        if not text and default is None:
            return None
        problem, value = read_parameter(declared, text)
        if problem:
            raise ValueError(problem.rstrip("."))
        return value

    return Setting(default, read, lambda value: "" if value is None else repr(value))


def several(default: Sequence[str], options: Mapping[str, str]) -> Setting:
    """Some of a few names, at least one, separated by commas."""

    def read(text: str) -> list[str]:
        names = text.split(",")
        if unknown := [name for name in names if name not in options]:
            raise ValueError(
                f"must hold only {', '.join(options)}, separated by commas; {unknown[0]!r} is not "
                "one of them"
            )
        return [name for name in options if name in names]

    return Setting(list(default), read, ",".join)


def corpus_name(name: str) -> str:
    """The name of a corpus that every visitor has."""
    if name not in corpora.names():
        raise ValueError(f"must be one of {', '.join(corpora.names())}")
    return name


def installed_embedding(name: str) -> str:
    """The name of an embedding, where it can be loaded."""
    if name == own_embedding.OWN:
        if own := own_embedding.own_embedding():
            return own.name
        raise ValueError(
            "is an upload, which a link cannot carry: upload it on the page Your embedding"
        )
    if name not in (known := {each.name: each for each in embeddings.for_everyone()}):
        raise ValueError(f"must be one of {', '.join(known)}")
    if missing := known[name].how_to_get:
        raise ValueError(f"is not installed: {missing.rstrip('.')}")
    return name


SLUGS = {cls: cls.slug() for cls in MECHANISMS}

URL_NAMES = {"epsilon": "eps", "corpus": "q"}
"""Parameters whose name in a link is not their field's; no setting of a page has such a name."""


def variant_slug(cls: type[Mechanism], variant: str | None) -> str:
    """The name of a mechanism in one of its variants, for the link."""
    return SLUGS[cls] + (f"-{variant}" if variant else "")


def epsilon_within(default: float, low: float, high: float) -> Setting:
    """A privacy budget that a lesson lets be chosen, in [low, high]."""
    return real(default, Parameter("ε", "the privacy budget", at_least=low, at_most=high))


def read_parameter(declared: Parameter, text: str) -> tuple[str | None, Any]:
    """What is wrong with a parameter's value as typed, or None, and the value."""
    if declared.choices:
        return declared.problem(text), text
    try:
        value = typed_numbers.real(text)
    except ValueError as error:
        return f"{error}.", None
    return declared.problem(value), value


def parameter_key(cls: type[Mechanism], field: str) -> str:
    """The key of a mechanism's parameter in the session."""
    return f"{SLUGS[cls]}.{field}"


def at_epsilon(family: Family[Mechanism]) -> Mechanism:
    """The mechanism of a family at the session's ε."""
    return family.at(st.session_state[parameter_key(family.kind, "epsilon")])


# Theorem 4.2 on the γ page, and what the neighbours page offers.
EPSILON = Parameter("ε", "the privacy budget per unit of distance", above=0)
