# Two commands do all the set-up: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MECHANISMS := cmp mahalanobis vickrey clipped tem santext truncated_gumbel syntf

.PHONY: run test other-machine audit clean

run: $(VENV)/.installed
	$(BIN)/streamlit run app.py

test: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest

# The mechanisms as an old processor computes them: numpy, OpenBLAS and faiss without AVX.
other-machine: $(VENV)/.installed-dev
	NPY_DISABLE_CPU_FEATURES="$$($(BIN)/python -c 'import numpy; \
	  print(*numpy.show_config("dicts")["SIMD Extensions"].get("found", []))')" \
	OPENBLAS_CORETYPE=Nehalem FAISS_OPT_LEVEL=generic $(BIN)/python -m pytest \
	  $(patsubst %,tests/test_%.py,mechanisms unknown_word text vocabulary audit $(MECHANISMS))

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
