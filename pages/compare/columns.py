"""The columns of the Compare page: what stands in each, its controls, and its place in the link.

A column is a mechanism with all its parameters, the embedding it works in (empty: the page's own),
whether it is pinned, and the number of its stream of randomness, which it takes along when it is
swapped. In the link a column is one value: `tem;eps=3.2;beta=0.001;pinned`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from data import embeddings
from data.embeddings import VocabularyChoice
from measures.audits.findings import titled
from measures.own_texts.among_words import success_among
from measures.words import targets, tradeoff
from measures.words.tradeoff import Tradeoff
from mechanisms import CMP, MECHANISMS, TEM, Mechanism, SanText, Vocabulary, typed_numbers
from mechanisms.base import Parameter
from mechanisms.base_measure import source_of_q
from mechanisms.estimate import joined
from mechanisms.text import Case, Unknown
from mechanisms.vocabulary import Floats
from pages.compare import column_draws
from pages.compare import wording as compare_wording
from pages.compare.column_draws import ColumnDraw
from pages.shared import (
    base_measures,
    cached,
    conversion,
    own_corpus,
    own_embedding,
    prose,
    shared_work,
    terms,
)
from pages.shared.jobs import Job
from pages.shared.number_box import just_typed, number_box
from pages.shared.settings import URL_NAMES
from pages.shared.subject import Subject

MOST = 4
SLUGS = {cls: cls.slug() for cls in MECHANISMS}
MODES = {
    "privacy": "Equal mean N_w",
    "worst": "Equal worst N_w",
    "outputs": "Equal S_w",
    "named": "Equal share guessed",
    "epsilon": "Equal ε",
    "own": "Separate ε",
}
EQUAL: dict[str, targets.Equal] = {
    "privacy": "mean N_w",
    "worst": "worst N_w",
    "outputs": "mean S_w",
}

_BY_SLUG = {slug: cls for cls, slug in SLUGS.items()}

# Words of the sample that are computed in one piece of work.
_PIECE = 10


@dataclass(frozen=True)
class Column:
    """One column, as chosen."""

    mechanism: Mechanism
    embedding: str = ""
    pinned: bool = False
    stream: int = 1


DEFAULTS = (
    Column(CMP(epsilon=8.0), stream=1),
    Column(TEM(epsilon=8.0), stream=2),
    Column(SanText(epsilon=8.0), stream=3),
    Column(CMP(epsilon=16.0), stream=4),
)


# --------------------------------------------------------------------------------------- the link


def read(text: str, stream: int) -> Column:
    """A column from its text in the link; ValueError says the rule."""
    slug, *rest = text.split(";")
    if slug not in _BY_SLUG:
        raise ValueError(f"must begin with one of {', '.join(_BY_SLUG)}")
    cls = _BY_SLUG[slug]
    names = {URL_NAMES.get(field, field): field for field in cls.parameters()}
    values: dict[str, Any] = {}
    column = Column(cls(epsilon=8.0), stream=stream)
    for part in filter(None, rest):
        name, _, value = part.partition("=")
        if name == "pinned" and not value:
            column = replace(column, pinned=True)
        elif name == "stream":
            if value not in {str(number) for number in range(1, MOST + 1)}:
                raise ValueError(f"has a stream that must be a number from 1 to {MOST}")
            column = replace(column, stream=int(value))
        elif name == "embedding":
            if value not in (known := {each.name: each for each in embeddings.for_everyone()}):
                raise ValueError(f"has an embedding that must be one of {', '.join(known)}")
            if missing := known[value].how_to_get:
                raise ValueError(f"cannot have this embedding: {missing.rstrip('.')}")
            column = replace(column, embedding=value)
        elif name in names:
            values[names[name]] = _value(cls.parameters()[names[name]], value)
        else:
            raise ValueError(f"has a parameter {name}, which {cls.name} does not have")
    return replace(column, mechanism=cls(**{"epsilon": 8.0, **values}))


def write(column: Column, stream: int) -> str:
    """A column as its text in the link."""
    parts = [SLUGS[type(column.mechanism)]]
    for field in column.mechanism.parameters():
        value = getattr(column.mechanism, field)
        if value is not None:
            text = value if isinstance(value, str) else repr(value)
            parts.append(f"{URL_NAMES.get(field, field)}={text}")
    label = own_embedding.embedding_label(column.embedding)
    parts += [f"embedding={label}"] * bool(label)
    parts += [f"stream={column.stream}"] * (column.stream != stream)
    parts += ["pinned"] * column.pinned
    return ";".join(parts)


def _value(declared: Parameter, text: str) -> Any:
    if declared.choices:
        value: Any = text
    else:
        try:
            value = typed_numbers.real(text)
        except ValueError as error:
            raise ValueError(f"has a {declared.symbol} that {error}") from None
    if problem := declared.problem(value):
        raise ValueError(f"has a {declared.symbol} that {problem.rstrip('.')}")
    return value


# ------------------------------------------------------------------------------------ the columns


def renew() -> None:
    """Make the controls of all columns begin anew, with what their columns say."""
    st.session_state["column_controls"] = st.session_state.get("column_controls", 0) + 1


def shown(count: int) -> list[Column]:
    """The columns of the moment, each with a stream of its own."""
    columns = [st.session_state[f"column-{number}"] for number in range(1, count + 1)]
    if len({column.stream for column in columns}) < count:
        columns = [replace(each, stream=i + 1) for i, each in enumerate(columns)]
        for number, column in enumerate(columns, 1):
            st.session_state[f"column-{number}"] = column
    return columns


def choice_of(column: Column, choice: VocabularyChoice) -> VocabularyChoice:
    """The vocabulary of a column: the page's, or about as many words of its own embedding.

    It has counts of the visitor's corpus if the column's mechanism asks for them.
    """
    source = source_of_q(column.mechanism)
    here = own_embedding.embeddings_here()
    if column.embedding == choice.name or column.embedding not in here:
        return own_corpus.counted(choice, source)
    embedding = here[column.embedding]
    with conversion.bar(embedding, st) as show:
        offered = embedding.sizes(show)
        size = max((o for o in offered if o <= choice.size), default=offered[0])
        embedding.convert(size, show)
    return own_corpus.counted(VocabularyChoice(embedding, size, choice.words_only), source)


def _controls(number: int, column: Column, with_epsilon: bool) -> Column:
    """The controls of one column, and what they say. A pinned column has none.

    Raises ValueError or TypeError, with a sentence for the screen, if a value is not allowed.
    """
    prefix = f"column.{st.session_state.get('column_controls', 0)}.{number}"
    held = column.pinned
    cls: type[Mechanism] = st.selectbox(
        f"Mechanism {number}",
        MECHANISMS,
        MECHANISMS.index(type(column.mechanism)),
        format_func=lambda c: c.name,
        key=f"{prefix}.mechanism",
        help=terms.all_cards(),
        disabled=held,
    )
    st.caption(terms.card(cls))
    same = cls is type(column.mechanism)
    values: dict[str, Any] = {"epsilon": column.mechanism.epsilon}
    with st.expander("Parameters, embedding"):
        for field, declared in cls.parameters().items():
            if field == "epsilon" and not with_epsilon:
                continue
            default = cls.__dataclass_fields__[field].default if field != "epsilon" else 8.0
            current = getattr(column.mechanism, field) if same else default
            if field == "epsilon":
                current = column.mechanism.epsilon
            key = f"{prefix}.{SLUGS[cls]}.{field}"
            values[field] = _parameter(key, declared, current, held)
        offered = ["", *own_embedding.embeddings_here()]
        embedding = st.selectbox(
            "Embedding of this column",
            offered,
            offered.index(column.embedding) if column.embedding in offered else 0,
            format_func=lambda name: own_embedding.embedding_label(name) or "that of the page",
            key=f"{prefix}.embedding",
            disabled=held,
        )
    return replace(column, mechanism=cls(**values), embedding=embedding)


def _parameter(key: str, declared: Parameter, current: Any, held: bool) -> Any:
    meaning = terms.meaning(declared)
    if declared.choices:
        at = declared.choices.index(current)
        return st.selectbox(
            declared.symbol, declared.choices, at, key=key, help=meaning, disabled=held
        )
    st.session_state[key] = just_typed(key, current)
    return number_box(
        declared.symbol,
        key,
        optional=declared.optional,
        help=meaning,
        placeholder="by the theorem" if declared.optional else None,
        disabled=held,
    )


# ---------------------------------------------------------------------------- where a column stands


@dataclass(frozen=True, eq=False)
class Stand:
    """A column at the ε where it stands, or why it has none."""

    number: int
    column: Column
    choice: VocabularyChoice
    mechanism: Mechanism | None = None
    problem: str = ""
    work: Job | None = None
    found: Tradeoff | None = None

    @property
    def label(self) -> str:
        """The column's number and mechanism."""
        title = f"{self.number} · {titled(self.column.mechanism)}"
        embedding = own_embedding.embedding_label(self.column.embedding)
        return f"{title}, {embedding}" if embedding else title

    @property
    def vocabulary(self) -> Vocabulary:
        """The column's vocabulary."""
        return cached.vocabulary(self.choice)


