# Set-up, the main job and the checks. Everything a machine needs beyond Debian 12 with Python 3.11, make, git,
# node and npm is installed here.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
SEED := 20260131

.PHONY: demo setup test test-all lint lock clean

demo: setup  ## the main job, then what to listen to
	$(BIN)/python -m dtbuild generate --scenario supply_chain
	@$(BIN)/python scripts/after_demo.py cohorts/supply_chain-s$(SEED)

setup: $(VENV)/.locked  ## .venv from the lock file, then models and voices, each checked by sha256
	$(BIN)/python -m dtbuild assets

$(VENV)/.locked: requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "make: $(PYTHON) -m venv failed: apt-get install python3-venv, or name another interpreter with PYTHON=" >&2; exit 1; }
	$(BIN)/pip install --quiet --require-hashes --requirement requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

test: setup lint  ## fast tests: the default
	$(BIN)/pytest

test-all: setup  ## what is slow or needs an environment of its own
	$(BIN)/pytest -m slow

lint: $(VENV)/.locked  ## style, types, import rules
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

lock: pyproject.toml  ## resolve the lock file again
	$(BIN)/pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-emit-index-url --no-emit-find-links \
		--extra speech --extra align --extra plots --extra bench --extra dev --output-file requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) cohorts build dist
