# make policy-games: battles of equal sides, one of which follows the default policy against random legal play.
.PHONY: policy-games

policy-games: $(VENV)/.dev ## N=100 games of every ruleset: advice beats random legal play in 90 of 100; RULESET=torn
	$(BIN)/python -m tests.property.policy $(or $(N),100) $(RULESET)
