# make dist: the sdist, a pure wheel, and a wheel with the kernel for this platform.
# make dist-test: installs each wheel into a fresh environment and plays on it in a browser. Takes minutes.
# make dist-short: the same with the packages of this checkout's environment, and played on the wheel without the kernel
# alone; part of `make test`.
.PHONY: dist dist-test dist-short

dist: $(VENV)/.dev node_modules/.installed ## build the sdist and the wheels in dist/
	npm run --silent vendor
	$(BIN)/python -m tests.dist build dist

dist-test: dist ## install each wheel into a fresh environment, and play on it in a browser
	CHROMIUM=$$(sh tests/browser/chromium.sh) $(BIN)/python -m tests.dist test dist

dist-short: $(VENV)/.dev node_modules/.installed
	@if browser=$$(sh tests/browser/chromium.sh light); then CHROMIUM=$$browser $(BIN)/python -m tests.dist short; \
	elif [ -n "$$CI" ]; then echo "dist: FAIL there is no Chromium"; exit 1; \
	else echo "dist: SKIP there is no Chromium: install it, or name a browser in CHROMIUM"; fi
