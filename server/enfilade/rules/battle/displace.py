"""Forced moves: the only way in which a game moves a token otherwise than by steps of its own.

A game names the token, the place, and the cause. The map stops the way at walls, closed ground and the edge
of the board; the crowd there stops the token, makes room, or leaves it the nearest free place. A forced move
thus crosses nothing, for every act. A token off the board, such as one that is dead, is not moved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, Protocol

from msgspec.structs import replace

from enfilade.geometry.board.base import LANES, Board, Cell, Point
from enfilade.geometry.board.hex import HexBoard
from enfilade.rules.battle.ground import Footing, footing_of, ground_of
from enfilade.rules.battle.laws import NO_LAWS, Laws
from enfilade.rules.battle.spaces import Spaces
from enfilade.rules.procedures import Act, Steps, move_token
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token

Cause = Literal[
    "push",
    "pull",
    "blown",
    "sweep",
    "spell",
    "shift",
    "room",
    "carry",
    "drag",
    "eject",
    "flight",
    "fall back",
    "lunge",
    "follow up",
]
"""What moves a token. A `Ban` or a `Duty` may name a cause beside kinds and tags of acts."""

Obstacle = Literal["", "wall", "ground", "edge", "body", "law"]
"""What ends a forced move early: nothing, the map, other tokens where it would end, or a law."""

AtEnd = Literal["stop", "near", "make room", "share"]
"""What happens if others are where the way ends: the token does not move; it takes the nearest free place;
it stands there and moves the others to the nearest free places; it stands there with them."""

KEEP: Final = -1
"""The facing that leaves a token's facing as it is."""


class Landing(NamedTuple):
    """The end of a forced move; `by` says what ended it early and is empty if the token got to its place."""

    at: Cell
    by: Obstacle = ""


class Map(Protocol):
    """A scene as forced moves meet it. Places are cells, or 64ths of an inch on a gridless board."""

    def way(self, token: Token, to: Cell) -> Landing:
        """Return the farthest place on the straight way of a token from its `at`; bodies do not stop it."""

    def crowd(self, token: Token, at: Cell) -> Sequence[str]:
        """Return the IDs of those that leave a token no room at a place."""

    def nearest_free(self, token: Token, source: Token, most: int) -> Cell | None:
        """Return the nearest place with room on a clear straight way, first those away from another token.

        `most` is how far a token looks, in cells or 64ths of an inch.
        """


def displace(
    scene: Scene,
    key: str,
    to: Cell,
    cause: Cause,
    maps: Callable[[Scene], Map],
    *,
    via: Sequence[Cell] = (),
    crowd: AtEnd = "stop",
    most: int = 0,
    facing: int | None = KEEP,
    laws: Laws = NO_LAWS,
) -> Steps:
    """Move a token by force until the map or another token stops it; return the scene and the `Landing`.

    `via` are the places that the way leads through before its end. `most` is how far the token, or those
    that make room for it, look for a free place.
    """
    token, field = scene.token(key), maps(scene)
    if token.at is None:
        return scene, Landing(to, "edge")
    if laws.refusal(scene, Act(kind=cause, token=key, at=to), frozenset({"forced", cause})):
        return scene, Landing(token.at, "law")
    stop = _way(field, token, (*via, to))
    there = field.crowd(token, stop.at) if crowd != "share" else ()
    if there and crowd == "near":
        free = field.nearest_free(replace(token, at=stop.at), token, most)
        stop, there = (Landing(token.at, "body") if free is None else Landing(free, stop.by)), ()
    elif there and crowd == "stop":
        return scene, Landing(token.at, "body")
    turned = token.facing if facing == KEEP else facing
    if (stop.at, turned) != (token.at, token.facing):
        scene = yield move_token(token, stop.at, turned)
    for other in there:
        scene = yield from _give_way(scene, other, scene.token(key), maps, most)
    return scene, stop


def _way(field: Map, token: Token, places: Sequence[Cell]) -> Landing:
    """Return how far a token on the board gets on its way through places."""
    assert token.at is not None
    stop = Landing(token.at)
    for place in places:
        stop = field.way(replace(token, at=stop.at), place)
        if stop.by:
            break
    return stop


def _give_way(scene: Scene, key: str, source: Token, maps: Callable[[Scene], Map], most: int) -> Steps:
    """Move a token to the nearest free place, first away from another; return the scene."""
    free = maps(scene).nearest_free(scene.token(key), source, most)
    if free is None:
        return scene
    scene, _ = yield from displace(scene, key, free, "room", maps)
    return scene


# Straight ways over cells


def straight_cells(board: Board, start: Cell, end: Cell) -> list[Cell]:
    """Return the cells on the straight line between two cells, without the first; each step is adjacent."""
    count, (x, y), (to_x, to_y) = _steps(board, start, end), board.center(start), board.center(end)
    cells, cell = [], start
    for left in range(count - 1, -1, -1):
        checkpoint()
        done = count - left
        ideal = x * count + (to_x - x) * done, y * count + (to_y - y) * done
        lanes = [LANES[lane] for lane in board.adjacent_lanes(cell)]
        near = [(cell[0] + dx, cell[1] + dy) for dx, dy in lanes]
        ahead = [one for one in near if _steps(board, one, end) == left]
        cell = min(ahead, key=lambda one: _squared_distance(board, one, ideal, count))
        cells.append(cell)
    return cells


