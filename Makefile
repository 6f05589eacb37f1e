# The two commands a newcomer needs are `make demo` and `make test`; both install what they need first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Who is told to write no bytecode compiles the whole program at each of a thousand starts.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help install demo test quick seasons trust trust-full any-day mutants check bench golden docs words lock release sbom clean
help:           ## these lines
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

install: $(VENV)/.installed  ## .venv with gm and all development tools, from the lock files

$(VENV)/.installed: requirements-dev.lock requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; say make PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q gm games parsers
	@touch $@

demo: install   ## a whole game over real SMTP and IMAP, with scripted players
	$(BIN)/gm demo

# A sixth of the time is spent waiting for servers and processes.
WORKERS := $(shell expr $$(nproc 2> /dev/null || echo 2) \* 3 / 2)

# A file's tests stay in one process, which makes its fixtures once.
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

test: install   ## what finds most faults, in minutes (tests of servers skip where they are not installed)
	$(PYTEST)

quick: install  ## the tests that take no servers, no wheel and no demo
	$(PYTEST) -m "not server and not slow"

seasons: install  ## SEEDS=20 whole seasons from one seed each, with faults (FIRST=); SEED=, FAULTS=, STEPS=, GAMES= replay one
	nice $(BIN)/python tests/seasons/play_seasons.py --seeds=$(SEEDS) --first=$(FIRST) --seed=$(SEED) --faults='$(FAULTS)' \
		--steps=$(STEPS) --games=$(GAMES)

# What depends on the database, once more on PostgreSQL.
ON_POSTGRESQL := tests/store/test_store.py tests/service/test_concurrent_processes.py tests/game/test_core_story.py tests/game/test_unreleased.py

trust: install  ## all that `make test` has no time for, and zines on PostgreSQL: half an hour
	$(PYTEST) --trust
	$(PYTEST) --database postgresql -m "not reading" $(ON_POSTGRESQL)

# Tests elsewhere that are longer with --full-length: more random stories, a stop after each unit of work.
ALSO_LONGER := tests/game/test_random_clock.py tests/growth/test_due_games.py tests/seasons \
	tests/transport/test_shutdown.py

trust-full: install  ## tests/trust at full length: 100,000 mutated mails, a kill at every boundary; and all on PostgreSQL: hours
	$(PYTEST) --full-length tests/trust tests/games/test_contract.py $(ALSO_LONGER)
	$(PYTEST) --database postgresql -m "not reading" tests/trust tests/requests tests/game tests/service tests/cli tests/archive \
		tests/growth

any-day: install  ## every test on six other days, or with AT="2027-03-28 01:30" on one (TESTS= for some): tests/any_day.py
	AT='$(AT)' nice $(BIN)/python tests/any_day.py -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(TESTS)

mutants: install  ## 225 small faults planted into the rules, one at a time: which of them does no test find? An hour
	$(BIN)/python tests/mutants/run.py

check: install  ## ruff, mypy, the floors of gm/ (import-linter), and the catalogues of sentences
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q tests/test_catalogues.py

bench: install  ## figures for docs/scale.md, see tests/benchmarks
	$(BIN)/python -m pytest tests/benchmarks --benchmark-only

golden: install ## write the golden mails anew; the diff is the review
	$(BIN)/python -m pytest -n auto --trust-too --update-golden -m "not server and not slow"

docs: install   ## write docs/reference and the outputs that README and docs/ show anew; the diff is the review
	$(BIN)/python docs/write_reference.py
	$(BIN)/python -m pytest -q tests/cli/test_documents.py --update-golden

words: install  ## build the German word list anew from its packages: the same bytes, unless additions.txt changed
	$(BIN)/python -m gm.lexicon.build

lock: install   ## pin all dependencies anew, for all platforms, with hashes
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		pyproject.toml --group dev -c requirements.lock -o requirements-dev.lock

release: install  ## wheel, sdist, versions to install with and SBOM into dist: the same bytes from the same commit
	rm -rf dist
	PYTHONPATH=.ci $(BIN)/python -m release.build dist
	PYTHONPATH=.ci $(BIN)/python -m release.sbom dist

sbom: install   ## what both locks pin, as CycloneDX, into dist
	PYTHONPATH=.ci $(BIN)/python -m release.sbom dist

clean:
	rm -rf $(VENV) dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
