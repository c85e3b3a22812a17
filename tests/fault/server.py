"""A real server to be tortured: `enfilade serve` in a process of its own, whole or broken on purpose."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from enfilade.client.http import connect_credentials
from enfilade.runtime.config import Limits
from tests import fork_server
from tests.fault import game

UNHURRIED = {f"ENFILADE_{name.upper()}": str(2**30) for name in vars(Limits())}
"""Settings without limits on what one client may ask, as here one address plays everybody, and in a hurry."""


PLAIN = {"suppress_origin": True}
"""Options that make websocket-client send no Origin header, as programs do."""


class Size(NamedTuple):
    """The memory of a process in bytes, and its threads."""

    memory: int
    threads: int


class Server:
    """A server on a folder of data, ready to be connected to when this is made."""

    def __init__(self, folder: Path, broken: str = "", settings: dict[str, str] | None = None) -> None:
        module, *names = ["tests.fault.mutants", broken] if broken else ["enfilade"]
        arguments = [*names, "serve", "--port", "0", "--data", str(folder)]
        environment = {**os.environ, **(settings or {})}
        self._folder = folder
        with (folder / "server.log").open("a") as log:
            is_forked = fork_server.ADDRESS_VARIABLE in os.environ
            start = fork_server.start if is_forked else fork_server.start_alone
            self.process = start(module, arguments, environment, log)
        assert self.process.stdout is not None
        line = next((line for line in self.process.stdout if line.startswith("GM link: ")), None)
        if line is None:
            raise RuntimeError(f"The server did not start: {(folder / 'server.log').read_text()}")
        self.port = int(line.split(":")[3].split("/")[0])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def links(self, role: str, ruleset: str = game.RULESET) -> dict[str, Any]:
        """The demo table of a ruleset, and the key of a seat there."""
        known = json.loads((self._folder / "links.json").read_text())[ruleset]
        return {"table": known["table"], "key": known[f"{role}_key"]}

    def connect_credentials(self, role: str) -> dict[str, Any]:
        """Return the credentials of one connection, for a client without an origin (PLAIN)."""
        return connect_credentials(self.url, **self.links(role))

    def size(self) -> Size:
        """Return the server's current size."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        fields = dict(line.split(":", 1) for line in status.splitlines())
        return Size(int(fields["VmRSS"].split()[0]) * 1024, int(fields["Threads"]))

    def kill(self) -> None:
        """Kills it as `kill -9` does, and waits until it is gone."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()

    def stop(self) -> None:
        """Terminate the server and wait for its end."""
        self.process.terminate()
        self.process.wait(10)
        if self.process.stdout:
            self.process.stdout.close()
