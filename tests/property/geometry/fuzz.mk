# make fuzz-geometry: both geometry engines against independent oracles, on random and degenerate scenes.
# make fuzz-short: the same with 10,000 answers; part of `make test`.
# N= is the least number of answers to compare (200,000 take about half a minute), SEED= the first seed.

.PHONY: fuzz-geometry fuzz-short

fuzz-geometry: $(VENV)/.installed ## compare the geometry engines with independent oracles; N=100000 SEED=0
	$(BIN)/python -m tests.property.geometry $(if $(N),--cells $(N)) $(if $(SEED),--seed $(SEED))

fuzz-short:
	@$(MAKE) --no-print-directory fuzz-geometry N=10000
