"""The battlefield: every distance and line of the game, from base to base in 64ths of an inch.

Other modules measure nothing themselves. On a board without a grid a token's place is its center. On a
squared board a token fills its cells. Each base is round; its diameter is the token's size in cells. The
scene's units say how large a cell is: an inch on most maps. Corners and centers of other cells are rounded to
the nearest 64th of an inch.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from enfilade.geometry.board.shapes import Wall as GeometryWall
from enfilade.geometry.board.units import CELL, Cell, Point, Segment
from enfilade.geometry.movement.gridless import GridlessField
from enfilade.geometry.movement.obstacles import CLOSE, distance_to, is_clear, near
from enfilade.geometry.movement.round_bases import GridlessBoard, RoundBase, gap
from enfilade.lazy import lazy
from enfilade.rules.cache import MANY, identity_cache
from enfilade.rules.house_rules import setting
from enfilade.rules.ruleset import Area
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.rulesets.miniatures_combat.profiles import INCH, Fighter, read_fighter
from enfilade.scene.model import Grid, Scene, Terrain, Token, Wall
from enfilade.time_budget import checkpoint

ENGAGED = INCH
"""The distance at which enemies are engaged (MNC-009)."""
COVER = "cover"
"""The kind of terrain that gives cover to adjacent models (MNC-021)."""
UNITS_OF_INCH: dict[tuple[str, ...], Fraction] = {
    ("in", "inch", "inches", '"', "\u2033"): Fraction(1),
    ("cm", "centimeter", "centimeters", "centimetre", "centimetres"): Fraction(254, 100),
    ("mm", "millimeter", "millimeters", "millimetre", "millimetres"): Fraction(254, 10),
    ("ft", "foot", "feet", "'", "\u2032"): Fraction(5),
    ("yd", "yds", "yard", "yards"): Fraction(5, 3),
    ("m", "meter", "meters", "metre", "metres"): Fraction(3, 2),
}
"""How many of a map's units an inch is, by their names.

