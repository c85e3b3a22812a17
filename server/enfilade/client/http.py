"""A table over plain HTTP, for bridges and bots without sockets.

    table = Client("http://127.0.0.1:8090", table="…", key="…")
    table.send("token.move", {"token": "orc-3", "at": [4, 7]})
    print(table.overlay("orc-3")["reach"])

A refusal raises the error that has its code (enfilade.errors).
"""

from __future__ import annotations

import json
import secrets
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import requests

from enfilade import errors
from enfilade.errors import EnfiladeError

TIMEOUT_SECONDS = 30
_TRIES = 3
_FORECAST_SECONDS = 0.5
"""The time between two questions how far a forecast is."""
_GATEWAY_FAILURES = (502, 503, 504)
"""The answers of a proxy that does not reach the server now."""
_DETAILS = ("rule", "fields", "current", "missing", "retry_after_ms", "process")


def connect_credentials(base_url: str, table: str, key: str, origin: str = "") -> dict[str, str]:
    """Return the `auth` that opens one Socket.IO connection. Raises EnfiladeError.

    `origin` must be the one that the socket sends; websocket-client sends the server's own.
    """
    return Client(base_url, table, key).connect_credentials(origin)


class Client:
    """One table of a server, accessed with a key."""

    def __init__(self, base_url: str, table: str, key: str) -> None:
        self._table = table
        self._url = f"{base_url.rstrip('/')}/api/tables/{table}"
        self._http = requests.Session()
        self._http.headers["Authorization"] = f"Bearer {key}"

    def send(self, kind: str, body: dict[str, Any], base: int | None = None) -> dict[str, Any]:
        """Send a command and return its acknowledgment. Raises EnfiladeError.

        If the connection fails, the client sends the command again under the same ID, so that it runs once.
        If the server limits the rate, it waits as long as the server says.
        """
        command = {"v": 1, "id": uuid.uuid4().hex, "kind": kind, "base": base, "body": body}
        command["random"] = secrets.token_hex(16)  # so that the server alone does not determine the dice
        for _ in range(_TRIES - 1):
            try:
                return self.request("POST", "commands", json=command)
            except requests.ConnectionError:
                continue
            except errors.RateLimited as problem:
                time.sleep(problem.retry_after_ms / 1000)
        return self.request("POST", "commands", json=command)

    def connect_credentials(self, origin: str = "") -> dict[str, str]:
        """Return the `auth` that opens one Socket.IO connection. Raises EnfiladeError."""
        return {"table": self._table, "ticket": self.request_ticket(origin)[0]}

    def request_ticket(self, origin: str = "", timeout: float = TIMEOUT_SECONDS) -> tuple[str, str]:
        """Return a ticket for one connection, and the process to connect to, empty without a cluster.

        Raises EnfiladeError.
        """
        headers = {"Origin": origin} if origin else {}
        answer = self.request("POST", "tickets", headers=headers, timeout=timeout)
        return str(answer["ticket"]), str(answer.get("process", ""))

    def overlay(self, token: str, layers: Sequence[str] | None = None) -> dict[str, Any]:
        """Return a token's overlay, with all layers or some. Raises EnfiladeError."""
        params = {"token": token, **({"layers": ",".join(layers)} if layers else {})}
        return self.request("GET", "overlay", params=params)

    def matchups(self, answers: dict[str, str]) -> dict[str, Any]:
        """Return what answers to open choices would do against each opponent. Raises EnfiladeError."""
        return self.request("GET", "matchups", params={"answers": json.dumps(answers)})

    def decisions(
        self, token: str, at: tuple[int, int] | None = None, most: int | None = None
    ) -> dict[str, Any]:
        """Return a token's decision map, or its outlook at one cell. Raises EnfiladeError."""
        params = {"token": token, "most": most, "at": None if at is None else f"{at[0]},{at[1]}"}
        return self.request(
            "GET", "decisions", params={key: value for key, value in params.items() if value is not None}
        )

    def focus(self, target: str, attackers: list[str]) -> dict[str, Any]:
        """Return the chance that attackers in order bring a target down. Raises EnfiladeError."""
        return self.request("GET", "focus", params={"target": target, "attackers": ",".join(attackers)})

    def forecast(self, count: int, report: Callable[[dict[str, Any]], None] | None = None) -> dict[str, Any]:
        """Return how the battle may end, counted over a number of continuations; wait for all of them.

        `report` is called with what is counted so far. Raises EnfiladeError.
        """
        found: dict[str, Any] = self.send("forecast.start", {"count": count})["result"]
        while found["state"] in ("waiting", "running"):
            time.sleep(_FORECAST_SECONDS)
            found = self.send("forecast.read", {"forecast": found["forecast"]})["result"]
            if report:
                report(found)
        return found

    def facts(self, token: str | None = None, log: int = 0) -> dict[str, Any]:
        """Return the facts of the seat's view: tokens, turn, lines of a token, log. Raises EnfiladeError."""
        params: dict[str, Any] = {"log": log, **({"from": token} if token else {})}
        return self.request("GET", "facts", params=params)

    def verdict(self, token: str, target: str) -> dict[str, Any]:
        """Return a token's verdict on a target: sight, cover, distance, odds. Raises EnfiladeError."""
        return self.request("GET", "verdict", params={"token": token, "target": target})

    def scene(self) -> dict[str, Any]:
        """Return the scene as the key's seat may know it."""
        return self.request("GET", "scene")

    def upload_map(self, path: Path | str, is_gridless: bool = False) -> list[str]:
        """Set a map file as the scene; return notes on what was left out.

        With `is_gridless` a squared map is used without its cells. Raises EnfiladeError.
        """
        path = Path(path)
        params = {"name": path.name, **({"grid": "gridless"} if is_gridless else {})}
        answer = self.request("POST", "map", params=params, data=path.read_bytes())
        return list(answer["result"]["notes"])

    def request(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        """Send a request under the table's URL; return its JSON, {} if it has none. Raises EnfiladeError."""
        options = {"timeout": TIMEOUT_SECONDS, **options}
        response = self._http.request(method, f"{self._url}/{path}", **options)
        if response.status_code == requests.codes.no_content:
            return {}
        try:
            answer = response.json()
        except requests.JSONDecodeError:
            problem = EnfiladeError(f"The server answered {response.status_code} without JSON.")
            problem.retryable = response.status_code in _GATEWAY_FAILURES
            raise problem from None
        if response.ok:
            return dict(answer)
        raise error_from_json(answer["error"])


def error_from_json(body: dict[str, Any]) -> EnfiladeError:
    """Return the error that a refusal describes, of the class that has its code."""
    kind = _KINDS.get(body["code"], EnfiladeError)
    problem = kind.__new__(kind)
    EnfiladeError.__init__(problem, body["sentence"])
    vars(problem).update({"code": body["code"], "retryable": body.get("retryable", False)})
    vars(problem).update({name: body[name] for name in _DETAILS if name in body})
    return problem


def _with_subclasses(kind: type[EnfiladeError]) -> list[type[EnfiladeError]]:
    return [kind, *(k for child in kind.__subclasses__() for k in _with_subclasses(child))]


_KINDS = {kind.code: kind for kind in reversed(_with_subclasses(errors.EnfiladeError))}
