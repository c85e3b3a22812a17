"""A seat at a table: who looks, and so what may be known and done."""

from __future__ import annotations

from typing import Literal

from enfilade.scene.model import Value

Role = Literal["gm", "player", "spectator"]


class Seat(Value, frozen=True):
    """A place at a table. A game master's and a spectator's are the same for all who hold the key.

    `id` tells players apart; a token's `owners` are the ids of the players whose it is.
    """

    role: Role
    id: str = ""

    @property
    def key(self) -> str:
        """The seat in a word, as entries and stored intakes name it: `gm`, `spectator`, `player:ID`."""
        return f"{self.role}:{self.id}" if self.id else self.role


GM = Seat("gm")
SPECTATOR = Seat("spectator")


def seat_of(key: str) -> Seat:
    """The seat that a key names; the inverse of `Seat.key`. Raises ValueError."""
    role, _, player = key.partition(":")
    match role:
        case "gm" | "spectator" if not player:
            return Seat(role)
        case "player" if player:
            return Seat("player", player)
    raise ValueError(f"There is no seat '{key}'.")
