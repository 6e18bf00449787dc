"""What the pages share: controls, cached results, the session, tables and prose."""
