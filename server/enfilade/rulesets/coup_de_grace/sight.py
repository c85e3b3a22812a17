"""Who sees whom, and the arcs and bands a miniature's overlay shows (CDG-011 to CDG-017, CDG-051)."""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.geometry.bodies import Body, box_body, hex_body
from enfilade.geometry.hex import HexBoard
from enfilade.geometry.mask import Mask
from enfilade.geometry.sight import Blocked, Blockers, blocked, visible
from enfilade.geometry.square import box
from enfilade.geometry.touching import Touching
from enfilade.geometry.units import Box, Cell, Point, Segment
from enfilade.geometry.walls import Wall as GeometryWall
from enfilade.pace import breathe
from enfilade.rules.ruleset import Area
from enfilade.rulesets.coup_de_grace import rulings
from enfilade.rulesets.coup_de_grace.battle import Battle, Board, battle_of
from enfilade.rulesets.coup_de_grace.catalogue import Item
from enfilade.rulesets.coup_de_grace.movement import geometry_wall
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.rulesets.coup_de_grace.ranges import ranges_from
from enfilade.rulesets.coup_de_grace.remembered import FEW, MAPS, remembered
from enfilade.scene.model import Scene, Terrain, Token, Wall


class Obstacles:
    """All that may stop a line of sight in a battle, to be asked about one line after another."""

    def __init__(self, battle: Battle) -> None:
        self.walls = _walls(battle.scene.walls)
        self.hiders = _hiders(battle)
        bodies = [_body(battle.board, one.token.at) for one in self.hiders if one.token.at]
        self.bodies = [*bodies, *_blocks(battle.scene.terrain, battle.board)]
        self.boxes = [_around([corner for part in body.parts for corner in part]) for body in self.bodies]
        self.touching = Touching(pinch="blocks" if battle.is_on(rulings.CORNERS) else "passes")

    def everywhere(self) -> Blockers:
        """Everything, for a look all round."""
        return Blockers([wall for wall, _ in self.walls], (), self.bodies, self.touching)

    def between(self, a: Point, b: Point) -> tuple[Blockers, list[Wall], list[Body]]:
        """What may stop one line: the blockers, and the scene's walls and the bodies in the same order."""
        breathe()
        box = _around([a, b])
        walls = [pair for pair in self.walls if _is_across(pair[0].line, a, b) and _meet(pair[0].line, box)]
        bodies = [body for body, other in zip(self.bodies, self.boxes, strict=True) if _overlap(other, box)]
        found = Blockers([wall for wall, _ in walls], (), bodies, self.touching)
        return found, [wall for _, wall in walls], bodies


def _is_across(line: Segment, a: Point, b: Point) -> bool:
    """Whether a wall does not lie wholly on one side of the line through two points."""
    (ax, ay), (bx, by) = a, b
    dx, dy = bx - ax, by - ay
    start = dx * (line[1] - ay) - dy * (line[0] - ax)
    end = dx * (line[3] - ay) - dy * (line[2] - ax)
    return not (start > 0 < end or start < 0 > end)


def _meet(line: Segment, box: Box) -> bool:
    return _overlap(_around([line[:2], line[2:]]), box)


def _overlap(a: Box, b: Box) -> bool:
    return a[0] <= b[2] and a[2] >= b[0] and a[1] <= b[3] and a[3] >= b[1]


@remembered(FEW)
def obstacles(battle: Battle) -> Obstacles:
    """All that may stop a line of sight in a battle."""
    return Obstacles(battle)


@remembered(MAPS)
def _walls(walls: tuple[Wall, ...]) -> list[tuple[GeometryWall, Wall]]:
    """The walls and closed doors that stop sight, as the geometry sees them and as the scene has them."""
    return [(geometry_wall(wall), wall) for wall in walls if wall.sight != "none" and not wall.is_open]


@remembered(MAPS)
def _blocks(terrain: tuple[Terrain, ...], board: Board) -> list[Body]:
    """The bodies of the terrain that hides what is behind it."""
    return [_body(board, cell) for patch in terrain if patch.blocks_sight for cell in patch.cells]


