"""What an adversary recovers: from one release, from several, from the neighbours alone."""

import streamlit as st

from measures.attacks import authorship, membership, recovery
from measures.attacks.success_bound import success_bound
from pages.attacks import (
    controls,
    guesses,
    membership_charts,
    membership_tables,
    results,
    wording,
)
from pages.attacks import membership_wording as learnt
from pages.attacks import (
    tables as tables_attacks,
)
from pages.shared import (
    adversaries,
    attack_charts,
    cached,
    downloads,
    draws,
    ledger,
    link,
    material,
    mechanism_picker,
    page_end,
    prose,
    subject,
    terms,
    text_controls,
    vocabulary_picker,
)
from pages.shared.settings import KEPT

MOST_CHARACTERS = 2_000

st.html(guesses.STYLE)
st.session_state.setdefault("text", material.EXAMPLE)

st.header("What does an adversary recover?")
terms.words_here("adversary", "epsilon", "law", "n_w", "privacy_budget")
terms.cite("feyisetan2020", "carvalho2023", "shokri2017", "song2019", "zhai2004")
stage, panel = st.columns([5, 2], gap="large")  # what is named is seen first, on a phone too

# --------------------------------------------------------------------------------------- controls
with panel:
    playing = st.toggle("🎲 Class game", key="game", **KEPT)
    mechanism_box = st.container()
    prior = controls.prior_control(of_file=material.has_file() and not playing)
    with st.expander("Vocabulary, seed", expanded=playing):
        seed = controls.game_seed() if playing else text_controls.seed_control()
        choice = vocabulary_picker.vocabulary_controls(stage)
    with mechanism_box:
        mechanism = mechanism_picker.mechanism_controls(choice, stage)
link.write(mechanism, "prior", "seed", "text", "game", *(["round"] if playing else []))
vocabulary = cached.vocabulary(choice)

# -------------------------------------------------------------------------------------- the game
if playing:
    number = st.session_state["round"]
    this_round = (seed, number, mechanism, vocabulary.fingerprint)
    with stage:
        st.markdown(wording.GAME_INTRODUCTION)
        try:
            knows = adversaries.adversary(mechanism, prior, choice, st.empty())
            game = results.game_round(knows, seed, number)
        except ValueError as error:
            st.error(prose.plain(str(error)))
            page_end.stop()
        st.caption(wording.game_settings(mechanism, seed, number))
        st.html(guesses.asked(game.private, game.asked))
        played = results.played(this_round)
        with st.form(f"round.{hash(this_round)}"):
            for position, (released, choices) in enumerate(
                zip(game.released, game.choices, strict=True), 1
            ):
                st.radio(
                    wording.game_question(position, vocabulary.words[released]),
                    choices,
                    format_func=lambda word: prose.plain(vocabulary.words[word]),
                    index=None,
                    horizontal=True,
                    key=results.pick_key(this_round, position),
                    disabled=played is not None,
                )
            st.form_submit_button(
                wording.GAME_SUBMIT,
                type="primary",
                on_click=results.answer,
                args=(this_round, game),
                disabled=played is not None,
            )
        if blanks := results.blanks(this_round):
            st.warning(wording.game_blanks(blanks))
        if played is not None:
            st.subheader(wording.game_result(played.score))
            st.html(guesses.answered(tables_attacks.answers(game, played.picks, vocabulary)))
            st.markdown(wording.game_total([each.score for each in results.all_played()]))
            st.button("▶ Next sentence", on_click=results.next_round, type="primary")
        st.caption(wording.GAME_MORE)
    page_end.stop()

# ------------------------------------------------------------------------------- your own sentence
with stage:
    of_this_page = subject.control("text", material.EXAMPLE, MOST_CHARACTERS)
    text = of_this_page.text
    if len(text) > MOST_CHARACTERS or not text.strip():
        st.info(wording.text_wanted(len(text), MOST_CHARACTERS))
        page_end.stop()
    try:
        if of_this_page.of_file:
            found = adversaries.expected(mechanism, vocabulary)
            st.markdown(adversaries.expected_of_file(of_this_page.name, mechanism, found))
        asked = draws.Asked(text, mechanism, vocabulary, wording.RELEASES, "random", seed)
        if of_this_page.waits and not asked.is_drawn:
            of_this_page.ask(wording.RELEASES)
            page_end.stop()
        private = draws.draw(asked, "lower", of_this_page.ledger)
        knows = adversaries.adversary(mechanism, prior, choice, st.empty())
    except ValueError as error:
        st.error(prose.plain(str(error)))
        page_end.stop()
    positions, typed, released = results.words(private)
    if not len(typed):
        st.info(wording.NO_WORDS)
        page_end.stop()
    attack, attack_all = results.attack(knows, typed, released, st.empty())

    st.subheader(wording.finding(attack, mechanism.epsilon))
    st.html(guesses.attacked(private, tables_attacks.by_position(attack, positions, vocabulary)))
    st.html(guesses.attacked_legend(results.MOST_WORDS))
    st.markdown(wording.meaning(attack, vocabulary))
    if unknown := wording.unknown_words(attack, vocabulary):
        st.markdown(unknown)
    st.caption(wording.INTRODUCTION)
    again, spent = st.columns([2, 5], vertical_alignment="center")
    again.button("🎲 Release again", on_click=draws.draw_again, width="stretch")
    spent.markdown(prose.spent(ledger.spent(of_this_page.ledger)), help=wording.SPENT_HELP)

    # ----------------------------------------------------------------------------- several releases
    st.subheader("Why drawing again costs")
    if attack_all:
        st.button(wording.averaging_slow(wording.RELEASES), on_click=attack_all)
    else:
        st.markdown(wording.averaging_finding(attack, mechanism, vocabulary))
        downloads.figure(
            st,
            attack_charts.averaging(
                attack.named_after, mechanism.name, mechanism.epsilon, attack.exact
            ),
            key="averaging",
            alt=prose.without_marks(wording.averaging_finding(attack, mechanism, vocabulary)),
        )
        st.caption(wording.HOW_TO_READ_AVERAGING)

    # --------------------------------------------------------------------------------- word by word
    st.subheader("Word by word, against the promise")
    st.markdown(wording.WORDS_INTRODUCTION)
    st.markdown(wording.worst_word(attack, vocabulary))
    st.dataframe(
        tables_attacks.guesses(attack, vocabulary),
        column_config=tables_attacks.guess_columns(),
        hide_index=True,
        width="stretch",
    )
    st.caption(wording.allowed(success_bound(mechanism, vocabulary, knows.log_prior)))

