"""Choose a mechanism: a control for each parameter it declares, and ε on a slider of its range."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.embeddings import VocabularyChoice
from mechanisms import MECHANISMS, Family, Mechanism
from mechanisms.base import Parameter
from mechanisms.base_measure import source_of_q
from pages.shared import (
    base_measures,
    cached,
    classroom,
    classroom_wording,
    page_end,
    parts,
    prose,
    terms,
)
from pages.shared.number_box import number_box
from pages.shared.settings import at_epsilon, kept, parameter_key
from pages.shared.showing import is_changed, show_in


def mechanism_controls(
    choice: VocabularyChoice,
    stage: DeltaGenerator,
    notes: DeltaGenerator | None = None,
) -> Mechanism:
    """Choose a mechanism and its parameters, each widget from its declaration.

    The card of the mechanism is in `notes`; without them, it follows the picker. If a value is not
    allowed, a sentence on the stage says so, and the page ends. The controls of ε and what depends
    on it are parts of the page.
    """
    try:
        if hidden := classroom.hidden():
            return _untold_mechanism(choice, hidden)
        family = family_controls(choice, notes)
        steps = _epsilon_steps(family, choice)
        parts.part(lambda: _epsilon_control(family, steps))
        if source_of_q(family.without_epsilon) is not None:
            with notes or nullcontext():
                parts.part(lambda: base_measures.say_if_q_outweighs(at_epsilon(family), choice))
        return at_epsilon(family)
    except (TypeError, ValueError) as error:
        stage.error(classroom.told(error))
        page_end.stop()


def _untold_mechanism(choice: VocabularyChoice, hidden: Sequence[str]) -> Mechanism:
    """The mechanism of the session, with what a teacher's link does not hide, in words."""
    mechanism = session_mechanism(choice)
    told = {"mechanism": mechanism.name, "eps": prose.number(mechanism.epsilon)}
    st.markdown(classroom_wording.told(told, hidden))
    return mechanism


def session_mechanism(choice: VocabularyChoice) -> Mechanism:
    """The mechanism of the session with its parameters, as other pages have set them."""
    cls: type[Mechanism] = st.session_state.mechanism
    family = _family_of_session(cls)
    _epsilon_steps(family, choice)
    return at_epsilon(family)


def _family_of_session(cls: type[Mechanism]) -> Family[Mechanism]:
    """The family, its parameters as the session has them."""
    others = {
        field: st.session_state[parameter_key(cls, field)]
        for field in cls.parameters()
        if field != "epsilon" and parameter_key(cls, field) in st.session_state
    }
    return cls.family(**others)


def family_controls(
    choice: VocabularyChoice | None = None,
    notes: DeltaGenerator | None = None,
) -> Family[Mechanism]:
    """Choose a mechanism and all its parameters but ε, with its card in the notes.

    With a vocabulary, an empty box of an optional parameter shows the value that is computed for it
    at the session's ε, so the box is a part of the page.
    """
    cls: type[Mechanism] = st.selectbox(
        "Mechanism",
        MECHANISMS,
        format_func=lambda c: c.name,
        help=terms.all_cards(),
        **kept("mechanism"),
    )
    (notes or st).caption(terms.card(cls))
    for field, declared in cls.parameters().items():
        if field != "epsilon":
            draw = partial(_parameter_control, cls, field, declared, choice)
            if declared.optional:
                parts.part(draw)
            else:
                draw()
    family = _family_of_session(cls)
    if choice is not None:
        base_measures.panel(family, choice, "about-q")
    return family


