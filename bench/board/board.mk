.PHONY: bench-board bench-board-paired evening

bench-board: $(VENV)/.installed $(PROGRAM) ## measure the board page: weight, start at a slow CPU, panning a large map
	CHROMIUM=$$(sh tests/browser/chromium.sh) node bench/board/board.mjs $(ONLY)

evening: $(VENV)/.installed $(PROGRAM) ## a long evening: 3,000 entries, four pages; what the last ones cost, against the first
	CHROMIUM=$$(sh tests/browser/chromium.sh) node bench/board/evening.mjs $(N)

# BASE is a checkout of the other commit after `make install`; PAIRS is how often the two are measured in turn.
bench-board-paired: $(VENV)/.installed $(PROGRAM) ## the board page beside that of another commit: first map, select and pan; BASE=folder PAIRS=7
	CHROMIUM=$$(sh tests/browser/chromium.sh) node bench/board/paired.mjs "$(BASE)" $(or $(PAIRS),7)
