# make fair-dice: a log of N= rolls is played and verified, and N/10 edits of each kind must be caught.
.PHONY: fair-dice

fair-dice: $(VENV)/.dev ## the fair dice, verified; N=100000 rolls
	$(BIN)/python -m tests.fair_dice $(or $(N),2000) $(shell echo $$(( $(or $(N),2000) / 10 )))