def stand(number: int, column: Column, choice: VocabularyChoice, mode: str, value: float) -> Stand:
    """Show a column's controls and put it at its ε: that of the mode, or its own where pinned."""
    try:
        column = _controls(number, column, mode == "own")
        st.session_state[f"column-{number}"] = column
        choice = choice_of(column, choice)
        base_measures.panel(column.mechanism.family(), choice, f"about-q.{number}")
        at = Stand(number, column, choice)
        work = computation(column.mechanism, at.choice)
        at = replace(at, work=work, found=result(work))
        if work.error is not None:
            return replace(at, problem=prose.plain(str(work.error)))
        if column.pinned or mode == "own":
            return replace(at, mechanism=column.mechanism)
        if mode == "epsilon":
            return replace(at, mechanism=column.mechanism.family().at(value))
        if at.found is None:
            return at
        family = column.mechanism.family()
        if mode == "named":
            naming = adversary(column.mechanism, at.choice)
            if naming.error is not None:
                return replace(at, problem=prose.plain(str(naming.error)))
            if not naming.finished:
                return replace(at, work=naming, found=None)
            grid = at.found.curves.epsilons
            success = joined(naming.results).value
            match = targets.where_equal(family, grid, success, value, _between(grid, success))
        else:
            match = targets.matched(family, at.found.curves, value, EQUAL[mode])
        if match.mechanism is None:
            epsilons = at.found.curves.epsilons
            reach = compare_wording.out_of_reach(match, column.mechanism, value, epsilons, mode)
            return replace(at, problem=reach)
        found = _rounded(match.mechanism)
        st.session_state[f"column-{number}"] = replace(column, mechanism=found)  # into the link
        return replace(at, mechanism=found)
    except (TypeError, ValueError, OSError) as error:
        sentence = prose.plain(str(error))
        return Stand(number, column, choice, problem=sentence)


