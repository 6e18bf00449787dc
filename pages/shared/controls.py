"""Parameter declarations to widgets to a mechanism; settings to and from the URL.

A setting has one value, kept in the session under its key and written to the URL. A link is read
once, when the session starts: what it sets rightly is taken, what it sets wrongly is named. The
text that a visitor types is never a setting.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, get_args

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from data import corpora, embeddings
from data.embedding_health import Health
from data.embeddings import VocabularyChoice
from data.own_embeddings import OwnEmbedding
from measures.audits import audit
from measures.flat_map import MAPPED
from measures.lessons import EVERYDAY
from measures.sweeps.scores import COUNTED, EQUATION_4, PROTOCOLS
from measures.sweeps.sides import NORMALISERS
from measures.words import targets
from measures.words.deniability import Support
from measures.words.dissolution import Dissolution
from mechanisms import CMP, MECHANISMS, Family, Mechanism, Vickrey, Vocabulary, typed_numbers
from mechanisms.base import Parameter
from mechanisms.cleaning import Html
from mechanisms.text import Case, Unknown
from pages.attacks import wording as attacks_wording
from pages.compare import columns
from pages.compare import wording as compare_wording
from pages.deniability import wording as deniability_wording
from pages.shared import cached, classroom, classroom_wording, conversion, prose, session, terms
from pages.shared.number_box import number_box
from pages.tradeoff import wording as tradeoff_wording

# Every control keeps its value when its page is left.
KEPT: dict[str, Any] = {"persist_state": "session"}


def kept(name: str) -> dict[str, Any]:
    """The same for a control that a teacher's link can lock, by the name of the lock."""
    return {**KEPT, "disabled": classroom.locked(name)}


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
            raise ValueError(f"must lie between {low} and {high}")
        return number

    return Setting(default, read, lambda value: "" if value is None else str(value))


def real(default: float | None, declared: Parameter) -> Setting:
    """A number as a parameter declares it; an empty text for none, where none is the default."""

    def read(text: str) -> float | None:
        if not text and default is None:
            return None
        problem, value = _read_parameter(declared, text)
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
                f"must hold only {', '.join(options)}, separated by commas; {unknown[0]!r} is none"
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
    if name == session.OWN:
        if own := session.own_embedding():
            return own.name
        raise ValueError("was a visitor's own: upload it on the page Your embedding")
    if name not in (known := {each.name: each for each in embeddings.for_everyone()}):
        raise ValueError(f"must be one of {', '.join(known)}")
    if missing := known[name].how_to_get:
        raise ValueError(f"cannot be this one: {missing.rstrip('.')}")
    return name


SLUGS = {cls: cls.slug() for cls in MECHANISMS}

# Theorem 4.2 on the γ page, and what the neighbours page offers.
EPSILON = Parameter("ε", "privacy budget per unit of distance", above=0)
BETA = Parameter("β", "probability of leaving the ball", above=0, below=1)
GAMMA = Parameter("γ", "radius of the ball, in units of distance", at_least=0)
SOUGHT = ("gamma", "beta", "epsilon")
COMPARED = {1_000: "1,000 words", 10_000: "10,000 words", 0: "all words"}
MOST_FOR_ALL = 50_000
MAP_SIZES = (30, 60, 120)

# The trade-off page: what is looked at, α, how much a measure weighs, part of a printed table.
VIEWS = tuple(tradeoff_wording.VIEWS)
ALPHA = Parameter("α", "weight of utility", at_least=0, at_most=1)
WEIGHT = Parameter("weight", "weight of a measure", at_least=0, at_most=100)
TABLE_CORPORA = {"imdb": "IMDb", "ag-news": "AG News"}
TABLE_DIMENSIONS = (0, 50, 100, 300)
TABLE_EPSILONS = (0, 1, 5, 10)

# The rows of the guarantees page: a mechanism in one of its variants.
AUDITED = audit.variants()
# The setting of the other pages; not None, which a box shows as nothing chosen.
YOURS = "yours"
AUDIT_SIZES = (3_000, 10_000, 30_000)
AUDIT_SUBJECTS = {"ours": "Our mechanisms", "any": "Any mechanism"}
_AUDITED_SLUGS = {(cls, v): SLUGS[cls] + (f"-{v}" if v else "") for cls, v in AUDITED}

# The deniability page: which words, how many, and which S_w.
SAMPLES = {
    "random": "random words",
    "frequent": "the most frequent words",
    "rare": "the rarest words",
    "text": "the words of your text",
}
COUNTS = (50, 100, 300)
DRAWS = (100, 200, 1000)
SUPPORTS = {
    "distinct": "different words in m draws",
    "effective": "words that make up 99 %",
    "percentage": "different replacements, % of m draws",
}

# The lessons: values of ε to look at, the mechanisms on trial.
WORST_STEPS = tuple(sorted({float(f"{2 * 15 ** (step / 60):.2g}") for step in range(61)}))
PROMISED = ((Vickrey, "published"), (Vickrey, "repaired"), (CMP, None))


def _epsilon_within(default: float, low: float, high: float) -> Setting:
    return real(default, Parameter("ε", "privacy budget", at_least=low, at_most=high))


