"""Exact geometry for tabletop boards: arcs, movement fields, lines of sight and cover, in integers.

Knows no token and no rule: the caller says which shapes block and what a step costs. `docs/geometry.md`
shows a field, a sight query and a cover query.

Lengths are integers in 64ths of a cell (`CELL`), x to the right and y down, with (0, 0) at the board's top
left corner. Angles are compass degrees: 0 is up the board (north), clockwise. Bad input raises ValueError,
with the C engine and the Python engine alike.
"""

from enfilade.geometry.board.arcs import arc, is_in_arc
from enfilade.geometry.board.base import CELL, Cell, Point
from enfilade.geometry.board.footprint import Footprint, block
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import build_table
from enfilade.geometry.board.shapes import Body, Wall, WallShape, box_body, hex_body
from enfilade.geometry.board.square import Diagonals, SquareBoard, box
from enfilade.geometry.kernel import engine
from enfilade.geometry.movement.barriers import attack_lanes, barred_steps
from enfilade.geometry.movement.costs import Mover, TerrainCost, open_terrain
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.movement.threat import Attacker, threat
from enfilade.geometry.sight.blockers import Blockers, TouchRule
from enfilade.geometry.sight.cover import Cover, box_corners, cover, cover_map, hex_corners
from enfilade.geometry.sight.line_of_sight import (
    best_sight_line,
    first_obstruction,
    first_obstructions,
    seen_by_any,
    visible,
)

__all__ = [
    "CELL",
    "Attacker",
    "Blockers",
    "Body",
    "Cell",
    "Cover",
    "Diagonals",
    "Field",
    "Footprint",
    "HexBoard",
    "Mask",
    "MovementGraph",
    "Mover",
    "Point",
    "SquareBoard",
    "TerrainCost",
    "TouchRule",
    "Wall",
    "WallShape",
    "arc",
    "attack_lanes",
    "barred_steps",
    "best_sight_line",
    "block",
    "box",
    "box_body",
    "box_corners",
    "build_table",
    "cover",
    "cover_map",
    "engine",
    "first_obstruction",
    "first_obstructions",
    "hex_body",
    "hex_corners",
    "is_in_arc",
    "open_terrain",
    "seen_by_any",
    "threat",
    "visible",
]
