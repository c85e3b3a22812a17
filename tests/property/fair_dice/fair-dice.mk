# make fair-dice: play and verify a log of N rolls, catch N/10 edits of each kind, and throw each die of each ruleset
# 5 N times to see that it is even.
.PHONY: fair-dice

fair-dice: $(VENV)/.dev ## the fair dice, verified; N=100000 rolls
	$(BIN)/python -m tests.property.fair_dice $(or $(N),4000)
