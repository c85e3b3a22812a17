# Maps of a folder, read as a file, as the module reads the live scene, and by a reading of its own.
# MAPS= is the folder. Needs shapely, which is an extra of the benchmarks.
.PHONY: import-check import-doors

import-check: $(VENV)/.bench node_modules/.installed ## the importer on every map of a folder: MAPS=folder
	$(BIN)/python -m tests.import_check $(MAPS)

import-doors: $(VENV)/.bench ## sight through 1,000 random doors of random walls, against shapely; N=1000 SEED=1
	$(BIN)/python -m tests.import_check.doors $(or $(N),1000) $(or $(SEED),1)
