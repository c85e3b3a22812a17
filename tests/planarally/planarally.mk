# The mod in a real PlanarAlly. PLANARALLY= is a checkout that the tester has built, PLANARALLY_PYTHON= a Python with its needs.
.PHONY: planarally-test

planarally-test: $(VENV)/.installed $(PROGRAM) ## the mod in a real PlanarAlly; PLANARALLY=path-to-a-built-checkout
	@PLANARALLY="$(PLANARALLY)" PLANARALLY_PYTHON="$(PLANARALLY_PYTHON)" CHROMIUM=$$(sh tests/browser/chromium.sh) node tests/planarally/run.mjs
