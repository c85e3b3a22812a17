"""Seats: the role at a table, which decides what a client may know and do."""

from __future__ import annotations

from typing import Literal, get_args

from enfilade.scene.model import Value

Role = Literal["gm", "player", "spectator"]

ROLES: frozenset[Role] = frozenset(get_args(Role))


class Seat(Value, frozen=True):
    """A place at a table. All GMs share one seat, and all spectators share one.

    `id` tells players apart; a token's `owners` are IDs of players.
    """

    role: Role
    id: str = ""

    @property
    def key(self) -> str:
        """Return the seat as one word, as entries name it: `gm`, `spectator`, `player:ID`."""
        return f"{self.role}:{self.id}" if self.id else self.role


GM = Seat("gm")
SPECTATOR = Seat("spectator")


def seat_of(key: str) -> Seat:
    """Return the seat of a key, the inverse of `Seat.key`. Raises ValueError."""
    role, _, player = key.partition(":")
    match role:
        case "gm" | "spectator" if not player:
            return Seat(role)
        case "player" if player:
            return Seat("player", player)
    raise ValueError(f"There is no seat '{key}'.")
