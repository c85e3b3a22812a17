# make docs: the documentation as a site in build/site, with every link checked.
.PHONY: docs

docs: $(VENV)/.docs $(PROGRAM) ## build the documentation's site in build/site, links checked
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

$(VENV)/.docs: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	touch $@