LESSON_SETTINGS = {
    "lesson": whole_number(0, 0, 5),
    "point": choice("doctor", {word: word for word in MAPPED}),
    "point-way": choice("dart", {way: way for way in ("dart", "choice")}),
    "point-eps": _epsilon_within(1.5, 0.5, 8),
    "step": choice("predict", {step: step for step in ("predict", "try", "check")}),
    "coin": whole_number(50, 5, 95),
    "word-eps": _epsilon_within(3.0, 1, 8),
    "odds-eps": _epsilon_within(0.5, 0.1, 2),
    "noise-eps": _epsilon_within(8.0, 2, 20),
    "choice-eps": _epsilon_within(3.0, 1, 8),
    "crowded": choice("monday", {word: word for word in EVERYDAY}),
    "lonely": choice("river", {word: word for word in EVERYDAY}),
    "worst-eps": choice(WORST_STEPS[30], {f"{epsilon:g}": epsilon for epsilon in WORST_STEPS}),
    "worst-limit": whole_number(50, 10, 90),
    "promised": choice(PROMISED[0], {_AUDITED_SLUGS[row]: row for row in PROMISED}),
    "promise-eps": _epsilon_within(6.0, 2, 20),
}

SETTINGS: dict[str, Setting] = {
    **LESSON_SETTINGS,
    "mechanism": choice(MECHANISMS[0], {slug: cls for cls, slug in SLUGS.items()}),
    "embedding": Setting(embeddings.GLOVE, installed_embedding, session.embedding_label),
    "size": whole_number(embeddings.DEFAULT_SIZE, 1, 10**9),  # by embedding: see `read_link`
    "tokens": choice(True, {"words": True, "all": False}),
    "projector": switch(),
    "versions": whole_number(3, 1, 20),
    "unknown": choice("random", {u: u for u in ("random", "mask", "drop", "keep")}),
    "case": choice("lower", {"lower": "lower", "as-typed": "as typed"}),
    "html": choice("decode", {html: html for html in get_args(Html)}),
    "seed": whole_number(None, 0, 2**31 - 1),
    "sample": choice("random", {how: how for how in SAMPLES}),
    "count": choice(100, {str(count): count for count in COUNTS}),
    "support": choice("distinct", {which: which for which in SUPPORTS}),
    "draws": choice(100, {str(draws): draws for draws in DRAWS}),
    "audited": choice(YOURS, {YOURS: YOURS} | {s: row for row, s in _AUDITED_SLUGS.items()}),
    "audit-of": choice("ours", {subject: subject for subject in AUDIT_SUBJECTS}),
    "audit-words": choice(10_000, {str(size): size for size in AUDIT_SIZES}),
    "solve": choice("gamma", {sought: sought for sought in SOUGHT}),
    "theorem-eps": real(10.0, EPSILON),
    "theorem-beta": real(1e-3, BETA),
    "theorem-gamma": real(3.0, GAMMA),
    "theorem-words": whole_number(None, 1, 10**9),
    "own-gamma": real(None, GAMMA),
    "compared": choice(1_000, {"1000": 1_000, "10000": 10_000, "all": 0}),
    "overlay": Setting(
        "", lambda name: name and installed_embedding(name), session.embedding_label
    ),
    "map-words": choice(60, {str(size): size for size in MAP_SIZES}),
    "map-word": Setting("movie", str),
    "columns": whole_number(2, 2, columns.MOST),
    "compare-by": choice("privacy", {mode: mode for mode in columns.MODES}),
    "kept-words": whole_number(50, 1, 99),
    "common-eps": real(10.0, EPSILON),
    "same-noise": choice(False, {"no": False, "yes": True}),
    "prior": choice("frequency", {prior: prior for prior in attacks_wording.PRIORS}),
    "game": choice(False, {"0": False, "1": True}),
    "round": whole_number(1, 1, 1000),
    "view": choice("measured", {view: view for view in VIEWS}),
    "alpha": real(0.5, ALPHA),
    "corpus": Setting("imdb", corpus_name, lambda n: n if n in corpora.names() else ""),
    "counts": several(EQUATION_4, COUNTED),
    "scale": choice("baseline", {scale: scale for scale in NORMALISERS}),
    "tested-on": choice("private", {protocol: protocol for protocol in PROTOCOLS}),
    "table-corpus": choice("ag-news", {name: name for name in TABLE_CORPORA}),
    "table-dimensions": choice(0, {str(d) if d else "mean": d for d in TABLE_DIMENSIONS}),
    "table-eps": choice(0, {str(e) if e else "mean": e for e in TABLE_EPSILONS}),
    **{f"weight-{name}": real(1.0, WEIGHT) for name in COUNTED},
    **{
        f"column-{number}": Setting(
            columns.DEFAULTS[number - 1],
            partial(columns.read, stream=number),
            partial(columns.write, stream=number),
        )
        for number in range(1, columns.MOST + 1)
    },
}

# What every page's link says, beside what belongs to the page itself.
COMMON = ("mechanism", "embedding", "size", "tokens", "projector")

# A mechanism's parameters stand in the URL under their field names, ε as `eps`.
_URL_NAME = {"epsilon": "eps"}


# --------------------------------------------------------------------------------------- the link


