"""A table over plain HTTP, for bridges and bots without sockets.

    table = Client("http://127.0.0.1:8090", table="…", key="…")
    table.send("token.move", {"token": "orc-3", "at": [4, 7]})
    print(table.overlay("orc-3")["reach"])

Every refusal is raised as the error it is (enfilade.errors).
"""

from __future__ import annotations

import secrets
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import requests

from enfilade import errors
from enfilade.errors import EnfiladeError

TIMEOUT_SECONDS = 30
_TRIES = 3
_DETAILS = ("rule", "fields", "current", "missing", "retry_after_ms")


def connect_credentials(base_url: str, table: str, key: str, origin: str = "") -> dict[str, str]:
    """What to connect one socket with, got for a key of a table: Socket.IO's `auth`. Raises EnfiladeError.

    `origin` is the one that the socket will name, as websocket-client does by itself (the server's own).
    """
    return Client(base_url, table, key).connect_credentials(origin)


class Client:
    """One table of one server, entered with a key."""

    def __init__(self, base_url: str, table: str, key: str) -> None:
        self._table = table
        self._url = f"{base_url.rstrip('/')}/api/tables/{table}"
        self._http = requests.Session()
        self._http.headers["Authorization"] = f"Bearer {key}"

    def send(self, kind: str, body: dict[str, Any], base: int | None = None) -> dict[str, Any]:
        """Does a command and answers with its acknowledgement; raises EnfiladeError.

        Sent again under the same id where the connection broke, so it is done once; and where the server
        says that it is asked too much, after the time it says.
        """
        command = {"v": 1, "id": uuid.uuid4().hex, "kind": kind, "base": base, "body": body}
        command["random"] = secrets.token_hex(16)  # goes into the dice, so that the server alone does not
        for _ in range(_TRIES - 1):
            try:
                return self.ask("POST", "commands", json=command)
            except requests.ConnectionError:
                continue
            except errors.RateLimited as problem:
                time.sleep(problem.retry_after_ms / 1000)
        return self.ask("POST", "commands", json=command)

    def connect_credentials(self, origin: str = "") -> dict[str, str]:
        """What to connect one socket with, as the function of that name; raises EnfiladeError."""
        headers = {"Origin": origin} if origin else {}
        answer = self.ask("POST", "tickets", headers=headers)
        return {"table": self._table, "ticket": str(answer["ticket"])}

    def overlay(self, token: str, layers: Sequence[str] | None = None) -> dict[str, Any]:
        """A token's overlay, of all layers or some; raises EnfiladeError."""
        asked = {"token": token, **({"layers": ",".join(layers)} if layers else {})}
        return self.ask("GET", "overlay", params=asked)

    def verdict(self, token: str, target: str) -> dict[str, Any]:
        """What a token makes of another: seen or not and why, cover, distance, odds; raises EnfiladeError."""
        return self.ask("GET", "verdict", params={"token": token, "target": target})

    def scene(self) -> dict[str, Any]:
        """The scene as this key's seat may know it."""
        return self.ask("GET", "scene")

    def upload_map(self, path: Path | str) -> list[str]:
        """Sets a map file as the scene; answers with notes on what was left out. Raises EnfiladeError."""
        path = Path(path)
        answer = self.ask("POST", "map", params={"name": path.name}, data=path.read_bytes())
        return list(answer["result"]["notes"])

    def ask(self, method: str, what: str, **request: Any) -> dict[str, Any]:
        """Asks for something under the table's address and gives the answer; raises EnfiladeError."""
        response = self._http.request(method, f"{self._url}/{what}", timeout=TIMEOUT_SECONDS, **request)
        try:
            answer = response.json()
        except requests.JSONDecodeError:
            raise EnfiladeError(f"The server answered {response.status_code} and no JSON.") from None
        if response.ok:
            return dict(answer)
        raise as_error(answer["error"])


def as_error(told: dict[str, Any]) -> EnfiladeError:
    """The error that an answer tells of, of the class that has its code."""
    kind = _KINDS.get(told["code"], EnfiladeError)
    problem = kind.__new__(kind)
    EnfiladeError.__init__(problem, told["sentence"])
    vars(problem).update({"code": told["code"], "retryable": told.get("retryable", False)})
    vars(problem).update({name: told[name] for name in _DETAILS if name in told})
    return problem


def _with_parents(kind: type[EnfiladeError]) -> list[type[EnfiladeError]]:
    return [kind, *(k for child in kind.__subclasses__() for k in _with_parents(child))]


_KINDS = {kind.code: kind for kind in reversed(_with_parents(errors.EnfiladeError))}
