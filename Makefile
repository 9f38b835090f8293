# `make app` sets up a virtual environment and starts the app, `make test` sets it up and runs every check.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Formats, lints and checks the types of the scripts, without the network; package.json is for node alone.
DENO := DENO_DIR="$(CURDIR)/$(VENV)/deno" DENO_NO_PACKAGE_JSON=1 DENO_NO_UPDATE_CHECK=1 $(BIN)/deno

# Modules are compiled once, not in each of the processes that the tests start.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: app test quick checks script-tests search bench soak pictures greedy agreement-table clean

app: $(VENV)/app
	$(BIN)/streamlit run app.py

checks: $(VENV)/tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --no-cache
	$(DENO) fmt --check --quiet
	$(DENO) lint --quiet
	$(DENO) check --quiet viz tests/script

test: checks script-tests
	$(BIN)/python -m tests.suite

# The checks and all tests that take less than a second, which are nine of ten.
quick: checks script-tests
	$(BIN)/python -m pytest -n 3 --dist loadfile -m "not alone and not slow" --durations=10 --durations-min=1

script-tests:
	@if command -v node >/dev/null; then node --test --test-reporter=spec $(wildcard tests/script/*.test.js); \
	elif [ "$$REQUIRE_ALL" ]; then echo "node is not installed, and REQUIRE_ALL asks for it"; exit 1; \
	else echo "node is not installed: the unit tests of the scripts are skipped"; fi

# Looks for what nobody has met: random input that is another every time, SEARCH times as much of it as in the tests,
# in which it is always the same; and at a hundred exercises of each metric and level. Then damaged files, workspaces and
# chapters, and 20,000 messages of a hostile visitor beside another one.
SEARCH ?= 20
search: $(VENV)/tests
	SEARCH=$(SEARCH) $(BIN)/python -m pytest -n 3 --dist loadfile -m "hypothesis and not alone"
	SEARCH=$(SEARCH) $(BIN)/python -m pytest -n 3 -m "not alone" tests/pages/test_attacks.py tests/text/test_formats.py
	$(BIN)/python -m tests.helpers.attacks 20000 1

bench: $(VENV)/tests
	$(BIN)/python -m tests.benchmarks.bench_metrics
	$(BIN)/python -m tests.benchmarks.bench_growth
	$(BIN)/python -m tests.benchmarks.bench_browser
	$(BIN)/python -m tests.benchmarks.bench_load
	$(BIN)/python -m tests.benchmarks.bench_corpus
	$(BIN)/python -m tests.benchmarks.bench_agreement
	$(BIN)/python -m tests.benchmarks.bench_corpus_page 3003

# What takes minutes: a hundred thousand segments, visitors while a corpus is scored, a cluster, a test of the tests,
# thirty visitors who leave.
soak: $(VENV)/tests
	$(BIN)/python -m tests.benchmarks.soak_corpus
	$(BIN)/python -m tests.benchmarks.soak_significance
	$(BIN)/python -m tests.benchmarks.soak_sessions
	$(BIN)/python -m tests.benchmarks.bench_corpus_page

pictures: $(VENV)/tests
	$(BIN)/python -m tests.pictures

# How often GTM's greedy matching is the largest: make greedy DATA="folder other-folder"
greedy: $(VENV)/app
	$(BIN)/python -m tests.benchmarks.measure_greedy $(DATA)

# Writes metrics/catalogue/agreement.md, the table of the values of other programs that agree with ours, and its summary in
# README.md, from the tests that compare them.
agreement-table: $(VENV)/tests
	rm -f $(VENV)/peer-values
	PEER_VALUES="$(CURDIR)/$(VENV)/peer-values" $(BIN)/python -m pytest -m peer tests/catalogue
	$(BIN)/python -m tests.helpers.peers $(VENV)/peer-values

clean:
	rm -rf $(VENV)

$(VENV)/app: requirements.txt
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(None if (3, 11) <= v < (3, 14) else f"Python 3.11, 3.12 or 3.13 is needed, {v[0]}.{v[1]} was found; name one: make app PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/tests: $(VENV)/app tests/requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	touch $@
