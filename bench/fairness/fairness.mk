# make fairness: an honest player at one table while another table, or a stranger, takes all that the server gives.
# ARGS="watchers maxima asks silent headers scenes --seconds 12"; with --stacks FILE, FILE says where long slices ran.
.PHONY: fairness

fairness: $(VENV)/.dev ## an honest player's answers while others attack the server; takes three minutes
	$(BIN)/python -m bench.fairness $(ARGS)
