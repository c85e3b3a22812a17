"""Who sees whom, and what, kept up to date while tokens move and the walls stay.

What walls hide from a point is worked out once and kept, the least recently used forgotten first; the
bodies of the tokens are drawn over it. When one token moves, only the pairs whose line meets its old or its
new place are looked at again. A new wall revision is a new `Watch`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from typing import Generic, TypeVar

from enfilade.geometry.board.base import Board
from enfilade.geometry.board.bodies import Body
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Box, Point
from enfilade.geometry.kernel import sight
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.shadows import Heights
from enfilade.geometry.sight.visible import LEVEL, visible

Key = TypeVar("Key", bound=Hashable)


class PastWalls:
    """What each point sees past the walls of one revision, as long as it is remembered."""

    def __init__(self, board: Board, blockers: Blockers, room: int = 512) -> None:
        self.board, self.blockers, self._room = board, blockers.with_bodies(()), room
        self._seen: OrderedDict[tuple[Point, Heights], Mask] = OrderedDict()

    def visible(self, eye: Point, heights: Heights = LEVEL) -> Mask:
        """The cells that an eye would see with the walls alone."""
        place = (eye, heights)
        if place in self._seen:
            self._seen.move_to_end(place)
            return self._seen[place]
        seen = visible(self.board, eye, self.blockers, heights)
        self._seen[place] = seen
        if len(self._seen) > self._room:
            self._seen.popitem(last=False)
        return seen


class Watch(Generic[Key]):
    """Some tokens on a board with walls. Each is looked from, and looked at, at the middle of its body."""

    def __init__(
        self, board: Board, blockers: Blockers, tokens: Mapping[Key, Body], heights: Heights = LEVEL
    ) -> None:
        self._past_walls = PastWalls(board, blockers)
        self._heights = heights
        self._numbers = {key: number for number, key in enumerate(tokens)}
        self._bodies = list(tokens.values())
        self._points = [body.centre for body in self._bodies]
        self._clear = bytearray(len(tokens) * len(tokens))
        self._maps: dict[Key, Mask] = {}
        self._stand(None)

    def move(self, key: Key, body: Body) -> None:
        """A token now stands elsewhere; raises KeyError for one that is not watched."""
        number = self._numbers[key]
        places = [self._bodies[number].bounds, body.bounds]
        self._bodies[number], self._points[number] = body, body.centre
        self._maps.clear()
        self._stand(places)

    def sees(self, key: Key, other: Key) -> bool:
        """Whether the line from one token to another is clear; raises KeyError as `move` does."""
        return bool(self._clear[self._numbers[key] * len(self._bodies) + self._numbers[other]])

    def seen_by(self, key: Key) -> Mask:
        """The cells that a token sees past walls and the others; raises KeyError as `move` does."""
        if key not in self._maps:
            eye = self._points[self._numbers[key]]
            past_bodies = visible(self._past_walls.board, eye, self._standing, self._heights)
            self._maps[key] = self._past_walls.visible(eye, self._heights) & past_bodies
        return self._maps[key]

    def _stand(self, places: Sequence[Box] | None) -> None:
        """The bodies stand where they are now; look again at the lines through some places, or all."""
        walls = self._past_walls.blockers
        self._standing = Blockers(bodies=self._bodies, touching=walls.touching)
        everything = walls.with_bodies((), self._bodies)
        sight.clear_pairs(self._points, everything, self._heights, self._clear, places)