def read_link(may_hide: bool = False) -> list[str]:
    """Take the settings of the URL; what could not be taken, in sentences.

    They are taken when the session starts, and when the visitor goes back to an earlier link of
    the page on screen. A page that may not hide what a teacher's link hides ends here.
    """
    if "link_read" in st.session_state:
        _carry_over()
        if not _went_back():
            if not may_hide:
                classroom.stop_where_it_would_tell()
            return st.session_state.ignored
    query = st.query_params.to_dict()
    ignored = classroom.take(query)
    given = dict(query)
    for key, setting in SETTINGS.items():
        if "link_read" not in st.session_state or key in st.session_state.link_written:
            st.session_state[key] = setting.default
        if key in query:
            try:
                st.session_state[key] = setting.read(query.pop(key))
            except ValueError as error:
                ignored.append(f"ignored {key}={_quoted(given[key])}: {key} {error}.")
    try:
        offered = conversion.offered_sizes(embeddings.by_name(st.session_state.embedding), st)
    except (OSError, ValueError) as error:
        ignored.append(f"ignored embedding={prose.plain(str(error))}")
        st.session_state.embedding = embeddings.GLOVE
        offered = embeddings.by_name(embeddings.GLOVE).sizes()
    if st.session_state.size not in offered:
        if "size" in given:
            ignored.append(
                f"ignored size={_quoted(given['size'])}: size must be one of "
                f"{', '.join(map(str, offered))}."
            )
        st.session_state.size = _size_near(embeddings.DEFAULT_SIZE, offered)
    cls = st.session_state.mechanism
    for field, declared in cls.parameters().items():
        name = _URL_NAME.get(field, field)
        if declared.optional:
            st.session_state[_key(cls, field)] = None
        if name in query:
            text = query.pop(name)
            problem, value = _read_parameter(declared, text)
            if problem:
                ignored.append(f"ignored {name}={_quoted(text)}: {declared.symbol} {problem}")
            else:
                st.session_state[_key(cls, field)] = value
    ignored += [f"ignored {_quoted(key)}: there is no such setting here." for key in query]
    st.session_state.link_read = True
    st.session_state.ignored = ignored
    if not may_hide:
        classroom.stop_where_it_would_tell()
    return ignored


def begin_without_a_link() -> None:
    """Keep what was set on other pages, on a page that has no settings and no link of its own."""
    if "link_read" in st.session_state:
        _carry_over()


def write_link(mechanism: Mechanism | None, *page_settings: str) -> None:
    """Put the settings of the moment into the URL, and draw the button that shares it.

    These are the common settings, the page's, and the mechanism's. The name of a text box among
    them puts the text there, where the visitor ticked that.
    """
    keys = [key for key in (*COMMON, *page_settings) if key not in classroom.TEXTS]
    text_box = next((key for key in page_settings if key in classroom.TEXTS), None)
    link = {key: SETTINGS[key].write(st.session_state[key]) for key in keys}
    for field in mechanism.parameters() if mechanism else ():
        value = getattr(mechanism, field)
        if value is not None:
            link[_URL_NAME.get(field, field)] = value if isinstance(value, str) else repr(value)
    st.session_state.link_written = {key: value for key, value in link.items() if value != ""}
    link = classroom.put(st.session_state.link_written, text_box)
    if st.query_params.to_dict() != link:
        st.query_params.from_dict(link)
    st.session_state.link_of_page = _LinkOfPage(_page(), link, _values(), time.monotonic())
    classroom.share()


@dataclass(frozen=True)
class _LinkOfPage:
    """The link that was last written: where, what, from which values, and when."""

    page: str
    link: dict[str, str]
    values: dict[str, Any]
    at: float


def _went_back() -> bool:
    """Whether the link is another one than was written, and nothing else has changed.

    A browser sends the link that it has. Right after a change it may not have got the new one yet,
    and after any change of a control the control counts.
    """
    last = st.session_state.get("link_of_page")
    query = st.query_params.to_dict()
    return bool(
        last
        and query
        and query != last.link
        and last.page == _page()
        and last.values == _values()
        and time.monotonic() - last.at > 1.0
    )


def _values() -> dict[str, Any]:
    state = st.session_state.to_dict()  # once: each single look-up goes through all of Streamlit
    keys = (*SETTINGS, *_parameter_keys(), *classroom.TEXTS)
    return {key: state[key] for key in keys if key in state}


def _parameter_keys() -> list[str]:
    return [_key(cls, field) for cls in MECHANISMS for field in cls.parameters()]


def _page() -> str:
    return get_script_run_ctx().page_script_hash


def _carry_over() -> None:
    """On a new page, hand every value to its control there.

    A control is another one on every page, even under the same key: it would begin with its own
    default, and the page that is left would take its value along.
    """
    page = _page()
    if st.session_state.get("page") != page:
        for key in (*SETTINGS, *_parameter_keys(), *classroom.TEXTS, *classroom.OPTIONS):
            if key in st.session_state:
                st.session_state[key] = st.session_state[key]
    st.session_state.page = page


def _read_parameter(declared: Parameter, text: str) -> tuple[str | None, Any]:
    if declared.choices:
        return declared.problem(text), text
    try:
        value = typed_numbers.real(text)
    except ValueError as error:
        return f"{error}.", None
    return declared.problem(value), value


def _quoted(text: str) -> str:
    return prose.plain(text[:40] + ("…" if len(text) > 40 else ""))


# ------------------------------------------------------------------------------------ the widgets


