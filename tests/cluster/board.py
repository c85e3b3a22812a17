"""Run the board page and the Foundry stand-in on two processes behind nginx: `python -m tests.cluster.board`.

Starts PostgreSQL and nginx on free ports; board.mjs starts the processes, kills them, and looks at the pages.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack, closing
from pathlib import Path

from tests.cluster.proxy import write_configuration
from tests.unit.store.postgres import Postgres, programs

PAGES = Path(__file__).with_name("board.mjs")


def free_ports(count: int) -> list[int]:
    """Return different ports that are free now."""
    with ExitStack() as probes:
        found = [probes.enter_context(closing(socket.create_server(("127.0.0.1", 0)))) for _ in range(count)]
        return [probe.getsockname()[1] for probe in found]


def main() -> int:
    """Start everything; return the exit status of the pages' tests."""
    found = programs()
    if found is None or not shutil.which("nginx"):
        print("cluster-board: FAIL PostgreSQL and nginx must be installed")
        return 1
    web, world, *ports = free_ports(4)
    postgres = Postgres(found)
    with tempfile.TemporaryDirectory(prefix="enfilade-cluster-") as name:
        try:
            postgres.start()
            addresses = [f"127.0.0.1:{port}" for port in ports]
            configuration = write_configuration(Path(name), addresses, f"127.0.0.1:{web}")
            nginx = subprocess.Popen(["nginx", "-p", name, "-c", str(configuration)])
            try:
                settings = {
                    "ORIGIN": f"http://127.0.0.1:{web}",
                    "STORE": postgres.url(),
                    "PORTS": ",".join(map(str, ports)),
                    "ENFILADE_TEST_WORLD_PORT": str(world),
                    "ENFILADE": str(Path(sys.executable).with_name("enfilade")),
                }
                done = subprocess.run(["node", str(PAGES)], env={**os.environ, **settings}, check=False)
            finally:
                nginx.terminate()
                nginx.wait(10)
        finally:
            postgres.remove()
    print(f"cluster-board: {'FAIL' if done.returncode else 'PASS'}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
