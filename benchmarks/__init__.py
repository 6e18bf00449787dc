"""What things cost, beside the machine's own limit in the same run: `python -m benchmarks.NAME`."""
