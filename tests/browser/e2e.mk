# The page's tests: on node, and in a real browser against the real server.
# N= is the number of tokens for foundry-positions, SEED= that of its random numbers.
.PHONY: test-js e2e e2e-short unpacked-module pictures owlbear-mutants foundry-facts foundry-mutants foundry-package foundry-positions

test-js: $(PROGRAM) ## types and tests of the JavaScript
	npm run --silent check
	npm test --silent

e2e: $(VENV)/.installed $(PROGRAM) ## the board page in a real browser (Chromium, or the one named in CHROMIUM)
	@if browser=$$(sh tests/browser/chromium.sh $(if $(SHORT),light)); then CHROMIUM=$$browser SHORT=$(SHORT) node tests/browser/run.mjs; \
	elif [ -n "$$CI" ]; then echo "e2e: FAIL there is no Chromium"; exit 1; \
	else echo "e2e: SKIP there is no Chromium: install it, or name a browser in CHROMIUM"; fi

e2e-short: unpacked-module ## the files that tests/browser/files.tsv gives it, on Chromium's headless shell, with the newest Foundry alone, except where versions differ; the module as Foundry downloads it; part of `make test`
	@WORKERS=$${WORKERS:-3} ENFILADE_TEST_MODULE=$(CURDIR)/build/module/unpacked $(MAKE) --no-print-directory e2e SHORT=1

# A page with the module as one file takes two thirds of the work of one with its 200 files.
unpacked-module: $(VENV)/.installed $(PROGRAM)
	@rm -rf build/module
	@$(BIN)/python -m enfilade.transport.http.module_package build/module http://127.0.0.1 >/dev/null
	@$(BIN)/python -m zipfile -e build/module/*.zip build/module/unpacked

pictures: $(VENV)/.installed $(PROGRAM) ## take the pictures of the docs and the README from the page, the module and the extension
	SCREENSHOT=1 GENERATIONS=13 CHROMIUM=$$(sh tests/browser/chromium.sh) node tests/browser/run.mjs \
		$$(cd tests/browser && grep -l "takePicture\|env\.SCREENSHOT" *.test.mjs)

foundry-facts: ## write docs/foundry-api.md: what the module uses of Foundry, with public sources
	node tests/browser/foundry/facts.mjs > docs/foundry-api.md

foundry-positions: $(VENV)/.installed ## take random tokens from Foundry to the server and back; N=22000 SEED=1
	node tests/browser/foundry/positions.mjs $(or $(N),22000) $(or $(SEED),1)

foundry-mutants: $(VENV)/.installed $(PROGRAM) ## the older module fails each strict rule of the stand-in
	node tests/browser/foundry/mutants.mjs

foundry-package: unpacked-module ## the browser tests of the Foundry module, on the zip that Foundry downloads
	ENFILADE_TEST_MODULE=$(CURDIR)/build/module/unpacked CHROMIUM=$$(sh tests/browser/chromium.sh) node tests/browser/run.mjs foundry

owlbear-mutants: $(VENV)/.installed $(PROGRAM) ## without its guards the extension fails on the strict rules of Owlbear's stand-in
	CHROMIUM=$$(sh tests/browser/chromium.sh) node tests/browser/owlbear/mutants.mjs
