"""One press of Back leaves a page, and links of the time before the start page.

A page that is opened writes its settings into its address. To a browser that is a second entry of
its history: Back would come to the address with fewer settings, where the page writes them again.
So an address that only gains settings replaces the one before it; every change of a setting is an
entry, and Back undoes it.

Private sentences was the first page once: its links have settings and no path.
"""

from __future__ import annotations

import time

import streamlit as st

# `/?…` never stays, since the start page has no settings: it is a link to Private sentences, or the
# settings of the next page, which may come before its path does. Those of any other page may too.
_REPLACE = """<script>
if (!window.wordveilHistory) {
  window.wordveilHistory = true;
  const push = history.pushState;
  const start = location => location.pathname.endsWith("/");
  const same = (a, b) => a === b || (a && b && Number(a) === Number(b));
  let settingsFirst = "";
  history.pushState = function (state, unused, url) {
    const there = new URL(url, location.href);
    const page = there.pathname === location.pathname;
    const gains = page && !start(location) && [...new URLSearchParams(location.search)].every(
      ([name, value]) => same(value, there.searchParams.get(name)));
    const passing = start(location) && location.search
      || !page && location.href === settingsFirst && location.search === there.search;
    settingsFirst = page && !gains ? there.href : "";
    setTimeout(() => { settingsFirst = ""; }, 1000);
    return (gains || passing ? history.replaceState : push).call(this, state, unused, url);
  };
}
</script>"""

# A browser has run the script above after this time, so that an old link leaves no entry.
_SECONDS = 0.2


def one_press_back() -> None:
    """Have the browser keep one entry for a page that was opened."""
    st.html(_REPLACE, unsafe_allow_javascript=True)


def is_old_link(page: str) -> bool:
    """Whether this is a link to Private sentences without a path; `page` is a page's address."""
    return not page and bool(st.query_params.to_dict())


def follow_old_link() -> None:
    """Open Private sentences, with its settings, if this is a link to it without a path."""
    if is_old_link(""):
        time.sleep(_SECONDS)
        st.switch_page("pages/perturb/page.py", query_params=st.query_params.to_dict())
