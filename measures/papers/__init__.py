"""Claims and tables of papers, run once: each with its table and where it comes from."""