def vocabulary_controls(stage: DeltaGenerator | None = None) -> VocabularyChoice:
    """Choose an embedding and how much of it.

    An embedding that has to be converted first is, once, with a bar on the stage (where this
    stands, without one). Where that fails the page ends with the reason.
    """
    here = session.embeddings_here()
    session.embedding(here)
    name = st.selectbox(
        "Embedding",
        list(here),
        format_func=session.embedding_label,
        key="embedding",
        help=terms.explained("embedding"),
        **kept("vocabulary"),
    )
    for how in filter(None, (each.how_to_get for each in embeddings.for_everyone())):
        st.caption(how)
    with _or_end_with_the_reason(stage):
        offered = conversion.offered_sizes(here[name], stage or st)
    if st.session_state.size not in offered:
        st.session_state.size = _size_near(st.session_state.size, offered)
    st.selectbox(
        "Vocabulary",
        offered,
        format_func=lambda size: (
            f"{size:,} most frequent" if size < offered[-1] else f"all {size:,}"
        ),
        key="size",
        help="The words that can come out. More words: a denser space, and smaller steps.",
        **kept("vocabulary"),
    )
    st.toggle(
        "Words only",
        key="tokens",
        help="Leave out punctuation, numbers and pieces such as 's, which the embedding lists too.",
        **kept("vocabulary"),
    )
    choice = VocabularyChoice(here[name], st.session_state.size, st.session_state.tokens)
    convert(choice, stage)
    if note := cached.vocabulary_notes(choice):
        st.caption(prose.plain(note))
    return choice


def convert(choice: VocabularyChoice, stage: DeltaGenerator | None = None) -> None:
    """Bring the vocabulary to where the cached functions find it at once, with a bar.

    Where that fails the page ends with the reason.
    """
    with _or_end_with_the_reason(stage):
        with conversion.bar(choice.embedding, stage or st) as show:
            choice.embedding.convert(choice.size, show)
        with stage or nullcontext():  # its spinner is seen there
            cached.vocabulary(choice)


def vocabulary_of(size: int) -> VocabularyChoice:
    """The embedding that the session is at, with so many words or all that it has."""
    embedding = session.embedding(session.embeddings_here())
    with _or_end_with_the_reason(None):
        most = conversion.offered_sizes(embedding, st)[-1]
    choice = VocabularyChoice(embedding, min(size, most), st.session_state.tokens)
    convert(choice)
    return choice


def health(embedding: OwnEmbedding) -> Health:
    """The health report of an embedding from a file, which is converted before, with a bar."""
    with _or_end_with_the_reason(None), conversion.bar(embedding, st) as show:
        return embedding.converted(show).health


@contextmanager
def _or_end_with_the_reason(stage: DeltaGenerator | None) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        (stage or st).error(prose.plain(str(error)))
        st.stop()


def _size_near(size: int, offered: Sequence[int]) -> int:
    """The size itself where it is offered, otherwise the largest below it."""
    return max((o for o in offered if o <= size), default=offered[0])


def mechanism_controls(
    choice: VocabularyChoice, stage: DeltaGenerator, notes: DeltaGenerator | None = None
) -> Mechanism:
    """Choose a mechanism and its parameters, each widget from its declaration.

    The card of the mechanism is in `notes`; without them, it follows the picker. If a value is not
    allowed, a sentence on the stage says so, and the page ends.
    """
    try:
        if classroom.hidden():
            return _untold_mechanism(choice)
        family = family_controls(choice, notes)
        return family.at(_epsilon_control(family, choice))
    except (TypeError, ValueError) as error:
        stage.error(classroom.told(error))
        st.stop()


def _untold_mechanism(choice: VocabularyChoice) -> Mechanism:
    """The mechanism of the session, with what a teacher's link does not hide, in words."""
    mechanism = session_mechanism(choice)
    told = {"mechanism": mechanism.name, "eps": prose.number(mechanism.epsilon)}
    st.markdown(classroom_wording.told(told, classroom.hidden()))
    return mechanism


def session_mechanism(choice: VocabularyChoice) -> Mechanism:
    """The mechanism of the session with its parameters, as other pages have set them."""
    cls: type[Mechanism] = st.session_state.mechanism
    family = _family_of_session(cls)
    _epsilon_steps(family, choice)
    return family.at(st.session_state[_key(cls, "epsilon")])


def _family_of_session(cls: type[Mechanism]) -> Family[Mechanism]:
    """The family, its parameters as the session has them."""
    others = {
        field: st.session_state[_key(cls, field)]
        for field in cls.parameters()
        if field != "epsilon" and _key(cls, field) in st.session_state
    }
    return cls.family(**others)


def family_controls(
    choice: VocabularyChoice | None = None, notes: DeltaGenerator | None = None
) -> Family[Mechanism]:
    """Choose a mechanism and all its parameters but ε, with its card in the notes.

    With a vocabulary, an empty box of an optional parameter shows the value that is computed for it
    at the session's ε.
    """
    cls: type[Mechanism] = st.selectbox(
        "Mechanism",
        MECHANISMS,
        format_func=lambda c: c.name,
        key="mechanism",
        help=terms.all_cards(),
        **kept("mechanism"),
    )
    (notes or st).caption(terms.card(cls))
    others = {
        field: _parameter_control(cls, field, declared, choice)
        for field, declared in cls.parameters().items()
        if field != "epsilon"
    }
    return cls.family(**others)


