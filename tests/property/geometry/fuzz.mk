# make fuzz-geometry: both geometry engines against independent oracles, on random and degenerate scenes.
# N= how many answers to compare (a million takes about two minutes), SEED= where to begin.

.PHONY: fuzz-geometry

fuzz-geometry: $(VENV)/.installed ## the geometry engine against independent oracles; N=1000000 SEED=0
	$(BIN)/python -m tests.property.geometry $(if $(N),--cells $(N)) $(if $(SEED),--seed $(SEED))
