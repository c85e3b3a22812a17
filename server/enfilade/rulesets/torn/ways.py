"""Ways: the steps of a miniature from Hex to Hex or from Hexon to Hexon, and where its move may end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from enfilade.geometry.board.hexon import Hexon, hexon_neighbors
from enfilade.geometry.board.units import Cell
from enfilade.rules.house_rules import is_on
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.battlefield import MARKER, VOLUME, battlefield, hexes_beside
from enfilade.rulesets.torn.hex_routes import Node
from enfilade.rulesets.torn.positions import Occupancy, occupancy
from enfilade.rulesets.torn.profiles import Miniature, Tile
from enfilade.scene.model import Scene


class Ways(NamedTuple):
    """The steps of a miniature.

    Attributes:
        start: the Hex or Hexon where it is.
        node: the Hex or Hexon of a Hex.
        steps: the nodes one step away from a node, each with its cost.
        are_beside: whether two nodes are adjacent, with or without a way between them.
        may_end: whether a move may end at a node.
        center: the place of a miniature at a node.
        hexes: the Hexes of a node.
    """

    start: Node
    node: Callable[[Cell], Node]
    steps: Callable[[Node], Iterable[tuple[Node, int]]]
    are_beside: Callable[[Node, Node], bool]
    may_end: Callable[[Node], bool]
    center: Callable[[Node], Cell]
    hexes: Callable[[Node], Iterable[Cell]]


def ways_in_hexes(scene: Scene, miniature: Miniature, tile: Tile) -> Ways:
    """Return the ways of infantry: past allies, not past enemies or Volume Landscape, to a free Hex.

    A tile that counts Hexons pays for the steps from one to another.
    """
    field, others = battlefield(scene), occupancy(scene, miniature)
    barred = others.enemies | field.terrain_cells(VOLUME)
    occupied = others.occupied | field.terrain_cells(MARKER)
    assert miniature.token.at is not None

    def steps(cell: Cell) -> list[tuple[Cell, int]]:
        beside = [neighbor for neighbor in hexes_beside(field.board, cell) if neighbor not in barred]
        if tile.unit == "hex":
            return [(neighbor, 1) for neighbor in beside]
        hexon = field.hexon_at(cell)
        return [(neighbor, int(field.hexon_at(neighbor) != hexon)) for neighbor in beside]

    return Ways(
        miniature.token.at,
        lambda cell: cell,
        steps,
        lambda one, other: other in hexes_beside(field.board, one),
        lambda cell: cell not in occupied,
        lambda cell: cell,
        lambda cell: (cell,),
    )


def ways_in_hexons(scene: Scene, miniature: Miniature) -> Ways:
    """Return the ways of a large or huge miniature. It may end on infantry that it cannot pass."""
    field, others = battlefield(scene), occupancy(scene, miniature)
    volume = field.terrain_cells(VOLUME)
    assert miniature.token.at is not None
    start = field.hexon_at(miniature.token.at)

    def body(hexon: Hexon) -> frozenset[Cell]:
        return field.body(miniature, field.center(hexon))

    @cache
    def can_enter(hexon: Hexon) -> bool:
        is_on_board = all(field.is_on_board(part) for part in field.base(miniature, hexon))
        return is_on_board and _can_enter(scene, volume, others, miniature, body(hexon))

    def steps(hexon: Hexon) -> Iterator[tuple[Hexon, int]]:
        if hexon == start or can_pass(volume, others, miniature, body(hexon)):
            yield from ((neighbor, 1) for neighbor in hexon_neighbors(hexon) if can_enter(neighbor))

    return Ways(
        start,
        field.hexon_at,
        steps,
        lambda one, other: other in hexon_neighbors(one),
        lambda hexon: can_end(scene, others, body(hexon)),
        field.center,
        field.hexes_in,
    )


def _can_enter(
    scene: Scene, volume: frozenset[Cell], others: Occupancy, miniature: Miniature, hexes: frozenset[Cell]
) -> bool:
    if miniature.profile.size == "large" and hexes & volume:
        return False
    return can_pass(volume, others, miniature, hexes) or can_end(scene, others, hexes)


def can_pass(
    volume: frozenset[Cell], others: Occupancy, miniature: Miniature, hexes: frozenset[Cell]
) -> bool:
    """Return whether a large miniature may pass: over allied infantry, and if huge through volumes."""
    is_barred = hexes & others.enemies or hexes & others.allied_large
    return not is_barred and (miniature.profile.size == "huge" or not hexes & volume)


def can_end(scene: Scene, others: Occupancy, hexes: frozenset[Cell]) -> bool:
    """Return whether a large miniature may end here: on infantry only if that has room to step out."""
    if hexes & others.large:
        return False
    pushed = hexes & others.infantry
    if not pushed:
        return True
    field = battlefield(scene)
    # The infantry steps out before the mover leaves its own Hexes.
    occupied = (
        others.occupied | others.own | hexes | field.terrain_cells(VOLUME) | field.terrain_cells(MARKER)
    )
    has_room = field.board.columns * field.board.rows - len(occupied) >= len(pushed)
    return is_on(scene, house_rules.EJECTION) and has_room
