# make load: sixty tables of seven seats on one server, 840 commands a second, beside a server that only echoes.
# ARGS="--tables 60 --seats 7 --rate 2 --seconds 20".
.PHONY: load

load: $(VENV)/.dev ## sixty busy tables on one server: acknowledgements, deliveries, memory; takes a minute
	$(BIN)/python -m bench.load $(ARGS)
