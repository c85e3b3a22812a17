.PHONY: advice

advice: $(VENV)/.dev ## N=300 random positions of every ruleset: advice equals the odds; RULESET=torn
	$(BIN)/python -m tests.property.advice $(or $(N),300) $(RULESET)
