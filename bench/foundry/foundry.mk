.PHONY: bench-foundry
bench-foundry: $(VENV)/.installed $(PROGRAM) ## what the Foundry module adds to a frame of a drag over 2,000 cells, in Chromium
	CHROMIUM=$$(sh tests/browser/chromium.sh) node bench/foundry/run.mjs

.PHONY: bench-foundry-moved
bench-foundry-moved: $(VENV)/.installed $(PROGRAM) ## what a moved token costs the page, with 500 tokens and 3,000 walls, against the whole scene
	CHROMIUM=$$(sh tests/browser/chromium.sh) node bench/foundry/moved.mjs