def _epsilon_control(family: Family[Mechanism], choice: VocabularyChoice) -> float:
    """A logarithmic slider and an exact box in one row, for one value."""
    exact = _key(family.kind, "epsilon")
    coarse = f"{exact}.slider"
    steps = _epsilon_steps(family, choice)
    st.session_state[coarse] = _nearest_step(steps, st.session_state[exact])

    def moved() -> None:
        st.session_state[exact] = st.session_state[coarse]

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
    return number_box(
        "ε, exact",
        exact,
        place=row.container(width=130),
        help="Any ε can be typed, also beyond the ends of the slider.",
        **kept("eps"),
    )


def _epsilon_steps(family: Family[Mechanism], choice: VocabularyChoice) -> list[float]:
    """The steps of the slider; where no ε is set yet, it becomes the one in the middle."""
    low, middle, high = cached.epsilon_range(family, choice)
    steps = _logarithmic_steps(low, high)
    begin = min(steps, key=lambda step: abs(math.log(step / middle)))
    st.session_state.setdefault(_key(family.kind, "epsilon"), begin)
    return steps


def _parameter_control(
    cls: type[Mechanism], field: str, declared: Parameter, choice: VocabularyChoice | None
) -> Any:
    """A choice, or a box; an optional parameter's box may be empty."""
    key = _key(cls, field)
    st.session_state.setdefault(key, cls.__dataclass_fields__[field].default)
    if declared.choices:
        return st.selectbox(
            declared.symbol,
            declared.choices,
            key=key,
            help=terms.meaning(declared),
            **kept("parameters"),
        )
    empty = f"\n\n{prose.EMPTY_PARAMETER}" if declared.optional else ""
    return number_box(
        declared.symbol,
        key,
        optional=declared.optional,
        help=terms.meaning(declared) + empty,
        placeholder=_computed(cls, field, declared, choice) if declared.optional else None,
        **kept("parameters"),
    )


def _computed(
    cls: type[Mechanism], field: str, declared: Parameter, choice: VocabularyChoice | None
) -> str:
    """The value in force if an optional parameter is left empty, for its box."""
    if choice is not None:
        try:
            family = cls.family(**{**dict(_family_of_session(cls).values), field: None})
            _epsilon_steps(family, choice)
            mechanism = family.at(st.session_state[_key(cls, "epsilon")])
            for name, value in mechanism.derived(cached.vocabulary(choice)).items():
                if name.startswith(declared.symbol):
                    return prose.computed(value)
        except (TypeError, ValueError):  # a setting is wrong, and its own sentence says so
            pass
    return prose.COMPUTED


def in_force(mechanism: Mechanism, choice: VocabularyChoice) -> None:
    """The embedding in force, and values that follow from the settings, in one line."""
    words, cls = cached.vocabulary(choice), type(mechanism)
    line = [prose.embedding(session.embedding_label(choice.name), words.dimensions, len(words))]
    if not classroom.hidden():
        having = [c.name for c in MECHANISMS if _has_gamma(c)]
        line += [prose.no_gamma(having, cls.name)] if not _has_gamma(cls) else []
        line += [prose.derived(mechanism.derived(words))]
    about = ("embedding",) if classroom.hidden() else ("embedding", "gamma")
    st.caption(" ".join(line), help=terms.explained(*about))


def _has_gamma(cls: type[Mechanism]) -> bool:
    return any(declared.symbol == "γ" for declared in cls.parameters().values())


def text_controls() -> tuple[Unknown, Case]:
    """Choose what happens to unknown words, and the letter case."""
    explained = {
        "random": "draw them as the unknown word",
        "mask": "mask them: shows that they were unknown",
        "drop": "leave them out: may show that they were unknown",
        "keep": "keep them: not protected",
    }
    unknown = st.selectbox(
        "Words and numbers that the vocabulary lacks",
        list(explained),
        format_func=lambda option: explained[option],
        key="unknown",
        help="For a mechanism all of them are one word, the unknown word; the card of its promise "
        "says what it promises of that word. No promise covers the other choices.",
        **kept("unknown"),
    )
    case = st.selectbox(
        "Letter case",
        ["lower", "as typed"],
        format_func=lambda option: {"lower": "lower case", "as typed": "as typed: reveals it"}[
            option
        ],
        key="case",
        **kept("case"),
    )
    return unknown, case


def html_control() -> Html:
    """Choose what happens to tags and entities of HTML."""
    explained = {
        "decode": "decode entities, leave tags out",
        "drop": "leave both out",
        "keep": "keep them: not protected",
    }
    return st.selectbox(
        "HTML in the texts",
        list(explained),
        format_func=lambda option: explained[option],
        key="html",
        help="Such as `<br />` and `&amp;`. Kept ones leave as typed, with their attributes.",
        **KEPT,
    )


def seed_control() -> int | None:
    """A seed for demonstrations, or None for draws that nobody can repeat."""
    return number_box(
        "Seed, for demonstrations",
        "seed",
        low=0,
        high=2**31 - 1,
        whole=True,
        optional=True,
        placeholder="none: cannot be repeated",
        help="Without a seed, draws come from a cryptographic generator. With one, the same link "
        "gives the same draws, and anyone who knows the seed can undo them.",
        **kept("seed"),
    )


