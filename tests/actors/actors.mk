# make actors: exported actors of a folder become sheets, and are compared with their own data.
.PHONY: actors

actors: $(VENV)/.dev ## ACTORS=folder of exported actors: each is read and compared with its own data
	$(BIN)/python -m tests.actors $(ACTORS)
