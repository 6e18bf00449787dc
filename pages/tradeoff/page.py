"""Utility against privacy, measured: who leads at which α, here and in the benchmark's table."""

import streamlit as st

from data import published
from measures.papers import base_measure_claim, benchmark_tables, gumbel_claim
from measures.sweeps import regression, scores
from measures.sweeps.contest import contest
from pages.shared import downloads, link, material, prose, terms
from pages.shared.fragments import fragment
from pages.shared.panels import panel
from pages.tradeoff import (
    charts,
    claims_wording,
    controls,
    results,
    sweeps,
    tables,
    verdicts,
    wording,
)
from release.grammar import counted


def on_each_scale() -> None:
    every_scale = results.contests(corpus, counting, chosen, alpha)
    st.dataframe(
        tables.scales(every_scale, wording.SCALES),
        column_config=tables.one_decimal("utility of guessing", "PUC"),
        hide_index=True,
        width="stretch",
    )
    st.caption(wording.HOW_TO_READ_SCALES)


if sweeps.asked_for_the_file():
    st.switch_page("pages/your_data/page.py")
st.header("What does privacy cost? The trade-off")
st.markdown(wording.INTRODUCTION)
terms.words_here("puc", "alpha", "n_w", "s_w", "pp", "cs", "low")
terms.cite("meisenbacher2024", "xu2021b", "carvalho2023", "joulin2017", "maas2011", "zhang2015")
view = controls.view_control()
rows = results.rows()

# ------------------------------------------------------------------------- results of sweeps, live
if view == "measured":
    left, right = st.columns([3, 1], gap="large")
    with left:
        alpha = controls.alpha_control()
    with right:
        corpus = controls.corpus_control(results.corpora_of(rows))
    st.caption(wording.A_PRIORI)
    if material.has_file():
        st.info(wording.answers_for(corpus, material.name()))
    here = [row for row in rows if row["corpus"] == corpus]
    which, stage = st.container(), st.container()
    with st.expander("What counts, how much, and on which scale"):
        counting = controls.counted_controls()
        every, problem = results.points_of(corpus, counting)
    with stage:
        if not here:
            st.info(wording.NOTHING_YET)
        elif problem or not len(every):
            st.info(problem or wording.nothing_left(every))
        else:
            with which:
                chosen = controls.curves_control(every.curve, scores.first_choice(every))
            found = every.of_curves(chosen)
            order, result = scores.ranked(found, alpha), contest(found, alpha)
            first = result.chosen[0]  # with repetitions this need not be the highest point
            finding = verdicts.leading(found, order, result, alpha)
            st.subheader(finding)
            st.markdown(verdicts.lead(found, result))
            if warning := verdicts.notions(found):
                st.markdown(warning)
            downloads.figure(
                st,
                charts.plane(
                    sweeps.curves(found),
                    [side.value[order.front] for side in (found.privacy, found.utility)],
                    (
                        verdicts.at_epsilon(found, first),
                        found.privacy.value[first],
                        found.utility.value[first],
                    ),
                    alpha,
                    wording.AXIS_PRIVACY,
                    wording.axis_utility(counting.measures),
                ),
                key="plane",
                alt=prose.without_marks(finding),
            )
            sweeps.hand_over(here, found.curve[first], float(found.epsilon[first]))
            axes = wording.axes(counting.measures, counting.weights, counting.scale)
            st.caption(f"{wording.HOW_TO_READ_PLANE} {axes}")
            st.caption(f"{wording.scope(found, here)} {verdicts.unpaired(result)}")
            if absent := results.not_measured(here):
                st.caption(absent)
            if about := scores.provenance():
                st.caption(wording.provenance(about))

            shares = sweeps.shares_of_lead(found, order)
            with st.expander("The ranking, and how certain it is"):
                ranking = tables.ranking(found, order, result, shares)
                st.dataframe(
                    ranking,
                    column_config=tables.ranking_columns(),
                    hide_index=True,
                    width="stretch",
                    height="content",
                )
                st.caption(f"{wording.HOW_TO_READ_RANKING} {verdicts.comparisons(result)}")
                sweeps.offer_rows(here, ranking)
            panel(
                "The same rows on each scale: the leader can depend on the scale",
                "scales-panel",
                on_each_scale,
            )
            changes = counted(len(order.segments) - 1, "time")
            with st.expander(f"Every α: the order changes {changes}"):
                downloads.figure(
                    st,
                    charts.over_alpha(
                        sweeps.ALPHAS,
                        sweeps.lines(found),
                        alpha,
                        scores.changes_of_lead(found, order),
                        legend=True,
                    ),
                    key="over-alpha",
                    alt=prose.without_marks(verdicts.changes(order, shares)),
                )
                st.caption(wording.HOW_TO_READ_OVER_ALPHA)
                st.markdown(verdicts.changes(order, shares))
                st.dataframe(tables.changes(order), hide_index=True, width="stretch")

    with st.expander("▶ Run a small sweep yourself", expanded=not here or material.has_file()):
        st.markdown(wording.run_introduction(sweeps.SPREAD))
        sweeps.run_form()
        progress = st.container()
        for error in sweeps.errors():
            st.warning(prose.plain(error))
    with st.expander("Show the rows of your own sweep"):
        sweeps.file_form()
    running = sweeps.unfinished()

    @fragment(run_every=1.0 if running else None)
    def watching() -> None:
        if running is not None and sweeps.show_progress(running):
            st.rerun()

    with progress:
        watching()

