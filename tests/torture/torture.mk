# make torture: everything around Enfilade breaks; each ordeal with builds that are broken on purpose.
# ORDEALS="kill power disk proxy worlds secrets reconnects frames hostile", N= how often.
# make torture-quick: what of it make test has time for. make torture-long: what belongs to a release.
.PHONY: torture torture-quick torture-long

torture: $(VENV)/.dev ## kills, power cuts, full disks, a lying network: nothing acknowledged is lost; ORDEALS=kill N=1000
	$(BIN)/python -m tests.torture $(ORDEALS) $(if $(N),-n $(N))

torture-quick: $(VENV)/.dev
	$(BIN)/python -m tests.torture --quick $(ORDEALS)

torture-long: $(VENV)/.dev ## the same with the figures of a release; takes hours
	$(BIN)/python -m tests.torture --long $(ORDEALS)