def _between(grid: Floats, values: Floats) -> Callable[[float], float]:
    """Values read between the points of a grid of ε, along a straight line in log ε."""
    return lambda epsilon: float(np.interp(np.log(epsilon), np.log(grid), values))


def adversary(mechanism: Mechanism, choice: VocabularyChoice) -> Job:
    """The share of a public sample of words that an adversary names, at every ε of the grid."""
    vocabulary = cached.vocabulary(choice)
    family = mechanism.family()
    grid = cached.epsilon_grid(family, choice, tradeoff.POINTS)
    word_ids = tradeoff.sampled_words(family, vocabulary)
    pieces = [
        partial(success_among, family, vocabulary, word_ids, grid[i : i + _PIECE])
        for i in range(0, len(grid), _PIECE)
    ]
    key = ("named", family, vocabulary.fingerprint, tuple(word_ids.tolist()))
    return shared_work.shared_job(pieces, key, vocabulary)


def _rounded(mechanism: Mechanism) -> Mechanism:
    """ε with four digits: as it is shown, typed and put into a script."""
    return replace(mechanism, epsilon=float(f"{mechanism.epsilon:.4g}"))


def computation(mechanism: Mechanism, choice: VocabularyChoice) -> Job:
    """N_w, S_w and the distance moved of a public sample on a grid of ε; shared by all sessions."""
    vocabulary = cached.vocabulary(choice)
    family = mechanism.family()
    grid = cached.epsilon_grid(family, choice, tradeoff.POINTS)
    word_ids = tradeoff.sampled_words(family, vocabulary)
    pieces = [
        partial(tradeoff.tradeoff, family, vocabulary, word_ids[i : i + _PIECE], grid)
        for i in range(0, len(word_ids), _PIECE)
    ]
    key = ("tradeoff", family, vocabulary.fingerprint, tuple(word_ids.tolist()))
    return shared_work.shared_job(pieces, key, vocabulary)


def result(job: Job) -> Tradeoff | None:
    """What a finished job found; None while it runs, and where it failed."""
    if job.error is not None or not job.finished or not job.results:
        return None
    return tradeoff.joined_tradeoffs(job.results)


def waited_for(stands: list[Stand]) -> dict[str, Job]:
    """The work of the columns that could not be shown whole when the page was drawn."""
    return {
        each.label: each.work
        for each in stands
        if each.work is not None and each.found is None and not each.problem
    }


def show_progress(waiting: dict[str, Job]) -> bool:
    """A bar for each that is still computed, or why it failed; whether one more is done."""
    for label, job in waiting.items():
        if job.error is not None:
            st.error(prose.plain(str(job.error)))
        else:
            st.progress(job.share, compare_wording.comparing(label, job.share))
    return any(job.finished and job.error is None for job in waiting.values())


def same_promise(stands: list[Stand]) -> bool:
    """Whether all columns keep metric DP in one distance: one mechanism, but for base measures."""
    promises = set()
    for each in stands:
        if each.mechanism is None:
            return False
        plain = each.mechanism.without_base_measure() or each.mechanism
        promise = each.mechanism.guarantee(each.vocabulary)
        if not promise.holds or promise.notion != "metric DP":
            return False
        promises.add((titled(plain), each.choice.of_words, promise.distance))
    return len(promises) == 1


def shares_noise(one: Stand, stands: list[Stand]) -> bool:
    """Whether another column has the same mechanism, in the same variant and vocabulary."""
    return any(
        other is not one
        and other.choice == one.choice
        and titled(other.column.mechanism) == titled(one.column.mechanism)
        for other in stands
    )


def draw(
    one: Stand,
    stands: list[Stand],
    subject: Subject,
    settings: tuple[int, Unknown, Case, int | None],
    same_noise: bool,
) -> ColumnDraw | None:
    """The private versions of one column: `settings` are versions, unknown, case, seed.

    None if the text waits for the visitor to ask for a draw.
    """
    assert one.mechanism is not None
    shared = same_noise and shares_noise(one, stands)
    stream = one.column.stream
    return column_draws.draw_column(
        subject, one.mechanism, one.vocabulary, *settings, stream, shared
    )
