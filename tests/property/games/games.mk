.PHONY: combinations games laws whole-states previews hidden-moves properties transcripts rules

games: $(VENV)/.dev ## N=10000 random games of every ruleset, every act checked; RULESET=torn FROM=500
	$(BIN)/python -m tests.property.games $(or $(N),10000) $(RULESET) --from $(or $(FROM),0)
	TABLE_GAMES=60 $(BIN)/pytest -q -n 2 tests/property/games/test_games_at_a_table.py $(if $(RULESET),-k $(RULESET))

laws: $(VENV)/.dev ## try each act that a ban names N=1000 times under it, in random games of every game
	LAWS=$(or $(N),1000) $(BIN)/pytest -q tests/property/games/test_laws_hold.py

combinations: $(VENV)/.dev ## count the cells of the tables of combinations; RULESET=torn TABLE=ends prints one
	$(BIN)/python -m tests.unit.rulesets.print_combinations $(RULESET) $(TABLE)

whole-states: $(VENV)/.dev ## play N=2000 random games of each game: no bodies overlap, laws are heeded; RULESET=torn FROM=500
	WHOLE_STATES=$(or $(N),2000) WHOLE_STATES_FROM=$(or $(FROM),0) $(BIN)/pytest -q -n 2 \
		tests/property/games/test_states_stay_whole.py $(if $(RULESET),-k $(RULESET))

previews: $(VENV)/.dev ## compare previews with 20,000 resolutions each; N=60 positions of each ruleset
	POSITIONS=$(or $(N),60) $(BIN)/pytest -q -n 2 tests/unit/rules/test_previews_equal_resolutions.py

hidden-moves: $(VENV)/.dev ## compare the streams of N=500 hidden moves in every game and setting with none
	MOVES=$(or $(N),500) $(BIN)/pytest -q -n 2 tests/unit/play/redaction/test_hidden_moves.py

properties: $(VENV)/.dev ## the tests with random examples, N=300 of each that has no count of its own, and all random boards
	EXAMPLES=$(or $(N),300) SEEDS=all $(BIN)/pytest -q -n 2 $$(grep -rlE "^@given|[ (]seeds\(" tests --include=test_*.py)

transcripts: $(VENV)/.dev ## writes the golden transcripts again
	$(BIN)/python -m tests.unit.transcripts

rules: $(VENV)/.dev ## writes down again which rules the tests name
	$(BIN)/pytest -q --write-coverage -m rule
