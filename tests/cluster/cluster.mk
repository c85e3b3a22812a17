# make cluster-test: three processes in network namespaces under load, with faults. Needs root, PostgreSQL and nginx.
# ARGS=stopped tries the faults whose names begin so.
# make cluster-board: the board page and the Foundry stand-in in Chromium, on two processes whose owners die.
# make cluster-load: the commands a second of one process alone, and of one to three behind nginx.
.PHONY: cluster-test cluster-board cluster-load
cluster-test: $(VENV)/.dev ## several processes with faults under load; needs root, nginx and PostgreSQL
	unshare --net $(BIN)/python -m tests.cluster $(ARGS)

cluster-board: $(VENV)/.dev node_modules/.installed ## the pages on two processes that die and stop; needs nginx and PostgreSQL
	CHROMIUM=$$(sh tests/browser/chromium.sh) $(BIN)/python -m tests.cluster.board

cluster-load: $(VENV)/.dev ## throughput of one process alone and of one to three behind nginx; needs nginx and PostgreSQL
	$(BIN)/python -m bench.load.cluster $(ARGS)
