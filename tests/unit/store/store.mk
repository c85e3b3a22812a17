# The store's tests run on a real PostgreSQL, which on Debian is installed for them where it can be.
unit: $(VENV)/.postgres

$(VENV)/.postgres: | $(VENV)/.installed
	sh tests/unit/store/install_postgres.sh
	touch $@
