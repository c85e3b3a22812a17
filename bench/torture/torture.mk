# make torture: kill -9, power cuts and failing disks, each with builds that are broken on purpose.
# ORDEALS="kill power disk", N= how many cycles of kill or images of power.
.PHONY: torture

torture: $(VENV)/.dev ## kills, power cuts, failing disks: nothing acknowledged is lost; ORDEALS=kill N=1000
	$(BIN)/python -m bench.torture $(ORDEALS) $(if $(N),-n $(N))
