# make bench: the geometry engine beside its peers, same scenes, interleaved medians.

.PHONY: bench

bench: $(VENV)/.bench bench/node_modules/.installed ## the geometry engine beside its peers; takes minutes
	$(BIN)/python -m bench.geometry $(ARGS)

$(VENV)/.bench: $(VENV)/.installed setup.py $(wildcard server/enfilade/geometry/kernel/*.[ch])
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[bench]'
	touch $@

bench/node_modules/.installed: bench/package.json
	npm install --prefix bench --no-audit --no-fund --loglevel=error
	touch $@
