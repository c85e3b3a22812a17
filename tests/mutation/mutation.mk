.PHONY: mutants

mutants: $(VENV)/.dev ## RULESET=torn N=200 SEED=1 mutants of a ruleset, and those that its tests miss; ONLY=paths.py
	$(BIN)/python -m tests.mutation $(RULESET) $(or $(N),200) --seed $(or $(SEED),1) --least $(or $(LEAST),0) \
		--only "$(ONLY)"
