"""Data of the project: embeddings, corpora, synonyms and published tables."""