Centimeters and millimeters are those of a table. Feet, yards and meters are those of a world in which an inch
stands for 5 feet (house value).
"""
SMALLEST_CELL = Fraction(1, 32)
"""The least inches of a cell."""
ROUNDED = 2
"""How far apart rounding can put bases in contact if cells are no inches, in 64ths of an inch."""

Box = tuple[int, int, int, int]
Trace = tuple[int, ...]


def inches_of_cell(grid: Grid) -> Fraction:
    """Return the inches of one cell; 1 on a map in other units than those known."""
    units, distance = grid.units.lower().strip(" ."), Fraction(grid.distance).limit_denominator(1_000)
    for names, of_inch in UNITS_OF_INCH.items():
        if units in names:
            return max(SMALLEST_CELL, distance / of_inch)
    return Fraction(1)


class Battlefield:
    """A scene as the rules measure it."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        inches = inches_of_cell(scene.grid)
        self._up, self._down = inches.numerator, inches.denominator
        is_exact = inches == 1 or (scene.grid.kind != "gridless" and inches * CELL % 2 == 0)
        self._slack = 0 if is_exact else ROUNDED
        self._fields: dict[tuple[str, int], GridlessField] = {}
        self._attackers: dict[str, list[Fighter]] = {}

    # Places

    @lazy
    def board(self) -> GridlessBoard:
        """The board in 64ths of an inch."""
        columns, rows = self.scene.grid.columns, self.scene.grid.rows
        return GridlessBoard(self._to_inches(columns * CELL), self._to_inches(rows * CELL))

    @lazy
    def fighters(self) -> dict[str, Fighter]:
        """The models that take part in the fight, by ID."""
        found = (read_fighter(token) for token in self.scene.tokens)
        return {one.id: one for one in found if one.is_fighting}

    @lazy
    def bases(self) -> dict[str, RoundBase]:
        """The bases of those models, by ID."""
        return {one.id: self.base(one.token) for one in self.fighters.values()}

    @lazy
    def bodies(self) -> dict[str, RoundBase]:
        """The bases of all tokens on the board, also of those that lie helpless, by ID."""
        return {token.id: self.base(token) for token in self.scene.on_board()}

    def center_at(self, token: Token, at: Cell) -> Point:
        """Return the center of a token's base at a place."""
        (x, y), (width, height) = at, token.size
        if self.scene.grid.kind != "gridless":
            x, y = (2 * x + width) * CELL // 2, (2 * y + height) * CELL // 2
        return self._to_inches(x), self._to_inches(y)

    def base_at(self, token: Token, at: Cell) -> RoundBase:
        """Return a token's base at a place."""
        checkpoint()
        return RoundBase(self.center_at(token, at), min(token.size) * CELL * self._up // (2 * self._down))

    def base(self, token: Token) -> RoundBase:
        """Return the base of a token on the board. Raises ValueError off the board."""
        if token.at is None:
            raise ValueError(f"{token.id} is not on the board.")
        return self.base_at(token, token.at)

    def place(self, token: Token, center: Point) -> Cell:
        """Return the place of a token whose base has this center, the nearest one on a squared board."""
        x, y = self.on_map(center)
        if self.scene.grid.kind == "gridless":
            return x, y
        width, height = token.size
        columns, rows = self.scene.grid.columns, self.scene.grid.rows
        column, row = ((2 * x - width * CELL) // CELL + 1) // 2, ((2 * y - height * CELL) // CELL + 1) // 2
        return max(0, min(columns - width, column)), max(0, min(rows - height, row))

    def on_map(self, point: Point) -> Point:
        """Return a point in 64ths of a cell, as clients draw it."""
        x, y = point
        return _round(x * self._down, self._up), _round(y * self._down, self._up)

    def area(self, layer: str, label: str, rings: Sequence[Trace], lines: Sequence[Trace]) -> Area:
        """Return an area with outlines in 64ths of an inch as one in 64ths of a cell."""
        if self._up != self._down:
            rings, lines = (
                [tuple(_round(value * self._down, self._up) for value in line) for line in some]
                for some in (rings, lines)
            )
        return Area(layer, label, rings=tuple(rings), lines=tuple(lines))

    def _to_inches(self, value: int) -> int:
        """Return a length in 64ths of a cell in 64ths of an inch, rounded to the nearest."""
        return value if self._up == self._down else _round(value * self._up, self._down)

    def is_on_board(self, token: Token, at: Cell) -> bool:
        """Return whether the whole base stands on the board."""
        base = self.base_at(token, at)
        x, y = base.at
        r = base.radius
        return r <= x <= self.board.width - r and r <= y <= self.board.height - r

    # Distances

    def gap(self, a: str, b: str) -> int:
        """Return the distance from base to base of two models that fight; 0 in contact."""
        return self._gap(self.bases[a], self.bases[b])

    def distance(self, a: Token, b: Token) -> int:
        """Return the distance from base to base of any two tokens on the board."""
        return self._gap(self.base(a), self.base(b))

    def gap_at(self, token: Token, at: Cell, other: str) -> int:
        """Return the distance from base to base if a token stood at a place."""
        return self._gap(self.base_at(token, at), self.bases[other])

    def _gap(self, a: RoundBase, b: RoundBase) -> int:
        apart = gap(a, b)
        return 0 if apart <= self._slack else apart

    def gap_to_cell(self, key: str, cell: Cell) -> int:
        """Return the distance from a model to a base of an inch in the middle of a cell, rounded up."""
        return self._gap(self.bases[key], self.base_in(cell))

    def base_in(self, cell: Cell) -> RoundBase:
        """Return a base of an inch in the middle of a cell."""
        x, y = (self._to_inches(value * CELL + CELL // 2) for value in cell)
        return RoundBase((x, y), CELL * self._up // (2 * self._down))

    def is_within(self, token: Token, at: Cell, distance: int) -> bool:
        """Return whether a place is on the board and at most a distance from where a token stands."""
        if not self.is_on_board(token, at):
            return False
        return math.dist(self.base(token).at, self.center_at(token, at)) <= distance + CLOSE

    def enemies(self, fighter: Fighter) -> list[Fighter]:
        """Return the models that fight against a model's side."""
        return [one for one in self.fighters.values() if not self.scene.are_allies(one.token, fighter.token)]

    def friends(self, fighter: Fighter) -> list[Fighter]:
        """Return the other models of the model's own side that fight."""
        return [one for one in self.fighters.values() if one.side == fighter.side and one.id != fighter.id]

    def enemies_within(self, fighter: Fighter, distance: int) -> list[Fighter]:
        """Return the enemies within a distance, nearest first."""
        if fighter.id not in self.bases:
            return []
        found = [(self.gap(fighter.id, one.id), one.id, one) for one in self.enemies(fighter)]
        return [one for apart, _, one in sorted(found, key=lambda entry: entry[:2]) if apart <= distance]

    def is_engaged(self, fighter: Fighter) -> bool:
        """Return whether a model is engaged: an enemy is within 1 inch (MNC-009)."""
        return any(self.is_engaged_with(fighter, one) for one in self.enemies(fighter))

    def is_engaged_with(self, fighter: Fighter, enemy: Fighter) -> bool:
        """Return whether two enemies are engaged with each other."""
        if fighter.id not in self.bases:
            return False
        apart = self.gap(fighter.id, enemy.id)
        if setting(self.scene, house_rules.ENGAGEMENT) == "1 inch":
            return apart <= ENGAGED
        return apart <= max(fighter.reach, enemy.reach)

    def engages_at(self, fighter: Fighter, at: Cell) -> bool:
        """Return whether a model would be within 1 inch of an enemy at a place."""
        base = self.base_at(fighter.token, at)
        return any(self._gap(base, self.bases[one.id]) <= ENGAGED for one in self.enemies(fighter))

    def attackers(self, fighter: Fighter) -> list[Fighter]:
        """Return the enemies that a model must defend against: it is in their melee range (MNC-062)."""
        if fighter.id not in self._attackers:
            self._attackers[fighter.id] = [
                one
                for one in self.enemies_within(fighter, 2 * INCH)
                if self.gap(fighter.id, one.id) <= one.reach and self.has_clear_line(fighter.id, one.id)
            ]
        return self._attackers[fighter.id]

    # Lines

    def has_clear_line(self, a: str, b: str) -> bool:
        """Return whether no base and no wall is on the line from center to center (MNC-064)."""
        start, end = self.bases[a].at, self.bases[b].at
        line = (*start, *end)
        for wall in self.walls:
            checkpoint()
            if _crosses(line, wall.line):
                return False
        return not any(
            distance_to(*base.at, *line) < base.radius - CLOSE
            for key, base in self.bases.items()
            if key not in (a, b)
        )

    def blocker(self, start: Point, end: Point) -> Wall | Terrain | None:
        """Return the first wall or terrain listed that blocks the line of sight between two points."""
        line = (*start, *end)
        for wall in self.scene.walls:
            checkpoint()
            if wall.sight != "none" and not wall.is_open and _crosses(line, self._scaled(wall.line)):
                return wall
        for patch in self.scene.terrain:
            if patch.blocks_sight and any(_enters(line, self._box(cell)) for cell in patch.cells):
                return patch
        return None

    @lazy
    def walls(self) -> tuple[GeometryWall, ...]:
        """The walls and closed terrain that stop movement."""
        walls = []
        for wall in self.scene.walls:
            checkpoint()
            if wall.move != "none" and not wall.is_open:
                walls.append(GeometryWall(line=self._scaled(wall.line)))
        boxes = [self._box(cell) for patch in self.scene.terrain if patch.cost == 0 for cell in patch.cells]
        return (*walls, *(GeometryWall(line=line) for box in boxes for line in _sides(box)))

    def _scaled(self, line: Segment) -> Segment:
        x1, y1, x2, y2 = (self._to_inches(value) for value in line)
        return x1, y1, x2, y2

    def _box(self, cell: Cell) -> Box:
        x, y = cell[0] * CELL, cell[1] * CELL
        return self._scaled((x, y, x + CELL, y + CELL))

    # Ground

    def height(self, fighter: Fighter) -> int:
        """Return the height of a model: ground and elevation; a horse counts 1 (MNC-020)."""
        under = [patch.height for patch in self._under(fighter.id)]
        return fighter.token.elevation + max(under, default=0) + int(fighter.is_mounted)

    def is_higher_than_all(self, fighter: Fighter) -> bool:
        """Return whether a model stands higher than every enemy within melee range (MNC-020)."""
        near_by = self.enemies_within(fighter, 2 * INCH)
        close = [one for one in near_by if self.gap(fighter.id, one.id) <= max(fighter.reach, one.reach)]
        return bool(close) and all(self.height(fighter) > self.height(one) for one in close)

    def has_cover(self, fighter: Fighter) -> bool:
        """Return whether a model's base touches covering terrain (MNC-021)."""
        return fighter.token.at is not None and self.is_covered_at(fighter.token, fighter.token.at)

    def is_covered_at(self, token: Token, at: Cell) -> bool:
        """Return whether a token's base would touch covering terrain at a place (MNC-021)."""
        base = self.base_at(token, at)
        boxes = [
            self._box(cell) for patch in self.scene.terrain if patch.kind == COVER for cell in patch.cells
        ]
        return any(_distance_to_box(base.at, box) <= base.radius for box in boxes)

    def is_on_difficult_ground(self, fighter: Fighter) -> bool:
        """Return whether a model stands on terrain that costs more to enter."""
        return any(patch.cost > 1 for patch in self._under(fighter.id))

    def _under(self, key: str) -> Iterator[Terrain]:
        x, y = self.on_map(self.bases[key].at)
        cell = (x // CELL, y // CELL)
        return (patch for patch in self.scene.terrain if cell in patch.cells)

    # Movement

    def obstacles(self, fighter: Fighter) -> list[RoundBase]:
        """Return the bases that stop a move: those of enemies; it may pass its friends."""
        bases = [self.bases[one.id] for one in self.enemies(fighter)]
        if not self._slack:
            return bases
        return [RoundBase(base.at, max(0, base.radius - self._slack // 2)) for base in bases]

    def field(self, fighter: Fighter, budget: int) -> GridlessField:
        """Return the reach of a model within a budget in 64ths of an inch; cached."""
        key = (fighter.id, max(0, budget))
        if key not in self._fields:
            base, others = self.bases[fighter.id], self.obstacles(fighter)
            self._fields[key] = GridlessField(self.board, base, key[1], self.walls, others)
        return self._fields[key]

    def path_length(self, fighter: Fighter, path: Collection[Cell], budget: int) -> float | None:
        """Return the length of a path of straight legs, or None if a leg is not clear."""
        centers = [self.bases[fighter.id].at, *(self.center_at(fighter.token, at) for at in path)]
        around = near(self.board, self.bases[fighter.id], budget, self.walls, self.obstacles(fighter))
        length = 0.0
        for start, end in pairwise(centers):
            if not is_clear(around, *start, *end):
                return None
            length += math.dist(start, end)
        return length

    def overlaps(self, token: Token, at: Cell, ignored: Collection[str] = ()) -> list[str]:
        """Return the tokens whose bases a token's base would overlap at a place; contact is no overlap."""
        base = self.base_at(token, at)
        return [
            key
            for key, other in self.bodies.items()
            if key != token.id
            and key not in ignored
            and math.dist(base.at, other.at) < base.radius + other.radius - self._slack // 2 - CLOSE
        ]


def _round(value: int, divisor: int) -> int:
    """Return a quotient rounded to the nearest integer, halves up."""
    return (2 * value + divisor) // (2 * divisor)


def _turn(a: Point, b: Point, c: Point) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _crosses(line: Segment, other: Segment) -> bool:
    """Return whether two segments meet; two that lie on one line do not."""
    a, b, c, d = line[:2], line[2:], other[:2], other[2:]
    first, second, third, fourth = _turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b)
    if first == second == 0:
        return False
    return _is_between_signs(first, second) and _is_between_signs(third, fourth)


def _is_between_signs(a: int, b: int) -> bool:
    return min(a, b) <= 0 <= max(a, b)


def _sides(box: Box) -> tuple[Segment, ...]:
    left, top, right, bottom = box
    return (
        (left, top, right, top),
        (right, top, right, bottom),
        (right, bottom, left, bottom),
        (left, bottom, left, top),
    )


def _enters(line: Segment, box: Box) -> bool:
    """Return whether a segment enters a box or one of its ends is inside."""
    left, top, right, bottom = box
    is_inside = any(left < x < right and top < y < bottom for x, y in (line[:2], line[2:]))
    return is_inside or any(_crosses(line, side) for side in _sides(box))


def _distance_to_box(point: Point, box: Box) -> float:
    left, top, right, bottom = box
    x, y = point
    return math.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom))


@identity_cache(MANY)
def battlefield(scene: Scene) -> Battlefield:
    """Return the battlefield of a scene; cached."""
    return Battlefield(scene)
