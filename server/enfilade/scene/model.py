"""The scene and its seats: a board with walls and terrain, sides, tokens, and the roles that look at them.

Values are immutable; only `fold` makes a new scene. Lengths are in 64ths of a cell, facings in compass
degrees (0 is up the board, clockwise). On a grid a token stands `at` a cell (column, row); on a gridless
board `at` is its center in 64ths of an inch. A seat decides what a client may know and do.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar, get_args

import msgspec

from enfilade.errors import NotFound
from enfilade.geometry.board.base import CELL, Cell, Segment
from enfilade.i18n import localize
from enfilade.runtime.time_budget import checkpoint

GridKind = Literal["square", "hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q", "gridless"]
Sense = Literal["none", "limited", "normal", "proximity", "distance"]
DoorKind = Literal["none", "door", "secret"]
DoorState = Literal["closed", "open", "locked"]
Enforcement = Literal["advise", "warn", "enforce"]

FROM_TABLETOP = "#tabletop"
"""The end of the address of a picture that came with the tabletop's token, and changes with it."""
AUTOMATIC = "automatic"
"""The condition of a side whose choices take their defaults, in every game."""


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The base of all values in a scene: immutable, with strict fields, complete when encoded.

    A value is made after its parts and never holds itself. So the garbage collector need not look at any.
    """


class Grid(Value, frozen=True):
    """The board's kind and size in cells; one cell is `distance` `units` on the map."""

    kind: GridKind
    columns: int
    rows: int
    distance: float = 1
    units: str = "squares"

    def __contains__(self, at: Cell) -> bool:
        """Return whether a place is on the board, on any grid."""
        unit = CELL if self.kind == "gridless" else 1
        return 0 <= at[0] < self.columns * unit and 0 <= at[1] < self.rows * unit


class Wall(Value, frozen=True):
    """A line that may block movement and sight.

    `one_way` names the side it blocks from, seen along the line from its first point to its second. An open
    door blocks nothing. A proximity wall, such as a window, is transparent to an eye nearer than `threshold`,
    a distance wall to one farther off; with 0 it blocks sight from everywhere.
    """

    id: str
    line: Segment
    move: Literal["none", "normal"] = "normal"
    sight: Sense = "normal"
    one_way: Literal["both", "left", "right"] = "both"
    door: DoorKind = "none"
    state: DoorState = "closed"
    threshold: int = 0

    # The rest of what the geometry asks of a wall, because rulesets give it a scene's walls as they are: one
    # has no lower or upper end.
    bottom = None
    top = None

    @property
    def is_open(self) -> bool:
        """Return whether this is an open door."""
        return self.door != "none" and self.state == "open"

    @property
    def stops_movement(self) -> bool:
        """Return whether this bars steps while it is closed."""
        return self.move != "none"


def walls_in_order(walls: tuple[Wall, ...]) -> tuple[Wall, ...]:
    """Return walls by their place, which tells nothing of when and why one was drawn or cut.

    The same value if they already are in this order.
    """
    ordered = tuple(sorted(walls, key=_place))
    return walls if ordered == walls else ordered


def _place(wall: Wall) -> tuple[object, ...]:
    return wall.line, wall.move, wall.sight, wall.one_way, wall.threshold, wall.door, wall.id


class Terrain(Value, frozen=True):
    """Cells that cost `cost` times as much to enter, are closed (`cost` 0), or block sight.

    `kind` is the ruleset's own name for the terrain, or empty. `height` is the height of its top above the
    board, in the units of the map. Only the GM sees `hidden` terrain.
    """

    id: str
    name: str
    cells: tuple[Cell, ...]
    cost: int = 1
    blocks_sight: bool = False
    kind: str = ""
    hidden: bool = False
    height: int = 0


class Holder(Value, frozen=True):
    """A carrier of tracks (named numbers) and conditions (named flags, each with a note)."""

    tracks: dict[str, int] = {}
    conditions: dict[str, str] = {}

    def track(self, name: str, default: int = 0) -> int:
        """Return a track's value, or the default if it was never set."""
        return self.tracks.get(name, default)

    def has(self, condition: str) -> bool:
        """Return whether a condition is set."""
        return condition in self.conditions


