"""What comes with the project: embeddings, corpora, synonyms and published tables."""
