"""The scripts of deploy/certificate: nginx starts without a certificate, and takes each new one by itself."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
import trustme

from tests.deploy.proxy import free_port

SCRIPTS = Path(__file__).parents[2] / "deploy" / "certificate"
NAME = "rules.example.org"
WAIT_SECONDS = 60

needs_nginx = pytest.mark.skipif(
    not (shutil.which("nginx") and shutil.which("openssl")), reason="nginx or openssl is not installed"
)


def wait_until(holds):
    end = time.monotonic() + WAIT_SECONDS
    while not holds():
        assert time.monotonic() < end, "It never happens."
        time.sleep(0.05)


@contextmanager
def nginx(folder):
    """Run the script and then nginx, as its container does; yield the port."""
    port = free_port()
    configuration = folder / "nginx.conf"
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    configuration.write_text(
        f"pid {folder}/nginx.pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; {temporary} server {{ listen 127.0.0.1:{port} ssl;\n"
        f"ssl_certificate {folder}/fullchain.pem; ssl_certificate_key {folder}/privkey.pem; }} }}\n"
    )
    command = f"nginx -c {configuration}"
    settings = {
        "ENFILADE_NAME": NAME,
        "CERTIFICATE_FOLDER": str(folder),
        "CERTIFICATE_WATCH_SECONDS": "0.1",
        "NGINX": command,
    }
    output = (folder / "output").open("w")
    process = subprocess.Popen(
        ["sh", "-c", f". {SCRIPTS}/10-certificate.sh; exec {command} -g 'daemon off;'"],
        env={**os.environ, **settings},
        start_new_session=True,
        stdout=output,
        stderr=subprocess.STDOUT,
    )
    try:
        wait_until(lambda: answers(port))
        yield port
    finally:
        os.killpg(process.pid, 15)
        process.wait(20)
        output.close()


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def served(port):
    """Return the certificate that nginx shows, as PEM."""
    return ssl.get_server_certificate(("127.0.0.1", port))


@needs_nginx
def test_nginx_starts_without_a_certificate_and_takes_the_authoritys_without_a_restart(tmp_path):
    with nginx(tmp_path) as port:
        first = served(port)
        assert first.strip() in (tmp_path / "fullchain.pem").read_text()
        issued = trustme.CA().issue_cert(NAME)
        issued.private_key_pem.write_to_path(tmp_path / "privkey.pem")
        issued.cert_chain_pems[0].write_to_path(tmp_path / "fullchain.pem")
        wanted = issued.cert_chain_pems[0].bytes().decode().strip()
        wait_until(lambda: served(port).strip() == wanted)  # workers that end show the first for a moment


@needs_nginx
def test_a_broken_certificate_leaves_nginx_with_the_one_it_has(tmp_path):
    with nginx(tmp_path) as port:
        first = served(port)
        (tmp_path / "fullchain.pem").write_text("broken")
        wait_until(lambda: "fullchain.pem" in (tmp_path / "output").read_text())
        assert served(port) == first


CERTBOT = """#!/bin/sh
echo "$@" >> {folder}/calls
[ -e {folder}/refuses ] && exit 1
mkdir -p {folder}/lineage
echo key > {folder}/lineage/privkey.pem; echo chain > {folder}/lineage/fullchain.pem
while [ $# -gt 0 ]; do [ "$1" = --deploy-hook ] && RENEWED_LINEAGE={folder}/lineage sh -c "$2"; shift; done
"""


@contextmanager
def renewing(folder, email="gm@example.org"):
    """Run the script of the certbot container with a program that writes down what it is asked."""
    (folder / "certbot").write_text(CERTBOT.format(folder=folder))
    (folder / "certbot").chmod(0o755)
    (folder / "certificates").mkdir()
    settings = {
        "ENFILADE_NAME": NAME,
        "CERTIFICATE_EMAIL": email,
        "CERTIFICATE_FOLDER": str(folder / "certificates"),
        "CERTIFICATE_RETRY_SECONDS": "0.1",
        "CERTBOT": str(folder / "certbot"),
    }
    output = (folder / "output").open("w")
    process = subprocess.Popen(
        ["sh", str(SCRIPTS / "renew.sh")],
        env={**os.environ, **settings},
        start_new_session=True,
        stdout=output,
    )
    try:
        yield
    finally:
        os.killpg(process.pid, 15)
        output.close()
        assert process.wait(20) == 0, "It does not stop as a container must."


def test_a_certificate_is_fetched_put_where_nginx_reads_it_and_asked_for_again(tmp_path):
    with renewing(tmp_path):
        wait_until(
            lambda: (tmp_path / "calls").exists() and len((tmp_path / "calls").read_text().splitlines()) > 1
        )
    assert (tmp_path / "certificates/fullchain.pem").read_text() == "chain\n"
    assert (tmp_path / "certificates/privkey.pem").read_text() == "key\n"
    asked = (tmp_path / "calls").read_text().splitlines()[0]
    assert f"--domain {NAME} --keep-until-expiring" in asked
    assert "--webroot-path /var/www/html" in asked


def test_a_refusal_of_the_authority_is_said_and_tried_again(tmp_path):
    (tmp_path / "refuses").touch()
    with renewing(tmp_path):
        wait_until(lambda: "the authority gave none" in (tmp_path / "output").read_text())
        (tmp_path / "refuses").unlink()
        wait_until(lambda: (tmp_path / "certificates/fullchain.pem").exists())


def test_without_an_address_for_the_authority_nothing_is_asked(tmp_path):
    with renewing(tmp_path, email=""):
        wait_until(lambda: "yours to renew" in (tmp_path / "output").read_text())
    assert not (tmp_path / "calls").exists()
