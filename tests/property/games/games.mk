.PHONY: games previews transcripts rules

games: $(VENV)/.dev ## N=10000 random games of every ruleset, every act checked; RULESET=torn
	$(BIN)/python -m tests.property.games $(or $(N),10000) $(RULESET)

previews: $(VENV)/.dev ## compare previews with 20,000 resolutions each; N=60 positions of each ruleset
	POSITIONS=$(or $(N),60) $(BIN)/pytest -q -n 2 tests/unit/rules/test_previews_equal_resolutions.py

transcripts: $(VENV)/.dev ## writes the golden transcripts again
	$(BIN)/python -m tests.unit.transcripts

rules: $(VENV)/.dev ## writes down again which rules the tests name
	$(BIN)/pytest -q --write-coverage -m rule
