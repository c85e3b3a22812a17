.PHONY: rules-diff
rules-diff: $(VENV)/.dev ## the house-rule diff of 200 random battles against full runs
	ENFILADE_BATTLES=200 $(BIN)/pytest -q -k full_run tests/unit/play/analysis/test_rules_diff.py
