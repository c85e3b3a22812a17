# make version VERSION=0.2.0: writes the version into setup.cfg and all files that copy it.
# make release-check: builds a release from a fresh clone of the last commit, and tries all of it; uploads nothing.
#   TAG=v0.2.0 checks as for that tag; RELEASES=https://github.com/OWNER/enfilade/releases is where it will be.
.PHONY: version release-check

version: ## write VERSION into setup.cfg and the files that copy it
	$(PYTHON) -m tests.release version $(VERSION)

RELEASES ?= https://example.org/releases
release-check: $(VENV)/.release node_modules/.installed ## build and try a release from a fresh clone, in release/; uploads nothing
	$(BIN)/python -m tests.release check release --releases $(RELEASES) $(if $(TAG),--tag $(TAG))

$(VENV)/.release: $(VENV)/.dev
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[release]'
	touch $@
