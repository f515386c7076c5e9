# Two commands: `make demo` and `make test`. Both make their own virtual environment and install what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed-$(shell cksum requirements.lock pyproject.toml | cksum | cut -d' ' -f1)
ARGS ?=

.PHONY: demo test check format lock clean

demo: $(STAMP)
	$(BIN)/evenhand demo $(ARGS)

test: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

check: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The lock holds exact versions for every supported Python; bounds are in pyproject.toml.
lock: $(STAMP)
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip compile -q pyproject.toml --all-extras --universal --python-version 3.11 --no-header \
	  --no-emit-index-url --output-file requirements.lock --upgrade

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "evenhand needs Python 3.11 or newer; name one with PYTHON=..."; exit 1; }
	@echo "Installing into $(VENV) (once) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@rm -f $(VENV)/installed-*
	@touch $@

clean:
	rm -rf $(VENV) out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis tests/kafka/libs
