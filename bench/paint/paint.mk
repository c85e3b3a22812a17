.PHONY: bench-paint
bench-paint: $(VENV)/.installed node_modules/.installed ## script time of painting 10,000 highlighted cells, in Chromium
	CHROMIUM=$$(sh tests/browser/chromium.sh) node bench/paint/run.mjs
