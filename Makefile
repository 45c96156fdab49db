# `make demo` and `make test` need only Python 3.11 or newer; both make .venv on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
WORKERS ?= 2

.PHONY: demo test long check format lint types contracts docs screenshots bench soak trust agents clean

demo: $(STAMP)
	$(BIN)/recall-tui demo

test: $(STAMP)
	$(BIN)/python -m pytest -n $(WORKERS) -m "not soak and not long"

long: $(STAMP)
	$(BIN)/python -m pytest -n $(WORKERS) -m "long and not soak"

check: $(STAMP) lint types contracts test

lint: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(STAMP)
	$(BIN)/mypy
	$(BIN)/mypy screenshots/make.py

contracts: $(STAMP)
	$(BIN)/lint-imports

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(STAMP)
	$(BIN)/python tests/generate.py
	$(BIN)/python docs/build.py

screenshots: $(STAMP)
	$(BIN)/python screenshots/make.py

bench: $(STAMP)
	$(BIN)/python tests/qa/bench/startup.py

soak: $(STAMP)
	$(BIN)/python -m pytest -m soak

trust: $(STAMP)
	$(BIN)/python -m tests.qa.trust.table $(ROWS)

agents: $(STAMP)
	$(BIN)/python -m tests.qa.real_agents $(AGENTS)

clean:
	rm -rf $(VENV) build dist *.egg-info

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable '.[test,docs]'
	touch $(STAMP)
