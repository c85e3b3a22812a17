# What is known against the code and against what it stands on. `audit-code` asks nobody; `audit` asks the indexes
# of advisories too, and is a failure where one of them does not answer.
.PHONY: audit audit-code

AUDIT := $(VENV)/audit/bin/pip-audit

$(AUDIT): $(VENV)/.dev
	$(PYTHON) -m venv $(VENV)/audit
	$(VENV)/audit/bin/pip install --quiet --disable-pip-version-check pip-audit==2.10.1

audit: $(AUDIT) node_modules/.installed ## known weaknesses of the code and of all that it stands on
	$(BIN)/python -m tests.audit code python javascript

audit-code: $(VENV)/.dev
	$(BIN)/python -m tests.audit code