def game_seed() -> int:
    """The seed of a game: that of the link, or a new one."""
    if st.session_state.seed is None:
        st.session_state.seed = secrets.randbelow(10_000)
    return seed_control() or 0


def sample_controls() -> tuple[str, int]:
    """Choose words: how, and how many."""
    st.selectbox(
        "Words to look at",
        list(SAMPLES),
        format_func=lambda how: SAMPLES[how],
        key="sample",
        help="Words of your text, from the Private sentences page, stay in this session.",
        **KEPT,
    )
    st.segmented_control(
        "How many",
        COUNTS,
        key="count",
        required=True,
        disabled=st.session_state["sample"] == "text",
        help="Of your text all words are looked at, or the rarest if there are too many.",
        **KEPT,
    )
    return st.session_state["sample"], st.session_state["count"]


def support_controls() -> tuple[Support, int]:
    """Choose what S_w means, and its m."""
    support = st.selectbox(
        "S_w means",
        list(SUPPORTS),
        format_func=lambda which: SUPPORTS[which],
        key="support",
        help=deniability_wording.SUPPORT_HELP,
        **KEPT,
    )
    draws = st.segmented_control(
        "m, draws a word",
        DRAWS,
        key="draws",
        required=True,
        disabled=support == "effective",
        **KEPT,
    )
    return support, draws


def demand_controls(support: Support) -> list[targets.Demand]:
    """Tick what is wanted: words that may stay, outputs that must be possible, words to keep."""
    wanted: list[targets.Demand] = []
    which: Any = "support" if support == "effective" else "distinct"
    rows = (
        ("Chance to stay: at most … %", "stays at most", 50, 1, 100),
        ("S_w: at least …", "outputs at least", 30, 1, 10**6),
        ("Words kept: about … %", "stays about", 70, 1, 99),
    )
    for column, (label, kind, default, low, high) in zip(st.columns(3), rows, strict=True):
        with column:
            ticked = st.checkbox(
                label,
                kind == "stays at most",
                key=f"demand.{kind}",
                help=terms.explained("s_w" if kind == "outputs at least" else "n_w"),
                **KEPT,
            )
            key = f"demand.{kind}.value"
            st.session_state.setdefault(key, default)
            value = number_box(
                label,
                key,
                low=low,
                high=high,
                whole=True,
                label_visibility="collapsed",
                disabled=not ticked,
                **KEPT,
            )
            over = "worst"
            if kind != "stays about":
                over = st.segmented_control(
                    "over the words",
                    ["worst", "mean"],
                    default="worst",
                    required=True,
                    format_func=lambda o: {"worst": "worst case", "mean": "on average"}[o],
                    key=f"demand.{kind}.over",
                    label_visibility="collapsed",
                    disabled=not ticked,
                    **KEPT,
                )
            if ticked:
                amount = value if kind == "outputs at least" else value / 100
                wanted.append(
                    targets.Demand(kind, amount, "mean" if kind == "stays about" else over, which)
                )
    return wanted


def use_epsilon(cls: type[Mechanism], epsilon: float) -> None:
    """Set a mechanism's ε on every page."""
    st.session_state[_key(cls, "epsilon")] = epsilon


def _logarithmic_steps(low: float, high: float, count: int = 25) -> list[float]:
    """About `count` values from low to high in equal ratios, rounded to two digits."""
    ratio = math.log(high / low) / (count - 1)
    return sorted({float(f"{low * math.exp(i * ratio):.2g}") for i in range(count)})


def _nearest_step(steps: list[float], value: object) -> float:
    if not isinstance(value, int | float) or not 0 < value < math.inf:
        return steps[0]
    return min(steps, key=lambda step: abs(math.log(step) - math.log(value)))


def _key(cls: type[Mechanism], field: str) -> str:
    return f"{SLUGS[cls]}.{field}"


# ------------------------------------------------------------------------------ the start page


