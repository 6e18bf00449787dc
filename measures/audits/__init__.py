"""A promise held against what a mechanism does."""
