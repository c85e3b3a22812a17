"""The scene on the wire and in a file: board, walls, terrain, sides and tokens."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from marshmallow import fields, validate

from enfilade.geometry.board.base import CELL
from enfilade.messages.fields import (
    CELL_TYPE,
    Named,
    Several,
    Strict,
    cell,
    coordinate,
    facing,
    identifier,
    identifier_or_none,
    line,
    one_of,
    picture,
    segment,
    whole,
)

GRID_KINDS = ("square", "hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q", "gridless")
MAX_CELLS_PER_SIDE = 500
MAX_WALLS = 10_000
MAX_TERRAINS = 1_000
MAX_SIDES = 64
MAX_TOKENS = 500
MAX_UNITS = 200
MAX_DRAWINGS = 200
MAX_POINTS = 500
MAX_DRAWN_TEXT = 120


class GridSchema(Strict):
    """The kind of board, and its size in cells (in inches on a gridless board)."""

    kind = one_of(*GRID_KINDS, required=True)
    columns = whole(1, MAX_CELLS_PER_SIDE, required=True)
    rows = whole(1, MAX_CELLS_PER_SIDE, required=True)
    distance = fields.Float(
        load_default=1, validate=validate.Range(0, 10_000, min_inclusive=False), allow_nan=False
    )
    units = line(20, load_default="squares")


class WallSchema(Strict):
    """A line that may block movement and sight. It is a door if `door` is not none.

    A proximity wall is transparent to an eye nearer than `threshold`, a distance wall to one farther off.
    """

    id = identifier(required=True)
    line = segment(required=True)
    move = one_of("none", "normal", load_default="normal")
    sight = one_of("none", "limited", "normal", "proximity", "distance", load_default="normal")
    one_way = one_of("both", "left", "right", load_default="both")
    door = one_of("none", "door", "secret", load_default="none")
    state = one_of("closed", "open", "locked", load_default="closed")
    threshold = whole(0, MAX_CELLS_PER_SIDE * CELL, load_default=0)


class TerrainSchema(Strict):
    """Cells that cost `cost` times as much to enter (0: closed), or that block sight.

    `kind` is the ruleset's own word for them. `hidden` terrain is the GM's secret: it counts in the rules,
    but no other seat learns of it. `height` is the height of its top above the board, in the units of the
    map.
    """

    id = identifier(required=True)
    name = line(200, required=True)
    cells = Several(cell(), MAX_CELLS_PER_SIDE**2, CELL_TYPE, required=True)
    cost = whole(0, 10, load_default=1)
    blocks_sight = fields.Boolean(load_default=False)
    kind = line(40, load_default="")
    hidden = fields.Boolean(load_default=False)
    height = whole(-1_000, 1_000, load_default=0)


def tracks() -> Named:
    """Return the field of named numbers: hit points, movement points, the round."""
    return Named(whole(-1_000_000, 1_000_000), load_default=dict)


def conditions() -> Named:
    """Return the field of named flags, each with a note."""
    return Named(line(200), load_default=dict)


class SideSchema(Strict):
    """A side of the battle. Sides of one team are allies."""

    id = identifier(required=True)
    name = line(200, required=True)
    team = line(64, load_default="")
    tracks = tracks()
    conditions = conditions()


class TokenSchema(Strict):
    """A miniature; `at` is null off the board, `facing` null without a facing.

    `profile` has the shape that its ruleset publishes (schemas/profiles/). `owners` are the IDs of its
    players; a token that is placed again without them keeps them.
    """

    id = identifier(required=True)
    name = line(200, required=True)
    side = identifier(required=True)
    at = cell(load_default=None, allow_none=True)
    facing = facing(load_default=0)
    size = fields.Tuple((whole(1, 8), whole(1, 8)), load_default=(1, 1))
    elevation = whole(-10_000, 10_000, load_default=0)
    hidden = fields.Boolean(load_default=False)
    image = picture(load_default="")
    profile = Named(fields.Raw(allow_none=True), load_default=dict)
    owners = Several(identifier(), 16)
    tracks = tracks()
    conditions = conditions()


class OwnUnitSchema(Strict):
    """A unit of the table's own catalog; `profile` has the shape that the ruleset publishes."""

    key = identifier(required=True)
    name = line(200, required=True)
    profile = Named(fields.Raw(allow_none=True), load_default=dict)
    image = picture(load_default="")


class DrawingSchema(Strict):
    """A line drawn freely on the map, or a text at a place, in 64ths of a cell.

    `points` are x, y, x, y, ... `by` is the seat that drew it, `round` the last one in which it is there (0:
    it stays). Only the GM sees a `hidden` one.
    """

    id = identifier(required=True)
    points = Several(coordinate(), MAX_POINTS * 2, required=True)
    text = line(MAX_DRAWN_TEXT, load_default="")
    color = one_of("white", "yellow", "red", "green", "blue", "black", load_default="yellow")
    by = identifier_or_none(load_default="")
    round = whole(0, 1_000_000, load_default=0)
    hidden = fields.Boolean(load_default=False)


_INDEX_TYPE = Annotated[int, msgspec.Meta(ge=0, lt=MAX_CELLS_PER_SIDE)]
_RUN_TYPE = tuple[_INDEX_TYPE, _INDEX_TYPE, _INDEX_TYPE]


def runs(**extra: Any) -> Several:
    """Return the field of cells in runs: [row, first column, last column]."""
    return Several(fields.Tuple((index(), index(), index())), MAX_CELLS_PER_SIDE**2 // 2, _RUN_TYPE, **extra)


def index() -> fields.Integer:
    """Return the field of a column's or a row's number."""
    return whole(0, MAX_CELLS_PER_SIDE - 1)


class FogSchema(Strict):
    """The cells that players and spectators do not see. `by_sight` lets their units lift it where they see.

    The map's picture is sent to them only with `has_picture`.
    """

    cells = runs(load_default=list)
    by_sight = fields.Boolean(load_default=False)
    has_picture = fields.Boolean(load_default=False)


class SceneSchema(Strict):
    """A whole scene, as in a scene file.

    `background` may end in `#xywh=pixel:LEFT,TOP,WIDTH,HEIGHT`: the part of the picture under the board. LEFT
    and TOP are negative for a board that begins beside its picture.
    `units` is the table's own catalog, which only the GM sees.
    """

    version = fields.Integer(strict=True, required=True, validate=validate.Equal(1))
    ruleset = identifier(required=True)
    grid = fields.Nested(GridSchema, required=True)
    name = line(200, load_default="")
    background = picture(load_default="")
    enforcement = one_of("advise", "warn", "enforce", load_default="advise")
    house_rules = Named(fields.Raw(), load_default=dict)
    walls = Several(fields.Nested(WallSchema), MAX_WALLS, load_default=list)
    terrain = Several(fields.Nested(TerrainSchema), MAX_TERRAINS, load_default=list)
    sides = Several(fields.Nested(SideSchema), MAX_SIDES, load_default=list)
    tokens = Several(fields.Nested(TokenSchema), MAX_TOKENS, load_default=list)
    units = Several(fields.Nested(OwnUnitSchema), MAX_UNITS, load_default=list)
    drawings = Several(fields.Nested(DrawingSchema), MAX_DRAWINGS, load_default=list)
    fog = fields.Nested(FogSchema, load_default=dict)
    tracks = tracks()
    conditions = conditions()
