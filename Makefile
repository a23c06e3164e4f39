# The verbs of this project. Each makes what it needs; nothing has to be installed first but Python 3.11 and its venv module.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
TOOLS  := $(VENV)/.tools
PEERS  := $(VENV)/.peers
LOAD   := $(VENV)/.load
INSTALL = PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

.DEFAULT_GOAL := help
.PHONY: help run test quick mutate lint bench load simulate screenshots clean

help:  ## what can be made
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1|\2/' | column -t -s '|'

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed: make PYTHON=python3.11 ..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv module is needed (Debian: apt-get install python3-venv)"; exit 1; }
	@echo "installing the service into $(VENV) ..."
	@$(INSTALL) '.[service]'
	@touch $@

$(TOOLS): $(READY)
	@echo "installing what tests it ..."
	@$(INSTALL) '.[test]'
	@touch $@

$(PEERS): $(TOOLS)
	@echo "installing what is measured beside ours ..."
	@$(INSTALL) '.[bench,test]'
	@touch $@

$(LOAD): $(TOOLS)
	@echo "installing what plays the floor ..."
	@$(INSTALL) '.[load,test]'
	@touch $@

run: $(READY)  ## serve a demo floor on 127.0.0.1:8000, with tables that play (Ctrl-C ends it)
	@$(BIN)/jackpot demo

# Hundreds of processes are started: where bytecode is not kept, each of them compiles the project first.
test: $(TOOLS)  ## all tests, with branch coverage of the rules
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 5 --dist worksteal --cov --cov-report=term --cov-fail-under=95

quick: $(TOOLS)  ## the rules alone, without the long proofs: within a minute
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not proof" tests/rules

mutate: $(TOOLS)  ## 300 small mistakes in the rules: do the tests notice? an hour; writes docs/mutation.md
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m tests.mutation

lint: $(TOOLS)  ## formatting, lint, types, import contract
	@$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/mypy && $(BIN)/lint-imports --no-cache

simulate: $(READY)  ## a thousand seeded floors, every invariant checked after every step
	@$(BIN)/jackpot simulate --seeds 1000

bench: $(PEERS)  ## how fast hands, settlement, book, service and signs are, beside others, a start, and commits after a fault; writes docs/benchmarks*.md
	@$(BIN)/python -m tests.bench

load: $(LOAD)  ## a floor plays for a minute on PostgreSQL, Redis and two replicas; then all of it is accounted for
	@$(BIN)/python -m loadtests run

screenshots: $(TOOLS)  ## every page in each state, as pictures in docs/images
	@$(BIN)/python -m tests.screenshots

clean:  ## remove what the other verbs made
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage* htmlcov
