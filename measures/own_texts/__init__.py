"""What mechanisms do to one file of texts, measured on these texts."""
