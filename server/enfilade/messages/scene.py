"""A scene on the wire and in a file: board, walls, terrain, sides and tokens."""

from __future__ import annotations

from marshmallow import fields, validate

from enfilade.messages.fields import (
    Named,
    Several,
    Strict,
    cell,
    facing,
    identifier,
    one_of,
    segment,
    text,
    whole,
)

GRID_KINDS = ("square", "hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q", "gridless")
MOST_CELLS_A_SIDE = 500
MOST_WALLS = 10_000
MOST_TERRAINS = 1_000
MOST_SIDES = 64
MOST_TOKENS = 500


class GridSchema(Strict):
    """The board's kind and its size in cells (inches on a gridless board)."""

    kind = one_of(*GRID_KINDS, required=True)
    columns = whole(1, MOST_CELLS_A_SIDE, required=True)
    rows = whole(1, MOST_CELLS_A_SIDE, required=True)
    distance = fields.Float(
        load_default=1, validate=validate.Range(0, 10_000, min_inclusive=False), allow_nan=False
    )
    units = text(20, load_default="squares")


class WallSchema(Strict):
    """A line that may stop movement and sight; a door where `door` is not none."""

    id = identifier(required=True)
    line = segment(required=True)
    move = one_of("none", "normal", load_default="normal")
    sight = one_of("none", "limited", "normal", "proximity", "distance", load_default="normal")
    one_way = one_of("both", "left", "right", load_default="both")
    door = one_of("none", "door", "secret", load_default="none")
    state = one_of("closed", "open", "locked", load_default="closed")


class TerrainSchema(Strict):
    """Cells that cost `cost` times as much to enter (0: closed) or hide what is behind them.

    `kind` is what the ruleset takes them for, in its own words. `hidden` ground is the game master's secret:
    it counts, and nobody else is told of it.
    """

    id = identifier(required=True)
    name = text(200, required=True)
    cells = Several(cell(), MOST_CELLS_A_SIDE**2, required=True)
    cost = whole(0, 10, load_default=1)
    blocks_sight = fields.Boolean(load_default=False)
    kind = text(40, load_default="")
    hidden = fields.Boolean(load_default=False)


def tracks() -> Named:
    """Named numbers: hit points, movement left, the round."""
    return Named(whole(-1_000_000, 1_000_000), load_default=dict)


def conditions() -> Named:
    """Named flags, each with a note."""
    return Named(text(200), load_default=dict)


class SideSchema(Strict):
    """Who plays together; sides of one team are allies."""

    id = identifier(required=True)
    name = text(200, required=True)
    team = text(64, load_default="")
    tracks = tracks()
    conditions = conditions()


class TokenSchema(Strict):
    """A miniature; `at` is null off the board, `facing` null where it has none.

    `profile` has the shape its ruleset publishes (schemas/profiles/). `owners` are the ids of the players
    whose it is; a token that is placed again without them keeps its own.
    """

    id = identifier(required=True)
    name = text(200, required=True)
    side = identifier(required=True)
    at = cell(load_default=None, allow_none=True)
    facing = facing(load_default=0)
    size = fields.Tuple((whole(1, 8), whole(1, 8)), load_default=(1, 1))
    elevation = whole(-10_000, 10_000, load_default=0)
    hidden = fields.Boolean(load_default=False)
    image = text(500, load_default="")
    profile = Named(fields.Raw(allow_none=True), load_default=dict)
    owners = Several(identifier(), 16)
    tracks = tracks()
    conditions = conditions()


class SceneSchema(Strict):
    """A whole scene: what a scene file holds."""

    version = fields.Integer(strict=True, required=True, validate=validate.Equal(1))
    ruleset = identifier(required=True)
    grid = fields.Nested(GridSchema, required=True)
    name = text(200, load_default="")
    background = text(500, load_default="")
    enforcement = one_of("advise", "warn", "enforce", load_default="advise")
    house_rules = Named(fields.Raw(), load_default=dict)
    walls = Several(fields.Nested(WallSchema), MOST_WALLS, load_default=list)
    terrain = Several(fields.Nested(TerrainSchema), MOST_TERRAINS, load_default=list)
    sides = Several(fields.Nested(SideSchema), MOST_SIDES, load_default=list)
    tokens = Several(fields.Nested(TokenSchema), MOST_TOKENS, load_default=list)
    tracks = tracks()
    conditions = conditions()
