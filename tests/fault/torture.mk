# make torture: kills, power cuts, full disks, a faulty network; each scenario also runs mutants that must be caught.
# SCENARIOS="kill power disk proxy noninterference worlds sealed sealed-kill secrets reconnects frames hostile", N= the count.
# make torture-long: the counts for a release.
.PHONY: torture torture-test torture-long

torture: $(VENV)/.dev ## kills, power cuts, full disks, a faulty network; SCENARIOS=kill N=1000
	$(BIN)/python -m tests.fault $(SCENARIOS) $(if $(N),-n $(N))

# The part that `make test` runs, with short counts. It leaves out speed, which needs an idle machine: the time until
# a server is ready again, and the hostile scenario.
torture-test: $(VENV)/.dev
	$(BIN)/python -m tests.fault --short noninterference worlds kill sealed frames proxy sealed-kill disk secrets power reconnects

torture-long: $(VENV)/.dev ## the same with the counts for a release; takes hours
	$(BIN)/python -m tests.fault --long $(SCENARIOS)
