"""The look that all pages share, where the theme does not reach: contrast, focus, width, motion.

Colours of our own come in pairs, `light-dark(…)`, or are read on both backgrounds. On a projector
the type is larger, and what a class does not need is left out: downloads, help, closed panels of a
column, the teacher's note.
"""

from __future__ import annotations

import streamlit as st

from pages.shared import charts, prose

STYLE = """<style>
[data-testid="stApp"] [data-testid="stCaptionContainer"] { opacity: .85; }
[data-testid="stApp"] [kind^="primary"]:enabled {
  background: light-dark(#0b5cad, #1a6bc0); border-color: light-dark(#0b5cad, #5aa9f0);
  color: #ffffff; }
[data-testid="stMultiSelectTagsContainer"] [data-tag] {
  background: light-dark(#0b5cad, #1a6bc0); color: #ffffff; }
/* Words of a figure: as dark as the page's, but for those on a ground of their own. The numbers of
   its axes are xtick, y2tick and so on, their titles g-xtitle, g-y2title. */
[data-testid="stPlotlyChart"] :is([class$="tick"], [class^="g-"][class$="title"], .legend,
  .textpoint, .annotation) text:not([style*="fill: rgb(17, 17, 17)"]) {
  fill: currentColor !important; }
[data-testid="stMarkdownContainer"] code { font-size: .9em; }

/* The choices of a page in one row; on a phone, ε has a row of its own. */
.st-key-choices > * { flex: 1 1 7rem; min-width: 7rem; }
.st-key-choices > :first-child { flex: 2 1 11rem; }
.st-key-choices > :has(.st-key-about-q-row) { flex: 2 1 13rem; }
.st-key-choices > :has([data-testid="stFileUploader"]) { flex: 1 1 100%; }
.st-key-choices > :has(.st-key-epsilon) { flex: 4 1 17rem; }
@media (max-width: 640px) { :has(> .st-key-notes) { order: 1; } }
@media (max-width: 640px) { [data-testid="stMarkdownContainer"] :is(td, th) {
  padding: .3rem .4rem !important; font-size: .9em; } }

/* The button that shares this screen is in the corner; on a phone, where it comes. */
@media (min-width: 640px) {
  [data-testid="stLayoutWrapper"]:has(> .st-key-share) {
    position: fixed; top: .65rem; right: 9.5rem; width: auto; z-index: 999991; } }

/* A label that finds no room takes a second line. */
.stMarkdownEllipsis, .stMarkdownEllipsis p { white-space: normal !important;
  overflow: visible !important; }

/* Every picture is a QR code. Its square is kept free until it has been loaded: if it moved the
   page, an open list of options would close. */
[data-testid="stImage"] img { aspect-ratio: 1; }

/* Where the keyboard is; a div where it is one that scrolls. The ring of a box is within it, and
   that of the page too: around them it would be cut off. A slider's is around its knob. A table is
   drawn on a canvas, which cuts off its own and soon hands the focus to a cell that is nowhere on
   the screen: the ring is around the table. */
[data-testid="stApp"] :is(a, button, summary, input, textarea, div, [tabindex]):focus-visible,
[data-testid="stApp"] [data-testid="stSlider"] [data-focus-visible="true"],
[data-testid="stApp"] [data-testid="stDataFrameResizable"]:focus-within,
[data-testid="stApp"] label:has(> input:focus-visible),
[data-testid="stApp"] label:has(> span > input:focus-visible) {
  outline: 3px solid light-dark(#0b5cad, #9accff) !important; outline-offset: 2px; }
[data-testid="stApp"] :is(input, textarea, [data-testid="stMain"]):focus-visible {
  outline-offset: -3px; }

/* What a tab tells the server takes no room. */
.st-key-tab { position: absolute; width: 0 !important; overflow: hidden; }

/* Lines that can be read, and a page that fills a wide screen. */
[data-testid="stMainBlockContainer"] { max-width: 100rem; margin: 0 auto; }
:is([data-testid="stMarkdownContainer"], [data-testid="stCaptionContainer"]) > :is(p, ul, ol) {
  max-width: 80ch; }
@media (min-width: 2200px) { :root { font-size: 19px; } }
@media (min-width: 3200px) { :root { font-size: 25px; }
  [data-testid="stPlotlyChart"] :is([class$="tick"], [class^="g-"][class$="title"]) text {
    font-size: 18px !important; }
  [data-testid="stPlotlyChart"] .main-svg { overflow: visible !important; } }

@media (prefers-reduced-motion: reduce) {
  *, ::before, ::after { animation-duration: .01ms !important; transition: none !important;
    animation-iteration-count: 1 !important; scroll-behavior: auto !important; } }
</style>"""

PROJECTOR = """<style>
:root { font-size: 21px; }
@media (min-width: 1800px) { :root { font-size: 28px; } }
@media (min-width: 3200px) { :root { font-size: 44px; } }
[data-testid="stMainBlockContainer"] { padding-left: 2rem; padding-right: 2rem; }
[data-testid="stButtonGroup"] button { padding-left: .5rem; padding-right: .5rem; }
[data-testid="stLayoutWrapper"]:has(> .st-key-share) { position: static; }
:is([data-testid="stDownloadButton"], .st-key-teachers-note,
  [data-testid="stTooltipIcon"]:not(:has([data-testid^="stBaseButton"]))),
[data-testid="stColumn"] [data-testid="stExpander"]:has(> details:not([open])),
[data-testid="stColumn"]:has(
  > [data-testid="stVerticalBlock"] > :only-child > [data-testid="stDownloadButton"]) {
  display: none; }
</style>"""


def dress() -> None:
    """Give the page its look, and the projector's where that is on."""
    st.html(STYLE + prose.STYLE + (PROJECTOR if enlarge_figures() else ""))


def enlarge_figures() -> bool:
    """Make the figures of this run, or of a fragment's, for a projector if that is on."""
    on_projector = bool(st.session_state.get("projector"))
    charts.enlarge(on_projector)
    return on_projector
