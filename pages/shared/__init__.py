"""What the pages share: controls, cached results, the session, tables and prose."""

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

# Streamlit lists the scripts of any folder called `pages` by itself, and runs them without app.py,
# until `st.navigation` has run once in the server. The first visitor of a new server may come by a
# link to a page: that run is stopped here, before anything shows, and starts again through app.py.
if PagesManager.uses_pages_directory:
    PagesManager.uses_pages_directory = False
    st.rerun()
