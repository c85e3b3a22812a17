"""Cover and sight by corners: how many lines to the corners of a target are in the way of walls and bodies.

Lines go from one corner of the attacker's space to the corners of one part of the target's. The corner and
the part with the fewest blocked lines count. A game says what so many blocked lines mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple
from weakref import ref

from enfilade.geometry.board.arcs import full_mask
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.square import SquareBoard
from enfilade.geometry.board.units import CELL, HALF, Corners, Point
from enfilade.geometry.sight.blockers import LEVEL, Heights
from enfilade.geometry.sight.cover import any_clear, blocked_layers, blocked_lines, covers
from enfilade.geometry.sight.line_of_sight import SightLine, best_sight_line, seen_by_each
from enfilade.i18n import localize
from enfilade.rules.battle.obstacles import QUARTERS, Covered, Crossings, Obstacles, fixed_of
from enfilade.rules.battle.spaces import Spaces
from enfilade.rules.cache import board_weight
from enfilade.rules.ruleset import Blocker, Sight
from enfilade.rules.walls import stopped_by
from enfilade.runtime.lazy import lazy
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Token

FEW = 48
"""The most cells whose lines are looked at one by one, and not those of the whole board."""


class Lines(NamedTuple):
    """The lines that cover is counted by: those from corners to corners, if it says nothing else.

    by_centers: the line between the centers counts instead: what is on it blocks all quarters. named: returns
    the cover that people have given a target, and nothing else counts. Cover is total by the lines from all
    corners to all corners in each case.
    """

    by_centers: bool = False
    named: Callable[[Token], Covered] | None = None


BY_CORNERS = Lines()
FEW_COVERS = 4
"""The covers of a scene that are counted among the creatures between two alone: a crowd has hundreds."""


class Screens:
    """The walls, terrain and creatures of a scene that may be in the way of lines.

    `is_solid` says which tokens are in the way of attacks; none is in the way of sight. `lines` says what
    cover is counted by.
    """

    def __init__(self, spaces: Spaces, is_solid: Callable[[Token], bool], lines: Lines = BY_CORNERS) -> None:
        self.spaces, self._fixed, self._lines_of_cover = spaces, fixed_of(spaces.scene), lines
        self.walls = self._fixed.blockers
        self._solid = [one for one in spaces.placed if is_solid(one)]
        self._covered: dict[tuple[str, str], tuple[Token, Token, Covered]] = {}
        self._lines: dict[tuple[str, str], tuple[Token, Token, SightLine]] = {}
        self._clear: dict[tuple[str, str], tuple[Token, Token, bool]] = {}
        self._open: dict[tuple[str, str], tuple[Token, Token, bool]] = {}
        self._eyes_of: dict[str, tuple[Token, Corners]] = {}
        self._mover: tuple[str, ref[Crossings]] | None = None
        self._asked = 0

    @lazy
    def obstacles(self) -> Obstacles:
        """Return what is in the way of attacks: walls, terrain and creatures."""
        return self._fixed.with_tokens(self.spaces, self._solid)

    def covered(self, attacker: Token, target: Token) -> Covered:
        """Return what is in the way of an attack of one token on the board on another."""
        known = self._covered.get((attacker.id, target.id))
        if known is None or known[0] is not attacker or known[1] is not target:
            crossings, spaces = self._crossings_of(attacker, target), self.spaces
            if crossings is None:
                points, height = spaces.outer(attacker), spaces.middle(attacker)
                near = self._obstacles_between(attacker, target)
                found = self._counted(points, height, spaces.center(attacker), target, near)
            else:
                found = crossings.covered(spaces, attacker, target)
            known = self._covered[attacker.id, target.id] = attacker, target, found
        return self._as_named(target, known[2])

    def covered_from(self, origin: Point, height: int, target: Token) -> Covered:
        """Return what is between a point, such as the origin of an area, and a token on the board."""
        crossings = self._crossings_of(target, target)  # a body is in the way of no line that ends in it
        obstacles = self.obstacles if crossings is None else crossings.obstacles
        return self._as_named(target, self._counted((origin,), height, origin, target, obstacles))

    def is_total(self, attacker: Token, target: Token) -> bool:
        """Return whether the cover of a target on the board is total, which that by creatures never is."""
        known = self._open.get((attacker.id, target.id))
        if known is None or known[0] is not attacker or known[1] is not target:
            eyes = self.spaces.outer(attacker)
            points = [point for part in self.spaces.parts(target) for point in part]
            is_counted = (attacker.id, target.id) in self._covered or self._crossings_of(attacker, target)
            if is_counted or not set(eyes).isdisjoint(points):  # a line without a length is not asked for
                return self.covered(attacker, target).is_total
            (is_open,) = any_clear([(eyes, points)], self.walls, self.spaces.heights(attacker, target))
            known = self._open[attacker.id, target.id] = attacker, target, is_open
        named = self._lines_of_cover.named
        return not known[2] or (named is not None and named(target).is_total)

    def _obstacles_between(self, attacker: Token, target: Token) -> Obstacles:
        """Return what may be in the way of an attack: of many in a scene, all that is in the way of any."""
        self._asked += 1
        if self._asked > FEW_COVERS:
            return self.obstacles
        return self._fixed.with_tokens(self.spaces, self.spaces.between(attacker, target, self._solid))

    def _as_named(self, target: Token, counted: Covered) -> Covered:
        named = self._lines_of_cover.named
        return counted if named is None or counted.is_total else named(target)

    def _counted(
        self, points: Corners, height: int, center: Point, target: Token, obstacles: Obstacles
    ) -> Covered:
        heights, parts = (height, self.spaces.middle(target)), self.spaces.parts(target)
        centers = (center, (self.spaces.center(target),)) if self._lines_of_cover.by_centers else None
        return obstacles.covered(points, (parts,), heights, centers)[0]

    def crossings(self, token: Token) -> Crossings:
        """Return the cover between a token, at any place, and the others where they stand.

        While it is held, the screens of all scenes with the same others take their answers from it.
        """
        key, known = self._without(token), self._fixed.crossings
        found = known.get(key)
        if found is None:
            others = [one for one in self._solid if one.id != token.id]
            obstacles = self._fixed.with_tokens(self.spaces, others)
            found = known[key] = Crossings(obstacles, by_centers=self._lines_of_cover.by_centers)
        return found

    def _without(self, token: Token) -> tuple[object, ...]:
        """Return a value that is equal in scenes on one map that differ only in a token."""
        kind = self.spaces.large_hexes, self._lines_of_cover.by_centers
        own = token.id  # made for hundreds of scenes of one answer, so `spot_of` is written out
        return kind, *[(one.at, one.size, one.elevation) for one in self._solid if one.id != own]

    def _crossings_of(self, attacker: Token, target: Token) -> Crossings | None:
        """Return the crossings of one of two tokens, if an answer holds any: of one token in a scene."""
        if self._mover is None and self._fixed.crossings:
            for one in (attacker, target):
                found = self._fixed.crossings.get(self._without(one))
                if found is not None:
                    self._mover = one.id, ref(found)
                    break
        mover = self._mover
        return mover[1]() if mover and mover[0] in (attacker.id, target.id) else None

    def line(self, viewer: Token, target: Token) -> SightLine:
        """Return the best line between two tokens on the board, from any corner to any corner."""
        known = self._lines.get((viewer.id, target.id))
        if known is None or known[0] is not viewer or known[1] is not target:
            known = self._lines[viewer.id, target.id] = viewer, target, self._line(viewer, target)
        return known[2]

    def _line(self, viewer: Token, target: Token) -> SightLine:
        eyes, points = self._ends(viewer, target)
        return best_sight_line(eyes, points, self.walls, self.spaces.heights(viewer, target))

    def _ends(self, viewer: Token, target: Token) -> tuple[Corners, Corners]:
        """Return the ends of lines of sight: the centers and the corners of two spaces."""
        eyes, parts = self._eyes(viewer), self.spaces.parts(target)
        if len(parts) == 1:
            return eyes, self._eyes(target)
        return eyes, (self.spaces.center(target), *[point for part in parts for point in part])

    def _eyes(self, token: Token) -> Corners:
        """Return the center and the corners of a space."""
        known = self._eyes_of.get(token.id)
        if known is None or known[0] is not token:
            eyes = (self.spaces.center(token), *self.spaces.outer(token))
            known = self._eyes_of[token.id] = token, eyes
        return known[1]

    def sees(self, viewer: Token, target: Token) -> bool:
        """Return whether a line between two tokens on the board is clear."""
        if self._has_clear_line(viewer, target):
            return True
        known = self._clear.get((viewer.id, target.id))
        if known is None or known[0] is not viewer or known[1] is not target:
            self.look([(viewer, target)])
            known = self._clear[viewer.id, target.id]
        return known[2]

    def look(self, pairs: Iterable[tuple[Token, Token]]) -> None:
        """Work out at once for pairs of viewers and targets what `sees` will be asked of each."""
        by_heights: dict[Heights, list[tuple[Token, Token, tuple[Corners, Corners]]]] = {}
        for viewer, target in pairs:
            checkpoint()  # asked of all tokens at once
            ends = self._ends(viewer, target)
            if set(ends[0]).isdisjoint(ends[1]):
                heights = LEVEL if self.walls.are_plain else self.spaces.heights(viewer, target)
                by_heights.setdefault(heights, []).append((viewer, target, ends))
            else:  # a line without a length is for `line` to judge
                is_clear = self.line(viewer, target).obstruction is None
                self._clear[viewer.id, target.id] = viewer, target, is_clear
        for heights, ones in by_heights.items():
            found = any_clear([ends for *_, ends in ones], self.walls, heights)
            for (viewer, target, _), is_clear in zip(ones, found, strict=True):
                self._clear[viewer.id, target.id] = viewer, target, is_clear

    def _has_clear_line(self, viewer: Token, target: Token) -> bool:
        """Return whether what is known of the cover of one from the other tells that a line is clear.

        The lines of cover are among those of sight. Back from a target of one part they are the same.
        """
        known = self._covered.get((viewer.id, target.id))
        if known and known[0] is viewer and known[1] is target:
            return not known[2].is_total
        back = self._covered.get((target.id, viewer.id))
        if not back or back[0] is not target or back[1] is not viewer or back[2].is_total:
            return False
        return self.walls.are_plain and len(self.spaces.parts(viewer)) == 1

    def sight(self, viewer: Token, target: Token) -> Sight:
        """Return the line of sight between two tokens on the board, with what stops it."""
        line, stop = self.line(viewer, target)
        distance = self.spaces.text(self.spaces.distance(viewer, target))
        if stop is None:
            return Sight(is_seen=True, distance=distance, line=line)
        blocker = self._blocker(stop.wall, stop.body)
        why = localize("battle.not_seen", blocker=blocker.name, target=target.name)
        return Sight(is_seen=False, why=why, distance=distance, line=line, at=stop.at, blocker=blocker)

    def _blocker(self, wall: int | None, body: int | None) -> Blocker:
        if body is not None:
            return Blocker("terrain", self._fixed.terrain[body].id, self._fixed.terrain[body].name)
        return stopped_by(None if wall is None else self._fixed.walls[wall])

    def near_side(self, start: Point, end: Point) -> Point:
        """Return a point on the ground, or the last corner of the grid before what stops the way to it.

        It is the corner nearest to the straight line. Among hexes it is any point of the line. It depends on
        the map alone, which keeps it.
        """
        known: Point | None = self._fixed.near_sides.get((start, end))
        return known or self._fixed.near_sides.add((start, end), lambda: self._near_side(start, end))

    def _near_side(self, start: Point, end: Point) -> Point:
        count = max(abs(end[0] - start[0]), abs(end[1] - start[1])) * 2 // CELL + 1
        for step in range(count, 0, -1):
            x, y = (a + (b - a) * step // count for a, b in zip(start, end, strict=True))
            if step < count and isinstance(self.spaces.board, SquareBoard):
                x, y = round(x / CELL) * CELL, round(y / CELL) * CELL
            if (x, y) == start or any_clear([((start,), ((x, y),))], self.walls, (HALF, HALF))[0]:
                return x, y
        return start

    def hidden_from(self, origin: Point) -> Mask:
        """Return the cells to which walls and terrain block every line from a point on the ground."""
        return blocked_lines(self.spaces.board, (origin,), self.walls, (HALF, HALF))[-1]

    def clear_from(self, origin: Point, cells: Mask) -> Mask:
        """Return those of some cells that are not hidden from a point on the ground."""
        board = self.spaces.board
        if len(cells) > FEW:
            return cells - self.hidden_from(origin)
        wanted = list(cells)
        parts = [self.spaces.part(cell) for cell in wanted]
        found = covers((origin,), parts, self.walls, (HALF, HALF)) if parts else []
        clear = [
            cell for cell, one in zip(wanted, found, strict=True) if one.walls[0] + one.bodies[0] < one.lines
        ]
        return Mask.of(clear, board.rows)

    # Areas on a grid

    def seen(self, token: Token, length: int | None = None) -> Mask:
        """Return the cells of a grid, all or those within a length, that a token sees.

        It sees from the center of any of its cells.
        """
        return self.seen_by([(token, length)])[0]

    def seen_by(self, viewers: Sequence[tuple[Token, int | None]]) -> list[Mask]:
        """Return the cells of a grid that each of some tokens sees, all or those within a length.

        They depend on the map and on the token's place alone, so the map keeps them: most tokens stand where
        they stood before a move.
        """
        shelf, rules = self._fixed.seen, (self.spaces.diagonals, self.spaces.large_hexes)
        keys = [(rules, one.at, one.size, length) for one, length in viewers]
        found = {key: seen for key in keys if (seen := shelf.get(key)) is not None}
        missing = {key: viewer for key, viewer in zip(keys, viewers, strict=True) if key not in found}
        if missing:
            board, parties = self.spaces.board, [self._viewers(*viewer) for viewer in missing.values()]
            weight = board_weight(board)
            for key, seen in zip(missing, seen_by_each(board, parties, self.walls), strict=True):
                found[key] = shelf.add(key, partial(Mask, seen.rows), weight)
        return [found[key] for key in keys]

    def _viewers(self, token: Token, length: int | None) -> list[tuple[Point, Mask]]:
        board = self.spaces.board
        wanted = full_mask(board) if length is None else self.spaces.within(token, length)
        return [(board.center(cell), wanted) for cell in self.spaces.cells(token)]

    def cover_from(self, attacker: Token) -> tuple[list[Mask], Mask]:
        """Return the cells in which a target has cover against an attacker.

        First those with at least 1 to 4 quarters that walls block, then those with any that anything blocks;
        none of them in total cover. The target has the size of a cell and stands on the ground; no cover of
        people's own is counted.
        """
        board, points = self.spaces.board, self.spaces.outer(attacker)
        heights = self.spaces.middle(attacker), HALF
        layers = (self.walls, self.obstacles.all.without_walls) if self._solid else (self.walls,)
        if self._lines_of_cover.named is not None:
            none = Mask((0,) * board.rows)
            return [none] * QUARTERS, none
        walls, *more = blocked_layers(board, points, layers, heights)
        both, total = more[0] if more else walls, walls[-1]
        least = [_least_lines(quarters, len(walls)) for quarters in range(1, QUARTERS + 1)]
        if self._lines_of_cover.by_centers:
            center = (self.spaces.center(attacker),)
            walls, *more = blocked_layers(board, center, layers, heights, to_centers=True)
            both, least = more[0] if more else walls, [1] * QUARTERS
        return [walls[count - 1] - total for count in least], both[0] - total


def _least_lines(quarters: int, lines: int) -> int:
    """Return the fewest blocked lines that count as a number of quarters."""
    return (quarters - 1) * lines // QUARTERS + 1
