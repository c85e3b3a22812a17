"""The miniatures on the battlefield: distances, and the Hexes that they fill (TRN-007, TRN-008, TRN-065)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.bitboard import NO_CELLS, Bits
from enfilade.geometry.board.mask import Mask, Run
from enfilade.rules.battle.displace import Landing
from enfilade.rules.battle.memo import per_scene
from enfilade.rulesets.torn.battlefield import MARKER, VOLUME, battlefield
from enfilade.rulesets.torn.profiles import Measure, Miniature, read_miniature
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token


@per_scene
def miniatures(scene: Scene) -> Sequence[Miniature]:
    """Return the miniatures on the board."""
    return tuple([read_miniature(token) for token in scene.on_board()])


def stands_on_board(scene: Scene, token: Token) -> bool:
    """Return whether a token stands on a Hex of the board: a tabletop may put it beside the board."""
    return token.at is not None and token.at in battlefield(scene).board


def is_allied(scene: Scene, side: str, miniature: Miniature) -> bool:
    """Return whether a miniature is an ally of those of a side."""
    if miniature.token.side == side:
        return True
    one = next((token for token in scene.tokens if token.side == side), None)
    return one is not None and scene.are_allies(one, miniature.token)


def enemies(scene: Scene, miniature: Miniature) -> list[Miniature]:
    """Return the enemies of a miniature on the board."""
    return [other for other in miniatures(scene) if not scene.are_allies(miniature.token, other.token)]


def engaged_enemies(scene: Scene, miniature: Miniature) -> list[Miniature]:
    """Return the enemies in neighboring Hexes, which engage a miniature (TRN-065)."""
    field = battlefield(scene)
    near = miniatures_in(scene, field.hexes_touching(field.body(miniature)))
    return [one for one in near if not scene.are_allies(miniature.token, one.token)]


def hex_distance(scene: Scene, a: Miniature, b: Miniature) -> int:
    """Return the Hexes between the nearest Hexes of two miniatures; 1 is adjacent (TRN-007)."""
    field = battlefield(scene)
    return field.distance(field.body(a), field.body(b))


def distance(scene: Scene, a: Miniature, b: Miniature, unit: Measure) -> int:
    """Return the distance of two miniatures in Hexes or in Hexons (TRN-007, TRN-008)."""
    field = battlefield(scene)
    return field.apart(field.body(a), field.body(b), unit)


class Occupancy(NamedTuple):
    """The Hexes that other miniatures fill, by their relation to one that moves, and its own."""

    enemies: frozenset[Cell]
    infantry: frozenset[Cell]
    allied_large: frozenset[Cell]
    large: frozenset[Cell]
    occupied: frozenset[Cell]
    own: frozenset[Cell]


def occupancy(scene: Scene, miniature: Miniature) -> Occupancy:
    """Return the Hexes that are occupied for a miniature that moves."""
    field = battlefield(scene)
    hexes: dict[str, set[Cell]] = {name: set() for name in Occupancy._fields}
    for other in miniatures(scene):
        if other.id == miniature.id:
            hexes["own"] |= field.body(other)
            continue
        body, is_infantry = field.body(other), other.profile.size == "infantry"
        hexes["occupied"] |= body
        hexes["infantry" if is_infantry else "large"] |= body
        if not scene.are_allies(miniature.token, other.token):
            hexes["enemies"] |= body
        elif not is_infantry:
            hexes["allied_large"] |= body
    return Occupancy(*(frozenset(hexes[name]) for name in Occupancy._fields))


@per_scene
def occupants(scene: Scene) -> dict[Cell, list[int]]:
    """Return the numbers, among all `miniatures`, of those that fill each Hex."""
    field, found = battlefield(scene), dict[Cell, list[int]]()
    for number, one in enumerate(miniatures(scene)):
        for cell in field.body(one):
            found.setdefault(cell, []).append(number)
    return found


def miniatures_in(scene: Scene, cells: Iterable[Cell]) -> list[Miniature]:
    """Return the miniatures that fill any of some Hexes, in their order on the table."""
    filled, every = occupants(scene), miniatures(scene)
    return [every[number] for number in sorted({one for cell in cells for one in filled.get(cell, ())})]


@per_scene
def bodies(scene: Scene) -> Sequence[tuple[Miniature, Bits]]:
    """Return the miniatures on the board with the Hexes that each fills."""
    field = battlefield(scene)
    return tuple([(one, field.bits.of(field.body(one))) for one in miniatures(scene)])


@per_scene
def beside_enemies(scene: Scene) -> Sequence[Miniature]:
    """Return the miniatures that may have an enemy in a neighboring Hex, all of them found at once."""
    field, filled = battlefield(scene), bodies(scene)
    if not all(body for _, body in filled):  # a tabletop may put one beside the board
        return miniatures(scene)
    near = NO_CELLS
    for side, (_, own) in _sides(scene).items():
        near |= own & field.bits.beside(enemy_bodies(scene, side))
    return tuple([one for one, body in filled if body & near])


@per_scene
def enemy_bodies(scene: Scene, side: str) -> Bits:
    """Return the Hexes of all miniatures that are no allies of a side."""
    found = NO_CELLS
    for one, own in _sides(scene).values():
        found |= NO_CELLS if is_allied(scene, side, one) else own
    return found


@per_scene
def _sides(scene: Scene) -> dict[str, tuple[Miniature, Bits]]:
    """Return the sides on the board: one miniature of each, and the Hexes of all that it has."""
    found: dict[str, tuple[Miniature, Bits]] = {}
    for one, body in bodies(scene):
        checkpoint()
        first, own = found.get(one.token.side, (one, NO_CELLS))
        found[one.token.side] = first, own | body
    return found


def is_free(scene: Scene, cell: Cell) -> bool:
    """Return whether infantry may end in a Hex: it has no miniature, marker or Volume Landscape."""
    field = battlefield(scene)
    if cell in field.terrain_cells(VOLUME) or cell in field.terrain_cells(MARKER):
        return False
    return not any(cell in field.body(other) for other in miniatures(scene))


class ForcedMoves:
    """The map of a scene for `displace`: Torn has no walls, and who is put down does not walk there."""

    def __init__(self, scene: Scene) -> None:
        self._scene, self._field = scene, battlefield(scene)

    def way(self, token: Token, to: Cell) -> Landing:
        """Return the Hex, or that of the infantry if the Hex is off the board or closed (TRN-045)."""
        assert token.at is not None
        if to not in self._field.board:
            return Landing(token.at, "edge")
        return Landing(token.at, "ground") if self.is_closed(to) else Landing(to)

    def is_closed(self, at: Cell) -> bool:
        """Return whether no miniature is put down on a Hex: landscape or a marker fills it."""
        return any(at in self._field.terrain_cells(kind) for kind in (VOLUME, MARKER))

    def crowd(self, token: Token, at: Cell) -> Sequence[str]:
        """Return the other miniatures in the Hexes that a miniature fills at a place."""
        own = self._field.body(read_miniature(token), at)
        others = [one for one in miniatures(self._scene) if one.id != token.id]
        return [one.id for one in others if not own.isdisjoint(self._field.body(one))]

    def nearest_free(self, token: Token, source: Token, most: int) -> Cell | None:
        """Return the nearest free Hex, first those away from another miniature."""
        board, start = self._field.board, token.at
        assert start is not None
        origin = source.at or start
        cells = [(x, y) for y in range(board.rows) for x in range(board.columns)]
        near = [cell for cell in cells if board.distance(start, cell) <= most]
        free = [cell for cell in near if is_free(self._scene, cell)]
        ranked = sorted(free, key=lambda cell: (board.distance(start, cell), -board.distance(origin, cell)))
        return next(iter(ranked), None)


def body(scene: Scene, token: Token) -> Sequence[Run]:
    """Return the Hexes of a large or huge miniature as runs; none for infantry, which fills its Hex."""
    miniature = read_miniature(token)
    if miniature.profile.size == "infantry":
        return ()
    return tuple(Mask.of(battlefield(scene).body(miniature), scene.grid.rows).runs())
