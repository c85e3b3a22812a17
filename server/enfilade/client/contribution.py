"""A player's part in a table's dice, as a client takes it: bytes committed to, and given when asked for.

The page does the same (plugin_manifest/scripts/core/dice/contribution.js); docs/fair-dice.md says why.
"""

from __future__ import annotations

import secrets
from typing import Any

from enfilade.rules.fair import commitment

_BYTES = 16
_MOST_KEPT = 200


class DiceContribution:
    """One player's bytes. `values` are the last few hundred that were drawn, oldest first."""

    def __init__(self, table: str) -> None:
        self.values: list[str] = []
        self._table = table
        self._seat = ""
        self._given: set[str] = set()

    def answer(self, update: dict[str, Any]) -> dict[str, Any] | None:
        """The body of the `dice.contribute` that an update calls for, or None; only players take part."""
        body = update["body"]
        if update["kind"] == "snapshot":
            self._seat = body["seat"] if body["role"] == "player" else ""
            notes = [note for note in _notes(body["log"]) if note["type"] in ("committed", "given")]
            return self._next(notes[-1:]) if self._seat else None
        if update["kind"] != "entries" or not self._seat:
            return None
        notes = _notes(body["entries"])
        self._given.update(note["players"] for note in notes if note["type"] == "given" and self._is_in(note))
        asking = [note for note in notes if note["type"] == "committed"]
        return self._next(asking) if asking else None

    def is_in(self, note: dict[str, Any] | None) -> bool:
        """Whether bytes of this client went into the dice of an entry (its `dice`), as far as it has seen."""
        return note is not None and note.get("players", "") in self._given

    def _is_in(self, note: dict[str, Any]) -> bool:
        return any(part["seat"] == self._seat and part["value"] in self.values for part in note["parts"])

    def _next(self, asking: list[dict[str, Any]]) -> dict[str, Any]:
        give = self._asked_for(asking[-1]["parts"]) if asking else None
        value = secrets.token_hex(_BYTES)
        self.values = [*self.values, value][-_MOST_KEPT:]
        return {"reveal": give, "commit": commitment(self._table, self._seat, value)}

    def _asked_for(self, parts: list[dict[str, Any]]) -> str | None:
        mine = {part["commitment"] for part in parts if part["seat"] == self._seat and not part["value"]}
        own = (value for value in reversed(self.values) if commitment(self._table, self._seat, value) in mine)
        return next(own, None)


def _notes(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [entry["dice"] for entry in entries if entry["dice"]]
