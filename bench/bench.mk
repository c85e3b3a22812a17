# make bench: the geometry engine and its peers on the same scenes, interleaved medians.

.PHONY: bench

bench: $(VENV)/.bench bench/node_modules/.installed ## measure the geometry engine and its peers; takes minutes
	$(BIN)/python -m bench.geometry $(ARGS)

$(VENV)/.bench: $(VENV)/.installed setup.py $(wildcard server/enfilade/geometry/kernel/*.[ch])
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[bench]'
	touch $@

bench/node_modules/.installed: bench/package.json
	npm install --prefix bench --no-audit --no-fund --loglevel=error
	touch $@