def _steps(board: Board, start: Cell, end: Cell) -> int:
    if isinstance(board, HexBoard):
        return board.distance(start, end)
    return max(abs(end[0] - start[0]), abs(end[1] - start[1]))


def _squared_distance(board: Board, cell: Cell, point: Point, scale: int) -> int:
    """Return the squared distance of a cell's center to a point, both times a scale."""
    x, y = board.center(cell)
    return (x * scale - point[0]) ** 2 + (y * scale - point[1]) ** 2


def grid_way(footing: Footing, start: Cell, end: Cell) -> Landing:
    """Return how far a body gets on the straight way between two cells."""
    board, at = footing.ground.board, start
    for cell in straight_cells(board, start, end):
        if not all(own in board for own in footing.cells(cell)):
            return Landing(at, "edge")
        if not _is_step_open(footing, at, cell):
            return Landing(at, "wall")
        if not footing.places[cell]:
            return Landing(at, "ground")
        at = cell
    return Landing(at)


def _is_step_open(footing: Footing, start: Cell, end: Cell) -> bool:
    dx, dy = end[0] - start[0], end[1] - start[1]
    return all(footing.ground.is_open((x, y), (x + dx, y + dy)) for x, y in footing.cells(start))


def grid_nearest_free(
    footing: Footing, start: Cell, source: Cell, most: int, has_room: Callable[[Cell], bool]
) -> Cell | None:
    """Return the nearest cell with room that a clear straight way leads to, the farthest from a source."""
    board, (x, y) = footing.ground.board, start
    around = [(x + dx, y + dy) for dx in range(-most, most + 1) for dy in range(-most, most + 1)]
    near = [cell for cell in around if cell in board and _steps(board, start, cell) <= most]
    origin = board.center(source)
    for cell in sorted(
        near, key=lambda one: (_steps(board, start, one), -_squared_distance(board, one, origin, 1), one)
    ):
        checkpoint()
        if has_room(cell) and grid_way(footing, start, cell) == Landing(cell):
            return cell
    return None


def _no_one(one: Token, other: Token) -> bool:
    """Return False: no two tokens share a place."""
    del one, other
    return False


@dataclass(frozen=True)
class ForcedMap:
    """The spaces of a scene on a grid as forced moves meet them; `shares`: which pairs have one place."""

    spaces: Spaces
    shares: Callable[[Token, Token], bool] = _no_one

    def _footing(self, token: Token) -> Footing:
        scene = self.spaces.scene
        ground = ground_of(scene.terrain, scene.walls, self.spaces.board)
        return footing_of(ground, self.spaces.footprint(token))

    def way(self, token: Token, to: Cell) -> Landing:
        """Return the farthest place on the straight way of a token from its `at`."""
        assert token.at is not None
        return grid_way(self._footing(token), token.at, to)

    def crowd(self, token: Token, at: Cell) -> Sequence[str]:
        """Return the tokens that leave a token no room at a place."""
        body = set(self.spaces.cells(replace(token, at=at)))
        others = [one for one in self.spaces.placed if one.id != token.id and not self.shares(token, one)]
        return [one.id for one in others if not body.isdisjoint(self.spaces.cells(one))]

    def nearest_free(self, token: Token, source: Token, most: int) -> Cell | None:
        """Return the nearest place with room on a clear straight way, first those away from another token."""
        assert token.at is not None
        footing = self._footing(token)
        away = source.at or token.at
        return grid_nearest_free(
            footing, token.at, away, most, lambda at: bool(footing.places[at]) and not self.crowd(token, at)
        )


def straight_away(spaces: Spaces, source: Point, token: Token, count: int) -> list[Cell]:
    """Return the places of so many steps of a token straight away from a point.

    Each step is the one nearest to the line from the point through the token's center; of two equally near
    ones the diagonal one.
    """
    assert token.at is not None
    x, y = spaces.center(token)
    along, across = x - source[0], y - source[1]
    found, at, here = [], token.at, (x, y)

    def rank(lane: Cell) -> tuple[int, bool]:
        to_x, to_y = _center(spaces, token, (at[0] + lane[0], at[1] + lane[1]))
        return abs((to_x - x) * across - (to_y - y) * along), 0 in lane

    for _ in range(count):
        lanes = [LANES[lane] for lane in spaces.board.adjacent_lanes(at)]
        ahead = [lane for lane in lanes if _goes_ahead(spaces, token, at, here, lane, (along, across))]
        if not ahead:
            break
        step = min(ahead, key=rank)
        at = at[0] + step[0], at[1] + step[1]
        here = _center(spaces, token, at)
        found.append(at)
    return found


def _center(spaces: Spaces, token: Token, at: Cell) -> Point:
    return spaces.center(replace(token, at=at))


def _goes_ahead(spaces: Spaces, token: Token, at: Cell, here: Point, lane: Cell, way: Point) -> bool:
    """Return whether a step leads on along a way, not across it."""
    x, y = _center(spaces, token, (at[0] + lane[0], at[1] + lane[1]))
    along = (x - here[0]) * way[0] + (y - here[1]) * way[1]
    across = (x - here[0]) * way[1] - (y - here[1]) * way[0]
    return along > 0 and along >= abs(across)


def drive(
    scene: Scene, key: str, places: Sequence[Cell], cause: Cause, maps: Callable[[Scene], ForcedMap]
) -> Steps:
    """Move a token by force from place to place until something stops it; return the scene."""
    for at in places:
        scene, landing = yield from displace(scene, key, at, cause, maps)
        if landing.by or landing.at != at:
            break
    return scene
