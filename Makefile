# `make demo` and `make test` do all the set-up on a machine that has Python 3.11 or newer, git and make.
# Several Pythons each have a venv of their own: `make test PYTHON=python3.13 VENV=.venv-3.13`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
VERSION := -c 'import sys; print(sys.version)'
ifneq ($(origin PYTHON),file)
ifneq ($(wildcard $(BIN)/python),)
ifneq ($(shell $(BIN)/python $(VERSION)),$(shell $(PYTHON) $(VERSION)))
$(error $(VENV) holds another Python than $(PYTHON): add VENV=.venv-other, or delete it)
endif
endif
endif
PEERS := .venv-race
AI := .venv-ai
INSTALL := -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo test ai newest oldest page docs slow race mutants lock clean

demo: $(VENV)/installed
	$(BIN)/vclogic plan axis_allies --set level=armies --side Axis --goal 'vcp(Axis) >= 40' --minimize moves --within 3

test: $(VENV)/installed-dev page/node_modules/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 2 --dist worksteal -q

# With the newest and with the oldest versions that pyproject.toml allows, each in a venv of its own, made anew: rulings,
# documents, requests by lines, and all solvers. The oldest are for the oldest Python: others have no wheels of them.
TRIED := tests/solve tests/serve/test_stdio.py tests/test_streams.py tests/report/test_json.py tests/report/test_answer_shape.py tests/test_pages.py
newest: RESOLUTION := highest
newest: ON := $(BIN)/python
oldest: RESOLUTION := lowest-direct
oldest: ON := 3.11

newest oldest: $(VENV)/installed-dev
	rm -rf .venv-$@
	$(BIN)/uv venv --quiet --seed --python $(ON) .venv-$@
	$(BIN)/uv pip install --quiet --python .venv-$@/bin/python --resolution $(RESOLUTION) -e '.[dev]'
	.venv-$@/bin/vclogic test axis_allies asl moscow napoleonics okinawa
	.venv-$@/bin/python -m pytest -n 2 --dist worksteal -q $(TRIED)

# Games as those of OpenSpiel and PettingZoo: their own tests, in a venv of its own, since neither is needed for the rest.
ai: $(AI)/installed
	$(AI)/bin/python -m pytest -q tests/ai tests/test_turns.py
	$(AI)/bin/python -m pytest -q tests/test_pages.py -m slow -k 'python_answers_as_shown and ai_authors'

# The page that needs no server of its own, in build/page/: any web server can serve it. docs/page.md tells of it.
page: $(VENV)/installed-dev
	$(BIN)/python page/static/make.py build/page

# The site, in build/site/: the pages of docs/ and one reference page per game. A link that leads nowhere fails.
docs: $(VENV)/installed-docs
	$(BIN)/python docs/pages.py build/pages
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -c docs build/pages build/site

# What takes long: hunts that are left out of a usual run, 20 times as many random examples (other ones each time),
# and what notices planted defects. It takes hours, on two cores too.
slow: $(VENV)/installed-dev
	MORE_EXAMPLES=20 $(BIN)/python -m pytest -n 2 --dist worksteal -q -m "slow or not slow"
	$(BIN)/python -m mutants --jobs 2 --write docs/mutants.md

# vclogic and other solvers on the same questions, each in a process of its own: a quarter of an hour on two idle cores.
race: $(VENV)/installed-dev $(PEERS)/installed
	$(BIN)/python -m benchmarks.race --peers $(PEERS)/bin/python --write benchmarks/RESULTS.md

mutants: $(VENV)/installed-dev
	$(BIN)/python -m mutants --jobs 2 --write docs/mutants.md

# The newest versions that pyproject.toml allows, in a venv of their own, become those of constraints.txt.
lock:
	rm -rf .venv-lock
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check -e '.[dev,docs]'
	head -n 1 constraints.txt > .venv-lock/constraints.txt
	.venv-lock/bin/python -m pip freeze --exclude-editable >> .venv-lock/constraints.txt
	mv .venv-lock/constraints.txt constraints.txt
	rm -rf .venv-lock

clean:
	rm -rf .venv .venv-* build .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "vclogic needs Python 3.11 or newer, not " + sys.version.split()[0] + ": make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python $(INSTALL) -e '.[serve]'
	touch $@

$(VENV)/installed-dev: pyproject.toml constraints.txt $(VENV)/installed
	$(BIN)/python $(INSTALL) -e '.[dev]'
	touch $@

$(AI)/installed: pyproject.toml | $(VENV)/installed-dev
	rm -rf $(AI)
	$(BIN)/uv venv --quiet --python $(BIN)/python $(AI)
	$(BIN)/uv pip install --quiet --python $(AI)/bin/python -e '.[test,study,openspiel,pettingzoo]' hypothesis
	touch $@

# What checks the page; where there is no npm, or no network, the tests that need it say so and are skipped.
page/node_modules/installed: page/package-lock.json
	@mkdir -p $(@D)
	@if command -v npm >/dev/null; then cd page && npm ci --silent --no-audit --no-fund || echo "the page's tools cannot be installed"; fi
	@mkdir -p $(@D) && touch $@

$(VENV)/installed-docs: pyproject.toml constraints.txt $(VENV)/installed
	$(BIN)/python $(INSTALL) -e '.[docs]'
	touch $@

$(PEERS)/installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[race]'
	touch $@
