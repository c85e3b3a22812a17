.PHONY: bench-foundry
bench-foundry: $(VENV)/.installed $(PROGRAM) ## what the Foundry module adds to a frame of a drag over 2,000 cells, in Chromium
	CHROMIUM=$$(sh tests/browser/chromium.sh) node bench/foundry/run.mjs
