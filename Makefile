# `make` sets up .venv and runs the whole pipeline; `make help` lists the rest.
# Every path is relative, since make cannot handle a checkout's path that has a space in it.

PYTHON = python3
BIN := .venv/bin

# Another uv may write the same pins differently.
UV := uv==0.13.9

# Notices of newer releases: the lock decides what runs.
export PIP_DISABLE_PIP_VERSION_CHECK = 1
export PYRIGHT_PYTHON_IGNORE_WARNINGS = 1

.PHONY: all test golden lock clean help linker

all: .venv/installed linker ## Set up .venv, then run the pipeline (doit)
	$(BIN)/doit

test: .venv/installed linker ## Set up .venv, then check format, lint, types, imports and tests
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/pyright
	$(BIN)/lint-imports --no-logo
	$(BIN)/pytest --numprocesses auto --dist worksteal

golden: .venv/installed ## Rewrite the golden files: read the diff before you commit it
	$(BIN)/pytest --update-golden

lock: ## Bring requirements.lock up to pyproject.toml (remove it first to take newer releases)
	'$(PYTHON)' -m venv --clear .venv/lock
	.venv/lock/bin/python -m pip install --quiet '$(UV)'
	.venv/lock/bin/uv pip compile --quiet --universal --fork-strategy fewest \
	  --python-version 3.11 --extra pipeline --group pipeline --group dev --generate-hashes \
	  --custom-compile-command 'make lock' --output-file requirements.lock pyproject.toml
	rm -rf .venv/lock

clean: ## Remove the environment, the caches and what the pipeline builds outside git
	rm -rf .venv generated/build build *.egg-info .doit* .hypothesis .pytest_cache .ruff_cache \
	  .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## List the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 10

# --clear: what an earlier lock installed would otherwise stay.
.venv/locked: requirements.lock
	@'$(PYTHON)' -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "$(PYTHON) is missing or older than 3.11: install a newer one (apt-get install" \
	         "python3 python3-venv), or name one: make PYTHON=python3.12" >&2; exit 1; }
	@'$(PYTHON)' -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "$(PYTHON) cannot make virtual environments: apt-get install python3-venv" >&2; exit 1; }
	'$(PYTHON)' -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	@touch $@

# No build isolation: it would fetch a setuptools that the lock does not name.
.venv/installed: .venv/locked pyproject.toml
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

linker:
	@command -v cc >/dev/null || echo "cc is needed to link binaries: apt-get install gcc" >&2
