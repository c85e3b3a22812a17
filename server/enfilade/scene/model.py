"""The scene: a board with walls and terrain, the sides, and the tokens with their tracks and conditions.

Values are immutable; only `fold` makes a new scene from an old one. Lengths are in 64ths of a cell, facings
in compass degrees (0 is up the board, clockwise). A token on a grid stands `at` a cell (column, row); on a
gridless board `at` is its centre in 64ths of an inch.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

import msgspec

from enfilade.errors import NotFound
from enfilade.geometry.board.units import Cell, Segment

GridKind = Literal["square", "hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q", "gridless"]
Sense = Literal["none", "limited", "normal", "proximity", "distance"]
DoorKind = Literal["none", "door", "secret"]
DoorState = Literal["closed", "open", "locked"]
Enforcement = Literal["advise", "warn", "enforce"]


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of everything in a scene: immutable, strict about its fields, complete when written."""


class Grid(Value, frozen=True):
    """The board's kind and size in cells; `distance` and `units` are what one cell means on the map."""

    kind: GridKind
    columns: int
    rows: int
    distance: float = 1
    units: str = "squares"


class Wall(Value, frozen=True):
    """A line that may stop movement and sight.

    `one_way` names the side it blocks from, seen along the line from its first point to its second.
    An open door stops nothing.
    """

    id: str
    line: Segment
    move: Literal["none", "normal"] = "normal"
    sight: Sense = "normal"
    one_way: Literal["both", "left", "right"] = "both"
    door: DoorKind = "none"
    state: DoorState = "closed"

    @property
    def is_open(self) -> bool:
        """Whether this is a door that stands open."""
        return self.door != "none" and self.state == "open"


class Terrain(Value, frozen=True):
    """Cells that are hard to enter (`cost` times as much), or closed (`cost` 0), or hide what is behind.

    `kind` is what the ruleset takes them for, in its own words; empty where the numbers say it all. `hidden`
    ground is the game master's secret.
    """

    id: str
    name: str
    cells: tuple[Cell, ...]
    cost: int = 1
    blocks_sight: bool = False
    kind: str = ""
    hidden: bool = False


class Holder(Value, frozen=True):
    """Something that carries tracks (named numbers) and conditions (named flags, each with a note)."""

    tracks: dict[str, int] = {}
    conditions: dict[str, str] = {}

    def track(self, name: str, default: int = 0) -> int:
        """A track's value, or the default where it has never been set."""
        return self.tracks.get(name, default)

    def has(self, condition: str) -> bool:
        """Whether a condition is set."""
        return condition in self.conditions


class Side(Holder, frozen=True, kw_only=True):
    """Who plays together. Sides of one `team` are allies; a side without a team is its own."""

    id: str
    name: str
    team: str = ""

    def is_ally(self, other: Side) -> bool:
        """Whether the two fight together."""
        return self.id == other.id or (self.team != "" and self.team == other.team)


class Token(Holder, frozen=True, kw_only=True):
    """A miniature. `at` is None off the board; `facing` is None where it has none, as when lying down.

    `profile` is what its ruleset wants to know of it, in the shape the ruleset publishes. `owners` are the
    ids of the players whose it is: they may play it, and know of it while it is hidden.
    """

    id: str
    name: str
    side: str
    at: Cell | None = None
    facing: int | None = 0
    size: tuple[int, int] = (1, 1)
    elevation: int = 0
    hidden: bool = False
    image: str = ""
    profile: dict[str, Any] = {}
    owners: tuple[str, ...] = ()


class Scene(Holder, frozen=True, kw_only=True):
    """Everything a ruleset may look at, and all that a table's events change."""

    ruleset: str
    grid: Grid
    version: Literal[1] = 1
    name: str = ""
    background: str = ""
    enforcement: Enforcement = "advise"
    house_rules: dict[str, bool | int | str] = {}
    walls: tuple[Wall, ...] = ()
    terrain: tuple[Terrain, ...] = ()
    sides: tuple[Side, ...] = ()
    tokens: tuple[Token, ...] = ()

    def token(self, token_id: str) -> Token:
        """The token with that id; raises NotFound."""
        return _find(self.tokens, token_id, "token")

    def side(self, side_id: str) -> Side:
        """The side with that id; raises NotFound."""
        return _find(self.sides, side_id, "side")

    def wall(self, wall_id: str) -> Wall:
        """The wall or door with that id; raises NotFound."""
        return _find(self.walls, wall_id, "wall")

    def on_board(self) -> list[Token]:
        """The tokens that stand on the board."""
        return [token for token in self.tokens if token.at is not None]

    def are_allies(self, a: Token, b: Token) -> bool:
        """Whether two tokens fight together; a token is its own ally."""
        return a.side == b.side or self.side(a.side).is_ally(self.side(b.side))


T = TypeVar("T", Side, Token, Wall)


def _find(things: tuple[T, ...], thing_id: str, what: str) -> T:
    for thing in things:
        if thing.id == thing_id:
            return thing
    raise NotFound(f"There is no {what} '{thing_id}' at this table.")
