"""Wishes of an honest game master during an attack, beside the moves: a branch, a forecast, a ticket.

Each want is asked for over and over, in a thread beside the moves, and each answer noted.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import requests

from bench.fairness.shares import FORECAST_SIZE
from enfilade.client.http import Client
from enfilade.errors import EnfiladeError

_POLL_SECONDS = 0.1


@dataclass
class Wanted:
    """The counts of what was asked for and granted, the refusals, and the seconds that forecasts took."""

    asked: int = 0
    granted: int = 0
    why: list[str] = field(default_factory=list)
    waited: list[float] = field(default_factory=list)
    ran: list[float] = field(default_factory=list)


def branch(client: Client, _found: Wanted) -> None:
    """Open a branch, play in it, and throw it away."""
    opened = client.request("POST", "branches", json={})["branch"]
    client.request("GET", f"branches/{opened}/update")
    client.request("DELETE", f"branches/{opened}")


def forecast(client: Client, found: Wanted) -> None:
    """Ask for a forecast, and wait for its end."""
    began, ran_since = time.monotonic(), 0.0
    asked: dict[str, Any] = client.send("forecast.start", {"count": FORECAST_SIZE})["result"]
    while asked["state"] in ("waiting", "running"):
        if asked["state"] == "running":
            ran_since = ran_since or time.monotonic()
        time.sleep(_POLL_SECONDS)
        asked = client.send("forecast.read", {"forecast": asked["forecast"]})["result"]
    ran_since = ran_since or time.monotonic()
    found.waited.append(ran_since - began)
    found.ran.append(time.monotonic() - ran_since)


def ticket(client: Client, _found: Wanted) -> None:
    """Ask for a ticket."""
    client.request_ticket()


WANTS: dict[str, tuple[Callable[[Client, Wanted], None], float]] = {
    "branches": (branch, 0.5),
    "forecasts": (forecast, 3.0),
    "keys": (ticket, 0.25),
}
"""What is wanted under an attack, and the pause in seconds before it is wanted again."""


def ask_until(is_over: Event, attack: str, client: Client) -> Wanted:
    """Ask for what is wanted under an attack until it is over."""
    found = Wanted()
    act, pause = WANTS[attack]
    while not is_over.wait(pause):
        found.asked += 1
        try:
            act(client, found)
            found.granted += 1
        except (EnfiladeError, requests.RequestException) as refused:
            found.why.append(str(refused))
    return found
