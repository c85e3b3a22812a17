# What is known against what the code stands on. It asks the indexes of advisories, and is a failure where one of them
# does not answer.
.PHONY: audit

AUDIT := $(VENV)/audit/bin/pip-audit

$(AUDIT): $(VENV)/.dev
	$(PYTHON) -m venv $(VENV)/audit
	$(VENV)/audit/bin/pip install --quiet --disable-pip-version-check pip-audit==2.10.1

audit: $(AUDIT) node_modules/.installed ## known weaknesses of all that the code stands on
	$(BIN)/python -m tests.audit python javascript
