"""What adversaries learn from what a mechanism releases."""