def _epsilon_control(family: Family[Mechanism], steps: list[float]) -> None:
    """A logarithmic slider and an exact box in one row, for one value."""
    exact = parameter_key(family.kind, "epsilon")
    coarse = f"{exact}.slider"
    show_in(coarse, _nearest_step(steps, st.session_state[exact]))

    def moved() -> None:
        if is_changed(coarse):
            st.session_state[exact] = st.session_state[coarse]
        parts.run_again()

    declared = family.kind.parameters()["epsilon"]
    row = st.container(key="epsilon", horizontal=True, wrap=False)
    with row.container(gap=None):
        st.select_slider(
            "ε",
            steps,
            key=coarse,
            disabled=classroom.locked("eps"),
            format_func=lambda step: f"{step:g}",
            on_change=moved,
            help=f"{terms.meaning(declared)}\n\n{prose.SLIDER_ENDS}",
        )
        st.html(prose.epsilon_ends(steps[0], steps[-1]))
    number_box(
        "ε, exact",
        changed=parts.run_again,
        place=row,
        width=130,
        help="Type any ε, even one beyond the ends of the slider.",
        **kept(exact),
    )


def _epsilon_steps(family: Family[Mechanism], choice: VocabularyChoice) -> list[float]:
    """The steps of the slider; where no ε is set yet, it becomes the one in the middle."""
    low, middle, high = cached.epsilon_range(family, choice)
    steps = logarithmic_steps(low, high)
    begin = min(steps, key=lambda step: abs(math.log(step / middle)))
    st.session_state.setdefault(parameter_key(family.kind, "epsilon"), begin)
    return steps


def _parameter_control(
    cls: type[Mechanism], field: str, declared: Parameter, choice: VocabularyChoice | None
) -> None:
    """A choice, or a box; an optional parameter's box may be empty."""
    key = parameter_key(cls, field)
    st.session_state.setdefault(key, cls.__dataclass_fields__[field].default)
    if declared.choices:
        st.selectbox(
            declared.symbol,
            declared.choices,
            help=terms.meaning(declared),
            **kept(key),
        )
        return
    empty = f"\n\n{prose.EMPTY_PARAMETER}" if declared.optional else ""
    number_box(
        declared.symbol,
        optional=declared.optional,
        help=terms.meaning(declared) + empty,
        placeholder=_computed(cls, field, declared, choice) if declared.optional else None,
        **kept(key),
    )


def _computed(
    cls: type[Mechanism], field: str, declared: Parameter, choice: VocabularyChoice | None
) -> str:
    """The value in force if an optional parameter is left empty, for its box."""
    if choice is not None:
        try:
            family = cls.family(**{**dict(_family_of_session(cls).values), field: None})
            base_measures.check(family, choice)
            _epsilon_steps(family, choice)
            mechanism = at_epsilon(family)
            for name, value in mechanism.derived(cached.vocabulary(choice)).items():
                if name.startswith(declared.symbol):
                    return prose.computed(value)
        except (TypeError, ValueError):  # a setting is wrong, and its own sentence says so
            pass
    return prose.COMPUTED


def is_locked() -> bool:
    """Whether this visitor cannot change the mechanism, its parameters or its ε."""
    return classroom.locked("mechanism", "parameters", "eps")


def use_epsilon(cls: type[Mechanism], epsilon: float) -> None:
    """Set a mechanism's ε on every page."""
    st.session_state[parameter_key(cls, "epsilon")] = epsilon


def use_mechanism(mechanism: Mechanism) -> None:
    """Set a mechanism with all its parameters on every page."""
    cls = type(mechanism)
    st.session_state.mechanism = cls
    for field in cls.parameters():
        st.session_state[parameter_key(cls, field)] = getattr(mechanism, field)


def of_session() -> Mechanism | None:
    """The mechanism of the session with its parameters; None if there is none yet."""
    cls: type[Mechanism] | None = st.session_state.get("mechanism")
    if cls is None:
        return None
    try:
        return at_epsilon(_family_of_session(cls))
    except (KeyError, TypeError, ValueError):  # no ε yet, or a value that is being typed
        return None


def logarithmic_steps(low: float, high: float, count: int = 25) -> list[float]:
    """About `count` values from low to high in equal ratios, rounded to two digits."""
    ratio = math.log(high / low) / (count - 1)
    return sorted({float(f"{low * math.exp(i * ratio):.2g}") for i in range(count)})


def _nearest_step(steps: list[float], value: object) -> float:
    if not isinstance(value, int | float) or not 0 < value < math.inf:
        return steps[0]
    return min(steps, key=lambda step: abs(math.log(step) - math.log(value)))