def example_epsilon(example: Dissolution) -> float:
    """An ε along the axis of the example, for looking only: it is no setting."""
    steps = _logarithmic_steps(example.low, example.high)
    return st.select_slider(
        "ε",
        steps[1:-1],  # rounding may have carried the ends beyond the axis
        value=steps[len(steps) // 2],
        key="example-eps",
        format_func=lambda step: f"{step:g}",
        help=terms.explained("epsilon"),
        **KEPT,
    )


# ------------------------------------------------------------------- the γ and the neighbours page


def theorem_controls(sought: str) -> dict[str, float]:
    """The two of ε, β and γ that are given, by field name; the third stands at its last value."""
    given = {"epsilon": "theorem-eps", "beta": "theorem-beta", "gamma": "theorem-gamma"}
    declared = {"epsilon": EPSILON, "beta": BETA, "gamma": GAMMA}
    for field, key in given.items():
        if field != sought:
            number_box(declared[field].symbol, key, help=terms.meaning(declared[field]), **KEPT)
    return {field: st.session_state[key] for field, key in given.items()}


def words_control(loaded: int) -> int:
    """|W|: that of the loaded vocabulary, or any that is typed."""
    typed = number_box(
        "|W|, number of words",
        "theorem-words",
        low=1,
        high=10**9,
        whole=True,
        optional=True,
        placeholder=f"{loaded:,} (loaded)",
        help="Leave it empty for the loaded vocabulary, or type any number of words.",
        **KEPT,
    )
    return loaded if typed is None else typed


def own_gamma_control() -> float | None:
    """A γ to compare with that of the theorem, or None."""
    return number_box(
        "γ of my own, to compare",
        "own-gamma",
        low=0,
        optional=True,
        placeholder="none",
        help="Any γ keeps TEM's privacy guarantee. What it changes is how often the ball is left.",
        **KEPT,
    )


def word_control(vocabulary: Vocabulary) -> int | None:
    """A word of the vocabulary by its id, or None where what is typed is not in it."""
    typed = st.text_input(
        "Word",
        key="map-word",
        help="Any word of the vocabulary. It stays in this session, unless you put it in the link.",
        **KEPT,
    ).strip()
    found = vocabulary.get(typed)
    return vocabulary.get(typed.lower()) if found is None else found


def word_in_link_control() -> bool:
    """Whether the word stands in the link: only where the visitor asks for it."""
    by_link = st.session_state["map-word"] != SETTINGS["map-word"].default
    st.session_state.setdefault("map-word-in-link", by_link)
    return st.toggle("Word in the link", key="map-word-in-link", **KEPT)


def overlay_control(choice: VocabularyChoice, place: DeltaGenerator) -> VocabularyChoice | None:
    """A second embedding of about the same size, converted where it has to be; or None."""
    here = session.embeddings_here()
    offered = ["", *(name for name in here if name != choice.name)]
    if st.session_state.overlay not in offered:
        st.session_state.overlay = ""
    name = st.selectbox(
        "Compare with",
        offered,
        format_func=lambda name: session.embedding_label(name) or "no other embedding",
        key="overlay",
        **KEPT,
    )
    if not name:
        return None
    with _or_end_with_the_reason(place):
        size = _size_near(choice.size, conversion.offered_sizes(here[name], place))
    other = VocabularyChoice(here[name], size, choice.words_only)
    convert(other, place)
    return other


def compared_control(vocabulary: Vocabulary) -> int | None:
    """How many words the percentiles are taken over; None for all."""
    all_offered = len(vocabulary) <= MOST_FOR_ALL
    offered = [size for size in COMPARED if size or all_offered]
    if st.session_state.compared not in offered:
        st.session_state.compared = max(offered)
    size = st.segmented_control(
        "Taken over",
        offered,
        format_func=COMPARED.__getitem__,
        key="mechanisms-compared",
        required=True,
        help="Words drawn at random, always the same. Each is compared with every word of the "
        f"vocabulary. All words are offered up to {MOST_FOR_ALL:,}.",
        **KEPT,
    )
    return size or None


def bar(
    place: DeltaGenerator, text: str, stop: Callable[[], None] | None = None
) -> session.Progress:
    """Progress as a bar in an empty place: drawn at the first share, gone at the last.

    With `stop` a button stands beside it. A press ends the run of the page at the next share, and
    `stop` takes back what asked for the work before the page is run again.
    """
    beside: list[DeltaGenerator] = []

    def show(share: float, ahead: int = 0) -> None:
        if share >= 1:
            place.empty()
            return
        if not beside and stop is None:
            beside.append(place)
        elif not beside:
            left, right = place.container().columns([5, 1], vertical_alignment="center")
            beside.append(left.empty())
            right.button("⏹ Stop", on_click=stop, width="stretch")
        beside[0].progress(share, f"{text} {prose.ahead(ahead) if ahead else f'{share:.0%}'}")

    return show


def own_words_control(vocabulary: Vocabulary) -> tuple[list[int], list[str]]:
    """Ids of the words that a visitor names, at most 20, and those that are not in the vocabulary.

    They stay in the session.
    """
    typed = st.text_input(
        "Words of my own",
        key="gamma-words",
        placeholder="such as: movie, london, sad",
        help="Up to 20, separated by commas or spaces; they are added to the sampled ones.",
        **KEPT,
    )
    words = dict.fromkeys((typed or "").replace(",", " ").split())
    ids = {word: vocabulary.get(word) for word in list(words)[:20]}
    known = [word_id for word_id in ids.values() if word_id is not None]
    return known, [word for word, word_id in ids.items() if word_id is None]


# ------------------------------------------------------------------------------- the compare page


def compare_controls() -> tuple[int, str, float]:
    """How many columns, what is made equal, and at which mean N_w or ε."""
    count = st.segmented_control("Columns", [2, 3, 4], key="columns", required=True, **KEPT)
    mode = st.segmented_control(
        "Made equal",
        list(columns.MODES),
        format_func=columns.MODES.__getitem__,
        key="compare-by",
        required=True,
        help=compare_wording.MODES_HELP,
        **KEPT,
    )
    # The value that plays no part is kept all the same.
    for key in ("kept-words", "common-eps"):
        st.session_state[key] = st.session_state[key]
    value = 0.0
    if mode == "privacy":
        value = st.slider(
            "Mean N_w: words that stay, in %, on average",
            1,
            99,
            key="kept-words",
            help=terms.explained("n_w"),
            **KEPT,
        )
    elif mode == "epsilon":
        help_here = terms.explained("epsilon")
        value = number_box("ε of all columns", "common-eps", help=help_here, **KEPT)
    return count, mode, value


def same_noise_control() -> bool:
    """Whether columns with the same mechanism share their noise."""
    return st.toggle(
        "Same noise where the mechanism is the same",
        key="same-noise",
        help=compare_wording.SAME_NOISE_HELP,
        **KEPT,
    )


# ----------------------------------------------------------------------------- the trade-off page


def view_control() -> str:
    """Which part of the trade-off page."""
    return st.segmented_control(
        "Look at",
        VIEWS,
        format_func=tradeoff_wording.VIEWS.__getitem__,
        key="view",
        required=True,
        label_visibility="collapsed",
        **KEPT,
    )


def alpha_control() -> float:
    """α, the weight of utility."""
    return st.slider(
        "α, the weight of utility (0: privacy alone, 1: utility alone)",
        0.0,
        1.0,
        step=0.01,
        key="alpha",
        help=f"{terms.explained('alpha', 'puc')}\n\n{tradeoff_wording.ALPHA_HELP}",
        **KEPT,
    )


def corpus_control(offered: Sequence[str]) -> str:
    """Which corpus's rows are looked at; that of the link where there are none."""
    if not offered:
        return st.session_state.corpus
    if st.session_state.corpus not in offered:
        st.session_state.corpus = offered[0]
    return st.selectbox("Corpus", offered, key="corpus", **KEPT)


def curves_control(offered: Sequence[str], first: Sequence[str]) -> list[str]:
    """Which curves are compared: a few at first, and those that join later; or all.

    `first` are those to look at before anything was chosen.
    """
    labels, state = list(dict.fromkeys(offered)), st.session_state
    known = state.setdefault("mechanisms-offered", [])
    new = [label for label in labels if label not in known]
    chosen = state.get("mechanisms-compared") or []
    state["mechanisms-compared"] = [label for label in labels if label in chosen] + [
        label for label in new if label in first or (known and "your " in label)
    ] or list(first)
    state["mechanisms-offered"] = [*known, *new]
    box, switch = st.columns([4, 1], vertical_alignment="bottom")
    every = switch.toggle(f"All {len(labels)}", key="all-mechanisms", **KEPT)
    picked: list[str] = box.multiselect(
        "Mechanisms to compare", labels, key="mechanisms-compared", disabled=every, **KEPT
    )
    return labels if every or not picked else picked


def changed_weights() -> list[str]:
    """The settings of weights that belong in the link: those that are not 1."""
    return [f"weight-{name}" for name in COUNTED if st.session_state[f"weight-{name}"] != 1]


class Counting(NamedTuple):
    """What counts in a score: measures, weights if they differ from 1, protocol and scale."""

    measures: list[str]
    weights: dict[str, float]
    protocol: str
    scale: str


def counted_controls() -> Counting:
    """Which measures count, their weights if they differ from 1, the protocol and the scale."""
    counted = st.pills(
        "Measures that count",
        list(COUNTED),
        format_func=lambda name: prose.plain(COUNTED[name]),
        key="counts",
        selection_mode="multi",
        help=f"{tradeoff_wording.COUNTED_HELP}\n\n"
        + terms.explained("n_w", "s_w", "pp", "cs", "low"),
        **KEPT,
    )
    protocol = st.segmented_control(
        "Classifier trained on private text, tested on",
        list(PROTOCOLS),
        format_func=tradeoff_wording.PROTOCOLS.__getitem__,
        key="tested-on",
        required=True,
        help=tradeoff_wording.PROTOCOLS_HELP,
        **KEPT,
    )
    scale = st.segmented_control(
        "Measures as",
        list(NORMALISERS),
        format_func=tradeoff_wording.SCALES.__getitem__,
        key="scale",
        required=True,
        help=tradeoff_wording.SCALES_HELP,
        **KEPT,
    )
    for name in COUNTED:  # the weight of a measure that does not count is kept all the same
        st.session_state[f"weight-{name}"] = st.session_state[f"weight-{name}"]
    st.markdown("Weights", help=tradeoff_wording.WEIGHTS_HELP)
    for name, column in zip(counted, st.columns(max(len(counted), 1)), strict=False):
        label, key = prose.plain(COUNTED[name]), f"weight-{name}"
        number_box(label, key, low=0, high=100, place=column, **KEPT)
    weights = {name: st.session_state[f"weight-{name}"] for name in counted}
    return Counting(counted, {name: w for name, w in weights.items() if w != 1}, protocol, scale)


def table_controls() -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """Which part of the benchmark's table: a corpus, and dimensions and ε, one each or all."""
    boxes = st.columns(3)
    corpus = boxes[0].segmented_control(
        "Corpus",
        list(TABLE_CORPORA),
        format_func=TABLE_CORPORA.__getitem__,
        key="table-corpus",
        required=True,
        **KEPT,
    )
    dimensions, epsilon = (
        box.segmented_control(
            label,
            offered,
            format_func=lambda n: str(n) if n else "mean",
            key=key,
            required=True,
            **KEPT,
        )
        for box, label, key, offered in (
            (boxes[1], "Dimensions", "table-dimensions", TABLE_DIMENSIONS),
            (boxes[2], "ε", "table-eps", TABLE_EPSILONS),
        )
    )
    return (
        corpus,
        (dimensions,) if dimensions else TABLE_DIMENSIONS[1:],
        (epsilon,) if epsilon else TABLE_EPSILONS[1:],
    )