class Side(Holder, frozen=True, kw_only=True):
    """A side of the battle. Sides of one `team` are allies; a side without a team is its own."""

    id: str
    name: str
    team: str = ""

    def is_ally(self, other: Side) -> bool:
        """Return whether the two sides are allies."""
        return self.id == other.id or (self.team != "" and self.team == other.team)


class Token(Holder, frozen=True, kw_only=True):
    """A miniature. `at` is None off the board; `facing` is None if it has none, for example prone.

    `profile` has the shape that the ruleset publishes. `owners` are the IDs of its players: they may play it,
    and see it while it is hidden.
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


class OwnUnit(Value, frozen=True, kw_only=True):
    """A unit of the table's own catalog, ready to be placed: its key, name, profile and picture."""

    key: str
    name: str
    profile: dict[str, Any] = {}
    image: str = ""


DrawingColor = Literal["white", "yellow", "red", "green", "blue", "black"]


class Drawing(Value, frozen=True, kw_only=True):
    """A line drawn freely on the map, or a text at a place: no rule knows it.

    `points` are x, y, x, y, ... in 64ths of a cell; a text stands at its only point. `by` is the seat that
    drew it. It goes when the round after `round` begins; 0 stays. Only the GM sees one that is `hidden`.
    """

    id: str
    points: tuple[int, ...]
    text: str = ""
    color: DrawingColor = "yellow"
    by: str = ""
    round: int = 0
    hidden: bool = False


class Fog(Value, frozen=True, kw_only=True):
    """The cells that players and spectators do not see, in runs: (row, first column, last column).

    With `by_sight` the units of players lift it where they see. The map's picture is shown to them only if
    `has_picture`, because it is one file with what lies under the fog.
    """

    cells: tuple[tuple[int, int, int], ...] = ()
    by_sight: bool = False
    has_picture: bool = False


class Scene(Holder, frozen=True, kw_only=True):
    """Everything that a ruleset may look at, and that events change.

    `units` is the table's own catalog, which only the GM sees.
    """

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
    units: tuple[OwnUnit, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    fog: Fog = Fog()

    def token(self, token_id: str) -> Token:
        """Return the token with an ID. Raises NotFound."""
        tokens = self.tokens
        if len(tokens) <= _FEW:  # asked most of all, so without a further call
            for token in tokens:
                if token.id == token_id:
                    return token
        known = _indexes.get(id(tokens))
        found: Token | None = known[1].get(token_id) if known is not None else None
        return found if found is not None else _find(tokens, token_id, "scene.no_such_token")

    def side(self, side_id: str) -> Side:
        """Return the side with an ID. Raises NotFound."""
        return _find(self.sides, side_id, "scene.no_such_side")

    def wall(self, wall_id: str) -> Wall:
        """Return the wall or door with an ID. Raises NotFound."""
        return _find(self.walls, wall_id, "scene.no_such_wall")

    def on_board(self) -> list[Token]:
        """Return the tokens on the board."""
        return [token for token in self.tokens if token.at is not None]

    def are_allies(self, a: Token, b: Token) -> bool:
        """Return whether two tokens are allies; a token is its own ally."""
        if a.side == b.side:
            return True
        checkpoint()  # asked in loops over all miniatures
        team = _team(self.sides, a.side)
        return team != "" and team == _team(self.sides, b.side)


def _team(sides: tuple[Side, ...], side_id: str) -> str:
    for side in sides:
        if side.id == side_id:
            return side.team
    raise NotFound(localize("scene.no_such_side", id=side_id))


T = TypeVar("T", Side, Token, Wall)


_FEW = 16
"""So few things are searched one by one."""
_MOST_INDEXES = 64
_indexes: dict[int, tuple[tuple[Any, ...], dict[str, Any]]] = {}
"""The things of large scenes by ID. Each is kept with its tuple, so that no other gets the same identity."""


def _find(things: tuple[T, ...], thing_id: str, missing: str) -> T:
    if len(things) > _FEW:
        found: T | None = _index(things).get(thing_id)
        if found is not None:
            return found
    for thing in things:
        if thing.id == thing_id:
            return thing
    raise NotFound(localize(missing, id=thing_id))


def _index(things: tuple[T, ...]) -> dict[str, T]:
    known = _indexes.get(id(things))
    if known is None:
        if len(_indexes) >= _MOST_INDEXES:
            _indexes.clear()
        known = _indexes[id(things)] = (things, {thing.id: thing for thing in reversed(things)})
    return known[1]


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
