"""Three server processes behind nginx, each in a network namespace of its own, with a PostgreSQL beside them.

The program itself runs in a new network namespace (`unshare --net`), so nothing here reaches the machine's
network. Each process has two links, one to nginx and one to PostgreSQL, which can be cut one by one.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import requests

from tests.cluster.proxy import write_configuration
from tests.fault.server import UNHURRIED
from tests.unit.store.postgres import Postgres, programs

NAMES = ("a", "b", "c")
PORT = 8090
URL = "http://10.77.0.1:8080"


def run(*command: str) -> None:
    subprocess.run(command, check=True)


class Process:
    """A server process in a network namespace that lasts longer than it. It is not started yet."""

    server: subprocess.Popen[bytes] | None = None

    def __init__(self, name: str, number: int, folder: Path, store: str) -> None:
        self.name = name
        self._data = folder / name
        self._log = (folder / f"{name}.log").open("a")
        self._store = store
        self._namespace = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        time.sleep(0.3)  # until it has its namespace
        pid = str(self._namespace.pid)
        for link in ("web", "db"):
            here, there = f"{link}{name}", f"{link}0"
            run("ip", "link", "add", here, "type", "veth", "peer", "name", there, "netns", pid)
            run("ip", "link", "set", here, "master", link, "up")
            address = f"10.77.{('web', 'db').index(link)}.{10 + number}/24"
            run("nsenter", "-t", pid, "-n", "ip", "addr", "add", address, "dev", there)
            run("nsenter", "-t", pid, "-n", "ip", "link", "set", there, "up")
        run("nsenter", "-t", pid, "-n", "ip", "link", "set", "lo", "up")
        self.address = f"10.77.0.{10 + number}"

    def start(self) -> None:
        """Start the server and wait until it is ready."""
        settings = {**UNHURRIED, "ENFILADE_STORE": self._store, "ENFILADE_PROCESS": self.name}
        settings |= {"ENFILADE_PROXIES": "1", "ENFILADE_PUBLIC_URL": URL, "ENFILADE_QUEUE_PACKETS": "4096"}
        command = [sys.executable, "-m", "enfilade", "serve", "--host", self.address, "--port", str(PORT)]
        enter = ["nsenter", "-t", str(self._namespace.pid), "-n"]
        self.server = subprocess.Popen(
            [*enter, *command, "--data", str(self._data)],
            stdout=subprocess.DEVNULL, stderr=self._log, env={**os.environ, **settings},
        )  # fmt: skip
        end = time.monotonic() + 90
        while self.ready_status() != 200:
            if time.monotonic() > end or self.server.poll() is not None:
                raise RuntimeError(f"Process {self.name} did not start: {Path(self._log.name).read_text()}")
            time.sleep(0.2)

    def ready_status(self) -> int:
        """Return the status of /ready; 0 without an answer."""
        with suppress(requests.RequestException):
            return requests.get(f"http://{self.address}:{PORT}/ready", timeout=5).status_code
        return 0

    def send(self, number: int) -> None:
        """Send a signal to the server."""
        self.server.send_signal(number)

    def end(self, number: int = signal.SIGTERM) -> None:
        """End the server with a signal, and wait for it."""
        self.server.send_signal(number)
        self.server.wait(20)

    def connect_database(self, is_connected: bool) -> None:
        """Cut the link to PostgreSQL, or mend it."""
        run("ip", "link", "set", f"db{self.name}", "up" if is_connected else "down")

    def close(self) -> None:
        """End the server and its namespace."""
        for process in (self.server, self._namespace):
            if process is not None:
                process.kill()
                process.wait()


class Cluster:
    """PostgreSQL, nginx, and the first `count` of the processes."""

    def __init__(self, folder: Path, count: int = len(NAMES)) -> None:
        found = programs()
        if found is None or not shutil.which("nginx"):
            raise RuntimeError("PostgreSQL and nginx must be installed")
        run("ip", "link", "set", "lo", "up")
        for number, link in enumerate(("web", "db")):
            if not Path(f"/sys/class/net/{link}").exists():
                run("ip", "link", "add", link, "type", "bridge")
                run("ip", "addr", "add", f"10.77.{number}.1/24", "dev", link)
                run("ip", "link", "set", link, "up")
        self._ends = ExitStack()
        self.processes: list[Process] = []
        try:
            self._start(Postgres(found), folder, count)
        except BaseException:
            self.close()
            raise

    def _start(self, postgres: Postgres, folder: Path, count: int) -> None:
        self._ends.callback(postgres.remove)
        postgres.start("*", "host all all 10.77.1.0/24 trust")
        self.store = postgres.url()
        remote = self.store.replace("127.0.0.1", "10.77.1.1")
        for number, name in enumerate(NAMES[:count]):
            process = Process(name, number, folder, remote)
            self._ends.callback(process.close)
            self.processes.append(process)
            process.start()
        addresses = [f"10.77.0.{10 + number}:{PORT}" for number in range(count)]
        configuration = write_configuration(folder, addresses, "10.77.0.1:8080")
        nginx = subprocess.Popen(["nginx", "-p", str(folder), "-c", str(configuration)])
        self._ends.callback(nginx.terminate)

    def close(self) -> None:
        """End everything that was started."""
        self._ends.close()
