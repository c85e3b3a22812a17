# make torture: everything around Enfilade breaks; each ordeal with builds that are broken on purpose.
# ORDEALS="kill power disk proxy worlds secrets reconnects frames hostile", N= how often.
# make torture-long: the figures that belong to a release.
.PHONY: torture torture-test torture-long

torture: $(VENV)/.dev ## kills, power cuts, full disks, a lying network: nothing acknowledged is lost; ORDEALS=kill N=1000
	$(BIN)/python -m tests.fault $(ORDEALS) $(if $(N),-n $(N))

# What of it make test runs: what is counted. How quick a server is, is for `make torture`, which wants a machine
# to itself: how soon it is ready again, and the hostile dozen.
torture-test: $(VENV)/.dev
	$(BIN)/python -m tests.fault --untimed kill power disk proxy worlds secrets reconnects frames

torture-long: $(VENV)/.dev ## the same with the figures of a release; takes hours
	$(BIN)/python -m tests.fault --long $(ORDEALS)
