# Two commands do all the set-up: `make run` and `make test`; `make quick` is for between two edits.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MECHANISMS := cmp mahalanobis vickrey clipped tem santext truncated_gumbel syntf

# A worker for each processor, four at most, each with one thread; a file's tests share a worker, and
# those of the browser, the longest, come first (tests/conftest.py).
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest \
  -n logical --maxprocesses 4 --dist loadfile --no-loadscope-reorder

.PHONY: run test quick other-machine audit clean

run: $(VENV)/.installed
	$(BIN)/streamlit run app.py

test: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(PYTEST)

# The core alone: no browser, no page, no other process, nothing slow.
quick: $(VENV)/.installed-dev
	$(PYTEST) tests/mechanisms -m "not slow and not process"

# The mechanisms as an old processor computes them: numpy, OpenBLAS and faiss without AVX.
other-machine: $(VENV)/.installed-dev
	NPY_DISABLE_CPU_FEATURES="$$($(BIN)/python -c 'import numpy; \
	  print(*numpy.show_config("dicts")["SIMD Extensions"].get("found", []))')" \
	OPENBLAS_CORETYPE=Nehalem FAISS_OPT_LEVEL=generic $(BIN)/python -m pytest \
	  $(patsubst %,tests/mechanisms/test_%.py,mechanisms unknown_word text vocabulary $(MECHANISMS)) \
	  tests/measures/audits/test_audit.py

# Known faults of the installed packages, as PyPI tells them; those it lists as skipped were not looked at.
audit: $(VENV)/.installed-dev
	$(BIN)/pip-audit

$(VENV)/.installed: requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install -r requirements.txt
	touch $@

$(VENV)/.installed-dev: requirements-dev.txt $(VENV)/.installed
	$(BIN)/python -m pip install -r requirements-dev.txt
	touch $@

clean:
	rm -rf $(VENV)
