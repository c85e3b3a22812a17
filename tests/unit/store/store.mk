# The store's tests use a real PostgreSQL; on Debian the tests install it.
test-python: $(VENV)/.postgres

$(VENV)/.postgres: | $(VENV)/.installed
	sh tests/unit/store/install_postgres.sh
	touch $@