def _hiders(battle: Battle) -> list[Fighter]:
    downed_hide = battle.is_on(rulings.DOWNED_HIDE)
    return [one for one in battle.on_board if downed_hide or not one.is_downed]


def _body(board: Board, cell: Cell) -> Body:
    return hex_body(board, [cell]) if isinstance(board, HexBoard) else box_body(box(cell))


def _around(points: Sequence[Point]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs), min(ys), max(xs), max(ys))


def blocked_by(battle: Battle, viewer: Fighter, target: Fighter) -> str:
    """What stops the line between two miniatures, in words; empty where it is clear (CDG-051)."""
    if viewer.token.at is None or target.token.at is None:
        return "not being on the board"
    centre = battle.board.centre
    a, b = centre(viewer.token.at), centre(target.token.at)
    blockers, walls, bodies = obstacles(battle).between(a, b)
    found = blocked(a, b, blockers)
    return _in_words(battle, target, found, walls, bodies) if found else ""


def _in_words(
    battle: Battle, target: Fighter, found: Blocked, walls: Sequence[Wall], bodies: Sequence[Body]
) -> str:
    if found.wall is not None:
        thing = "door" if walls[found.wall].door == "door" else "wall"
        return f"the {thing} between you and {target.name}"
    if found.body is None:
        return "two miniatures corner to corner"
    # The very body that was found says whose it is, for equal bodies may lie on one another.
    every = obstacles(battle)
    place = next(i for i, body in enumerate(every.bodies) if body is bodies[found.body])
    return every.hiders[place].name if place < len(every.hiders) else f"what hides {target.name}"


@remembered(FEW)
def _seen_from(battle: Battle, cell: Cell) -> Mask:
    return visible(battle.board, battle.board.centre(cell), obstacles(battle).everywhere())


def areas(scene: Scene, token: Token, layer: str) -> Sequence[Area]:
    """The areas of one overlay layer; none for a miniature off the board."""
    battle = battle_of(scene)
    one = battle.fighter(token.id)
    if one.token.at is None or one.token.at not in battle.board or layer not in _LAYERS:
        return ()
    return _LAYERS[layer](battle, one, one.token.at)


def _arc(battle: Battle, one: Fighter, at: Cell) -> Sequence[Area]:
    if one.facing is None or one.is_downed:
        return ()
    return (_area("arc", "Front arc", battle.front_arc(at, one.facing)),)


def _sight(battle: Battle, one: Fighter, at: Cell) -> Sequence[Area]:
    del one
    return (_area("sight", "Seen", _seen_from(battle, at)),)


def _blind(battle: Battle, one: Fighter, at: Cell) -> Sequence[Area]:
    del one
    everything = Mask(((1 << battle.board.columns) - 1,) * battle.board.rows)
    return (_area("blind", "Not seen", everything - _seen_from(battle, at)),)


def _ranges(battle: Battle, one: Fighter, at: Cell) -> Sequence[Area]:
    shooting = {item.name: item for item in one.items.values() if item.ranged or item.reach}
    return [area for item in shooting.values() for area in _bands(battle, at, item)]


def _bands(battle: Battle, at: Cell, item: Item) -> Sequence[Area]:
    increment = int(battle.setting(rulings.INCREMENT)) if item.increment is None else item.increment
    bands: dict[int, list[Cell]] = {}
    for cell, steps in ranges_from(battle, at).items():
        if steps and (not item.reach or steps <= item.reach):
            bands.setdefault(steps // increment if increment else 0, []).append(cell)
    return [
        _area("ranges", _band_name(item, increment, band), Mask.of(cells, battle.board.rows))
        for band, cells in sorted(bands.items())
    ]


def _band_name(item: Item, increment: int, band: int) -> str:
    first, last = max(1, band * increment), (band + 1) * increment - 1
    if item.reach:
        last = min(last, item.reach) if increment else item.reach
    return f"{item.name} {first} to {last}: {-band if band else 'no penalty'}"


def _area(layer: str, label: str, mask: Mask) -> Area:
    return Area(layer, label, tuple(mask.runs()))


_LAYERS = {"arc": _arc, "sight": _sight, "blind": _blind, "ranges": _ranges}
