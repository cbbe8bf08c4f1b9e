# Every target works on a fresh clone: what it needs is installed into .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tools that take long to install, apart: they want other versions of what they share.
PEERS := .venv-peers
# Two workers: the machine that decides has two cores.
WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help demo test check conformance fuzz bench docs format clean

help: ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# The package alone, with what it needs to run.
$(VENV)/.runtime: pyproject.toml constraints.txt README.md LICENSE
	@$(PYTHON) -m venv --help >/dev/null 2>&1 && $(PYTHON) -c 'import ensurepip' 2>/dev/null || tools/install-venv
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(PEERS)/.installed: requirements-peers.txt pyproject.toml
	@test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-peers.txt -e .
	@touch $@

# What tests and checks need on top.
$(VENV)/.development: $(VENV)/.runtime requirements-dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -r requirements-dev.txt
	@touch $@

demo: $(VENV)/.runtime ## score the bundled example
	@$(BIN)/ndcg demo
	@echo 'ndcg is $(BIN)/ndcg here; after ". $(BIN)/activate" it is ndcg' >&2

test: $(VENV)/.development ## everything: checks, all tests, the wheel in a clean environment
	@tools/show-environment $(BIN)/python
	@$(MAKE) --no-print-directory lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

check: $(VENV)/.development lint ## format, lint, types, layers and the fast tests
	$(BIN)/python -m pytest -q -x -n $(WORKERS) tests/unit tests/text src

.PHONY: lint
lint: $(VENV)/.development
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

conformance: $(PEERS)/.installed ## heavy peers, live
	DO_NOT_TRACK=1 NDCG_HEAVY=1 $(PEERS)/bin/python -m pytest tests/conformance/heavy

# FIRST goes on where a campaign ended; UNTIL says how far.
FIRST ?= 0
UNTIL ?= 100000
fuzz: $(VENV)/.development ## 100,000 spoilt files through all readers
	PYTHONPATH=tests $(BIN)/python -m fuzz.drive --first $(FIRST) --until $(UNTIL) --workers $(WORKERS)

format: $(VENV)/.development ## write the format that check asks for
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

docs: $(VENV)/.development ## fill the generated parts of the docs
	$(BIN)/python tools/make-docs

bench: $(VENV)/.development ## time and CPU against peers, correctness first
	$(BIN)/python benchmarks/run.py --write

clean: ## remove what was made
	rm -rf $(VENV) $(PEERS) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
