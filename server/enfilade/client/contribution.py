"""A player's contribution to a table's dice: random bytes, committed to first and revealed on request.

The page does the same (plugin_manifest/scripts/core/dice/contribution.js). docs/fair-dice.md has the reasons.
"""

from __future__ import annotations

import secrets
from typing import Any

from enfilade.rules.fair import commitment

_BYTES = 16
_MAX_VALUES = 200


class DiceContribution:
    """One player's random bytes; `values` has the last few hundred, oldest first."""

    def __init__(self, table: str) -> None:
        self.values: list[str] = []
        self._table = table
        self._seat = ""
        self._used: set[str] = set()

    def answer(self, update: dict[str, Any]) -> dict[str, Any] | None:
        """Return the `dice.contribute` body that an update calls for, or None. Only players contribute."""
        body = update["body"]
        if update["kind"] == "snapshot":
            self._seat = body["seat"] if body["role"] == "player" else ""
            notes = [note for note in _dice_notes(body["log"]) if note["type"] in ("committed", "given")]
            return self._contribution(notes[-1:]) if self._seat else None
        if update["kind"] != "entries" or not self._seat:
            return None
        notes = _dice_notes(body["entries"])
        self._used.update(
            note["players"] for note in notes if note["type"] == "given" and self._has_own(note)
        )
        requests = [note for note in notes if note["type"] == "committed"]
        return self._contribution(requests) if requests else None

    def is_in(self, note: dict[str, Any] | None) -> bool:
        """Return whether this client's bytes are part of an entry's dice, as far as the client knows."""
        return note is not None and note.get("players", "") in self._used

    def _has_own(self, note: dict[str, Any]) -> bool:
        return any(part["seat"] == self._seat and part["value"] in self.values for part in note["parts"])

    def _contribution(self, requests: list[dict[str, Any]]) -> dict[str, Any]:
        reveal = self._requested_value(requests[-1]["parts"]) if requests else None
        value = secrets.token_hex(_BYTES)
        self.values = [*self.values, value][-_MAX_VALUES:]
        return {"reveal": reveal, "commit": commitment(self._table, self._seat, value)}

    def _requested_value(self, parts: list[dict[str, Any]]) -> str | None:
        open_ones = {part["commitment"] for part in parts if part["seat"] == self._seat and not part["value"]}
        for value in reversed(self.values):
            if commitment(self._table, self._seat, value) in open_ones:
                return value
        return None


def _dice_notes(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [entry["dice"] for entry in entries if entry["dice"]]
