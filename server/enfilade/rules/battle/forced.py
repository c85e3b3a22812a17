"""Forced moves over the spaces of a grid: the map that `displace` asks, and the way straight from another.

A body stops before walls, closed ground and the edge of the board, and before a place in which another token
leaves it no room.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from enfilade.geometry.board.base import LANES, Cell, Point
from enfilade.rules.battle.displace import Cause, Landing, displace, grid_nearest_free, grid_way
from enfilade.rules.battle.ground import Footing, footing_of, ground_of
from enfilade.rules.battle.spaces import Spaces
from enfilade.rules.procedures import Steps
from enfilade.scene.model import Scene, Token


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
