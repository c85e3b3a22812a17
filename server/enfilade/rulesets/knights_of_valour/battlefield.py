"""The battlefield: squares of 5 feet, heights, gaps and obstacles, and who stands where (KOV-001).

Terrain of the kinds below has a meaning; other terrain is difficult if its cost is over 1, closed if it is 0.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from enfilade.geometry.board.base import CELL, LANES, Cell, lane_to
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import grid_of
from enfilade.geometry.board.square import Diagonals, SquareBoard
from enfilade.geometry.movement.barriers import LaneMasks, attack_lanes
from enfilade.rules.battle.battle import Battle, BattleRules, Hindrance
from enfilade.rules.battle.memo import large, per_map, per_owner, per_scene
from enfilade.rules.house_rules import is_on, setting
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.profiles import Creature, read_creature
from enfilade.runtime.lazy import lazy
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Terrain

FEET = 5
"""The feet of one square (KOV-001)."""
REACH = 5
"""The distance of a melee attack, printed with an inch sign (KOV-051, C-1)."""

OBSTACLE, RAISED, CLIFF, GAP = "obstacle", "raised", "cliff", "gap"
"""Kinds of terrain: crossed by a vault or a climb; climbed onto; too smooth to climb; crossed by a leap."""

HANGING = "hanging"
"""The track of the feet that a creature on a long climb is above or below the ground of its square."""

DIAGONALS = {
    "5 feet": Diagonals.EQUIDISTANT,
    "5 and 10 feet by turns": Diagonals.ALTERNATING_1,
    "none": Diagonals.ILLEGAL,
}


class Landscape:
    """The terrain of a map, by square."""

    def __init__(self, terrain: tuple[Terrain, ...]) -> None:
        self.heights: dict[Cell, int] = {}
        self.obstacles: dict[Cell, int] = {}
        self.cliffs: set[Cell] = set()
        self.gaps: set[Cell] = set()
        self.difficult: set[Cell] = set()
        self.closed: set[Cell] = set()
        for patch in terrain:
            for cell in patch.cells:
                self._add(patch, cell)

    def _add(self, patch: Terrain, cell: Cell) -> None:
        if patch.kind == OBSTACLE:
            self.obstacles[cell] = max(patch.height, self.obstacles.get(cell, patch.height))
            return
        if patch.kind == GAP:
            self.gaps.add(cell)
            return
        if patch.kind in (RAISED, CLIFF):
            self.heights[cell] = max(patch.height, self.heights.get(cell, patch.height))
        if patch.kind == CLIFF:
            self.cliffs.add(cell)
        if patch.cost > 1:
            self.difficult.add(cell)
        if patch.cost == 0:
            self.closed.add(cell)

    def height(self, cell: Cell) -> int:
        """Return the height of the ground of a square in feet; 0 for plain ground."""
        return self.heights.get(cell, 0)

    def is_standable(self, cell: Cell) -> bool:
        """Return whether a creature can stand on a square."""
        return cell not in self.closed and cell not in self.gaps and cell not in self.obstacles


@per_map
def landscape_of(terrain: tuple[Terrain, ...]) -> Landscape:
    """Return the landscape of a map; cached."""
    return Landscape(terrain)


def distance(ground: Landscape, board: SquareBoard, a: Cell, b: Cell) -> int:
    """Return the distance of two squares in feet; a difference in height counts if it is greater.

    "Within 5 feet" is next to it, so the first diagonal counts 5 feet under each house rule but "none".
    """
    return max(FEET * board.distance(a, b), abs(ground.height(a) - ground.height(b)))


def squares_around(board: SquareBoard, at: Cell, feet: int) -> list[Cell]:
    """Return the squares of the board whose columns and rows are within some feet of a square, without it."""
    within = range(-(feet // FEET), feet // FEET + 1)
    cells = [board.shift(at, (x, y)) for x in within for y in within]
    return [cell for cell in cells if cell != at and cell in board]


def mask_within(ground: Landscape, board: SquareBoard, at: Cell, feet: int) -> Mask:
    """Return the squares of the board within some feet of one of its squares, without it, as a mask."""
    near, own = _disc(board, at, feet // FEET), ground.height(at)
    is_plain_near = abs(own) <= feet
    unlike_plain = [
        cell
        for cell, height in ground.heights.items()
        if cell in board and (abs(height - own) <= feet) != is_plain_near
    ]
    others = Mask.of(unlike_plain, board.rows)
    return (near - others if is_plain_near else near & others) - Mask.of([at], board.rows)


def _disc(board: SquareBoard, at: Cell, squares: int) -> Mask:
    """Return the squares of the board within a distance of a square, at any height."""
    widths, whole = _half_widths(board.diagonals, squares), (1 << board.columns) - 1
    rows = [0] * board.rows
    for row in range(board.rows):
        down = abs(row - at[1])
        if down <= squares:
            line = (1 << 2 * widths[down] + 1) - 1
            rows[row] = line << at[0] >> widths[down] & whole
    return Mask(tuple(rows))


@lru_cache(maxsize=256)
def _half_widths(diagonals: Diagonals, squares: int) -> tuple[int, ...]:
    """Return how many columns to each side are within a distance, for each number of rows away."""
    found, across = [], squares
    for down in range(squares + 1):
        while diagonals.distance(across, down) > squares:
            across -= 1
        found.append(across)
    return tuple(found)


class MeleeReach:
    """The squares that melee attacks reach from each square of a map, computed when first asked."""

    def __init__(self, ground: Landscape, barred: bytes, board: SquareBoard, five: int) -> None:
        self.ground = ground
        self.barred = barred
        self.board = board
        self.five = five
        self._cells: dict[Cell, frozenset[Cell]] = {}
        self._struck: dict[Cell, frozenset[Cell]] = {}

    def struck(self, at: Cell) -> frozenset[Cell]:
        """Return the squares that a melee attack strikes from a square, its own too; none off the board.

        What flies above a square or shares it is within 5 feet.
        """
        found = self._struck.get(at)
        if found is None:
            found = self._struck[at] = self.cells(at) | {at} if at in self.board else frozenset()
        return found

    def cells(self, at: Cell) -> frozenset[Cell]:
        """Return the squares within the printed 5 feet that no wall next to them bars (KOV-051)."""
        found = self._cells.get(at)
        if found is None:
            checkpoint()
            around = squares_around(self.board, at, self.five)
            near = (cell for cell in around if distance(self.ground, self.board, at, cell) <= self.five)
            found = self._cells[at] = frozenset(cell for cell in near if not self.is_barred(at, cell))
        return found

    def from_any(self, places: Mask) -> Mask:
        """Return the squares that melee attacks reach from any of some squares."""
        if self.five == FEET:
            return self._lanes.follow(places)
        found = set[Cell]()
        for at in places:
            checkpoint()
            found |= self.cells(at)
        return Mask.of(found, self.board.rows)

    @lazy
    def _lanes(self) -> LaneMasks:
        """The steps between squares that a melee attack reaches from each other."""
        table = bytearray(attack_lanes(self.board, self.barred, self.board.diagonals.are_legal))
        grid, height = grid_of(self.board), self.ground.height
        for cell in self.ground.heights:
            checkpoint()
            for lane, (dx, dy) in enumerate(LANES if cell in self.board else ()):
                there = (cell[0] + dx, cell[1] + dy)
                if there in self.board and abs(height(cell) - height(there)) > self.five:
                    table[grid.index(cell)] &= ~(1 << lane)
                    table[grid.index(there)] &= ~(1 << lane_to(there, cell))
        return LaneMasks(self.board, bytes(table))

    def is_barred(self, start: Cell, end: Cell) -> bool:
        """Return whether a wall is between two squares that are next to each other."""
        step = (end[0] - start[0], end[1] - start[1])
        return step in LANES and bool(self.barred[grid_of(self.board).index(start)] >> LANES.index(step) & 1)


@large
def _melee_reach(terrain: tuple[Terrain, ...], barred: bytes, board: SquareBoard, five: int) -> MeleeReach:
    return MeleeReach(landscape_of(terrain), barred, board, five)


RULES: BattleRules[Creature] = BattleRules(
    read=read_creature, diagonals=lambda scene: DIAGONALS[str(setting(scene, house_rules.DIAGONALS))]
)


class Battlefield(Battle[Creature]):
    """The battle with heights and distances in feet."""

    board: SquareBoard

    @lazy
    def landscape(self) -> Landscape:
        """Return the terrain by square."""
        return landscape_of(self.scene.terrain)

    @lazy
    def five(self) -> int:
        """Return the feet of a printed 5 with an inch sign: 5, or 25 (C-1)."""
        return REACH * (FEET if setting(self.scene, house_rules.FIVE_MEANS) == "inches" else 1)

    @lazy
    def has_map(self) -> bool:
        """Return whether the battle is played on a map, and not in the players' minds (KOV-002)."""
        return is_on(self.scene, house_rules.MAP)

    @lazy
    def occupied_cells(self) -> Mask:
        """Return the squares of the board where creatures stand."""
        return Mask.of([cell for cell in self.occupied if cell in self.board], self.board.rows)

    def occupied_by_others(self, one: Creature) -> Mask:
        """Return the squares where another creature stands."""
        at = one.token.at
        if at is None or self.at(at) != [one]:
            return self.occupied_cells
        return self.occupied_cells - Mask.of([at], self.board.rows)

    def height_of(self, one: Creature, at: Cell) -> int:
        """Return the height of a creature on a square in feet: of the ground, or its own elevation above it.

        One that hangs on a climb is so far above or below its ground (KOV-042).
        """
        ground, token = self.landscape.height(at), one.token
        return max(ground, FEET * token.elevation // CELL) + token.track(HANGING)

    @lazy
    def has_lifted(self) -> bool:
        """Return whether a creature may be at another height than the ground of its square."""
        return any(token.elevation or HANGING in token.tracks for token in self.scene.tokens)

    def feet_between(self, one: Creature, other: Creature, at: Cell | None = None) -> int:
        """Return the distance of two creatures on the board in feet; the second may be at another square."""
        start, end = one.token.at, at or other.token.at
        assert start is not None
        assert end is not None
        if not self.has_lifted:
            return self.feet(start, end)
        rise = abs(self.height_of(one, start) - self.height_of(other, end))
        return max(FEET * self.board.distance(start, end), rise)

    def is_in_reach(self, one: Creature, other: Creature, at: Cell | None = None) -> bool:
        """Return whether a melee attack of a creature reaches another, at its square or another (KOV-051)."""
        start, end = one.token.at, at or other.token.at
        if start is None or end is None:
            return False
        if not self.has_lifted:
            return end in self._melee.struck(start)
        if start not in self.board or end not in self.board:
            return False
        return self.feet_between(one, other, end) <= self.five and not self._melee.is_barred(start, end)

    def feet(self, a: Cell, b: Cell) -> int:
        """Return the distance of two squares in feet; a difference in height counts if it is greater."""
        return distance(self.landscape, self.board, a, b)

    @lazy
    def barred(self) -> bytes:
        """Return the lanes that walls and closed doors bar, as bits for each index of the padded grid."""
        return self.ground.barred_table

    @lazy
    def _melee(self) -> MeleeReach:
        return _melee_reach(self.scene.terrain, self.barred, self.board, self.five)

    def squares_around(self, at: Cell) -> list[Cell]:
        """Return the squares of the board within the printed 5 feet of a square at any height."""
        return squares_around(self.board, at, self.five)

    def reach_from(self, at: Cell) -> frozenset[Cell]:
        """Return the squares that a melee attack reaches from a square of the board (KOV-051)."""
        return self._melee.cells(at)

    def reach(self, one: Creature, at: Cell | None = None) -> frozenset[Cell]:
        """Return the squares that a creature strikes, from its square or another; none off the board."""
        place = at or one.token.at
        return frozenset() if place is None else self._melee.struck(place)

    @per_owner
    def why_not(self, one: Creature, other: Creature, at: Cell | None = None) -> Hindrance:
        """Return what keeps a creature from a melee attack on another, from its square or another."""
        start, end = at or one.token.at, other.token.at
        if start is None or end is None or start not in self.board or end not in self.board:
            return "distance"
        if self.feet_between(other, one, start) > self.five:
            return "height" if FEET * self.board.distance(start, end) <= self.five else "distance"
        return "wall" if self._melee.is_barred(start, end) else ""

    def reach_from_any(self, places: Mask) -> Mask:
        """Return the squares that a melee attack reaches from any of some squares (KOV-051)."""
        return self._melee.from_any(places)

    @per_owner
    def engaged(self, one: Creature, at: Cell | None = None) -> list[Creature]:
        """Return the enemies that a creature is adjacent to, at its square or at another (KOV-036)."""
        place = at or one.token.at
        if place is None or place not in self.board or not self.has_map:
            return []
        return [enemy for enemy in self.enemies(one) if self.is_in_reach(enemy, one, place)]

    def engaged_pairs(self) -> list[tuple[Creature, Creature]]:
        """Return the pairs of engaged enemies, in order of entry."""
        if not self.has_lifted:
            return super().engaged_pairs()
        return [
            (one, other)
            for one, other in combinations(self.units, 2)
            if not self.are_allies(one, other)
            and (self.is_in_reach(one, other) or self.is_in_reach(other, one))
        ]


@per_scene
def battlefield(scene: Scene) -> Battlefield:
    """Return the battlefield of a scene."""
    return Battlefield(RULES, scene)


def is_defeated(scene: Scene, left: int) -> bool:
    """Return whether a creature is defeated with so many damage points left, which may be below 0 (C-16)."""
    return left < 0 or (left == 0 and setting(scene, house_rules.DEFEAT) == "at 0 points")
