# make image-test: runs the steps of deploy/Dockerfile in bare root file systems, and the result read-only. As root.
# make proxy-test: nginx with TLS, the server and PostgreSQL, with the configuration that is shipped. As root.
.PHONY: image-test proxy-test

image-test: dist ## run the image's steps in a bare root file system, and try the result; as root
	$(BIN)/python -m tests.deploy.image

proxy-test: $(VENV)/.dev ## a table behind the shipped nginx configuration, with TLS and PostgreSQL; as root
	$(BIN)/python -m tests.deploy.proxy
