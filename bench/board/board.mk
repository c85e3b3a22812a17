.PHONY: bench-board evening

bench-board: $(VENV)/.installed $(PROGRAM) ## measure the board page: weight, start at a slow CPU, panning a large map
	CHROMIUM=$$(sh tests/browser/chromium.sh) node bench/board/board.mjs $(ONLY)

evening: $(VENV)/.installed $(PROGRAM) ## a long evening: 3,000 entries, four pages; what the last ones cost, against the first
	CHROMIUM=$$(sh tests/browser/chromium.sh) node bench/board/evening.mjs $(N)