# ---------------------------------------------------------------------- the benchmark's own table
elif view == "published":
    alpha = controls.alpha_control()
    part = controls.table_controls()
    printed, computed, cells = sweeps.table_9(*part, alpha)
    found = sweeps.table_points(*part)
    order = scores.ranked(found, alpha)
    finding = wording.table_finding(printed, computed, alpha)
    st.subheader(finding)
    st.markdown(wording.misprints(cells))
    orders, lines = st.columns(2, gap="medium")
    downloads.figure(
        orders, charts.two_orders(printed, computed), key="orders", alt=prose.without_marks(finding)
    )
    orders.caption(
        f"{wording.HOW_TO_READ_ORDERS} {wording.printed_note(alpha, benchmark_tables.ALPHAS)}"
    )
    downloads.figure(
        lines,
        charts.over_alpha(
            sweeps.ALPHAS,
            sweeps.lines(found),
            alpha,
            scores.changes_of_lead(found, order),
            sweeps.printed_marks(*part),
            legend=True,
        ),
        key="table-lines",
        alt=prose.without_marks(verdicts.changes(order)),
    )
    lines.caption(wording.HOW_TO_READ_TABLE_LINES)
    st.markdown(f"Recomputed: {verdicts.changes(order)}")
    both = tables.two_orders(printed, computed, cells)
    st.dataframe(
        both,
        column_config=tables.two_decimals("printed PUC", "recomputed PUC"),
        hide_index=True,
        width="stretch",
    )
    downloads.download("⬇️ Both rankings (CSV)", both, "table-9.csv", settings=False)
    st.markdown(wording.A_PRIORI)

    st.subheader("Errors in the benchmark's tables, and the evidence")
    for title, evidence, concerned in tables.problems():
        with st.expander(title):
            st.markdown(prose.plain(evidence))
            st.dataframe(concerned, hide_index=True, width="stretch")
    cells = tables.cells(benchmark_tables.cells())
    with st.expander(f"All {len(cells)} cells of Table 9 beside Equation 4"):
        st.dataframe(
            cells,
            column_config=tables.two_decimals("printed", "recomputed"),
            hide_index=True,
            width="stretch",
        )

# ------------------------------------------------------------------------- Table 4, fitted again
elif view == "regression":
    printed = published.load("meisenbacher2024_regression")
    fits = sweeps.fits(rows)
    without = regression.table_4(benchmark_tables.rows(), without=("epsilon",))
    finding = wording.fit_finding(printed["r_squared"].iloc[0], fits, without)
    st.markdown(wording.REGRESSION_INTRODUCTION)
    st.markdown(finding)
    downloads.figure(
        st,
        charts.coefficients(
            [wording.TERMS[term] for term in regression.PREDICTORS],
            tables.coefficients(printed, fits),
        ),
        key="coefficients",
        alt=prose.without_marks(finding),
    )
    st.caption(wording.HOW_TO_READ_COEFFICIENTS)
    table = tables.fits(printed, fits)
    st.dataframe(
        table, column_config=tables.fit_columns(list(fits)), hide_index=True, width="stretch"
    )
    downloads.download("⬇️ Fits (CSV)", table, "regression.csv", settings=False)
    st.caption(wording.REGRESSION_LIMITS)

# ------------------------------------------------------------------------------ the two claims
else:
    standings = gumbel_claim.standings(rows)
    st.subheader("Does Gumbel lead if utility counts more, and fall if privacy counts more?")
    st.markdown(claims_wording.gumbel_finding(standings))
    st.dataframe(tables.standings(standings), hide_index=True, width="stretch", height="content")
    st.caption(claims_wording.HOW_TO_READ_STANDINGS)
    st.caption(f"{claims_wording.GUMBEL_CLAIM} {claims_wording.GUMBEL_COMMAND}")

    st.subheader("At the same ε, does a classifier learn more from TEM's text than from CMP's?")
    answers = sweeps.tem_findings()
    st.markdown(claims_wording.tem_finding(answers))
    if answers:
        st.dataframe(
            tables.tem_answers(answers), hide_index=True, width="stretch", height="content"
        )
        st.caption(claims_wording.HOW_TO_READ_TEM)
    st.caption(f"{claims_wording.TEM_CLAIM} {claims_wording.TEM_COMMAND}")

    answer = base_measure_claim.shipped()
    st.subheader("Does a public base measure make better text at the same privacy?")
    st.markdown(claims_wording.base_measure_finding(base_measure_claim.comparisons(answer.rows)))
    st.markdown(claims_wording.base_measure_why(answer.rows))
    if answer.rows:
        st.dataframe(
            tables.base_measure_answers(answer.rows),
            hide_index=True,
            width="stretch",
            height="content",
        )
        st.caption(claims_wording.HOW_TO_READ_BASE_MEASURE)
        st.caption(claims_wording.base_measure_provenance(answer.provenance))
    st.caption(claims_wording.BASE_MEASURE_CLAIM)

link.write(
    None,
    *("view", "alpha", "corpus", "counts", "tested-on", "scale"),
    *("table-corpus", "table-dimensions", "table-eps"),
    *controls.changed_weights(),
)
