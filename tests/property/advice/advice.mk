.PHONY: advice focus-fire

advice: $(VENV)/.dev ## N=300 random positions of every ruleset: advice equals the odds; RULESET=torn
	$(BIN)/python -m tests.property.advice $(or $(N),300) $(RULESET)

focus-fire: $(VENV)/.dev ## follow whole acts in N=20 positions of every ruleset: focus fire is that of them
	WHOLE_ACTS=$(or $(N),20) $(BIN)/pytest -q tests/property/advice/test_focus_fire_is_exact.py
