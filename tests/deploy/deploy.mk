# make image-test: runs the steps of deploy/Dockerfile in bare root file systems, and the result read-only. As root.
# make service-test: the unit for systemd in namespaces where systemd is the first process. As root.
# make proxy-test: nginx with TLS, the server and PostgreSQL, with the configuration that is shipped. As root.
.PHONY: image-test proxy-test service-test

image-test: dist ## run the image's steps in a bare root file system, and try the result; as root
	$(BIN)/python -m tests.deploy.image

service-test: dist ## start the unit under systemd with its sandbox, kill and stop it; as root
	$(BIN)/python -m tests.deploy.service

proxy-test: $(VENV)/.dev ## a table behind the shipped nginx configuration, with TLS and PostgreSQL; as root
	$(BIN)/python -m tests.deploy.proxy