# -------------------------------------------------------------------------------- over a corpus
rows = recovery.rows()
guessed = [row for row in rows if row.attack == "guess"]
st.subheader("Over a corpus")
st.markdown(wording.CURVES_INTRODUCTION)
st.markdown(f"**{wording.curves_finding(guessed)}**")
by_epsilon, by_kept = st.columns(2, gap="large")
for column, against in ((by_kept, "n_w"), (by_epsilon, "epsilon")):
    downloads.figure(
        column,
        attack_charts.success(guessed, against),
        key=f"success.{against}",
        alt=prose.without_marks(wording.curves_finding(guessed)),
    )
st.caption(wording.HOW_TO_READ_CURVES)
if absent := prose.not_measured(row.mechanism for row in guessed):
    st.caption(absent)
averaged = [row for row in rows if row.attack == "averaging"]
downloads.figure(
    st,
    attack_charts.averaged(averaged),
    key="averaged",
    alt=wording.how_to_read_averaged(averaged),
)
st.caption(wording.how_to_read_averaged(averaged))

# ------------------------------------------------------------------------------- neighbours alone
st.subheader("What word-level privacy does not protect")
st.markdown(wording.MASKED_INTRODUCTION)
own, by_private, total = results.named_by_neighbours(private, choice)
st.markdown(wording.masked_finding(own, by_private, total))
st.markdown(wording.masked_over_corpus(rows))
downloads.figure(
    st,
    attack_charts.masked([row for row in rows if row.attack == "masked"], guessed),
    key="masked",
    alt=prose.without_marks(wording.masked_over_corpus(rows)),
)
st.caption(wording.HOW_TO_READ_MASKED)
downloads.download(
    "⬇️ Attacks over the corpus (CSV)",
    tables_attacks.success_rows(rows),
    "attacks.csv",
    settings=False,
)

# ---------------------------------------------------------------------------- who was learnt from
st.subheader("Was this text used to train a model?")
st.markdown(learnt.MEMBERSHIP_INTRODUCTION)
trained = membership.shipped()
fasttext = [row for row in trained if row.way == "fasttext"]
found = learnt.membership_finding(fasttext)
st.markdown(f"**{found}**")
accuracy, leak = st.columns(2, gap="large")
for column, measure, title in (
    (accuracy, "accuracy", "new reviews classified correctly"),
    (leak, "auc", "AUC of the attack"),
):
    downloads.figure(
        column,
        membership_charts.membership(fasttext, measure, title, membership.PRINTED),
        key=f"membership.{measure}",
        alt=found,
    )
st.caption(learnt.MEMBERSHIP_HOW_TO_READ)
st.markdown(f"**{learnt.price(fasttext)}**")
downloads.figure(st, membership_charts.price(fasttext), key="price", alt=learnt.price(fasttext))
st.caption(learnt.PRICE_HOW_TO_READ)
st.markdown(learnt.logistic([row for row in trained if row.way == "logistic"]))

st.subheader("Whose texts were used to train a model?")
st.markdown(learnt.AUDIT_INTRODUCTION)
audited = authorship.shipped()
found = learnt.audit_finding(audited, "CMP")
st.markdown(f"**{found}**")
named, ranked = st.columns(2, gap="large")
for column, measure, title in ((named, "recall", "people named"), (ranked, "auc", "AUC")):
    downloads.figure(
        column, membership_charts.audit(audited, measure, title), key=f"audit.{measure}", alt=found
    )
st.caption(learnt.AUDIT_HOW_TO_READ)
for way in ("plain", "adaptive"):
    st.markdown(learnt.TABLE_OURS.format(mechanism="CMP", way=way))
    st.dataframe(membership_tables.audit(audited, "CMP", way), width="stretch")
st.markdown(learnt.TABLE_PRINTED)
st.dataframe(membership_tables.printed_audit(authorship.printed()), width="stretch")
st.caption(learnt.AUDIT_DIFFERENCE)
for name, table in (("membership", trained), ("provenance", audited)):
    downloads.download(
        f"⬇️ {name.capitalize()} (CSV)",
        membership_tables.trials(table),
        f"{name}.csv",
        settings=False,
    )
