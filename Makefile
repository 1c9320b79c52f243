# Everything runs in .venv, built from pinned requirements: with uv where it is installed, else with venv and pip.
# `make play` installs only what playing needs; the targets for developers add their tools when they are first asked for.
# Another interpreter: make PYTHON=python3.12 play; another port than 8000: make PORT=8080 play
PYTHON ?= python3
# Processes of tests: one more than the two cores they are meant for, because many tests wait for servers and browsers.
JOBS ?= 3

UV := $(shell command -v uv 2>/dev/null)
BIN := .venv/bin
PLAY_READY := .venv/.ready-play
READY := .venv/.ready
ifdef UV
CREATE_VENV = uv venv --quiet --seed --python $(PYTHON) .venv
INSTALL = uv pip install --quiet --python $(BIN)/python
INSTALL_TOOLS = $(INSTALL) -r requirements-dev.txt
else
CREATE_VENV = $(PYTHON) -m venv .venv
# Without bytecode, which Python writes anyway for what it imports: half the time of an install.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# Developers need five times as much as players, which uv installs in a fraction of pip's time: pip puts uv into .venv first.
INSTALL_TOOLS = { $(INSTALL) $$(grep '^uv==' requirements-dev.txt) && \
	$(BIN)/uv pip install --quiet --python $(BIN)/python -r requirements-dev.txt; } || $(INSTALL) -r requirements-dev.txt
endif
# Tests start hundreds of interpreters: also where a system tells Python not to keep bytecode, this one keeps it.
unexport PYTHONDONTWRITEBYTECODE

PYTEST = $(BIN)/pytest -n $(JOBS) --dist worksteal
# The tests of the rules, run a second time as plain Python, where the coverage of the kernels can be measured.
PLAIN_TESTS = tests/engine tests/test_game.py tests/test_record.py
# What has neither a server nor a browser; of these, `make quick` leaves out what is marked slow.
QUICK_TESTS = $(addprefix tests/,arena bots drawing engine envs facts insight wording test_game.py test_record.py)
CAN_APT = test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq
APT_INSTALL = DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends >/dev/null
COMPILE_PINS = uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --no-header --upgrade

.DEFAULT_GOAL := help
.PHONY: help setup play browser tmux test kernels plain compiled quick check format bench messages docs architecture reference screenshots pins audit clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

setup: $(READY) ## install everything developers need into .venv

.venv/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 16))' 2>/dev/null || { \
		echo 'Franchise needs Python 3.11 to 3.15, and $(PYTHON) is another version; try: make PYTHON=python3.13 play' >&2; \
		exit 1; }
	@rm -rf .venv
	$(CREATE_VENV)

$(PLAY_READY): .venv/pyvenv.cfg pyproject.toml requirements.txt
	$(INSTALL) -r requirements.txt
	$(INSTALL) --no-deps --editable .
	@touch $@

$(READY): .venv/pyvenv.cfg pyproject.toml requirements-dev.txt
	$(INSTALL_TOOLS)
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $(PLAY_READY) $@

# Ctrl-C ends the table with 130, which is no failure.
play: $(PLAY_READY) ## open the web table in the browser
	$(BIN)/franchise serve$(if $(PORT), --port $(PORT)) || test $$? = 130

browser: setup ## find Chromium for the browser tests; as root with apt-get, install it
	@$(BIN)/python tests/web/browser/chromium.py --shell || { $(CAN_APT) && { \
		$(APT_INSTALL) chromium-headless-shell fonts-liberation || $(APT_INSTALL) chromium fonts-liberation; }; } || true
	@$(BIN)/python tests/web/browser/chromium.py || \
		echo 'No Chromium, and none could be installed: tests in the browser will be skipped.' >&2

tmux: setup ## find tmux for the terminal tests; as root with apt-get, install it
	@$(BIN)/python tests/terminal/tmux.py || { $(CAN_APT) && $(APT_INSTALL) tmux && $(BIN)/python tests/terminal/tmux.py; } || \
		echo 'No tmux, and none could be installed: tests in a real terminal will be skipped.' >&2

test: browser tmux ## run every test compiled, and the tests of the rules as plain Python with full coverage
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target kernels plain
	@$(MAKE) --no-print-directory compiled

kernels: setup # compile once, before several processes would
	$(BIN)/python -m franchise.bots

plain: setup
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m 'not compiled_only' --cov --cov-report=term $(PLAIN_TESTS)

compiled: setup
	@$(BIN)/python -c 'from franchise.web.app import create_app; create_app()' # bytecode, before several processes write it
	NUMBA_DISABLE_JIT=0 $(PYTEST)
	@$(BIN)/python tests/web/browser/chromium.py >/dev/null || echo 'There is no Chromium: the tests in the browser were skipped.' >&2
	@$(BIN)/python tests/terminal/tmux.py >/dev/null || echo 'There is no tmux: the tests in a real terminal were skipped.' >&2

quick: setup kernels ## run the quick tests after an edit: under a minute, no browser, no server
	NUMBA_DISABLE_JIT=0 $(PYTEST) -m 'not slow' $(QUICK_TESTS)

check: setup ## check lint, format, types and import direction
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict src
	$(BIN)/lint-imports

docs: setup ## build the documentation into site/; warnings are errors
	$(BIN)/zensical build --clean --strict

format: setup ## format the code, sort imports and fix simple lint errors
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: setup ## measure the speed of the engine and compare it with the last release (and a program: make BESIDE=program bench)
	$(BIN)/franchise bench --compile $(if $(BESIDE),--beside '$(BESIDE)')

messages: setup ## collect new messages into the German and French catalogues
	$(BIN)/python -m franchise.wording.locales.catalogues

architecture: setup ## redraw the packages in docs/architecture.md from the imports
	$(BIN)/python scripts/architecture.py

reference: setup ## regenerate the reference pages in docs/ from the source
	$(BIN)/python scripts/reference.py

screenshots: browser ## retake the screenshots in docs/pictures and the film of a turn
	PYTHONPATH=tests $(BIN)/python scripts/screenshots.py

pins: ## update requirements.txt and requirements-dev.txt from pyproject.toml (needs uv)
	@test -n "$(UV)" || { echo 'make pins needs uv: pip install uv' >&2; exit 1; }
	$(COMPILE_PINS) pyproject.toml --extra play --output-file requirements.txt
	$(COMPILE_PINS) pyproject.toml --extra dev --constraint requirements.txt --output-file requirements-dev.txt

audit: ## check the pinned requirements for known vulnerabilities (needs the internet)
	$(PYTHON) scripts/audit.py

clean: ## remove .venv and everything the tools generate
	rm -rf .venv .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis dist site .cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
