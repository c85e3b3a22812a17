"""Try the shipped nginx configuration: `python -m tests.deploy.proxy`, as root.

Starts PostgreSQL, a server with the settings of deploy/compose.yaml, and nginx with deploy/nginx/ on ports
and with a certificate of the test. A live client then plays over TLS.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from string import Template

import requests
import trustme

from enfilade.client.live import LiveClient
from tests.unit.store.postgres import Postgres, programs

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "deploy" / "nginx" / "enfilade.conf.template"
NAME = "localhost"
OPERATOR_KEY = "the-operator-s-key-of-a-test"
START_SECONDS = 60


def free_port() -> int:
    """Return a port that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def write_configuration(folder: Path, server_port: int, http: int, https: int) -> Path:
    """Write nginx's whole configuration: the shipped one, with the test's ports and certificate."""
    (folder / "certificates").mkdir()
    authority = trustme.CA()
    certificate = authority.issue_cert(NAME)
    certificate.cert_chain_pems[0].write_to_path(folder / "certificates" / "fullchain.pem")
    certificate.private_key_pem.write_to_path(folder / "certificates" / "privkey.pem")
    authority.cert_pem.write_to_path(folder / "authority.pem")
    values = {"ENFILADE_NAME": NAME, "ENFILADE_SERVER": f"127.0.0.1:{server_port}"}
    text = Template(TEMPLATE.read_text("utf-8")).safe_substitute(values)  # as envsubst: other $names stay
    text = re.sub(r"listen (\[::\]:)?80;", lambda found: f"listen {found[1] or ''}{http};", text)
    text = re.sub(r"listen (\[::\]:)?443 ", lambda found: f"listen {found[1] or ''}{https} ", text)
    text = text.replace("/etc/nginx/certificates", str(folder / "certificates"))
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = f"""user root;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
daemon off;
events {{ worker_connections 1024; }}
http {{
access_log {folder}/access.log;
{temporary}{text}
}}
"""
    path = folder / "nginx.conf"
    path.write_text(whole)
    return path


@contextmanager
def running(command: list[str], **settings: str) -> Iterator[subprocess.Popen[str]]:
    """Run a program until the block ends."""
    process = subprocess.Popen(command, env={**os.environ, **settings}, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def stack(folder: Path) -> Iterator[tuple[str, str, int]]:
    """Run PostgreSQL, the server and nginx; yield the public URL, the plain one and the server's port."""
    found = programs()
    require(found is not None, "PostgreSQL is not installed")
    assert found
    database = Postgres(found)
    database.start()
    port, http, https = free_port(), free_port(), free_port()
    configuration = write_configuration(folder, port, http, https)
    settings = {
        "ENFILADE_STORE": database.url(),
        "ENFILADE_DATA": str(folder / "data"),
        "ENFILADE_PORT": str(port),
        "ENFILADE_PUBLIC_URL": f"https://{NAME}:{https}",
        "ENFILADE_PROXIES": "1",
        "ENFILADE_OPERATOR_KEY": OPERATOR_KEY,
        "REQUESTS_CA_BUNDLE": str(folder / "authority.pem"),
        "SSL_CERT_FILE": str(folder / "authority.pem"),
    }
    os.environ.update(settings)
    try:
        subprocess.run(["nginx", "-t", "-q", "-c", str(configuration)], check=True)
        server = [sys.executable, "-m", "enfilade", "serve"]
        with running(server, **settings), running(["nginx", "-c", str(configuration)]):
            wait_until_ready(f"https://{NAME}:{https}/ready")
            yield f"https://{NAME}:{https}", f"http://{NAME}:{http}", port
    finally:
        database.remove()


def wait_until_ready(url: str) -> None:
    """Wait until a URL answers 200. Raises SystemExit."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        try:
            if requests.get(url, timeout=3).ok:
                return
        except requests.RequestException:
            pass
        time.sleep(0.2)
    raise SystemExit(f"proxy: FAIL {url} is not ready")


def check(url: str, plain: str, port: int) -> None:
    """Play behind the proxy, and try what a stranger would."""
    moved = requests.get(f"{plain}/board/?x=1", allow_redirects=False, timeout=10)
    require(
        moved.status_code == 301 and moved.headers["Location"].startswith("https://"),
        "HTTP is not redirected",
    )
    page = requests.get(f"{url}/board/", timeout=10)
    require(page.ok and page.headers["Strict-Transport-Security"] != "", "the page is not served with HSTS")
    manifest = requests.get(f"{url}/foundry/module.json", timeout=10).json()
    require(manifest["download"].startswith(url), f"the module is offered at {manifest['download']}")
    require(requests.get(manifest["download"], timeout=10).content[:2] == b"PK", "the module is no zip")
    require(requests.get(f"{url}/metrics", timeout=10).status_code == 404, "the metrics are public")
    require(create_table(url, "").status_code in (401, 403), "a stranger creates a table")
    links = create_table(url, OPERATOR_KEY).json()
    events: list[object] = []
    with LiveClient(url, links["table"], links["gm_key"], on_update=events.append) as client:
        profile = {"armor": "light", "race": "human", "hands": ["sword"]}
        token = {"id": "ann", "name": "Ann", "side": "blue", "at": [3, 3], "facing": 0, "profile": profile}
        client.send("token.place", {"token": token})
        client.send("token.move", {"token": "ann", "at": [4, 4]})
        client.wait_until(lambda replica: replica.scene.token("ann").at == (4, 4))
    large = requests.post(
        f"{url}/api/tables/{links['table']}/map?name=large.uvtt",
        data=b" " * (20 << 20),
        headers={"Authorization": f"Bearer {links['gm_key']}"},
        timeout=60,
    )
    require(large.status_code == 422, f"a large broken map is answered with {large.status_code}")
    command = [sys.executable, "-m", "enfilade", "doctor", "--port", str(port)]
    doctor = subprocess.run(command, capture_output=True, text=True, check=False)
    require(doctor.returncode == 0, doctor.stdout + doctor.stderr)
    require(f"Enfilade answers at {url}, and pages" in doctor.stdout, doctor.stdout)


def create_table(url: str, key: str) -> requests.Response:
    """Ask for a table with an operator's key, or without one."""
    sent = {"Authorization": f"Bearer {key}"} if key else {}
    body = {"ruleset": "coup_de_grace", "name": "Behind a proxy"}
    return requests.post(f"{url}/api/tables", json=body, headers=sent, timeout=10)


def require(holds: bool, sentence: str) -> None:
    """Raise SystemExit unless something holds."""
    if not holds:
        raise SystemExit(f"proxy: FAIL {sentence}")


def main() -> int:
    """Run the servers and the checks."""
    if not shutil.which("nginx"):
        print("proxy: SKIP nginx is not installed")
        return 0
    folder = Path(tempfile.mkdtemp(prefix="enfilade-proxy-"))
    try:
        with stack(folder) as (url, plain, port):
            check(url, plain, port)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("proxy: PASS nginx, PostgreSQL, TLS")
    return 0


if __name__ == "__main__":
    sys.exit(main())
