"""Attackers of what all share: guests who hold branches, tables that ask for forecasts, wrong keys.

Each attack is a list of acts, which run side by side until `is_over` is set. They ask over plain HTTP.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from contextlib import suppress
from threading import Event
from typing import Any

import requests

from bench.fairness.addresses import FromAddress

GUESTS = 6
FORECAST_SIZE = 20
"""The continuations of one forecast; they take a few seconds."""

_POLL_SECONDS = 0.1
_STRANGERS = 8

Act = Callable[[Event], None]


class Guest:
    """A seat of an attacking table, from an address of its own. It does not wait after a refusal."""

    def __init__(self, url: str, table: str, key: str, address: str) -> None:
        self._url = f"{url}/api/tables/{table}"
        self._http = requests.Session()
        self._http.mount("http://", FromAddress(address))
        self._http.headers["Authorization"] = f"Bearer {key}"

    def ask(self, counts: dict[str, float], method: str, path: str, body: Any = None) -> dict[str, Any]:
        """Ask once; return the answer, or nothing."""
        with suppress(requests.RequestException):
            answer = self._http.request(method, f"{self._url}/{path}", json=body, timeout=30)
            counts["answers" if answer.ok else "refusals"] += 1
            if answer.ok:
                return dict(answer.json()) if answer.content else {}
        return {}


def seats_of(url: str, link: dict[str, Any], count: int) -> list[str]:
    """Seat players at a table; return their keys."""
    table = f"{url}/api/tables/{link['table']}"
    gm = {"Authorization": f"Bearer {link['gm_key']}"}
    keys = []
    for number in range(count):
        invitation = {"role": "player"}
        invited = requests.post(f"{table}/invitations", json=invitation, headers=gm, timeout=30).json()
        asked = {"invitation": invited["secret"], "name": f"Guest {number}"}
        seat = requests.post(f"{table}/seats", json=asked, timeout=30).json()
        approved = f"{table}/seats/{seat['seat']}/approve"
        requests.post(approved, json={"tokens": []}, headers=gm, timeout=30).raise_for_status()
        keys.append(seat["key"])
    return keys


def branches(url: str, links: list[dict[str, Any]], counts: dict[str, float]) -> list[Act]:
    """Guests of several tables open branches as often as they can, and use each so that it is not idle."""
    guests = [
        Guest(url, link["table"], key, f"127.0.1.{1 + number * GUESTS + place}")
        for number, link in enumerate(links)
        for place, key in enumerate(seats_of(url, link, GUESTS))
    ]

    def hold(guest: Guest, is_over: Event) -> None:
        while not is_over.wait(_POLL_SECONDS):
            opened = guest.ask(counts, "POST", "branches", {})
            counts["branches"] += bool(opened)
            for one in guest.ask(counts, "GET", "branches").get("branches", ()):
                guest.ask(counts, "GET", f"branches/{one['branch']}/update")

    return [lambda is_over, guest=guest: hold(guest, is_over) for guest in guests]


def forecasts(url: str, links: list[dict[str, Any]], counts: dict[str, float]) -> list[Act]:
    """The GM and the guests of one table ask for forecasts, each for the next once its last one has ended."""
    (link, *_) = links
    keys = [link["gm_key"], *seats_of(url, link, GUESTS)]
    guests = [Guest(url, link["table"], key, f"127.0.2.{1 + number}") for number, key in enumerate(keys)]

    def forecast(guest: Guest, is_over: Event) -> None:
        while not is_over.wait(_POLL_SECONDS):
            found = _command(guest, counts, "forecast.start", {"count": FORECAST_SIZE})
            while found.get("state") in ("waiting", "running") and not is_over.wait(_POLL_SECONDS):
                found = _command(guest, counts, "forecast.read", {"forecast": found["forecast"]}) or found
            counts["forecasts"] += found.get("state") == "done"

    return [lambda is_over, guest=guest: forecast(guest, is_over) for guest in guests]


def keys(url: str, links: list[dict[str, Any]], counts: dict[str, float]) -> list[Act]:
    """Strangers at the honest player's own address send wrong keys to its table, without a pause."""
    (link, *_) = links

    def guess(is_over: Event) -> None:
        while not is_over.is_set():
            stranger = Guest(url, link["table"], secrets.token_urlsafe(32), "127.0.0.1")
            for _ in range(random.randrange(1, 20)):
                stranger.ask(counts, "POST", "tickets")

    return [guess] * _STRANGERS


def _command(guest: Guest, counts: dict[str, float], kind: str, body: dict[str, Any]) -> dict[str, Any]:
    command = {"v": 1, "id": secrets.token_hex(16), "kind": kind, "base": None, "body": body}
    return dict(guest.ask(counts, "POST", "commands", command).get("result", {}))


SHARED: dict[str, Callable[[str, list[dict[str, Any]], dict[str, float]], list[Act]]] = {
    "branches": branches,
    "forecasts": forecasts,
    "keys": keys,
}
