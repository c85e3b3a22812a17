# make fuzz-odds: 500 random procedures with `Each` against their plain loops and samples, and six faults put in on purpose.

.PHONY: fuzz-odds

SEEDS ?= 0 500

fuzz-odds: $(VENV)/.dev ## odds of random procedures against plain loops and samples; takes minutes
	$(BIN)/python -m tests.property.odds.test_each_odds $(SEEDS)
	$(BIN)/pytest -q tests/property/odds/test_faults.py
