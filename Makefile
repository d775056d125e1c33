# `make demo` and `make test` do all their own set-up; `make help` lists the rest.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help demo test test-fast lint types imports format readme corpus bench brute-force kernels gpu nightly clean

VENV := .venv
BIN := $(VENV)/bin
CANDIDATES = $(PYTHON) python3.11 /usr/bin/python3.11 python3.12 python3.13 python3.14 python3
USABLE = import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
IS_ENZYME_PYTHON = import sys; sys.exit(sys.version_info[:2] != (3, 11))
EXAMPLE := corpus/unsafe/double_snapshot.mlir
JOBS ?= auto
PROGRAMS ?= 10000
NIGHTS ?= nights
TIME ?= 30m
# The example has the bug before the pass, so 1 (refuted) is the expected exit status.
REFUTED = || [ $$? -eq 1 ]

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.stamp-demo ## install everything, then show the double-snapshot bug before and after the pass
	@echo "== $(EXAMPLE), with this project's pass"
	@$(BIN)/verify-ir passes $(EXAMPLE) -p sink-checkpoint-views $(REFUTED)
	@if $(BIN)/python -c 'import importlib.util as u, sys; sys.exit(u.find_spec("enzyme_ad") is None)'; then \
	  echo "== $(EXAMPLE), with Enzyme's own pass"; \
	  $(BIN)/verify-ir passes $(EXAMPLE) -p enzyme:sink-checkpoint-views $(REFUTED); \
	else \
	  echo "== Enzyme's own pass is left out: its package needs Python 3.11 on Linux x86-64 or an Apple chip"; \
	fi

test: $(VENV)/.stamp-dev ## install everything, then run lint, types, imports and every test
	@status=0; \
	for check in lint types imports; do \
	  $(MAKE) --no-print-directory $$check || status=1; \
	done; \
	$(BIN)/pytest -n $(JOBS) --dist worksteal || status=1; \
	exit $$status

test-fast: $(VENV)/.stamp-dev ## run the tests that take a few seconds at most
	@$(BIN)/pytest -n $(JOBS) -m "not slow"

lint: $(VENV)/.stamp-dev ## ruff
	@$(BIN)/ruff check verify fuzz tests

types: $(VENV)/.stamp-dev ## pyright
	@$(BIN)/pyright --pythonpath $(BIN)/python

imports: $(VENV)/.stamp-dev ## the import contracts of pyproject.toml
	@$(BIN)/lint-imports --no-logo

format: $(VENV)/.stamp-dev ## let ruff lay out the code
	@$(BIN)/ruff format verify fuzz tests

readme: $(VENV)/.stamp-dev ## put the present output of its examples into README.md
	@$(BIN)/python -m tests.house.readme_examples

corpus: $(VENV)/.stamp-demo ## check every expectation in corpus/
	@$(BIN)/verify-ir corpus corpus

bench: $(VENV)/.stamp-dev ## run the benchmarks and write reports/benchmarks/
	@$(BIN)/python -m tests.benchmarks

gpu: $(VENV)/.stamp-dev ## run the whole check on a CUDA device and write reports/gpu/
	@$(BIN)/python -c 'import cupy' 2>/dev/null \
	  || $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[gpu]'
	@$(BIN)/python -m tests.gpu

brute-force: $(VENV)/.stamp-dev ## hold PROGRAMS random programs of each family against running them (default 10000)
	@status=0; \
	for family in brute_force token_brute_force; do \
	  $(BIN)/python -m tests.$$family --count $(PROGRAMS) || status=1; \
	done; \
	exit $$status

kernels: $(VENV)/.stamp-dev ## compile the kernels of PROGRAMS drawn programs for a GPU, and run them on the CPU
	@$(BIN)/python -m tests.cuda --count $(PROGRAMS)

nightly: $(VENV)/.stamp-demo ## one night of fuzzing into NIGHTS (default nights), TIME long (default 30m)
	@$(BIN)/python -m fuzz.nightly $(NIGHTS) --time $(TIME)

clean: ## remove the virtual environment and all caches
	@rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	@find verify fuzz tests -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@for python in $(CANDIDATES); do \
	  if $$python -c '$(USABLE)' >/dev/null 2>&1; then found=$$python; break; fi; \
	done; \
	if [ -z "$${found:-}" ]; then \
	  echo "no Python 3.11 or newer with venv and ensurepip was found; name one with PYTHON=..." >&2; exit 1; \
	fi; \
	echo "making $(VENV) with $$($$found --version)"; \
	$$found -m venv $(VENV)

$(VENV)/.stamp-demo: pyproject.toml | $(VENV)/bin/python
	@$(call install,enzyme$(COMMA)tools)

$(VENV)/.stamp-dev: pyproject.toml | $(VENV)/bin/python
	@$(call install,enzyme$(COMMA)tools$(COMMA)smt$(COMMA)dev)
	@touch $(VENV)/.stamp-demo

COMMA := ,
# On a Python other than 3.11 the `enzyme` extra is empty, which is said here.
define install
$(BIN)/python -c '$(IS_ENZYME_PYTHON)' \
  || echo "this Python is not 3.11: everything but Enzyme's own passes is installed"; \
echo "installing verify-ir[$(1)] into $(VENV) (a first time downloads about 1 GB)"; \
$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(1)]' \
  && touch $@
endef
