# make fair-dice: a log of N= rolls is played and verified, N/10 edits of each kind must be caught, and each die that
# any ruleset rolls is thrown N times and falls evenly.
.PHONY: fair-dice

fair-dice: $(VENV)/.dev ## the fair dice, verified; N=100000 rolls
	$(BIN)/python -m tests.property.fair_dice $(or $(N),20000) $(shell echo $$(( $(or $(N),20000) / 10 )))
