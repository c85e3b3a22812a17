.PHONY: bench-board

bench-board: $(VENV)/.installed $(PROGRAM) ## measure the board page: weight, start at a slow CPU, panning a large map
	CHROMIUM=$$(sh tests/browser/chromium.sh) node bench/board/board.mjs $(ONLY)
