.PHONY: games transcripts rules

games: $(VENV)/.dev ## N=10000 random games of every ruleset, every act checked; RULESET=torn
	$(BIN)/python -m tests.property.games $(or $(N),10000) $(RULESET)

transcripts: $(VENV)/.dev ## writes the golden transcripts again
	$(BIN)/python -m tests.unit.transcripts

rules: $(VENV)/.dev ## writes down again which rules the tests name
	$(BIN)/pytest -q --write-coverage -m rule
