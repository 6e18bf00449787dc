"""Times and memory, beside the limit of the machine in one run: `python -m benchmarks.NAME`."""
