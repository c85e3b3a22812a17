# make cluster-test: three processes in network namespaces under load, with faults. Needs root, PostgreSQL and nginx.
.PHONY: cluster-test
cluster-test: $(VENV)/.dev ## several processes with faults under load; needs root, nginx and PostgreSQL
	unshare --net $(BIN)/python -m tests.cluster
